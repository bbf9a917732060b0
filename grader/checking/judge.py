"""Make a verdict of an attempt. Runs none of the learner's code."""

from grader.checking import ladder
from grader.checking.diagnosis import diagnose
from grader.checking.mistakes import explain, question_about_error
from grader.checking.observation import Attempt, Observation
from grader.checking.result import CaseResult, Finding, Picture, Result
from grader.checking.rungs import Look, generator_note
from grader.errors import GraderError
from grader.exercises import Exercise
from grader.references import ExerciseReference


def _looks(
    exercise: Exercise, reference: ExerciseReference, observations: tuple[Observation, ...], device: str
) -> list[Look]:
    names = [seen.case for seen in observations]
    if names != [case.name for case in reference.cases]:
        raise GraderError(f"{exercise.id}: the cases that came back are {names}, not those that were sent.")
    return [
        Look(exercise, case, dict(reference.expected[case.name]), seen, device, raises)
        for case, seen in zip(reference.cases, observations, strict=True)
        for raises in [reference.raises.get(case.name, "")]
    ]


def _picture(looks: list[Look], finding: Finding | None) -> Picture | None:
    """Return yours and the target, for the case that the finding speaks of if it may be seen.

    The tensor shown is the one the finding names if it is a result, else the first that the exercise asks
    for; a single number, which the message tells, is not shown.
    """
    listed = looks[0].exercise.driver == "names"  # a list of names, which the message tells
    shown = [look for look in looks if look.case.visible and not look.seen.raised and not listed]
    if finding and finding.case:
        shown = [look for look in shown if look.case.name == finding.case]
    for look in shown:
        asked = (f"result/{name}" for name in (*look.exercise.returns, *look.exercise.parameters))
        names = [
            name for name, item in look.of_role("result") if name in look.seen.tensors and item.values.dim()
        ]
        names.sort(key=(*asked, *names).index)
        if names:
            named = finding is not None and finding.tensor in names
            name = finding.tensor if finding is not None and named else names[0]
            mismatch = finding.mismatch if finding is not None and named else None
            return Picture(
                look.case.name,
                name.partition("/")[2],
                look.seen.tensors[name],
                look.expected[name].values,
                mismatch,
            )
    return None


def _compose(finding: Finding, diagnosis: tuple[str, ...], cases: tuple[CaseResult, ...]) -> str:
    """Return the message: what was recognized, what was seen and where, one thing to look at."""
    shows = next((case.shows for case in cases if case.name == finding.case), "")
    where = f" (case {finding.case}: {shows})" if shows else ""
    first, *others = [explain(code) for code in diagnosis]
    look = question_about_error(finding.sentence) if first.code == "raises" else first.look
    lines = [f"{first.title}. {first.seen}", *(f"Also: {other.title}. {other.seen}" for other in others)]
    return "\n".join([*lines, f"Seen: {finding.sentence}{where}", f"Look at: {look}"])


def judge(exercise: Exercise, reference: ExerciseReference, attempt: Attempt, device: str) -> Result:
    """Return the verdict on an attempt.

    Args:
        exercise: what was asked.
        reference: its cases, expected tensors and known wrong answers.
        attempt: what came of running the answer on the reference's cases, in their order.
        device: ``cpu`` or ``cuda``, where it ran.

    Raises:
        GraderError: the attempt does not belong to these cases.
    """
    if attempt.problem:
        finding = Finding("defined", attempt.problem.code, attempt.problem.sentence)
        message = _compose(finding, (finding.code,), ())
        return Result(exercise, "failed", (finding.code,), message, finding=finding)
    looks = _looks(exercise, reference, attempt.observations, device)
    notes = tuple(note for look in looks if (note := generator_note(exercise, look.case)))
    finding, by_case = ladder.climb(looks, not notes)
    cases = tuple(
        CaseResult(look.case.name, look.case.shows, found is None, found.rung if found else "")
        for look, found in zip(looks, by_case, strict=True)
    )
    picture = _picture(looks, finding)
    if finding is None:
        message = f"Right on all {len(cases)} cases."
        return Result(exercise, "passed", (), message, cases, picture=picture, notes=notes)
    diagnosis = diagnose(finding, reference, attempt.observations, device)
    message = _compose(finding, diagnosis, cases)
    return Result(exercise, "failed", diagnosis, message, cases, finding, picture, notes)
