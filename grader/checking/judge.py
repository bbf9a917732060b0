"""Turn an attempt into a verdict. Runs none of the learner's code."""

import torch

from grader.checking.cases_passed import show_part_of_it
from grader.checking.checks import CheckContext, Failure, generator_note
from grader.checking.checks.context import TEXTS
from grader.checking.checks.exposed import exposure, exposure_picture
from grader.checking.checks.run import RESULT, facts, remarks, results_right, run_checks
from grader.checking.comparison import compare
from grader.checking.device import computing
from grader.checking.diagnosis import Diagnosis, diagnose, diagnose_hidden
from grader.checking.example import smallest_example
from grader.checking.mistakes import Mistake, explain, question_about_error
from grader.checking.observation import Attempt
from grader.checking.redaction import redacted, redacted_problem
from grader.checking.result import (
    ALSO,
    ALSO_LOOK_AT,
    LOOK_AT,
    RIGHT_SO_FAR,
    SEEN,
    STEPS,
    CaseResult,
    Example,
    Line,
    Picture,
    Result,
)
from grader.checking.steps.parting import Parting, part
from grader.checking.steps.telling import question
from grader.checking.steps.telling import told as told_of_steps
from grader.errors import GraderError
from grader.exercises import Exercise
from grader.messages import Message, message, one_or_many
from grader.references import ExerciseReference
from grader.references.published import PRINTED


def _contexts(
    exercise: Exercise, reference: ExerciseReference, attempt: Attempt, device: str
) -> list[CheckContext]:
    names = [seen.case for seen in attempt.observations]
    cases = reference.visible if attempt.hidden_problem else reference.cases
    if names != [case.name for case in cases]:
        raise GraderError(f"{exercise.id}: the cases that came back are {names}, not those that were sent.")
    return [
        CheckContext(
            exercise,
            case,
            dict(reference.expected[case.name]),
            seen,
            computing(device),
            reference.raises.get(case.name, ""),
            place=device,
            flags=reference.flags.get(case.name, {}),
            attributes=reference.attributes.get(case.name, {}),
        )
        for case, seen in zip(cases, attempt.observations, strict=True)
    ]


def _picture(exercise: Exercise, contexts: list[CheckContext], failure: Failure | None) -> Picture | None:
    """Return the learner's and the expected tensor of a visible case, the failure's own if it has one.

    The tensor shown is the one the failure names if it is a result, else the first that the exercise asks
    for. A single number, which the message has, is not shown; nor are wrong numbers that look the same as
    printed.
    """
    if exercise.specimen:
        asked = failure is None or (failure.check and failure.check.name == "exposed")
        return exposure_picture(contexts[0]) if asked else None
    if failure and failure.check and failure.check.first_is_right:
        return None
    # A list of names is told by the message, and so are texts.
    shown = [ctx for ctx in contexts if not ctx.seen.raised and ctx.exercise.driver != "names"]
    if failure and failure.case:
        shown = [ctx for ctx in shown if ctx.case.name == failure.case]
    for ctx in shown:
        asked = (f"result/{name}" for name in (*ctx.exercise.returns, *ctx.exercise.parameters))
        names = [
            name
            for name, item in ctx.expected_of_role("result")
            if name in ctx.seen.tensors and item.values.dim() and not ctx.is_text(name)
        ]
        names.sort(key=(*asked, *names).index)
        if names:
            named = failure is not None and failure.tensor in names
            name = failure.tensor if failure is not None and named else names[0]
            mismatch = failure.mismatch if failure is not None and named else None
            got, expected = ctx.seen.tensors[name], ctx.expected[name].values
            if failure is not None and mismatch is None and _look_alike(got, expected):
                return None
            return Picture(ctx.case.name, name.partition("/")[2], got, expected, mismatch)
    return None


# What to look at where no line of the answer's was running.
AFTERWARDS = message(
    "None of your lines was running: the error came when your code was called, or when what it returned was "
    "used. Compare what it takes and what it returns with the docstring, part by part: names, types and, of "
    "tensors, shapes and dtypes."
)


# What to look at where the answer's own cell raised it, before there was anything to call.
STOPPED = message(
    "A line of your cell raised this before the cell had defined what is asked for. Run the cell: below it "
    "stands which line it is. Mend that line, or delete it."
)


# What to look at where what was handed over is of another kind than what is asked for.
BY_NAME = message(
    "What stands behind the exercise's name in your check? It takes what you defined by its name alone: "
    "without parentheses behind it, which would pass its result, and without quotes around it. If that is "
    "so: does your cell begin with the same word as the stub, def or class?"
)
# What to look at where an answer could not be run, by the kind of problem.
ASKED_OF = {
    "cell raised": STOPPED,
    **dict.fromkeys(("no class", "no module", "no function"), BY_NAME),
}

# What to look at where the answer itself raised the error.
REFUSED = message(
    "Your own line raises this error. In which cases does the docstring ask for one, and is this one of them?"
)


def _praise(exercise: Exercise, contexts: list[CheckContext], cases: tuple[CaseResult, ...]) -> Message:
    """Return what is said of an answer that passed."""
    if exercise.specimen:
        return message("The bug is exposed. {told}", told=exposure(contexts[0]).message)
    return one_or_many("Right on its one case.", "Right on all {count} cases.", len(cases))


def _look_alike(got: torch.Tensor, expected: torch.Tensor) -> bool:
    """Return whether two tensors have the same shape and differ in no digit that is shown."""
    return got.shape == expected.shape and not got.is_complex() and compare(got, expected, PRINTED) is None


def _compose(
    exercise: Exercise,
    failure: Failure,
    diagnosis: Diagnosis,
    contexts: list[CheckContext],
    by_case: tuple[Failure | None, ...] = (),
    facts: tuple[Failure, ...] = (),
) -> tuple[Line, ...]:
    """Return the paragraphs of a verdict: the mistake, what was seen and where, one thing to look at.

    An exception is always quoted, also if another case is the one reported; so are failures that do not
    depend on the result.
    """
    mistakes = [explain(code) for code in diagnosis.codes]
    by_code = {one.code: one for one in facts if one.code != failure.code}
    seen = [failure]
    if failure.error is None:
        seen += [one for one in by_case if one and one.error and one.code == "raises"][:1]
    seen += [by_code[one.code] for one in mistakes[:1] if one.code in by_code]
    told = [Line(_seen(one, contexts), SEEN) for one in seen]
    question = Line(_question(exercise, failure, mistakes[0], contexts, by_case), LOOK_AT)
    beside = [
        Line(_beside(one, by_code[one.code], failure, contexts), ALSO)
        for one in mistakes[1:]
        if one.code in by_code
    ]
    mistakes = [one for one in mistakes if one is mistakes[0] or one.code not in by_code]
    numeric = [one for one in mistakes if _inferred(one, failure) and one.code not in by_code]
    if numeric and (diagnosis.together or len(numeric) == 2):
        first, *second = numeric[:2]
        both = _together(first, *second)
        own = [_named(one) for one in mistakes if one not in numeric]
        if mistakes[0] not in numeric:  # reported by itself, and first
            return (
                *map(Line, own),
                Line(both, ALSO),
                *beside,
                *told,
                question,
                *(Line(one.look, ALSO_LOOK_AT) for one in (first, *second)),
            )
        more = [Line(one.look, ALSO_LOOK_AT) for one in second]
        return (Line(both), *(Line(one, ALSO) for one in own), *beside, *told, question, *more)
    others = [Line(_named(one, inferred=_inferred(one, failure)), ALSO) for one in mistakes[1:]]
    more = [Line(one.look, ALSO_LOOK_AT) for one in mistakes[1:2] if mistakes[0].code == failure.code]
    first = _named(mistakes[0], inferred=_inferred(mistakes[0], failure) and mistakes[0].code not in by_code)
    if beside and mistakes[0].code == "unrecognized":
        first = message(
            "{title}. Besides what is named here, the check does not recognize the numbers as those of a "
            "mistake that it knows by name.",
            title=mistakes[0].title,
        )
    return (Line(first), *others, *beside, *told, question, *more)


def _beside(mistake: Mistake, seen: Failure, failure: Failure, contexts: list[CheckContext]) -> Message:
    """Return the paragraph on a further mistake, with its case if that is not the reported one."""
    told = seen.message if seen.case == failure.case else _seen(seen, contexts)
    return message("{title}. {seen}", title=mistake.title, seen=told)


def _together(first: Mistake, second: Mistake | None = None) -> Message:
    """Return the paragraph on numbers of two mistakes at once; for one known mistake, that there is more."""
    if second is None:
        return message(
            "It looks like two mistakes at once. One: {title}. The other one the numbers do not tell: each "
            "of several gives them together with this.",
            title=first.title,
        )
    return message(
        "It looks like two mistakes at once. {first}; and: {second}. What comes out is what both give "
        "together.",
        first=first.title,
        second=second.title,
    )


def _example(contexts: list[CheckContext], by_case: tuple[Failure | None, ...]) -> Example | None:
    """Return the smallest visible case whose result is wrong, as code, if it can be worked out by hand.

    A case without a result is used only if no other is small. The code loads weights by the names asked for,
    so a module with other names gets no example.
    """
    wrong = [
        (ctx, one.error is not None or bool(ctx.raises))
        for ctx, one in zip(contexts, by_case, strict=False)
        if one and one.check in RESULT and one.code != "not-registered"
    ]
    with_result, without = ([ctx for ctx, raises in wrong if raises is asked] for asked in (False, True))
    return smallest_example(with_result) or smallest_example(without)


def _seen(failure: Failure, contexts: list[CheckContext]) -> Message:
    """Return what was seen, and on which case."""
    case = next((ctx.case for ctx in contexts if ctx.case.name == failure.case), None)
    if case is None:
        return failure.message
    return message(
        "{seen} (case {case}: {shows})", seen=failure.message, case=case.name, shows=Message(case.shows)
    )


def _inferred(mistake: Mistake, failure: Failure) -> bool:
    """Return whether a mistake is inferred from numbers: other code may give the same."""
    return mistake.matched_by_output and mistake.code != failure.code


def _named(mistake: Mistake, *, inferred: bool = False) -> Message:
    """Return the paragraph on a mistake; one that is inferred from numbers is worded as such."""
    if inferred:
        return message("It looks like this: {title}. {seen}", title=mistake.title, seen=mistake.seen)
    return message("{title}. {seen}", title=mistake.title, seen=mistake.seen)


# Of the largest number of a result.
NEARLY = 5e-3
NEARLY_RIGHT = message(
    "Where your numbers are wrong they are nearly right, in most cases. What in your code is not exact: a "
    "small step, a small number that was added, a constant with few digits, or something that was rounded?"
)


def _is_nearly_right(contexts: list[CheckContext]) -> bool:
    """Return whether most results that are wrong are off by little in each of their numbers."""
    near = []
    for ctx in contexts:
        for name, item in ctx.expected_of_role("result"):
            got, expected = ctx.seen.tensors.get(name), item.values
            if (
                got is None
                or got.is_complex()
                or got.shape != expected.shape
                or not expected.is_floating_point()
            ):
                return False
            if compare(got, expected, item.tolerance[ctx.device]):
                finite = expected[expected.isfinite()].abs()
                largest = float(finite.max()) if len(finite) else 0.0
                near.append(compare(got, expected, NEARLY * largest) is None)
    return len(near) > 1 and 3 * sum(near) >= 2 * len(near)


def _question(
    exercise: Exercise,
    failure: Failure,
    first: Mistake,
    contexts: list[CheckContext],
    by_case: tuple[Failure | None, ...],
) -> Message:
    """Return the one thing to look at; never a number if the small case has none."""
    if first.code == "unrecognized" and (asked := _about_unnamed(exercise, contexts, by_case)):
        return asked
    if first.code != failure.code:  # told by its numbers: what was seen there is a consequence
        return first.look
    if first.code == "raises":
        return _about_raising(failure, exercise)
    return failure.question or first.look


def _about_unnamed(
    exercise: Exercise, contexts: list[CheckContext], by_case: tuple[Failure | None, ...]
) -> Message | None:
    """Return what to look at where a mistake has no name: what is nearly right, or a small case."""
    if _is_nearly_right(contexts):
        return NEARLY_RIGHT
    if (example := _example(contexts, by_case)) is None:
        return None
    raised = [one for one in by_case if one and one.error and one.code == "raises"]
    if example.case in {one.case for one in raised}:
        return _about_raising(raised[0], exercise)
    if exercise.driver in TEXTS:
        return message(
            "Work out by hand what case {case} gives, and compare each step with yours.", case=example.case
        )
    return message(
        "Case {case} is small: work out one number of its result by hand, and compare it with yours step by "
        "step.",
        case=example.case,
    )


def _about_raising(failure: Failure, exercise: Exercise) -> Message:
    """Return what to look at where an error is what was seen."""
    look, error = explain("raises").look, failure.error
    if error is None:  # of a case that only grading uses: its words are not told
        return look
    if error.own:
        return REFUSED
    return question_about_error(error, exercise) or failure.question or (look if error.line else AFTERWARDS)


NOUNS = {"tensors": message("tensors"), "arrays": message("arrays")}


def _with_steps(
    lines: tuple[Line, ...], parting: Parting | None, exercise: Exercise, *, named: bool
) -> tuple[Line, ...]:
    """Return the paragraphs with *Right so far* inserted before what to look at.

    For an unrecognized mistake, the thing to look at is that step.
    """
    text = told_of_steps(parting, NOUNS[exercise.works_on]) if parting else None
    if text is None:
        return lines
    place = next((i for i, line in enumerate(lines) if line.label == LOOK_AT), len(lines))
    at_step = None if named else question(parting)
    rest = (Line(at_step, LOOK_AT), *lines[place + 1 :]) if at_step else lines[place:]
    return (*lines[:place], Line(text, RIGHT_SO_FAR if parting.right else STEPS), *rest)


def _parting(reference: ExerciseReference, attempt: Attempt) -> Parting | None:
    """Return the first step at which an answer differs from the target, if it was traced."""
    traced = attempt.traced
    steps = reference.steps.get(traced.case) if traced and traced.tensors else None
    if not steps:
        return None
    case = next(one for one in reference.cases if one.name == traced.case)
    raised = attempt.raised_on(case.name)
    parting = part(case.name, steps, traced.tensors, case.given, complete=not raised)
    return None if raised and parting.first is None else parting  # it came to no result for another reason


def _by_case(contexts: list[CheckContext], found: tuple[Failure | None, ...]) -> tuple[CaseResult, ...]:
    """Return one entry a case; of a hidden one not what was seen."""
    return tuple(
        CaseResult(
            ctx.case.name,
            ctx.case.shows,
            failure is None,
            failure.label or failure.check.label if failure and ctx.case.visible else None,
        )
        for ctx, failure in zip(contexts, found, strict=True)
    )


def judge(exercise: Exercise, reference: ExerciseReference, attempt: Attempt, device: str) -> Result:
    """Return the verdict on an attempt.

    If a visible case fails, the verdict is the one that the learner's own check gives. A hidden case is
    reported only if all visible ones passed, and only as far as ``redaction`` allows.

    Args:
        exercise: what was asked.
        reference: its cases, expected tensors and known wrong answers.
        attempt: the answer's run on the reference's cases, in their order.
        device: the type of the device where it ran.

    Raises:
        GraderError: the attempt does not belong to these cases.
    """
    if attempt.problem:
        problem = attempt.problem
        question = ASKED_OF.get(problem.kind)
        failure = Failure(problem.code, problem.message, error=problem.error, question=question)
        lines = _compose(exercise, failure, Diagnosis((failure.code,)), [])
        return Result(exercise, "failed", (failure.code,), lines, failure=failure)
    contexts = _contexts(exercise, reference, attempt, device)
    visible, hidden = ([ctx for ctx in contexts if ctx.case.visible is one] for one in (True, False))
    notes = tuple(note for ctx in visible if (note := generator_note(exercise, ctx.case)))
    failure, by_case = run_checks(visible, not notes)
    hidden_failure, by_hidden_case = run_checks(hidden, not notes)
    cases = _by_case(visible, by_case) + _by_case(hidden, by_hidden_case)
    if attempt.hidden_problem:
        hidden_failure = redacted_problem(exercise, attempt.hidden_problem)
    if failure is None and hidden_failure is None:
        praise, picture = _praise(exercise, visible, cases), _picture(exercise, visible, None)
        found = tuple(dict.fromkeys(code for ctx in contexts for code in remarks(ctx)))
        notes += tuple(_named(explain(code)) for code in found)
        return Result(
            exercise, "passed", (), (Line(praise),), cases, picture=picture, notes=notes, remarks=found
        )
    partial_credit_eligible, beside, parting = False, (), None
    if failure is not None:
        parting = _parting(reference, attempt)
        beside = facts(visible, not notes)
        seen = tuple(ctx.seen for ctx in visible)
        diagnosed = diagnose(failure, reference, seen, computing(device), beside)
        # Fingerprints of some cases are too little evidence for points.
        partial_credit_eligible = (
            not attempt.hidden_problem
            and diagnosed.alone
            and (diagnosed.recognized or all(map(results_right, contexts)))
        )
    elif attempt.hidden_problem:
        failure, diagnosed = hidden_failure, Diagnosis((hidden_failure.code,))
    else:
        ctx = next(ctx for ctx in hidden if ctx.case.name == hidden_failure.case)
        failure = redacted(hidden_failure, ctx)
        diagnosed = Diagnosis(diagnose_hidden(failure))
    return Result(
        exercise,
        "failed",
        diagnosed.codes,
        _with_steps(
            _compose(exercise, failure, diagnosed, contexts, by_case, beside),
            parting,
            exercise,
            named=diagnosed.codes[0] != "unrecognized",
        ),
        cases,
        failure,
        _picture(exercise, visible, failure),
        _example(visible, by_case),
        notes,
        parting=parting,
        partial_credit_eligible=partial_credit_eligible,
        partly_right=not attempt.hidden_problem and show_part_of_it(contexts, by_case + by_hidden_case),
    )
