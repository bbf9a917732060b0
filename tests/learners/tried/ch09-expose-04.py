# %% setup
import torch

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

# %% correct="mine"
def expose_04():
    return sentence[:3]

# %% mistake="bug-not-exposed: the sentence"
def expose_04():
    return sentence

# %% mistake="bug-not-exposed: hardly moved"
def expose_04():
    return sentence + 0.00001

# %% mistake="invalid-input: one axis"
def expose_04():
    return sentence[0]
