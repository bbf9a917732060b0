"""Run all checks in order."""

from collections.abc import Iterator
from pathlib import Path

from grader.course.paths import find_course
from grader.doctor import course, machine
from grader.doctor.finding import Finding
from grader.doctor.gradebook import gradebook
from grader.errors import GraderError
from grader.grading.course_directory import course_directory, read_config
from grader.versions import TRIED


def examine(asked: Path | None = None) -> Iterator[Finding]:
    """Yield each check's findings as they come; outside a course only those about the machine.

    Args:
        asked: the course's folder; by default the one at or above the working directory.
    """
    for name in TRIED:
        yield machine.version(name)
    yield machine.device()
    yield machine.commands()
    yield machine.isolation()
    try:
        paths = find_course(asked)
        config = read_config(paths)
        directory = course_directory(paths, config)
    except GraderError as error:
        yield Finding("course", "fails", str(error), "Name the folder with --course, or mend the file.")
        return
    yield Finding("course", "ok", str(paths.root))
    yield course.configuration(paths, config, directory)
    yield course.tables(paths)
    yield course.late_penalties(config)
    yield course.due_date_list(directory)
    yield course.notebooks(paths)
    yield course.references(paths)
    yield course.hidden_cases(paths)
    yield course.submissions(directory)
    yield machine.generator(paths)
    yield gradebook(directory.db_url)
    yield course.disk(paths.root)
