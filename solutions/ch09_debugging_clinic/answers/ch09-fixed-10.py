# %% setup
import torch
from torch import nn


# %% correct="textbook"
class fixed_10(nn.Module):
    def __init__(self, context_length):
        super().__init__()
        future = torch.ones(context_length, context_length).triu(diagonal=1).bool()
        self.register_buffer("mask", future)

    def forward(self, x):
        num_tokens, d = x.shape
        scores = x @ x.T
        scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
        return torch.softmax(scores / d**0.5, dim=-1) @ x


# %% correct="not saved" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", future, persistent=False)


# %% correct="True is allowed"
class fixed_10(nn.Module):
    def __init__(self, context_length):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length, dtype=torch.bool)))

    def forward(self, x):
        size = len(x)
        allowed = self.mask[:size, :size]
        return nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=allowed)


# %% correct="additive"
class fixed_10(nn.Module):
    def __init__(self, context_length):
        super().__init__()
        mask = torch.full((context_length, context_length), float("-inf"))
        self.register_buffer("mask", mask.triu(1))

    def forward(self, x):
        scores = torch.einsum("id,jd->ij", x, x) / x.shape[1] ** 0.5
        weights = (scores + self.mask[: len(x), : len(x)].to(scores.dtype)).softmax(dim=-1)
        return torch.einsum("ij,jd->id", weights, x)


# %% correct="the logarithm of the sum" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + scores = scores / d**0.5
# + return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp() @ x

# %% mistake="mask-not-buffer" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = future

# %% mistake="mask-not-buffer: another name" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("future", future)
# - scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + scores = scores.masked_fill(self.future[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="mask-not-buffer: a parameter" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = nn.Parameter(future, requires_grad=False)

# %% mistake="mask-not-buffer: moved in every call" edits="textbook"
# - self.register_buffer("mask", future)
# + self.mask = future
# - scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens].to(x.device), -torch.inf)

# %% mistake="plain-tensor: registered, and a plain copy" edits="textbook"
# - self.register_buffer("mask", future)
# + self.register_buffer("mask", future)
# + self.copy = future.clone()

# %% mistake="tensor-left-behind" edits="textbook"
# - scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + future = torch.ones(num_tokens, num_tokens).triu(diagonal=1).bool()
# + scores = scores.masked_fill(future, -torch.inf)

# %% mistake="mask-not-sliced" also="raises" edits="textbook"
# - scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + scores = scores.masked_fill(self.mask, -torch.inf)

# %% mistake="mask-inverted" edits="True is allowed"
# - self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length, dtype=torch.bool)))
# + future = torch.ones(context_length, context_length, dtype=torch.bool)
# + self.register_buffer("mask", future.triu(diagonal=1))

# %% mistake="mask-hides-diagonal" also="not-finite" edits="textbook"
# - future = torch.ones(context_length, context_length).triu(diagonal=1).bool()
# + future = torch.ones(context_length, context_length).triu(diagonal=0).bool()

# %% mistake="mask-missing" edits="textbook"
# - scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)

# %% mistake="missing-scale" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + return torch.softmax(scores, dim=-1) @ x

# %% mistake="returns-weights" also="wrong-shape" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + return torch.softmax(scores / d**0.5, dim=-1)

# %% mistake="unrecognized: scaled by the context" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + return torch.softmax(scores / len(self.mask), dim=-1) @ x

# %% mistake="unrecognized: values doubled" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + return torch.softmax(scores / d**0.5, dim=-1) @ (x + x)

# %% mistake="no-gradient" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + return (torch.softmax(scores / d**0.5, dim=-1) @ x).detach()

# %% mistake="not-implemented" edits="textbook"
# - num_tokens, d = x.shape
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% correct="by the logarithm of the sum" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + scores = scores / d**0.5
# + return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp() @ x

# %% mistake="unstable-softmax: the own score is subtracted" also="not-finite" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + scores = scores / d**0.5
# + powers = torch.exp(scores - scores.diagonal()[:, None])
# + return powers / powers.sum(dim=-1, keepdim=True) @ x

# %% mistake="state-kept: the mask is cut to the last length" edits="textbook"
# - num_tokens, d = x.shape
# + num_tokens, d = x.shape
# + self.mask = self.mask[:num_tokens, :num_tokens]


# %% correct="one step a line"
class fixed_10(nn.Module):
    def __init__(self, context_length):
        super().__init__()
        future = torch.ones(context_length, context_length).triu(diagonal=1).bool()
        self.register_buffer("mask", future)

    def forward(self, x):
        scores = x @ x.T
        scaled = scores / x.shape[1] ** 0.5
        hidden = scaled.masked_fill(self.mask[: len(x), : len(x)], -torch.inf)
        weights = torch.softmax(hidden, dim=-1)
        return weights @ x


# %% mistake="mask-inverted: step by step" edits="one step a line"
# - future = torch.ones(context_length, context_length).triu(diagonal=1).bool()
# + future = torch.ones(context_length, context_length).tril(-1).bool()

# %% mistake="mask-looks-ahead: by one, step by step" edits="one step a line"
# - future = torch.ones(context_length, context_length).triu(diagonal=1).bool()
# + future = torch.ones(context_length, context_length).triu(diagonal=2).bool()

# %% mistake="missing-scale: step by step" edits="one step a line"
# - scaled = scores / x.shape[1] ** 0.5
# + scaled = scores

# %% mistake="mask-missing: step by step" edits="one step a line"
# - hidden = scaled.masked_fill(self.mask[: len(x), : len(x)], -torch.inf)
# + hidden = scaled

# %% mistake="mask-zero-not-inf: step by step" edits="one step a line"
# - hidden = scaled.masked_fill(self.mask[: len(x), : len(x)], -torch.inf)
# + hidden = scaled.masked_fill(self.mask[: len(x), : len(x)], 0.0)

# %% mistake="scale-by-tokens" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + return torch.softmax(scores / num_tokens**0.5, dim=-1) @ x

# %% mistake="scale-by-tokens: beside the root" edits="textbook"
# - return torch.softmax(scores / d**0.5, dim=-1) @ x
# + return torch.softmax(scores / d**0.5 / num_tokens**0.5, dim=-1) @ x

# %% mistake="mask-by-value" edits="textbook"
# - future = torch.ones(context_length, context_length).triu(diagonal=1).bool()
# + future = torch.ones(context_length, context_length).tril()
# - scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
# + scores = scores * self.mask[:num_tokens, :num_tokens]
# + scores = scores.masked_fill(scores == 0, -torch.inf)
