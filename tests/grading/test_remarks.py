"""Remarks that are used again: where they are read, whom they reach, and what they leave alone."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nbgrader.api import Gradebook

from grader.cli import main
from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import Chapter
from grader.grading.remarks import read_remarks
from grader.grading.sample_class import BLANK, Choice, write_class
from grader.proving.bank import Answer

V1 = "ch04-self-attention-v1"
TEXT = "Look at <b>the scale</b>: $\\sqrt{d_k}$."


@pytest.fixture
def course(
    tmp_path: Path, repository: Path, chapter: Chapter, answers: Callable[[str], dict[str, Answer]]
) -> Path:
    """Return a graded class of three with remarks: two of them make the same mistake."""

    def choices(name: str) -> list[Choice]:
        return [Choice(one, answers(one.id)[name] if one.id == V1 else BLANK) for one in chapter.exercises]

    folder = tmp_path / "class"
    chosen = (
        ("ada", choices("textbook")),
        ("bob", choices("missing-scale")),
        ("cyd", choices("missing-scale")),
    )
    write_class(chapter, CoursePaths(repository), folder, chosen)
    CoursePaths(folder).remarks.write_text(f"scale = {json.dumps(TEXT)}\ngood = 'Good.'\n")
    run = CliRunner().invoke(main, ["grade", chapter.stem, "--course", str(folder), "--isolation", "none"])
    assert run.exit_code == 0, run.output
    return folder


@pytest.fixture
def grader(course: Path) -> Callable[..., Result]:
    """Return a function that runs a command on the class."""
    return lambda *more: CliRunner().invoke(main, [*more, "--course", str(course)], env={"COLUMNS": "200"})


@pytest.fixture
def held(course: Path, chapter: Chapter) -> Callable[..., tuple]:
    """Return a function that gives the comment and the points by hand, set before if asked to."""

    def of(student: str, comment: str | None = None, points: float | None = None) -> tuple:
        with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
            place = (chapter.stem, chapter.stem, student)
            found = gradebook.find_comment(V1, *place)
            grade = gradebook.find_grade(check_id(chapter.by_id[V1]), *place)
            if comment is not None:
                found.manual_comment, grade.manual_score = comment, points
                gradebook.db.commit()
            return found.manual_comment, grade.manual_score

    return of


def test_one_student(grader: Callable, course: Path, chapter: Chapter, held: Callable) -> None:
    """Below what a person wrote, once, with points if asked; the page shows it as text."""
    held("bob", "Mine.\r\n")
    for _ in range(2):
        done = grader("remark", "bob", chapter.stem, V1, "scale", "--points", "1.5")
        assert done.exit_code == 0, done.output
    assert "there already for 1" in done.output
    assert "1.5 points: given to 1: bob.\n" in done.output and "before:" not in done.output
    assert "Feedback pages show it and late penalties follow the points after: grader grade" in done.output
    assert held("bob") == (f"Mine.\n\n{TEXT}", 1.5)
    assert held("cyd") == (None, None)
    assert grader("grade", chapter.stem, "--isolation", "none").exit_code == 0
    page = (course / "feedback" / "bob" / chapter.stem / f"{chapter.stem}.html").read_text(encoding="utf-8")
    assert "Mine." in page and "&lt;b&gt;the scale&lt;/b&gt;" in page and "<b>the scale" not in page


def test_all_with_a_mistake(grader: Callable, chapter: Chapter, held: Callable) -> None:
    """Each once, and nobody else; points that a person gave before stay."""
    held("bob", "", 0.5)
    arguments = ("remark", "--all-with", "missing-scale", chapter.stem, V1, "scale", "--points", "1")
    done = grader(*arguments)
    assert done.exit_code == 0, done.output
    assert "given to 2: bob, cyd" in done.output and "Points given by hand before stay: bob" in done.output
    assert (held("ada"), held("bob"), held("cyd")) == ((None, None), (TEXT, 0.5), (TEXT, 1))
    assert "given to 0; it was there already for 2" in grader(*arguments).output
    assert held("cyd") == (TEXT, 1)
    done = grader("remark", "bob", chapter.stem, V1, "scale", "--points", "1")
    assert "given to 0; it was there already for 1.\n1 point: given to 1: bob.\n" in done.output
    assert "Other points before: bob 0.5.\n" in done.output
    assert held("bob") == (TEXT, 1)


def test_a_remark_inside_another_is_not_the_same(grader: Callable, chapter: Chapter, held: Callable) -> None:
    """Only a paragraph of its own is it."""
    held("bob", "Good. But short.")
    grader("remark", "bob", chapter.stem, V1, "good")
    assert held("bob")[0] == "Good. But short.\n\nGood."


def test_list_shows_them(grader: Callable, course: Path) -> None:
    """For people and for tools; without a file it says where to write one."""
    assert TEXT in grader("remark", "--list").output
    assert json.loads(grader("remark", "--list", "--json").output) == {"scale": TEXT, "good": "Good."}
    CoursePaths(course).remarks.unlink()
    assert "remarks.toml" in grader("remark", "--list").output


def test_what_cannot_be_done_writes_nothing(
    grader: Callable, course: Path, chapter: Chapter, held: Callable
) -> None:
    """Each with one clear line and status 2."""
    stem = chapter.stem
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        gradebook.add_student("eve")
    for arguments, said in [
        (("bob", stem, V1, "nothing"), "no remark 'nothing'"),
        (("bob", stem, "ch05-causal-mask", "scale"), "is of ch05_causal_attention, not of"),
        (("bob", stem, V1, "scale", "--points", "7"), "more than the answer may earn, 3"),
        (("nobody", stem, V1, "scale"), "Nothing was written: there is no student nobody in the gradebook"),
        (("eve", stem, V1, "scale"), f"Nothing was written: eve handed nothing in for {stem}."),
        (("bob", V1, "scale"), "Expected STUDENT CHAPTER EXERCISE NAME"),
        (("--all-with", "no-such", stem, V1, "scale"), "no-such is no known mistake"),
        (("--all-with", "scale-by-dk", stem, V1, "scale"), "Nobody's answer"),
    ]:
        done = grader("remark", *arguments)
        assert done.exit_code == 2, arguments
        assert said in done.output, done.output
    assert held("bob") == (None, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1", "a is 1; expected a text"),
        ("a = ' '", "expected a text"),
        ("'a b' = 'c'", "no short name"),
        ("a", "cannot be read"),
    ],
)
def test_damaged_file_is_an_error(tmp_path: Path, text: str, said: str) -> None:
    """One that names the file and the entry."""
    path = CoursePaths(tmp_path).remarks
    path.write_text(text)
    with pytest.raises(GraderError, match=rf"remarks\.toml.*{said}"):
        read_remarks(path)
