# %% setup
import torch

# What the chapter's notebook holds.
sentence = torch.tensor(
    [
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55],
    ]
)


# %% correct="fewer tokens"
def expose_04():
    return sentence[:4]


# %% correct="another sentence of six"
def expose_04():
    return torch.tensor(
        [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [2.0, 0.0, 1.0]]
    )


# %% correct="the words in another order"
def expose_04():
    return sentence.flip(0)


# %% correct="twice as loud"
def expose_04():
    return 2 * sentence


# %% correct="other features"
def expose_04():
    return torch.arange(12.0).view(6, 2)


# %% mistake="bug-not-exposed: the sentence"
def expose_04():
    return sentence


# %% mistake="bug-not-exposed: a copy of the sentence"
def expose_04():
    return sentence.clone().double()


# %% mistake="bug-not-exposed: six equal tokens"
def expose_04():
    return torch.ones(6, 3)


# %% mistake="bug-not-exposed: zeros"
def expose_04():
    return torch.zeros(6, 3)


# %% mistake="bug-not-exposed: one digit changed a little"
def expose_04():
    x = sentence.clone()
    x[0, 0] += 1e-4
    return x


# %% mistake="invalid-input: one token without its axis"
def expose_04():
    return sentence[0]


# %% mistake="invalid-input: a batch"
def expose_04():
    return torch.stack((sentence, sentence))


# %% mistake="raises"
def expose_04():
    return other_sentence


# %% mistake="not-implemented"
def expose_04():
    raise NotImplementedError("Write your answer here, then delete this line.")
