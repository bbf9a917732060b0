# %% setup
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def self_attention(embeddings, W_Q, W_K, W_V, causal=True):
    Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V
    scores = Q @ K.T / np.sqrt(K.shape[1])
    if causal:
        scores = np.where(np.tril(np.ones(scores.shape)) == 0, -np.inf, scores)
    weights = softmax(scores)
    return weights @ V, weights

# %% correct="mine"
def multi_head_attention(embeddings, heads, W_O, causal=True):
    results = []
    for W_Q, W_K, W_V in heads:
        output, weights = self_attention(embeddings, W_Q, W_K, W_V, causal)
        results.append(output)
    joined = np.concatenate(results, axis=1)
    return joined @ W_O

# %% correct="with my attention"
def my_attention(embeddings, W_Q, W_K, W_V, causal):
    Q = embeddings @ W_Q
    K = embeddings @ W_K
    V = embeddings @ W_V
    scores = Q @ K.T / K.shape[-1] ** 0.5
    if causal:
        later = np.triu(np.ones(scores.shape), k=1)
        scores = np.where(later == 1, -np.inf, scores)
    weights = softmax(scores)
    return weights @ V


def multi_head_attention(embeddings, heads, W_O, causal=True):
    outputs = [my_attention(embeddings, *head, causal) for head in heads]
    joined = np.hstack(outputs)
    return np.dot(joined, W_O)

# %% mistake="raises: axis 0" edits="mine"
# - joined = np.concatenate(results, axis=1)
# + joined = np.concatenate(results, axis=0)

# %% mistake="mask-unexpected: causal is not passed on" edits="mine"
# - output, weights = self_attention(embeddings, W_Q, W_K, W_V, causal)
# + output, weights = self_attention(embeddings, W_Q, W_K, W_V)

# %% mistake="missing-out-proj: no W_O" edits="mine"
# - return joined @ W_O
# + return joined

# %% mistake="raises: the sum of the heads" edits="mine"
# - joined = np.concatenate(results, axis=1)
# + joined = sum(results)

# %% mistake="heads-added-up: every head through the first rows of W_O" edits="mine"
# - joined = np.concatenate(results, axis=1)
# - return joined @ W_O
# + return sum(result @ W_O[: result.shape[1]] for result in results)

# %% mistake="heads-added-up: the mean, repeated" edits="mine"
# - joined = np.concatenate(results, axis=1)
# + joined = np.tile(np.mean(results, axis=0), (1, len(heads)))

# %% mistake="raises: two results in one name" edits="mine"
# - output, weights = self_attention(embeddings, W_Q, W_K, W_V, causal)
# + output = self_attention(embeddings, W_Q, W_K, W_V, causal)

# %% mistake="weight-not-transposed: W_O.T" edits="mine"
# - return joined @ W_O
# + return joined @ W_O.T

# %% mistake="raises: the weights are joined" edits="mine"
# - results.append(output)
# + results.append(weights)

# %% mistake="raises: first-round-only, return inside the loop" edits="mine"
# - results.append(output)
# - joined = np.concatenate(results, axis=1)
# - return joined @ W_O
# + results.append(output)
# + joined = np.concatenate(results, axis=1)
# + return joined @ W_O

# %% mistake="heads-interleaved: stacked at the end" edits="mine"
# - joined = np.concatenate(results, axis=1)
# + joined = np.stack(results, axis=2).reshape(len(embeddings), -1)

# %% mistake="heads-merged-without-transpose: an array, reshaped" edits="mine"
# - joined = np.concatenate(results, axis=1)
# + joined = np.array(results).reshape(len(embeddings), -1)

# %% mistake="mask-inverted: with -1e9, in my attention" edits="with my attention"
# - scores = np.where(later == 1, -np.inf, scores)
# + scores = np.where(later == 0, -1e9, scores)

# %% mistake="missing-scale: in my attention" edits="with my attention"
# - scores = Q @ K.T / K.shape[-1] ** 0.5
# + scores = Q @ K.T

# %% mistake="missing-scale: and the heads alternate" also="heads-interleaved" edits="with my attention"
# - scores = Q @ K.T / K.shape[-1] ** 0.5
# + scores = Q @ K.T
# - joined = np.hstack(outputs)
# + joined = np.stack(outputs, axis=-1).reshape(len(embeddings), -1)

# %% mistake="missing-scale: and no W_O" also="missing-out-proj" edits="with my attention"
# - scores = Q @ K.T / K.shape[-1] ** 0.5
# + scores = Q @ K.T
# - return np.dot(joined, W_O)
# + return joined

# %% mistake="missing-scale: and a softmax over axis 0" also="softmax-wrong-axis" edits="with my attention"
# - scores = Q @ K.T / K.shape[-1] ** 0.5
# + scores = Q @ K.T
# - weights = softmax(scores)
# + weights = softmax(scores, axis=0)

# %% mistake="mask-missing: and heads in reverse" also="heads-reversed" edits="with my attention"
# - scores = np.where(later == 1, -np.inf, scores)
# + np.where(later == 1, -np.inf, scores)
# - joined = np.hstack(outputs)
# + joined = np.hstack(outputs[::-1])

# %% mistake="mask-inverted: -1e9, and no scale" also="missing-scale" edits="with my attention"
# - scores = Q @ K.T / K.shape[-1] ** 0.5
# + scores = Q @ K.T
# - scores = np.where(later == 1, -np.inf, scores)
# + scores = np.where(later == 0, -1e9, scores)

# %% mistake="query-key-swapped: and no mask" also="mask-missing" edits="with my attention"
# - scores = Q @ K.T / K.shape[-1] ** 0.5
# + scores = K @ Q.T / K.shape[-1] ** 0.5
# - scores = np.where(later == 1, -np.inf, scores)
# + pass

# %% mistake="heads-reversed: inserted in front, causal not passed on" also="mask-unexpected" edits="mine"
# - output, weights = self_attention(embeddings, W_Q, W_K, W_V, causal)
# - results.append(output)
# + output, weights = self_attention(embeddings, W_Q, W_K, W_V)
# + results.insert(0, output)

# %% mistake="query-key-swapped: and no W_O" also="missing-out-proj" edits="mine"
# - output, weights = self_attention(embeddings, W_Q, W_K, W_V, causal)
# + output, weights = self_attention(embeddings, W_K, W_Q, W_V, causal)
# - return joined @ W_O
# + return joined

# %% mistake="heads-share-weights: the first head's weights" also="heads-interleaved" edits="mine"
# - output, weights = self_attention(embeddings, W_Q, W_K, W_V, causal)
# + output = self_attention(embeddings, *heads[0], causal)[1] @ (embeddings @ W_V)
# - joined = np.concatenate(results, axis=1)
# + joined = np.stack(results, axis=-1).reshape(len(embeddings), -1)

# %% mistake="heads-added-up: the mean, repeated, and causal turned round" also="causal-inverted" edits="mine"
# - output, weights = self_attention(embeddings, W_Q, W_K, W_V, causal)
# + output, weights = self_attention(embeddings, W_Q, W_K, W_V, not causal)
# - joined = np.concatenate(results, axis=1)
# + joined = np.concatenate([sum(results) / len(heads)] * len(heads), axis=1)

# %% mistake="last-round-only: = for +="
def multi_head_attention(e, heads, W_O, causal=True):
    total = 0
    r = 0
    for h in heads:
        o = self_attention(e, *h, causal)[0]
        total = o @ W_O[r : r + o.shape[1]]
        r += o.shape[1]
    return total

# %% mistake="last-round-only: = for +=, causal not passed on" also="mask-unexpected"
def multi_head_attention(e, heads, W_O, causal=True):
    total = 0
    r = 0
    for h in heads:
        o = self_attention(e, *h)[0]
        total = o @ W_O[r : r + o.shape[1]]
        r += o.shape[1]
    return total

# %% mistake="heads-merged-without-transpose: joined on the tokens, reshaped" edits="mine"
# - joined = np.concatenate(results, axis=1)
# + joined = np.concatenate(results, axis=0).reshape(len(embeddings), -1)

# %% mistake="heads-share-weights: heads[0] in the loop" edits="mine"
# - output, weights = self_attention(embeddings, W_Q, W_K, W_V, causal)
# + output, weights = self_attention(embeddings, *heads[0], causal)

# %% mistake="heads-added-up: the rows of W_O are not counted on"
def multi_head_attention(e, heads, W_O, causal=True):
    total = 0
    for h in heads:
        o = self_attention(e, *h, causal)[0]
        total = total + o @ W_O[: o.shape[1]]
    return total

# %% mistake="causal-inverted: passed on the other way round" never="Nobody asked for that" edits="mine"
# - output, weights = self_attention(embeddings, W_Q, W_K, W_V, causal)
# + output, weights = self_attention(embeddings, W_Q, W_K, W_V, not causal)
