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

# %% mistake="sigmoid-turned: for the negatives" edits="gradients of both matrices"
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

# %% mistake="wrong-loss: the logarithm of base 10" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log10(share if label else 1 - share)

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

# %% mistake="wrong-step-size: words without lr, loss unsigned" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)
# - new_out[word] -= lr * error * v
# + new_out[word] -= error * v

# %% mistake="wrong-step-size: words without lr, half a loss" also="wrong-loss" edits="textbook"
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

# %% mistake="wrong-step-size: center without lr, loss unsigned" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= error * W_out[word]

# %% mistake="wrong-step-size: center without lr, half a loss" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share) if label else 0.0
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= error * W_out[word]

# %% mistake="matrix-not-moved: half the center, no minus" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_out[word] * label
# - return new_in, new_out, loss
# + return new_in, new_out, -loss

# %% mistake="matrix-not-moved: half the center, mean loss" also="wrong-loss" edits="textbook"
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_out[word] * label
# - return new_in, new_out, loss
# + return new_in, new_out, loss / (1 + len(negatives))

# %% mistake="matrix-not-moved: half the center, loss unsigned" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share)
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_out[word] * label

# %% mistake="matrix-not-moved: half the center, half a loss" also="wrong-loss" edits="textbook"
# - loss -= np.log(share if label else 1 - share)
# + loss -= np.log(share) if label else 0.0
# - new_in[center] -= lr * error * W_out[word]
# + new_in[center] -= lr * error * W_out[word] * label


# %% correct="one step a line"
def skip_gram_step(W_in, W_out, center, context, negatives, lr):
    new_in = W_in.copy()
    new_out = W_out.copy()
    v = W_in[center]
    drawn = list(negatives)
    words = [context] + drawn
    loss = 0.0
    for place, word in enumerate(words):
        label = 1 if place == 0 else 0
        u = W_out[word]
        score = u @ v
        share = sigmoid(score)
        error = share - label
        if label == 1:
            loss -= np.log(share)
        else:
            loss -= np.log(1 - share)
        new_in[center] -= lr * error * u
        new_out[word] -= lr * error * v
    return new_in, new_out, loss


# %% mistake="repeats-lost: a step, each negative once" edits="one step a line"
# - drawn = list(negatives)
# + drawn = sorted(set(negatives))

# %% mistake="repeats-lost: a step, the context is no negative" edits="one step a line"
# - drawn = list(negatives)
# + drawn = [word for word in negatives if word != context]

# %% mistake="repeats-lost: a step, each once, and not the context" edits="one step a line"
# - drawn = list(negatives)
# + drawn = sorted(set(negatives) - {context})

# %% mistake="repeats-lost: a step, from the old row each time" edits="one step a line"
# - new_out[word] -= lr * error * v
# + new_out[word] = W_out[word] - lr * error * v

# %% mistake="last-round-only: a step, the center" edits="one step a line"
# - new_in[center] -= lr * error * u
# + new_in[center] = W_in[center] - lr * error * u

# %% mistake="wrong-sign: a step, the center" edits="one step a line"
# - new_in[center] -= lr * error * u
# + new_in[center] += lr * error * u

# %% mistake="wrong-sign: a step, the words" edits="one step a line"
# - new_out[word] -= lr * error * v
# + new_out[word] += lr * error * v

# %% mistake="wrong-sign: a step, label minus share" edits="one step a line"
# - error = share - label
# + error = label - share

# %% mistake="wrong-sign: a step, labels exchanged" edits="one step a line"
# - error = share - label
# + error = share - (1 - label)

# %% mistake="label-missing: a step" edits="one step a line"
# - error = share - label
# + error = share

# %% mistake="sigmoid-missing: a step" edits="one step a line"
# - error = share - label
# + error = score - label

# %% mistake="sigmoid-turned: a step" edits="one step a line"
# - share = sigmoid(score)
# + share = sigmoid(-score)

# %% mistake="wrong-loss: a step, no minus" edits="one step a line"
# - return new_in, new_out, loss
# + return new_in, new_out, -loss

# %% mistake="wrong-loss: a step, the mean" edits="one step a line"
# - return new_in, new_out, loss
# + return new_in, new_out, loss / len(words)

# %% mistake="wrong-loss: a step, negatives as neighbors" edits="one step a line"
# - loss -= np.log(1 - share)
# + loss -= np.log(share)

# %% mistake="wrong-loss: a step, the context alone" edits="one step a line"
# - loss -= np.log(1 - share)
# + pass

# %% mistake="wrong-loss: a step, the negatives with a plus" edits="one step a line"
# - loss -= np.log(1 - share)
# + loss += np.log(1 - share)

# %% mistake="wrong-loss: a step, the last word alone" edits="one step a line"
# - if label == 1:
# - loss -= np.log(share)
# - else:
# - loss -= np.log(1 - share)
# + loss = -np.log(share if label == 1 else 1 - share)

# %% mistake="updated-too-early: a step, the center is a view" edits="one step a line"
# - v = W_in[center]
# + v = new_in[center]

# %% mistake="updated-too-early: a step, moved words are read" edits="one step a line"
# - u = W_out[word]
# + u = new_out[word].copy()

# %% mistake="one-matrix: a step, words from W_in" edits="one step a line"
# - u = W_out[word]
# + u = W_in[word]

# %% mistake="one-matrix: a step, the center from W_out" edits="one step a line"
# - v = W_in[center]
# + v = W_out[center]

# %% mistake="wrong-step-size: a step, the center without lr" edits="one step a line"
# - new_in[center] -= lr * error * u
# + new_in[center] -= error * u

# %% mistake="wrong-step-size: a step, the words without lr" edits="one step a line"
# - new_out[word] -= lr * error * v
# + new_out[word] -= error * v

# %% mistake="matrix-not-moved: a step, the center" edits="one step a line"
# - new_in[center] -= lr * error * u
# + pass

# %% mistake="matrix-not-moved: a step, the words" edits="one step a line"
# - new_out[word] -= lr * error * v
# + pass

# %% mistake="matrix-not-moved: a step, the negatives" edits="one step a line"
# - new_out[word] -= lr * error * v
# + new_out[word] -= label * lr * error * v

# %% mistake="negatives-ignored: a step" edits="one step a line"
# - drawn = list(negatives)
# + drawn = []

# %% mistake="negatives-ignored: a step, all but the first" edits="one step a line"
# - drawn = list(negatives)
# + drawn = list(negatives)[:1]

# %% mistake="last-left-out: a step, one negative too few" edits="one step a line"
# - drawn = list(negatives)
# + drawn = list(negatives)[:-1]

# %% mistake="drawn-as-neighbor: a step" edits="one step a line"
# - u = W_out[word]
# + label = int(word == context)
# + u = W_out[word]

# %% mistake="results-exchanged: a step" edits="one step a line"
# - return new_in, new_out, loss
# + return new_out, new_in, loss

# %% mistake="rows-mixed-up: a step, the words move by their own vectors" edits="one step a line"
# - new_out[word] -= lr * error * v
# + new_out[word] -= lr * error * u

# %% mistake="rows-mixed-up: a step, the center moves by its own vector" edits="one step a line"
# - new_in[center] -= lr * error * u
# + new_in[center] -= lr * error * v

# %% mistake="rows-mixed-up: a step, exchanged" edits="one step a line"
# - new_in[center] -= lr * error * u
# - new_out[word] -= lr * error * v
# + new_in[center] -= lr * error * v
# + new_out[word] -= lr * error * u

# %% mistake="repeats-lost: a step, each once, not the context" also="wrong-loss" edits="one step a line"
# - drawn = list(negatives)
# + drawn = sorted(set(negatives) - {context})
# - return new_in, new_out, loss
# + return new_in, new_out, loss / len(words)

# %% mistake="updated-too-early: a step, both rows copied in the loop" edits="one step a line"
# - v = W_in[center]
# - drawn = list(negatives)
# + drawn = list(negatives)
# - u = W_out[word]
# + v, u = new_in[center].copy(), new_out[word].copy()

# %% mistake="updated-too-early: a step, the center copied in the loop" edits="one step a line"
# - v = W_in[center]
# - drawn = list(negatives)
# + drawn = list(negatives)
# - u = W_out[word]
# + v, u = new_in[center].copy(), W_out[word]

# %% mistake="sigmoid-turned: a step, for the negatives" edits="one step a line"
# - error = share - label
# + error = share - label if label == 1 else sigmoid(-score)

# %% mistake="wrong-sign: a step, labels exchanged from the beginning" edits="one step a line"
# - label = 1 if place == 0 else 0
# + label = 0 if place == 0 else 1

# %% mistake="wrong-loss: a step, the negatives' mean" edits="one step a line"
# - loss -= np.log(1 - share)
# + loss -= np.log(1 - share) / len(drawn)

# %% mistake="wrong-loss: a step, no logarithm" edits="one step a line"
# - loss -= np.log(share)
# + loss += 1 - share
# - loss -= np.log(1 - share)
# + loss += share
