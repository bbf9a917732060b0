"""Did the weights come from the seed, drawn as asked and in the order asked?

A uniform draw takes one number of the generator's stream for each element, so weights drawn uniformly can be
found again in the stream of their seed: first the block of the query, later that of the key, then that of
the value. Other draws between them only leave gaps, and do no harm. What is compared is this machine's own
stream with this machine's own draw, so nothing here depends on how another platform draws.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import torch

# Numbers of the stream that are searched, besides those of the weights themselves.
STREAM_LENGTH = 4096
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


def stream_of(seed: int, length: int) -> torch.Tensor:
    """Return the first uniform numbers that the CPU generator gives after ``torch.manual_seed(seed)``."""
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(length, generator=generator)


def positions(weights: Sequence[torch.Tensor], seed: int, drawn_by: str) -> list[int | None]:
    """Return where in the seed's stream each weight begins; None for one that is not in it.

    Args:
        weights: as constructed, float32 on the CPU.
        seed: given to ``torch.manual_seed`` before the construction.
        drawn_by: a key of ``INVERSES``.
    """
    stream = stream_of(seed, STREAM_LENGTH + sum(weight.numel() for weight in weights))
    found: list[int | None] = []
    for weight in weights:
        block = INVERSES[drawn_by](weight).flatten()
        distance = (stream.unfold(0, block.numel(), 1) - block).abs().amax(dim=1)
        place = int(distance.argmin())
        found.append(place if float(distance[place]) <= TOLERANCE else None)
    return found


def order_code(weights: Sequence[torch.Tensor], seed: int, drawn_by: str) -> str:
    """Return the code of what is wrong with how weights were drawn, or an empty string."""
    found = positions(weights, seed, drawn_by)
    if None in found:
        return "wrong-initialisation"
    return "" if all(a < b for a, b in pairwise(found)) else "creation-order"
