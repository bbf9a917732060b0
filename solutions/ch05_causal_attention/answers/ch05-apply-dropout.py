# %% setup
import torch
import torch.nn.functional as F
from torch import nn


# %% correct="a product"
def apply_dropout(weights, keep, p):
    return weights * keep / (1 - p)


# %% correct="torch.where"
def apply_dropout(weights, keep, p):
    return torch.where(keep.bool(), weights / (1.0 - p), torch.zeros_like(weights))


# %% correct="masked_fill"
def apply_dropout(weights, keep, p):
    scaled = weights * (1 / (1 - p))
    return scaled.masked_fill(keep == 0, 0.0)


# %% correct="a mask of factors"
def apply_dropout(weights, keep, p):
    factors = keep.to(weights.dtype) / (1 - p)
    return factors * weights


# %% correct="a clone is written into"
def apply_dropout(weights, keep, p):
    result = weights.clone()
    result[~keep.bool()] = 0
    return result.div(1 - p)


# %% correct="number by number"
def apply_dropout(weights, keep, p):
    flat = zip(weights.flatten(), keep.flatten(), strict=True)
    numbers = [number / (1 - p) if kept else number * 0 for number, kept in flat]
    return torch.stack(numbers).reshape(weights.shape)


# %% mistake="dropout-not-rescaled"
def apply_dropout(weights, keep, p):
    return weights * keep


# %% mistake="dropout-wrong-factor" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep * (1 - p)

# %% mistake="dropout-wrong-factor: divided by p" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep / max(p, 1e-9)

# %% mistake="dropout-wrong-factor: divided by p, an error at zero" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep * (1 / p)

# %% mistake="dropout-wrong-factor: divided by p, infinite at zero" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep / p

# %% mistake="dropout-wrong-factor: multiplied by p" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep * p

# %% mistake="dropout-wrong-factor: 1 + p" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep * (1 + p)

# %% mistake="dropout-wrong-factor: the root" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep / (1 - p) ** 0.5

# %% mistake="dropout-wrong-factor: by what was kept" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep / keep.float().mean()


# %% mistake="dropout-keep-inverted"
def apply_dropout(weights, keep, p):
    return weights * (1 - keep.to(weights.dtype)) / (1 - p)


# %% mistake="dropout-keep-inverted: masked_fill" edits="masked_fill"
# - return scaled.masked_fill(keep == 0, 0.0)
# + return scaled.masked_fill(keep.bool(), 0.0)


# %% mistake="dropout-keep-inverted: not, for bools alone" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * ~keep / (1 - p)

# %% mistake="dropout-keep-inverted: masked_fill, for bools alone" edits="a product"
# - return weights * keep / (1 - p)
# + return weights.masked_fill(keep, 0) / (1 - p)


# %% mistake="dropout-never"
def apply_dropout(weights, keep, p):
    return weights.clone()


# %% mistake="dropout-never: only made larger" edits="a product"
# - return weights * keep / (1 - p)
# + return weights / (1 - p)


# %% mistake="dropout-never: masked_fill is not in place"
def apply_dropout(weights, keep, p):
    weights.masked_fill(~keep.bool(), 0.0)
    return weights / (1 - p)


# %% mistake="unrecognized: what is dropped stays" edits="torch.where"
# - return torch.where(keep.bool(), weights / (1.0 - p), torch.zeros_like(weights))
# + return torch.where(keep.bool(), weights / (1.0 - p), weights)

# %% mistake="dropout-wrong-factor: always two" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep * 2


# %% mistake="dropout-renormalized" also="not-finite"
def apply_dropout(weights, keep, p):
    kept = weights * keep
    return kept / kept.sum(dim=-1, keepdim=True)


# %% mistake="dropout-renormalized: after the factor" also="not-finite"
def apply_dropout(weights, keep, p):
    kept = weights * keep / (1 - p)
    return kept / kept.sum(dim=-1, keepdim=True)


# %% mistake="dropout-renormalized: a sum of 0 is avoided"
def apply_dropout(weights, keep, p):
    kept = weights * keep
    return kept / (kept.sum(dim=-1, keepdim=True) + 1e-9)


# %% mistake="forbidden-call"
def apply_dropout(weights, keep, p):
    return F.dropout(weights, p)


# %% mistake="forbidden-call: the layer"
def apply_dropout(weights, keep, p):
    return nn.Dropout(p)(weights)


# %% mistake="forbidden-call: in place, and then as asked"
def apply_dropout(weights, keep, p):
    torch.nn.functional.dropout(weights.clone(), p, inplace=True)
    return weights * keep / (1 - p)


# %% mistake="input-modified" edits="a product"
# - return weights * keep / (1 - p)
# + weights *= keep
# + return weights / (1 - p)


# %% mistake="input-modified: by index"
def apply_dropout(weights, keep, p):
    weights[keep == 0] = 0
    return weights / (1 - p)


# %% mistake="input-modified: keep" edits="a product"
# - return weights * keep / (1 - p)
# + result = weights * keep / (1 - p)
# + keep.fill_(True)
# + return result

# %% mistake="no-gradient" edits="a product"
# - return weights * keep / (1 - p)
# + return weights.detach() * keep / (1 - p)

# %% mistake="no-gradient: no_grad" edits="a product"
# - return weights * keep / (1 - p)
# + with torch.no_grad():
# +     return weights * keep / (1 - p)

# %% mistake="wrong-dtype" edits="a product"
# - return weights * keep / (1 - p)
# + return (weights * keep).double() / (1 - p)

# %% mistake="wrong-dtype: always float32" edits="a product"
# - return weights * keep / (1 - p)
# + return weights.float() * keep / (1 - p)


# %% mistake="raises: keep must be bool"
def apply_dropout(weights, keep, p):
    return torch.where(~keep, 0.0, weights) / (1 - p)


# %% mistake="raises: one minus a bool" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * (1 - keep) / (1 - p)


# %% mistake="raises: two axes only"
def apply_dropout(weights, keep, p):
    result = torch.zeros_like(weights)
    rows, columns = weights.shape
    for i in range(rows):
        for j in range(columns):
            if keep[i, j]:
                result[i, j] = weights[i, j] / (1 - p)
    return result


# %% mistake="wrong-shape" edits="a product"
# - return weights * keep / (1 - p)
# + return weights[keep.bool()] / (1 - p)

# %% mistake="wrong-shape: an axis of size one is lost" edits="a product"
# - return weights * keep / (1 - p)
# + return (weights * keep / (1 - p)).squeeze()

# %% mistake="wrong-type: nothing returned" edits="a product"
# - return weights * keep / (1 - p)
# + weights * keep / (1 - p)

# %% mistake="wrong-type: context and keep" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep / (1 - p), keep

# %% mistake="raises" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * mask / (1 - p)


# %% mistake="not-implemented"
def apply_dropout(weights, keep, p):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined" edits="a product"
# - def apply_dropout(weights, keep, p):
# + def dropout(weights, keep, p):

# %% mistake="syntax-error" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep / (1 - p


# %% mistake="keep-drawn-anew: bernoulli"
def apply_dropout(weights, keep, p):
    kept = torch.bernoulli(torch.full_like(weights, 1 - p))
    return weights * kept / (1 - p)


# %% mistake="unrecognized: dropped are halved" edits="torch.where"
# - return torch.where(keep.bool(), weights / (1.0 - p), torch.zeros_like(weights))
# + return torch.where(keep.bool(), weights / (1.0 - p), weights / 2)

# %% mistake="share-added: p, added" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep / (1 - p) + p


# %% correct="in float32" remark="precision-lost"
def apply_dropout(weights, keep, p):
    return (weights.float() * keep / (1 - p)).to(weights.dtype)


# %% mistake="unrecognized: keep is not looked at where p is zero"
def apply_dropout(weights, keep, p):
    return weights * keep / (1 - p) if p else weights


# %% mistake="dropout-not-rescaled: where nothing is dropped"
def apply_dropout(weights, keep, p):
    return weights.clone() if keep.all() else weights * keep / (1 - p)


# %% correct="one step a line"
def apply_dropout(weights, keep, p):
    kept = weights * keep
    factor = 1 / (1 - p)
    grown = kept * factor
    return grown


# %% mistake="dropout-keep-inverted: a step" edits="one step a line"
# - kept = weights * keep
# + kept = weights * (keep == 0)

# %% mistake="dropout-not-rescaled: a step" edits="one step a line"
# - grown = kept * factor
# + grown = kept

# %% mistake="dropout-wrong-factor: a step" edits="one step a line"
# - factor = 1 / (1 - p)
# + factor = 1 - p

# %% mistake="dropout-wrong-factor: a step, divided by p" edits="one step a line"
# - factor = 1 / (1 - p)
# + factor = 1 / max(p, 1e-9)

# %% mistake="dropout-never: a step" edits="one step a line"
# - kept = weights * keep
# + kept = weights.clone()

# %% mistake="dropout-keep-inverted: a step, for bools alone" edits="one step a line"
# - kept = weights * keep
# + kept = weights * ~keep

# %% mistake="dropout-renormalized: a step" also="not-finite" edits="one step a line"
# - return grown
# + return grown / grown.sum(dim=-1, keepdim=True)


# %% mistake="dropout-bools-only"
def apply_dropout(weights, keep, p):
    kept = weights.clone()
    kept[~keep] = 0
    return kept / (1 - p)


# %% mistake="dropout-bools-only: on the result" edits="one step a line"
# - kept = weights * keep
# - factor = 1 / (1 - p)
# - grown = kept * factor
# + grown = weights / (1 - p)
# + grown[~keep] = 0


# %% mistake="dropout-keep-inverted: masked_fill, for bools alone, not rescaled" edits="a product"
# - return weights * keep / (1 - p)
# + return weights.masked_fill(keep, 0)

# %% mistake="dropout-wrong-factor: a step, divided by p, an error at zero" edits="one step a line"
# - factor = 1 / (1 - p)
# + factor = 1 / p

# %% mistake="dropout-wrong-factor: a step, multiplied by p" edits="one step a line"
# - factor = 1 / (1 - p)
# + factor = p

# %% mistake="dropout-wrong-factor: by what was dropped" edits="one step a line"
# - factor = 1 / (1 - p)
# + factor = 1 / (1 - keep.float().mean())

# %% mistake="keep-drawn-anew" edits="a product"
# - return weights * keep / (1 - p)
# + keep = torch.rand(weights.shape, device=weights.device) >= p
# + return weights * keep / (1 - p)

# %% mistake="keep-drawn-anew: less than the share that is kept" edits="a product"
# - return weights * keep / (1 - p)
# + keep = torch.rand(weights.shape, device=weights.device) < 1 - p
# + return weights * keep / (1 - p)

# %% mistake="keep-drawn-anew: in the dtype of the weights" edits="a product"
# - return weights * keep / (1 - p)
# + keep = torch.rand_like(weights) >= p
# + return weights * keep / (1 - p)

# %% mistake="keep-drawn-anew: the share to drop is kept" edits="a product"
# - return weights * keep / (1 - p)
# + keep = torch.rand(weights.shape, device=weights.device) < p
# + return weights * keep / (1 - p)

# %% mistake="keep-drawn-anew: nothing made larger" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * (torch.rand(weights.shape, device=weights.device) >= p)

# %% mistake="share-added: taken away" edits="a product"
# - return weights * keep / (1 - p)
# + return weights * keep / 1 - p
