"""What the commands share: options, exit statuses, how errors and progress are shown."""

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from grader.checking.device import DEVICES
from grader.errors import GraderError, UnknownExerciseError
from grader.sandbox.launch import ISOLATIONS

if TYPE_CHECKING:
    from grader.course.paths import CoursePaths
    from grader.exercises import Chapter

PASSED, NOT_ALL, COULD_NOT = 0, 1, 2

course_option = click.option(
    "--course",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The course's folder; by default the one you are in.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one line an entry.")
force_option = click.option("--force", is_flag=True, help="Write over a file that is there.")
isolation_option = click.option(
    "--isolation",
    type=click.Choice(ISOLATIONS),
    default=ISOLATIONS[0],
    show_default=True,
    help="Whether what is run is kept from your files, the network and other processes.",
)
device_option = click.option(
    "--device",
    type=click.Choice(DEVICES),
    help="Where to run; by default GRADER_DEVICE, else CUDA if there is one and nothing is isolated.",
)


def report_errors(command: Callable) -> Callable:
    """Show the package's own errors, and those of files, as one line and exit with status 2."""

    @wraps(command)
    def wrapped(*args: object, **options: object) -> None:
        try:
            command(*args, **options)
        except BrokenPipeError:
            raise  # who reads the output has closed it: click ends quietly
        except (GraderError, OSError) as error:
            taken = _course_taken(error.course, options) if isinstance(error, UnknownExerciseError) else ""
            click.echo(f"grader: {error}{taken}", err=True)
            sys.exit(COULD_NOT)

    return wrapped


def _course_taken(taken: Path | None, options: Mapping[str, object]) -> str:
    """Return in which course a name was looked for, and how to look in another; empty where none was."""
    # They import torch, which not all commands need.
    from grader.course.compile import declared_stems  # noqa: PLC0415
    from grader.course.paths import find_course  # noqa: PLC0415

    if taken is None:
        return ""
    told = f" These are of the course in {taken}"
    try:
        here = find_course(options.get("course"))
    except GraderError:
        here = None
    if here and here.root.resolve() != taken.resolve() and declared_stems(here):
        return f"{told}; nothing of the one in {here.root} is built. Run `grader references build` there."
    named = ", or name it with --course" if "course" in options else ""
    return f"{told}. For another, change to its folder{named}."


def expect_free(files: Iterable[Path | None], force: bool) -> None:
    """Refuse to write over files that are there; before the work that it takes to fill them.

    Raises:
        GraderError: one of them is there, and ``--force`` was not given.
    """
    if there := [str(one) for one in files if one is not None and one.exists() and not force]:
        raise GraderError(f"{there[0]} is there already. Name another file, or write over it with --force.")


def require_dask() -> None:
    """Refuse to go on without Dask, which only grading on several machines needs.

    Raises:
        GraderError: it is not installed.
    """
    if find_spec("distributed") is None:
        raise GraderError(
            "Grading on several machines needs Dask, which is not installed. Run: "
            "python -m pip install distributed"
        )


def require_babel() -> None:
    """Refuse to go on without Babel, which only translating needs.

    Raises:
        GraderError: it is not installed.
    """
    if find_spec("babel") is None:
        raise GraderError("Translating needs Babel, which is not installed. Run: python -m pip install babel")


def chapters_named(stem: str | None, paths: "CoursePaths") -> "list[Chapter]":
    """Return the chapter of this stem, or all that a course has."""
    # They import torch, which not all commands need.
    from grader.course.paths import chapters_in  # noqa: PLC0415
    from grader.exercises import find_chapter  # noqa: PLC0415

    return [find_chapter(stem)] if stem else chapters_in(paths)


def progress(estimate: bool = False) -> Progress:
    """Return a progress bar on stderr, if asked for with an estimate of the time that is left."""
    left = (TextColumn("left"), TimeRemainingColumn()) if estimate else ()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *left,
        console=Console(stderr=True),
    )
