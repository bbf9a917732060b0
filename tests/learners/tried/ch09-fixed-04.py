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

# %% mistake="global-instead-of-argument: what is mixed"
def fixed_04(x):
    weights = torch.softmax(x @ x.T, dim=-1)
    return weights @ sentence

# %% mistake="scale-unexpected"
def fixed_04(x):
    weights = torch.softmax(x @ x.T / x.shape[1] ** 0.5, dim=-1)
    return weights @ x

# %% mistake="returns-weights"
def fixed_04(x):
    return torch.softmax(x @ x.T, dim=-1)

# %% mistake="global-instead-of-argument: the scores"
def fixed_04(x):
    return torch.softmax(sentence @ sentence.T, dim=-1) @ x
