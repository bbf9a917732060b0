# %% setup

# %% mistake="mask-looks-ahead: the mask is turned round" says="got True" never="0.0000|1.0000"
import torch


def causal_mask(num_tokens):
    return torch.ones(num_tokens, num_tokens).tril().bool()
