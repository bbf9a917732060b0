"""Make a verdict of an attempt. Runs none of the learner's code."""

import torch

from grader.checking import ladder
from grader.checking.comparison import compare
from grader.checking.concealment import concealed, concealed_problem
from grader.checking.device import computing
from grader.checking.diagnosis import diagnose, diagnose_hidden
from grader.checking.mistakes import explain, question_about_error
from grader.checking.observation import Attempt
from grader.checking.result import CaseResult, Finding, Picture, Result
from grader.checking.rungs import Look, generator_note
from grader.checking.rungs.exposed import exposure, exposure_picture
from grader.errors import GraderError
from grader.exercises import Exercise
from grader.references import ExerciseReference
from grader.references.published import PRINTED


def _looks(exercise: Exercise, reference: ExerciseReference, attempt: Attempt, device: str) -> list[Look]:
    names = [seen.case for seen in attempt.observations]
    cases = reference.visible if attempt.hidden_problem else reference.cases
    if names != [case.name for case in cases]:
        raise GraderError(f"{exercise.id}: the cases that came back are {names}, not those that were sent.")
    return [
        Look(
            exercise, case, dict(reference.expected[case.name]), seen, computing(device), raises, place=device
        )
        for case, seen in zip(cases, attempt.observations, strict=True)
        for raises in [reference.raises.get(case.name, "")]
    ]


# Rungs that speak of later calls and of what is left behind: the first result, which is at hand, was right.
RIGHT_AT_FIRST = ("again", "left", "moves", "saved")


def _picture(exercise: Exercise, looks: list[Look], finding: Finding | None) -> Picture | None:
    """Return yours and the target of a visible case: the one that the finding speaks of, if any.

    The tensor shown is the one the finding names if it is a result, else the first that the exercise asks
    for; a single number, which the message tells, is not shown, nor are numbers of a wrong answer that look
    right: there would be nothing to see.
    """
    if exercise.specimen:
        asked = finding is None or finding.rung == "exposed"
        return exposure_picture(looks[0]) if asked else None
    if finding and finding.rung in RIGHT_AT_FIRST:
        return None
    # A list of names is told by the message, and so are texts.
    shown = [look for look in looks if not look.seen.raised and look.exercise.driver != "names"]
    if finding and finding.case:
        shown = [look for look in shown if look.case.name == finding.case]
    for look in shown:
        asked = (f"result/{name}" for name in (*look.exercise.returns, *look.exercise.parameters))
        names = [
            name
            for name, item in look.of_role("result")
            if name in look.seen.tensors and item.values.dim() and not look.is_text(name)
        ]
        names.sort(key=(*asked, *names).index)
        if names:
            named = finding is not None and finding.tensor in names
            name = finding.tensor if finding is not None and named else names[0]
            mismatch = finding.mismatch if finding is not None and named else None
            got, expected = look.seen.tensors[name], look.expected[name].values
            if finding is not None and mismatch is None and _look_alike(got, expected):
                return None
            return Picture(look.case.name, name.partition("/")[2], got, expected, mismatch)
    return None


def _praise(exercise: Exercise, looks: list[Look], cases: tuple[CaseResult, ...]) -> str:
    """Return the message of an answer that passed."""
    if exercise.specimen:
        return f"The bug is exposed. {exposure(looks[0]).sentence}"
    return f"Right on all {len(cases)} cases."


def _look_alike(got: torch.Tensor, expected: torch.Tensor) -> bool:
    """Return whether two tensors have the same shape and differ in no digit that is shown."""
    return got.shape == expected.shape and not got.is_complex() and compare(got, expected, PRINTED) is None


def _compose(
    exercise: Exercise, finding: Finding, diagnosis: tuple[str, ...], cases: tuple[CaseResult, ...]
) -> str:
    """Return the message: what was recognized, what was seen and where, one thing to look at."""
    shows = next((case.shows for case in cases if case.name == finding.case), "")
    where = f" (case {finding.case}: {shows})" if shows else ""
    first, *others = [explain(code) for code in diagnosis]
    about_error = question_about_error(finding.sentence, exercise.works_on)
    look = about_error if first.code == "raises" else first.look
    lines = [f"{first.title}. {first.seen}", *(f"Also: {other.title}. {other.seen}" for other in others)]
    return "\n".join([*lines, f"Seen: {finding.sentence}{where}", f"Look at: {look}"])


def _by_case(looks: list[Look], found: tuple[Finding | None, ...]) -> tuple[CaseResult, ...]:
    """Return one entry a case; of a hidden one not on which rung it failed."""
    return tuple(
        CaseResult(
            look.case.name,
            look.case.shows,
            finding is None,
            finding.rung if finding and look.case.visible else "",
        )
        for look, finding in zip(looks, found, strict=True)
    )


def judge(exercise: Exercise, reference: ExerciseReference, attempt: Attempt, device: str) -> Result:
    """Return the verdict on an attempt.

    Where a visible case fails, the verdict is the one that the learner's own check gives. A hidden case
    speaks only where all visible ones passed, and nothing of it is told but what ``concealment`` allows.

    Args:
        exercise: what was asked.
        reference: its cases, expected tensors and known wrong answers.
        attempt: what came of running the answer on the reference's cases, in their order.
        device: the type of the device where it ran.

    Raises:
        GraderError: the attempt does not belong to these cases.
    """
    if attempt.problem:
        finding = Finding("defined", attempt.problem.code, attempt.problem.sentence)
        message = _compose(exercise, finding, (finding.code,), ())
        return Result(exercise, "failed", (finding.code,), message, finding=finding)
    looks = _looks(exercise, reference, attempt, device)
    visible, hidden = ([look for look in looks if look.case.visible is one] for one in (True, False))
    notes = tuple(note for look in visible if (note := generator_note(exercise, look.case)))
    finding, by_case = ladder.climb(visible, not notes)
    hidden_finding, by_hidden_case = ladder.climb(hidden, not notes)
    cases = _by_case(visible, by_case) + _by_case(hidden, by_hidden_case)
    if attempt.hidden_problem:
        problem = concealed_problem(exercise, attempt.hidden_problem)
        hidden_finding = Finding("defined", problem.code, problem.sentence)
    if finding is None and hidden_finding is None:
        message, picture = _praise(exercise, visible, cases), _picture(exercise, visible, None)
        remarks = tuple(dict.fromkeys(code for look in looks for code in ladder.remarks(look)))
        notes += tuple(f"{explain(code).title}. {explain(code).seen}" for code in remarks)
        return Result(exercise, "passed", (), message, cases, picture=picture, notes=notes, remarks=remarks)
    creditable = False
    if finding is not None:
        diagnosed = diagnose(finding, reference, tuple(look.seen for look in visible), computing(device))
        diagnosis = diagnosed.codes
        creditable = not attempt.hidden_problem and (
            diagnosed.recognized or all(map(ladder.results_right, looks))
        )
    elif attempt.hidden_problem:
        finding, diagnosis = hidden_finding, (hidden_finding.code,)
    else:
        look = next(look for look in hidden if look.case.name == hidden_finding.case)
        finding = concealed(hidden_finding, look)
        diagnosis = diagnose_hidden(finding)
    message, picture = _compose(exercise, finding, diagnosis, cases), _picture(exercise, visible, finding)
    return Result(
        exercise, "failed", diagnosis, message, cases, finding, picture, notes, creditable=creditable
    )
