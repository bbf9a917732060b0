"""Cases and oracle of chapter 1.

Every result is computed twice in float64, by code that the solutions do not share. The last state comes from
PyTorch's own ``nn.RNN``, through which autograd gives the gradients, and from Python numbers, one at a time.
The influence comes from the chain rule written out backwards in NumPy, and from derivatives by a complex step
(a state whose imaginary part carries the derivative), which needs no way back at all. The lookup comes from
PyTorch's own attention, and from Python numbers. Where the two disagree, there is no reference.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from grader.proving.hidden import (
    EQUAL_SIZES,
    LARGE,
    LARGER,
    OTHER_NUMBERS,
    OTHER_SIZES,
    drawn_for_grading,
    one_size,
    other_sizes,
    pose_hidden,
)
from grader.proving.posing import confirmed, drawn, pose
from grader.proving.recipe import Solved

PRODUCER = (
    "oracle: PyTorch's own functions, or the chain rule in NumPy, in float64, confirmed another way to 1e-12"
)
AXES = {
    "W_xh": ("d_in", "d_h"),
    "W_hh": ("d_h", "d_h"),
    "inputs": ("T", "d_in"),
    "query": ("d",),
    "keys": ("n", "d"),
    "values": ("n", "d_v"),
}
# So small that its square is lost in rounding: the imaginary part is the derivative, exactly.
COMPLEX_STEP = 1e-40

Rows = list[list[float]]


def last_state(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the last state (d_h,) of PyTorch's own recurrent net, as (T, d_in) goes in."""
    W_xh, W_hh, inputs = arguments.values()
    d_in, d_h = W_xh.shape
    net = nn.RNN(d_in, d_h, bias=False, dtype=torch.float64)
    given = {"weight_ih_l0": W_xh.T, "weight_hh_l0": W_hh.T}
    _, state = torch.func.functional_call(net, given, (inputs.unsqueeze(1),))
    by_hand = states_by_hand(W_xh.tolist(), W_hh.tolist(), inputs.tolist())[-1]
    return confirmed(state[0, 0], np.array(by_hand))


def states_by_hand(W_xh: Rows, W_hh: Rows, inputs: Rows) -> Rows:
    """Return all states, the zeros first, one number at a time."""
    states = [[0.0] * len(W_hh)]
    for token in inputs:
        states.append(
            [
                math.tanh(
                    math.fsum(x * row[j] for x, row in zip(token, W_xh, strict=True))
                    + math.fsum(h * row[j] for h, row in zip(states[-1], W_hh, strict=True))
                )
                for j in range(len(W_hh))
            ]
        )
    return states


def influence(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the norm of each token's gradient (T,) of the sum of the last state."""
    W_xh, W_hh, inputs = (tensor.detach().numpy() for tensor in arguments.values())
    backwards = gradient_backwards(W_xh, W_hh, inputs)
    forwards = confirmed(
        torch.from_numpy(backwards),
        gradient_by_complex_step(W_xh, W_hh, inputs),
        1e-12 * max(1.0, float(np.abs(backwards).max())),
    )
    return torch.from_numpy(np.sqrt(np.square(forwards.numpy()).sum(axis=1)))


def gradient_backwards(W_xh: np.ndarray, W_hh: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """Return the gradient (T, d_in) by the chain rule, from the last state back to the first token."""
    states = np.array(states_by_hand(W_xh.tolist(), W_hh.tolist(), inputs.tolist()))
    gradient, on_state = np.empty_like(inputs), np.ones(len(W_hh))
    for t in reversed(range(len(inputs))):
        before_tanh = on_state * (1.0 - states[t + 1] ** 2)
        gradient[t] = W_xh @ before_tanh
        on_state = W_hh @ before_tanh
    return gradient


def gradient_by_complex_step(W_xh: np.ndarray, W_hh: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """Return the gradient (T, d_in) number by number: each is moved along the imaginary axis, and read."""
    gradient = np.empty_like(inputs)
    for place in np.ndindex(*inputs.shape):
        moved = inputs.astype(complex)
        moved[place] += 1j * COMPLEX_STEP
        state = np.zeros(len(W_hh), dtype=complex)
        for token in moved:
            state = np.tanh(token @ W_xh + state @ W_hh)
        gradient[place] = state.sum().imag / COMPLEX_STEP
    return gradient


def lookup(arguments: dict, weights: dict, options: dict) -> torch.Tensor:
    """Return the mixture (d_v,) of the values; by PyTorch's own attention, without a scale."""
    query, keys, values = arguments.values()
    mixed = F.scaled_dot_product_attention(query[None, None], keys[None], values[None], scale=1.0)[0, 0]
    scores = [math.fsum(q * k for q, k in zip(query.tolist(), key, strict=True)) for key in keys.tolist()]
    powers = [math.exp(score - max(scores)) for score in scores]
    shares = [power / math.fsum(powers) for power in powers]
    by_hand = [
        math.fsum(share * row[f] for share, row in zip(shares, values.tolist(), strict=True))
        for f in range(values.shape[1])
    ]
    return confirmed(mixed, np.array(by_hand))


# (name, what it shows, T, d_in, d_h): sizes differ wherever a mistake could hide behind equal ones, and are
# equal where one only runs then.
RECURRENT_SIZES = (
    ("sizes different", "4 tokens of 3 features, a state of 5", 4, 3, 5),
    ("a small state", "6 tokens of 5 features, a state of 2", 6, 5, 2),
    ("sizes equal", "4 tokens of 4 features, a state of 4", 4, 4, 4),
    ("two tokens", "2 tokens of 4 features, a state of 3", 2, 4, 3),
    ("one token", "1 token of 3 features, a state of 4", 1, 3, 4),
    ("one feature", "5 tokens of 1 feature, a state of 3", 5, 1, 3),
    ("a state of one number", "3 tokens of 2 features, a state of 1", 3, 2, 1),
)


def recurrent(rng: np.random.Generator, tokens: int, d_in: int, d_h: int, keeps: float = 1.0) -> dict:
    """Return weights and tokens; ``keeps`` says how strongly a state acts on the next one."""
    return {
        "W_xh": drawn(rng, d_in, d_h, spread=d_in**-0.5),
        "W_hh": drawn(rng, d_h, d_h, spread=keeps * d_h**-0.5),
        "inputs": drawn(rng, tokens, d_in),
    }


def encode_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``encode``."""
    solved = [
        pose(rng, name, shows, last_state, arguments=recurrent(rng, *sizes))
        for name, shows, *sizes in RECURRENT_SIZES
    ]
    saturated = recurrent(rng, 5, 3, 4) | {"inputs": drawn(rng, 5, 3, spread=3.0)}
    return [
        *solved,
        pose(
            rng,
            "large features",
            "some features so large that tanh is near 1 or -1",
            last_state,
            arguments=saturated,
        ),
    ]


def influence_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``influence``. It measures: nothing is asked to learn through it."""
    posed = [(name, shows, recurrent(rng, *sizes)) for name, shows, *sizes in RECURRENT_SIZES]
    # So small that no tanh bends: the gradient of the first token is in the hundreds.
    growing = recurrent(rng, 6, 3, 4, keeps=8.0)
    growing["inputs"] *= 1e-6
    posed += [
        ("a strong state", "the gradient grows on its way back", growing),
        ("a weak state", "the gradient fades on its way back", recurrent(rng, 6, 3, 4, keeps=0.3)),
    ]
    return [
        pose(rng, name, shows, influence, arguments=arguments, differentiable=False, again=True)
        for name, shows, arguments in posed
    ]


# A right answer may subtract the logarithm of the sum, which float32 rounds to 1/16384 near 1000.
BY_LOGARITHMS = 2e-4


# Numbers that a product with whole numbers does not round.
POWERS = (-4.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 4.0)


def at_levels(rng: np.random.Generator, levels: list[float], d_v: int) -> dict[str, torch.Tensor]:
    """Return a query and keys of 3 features, whose scores are these without rounding, and values."""
    query = torch.tensor([8.0, *rng.choice(POWERS, 2)], dtype=torch.float32)
    keys = drawn(rng, len(levels), 3).mul(2.0).round()
    keys[:, 0] = (torch.tensor(levels) - keys[:, 1:] @ query[1:]) / query[0]
    return {"query": query, "keys": keys, "values": drawn(rng, len(levels), d_v)}


def lookup_cases(rng: np.random.Generator) -> list[Solved]:
    """Return the cases of ``soft_lookup``."""
    solved = []
    for name, shows, n, d, d_v in (
        ("sizes different", "5 keys of 3 features, values of 2", 5, 3, 2),
        ("sizes equal", "4 keys of 4 features, values of 4", 4, 4, 4),
        ("as many keys as features", "3 keys of 3 features, values of 5", 3, 3, 5),
        ("as many keys as numbers in a value", "4 keys of 2 features, values of 4", 4, 2, 4),
        ("values as wide as keys", "6 keys of 3 features, values of 3", 6, 3, 3),
        ("one key", "1 key of 4 features: its value comes back", 1, 4, 3),
        ("values of one number", "4 keys of 3 features, values of 1", 4, 3, 1),
        ("one feature", "4 keys of 1 feature, values of 2", 4, 1, 2),
    ):
        given = {"query": drawn(rng, d), "keys": drawn(rng, n, d), "values": drawn(rng, n, d_v)}
        solved.append(pose(rng, name, shows, lookup, arguments=given))
    for name, shows, levels in (
        ("large scores", "scores near 1000", [999.0, 1000.0, 998.5, 1000.0]),
        ("low scores", "scores near -1000", [-1000.0, -999.0, -1000.0, -998.5]),
        (
            "scores far apart",
            "from -1000 to 1000, the first the largest",
            [1000.0, -1000.0, 0.0, -900.0],
        ),
        (
            "the largest last",
            "from -1000 to 1000, the last the largest",
            [-1000.0, 0.0, -500.0, 1000.0],
        ),
    ):
        given = at_levels(rng, levels, d_v=2)
        solved.append(pose(rng, name, shows, lookup, arguments=given, floor=BY_LOGARITHMS))
    given = {"query": drawn(rng, 2), "keys": drawn(rng, 3, 2), "values": drawn(rng, 3, 4, spread=30.0)}
    shows = "3 keys, large values in float64"
    double = pose(rng, "float64", shows, lookup, arguments=given, dtype=torch.float64)
    return [*solved, double]


def solved_cases(seed: int) -> dict[str, list[Solved]]:
    """Return every exercise's cases, drawn from ``seed``, with the oracle's answers."""
    makers = {
        "ch01-encode": encode_cases,
        "ch01-influence": influence_cases,
        "ch01-soft-lookup": lookup_cases,
    }
    return {
        name: make(np.random.default_rng([seed, number]))
        for number, (name, make) in enumerate(makers.items())
    }


# --- What only grading uses ---------------------------------------------------------------------------------


def hidden_sizes(rng: np.random.Generator) -> dict[str, list[int]]:
    """Return T, d_in and d_h of each hidden case of a recurrent net, by its name."""
    size = one_size(rng)
    return {
        OTHER_NUMBERS: [4, 3, 5],
        OTHER_SIZES: other_sizes(rng, 3),
        EQUAL_SIZES: [size] * 3,
        LARGER: [one_size(rng, 17, 21), *other_sizes(rng, 2, 2, 4)],
    }


def hidden_recurrent(rng: np.random.Generator, name: str, sizes: list[int]) -> dict:
    """Return weights and tokens; of many tokens all count, for the state turns and does not fade."""
    given = recurrent(rng, *sizes)
    if name == LARGER:
        width = sizes[-1]
        given["W_hh"] = torch.eye(width).roll(1, dims=0) + drawn(rng, width, width, spread=0.05)
        given["inputs"] *= 0.1
    return given


def hidden_encode(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``encode``."""
    return [
        pose_hidden(rng, name, last_state, arguments=hidden_recurrent(rng, name, sizes))
        for name, sizes in hidden_sizes(rng).items()
    ]


def hidden_influence(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``influence``."""
    return [
        pose_hidden(
            rng,
            name,
            influence,
            arguments=hidden_recurrent(rng, name, sizes),
            differentiable=False,
            again=True,
        )
        for name, sizes in hidden_sizes(rng).items()
    ]


def hidden_lookup(rng: np.random.Generator) -> list[Solved]:
    """Return the hidden cases of ``soft_lookup``."""
    size = one_size(rng, 5, 8)
    sizes = {OTHER_NUMBERS: [5, 3, 2], OTHER_SIZES: other_sizes(rng, 3, 17, 21), EQUAL_SIZES: [size] * 3}
    solved = []
    for name, (n, d, d_v) in sizes.items():
        given = {"query": drawn(rng, d), "keys": drawn(rng, n, d), "values": drawn(rng, n, d_v)}
        solved.append(pose_hidden(rng, name, lookup, arguments=given))
    given = at_levels(rng, rng.uniform(-1000.0, 1000.0, size).round().tolist(), d_v=3)
    return [*solved, pose_hidden(rng, LARGE, lookup, arguments=given, floor=BY_LOGARITHMS)]


def grading_cases(seed: int) -> dict[str, list[Solved]]:
    """Return the cases that only grading uses, drawn from a course's seed."""
    makers = {
        "ch01-encode": hidden_encode,
        "ch01-influence": hidden_influence,
        "ch01-soft-lookup": hidden_lookup,
    }
    return drawn_for_grading(seed, makers)
