# %% setup

# %% mistake="missing-scale: a seed's numbers go to other weights, and the scale is missing" never="(gradient)|(a second call)|(drawn as asked)|(a further call)"
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        query, key, value = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(query @ key.T, dim=-1) @ value
