"""Due dates and rosters in the gradebook: what is refused, what is said, and what late penalties do."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nbgrader.api import Gradebook

from grader.cli import main
from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.gradebook.stored import scored_students
from grader.grading.sample_class import BLANK, Choice, write_class
from grader.proving.bank import Answer
from grader.reporting.exports.grades import open_grades

V1, FULL = "ch04-self-attention-v1", 3


@pytest.fixture(scope="module")
def course(
    tmp_path_factory: pytest.TempPathFactory,
    repository: Path,
    chapter: Chapter,
    answers: Callable[[str], dict[str, Answer]],
) -> Path:
    """Return a graded class of two, where what is late earns nothing."""
    folder = tmp_path_factory.mktemp("course") / "class"
    right = [Choice(one, answers(one.id)["textbook"] if one.id == V1 else BLANK) for one in chapter.exercises]
    write_class(chapter, CoursePaths(repository), folder, (("ada", right), ("bob", right)))
    for student, day in (("ada", 2), ("bob", 1)):
        place = folder / "submitted" / student / chapter.stem / "timestamp.txt"
        place.write_text(f"2026-12-0{day} 12:00:00 UTC")
    with (folder / "nbgrader_config.py").open("a") as file:
        file.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    return folder


@pytest.fixture
def run(course: Path) -> Callable[..., Result]:
    """Return a function that runs a command on the class."""
    return lambda *words: CliRunner().invoke(main, [*words, "--course", str(course)], env={"COLUMNS": "200"})


@pytest.fixture
def grade(run: Callable, chapter: Chapter) -> Callable[[], str]:
    """Return a function that grades what has changed, and returns what is said."""
    return lambda: run("grade", chapter.stem, "--isolation", "none").output


def test_penalties_follow_a_due_date(course: Path, chapter: Chapter, run: Callable, grade: Callable) -> None:
    """A date is set, shown by every command that goes by it, changed and taken away; penalties follow."""

    def scores() -> dict[str, float]:
        (grades,) = open_grades(f"sqlite:///{course / 'gradebook.db'}", [chapter.stem]).assignments
        return {student: one.score for student, one in grades.by_student.items()}

    assert "Due" not in grade()
    assert scores() == {"ada": FULL, "bob": FULL}
    assert re.search(rf"{chapter.stem} +no due date", run("due").output)
    first = run("due", chapter.stem, "2026-12-02 00:59 Europe/Berlin")
    assert f"{chapter.stem}: due 2026-12-01 23:59 UTC." in first.output
    assert f"{chapter.stem}: the late penalty changed for ada." in first.output
    assert scores() == {"ada": 0, "bob": FULL}
    assert re.search(rf"{chapter.stem} +2026-12-01 23:59 UTC", run("due").output)
    assert f"{chapter.stem} 2026-12-01 23:59 UTC" in run("doctor").output
    assert "Due 2026-12-01 23:59 UTC: 1 of 2 with a known time came late.\n" in grade()
    second = run("due", chapter.stem, "2026-01-12 23:59")
    assert "due 2026-01-12 23:59 UTC (it was 2026-12-01 23:59 UTC). That is in the past." in second.output
    assert (
        f"2 of 2 with a known time came late. Is the date right? To change it: grader due {chapter.stem}"
        in grade()
    )
    extended = run("extend", "ada", chapter.stem, "--days", "400")
    assert f"{chapter.stem}: due 2026-01-12 23:59 UTC." in extended.output
    assert "1 of 2 with a known time came late." in grade()
    assert run("due", chapter.stem, "--none").exit_code == 0
    assert scores() == {"ada": FULL, "bob": FULL}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("STEM", "01.12.2026 23:59"), "can be read as 2026-01-12 and as 2026-12-01"),
        (("STEM", "2026-12-01"), "say the time of day, too"),
        (("STEM", "soon"), "names no time"),
        (("STEM",), "Say CHAPTER with TIME or with --none"),
        (("STEM", "2026-12-01 23:59", "--none"), "Say CHAPTER with TIME or with --none"),
        (("ch99_nothing", "2026-12-01 23:59"), "ch99_nothing"),
    ],
)
def test_what_is_no_due_date_is_refused(
    words: tuple[str, ...], said: str, chapter: Chapter, run: Callable
) -> None:
    """A date in two readings, a day alone, no time, and half a command."""
    refused = run("due", *(chapter.stem if one == "STEM" else one for one in words))
    assert refused.exit_code == 2
    assert said in refused.output


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_roster_of_any_program_is_taken(encoding: str, sign: str, tmp_path: Path, repository: Path) -> None:
    """With a byte order mark or without, and with each sign that programs put between the columns."""
    course = tmp_path / "course"
    course.mkdir()
    (course / "nbgrader_config.py").write_bytes((repository / "nbgrader_config.py").read_bytes())
    (course / "solutions").mkdir()
    table = course / "students.csv"

    def roster(*rows: tuple[str, ...]) -> str:
        lines = [("id", "first_name", "last_name", "email", "seat"), *rows]
        table.write_text("\r\n".join(map(sign.join, lines)), encoding=encoding)
        done = CliRunner().invoke(main, ["roster", "--course", str(course)])
        assert done.exit_code == 0, done.output
        return done.output

    ada = ("ada", "Ada", "Lovelace", "ada@example.org", "4")
    assert "2 students; 2 new, 0 changed, 0 the same." in roster(ada, ("007", "Zoë", "Çelik", "", "5"))
    assert "1 students; 0 new, 1 changed, 0 the same." in roster(
        ("007", "Zoë", "Çelik", "zoe@example.org", "")
    )
    assert "2 students; 0 new, 1 changed, 1 the same." in roster(ada, ("007", "Zoë", "Çelik", "", ""))
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        assert [(one.id, one.first_name, one.last_name, one.email) for one in gradebook.students] == [
            ("ada", "Ada", "Lovelace", "ada@example.org"),
            ("007", "Zoë", "Çelik", None),
        ]


def test_folder_that_is_gone_without_a_score_is_told_so(
    course: Path, chapter: Chapter, run: Callable, grade: Callable
) -> None:
    """Of a removed folder that could not be graded no score counts, and nothing says that one does."""
    place = course / "submitted" / "eve" / chapter.stem / f"{chapter.stem}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text("{")
    assert "Without a score" in grade()
    place.unlink()
    place.parent.rmdir()
    place.parent.parent.rmdir()
    (told,) = (line for line in grade().splitlines() if "gone from submitted/" in line)
    assert "eve. It had no score then, and has none now. Put the folder back" in told
    assert scored_students(f"sqlite:///{course / 'gradebook.db'}", chapter.stem) == {"ada", "bob"}
