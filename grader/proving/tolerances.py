"""Tolerances from an analysis of rounding errors: how far a right answer can be from the float64 oracle.

Each correct variant runs as it is and, several times, under random rounding on inputs that are moved to their
neighbors (``grader/proving/rounding.py``). The largest error of all these runs is the budget. It depends on
the case, not on how this processor rounds: scores in the hundreds make it large, a projection small.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from zlib import crc32

import torch

from grader.checking.device import DEVICES
from grader.checking.observation import Observation
from grader.errors import BankError
from grader.exercises import Exercise
from grader.exercises.case import Case
from grader.proving.bank import Answer
from grader.proving.recipe import Solved
from grader.proving.rounding import moved
from grader.proving.trial import attempt_answer
from grader.references import Expected

# Runs of each correct variant under random rounding, on moved inputs; half of them with another softmax.
DRAWS = 8
# In up to 50 further draws of every variant of nine exercises (softmax, modules, a whole model), inputs not
# moved, no tensor above the floor was off by more than 2.1 times the largest error of three draws or more.
# With two draws one was, 230 times. Twice as much again is for what is not in the bank.
CPU_FACTOR = 4.0
# A GPU's functions and orders are among what is drawn, with TF32 off. On an H200 no tensor of a correct
# variant was further off than a quarter of the CPU's tolerance; twice that is for other GPUs.
CUDA_FACTOR = 8.0
# Never below a few units in the last place of 1, or of the largest value if that is more.
FLOOR_ULPS = 16.0
# What is computed in float64 is not rounded at random. No known mistake is as small as this, and float32 has
# 2**29 such units in one of its own.
DOUBLE_FLOOR_ULPS = 2.0**16
# A correct variant's result, as it is, is never further from the oracle than this share of its largest value.
MAX_ERROR = 1e-4
# Wrong results that are closer to each other than this many tolerances could be confused on another machine.
MARGIN = 10.0
# Under which a tensor of float64 has the tolerance that it would have in float32.
SINGLE = "single"
# Roles of tensors that are not computed, and so must match exactly.
GIVEN = ("argument", "parameter")
CPU = torch.device("cpu")
REASON = (
    "largest error of the bank's correct variants against the float64 oracle, as they are and in "
    f"{DRAWS} runs each with every operation rounded at random and inputs moved to their neighbours, "
    f"times {CPU_FACTOR:g} on the CPU and {CUDA_FACTOR:g} on CUDA, at least {FLOOR_ULPS:g} units in the last "
    "place (of float64: 2**16) of 1 or of the largest value"
)

Errors = dict[tuple[str, str], float]


def measured_errors(exercise: Exercise, correct: Sequence[Answer], solved: Sequence[Solved]) -> Errors:
    """Return the largest error of any run of any correct variant, by case and tensor.

    Raises:
        BankError: a variant does not run, or returns other tensors than the oracle.
    """
    cases = tuple(item.case for item in solved)
    errors: Errors = {}
    for answer in correct:
        plain = _run(exercise, answer, cases)
        expect_agreement(exercise, answer, solved, plain)
        for item, seen in zip(solved, plain, strict=True):
            _check(exercise, answer, item, seen)
            if not _loses_digits(answer, item):
                _take_errors(errors, item, seen)
        for observations in _drawn_runs(exercise, answer, cases):
            for item, seen in zip(solved, observations, strict=True):
                if not _loses_digits(answer, item):
                    _take_errors(errors, item, seen, GIVEN)
    for (case, name), error in errors.items():
        if math.isinf(error):
            raise BankError(f"{exercise.id}: case {case!r}: a correct variant's {name} is not finite.")
    return errors


def _loses_digits(answer: Answer, item: Solved) -> bool:
    """Return whether a variant declares that it computes a float64 case in float32."""
    return "precision-lost" in answer.remarks and item.case.dtype == torch.float64


def single_errors(exercise: Exercise, correct: Sequence[Answer], solved: Sequence[Solved]) -> Errors:
    """Return the errors that the cases in float64 would have in float32; of arrays there are none.

    What float32 cannot hold has none either.
    """
    doubles = [item for item in solved if item.case.dtype == torch.float64 and not item.raises]
    if exercise.works_on != "tensors" or not doubles:
        return {}
    cases = tuple(item.case.with_numbers(_single) for item in doubles)
    errors: Errors = {}
    for answer in correct:
        for observations in _drawn_runs(exercise, answer, cases):
            for item, seen in zip(doubles, observations, strict=True):
                _take_errors(errors, item, seen, GIVEN)
    return {place: error for place, error in errors.items() if math.isfinite(error)}


def _single(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.float() if tensor.is_floating_point() else tensor


def _drawn_runs(
    exercise: Exercise, answer: Answer, cases: tuple[Case, ...]
) -> Iterable[tuple[Observation, ...]]:
    """Run a variant under random rounding, on moved inputs, every other time with another softmax.

    The draws are the same in every build.
    """
    for draw in range(DRAWS):
        seed = seed_of(exercise, answer, draw)
        near = tuple(moved(case, seed) for case in cases)
        yield _run(exercise, answer, near, seed, rearranged=draw % 2 == 1)


def seed_of(exercise: Exercise, answer: Answer, draw: int) -> int:
    """Return a seed that is the same on every machine."""
    return crc32(f"{exercise.id} {answer.name} {draw}".encode())


def _run(
    exercise: Exercise,
    answer: Answer,
    cases: tuple[Case, ...],
    rounding: int | None = None,
    rearranged: bool = False,
) -> tuple[Observation, ...]:
    made = attempt_answer(exercise, answer, cases, CPU, rounding=rounding, rearranged=rearranged)
    if made.problem:
        raise BankError(f"{_variant(exercise, answer)}: {made.problem.message}")
    return made.observations


def _take_errors(errors: Errors, item: Solved, seen: Observation, but: Sequence[str] = ()) -> None:
    """Keep the errors of a run where they are the largest so far; what is missing has none.

    A gradient that is missing where the oracle's is zero is one of zeros.
    """
    for name, values in item.expected.items():
        got = seen.tensors.get(name)
        if got is None and _may_be_missing(item, name):
            got = torch.zeros_like(values)
        if got is None or got.shape != values.shape or name.split("/")[0] in but:
            continue
        place, error = (item.case.name, name), largest_difference(got, values)
        errors[place] = max(errors.get(place, 0.0), math.inf if math.isnan(error) else error)


def expect_agreement(
    exercise: Exercise, answer: Answer, solved: Sequence[Solved], plain: Sequence[Observation]
) -> None:
    """Compare all that a variant computes besides its results: gradients, second calls, results in training.

    Large scores may leave no digit of a gradient in one case. What is nowhere near the oracle's is another
    formula, and its difference would become a tolerance under which wrong answers pass.

    Raises:
        BankError: a tensor differs from the oracle's in every case that has it.
    """
    nearest: dict[str, float] = {}
    for item, seen in zip(solved, plain, strict=True):
        for name, values in item.expected.items():
            got = seen.tensors.get(name)
            if got is None or got.shape != values.shape or not values.is_floating_point():
                continue
            share = largest_difference(got, values) / max(1.0, largest(values))
            nearest[name] = min(nearest.get(name, math.inf), math.inf if math.isnan(share) else share)
    for name, share in nearest.items():
        if share > MAX_ERROR:
            raise BankError(
                f"{_variant(exercise, answer)}: {name} is another one than the oracle's in "
                f"every case (by {share:.1e} of its largest value, or more). The oracle in reference.py and "
                "the variant are two formulas, or give their results in another order: mend one of them."
            )


def _variant(exercise: Exercise, answer: Answer) -> str:
    """Return how an error names a correct variant: with its place in the bank."""
    return f"{answer.place}{exercise.id}: correct variant {answer.name!r}"


def _check(exercise: Exercise, answer: Answer, item: Solved, seen: Observation) -> None:
    """Raise ``BankError`` where a variant, as it is, does not do what the oracle says."""
    variant = _variant(exercise, answer)
    if seen.raised and not item.raises:
        raise BankError(f"{variant} raised on case {item.case.name!r}: {seen.raised.as_message()}")
    for name, values in item.expected.items():
        got = seen.tensors.get(name)
        if got is None and _may_be_missing(item, name):
            continue
        if got is None and name.split("/")[0] == "gradient":
            raise BankError(
                f"{variant}, case {item.case.name!r}: no gradient reaches {name.partition('/')[2]}; the "
                f"oracle's is as large as {largest(values):.1e}. One of the two cuts it off, or adds to it."
            )
        if got is None or got.shape != values.shape:
            raise BankError(
                f"{variant}, case {item.case.name!r}: {name} is "
                f"{'missing' if got is None else tuple(got.shape)}, expected {tuple(values.shape)}."
            )
        if got.dtype != values.dtype and not (got.is_floating_point() and values.is_floating_point()):
            raise BankError(
                f"{variant}, case {item.case.name!r}: {name} is of {got.dtype}; the oracle in reference.py "
                f"returns {values.dtype}. Whole numbers and bools have to be of the oracle's own dtype: mend "
                "the one that is wrong."
            )
        error = largest_difference(got, values)
        most = MAX_ERROR * largest(values)
        if name.split("/")[0] == "result" and not error <= most:
            raise BankError(
                f"{variant}, case {item.case.name!r}: {name} is {error:.1e} away from the oracle, whose "
                f"largest number is {largest(values):.1e}; {most:.1e} is allowed. Mend what is wrong. "
                "If both are right, the result is what is left of larger numbers: pose a case in which it is "
                "not nearly 0."
            )


def _may_be_missing(item: Solved, name: str) -> bool:
    """Return whether a tensor is a gradient of zeros, as of an argument that is only sorted or indexed by."""
    values = item.expected[name]
    if not name.startswith("gradient/") or not values.numel():
        return False
    return float(values.abs().max()) <= tolerance_of(0.0, values, item.dtype or item.case.dtype, item.floor)


def with_tolerances(
    solved: Sequence[Solved],
    errors: Mapping[tuple[str, str], float],
    single: Mapping[tuple[str, str], float] | None = None,
) -> dict[str, dict[str, Expected]]:
    """Return every expected tensor with its tolerance per device.

    Args:
        solved: cases with what is expected.
        errors: as measured, by case and tensor.
        single: of cases in float64, those that they would have in float32: the tolerance ``single``.
    """
    expected: dict[str, dict[str, Expected]] = {}
    for item in solved:
        expected[item.case.name] = {}
        for name, values in item.expected.items():
            if not values.is_floating_point():
                expected[item.case.name][name] = Expected(values, values.dtype, dict.fromkeys(DEVICES, 0.0))
                continue
            place, dtype = (item.case.name, name), item.dtype or item.case.dtype
            budget = tolerance_of(errors[place], values, dtype, item.floor)
            tolerance = {"cpu": budget, "cuda": float(f"{CUDA_FACTOR / CPU_FACTOR * budget:.1e}")}
            if place in (single or {}):
                tolerance[SINGLE] = tolerance_of(single[place], values, torch.float32, item.floor)
            expected[item.case.name][name] = Expected(values, dtype, tolerance)
    return expected


def tolerance_of(error: float, values: torch.Tensor, dtype: torch.dtype, floor: float = 0.0) -> float:
    """Return the tolerance on the CPU, to two digits, of a tensor that is computed in a dtype."""
    ulps = DOUBLE_FLOOR_ULPS if dtype == torch.float64 else FLOOR_ULPS
    least = max(floor, ulps * torch.finfo(dtype).eps * max(1.0, largest(values)))
    return float(f"{max(CPU_FACTOR * error, least):.1e}")


def largest(values: torch.Tensor) -> float:
    """Return the largest finite magnitude in a tensor; 1 if there is none."""
    finite = values[values.isfinite()].double().abs()
    return float(finite.max()) if finite.numel() else 1.0


def largest_difference(got: torch.Tensor, values: torch.Tensor) -> float:
    """Return the largest difference of two tensors of one shape; an infinity only agrees with itself."""
    difference = torch.where(got == values, 0.0, (got.double() - values.double()).abs())
    return float(difference.max()) if difference.numel() else 0.0
