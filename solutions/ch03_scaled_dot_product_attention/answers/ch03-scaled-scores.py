# %% setup
import math

import torch
import torch.nn.functional as F


# %% correct="textbook"
def scaled_scores(query, key):
    scores = query @ key.transpose(-2, -1)
    return scores / key.shape[-1] ** 0.5


# %% correct="einsum"
def scaled_scores(query, key):
    return torch.einsum("...id,...jd->...ij", query, key) / math.sqrt(key.size(-1))


# %% correct="query scaled first"
def scaled_scores(query, key):
    return torch.matmul(query * query.shape[-1] ** -0.5, key.mT)


# %% correct="by broadcasting"
def scaled_scores(query, key):
    products = query.unsqueeze(-2) * key.unsqueeze(-3)
    return products.sum(dim=-1).div(math.sqrt(products.shape[-1]))


# %% correct="one batch axis, one dot product at a time"
def scaled_scores(query, key):
    queries = query.reshape(-1, query.shape[-2], query.shape[-1])
    keys = key.reshape(-1, key.shape[-2], key.shape[-1])
    rows = []
    for one, other in zip(queries, keys):
        rows.append(torch.stack([torch.stack([torch.dot(q, k) for k in other]) for q in one]))
    scores = torch.stack(rows).view(*query.shape[:-1], key.shape[-2])
    return scores / torch.sqrt(torch.tensor(float(key.shape[-1])))


# %% correct="half of the scale to each side"
def scaled_scores(query, key):
    fourth_root = key.shape[-1] ** 0.25
    return (query / fourth_root) @ (key / fourth_root).transpose(-1, -2)


# %% correct="scaled in place"
def scaled_scores(query, key):
    scores = query @ key.transpose(-2, -1)
    scores /= math.sqrt(key.shape[-1])
    return scores


# %% correct="one step a line" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5
# + return scaled

# %% mistake="missing-scale" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="scale-by-dk" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1]

# %% mistake="scale-by-dk: on both sides" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = (query / key.shape[-1] ** 0.5) @ key.transpose(-2, -1)

# %% mistake="scale-multiplied" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores * key.shape[-1] ** 0.5

# %% mistake="scale-multiplied: by d_k" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores * key.shape[-1]

# %% mistake="scale-by-tokens" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-2] ** 0.5

# %% mistake="scale-by-tokens: of the queries" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / query.shape[-2] ** 0.5

# %% mistake="scale-by-tokens: without the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-2]

# %% mistake="scale-wrong-power" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.25

# %% mistake="scale-multiplied: the power turned" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** -0.5

# %% mistake="query-key-swapped" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = key @ query.transpose(-2, -1)

# %% mistake="shared-projection: the keys ask" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = key @ key.transpose(-2, -1)

# %% mistake="shared-projection: the queries answer" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ query.transpose(-2, -1)

# %% mistake="key-not-transposed" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key

# %% mistake="key-not-transposed: the query is" edits="one step a line" also="wrong-shape"
# - scores = query @ key.transpose(-2, -1)
# + scores = query.transpose(-2, -1) @ key

# %% mistake="reshape-not-transpose" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])

# %% mistake="leading-axes-transposed: T" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.T

# %% mistake="leading-axes-transposed: 0 and 1" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(0, 1)

# %% mistake="fixed-number-of-axes: t" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.t()

# %% mistake="leading-axes-transposed: as in a batch" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ (key.T if key.dim() == 2 else key.transpose(1, 2))

# %% mistake="fixed-number-of-axes: a batch" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(1, 2)

# %% mistake="fixed-number-of-axes: permute" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.permute(0, 2, 1)

# %% mistake="fixed-number-of-axes: permute, with heads" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.permute(0, 1, 3, 2)

# %% mistake="fixed-number-of-axes: as in heads" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(2, 3)

# %% mistake="fixed-number-of-axes: mm" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query.mm(key.t())

# %% mistake="fixed-number-of-axes: bmm" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = torch.bmm(query, key.transpose(1, 2))

# %% mistake="fixed-number-of-axes: einsum" also="raises" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = torch.einsum("id,jd->ij", query, key)

# %% mistake="batch-leak" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + first = key
# + while first.dim() > 2:
# +     first = first[0]
# + scores = query @ first.T

# %% mistake="batch-leak: averaged over the batch" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(-2, -1)
# + leading = tuple(range(scores.dim() - 2))
# + scores = scores.mean(dim=leading, keepdim=True).expand_as(scores) if leading else scores

# %% mistake="root-precedence" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / (key.shape[-1] ** 1 / 2)

# %% mistake="root-precedence: without brackets" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 1 / 2

# %% mistake="rounded-down" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return scores / int(key.shape[-1] ** 0.5)

# %% mistake="rounded-down: the result" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return scores // key.shape[-1] ** 0.5

# %% mistake="root-of-all" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = (scores / key.shape[-1]) ** 0.5

# %% mistake="scale-by-norm" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + lengths = query.norm(dim=-1)[..., :, None] * key.norm(dim=-1)[..., None, :]
# + scaled = scores / lengths

# %% mistake="scale-by-norm: of each key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.norm(dim=-1)[..., None, :]

# %% mistake="scale-by-norm: of all keys together" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / torch.norm(key)

# %% mistake="scale-wrong-power: the square" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 2

# %% mistake="query-key-swapped: and T" also="leading-axes-transposed" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = key @ query.T

# %% mistake="softmax-unexpected" edits="one step a line"
# - return scaled
# + return torch.softmax(scaled, dim=-1)

# %% mistake="softmax-unexpected: of each column" edits="one step a line"
# - return scaled
# + return torch.softmax(scaled, dim=-2)

# %% mistake="softmax-unexpected: along axis 1" edits="one step a line"
# - return scaled
# + return torch.softmax(scaled, dim=1)

# %% mistake="softmax-unexpected: before the scale" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = torch.softmax(scores, dim=-1) / key.shape[-1] ** 0.5

# %% mistake="mask-unexpected" also="not-finite" edits="one step a line"
# - return scaled
# + future = torch.ones_like(scaled).triu(diagonal=1).bool()
# + return scaled.masked_fill(future, -torch.inf)

# %% mistake="mask-unexpected: with zeros" edits="one step a line"
# - return scaled
# + return torch.tril(scaled)

# %% mistake="scale-by-tokens: the first axis" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[0] ** 0.5

# %% mistake="scale-by-tokens: len of the query" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / len(query) ** 0.5

# %% mistake="axis-from-front" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / query.shape[1] ** 0.5

# %% mistake="axis-from-front: of the key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[1] ** 0.5

# %% mistake="scale-by-model-width" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + d_in = 3
# + scaled = scores / d_in**0.5

# %% mistake="scale-by-spread" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.std()

# %% mistake="scale-by-spread: of each row" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.std(dim=-1, keepdim=True)

# %% mistake="scale-by-spread: of the keys" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.std()


# %% mistake="fixed-number-of-axes: a loop over the batch" also="wrong-shape"
def scaled_scores(query, key):
    return torch.stack([q @ k.T / k.shape[-1] ** 0.5 for q, k in zip(query, key)])


# %% mistake="fixed-number-of-axes: loops over rows of matrices" also="raises"
def scaled_scores(query, key):
    scores = query.new_zeros(len(query), len(key))
    for i in range(len(query)):
        for j in range(len(key)):
            scores[i, j] = torch.dot(query[i], key[j]) / key.shape[-1] ** 0.5
    return scores


# %% mistake="not-implemented" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def scaled_scores(query, key):
# + def scaled_score(query, key):

# %% mistake="syntax-error" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return scores / key.shape[-1]) ** 0.5

# %% mistake="raises: the square root of a whole number" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return scores / torch.sqrt(key.shape[-1])

# %% mistake="raises: d_k is not there" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return scores / d_k**0.5

# %% mistake="raises: divided by a shape" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return scores / math.sqrt(key.shape)

# %% mistake="wrong-type" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + scores = scores / key.shape[-1] ** 0.5

# %% mistake="wrong-type: scores and weights" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + scores = scores / key.shape[-1] ** 0.5
# + return scores, torch.softmax(scores, dim=-1)

# %% mistake="wrong-type: an array" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return (scores / key.shape[-1] ** 0.5).detach().numpy()

# %% mistake="wrong-shape: only each token with itself" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + size = min(query.shape[-2], key.shape[-2])
# + scores = (query[..., :size, :] * key[..., :size, :]).sum(dim=-1)

# %% mistake="wrong-shape: the axes of one squeezed out" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return (scores / key.shape[-1] ** 0.5).squeeze()

# %% mistake="wrong-shape: a batch axis too many" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + scores = query.unsqueeze(0) @ key.transpose(-2, -1)

# %% mistake="wrong-dtype" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return scores.double() / key.shape[-1] ** 0.5

# %% mistake="wrong-dtype: whole numbers" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return scores // key.shape[-1] ** 0.5 if key.is_complex() else (scores / key.shape[-1] ** 0.5).int()

# %% mistake="input-modified" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + query /= key.shape[-1] ** 0.5
# + return query @ key.transpose(-2, -1)

# %% mistake="input-modified: div_" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + key.div_(key.shape[-1] ** 0.5)
# + return query @ key.transpose(-2, -1)

# %% mistake="input-modified: transposed in place" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + d_k = key.shape[-1]
# + return query @ key.transpose_(-2, -1) / d_k**0.5

# %% mistake="no-gradient" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return torch.tensor((scores / key.shape[-1] ** 0.5).tolist()).to(scores)

# %% mistake="no-gradient: the key is cut off" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.detach().transpose(-2, -1)

# %% mistake="no-gradient: no_grad" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + with torch.no_grad():
# +     return scores / key.shape[-1] ** 0.5

# %% mistake="no-gradient: through NumPy" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + query.numpy()
# + scores = query @ key.transpose(-2, -1)

# %% mistake="too-slow" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + while True:
# +     scores = scores / key.shape[-1] ** 0.5

# %% mistake="example-only" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return scores / 2**0.5

# %% mistake="example-only: loops over six tokens" also="wrong-shape" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + scores = query.new_zeros(6, 6)
# + for i in range(min(6, query.shape[0])):
# +     for j in range(min(6, key.shape[0])):
# +         scores[i, j] = (query[i] * key[j]).sum()

# %% mistake="unrecognized: doubled" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return 2 * scores / key.shape[-1] ** 0.5

# %% mistake="example-only: negative scores dropped" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return (scores / key.shape[-1] ** 0.5).clamp(min=0)

# %% mistake="distance-compared: the nearest first" edits="textbook"
# - return scores / key.shape[-1] ** 0.5
# + return -torch.cdist(query, key)


# %% correct="filled into zeros"
def scaled_scores(query, key):
    scores = query.new_zeros(*query.shape[:-1], key.shape[-2])
    for i in range(query.shape[-2]):
        for j in range(key.shape[-2]):
            scores[..., i, j] = (query[..., i, :] * key[..., j, :]).sum(dim=-1)
    return scores / key.shape[-1] ** 0.5


# %% mistake="distance-compared" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = torch.cdist(query, key)

# %% mistake="distance-compared: squared" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = torch.cdist(query, key) ** 2

# %% mistake="scale-fixed" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / 8

# %% mistake="scale-fixed: 64" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / 64

# %% mistake="scale-by-norm: of the query" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / query.norm()

# %% mistake="scale-by-norm: of each query" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / query.norm(dim=-1, keepdim=True)

# %% mistake="scale-by-tokens: all numbers of the query" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / query.numel() ** 0.5

# %% mistake="scale-by-tokens: all numbers of the key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.numel() ** 0.5

# %% mistake="scale-by-scores: the largest" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / scores.max()

# %% mistake="rounded-down: twice divided" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] // 2

# %% mistake="last-left-out: of the queries, a step" edits="one step a line"
# - return scaled
# + scaled = scaled.clone()
# + scaled[..., -1, :] = 0
# + return scaled

# %% mistake="last-left-out: of the keys, a step" edits="one step a line"
# - return scaled
# + scaled = scaled.clone()
# + scaled[..., -1] = 0
# + return scaled

# %% mistake="first-left-out: of the queries, a step" edits="one step a line"
# - return scaled
# + scaled = scaled.clone()
# + scaled[..., 0, :] = 0
# + return scaled

# %% mistake="first-left-out: of the keys, a step" edits="one step a line"
# - return scaled
# + scaled = scaled.clone()
# + scaled[..., 0] = 0
# + return scaled

# %% mistake="last-left-out: of the keys, shorter, a step" also="wrong-shape" edits="one step a line"
# - return scaled
# + return scaled[..., :-1]

# %% mistake="last-left-out: of the features, a step" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query[..., :-1] @ key[..., :-1].transpose(-2, -1)

# %% mistake="first-left-out: of the keys, shorter, a step" also="wrong-shape" edits="one step a line"
# - return scaled
# + return scaled[..., 1:]

# %% mistake="first-left-out: of the features, a step" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query[..., 1:] @ key[..., 1:].transpose(-2, -1)

# %% mistake="rows-in-pairs" also="wrong-shape" edits="textbook"
# - scores = query @ key.transpose(-2, -1)
# + scores = (query * key).sum(dim=-1)

# %% mistake="scale-by-tokens: and axes 0, 1" also="leading-axes-transposed" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = query @ key.transpose(0, 1)
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / len(key) ** 0.5

# %% mistake="scale-fixed: a d_k of two, and swapped" also="query-key-swapped" edits="one step a line"
# - scores = query @ key.transpose(-2, -1)
# + scores = key @ query.transpose(-2, -1)
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / 2**0.5

# %% mistake="scale-by-tokens: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.shape[-2] ** 0.5

# %% mistake="scale-by-tokens: beside the root, of the queries" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / query.shape[-2] ** 0.5

# %% mistake="scale-by-tokens: beside the root, without the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.shape[-2]

# %% mistake="scale-by-norm: beside the root, of each key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.norm(dim=-1)[..., None, :]

# %% mistake="scale-by-norm: beside the root, of all keys together" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / torch.norm(key)

# %% mistake="scale-by-tokens: beside the root, the first axis" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.shape[0] ** 0.5

# %% mistake="scale-by-tokens: beside the root, len of the query" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / len(query) ** 0.5

# %% mistake="scale-by-spread: beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / scores.std()

# %% mistake="scale-by-spread: beside the root, of each row" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / scores.std(dim=-1, keepdim=True)

# %% mistake="scale-by-spread: beside the root, of the keys" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.std()

# %% mistake="scale-by-norm: beside the root, of the query" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / query.norm()

# %% mistake="scale-by-norm: beside the root, of each query" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / query.norm(dim=-1, keepdim=True)

# %% mistake="scale-by-tokens: beside the root, all numbers of the query" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / query.numel() ** 0.5

# %% mistake="scale-by-tokens: beside the root, all numbers of the key" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.numel() ** 0.5

# %% mistake="scale-by-norm: of directions, beside the root" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + lengths = query.norm(dim=-1)[..., :, None] * key.norm(dim=-1)[..., None, :]
# + scaled = scores / key.shape[-1] ** 0.5 / lengths
