"""Choose the case on which a wrong answer is traced."""

from collections.abc import Sequence

import torch

from grader.checking.diagnosis import is_right
from grader.checking.observation import Attempt
from grader.checking.steps.matching import CLOSE
from grader.exercises.case import Case
from grader.references import ExerciseReference
from grader.references.steps import Step


def case_to_trace(reference: ExerciseReference, attempt: Attempt, device: str) -> Case | None:
    """Return the most informative of the cases whose results are wrong; None if there is none.

    Cases with a result are more informative than cases that raised, unless their steps are too similar, as
    with a single token.

    Args:
        reference: the exercise's.
        attempt: its run on the visible cases.
        device: the type of the device whose tolerances count.
    """
    seen = {one.case: one for one in attempt.observations}
    wrong = [
        case
        for case in reference.visible
        if case.name in reference.steps
        and case.name in seen
        and not is_right(seen[case.name], reference.expected[case.name], device)
    ]
    ended = [case for case in wrong if not seen[case.name].raised]
    telling_apart = [case for case in ended if not _tells_little(case, reference.steps[case.name])]
    some = telling_apart or [case for case in wrong if not _tells_little(case, reference.steps[case.name])]
    return _most_telling(reference, some or ended or wrong) if wrong else None


def most_telling(reference: ExerciseReference) -> Case:
    """Return the case that tells most of all that have steps."""
    return _most_telling(reference, [case for case in reference.visible if case.name in reference.steps])


def _most_telling(reference: ExerciseReference, cases: Sequence[Case]) -> Case:
    return min(cases, key=lambda case: telling(case, reference.steps[case.name]))


def _tells_little(case: Case, steps: Sequence[Step]) -> bool:
    """Return whether an axis has size 1, or a step's numbers are all tiny: then different ones may be equal.

    Of x far below 0, exponential and sigmoid are one number.
    """
    tensors = (*case.arguments.values(), *(step.values for step in steps))
    return any(
        1 in one.shape or 0.0 < float(one.double().abs().max()) < CLOSE for one in tensors if one.numel()
    )


def _is_alike(tensor: torch.Tensor) -> bool:
    """Return whether all numbers, or all rows and columns, are equal: then a mistake may be invisible."""
    if tensor.numel() < 2:
        return False
    turned = tensor.dim() > 1 and tensor.shape[-1] == tensor.shape[-2] and torch.equal(tensor, tensor.mT)
    return turned or bool((tensor == tensor.flatten()[0]).all())


def telling(case: Case, steps: Sequence[Step]) -> tuple:
    """Return a sort key, least informative last: few steps, axes of size 1, equal numbers, float64."""
    alike = any(map(_is_alike, case.arguments.values()))
    numbers = sum(one.values.numel() for one in steps)
    sizes = {size for step in steps for size in step.values.shape}
    return -len(steps), _tells_little(case, steps), alike, case.dtype != torch.float32, -len(sizes), numbers
