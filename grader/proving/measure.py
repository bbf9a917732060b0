"""Tolerances from measured errors: how far correct variants are from the float64 oracle."""

from collections.abc import Mapping

import torch

from grader.errors import BankError
from grader.exercises import Exercise
from grader.proving.bank import Answer
from grader.proving.recipe import Solved
from grader.proving.trial import attempt_answer
from grader.references import Expected

# Another CPU, BLAS or thread count adds in another order; so may a learner's own arrangement of the formula.
CPU_FACTOR = 16.0
# A GPU adds in larger blocks; with TF32 off its error is of the same order.
CUDA_FACTOR = 64.0
# Never below a few units in the last place of 1, or of the largest value if that is more.
FLOOR_ULPS = 16.0
# A correct variant's result is never further from the oracle than this share of its largest value.
MAX_ERROR = 1e-4
DEVICES = ("cpu", "cuda")
REASON = (
    "largest error of the bank's correct variants against the float64 oracle, "
    f"times {CPU_FACTOR:g} on the CPU and {CUDA_FACTOR:g} on CUDA, "
    f"at least {FLOOR_ULPS:g} units in the last place of 1 or of the largest value"
)


def measured_errors(
    exercise: Exercise, correct: list[Answer], solved: list[Solved]
) -> dict[tuple[str, str], float]:
    """Return the largest error of any correct variant, by case and tensor.

    Raises:
        BankError: a variant does not run, or returns other tensors than the oracle.
    """
    cases = tuple(item.case for item in solved)
    errors: dict[tuple[str, str], float] = {}
    for answer in correct:
        made = attempt_answer(exercise, answer, cases, torch.device("cpu"))
        if made.problem:
            raise BankError(f"{exercise.id}: correct variant {answer.name!r}: {made.problem.sentence}")
        for item, seen in zip(solved, made.observations, strict=True):
            if seen.raised and not item.raises:
                raise BankError(
                    f"{exercise.id}: correct variant {answer.name!r} raised {seen.raised.type_name} on case "
                    f"{item.case.name!r}: {seen.raised.message} {seen.raised.where}"
                )
            for name, values in item.expected.items():
                got = seen.tensors.get(name)
                if got is None or got.shape != values.shape:
                    raise BankError(
                        f"{exercise.id}: correct variant {answer.name!r}, case {item.case.name!r}: {name} is "
                        f"{'missing' if got is None else tuple(got.shape)}, expected {tuple(values.shape)}."
                    )
                error = largest_difference(got, values)
                if name.split("/")[0] == "result" and not error <= MAX_ERROR * largest(values):
                    raise BankError(
                        f"{exercise.id}: correct variant {answer.name!r}, case {item.case.name!r}: {name} is "
                        f"{error:.1e} away from the oracle."
                    )
                errors[item.case.name, name] = max(error, errors.get((item.case.name, name), 0.0))
    return errors


def with_tolerances(
    solved: list[Solved], errors: Mapping[tuple[str, str], float]
) -> dict[str, dict[str, Expected]]:
    """Return every expected tensor with its tolerance per device."""
    expected: dict[str, dict[str, Expected]] = {}
    for item in solved:
        expected[item.case.name] = {}
        for name, values in item.expected.items():
            if not values.is_floating_point():
                expected[item.case.name][name] = Expected(values, values.dtype, dict.fromkeys(DEVICES, 0.0))
                continue
            dtype = item.dtype or item.case.dtype
            floor = max(item.floor, FLOOR_ULPS * torch.finfo(dtype).eps * max(1.0, largest(values)))
            error = errors[item.case.name, name]
            tolerance = {
                "cpu": float(f"{max(CPU_FACTOR * error, floor):.1e}"),
                "cuda": float(f"{max(CUDA_FACTOR * error, 4 * floor):.1e}"),
            }
            expected[item.case.name][name] = Expected(values, dtype, tolerance)
    return expected


def largest(values: torch.Tensor) -> float:
    """Return the largest finite magnitude in a tensor; 1 if there is none."""
    finite = values[values.isfinite()].double().abs()
    return float(finite.max()) if finite.numel() else 1.0


def largest_difference(got: torch.Tensor, values: torch.Tensor) -> float:
    """Return the largest difference of two tensors of one shape; an infinity only agrees with itself."""
    difference = torch.where(got == values, 0.0, (got.double() - values.double()).abs())
    return float(difference.max()) if difference.numel() else 0.0
