# %% setup

# %% mistake="raises: another tensor is multiplied in" says="number by number" never="product of matrices"
import torch


def scale(scores, d_k):
    return scores * torch.ones(d_k + 40)
