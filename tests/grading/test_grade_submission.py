"""One submission from bytes to record: scores, what is said of answers that never ran, faults, outputs."""

import dataclasses
import json
import pickle
import re
from collections.abc import Callable

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import determine_grade, is_grade

from grader.checking.notebook import RESULT_MIMETYPE
from grader.checking.observation import Attempt, Problem
from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.errors import GraderError, ReferenceDataError
from grader.exercises import CHAPTERS, Chapter
from grader.grading import judging
from grader.grading.grade_submission import cache_key, grade, grade_notebook
from grader.grading.master import Master, load_master, master_of, with_translated
from grader.grading.record import Record
from grader.grading.sample_class import choose_class, submission
from grader.grading.sanitize import sanitize
from grader.grading.stopped import notes_on_stopped
from grader.references import load_for_grading
from grader.sandbox.job import CellRun, Job, Limits, Run
from grader.sandbox.sandbox import Sandbox
from tests.grading.conftest import TrustedRuns

V1, V2 = "ch04-self-attention-v1", "ch04-self-attention-v2"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


def with_answer(notebook: str, name: str, source: str) -> str:
    """Return a submission with another text in an exercise's cell."""
    document = json.loads(notebook)
    for cell in document["cells"]:
        if cell["id"] == name:
            cell["source"] = source
    return json.dumps(document)


def outputs_of(record: Record, name: str) -> list[dict]:
    """Return the outputs of a cell of the graded notebook."""
    cells = json.loads(record.notebook)["cells"]
    return next(cell["outputs"] for cell in cells if cell["id"] == name)


@pytest.mark.parametrize("stem", CHAPTERS)
def test_scores_are_those_of_the_bank(stem: str, repository, runs: TrustedRuns) -> None:
    """In every chapter each student of a sample gets the score and the codes of what they handed in."""
    course, chapter = CoursePaths(repository), CHAPTERS[stem]
    master = load_master(chapter, course)
    released = course.student(chapter).read_text(encoding="utf-8")
    for _, choices in choose_class(chapter, course.solutions, 2, seed=11):
        record = grade(submission(released, choices).encode(), master, runs)
        assert record.score == sum(choice.score() for choice in choices)
        assert record.notes == ()
        assert {name: record.exercises[name].diagnosis for name in chapter.by_id} == {
            choice.exercise.id: choice.answer.diagnosis for choice in choices
        }


def test_graded_notebook_is_one_for_nbgrader(master: Master, released: str, graded: Callable) -> None:
    """It is valid nbformat with valid metadata, and nbgrader reads the same points off it."""
    record = graded(released)
    notebook = nbformat.reads(record.notebook, as_version=4)
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    read = {cell.id: determine_grade(cell) for cell in notebook.cells if is_grade(cell)}
    assert read == {
        target.grade_id: (record.exercises[name].score, record.exercises[name].max_score)
        for name, target in master.checks.items()
    }
    assert record.score == 0 and record.max_score == 12


def test_check_cell_shows_what_check_shows(right: str, graded: Callable) -> None:
    """A right answer's check has the verdict alone, a wrong one's the verdict and the error."""
    wrong = with_answer(right, V1, "class SelfAttention_v1:\n    pass")
    (passed,) = outputs_of(graded(right), f"{V1}-check")
    assert set(passed["data"]) == {"text/plain", "text/html", RESULT_MIMETYPE}
    assert passed["data"][RESULT_MIMETYPE]["status"] == "passed"
    shown, error = outputs_of(graded(wrong), f"{V1}-check")
    assert shown["data"][RESULT_MIMETYPE]["diagnosis"] == ["wrong-type"]
    assert error["output_type"] == "error" and error["ename"] == "CheckFailedError"
    assert error["evalue"] == "\n".join(error["traceback"])


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [
        ("class SelfAttention_v1(:\n    pass", "syntax-error", "SelfAttention_v1 raised SyntaxError: "),
        ("1 / 0", "raises", "SelfAttention_v1 raised ZeroDivisionError: division by zero."),
        ("end_process()", "no-result", "SelfAttention_v1 ended the process that it ran in."),
        ("too_slow()", "too-slow", "SelfAttention_v1 was stopped when its 10 seconds were up."),
        ("x = 1", "not-defined", "it has not been defined"),
    ],
)
def test_message_says_why_nothing_was_defined(
    right: str, graded: Callable, source: str, code: str, said: str
) -> None:
    """Where the answer's own cell failed, the verdict says how."""
    record = graded(with_answer(right, V1, source))
    assert record.exercises[V1].diagnosis == (code,)
    assert said in record.exercises[V1].message
    assert record.exercises[V2].status == "passed"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("too_slow()", "was stopped when its time was up: what comes after it ran without"),
        (
            "end_process()",
            "ended the process that ran it, so it was left out: what comes after it ran without",
        ),
        ("1 / 0", ""),
    ],
)
def test_other_cell_that_was_stopped_is_noted(right: str, graded: Callable, line: str, said: str) -> None:
    """An endless loop in a cell of the student's own is named; what it raised stands under it already."""
    notebook = nbformat.reads(right, as_version=4)
    notebook.cells.insert(3, nbformat.v4.new_code_cell(line))
    record = graded(nbformat.writes(notebook))
    told = [note for note in record.notes if "Cell 4 " in note]
    assert len(told) == bool(said)
    assert all(said in note for note in told)
    assert record.score == record.max_score


def test_cells_that_were_not_run_are_noted_once(right: str, master: Master) -> None:
    """One sentence says from which cell on the notebook's time was up."""
    sanitized = sanitize(right.encode(), master)
    runs = [CellRun("ran"), *(CellRun("not-run") for _ in sanitized.cells[1:])]
    (note,) = notes_on_stopped(sanitized, runs, Limits())
    answers = {*sanitized.answers.values()}
    first = next(n for n, cell in enumerate(sanitized.cells) if n and not cell.exercise and n not in answers)
    assert str(note).startswith(f"The notebook's time was up at cell {sanitized.places[first] + 1}: ")


@pytest.mark.parametrize("number", range(4))
def test_an_endless_loop_costs_its_own_exercise_alone(
    right: str, master: Master, sandbox: Sandbox, number: int
) -> None:
    """Cells that are given call the class again and again; the other answers keep their points."""
    name = list(master.exercises)[number]
    notebook = nbformat.reads(right, as_version=4)
    (cell,) = [one for one in notebook.cells if one.id == name]
    cell.source = re.sub(
        r"^( +)(return .*)$", r"\1while True:\n\1    pass\n\1\2", cell.source, flags=re.MULTILINE
    )
    assert "while True" in cell.source or master.exercises[name].subject == "transfer_weights"
    if "while True" not in cell.source:
        cell.source = "def transfer_weights(v1, v2):\n    while True:\n        pass"
    record = grade(nbformat.writes(notebook).encode(), master, sandbox, limits=Limits.of_cells(1.0))
    assert record.exercises[name].diagnosis == ("too-slow",)
    others = [one.status for other, one in record.exercises.items() if other not in (name, *master.questions)]
    assert others == ["passed"] * (len(master.exercises) - 1)


def test_what_was_not_tried_waits_for_a_person(right: str, master: Master) -> None:
    """The notebook's time was up: that is no zero, and no fault of the answer."""
    attempt = Attempt(problem=Problem("not run"))
    record = grade(right.encode(), master, Scripted(CellRun("not-run"), attempt))
    assert {one.status for name, one in record.exercises.items() if name in master.exercises} == {"error"}
    assert "other cells of the notebook had taken all of its time" in record.exercises[V1].message
    assert record.exercises[V1].points is None
    shown = json.dumps(outputs_of(record, check_id(master.exercises[V1])))
    assert f"{V1}: not judged" in shown and "of 3 points" not in shown


def test_cell_that_raised_is_not_said_to_be_called(right: str, graded: Callable) -> None:
    """A line of the cell was running, so what to look at is the cell; where nothing more is known, that."""
    said = graded(with_answer(right, V1, 'raise RuntimeError("not done")')).exercises[V1].message
    assert "None of your lines was running" not in said
    assert "Look at: A line of your cell raised this" in said


def test_exercise_that_builds_on_a_failed_one_says_so(right: str, chapter: Chapter, graded: Callable) -> None:
    """The note on what to mend first is the notebook's."""
    built = next(one for one in chapter.exercises if one.requires)
    broken = with_answer(with_answer(right, built.id, "x = 1"), built.requires[0], "x = 1")
    assert "mend that first" in graded(broken).exercises[built.id].message


def test_points_are_those_of_the_master(
    released: str, right: str, chapter: Chapter, repository, runs: TrustedRuns
) -> None:
    """An instructor's points count, in the record, in the verdict's words and for nbgrader."""
    notebook = nbformat.reads(released, as_version=4)
    for cell in notebook.cells:
        if cell.id == f"{V1}-check":
            cell.metadata.nbgrader.points = 7.5
    master = master_of(notebook, chapter, CoursePaths(repository))
    record = grade(right.encode(), master, runs)
    assert (record.score, record.max_score, record.exercises[V1].score) == (16.5, 16.5, 7.5)
    assert "7.5 of 7.5 points" in outputs_of(record, f"{V1}-check")[0]["data"]["text/plain"]


@pytest.mark.parametrize("points", [-1, float("nan"), "3"])
def test_points_that_are_none_are_an_error(
    released: str, chapter: Chapter, repository, points: object
) -> None:
    """A master with points below zero is the instructor's to mend."""
    notebook = nbformat.reads(released, as_version=4)
    for cell in notebook.cells:
        if cell.id == f"{V1}-check":
            cell.metadata.nbgrader.points = points
    with pytest.raises(GraderError, match=f"{V1}-check gives .* points"):
        master_of(notebook, chapter, CoursePaths(repository))


def test_master_grades_what_the_grader_knows(released: str, chapter: Chapter, repository) -> None:
    """A graded cell of another name is an error that names those there are, and so is none at all."""
    notebook = nbformat.reads(released, as_version=4)
    (check,) = [cell for cell in notebook.cells if cell.id == f"{V1}-check"]
    check.metadata.nbgrader.grade_id = "something-else"
    with pytest.raises(GraderError, match=f"something-else .* The check cells are: {V1}-check, "):
        master_of(notebook, chapter, CoursePaths(repository))
    notebook.cells = notebook.cells[:1]
    with pytest.raises(GraderError, match="has no check cell"):
        master_of(notebook, chapter, CoursePaths(repository))


def test_master_needs_a_notebook(tmp_path, chapter: Chapter) -> None:
    """Without a notebook, or with one that is none, the error says what to do."""
    with pytest.raises(GraderError, match="Run `grader build"):
        load_master(chapter, CoursePaths(tmp_path))
    path = CoursePaths(tmp_path).student(chapter)
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    with pytest.raises(GraderError, match="cannot be read as a master notebook"):
        load_master(chapter, CoursePaths(tmp_path))


def test_master_is_the_same_from_either_notebook(master: Master, released: str, chapter: Chapter) -> None:
    """The solution's master is the student notebook's; it can be sent to another process."""
    other = with_translated(master_of(nbformat.reads(released, as_version=4), chapter, master.paths))
    assert other.digest == master.digest == pickle.loads(pickle.dumps(master)).digest


class TestFaults:
    """A fault of the grader is nobody's zero."""

    def test_missing_references(
        self, right: str, graded: Callable, monkeypatch: pytest.MonkeyPatch, master: Master
    ) -> None:
        """An exercise without references has status error, with the reason for the instructor alone."""
        load = judging.load_for_grading

        def missing(stem: str, name: str, paths: CoursePaths) -> object:
            if name == V1:
                raise ReferenceDataError("/secret/place is missing.")
            return load(stem, name, paths)

        monkeypatch.setattr(judging, "load_for_grading", missing)
        record = graded(right)
        one = record.exercises[V1]
        assert (record.status, one.status, one.score, one.diagnosis) == ("graded", "error", 0, ())
        assert record.faults == {V1: "/secret/place is missing."}
        assert "fault of the grader" in one.message and "secret" not in record.notebook
        assert record.score == 12 - master.exercises[V1].points
        assert {name for name, other in record.exercises.items() if other.status == "passed"} == {
            name for name in master.exercises if name != V1
        }

    def test_judge_that_raises(self, right: str, graded: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever judging raises is a fault of the exercises that it was raised in."""

        def broken(*_: object) -> None:
            raise RuntimeError("a bug")

        monkeypatch.setattr(judging, "judge", broken)
        record = graded(right)
        assert set(record.faults.values()) == {"RuntimeError: a bug"}
        assert {one.status for one in record.exercises.values()} == {"error"}

    def test_sandbox_that_loses_cells(self, right: str, master: Master) -> None:
        """A run that does not belong to the job is an error, not a grade."""

        class Forgetful:
            def run(self, job: Job, to_trace: object) -> Run:
                return Run((), {}, 0.0)

        with pytest.raises(GraderError, match="The sandbox ran 0 of"):
            grade(right.encode(), master, Forgetful())


def test_what_is_right_on_the_cpu_has_to_be_right_on_another_device_too(
    right: str, master: Master, runs: TrustedRuns
) -> None:
    """An answer that leaves its result on the CPU fails there alone; one that is wrong is told by the CPU."""
    on_the_cpu = (
        "        return (torch.softmax(query @ key.T / query.shape[-1] ** 0.5, dim=-1) @ value).cpu()\n"
    )
    body = """import torch
class SelfAttention_v1(torch.nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = torch.nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = torch.nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = torch.nn.Parameter(torch.rand(d_in, d_out))
    def forward(self, x):
        query, key, value = x @ self.W_query, x @ self.W_key, x @ self.W_value
"""
    for answer, on_cpu, there in (
        (body + on_the_cpu, (), ("wrong-device",)),
        (body + on_the_cpu.replace(" / query.shape[-1] ** 0.5", ""), ("missing-scale",), ("missing-scale",)),
    ):
        submission_of = with_answer(right, V1, answer)
        for device, codes in (("cpu", on_cpu), ("lazy", there)):
            runs.jobs.clear()
            record = grade(submission_of.encode(), master, runs, device=device)
            assert record.exercises[V1].diagnosis == codes
            assert record.exercises[V2].status == "passed"
            assert [job.device for job in runs.jobs] == list(dict.fromkeys(("cpu", device)))


class Scripted:
    """A sandbox that says the same of every cell."""

    def __init__(self, cell: CellRun, attempt: Attempt | None = None) -> None:
        self.cell, self.attempt = cell, attempt

    def run(self, job: Job, to_trace: object) -> Run:
        """Return the same for every cell."""
        attempts = {name: self.attempt for name in job.cases} if self.attempt else {}
        return Run(tuple(self.cell for _ in job.cells), attempts, 0.0)


def test_sandbox_that_says_nothing_of_an_exercise(right: str, master: Master) -> None:
    """An exercise that nothing came back of is the grader's fault."""
    record = grade(right.encode(), master, Scripted(CellRun("ran")))
    assert set(record.faults) == set(master.exercises)


def test_problem_of_the_sandbox_is_told(right: str, master: Master) -> None:
    """Where only the sandbox knows why there is nothing to judge, its sentence is shown."""
    attempt = Attempt(problem=Problem("stopped", {"subject": "it", "seconds": "3"}))
    record = grade(right.encode(), master, Scripted(CellRun("ran"), attempt))
    assert "it was stopped when its 3 seconds were up" in record.exercises[V1].message


def test_outputs_are_in_the_graded_notebook(right: str, master: Master) -> None:
    """Printed text, errors, values and pictures are kept; values count like their cells."""
    sent = (
        {"output_type": "stream", "name": "stdout", "text": "<b>printed</b>"},
        {"output_type": "display_data", "data": {"text/plain": "x", "image/png": PNG}, "metadata": {}},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]},
        {
            "output_type": "execute_result",
            "data": {"text/plain": "1"},
            "metadata": {},
            "execution_count": None,
        },
    )
    record = grade(right.encode(), master, Scripted(CellRun("ran", sent)))
    (cell,) = [one for one in json.loads(record.notebook)["cells"] if one["id"] == V1]
    assert cell["outputs"][:3] == list(sent[:3])
    assert cell["outputs"][3] == sent[3] | {"execution_count": cell["execution_count"]}


def test_sent_outputs_are_dropped(right: str, graded: Callable) -> None:
    """What a student claims that a cell showed is not in the graded notebook."""
    document = json.loads(right)
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "forged verdict"}]
            cell["execution_count"] = 77
    record = graded(document)
    assert "forged verdict" not in record.notebook
    assert "77" not in {cell.get("execution_count") for cell in json.loads(record.notebook)["cells"]}


def test_grading_twice_gives_the_same_record(right: str, graded: Callable) -> None:
    """A record is a function of what it is made of; only the time may differ."""
    broken = with_answer(right, V1, "print(1 / 0)")
    assert graded(broken) == graded(broken)


def test_key_changes_with_all_that_a_record_depends_on(right: str, master: Master, chapter: Chapter) -> None:
    """Another submission, master, device or limit has another key."""
    content, limits = right.encode(), Limits()
    fewer = dataclasses.replace(master, cells=master.cells[:-2])
    keys = {
        cache_key(content, master, "cpu", limits),
        cache_key(content + b" ", master, "cpu", limits),
        cache_key(content, fewer, "cpu", limits),
        cache_key(content, master, "cuda", limits),
        cache_key(content, master, "cpu", Limits(cell_seconds=1)),
    }
    assert len(keys) == 5
    assert cache_key(content, master, "cpu", Limits()) in keys


def test_key_changes_with_the_references(right: str, master: Master, tmp_path) -> None:
    """Other cases, another key."""
    keys = set()
    for drawn in "ab":
        course = CoursePaths(tmp_path / drawn)
        folder = course.grading_cases(master.chapter.stem)
        folder.mkdir(parents=True)
        manifest = (master.paths.grading_cases(master.chapter.stem) / "manifest.json").read_text()
        (folder / "manifest.json").write_text(manifest.replace("{", f'{{"drawn": "{drawn}",', 1))
        keys.add(cache_key(right.encode(), dataclasses.replace(master, paths=course), "cpu", Limits()))
    assert len(keys) == 2


def test_notebook_that_was_read_already(right: str, master: Master, runs: TrustedRuns) -> None:
    """A parsed notebook gets the record that its bytes get, but for the key."""
    record, notebook = grade_notebook(nbformat.reads(right, as_version=4), master, runs)
    other = grade(right.encode(), master, runs)
    assert dataclasses.replace(record, key=other.key) == other
    assert nbformat.reads(other.notebook, as_version=4) == notebook


def test_notebook_that_cannot_be_graded(master: Master, runs: TrustedRuns) -> None:
    """Nbgrader gets a notebook with the reason in it, and no points."""
    record, notebook = grade_notebook(nbformat.v4.new_notebook(), master, runs)
    nbformat.validate(notebook)
    assert record.status == "error"
    assert record.reason.startswith(
        "The notebook has no cells. Download and collect it again; if it stays so,"
    )
    assert [determine_grade(cell)[0] for cell in notebook.cells if is_grade(cell)] == [0, 0, 0, 0]


class TestStoredRecord:
    """Records are stored as JSON and read strictly."""

    def test_comes_back(self, right: str, graded: Callable) -> None:
        """What was written is read."""
        for record in (graded(right), graded(with_answer(right, V1, "1 / 0")), graded(b"")):
            assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record

    @pytest.mark.parametrize(
        ("part", "value"),
        [
            ("status", "passed"),
            ("score", "12"),
            ("score", True),
            ("told", "x"),
            ("told", [1]),
            ("why", "x"),
            ("why", {"text": "{a.b}", "values": {"a": "c"}}),
            ("language", "../en"),
            ("exercises", []),
            ("score", float("nan")),
            ("score", 10**400),
        ],
    )
    def test_damaged_is_an_error(self, right: str, graded: Callable, part: str, value: object) -> None:
        """A part of another type is not taken."""
        with pytest.raises(GraderError, match=f"damaged: its {part} is"):
            Record.from_json(graded(b"").to_json() | {part: value})

    @pytest.mark.parametrize("value", [0, -1, 10_001, 10**30, 2.0, True, "3", [1], {}])
    def test_damaged_count_is_an_error(self, graded: Callable, value: object) -> None:
        """Attempts are a count, or nothing is known of them."""
        stored = graded(b"").to_json()
        stored["exercises"][V1] |= {"attempts": value}
        with pytest.raises(GraderError, match="damaged: its attempts is"):
            Record.from_json(stored)

    def test_missing_and_unknown_parts_are_errors(self, graded: Callable) -> None:
        """Exactly the parts of a record, on both levels."""
        stored = graded(b"").to_json()
        incomplete = {name: value for name, value in stored.items() if name != "score"}
        exercise = stored["exercises"][V1] | {"more": 1}
        for damaged in (None, [], incomplete, stored | {"more": 1}, stored | {"exercises": {V1: exercise}}):
            with pytest.raises(GraderError, match="damaged"):
                Record.from_json(damaged)


def test_answer_that_only_fits_the_visible_cases_fails(right: str, master: Master, graded: Callable) -> None:
    """What is wrong on the cases that only grading uses fails, and is told nothing of their numbers."""
    cases = load_for_grading(master.chapter.stem, V1, master.paths).hidden
    sums = [round(float(value.double().sum()), 4) for case in cases for value in case.arguments.values()]
    document = json.loads(right)
    (answer,) = [cell for cell in document["cells"] if cell["id"] == V1]
    answer["source"] = "".join(answer["source"]) + (
        "\n\n\nclass SelfAttention_v1(SelfAttention_v1):\n    def forward(self, x):\n"
        f"        wrong = round(float(x.double().sum()), 4) in {sums}\n"
        "        return super().forward(x) * (0.5 if wrong else 1.0)\n"
    )
    record = graded(document)
    assert record.exercises[V1].diagnosis[0] == "fitted-to-cases"
    assert record.score == 12 - master.exercises[V1].points
    (shown, _) = outputs_of(record, f"{V1}-check")
    assert not any(str(value)[:6] in json.dumps(shown) for value in sums if abs(value) > 1)
