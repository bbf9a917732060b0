"""Did the weights come from the seed, drawn as asked and in the order asked?

A uniform draw takes one number of the generator's stream for each element, so weights drawn uniformly can be
found again in the stream of their seed: first the block of the query, later that of the key, then that of
the value. Other draws between them only leave gaps, and do no harm. What is compared is this machine's own
stream with this machine's own draw, so nothing here depends on how another platform draws.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import torch

# Length of the searched stream: enough for a constructor that draws other parameters first.
STREAM_LENGTH = 2**18
# Most constructors draw nothing else, so this part is searched first.
NEAR = 1024
# A shorter block could be found in the stream by chance.
FEWEST = 4
TOLERANCE = 2e-6


def _from_linear(weight: torch.Tensor) -> torch.Tensor:
    """Undo ``nn.Linear``'s initialization: uniform in +-1/sqrt(d_in) for a weight (d_out, d_in)."""
    bound = weight.shape[1] ** -0.5
    return (weight + bound) / (2 * bound)


# How to get back from a weight to the uniform numbers in [0, 1) that it was made of.
INVERSES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "uniform": lambda weight: weight,
    "linear": _from_linear,
}


@lru_cache(maxsize=8)
def stream_of(seed: int) -> torch.Tensor:
    """Return the first uniform numbers that the CPU generator gives after ``torch.manual_seed(seed)``."""
    generator = torch.Generator("cpu").manual_seed(seed)
    return torch.rand(STREAM_LENGTH, generator=generator, device="cpu")


def _is_at(place: int, block: torch.Tensor, stream: torch.Tensor) -> bool:
    found = stream[place : place + len(block)]
    return len(found) == len(block) and float((found - block).abs().max()) <= TOLERANCE


def _place(block: torch.Tensor, stream: torch.Tensor, likely: int) -> int | None:
    """Return where a block of numbers begins in the stream, if it is there; near its beginning, mostly."""
    if _is_at(likely, block, stream):
        return likely
    for begin, end in ((0, NEAR), (NEAR, len(stream) - len(block) + 1)):
        for place in ((stream[begin:end] - block[0]).abs() <= TOLERANCE).nonzero().flatten().tolist():
            if _is_at(begin + place, block, stream):
                return begin + place
    return None


def positions(weights: Sequence[torch.Tensor], seed: int, drawn_by: str) -> list[int | None]:
    """Return where in the seed's stream each weight begins; None for one that is not in it.

    Args:
        weights: as constructed, on the CPU.
        seed: given to ``torch.manual_seed`` before the construction.
        drawn_by: a key of ``INVERSES``.
    """
    blocks = [INVERSES[drawn_by](weight.float()).flatten() for weight in weights]  # some may be of bool
    stream, places, likely = stream_of(seed), [], 0
    for block in blocks:
        place = _place(block, stream, likely)
        likely = 0 if place is None else place + len(block)
        places.append(place)
    return places


def order_code(weights: Sequence[torch.Tensor], seed: int, drawn_by: str) -> str:
    """Return the code of what is wrong with how weights were drawn, or an empty string.

    Weights of fewer than ``FEWEST`` numbers are not judged.
    """
    if min(weight.numel() for weight in weights) < FEWEST:
        return ""
    numbers = tuple((tuple(weight.shape), weight.float().numpy().tobytes()) for weight in weights)
    return _order_code(numbers, seed, drawn_by)


@lru_cache(maxsize=1024)  # most of a class draw the same
def _order_code(numbers: tuple[tuple[tuple[int, ...], bytes], ...], seed: int, drawn_by: str) -> str:
    arrays = [np.frombuffer(one, np.float32).reshape(shape).copy() for shape, one in numbers]
    weights = [torch.from_numpy(one) for one in arrays]
    found = positions(weights, seed, drawn_by)
    if None in found or len(set(found)) < len(found):
        return "wrong-initialisation"
    return "" if found == sorted(found) else "creation-order"
