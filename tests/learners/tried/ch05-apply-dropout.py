# %% setup
import torch
from torch import nn


# %% correct="mine"
def apply_dropout(weights, keep, p):
    kept = weights * keep
    scale = 1 / (1 - p)
    return kept * scale


# %% mistake="dropout-not-rescaled: forgotten" edits="mine"
# - return kept * scale
# + return kept

# %% mistake="dropout-wrong-factor: times 1 - p" edits="mine"
# - scale = 1 / (1 - p)
# + scale = 1 - p

# %% mistake="dropout-wrong-factor: divided by p" edits="mine"
# - scale = 1 / (1 - p)
# + scale = 1 / p

# %% mistake="dropout-wrong-factor: precedence" edits="mine"
# - scale = 1 / (1 - p)
# + scale = 1 / 1 - p

# %% mistake="dropout-wrong-factor: 1 + p" edits="mine"
# - scale = 1 / (1 - p)
# + scale = 1 + p

# %% mistake="dropout-wrong-factor: the share that keep kept" edits="mine"
# - scale = 1 / (1 - p)
# + scale = 1 / keep.float().mean()

# %% mistake="dropout-wrong-factor: the share that keep kept, by counting" edits="mine"
# - scale = 1 / (1 - p)
# + scale = keep.numel() / keep.sum()

# %% mistake="dropout-wrong-factor: 2, as in the example" edits="mine"
# - scale = 1 / (1 - p)
# + scale = 2

# %% mistake="dropout-keep-inverted: masked_fill where kept" edits="mine"
# - kept = weights * keep
# + kept = weights.masked_fill(keep.bool(), 0)

# %% mistake="dropout-keep-inverted: tilde" edits="mine"
# - kept = weights * keep
# + kept = weights * ~keep.bool()

# %% mistake="dropout-keep-inverted: and divided by p" also="dropout-wrong-factor" edits="mine"
# - kept = weights * keep
# - scale = 1 / (1 - p)
# + kept = weights * ~keep.bool()
# + scale = 1 / max(p, 1e-9)

# %% mistake="dropout-keep-inverted: and not rescaled" also="dropout-not-rescaled" edits="mine"
# - kept = weights * keep
# + kept = weights * (keep == 0)
# - return kept * scale
# + return kept

# %% mistake="dropout-keep-inverted: and times 1 - p" also="dropout-wrong-factor" edits="mine"
# - kept = weights * keep
# - scale = 1 / (1 - p)
# + kept = torch.where(keep.bool(), 0.0, weights)
# + scale = 1 - p

# %% mistake="dropout-never: keep is not used" edits="mine"
# - kept = weights * keep
# + kept = weights

# %% mistake="dropout-never: masked_fill is not in place" edits="mine"
# - kept = weights * keep
# + weights.masked_fill(keep == 0, 0)
# + kept = weights

# %% mistake="dropout-renormalized: row sums" edits="mine"
# - return kept * scale
# + return kept / kept.sum(dim=-1, keepdim=True)

# %% mistake="unrecognized: rows divided by their sums, kept away from 0" edits="mine"
# - return kept * scale
# + return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-8)

# %% mistake="forbidden-call: nn.Dropout" edits="mine"
# - kept = weights * keep
# - scale = 1 / (1 - p)
# - return kept * scale
# + return nn.Dropout(p)(weights)

# %% mistake="keep-drawn-anew" says="keep has no influence" edits="mine"
# - kept = weights * keep
# + keep = torch.rand(weights.shape) > p
# + kept = weights * keep

# %% mistake="input-modified: times, in place" edits="mine"
# - kept = weights * keep
# + weights *= keep
# + kept = weights

# %% mistake="input-modified: by index" edits="mine"
# - kept = weights * keep
# + weights[~keep.bool()] = 0
# + kept = weights

# %% mistake="raises: 1 less a mask of bools" edits="mine"
# - kept = weights * keep
# + kept = weights * (1 - keep)

# %% mistake="dropout-bools-only: index with whole numbers" edits="mine"
# - kept = weights * keep
# + kept = weights.clone()
# + kept[~keep] = 0

# %% mistake="wrong-shape: only the kept ones" edits="mine"
# - kept = weights * keep
# + kept = weights[keep.bool()]

# %% mistake="unrecognized: the dropped ones are not scaled, but stay" edits="mine"
# - kept = weights * keep
# - scale = 1 / (1 - p)
# - return kept * scale
# + return torch.where(keep.bool(), weights / (1 - p), weights)

# %% mistake="unrecognized: a matrix product" edits="mine"
# - kept = weights * keep
# + kept = weights @ keep.float()

# %% mistake="wrong-dtype: keep as float32" edits="mine"
# - kept = weights * keep
# + kept = weights.float() * keep.float()

# %% mistake="dropout-keep-inverted: tilde, for bools alone, not rescaled" also="dropout-not-rescaled"
def apply_dropout(weights, keep, p):
    return weights * ~keep


# %% mistake="dropout-keep-inverted: masked_fill, for bools alone, not rescaled"
def apply_dropout(weights, keep, p):
    return weights.masked_fill(keep, 0.0)

# %% mistake="share-added: precedence, after the product" never="does not recognize the result" edits="mine"
# - return kept * scale
# + return kept * 1 / 1 - p

# %% mistake="dropout-keep-inverted: masked_fill, divided by p" also="dropout-wrong-factor" edits="mine"
# - kept = weights * keep
# - scale = 1 / (1 - p)
# + kept = weights.masked_fill(keep.bool(), 0)
# + scale = 1 / p

# %% mistake="unrecognized: keep drawn anew, and twice" edits="mine"
# - kept = weights * keep
# - scale = 1 / (1 - p)
# + keep = torch.rand(weights.shape) >= p
# + kept = weights * keep
# + scale = 2

# %% mistake="forbidden-call: functional dropout, then keep" edits="mine"
# - kept = weights * keep
# - scale = 1 / (1 - p)
# - return kept * scale
# + return torch.nn.functional.dropout(weights, p) * keep

# %% mistake="dropout-wrong-factor: the share that was dropped" edits="mine"
# - scale = 1 / (1 - p)
# + scale = 1 / (1 - keep.float().mean())

# %% mistake="raises: 1 less keep, times p" edits="mine"
# - kept = weights * keep
# - scale = 1 / (1 - p)
# + kept = weights * (1 - keep)
# + scale = p

# %% mistake="dropout-keep-inverted: 1 less keep, times p" also="dropout-wrong-factor" edits="mine"
# - kept = weights * keep
# - scale = 1 / (1 - p)
# + kept = weights * (1 - keep.int())
# + scale = p

# %% mistake="raises: if keep"
def apply_dropout(weights, keep, p):
    if keep:
        return weights / (1 - p)
    return 0

# %% mistake="dropout-wrong-factor: through NumPy, divided by p"
def apply_dropout(weights, keep, p):
    kept = weights.detach().numpy() * keep.numpy()
    return torch.tensor(kept) / p

# %% mistake="raises: loops over two axes"
def apply_dropout(weights, keep, p):
    out = torch.zeros(weights.shape)
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            if keep[i, j]:
                out[i, j] = weights[i, j] / (1 - p)
    return out

# %% mistake="dropout-renormalized: row by row"
def apply_dropout(weights, keep, p):
    rows = []
    for row, kept in zip(weights.reshape(-1, weights.shape[-1]), keep.reshape(-1, weights.shape[-1])):
        row = row * kept
        rows.append(row / row.sum())
    return torch.stack(rows).reshape(weights.shape)

# %% mistake="example-only: divided by p, where it is kept" never="its numbers differ by less|are all of yours right"
def apply_dropout(weights, keep, p):
    return torch.where(keep.bool(), weights / p, torch.zeros_like(weights))
