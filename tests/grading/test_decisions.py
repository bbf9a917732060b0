"""Decisions for a whole class: recorded, shown before they are written, revocable, and applied everywhere."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nbgrader.api import Gradebook
from small_class import Class, graded_cells

from grader.checking.outcome import same_outcome
from grader.cli import main
from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import Chapter
from grader.grading.class_reading import GradedCourse
from grader.grading.decision_file import decide, revoke
from grader.grading.decisions import read_decisions
from grader.grading.record import Record
from grader.grading.sample_class import BLANK, Choice, write_class
from grader.proving.bank import Answer
from grader.reporting.class_report import decision_sentence, report_on
from grader.reporting.exports.grades import open_grades

V1 = "ch04-self-attention-v1"
REASON = "The <b>docstring</b> was wrong."


@pytest.fixture
def decided(a_class: Class) -> Callable[..., Class]:
    """Return a function that decides something about the first exercise, as the command would."""
    paths = CoursePaths(a_class.root)

    def made(*decisions: dict) -> Class:
        for one in decisions:
            decide(paths, V1, reason=REASON, **one)
        return as_decided(a_class)

    return made


def as_decided(made: Class) -> Class:
    """Return a class with what is in its file."""
    decisions = read_decisions(CoursePaths(made.root).decisions)
    return replace(
        made, grading=replace(made.grading, master=replace(made.grading.master, decisions=decisions))
    )


def shown(page: Path) -> str:
    """Return the text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8"))).split())


def with_answer(right: str, source: str) -> str:
    """Return a submission with another answer to the first exercise."""
    notebook = json.loads(graded_cells(right))
    (cell,) = [one for one in notebook["cells"] if one["id"] == V1]
    cell["source"] = source
    return json.dumps(notebook)


def test_full_points_for_all(a_class: Class, decided: Callable, runs: object) -> None:
    """Whoever handed in, right or wrong; nothing is run again, and gradebook, page and record agree."""
    before = a_class.grade()
    ran = len(runs.jobs)
    made = decided({"kind": "full-points"})
    after = made.grade()
    assert len(runs.jobs) == ran
    most = made.grading.master.exercises[V1].points
    assert {name: one.exercises[V1].score for name, one in after.items()} == dict.fromkeys(before, most)
    assert after["bob"].score == before["bob"].score + most
    scores = {row[0]: row[2] for row in made.grades() if row[1] == f"{V1}-check"}
    assert scores == dict.fromkeys(before, most)
    text = shown(made.page("bob"))
    assert f"Full points for all: {REASON}" in text
    assert "part of the points" not in text
    assert f"{after['bob'].score:g} of {after['bob'].max_score:g} points" in text
    assert "<b>docstring" not in made.page("bob").read_text(encoding="utf-8")


def test_left_out_counts_in_nobody_s_points(a_class: Class, decided: Callable) -> None:
    """Nor in the maximum, of the record, the page, the report, the export, and nbgrader's own."""
    before = a_class.grade()
    made = decided({"kind": "leave-out"})
    after, points = made.grade(), made.grading.master.exercises[V1].points
    assert after["ada"].score == before["ada"].score - points == after["ada"].max_score
    assert after["bob"].score == before["bob"].score
    grades = open_grades(made.directory.db_url, [made.stem])
    (assignment,) = grades.assignments
    assert assignment.max_score == after["ada"].max_score
    assert assignment.of("ada").score == after["ada"].score
    assert "Left out, it counts in nobody's points" in shown(made.page("ada"))
    again = as_decided(made)
    revoke(CoursePaths(made.root), 1)
    again = as_decided(made).grade()
    assert {name: one.score for name, one in again.items()} == {n: one.score for n, one in before.items()}
    (assignment,) = open_grades(made.directory.db_url, [made.stem]).assignments
    assert assignment.max_score == before["ada"].max_score


def test_revoked_leaves_nothing(a_class: Class, decided: Callable) -> None:
    """Scores, pages and verdict files are what they were, to the letter."""
    a_class.grade()
    before = a_class.everything()
    decided({"kind": "full-points"}).grade()
    assert a_class.everything() != before
    revoke(CoursePaths(a_class.root), 1)
    as_decided(a_class).grade()
    assert a_class.everything() == before


def test_accepted_for_all_who_gave_the_same(
    a_class: Class, right: str, answers: Callable[[str], dict[str, Answer]]
) -> None:
    """However it is written, and nobody whose answer does something else."""
    bank = answers(V1)
    ways = [name for name in bank if name.partition(":")[0] == "missing-scale"]
    assert len(ways) > 2
    for number, name in enumerate(ways):
        a_class.hand_in(f"way-{number}", with_answer(right, bank[name].program))
    a_class.hand_in("other", with_answer(right, bank["scale-by-dk"].program))
    before = a_class.grade()
    outcome = before["way-0"].exercises[V1].outcome
    decide(CoursePaths(a_class.root), V1, "accept", REASON, "way-0", outcome)
    after = as_decided(a_class).grade()
    changed = {name for name, one in after.items() if one.score != before[name].score}
    assert changed == {f"way-{number}" for number in range(len(ways))}
    assert all(after[name].score == after[name].max_score for name in changed)
    assert f"This answer is accepted: {REASON}" in shown(a_class.page("way-1"))


def test_no_two_known_mistakes_are_the_same_outcome(
    graded: Callable[[str], Record], right: str, answers: Callable[[str], dict[str, Answer]]
) -> None:
    """An accepted answer takes no other mistake with it."""
    wrong = [one for one in answers(V1).values() if not one.correct and ":" not in one.name][:25]
    outcomes = [graded(with_answer(right, one.program)).exercises[V1].outcome for one in wrong]
    told = [outcome for outcome in outcomes if outcome]
    assert len(told) > 10
    for one in told:
        assert [other for other in told if same_outcome(one, other)] == [one]


def test_a_score_given_by_hand_wins(a_class: Class, decided: Callable) -> None:
    """In gradebook, page and report, which says so."""
    a_class.grade()
    with Gradebook(a_class.directory.db_url, "attention") as gradebook:
        check = check_id(a_class.grading.master.exercises[V1])
        gradebook.find_grade(check, a_class.stem, a_class.stem, "bob").manual_score = 1.5
        gradebook.db.commit()
    made = decided({"kind": "full-points"})
    made.grade()
    text = shown(made.page("bob"))
    assert "Full points for all" in text
    assert "Given by hand: 1.5" in text and "They count instead" in text
    paths = CoursePaths(made.root)
    paths.config.write_text("c = get_config()\n")
    read = GradedCourse(paths).read(made.grading.master.chapter)
    student = next(one for one in read.students if one.key == "bob")
    assert student.answers[V1].points == 1.5
    report = report_on(read, lambda *_: {}, lambda _: ())
    ((_, one),) = report.decided
    assert decision_sentence(one).endswith("(3 answers; in 1 of them a score given by hand counts instead)")


def test_late_penalty_follows_the_decision(a_class: Class, decided: Callable) -> None:
    """The course's rule is applied to the score that counts."""
    a_class.config.AssignLatePenalties.plugin_class = "late_rule.Half"
    rule = a_class.root / "late_rule.py"
    rule.write_text(
        "from nbgrader.plugins import LateSubmissionPlugin\n"
        "class Half(LateSubmissionPlugin):\n"
        "    def late_submission_penalty(self, student_id, score, total_seconds_late):\n"
        "        return score / 2\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(a_class.root)
        a_class.grade()
        with Gradebook(a_class.directory.db_url, "attention") as gradebook:
            assignment = gradebook.find_assignment(a_class.stem)
            assignment.duedate = datetime(2026, 2, 1, 12)
            gradebook.db.commit()
        made = decided({"kind": "leave-out"})
        score = made.grade()["ada"].score
    (assignment,) = open_grades(made.directory.db_url, [made.stem]).assignments
    assert (assignment.of("ada").late_penalty, assignment.of("ada").score) == (score, score)


CONTRADICTIONS = [("full-points", "leave-out"), ("leave-out", "full-points"), ("full-points", "full-points")]


@pytest.mark.parametrize(("first", "second"), CONTRADICTIONS)
def test_what_does_not_go_together_is_refused(a_class: Class, first: str, second: str) -> None:
    """And the file stays as it is; once the first is revoked, the second may be."""
    paths = CoursePaths(a_class.root)
    decide(paths, V1, first, REASON)
    before = paths.decisions.read_bytes()
    with pytest.raises(GraderError, match=rf"{first}.*{second}.*do not go together"):
        decide(paths, V1, second, REASON)
    assert paths.decisions.read_bytes() == before
    revoke(paths, 1)
    assert decide(paths, V1, second, REASON).number == 2


def test_file_is_for_people(a_class: Class) -> None:
    """A comment that somebody wrote into it stays, and so does what was revoked."""
    paths = CoursePaths(a_class.root)
    decide(paths, V1, "full-points", 'He said "no".\nThen yes. \x1b[31m')
    paths.decisions.write_text(paths.decisions.read_text() + "# as agreed on Monday\n")
    revoke(paths, 1)
    decide(paths, "ch03-attention", "leave-out", REASON)
    text = paths.decisions.read_text()
    assert "# as agreed on Monday" in text
    assert "\x1b" not in text
    one, other = read_decisions(paths.decisions).all
    assert (one.in_force, one.reason) == (False, 'He said "no".\nThen yes. \x1b[31m')
    assert (other.number, other.in_force, other.exercise) == (2, True, "ch03-attention")


GOOD = """number = 1
exercise = "ch03-attention"
kind = "leave-out"
reason = "r"
by = "a"
at = 2026-11-23T09:00:00Z
"""
DAMAGED = [
    ("decision = 3", r"\[\[decision\]\]"),
    ("[[decision]]\nnumber = 1", "has not the parts"),
    ("[[decision]]\n" + GOOD.replace("ch03-attention", "ch03-nothing"), "exercise is 'ch03-nothing'"),
    ("[[decision]]\n" + GOOD.replace("leave-out", "leave"), "kind is 'leave'; expected one of: full-points"),
    ("[[decision]]\n" + GOOD.replace('"r"', '" "'), "reason is"),
    ("[[decision]]\n" + GOOD.replace("leave-out", "accept"), "outcome does not say which"),
    ("[[decision]]\n" + GOOD.replace("leave-out", "accept") + 'outcome = "0"', "outcome is '0'"),
    ("[[decision]]\n" + GOOD + "[[decision]]\n" + GOOD, "number 1 is there twice"),
    ("[[decision]\n", "cannot be read"),
]


@pytest.mark.parametrize(("text", "said"), DAMAGED)
def test_damaged_file_is_an_error_that_says_where(tmp_path: Path, text: str, said: str) -> None:
    """Nothing is graded by half of a file."""
    path = CoursePaths(tmp_path).decisions
    path.write_text(text)
    with pytest.raises(GraderError, match=rf"decisions\.toml.*{said}"):
        read_decisions(path)


@pytest.fixture
def course(
    tmp_path: Path, repository: Path, chapter: Chapter, answers: Callable[[str], dict[str, Answer]]
) -> Path:
    """Return a graded class of three: one is right, two make the same mistake in the first exercise."""
    right = [Choice(one, next(iter(answers(one.id).values()))) for one in chapter.exercises]

    def mistaken(name: str) -> Iterable[Choice]:
        return [Choice(one, answers(one.id)[name] if one.id == V1 else BLANK) for one in chapter.exercises]

    folder = tmp_path / "class"
    chosen = (("ada", right), ("bob", mistaken("missing-scale")), ("cyd", mistaken("missing-scale")))
    write_class(chapter, CoursePaths(repository), folder, chosen)
    run = CliRunner().invoke(main, ["grade", chapter.stem, "--course", str(folder), "--isolation", "none"])
    assert run.exit_code == 0, run.output
    return folder


@pytest.fixture
def grader(course: Path) -> Callable[..., Result]:
    """Return a function that runs a command on the class."""
    return lambda *more: CliRunner().invoke(main, [*more, "--course", str(course)], env={"COLUMNS": "200"})


def test_command_to_export(grader: Callable, course: Path, chapter: Chapter) -> None:
    """Decided, told by the export until it is written, shown by regrade, written, exported, listed."""
    table = course / "grades.csv"
    export = ("export", chapter.stem, "--format", "csv", "--output", str(table), "--force")
    done = grader("decide", V1, "--accept", "bob", "--reason", REASON)
    assert done.exit_code == 0, done.output
    assert "2 of 3 students: bob, cyd" in done.output
    assert "is not written yet for 2 of 3 students" in grader(*export).stderr
    regrade = ("regrade", chapter.stem, "--changed", "--isolation", "none")
    done = grader(*regrade)
    assert done.exit_code == 1
    assert f"This answer is accepted: {REASON}" in " ".join(done.stdout.split())
    assert "0/3" in done.stdout and "3/3" in done.stdout
    assert grader(*regrade, "--yes").exit_code == 0
    assert "not written yet" not in grader(*export).stderr
    scores = {line.split(",")[0]: line.split(",")[2] for line in table.read_text().splitlines()[1:]}
    assert (scores["bob"], scores["cyd"]) == ("3", "3")
    assert REASON in grader("report", chapter.stem).output
    listed = json.loads(grader("decide", "--list", "--json").stdout)
    assert (listed["number"], listed["kind"], listed["answer"], listed["students"]) == (1, "accept", "bob", 2)
    for columns in ("50", "60", "80"):
        narrow = CliRunner().invoke(
            main, ["decide", "--list", "--course", str(course)], env={"COLUMNS": columns}
        )
        assert V1 in narrow.output and "\N{HORIZONTAL ELLIPSIS}" not in narrow.output
    assert grader("decide", "--revoke", "1").exit_code == 0
    assert "no longer: This answer" in grader(*regrade).stdout


def test_only_changed_scores_are_listed_and_counted(grader: Callable, chapter: Chapter) -> None:
    """Who had the points already is no row of `regrade --changed`, and not among those `grade` counts."""
    assert grader("decide", V1, "--full-points", "--reason", REASON).exit_code == 0
    shown = grader("regrade", chapter.stem, "--changed", "--isolation", "none")
    assert "bob" in shown.stdout and "cyd" in shown.stdout and "ada" not in shown.stdout
    assert "2 go up, 0 go down, 1 keep their score" in shown.stderr
    told = [grader("grade", chapter.stem, "--isolation", "none").stderr for _ in range(2)]
    changed = "a decision for the whole class changed the score of"
    assert f"3 unchanged since the last time, and {changed} 2 of them." in told[0]
    assert changed not in told[1]


def test_points_to_earn_that_a_decision_takes_count_as_a_change(grader: Callable, chapter: Chapter) -> None:
    """`--leave-out` of an exercise that two failed changes what their points are of."""
    assert grader("decide", V1, "--leave-out", "--reason", REASON).exit_code == 0
    told = grader("grade", chapter.stem, "--isolation", "none").stderr
    assert "changed the score of 3 of them." in told


def test_points_by_hand_for_what_is_left_out_are_named(
    grader: Callable, course: Path, chapter: Chapter
) -> None:
    """They would count above the maximum; other decisions say nothing of them."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        gradebook.find_grade(f"{V1}-check", chapter.stem, chapter.stem, "bob").manual_score = 2
        gradebook.db.commit()
    said = "Points that a person gave for it stay, though it counts in nobody's maximum: bob."
    assert said in grader("decide", V1, "--leave-out", "--reason", REASON).stdout
    assert "a person gave" not in grader("decide", "--revoke", "1").stdout
    assert "a person gave" not in grader("decide", V1, "--full-points", "--reason", REASON).stdout


def test_gone_folder_is_named_by_all_commands(grader: Callable, course: Path, chapter: Chapter) -> None:
    """Its score stays, and each command that shows scores says that it does."""
    (course / "submitted" / "bob").rename(course / "moved")
    table = str(course / "grades.csv")
    for command in (
        ("grade", chapter.stem, "--isolation", "none"),
        ("report", chapter.stem),
        ("export", chapter.stem, "--format", "csv", "--output", table, "--missing-as-zero"),
        ("term",),
    ):
        told = " ".join(grader(*command).stderr.split())
        assert f"{chapter.stem}: gone from submitted/ since it was graded: bob. The score of then" in told
    assert "bob,ch04_self_attention,0," in Path(table).read_text()
    assert "gone from" not in grader("report", chapter.stem, "--anonymous").output


def test_answer_of_a_file_is_accepted(
    grader: Callable, course: Path, answers: Callable[[str], dict[str, Answer]]
) -> None:
    """It is run as a submission's would be, and reaches whoever gave the same in another way."""
    file = course / "other.py"
    file.write_text(answers(V1)["missing-scale: one query at a time"].program)
    done = grader("decide", V1, "--accept-file", str(file), "--reason", REASON, "--isolation", "none")
    assert "2 of 3 students: bob, cyd" in done.output, done.output


REFUSED = [
    (("ch04-nothing", "--full-points", "--reason", "r"), "There is no exercise 'ch04-nothing'"),
    ((V1, "--accept", "ada", "--reason", "r"), "is right: there is nothing to accept"),
    ((V1, "--accept", "nobody", "--reason", "r"), "no verdict on"),
    (("ch04-self-attention", "--accept", "bob", "--reason", "r"), "gave no result that others"),
    ((V1, "--full-points"), "needs the exercise and --reason"),
    ((V1, "--full-points", "--leave-out", "--reason", "r"), "Say one of"),
    (("--revoke", "7"), "no decision 7 in force; in force are: none"),
]


def test_what_cannot_be_decided_is_said(grader: Callable, course: Path) -> None:
    """With status 2, and no file is written."""
    for arguments, said in REFUSED:
        done = grader("decide", *arguments)
        assert done.exit_code == 2, arguments
        assert said in done.output
    assert not CoursePaths(course).decisions.exists()
    assert "Nothing is decided" in grader("decide", "--list").output


def test_stock_nbgrader_gives_the_same(
    grader: Callable, course: Path, chapter: Chapter, nbgrader: Callable[..., None]
) -> None:
    """`nbgrader autograde` scores as `grader grade` does, in points and in points to earn."""
    assert grader("decide", V1, "--leave-out", "--reason", REASON).exit_code == 0
    other = "ch04-self-attention-v2"
    assert grader("decide", other, "--full-points", "--reason", REASON).exit_code == 0
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text() + '\nc.JudgeSubmission.isolation = "none"\n')
    nbgrader(course, "autograde", chapter.stem, "--student", "bob", "--force")
    (assignment,) = open_grades(f"sqlite:///{course / 'gradebook.db'}", [chapter.stem]).assignments
    points = {one.id: one.points for one in chapter.exercises}
    assert assignment.max_score == sum(points.values()) - points[V1]
    assert assignment.of("bob").parts[other] == points[other]
    assert V1 not in assignment.of("bob").parts  # empty in the table, no 0
