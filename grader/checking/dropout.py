"""Was dropout done as asked? Judged from one call in training, by what any sample of it must show.

Nobody can compare a sample of dropout with a stored one: random streams differ between machines. So the
case is made for its result to show the weights themselves, twice: for each head [W, W], W the weights
(T, T). Then each weight is either 0 or scaled by 1 / (1 - p), both copies alike, and about a share p is 0.
"""

import torch

# What may differ by rounding, relative to a weight.
ROUNDING = 1e-3
# Standard deviations of the share of dropped weights: a right answer is outside once in 10^9 samples.
DEVIATIONS = 6.1

Verdict = tuple[str, str] | None


def judge_dropout(train: torch.Tensor, expected: torch.Tensor, p: float) -> Verdict:
    """Return the code and the sentence of what is wrong with a result in training, or None.

    Args:
        train: what came out in training, (b, T, heads * 2 T).
        expected: what comes out without dropout, of the same shape.
        p: the share of weights to drop, above 0.
    """
    if train.shape != expected.shape:
        shapes = f"{tuple(train.shape)} in training and {tuple(expected.shape)} in eval()"
        return "wrong-shape", f"The result has shape {shapes}."
    seen, weights = _copies(train.double()), _copies(expected.double())  # (b, heads, 2, T, T)
    if not seen.isfinite().all():
        return "not-finite", "In training, the result holds NaN or infinity."
    if torch.allclose(seen, weights, rtol=ROUNDING):
        return "dropout-never", f"With dropout={p:g}, the result in training is that of eval()."
    sums = seen[:, :, 0].sum(dim=-1)
    if torch.allclose(sums, torch.ones_like(sums), rtol=ROUNDING):
        return "dropout-before-softmax", "In training, every row of the weights still sums to 1."
    there = weights.abs() > ROUNDING
    dropped = (seen == 0.0) & there
    if (dropped[:, :, 0] != dropped[:, :, 1]).any():
        return "dropout-on-context", "Features that mix the same weights were not dropped together."
    return _judge_share(dropped, there, p) or _judge_factor(seen, weights, there & ~dropped, dropped, p)


def _copies(result: torch.Tensor) -> torch.Tensor:
    """Return both copies of each head's weights: (b, T, heads * 2 T) -> (b, heads, 2, T, T)."""
    tokens = result.shape[-2]
    return result.unflatten(-1, (-1, 2, tokens)).permute(0, 2, 3, 1, 4)


def _judge_share(dropped: torch.Tensor, there: torch.Tensor, p: float) -> Verdict:
    dropped, there = dropped[:, :, 0], there[:, :, 0]
    if not dropped.any():
        return None
    count = int(there.sum())
    share = int(dropped.sum()) / count
    within = DEVIATIONS * (p * (1.0 - p) / count) ** 0.5
    sentence = f"With dropout={p:g}, {share:.0%} of {count} weights were dropped in training."
    if abs(share - p) > within:
        inverted = abs(share - (1.0 - p)) <= within
        return "dropout-keep-inverted" if inverted else "dropout-wrong-rate", sentence
    for what, axis in (("batch item", 0), ("head", 1), ("query", 2)):
        # A weight that is not there agrees with any: the mask hides more of the first queries.
        clash = (dropped != dropped.roll(1, axis)) & there & there.roll(1, axis)
        if dropped.shape[axis] > 1 and not clash.any():
            return "dropout-shared", f"The same weights were dropped for every {what}."
    return None


def _judge_factor(
    seen: torch.Tensor, weights: torch.Tensor, kept: torch.Tensor, dropped: torch.Tensor, p: float
) -> Verdict:
    factors = seen[kept] / weights[kept]
    low, high, wanted = float(factors.min()), float(factors.max()), 1.0 / (1.0 - p)
    even = high - low <= ROUNDING * abs(high)
    if even and not dropped.any():
        return "dropout-never", f"In training no weight is dropped; all are {high:.3f} times those of eval()."
    if even and abs(high - 1.0) <= ROUNDING:
        return "dropout-not-rescaled", "The weights that are left are those of eval(), not larger."
    if even and abs(high - wanted) > ROUNDING * wanted:
        return "dropout-wrong-factor", f"The weights that are left are {high:.3f} times those of eval()."
    if not even:
        span = f"between {low:.3f} and {high:.3f}"
        return "dropout-wrong-factor", f"The weights that are left are {span} times those of eval()."
    return None
