"""Grade one submission: bytes in, a record out. Nothing that a student sent raises here."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Protocol

import nbformat
from nbformat import NotebookNode

from grader.checking.credit import PartialCredit
from grader.checking.device import first_on_the_cpu
from grader.checking.notebook import prerequisite_note
from grader.checking.observation import Attempt, Problem
from grader.errors import GraderError, SubmissionError
from grader.exercises import Exercise, declared_for
from grader.grading.cache_key import cache_key
from grader.grading.compose import error_output, put_outputs, put_verdict
from grader.grading.escape_markdown import as_listing
from grader.grading.judging import (
    Judgement,
    fault_result,
    judge_exercise,
    load_references,
    statuses_of,
    tracing_by,
)
from grader.grading.language import claimed_language, page_catalog
from grader.grading.master import Master
from grader.grading.misspelled_names import other_name
from grader.grading.record import DIGITS, ExerciseRecord, Record
from grader.grading.sanitize import Sanitized, defined, sanitize, sanitize_notebook
from grader.grading.stopped import notes_on_stopped
from grader.messages import Message, joined, message, told_by
from grader.messages.speaking import SOURCES
from grader.references import ExerciseReference
from grader.sandbox.job import Job, Limits, Run

__all__ = ["cache_key", "grade", "grade_notebook", "notebook_of_reason", "unreadable"]

NO_FILES: Mapping[str, str] = MappingProxyType({})
WAITS = message("A person reads this answer and gives the points.")
NO_WORDS = message("There is no answer.")


class Runs(Protocol):
    """Protocol of what can run a job: a ``Sandbox``."""

    def run(self, job: Job, to_trace: Callable[[str, Attempt], str]) -> Run:
        """Run a job, as ``Sandbox.run`` does."""


def grade(
    content: bytes,
    master: Master,
    sandbox: Runs,
    *,
    device: str = "cpu",
    limits: Limits | None = None,
    files: Mapping[str, str] = NO_FILES,
) -> Record:
    """Grade a submission and return its record.

    Args:
        content: its bytes.
        master: the chapter's master notebook.
        sandbox: where its code runs.
        device: ``cpu`` or ``cuda``.
        limits: what it may use.
        files: files submitted beside it, for its code to read.

    Raises:
        GraderError: the sandbox cannot run anything, or there are no references.
    """
    started, limits = time.perf_counter(), limits or Limits()
    key = cache_key(content, master, device, limits)
    try:
        sanitized = sanitize(content, master)
    except SubmissionError as error:
        language = master.language_of(claimed_language(content))
        return unreadable(master, told_by(error), key, started, language)
    return _graded(key, sanitized, master, sandbox, device, limits, files, started)


def grade_notebook(
    notebook: object,
    master: Master,
    sandbox: Runs,
    *,
    device: str = "cpu",
    limits: Limits | None = None,
    files: Mapping[str, str] = NO_FILES,
) -> tuple[Record, NotebookNode]:
    """Grade a notebook that is parsed already; return its record and the graded notebook.

    Where it cannot be graded, that notebook holds the reason and the check cells, none of them passed.

    Raises:
        GraderError: the sandbox cannot run anything, or there are no references.
    """
    started, limits = time.perf_counter(), limits or Limits()
    content = json.dumps(notebook, sort_keys=True, default=repr).encode("utf-8", "replace")
    key = cache_key(content, master, device, limits)
    try:
        sanitized = sanitize_notebook(notebook, master, claimed := claimed_language(content))
    except SubmissionError as error:
        record = unreadable(master, told_by(error), key, started, master.language_of(claimed))
        return record, notebook_of_reason(str(error), master)
    record = _graded(key, sanitized, master, sandbox, device, limits, files, started)
    return record, sanitized.notebook


def _graded(
    key: str,
    sanitized: Sanitized,
    master: Master,
    sandbox: Runs,
    device: str,
    limits: Limits,
    files: Mapping[str, str],
    started: float,
) -> Record:
    references, faults = load_references(master)
    catalog = page_catalog(sanitized.language, master.paths)
    job = replace(_job(sanitized, master, references, limits), files=files)
    devices = dict.fromkeys((job.device, device))  # what is right on the CPU has to be right on another, too
    runs = {name: _run(replace(job, device=name), sandbox, references) for name in devices}
    run = runs[job.device]
    judgements: dict[str, Judgement] = {}
    messages: dict[str, Message] = {}
    for number, (cell, place, ran) in enumerate(zip(job.cells, sanitized.places, run.cells, strict=True)):
        target = sanitized.notebook.cells[place]
        if not cell.exercise:
            put_outputs(target, ran, number + 1)
            continue
        exercise, at = master.exercises[cell.exercise], sanitized.answers.get(cell.exercise)
        if exercise.id in faults:
            judgement = fault_result(exercise, faults[exercise.id])
        else:
            judgement = first_on_the_cpu(
                partial(
                    *(_judged, runs, exercise, references[exercise.id], at, limits, master.credit),
                    _renamed(exercise, at, sanitized, master),
                ),
                device,
            )
        note = prerequisite_note(judgement.result, statuses_of(judgements))
        judgements[exercise.id] = judgement
        notes = [note] if note else []
        messages[exercise.id] = joined([Message(judgement.result.message), *notes], "\n")
        put_verdict(target, judgement.result, notes, number + 1, catalog)
    exercises = {
        name: _exercise_record(judgements[name], messages[name], sanitized.check_counts.get(name))
        for name in master.exercises
    }
    exercises |= {name: _in_words(master, name, sanitized) for name in master.questions}
    return Record(
        key=key,
        status="graded",
        score=round(sum(one.score for one in exercises.values()), DIGITS),
        max_score=sum(one.max_score for one in exercises.values()),
        exercises=exercises,
        told=(*sanitized.told, *notes_on_stopped(sanitized, run.cells, limits)),
        notebook=_written(sanitized.notebook),
        seconds=time.perf_counter() - started,
        language=sanitized.language,
    )


def _run(job: Job, sandbox: Runs, references: Mapping[str, ExerciseReference]) -> Run:
    run = sandbox.run(job, tracing_by(references, job.device))
    if len(run.cells) != len(job.cells):
        raise GraderError(f"The sandbox ran {len(run.cells)} of {len(job.cells)} cells.")
    return run


def _judged(
    runs: Mapping[str, Run],
    exercise: Exercise,
    reference: ExerciseReference,
    at: int | None,
    limits: Limits,
    credit: PartialCredit,
    renamed: Problem | None,
    device: str,
) -> Judgement:
    """Return the verdict on an exercise by the run on a device; the answer is the cell at a place, if any."""
    answer = None if at is None else runs[device].cells[at]
    return judge_exercise(exercise, reference, runs[device], answer, limits, device, credit, renamed=renamed)


def _renamed(exercise: Exercise, at: int | None, sanitized: Sanitized, master: Master) -> Problem | None:
    """Return the problem of an answer that defines its subject under another name."""
    known = {one.subject for one in master.exercises.values()}.union(*map(defined, master.given_code))
    found = other_name(exercise, sanitized.cells, -1 if at is None else at, frozenset(known))
    if found is None:
        return None
    place = sanitized.places[found.place]
    cell = exercise.id if found.place == at else str(place + 1)
    values = {"subject": exercise.subject, "kind": found.kind, "name": found.name, "cell": cell}
    return Problem("renamed", values)


def _job(
    sanitized: Sanitized,
    master: Master,
    references: Mapping[str, ExerciseReference],
    limits: Limits,
) -> Job:
    """Return what the sandbox is to run.

    An exercise without usable references keeps its check cell, with no cases, so that later cells run as
    usual.
    """
    visible = {name: references[name].visible if name in references else () for name in master.exercises}
    hidden = {name: one.hidden for name, one in references.items() if one.hidden}
    declared = declared_for(master.chapter.stem)
    return Job(sanitized.cells, visible, limits, hidden=hidden, declared=declared)


def _written(notebook: NotebookNode) -> str:
    """Return a notebook as JSON text, one line a cell: ten times as fast as with every line on its own."""
    cells = ",\n".join(json.dumps(cell, sort_keys=True, ensure_ascii=False) for cell in notebook.cells)
    rest = {name: value for name, value in notebook.items() if name != "cells"}
    return f'{{"cells": [\n{cells}\n],\n{json.dumps(rest, sort_keys=True, ensure_ascii=False)[1:]}\n'


def _exercise_record(judgement: Judgement, said: Message, attempts: int | None) -> ExerciseRecord:
    result = judgement.result
    return ExerciseRecord(
        score=result.score,
        max_score=result.max_score,
        status=result.status,
        diagnosis=result.diagnosis,
        said=said,
        fault=judgement.fault,
        attempts=attempts,
        outcome=judgement.outcome,
    )


def _in_words(master: Master, question: str, sanitized: Sanitized) -> ExerciseRecord:
    """Return the record of an answer in words, which waits for a person; an empty one gets no points."""
    points = master.questions[question].points
    if question in sanitized.in_words:
        return ExerciseRecord(0, points, "waiting", said=WAITS, outcome=sanitized.in_words[question])
    return ExerciseRecord(0, points, "failed", said=NO_WORDS)


def unreadable(
    master: Master, why: Message, key: str = "", started: float | None = None, language: str = SOURCES
) -> Record:
    """Return the record of a submission that cannot be read: the reason, and points that a person decides."""
    exercises = {
        name: ExerciseRecord(0, part.points, "error", said=why) for name, part in master.parts.items()
    }
    return Record(
        key=key,
        status="error",
        score=0,
        max_score=sum(one.max_score for one in exercises.values()),
        exercises=exercises,
        why=why,
        notebook=_written(notebook_of_reason(str(why), master)),
        seconds=0.0 if started is None else time.perf_counter() - started,
        language=language,
    )


def notebook_of_reason(reason: str, master: Master) -> NotebookNode:
    """Return a notebook that says why there is no graded one; formgrader can open it and enter points."""
    cells = [
        {"cell_type": "markdown", "id": "reason", "metadata": {}, "source": as_listing(reason)},
        *(
            {
                "cell_type": "code",
                "id": target.cell_id,
                "metadata": dict(target.metadata),
                "source": target.source,
                "execution_count": None,
                "outputs": [error_output(SubmissionError.__name__, reason)],
            }
            for target in master.checks.values()
        ),
    ]
    metadata = dict(master.notebook_metadata)
    return nbformat.from_dict({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})
