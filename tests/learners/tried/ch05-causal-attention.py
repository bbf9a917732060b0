# %% setup

# %% mistake="mask-not-buffer: the weights are dropped, and no case says so before the mask" never="The computation is right"
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.mask = torch.ones(context_length, context_length).triu(1).bool()

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        T = x.shape[1]
        scores = query @ key.transpose(1, 2) / key.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask[:T, :T], -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        return weights @ value


# %% mistake="example-only: the last rows of the mask" never="harms nothing but negative numbers|whatever comes in"
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        T = x.shape[1]
        scores = query @ key.transpose(1, 2) / key.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask[-T:, :T], -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return weights @ value
