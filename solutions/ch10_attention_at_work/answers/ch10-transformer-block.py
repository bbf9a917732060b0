# %% setup
import math

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    """What a learner brings from chapter 6."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        b, tokens, _ = x.shape
        query, key, value = (
            layer(x).view(b, tokens, self.num_heads, self.head_dim).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = query @ key.transpose(-2, -1) / self.head_dim**0.5
        scores = scores.masked_fill(self.mask[:tokens, :tokens], -torch.inf)
        context = self.dropout(torch.softmax(scores, dim=-1)) @ value
        return self.out_proj(context.transpose(1, 2).reshape(b, tokens, self.d_out))


class SeesAll(MultiHeadAttention):
    """The same with its mask forgotten."""

    def forward(self, x):
        self.mask = torch.zeros_like(self.mask)
        return super().forward(x)


class Unstable(MultiHeadAttention):
    """The same with a softmax by its formula, or with a mask that is not low enough."""

    low = -torch.inf
    shift = False

    def forward(self, x):
        b, tokens, _ = x.shape
        layers = (self.W_query, self.W_key, self.W_value)
        query, key, value = (layer(x).view(b, tokens, self.num_heads, -1).transpose(1, 2) for layer in layers)
        scores = query @ key.transpose(-2, -1) / self.head_dim**0.5
        scores = torch.where(self.mask[:tokens, :tokens], scores + self.low, scores)
        powers = torch.softmax(scores, dim=-1) if self.shift else scores.exp()
        context = self.dropout(powers / powers.sum(dim=-1, keepdim=True)) @ value
        return self.out_proj(context.transpose(1, 2).reshape(b, tokens, self.d_out))


class NotLow(Unstable):
    """The same with a mask of minus 100."""

    low = -100.0
    shift = True


class SeesNext(MultiHeadAttention):
    """The same with a mask that begins one place too late."""

    def forward(self, x):
        self.mask = torch.ones_like(self.mask).triu(2)
        return super().forward(x)


# %% correct="textbook"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, 4 * d_model),
            nn.GELU(),
            nn.Linear(4 * d_model, d_model),
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        x = x + self.mlp(self.norm2(x))
        return x


# %% correct="shortcuts by name, more dropout"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.attention = MultiHeadAttention(
            d_in=d_model, d_out=d_model, context_length=context_length, dropout=dropout, num_heads=num_heads
        )
        hidden = d_model * 4
        self.mlp = nn.Sequential(nn.Linear(d_model, hidden), nn.GELU(), nn.Linear(hidden, d_model))
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        shortcut = x
        x = self.norm1(x)
        x = self.attention(x)
        x = x + shortcut
        shortcut = x
        x = self.norm2(x)
        x = self.mlp(x)
        return self.drop(x) + shortcut


# %% correct="by hand"
class GELU(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class LayerNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        return self.weight * (x - mean) / torch.sqrt(variance + 1e-5) + self.bias


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.norm1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
        self.norm2 = LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        attended = torch.add(x, self.attention(self.norm1(x)))
        return torch.add(attended, self.mlp(self.norm2(attended)))


# %% correct="one line, functions, the course's attention"
from grader.materials import MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super(TransformerBlock, self).__init__()
        self.norm1 = nn.LayerNorm([d_model], eps=1e-5)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads, False)
        self.norm2 = nn.LayerNorm([d_model], eps=1e-5)
        self.mlp = nn.Sequential()
        self.mlp.append(nn.Linear(d_model, d_model * 4))
        self.mlp.append(nn.GELU(approximate="none"))
        self.mlp.append(nn.Linear(d_model * 4, d_model))
        self.mlp.append(nn.Dropout(dropout))

    def forward(self, x):
        return (h := x + self.attention(self.norm1(x))) + self.mlp(self.norm2(h))


# %% correct="two methods"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def listen(self, x):
        return self.attention(self.norm1(x))

    def think(self, x):
        return self.mlp[2](F.gelu(self.mlp[0](self.norm2(x))))

    def forward(self, x):
        x = x + self.listen(x)
        return self.think(x).add_(x)


# %% correct="prints" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + print("x", x.shape)
# + x = x + self.attention(self.norm1(x))

# %% mistake="post-norm" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = self.norm1(x + self.attention(x))
# + x = self.norm2(x + self.mlp(x))

# %% mistake="post-norm: before adding" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.norm1(self.attention(x))
# + x = x + self.norm2(self.mlp(x))

# %% mistake="post-norm: the second half" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = self.norm2(x + self.mlp(x))

# %% mistake="post-norm: the first half" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + x = self.norm1(x + self.attention(x))

# %% mistake="norm-on-residual" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = self.norm1(x)
# + x = x + self.attention(x)
# + x = self.norm2(x)
# + x = x + self.mlp(x)

# %% mistake="norm-on-residual: the first half" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + x = self.norm1(x)
# + x = x + self.attention(x)

# %% mistake="norm-on-residual: the second half" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = self.norm2(x)
# + x = x + self.mlp(x)

# %% mistake="norm-missing" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.attention(x)
# + x = x + self.mlp(x)

# %% mistake="norm-missing: the first" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + x = x + self.attention(x)

# %% mistake="norm-missing: the second" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(x)

# %% mistake="norm-shared" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(self.norm1(x))

# %% mistake="norm-shared: one object under two names" edits="textbook"
# - self.norm2 = nn.LayerNorm(d_model)
# + self.norm2 = self.norm1

# %% mistake="norm-shared: the second twice" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + x = x + self.attention(self.norm2(x))

# %% mistake="norm-shared: exchanged" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.attention(self.norm2(x))
# + x = x + self.mlp(self.norm1(x))

# %% mistake="norm-wrong-axis: over the tokens" edits="by hand"
# - mean = x.mean(dim=-1, keepdim=True)
# - variance = x.var(dim=-1, keepdim=True, unbiased=False)
# + mean = x.mean(dim=1, keepdim=True)
# + variance = x.var(dim=1, keepdim=True, unbiased=False)

# %% mistake="norm-wrong-axis: over tokens and features" edits="by hand"
# - mean = x.mean(dim=-1, keepdim=True)
# - variance = x.var(dim=-1, keepdim=True, unbiased=False)
# + mean = x.mean(dim=(1, 2), keepdim=True)
# + variance = x.var(dim=(1, 2), keepdim=True, unbiased=False)

# %% mistake="unrecognized: the variance of a sample" edits="by hand"
# - variance = x.var(dim=-1, keepdim=True, unbiased=False)
# + variance = x.var(dim=-1, keepdim=True)

# %% mistake="residual-missing" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = self.attention(self.norm1(x))
# + x = self.mlp(self.norm2(x))

# %% mistake="residual-missing: around the attention" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + x = self.attention(self.norm1(x))

# %% mistake="residual-missing: around the MLP" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = self.mlp(self.norm2(x))

# %% mistake="residual-stale: the second adds the block's input" edits="shortcuts by name, more dropout"
# - x = x + shortcut
# - shortcut = x
# - x = self.norm2(x)
# + x = x + shortcut
# + x = self.norm2(x)

# %% mistake="residual-stale: both halves start from the input" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.attention(self.norm1(x)) + self.mlp(self.norm2(x))

# %% mistake="residual-stale: the MLP sees the input" edits="by hand"
# - return torch.add(attended, self.mlp(self.norm2(attended)))
# + return torch.add(attended, self.mlp(self.norm2(x)))

# %% mistake="residual-stale: added twice" edits="by hand"
# - return torch.add(attended, self.mlp(self.norm2(attended)))
# + return x + attended + self.mlp(self.norm2(attended))

# %% mistake="part-missing: no attention" edits="textbook"
# - x = x + self.attention(self.norm1(x))

# %% mistake="part-missing: no MLP" edits="textbook"
# - x = x + self.mlp(self.norm2(x))

# %% mistake="part-missing: what the MLP gives is not used" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + self.mlp(self.norm2(x))

# %% mistake="parts-exchanged" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(self.norm2(x))
# + x = x + self.attention(self.norm1(x))

# %% mistake="parts-exchanged: each with the other's norm" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(self.norm1(x))
# + x = x + self.attention(self.norm2(x))

# %% mistake="other-activation: ReLU" edits="textbook"
# - nn.GELU(),
# + nn.ReLU(),

# %% mistake="other-activation: the approximation by tanh" edits="textbook"
# - nn.GELU(),
# + nn.GELU(approximate="tanh"),

# %% mistake="other-activation: tanh" edits="textbook"
# - nn.GELU(),
# + nn.Tanh(),

# %% mistake="other-activation: SiLU" edits="textbook"
# - nn.GELU(),
# + nn.SiLU(),

# %% mistake="other-activation: sigmoid" edits="textbook"
# - nn.GELU(),
# + nn.Sigmoid(),

# %% mistake="other-activation: GELU's sigmoid form" edits="by hand"
# - return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))
# + return x * torch.sigmoid(1.702 * x)

# %% mistake="activation-missing" edits="textbook"
# - nn.GELU(),
# + nn.Identity(),

# %% mistake="activation-misplaced: at the end too" edits="textbook"
# - nn.Linear(4 * d_model, d_model),
# + nn.Linear(4 * d_model, d_model),
# + nn.GELU(),

# %% mistake="activation-misplaced: only at the end" edits="two methods"
# - return self.mlp[2](F.gelu(self.mlp[0](self.norm2(x))))
# + return F.gelu(self.mlp[2](self.mlp[0](self.norm2(x))))

# %% mistake="activation-misplaced: around the attention" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + x = x + F.gelu(self.attention(self.norm1(x)))

# %% mistake="mask-missing" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = SeesAll(d_model, d_model, context_length, dropout, num_heads)

# %% mistake="mask-looks-ahead" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = SeesNext(d_model, d_model, context_length, dropout, num_heads)

# %% mistake="heads-not-split" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads=1)

# %% mistake="wrong-shape: an MLP of another width" edits="textbook"
# - nn.Linear(d_model, 4 * d_model),
# + nn.Linear(d_model, 2 * d_model),
# - nn.Linear(4 * d_model, d_model),
# + nn.Linear(2 * d_model, d_model),

# %% mistake="wrong-shape: an MLP as wide as the model" edits="textbook"
# - nn.Linear(d_model, 4 * d_model),
# + nn.Linear(d_model, d_model),
# - nn.Linear(4 * d_model, d_model),
# + nn.Linear(d_model, d_model),

# %% mistake="bias-unexpected" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads, True)

# %% mistake="not-registered: the MLP without biases" edits="textbook"
# - nn.Linear(d_model, 4 * d_model),
# + nn.Linear(d_model, 4 * d_model, bias=False),
# - nn.Linear(4 * d_model, d_model),
# + nn.Linear(4 * d_model, d_model, bias=False),

# %% mistake="not-registered: another name" edits="textbook"
# - self.norm1 = nn.LayerNorm(d_model)
# + self.norm = nn.LayerNorm(d_model)

# %% mistake="not-registered: other names" edits="textbook"
# - self.norm1 = nn.LayerNorm(d_model)
# + self.ln_1 = nn.LayerNorm(d_model)
# - x = x + self.attention(self.norm1(x))
# + x = x + self.attention(self.ln_1(x))

# %% mistake="not-registered: a list" edits="two methods"
# - self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
# + self.mlp = [nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model)]

# %% mistake="not-registered: a LayerNorm without numbers" edits="textbook"
# - self.norm1 = nn.LayerNorm(d_model)
# + self.norm1 = nn.LayerNorm(d_model, elementwise_affine=False)

# %% mistake="dropout-never" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, 0.0, num_heads)

# %% mistake="dropout-wrong-rate" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, 0.1, num_heads)

# %% mistake="dropout-wrong-rate: twice the share" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, min(1.0, 2 * dropout), num_heads)

# %% mistake="dropout-wrong-rate: half of the share" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout / 2, num_heads)

# %% mistake="dropout-wrong-rate: the usual share instead of 0" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout or 0.1, num_heads)

# %% mistake="dropout-keep-inverted" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + share = 1 - dropout if dropout else 0.0
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, share, num_heads)

# %% mistake="dropout-on-context" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, 0.0, num_heads)
# + self.drop = nn.Dropout(dropout)
# - x = x + self.attention(self.norm1(x))
# + x = x + self.drop(self.attention(self.norm1(x)))

# %% mistake="dropout-never: the MLP's half alone drops" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, 0.0, num_heads)
# + self.drop = nn.Dropout(dropout)
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.drop(self.mlp(self.norm2(x)))

# %% mistake="dropout-wrong-factor" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.p = dropout
# - x = x + self.attention(self.norm1(x))
# + heard = self.attention(self.norm1(x))
# + if self.training:
# +     heard = heard * (torch.rand_like(heard) >= self.p)
# + x = x + heard

# %% mistake="unrecognized: the residual is dropped, too" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.drop = nn.Dropout(dropout)
# - x = x + self.attention(self.norm1(x))
# + x = self.drop(x + self.attention(self.norm1(x)))

# %% correct="both halves dropped" edits="textbook"
# - self.norm1 = nn.LayerNorm(d_model)
# + self.drop = nn.Dropout(dropout)
# + self.norm1 = nn.LayerNorm(d_model)
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.drop(self.attention(self.norm1(x)))
# + x = x + self.drop(self.mlp(self.norm2(x)))

# %% mistake="unstable-softmax" also="not-finite" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = Unstable(d_model, d_model, context_length, dropout, num_heads)

# %% mistake="mask-large-number" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = NotLow(d_model, d_model, context_length, dropout, num_heads)

# %% mistake="dropout-in-eval" edits="textbook"
# - self.norm1 = nn.LayerNorm(d_model)
# + self.p = dropout
# + self.norm1 = nn.LayerNorm(d_model)
# - x = x + self.mlp(self.norm2(x))
# + x = x + F.dropout(self.mlp(self.norm2(x)), self.p)

# %% mistake="input-modified" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + x += self.attention(self.norm1(x))

# %% mistake="no-gradient: in place, on a copy" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x.clone()
# + x += self.attention(self.norm1(x))
# + x += self.mlp(self.norm2(x))

# %% mistake="no-gradient" edits="textbook"
# - return x
# + return x.detach()

# %% mistake="no-gradient: in the residual" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = x.data + self.mlp(self.norm2(x))

# %% mistake="state-kept" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + if not hasattr(self, "seen"):
# +     self.seen = [x]
# + x = x + self.attention(self.norm1(x)) + 0.1 * (x.mean() - self.seen[0].mean())

# %% mistake="tensor-left-behind" edits="textbook"
# - self.norm1 = nn.LayerNorm(d_model)
# + self.zero = torch.zeros(d_model)
# + self.norm1 = nn.LayerNorm(d_model)
# - return x
# + return x + self.zero

# %% mistake="tensor-left-behind: made in forward" edits="textbook"
# - x = x + self.attention(self.norm1(x))
# + x = x + torch.zeros(x.shape[-1])
# + x = x + self.attention(self.norm1(x))

# %% mistake="unrecognized: halved" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = x + 0.5 * self.mlp(self.norm2(x))

# %% mistake="unrecognized: subtracted" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = x - self.mlp(self.norm2(x))

# %% mistake="unrecognized: a LayerNorm of the MLP's result as well" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.norm2(self.mlp(self.norm2(x)))

# %% mistake="wrong-type: not returned" edits="textbook"
# - return x

# %% mistake="wrong-type: a function" edits="textbook"
# - class TransformerBlock(nn.Module):
# + def TransformerBlock(d_model, num_heads, context_length, dropout):
# +     return nn.Identity()
# + class Block(nn.Module):

# %% mistake="unrecognized: num_heads and context_length exchanged" edits="textbook"
# - def __init__(self, d_model, num_heads, context_length, dropout):
# + def __init__(self, d_model, context_length, num_heads, dropout):

# %% mistake="raises: super() forgotten" edits="textbook"
# - super().__init__()
# + pass

# %% mistake="raises: the attention without its width" edits="textbook"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, context_length, dropout, num_heads)

# %% mistake="not-implemented" edits="textbook"
# - self.norm1 = nn.LayerNorm(d_model)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - class TransformerBlock(nn.Module):
# + class Block(nn.Module):

# %% mistake="syntax-error" edits="textbook"
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(self.norm2(x)


# %% correct="one step a line"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, 4 * d_model),
            nn.GELU(),
            nn.Linear(4 * d_model, d_model),
        )

    def forward(self, x):
        normed = self.norm1(x)
        heard = self.attention(normed)
        middle = x + heard
        normed = self.norm2(middle)
        thought = self.mlp(normed)
        result = middle + thought
        return result


# %% mistake="other-activation: ReLU, step by step" edits="one step a line"
# - nn.GELU(),
# + nn.ReLU(),

# %% mistake="other-activation: the approximation by tanh, step by step" edits="one step a line"
# - nn.GELU(),
# + nn.GELU(approximate="tanh"),

# %% mistake="other-activation: tanh, step by step" edits="one step a line"
# - nn.GELU(),
# + nn.Tanh(),

# %% mistake="activation-missing: step by step" edits="one step a line"
# - nn.GELU(),
# + nn.Identity(),

# %% mistake="norm-missing: the second, step by step" edits="one step a line"
# - normed = self.norm2(middle)
# + normed = middle

# %% mistake="norm-missing: the first, step by step" edits="one step a line"
# - normed = self.norm1(x)
# + normed = x

# %% mistake="norm-shared: the first twice, step by step" edits="one step a line"
# - normed = self.norm2(middle)
# + normed = self.norm1(middle)

# %% mistake="norm-shared: the second twice, step by step" edits="one step a line"
# - normed = self.norm1(x)
# + normed = self.norm2(x)

# %% mistake="residual-missing: around the attention, step by step" edits="one step a line"
# - middle = x + heard
# + middle = heard

# %% mistake="residual-missing: around the MLP, step by step" edits="one step a line"
# - result = middle + thought
# + result = thought

# %% mistake="residual-stale: the second adds the block's input, step by step" edits="one step a line"
# - result = middle + thought
# + result = x + thought

# %% mistake="residual-stale: the MLP sees the input, step by step" edits="one step a line"
# - normed = self.norm2(middle)
# + normed = self.norm2(x)

# %% mistake="norm-on-residual: the first half, step by step" edits="one step a line"
# - middle = x + heard
# + middle = normed + heard

# %% mistake="norm-on-residual: the second half, step by step" edits="one step a line"
# - result = middle + thought
# + result = normed + thought

# %% mistake="post-norm: the first half, step by step" edits="one step a line"
# - normed = self.norm1(x)
# - heard = self.attention(normed)
# - middle = x + heard
# + heard = self.attention(x)
# + middle = self.norm1(x + heard)

# %% mistake="post-norm: the second half, step by step" edits="one step a line"
# - thought = self.mlp(normed)
# - result = middle + thought
# + thought = self.mlp(middle)
# + result = self.norm2(middle + thought)

# %% mistake="part-missing: no attention, step by step" edits="one step a line"
# - middle = x + heard
# + middle = x

# %% mistake="part-missing: no MLP, step by step" edits="one step a line"
# - thought = self.mlp(normed)
# + thought = torch.zeros_like(middle)

# %% mistake="activation-misplaced: at the end too, step by step" edits="one step a line"
# - thought = self.mlp(normed)
# + thought = F.gelu(self.mlp(normed))

# %% mistake="heads-not-split: step by step" edits="one step a line"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, 1)

# %% mistake="mask-missing: step by step" edits="one step a line"
# - self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
# + self.attention = SeesAll(d_model, d_model, context_length, dropout, num_heads)

# %% mistake="parts-exchanged: GELU by tanh" also="other-activation" edits="textbook"
# - nn.GELU(),
# + nn.GELU(approximate="tanh"),
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(self.norm2(x))
# + x = x + self.attention(self.norm1(x))

# %% mistake="parts-exchanged: ReLU" also="other-activation" edits="textbook"
# - nn.GELU(),
# + nn.ReLU(),
# - x = x + self.attention(self.norm1(x))
# - x = x + self.mlp(self.norm2(x))
# + x = x + self.mlp(self.norm2(x))
# + x = x + self.attention(self.norm1(x))

# %% mistake="post-norm: before adding, the first, step by step" edits="one step a line"
# - normed = self.norm1(x)
# - heard = self.attention(normed)
# + heard = self.norm1(self.attention(x))

# %% mistake="post-norm: before adding, the second, step by step" edits="one step a line"
# - normed = self.norm2(middle)
# - thought = self.mlp(normed)
# + thought = self.norm2(self.mlp(middle))

# %% mistake="activation-misplaced: around the attention, step by step" edits="one step a line"
# - heard = self.attention(normed)
# + heard = torch.nn.functional.gelu(self.attention(normed))

# %% mistake="other-activation: sigmoid, step by step" edits="one step a line"
# - nn.GELU(),
# + nn.Sigmoid(),

# %% mistake="residual-stale: the first sum twice, step by step" edits="one step a line"
# - result = middle + thought
# + result = x + middle + thought

# %% mistake="norm-shared: exchanged, step by step" edits="one step a line"
# - normed = self.norm1(x)
# + normed = self.norm2(x)
# - normed = self.norm2(middle)
# + normed = self.norm1(middle)
