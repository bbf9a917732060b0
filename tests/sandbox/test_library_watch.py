"""However a learner reaches what the library would do in their place, it is seen; elsewhere it is allowed."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.checking.judge import judge
from grader.checking.result import Result
from grader.exercises import EXERCISES, Exercise, find_exercise
from grader.files import MIB
from grader.proving.bank import Answer
from grader.references import load_exercise
from grader.sandbox.job import Cell, Job
from grader.sandbox.launch import needs_common
from grader.sandbox.library_watch import PARTS, WATCHED, watched_operators
from grader.sandbox.sandbox import Sandbox
from tests.sandbox.conftest import LIMITS, printed

# Some of what is imported takes its time.
PATIENT = replace(LIMITS, cell_seconds=60.0, total_seconds=300.0, memory=2048 * MIB)

HELPERS = """
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

def without_functions(call):
    with torch._C.DisableTorchFunction():
        return call()

def without_gradients(call):
    with torch.inference_mode():
        return call()

def in_thread(call):
    found = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    thread.join()
    return found[0]

def in_pool(call):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result()

def after_many(call):
    for _ in range(1001):
        torch.ones(1).softmax(0)
    return in_thread(call)

def of_their_own(x):
    library = torch.library.Library("aten", "IMPL")
    library.impl("_softmax", lambda x, *_: (x - x.amax(-1, keepdim=True)).exp(), "CPU", allow_override=True)
    return torch.softmax(x.detach(), -1)

def scripted(body):
    return torch.jit.CompilationUnit(body).f
"""
ATTENTION = {
    "function": "F.scaled_dot_product_attention(q, k, v)",
    "alias": "torch._C._nn.scaled_dot_product_attention(q, k, v)",
    "operator": "torch.ops.aten.scaled_dot_product_attention(q, k, v)",
    "getattr": "getattr(F, 'scaled_dot' + '_product_attention')(q, k, v)",
    "mode": "without_functions(lambda: F.scaled_dot_product_attention(q, k, v))",
    "thread": "in_thread(lambda: F.scaled_dot_product_attention(q, k, v))",
    "thread and operator": "in_thread(lambda: torch.ops.aten.scaled_dot_product_attention.default(q, k, v))",
    "math": "in_thread(lambda: torch.ops.aten._scaled_dot_product_attention_math(q, k, v)[0])",
    "batched": "in_thread(lambda: torch.vmap(F.scaled_dot_product_attention)(q[None], k[None], v[None])[0])",
    "after many calls": "after_many(lambda: F.scaled_dot_product_attention(q, k, v))",
    "kernel": "in_thread(lambda: torch.ops.aten._scaled_dot_product_flash_attention_for_cpu("
    "q[None], k[None], v[None])[0][0])",
    "script": "scripted('def f(q):\\n    return torch.ops.aten.scaled_dot_product_attention(q, q, q)\\n')("
    "q[None])[0]",
    "reference": "importlib.import_module('torch._decomp.decompositions')"
    ".scaled_dot_product_flash_attention_for_cpu(q[None], k[None], v[None])[0][0]",
    "pattern": "importlib.import_module('torch._inductor.fx_passes.fuse_attention')"
    "._sfdp_pattern_1(q, k, v, q.shape[-1] ** 0.5)",
    "quantizable": "importlib.import_module('torch.ao.nn.quantizable').MultiheadAttention(q.shape[-1], 1)"
    "(q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1))[0].transpose(0, 1)",
    "kernel by its name": "torch.library.get_kernel("
    "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default, 'CPU').call_boxed("
    "torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), q[None], k[None], v[None])[0][0]",
    "onnx": "importlib.import_module('torch.onnx.ops').attention(q[None], k[None], v[None])[0][0]",
    "flexible": "(lambda: importlib.import_module('torch.nn.attention.flex_attention')"
    ".flex_attention(q.detach()[None], k.detach()[None], v.detach()[None])[0])()",
}
SOFTMAX = {
    "function": "torch.softmax(x, -1)",
    "module": "nn.Softmax(-1)(x)",
    "thread": "in_thread(lambda: torch.softmax(x, -1))",
    "pool": "in_pool(lambda: x.softmax(-1))",
    "mode": "without_functions(lambda: torch.softmax(x, -1))",
    "mode, no gradients": "without_functions(lambda: without_gradients(lambda: x.softmax(-1)))",
    "script": "scripted('def f(x):\\n    return torch.softmax(x, -1)\\n')(x)",
    "operator": "in_thread(lambda: torch.ops.aten._softmax(x, -1, False))",
    "written out": "in_thread(lambda: torch.softmax(x.detach(), -1, out=torch.empty_like(x)))",
    "logarithm": "in_thread(lambda: torch.log_softmax(x, -1).exp())",
    "sparse": "in_thread(lambda: torch.sparse.softmax(x.to_sparse(), -1).to_dense())",
    "reference": "in_thread(lambda: importlib.import_module('torch._refs').softmax(x, -1))",
    "vmap": "in_thread(lambda: torch.vmap(lambda row: row.softmax(-1))(x.view(-1, x.shape[-1])).view_as(x))",
    "transform": "importlib.import_module('torch.distributions.transforms').SoftmaxTransform()(x)",
    "sent on": "torch.ops.aten._softmax.default.redispatch("
    "torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), x.detach(), -1, False)",
    "sent on by its handle": "torch.ops.aten._softmax.default._handle.redispatch_boxed("
    "torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), x.detach(), -1, False)",
    "sent to a key": "in_thread(lambda: torch.ops.aten._softmax.default._op_dk("
    "torch._C.DispatchKey.CPU, x.detach(), -1, False))",
    "kernel by its name": "torch.library.get_kernel('aten::_softmax', 'CPU').call_boxed("
    "torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), x.detach(), -1, False)",
    "own kernel": "of_their_own(x)",
    "attention": "in_pool(lambda: F.scaled_dot_product_attention(torch.ones(1, 1, 1), x[..., None], x))",
}
WEIGHTS = "[W_xh.T.contiguous(), W_hh.T.contiguous()], False, 1, 0.0, False, False, False"
RECURRENCE = {
    "function": f"torch.rnn_tanh(inputs[:, None], h, {WEIGHTS})[0][-1, 0]",
    "thread": f"in_thread(lambda: torch.rnn_tanh(inputs[:, None], h, {WEIGHTS})[0][-1, 0])",
    "mode": f"without_functions(lambda: torch.rnn_tanh(inputs[:, None], h, {WEIGHTS})[0][-1, 0])",
    "cell": "in_thread(lambda: torch.rnn_tanh_cell(inputs[:1], h[0], W_xh.T, W_hh.T))[0]",
}
OF_ARRAYS = {
    "SciPy": "importlib.import_module('scipy.special').softmax(x, axis=axis)",
    "PyTorch in a thread": "in_thread(lambda: torch.softmax(torch.from_numpy(np.array(x)), axis).numpy())",
}
V1 = """
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))

    def forward(self, x):
        q, k, v = ((x @ one).unsqueeze(0) for one in (self.W_query, self.W_key, self.W_value))
        return ({call}).squeeze(0)
"""
ANSWERS = {
    "ch04-self-attention-v1": (V1, ATTENTION),
    "ch02-softmax-stable": ("def softmax_stable(x):\n    return {call}\n", SOFTMAX),
    "ch01-encode": (
        "def encode(W_xh, W_hh, inputs):\n    h = torch.zeros(1, 1, W_hh.shape[0])\n    return {call}\n",
        RECURRENCE,
    ),
    "ch08-softmax": ("def softmax(x, axis=-1):\n    return {call}\n", OF_ARRAYS),
    "ch05-apply-dropout": (
        "def apply_dropout(weights, keep, p):\n    return in_thread(lambda: {call})\n",
        {"thread": "F.dropout(weights, p)", "operator": "torch.native_dropout(weights, p, True)[0]"},
    ),
}


@pytest.fixture
def checked(sandbox: Sandbox) -> Callable[..., Result]:
    """Return a function that has cells run, then an exercise checked, and returns the verdict."""

    def of(exercise_id: str, *sources: str) -> Result:
        exercise = find_exercise(exercise_id)
        reference = load_exercise(exercise.chapter, exercise.id)
        cells = (*map(Cell, sources), Cell("", exercise_id))
        run = sandbox.run(Job(cells, {exercise_id: reference.cases}, PATIENT))
        return judge(exercise, reference, run.attempts[exercise_id], "cpu")

    return of


@pytest.mark.parametrize(
    ("exercise_id", "call"),
    [(exercise_id, call) for exercise_id, (_, calls) in ANSWERS.items() for call in calls.values()],
    ids=[f"{exercise_id} {name}" for exercise_id, (_, calls) in ANSWERS.items() for name in calls],
)
def test_library_is_seen(checked: Callable[..., Result], exercise_id: str, call: str) -> None:
    """However it is reached inside the subject, it is not the learner's own."""
    answer, _ = ANSWERS[exercise_id]
    result = checked(exercise_id, f"import importlib\n{HELPERS}{answer.format(call=call)}")
    # Some ways raise, or fall short, on the way; what they called is seen all the same.
    assert "forbidden-call" in result.diagnosis, result.message


COMPARED = """
import torch
from torch.nn import functional as F
torch.manual_seed(1)
x = torch.randn(2, 3, 5, 4, requires_grad=True)
net = torch.nn.RNN(4, 3)
results = [torch.softmax(x, -1), F.scaled_dot_product_attention(x, x, x, is_causal=True), net(x[0])[0]]
results += [torch.nn.MultiheadAttention(4, 2, batch_first=True)(x[0], x[0], x[0])[0]]
for one in results:
    gradient, = torch.autograd.grad(one.square().sum(), x)
    for tensor in (one.detach(), gradient):
        print(tensor.numpy().tobytes().hex())
"""


def test_what_is_watched_computes_what_it_did(
    run_cells: Callable, capsys: pytest.CaptureFixture[str]
) -> None:
    """Results and gradients are those of the library, to the last bit."""
    (run,) = run_cells(COMPARED)
    exec(COMPARED, {})
    assert printed(run) == capsys.readouterr().out


def test_library_elsewhere_is_allowed(
    checked: Callable[..., Result], answers: Callable[[str], dict[str, Answer]]
) -> None:
    """Comparing with the library in a cell of one's own costs nothing."""
    compare = (
        "import torch\nx = torch.ones(1, 2, 4)\ntorch.nn.functional.scaled_dot_product_attention(x, x, x)"
    )
    name = "ch04-self-attention-v1"
    assert checked(name, answers(name)["textbook"].program, compare).status == "passed"


def test_nothing_leads_around_the_watch(run_cells: Callable) -> None:
    """A function that is watched does not hand out the one beneath it."""
    code = "import torch, grader.sandbox\nfrom torch.nn import functional as F\n"
    code += "print(hasattr(F.multi_head_attention_forward, '__wrapped__'))"
    (seen,) = run_cells(code)
    assert printed(seen) == "False\n"


def test_what_is_right_in_chapter_9_is_not_there(run_cells: Callable) -> None:
    """What the grader compares specimens with is no answer that can be imported."""
    code = "import sys; from grader.exercises import EXERCISES\n"
    code += "found = [one.specimen for one in EXERCISES.values() if one.specimen]\n"
    code += "names = vars(sys.modules[found[0].bug.__module__])\n"
    code += "print([one for one in names if one.startswith(('_right', '_shares', '_causal', '_rows'))])\n"
    code += "print({one.right for one in found})"
    (seen,) = run_cells(code)
    assert printed(seen) == "[]\n{None}\n"


def packets(*, common: bool) -> set[str]:
    """Return the names of watched operators, without namespace and overload."""
    return {re.split("::|[.]", name)[1] for name in watched_operators(common=common)}


@pytest.mark.parametrize(
    "name", ["my_rnn", "LSTM_x", "gru", "_sdp_", "sdpa_flash", "sfdp_3", "SoftMax", "no_dropout"]
)
def test_no_module_is_passed_over_that_has_what_is_watched(name: str) -> None:
    """What lets a whole module go unread lets nothing go that the pattern finds."""
    assert WATCHED.search(name)
    assert any(part in name.lower() for part in PARTS)


def test_common_operators_and_the_others_are_all_that_is_watched() -> None:
    """Each is watched once, and what only attention calls from the beginning."""
    common, others = (set(watched_operators(common=which)) for which in (True, False))
    assert common.isdisjoint(others)
    assert {"_softmax", "native_dropout", "log_softmax"} <= packets(common=True)
    assert {"_safe_softmax", "scaled_dot_product_attention", "lstm"} <= packets(common=False)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_who_forbids_what_is_common_has_it_watched(exercise: Exercise) -> None:
    """A job asks for the watch on common operators wherever one of its exercises forbids one of them."""
    forbidden = {name for name in packets(common=True) for part in exercise.watched if part in name}
    assert needs_common(exercise.watched) or not forbidden
