"""Options that ``grader grade`` and ``grader regrade`` share; imports nothing slow."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import click

from grader.allowance import CHECK_SECONDS
from grader.cli.common import course_option, device_option, isolation_option, json_option


@dataclass(frozen=True)
class GradeOptions:
    """The command-line options; ``force``: grade unchanged submissions, too."""

    assignment: str
    course: Path | None
    students: frozenset[str]
    workers: int
    seconds: float
    device: str | None
    isolation: str
    as_json: bool
    force: bool = False


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
    isolation_option,
    device_option,
    json_option,
    course_option,
)


def class_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options; it gets them as ``GradeOptions``, and its own ones by name."""

    @wraps(command)
    def wrapped(*, students: tuple[str, ...], workers: int | None, **rest: object) -> None:
        common = {name: rest.pop(name) for name in ("assignment", "course", "seconds", "device", "isolation")}
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
