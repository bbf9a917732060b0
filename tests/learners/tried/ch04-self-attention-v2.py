# %% setup

# %% mistake="raises: forward is misspelled" says="letter by letter" never="Not written yet|stub"
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def foward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value


# %% mistake="raises: an error that PyTorch raises, far below the learner's line" says="in forward: weights = " never="_VF.py|functional.py|in einsum"
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(torch.einsum("td,sd->ts", query) / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value


# %% mistake="not-registered: the layer that is called is a list" never="Not written yet|stub"
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.ModuleList([])

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value


# %% mistake="bias-ignored: qkv_bias is forgotten" also="not-registered" never="counts parts"
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value


# %% mistake="not-registered: another name" says="no parameter named W_query|letter by letter" never="counts parts"
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        query, key, value = self.W_q(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value


# %% mistake="bias-unexpected: a bias too many" says="a bias that is not asked for" never="not registered under"
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=True)
        self.W_key = nn.Linear(d_in, d_out, bias=True)
        self.W_value = nn.Linear(d_in, d_out, bias=True)

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value
