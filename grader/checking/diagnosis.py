"""Name a mistake by comparing the learner's tensors with those of known wrong answers."""

from dataclasses import dataclass

import torch

from grader.checking.comparison import altered, compare, same_outcome
from grader.checking.concealment import FITTED
from grader.checking.observation import Observation
from grader.checking.result import Finding
from grader.exercises.case import PUBLISHED
from grader.references import ExerciseReference, Expected, KnownWrong, Raised
from grader.references.published import PRINTED

# Rungs on which the numbers themselves may tell which mistake was made.
NUMERIC_RUNGS = ("runs", "registered", "shape", "dtype", "finite", "arguments", "text", "equal")
# Rungs on which an answer made for one example only comes to fall.
FITTED_RUNGS = ("shape", "text", "equal")
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
    dropping = {case.name for case in reference.cases if case.drops}
    computed = [seen for seen in observations if seen.case not in reference.raises.keys() | dropping]
    if all(seen.raised for seen in computed):
        return ()
    codes: dict[str, None] = {}
    for known in reference.known_wrong:
        if all(_agrees(known, seen, reference.expected[seen.case], device) for seen in computed):
            codes |= dict.fromkeys(known.codes)
    return tuple(codes)


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


def looks_hard_coded(
    reference: ExerciseReference, observations: tuple[Observation, ...], device: str
) -> bool:
    """Return whether an answer is right on the published example, as printed, and on hardly any other."""
    right = {seen.case: _is_right(seen, reference.expected[seen.case], device) for seen in observations}
    others = [passed for case, passed in right.items() if case != PUBLISHED and case not in reference.raises]
    return right.get(PUBLISHED, False) and 2 * sum(others) < len(others)


@dataclass(frozen=True)
class Diagnosis:
    """The codes of an answer, the cause first, and whether its numbers are those of a known wrong answer."""

    codes: tuple[str, ...]
    recognized: bool = False


def diagnose(
    finding: Finding,
    reference: ExerciseReference,
    observations: tuple[Observation, ...],
    device: str,
) -> Diagnosis:
    """Return the diagnosis of an answer that fails on a visible case.

    A mistake recognized by its numbers comes before the contract that it broke. A rung that names its own
    code (an argument modified, a gradient missing) needs no numbers.
    """
    if finding.rung not in NUMERIC_RUNGS or finding.code in UNFINISHED:
        return Diagnosis((finding.code,))
    recognized = matching_codes(reference, observations, device)
    if not recognized and finding.rung in FITTED_RUNGS and looks_hard_coded(reference, observations, device):
        recognized = ("hard-coded",)
    consequence = () if finding.code == "unrecognized" else (finding.code,)
    codes = recognized + tuple(code for code in consequence if code not in recognized)
    return Diagnosis(codes or (finding.code,), bool(recognized))


def diagnose_hidden(finding: Finding) -> tuple[str, ...]:
    """Return the codes of an answer that fails on a hidden case only: that it does, then what it broke.

    No numbers are looked at: what known wrong answers do is stored for the visible cases, and every one of
    them fails there.
    """
    return (FITTED,) if finding.code == "unrecognized" else (FITTED, finding.code)
