"""The outcome of an answer: its results as a short text, to find equal answers without running them.

Two answers have the same outcome if they have the same diagnosis and gave the same results on every case.
Equal answers may be written differently and differ in the last digits, so numbers are compared to four
digits.
"""

import hashlib
import json
import math

import torch

from grader.checking.observation import Attempt, Observation

# Step size for comparing numbers: rounding differences are far smaller, those between answers larger.
STEP = 1e-4


def outcome_of(diagnosis: tuple[str, ...], attempt: Attempt) -> str:
    """Return the outcome of an answer; empty if it gave no result that could be compared.

    Args:
        diagnosis: the codes of its verdict.
        attempt: its run on all cases.
    """
    seen = attempt.observations
    if attempt.problem or not any(one.of_role("result") for one in seen):
        return ""
    hidden = attempt.hidden_problem.code if attempt.hidden_problem else ""
    facts = [diagnosis, hidden, [_facts(one) for one in seen]]
    digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]
    measures = [number for one in seen for tensor in _results(one).values() for number in _measures(tensor)]
    return f"{digest}:{','.join(map(str, measures))}"


def same_outcome(one: str, other: str) -> bool:
    """Return whether two outcomes are equal; an empty one equals none."""
    (digest, _, numbers), (other_digest, _, other_numbers) = one.partition(":"), other.partition(":")
    if not one or digest != other_digest:
        return False
    pairs = zip(_parsed(numbers), _parsed(other_numbers), strict=True)
    return all(abs(number - another) <= 1 for number, another in pairs)


def is_outcome(text: str) -> bool:
    """Return whether a text is one that ``outcome_of`` may have given."""
    digest, _, numbers = text.partition(":")
    signed = (number.removeprefix("-") for number in numbers.split(",") if numbers)
    return len(digest) == 16 and digest.isalnum() and all(one.isdecimal() for one in signed)


def _parsed(numbers: str) -> list[int]:
    return [int(number) for number in numbers.split(",")] if numbers else []


def _results(seen: Observation) -> dict[str, torch.Tensor]:
    return dict(sorted(seen.of_role("result").items()))


def _facts(seen: Observation) -> list[object]:
    """Return what must be exactly equal in a case: everything but finite numbers."""
    results = [
        [name, list(tensor.shape), str(tensor.dtype), _gaps(tensor)]
        for name, tensor in _results(seen).items()
    ]
    kinds = sorted((name, kind.name, kind.form) for name, kind in seen.kinds.items())
    return [seen.case, seen.raised.type_name if seen.raised else "", kinds, results]


def _gaps(tensor: torch.Tensor) -> str:
    """Return the positions of NaN and infinities in a tensor; empty if it has none."""
    values = _values(tensor)
    if bool(values.isfinite().all()):
        return ""
    kinds = values.isnan().byte() + 2 * values.isposinf().byte() + 3 * values.isneginf().byte()
    return hashlib.sha256(bytes(kinds.tolist())).hexdigest()


def _values(tensor: torch.Tensor) -> torch.Tensor:
    real = torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
    return real.reshape(-1).to(torch.float64)


def _measures(tensor: torch.Tensor) -> tuple[int, int]:
    """Return how large a tensor's numbers are, and a weighted sum of them, both in steps."""
    values = torch.nan_to_num(_values(tensor), nan=0.0, posinf=0.0, neginf=0.0)
    size = float(values.norm())
    if size == 0.0 or not math.isfinite(size):
        return 0, 0
    # The fractional parts of the multiples of the golden ratio: no two positions have equal weight.
    places = torch.arange(1, values.numel() + 1, dtype=torch.float64)
    weights = (places * (math.sqrt(5) - 1) / 2) % 1 - 0.5
    return round(math.log(size) / STEP), round(float(weights @ values) / size / STEP)
