"""The implementation of ``grader return``: pack the feedback pages, and list who is left out."""

import sys
from collections import defaultdict
from pathlib import Path

import click

from grader.cli.common import NOT_ALL, expect_free
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import find_chapter
from grader.files import write_whole
from grader.grading.course_directory import course_directory, read_config
from grader.grading.decisions import read_decisions
from grader.grading.folder import printable, quoted
from grader.lms.feedback import Returning
from grader.lms.systems import PLATFORMS, System


def run(paths: CoursePaths, chapter: str, system: System, output: Path, force: bool) -> None:
    """Write the archive.

    Raises:
        GraderError: the file is there already, or there is no page to pack.
    """
    stem = find_chapter(chapter).stem
    expect_free([output], force)
    directory = course_directory(paths, read_config(paths))
    packed = Returning(directory, stem, read_decisions(paths.decisions)).pack(system)
    by_reason = defaultdict(list)
    for student, why in packed.left_out.items():
        by_reason[why].append(quoted(student))
    for why, students in by_reason.items():
        click.echo(f"Left out ({printable(why)}): {', '.join(students)}.", err=True)
    if not packed.students:
        raise GraderError(
            f"There is no feedback page of {stem} that {system} could take. Nothing was written."
        )
    write_whole(output, packed.content)
    click.echo(f"{output}: {len(packed.students)} feedback pages. Upload it: {PLATFORMS[system].upload}.")
    if packed.left_out:
        sys.exit(NOT_ALL)
