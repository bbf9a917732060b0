"""The report in a terminal, and what the command says where there is nothing to report."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from grader.cli import main
from grader.exercises import CHAPTERS, Chapter, Exercise, find_chapter
from grader.proving.bank import Answer
from grader.reporting.class_report import report_on
from grader.reporting.class_table import class_tables
from grader.reporting.graded import NOTHING, GradedAnswer, GradedAssignment, GradedStudent
from tests.graded_class import Handed, usable, write_graded_class

HOSTILE = "[red]ada[/red]"


def told(chapter: Chapter, *students: GradedStudent) -> str:
    """Return the tables of some students as a terminal of 80 columns shows them."""
    most = {one.id: float(one.points) for one in chapter.exercises}
    report = report_on(GradedAssignment(chapter, most, students), lambda *_: {}, lambda _: ())
    console = Console(width=80)
    with console.capture() as captured:
        for table in class_tables(report):
            console.print(table)
    return captured.get()


@pytest.fixture
def shown(chapter: Chapter) -> Callable[..., str]:
    """Return a function that gives the tables of some students of the chapter."""
    return partial(told, chapter)


def answers_of(chapter: Chapter, first: GradedAnswer) -> dict[str, GradedAnswer]:
    """Return right answers to all exercises but the first."""
    right = {one.id: GradedAnswer(one.points, one.points, one.points, "passed") for one in chapter.exercises}
    return right | {chapter.exercises[0].id: first}


def test_tables_show_scores_mistakes_and_exercises(
    chapter: Chapter, exercise: Exercise, shown: Callable
) -> None:
    """A row has the student, the score, and each mistake with the number of its exercise."""
    wrong = GradedAnswer(0, 0, 0, "failed", ("missing-scale",), attempts=3)
    text = shown(GradedStudent(HOSTILE, HOSTILE, "graded", answers_of(chapter, wrong)))
    most = sum(one.points for one in chapter.exercises)
    assert HOSTILE in text and f"{most - exercise.points} of {most}" in text
    assert "1: missing-scale" in text and "The scores are not scaled" in text
    assert "fewer than 10 students" in " ".join(text.split())
    assert "1 student: 1 graded, 0 error, 0 missing." in " ".join(text.split())
    assert all(len(line) <= 80 for line in text.splitlines())


def test_question_that_is_left_out_says_nothing_of_the_class() -> None:
    """Nobody has points for it, and nobody has it wrong."""
    chapter = next(one for one in CHAPTERS.values() if one.questions)
    most = {name: 0.0 if name in {one.id for one in chapter.questions} else 1.0 for name in chapter.parts}
    answers = {
        name: GradedAnswer(points, status="passed" if points else "waiting") for name, points in most.items()
    }
    students = tuple(GradedStudent(f"s{n}", f"s{n}", "graded", answers) for n in range(12))
    report = report_on(GradedAssignment(chapter, most, students), lambda *_: {}, lambda _: ())
    left_out = [one for one in report.exercises if not one.max_points]
    assert {(one.answers, one.right, one.discrimination.why) for one in left_out} == {
        (0, 0, "nobody's answer is judged")
    }


def test_many_exercises_fit_a_terminal() -> None:
    """Of a chapter with more exercises than columns fit, those that are not right are listed."""
    clinic = find_chapter("ch09_debugging_clinic")
    answers = answers_of(clinic, GradedAnswer(0.5, 0, 0, "failed", ("unrecognized",), by_hand=True))
    text = told(clinic, GradedStudent("ada", "ada", "graded", answers))
    assert all(len(line) <= 80 for line in text.splitlines())
    (row,) = (line for line in text.splitlines() if "ada" in line)
    assert [part.strip() for part in row.strip("│ ").split("│")] == [
        *("ada", "23.5 of 24", "1: 0.5*", "1: unrecognized")
    ]


def test_points_by_hand_and_undecided_are_marked(chapter: Chapter, shown: Callable) -> None:
    """A star for what a person gave, a question mark for what nobody has decided."""
    by_hand = GradedAnswer(1.5, 0, 0, "failed", ("unrecognized",), by_hand=True)
    undecided = GradedAnswer(None, None, None, "error", fault="The file is gone.")
    text = shown(
        GradedStudent("ada", "ada", "graded", answers_of(chapter, by_hand)),
        GradedStudent("bob", "bob", "graded", answers_of(chapter, undecided)),
    )
    assert "1.5*" in text and "?" in text
    assert "looks broken. The grader could not judge 1 answer" in " ".join(text.split())


def test_what_being_late_costs_is_in_the_score(chapter: Chapter, shown: Callable) -> None:
    """As `grade` says it, so that the points of the exercises add up."""
    answers = answers_of(chapter, GradedAnswer(2, 2, 2, "failed", ("unrecognized",)))
    text = " ".join(shown(GradedStudent("ada", "ada", "graded", answers, penalty=1.5)).split())
    assert "1.5 off for being late" in text


def test_missing_and_unreadable_are_said(chapter: Chapter, shown: Callable) -> None:
    """Whoever has no score has a reason."""
    zero = {one.id: GradedAnswer(0, 0, 0, "error") for one in chapter.exercises}
    text = shown(
        GradedStudent("ada", "ada", "error", zero, reason="The file is empty."),
        GradedStudent("bob", "bob", "missing", reason="Nothing was handed in."),
    )
    assert "ada: The file is empty." in text
    assert "Nothing was handed" in text
    assert "2 students: 0 graded, 1 error, 1 missing." in " ".join(text.split())


def test_many_missing_are_counted(chapter: Chapter, shown: Callable) -> None:
    """Whoever handed something in, or has a damaged file, keeps the row; a command has the names."""
    absent = [GradedStudent(f"m{one}", f"m{one}", "missing", reason=NOTHING) for one in range(21)]
    waiting = GradedStudent("eve", "eve", "missing", reason="Handed in, but not graded yet.")
    damaged = GradedStudent("dan", "dan", "missing", reason=NOTHING, problem="It is damaged.")
    text = shown(*absent, waiting, damaged)
    assert "m1" not in text and "eve" in text and "dan: " in text
    told = " ".join(text.split())
    assert f"Missing: 21 students handed in nothing. All names: `grader report {chapter.stem} --html" in told
    assert "m1" in shown(*absent[:20]) and "Missing:" not in shown(*absent[:20])


@pytest.fixture
def run(tmp_path: Path, repository: Path) -> Callable[..., Result]:
    """Return a function that runs the command on a course in a folder of its own."""
    (tmp_path / "nbgrader_config.py").write_text((repository / "nbgrader_config.py").read_text())
    return lambda *arguments: CliRunner().invoke(main, ["report", *arguments, "--course", str(tmp_path)])


@pytest.mark.parametrize("every", [True, False])
def test_class_that_is_not_graded_is_an_error(
    run: Callable, tmp_path: Path, chapter: Chapter, every: bool
) -> None:
    """Without a gradebook the report says so, with status 2, and makes none."""
    result = run("--all" if every else chapter.stem)
    assert result.exit_code == 2
    assert "gradebook.db is missing" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["nbgrader_config.py"]


@pytest.mark.parametrize("arguments", [(), ("--all", "ch04_self_attention")])
def test_it_has_to_be_said_which(run: Callable, arguments: tuple[str, ...]) -> None:
    """Names, or all; not both, nor neither."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert "or say --all" in result.stderr


def test_unknown_assignment(run: Callable, tmp_path: Path, chapter: Chapter) -> None:
    """A chapter that the gradebook does not know is named, with what to do; so is one that does not exist."""
    right = {one.id: usable(one)[0][0] for one in chapter.exercises}
    write_graded_class(tmp_path, [chapter], {chapter.stem: [Handed("ada", answers=right)]})
    result = run("ch05_causal_attention")
    assert result.exit_code == 2
    assert "no assignment ch05_causal_attention" in result.stderr and "grader grade" in result.stderr
    assert "There is no chapter 'ch99'" in run("ch99").stderr


def test_terminal_says_where_to_go_on(run: Callable, tmp_path: Path, chapter: Chapter) -> None:
    """Without options the tables are shown; what is anonymous holds no path."""
    answers = {one.id: usable(one)[0][0] for one in chapter.exercises}
    answers[chapter.exercises[0].id] = Answer("x", ("missing-scale",), "", "x = 1")
    write_graded_class(tmp_path, [chapter], {chapter.stem: [Handed("ada", answers=answers)]})
    result = run(chapter.stem)
    assert result.exit_code == 0, result.output
    assert "ada" in result.stdout and "missing-scale" in result.stdout
    assert f"grader report {chapter.stem} --html report.html" in result.stdout
    hidden = run(chapter.stem, "--anonymous")
    assert "A1" in hidden.stdout and "ada" not in hidden.stdout.replace("gradable", "")
    assert str(tmp_path) not in hidden.stdout
