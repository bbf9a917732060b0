"""Name a mistake by comparing the learner's tensors with those of known wrong answers."""

from dataclasses import dataclass

import torch

from grader.checking.checks import Failure
from grader.checking.comparison import altered, compare, same_outcome
from grader.checking.concealment import FITTED
from grader.checking.observation import Observation
from grader.checking.pairs import print_of, told_by
from grader.exercises.case import PUBLISHED, Case
from grader.references import ExerciseReference, Expected, KnownWrong, Raised
from grader.references.published import PRINTED

# Codes of what is not written yet: there are no numbers to look at.
UNFINISHED = ("not-implemented", "stub-called")


def outcome_of(seen: Observation, expected: dict[str, Expected]) -> dict[str, torch.Tensor]:
    """Return what a known wrong answer is told by: its results, and the arguments that it changed."""
    changed = {
        name: tensor
        for name, tensor in seen.of_role("argument").items()
        if altered(tensor, expected[name].values, expected[name].dtype)
    }
    return seen.of_role("result") | changed


def _agrees(known: KnownWrong, seen: Observation, expected: dict[str, Expected], device: str) -> bool:
    outcome = known.outcomes[seen.case]
    if isinstance(outcome, Raised):
        return seen.raised is not None and seen.raised.type_name == outcome.type_name
    if seen.raised is not None:
        return False
    own = outcome_of(seen, expected)
    return set(own) == set(outcome) and all(
        same_outcome(own[name], tensor, expected[name].tolerance[device]) for name, tensor in outcome.items()
    )


def matching_codes(
    reference: ExerciseReference, observations: tuple[Observation, ...], device: str
) -> tuple[str, ...]:
    """Return the codes of all known wrong answers that did the same on every case, in the bank's order.

    An answer that only ever raised matches nothing: an exception's type alone says too little.
    """
    computed = _computed(reference, observations)
    if all(seen.raised for seen in computed):
        return ()
    codes: dict[str, None] = {}
    for known in reference.known_wrong:
        if all(_agrees(known, seen, reference.expected[seen.case], device) for seen in computed):
            codes |= dict.fromkeys(known.codes)
    return tuple(codes)


def compared(reference: ExerciseReference) -> tuple[Case, ...]:
    """Return the visible cases whose results are compared: none that asks for an exception or for dropout."""
    return tuple(case for case in reference.visible if not case.drops and case.name not in reference.raises)


def _computed(reference: ExerciseReference, observations: tuple[Observation, ...]) -> list[Observation]:
    names = {case.name for case in compared(reference)}
    return [seen for seen in observations if seen.case in names]


def codes_of_pair(reference: ExerciseReference, observations: tuple[Observation, ...]) -> tuple[str, ...]:
    """Return the codes of two mistakes whose numbers together are those of an answer, the cause first.

    One code where several pairs that share it do the same. An answer that only ever raised is told by none.
    """
    by_case = {seen.case: seen for seen in observations}
    computed = tuple(by_case[name] for name in reference.pairs.cases if name in by_case)
    if not computed or all(seen.raised for seen in computed):
        return ()
    return told_by(reference.pairs, print_of(computed))


def _is_right(seen: Observation, expected: dict[str, Expected], device: str) -> bool:
    own = seen.of_role("result")
    return not seen.raised and all(
        name in own
        and not own[name].is_complex()
        and own[name].shape == item.values.shape
        and compare(own[name], item.values, max(item.tolerance[device], PRINTED)) is None
        for name, item in expected.items()
        if name.split("/")[0] == "result"
    )


def fits_example(reference: ExerciseReference, observations: tuple[Observation, ...], device: str) -> str:
    """Return the code of an answer that is right on the published example, as printed, and hardly elsewhere.

    ``hard-coded`` if it gives the example's numbers for most other inputs too, else ``example-only``; an
    empty text for any other answer.
    """
    by_case = {seen.case: seen for seen in observations}
    right = {name: _is_right(seen, reference.expected[name], device) for name, seen in by_case.items()}
    others = [name for name in right if name != PUBLISHED and name not in reference.raises]
    if not right.get(PUBLISHED) or 2 * sum(right[name] for name in others) >= len(others):
        return ""
    again = [name for name in others if not right[name] and _gives_again(by_case[PUBLISHED], by_case[name])]
    return "hard-coded" if 2 * len(again) > len(others) else "example-only"


def _gives_again(first: Observation, seen: Observation) -> bool:
    """Return whether all results are those of the first case, in whatever precision."""
    own, other = seen.of_role("result"), first.of_role("result")
    return (
        not seen.raised
        and own.keys() == other.keys()
        and all(same_outcome(own[name], tensor, 0.0) for name, tensor in other.items())
    )


@dataclass(frozen=True)
class Diagnosis:
    """What is said of an answer.

    Attributes:
        codes: the cause first.
        recognized: whether its numbers are those of a known wrong answer.
        together: whether they are those of the first two codes together.
    """

    codes: tuple[str, ...]
    recognized: bool = False
    together: bool = False


def diagnose(
    failure: Failure,
    reference: ExerciseReference,
    observations: tuple[Observation, ...],
    device: str,
) -> Diagnosis:
    """Return the diagnosis of an answer that fails on a visible case.

    A mistake recognized by its numbers comes before the contract that it broke. A check that names its own
    code (an argument modified, a gradient missing) needs no numbers.
    """
    if not failure.check.numeric or failure.code in UNFINISHED:
        return Diagnosis((failure.code,))
    recognized = matching_codes(reference, observations, device)
    together = False
    fits = fits_example(reference, observations, device) if failure.check.fitted and not recognized else ""
    if fits == "hard-coded":
        recognized = (fits,)
    elif not recognized:
        recognized = codes_of_pair(reference, observations)
        together = bool(recognized)
        if fits and not recognized:
            return Diagnosis((fits, *(code for code in (failure.code,) if code != "unrecognized")))
    consequence = () if failure.code == "unrecognized" else (failure.code,)
    codes = recognized + tuple(code for code in consequence if code not in recognized)
    return Diagnosis(codes or (failure.code,), bool(recognized), together)


def diagnose_hidden(failure: Failure) -> tuple[str, ...]:
    """Return the codes of an answer that fails on a hidden case only: that it does, then what it broke.

    No numbers are looked at: what known wrong answers do is stored for the visible cases, and every one of
    them fails there.
    """
    return (FITTED,) if failure.code == "unrecognized" else (FITTED, failure.code)
