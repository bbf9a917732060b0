# %% setup
import numpy as np


def sigmoid(s):
    return 1 / (1 + np.exp(-s))

# %% correct="mine"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    v = W_in[center]
    ids = [context] + list(negatives)
    labels = [1] + [0] * len(negatives)
    new_in = W_in.copy()
    new_out = W_out.copy()
    loss = 0
    for word, label in zip(ids, labels):
        s = np.dot(W_out[word], v)
        error = sigmoid(s) - label
        loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
        new_in[center] -= lr * error * W_out[word]
        new_out[word] -= lr * error * v
    return new_in, new_out, loss

# %% mistake="updated-too-early: the center is moved first" edits="mine"
# - v = W_in[center]
# - ids = [context] + list(negatives)
# + ids = [context] + list(negatives)
# - new_in = W_in.copy()
# + new_in = W_in.copy()
# + v = new_in[center]

# %% mistake="repeats-lost: a list as index"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    ids = [context] + list(negatives)
    v, U = W_in[center], W_out[ids]
    s = U @ v
    error = sigmoid(s)
    error[0] -= 1
    loss = -np.log(sigmoid(s[0])) - np.log(sigmoid(-s[1:])).sum()
    new_in, new_out = W_in.copy(), W_out.copy()
    new_in[center] -= lr * error @ U
    new_out[ids] -= lr * error[:, None] * v
    return new_in, new_out, loss

# %% mistake="input-modified: no copies" edits="mine"
# - new_in = W_in.copy()
# - new_out = W_out.copy()
# + new_in = W_in
# + new_out = W_out

# %% mistake="updated-too-early: from the new rows" edits="mine"
# - s = np.dot(W_out[word], v)
# + s = np.dot(new_out[word], v)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * new_out[word]

# %% mistake="wrong-sign: plus" edits="mine"
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] += lr * error * W_out[word]
# + new_out[word] += lr * error * v

# %% mistake="wrong-loss: the negatives' logarithm" edits="mine"
# - loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
# + loss += -np.log(sigmoid(s))

# %% mistake="wrong-step-size: no lr" edits="mine"
# - error = sigmoid(s) - label
# + error, lr = sigmoid(s) - label, 1

# %% mistake="wrong-loss: the mean" edits="mine"
# - return new_in, new_out, loss
# + return new_in, new_out, loss / len(ids)

# %% mistake="repeats-lost: overwritten" edits="mine"
# - new_out[word] -= lr * error * v
# + new_out[word] = W_out[word] - lr * error * v

# %% mistake="repeats-lost: no negative that is the context" edits="mine"
# - ids = [context] + list(negatives)
# - labels = [1] + [0] * len(negatives)
# + negatives = [word for word in negatives if word != context]
# + ids = [context] + list(negatives)
# + labels = [1] + [0] * len(negatives)

# %% mistake="one-matrix: W_in for all" edits="mine"
# - s = np.dot(W_out[word], v)
# + s = np.dot(W_in[word], v)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_in[word]

# %% mistake="label-missing: no label" edits="mine"
# - error = sigmoid(s) - label
# + error = sigmoid(s)

# %% mistake="matrix-not-moved: the words" edits="mine"
# - new_out[word] -= lr * error * v

# %% mistake="wrong-sign: plus, and the mean of the loss" also="wrong-loss" edits="mine"
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] += lr * error * W_out[word]
# + new_out[word] += lr * error * v
# - return new_in, new_out, loss
# + return new_in, new_out, loss / len(ids)

# %% mistake="label-missing: and the loss without signs" also="wrong-loss" edits="mine"
# - error = sigmoid(s) - label
# - loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
# + error = sigmoid(s)
# + loss += -np.log(sigmoid(s))

# %% mistake="wrong-sign: the error and the loss turned round" also="wrong-loss" edits="mine"
# - error = sigmoid(s) - label
# - loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
# + error = label - sigmoid(s)
# + loss += np.log(sigmoid(s)) if label == 1 else np.log(sigmoid(-s))

# %% mistake="input-modified: plus, and no copies" edits="mine"
# - v = W_in[center]
# + v = W_in[center].copy()
# - new_in = W_in.copy()
# - new_out = W_out.copy()
# + new_in = W_in
# + new_out = W_out
# + grad = np.zeros_like(v)
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + grad += error * W_out[word]
# + new_out[word] += lr * error * v
# - return new_in, new_out, loss
# + new_in[center] += lr * grad
# + return new_in, new_out, loss

# %% mistake="wrong-sign: plus, and moved words are read" also="updated-too-early" edits="mine"
# - s = np.dot(W_out[word], v)
# + s = np.dot(new_out[word], v)
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] += lr * error * new_out[word]
# + new_out[word] += lr * error * v

# %% mistake="drawn-as-neighbor: the label by the id" edits="mine"
# - error = sigmoid(s) - label
# + label = int(word == context)
# + error = sigmoid(s) - label

# %% mistake="drawn-as-neighbor: the label by the id, in an if" edits="mine"
# - error = sigmoid(s) - label
# - loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
# + if word == context:
# +     error = sigmoid(s) - 1
# +     loss += -np.log(sigmoid(s))
# + else:
# +     error = sigmoid(s)
# +     loss += -np.log(1 - sigmoid(s))

# %% mistake="updated-too-early: and the label by the id" also="drawn-as-neighbor" edits="mine"
# - v = W_in[center]
# - ids = [context] + list(negatives)
# + ids = [context] + list(negatives)
# - new_in = W_in.copy()
# - new_out = W_out.copy()
# + new_in = W_in.copy()
# + new_out = W_out.copy()
# - s = np.dot(W_out[word], v)
# - error = sigmoid(s) - label
# + label = int(word == context)
# + s = np.dot(new_out[word], new_in[center])
# + error = sigmoid(s) - label
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] -= lr * error * new_out[word]
# + new_out[word] -= lr * error * new_in[center]

# %% mistake="matrix-not-moved: for the context alone, the loss divided" also="wrong-loss" edits="mine"
# - new_in[center] -= lr * error * W_out[word]
# + if label == 1:
# +     new_in[center] -= lr * error * W_out[word]
# - return new_in, new_out, loss
# + return new_in, new_out, loss / len(ids)

# %% mistake="wrong-step-size: the words without lr, no signs" also="wrong-loss" edits="mine"
# - loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
# + loss += -np.log(sigmoid(s))
# - new_out[word] -= lr * error * v
# + new_out[word] -= error * v

# %% mistake="wrong-sign: the words, and the mean of the loss" also="wrong-loss" edits="mine"
# - new_out[word] -= lr * error * v
# + new_out[word] += lr * error * v
# - return new_in, new_out, loss
# + return new_in, new_out, loss / len(ids)

# %% mistake="wrong-sign: labels exchanged" edits="mine"
# - error = sigmoid(s) - label
# + error = sigmoid(s) - (label == 0)

# %% mistake="sigmoid-turned: the exponential of the score" edits="mine"
# - new_in = W_in.copy()
# + sigmoid = lambda s: 1 / (1 + np.exp(s))
# + new_in = W_in.copy()

# %% mistake="sigmoid-turned: and the context alone in the loss" also="wrong-loss" edits="mine"
# - new_in = W_in.copy()
# + sigmoid = lambda s: 1 / (1 + np.exp(s))
# + new_in = W_in.copy()
# - loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
# + loss += -np.log(sigmoid(s)) if label == 1 else 0

# %% mistake="last-left-out: one negative too few" edits="mine"
# - ids = [context] + list(negatives)
# - labels = [1] + [0] * len(negatives)
# + negatives = negatives[:-1]
# + ids = [context] + list(negatives)
# + labels = [1] + [0] * len(negatives)

# %% mistake="wrong-loss: the negatives are left out" edits="mine"
# - loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
# + loss += -np.log(sigmoid(s)) if label == 1 else 0

# %% mistake="input-modified: the words alone are copied" edits="mine"
# - v = W_in[center]
# + v = W_in[center].copy()
# - new_in = W_in.copy()
# + new_in = W_in

# %% mistake="input-modified: in place, one after the other" also="updated-too-early"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    v = W_in[center]
    loss = 0
    for w, y in [(context, 1)] + [(n, 0) for n in negatives]:
        s = W_out[w] @ v
        e = sigmoid(s) - y
        loss -= np.log(sigmoid(s)) if y else np.log(sigmoid(-s))
        W_out[w] -= lr * e * v
        W_in[center] -= lr * e * W_out[w]
    return W_in, W_out, loss

# %% mistake="updated-too-early: a view of the copy, and the loss without" also="wrong-loss" edits="mine"
# - v = W_in[center]
# - ids = [context] + list(negatives)
# + ids = [context] + list(negatives)
# - new_in = W_in.copy()
# + new_in = W_in.copy()
# + v = new_in[center]
# - loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
# + loss += -np.log(sigmoid(s))

# %% mistake="repeats-lost: a list as index, and the center uphill" also="wrong-sign"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    A, B = W_in.copy(), W_out.copy()
    v = W_in[center]
    ids = [context] + list(negatives)
    y = np.zeros(len(ids))
    y[0] = 1
    s = W_out[ids] @ v
    e = sigmoid(s) - y
    B[ids] -= lr * e[:, None] * v
    A[center] += lr * (e @ W_out[ids])
    return A, B, -np.log(sigmoid(s[0])) - np.log(sigmoid(-s[1:])).sum()

# %% mistake="repeats-lost: a set of negatives, and the mean of the loss" also="wrong-loss" edits="mine"
# - ids = [context] + list(negatives)
# - labels = [1] + [0] * len(negatives)
# + negatives = set(negatives) - {context}
# + ids = [context] + list(negatives)
# + labels = [1] + [0] * len(negatives)
# - return new_in, new_out, loss
# + return new_in, new_out, loss / (1 + len(negatives))

# %% mistake="repeats-lost: a set of negatives" edits="mine"
# - ids = [context] + list(negatives)
# - labels = [1] + [0] * len(negatives)
# + ids = [context] + list(set(negatives))
# + labels = [1] + [0] * len(set(negatives))

# %% mistake="last-round-only: the sum is overwritten, and no minus in the loss" also="wrong-loss"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    A, B = W_in.copy(), W_out.copy()
    v = W_in[center].copy()
    s = W_out[context] @ v
    e = sigmoid(s) - 1
    B[context] -= lr * e * v
    dv = e * W_out[context]
    loss = -np.log(sigmoid(s))
    for n in negatives:
        s = W_out[n] @ v
        e = sigmoid(s)
        B[n] -= lr * e * v
        dv = e * W_out[n]
        loss = loss - np.log(1 - sigmoid(s))
    A[center] -= lr * dv
    return A, B, -loss

# %% mistake="last-round-only: the center from the old row each time" edits="mine"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] = W_in[center] - lr * error * W_out[word]

# %% mistake="sigmoid-missing: and rows from the old ones each time" also="repeats-lost" edits="mine"
# - error = sigmoid(s) - label
# + error = s - label
# - new_out[word] -= lr * error * v
# + new_out[word] = W_out[word] - lr * error * v

# %% mistake="sigmoid-missing: the score for the share" edits="mine"
# - error = sigmoid(s) - label
# + error = s - label

# %% mistake="rows-mixed-up: the vectors exchanged" edits="mine"
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] -= lr * error * v
# + new_out[word] -= lr * error * W_out[word]

# %% mistake="wrong-sign: label minus share" edits="mine"
# - error = sigmoid(s) - label
# + error = label - sigmoid(s)

# %% mistake="one-matrix: the center from W_out" edits="mine"
# - v = W_in[center]
# + v = W_out[center]

# %% mistake="wrong-loss: the last word alone" edits="mine"
# - loss += -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))
# + loss = -np.log(sigmoid(s)) if label == 1 else -np.log(sigmoid(-s))

# %% mistake="negatives-ignored: return in the loop" edits="mine"
# - return new_in, new_out, loss
# +     return new_in, new_out, loss

# %% mistake="label-missing: and each word once" also="repeats-lost" edits="mine"
# - ids = [context] + list(negatives)
# - labels = [1] + [0] * len(negatives)
# + ids = [context] + sorted(set(negatives))
# + labels = [1] + [0] * len(set(negatives))
# - error = sigmoid(s) - label
# + error = sigmoid(s)

# %% mistake="input-modified: the context is put among the negatives" says="its length was" never="int64|it had shape" edits="mine"
# - ids = [context] + list(negatives)
# - labels = [1] + [0] * len(negatives)
# + negatives.insert(0, context)
# + ids = negatives
# + labels = [1] + [0] * (len(negatives) - 1)

# %% mistake="updated-too-early: both rows copied inside the loop" edits="mine"
# - s = np.dot(W_out[word], v)
# + v, u = new_in[center].copy(), new_out[word].copy()
# + s = np.dot(u, v)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * u

# %% mistake="wrong-sign: the labels exchanged" never="sigmoid is turned" edits="mine"
# - labels = [1] + [0] * len(negatives)
# + labels = [0] + [1] * len(negatives)

# %% mistake="sigmoid-turned: for the negatives" never="wrong direction" edits="mine"
# - error = sigmoid(s) - label
# + error = sigmoid(s) - 1 if label else sigmoid(-s)

# %% mistake="negatives-ignored: all but the first, each beside the others" also="repeats-lost" never="Negatives have no influence"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    v, u_c, u_n = W_in[center], W_out[context], W_out[negatives[0]]
    e_c, e_n = sigmoid(u_c @ v) - 1, sigmoid(u_n @ v) - 0
    new_in, new_out = W_in.copy(), W_out.copy()
    new_out[context] = u_c - lr * e_c * v
    new_out[negatives[0]] = u_n - lr * e_n * v
    new_in[center] = v - lr * (e_c * u_c + e_n * u_n)
    loss = -np.log(sigmoid(u_c @ v)) - np.log(sigmoid(-u_n @ v))
    return new_in, new_out, loss
