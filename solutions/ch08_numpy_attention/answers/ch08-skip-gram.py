# %% setup
import math

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


# %% correct="textbook"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    v = W_in[center]
    new_in, new_out = W_in.copy(), W_out.copy()
    loss = 0.0
    for word, label in [(context, 1), *((word, 0) for word in negatives)]:
        share = sigmoid(W_out[word] @ v)
        loss -= np.log(share if label else 1 - share)
        error = share - label
        new_in[center] -= lr * error * W_out[word]
        new_out[word] -= lr * error * v
    return new_in, new_out, loss


# %% correct="all words at once"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    words = np.array([context, *negatives])
    labels = np.zeros(len(words))
    labels[0] = 1.0
    scores = W_out[words] @ W_in[center]
    errors = sigmoid(scores) - labels
    signs = 2 * labels - 1
    loss = np.sum(np.logaddexp(0, -signs * scores))
    new_in, new_out = np.array(W_in), np.array(W_out)
    new_in[center] = W_in[center] - lr * (errors @ W_out[words])
    np.add.at(new_out, words, -lr * np.outer(errors, W_in[center]))
    return new_in, new_out, loss


# %% correct="gradients of both matrices"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    v, u = W_in[center], W_out[context]
    grad_in, grad_out = np.zeros_like(W_in), np.zeros_like(W_out)
    positive = sigmoid(np.dot(u, v))
    loss = -math.log(positive)
    grad_in[center] += (positive - 1) * u
    grad_out[context] += (positive - 1) * v
    for negative in negatives:
        drawn = W_out[negative]
        loss -= math.log(sigmoid(-np.dot(drawn, v)))
        grad_in[center] += sigmoid(np.dot(drawn, v)) * drawn
        grad_out[negative] += sigmoid(np.dot(drawn, v)) * v
    return W_in - lr * grad_in, W_out - lr * grad_out, loss


# %% correct="one-hot words"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    V = len(W_out)
    words = [context] + list(negatives)
    pick = np.eye(V)[words]
    label = np.array([1.0] + [0.0] * len(negatives))
    share = sigmoid(pick @ W_out @ W_in[center])
    error = share - label
    loss = -(label * np.log(share) + (1 - label) * np.log(1 - share)).sum()
    new_out = W_out - lr * pick.T @ error[:, None] @ W_in[center][None, :]
    new_in = W_in - lr * np.eye(V)[center][:, None] * (error @ pick @ W_out)
    return new_in, new_out, loss


# %% mistake="not-implemented"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="updated-too-early: the moved center moves the others" edits="textbook"
# - v = W_in[center]
# - new_in, new_out = W_in.copy(), W_out.copy()
# + new_in, new_out = W_in.copy(), W_out.copy()
# + v = new_in[center]

# %% mistake="updated-too-early: the moved words move the center" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_out[word] -= lr * error * v
# + new_in[center] -= lr * error * new_out[word]

# %% mistake="updated-too-early: the moved words are scored" edits="textbook"
# - share = sigmoid(W_out[word] @ v)
# + share = sigmoid(new_out[word] @ v)

# %% mistake="updated-too-early: a word that is there twice is read again" edits="textbook"
# - share = sigmoid(W_out[word] @ v)
# + share = sigmoid(new_out[word] @ v)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * new_out[word]

# %% mistake="updated-too-early: the row is a view" edits="textbook"
# - share = sigmoid(W_out[word] @ v)
# + u = new_out[word]
# + share = sigmoid(u @ v)
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_out[word] -= lr * error * v
# + new_in[center] -= lr * error * u

# %% mistake="updated-too-early: after the loss" edits="textbook"
# - error = share - label
# + error = sigmoid(new_out[word] @ v) - label
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * new_out[word]

# %% mistake="updated-too-early: after the scores" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * new_out[word]

# %% mistake="updated-too-early: both rows are views" edits="textbook"
# - v = W_in[center]
# - new_in, new_out = W_in.copy(), W_out.copy()
# + new_in, new_out = W_in.copy(), W_out.copy()
# + v = new_in[center]
# - share = sigmoid(W_out[word] @ v)
# + share = sigmoid(new_out[word] @ v)
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_out[word] -= lr * error * v
# + new_in[center] -= lr * error * new_out[word]

# %% mistake="updated-too-early: both rows are views, the center first" edits="textbook"
# - v = W_in[center]
# - new_in, new_out = W_in.copy(), W_out.copy()
# + new_in, new_out = W_in.copy(), W_out.copy()
# + v = new_in[center]
# - share = sigmoid(W_out[word] @ v)
# + share = sigmoid(new_out[word] @ v)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * new_out[word]

# %% mistake="updated-too-early: first the center, then the words" edits="all words at once"
# - np.add.at(new_out, words, -lr * np.outer(errors, W_in[center]))
# + np.add.at(new_out, words, -lr * np.outer(errors, new_in[center]))

# %% mistake="updated-too-early: first the words, then the center" edits="all words at once"
# - new_in[center] = W_in[center] - lr * (errors @ W_out[words])
# - np.add.at(new_out, words, -lr * np.outer(errors, W_in[center]))
# + np.add.at(new_out, words, -lr * np.outer(errors, W_in[center]))
# + new_in[center] = W_in[center] - lr * (errors @ new_out[words])

# %% mistake="wrong-sign: uphill" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] += lr * error * W_out[word]
# + new_out[word] += lr * error * v

# %% mistake="wrong-sign: the center goes uphill" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] += lr * error * W_out[word]

# %% mistake="wrong-sign: the words go uphill" edits="textbook"
# - new_out[word] -= lr * error * v
# + new_out[word] += lr * error * v

# %% mistake="wrong-sign: negatives are pulled closer" edits="gradients of both matrices"
# - grad_in[center] += sigmoid(np.dot(drawn, v)) * drawn
# - grad_out[negative] += sigmoid(np.dot(drawn, v)) * v
# + grad_in[center] -= sigmoid(np.dot(drawn, v)) * drawn
# + grad_out[negative] -= sigmoid(np.dot(drawn, v)) * v

# %% mistake="wrong-sign: labels exchanged in the error" edits="textbook"
# - error = share - label
# + error = share - (1 - label)

# %% mistake="wrong-sign: negatives as if they were neighbors" edits="textbook"
# - error = share - label
# + error = share - 1

# %% mistake="wrong-sign: the share of the other sign" edits="gradients of both matrices"
# - grad_in[center] += sigmoid(np.dot(drawn, v)) * drawn
# - grad_out[negative] += sigmoid(np.dot(drawn, v)) * v
# + grad_in[center] += sigmoid(-np.dot(drawn, v)) * drawn
# + grad_out[negative] += sigmoid(-np.dot(drawn, v)) * v

# %% mistake="label-missing" edits="textbook"
# - error = share - label
# + error = share

# %% mistake="repeats-lost" edits="all words at once"
# - np.add.at(new_out, words, -lr * np.outer(errors, W_in[center]))
# + new_out[words] -= lr * np.outer(errors, W_in[center])

# %% mistake="repeats-lost: from the old row each time" edits="textbook"
# - new_out[word] -= lr * error * v
# + new_out[word] = W_out[word] - lr * error * v

# %% mistake="repeats-lost: each word once" edits="textbook"
# - for word, label in [(context, 1), *((word, 0) for word in negatives)]:
# + for word, label in [(context, 1), *((word, 0) for word in dict.fromkeys(negatives))]:

# %% mistake="repeats-lost: the context is no negative" edits="textbook"
# - for word, label in [(context, 1), *((word, 0) for word in negatives)]:
# + for word, label in [(context, 1), *((word, 0) for word in negatives if word != context)]:

# %% mistake="wrong-step-size: lr twice" edits="textbook"
# - error = share - label
# + error = lr * (share - label)

# %% mistake="wrong-step-size: no lr" edits="textbook"
# - error = share - label
# + lr, error = 1.0, share - label

# %% mistake="wrong-step-size: divided by the number of words" edits="textbook"
# - error = share - label
# + error = (share - label) / (1 + len(negatives))

# %% mistake="wrong-step-size: the center without lr" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= error * W_out[word]

# %% mistake="wrong-step-size: the words without lr" edits="textbook"
# - new_out[word] -= lr * error * v
# + new_out[word] -= error * v

# %% mistake="wrong-step-size: the slope of the sigmoid" edits="textbook"
# - error = share - label
# + error = (share - label) * share * (1 - share)

# %% mistake="wrong-loss: negatives as if they were neighbors" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)

# %% mistake="wrong-loss: the mean" edits="textbook"
# - return new_in, new_out, loss
# + return new_in, new_out, loss / (1 + len(negatives))

# %% mistake="wrong-loss: after the step" edits="textbook"
# - return new_in, new_out, loss
# + signed = [(context, 1), *((word, -1) for word in negatives)]
# + after = -sum(np.log(sigmoid(sign * new_out[word] @ new_in[center])) for word, sign in signed)
# + return new_in, new_out, after

# %% mistake="wrong-loss: without minus" edits="textbook"
# - return new_in, new_out, loss
# + return new_in, new_out, -loss

# %% mistake="wrong-loss: the context alone" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share) if label else 0.0

# %% mistake="wrong-loss: another logarithm" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log2(share if label else 1 - share)

# %% mistake="wrong-loss: squared errors" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss += (share - label) ** 2

# %% mistake="negatives-ignored" edits="textbook"
# - for word, label in [(context, 1), *((word, 0) for word in negatives)]:
# + for word, label in [(context, 1)]:

# %% mistake="negatives-ignored: all but the first" edits="textbook"
# - for word, label in [(context, 1), *((word, 0) for word in negatives)]:
# + for word, label in [(context, 1), *((word, 0) for word in negatives[:1])]:

# %% mistake="matrix-not-moved: W_in" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + pass

# %% mistake="matrix-not-moved: W_out" edits="textbook"
# - new_out[word] -= lr * error * v
# + pass

# %% mistake="matrix-not-moved: the center moves for the context alone" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_out[word] * label

# %% mistake="matrix-not-moved: the negatives stay" edits="textbook"
# - new_out[word] -= lr * error * v
# + new_out[word] -= lr * error * v * label

# %% mistake="matrix-not-moved: the old ones come back" edits="textbook"
# - return new_in, new_out, loss
# + return W_in, W_out, loss

# %% mistake="one-matrix" edits="textbook"
# - share = sigmoid(W_out[word] @ v)
# + share = sigmoid(W_in[word] @ v)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_in[word]

# %% mistake="one-matrix: the matrices are exchanged" edits="textbook"
# - v = W_in[center]
# + W_in, W_out = W_out, W_in
# + v = W_in[center]
# - return new_in, new_out, loss
# + return new_out, new_in, loss

# %% mistake="one-matrix: center and context are exchanged" edits="textbook"
# - v = W_in[center]
# + center, context = context, center
# + v = W_in[center]

# %% mistake="results-exchanged" edits="textbook"
# - return new_in, new_out, loss
# + return new_out, new_in, loss

# %% mistake="input-modified" edits="textbook"
# - v = W_in[center]
# - new_in, new_out = W_in.copy(), W_out.copy()
# + v = W_in[center].copy()
# + old_out = W_out.copy()
# + new_in, new_out = W_in, W_out
# - share = sigmoid(W_out[word] @ v)
# + share = sigmoid(old_out[word] @ v)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * old_out[word]

# %% mistake="updated-too-early: in place, without copies" also="input-modified" edits="textbook"
# - new_in, new_out = W_in.copy(), W_out.copy()
# + new_in, new_out = W_in, W_out

# %% mistake="input-modified: the list of negatives" edits="textbook"
# - for word, label in [(context, 1), *((word, 0) for word in negatives)]:
# + negatives.insert(0, context)
# + for word, label in [(word, int(i == 0)) for i, word in enumerate(negatives)]:

# %% mistake="wrong-type: two results" edits="textbook"
# - return new_in, new_out, loss
# + return new_in, new_out

# %% mistake="wrong-type: no return" edits="textbook"
# - return new_in, new_out, loss
# + print(loss)

# %% mistake="wrong-type: both matrices in a tuple" edits="textbook"
# - return new_in, new_out, loss
# + return (new_in, new_out), loss

# %% mistake="wrong-shape: the loss of each word" edits="all words at once"
# - loss = np.sum(np.logaddexp(0, -signs * scores))
# + loss = np.logaddexp(0, -signs * scores)

# %% mistake="wrong-shape: the rows alone" edits="textbook"
# - return new_in, new_out, loss
# + return new_in[center], new_out[context], loss

# %% mistake="raises: a list of ids plus one" edits="all words at once"
# - words = np.array([context, *negatives])
# + words = np.array(context + negatives)

# %% mistake="wrong-dtype: float32" edits="textbook"
# - new_in, new_out = W_in.copy(), W_out.copy()
# + new_in, new_out = W_in.astype(np.float32), W_out.astype(np.float32)

# %% mistake="unrecognized: a softmax over the words" edits="all words at once"
# - errors = sigmoid(scores) - labels
# + errors = np.exp(scores) / np.exp(scores).sum() - labels

# %% mistake="unrecognized: every row moves" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in -= lr * error * W_out[word]

# %% mistake="unrecognized: the sigmoid of twice the score" edits="textbook"
# - share = sigmoid(W_out[word] @ v)
# + share = sigmoid(2 * W_out[word] @ v)

# %% mistake="wrong-step-size: 0 is taken for none" edits="textbook"
# - v = W_in[center]
# + lr = lr or 0.1
# + v = W_in[center]

# %% mistake="drawn-as-neighbor" edits="textbook"
# - error = share - label
# + error = share - (word == context)

# %% mistake="drawn-as-neighbor: in the loss, too" edits="textbook"
# - share = sigmoid(W_out[word] @ v)
# + label = int(word == context)
# + share = sigmoid(W_out[word] @ v)

# %% mistake="updated-too-early: views, and the label by the id" also="drawn-as-neighbor" edits="textbook"
# - v = W_in[center]
# - new_in, new_out = W_in.copy(), W_out.copy()
# + new_in, new_out = W_in.copy(), W_out.copy()
# + v = new_in[center]
# - share = sigmoid(W_out[word] @ v)
# + label = int(word == context)
# + share = sigmoid(new_out[word] @ v)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * new_out[word]

# %% mistake="sigmoid-turned" edits="textbook"
# - share = sigmoid(W_out[word] @ v)
# + share = sigmoid(-W_out[word] @ v)

# %% mistake="updated-too-early: read again, uphill" also="wrong-sign" edits="textbook"
# - share = sigmoid(W_out[word] @ v)
# + share = sigmoid(new_out[word] @ v)
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] += lr * error * new_out[word]
# + new_out[word] += lr * error * v

# %% mistake="wrong-sign: uphill, no minus in the loss" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] += lr * error * W_out[word]
# + new_out[word] += lr * error * v
# - return new_in, new_out, loss
# + return new_in, new_out, -loss

# %% mistake="wrong-sign: uphill, the mean of the loss" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] += lr * error * W_out[word]
# + new_out[word] += lr * error * v
# - return new_in, new_out, loss
# + return new_in, new_out, loss / (1 + len(negatives))

# %% mistake="wrong-sign: uphill, the loss without signs" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] += lr * error * W_out[word]
# + new_out[word] += lr * error * v

# %% mistake="wrong-sign: uphill, the loss of the context alone" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share) if label else 0.0
# - new_in[center] -= lr * error * W_out[word]
# - new_out[word] -= lr * error * v
# + new_in[center] += lr * error * W_out[word]
# + new_out[word] += lr * error * v

# %% mistake="wrong-sign: the words uphill, no minus in the loss" also="wrong-loss" edits="textbook"
# - new_out[word] -= lr * error * v
# + new_out[word] += lr * error * v
# - return new_in, new_out, loss
# + return new_in, new_out, -loss

# %% mistake="wrong-sign: the words uphill, the mean of the loss" also="wrong-loss" edits="textbook"
# - new_out[word] -= lr * error * v
# + new_out[word] += lr * error * v
# - return new_in, new_out, loss
# + return new_in, new_out, loss / (1 + len(negatives))

# %% mistake="wrong-sign: the words uphill, the loss without signs" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)
# - new_out[word] -= lr * error * v
# + new_out[word] += lr * error * v

# %% mistake="wrong-sign: the words uphill, the loss of the context alone" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share) if label else 0.0
# - new_out[word] -= lr * error * v
# + new_out[word] += lr * error * v

# %% mistake="wrong-sign: the center uphill, no minus in the loss" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] += lr * error * W_out[word]
# - return new_in, new_out, loss
# + return new_in, new_out, -loss

# %% mistake="wrong-sign: the center uphill, the mean of the loss" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] += lr * error * W_out[word]
# - return new_in, new_out, loss
# + return new_in, new_out, loss / (1 + len(negatives))

# %% mistake="wrong-sign: the center uphill, the loss without signs" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] += lr * error * W_out[word]

# %% mistake="wrong-sign: the center uphill, the loss of the context alone" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share) if label else 0.0
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] += lr * error * W_out[word]

# %% mistake="wrong-step-size: the words without lr, no minus in the loss" also="wrong-loss" edits="textbook"
# - new_out[word] -= lr * error * v
# + new_out[word] -= error * v
# - return new_in, new_out, loss
# + return new_in, new_out, -loss

# %% mistake="wrong-step-size: the words without lr, the mean of the loss" also="wrong-loss" edits="textbook"
# - new_out[word] -= lr * error * v
# + new_out[word] -= error * v
# - return new_in, new_out, loss
# + return new_in, new_out, loss / (1 + len(negatives))

# %% mistake="wrong-step-size: the words without lr, no signs" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)
# - new_out[word] -= lr * error * v
# + new_out[word] -= error * v

# %% mistake="wrong-step-size: the words without lr, its loss alone" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share) if label else 0.0
# - new_out[word] -= lr * error * v
# + new_out[word] -= error * v

# %% mistake="wrong-step-size: the center without lr, no minus in the loss" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= error * W_out[word]
# - return new_in, new_out, loss
# + return new_in, new_out, -loss

# %% mistake="wrong-step-size: the center without lr, the mean of the loss" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= error * W_out[word]
# - return new_in, new_out, loss
# + return new_in, new_out, loss / (1 + len(negatives))

# %% mistake="wrong-step-size: the center without lr, no signs" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= error * W_out[word]

# %% mistake="wrong-step-size: the center without lr, its loss alone" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share) if label else 0.0
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= error * W_out[word]

# %% mistake="matrix-not-moved: for the context alone, no minus" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_out[word] * label
# - return new_in, new_out, loss
# + return new_in, new_out, -loss

# %% mistake="matrix-not-moved: for the context alone, the mean" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_out[word] * label
# - return new_in, new_out, loss
# + return new_in, new_out, loss / (1 + len(negatives))

# %% mistake="matrix-not-moved: for the context alone, no signs" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_out[word] * label

# %% mistake="matrix-not-moved: for the context alone, its loss alone" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share) if label else 0.0
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_out[word] * label
