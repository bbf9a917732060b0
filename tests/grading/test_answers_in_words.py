"""A question that is answered in words: it waits for a person, from the notebook to the exported grade."""

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from small_class import Class, graded_cells
from test_regrade import regraded
from traitlets.config import Config

from grader.course.paths import CoursePaths
from grader.errors import GraderError, UnknownExerciseError
from grader.exercises import QUESTIONS, find_chapter, find_exercise
from grader.grading.class_reading import GradedCourse
from grader.grading.decision_file import decide
from grader.grading.decisions import read_decisions
from grader.grading.master import load_master, master_of, released_notebook
from grader.grading.sample_class import make_sample_class
from grader.grading.submission_grader import SubmissionGrader
from grader.reporting.class_report import report_on
from grader.reporting.class_table import class_tables
from grader.reporting.exports.formats import export
from grader.reporting.exports.grades import FinalGrade, open_grades
from grader.reporting.exports.options import ExportOptions
from grader.similarity.survey import read_answers, survey

NAME = "ch06-why-heads"
STEM = QUESTIONS[NAME].chapter
WORDS = "One row of weights, <b>one</b> mixture. <script>alert(1)</script>"


@pytest.fixture
def released(repository: Path) -> str:
    """Return the chapter's student notebook, its graded cells alone."""
    return graded_cells(CoursePaths(repository).student(find_chapter(STEM)).read_text(encoding="utf-8"))


@pytest.fixture
def made(config: Config, repository: Path, runs: object, released: str, tmp_path: Path) -> Class:
    """Return a class of three: one has answered, one has not, and one has lost the cell."""
    (tmp_path / "class" / "submitted").mkdir(parents=True)
    directory = CourseDirectory(config=config, root=str(tmp_path / "class"))
    master = load_master(find_chapter(STEM), CoursePaths(repository))
    one = Class(directory, config, SubmissionGrader(master, runs))
    one.hand_in("ada", with_words(released, WORDS))
    one.hand_in("bob", released)
    one.hand_in("cyd", with_words(released, None))
    return one


def with_words(notebook: str, text: str | None) -> str:
    """Return a notebook with an answer in words; with None the cell is taken out."""
    document = json.loads(notebook)
    for cell in list(document["cells"]):
        if cell["id"] == NAME and text is None:
            document["cells"].remove(cell)
        elif cell["id"] == NAME:
            cell["source"] = text
    return json.dumps(document)


def shown(page: Path) -> str:
    """Return the text of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8"))).split())


def held(made: Class, student: str) -> tuple:
    """Return what nbgrader's gradebook holds of the answer."""
    with Gradebook(made.directory.db_url, "attention") as gradebook:
        grade = gradebook.find_grade(NAME, STEM, STEM, student)
        return grade.auto_score, grade.manual_score, bool(grade.needs_manual_grade), grade.max_score


@pytest.fixture
def give(made: Class) -> Callable[[float, str], None]:
    """Return a function that does what formgrader does when a person grades ada's answer."""

    def given(score: float, comment: str) -> None:
        with Gradebook(made.directory.db_url, "attention") as gradebook:
            grade = gradebook.find_grade(NAME, STEM, STEM, "ada")
            grade.manual_score, grade.needs_manual_grade = score, False
            gradebook.find_comment(NAME, STEM, STEM, "ada").manual_comment = comment
            gradebook.db.commit()

    return given


def grade_of(made: Class, student: str) -> FinalGrade:
    """Return the grade that is exported."""
    (assignment,) = open_grades(made.directory.db_url, [STEM]).assignments
    return assignment.of(student)


def test_answer_waits_and_is_no_zero(made: Class) -> None:
    """Empty in the gradebook, listed by formgrader, said in the row and on the page; the rest counts."""
    outcomes = made.grade()
    assert (outcomes["ada"].waiting, outcomes["bob"].waiting) == (1, 0)
    assert outcomes["ada"].exercises[NAME].status == "waiting"

    assert held(made, "ada") == (None, None, True, 2)
    config = Config(made.config)
    config.CourseDirectory.root = str(made.root)
    listed = NbGraderAPI(config=config).get_notebook_submissions(STEM, STEM)
    assert {one["student"]: one["needs_manual_grade"] for one in listed} == {
        "ada": True,
        "bob": False,
        "cyd": False,
    }
    text = shown(made.page("ada"))
    assert "0 of 19 points, 1 answer waits for a person" in text
    assert "waits for your instructor" in text
    assert "for a person" not in shown(made.page("bob"))


def test_unreadable_work_is_not_counted_as_an_answer_in_words(made: Class) -> None:
    """It waits as a whole, under its student's name; the report counts alike."""
    made.hand_in("dot", "no notebook")
    outcome = made.grade("dot")["dot"]
    assert (outcome.status, outcome.waiting, NAME in outcome.undecided) == ("error", 0, True)


def test_words_on_the_page_are_text(made: Class) -> None:
    """Nothing of them is run, in the page or where formgrader shows the notebook."""
    made.grade()
    page = made.page("ada").read_text(encoding="utf-8")
    assert "<b>one</b>" not in page and "&lt;b&gt;one&lt;/b&gt; mixture." in page
    assert "<script" not in page
    assert "<script" not in made.graded("ada", ".ipynb").read_text()


@pytest.mark.parametrize("student", ["bob", "cyd"])
def test_no_answer_earns_nothing(made: Class, student: str) -> None:
    """As nbgrader has it; a cell that was taken out is put back: a person may give points."""
    outcome = made.grade()[student]
    assert held(made, student) == (0, None, False, 2)
    assert outcome.exercises[NAME].message == "There is no answer."
    assert any("was missing and was put back" in note for note in outcome.notes) == (student == "cyd")
    cells = json.loads(made.graded(student, ".ipynb").read_text())["cells"]
    assert [cell["id"] for cell in cells].count(NAME) == 1


def test_person_s_score_and_comment_are_shown_and_stay(made: Class, give: Callable) -> None:
    """Grading everything again keeps them and asks for no second look, as long as the words are the same."""
    before = made.grade()["ada"].score
    give(1.5, "Good, and <i>short</i>.")
    after = made.grade()["ada"]
    assert (after.fresh, after.waiting) == (False, 0)
    text = shown(made.page("ada"))
    assert f"{before + 1.5:g} of 19 points" in text and "waits" not in text
    assert "Given by hand: 1.5 of 2 points." in text and "Good, and <i>short</i>." in text
    made.grade(force=True)
    assert held(made, "ada") == (None, 1.5, False, 2)
    assert grade_of(made, "ada").status == "graded"


def test_other_words_ask_for_another_look(made: Class, give: Callable, released: str) -> None:
    """The score stays, and nbgrader lists the answer again, until a person has looked."""
    made.grade()
    give(1.5, "")
    made.hand_in("ada", with_words(released, "Something else."))
    made.grade()
    assert held(made, "ada") == (None, 1.5, True, 2)
    made.grade(force=True)
    assert held(made, "ada") == (None, 1.5, True, 2)


def test_regrading_knows_the_score_so_far(made: Class, give: Callable) -> None:
    """An answer that waits counts nothing before and after; one that a person has graded what was given."""
    made.grade()
    made.page("ada").write_text("edited")
    with regraded(made, "ada", force=True) as (_, changes):
        assert (changes["ada"].kind, changes["ada"].old_score, changes["ada"].new_score) == ("anew", 0, 0)
    give(1.5, "")
    with regraded(made, "ada", force=True) as (_, changes):
        assert (changes["ada"].kind, changes["ada"].old_score, changes["ada"].new_score) == ("anew", 1.5, 1.5)


def test_export_has_the_rest_with_a_note(made: Class, give: Callable) -> None:
    """Who waits is no empty cell, and is named."""
    made.grade()
    grade = grade_of(made, "ada")
    assert (grade.status, grade.score, grade.parts[NAME]) == ("waiting", 0, None)
    grades = open_grades(made.directory.db_url, [STEM])
    assert any(
        "answer in words" in note and "ada" in note for note in export("csv", grades, ExportOptions()).notes
    )
    give(2, "")
    assert (grade_of(made, "ada").status, grade_of(made, "ada").score) == ("graded", 2)
    grades = open_grades(made.directory.db_url, [STEM])
    assert export("csv", grades, ExportOptions()).notes == ()


def test_report_says_who_waits(made: Class, give: Callable) -> None:
    """And counts the answer in no statistic before a person has graded it."""
    made.grade()
    paths = CoursePaths(made.root)
    paths.config.write_text("c = get_config()\n")

    def report() -> object:
        read = GradedCourse(paths).read(find_chapter(STEM))
        return report_on(read, lambda *_: {}, lambda _: ())

    first = report()
    assert [one.label for one in first.undecided] == ["ada"]
    assert first.exercises[-1].answers == 2
    assert len(list(class_tables(first))) > 1
    give(2, "")
    second = report()
    assert not second.undecided
    assert (second.exercises[-1].answers, second.exercises[-1].right, second.exercises[-1].by_hand) == (
        3,
        1,
        1,
    )
    assert second.changed == 0


def test_left_out_costs_nobody_anything(made: Class) -> None:
    """A class that does not want to read it has the points of before, and nobody waits."""
    made.grade()
    paths = CoursePaths(made.root)
    decide(paths, NAME, "leave-out", "We talk about it instead.")
    object.__setattr__(made.grading.master, "decisions", read_decisions(paths.decisions))
    outcomes = made.grade()
    assert {one.max_score for one in outcomes.values()} == {17}
    assert {one.waiting for one in outcomes.values()} == {0}
    assert held(made, "ada")[2:] == (False, 0)
    assert grade_of(made, "ada").status == "graded"


def test_similar_words_are_found(made: Class, released: str) -> None:
    """Whatever their case and signs; the stub, and what many wrote, count for nothing."""
    text = "The row of one head serves every feature, so nothing behind it takes the sum apart; I saw that."
    made.hand_in("ada", with_words(released, text))
    made.hand_in("dan", with_words(released, text.upper().replace(",", " -")))
    for number in range(6):
        made.hand_in(f"other-{number}", with_words(released, " ".join(f"{number}w{k}" for k in range(30))))
    students = sorted(path.name for path in (made.root / "submitted").iterdir())
    answers = dict(read_answers(made.directory, made.grading.master, students))
    (pair,) = survey(made.grading.master, answers, top=5).pairs
    assert pair.students == ("ada", "dan")
    assert [one.exercise.id for one in pair.exercises] == [NAME]


def test_stock_nbgrader_leaves_it_to_a_person(
    repository: Path, tmp_path: Path, nbgrader: Callable[..., None]
) -> None:
    """`generate_assignment` releases it, `autograde` gives it no score and asks for a person."""
    folder = tmp_path / "course"
    make_sample_class(find_chapter(STEM), CoursePaths(repository), folder, students=1, seed=1)
    config = folder / "nbgrader_config.py"
    config.write_text(config.read_text() + '\nc.JudgeSubmission.isolation = "none"\n')
    nbgrader(folder, "generate_assignment", STEM)
    notebook = json.loads((folder / "notebooks" / "en" / STEM / f"{STEM}.ipynb").read_text())
    (cell,) = [one for one in notebook["cells"] if one["id"] == NAME]
    assert "".join(cell["source"]) == "Write your answer here."
    nbgrader(folder, "autograde", STEM)
    nbgrader(folder, "generate_feedback", STEM)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "attention") as gradebook:
        grade = gradebook.find_grade(NAME, STEM, STEM, "student-01")
        assert (grade.auto_score, bool(grade.needs_manual_grade), grade.max_score) == (None, True, 2)
    page = folder / "feedback" / "student-01" / STEM / f"{STEM}.html"
    assert "waits for your instructor" in shown(page)


def test_there_is_nothing_to_run() -> None:
    """Who checks it, or wants an answer accepted, is told why not."""
    with pytest.raises(UnknownExerciseError, match="answered in words, and a person grades it"):
        find_exercise(NAME)


def test_unknown_question_of_a_master_is_refused(made: Class) -> None:
    """A cell that a person is to grade, and that the chapter does not know, would be graded by nobody."""
    notebook = released_notebook(made.grading.master)
    (cell,) = [one for one in notebook.cells if one.id == NAME]
    cell.metadata.nbgrader.grade_id = "ch06-other"
    with pytest.raises(GraderError, match=f"ch06-other.*no question of the chapter.*{NAME}"):
        master_of(notebook, find_chapter(STEM), made.grading.master.paths)
