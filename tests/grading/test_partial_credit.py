"""Part of the points, wherever a submission is graded: the course's table, and no other."""

import json
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import determine_grade
from small_class import Class, graded_cells

from grader.checking.credit import PartialCredit
from grader.checking.notebook import RESULT_MIMETYPE
from grader.course.paths import SETTINGS, CoursePaths
from grader.errors import GraderError
from grader.exercises import Chapter
from grader.grading.grade_submission import grade
from grader.grading.master import Master, load_master
from grader.grading.record import Record
from grader.grading.submission_grader import SubmissionGrader
from grader.proving.bank import Answer
from grader.reporting.feedback import feedback_page

V1 = "ch04-self-attention-v1"
HALF = PartialCredit({"missing-scale": 0.5})
SENTENCE = "Points: 1.5 of 3 points: part of the points for this mistake."


@pytest.fixture
def half(master: Master) -> Master:
    """Return the master of a course that grants half of the points for a missing scale."""
    return replace(master, credit=HALF)


@pytest.fixture
def unscaled(right: str, answers: Callable[[str], dict[str, Answer]]) -> str:
    """Return a submission that is right but for the scale in the first exercise."""
    notebook = json.loads(graded_cells(right))
    (cell,) = [one for one in notebook["cells"] if one["id"] == V1]
    cell["source"] = answers(V1)["missing-scale"].program
    return json.dumps(notebook)


def check_cell(record: Record) -> nbformat.NotebookNode:
    """Return the first exercise's check cell of the graded notebook."""
    cells = nbformat.reads(record.notebook, as_version=4).cells
    return next(cell for cell in cells if cell.id == f"{V1}-check")


def test_record_page_and_notebook_say_so(half: Master, unscaled: str, runs: object) -> None:
    """The score, what nbgrader would read off the notebook, the comment and the page agree."""
    record = grade(unscaled.encode(), half, runs)
    one = record.exercises[V1]
    assert (one.status, one.score, record.score, record.max_score) == ("failed", 1.5, 10.5, 12)
    assert SENTENCE in one.message
    cell = check_cell(record)
    assert determine_grade(cell) == (1.5, 3)
    assert cell.outputs[0].data[RESULT_MIMETYPE]["score"] == 1.5
    assert [output.output_type for output in cell.outputs] == ["display_data", "execute_result"]
    page = unescape(feedback_page(record, half.chapter))
    assert "10.5 of 12 points" in page
    assert "1.5 of 3" in page
    assert "not passed, part of the points" in page


def test_without_a_table_all_is_as_it_was(master: Master, half: Master, unscaled: str, runs: object) -> None:
    """No points, the error that says so, and nothing of parts anywhere."""
    record = grade(unscaled.encode(), master, runs)
    cell = check_cell(record)
    assert (record.exercises[V1].score, determine_grade(cell)) == (0, (0, 3))
    assert [output.output_type for output in cell.outputs] == ["display_data", "error"]
    assert "part of the points" not in record.notebook + feedback_page(record, master.chapter)
    granted = grade(unscaled.encode(), half, runs)
    others = [name for name in record.exercises if name != V1]
    assert [granted.exercises[name] for name in others] == [record.exercises[name] for name in others]


def test_table_is_part_of_the_key(master: Master, half: Master) -> None:
    """For the chapters that it speaks of: another chapter's table grades nothing again."""
    quarter = replace(master, credit=PartialCredit({"missing-scale": 0.25}))
    other = replace(master, credit=PartialCredit({}, {"ch05-causal-mask": {"mask-missing": 0.5}}))
    assert len({master.digest, half.digest, quarter.digest}) == 3
    assert other.digest == master.digest


def test_master_has_the_course_s_table(generous: CoursePaths, chapter: Chapter, tmp_path: Path) -> None:
    """And a table that is wrong stops grading before anything is graded."""
    assert load_master(chapter, generous).credit.of(V1)["softmax-wrong-axis"] == 0.25
    (tmp_path / "solutions").symlink_to(generous.solutions)
    course = CoursePaths(tmp_path)
    course.config.write_bytes(generous.config.read_bytes())
    course.settings.write_text("[partial-credit]\nhard-coded = 0.5\n")
    with pytest.raises(GraderError, match=rf"{SETTINGS}: hard-coded"):
        load_master(chapter, course)


def test_submitted_table_is_never_read(a_class: Class, unscaled: str) -> None:
    """Wherever a student puts one, their own folder or that of all."""
    path = a_class.hand_in("eve", unscaled)
    for folder in (path.parent, path.parent.parent, a_class.root / "submitted"):
        (folder / SETTINGS).write_text("[partial-credit]\nmissing-scale = 0.99\n")
    assert a_class.grade()["eve"].exercises[V1].score == 0
    (a_class.root / "submitted" / SETTINGS).unlink()
    grading = SubmissionGrader(replace(a_class.grading.master, credit=HALF), a_class.grading.sandbox)
    made = replace(a_class, grading=grading)
    assert made.grade()["eve"].exercises[V1].score == 1.5
    scores = {row[1]: row[2] for row in made.grades() if row[0] == "eve"}
    assert scores[f"{V1}-check"] == 1.5
    assert SENTENCE.partition(": ")[2] in unescape(made.page("eve").read_text())


def test_released_notebook_is_read_alike(
    tmp_path: Path, answers: Callable[[str], dict[str, Answer]], half: Master, unscaled: str, runs: object
) -> None:
    """What `check` leaves in a real notebook is worth what the graded notebook is, for nbgrader."""
    (tmp_path / SETTINGS).write_text("[partial-credit]\nmissing-scale = 0.5\n")
    marks = {"nbgrader": {"grade": True, "grade_id": f"{V1}-check", "points": 3, "solution": False}}
    sources = [
        answers(V1)["missing-scale"].program,
        f'from grader import check\ncheck("{V1}", SelfAttention_v1, "cpu")',
    ]
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    notebook.cells[1].metadata = nbformat.from_dict(marks)
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert determine_grade(notebook.cells[1]) == (1.5, 3)
    composed = check_cell(grade(unscaled.encode(), half, runs))
    kinds = [[output.output_type for output in cell.outputs] for cell in (notebook.cells[1], composed)]
    assert kinds[0] == kinds[1]
    assert notebook.cells[1].outputs[1].data == composed.outputs[1].data
