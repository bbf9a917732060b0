# %% setup

# %% mistake="raises: one number is asked of many" never="The function named works"
import math
import torch


def softmax_naive(x):
    powers = torch.tensor(math.exp(x))
    return powers / powers.sum()


# %% mistake="wrong-type: a list of numbers is returned" says="to be a torch.Tensor, got list" never="(not a tensor)"
def softmax_naive(x):
    powers = x.exp()
    return list(powers / powers.sum())
