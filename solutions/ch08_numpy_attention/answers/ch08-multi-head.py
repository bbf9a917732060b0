# %% setup
import numpy as np
import torch


def row_shares(x, axis=-1):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def attend(embeddings, W_Q, W_K, W_V, causal=True):
    Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    if causal:
        scores = np.where(np.triu(np.ones(scores.shape), k=1) == 1, -np.inf, scores)
    weights = row_shares(scores)
    return weights @ V, weights


# %% correct="textbook"
def multi_head_attention(embeddings, heads, W_O, causal=True):
    outputs = []
    for W_Q, W_K, W_V in heads:
        output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
        outputs.append(output)
    return np.concatenate(outputs, axis=-1) @ W_O


# %% correct="hstack of a list"
def multi_head_attention(embeddings, heads, W_O, causal=True):
    return np.hstack([attend(embeddings, *head, causal=causal)[0] for head in heads]) @ W_O


# %% correct="every head through its own rows of W_O"
def multi_head_attention(embeddings, heads, W_O, causal=True):
    parts = np.split(W_O, len(heads))
    return sum(attend(embeddings, *head, causal)[0] @ part for head, part in zip(heads, parts))


# %% correct="all heads stacked"
def multi_head_attention(embeddings, heads, W_O, causal=True):
    W_Q, W_K, W_V = (np.stack(matrices) for matrices in zip(*heads))
    Q, K, V = embeddings @ W_Q, embeddings @ W_K, embeddings @ W_V
    scores = Q @ K.transpose(0, 2, 1) / np.sqrt(K.shape[-1])
    if causal:
        scores = scores + np.triu(np.full(scores.shape[1:], -np.inf), k=1)
    output = row_shares(scores) @ V
    return output.transpose(1, 0, 2).reshape(len(embeddings), -1) @ W_O


# %% correct="written into a table"
def multi_head_attention(embeddings, heads, W_O, causal=True):
    d_v = heads[0][2].shape[1]
    table = np.zeros((embeddings.shape[0], len(heads) * d_v))
    for i in range(len(heads)):
        W_Q, W_K, W_V = heads[i]
        table[:, i * d_v : (i + 1) * d_v] = attend(embeddings, W_Q, W_K, W_V, causal=causal)[0]
    return np.dot(table, W_O)


# %% mistake="not-implemented"
def multi_head_attention(embeddings, heads, W_O, causal=True):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="heads-concatenated-on-tokens" also="wrong-shape" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + both = np.concatenate(outputs, axis=0)
# + return both @ W_O[: both.shape[1]]

# %% mistake="raises: the heads stand below each other" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.concatenate(outputs) @ W_O

# %% mistake="missing-out-proj" also="wrong-shape" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.concatenate(outputs, axis=-1)

# %% mistake="heads-merged-without-transpose" edits="all heads stacked"
# - return output.transpose(1, 0, 2).reshape(len(embeddings), -1) @ W_O
# + return output.reshape(len(embeddings), -1) @ W_O

# %% mistake="heads-interleaved" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.stack(outputs, axis=-1).reshape(len(embeddings), -1) @ W_O

# %% mistake="heads-reversed" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.concatenate(outputs[::-1], axis=-1) @ W_O

# %% mistake="heads-share-weights: the first" edits="textbook"
# - output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
# + output, _ = attend(embeddings, *heads[0], causal)

# %% mistake="heads-share-weights: the last" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.concatenate([outputs[-1]] * len(outputs), axis=-1) @ W_O

# %% mistake="heads-added-up" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.tile(sum(outputs), len(outputs)) @ W_O

# %% mistake="heads-added-up: their mean" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + mean = np.mean(outputs, axis=0)
# + return mean @ W_O[: mean.shape[1]]

# %% mistake="heads-added-up: the sum, through the first rows of W_O" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + total = np.sum(outputs, axis=0)
# + return total @ W_O[: total.shape[1]]

# %% mistake="mask-unexpected: causal is not passed on" edits="textbook"
# - output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
# + output, _ = attend(embeddings, W_Q, W_K, W_V)

# %% mistake="mask-missing" edits="textbook"
# - output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
# + output, _ = attend(embeddings, W_Q, W_K, W_V, causal=False)

# %% mistake="mask-missing: the default" edits="textbook"
# - def multi_head_attention(embeddings, heads, W_O, causal=True):
# + def multi_head_attention(embeddings, heads, W_O, causal=False):

# %% mistake="causal-inverted" edits="textbook"
# - output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
# + output, _ = attend(embeddings, W_Q, W_K, W_V, not causal)

# %% mistake="query-key-swapped" edits="textbook"
# - output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
# + output, _ = attend(embeddings, W_K, W_Q, W_V, causal)

# %% mistake="missing-scale" edits="all heads stacked"
# - scores = Q @ K.transpose(0, 2, 1) / np.sqrt(K.shape[-1])
# + scores = Q @ K.transpose(0, 2, 1)

# %% mistake="scale-by-model-width" edits="all heads stacked"
# - scores = Q @ K.transpose(0, 2, 1) / np.sqrt(K.shape[-1])
# + scores = Q @ K.transpose(0, 2, 1) / np.sqrt(embeddings.shape[-1])

# %% mistake="scale-by-heads" edits="all heads stacked"
# - scores = Q @ K.transpose(0, 2, 1) / np.sqrt(K.shape[-1])
# + scores = Q @ K.transpose(0, 2, 1) / np.sqrt(len(heads))

# %% mistake="softmax-wrong-axis" edits="all heads stacked"
# - output = row_shares(scores) @ V
# + output = row_shares(scores, axis=1) @ V

# %% mistake="softmax-wrong-axis: over the heads" also="not-finite" edits="all heads stacked"
# - output = row_shares(scores) @ V
# + output = row_shares(scores, axis=0) @ V

# %% mistake="weight-not-transposed: W_O" also="raises" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.concatenate(outputs, axis=-1) @ W_O.T

# %% mistake="input-modified: the heads are taken out of the list" edits="textbook"
# - for W_Q, W_K, W_V in heads:
# - output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
# - outputs.append(output)
# + while heads:
# +     W_Q, W_K, W_V = heads.pop(0)
# +     output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
# +     outputs.append(output)

# %% mistake="input-modified: the list is turned round" edits="textbook"
# - for W_Q, W_K, W_V in heads:
# + heads.reverse()
# + for W_Q, W_K, W_V in heads[::-1]:

# %% mistake="residual-added" edits="all heads stacked"
# - output = row_shares(scores) @ V
# + output = row_shares(scores) @ V + V

# %% mistake="raises: two results in one name" edits="textbook"
# - output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
# + output = attend(embeddings, W_Q, W_K, W_V, causal)

# %% mistake="raises: heads is taken for a number" edits="textbook"
# - for W_Q, W_K, W_V in heads:
# + for W_Q, W_K, W_V in range(heads):

# %% mistake="wrong-shape: the weights of the last head too" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.concatenate([np.concatenate(outputs, axis=-1) @ W_O, _], axis=-1)

# %% mistake="wrong-type: a list of heads" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return outputs

# %% mistake="wrong-type: a tuple" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.concatenate(outputs, axis=-1) @ W_O, outputs

# %% mistake="wrong-type: no return" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + result = np.concatenate(outputs, axis=-1) @ W_O

# %% mistake="forbidden-call: torch's softmax" edits="all heads stacked"
# - output = row_shares(scores) @ V
# + output = torch.softmax(torch.tensor(scores), -1).numpy() @ V

# %% mistake="wrong-dtype: float32" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.concatenate(outputs, axis=-1, dtype=np.float32) @ W_O.astype(np.float32)

# %% mistake="unrecognized: a head is left out" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + outputs[1:2] = [0 * output for output in outputs[1:2]]
# + return np.concatenate(outputs, axis=-1) @ W_O

# %% mistake="unrecognized: keys and values exchanged where they fit" edits="textbook"
# - output, _ = attend(embeddings, W_Q, W_K, W_V, causal)
# + if W_K.shape == W_V.shape:
# +     W_K, W_V = W_V, W_K
# + output, _ = attend(embeddings, W_Q, W_K, W_V, causal)

# %% mistake="unstable-softmax" also="not-finite" edits="all heads stacked"
# - output = row_shares(scores) @ V
# + powers = np.exp(scores)
# + output = (powers / powers.sum(axis=-1, keepdims=True)) @ V

# %% mistake="mask-large-number" edits="all heads stacked"
# - scores = scores + np.triu(np.full(scores.shape[1:], -np.inf), k=1)
# + scores = scores + np.triu(np.full(scores.shape[1:], -1000.0), k=1)

# %% mistake="heads-added-up: their mean, in every place" edits="textbook"
# - return np.concatenate(outputs, axis=-1) @ W_O
# + return np.tile(np.mean(outputs, axis=0), len(outputs)) @ W_O


# %% correct="one step a line"
def attend(embeddings, W_Q, W_K, W_V, causal):
    query = embeddings @ W_Q
    key = embeddings @ W_K
    value = embeddings @ W_V
    scores = query @ key.T
    scaled = scores / key.shape[-1] ** 0.5
    later = np.triu(np.ones(scores.shape), k=1) == 1
    masked = np.where(later, -np.inf, scaled)
    weights = row_shares(masked if causal else scaled)
    return weights @ value


def multi_head_attention(embeddings, heads, W_O, causal=True):
    outputs = [attend(embeddings, *head, causal) for head in heads]
    joined = np.concatenate(outputs, axis=-1)
    return joined @ W_O


# %% mistake="causal-inverted: a step" edits="one step a line"
# - outputs = [attend(embeddings, *head, causal) for head in heads]
# + outputs = [attend(embeddings, *head, not causal) for head in heads]

# %% mistake="shared-projection" edits="one step a line"
# - key = embeddings @ W_K
# + key = embeddings @ W_Q

# %% mistake="query-key-swapped: a step" edits="one step a line"
# - scores = query @ key.T
# + scores = key @ query.T

# %% mistake="missing-scale: a step" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores

# %% mistake="scale-by-dk" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / key.shape[-1]

# %% mistake="scale-by-model-width: a step" edits="one step a line"
# - scaled = scores / key.shape[-1] ** 0.5
# + scaled = scores / embeddings.shape[-1] ** 0.5

# %% mistake="mask-inverted: with a large number" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = np.where(later, scaled, -1e9)

# %% mistake="mask-inverted" also="not-finite" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = np.where(later, scaled, -np.inf)

# %% mistake="mask-inverted: a token sees itself" edits="one step a line"
# - later = np.triu(np.ones(scores.shape), k=1) == 1
# + later = np.tril(np.ones(scores.shape), k=-1) == 1

# %% mistake="mask-missing: a step" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = scaled

# %% mistake="mask-looks-ahead" edits="one step a line"
# - later = np.triu(np.ones(scores.shape), k=1) == 1
# + later = np.triu(np.ones(scores.shape), k=2) == 1

# %% mistake="mask-hides-diagonal: with a large number" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = np.where(np.triu(np.ones(scores.shape)) == 1, -1e9, scaled)

# %% mistake="mask-zero-not-inf" edits="one step a line"
# - masked = np.where(later, -np.inf, scaled)
# + masked = np.where(later, 0, scaled)

# %% mistake="softmax-wrong-axis: a step" edits="one step a line"
# - weights = row_shares(masked if causal else scaled)
# + weights = row_shares(masked if causal else scaled, axis=0)

# %% mistake="weights-transposed" edits="one step a line"
# - return weights @ value
# + return weights.T @ value

# %% mistake="mask-unexpected: a step" edits="one step a line"
# - outputs = [attend(embeddings, *head, causal) for head in heads]
# + outputs = [attend(embeddings, *head, True) for head in heads]

# %% mistake="heads-interleaved: a step" edits="one step a line"
# - joined = np.concatenate(outputs, axis=-1)
# + joined = np.stack(outputs, axis=-1).reshape(len(embeddings), -1)

# %% mistake="heads-merged-without-transpose: a step" edits="one step a line"
# - joined = np.concatenate(outputs, axis=-1)
# + joined = np.stack(outputs).reshape(len(embeddings), -1)

# %% mistake="heads-reversed: a step" edits="one step a line"
# - joined = np.concatenate(outputs, axis=-1)
# + joined = np.concatenate(outputs[::-1], axis=-1)

# %% mistake="heads-added-up: a step, the mean" edits="one step a line"
# - joined = np.concatenate(outputs, axis=-1)
# + joined = np.tile(np.mean(outputs, axis=0), len(outputs))

# %% mistake="heads-added-up: a step" edits="one step a line"
# - joined = np.concatenate(outputs, axis=-1)
# + joined = np.tile(np.sum(outputs, axis=0), len(outputs))

# %% mistake="missing-out-proj: a step" also="wrong-shape" edits="one step a line"
# - return joined @ W_O
# + return joined


# %% correct="added up, head after head"
def multi_head_attention(embeddings, heads, W_O, causal=True):
    total = np.zeros((len(embeddings), W_O.shape[1]))
    first = 0
    for W_Q, W_K, W_V in heads:
        output = attend(embeddings, W_Q, W_K, W_V, causal)
        width = output.shape[1]
        total = total + output @ W_O[first : first + width]
        first = first + width
    return total


def attend(embeddings, W_Q, W_K, W_V, causal):
    scores = embeddings @ W_Q @ (embeddings @ W_K).T / np.sqrt(W_K.shape[1])
    if causal:
        scores = np.where(np.tril(np.ones(scores.shape)) == 1, scores, -np.inf)
    return row_shares(scores) @ (embeddings @ W_V)


# %% mistake="heads-added-up: all through the first rows" edits="added up, head after head"
# - first = first + width
# + pass

# %% mistake="last-round-only: added up" edits="added up, head after head"
# - total = total + output @ W_O[first : first + width]
# + total = output @ W_O[first : first + width]

# %% mistake="first-round-only: added up, return in the loop" edits="added up, head after head"
# - return total
# +     return total

# %% mistake="mask-unexpected: added up" edits="added up, head after head"
# - output = attend(embeddings, W_Q, W_K, W_V, causal)
# + output = attend(embeddings, W_Q, W_K, W_V, True)

# %% mistake="causal-inverted: added up" edits="added up, head after head"
# - output = attend(embeddings, W_Q, W_K, W_V, causal)
# + output = attend(embeddings, W_Q, W_K, W_V, not causal)

# %% mistake="query-key-swapped: added up" edits="added up, head after head"
# - output = attend(embeddings, W_Q, W_K, W_V, causal)
# + output = attend(embeddings, W_K, W_Q, W_V, causal)

# %% mistake="heads-share-weights: added up, the first" edits="added up, head after head"
# - output = attend(embeddings, W_Q, W_K, W_V, causal)
# + output = attend(embeddings, *heads[0], causal)

# %% mistake="missing-scale: added up" edits="added up, head after head"
# - scores = embeddings @ W_Q @ (embeddings @ W_K).T / np.sqrt(W_K.shape[1])
# + scores = embeddings @ W_Q @ (embeddings @ W_K).T

# %% mistake="mask-hides-diagonal: added up" edits="added up, head after head"
# - scores = np.where(np.tril(np.ones(scores.shape)) == 1, scores, -np.inf)
# + scores = np.where(np.tril(np.ones(scores.shape), -1) == 1, scores, -1e9)

# %% mistake="heads-share-weights: a step, the first" edits="one step a line"
# - outputs = [attend(embeddings, *head, causal) for head in heads]
# + outputs = [attend(embeddings, *heads[0], causal) for head in heads]

# %% mistake="heads-share-weights: a step, the first's weights, each head's values" edits="one step a line"
# - outputs = [attend(embeddings, *head, causal) for head in heads]
# + outputs = [attend(embeddings, *heads[0][:2], head[2], causal) for head in heads]

# %% mistake="heads-share-weights: a step, the last" edits="one step a line"
# - outputs = [attend(embeddings, *head, causal) for head in heads]
# + outputs = [attend(embeddings, *heads[-1], causal) for head in heads]

# %% mistake="heads-merged-without-transpose: a step, joined below each other" edits="one step a line"
# - joined = np.concatenate(outputs, axis=-1)
# + joined = np.concatenate(outputs, axis=0).reshape(len(embeddings), -1)

# %% mistake="mask-missing: a step, never causal" edits="one step a line"
# - outputs = [attend(embeddings, *head, causal) for head in heads]
# + outputs = [attend(embeddings, *head, False) for head in heads]

# %% mistake="query-key-swapped: a step, in the call" edits="one step a line"
# - outputs = [attend(embeddings, *head, causal) for head in heads]
# + outputs = [attend(embeddings, K, Q, V, causal) for Q, K, V in heads]

# %% mistake="residual-added: a step, the values" edits="one step a line"
# - return weights @ value
# + return weights @ value + value

# %% mistake="shared-projection: a step, the keys" also="raises" edits="one step a line"
# - value = embeddings @ W_V
# + value = embeddings @ W_K


# %% mistake="mask-by-value"
def multi_head_attention(embeddings, heads, W_O, causal=True):
    outputs = []
    for W_Q, W_K, W_V in heads:
        scores = embeddings @ W_Q @ (embeddings @ W_K).T / np.sqrt(W_K.shape[1])
        if causal:
            scores = np.where(np.tril(scores) == 0, -np.inf, scores)
        outputs.append(row_shares(scores) @ (embeddings @ W_V))
    return np.concatenate(outputs, axis=-1) @ W_O
