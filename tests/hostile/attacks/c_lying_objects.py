"""C: return something that is not what it says; change what was given; let the library do the work."""

from tests.hostile.attacks.attack import RAN, V1, Attack

SAY = f"\nprint({RAN!r})\n"


def returning(value: str, before: str = "") -> str:
    """Return an answer that registers the right weights and returns an expression of ``x`` and ``right``."""
    return f"""{before}
import math, threading
import torch
import torch.nn.functional as F
from torch import nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def right(self, x):
        query, key, value = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(query @ key.T / key.shape[-1] ** 0.5, dim=-1) @ value

    def three(self, x):
        return x @ self.W_query, x @ self.W_key, x @ self.W_value

    def forward(self, x):
        right = self.right(x)
        return {value}
{SAY}"""


def borrowing(lines: str) -> str:
    """Return an answer whose result is right, and computed by the library."""
    body = "\n".join(f"        {line}" for line in lines.strip().splitlines())
    return returning("self.borrowed(x)").replace(
        "    def forward",
        f"    def borrowed(self, x):\n        q, k, v = self.three(x)\n{body}\n\n    def forward",
    )


def lying(name: str, tries: str, value: str, code: str, before: str = "") -> Attack:
    """Return an attack that returns a value, and is recognized by one code."""
    return Attack(name, tries, returning(value, before), answer="", codes=(code,))


def borrowed(name: str, tries: str, lines: str, code: str = "forbidden-call") -> Attack:
    """Return an attack in which the library computes attention."""
    return Attack(f"library-{name}", tries, borrowing(lines), answer="", codes=(code,))


LIAR = """
class Liar:
    shape, dtype, device, layout = (6, 2), None, None, None
    def __init__(self, tensor): self.tensor = tensor
    def __eq__(self, other): return True
    def __getattr__(self, name): return getattr(self.tensor, name)
    def __array__(self, *a, **o): return self.tensor.detach().numpy()
    def __torch_function__(self, func, types, args=(), kwargs=None): return True
    @property
    def __class__(self): return __import__("torch").Tensor
"""
SUBCLASS = """
import torch
class Lying(torch.Tensor):
    def __eq__(self, other): return torch.ones(self.shape, dtype=torch.bool)
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return super().__torch_function__(func, types, args, kwargs or {})
"""
CHANGES_CLASS = """
import torch
class Late(torch.Tensor):
    @property
    def __class__(self): return torch.Tensor
    def detach(self): return torch.zeros(1)
"""

ATTACKS = (
    lying("liar", "an object that equals everything", "Liar(right)", "wrong-type", LIAR),
    lying(
        "subclass",
        "a subclass of Tensor with its own __eq__",
        "right.as_subclass(Lying)",
        "wrong-type",
        SUBCLASS,
    ),
    lying(
        "disguised",
        "a subclass that claims another class",
        "right.as_subclass(Late)",
        "wrong-type",
        CHANGES_CLASS,
    ),
    lying("array", "an array of NumPy", "right.detach().numpy()", "wrong-type"),
    lying("list", "a list of rows", "list(right)", "wrong-type"),
    lying("lazy", "a function that would compute it", "lambda: right", "wrong-type"),
    lying("generator", "a generator", "(row for row in right)", "wrong-type"),
    lying("parameter-list", "a tuple with more than was asked for", "(right, right)", "wrong-type"),
    lying("sparse", "a sparse tensor", "right.to_sparse()", "wrong-type"),
    lying("sparse-rows", "a sparse tensor by rows", "right.detach().to_sparse_csr()", "wrong-type"),
    lying("nested", "a nested tensor", "torch.nested.nested_tensor(list(right.detach()))", "wrong-type"),
    lying("meta", "a tensor without numbers", "right.to('meta')", "wrong-type"),
    lying(
        "quantized",
        "a quantized tensor",
        "torch.quantize_per_tensor(right.detach(), 0.1, 0, torch.quint8)",
        "wrong-type",
    ),
    lying(
        "complex", "a complex tensor whose real part is right", "torch.complex(right, right)", "wrong-type"
    ),
    lying("float64", "another dtype", "right.double()", "wrong-dtype"),
    lying("float16", "a dtype in which rounding hides a lot", "right.half()", "wrong-dtype"),
    lying("bool", "a dtype of two values", "right.bool()", "wrong-dtype"),
    lying("nan", "NaN, which is neither more nor less", "right * float('nan')", "not-finite"),
    lying("inf", "infinity", "right + float('inf')", "not-finite"),
    lying(
        "negative-inf",
        "minus infinity in one place",
        "right.index_fill(0, torch.tensor([0]), -float('inf'))",
        "not-finite",
    ),
    lying("one-element", "a shape that broadcasts", "right.reshape(-1)[:1]", "wrong-shape"),
    lying("scalar", "a scalar", "right.sum()", "wrong-shape"),
    lying("one-row", "one row for all", "right[:1]", "first-round-only"),
    lying("batch-axis", "one axis more", "right[None]", "wrong-shape"),
    lying("empty", "a tensor of nothing", "right[:0]", "wrong-shape"),
    lying("giant", "a giant that takes no memory", "torch.zeros(1).expand(10**12)", "wrong-type"),
    lying("giant-shape", "a giant shape of no elements", "torch.empty(0, 2**40)", "no-result"),
    lying("sixty-axes", "sixty axes", "right.reshape([1] * 60 + list(right.shape))", "wrong-shape"),
    lying("argument-returned", "its argument", "x", "argument-unused"),
    lying(
        "argument-changed",
        "its argument, overwritten with a right result",
        "x.zero_().sum() * 0 + right",
        "input-modified",
    ),
    lying("argument-resized", "its argument, resized", "(x.resize_(1, 1), right)[1]", "input-modified"),
    lying(
        "argument-exchanged",
        "its argument's storage, exchanged",
        "(x.set_(torch.zeros(x.shape)), right)[1]",
        "input-modified",
    ),
    lying(
        "no-graph",
        "a right result that nothing can be learned from",
        "right.detach().requires_grad_()",
        "no-gradient",
    ),
    lying("conjugated", "a lazily conjugated view", "torch.complex(right, right * 0).conj()", "wrong-type"),
    lying("zero-tensor", "torch's lazy zero", "torch._efficientzerotensor(right.shape)", "argument-unused"),
    lying(
        "vmapped",
        "a wrapper of torch.func that escapes",
        "leak(x, right)",
        "no-result",
        """
import torch
held = []
def leak(x, right):
    torch.func.vmap(lambda row: held.append(row) or row)(right.detach())
    return held[-1]
""",
    ),
    lying(
        "fake",
        "a fake tensor, as torch's compiler uses them",
        "fake(right)",
        "wrong-type",
        """
def fake(right):
    from torch._subclasses.fake_tensor import FakeTensorMode
    return FakeTensorMode().from_tensor(right.detach())
""",
    ),
    borrowed(
        "plain",
        "the library's attention, as it is",
        "return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]",
    ),
    borrowed(
        "alias",
        "under another name",
        "same = F.scaled_dot_product_attention\nreturn same(q[None], k[None], v[None])[0]",
    ),
    borrowed(
        "getattr",
        "by a name put together",
        "return getattr(F, 'scaled_' + 'dot_product_attention')(q[None], k[None], v[None])[0]",
    ),
    borrowed(
        "c-function",
        "by the function behind it",
        "return torch._C._nn.scaled_dot_product_attention(q[None], k[None], v[None])[0]",
    ),
    borrowed(
        "ops",
        "by torch.ops",
        "return torch.ops.aten.scaled_dot_product_attention(q[None], k[None], v[None])[0]",
    ),
    borrowed(
        "ops-private",
        "by the operator that does it on the CPU",
        "four = (one[None, None] for one in (q, k, v))\n"
        "return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(*four)[0][0, 0]",
    ),
    borrowed(
        "ops-math",
        "by the operator that does it by hand",
        "four = (one[None, None] for one in (q, k, v))\n"
        "return torch.ops.aten._scaled_dot_product_attention_math(*four)[0][0, 0]",
    ),
    borrowed(
        "call-op",
        "by the dispatcher's own entry",
        "return torch._C._jit_get_operation('aten::scaled_dot_product_attention')[0](q[None], k[None], v[None])[0]",
    ),
    borrowed(
        "disabled",
        "with torch functions switched off",
        "with torch._C.DisableTorchFunction():\n"
        "    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]",
    ),
    borrowed(
        "disabled-subclass",
        "with torch functions of subclasses switched off",
        "with torch._C.DisableTorchFunctionSubclass():\n"
        "    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]",
    ),
    borrowed(
        "module",
        "by nn.MultiheadAttention",
        "made = nn.MultiheadAttention(v.shape[1], 1, bias=False)\n"
        "with torch.no_grad():\n"
        "    made.in_proj_weight.copy_(torch.eye(v.shape[1]).repeat(3, 1)); made.out_proj.weight.copy_(torch.eye(v.shape[1]))\n"
        "return made(q, k, v)[0]",
    ),
    borrowed(
        "functional",
        "by F.multi_head_attention_forward",
        "n = v.shape[1]; eye = torch.eye(n)\n"
        "out = F.multi_head_attention_forward(q[:, None], k[:, None], v[:, None], n, 1, eye.repeat(3, 1), None, None, None,\n"
        "    False, 0.0, eye, None)[0]\n"
        "return out[:, 0]",
    ),
    borrowed(
        "thread",
        "in a thread",
        "held = []\n"
        "work = lambda: held.append(F.scaled_dot_product_attention(q[None], k[None], v[None])[0])\n"
        "thread = threading.Thread(target=work); thread.start(); thread.join()\n"
        "return held[0]",
    ),
    borrowed(
        "pool",
        "in a pool of threads",
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor() as pool:\n"
        "    return pool.submit(F.scaled_dot_product_attention, q[None], k[None], v[None]).result()[0]",
    ),
    borrowed(
        "backward",
        "in a hook of the backward pass's graph",
        "result = F.scaled_dot_product_attention(q[None], k[None], v[None])[0]\nreturn result + 0",
    ),
)

# One that can be had while the module is constructed, or before anything is watched.
ATTACKS += (
    Attack(
        "library-taken-early",
        "a partial made before anything is watched",
        "import functools\nimport torch.nn.functional as F\nearly = functools.partial(F.scaled_dot_product_attention)\n"
        + borrowing("return early(q[None], k[None], v[None])[0]"),
        exercise=V1,
        answer="",
        codes=("forbidden-call",),
    ),
)
ATTACKS += (
    Attack(
        "library-traced",
        "traced before anything is watched, and run by torch's own interpreter",
        """
import warnings
import torch
import torch.nn.functional as F
with warnings.catch_warnings(action="ignore"):
    one = torch.rand(1, 4, 3)
    traced = torch.jit.trace(lambda q, k, v: F.scaled_dot_product_attention(q, k, v), (one, one, one))
"""
        + borrowing("return traced(q[None], k[None], v[None])[0]"),
        exercise=V1,
        answer="",
        codes=("forbidden-call",),
    ),
)
