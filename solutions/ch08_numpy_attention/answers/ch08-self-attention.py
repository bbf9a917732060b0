# %% setup
import numpy as np
import torch
import torch.nn.functional as F


def row_shares(x, axis=-1):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


# %% correct="textbook"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    if causal:
        later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
        scores = np.where(later, -np.inf, scores)
    weights = row_shares(scores)
    return weights @ V, weights


# %% correct="an additive mask" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# + T = len(embeddings)
# + scores = scores + np.triu(np.full((T, T), -np.inf), k=1)

# %% correct="a large negative number" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# + scores = np.where(np.tril(np.ones_like(scores)) == 0, -1e9, scores)


# %% correct="written into the scores, before the scale"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    query = np.matmul(embeddings, W_Q)
    key = np.matmul(embeddings, W_K)
    value = np.matmul(embeddings, W_V)
    scores = np.matmul(query, key.transpose())
    if causal:
        scores[np.triu_indices(len(embeddings), 1)] = -np.inf
    scores /= W_K.shape[1] ** 0.5
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return np.matmul(weights, value), weights


# %% correct="einsum"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    scores = np.einsum("id,dk,je,ek->ij", embeddings, W_Q, embeddings, W_K) / W_Q.shape[-1] ** 0.5
    places = np.arange(embeddings.shape[0])
    allowed = (places[None, :] <= places[:, None]) | (not causal)
    weights = row_shares(np.where(allowed, scores, -np.inf))
    return np.einsum("ij,jd,dv->iv", weights, embeddings, W_V), weights


# %% correct="query by query"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    T = len(embeddings)
    keys, values = np.dot(embeddings, W_K), np.dot(embeddings, W_V)
    weights = np.zeros((T, T))
    for i in range(T):
        seen = i + 1 if causal else T
        query = embeddings[i] @ W_Q
        scores = np.array([query @ keys[j] for j in range(seen)]) / np.sqrt(len(query))
        weights[i, :seen] = row_shares(scores)
    return weights @ values, weights


# %% correct="softmax over all, masked by exact zeros and divided again, by the scores that are seen"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    scores = (embeddings @ W_Q) @ (embeddings @ W_K).T / np.sqrt(W_Q.shape[1])
    seen = np.tril(np.ones(scores.shape)) if causal else np.ones(scores.shape)
    largest = np.max(np.where(seen == 1, scores, -np.inf), axis=-1, keepdims=True)
    powers = seen * np.exp(np.minimum(scores - largest, 0))
    weights = powers / np.sum(powers, axis=-1, keepdims=True)
    return weights @ embeddings @ W_V, weights


# %% mistake="not-implemented"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="missing-scale" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T

# %% mistake="scale-by-dk" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / K.shape[-1]

# %% mistake="scale-multiplied" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T * np.sqrt(K.shape[-1])

# %% mistake="scale-after-softmax" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T
# - weights = row_shares(scores)
# + weights = row_shares(scores) / np.sqrt(K.shape[-1])

# %% mistake="scale-by-model-width" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / np.sqrt(embeddings.shape[-1])

# %% mistake="scale-by-model-width: of the values" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / np.sqrt(V.shape[-1])

# %% mistake="scale-by-tokens" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / np.sqrt(K.shape[0])

# %% mistake="scale-by-tokens: itself" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / len(K)

# %% mistake="mask-missing" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + hidden = np.where(later, -np.inf, scores)

# %% mistake="mask-missing: the default" edits="textbook"
# - def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
# + def self_attention(embeddings, W_Q, W_K, W_V, causal=False):

# %% mistake="mask-unexpected: causal is ignored" edits="textbook"
# - if causal:
# + if True:

# %% mistake="causal-inverted" edits="textbook"
# - if causal:
# + if not causal:

# %% mistake="mask-inverted" also="not-finite" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# + later = np.tril(np.ones(scores.shape, dtype=bool))

# %% mistake="mask-inverted: scores and infinity exchanged" also="not-finite" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + scores = np.where(later, scores, -np.inf)

# %% mistake="mask-inverted: a token sees itself" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# + later = np.tril(np.ones(scores.shape, dtype=bool), k=-1)

# %% mistake="mask-looks-ahead: one step" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# + later = np.triu(np.ones(scores.shape, dtype=bool), k=2)

# %% mistake="mask-hides-diagonal" also="not-finite" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# + later = np.triu(np.ones(scores.shape, dtype=bool))

# %% mistake="mask-hides-diagonal: with a large number" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# + scores = np.where(np.triu(np.ones(scores.shape)) == 1, -1e9, scores)

# %% mistake="mask-zero-not-inf" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + scores = np.where(later, 0, scores)

# %% mistake="mask-zero-not-inf: multiplied" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# + scores = scores * np.tril(np.ones(scores.shape))

# %% mistake="mask-zero-not-inf: minus one is added" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# + scores = scores - np.triu(np.ones(scores.shape), k=1)

# %% mistake="not-renormalized" edits="textbook"
# - if causal:
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# - weights = row_shares(scores)
# + weights = row_shares(scores)
# + if causal:
# +     weights = np.tril(weights)

# %% mistake="mask-after-softmax" also="not-finite" edits="textbook"
# - if causal:
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# - weights = row_shares(scores)
# + weights = row_shares(scores)
# + if causal:
# +     weights = np.where(np.triu(np.ones(scores.shape), k=1) == 1, -np.inf, weights)

# %% mistake="mask-nan" also="not-finite" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + scores = scores + later * -np.inf

# %% mistake="query-key-swapped" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = K @ Q.T / np.sqrt(K.shape[-1])

# %% mistake="key-not-transposed" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K / np.sqrt(K.shape[-1])

# %% mistake="key-not-transposed: the query instead" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q.T @ K / np.sqrt(K.shape[-1])

# %% mistake="reshape-not-transpose" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.reshape(K.shape[1], K.shape[0]) / np.sqrt(K.shape[-1])

# %% mistake="weight-not-transposed" also="raises" edits="textbook"
# - Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V
# + Q, K, V = embeddings @ W_Q.T, embeddings @ W_K.T, embeddings @ W_V.T

# %% mistake="weight-not-transposed: the weight on the left" also="wrong-shape" edits="textbook"
# - Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V
# + Q, K, V = W_Q @ embeddings, W_K @ embeddings, W_V @ embeddings

# %% mistake="values-not-projected" also="wrong-shape" edits="textbook"
# - return weights @ V, weights
# + return weights @ embeddings, weights

# %% mistake="values-transposed" edits="textbook"
# - return weights @ V, weights
# + return weights @ V.T, weights

# %% mistake="weights-transposed" edits="textbook"
# - return weights @ V, weights
# + return weights.T @ V, weights

# %% mistake="shared-projection: the keys are projected as the queries" edits="textbook"
# - Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V
# + Q, K, V = embeddings @ W_Q, embeddings @ W_Q, embeddings @ W_V

# %% mistake="shared-projection: the values are the keys" edits="textbook"
# - return weights @ V, weights
# + return weights @ K, weights

# %% mistake="softmax-wrong-axis" edits="textbook"
# - weights = row_shares(scores)
# + weights = row_shares(scores, axis=0)

# %% mistake="no-softmax" edits="textbook"
# - weights = row_shares(scores)
# + weights = scores

# %% mistake="softmax-over-all" edits="textbook"
# - weights = row_shares(scores)
# + weights = np.exp(scores - scores.max())
# + weights = weights / weights.sum()

# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - weights = row_shares(scores)
# + weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)

# %% mistake="keepdim-missing" edits="textbook"
# - weights = row_shares(scores)
# + powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
# + weights = powers / powers.sum(axis=-1)

# %% mistake="residual-added" edits="textbook"
# - return weights @ V, weights
# + return weights @ V + V, weights

# %% mistake="results-exchanged" edits="textbook"
# - return weights @ V, weights
# + return weights, weights @ V

# %% mistake="returns-scores" edits="textbook"
# - return weights @ V, weights
# + return weights @ V, scores

# %% mistake="returns-other-weights: those without a mask" edits="textbook"
# - return weights @ V, weights
# + return weights @ V, row_shares(Q @ K.T / np.sqrt(K.shape[-1]))

# %% mistake="wrong-type: the output alone" edits="textbook"
# - return weights @ V, weights
# + return weights @ V

# %% mistake="wrong-type: no return" edits="textbook"
# - return weights @ V, weights
# + output = weights @ V

# %% mistake="wrong-type: tensors" edits="textbook"
# - return weights @ V, weights
# + return torch.from_numpy(weights @ V), torch.from_numpy(weights)

# %% mistake="wrong-type: masked arrays" edits="textbook"
# - return weights @ V, weights
# + return weights @ V, np.ma.masked_where(weights == 0, weights)

# %% mistake="wrong-dtype: float32" edits="textbook"
# - return weights @ V, weights
# + return (weights @ V).astype(np.float32), weights.astype(np.float32)

# %% mistake="input-modified" edits="textbook"
# - Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V
# + embeddings /= W_Q.shape[1] ** 0.25
# + Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V * W_Q.shape[1] ** 0.25
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T


# %% mistake="forbidden-call: torch's attention"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    x, *matrices = (torch.from_numpy(one) for one in (embeddings, W_Q, W_K, W_V))
    query, key, value = (x @ matrix for matrix in matrices)
    output = F.scaled_dot_product_attention(query[None], key[None], value[None], is_causal=causal)[0]
    eye = torch.eye(len(x), dtype=x.dtype)
    weights = F.scaled_dot_product_attention(query[None], key[None], eye[None], is_causal=causal)[0]
    return output.numpy(), weights.numpy()


# %% mistake="forbidden-call: torch's softmax" edits="textbook"
# - weights = row_shares(scores)
# + weights = torch.softmax(torch.from_numpy(scores), dim=-1).numpy()

# %% mistake="raises: torch's names" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + scores = scores.masked_fill(later, -np.inf)

# %% mistake="raises: whole numbers hold no infinity" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# + mask = np.zeros(scores.shape, dtype=int)
# + mask[np.triu_indices(len(mask), 1)] = -np.inf
# + scores = scores + mask

# %% mistake="unrecognized: scores without signs" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = np.abs(Q @ K.T) / np.sqrt(K.shape[-1])

# %% mistake="unrecognized: a window of three" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# + places = np.arange(len(scores))
# + later = (places > places[:, None]) | (places < places[:, None] - 2)

# %% mistake="unrecognized: minus 10 is not low enough" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + scores = np.where(later, -10.0, scores)

# %% mistake="mask-large-number" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + scores = np.where(later, -1000.0, scores)

# %% mistake="mask-large-number: subtracted" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + scores = scores - 1000.0 * later

# %% mistake="unstable-softmax: the first is subtracted" also="not-finite" edits="textbook"
# - weights = row_shares(scores)
# + powers = np.exp(scores - scores[:, :1])
# + weights = powers / powers.sum(axis=-1, keepdims=True)

# %% mistake="scale-fixed: the root of 2" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / np.sqrt(2)

# %% mistake="scale-fixed: the root of 3" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / np.sqrt(3)

# %% mistake="scale-fixed: the root of 4" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / np.sqrt(4)

# %% mistake="scale-fixed: the root of 5" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / np.sqrt(5)

# %% mistake="scale-fixed: the root of 64" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / 8


# %% correct="one step a line"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    query = embeddings @ W_Q
    key = embeddings @ W_K
    value = embeddings @ W_V
    scores = query @ key.T
    scaled = scores / key.shape[-1] ** 0.5
    later = np.triu(np.ones(scores.shape), k=1) == 1
    masked = np.where(later, -np.inf, scaled)
    chosen = masked if causal else scaled
    weights = row_shares(chosen)
    context = weights @ value
    return context, weights


# %% mistake="shared-projection: a step" edits="one step a line"
# - key = embeddings @ W_K
# + key = embeddings @ W_Q

# %% mistake="shared-projection: a step, values from keys" edits="one step a line"
# - value = embeddings @ W_V
# + value = embeddings @ W_K

# %% mistake="query-key-swapped: a step" edits="one step a line"
# - scores = query @ key.T
# + scores = key @ query.T

# %% mistake="missing-scale: a step" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="scale-by-dk: a step" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1]

# %% mistake="scale-by-model-width: a step" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / embeddings.shape[-1] ** 0.5

# %% mistake="scale-by-tokens: a step" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[0] ** 0.5

# %% mistake="scale-wrong-power: half of it" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / (key.shape[-1] * 0.5)

# %% mistake="mask-inverted: with a large number" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = np.where(later, scaled, -1e9)

# %% mistake="mask-inverted: a step" also="not-finite" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = np.where(later, scaled, -np.inf)

# %% mistake="mask-inverted: a large number is added" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = scaled - 1e9 * ~later

# %% mistake="mask-missing: a step" edits="one step a line"
# - chosen = masked if causal else scaled
# + chosen = scaled

# %% mistake="mask-unexpected: a step" edits="one step a line"
# - chosen = masked if causal else scaled
# + chosen = masked

# %% mistake="mask-looks-ahead: a step" edits="one step a line"
# - later = np.triu(np.ones(scores.shape), k=1) == 1
# + later = np.triu(np.ones(scores.shape), k=2) == 1

# %% mistake="mask-hides-diagonal: a step, with a large number" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = np.where(np.triu(np.ones(scores.shape)) == 1, -1e9, scaled)

# %% mistake="mask-hides-diagonal: a step" also="not-finite" edits="one step a line"
# - later = np.triu(np.ones(scores.shape), k=1) == 1
# + later = np.triu(np.ones(scores.shape), k=0) == 1

# %% mistake="mask-zero-not-inf: a step" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = np.where(later, 0, scaled)

# %% mistake="softmax-wrong-axis: a step" edits="one step a line"
# - weights = row_shares(chosen)
# + weights = row_shares(chosen, axis=0)

# %% mistake="weights-transposed: a step" edits="one step a line"
# - context = weights @ value
# + context = weights.T @ value

# %% mistake="values-not-projected: a step" also="wrong-shape" edits="one step a line"
# - context = weights @ value
# + context = weights @ embeddings

# %% mistake="results-exchanged: a step" edits="one step a line"
# - return context, weights
# + return weights, context

# %% mistake="returns-scores: a step" edits="one step a line"
# - return context, weights
# + return context, scaled

# %% mistake="mask-hides-diagonal: in the loop, but for the first" edits="query by query"
# - seen = i + 1 if causal else T
# + seen = max(i, 1) if causal else T

# %% mistake="mask-large-number: minus 100" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + scores = np.where(later, -100.0, scores)

# %% mistake="mask-missing: and one sum a row meets the columns" also="keepdim-missing" edits="textbook"
# - scores = np.where(later, -np.inf, scores)
# + scores = scores + 0
# - weights = row_shares(scores)
# + powers = np.exp(scores - scores.max())
# + weights = powers / powers.sum(axis=-1)


# %% correct="number by number"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    query = embeddings @ W_Q
    key = embeddings @ W_K
    value = embeddings @ W_V
    tokens = len(embeddings)
    scale = np.sqrt(key.shape[1])
    weights = np.zeros((tokens, tokens))
    output = np.zeros((tokens, value.shape[1]))
    for i in range(tokens):
        seen = i + 1 if causal else tokens
        row = np.zeros(seen)
        for j in range(seen):
            row[j] = query[i] @ key[j] / scale
        if seen:
            weights[i, :seen] = row_shares(row)
        for j in range(tokens):
            output[i] += weights[i, j] * value[j]
    return output, weights


# %% mistake="missing-scale: a loop" edits="number by number"
# - scale = np.sqrt(key.shape[1])
# + scale = 1

# %% mistake="scale-by-dk: a loop" edits="number by number"
# - scale = np.sqrt(key.shape[1])
# + scale = key.shape[1]

# %% mistake="scale-by-model-width: a loop" edits="number by number"
# - scale = np.sqrt(key.shape[1])
# + scale = np.sqrt(embeddings.shape[1])

# %% mistake="scale-by-tokens: a loop" edits="number by number"
# - scale = np.sqrt(key.shape[1])
# + scale = np.sqrt(key.shape[0])

# %% mistake="mask-missing: a loop" edits="number by number"
# - seen = i + 1 if causal else tokens
# + seen = tokens

# %% mistake="mask-unexpected: a loop" edits="number by number"
# - seen = i + 1 if causal else tokens
# + seen = i + 1

# %% mistake="mask-hides-diagonal: a loop" edits="number by number"
# - seen = i + 1 if causal else tokens
# + seen = i if causal else tokens

# %% mistake="mask-hides-diagonal: a loop, but for the first" edits="number by number"
# - seen = i + 1 if causal else tokens
# + seen = max(i, 1) if causal else tokens

# %% mistake="mask-looks-ahead: a loop" edits="number by number"
# - seen = i + 1 if causal else tokens
# + seen = min(i + 2, tokens) if causal else tokens

# %% mistake="query-key-swapped: a loop" edits="number by number"
# - row[j] = query[i] @ key[j] / scale
# + row[j] = query[j] @ key[i] / scale

# %% mistake="last-round-only: a loop, the last value" edits="number by number"
# - output[i] += weights[i, j] * value[j]
# + output[i] = weights[i, j] * value[j]

# %% mistake="last-round-only: a loop, the last value that is seen" edits="number by number"
# - for j in range(tokens):
# - output[i] += weights[i, j] * value[j]
# + for j in range(seen):
# +     output[i] = weights[i, j] * value[j]

# %% mistake="weights-transposed: a loop" edits="number by number"
# - output[i] += weights[i, j] * value[j]
# + pass
# - return output, weights
# + return weights.T @ value, weights

# %% mistake="shared-projection: a loop" edits="number by number"
# - key = embeddings @ W_K
# + key = embeddings @ W_Q

# %% mistake="shared-projection: a loop, values from keys" edits="number by number"
# - value = embeddings @ W_V
# + value = embeddings @ W_K

# %% mistake="results-exchanged: a loop" edits="number by number"
# - return output, weights
# + return weights, output

# %% mistake="first-round-only: a loop, return in it" edits="number by number"
# - return output, weights
# +     return output, weights

# %% mistake="returns-values: a loop" edits="number by number"
# - output[i] += weights[i, j] * value[j]
# + output[i] += weights[i, j] * value[i]

# %% mistake="no-softmax: a loop" edits="number by number"
# - weights[i, :seen] = row_shares(row)
# + weights[i, :seen] = row

# %% mistake="mask-large-number: 100, not scaled" edits="written into the scores, before the scale"
# - scores[np.triu_indices(len(embeddings), 1)] = -np.inf
# + scores[np.triu_indices(len(embeddings), 1)] = -100

# %% mistake="mask-large-number: 1000, not scaled" edits="written into the scores, before the scale"
# - scores[np.triu_indices(len(embeddings), 1)] = -np.inf
# + scores[np.triu_indices(len(embeddings), 1)] = -1000

# %% mistake="scale-by-tokens: beside the root" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / np.sqrt(K.shape[-1]) / np.sqrt(K.shape[0])

# %% mistake="scale-by-tokens: beside the root, itself" edits="textbook"
# - scores = Q @ K.T / np.sqrt(K.shape[-1])
# + scores = Q @ K.T / np.sqrt(K.shape[-1]) / len(K)

# %% mistake="scale-by-tokens: beside the root, a step" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1] ** 0.5 / key.shape[0] ** 0.5

# %% mistake="mask-by-value" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# + scores = np.where(np.tril(scores) == 0, -np.inf, scores)

# %% mistake="mask-by-value: zeros are written over" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# + scores = np.tril(scores)
# + scores[scores == 0] = -np.inf

# %% mistake="mask-by-value: what is left of the upper half" edits="textbook"
# - later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
# - scores = np.where(later, -np.inf, scores)
# + scores = np.where(np.triu(scores, k=1).astype(bool), -np.inf, scores)
