"""How often an exercise was checked: what the submitted notebook says, read as hostile data."""

import copy
import json
from collections.abc import Callable, Iterator

import nbformat
import pytest
from nbconvert.exporters.exporter import ResourcesDict

from grader.checking.notebook import RESULT_MIMETYPE
from grader.course.notebooks import check_id
from grader.exercises import Chapter, Exercise
from grader.grading.master import Master
from grader.grading.notebook_reader import MAX_ATTEMPTS
from grader.grading.plugins import AlignSubmission
from grader.grading.sanitize import sanitize, sanitize_notebook
from grader.grading.submissions import Submission


def shown(verdict: object) -> dict:
    """Return an output that displays a verdict."""
    return {"output_type": "display_data", "data": {RESULT_MIMETYPE: verdict}, "metadata": {}}


def check_cell(document: dict, exercise: Exercise) -> dict:
    """Return an exercise's check cell in a parsed notebook."""
    (cell,) = [cell for cell in document["cells"] if cell["id"] == check_id(exercise)]
    return cell


@pytest.fixture
def attempts(document: dict, exercise: Exercise, graded: Callable) -> Callable[..., dict[str, int | None]]:
    """Return a function that puts outputs into the first check cell and gives the attempts of the record."""

    def of(*outputs: object) -> dict[str, int | None]:
        check_cell(document, exercise)["outputs"] = list(outputs)
        return {name: one.attempts for name, one in graded(document).exercises.items()}

    return of


def test_count_is_that_of_the_notebook(attempts: Callable, chapter: Chapter, exercise: Exercise) -> None:
    """What the check cell displayed is recorded; of a cell without outputs nothing is known."""
    said = shown({"exercise": exercise.id, "attempts": 7})
    assert attempts(said) == {one.id: 7 if one is exercise else None for one in chapter.exercises}


@pytest.mark.parametrize(
    "value",
    [0, -1, MAX_ATTEMPTS + 1, 10**30, 2.0, True, "3", None, [3], {"n": 3}],
    ids=str,
)
def test_what_is_no_count_is_not_known(attempts: Callable, exercise: Exercise, value: object) -> None:
    """Only a whole number from 1 to the limit counts."""
    assert attempts(shown({"exercise": exercise.id, "attempts": value}))[exercise.id] is None


def damaged_outputs(exercise: str) -> Iterator[object]:
    """Yield outputs that hold no count of this exercise."""
    yield from (None, 1, "x", [], {})
    yield {"data": None}
    yield {"data": [RESULT_MIMETYPE]}
    yield from map(shown, (None, 3, "3", [exercise], {}, {"attempts": 3}))
    yield from (shown({"exercise": name, "attempts": 3}) for name in (None, 3, ["x"], {}, "another"))


def test_damaged_outputs_are_passed_over(attempts: Callable, exercise: Exercise) -> None:
    """Whatever else stands among the outputs, a count beside it is found, and grading goes on."""
    damaged = list(damaged_outputs(exercise.id))
    assert attempts(*damaged)[exercise.id] is None
    assert attempts(*damaged, shown({"exercise": exercise.id, "attempts": 2}))[exercise.id] == 2


@pytest.mark.parametrize("outputs", [None, 3, "x", {"data": {}}])
def test_outputs_that_are_no_list(
    document: dict, exercise: Exercise, graded: Callable, outputs: object
) -> None:
    """They are none."""
    check_cell(document, exercise)["outputs"] = outputs
    record = graded(document)
    assert record.exercises[exercise.id].attempts is None
    assert record.score == record.max_score


def test_record_does_not_depend_on_anything_else(
    document: dict, exercise: Exercise, graded: Callable
) -> None:
    """The same bytes give the same record; a changed count changes nothing but itself."""
    cell = check_cell(document, exercise)
    cell["outputs"] = [shown({"exercise": exercise.id, "attempts": 3})]
    first, again = graded(document), graded(copy.deepcopy(document))
    assert first == again
    assert first.score == first.max_score
    assert RESULT_MIMETYPE in first.notebook and '"attempts"' not in first.notebook


def test_nbgrader_s_two_steps_keep_the_count(
    document: dict, exercise: Exercise, master: Master, repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The aligned notebook that nbgrader writes in between holds the count, and no other output."""
    check_cell(document, exercise)["outputs"] = [shown({"exercise": exercise.id, "attempts": 4}), shown("x")]
    monkeypatch.chdir(repository)
    handed_in = Submission(json.dumps(document).encode(), None, ())
    monkeypatch.setattr("grader.grading.plugins.read_handed_in", lambda *place: handed_in)
    resources = ResourcesDict(nbgrader={"student": "x", "assignment": master.chapter.stem})
    aligned, _ = AlignSubmission().preprocess(nbformat.from_dict(document), resources)
    nbformat.validate(aligned)
    (kept,) = [cell.outputs for cell in aligned.cells if cell.get("outputs")]
    assert kept == [shown({"exercise": exercise.id, "attempts": 4})]
    again = nbformat.reads(nbformat.writes(aligned), as_version=4)
    assert sanitize_notebook(again, master).check_counts == {exercise.id: 4}
    assert sanitize(json.dumps(document).encode(), master).check_counts == {exercise.id: 4}
