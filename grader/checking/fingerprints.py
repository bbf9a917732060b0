"""Recognize families of mistakes, and two mistakes at once, by fingerprints of what such answers return.

A fingerprint of a result holds, for each case, its shape, two sums of its numbers with fixed weights, and one
such sum of where it is NaN or infinite. Two results with equal fingerprints on all cases are equal, apart
from rounding and unlikely collisions.
"""

from zlib import crc32

import torch

from grader.checking.observation import Observation
from grader.references import Fingerprints

# Tolerance between two fingerprints, relative to the size of the numbers.
TOLERANCE = 1e-4
# Shape and type of what came back, two weighted sums, a weighted sum of what is not finite, and the size.
FIELDS = 5
# Irrational: weights of consecutive numbers come from their multiples, and never repeat.
STEPS = (0.6180339887498949, 0.41421356237309515, 0.7320508075688772)
# As many whole numbers as float32 holds exactly.
WHOLE = 2**24


def told_by(known: Fingerprints, own: torch.Tensor) -> tuple[tuple[str, ...], bool]:
    """Return the codes of the answer with these fingerprints (cases, ``FIELDS``); none if there is none.

    Also returns whether these are all its mistakes. If several answers match, their common codes.
    """
    if own.shape != known.prints.shape[1:]:
        return (), False
    places = same_prints(known.prints, own).nonzero().flatten().tolist()
    found = [known.codes[place] for place in places]
    common = tuple(code for code in found[0] if all(code in one for one in found)) if found else ()
    return common, any(known.whole[place] and known.codes[place] == common for place in places)


def same_prints(prints: torch.Tensor, one: torch.Tensor, margin: float = 1.0) -> torch.Tensor:
    """Return for each of n fingerprints (n, cases, ``FIELDS``) whether it equals this one."""
    same = _same_on_all(prints[:, :1], one[:1], margin)
    places = same.nonzero().flatten()  # mostly few: thousands differ on the first case
    same[places] = _same_on_all(prints[places], one, margin)
    return same


def _same_on_all(prints: torch.Tensor, one: torch.Tensor, margin: float) -> torch.Tensor:
    far = (prints[..., 1:4] - one[..., 1:4]).abs()
    near = far <= margin * TOLERANCE * torch.maximum(prints[..., 4:], one[..., 4:])
    return ((prints[..., 0] == one[..., 0]) & near.all(dim=-1)).all(dim=-1)


def print_of(observations: tuple[Observation, ...]) -> torch.Tensor:
    """Return the fingerprints (cases, ``FIELDS``) of what was seen on some cases."""
    return torch.stack([_print_of_case(seen) for seen in observations])


def _print_of_case(seen: Observation) -> torch.Tensor:
    if seen.raised:
        return torch.tensor([float(crc32(seen.raised.type_name.encode()) % WHOLE), 0.0, 0.0, 0.0, 0.0])
    results = sorted(seen.of_role("result").items())
    shapes = repr([(name, tuple(tensor.shape), tensor.is_complex()) for name, tensor in results])
    numbers = _numbers([tensor for _, tensor in results if not tensor.is_complex()])
    finite = numbers.nan_to_num(0.0, 0.0, 0.0)
    special = numbers.isnan() + 2.0 * (numbers == torch.inf) + 3.0 * (numbers == -torch.inf)
    parts = zip(STEPS, (finite, finite, special), strict=True)
    sums = [float((_weights(len(numbers), step) * part).sum()) for step, part in parts]
    size = float(finite.norm() + special.norm())
    return torch.tensor([float(crc32(shapes.encode()) % WHOLE), *sums, size], dtype=torch.float32)


def _numbers(tensors: list[torch.Tensor]) -> torch.Tensor:
    if not tensors:
        return torch.zeros(0, dtype=torch.float64)
    return torch.cat([tensor.double().flatten() for tensor in tensors])


def _weights(count: int, step: float) -> torch.Tensor:
    """Return numbers between -1 and 1, the same on every machine."""
    return 2.0 * torch.frac(torch.arange(1, count + 1, dtype=torch.float64) * step) - 1.0
