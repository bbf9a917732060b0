"""Measure what the cases that only grading uses cost; ``make bench`` runs it.

All exercises of a chapter, a right answer each, run and judged in this process: once on the visible cases,
once on all. The smallest of several runs is what the work itself takes.
"""

import time
from collections.abc import Callable
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import track
from rich.table import Table

from grader.checking.judge import judge
from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, Chapter, Exercise
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, load_exercise, load_for_grading
from grader.references.store import grading_folders

PATHS = CoursePaths(Path(__file__).resolve().parents[2])
RUNS = 15
CPU = torch.device("cpu")
Judged = tuple[Exercise, Answer, ExerciseReference]


def right_answer(exercise: Exercise) -> Answer:
    """Return the first correct variant of an exercise's bank."""
    return next(one for one in read_bank(bank_path(PATHS.solutions, exercise)) if one.correct)


def seconds_for(judged: list[Judged]) -> float:
    """Return the time that running and judging these takes; the smallest of several."""

    def once() -> None:
        for exercise, answer, reference in judged:
            attempt = attempt_answer(exercise, answer, reference.cases, CPU)
            result = judge(exercise, reference, attempt, CPU.type)
            assert result.status == "passed", result.message

    return min(timed(once) for _ in range(RUNS))


def timed(act: Callable[[], None]) -> float:
    """Return the seconds that a call takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def costs(chapter: Chapter) -> tuple[str, ...]:
    """Return a chapter's row: visible and hidden cases, time on the first and on all, size on disk."""
    answers = {exercise.id: right_answer(exercise) for exercise in chapter.exercises}
    visible = [(one, answers[one.id], load_exercise(one.chapter, one.id)) for one in chapter.exercises]
    both = [(one, answers[one.id], load_for_grading(one.chapter, one.id, PATHS)) for one in chapter.exercises]
    seen, there = (sum(len(reference.cases) for *_, reference in side) for side in (visible, both))
    _, hidden_folder = grading_folders(chapter.stem, PATHS)
    kept = sum(file.stat().st_size for file in hidden_folder.iterdir())
    times = (f"{1000 * seconds_for(side):.0f} ms" for side in (visible, both))
    return (chapter.stem, str(seen), str(there - seen), *times, f"{kept / 1000:.0f} kB")


def main() -> None:
    """Measure, and print a table."""
    torch.set_num_threads(1)
    columns = ("chapter", "visible cases", "hidden cases", "on visible ones", "on all", "kept on disk")
    table = Table(*columns, title="What hidden cases cost at grading")
    for chapter in track(CHAPTERS.values(), "hidden cases"):
        table.add_row(*costs(chapter))
    Console().print(table)


if __name__ == "__main__":
    main()
