"""What a learner calls in a notebook: ``check``, ``hint``, ``steps`` and ``progress``."""

import contextlib
import gc
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from gettext import NullTranslations
from html import escape

import torch

from grader.checking.attempt import attempt
from grader.checking.credit import nearest_credit, with_credit
from grader.checking.device import choose_device, computing, first_on_the_cpu
from grader.checking.hints import open_hint
from grader.checking.judge import judge
from grader.checking.progress import Tried, forget, progress_file, read_progress, remember, together
from grader.checking.progress_view import progress_html, progress_text
from grader.checking.quiet import quiet
from grader.checking.rendering import one_line, result_html, result_text
from grader.checking.result import Result
from grader.checking.steps.choice import case_to_trace, most_telling
from grader.checking.steps.parting import part
from grader.checking.steps.tracing import traced
from grader.checking.steps.view import steps_html, steps_text
from grader.errors import GraderError, ProgressError
from grader.exercises import EXERCISES, find_exercise
from grader.interactive import in_interactive_notebook, in_interactive_terminal
from grader.messages import Message, message, series, told_by
from grader.messages.message import ENGLISH
from grader.messages.speaking import errors_said, spoken_here, unspoken_note, wanted_language
from grader.references import load_exercise
from grader.time_limits import CHECK_SECONDS
from grader.versions import installed, untried_note

RESULT_MIMETYPE = "application/vnd.grader.result+json"
# The verdict as HTML in another language than English, in a graded notebook; formgrader shows English.
TRANSLATED_MIMETYPE = "application/vnd.grader.translated+html"

# The default of an argument that may be anything, None too.
_NOT_GIVEN = object()

_last: dict[str, str] = {}
# Number of checks of each exercise since the kernel started.
_checks: Counter[str] = Counter()
# Checks since then in a non-interactive run, which are written to no file.
_unkept: dict[str, Tried] = {}


class CheckFailedError(Exception):
    """An answer did not pass. In a notebook it shows as one line under the verdict, without a traceback.

    Raised, not returned, for that is how nbgrader sees that a cell earns no points.
    """

    def __init__(self, result: Result, catalog: NullTranslations = ENGLISH) -> None:
        super().__init__(one_line(result, catalog))
        self.result = result

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def _show(bundle: Mapping[str, object]) -> None:
    """Display all forms in a notebook, print the text elsewhere."""
    if "ipykernel" not in sys.modules:
        print(bundle["text/plain"])  # noqa: T201 - this is the output
        return
    from IPython.display import display  # noqa: PLC0415 - not needed, nor always there, outside notebooks

    display(dict(bundle), raw=True)


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector from traversing all of torch (0.1 s) during a check."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_no_collection()
def judge_subject(
    exercise_id: str, subject: object, device: str | None = None, seconds: float = CHECK_SECONDS
) -> Result:
    """Return the verdict on an object, in this process.

    Args:
        exercise_id: such as ``"ch04-self-attention"``.
        subject: the class or function to judge.
        device: ``"cpu"`` or ``"cuda"``; by default ``GRADER_DEVICE``, else CUDA if there is one.
        seconds: time limit for all cases together.

    Raises:
        UnknownExerciseError: there is no such exercise.
        ReferenceDataError: the stored tensors are missing or altered.
        DeviceError: the device is not there.
        GraderError: the ``course.toml`` above the working directory cannot be read.
    """
    exercise = find_exercise(exercise_id)
    reference = load_exercise(exercise.chapter, exercise_id)
    where = choose_device(device)

    def judged(there: str) -> Result:
        device = torch.device(there)
        with quiet():
            made = attempt(exercise, subject, reference.cases, device, seconds)
            if case := case_to_trace(reference, made, computing(there)):
                made = replace(made, traced=traced(exercise, subject, case, device, seconds))
        return judge(exercise, reference, made, there)

    return with_credit(first_on_the_cpu(judged, where.type), nearest_credit())


def prerequisite_note(result: Result, statuses: Mapping[str, str]) -> Message | None:
    """Return which exercise to mend first, if one that this builds on did not pass.

    Args:
        result: the verdict to which it may be added.
        statuses: what the last check of each exercise came to.
    """
    failed = [
        name
        for name in result.exercise.requires
        if statuses.get(name) == "failed" and find_exercise(name).driver != "exposes"  # nobody calls these
    ]
    if result.status != "failed" or not failed:
        return None
    return message(
        "This exercise builds on others. Your last check of {exercises} failed. If your code calls what "
        "you wrote there, mend that first.",
        exercises=series(failed),
    )


def verdict_bundle(
    result: Result,
    notes: Sequence[Message | str] = (),
    attempts: int | None = None,
    catalog: NullTranslations = ENGLISH,
) -> dict[str, object]:
    """Return what a check cell displays, by MIME type: the verdict as text, as HTML and as JSON.

    Args:
        result: the verdict.
        notes: what is said below it.
        attempts: how often the exercise was checked; None where nobody counts, as under grading.
        catalog: the language of the texts; the JSON has none of it.
    """
    text, html = result_text(result, catalog=catalog), result_html(result, catalog)
    for note in notes:
        told = note.render(catalog) if isinstance(note, Message) else note
        text = f"{text}\n{told}"
        html = f"{html}<div>{escape(told)}</div>"
    counted = {} if attempts is None else {"attempts": attempts}
    return {"text/plain": text, "text/html": html, RESULT_MIMETYPE: {**result.to_json(), **counted}}


@errors_said()
def check(exercise_id: str = "", subject: object = _NOT_GIVEN, device: str | None = None) -> float | None:
    """Check an answer and show the verdict.

    Leaves in a notebook a display; with it an error where the answer earns nothing, and the points where it
    earns a part of them. From these nbgrader reads the score, whatever the answer prints or warns.

    Args:
        exercise_id: such as ``"ch04-self-attention"``.
        subject: the class or function that you wrote.
        device: ``"cpu"`` or ``"cuda"``; by default ``GRADER_DEVICE``, else CUDA if there is one.

    Returns:
        The points, where the course grants part of them for the mistake that was made.

    Raises:
        CheckFailedError: the answer is not right yet; its ``result`` says why.
        GraderError: the check could not be made; nothing is said about the answer.

    Example:
        >>> check("ch02-sum-normalize", normalize_by_sum)
    """
    _require_arguments("check", exercise_id, subject)
    result = judge_subject(exercise_id, subject, device)
    _last[exercise_id] = result.status
    _checks[exercise_id] += 1
    notes = [note for note in (prerequisite_note(result, _last), _remembered(result), *_untried()) if note]
    _show(verdict_bundle(result, notes, _checks[exercise_id], spoken_here()))
    if result.partial:
        return result.partial
    if result.status != "passed":
        # No chained context: the learner sees the verdict, not how the grader came to it.
        raise CheckFailedError(result, spoken_here()) from None
    return None


@errors_said()
def steps(exercise_id: str = "", subject: object = _NOT_GIVEN, device: str | None = None) -> None:
    """Show what your code computes on the way from the input to the result, beside the steps of the target.

    On a case that comes out wrong, if there is one, for an answer that is right as well. Nothing is counted.

    Args:
        exercise_id: such as ``"ch06-multi-head-attention"``.
        subject: the class or function that you wrote.
        device: as for ``check``.

    Raises:
        GraderError: there is no such exercise, or it is too short for steps.
    """
    _require_arguments("steps", exercise_id, subject)
    exercise = find_exercise(exercise_id)
    reference = load_exercise(exercise.chapter, exercise_id)
    where = choose_device(device)
    if not reference.steps:
        raise GraderError(message("There is no figure of steps for {exercise}.", exercise=exercise_id))
    with quiet():
        made = attempt(exercise, subject, reference.cases, where, CHECK_SECONDS)
        if made.problem:
            told = {"exercise": exercise_id, "reason": made.problem.message}
            raise GraderError(message("{exercise} could not be run: {reason}", **told))
        case = case_to_trace(reference, made, computing(where.type)) or most_telling(reference)
        seen = traced(exercise, subject, case, where, CHECK_SECONDS)
    complete = not made.raised_on(case.name)
    parting = part(case.name, reference.steps[case.name], seen.tensors, case.given, complete=complete)
    catalog = spoken_here()
    _show({"text/plain": steps_text(parting, catalog), "text/html": steps_html(parting, catalog)})


def _require_arguments(function: str, exercise_id: object, *subject: object) -> None:
    """Raise an error that shows the call, if the exercise's name or the answer is missing."""
    if not isinstance(exercise_id, str) or not exercise_id:
        example = next(iter(EXERCISES.values()))
        call = f'{function}("{example.id}"{f", {example.subject}" if subject else ""})'
        raise GraderError(
            message("The name of the exercise comes first, in quotation marks: {call}", call=call)
        )
    if _NOT_GIVEN in subject:
        call = f'{function}("{exercise_id}", {find_exercise(exercise_id).subject})'
        raise GraderError(message("Behind the name of the exercise comes your answer: {call}", call=call))


def _remembered(result: Result) -> Message | None:
    """Keep the verdict in the learner's progress; return why that was not possible, if it was not.

    Checks that a program runs are no learner's progress: they are counted only until the process ends.
    """
    if in_interactive_notebook() or in_interactive_terminal():
        try:
            remember(result)
        except ProgressError as error:
            return told_by(error)
    elif progress_file() is not None and result.status != "error":
        name = result.exercise.id
        _unkept[name] = _unkept.get(name, Tried()).after(result)
    return None


def _untried() -> tuple[Message | None, ...]:
    """Return, at a kernel's first check, notes on untested versions and on a language that is not there."""
    if _checks.total() > 1:
        return ()
    versions = (untried_note(name, installed(name)) for name in ("Python", "PyTorch"))
    return (*versions, unspoken_note(wanted_language(), spoken_here()))


@errors_said()
def hint(exercise_id: str = "") -> None:
    """Open the next hint of an exercise, and show it below those that are open.

    Raises:
        UnknownExerciseError: there is no such exercise.
    """
    _require_arguments("hint", exercise_id)
    texts, count = open_hint(exercise_id)
    catalog = spoken_here()
    lines = [_hint_line(number, count, text).render(catalog) for number, text in enumerate(texts, start=1)]
    rows = "".join(f'<div style="margin:4px 0">{escape(line)}</div>' for line in lines)
    html = f'<div style="border-left:6px solid #0072b2;padding:2px 12px">{rows}</div>'
    _show({"text/plain": "\n".join(lines), "text/html": html})


def _hint_line(number: int, count: int, text: str) -> Message:
    parts = {"number": number, "count": count, "hint": Message(text)}
    if number == count:
        return message("Hint {number} of {count} (the last one): {hint}", **parts)
    return message("Hint {number} of {count}: {hint}", **parts)


@errors_said()
def progress(*others: object, forget_all: bool = False) -> None:
    """Show what you have solved, what is open, and which mistakes to look at again.

    Counts of your checks are kept in a file on your machine, and nowhere else; where a program runs the
    checks, only until it ends.

    Args:
        *others: none: an exercise's name, given by mistake, is refused.
        forget_all: delete that file.

    Raises:
        ProgressError: the file is damaged.
        GraderError: there are other arguments.
    """
    if others:
        raise GraderError(message("progress shows all exercises: call it without an argument, progress()."))
    path = progress_file()
    there = path is not None and path.is_file()
    if forget_all:
        forget()
        _unkept.clear()
    if path is None:
        place = message("Nothing is kept: GRADER_PROGRESS is off.")
    elif forget_all and there:
        place = message("{path} is deleted.", path=str(path))
    elif forget_all:
        place = message("There was no {path} to delete.", path=str(path))
    elif _unkept:
        place = message(
            "A program runs these checks, not somebody at a keyboard: they are counted until it ends. "
            "Checks that you run yourself are counted in {path}.",
            path=str(path),
        )
    elif there:
        place = message(
            "Kept in {path}, on this machine alone; progress(forget_all=True) deletes it.", path=str(path)
        )
    else:
        place = message("Checks that you run are counted in {path}, on this machine alone.", path=str(path))
    tried = together(read_progress(path), _unkept) if path else {}
    shown = (tried, place, spoken_here())
    _show({"text/plain": progress_text(*shown), "text/html": progress_html(*shown)})
