"""Options that ``grader grade`` and ``grader regrade`` share; imports nothing slow."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import click
from click.core import ParameterSource

from grader.cli.common import course_option, device_option, isolation_option, json_option
from grader.sandbox.launch import Launched, launch
from grader.time_limits import CHECK_SECONDS


@dataclass(frozen=True)
class GradeOptions:
    """The command-line options.

    Attributes:
        force: grade unchanged submissions, too.
        scheduler: the address of a Dask scheduler; empty to grade on this machine.
    """

    assignment: str
    course: Path | None
    students: frozenset[str]
    workers: int
    seconds: float
    device: str | None
    isolation: str
    as_json: bool
    force: bool = False
    scheduler: str = ""

    @contextmanager
    def launched(self) -> Iterator[Launched | None]:
        """Start the fork server, without waiting for it; none if other machines grade."""
        if self.scheduler:
            yield None
            return
        with closing(launch(self.isolation)) as launched:
            yield launched


# Options that each machine of a cluster has for itself.
WORKERS_OWN = ("workers", "isolation")
OPTIONS = (
    click.argument("assignment"),
    click.option("--student", "students", multiple=True, help="This one only; may be given several times."),
    click.option("--workers", type=click.IntRange(min=1), help="Processes; by default one for each CPU."),
    click.option(
        "--seconds",
        type=click.IntRange(1, 3600),
        default=CHECK_SECONDS,
        show_default=True,
        help="Time limit for a cell.",
    ),
    click.option(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="Grade on the machines of this Dask scheduler, such as tls://host:8786 (see grader worker).",
    ),
    isolation_option,
    device_option,
    json_option,
    course_option,
)


def is_given(option: str) -> bool:
    """Return whether an option of the running command was given on its line."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


def class_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options; it gets them as ``GradeOptions``, and its own ones by name."""

    @wraps(command)
    def wrapped(*, students: tuple[str, ...], workers: int | None, **rest: object) -> None:
        if rest["scheduler"] and (theirs := [f"--{one}" for one in WORKERS_OWN if is_given(one)]):
            raise click.UsageError(f"With --scheduler, {' and '.join(theirs)} is an option of grader worker.")
        common = {
            name: rest.pop(name)
            for name in ("assignment", "course", "seconds", "device", "isolation", "scheduler")
        }
        options = GradeOptions(
            students=frozenset(students),
            workers=workers or os.cpu_count() or 1,
            as_json=rest.pop("as_json"),
            **common,
        )
        command(options, **rest)

    for option in reversed(OPTIONS):
        wrapped = option(wrapped)
    return wrapped
