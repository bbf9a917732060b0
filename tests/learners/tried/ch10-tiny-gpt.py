# %% setup
import torch
from torch import nn

from grader.materials import MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


# %% correct="mine"
class TinyGPT(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, context_length, dropout):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, ids):
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.token_embedding(ids)
        x = x + self.position_embedding(places)
        for block in self.blocks:
            x = block(x)
        x = self.norm(x)
        return self.head(x)

# %% mistake="positions-missing" edits="mine"
# - x = x + self.position_embedding(places)

# %% mistake="positions-missing: looked up by the ids" edits="mine"
# - x = x + self.position_embedding(places)
# + x = x + self.position_embedding(ids)

# %% mistake="not-registered: a plain list" edits="mine"
# - self.blocks = nn.ModuleList()
# + self.blocks = []

# %% mistake="blocks-shared" edits="mine"
# - self.blocks = nn.ModuleList()
# - for _ in range(num_layers):
# -     self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
# + block = TransformerBlock(d_model, num_heads, context_length, dropout)
# + self.blocks = nn.ModuleList([block] * num_layers)

# %% mistake="blocks-skipped: all see the same x" edits="mine"
# - x = block(x)
# - x = self.norm(x)
# + y = block(x)
# - return self.head(x)
# + y = self.norm(y)
# + return self.head(y)

# %% mistake="norm-missing" edits="mine"
# - x = self.norm(x)

# %% mistake="softmax-unexpected" edits="mine"
# - return self.head(x)
# + return torch.softmax(self.head(x), dim=-1)

# %% mistake="bias-unexpected" edits="mine"
# - self.head = nn.Linear(d_model, vocab_size, bias=False)
# + self.head = nn.Linear(d_model, vocab_size)

# %% mistake="raises: the ModuleList is called" never="A stub is still in its place" edits="mine"
# - for block in self.blocks:
# -     x = block(x)
# + x = self.blocks(x)

# %% mistake="wrong-shape: a table of d_model positions" edits="mine"
# - self.position_embedding = nn.Embedding(context_length, d_model)
# + self.position_embedding = nn.Embedding(vocab_size, d_model)

# %% mistake="blocks-reversed" edits="mine"
# - for block in self.blocks:
# + for block in self.blocks[::-1]:

# %% mistake="raises: heads and context of the blocks" edits="mine"
# - self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
# + self.blocks.append(TransformerBlock(d_model, context_length, num_heads, dropout))

# %% mistake="raises: dropout and context of the blocks" edits="mine"
# - self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
# + self.blocks.append(TransformerBlock(d_model, num_heads, dropout, context_length))

# %% mistake="weights-tied" edits="mine"
# - self.head = nn.Linear(d_model, vocab_size, bias=False)
# + self.head = nn.Linear(d_model, vocab_size, bias=False)
# + self.head.weight = self.token_embedding.weight

# %% mistake="last-position-only" edits="mine"
# - return self.head(x)
# + return self.head(x[:, -1])

# %% mistake="last-position-only: as a text of one" edits="mine"
# - return self.head(x)
# + return self.head(x[:, -1:])

# %% mistake="blocks-skipped: the first left out" edits="mine"
# - for block in self.blocks:
# + for block in self.blocks[1:]:

# %% mistake="raises: self forgotten" edits="mine"
# - x = self.token_embedding(ids)
# + x = token_embedding(ids)

# %% mistake="positions-missing: and no last norm" also="norm-missing" edits="mine"
# - x = x + self.position_embedding(places)
# + # no positions
# - x = self.norm(x)

# %% mistake="positions-shifted: from one, and softmax" also="softmax-unexpected" edits="mine"
# - places = torch.arange(ids.shape[1], device=ids.device)
# + places = torch.arange(1, ids.shape[1] + 1, device=ids.device)
# - return self.head(x)
# + return torch.softmax(self.head(x), dim=-1)

# %% mistake="norm-missing: and softmax" also="softmax-unexpected" edits="mine"
# - x = self.norm(x)
# - return self.head(x)
# + return torch.softmax(self.head(x), dim=-1)

# %% mistake="positions-missing: and the blocks in reverse" also="blocks-reversed" edits="mine"
# - x = x + self.position_embedding(places)
# + # no positions
# - for block in self.blocks:
# + for block in reversed(self.blocks):

# %% mistake="embedding-scaled: and no last norm" also="norm-missing" edits="mine"
# - x = self.token_embedding(ids)
# + x = self.token_embedding(ids) * self.head.in_features**0.5
# - x = self.norm(x)

# %% mistake="norm-misplaced: and no positions" also="positions-missing" edits="mine"
# - x = x + self.position_embedding(places)
# + # no positions
# - x = block(x)
# - x = self.norm(x)
# + x = self.norm(block(x))

# %% mistake="blocks-skipped: and softmax" also="softmax-unexpected" edits="mine"
# - for block in self.blocks:
# -     x = block(x)
# + x = self.blocks[0](x)
# - return self.head(x)
# + return self.head(x).softmax(-1)

# %% mistake="positions-shifted: 0, 0, 1, 2" edits="mine"
# - places = torch.arange(ids.shape[1], device=ids.device)
# + places = torch.zeros(ids.shape[1], dtype=torch.long)
# + for t in range(1, ids.shape[1]):
# +     places[t] = t - 1

# %% mistake="positions-shifted: 0, 0, 1, 2, and one block too few" also="blocks-skipped" edits="mine"
# - places = torch.arange(ids.shape[1], device=ids.device)
# + places = torch.zeros(ids.shape[1], dtype=torch.long)
# + for t in range(1, ids.shape[1]):
# +     places[t] = t - 1
# - for block in self.blocks:
# + for block in self.blocks[:-1]:

# %% mistake="positions-of-another-axis: the texts are counted" never="along the batch" edits="mine"
# - places = torch.arange(ids.shape[1], device=ids.device)
# + places = torch.arange(ids.shape[0], device=ids.device)[:, None]

# %% mistake="positions-not-added: anew in every block" edits="mine"
# - x = x + self.position_embedding(places)
# - for block in self.blocks:
# - x = block(x)
# + for block in self.blocks:
# +     x = block(x + self.position_embedding(places))

# %% mistake="softmax-unexpected: logs, positions in blocks" also="positions-not-added" edits="mine"
# - x = x + self.position_embedding(places)
# - for block in self.blocks:
# - x = block(x)
# + for block in self.blocks:
# +     x = block(x + self.position_embedding(places))
# - return self.head(x)
# + return torch.log_softmax(self.head(x), dim=-1)

# %% mistake="norm-misplaced: after every block" edits="mine"
# - x = block(x)
# - x = self.norm(x)
# + x = self.norm(block(x))

# %% mistake="positions-not-added: a product" edits="mine"
# - x = x + self.position_embedding(places)
# + x = x * self.position_embedding(places)

# %% mistake="wrong-shape: the sizes of the tables exchanged" edits="mine"
# - self.token_embedding = nn.Embedding(vocab_size, d_model)
# - self.position_embedding = nn.Embedding(context_length, d_model)
# + self.token_embedding = nn.Embedding(context_length, d_model)
# + self.position_embedding = nn.Embedding(vocab_size, d_model)

# %% mistake="residual-added: round every block" edits="mine"
# - x = block(x)
# + x = x + block(x)

# %% mistake="bias-unexpected: and one block for all" also="blocks-shared" edits="mine"
# - self.blocks = nn.ModuleList()
# - for _ in range(num_layers):
# -     self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
# + block = TransformerBlock(d_model, num_heads, context_length, dropout)
# + self.blocks = nn.ModuleList([block] * num_layers)
# - self.head = nn.Linear(d_model, vocab_size, bias=False)
# + self.head = nn.Linear(d_model, vocab_size)

# %% mistake="norm-missing: and a softmax" also="softmax-unexpected" edits="mine"
# - x = self.norm(x)
# - return self.head(x)
# + return self.head(x).softmax(dim=-1)

# %% mistake="positions-missing: and every block gets the first x" also="blocks-skipped" edits="mine"
# - x = x + self.position_embedding(places)
# - for block in self.blocks:
# - x = block(x)
# - x = self.norm(x)
# + for block in self.blocks:
# +     y = block(x)
# + x = self.norm(y)

# %% mistake="positions-shifted: from 1, and the last block left out" also="blocks-skipped" edits="mine"
# - places = torch.arange(ids.shape[1], device=ids.device)
# + places = torch.arange(1, ids.shape[1] + 1, device=ids.device)
# - for block in self.blocks:
# + for block in self.blocks[:-1]:

# %% mistake="norm-misplaced: before the blocks, in reverse" also="blocks-reversed" edits="mine"
# - x = x + self.position_embedding(places)
# - for block in self.blocks:
# - x = block(x)
# - x = self.norm(x)
# + x = self.norm(x + self.position_embedding(places))
# + for block in reversed(self.blocks):
# +     x = block(x)

# %% mistake="positions-not-added: multiplied, and x is added to each" also="residual-added" edits="mine"
# - x = x + self.position_embedding(places)
# + x = x * self.position_embedding(places)
# - x = block(x)
# + x = x + block(x)

# %% mistake="raises: a plain list takes its place" says="child module" never="parameter can be" edits="mine"
# - self.norm = nn.LayerNorm(d_model)
# + self.blocks = [block for block in self.blocks]
# + self.norm = nn.LayerNorm(d_model)

# %% mistake="wrong-exception: cut where it should raise" edits="mine"
# - places = torch.arange(ids.shape[1], device=ids.device)
# + ids = ids[:, -self.position_embedding.num_embeddings :]
# + places = torch.arange(ids.shape[1], device=ids.device)

# %% mistake="dropout-wrong-rate: the last features, too" never="weights were dropped in training|share of the weights that is dropped|Weights are dropped" edits="mine"
# - return self.head(x)
# + return self.head(nn.functional.dropout(x, 0.2, self.training))

# %% mistake="dropout-wrong-rate: the logits, too" never="weights were dropped in training|share of the weights that is dropped|Weights are dropped" edits="mine"
# - return self.head(x)
# + return nn.functional.dropout(self.head(x), 0.2, self.training)

# %% mistake="dropout-wrong-rate: what every block gives" never="weights were dropped in training|share of the weights that is dropped|Weights are dropped" edits="mine"
# - x = block(x)
# + x = nn.functional.dropout(block(x), 0.2, self.training)

# %% mistake="dropout-wrong-rate: the embeddings, in eval() too" never="weights were dropped in training|share of the weights that is dropped|Weights are dropped" edits="mine"
# - x = x + self.position_embedding(places)
# + x = nn.functional.dropout(x + self.position_embedding(places), 0.2)

# %% mistake="dropout-never: the embeddings alone" never="Nothing is dropped" edits="mine"
# - self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
# + self.blocks.append(TransformerBlock(d_model, num_heads, context_length, 0.0))
# + self.dropout = nn.Dropout(dropout)
# - x = x + self.position_embedding(places)
# + x = self.dropout(x + self.position_embedding(places))

# %% mistake="unrecognized: as many blocks as heads" also="not-registered" says="blocks.2|(case full length" edits="mine"
# - for _ in range(num_layers):
# + for _ in range(num_heads):

# %% mistake="positions-not-sliced: the whole weight" also="raises" says="on another input" never="with other numbers" edits="mine"
# - x = x + self.position_embedding(places)
# + x = x + self.position_embedding.weight

# %% correct="with its own attention"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.d_k = d_out // num_heads
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        mask = torch.triu(torch.ones(context_length, context_length), diagonal=1)
        self.register_buffer("mask", mask.bool())

    def forward(self, x):
        b, T, _ = x.shape
        layers = (self.W_query, self.W_key, self.W_value)
        q, k, v = (w(x).view(b, T, self.num_heads, self.d_k).transpose(1, 2) for w in layers)
        s = q @ k.transpose(2, 3) / self.d_k**0.5
        s = s.masked_fill(self.mask[:T, :T], -torch.inf)
        w = self.dropout(torch.softmax(s, dim=-1))
        return self.out_proj((w @ v).transpose(1, 2).reshape(b, T, -1))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, d_model, context_length, dropout, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class TinyGPT(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, context_length, dropout):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, ids):
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.token_embedding(ids)
        x = x + self.position_embedding(places)
        for block in self.blocks:
            x = block(x)
        x = self.norm(x)
        return self.head(x)

# %% mistake="block-arguments-exchanged: heads and context" edits="with its own attention"
# - self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
# + self.blocks.append(TransformerBlock(d_model, context_length, num_heads, dropout))

# %% mistake="block-arguments-exchanged: heads and layers" edits="with its own attention"
# - for _ in range(num_layers):
# -     self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
# + for _ in range(num_heads):
# +     self.blocks.append(TransformerBlock(d_model, num_layers, context_length, dropout))
