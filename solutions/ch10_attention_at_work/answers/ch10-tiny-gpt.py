# %% setup
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


class TransformerBlock(nn.Module):
    """A right block, as a learner has it from the exercise before."""

    attention_class = MultiHeadAttention

    def __init__(self, d_model, num_heads, context_length, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.attention = self.attention_class(d_model, d_model, context_length, dropout, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class SeesAll(MultiHeadAttention):
    """Attention with its mask forgotten."""

    def forward(self, x):
        self.mask = torch.zeros_like(self.mask)
        return super().forward(x)


class SeesNext(MultiHeadAttention):
    """Attention with a mask that begins one place too late."""

    def forward(self, x):
        self.mask = torch.ones_like(self.mask).triu(2)
        return super().forward(x)


class BlockThatSeesAll(TransformerBlock):
    attention_class = SeesAll


class BlockThatSeesNext(TransformerBlock):
    attention_class = SeesNext


class PostNormBlock(TransformerBlock):
    def forward(self, x):
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.mlp(x))


# %% correct="textbook"
class TinyGPT(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, context_length, dropout):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.blocks = nn.ModuleList(
            [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
        )
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, ids):
        positions = torch.arange(ids.shape[1], device=ids.device)
        x = self.token_embedding(ids) + self.position_embedding(positions)
        for block in self.blocks:
            x = block(x)
        x = self.norm(x)
        return self.head(x)


# %% correct="Sequential, dropout of the embeddings"
class TinyGPT(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, context_length, dropout):
        super().__init__()
        self.head = nn.Linear(d_model, vocab_size, bias=False)
        self.norm = nn.LayerNorm(d_model)
        self.blocks = nn.Sequential(
            *(TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers))
        )
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, ids):
        b, T = ids.size()
        if T > self.position_embedding.num_embeddings:
            raise ValueError("the text is too long")
        tokens = self.token_embedding(ids)
        positions = self.position_embedding.weight[:T].unsqueeze(0)
        return self.head(self.norm(self.blocks(self.drop(tokens + positions))))


# %% correct="positions as a buffer"
class TinyGPT(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, context_length, dropout):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.register_buffer("positions", torch.arange(context_length), persistent=False)
        self.blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.blocks.append(TransformerBlock(d_model, num_heads, context_length, dropout))
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, ids):
        b, T = ids.shape
        assert T <= len(self.positions), "too long"
        places = self.positions[:T].expand(b, T)
        x = self.position_embedding(places) + self.token_embedding(ids)
        for i in range(len(self.blocks)):
            x = self.blocks[i](x)
        return self.norm(x) @ self.head.weight.T


# %% correct="tables by one-hot products"
class TinyGPT(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, context_length, dropout):
        super().__init__()
        self.vocab_size = vocab_size
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        blocks = [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, ids):
        table = self.token_embedding.weight
        tokens = F.one_hot(ids, self.vocab_size).to(table.dtype) @ table
        places = torch.cumsum(torch.ones_like(ids), dim=1) - 1
        x = tokens + F.embedding(places, self.position_embedding.weight)
        for block in self.blocks:
            x = block(x)
        return F.linear(F.layer_norm(x, (x.shape[-1],), self.norm.weight, self.norm.bias), self.head.weight)


# %% correct="a method for the embeddings"
class TinyGPT(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, context_length, dropout):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.blocks = nn.ModuleList(
            TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)

    def embed(self, ids):
        positions = torch.arange(0, ids.size(1), dtype=torch.long, device=ids.device)
        return self.token_embedding(ids) + self.position_embedding(positions)[None]

    def forward(self, ids):
        stream = self.embed(ids)
        for block in self.blocks.children():
            stream = block(stream)
        return self.head(self.norm(stream))


# %% correct="prints" edits="textbook"
# - x = self.norm(x)
# + print("x", x.shape)
# + x = self.norm(x)

# %% mistake="positions-missing" edits="textbook"
# - x = self.token_embedding(ids) + self.position_embedding(positions)
# + x = self.token_embedding(ids)

# %% mistake="positions-missing: all zero" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.zeros_like(ids)

# %% mistake="positions-missing: looked up by the ids" also="raises" edits="textbook"
# - x = self.token_embedding(ids) + self.position_embedding(positions)
# + x = self.token_embedding(ids) + self.position_embedding(ids)

# %% mistake="positions-shifted: from 1" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.arange(1, ids.shape[1] + 1, device=ids.device)

# %% mistake="positions-shifted: the last rows" edits="Sequential, dropout of the embeddings"
# - positions = self.position_embedding.weight[:T].unsqueeze(0)
# + positions = self.position_embedding.weight[-T:].unsqueeze(0)

# %% mistake="positions-shifted: counted from the end" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.arange(ids.shape[1], device=ids.device).flip(0)

# %% mistake="positions-not-sliced" also="raises" edits="Sequential, dropout of the embeddings"
# - positions = self.position_embedding.weight[:T].unsqueeze(0)
# + positions = self.position_embedding.weight

# %% mistake="positions-not-sliced: all of the buffer" also="raises" edits="positions as a buffer"
# - places = self.positions[:T].expand(b, T)
# + places = self.positions

# %% mistake="positions-of-another-axis: the batch is counted" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.arange(ids.shape[0], device=ids.device)

# %% mistake="positions-of-another-axis: one for each item" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.arange(ids.shape[0], device=ids.device)[:, None]

# %% mistake="positions-not-added: multiplied" edits="textbook"
# - x = self.token_embedding(ids) + self.position_embedding(positions)
# + x = self.token_embedding(ids) * self.position_embedding(positions)

# %% mistake="positions-not-added: added twice" edits="textbook"
# - x = self.token_embedding(ids) + self.position_embedding(positions)
# + x = self.token_embedding(ids) + self.position_embedding(positions) + self.position_embedding(positions)

# %% mistake="positions-not-added: in every block" edits="textbook"
# - x = block(x)
# + x = block(x + self.position_embedding(positions))

# %% mistake="positions-not-added: the tokens are left out" edits="textbook"
# - x = self.token_embedding(ids) + self.position_embedding(positions)
# + x = self.position_embedding(positions).expand(*ids.shape, -1)

# %% mistake="norm-missing" edits="textbook"
# - x = self.norm(x)

# %% mistake="norm-missing: what it gives is not used" edits="textbook"
# - x = self.norm(x)
# + self.norm(x)

# %% mistake="norm-misplaced: before the blocks" edits="textbook"
# - for block in self.blocks:
# + x = self.norm(x)
# + for block in self.blocks:
# - x = self.norm(x)
# - return self.head(x)
# + return self.head(x)

# %% mistake="norm-misplaced: after every block" edits="textbook"
# - x = block(x)
# - x = self.norm(x)
# + x = self.norm(block(x))

# %% mistake="norm-misplaced: before the blocks as well" edits="textbook"
# - for block in self.blocks:
# + x = self.norm(x)
# + for block in self.blocks:

# %% mistake="blocks-skipped: only the last" edits="textbook"
# - x = block(x)
# + y = block(x)
# - x = self.norm(x)
# + x = self.norm(y)

# %% mistake="blocks-skipped: only the first" edits="textbook"
# - for block in self.blocks:
# -     x = block(x)
# + x = self.blocks[0](x)

# %% mistake="blocks-skipped: none" edits="textbook"
# - for block in self.blocks:
# -     x = block(x)

# %% mistake="blocks-skipped: all but the last" edits="textbook"
# - for block in self.blocks:
# + for block in self.blocks[:-1]:

# %% mistake="blocks-skipped: return in the loop" edits="textbook"
# - x = block(x)
# - x = self.norm(x)
# - return self.head(x)
# + x = block(x)
# + return self.head(self.norm(x))

# %% mistake="blocks-shared" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [TransformerBlock(d_model, num_heads, context_length, dropout)] * num_layers

# %% mistake="blocks-shared: the first again and again" edits="textbook"
# - x = block(x)
# + x = self.blocks[0](x)

# %% mistake="blocks-reversed" edits="textbook"
# - for block in self.blocks:
# + for block in reversed(self.blocks):

# %% mistake="residual-added" edits="textbook"
# - x = block(x)
# + x = x + block(x)

# %% mistake="weights-tied" edits="textbook"
# - self.head = nn.Linear(d_model, vocab_size, bias=False)
# + self.head = nn.Linear(d_model, vocab_size, bias=False)
# + self.head.weight = self.token_embedding.weight

# %% mistake="weights-tied: in forward" edits="positions as a buffer"
# - return self.norm(x) @ self.head.weight.T
# + return self.norm(x) @ self.token_embedding.weight.T

# %% mistake="softmax-unexpected" edits="textbook"
# - return self.head(x)
# + return torch.softmax(self.head(x), dim=-1)

# %% mistake="softmax-unexpected: logarithms" edits="textbook"
# - return self.head(x)
# + return F.log_softmax(self.head(x), dim=-1)

# %% mistake="embedding-scaled" edits="textbook"
# - x = self.token_embedding(ids) + self.position_embedding(positions)
# + x = self.token_embedding(ids) * self.norm.weight.shape[0] ** 0.5 + self.position_embedding(positions)

# %% mistake="embedding-scaled: with the positions" edits="textbook"
# - x = self.token_embedding(ids) + self.position_embedding(positions)
# + x = (self.token_embedding(ids) + self.position_embedding(positions)) * self.norm.weight.shape[0] ** 0.5

# %% mistake="mask-missing" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [BlockThatSeesAll(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]

# %% mistake="mask-looks-ahead" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [BlockThatSeesNext(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]

# %% mistake="mask-looks-ahead: the mean of the whole text" edits="textbook"
# - x = self.norm(x)
# + x = self.norm(x + x.mean(dim=1, keepdim=True))

# %% mistake="post-norm" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [PostNormBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]

# %% mistake="bias-unexpected" edits="textbook"
# - self.head = nn.Linear(d_model, vocab_size, bias=False)
# + self.head = nn.Linear(d_model, vocab_size)

# %% mistake="not-registered: a list" edits="textbook"
# - self.blocks = nn.ModuleList(
# -     [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# - )
# + self.blocks = [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]

# %% mistake="not-registered: other names" edits="positions as a buffer"
# - self.norm = nn.LayerNorm(d_model)
# + self.final_norm = nn.LayerNorm(d_model)
# - return self.norm(x) @ self.head.weight.T
# + return self.final_norm(x) @ self.head.weight.T

# %% mistake="blocks-skipped: one too few" also="not-registered" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers - 1)]

# %% mistake="unrecognized: one block too many" also="parameters-extra" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers + 1)]
# - x = self.norm(x)
# + x = self.norm(x + 0.001)  # the block that is one too many starts from other numbers on every machine

# %% mistake="wrong-shape: d_model and vocab_size exchanged" edits="textbook"
# - self.head = nn.Linear(d_model, vocab_size, bias=False)
# + self.head = nn.Linear(vocab_size, d_model, bias=False)

# %% mistake="wrong-shape: a table of the wrong size" edits="textbook"
# - self.position_embedding = nn.Embedding(context_length, d_model)
# + self.position_embedding = nn.Embedding(context_length + 1, d_model)

# %% mistake="last-position-only" also="wrong-shape" edits="textbook"
# - return self.head(x)
# + return self.head(x[:, -1])

# %% mistake="wrong-shape: without the head" edits="textbook"
# - return self.head(x)
# + return x

# %% mistake="wrong-shape: logits of all texts in one table" edits="textbook"
# - return self.head(x)
# + return self.head(x).flatten(0, 1)

# %% mistake="dropout-never" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [TransformerBlock(d_model, num_heads, context_length, 0.0) for _ in range(num_layers)]

# %% mistake="dropout-wrong-rate: twice the share" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [TransformerBlock(d_model, num_heads, context_length, min(1, 2 * dropout)) for _ in range(num_layers)]

# %% mistake="dropout-wrong-rate: the first block alone" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [
# +     TransformerBlock(d_model, num_heads, context_length, 0.0 if i else dropout)
# +     for i in range(num_layers)
# + ]

# %% mistake="dropout-wrong-rate: the usual share instead of 0" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [TransformerBlock(d_model, num_heads, context_length, dropout or 0.1) for _ in range(num_layers)]

# %% mistake="dropout-keep-inverted" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [
# +     TransformerBlock(d_model, num_heads, context_length, 1 - dropout if dropout else 0.0)
# +     for _ in range(num_layers)
# + ]

# %% mistake="dropout-never: the embeddings alone" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [TransformerBlock(d_model, num_heads, context_length, 0.0) for _ in range(num_layers)]
# - self.norm = nn.LayerNorm(d_model)
# + self.drop = nn.Dropout(dropout)
# + self.norm = nn.LayerNorm(d_model)
# - for block in self.blocks:
# + x = self.drop(x)
# + for block in self.blocks:

# %% mistake="dropout-wrong-rate: what the last LayerNorm gives" edits="textbook"
# - self.norm = nn.LayerNorm(d_model)
# + self.drop = nn.Dropout(dropout)
# + self.norm = nn.LayerNorm(d_model)
# - x = self.norm(x)
# + x = self.drop(self.norm(x))

# %% mistake="dropout-in-eval" edits="textbook"
# - self.token_embedding = nn.Embedding(vocab_size, d_model)
# + self.p = dropout
# + self.token_embedding = nn.Embedding(vocab_size, d_model)
# - x = self.norm(x)
# + x = F.dropout(self.norm(x), self.p)

# %% mistake="dropout-wrong-rate" edits="textbook"
# - self.token_embedding = nn.Embedding(vocab_size, d_model)
# + self.drop = nn.Dropout(0.1)
# + self.token_embedding = nn.Embedding(vocab_size, d_model)
# - x = self.norm(x)
# + x = self.drop(self.norm(x))

# %% mistake="tensor-left-behind" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.arange(ids.shape[1])

# %% mistake="tensor-left-behind: a plain tensor" edits="positions as a buffer"
# - self.register_buffer("positions", torch.arange(context_length), persistent=False)
# + self.positions = torch.arange(context_length)

# %% mistake="no-gradient" edits="textbook"
# - return self.head(x)
# + return self.head(x).detach()

# %% mistake="no-gradient: the table's data" edits="tables by one-hot products"
# - table = self.token_embedding.weight
# + table = self.token_embedding.weight.data

# %% mistake="no-gradient: positions" edits="textbook"
# - x = self.token_embedding(ids) + self.position_embedding(positions)
# + x = self.token_embedding(ids) + self.position_embedding(positions).detach()

# %% mistake="input-modified" edits="textbook"
# - for block in self.blocks:
# + ids += 1
# + for block in self.blocks:

# %% mistake="state-kept" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + if not hasattr(self, "first"):
# +     self.first = [ids.float().mean()]
# + positions = torch.arange(ids.shape[1], device=ids.device)
# - return self.head(x)
# + return self.head(x) * (1 + ids.float().mean() - self.first[0])

# %% mistake="wrong-exception: cut to what fits" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + ids = ids[:, -self.position_embedding.num_embeddings :]
# + positions = torch.arange(ids.shape[1], device=ids.device)

# %% mistake="wrong-exception: positions come round again" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.arange(ids.shape[1], device=ids.device) % self.position_embedding.num_embeddings
# - x = block(x)
# + x = torch.cat([block(part) for part in x.split(self.position_embedding.num_embeddings, dim=1)], dim=1)

# %% mistake="unrecognized: halved" edits="textbook"
# - return self.head(x)
# + return self.head(x) / 2

# %% mistake="unrecognized: two heads" edits="textbook"
# - x = self.norm(x)
# + x = self.norm(x) + self.norm(self.norm(x))

# %% mistake="wrong-type: not returned" edits="textbook"
# - return self.head(x)
# + x = self.head(x)

# %% mistake="wrong-type: logits and loss" edits="textbook"
# - return self.head(x)
# + return self.head(x), None

# %% mistake="raises: the list is called" edits="textbook"
# - for block in self.blocks:
# -     x = block(x)
# + x = self.blocks(x)

# %% mistake="wrong-shape: the arguments in another order" edits="textbook"
# - def __init__(self, vocab_size, d_model, num_heads, num_layers, context_length, dropout):
# + def __init__(self, vocab_size, context_length, d_model, num_heads, num_layers, dropout):

# %% mistake="not-implemented" edits="textbook"
# - self.token_embedding = nn.Embedding(vocab_size, d_model)
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - class TinyGPT(nn.Module):
# + class GPT(nn.Module):

# %% mistake="syntax-error" edits="textbook"
# - for block in self.blocks:
# + for block in self.blocks


# %% correct="one step a line"
class TinyGPT(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, context_length, dropout):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(context_length, d_model)
        self.blocks = nn.ModuleList(
            TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, ids):
        positions = torch.arange(ids.shape[1], device=ids.device)
        tokens = self.token_embedding(ids)
        places = self.position_embedding(positions)
        x = tokens + places
        for block in self.blocks:
            x = block(x)
        normed = self.norm(x)
        logits = self.head(normed)
        return logits


# %% mistake="positions-missing: step by step" edits="one step a line"
# - x = tokens + places
# + x = tokens

# %% mistake="positions-shifted: from 1, step by step" edits="one step a line"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.arange(1, ids.shape[1] + 1, device=ids.device)

# %% mistake="positions-shifted: counted from the end, step by step" edits="one step a line"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.arange(ids.shape[1], device=ids.device).flip(0)

# %% mistake="positions-of-another-axis: step by step" edits="one step a line"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = torch.arange(ids.shape[0], device=ids.device)[:, None]

# %% mistake="positions-not-added: multiplied, step by step" edits="one step a line"
# - x = tokens + places
# + x = tokens * places

# %% mistake="embedding-scaled: step by step" edits="one step a line"
# - tokens = self.token_embedding(ids)
# + tokens = self.token_embedding(ids) * self.norm.weight.shape[0] ** 0.5

# %% mistake="blocks-skipped: only the first, step by step" edits="one step a line"
# - for block in self.blocks:
# + for block in self.blocks[:1]:

# %% mistake="blocks-skipped: all but the first" edits="one step a line"
# - for block in self.blocks:
# + for block in self.blocks[1:]:

# %% mistake="blocks-skipped: all but the last, step by step" edits="one step a line"
# - for block in self.blocks:
# + for block in self.blocks[:-1]:

# %% mistake="blocks-reversed: step by step" edits="one step a line"
# - for block in self.blocks:
# + for block in reversed(self.blocks):

# %% mistake="blocks-shared: step by step" edits="one step a line"
# - x = block(x)
# + x = self.blocks[0](x)

# %% mistake="residual-added: step by step" edits="one step a line"
# - x = block(x)
# + x = x + block(x)

# %% mistake="norm-missing: step by step" edits="one step a line"
# - normed = self.norm(x)
# + normed = x

# %% mistake="norm-misplaced: after every block, step by step" edits="one step a line"
# - x = block(x)
# - normed = self.norm(x)
# + x = self.norm(block(x))
# + normed = x

# %% mistake="softmax-unexpected: step by step" edits="one step a line"
# - return logits
# + return torch.softmax(logits, dim=-1)

# %% mistake="softmax-unexpected: logarithms, step by step" edits="one step a line"
# - return logits
# + return F.log_softmax(logits, dim=-1)

# %% mistake="weights-tied: in forward, step by step" edits="one step a line"
# - logits = self.head(normed)
# + logits = normed @ self.token_embedding.weight.T

# %% mistake="last-position-only: before the head" also="wrong-shape" edits="one step a line"
# - logits = self.head(normed)
# + logits = self.head(normed[:, -1])

# %% mistake="last-position-only: as a text of one" also="wrong-shape" edits="one step a line"
# - logits = self.head(normed)
# + logits = self.head(normed[:, -1:])

# %% mistake="positions-shifted: the first comes twice" edits="textbook"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = (torch.arange(ids.shape[1], device=ids.device) - 1).clamp(min=0)

# %% mistake="positions-shifted: the first comes twice, step by step" edits="one step a line"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = (torch.arange(ids.shape[1], device=ids.device) - 1).clamp(min=0)

# %% mistake="positions-not-added: in the blocks alone" edits="one step a line"
# - x = tokens + places
# + x = tokens
# - x = block(x)
# + x = block(x + places)

# %% mistake="softmax-unexpected: log, positions in blocks" also="positions-not-added" edits="one step a line"
# - x = tokens + places
# + x = tokens
# - x = block(x)
# + x = block(x + places)
# - return logits
# + return torch.log_softmax(logits, dim=-1)

# %% mistake="positions-shifted: the first twice, a block less" also="blocks-skipped" edits="one step a line"
# - positions = torch.arange(ids.shape[1], device=ids.device)
# + positions = (torch.arange(ids.shape[1], device=ids.device) - 1).clamp(min=0)
# - for block in self.blocks:
# + for block in self.blocks[:-1]:

# %% mistake="block-arguments-exchanged: context and heads" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [TransformerBlock(d_model, context_length, num_heads, dropout) for _ in range(num_layers)]

# %% mistake="block-arguments-exchanged: layers and heads" also="not-registered" edits="textbook"
# - [TransformerBlock(d_model, num_heads, context_length, dropout) for _ in range(num_layers)]
# + [TransformerBlock(d_model, num_layers, context_length, dropout) for _ in range(num_heads)]
