"""Multi-head attention for who has not finished their own, and the weights of anybody's.

Everything here is the library's function behind the names of chapter 6: enough to go on with, and nothing
that chapter 6 would accept as an answer, for it forbids this very function.
"""

import torch
from torch import nn
from torch.nn import functional as F

from grader.messages import Message, message
from grader.messages.speaking import said

__all__ = ["MultiHeadAttention", "finished", "weights_of"]

LAYERS = ("W_query", "W_key", "W_value")
# Far above rounding, far below any mistake.
TOLERANCE = 1e-4


def _attend(module: nn.Module, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what the library's attention gives with a module's layers: (b, T, d_out), (b, h, T, T)."""
    query, key, value = (getattr(module, name)(x).transpose(0, 1) for name in LAYERS)  # (T, b, d_out)
    unit = torch.eye(module.d_out, dtype=x.dtype, device=x.device)
    tokens = x.shape[1]
    hidden = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(diagonal=1)
    result, weights = F.multi_head_attention_forward(
        *(query, key, value, module.d_out, module.num_heads),
        in_proj_weight=None,
        in_proj_bias=None,
        bias_k=None,
        bias_v=None,
        add_zero_attn=False,
        dropout_p=module.dropout.p if isinstance(getattr(module, "dropout", None), nn.Dropout) else 0.0,
        out_proj_weight=module.out_proj.weight,
        out_proj_bias=module.out_proj.bias,
        training=module.training,
        attn_mask=hidden,
        use_separate_proj_weight=True,
        q_proj_weight=unit,
        k_proj_weight=unit,
        v_proj_weight=unit,
        average_attn_weights=False,
    )
    return result.transpose(0, 1), weights


class MultiHeadAttention(nn.Module):
    """Chapter 6's module, its layers by the same names, computed by the library.

    Its constructor takes what chapter 6's takes. ``forward(x)``: (b, T, d_in) -> (b, T, d_out); token t
    depends on tokens 0 to t only.
    """

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out={d_out} is not a multiple of num_heads={num_heads}")
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.context_length = context_length
        for name in LAYERS:
            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (b, T, d_out) for x (b, T, d_in)."""
        if x.shape[1] > self.context_length:
            raise ValueError(f"{x.shape[1]} tokens are more than context_length={self.context_length}")
        return _attend(self, x)[0]


def weights_of(attention: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return the attention weights (b, h, T, T) of a module like chapter 6's on an input x (b, T, d_in)."""
    training = attention.training
    try:
        with torch.no_grad():
            return _attend(attention.eval(), x)[1]
    finally:
        attention.train(training)


def finished(theirs: type[nn.Module]) -> type[nn.Module]:
    """Return a learner's ``MultiHeadAttention`` if it works, else the course's; and say which.

    Theirs works if it agrees with the course's module on random numbers with the same weights.
    """
    reason = _why_not(theirs)
    if not reason:
        print(said(message("Your own MultiHeadAttention goes in.")))  # noqa: T201 - what the learner has to know
        return theirs
    print(said(message("The course's MultiHeadAttention goes in: {reason}", reason=reason)))  # noqa: T201
    return MultiHeadAttention


def _why_not(theirs: type[nn.Module]) -> Message | None:
    """Return why a learner's module is not used; None if it is."""
    sizes = {"d_in": 6, "d_out": 6, "context_length": 7, "dropout": 0.0, "num_heads": 2}
    x = torch.randn(2, 5, 6, generator=torch.Generator().manual_seed(0))
    try:
        with torch.random.fork_rng(devices=()), torch.no_grad():
            module, ours = theirs(**sizes), MultiHeadAttention(**sizes)
            ours.load_state_dict({name: module.get_parameter(name) for name in ours.state_dict()})
            got, expected = module(x), ours(x)
    except NotImplementedError:
        return message("yours is not in the cell above yet.")
    except Exception as error:  # noqa: BLE001 - whatever a learner's code raises is a reason
        return message("yours raised {error}", error=f"{type(error).__name__}: {error}")
    if not isinstance(got, torch.Tensor) or got.shape != expected.shape:
        return message("yours does not return a tensor (b, T, d_out).")
    if not torch.allclose(got, expected, atol=TOLERANCE):
        return message("yours gives other numbers. Chapter 6's check may tell you why.")
    return None
