"""Fingerprints of results: the same for the same numbers, and for nothing else."""

import torch

from grader.checking.fingerprints import FIELDS, print_of, same_prints, told_by
from grader.checking.observation import Kind, LearnerError, Observation
from grader.references.store import Fingerprints


def test_fingerprints_tell_numbers_shapes_and_what_is_not_finite() -> None:
    """Any change is seen; the last digits are not."""

    def of(result: torch.Tensor | None = None, error: str = "") -> torch.Tensor:
        raised = LearnerError(error, "") if error else None
        tensors = {} if result is None else {"result": result}
        kinds = {} if result is not None else {"result": Kind("list")}
        return print_of((Observation("one", tensors, {}, kinds, raised=raised),))

    x = torch.tensor([[1.0, -2.0, 3.0], [0.5, 0.0, -torch.inf]])
    others = [
        of(x.T),
        of(x.flip(0)),
        of(x.nan_to_num(neginf=0.0)),
        of(x.masked_fill(x == -torch.inf, torch.nan)),
        of(x * 1.01),
        of(error="ValueError"),
        of(error="TypeError"),
        of(),
    ]
    assert others[0].shape == (1, FIELDS)
    assert same_prints(torch.stack([of(x), of(x * (1 + 1e-6))]), of(x)).all()
    assert not same_prints(torch.stack(others), of(x)).any()


def test_one_case_that_differs_is_enough() -> None:
    """Fingerprints are the same only if they are so on every case, the first and the last."""
    one = torch.arange(3.0 * FIELDS).reshape(3, FIELDS)
    others = one.repeat(4, 1, 1)
    for case in range(3):
        others[case, case, 1] += 1.0
    assert same_prints(others, one).tolist() == [False, False, False, True]
    assert same_prints(others[:0], one).tolist() == []


def test_where_several_fit_what_they_share_is_told() -> None:
    """One code of two pairs is told, and that it is not all; of answers that share nothing, nothing."""
    one = torch.zeros(1, FIELDS)
    prints = torch.stack([one, one])
    both = Fingerprints(("a",), prints, (("missing-scale", "no-softmax"), ("missing-scale",)), (True, False))
    assert told_by(both, one) == (("missing-scale",), False)
    alone = Fingerprints(("a",), prints, (("missing-scale",), ("missing-scale",)), (True, False))
    assert told_by(alone, one) == (("missing-scale",), True)
    other = Fingerprints(("a",), prints, (("missing-scale",), ("no-softmax",)), (True, True))
    assert told_by(other, one) == ((), False)
