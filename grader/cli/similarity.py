"""``grader similarity``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from grader.cli.common import course_option, expect_free, force_option, json_option, progress, report_errors
from grader.course.paths import find_course
from grader.files import write_whole

if TYPE_CHECKING:
    from grader.similarity.survey import Survey


def _lines(found: "Survey", caution: str) -> list[dict[str, object]]:
    """Return a survey as JSON can hold it: the class first, then a pair a line."""
    usual = found.baseline
    first = {
        "assignment": found.assignment,
        "students": found.students,
        "unread": dict(found.unread),
        "unseen": [
            {"student": student, "exercise": name, "reason": reason}
            for (student, name), reason in found.unseen.items()
        ],
        "pairs": usual.pairs if usual else None,
        "median": usual.median if usual else None,
        "deviation": usual.deviation if usual else None,
        "closest": usual.closest if usual else None,
        "note": caution,
    }
    pairs = [
        {
            "students": list(pair.students),
            "agreement": round(pair.agreement, 4),
            "unusual": None if pair.unusual is None else round(pair.unusual, 2),
            "stands_out": pair.stands_out,
            "exercises": {
                one.exercise.id: {"alike": round(one.alike, 4), "same": round(one.same, 4)}
                for one in pair.exercises
            },
        }
        for pair in found.pairs
    ]
    return [first, *pairs]


def _table(found: "Survey", shown: dict[str, str]) -> Table:
    table = Table(
        "students",
        Column("agreement", justify="right", no_wrap=True),
        Column("unusual", justify="right", no_wrap=True),
        "alike in",
        box=None,
    )
    for pair in found.pairs:
        names = "\n".join(shown[name] for name in pair.students)
        unusual = "-" if pair.unusual is None else f"{pair.unusual:.1f}"
        places = "\n".join(f"{one.exercise.subject} {one.alike:.0%}" for one in pair.exercises)
        out = Text("stands out: " if pair.stands_out else "", style="bold")
        table.add_row(Text(names), f"{pair.agreement:.2f}", unusual, out + Text(places))
    return table


@click.command()
@click.argument("assignment")
@click.option("--top", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many pairs.")
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page with both answers of each pair side by side.",
)
@force_option
@click.option("--anonymous", is_flag=True, help="Numbers for names; names in the code itself stay.")
@json_option
@course_option
@report_errors
def similarity(
    assignment: str,
    top: int,
    html: Path | None,
    force: bool,
    anonymous: bool,
    as_json: bool,
    course: Path | None,
) -> None:
    """Show which students' answers to ASSIGNMENT are alike beyond what the class has in common.

    An aid for a person to look, never a finding: short answers to the same exercise are alike by nature.
    """
    # They import torch and nbgrader, which takes seconds.
    from grader.exercises import find_chapter  # noqa: PLC0415
    from grader.grading.course_directory import course_directory, read_config  # noqa: PLC0415
    from grader.grading.master import load_master  # noqa: PLC0415
    from grader.grading.submissions import printable, students_with_folder  # noqa: PLC0415
    from grader.similarity.page import similarity_page  # noqa: PLC0415
    from grader.similarity.survey import CAUTION, read_answers, survey  # noqa: PLC0415

    expect_free([html], force)
    paths, chapter = find_course(course), find_chapter(assignment)
    directory = course_directory(paths, read_config(paths))
    students, master = students_with_folder(directory, chapter.stem), load_master(chapter, paths)
    with progress() as bar:
        task = bar.add_task(chapter.stem, total=len(students))
        answers = {}
        for student, read in read_answers(directory, master, students):
            answers[student] = read
            bar.advance(task)
    found = survey(master, answers, top)
    found = found.anonymous() if anonymous else found
    if html:
        write_whole(html, similarity_page(found, anonymous))
    if as_json:
        click.echo("\n".join(map(json.dumps, _lines(found, CAUTION))))
        return
    console = Console()
    if found.pairs:
        console.print(_table(found, {name: printable(name) for one in found.pairs for name in one.students}))
    else:
        click.echo("No two students share anything that counts.")
    for name, reason in found.unread.items():
        console.print(Text(f"Not compared: {printable(name)}: {reason}"))
    for (student, name), reason in found.unseen.items():
        console.print(Text(f"Not compared: {printable(student)}, {name}: {reason}"))
    console.print(Text(f"\n{CAUTION}", style="italic"))
    click.echo(f"Side by side: {html}" if html else "Add --html PAGE.html to read the answers side by side.")
