"""Was dropout done as asked? Judged from one call in training, by what any sample of it must show.

Nobody can compare a sample of dropout with a stored one: random streams differ between machines. So the
case is made for its result to show the weights themselves, twice: for each head [W, W], W the weights
(T, T). Then each weight is either 0 or scaled by 1 / (1 - p), both copies alike, and about a share p is 0.

Where attention is a part of something larger, the last features of the result show the weights, up to a
factor that each may have of its own, and the first feature is one that nothing is added to.
"""

import math
from dataclasses import replace

import torch

from grader.messages import Message, message

# What may differ by rounding, relative to a weight.
ROUNDING = 1e-3
# Standard deviations of the share of dropped weights: a right answer is outside once in 10^9 samples.
DEVIATIONS = 6.1
# How likely a right answer may look as if weights were dropped together.
CHANCE = 1e-9
# So many weights of a token are hardly ever all dropped where the token itself was not: less often than this.
MANY_WEIGHTS, HARDLY = 8, 0.01

NOT_FINITE = message("In training, the result holds NaN or infinity.")
# Where the same weights were dropped along an axis of (b, heads, T, T): what is said, by the axis.
SHARED = (
    message("What was dropped is the same for every batch item."),
    message("What was dropped is the same for every head."),
    message("What was dropped is the same for every query."),
    message("For each query everything was dropped, or nothing."),
)

# Where no weight was dropped at one place along an axis: what is said, by the axis.
SPARED = (
    message("No weight was dropped for batch item {place}."),
    message("No weight was dropped in head {place}."),
    message("No weight was dropped for query {place}, in any item of the batch."),
    message("No weight was dropped for key {place}, in any item of the batch."),
)

Verdict = tuple[str, Message] | None


def judge_dropout(train: torch.Tensor, expected: torch.Tensor, p: float) -> Verdict:
    """Return the code and the words of what is wrong with a result in training, or None.

    Args:
        train: what came out in training, (b, T, heads * 2 T).
        expected: what comes out without dropout, of the same shape.
        p: the share of weights to drop, above 0.
    """
    if train.shape != expected.shape:
        return "wrong-shape", message(
            "The result has shape {train} in training and {evaluated} in eval().",
            train=str(tuple(train.shape)),
            evaluated=str(tuple(expected.shape)),
        )
    seen, weights = _copies(train.double()), _copies(expected.double())  # (b, heads, 2, T, T)
    if not seen.isfinite().all():
        return "not-finite", NOT_FINITE
    if torch.allclose(seen, weights, rtol=ROUNDING):
        return "dropout-never", message(
            "With dropout={p}, the result in training is that of eval().", p=f"{p:g}"
        )
    sums = seen[:, :, 0].sum(dim=-1)
    if torch.allclose(sums, torch.ones_like(sums), rtol=ROUNDING):
        return "dropout-before-softmax", message("In training, every row of the weights still sums to 1.")
    there = weights.abs() > ROUNDING
    dropped = (seen == 0.0) & there
    if (dropped[:, :, 0] != dropped[:, :, 1]).any():
        return "dropout-on-context", message("Features that mix the same weights were not dropped together.")
    return _judge_share(dropped, there, p) or _judge_factor(seen, weights, there & ~dropped, dropped, p)


def judge_inside(train: torch.Tensor, expected: torch.Tensor, p: float) -> Verdict:
    """Return what is wrong with the share that attention drops inside a block or a model, or None.

    What a block adds may be dropped once more, feature by feature, or not at all: both is right. Only which
    weights are 0 is looked at, for LayerNorms may scale the rest, and where all are scaled alike, the scale.

    Args:
        train: what came out in training, (b, T, features); the last features show the weights twice.
        expected: what comes out without dropout, of the same shape.
        p: the share of weights to drop, above 0.
    """
    if not train.isfinite().all():
        return "not-finite", NOT_FINITE
    seen, weights = _inside(train.double()), _inside(expected.double())
    there = weights.abs() > ROUNDING
    zero = (seen.abs() <= ROUNDING * seen.abs().amax()) & there
    # Of a token whose embedding was dropped nobody hears anything: such columns say nothing.
    heard_of, unheard = there[:, :, 0].sum(dim=(1, 2)), (zero | ~there).all(dim=(1, 2, 3))
    there &= ~unheard[:, None, None, None]
    zero &= there
    count = int(there[:, :, 0].sum())
    if not count:
        return "dropout-wrong-rate", message(
            "With dropout={p}, the result in training shows no attention weight at all.", p=f"{p:g}"
        )
    if not zero.any():
        return "dropout-never", message(
            "With dropout={p}, attention drops no weight in training.", p=f"{p:g}"
        )
    both, one = zero.all(dim=2), zero[:, :, 0] ^ zero[:, :, 1]
    share, apart = int(both.sum()) / count, int(one.sum()) / count

    def fits(weights_dropped: float, added_dropped: float) -> bool:
        kept = 1.0 - weights_dropped
        wanted = (
            weights_dropped + kept * added_dropped**2,
            kept * 2.0 * added_dropped * (1.0 - added_dropped),
        )
        return all(
            abs(got - one) <= DEVIATIONS * (one * (1.0 - one) / count) ** 0.5
            for got, one in zip((share, apart), wanted, strict=True)
        )

    twice = p if one.any() else 0.0
    if fits(p, twice):
        wrong = _judge_tokens(unheard[heard_of >= MANY_WEIGHTS], p)
        if not wrong and not twice:
            wrong = _judge_shared(both, there[:, :, 0], p) or _judge_places(both, there[:, :, 0], p)
        wanted = (1.0 - p) ** (-2.0 if twice else -1.0)
        return wrong or _judge_unscaled(train, expected, seen[there & ~zero] / weights[there & ~zero], wanted)
    if twice and fits(0.0, p):
        return "dropout-on-context", message(
            "What the attention gives is dropped in training, its weights are not."
        )
    inverted = any(fits(1.0 - p, added) for added in (twice, 1.0 - twice))
    told = message(
        "With dropout={p}, the result in training shows no weight at {share} of the {count} places where "
        "an attention weight shows otherwise.",
        p=f"{p:g}",
        share=f"{share:.0%}",
        count=count,
    )
    return "dropout-keep-inverted" if inverted else "dropout-wrong-rate", told


def _judge_tokens(unheard: torch.Tensor, p: float) -> Verdict:
    """Return what is wrong where more tokens are not heard of than dropout of their embeddings explains."""
    count, most = len(unheard), p + HARDLY
    lost = int(unheard.sum())
    if lost <= count * most + DEVIATIONS * (count * most * (1.0 - most)) ** 0.5:
        return None
    return "dropout-wrong-rate", message(
        "With dropout={p}, {share} of the tokens came to no later token in training: their features were "
        "dropped before attention mixed them.",
        p=f"{p:g}",
        share=f"{lost / count:.0%}",
    )


def _shown(result: torch.Tensor) -> int:
    """Return how many of the last features of a result (b, T, features) show weights."""
    tokens = result.shape[-2]
    return result.shape[-1] // (2 * tokens) * 2 * tokens


def _inside(result: torch.Tensor) -> torch.Tensor:
    """Return what is shown behind other features: (b, T, features) -> (b, heads, 2, T, T)."""
    return _copies(result[..., -_shown(result) :] - result[..., :1])


def _judge_unscaled(
    train: torch.Tensor, expected: torch.Tensor, factors: torch.Tensor, wanted: float
) -> Verdict:
    """Return what is wrong where no LayerNorm has scaled what is left: the factor, or the other features.

    Of these the last one is an MLP's, and may be dropped.
    """
    low, high = float(factors.min()), float(factors.max())
    if high - low > ROUNDING * abs(high):
        return None
    if abs(high - wanted) > ROUNDING * wanted:
        code = "dropout-not-rescaled" if abs(high - 1.0) <= ROUNDING else "dropout-wrong-factor"
        return code, message(
            "What is left of the weights is {factor} times what it is in eval().", factor=f"{high:.3f}"
        )
    others = slice(0, -_shown(expected) - 1)
    if not torch.allclose(train[..., others].double(), expected[..., others].double(), atol=ROUNDING):
        return "unrecognized", message(
            "In training, features to which neither half adds anything are not what they are in eval()."
        )
    return None


def _copies(result: torch.Tensor) -> torch.Tensor:
    """Return both copies of each head's weights: (b, T, heads * 2 T) -> (b, heads, 2, T, T)."""
    tokens = result.shape[-2]
    return result.unflatten(-1, (-1, 2, tokens)).permute(0, 2, 3, 1, 4)


def _judge_share(dropped: torch.Tensor, there: torch.Tensor, p: float) -> Verdict:
    dropped, there = dropped[:, :, 0], there[:, :, 0]
    if not dropped.any():
        return None
    if shared := _judge_shared(dropped, there, p):  # its share varies more
        return shared
    count = int(there.sum())
    share = int(dropped.sum()) / count
    within = DEVIATIONS * (p * (1.0 - p) / count) ** 0.5
    if abs(share - p) > within:
        inverted = abs(share - (1.0 - p)) <= within
        code = "dropout-keep-inverted" if inverted else "dropout-wrong-rate"
        return code, message(
            "With dropout={p}, {share} of {count} weights were dropped in training.",
            p=f"{p:g}",
            share=f"{share:.0%}",
            count=count,
        )
    return _judge_places(dropped, there, p)


def _judge_places(dropped: torch.Tensor, there: torch.Tensor, p: float) -> Verdict:
    """Return the place along an axis of (b, heads, T, T) of which no weight was dropped, if there is one."""
    enough = math.log(CHANCE) / math.log(1.0 - p)
    for axis, told in enumerate(SPARED):
        others = [one for one in range(dropped.dim()) if one != axis]
        spared = (there.sum(others) >= enough) & ~dropped.any(dim=others[2]).any(dim=others[1]).any(others[0])
        if spared.any():
            return "dropout-spares", replace(told, values={"place": int(spared.nonzero()[0])})
    return None


def _judge_shared(dropped: torch.Tensor, there: torch.Tensor, p: float) -> Verdict:
    """Return along which axis of (b, heads, T, T) the same weights were dropped, if along one.

    Two weights that are dropped each for itself agree with a chance of 1 - 2 p (1 - p).
    """
    enough = math.log(CHANCE) / math.log(1.0 - 2.0 * p * (1.0 - p))
    for axis, told in enumerate(SHARED):
        # A weight that is not there agrees with any: the mask hides more of the first queries.
        both = there & there.roll(1, axis)
        several = dropped.shape[axis] > 1 and int(both.sum()) >= enough
        if several and not ((dropped != dropped.roll(1, axis)) & both).any():
            return "dropout-shared", told
    return None


def _judge_factor(
    seen: torch.Tensor, weights: torch.Tensor, kept: torch.Tensor, dropped: torch.Tensor, p: float
) -> Verdict:
    factors = seen[kept] / weights[kept]
    low, high, wanted = float(factors.min()), float(factors.max()), 1.0 / (1.0 - p)
    even = high - low <= ROUNDING * abs(high)
    if even and not dropped.any():
        return "dropout-never", message(
            "In training no weight is dropped; all are {factor} times those of eval().", factor=f"{high:.3f}"
        )
    if even and abs(high - 1.0) <= ROUNDING:
        return "dropout-not-rescaled", message("The weights that are left are those of eval(), not larger.")
    if even and abs(high - wanted) > ROUNDING * wanted:
        return "dropout-wrong-factor", message(
            "The weights that are left are {factor} times those of eval().", factor=f"{high:.3f}"
        )
    if not even:
        return "dropout-wrong-factor", message(
            "The weights that are left are between {low} and {high} times those of eval().",
            low=f"{low:.3f}",
            high=f"{high:.3f}",
        )
    return None
