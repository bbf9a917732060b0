"""Extensions: what is recorded, which dates are refused, and what late penalties do."""

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nbgrader.api import Gradebook

from grader.cli import main
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import Chapter
from grader.gradebook.extensions import read_extensions
from grader.grading.sample_class import BLANK, Choice, write_class
from grader.grading.times import read_time
from grader.proving.bank import Answer
from grader.reporting.exports.grades import open_grades

DUE, LATE = datetime(2026, 12, 1, 12), "2026-12-02 12:00:00 UTC"
V1, FULL = "ch04-self-attention-v1", 3
RULE = """
c.LateSubmissionPlugin.penalty_method = "zero"
"""
OWN_RULE = """\
from nbgrader.plugins import LateSubmissionPlugin


class Own(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return """


@pytest.fixture
def course(
    tmp_path: Path, repository: Path, chapter: Chapter, answers: Callable[[str], dict[str, Answer]]
) -> Path:
    """Return a graded class of two who handed in a day late, where what is late earns nothing."""
    folder = tmp_path / "class"
    right = [Choice(one, answers(one.id)["textbook"] if one.id == V1 else BLANK) for one in chapter.exercises]
    write_class(chapter, CoursePaths(repository), folder, (("ada", right), ("bob", right)))
    for student in ("ada", "bob"):
        (folder / "submitted" / student / chapter.stem / "timestamp.txt").write_text(LATE)
    with (folder / "nbgrader_config.py").open("a") as file:
        file.write(RULE)
    grade(folder, chapter)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "attention") as gradebook:
        gradebook.update_or_create_assignment(chapter.stem, duedate=DUE)
    return folder


def grade(folder: Path, chapter: Chapter) -> None:
    """Grade what has changed."""
    run = CliRunner().invoke(main, ["grade", chapter.stem, "--course", str(folder), "--isolation", "none"])
    assert run.exit_code == 0, run.output


@pytest.fixture
def extend(course: Path) -> Callable[..., Result]:
    """Return a function that runs the command on the class."""
    return lambda *more: CliRunner().invoke(
        main, ["extend", *more, "--course", str(course)], env={"COLUMNS": "200"}
    )


@pytest.fixture
def scores(course: Path, chapter: Chapter) -> Callable[[], dict[str, float]]:
    """Return a function that gives the final scores."""

    def read() -> dict[str, float]:
        (grades,) = open_grades(f"sqlite:///{course / 'gradebook.db'}", [chapter.stem]).assignments
        return {student: one.score for student, one in grades.by_student.items()}

    return read


def test_penalties_follow_at_once_and_come_back(
    course: Path, chapter: Chapter, extend: Callable, scores: Callable
) -> None:
    """A due date counts with the next `grade`, without --force; an extension and its end at once."""
    assert scores() == {"ada": FULL, "bob": FULL}
    grade(course, chapter)
    assert scores() == {"ada": 0, "bob": 0}
    given = extend("ada", chapter.stem, "--days", "2", "--reason", "Ill.")
    assert given.exit_code == 0
    assert f"{chapter.stem}: the late penalty changed for ada." in given.output
    assert scores() == {"ada": FULL, "bob": 0}
    grade(course, chapter)
    assert scores() == {"ada": FULL, "bob": 0}
    assert extend("--revoke", "ada", chapter.stem).exit_code == 0
    assert scores() == {"ada": 0, "bob": 0}
    (kept,) = read_extensions(CoursePaths(course).extensions).all
    assert (kept.reason, kept.in_force, bool(kept.revoked_by)) == ("Ill.", False, True)


def test_longest_counts_and_a_new_one_replaces(
    course: Path, chapter: Chapter, extend: Callable, scores: Callable
) -> None:
    """For all chapters, the class, or one: the longest; a second like it ends the first."""
    assert extend("--all-students", chapter.stem, "--days", "0.5").exit_code == 0
    assert extend("bob", "--all-chapters", "--days", "3").exit_code == 0
    assert scores() == {"ada": 0, "bob": FULL}
    assert extend("ada", "bob", chapter.stem, "--until", "2026-12-02 13:00 Europe/Berlin").exit_code == 0
    assert scores() == {"ada": FULL, "bob": FULL}
    assert extend("bob", "--all-chapters", "--days", "0.25").exit_code == 0
    extensions = read_extensions(CoursePaths(course).extensions)
    assert [one.in_force for one in extensions.all] == [True, False, True, True, True]
    assert extensions.of("bob", chapter.stem, DUE) == timedelta(days=1)
    listed = [json.loads(line) for line in extend("--list", "--json").output.splitlines()]
    assert [one["student"] for one in listed] == ["", "bob", "ada", "bob", "bob"]
    assert "(all)" in extend("--list").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("eve", "STEM", "--days", "1"), "There is no student eve"),
        (("ada", "ch99", "--days", "1"), "ch99"),
        (("ada", "STEM", "--days", "-1"), "expected more than 0"),
        (("ada", "STEM", "--days", "nan"), "expected more than 0"),
        (("ada", "STEM", "--until", "02.12.2026 12:00"), "can be read as 2026-02-12 and as 2026-12-02"),
        (("ada", "STEM", "--until", "2026-12-02"), "say the time of day"),
        (("ada", "STEM", "--until", "2026-11-02 12:00"), "is not after the due date"),
        (("ada", "STEM", "--until", "2026-12-02 12:00 Mars"), "a time zone that is not known"),
        (("ada", "STEM", "--until", "12:00"), "names no day"),
        (("ada", "STEM", "--until", "soon"), "names no time"),
        (("--revoke", "ada", "STEM"), "ada has no extension"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    arguments: tuple[str, ...], said: str, course: Path, chapter: Chapter, extend: Callable
) -> None:
    """Each names what came, and nothing is written."""
    run = extend(*(chapter.stem if one == "STEM" else one for one in arguments))
    assert run.exit_code == 2
    assert said in run.output
    assert not CoursePaths(course).extensions.exists()


@pytest.mark.parametrize(
    ("body", "at_import"),
    [("1 / 0", False), ("'much'", False), ("float('nan')", False), ("0\n1 / 0", True), ("0 0", True)],
)
def test_rule_that_fails_is_one_clear_error(
    body: str,
    at_import: bool,
    course: Path,
    chapter: Chapter,
    extend: Callable,
    scores: Callable,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`grade` and `extend` name it, its error and what to do; without an import nothing is recorded."""
    module = f"own_rule_{abs(hash(body))}"
    (course / f"{module}.py").write_text(OWN_RULE + body)
    monkeypatch.syspath_prepend(course)
    with (course / "nbgrader_config.py").open("a") as file:
        file.write(f'c.AssignLatePenalties.plugin_class = "{module}.Own"\n')
    before = scores()
    run = extend("ada", chapter.stem, "--days", "0.5")
    again = CliRunner().invoke(
        main, ["grade", chapter.stem, "--course", str(course), "--isolation", "none", "--force"]
    )
    for done in (run, again):
        assert done.exit_code == 2 and isinstance(done.exception, SystemExit), done.output
        assert f"The rule for handing in late, {module}.Own" in done.output
        assert "Mend the rule, or take it out of nbgrader_config.py" in done.output
        assert at_import or re.search("asked about (ada|bob), (43200|86400) seconds late", done.output)
    assert ("extensions.toml is written, no penalty is" in run.output) == (not at_import)
    assert CoursePaths(course).extensions.exists() == (not at_import)
    assert scores() == before


@pytest.mark.parametrize("columns", [60, 80])
def test_list_cuts_no_name(columns: int, course: Path, chapter: Chapter, extend: Callable) -> None:
    """In a narrow terminal the other columns give way to the chapter's name."""
    reason = "The hospital's letter came on Monday, and we agreed on it with the dean."
    assert extend("ada", chapter.stem, "--until", "2026-12-05 23:59", "--reason", reason).exit_code == 0
    command = ["extend", "--list", "--course", str(course)]
    listed = CliRunner().invoke(main, command, env={"COLUMNS": str(columns)}).output
    assert chapter.stem in listed
    assert "\N{HORIZONTAL ELLIPSIS}" not in listed
    assert max(map(len, listed.splitlines())) <= columns


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-12-02 12:00", datetime(2026, 12, 2, 12)),
        ("2026-12-02T12:00:00+01:00", datetime(2026, 12, 2, 11)),
        ("2 Dec 2026 12:00", datetime(2026, 12, 2, 12)),
        ("13.12.2026 12:00", datetime(2026, 12, 13, 12)),
        ("05/05/2026", datetime(2026, 5, 5)),
    ],
)
def test_times_that_are_clear(written: str, expected: datetime) -> None:
    """What everybody reads in the same way is read; a zone is turned into UTC."""
    assert read_time(written) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[extension]]\ndays = 1", "expected by and at"),
        ('[[extension]]\nby = "a"\nat = 2026-11-23T09:00:00Z', "either days or until"),
        ('[[extension]]\nby = "a"\nat = 2026-11-23T09:00:00Z\ndays = 0', "days is 0"),
        ('[[extension]]\nby = "a"\nat = 2026-11-23T09:00:00Z\ndays = 1\nchapter = "x"', "chapter is 'x'"),
        ("x = 1", "nothing but entries"),
    ],
)
def test_file_that_was_edited_wrongly_is_refused(text: str, said: str, tmp_path: Path) -> None:
    """It says which entry, what came and what was expected."""
    path = tmp_path / "extensions.toml"
    path.write_text(text)
    with pytest.raises(GraderError, match=r"extensions\.toml") as error:
        read_extensions(path)
    assert said in str(error.value)
