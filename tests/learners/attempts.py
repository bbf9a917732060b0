"""Wrong answers as learners write them, and what the grader has to say of each, and must not say.

What is seen of learners becomes an entry here: the code as they wrote it, what it is, and what misled them.
"""

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Tried:
    """One wrong answer.

    Attributes:
        exercise: its id.
        what: what is wrong, in a few words.
        code: as a learner writes it.
        named: codes that the diagnosis holds.
        says: texts that the verdict holds.
        never: texts that it does not hold.
    """

    exercise: str
    what: str
    code: str
    named: tuple[str, ...]
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def tried(exercise: str, what: str, code: str, *named: str, says: str = "", never: str = "") -> Tried:
    """Return a wrong answer; texts are separated by a bar."""

    def texts(joined: str) -> tuple[str, ...]:
        return tuple(joined.split("|")) if joined else ()

    return Tried(exercise, what, dedent(code).strip(), named, texts(says), texts(never))


SELF_ATTENTION = """
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
        weights = torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1)
        return weights @ value
"""
CAUSAL = """
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
        scores = scores.masked_fill(self.mask[:T, :T], -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return weights @ value
"""


def edited(code: str, *changes: tuple[str, str]) -> str:
    """Return code with some of its text exchanged; each is there once."""
    for old, new in changes:
        assert code.count(old) == 1, old
        code = code.replace(old, new)
    return code


ATTEMPTS = (
    tried(
        "ch04-self-attention-v2",
        "forward is misspelled",
        edited(SELF_ATTENTION, ("def forward", "def foward")),
        "raises",
        says="letter by letter",
        never="Not written yet|stub",
    ),
    tried(
        "ch04-self-attention-v2",
        "an error that PyTorch raises, far below the learner's line",
        edited(SELF_ATTENTION, ("query @ key.T", "torch.einsum('td,sd->ts', query)")),
        "raises",
        says="in forward: weights = ",
        never="_VF.py|functional.py|in einsum",
    ),
    tried(
        "ch04-self-attention-v2",
        "the layer that is called is a list",
        edited(
            SELF_ATTENTION,
            ("self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_value = nn.ModuleList([])"),
        ),
        "not-registered",
        never="Not written yet|stub",
    ),
    tried(
        "ch04-self-attention-v2",
        "qkv_bias is forgotten",
        SELF_ATTENTION.replace("bias=qkv_bias", "bias=False"),
        "bias-ignored",
        "not-registered",
        never="counts parts",
    ),
    tried(
        "ch04-self-attention-v2",
        "another name",
        SELF_ATTENTION.replace("W_query", "W_q"),
        "not-registered",
        says="no parameter named W_query|letter by letter",
        never="counts parts",
    ),
    tried(
        "ch00-pairwise-dots",
        "a list of lists is stacked",
        """
        import torch

        def pairwise_dots(a, b):
            rows = []
            for x in a:
                row = []
                for y in b:
                    row.append(torch.dot(x, y))
                rows.append(row)
            return torch.stack(rows)
        """,
        "raises",
        says="type of its first item",
        never="plain numbers? |are no tensors any more",
    ),
    tried(
        "ch00-scale",
        "another tensor is multiplied in",
        """
        import torch

        def scale(scores, d_k):
            return scores * torch.ones(d_k + 40)
        """,
        "raises",
        says="number by number",
        never="product of matrices",
    ),
    tried(
        "ch02-scores-one-query",
        "a product of matrices that do not fit",
        """
        def scores_for_query(query, inputs):
            return inputs.T @ query
        """,
        "key-not-transposed",
        says="It raised RuntimeError",
        never="number by number",
    ),
    tried(
        "ch02-softmax-naive",
        "one number is asked of many",
        """
        import math
        import torch

        def softmax_naive(x):
            powers = torch.tensor(math.exp(x))
            return powers / powers.sum()
        """,
        "raises",
        never="The function named works",
    ),
    tried(
        "ch03-scaled-scores",
        "the fifth power for a half",
        """
        def scaled_scores(query, key):
            return query @ key.transpose(-2, -1) / key.shape[-1] ** 5
        """,
        never="whatever comes in|hard-coded",
    ),
    tried(
        "ch03-project",
        "the weights are transposed",
        """
        def project(inputs, W_query, W_key, W_value):
            return inputs @ W_query.T, inputs @ W_key.T, inputs @ W_value.T
        """,
        "weight-not-transposed",
        never="nn.Linear",
    ),
    tried(
        "ch09-fixed-01",
        "softmax over columns, divided by row sums",
        """
        import torch

        def fixed_01(scores):
            weights = torch.softmax(scores, dim=0)
            return weights / weights.sum(dim=1, keepdim=True)
        """,
        never="masked",
    ),
    tried(
        "ch06-merge-heads",
        "two other axes are exchanged",
        """
        def merge_heads(x):
            b, h, T, d = x.shape
            return x.transpose(2, 3).reshape(b, T, h * d)
        """,
        never="Reshaped instead",
    ),
    tried(
        "ch05-causal-mask",
        "the mask is turned round",
        """
        import torch

        def causal_mask(num_tokens):
            return torch.ones(num_tokens, num_tokens).tril().bool()
        """,
        says="got True",
        never="0.0000|1.0000",
    ),
    tried(
        "ch05-causal-attention",
        "the weights are dropped, and no case says so before the mask",
        edited(CAUSAL, ('self.register_buffer("mask", ', "self.mask = ("), ("self.dropout(torch", "(torch")),
        never="The computation is right",
    ),
    tried(
        "ch05-causal-attention",
        "the last rows of the mask",
        edited(CAUSAL, ("self.mask[:T, :T]", "self.mask[-T:, :T]")),
        never="harms nothing but negative numbers|whatever comes in",
    ),
    tried(
        "ch04-self-attention-v1",
        "a seed's numbers go to other weights, and the scale is missing",
        """
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
        """,
        "missing-scale",
        never="(gradient)|(a second call)|(drawn as asked)|(a further call)",
    ),
    tried(
        "ch02-softmax-naive",
        "a list of numbers is returned",
        """
        def softmax_naive(x):
            powers = x.exp()
            return list(powers / powers.sum())
        """,
        "wrong-type",
        says="to be a torch.Tensor, got list",
        never="(not a tensor)",
    ),
    tried(
        "ch04-self-attention-v2",
        "a bias too many",
        SELF_ATTENTION.replace("bias=qkv_bias", "bias=True"),
        "bias-unexpected",
        says="a bias that is not asked for",
        never="not registered under",
    ),
)
