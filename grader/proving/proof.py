"""Validate a bank against its references: every answer gets exactly its declared verdict."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations

import torch

from grader.checking.comparison import compare, same_outcome
from grader.checking.device import first_on_the_cpu
from grader.checking.judge import judge
from grader.checking.mistakes import explain, known_mistakes
from grader.checking.result import Result
from grader.errors import BankError
from grader.exercises import Exercise
from grader.exercises.case import PUBLISHED, Case
from grader.exercises.declaration import MISTAKES, TOLD, closest
from grader.proving.bank import Answer
from grader.proving.tolerances import MARGIN
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, Expected, KnownWrong, Raised


def _as_declared(given: tuple[str, ...], declared: tuple[str, ...]) -> bool:
    """Return whether a diagnosis is the declared one; mistakes with the same numbers come in either order."""
    matched_by_output = all(explain(code).matched_by_output for code in given)
    return given == declared or (matched_by_output and sorted(given) == sorted(declared))


def verdict_on(
    exercise: Exercise, reference: ExerciseReference, answer: Answer, device: torch.device
) -> Result:
    """Return the verdict on an answer of the bank, as a check on a device gives it."""

    def judged(there: str) -> Result:
        where = torch.device(there)
        made = attempt_answer(exercise, answer, reference.cases, where)
        return judge(exercise, reference, made, where.type)

    return first_on_the_cpu(judged, str(device))


def prove(
    exercise: Exercise, reference: ExerciseReference, answers: tuple[Answer, ...], device: torch.device
) -> list[str]:
    """Judge every answer of the bank; return one line for each whose verdict is not the declared one."""
    problems = []
    for answer in answers:
        if not answer.counts_on(device.type):
            continue
        result, declared = verdict_on(exercise, reference, answer, device), answer.diagnosis
        if (
            not _as_declared(result.diagnosis, declared)
            or (result.status == "passed") != (not declared)
            or not set(result.remarks) <= set(answer.remarks)
            or (reference.visible and not declared and result.remarks != answer.remarks)
        ):
            told = f"{list(declared) or ['passed', *answer.remarks]}, but gives "
            problems.append(
                f"{answer.place}{exercise.id}: {answer.name!r} should give {told}"
                f"{list(result.diagnosis) or ['passed', *result.remarks]}:\n    "
                + result.message.replace("\n", "\n    ")
            )
            if noted := [code for code in declared if code in result.remarks]:
                problems[-1] += f'\n    That is a remark: write correct="..." remark="{noted[0]}".'
            elif declared and result.status == "passed" and reference.visible:
                problems[-1] += "\n    No case shows this mistake. Add one that does, or take the answer out."
    return problems


def _apart(one: KnownWrong, other: KnownWrong, expected: Mapping[str, Mapping[str, Expected]]) -> bool:
    for case in one.outcomes:
        a, b = one.outcomes[case], other.outcomes[case]
        if isinstance(a, Raised) or isinstance(b, Raised):
            if a != b:
                return True
            continue
        tolerance = {name: item.tolerance["cpu"] * MARGIN for name, item in expected[case].items()}
        if a.keys() != b.keys() or any(not same_outcome(a[name], b[name], tolerance[name]) for name in a):
            return True
    return False


def without_duplicates(
    known: Iterable[KnownWrong], expected: Mapping[str, Mapping[str, Expected]]
) -> tuple[KnownWrong, ...]:
    """Return known wrong answers without those that equal an earlier one with the same codes.

    Consequences (``also``) of a duplicate are kept with the one that stays.
    """
    kept: list[KnownWrong] = []
    for one in known:
        duplicates = (
            place
            for place, other in enumerate(kept)
            if one.codes == other.codes and not _apart(one, other, expected)
        )
        place = next(duplicates, None)
        if place is None:
            kept.append(one)
        else:
            kept[place] = replace(kept[place], also=tuple(dict.fromkeys((*kept[place].also, *one.also))))
    return tuple(kept)


def _right(reference: ExerciseReference) -> KnownWrong:
    """Return the right results in the form of a known wrong answer, for comparison."""
    outcomes = {
        case: {
            name: item.values.to(item.dtype)
            for name, item in expected.items()
            if name.split("/")[0] == "result"
        }
        for case, expected in reference.expected.items()
    }
    return KnownWrong("", (), outcomes)


def indistinct(exercise: Exercise, reference: ExerciseReference, answers: tuple[Answer, ...]) -> list[str]:
    """Return one line for each known wrong answer that equals the right one, or another, on all cases.

    Two known wrong answers may be equal if both declare both codes. None may be nearly right: rounding on
    another machine could make a right answer equal to it.
    """
    declared = {answer.name: set(answer.diagnosis) for answer in answers}
    place = {answer.name: answer.place for answer in answers}
    right = _right(reference)
    if gone := [one.answer for one in reference.known_wrong if one.answer not in declared]:
        return [
            f"{exercise.id}: the references were made with an answer {gone[0]!r}, which the bank does not "
            f"have. Run `grader references build {exercise.chapter}`."
        ]
    near = [
        f"{place[one.answer]}{exercise.id}: no case tells {one.answer!r} from what is right by {MARGIN:g} "
        "tolerances. Add a case that does, or remove it."
        for one in reference.known_wrong
        if not _apart(one, right, reference.expected)
    ]
    return near + [
        f"{place[other.answer]}{exercise.id}: no case tells {one.answer!r} from {other.answer!r}. "
        "Add a case that does, or let both declare both codes."
        for one, other in combinations(reference.known_wrong, 2)
        if one.codes != other.codes
        and not {*one.codes, *other.codes} <= declared[one.answer] & declared[other.answer]
        and not _apart(one, other, reference.expected)
    ]


def _replays(visible: Mapping[str, Expected], hidden: Mapping[str, Expected]) -> bool:
    """Return whether what is right on a visible case is right on a hidden one too."""
    wanted = {name: item for name, item in hidden.items() if name.split("/")[0] == "result"}
    return all(
        name in visible
        and visible[name].dtype == item.dtype
        and visible[name].values.shape == item.values.shape
        and compare(visible[name].values, item.values, MARGIN * item.tolerance["cpu"]) is None
        for name, item in wanted.items()
    )


def prove_hidden(
    exercise: Exercise,
    visible: ExerciseReference,
    hidden: ExerciseReference,
    correct: tuple[Answer, ...],
    device: torch.device,
) -> list[str]:
    """Return one line for each unsuitable hidden case, and for each correct variant that fails on one.

    However an answer with hard-coded results selects one (by input, by shape, by counting calls), none of the
    visible results may be right on a hidden case.
    """
    names = {case.name for case in visible.cases}
    problems = []
    if exercise.has_hidden_cases != bool(hidden.cases):
        problems = [f"{exercise.id}: there is {'a' if hidden.cases else 'no'} hidden case."]
    for case in hidden.cases:
        if case.name in names | {PUBLISHED}:
            problems.append(f"{_place(exercise, case)}: a visible case has this name.")
    problems += coincidences(exercise, visible, hidden)
    return problems or (prove(exercise, hidden, correct, device) if hidden.cases else [])


def coincidences(exercise: Exercise, visible: ExerciseReference, hidden: ExerciseReference) -> list[str]:
    """Return one line for each hidden case that asks for nothing new.

    A visible case's results are right on it, a visible one asks to refuse the same, or another hidden case is
    the same. That may be chance: another draw of the same recipe need not have it.
    """
    problems = []
    for number, case in enumerate(hidden.cases):
        place = _place(exercise, case)
        problems += [
            f"{place}: it is the same as {other.name!r}. Pose one of them with other sizes or numbers."
            for other in hidden.cases[:number]
            if _same(case, other)
        ]
        if case.name in hidden.raises:
            problems += [
                f"{place}: the visible case {other.name!r} asks to refuse the same, but for the numbers. "
                "Pose it with other sizes or options."
                for other in visible.cases
                if other.name in visible.raises and _same_input(case, other)
            ]
            continue
        problems += [
            f"{place}: the results of {name!r} are right on it, too. Pose it with other sizes or numbers, "
            "such that its own differ."
            for name, expected in visible.expected.items()
            if expected and _replays(expected, hidden.expected[case.name])
        ]
    return problems


def _place(exercise: Exercise, case: Case) -> str:
    """Return how a problem names a hidden case."""
    return f"{exercise.id}, hidden case {case.name!r}"


def _same_input(one: Case, other: Case) -> bool:
    """Return whether two cases differ, if at all, in the numbers of their tensors alone."""
    shapes = ({name: tensor.shape for name, tensor in case.arguments.items()} for case in (one, other))
    return one.options == other.options and next(shapes) == next(shapes)


def _same(one: Case, other: Case) -> bool:
    """Return whether a subject is run on the same in two cases."""
    if (
        not _same_input(one, other)
        or one.positional != other.positional
        or one.weights.keys() != other.weights.keys()
    ):
        return False
    pairs = zip(one.given, other.given, strict=True)
    return all(a.dtype == b.dtype and torch.equal(a, b) for a, b in pairs)


def check_bank(exercise: Exercise, answers: tuple[Answer, ...]) -> None:
    """Check that a bank is complete enough to validate.

    Raises:
        BankError: fewer than three correct variants, no mistake, or a code that nobody explains.
    """
    if sum(answer.correct for answer in answers) < 3:
        raise BankError(f"{_file(answers)}{exercise.id}: the bank needs at least three correct variants.")
    if all(answer.correct for answer in answers):
        raise BankError(f"{_file(answers)}{exercise.id}: the bank holds no known wrong answer.")
    for answer in answers:
        for code in answer.diagnosis:
            try:
                explain(code)
            except KeyError as error:
                raise BankError(
                    f"{answer.place}{exercise.id}: {answer.name!r} declares the unknown code {code!r}."
                    f"{_explained(answer, code, exercise.chapter)}"
                ) from error


def _file(answers: tuple[Answer, ...]) -> str:
    """Return the bank's file as the beginning of an error; empty where it is not known."""
    return f"{answers[0].path}: " if answers and answers[0].path else ""


def _explained(answer: Answer, code: str, chapter: str) -> str:
    """Return where a code is explained: under another name, or in a file of the chapter."""
    file = answer.path.parent.parent / MISTAKES if answer.path else None
    form = f"[group.{code}] with {', '.join(TOLD)}, each a text."
    if file and not file.is_file():
        return f" {file} is missing: what only this chapter has is explained there: {form}"
    where = file or f"solutions/{chapter}/{MISTAKES}"
    return f"{closest(code, known_mistakes())} What only this chapter has is explained in {where}: {form}"
