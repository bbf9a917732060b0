"""Notes on stopped cells that hold no answer: the later cells ran without them."""

from collections.abc import Iterator, Sequence

from grader.grading.sanitize import Sanitized
from grader.sandbox.job import CellRun, Limits

WITHOUT = "what comes after it ran without what it did not reach"


def notes_on_stopped(sanitized: Sanitized, runs: Sequence[CellRun], limits: Limits) -> Iterator[str]:
    """Yield a sentence for each cell that was stopped, and one for all that were not run.

    Cells are counted from 1, as they stand in the notebook. Where an answer's own cell was stopped, the
    verdict on the exercise says so.
    """
    not_run = []
    for number, (cell, place, run) in enumerate(zip(sanitized.cells, sanitized.places, runs, strict=True)):
        if cell.exercise or number in sanitized.answers.values():
            continue
        if run.status == "too-slow":
            yield f"Cell {place + 1} was stopped when its time was up: {WITHOUT}."
        elif run.status == "ended":
            yield f"Cell {place + 1} ended the process that ran it, so it was left out: {WITHOUT}."
        elif run.status == "not-run":
            not_run.append(place + 1)
    if not_run:
        yield (
            f"The notebook's time was up at cell {not_run[0]}: it and what comes after it did not run. A "
            f"notebook may take {limits.total_seconds:g} seconds in all. Exercises that were not tried wait "
            "for a person."
        )
