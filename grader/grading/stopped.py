"""Notes on stopped cells that hold no answer: the later cells ran without them."""

from collections.abc import Iterator, Sequence

from grader.grading.sanitize import Sanitized
from grader.messages import Message, message
from grader.sandbox.job import CellRun, Limits


def notes_on_stopped(sanitized: Sanitized, runs: Sequence[CellRun], limits: Limits) -> Iterator[Message]:
    """Yield a sentence for each cell that was stopped, and one for all that were not run.

    Cells are counted from 1, as they stand in the notebook. Where an answer's own cell was stopped, the
    verdict on the exercise says so.
    """
    not_run = []
    for number, (cell, place, run) in enumerate(zip(sanitized.cells, sanitized.places, runs, strict=True)):
        if cell.exercise or number in sanitized.answers.values():
            continue
        if run.status == "too-slow":
            yield message(
                "Cell {cell} was stopped when its time was up: what comes after it ran without what it did "
                "not reach.",
                cell=place + 1,
            )
        elif run.status == "ended":
            yield message(
                "Cell {cell} ended the process that ran it, so it was left out: what comes after it ran "
                "without what it did not reach.",
                cell=place + 1,
            )
        elif run.status == "not-run":
            not_run.append(place + 1)
    if not_run:
        yield message(
            "The notebook's time was up at cell {cell}: it and what comes after it did not run. A notebook "
            "may take {seconds} seconds in all. Exercises that were not tried wait for a person.",
            cell=not_run[0],
            seconds=f"{limits.total_seconds:g}",
        )
