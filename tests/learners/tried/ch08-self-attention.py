# %% setup
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)

# %% correct="mine"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    Q = embeddings @ W_Q
    K = embeddings @ W_K
    V = embeddings @ W_V
    d_k = K.shape[1]
    scores = np.dot(Q, K.T) / d_k**0.5
    if causal:
        T = embeddings.shape[0]
        mask = np.tril(np.ones((T, T)))
        scores = np.where(mask == 0, -np.inf, scores)
    weights = softmax(scores, axis=1)
    output = weights @ V
    return output, weights

# %% mistake="missing-scale: no scale" edits="mine"
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(Q, K.T)

# %% mistake="mask-missing: causal is never asked" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + pass

# %% mistake="mask-unexpected: always hidden" edits="mine"
# - if causal:
# + if True:

# %% mistake="mask-hides-diagonal: triu without k" edits="mine"
# - mask = np.tril(np.ones((T, T)))
# + mask = 1 - np.triu(np.ones((T, T)), k=0)

# %% mistake="mask-inverted: np.where the other way round" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores = np.where(mask == 0, scores, -np.inf)

# %% mistake="mask-inverted: with -1e9" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores = np.where(mask == 1, -1e9, scores)

# %% mistake="mask-inverted: -1e20 written into the places" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores[mask.astype(bool)] = -1e20

# %% mistake="mask-inverted: the lower triangle below the diagonal" edits="mine"
# - mask = np.tril(np.ones((T, T)))
# + mask = np.triu(np.ones((T, T)))

# %% mistake="scale-by-model-width: the root of d" edits="mine"
# - d_k = K.shape[1]
# + d_k = embeddings.shape[1]

# %% mistake="scale-by-tokens: the first axis" edits="mine"
# - d_k = K.shape[1]
# + d_k = K.shape[0]

# %% mistake="scale-wrong-power: to the fifth" edits="mine" never="hard-coded"
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(Q, K.T) / d_k**5

# %% mistake="scale-fixed: the root of 3" never="hard-coded" edits="mine"
# - d_k = K.shape[1]
# + d_k = 3

# %% mistake="weight-not-transposed: W.T" edits="mine"
# - Q = embeddings @ W_Q
# - K = embeddings @ W_K
# - V = embeddings @ W_V
# + Q = embeddings @ W_Q.T
# + K = embeddings @ W_K.T
# + V = embeddings @ W_V.T

# %% mistake="results-exchanged: weights first" edits="mine"
# - return output, weights
# + return weights, output

# %% mistake="softmax-wrong-axis: axis 0" edits="mine"
# - weights = softmax(scores, axis=1)
# + weights = softmax(scores, axis=0)

# %% mistake="wrong-type: the output alone" edits="mine"
# - return output, weights
# + return output

# %% mistake="mask-zero-not-inf: zeros before the softmax" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores = scores * mask

# %% mistake="query-key-swapped: K first" edits="mine"
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(K, Q.T) / d_k**0.5

# %% mistake="shared-projection: a copied line" edits="mine"
# - V = embeddings @ W_V
# + V = embeddings @ W_K

# %% mistake="not-renormalized: the weights are hidden" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + pass
# - weights = softmax(scores, axis=1)
# + weights = softmax(scores, axis=1)
# + if causal:
# +     weights = weights * mask

# %% mistake="missing-scale: and a softmax over axis 0" also="softmax-wrong-axis" edits="mine"
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(Q, K.T)
# - weights = softmax(scores, axis=1)
# + weights = softmax(scores, axis=0)

# %% mistake="query-key-swapped: and no mask" also="mask-missing" edits="mine"
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(K, Q.T) / d_k**0.5
# - scores = np.where(mask == 0, -np.inf, scores)
# + np.where(mask == 0, -np.inf, scores)

# %% mistake="mask-inverted: -1e9, and no scale" also="missing-scale" edits="mine"
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(Q, K.T)
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores = np.where(mask == 1, -1e9, scores)

# %% mistake="mask-inverted: minus infinity, and the root of d" also="scale-by-model-width" edits="mine"
# - d_k = K.shape[1]
# + d_k = embeddings.shape[1]
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores = np.where(mask, -np.inf, scores)

# %% mistake="missing-scale: and the results exchanged" also="results-exchanged" edits="mine"
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(Q, K.T)
# - return output, weights
# + return weights, output

# %% mistake="mask-unexpected: always hidden, and no scale" also="missing-scale" edits="mine"
# - scores = np.dot(Q, K.T) / d_k**0.5
# - if causal:
# + scores = np.dot(Q, K.T)
# + if True:

# %% mistake="shared-projection: and no scale" also="missing-scale" edits="mine"
# - K = embeddings @ W_K
# + K = embeddings @ W_Q
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(Q, K.T)

# %% mistake="mask-hides-diagonal: with -1e9, and no scale" also="missing-scale" edits="mine"
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(Q, K.T)
# - mask = np.tril(np.ones((T, T)))
# - scores = np.where(mask == 0, -np.inf, scores)
# + mask = np.tril(np.ones((T, T)), -1)
# + scores = np.where(mask == 0, -1e9, scores)

# %% mistake="mask-zero-not-inf: and the root of d" also="scale-by-model-width" edits="mine"
# - d_k = K.shape[1]
# + d_k = embeddings.shape[1]
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores = np.where(mask == 0, 0, scores)

# %% mistake="softmax-wrong-axis: and no mask" also="mask-missing" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + pass
# - weights = softmax(scores, axis=1)
# + weights = softmax(scores, axis=0)

# %% mistake="scale-by-dk: and the weights turned" also="weights-transposed" edits="mine"
# - scores = np.dot(Q, K.T) / d_k**0.5
# + scores = np.dot(Q, K.T) / d_k
# - output = weights @ V
# + output = weights.T @ V

# %% correct="row by row"
def self_attention(E, W_Q, W_K, W_V, causal=True):
    Q, K, V = E @ W_Q, E @ W_K, E @ W_V
    T = len(E)
    weights = np.zeros((T, T))
    out = np.zeros((T, V.shape[1]))
    for i in range(T):
        end = i + 1 if causal else T
        s = K[:end] @ Q[i] / np.sqrt(K.shape[1])
        weights[i, :end] = softmax(s)
        out[i] = weights[i, :end] @ V[:end]
    return out, weights

# %% mistake="mask-hides-diagonal: i for i + 1, but for the first" edits="row by row"
# - end = i + 1 if causal else T
# + end = max(i, 1) if causal else T

# %% mistake="mask-looks-ahead: i + 2" never="Print your mask" edits="row by row"
# - end = i + 1 if causal else T
# + end = min(i + 2, T) if causal else T

# %% mistake="first-round-only: return in the loop" edits="row by row"
# - return out, weights
# +     return out, weights

# %% mistake="wrong-dtype: weights of whole numbers" never="double" edits="row by row"
# - weights = np.zeros((T, T))
# + weights = np.zeros((T, T), dtype=int)

# %% mistake="scale-by-tokens: axis 0 of the keys" edits="mine"
# - d_k = K.shape[1]
# + d_k = K.shape[0]

# %% mistake="mask-large-number: minus 100" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores = np.where(mask == 0, -100, scores)

# %% mistake="not-finite: one largest, hidden or not" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + pass
# - weights = softmax(scores, axis=1)
# + e = np.exp(scores - scores.max(axis=1, keepdims=True))
# + if causal:
# +     e = np.tril(e)
# + weights = e / e.sum(axis=1, keepdims=True)

# %% mistake="mask-missing: and a sum without keepdims" also="keepdim-missing" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + pass
# - weights = softmax(scores, axis=1)
# + e = np.exp(scores - scores.max())
# + weights = e / e.sum(axis=1)

# %% mistake="scale-by-model-width: and triu without k" also="mask-hides-diagonal" edits="mine"
# - d_k = K.shape[1]
# + d_k = embeddings.shape[1]
# - mask = np.tril(np.ones((T, T)))
# + mask = 1 - np.triu(np.ones((T, T)))

# %% mistake="missing-scale: and the past is hidden, in loops" also="mask-inverted"
def self_attention(e, W_Q, W_K, W_V, causal=True):
    T = len(e)
    Q, K, V = e @ W_Q, e @ W_K, e @ W_V
    s = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            s[i, j] = Q[i] @ K[j]
            if causal and i > j:
                s[i, j] = -np.inf
    w = softmax(s)
    return w @ V, w

# %% mistake="values-not-projected: and zeros after the softmax" also="not-renormalized" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + pass
# - weights = softmax(scores, axis=1)
# - output = weights @ V
# + weights = softmax(scores, axis=1)
# + if causal:
# +     weights = np.tril(weights)
# + output = weights @ embeddings

# %% mistake="mask-large-number: minus 100, before the scale"
def self_attention(e, W_Q, W_K, W_V, causal=True):
    Q, K, V = e @ W_Q, e @ W_K, e @ W_V
    s = Q @ K.T
    if causal:
        s = np.where(np.triu(np.ones(s.shape), k=1) == 1, -100, s)
    w = softmax(s / np.sqrt(K.shape[1]))
    return w @ V, w

# %% correct="two inner loops"
def self_attention(e, W_Q, W_K, W_V, causal=True):
    T = len(e)
    Q, K, V = e @ W_Q, e @ W_K, e @ W_V
    w = np.zeros((T, T))
    out = np.zeros((T, V.shape[1]))
    for i in range(T):
        n = i + 1 if causal else T
        sc = [Q[i] @ K[j] / np.sqrt(K.shape[1]) for j in range(n)]
        if n:
            w[i, :n] = softmax(np.array(sc))
        for j in range(n):
            out[i] += w[i, j] * V[j]
    return out, w

# %% mistake="mask-hides-diagonal: range(i), and = for +=" also="last-round-only" edits="two inner loops"
# - n = i + 1 if causal else T
# + n = i if causal else T
# - out[i] += w[i, j] * V[j]
# + out[i] = w[i, j] * V[j]

# %% mistake="last-round-only: = for +=" edits="two inner loops"
# - out[i] += w[i, j] * V[j]
# + out[i] = w[i, j] * V[j]

# %% mistake="mask-hides-diagonal: range(i)" edits="two inner loops"
# - n = i + 1 if causal else T
# + n = i if causal else T

# %% mistake="missing-scale: and = for +=" also="last-round-only" edits="two inner loops"
# - sc = [Q[i] @ K[j] / np.sqrt(K.shape[1]) for j in range(n)]
# + sc = [Q[i] @ K[j] for j in range(n)]
# - out[i] += w[i, j] * V[j]
# + out[i] = w[i, j] * V[j]

# %% mistake="query-key-swapped: in a loop" edits="two inner loops"
# - sc = [Q[i] @ K[j] / np.sqrt(K.shape[1]) for j in range(n)]
# + sc = [Q[j] @ K[i] / np.sqrt(K.shape[1]) for j in range(n)]

# %% mistake="returns-values: V[i] for V[j]" edits="two inner loops"
# - out[i] += w[i, j] * V[j]
# + out[i] += w[i, j] * V[i]

# %% mistake="unrecognized: three at once"
def self_attention(e, W_Q, W_K, W_V, causal=True):
    Q, K, V = e @ W_Q, e @ W_K, e @ W_V
    s = K @ Q.T / np.sqrt(W_V.shape[1])
    if causal:
        s = np.where(np.triu(np.ones(s.shape), k=1) == 1, -1e9, s)
    w = softmax(s)
    return w, w @ V

# %% mistake="mask-large-number: minus a hundred" never="where infinity is asked for|the value that the docstring" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores = np.where(mask == 0, -100, scores)

# %% mistake="mask-inverted: the future alone is seen"
def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    if causal:
        hidden = np.triu(np.ones_like(scores), k=1).astype(bool)
        scores = np.where(hidden, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights

# %% mistake="mask-inverted: np.tril says what is hidden" edits="mine"
# - scores = np.where(mask == 0, -np.inf, scores)
# + scores = np.where(mask, -np.inf, scores)
