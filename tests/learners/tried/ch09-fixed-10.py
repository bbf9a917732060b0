# %% setup
import torch
from torch import nn

# %% correct="mine"
class fixed_10(nn.Module):
    def __init__(self, context_length):
        super().__init__()
        mask = torch.ones(context_length, context_length).triu(1).bool()
        self.register_buffer("mask", mask)

    def forward(self, x):
        T, d = x.shape
        mask = self.mask[:T, :T]
        scores = x @ x.T / d**0.5
        return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1) @ x

# %% mistake="mask-not-buffer: moved in forward" edits="mine"
# - self.register_buffer("mask", mask)
# + self.mask = mask
# - mask = self.mask[:T, :T]
# + mask = self.mask[:T, :T].to(x.device)

# %% mistake="mask-not-buffer: made in forward" edits="mine"
# - self.register_buffer("mask", mask)
# + self.size = context_length
# - mask = self.mask[:T, :T]
# + mask = torch.ones(T, T, device=x.device).triu(1).bool()

# %% mistake="mask-not-buffer: a parameter" edits="mine"
# - self.register_buffer("mask", mask)
# + self.mask = nn.Parameter(mask, requires_grad=False)

# %% mistake="raises: an attribute of that name first" edits="mine"
# - self.register_buffer("mask", mask)
# + self.mask = mask
# + self.register_buffer("mask", self.mask)

# %% mistake="missing-scale: and no mask" also="mask-missing" edits="mine"
# - scores = x @ x.T / d**0.5
# - return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1) @ x
# + return torch.softmax(x @ x.T, dim=-1) @ x
