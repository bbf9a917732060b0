"""Name a mistake by comparing the learner's tensors with those of known wrong answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch

from grader.checking.checks import Failure
from grader.checking.comparison import altered, compare, same_outcome
from grader.checking.fingerprints import print_of, told_by
from grader.checking.mistakes import explain
from grader.checking.observation import Observation
from grader.checking.redaction import FITTED
from grader.exercises.case import PUBLISHED, Case
from grader.references import ExerciseReference, Expected, KnownWrong, Raised
from grader.references.published import PRINTED

# Mistakes that other observations would also have shown.
Silent = Callable[[tuple[str, ...]], bool]
# The code of an argument without influence, reported only if the numbers show no mistake.
UNUSED = "argument-unused"
# The code of an argument that was written into.
CHANGED = "input-modified"
# What comes back before any weights were dropped.
UNMIXED = ("returns-values", "returns-scores")
# By fact, the mistakes that it may follow from: beside one of these it is not reported.
CAUSES = {
    "wrong-initialisation": (
        "setting-left",
        "not-registered",
        "wrong-shape",
        "heads-share-weights",
        "shared-projection",
    ),
    "creation-order": ("setting-left", "not-registered", "wrong-shape"),
    "dropout-never": (
        *("state-kept", "hard-coded", "forbidden-call", "no-softmax", "argument-unused", "weights-unused"),
        *("returns-weights", *UNMIXED),
    ),
    "dropout-shared": ("setting-left",),
    "module-changed": ("input-modified",),
    "argument-watched": ("input-modified",),
    "module-called-again": ("device-ignored",),
    "input-modified": ("module-moved",),
    "plain-tensor": ("state-kept",),
    "parameters-extra": (
        *("mask-not-buffer", "out-proj-unexpected", "forbidden-call", "not-registered", "wrong-shape"),
    ),
    "no-gradient": (
        *("hard-coded", "hard-lookup", "argument-unused", "global-instead-of-argument"),
        *("state-kept", "setting-left", "result-shared", "input-modified", "wrong-device"),
    ),
}
# The code of a weight that is used in the other layout.
LAYOUT = "weight-not-transposed"
# Codes that mean something only if all else is right.
ALONE = ("input-shared", "result-shared")
# By mistake, the suffixes of the names of the parameters that it leaves out, if it leaves out no others.
MISSING = {"bias-ignored": ".bias"}
# How many tolerances an answer may be off where a known wrong answer with its mistake is right.
NEAR = 3.0
# Mistakes that may be larger in one answer than in another.
INEXACT = ("rounded", "rough-e", "precision-lost")
# Codes of unfinished answers: there are no numbers to compare.
UNFINISHED = ("not-implemented", "stub-called")


def compared_tensors(seen: Observation, expected: dict[str, Expected]) -> dict[str, torch.Tensor]:
    """Return the tensors by which known wrong answers are recognized: results and changed arguments.

    Arguments that were not asked for are ignored: an honest process sends none.
    """
    changed = {
        name: tensor
        for name, tensor in seen.of_role("argument").items()
        if name in expected and altered(tensor, expected[name].values, expected[name].dtype)
    }
    return seen.of_role("result") | changed


def _as_if_unchanged(seen: Observation) -> Observation:
    """Return what was seen without its arguments."""
    results = {name: one for name, one in seen.tensors.items() if name.partition("/")[0] != "argument"}
    return replace(seen, tensors=results)


def _agrees(
    known: KnownWrong,
    seen: Observation,
    own: Mapping[str, torch.Tensor],
    expected: dict[str, Expected],
    device: str,
) -> bool:
    """Return whether a case came out as for a known wrong answer; ``own`` are its compared tensors."""
    outcome = known.outcomes[seen.case]
    if isinstance(outcome, Raised):
        return seen.raised is not None and seen.raised.type_name == outcome.type_name
    if seen.raised is not None:
        return False
    inexact = not {*INEXACT}.isdisjoint(known.codes)
    return set(own) == set(outcome) and all(
        same_outcome(own[name], tensor, expected[name].tolerance[device])
        and (
            inexact
            or not _is_near(tensor, expected[name], device)
            or _is_near(own[name], expected[name], device, NEAR)
        )
        for name, tensor in outcome.items()
    )


def _is_near(tensor: torch.Tensor, expected: Expected, device: str, times: float = 1.0) -> bool:
    """Return whether a tensor is right, within so many times the tolerance.

    Where a known wrong answer is, one with the same mistake is, too.
    """
    if expected.dtype == torch.float64:  # an answer in float32 is told that for itself
        return True
    same_form = tensor.shape == expected.values.shape and not tensor.is_complex()
    return same_form and compare(tensor, expected.values, times * expected.tolerance[device]) is None


def matching(
    reference: ExerciseReference, observations: tuple[Observation, ...], device: str
) -> tuple[KnownWrong, ...]:
    """Return all known wrong answers that did the same on every case, in the bank's order.

    An answer that raised on every case matches nothing: an exception's type alone is too little evidence.
    """
    computed = _computed(reference, observations)
    if all(seen.raised for seen in computed) or _says_little(reference, computed, device, 1):
        return ()
    expected = [reference.expected[seen.case] for seen in computed]
    own = [
        {} if seen.raised else compared_tensors(seen, asked)
        for seen, asked in zip(computed, expected, strict=True)
    ]
    cases = tuple(zip(computed, own, expected, strict=True))
    return tuple(
        known for known in reference.known_wrong if all(_agrees(known, *case, device) for case in cases)
    )


def _says_little(reference: ExerciseReference, seen: Sequence[Observation], device: str, enough: int) -> bool:
    """Return whether the types of exceptions would be the only evidence for a mistake.

    True if each wrong case raised or has only non-finite wrong results, and fewer cases than ``enough`` are
    right: then the set of right cases is no evidence either. Also true if the answer raised by its own
    ``raise``.
    """
    count, wrong = 0, []
    for one in seen:
        results = wrong_results(one, reference.expected[one.case], device)
        count += not one.raised and not results
        if any(one.of_role("result")[name].numel() for name in results if name in one.of_role("result")):
            return False
        wrong += [one] * bool(one.raised or results)
    return bool(wrong) and (count < enough or any(one.raised and one.raised.own for one in wrong))


def compared(reference: ExerciseReference) -> tuple[Case, ...]:
    """Return the visible cases whose results are compared: none that asks for an exception or for dropout."""
    return tuple(case for case in reference.visible if not case.drops and case.name not in reference.raises)


def _computed(reference: ExerciseReference, observations: tuple[Observation, ...]) -> list[Observation]:
    names = {case.name for case in compared(reference)}
    return [seen for seen in observations if seen.case in names]


def _with_numbers(
    reference: ExerciseReference, observations: tuple[Observation, ...], device: str
) -> tuple[Observation, ...]:
    """Return the observations of cases that have a result, if these are enough evidence.

    A sum that starts as a plain 0 and has no terms is no tensor, or raises later; that is no evidence about
    the numbers. Most cases must remain, two of them with wrong results; otherwise the result is empty.
    """
    computed = _computed(reference, observations)
    telling = tuple(
        seen
        for seen in computed
        if not seen.raised
        and {name for name in reference.expected[seen.case] if name.partition("/")[0] == "result"}
        <= {*seen.tensors}
    )
    wrong = [seen for seen in telling if not is_right(seen, reference.expected[seen.case], device)]
    return telling if len(telling) < len(computed) < 2 * len(telling) and len(wrong) > 1 else ()


def fingerprinted(
    reference: ExerciseReference, observations: tuple[Observation, ...], device: str
) -> tuple[tuple[str, ...], bool]:
    """Return the codes of mistakes whose fingerprints are those of an answer, the cause first.

    Also returns whether these are all its mistakes. An answer that always raised matches none.
    """
    known = reference.fingerprints
    told = [seen for seen in observations if seen.case in known.cases]
    if not told or _says_little(reference, told, device, 2):
        return (), False
    rows = [known.cases.index(seen.case) for seen in told]
    return told_by(replace(known, prints=known.prints[:, rows]), print_of(tuple(told)))


def is_right(seen: Observation, expected: Mapping[str, Expected], device: str) -> bool:
    """Return whether all results of a case are right, as far as printed digits tell."""
    return not seen.raised and not wrong_results(seen, expected, device)


def wrong_results(seen: Observation, expected: Mapping[str, Expected], device: str) -> tuple[str, ...]:
    """Return the names of the results of a case that are not right, as far as printed digits tell."""
    own = seen.of_role("result")
    return tuple(
        name
        for name, item in expected.items()
        if name.split("/")[0] == "result"
        and (
            name not in own
            or own[name].is_complex()
            or own[name].shape != item.values.shape
            or compare(own[name], item.values, max(item.tolerance[device], PRINTED)) is not None
        )
    )


def fits_example(reference: ExerciseReference, observations: tuple[Observation, ...], device: str) -> str:
    """Return the code of an answer that is right on the published example and almost nowhere else.

    ``hard-coded`` if it gives the example's numbers for most other inputs too, else ``example-only``; an
    empty text for any other answer.
    """
    by_case = {seen.case: seen for seen in observations}
    right = {name: is_right(seen, reference.expected[name], device) for name, seen in by_case.items()}
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
    """The diagnosis of an answer.

    Attributes:
        codes: the cause first.
        recognized: whether its numbers are those of a known wrong answer, on every case.
        together: whether its numbers combine the first mistake with something else, such as the second.
        alone: whether this mistake explains everything that was seen.
    """

    codes: tuple[str, ...]
    recognized: bool = False
    together: bool = False
    alone: bool = True


def diagnose(
    failure: Failure,
    reference: ExerciseReference,
    observations: tuple[Observation, ...],
    device: str,
    facts: tuple[Failure, ...] = (),
) -> Diagnosis:
    """Return the diagnosis of an answer that fails on a visible case.

    A mistake recognized by its numbers precedes the requirement that it broke; a fact that does not depend on
    the numbers, and is no part of that mistake, precedes both. A check with a code of its own (an argument
    modified, a gradient missing) needs no numbers.

    Args:
        failure: the reported one.
        reference: the exercise's.
        observations: of the visible cases.
        device: the type of device whose tolerances count.
        facts: what is wrong whatever the result is.
    """
    if not failure.check.numeric or failure.code in UNFINISHED:
        known, told, together = (), (), False
    else:
        known, told, together = _by_numbers(failure, reference, observations, device, facts)
    if LAYOUT in told and _stands_bare(failure, observations):
        told, together = tuple(code for code in told if code != LAYOUT), False
    explained = {code for one in known for code in one.also if not _is_another(failure, code, one.codes)}
    if failure.check.always and told and failure.code not in explained:
        codes = (failure.code, *told)
    else:
        codes = told if told and failure.code == "unrecognized" else (*told, failure.code)
    if failure.code not in UNFINISHED:
        codes = _with_facts(codes, tuple(one.code for one in facts))
    consequence = () if failure.check.always and told else (failure.code,)
    alone = set(codes) <= {*told, *explained, *consequence}
    return Diagnosis(tuple(dict.fromkeys(codes)), bool(known), together, alone)


def _stands_bare(failure: Failure, observations: tuple[Observation, ...]) -> bool:
    """Return whether a bare parameter has the name of a layer, so that its layout is not specified."""
    layer, _, kind = failure.tensor.rpartition(".")
    return (
        failure.code == "not-registered"
        and kind == "weight"
        and any(layer in (seen.registered or ()) for seen in observations)
    )


def _is_another(failure: Failure, code: str, codes: tuple[str, ...]) -> bool:
    """Return whether the missing parameter is not one that the known mistake leaves out."""
    endings = [MISSING[one] for one in codes if one in MISSING]
    return failure.code == code == "not-registered" and not failure.tensor.endswith(tuple(endings) or "")


def _by_numbers(
    failure: Failure,
    reference: ExerciseReference,
    observations: tuple[Observation, ...],
    device: str,
    facts: tuple[Failure, ...],
) -> tuple[tuple[KnownWrong, ...], tuple[str, ...], bool]:
    """Return the known wrong answers with the same outcome, and the codes that the numbers identify.

    The last value says whether they identify more than one mistake. An answer that fits only the example, or
    ignores an argument, is reported as such if no mistake is identified.
    """
    if failure.code == "wrong-dtype" and _cut_to_whole(reference, observations):
        return (), (), False
    silent = _silent(reference, (failure, *facts), observations)
    known = matching(reference, observations, device)
    if not known and failure.code == CHANGED:  # that is told for itself: what do the results alone tell?
        observations = tuple(map(_as_if_unchanged, observations))
        known = matching(reference, observations, device)
    known = tuple(one for one in known if not silent(one.codes))
    if known:
        return known, tuple(dict.fromkeys(code for one in known for code in one.codes)), False
    fits = fits_example(reference, observations, device) if failure.check.fitted else ""
    # In another dtype numbers are no longer what the same mistake gives elsewhere.
    if fits == "hard-coded" or failure.code == "wrong-dtype":
        return (), tuple(filter(None, [fits])), False
    if told := _by_prints(reference, observations, device, silent):
        return (), *told
    if told := _by_some_cases(reference, observations, device, silent):
        return (), *told
    unused = () if failure.check.always else tuple(one.code for one in facts if one.code == UNUSED)
    return (), unused or tuple(filter(None, [fits])), False


def _by_prints(
    reference: ExerciseReference, observations: tuple[Observation, ...], device: str, silent: Silent
) -> tuple[tuple[str, ...], bool] | None:
    """Return the codes that fingerprints identify, and whether these are more than one mistake."""
    told, whole = fingerprinted(reference, observations, device)
    return (told, not (whole and len(told) == 1)) if told and not silent(told) else None


def _by_some_cases(
    reference: ExerciseReference, observations: tuple[Observation, ...], device: str, silent: Silent
) -> tuple[tuple[str, ...], bool] | None:
    """Return the same, using only the cases that have a result."""
    some = _with_numbers(reference, observations, device)
    if not some:
        return None
    # Not on every case, so it does not count as recognized.
    known = tuple(one for one in matching(reference, some, device) if not silent(one.codes))
    first = known[0].codes if known else ()
    if common := tuple(code for code in first if all(code in one.codes for one in known)):
        return common, False
    return _by_prints(reference, some, device, silent)


def _cut_to_whole(reference: ExerciseReference, observations: tuple[Observation, ...]) -> bool:
    """Return whether floating-point numbers were asked for, and all results are whole numbers."""
    pairs = [
        (tensor, reference.expected[seen.case][name].dtype)
        for seen in observations
        for name, tensor in seen.of_role("result").items()
        if name in reference.expected[seen.case]
    ]
    return bool(pairs) and all(
        asked.is_floating_point and not one.is_floating_point() and one.dtype != torch.bool
        for one, asked in pairs
    )


def _silent(
    reference: ExerciseReference, seen: tuple[Failure, ...], observations: tuple[Observation, ...]
) -> Silent:
    """Return mistakes that other observations exclude.

    If dropout was checked in training and was right, numbers that match a dropout mistake, such as a context
    of zeros, have another cause. If no result holds NaN, no mask caused one.
    """
    looked_at = any(case.drops for case in reference.visible)
    wrong = {one.code for one in seen if explain(one.code).group == "dropout"}
    right = looked_at and wrong <= {"dropout-never"}  # a result that shows no weights shows none dropped
    results = [tensor for one in observations for tensor in one.of_role("result").values()]
    finite = not any(bool(one.isnan().any()) for one in results)

    def silent(codes: tuple[str, ...]) -> bool:
        dropout = right and any(explain(code).group == "dropout" for code in codes)
        return dropout or (finite and "mask-nan" in codes)

    return silent


def _with_facts(codes: tuple[str, ...], facts: tuple[str, ...]) -> tuple[str, ...]:
    """Return a diagnosis extended by further facts, without those that follow from its codes."""
    for one in facts:
        if one not in (UNUSED, *ALONE) and not set(CAUSES.get(one, ())) & set(codes):
            codes = (*codes, one)
    return codes


def diagnose_hidden(failure: Failure) -> tuple[str, ...]:
    """Return the codes of an answer that fails on a hidden case only: that it does, then what it broke.

    Numbers are not compared: outcomes of known wrong answers are stored for visible cases only, and all of
    them fail there.
    """
    return (FITTED,) if failure.code == "unrecognized" else (FITTED, failure.code)
