"""Map a function over tasks in several processes."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

from grader.exercises import CHAPTERS, declared_for, know
from grader.exercises.declaration import load_declaration

Result = TypeVar("Result")


def in_processes(
    work: Callable[..., Result],
    tasks: Sequence[tuple],
    processes: int | None = None,
    on_done: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Result]:
    """Run a function on each task in worker processes and yield the results in the order of the tasks.

    A worker knows the chapters of this process: those of a course that it is not in, too.

    Args:
        work: a function of a module, called with what a task holds.
        tasks: what it is called with.
        processes: how many work at the same time; by default one for each CPU.
        on_done: called with how many tasks are done, of how many.

    Raises:
        Exception: what the work raised.
    """
    spawn = multiprocessing.get_context("spawn")  # a fork of a process that has run torch may hang
    own = [one.folder for one in CHAPTERS.values() if declared_for(one.stem)]
    with ProcessPoolExecutor(
        processes or os.cpu_count(), mp_context=spawn, initializer=_know, initargs=(own,)
    ) as pool:
        futures = [pool.submit(work, *task) for task in tasks]
        for number, future in enumerate(futures, start=1):
            yield future.result()
            on_done(number, len(tasks))


def _know(folders: Sequence[Path]) -> None:
    """Register chapters in a worker."""
    know(*map(load_declaration, folders))
