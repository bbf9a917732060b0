"""Honest work, in all the ways that students write it, gets full marks."""

import pytest

from grader.exercises import CHAPTERS, find_exercise
from grader.sandbox.sandbox import Sandbox
from tests.hostile.attacks.attack import LAST, LIMITS, V1, V2
from tests.hostile.harness import Grading, Notebooks, code_cell, name_of, printed

HEADS = """
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
"""
BODY = """
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v
"""
PLAIN = f"{HEADS}\n    def forward(self, x):{BODY}"

# By what a student does: what is before the answer's class, in its forward, and in a cell at the end.
WAYS = {
    "warnings": (
        "import warnings; warnings.warn('old')",
        "warnings.warn('in forward', DeprecationWarning)",
        "",
    ),
    "prints": ("print('hello')", "print('shape', x.shape)", "print('done')"),
    "progress on stderr": (
        "import sys\nfor i in range(50): print(f'\\r{i}%', end='', file=sys.stderr, flush=True)",
        "sys.stderr.write('\\r  5/10 [=====     ]')",
        "sys.stderr.write('done\\n')",
    ),
    "progress bars": (
        "from tqdm import tqdm",
        "for _ in tqdm(range(3)): pass",
        "for _ in tqdm(range(1000)): pass",
    ),
    "logging": (
        "import logging; logging.basicConfig(level='DEBUG'); log = logging.getLogger('mine')",
        "log.warning('shape %s', x.shape)",
        "log.error('no harm')",
    ),
    "extra random draws": (
        "torch.rand(7); import random; random.seed(1)",
        "torch.rand(3)",
        "torch.manual_seed(3)",
    ),
    "a generator of one's own": ("g = torch.Generator().manual_seed(5)", "torch.rand(2, generator=g)", ""),
    "float64 inside": ("", "x = x.double().float()", "torch.set_default_dtype(torch.float64)"),
    "a copy is changed": ("", "y = x.clone(); y.zero_(); y += 1", ""),
    "timing": ("import time; t = time.perf_counter()", "time.perf_counter()", "%time sum(range(1000))"),
    "magics": ("%matplotlib inline", "", "%timeit -n1 -r1 1 + 1\n%who\n%load_ext autoreload"),
    "a cell that raises": ("", "", "1 / 0"),
    "a scratch cell with an error of syntax": ("", "", "this is not python"),
    "a check of one's own": (
        "import functools, dataclasses, typing, collections, itertools, math",
        "assert x.dim() == 2, 'two axes'",
        "torch.testing.assert_close(torch.ones(2), torch.ones(2))",
    ),
    "compared with the library": (
        "import torch.nn.functional as F",
        "",
        "a = torch.rand(1, 4, 3)\nF.scaled_dot_product_attention(a, a, a)\n"
        "nn.MultiheadAttention(4, 2)(torch.rand(3, 4), torch.rand(3, 4), torch.rand(3, 4))[0]",
    ),
    "a picture": ("import matplotlib.pyplot as plt", "", "plt.plot([1, 2]); plt.show()"),
    "a picture of seaborn": ("import seaborn as sns", "", "sns.heatmap(torch.rand(2, 2).numpy())"),
    "threads": (
        "from concurrent.futures import ThreadPoolExecutor",
        "with ThreadPoolExecutor(2) as pool: list(pool.map(len, [x, x]))",
        "",
    ),
    "files of one's own": (
        "open('notes.txt', 'w').write('mine')",
        "open('notes.txt').read()",
        "import pathlib, tempfile; tempfile.mkdtemp(); torch.save(torch.ones(2), 'm.pt'); torch.load('m.pt')",
    ),
    "signals and handlers": (
        "import atexit, gc, signal; atexit.register(print, 'bye'); gc.collect()",
        "gc.collect()",
        "signal.signal(signal.SIGALRM, signal.SIG_DFL)",
    ),
    "prose in another language": (
        "# Resposta do exercício: 注意力 🎉",
        "'comentário'",
        "print('ação 注意力 🎉')",
    ),
    "no_grad around a trial": ("", "", "with torch.no_grad(): SelfAttention_v1(3, 2)(inputs)"),
    "hooks of the module": (
        "",
        "self.seen = getattr(self, 'seen', 0) + 1",
        "SelfAttention_v1(3, 2).register_forward_hook(lambda *a: None)",
    ),
    "numpy and pandas around": (
        "import numpy as np; np.random.seed(0)",
        "np.asarray(x.detach())",
        "np.seterr(all='ignore')",
    ),
    "reading the tutor's page": (
        "from IPython.display import display, HTML",
        "",
        "display(HTML('<b>notes</b>'))",
    ),
    "a long output": ("", "", "for i in range(3000): print(i)"),
    "input is asked for": ("", "", "input('name? ')"),
    "a shell command": ("", "", "!pip list"),
    "deleted names": ("", "", "del inputs, SelfAttention_v2"),
}


@pytest.mark.parametrize("way", WAYS)
def test_honest_way_gets_full_marks(
    way: str, sandbox: Sandbox, grading: Grading, notebooks: Notebooks
) -> None:
    """Whatever an honest student does around a right answer, it is right."""
    before, inside, later = WAYS[way]
    source = f"{before}\n{HEADS}\n    def forward(self, x):\n        {inside or 'pass'}{BODY}"
    record = grading(
        sandbox,
        "ch04_self_attention",
        notebooks.answered("ch04_self_attention", {V1: source}, (later,)),
        LIMITS,
    )
    assert record.score == record.max_score, {name: one.message for name, one in record.exercises.items()}
    assert record.status == "graded"


FORMS = {
    "functools and a partial": "import functools\nmake = functools.partial(torch.softmax, dim=-1)\n"
    + PLAIN.replace(
        "torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)", "make(q @ k.T / k.shape[-1] ** 0.5)"
    ),
    "a dataclass holds sizes": "from dataclasses import dataclass\n"
    "@dataclass(frozen=True)\nclass Sizes:\n    d_in: int\n    d_out: int\n"
    + PLAIN.replace(
        "        super().__init__()\n",
        "        super().__init__()\n        self.sizes = Sizes(d_in, d_out)\n",
    ),
    "inherits from a class of one's own": PLAIN.replace("SelfAttention_v1(nn.Module)", "Base(nn.Module)")
    + "\n\nclass SelfAttention_v1(Base):\n    pass\n",
    "decorated": "def same(function):\n    return lambda *a, **k: function(*a, **k)\n"
    + PLAIN.replace("    def forward", "    @same\n    def forward"),
    "typed": PLAIN.replace("def forward(self, x)", "def forward(self, x: torch.Tensor) -> torch.Tensor"),
    "in float64 inside": PLAIN.replace("dim=-1) @ v", "dim=-1, dtype=torch.float64) @ v.double()").replace(
        "return torch", "result = torch"
    )
    + "        return result.to(x.dtype)\n",
    "written twice": "class SelfAttention_v1:\n    pass\n" + PLAIN,
    "assigned": PLAIN.replace("class SelfAttention_v1", "class Mine") + "\nSelfAttention_v1 = Mine\n",
    "einsum, in another order": PLAIN.replace(
        "q @ k.T / k.shape[-1] ** 0.5", "torch.einsum('jd,id->ij', k, q * k.shape[1] ** -0.5)"
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_right_answer_in_another_form(
    form: str, sandbox: Sandbox, grading: Grading, notebooks: Notebooks
) -> None:
    """A right answer is right in whatever form it is written."""
    source = f"import torch\nfrom torch import nn\n{FORMS[form]}"
    record = grading(
        sandbox, "ch04_self_attention", notebooks.answered("ch04_self_attention", {V1: source}), LIMITS
    )
    assert record.score == record.max_score, record.exercises[V1].message


@pytest.mark.parametrize("stem", CHAPTERS)
def test_every_correct_variant_gets_full_marks(
    stem: str, sandbox: Sandbox, grading: Grading, notebooks: Notebooks
) -> None:
    """Every correct variant of the answer banks, in notebooks of nothing but answers and checks."""
    exercises = CHAPTERS[stem].exercises
    correct = {one.id: [a for a in notebooks.answers(one.id).values() if a.correct] for one in exercises}
    for number in range(max(map(len, correct.values()))):
        chosen = {name: answers[number % len(answers)] for name, answers in correct.items()}
        notebook = notebooks.answered(stem, {name: answer.program for name, answer in chosen.items()})
        notebook["cells"] = [cell for cell in notebook["cells"] if name_of(cell)]
        record = grading(sandbox, stem, notebook, LIMITS)
        judged = {name: record.exercises[name] for name in chosen}
        failed = {chosen[name].name: one.message for name, one in judged.items() if not one.score}
        assert not failed


def test_helpers_in_other_cells(sandbox: Sandbox, grading: Grading, notebooks: Notebooks) -> None:
    """An answer may be spread over cells, and use what an earlier cell defines."""
    notebook = notebooks.answered("ch04_self_attention", {V1: PLAIN.replace("torch.softmax(", "my_softmax(")})
    position = next(i for i, cell in enumerate(notebook["cells"]) if V1 in name_of(cell))
    source = "def my_softmax(scores, dim):\n    return torch.softmax(scores, dim=dim)"
    helper = code_cell(source, "mine")
    notebook["cells"].insert(position, helper)
    record = grading(sandbox, "ch04_self_attention", notebook, LIMITS)
    assert record.score == record.max_score


def test_helper_renamed_afterwards(sandbox: Sandbox, grading: Grading, notebooks: Notebooks) -> None:
    """An answer is judged with what its names meant when its check was reached."""
    source = "def softmax(scores):\n    return torch.softmax(scores, dim=-1)\n" + PLAIN.replace(
        "torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)", "softmax(q @ k.T / k.shape[-1] ** 0.5)"
    )
    again = "def softmax(scores):\n    return scores * 0"
    record = grading(
        sandbox,
        "ch04_self_attention",
        notebooks.answered("ch04_self_attention", {V1: source}, (again,)),
        LIMITS,
    )
    assert record.score == record.max_score


def test_wrong_neighbors_cost_only_their_own_points(
    sandbox: Sandbox, grading: Grading, notebooks: Notebooks
) -> None:
    """One right answer among wrong ones earns its points."""
    wrong = {name: notebooks.answers(name)["missing-scale"].program for name in (V1, V2)}
    record = grading(sandbox, "ch04_self_attention", notebooks.answered("ch04_self_attention", wrong), LIMITS)
    assert [one.score for one in record.exercises.values()] == [0, 0, 2, 4]
    assert record.exercises[LAST].status == "passed"


def test_stub_says_that_nothing_was_written(sandbox: Sandbox, grading: Grading, notebooks: Notebooks) -> None:
    """The notebook as it was released scores nothing, and says so of each exercise."""
    stem = "ch04_self_attention"
    released = notebooks.paths.student(CHAPTERS[stem]).read_bytes()
    record = grading(sandbox, stem, released, LIMITS)
    assert record.score == 0
    assert {one.status for one in record.exercises.values()} == {"failed"}
    assert {one.diagnosis[0] for one in record.exercises.values()} == {"not-implemented"}
    assert find_exercise(V1).subject in printed(record)


LOGGED = """
softmax_itself = torch.softmax
def logged(*arguments, **options):
    print("softmax is called")
    return softmax_itself(*arguments, **options)
torch.softmax = logged
"""


def test_library_function_wrapped_afterwards(
    sandbox: Sandbox, grading: Grading, notebooks: Notebooks
) -> None:
    """A later cell that wraps a function of torch, to look at it, harms no answer before it."""
    notebook = notebooks.answered("ch04_self_attention", {V1: PLAIN}, (LOGGED,))
    record = grading(sandbox, "ch04_self_attention", notebook, LIMITS)
    assert record.score == record.max_score, {name: one.message for name, one in record.exercises.items()}


def test_builtin_shadowed_afterwards(sandbox: Sandbox, grading: Grading, notebooks: Notebooks) -> None:
    """A later cell that uses a builtin's name for something else harms no answer before it."""
    source = PLAIN.replace("k.shape[-1] ** 0.5", "max(k.shape[-1], 0) ** 0.5")
    notebook = notebooks.answered("ch04_self_attention", {V1: source}, ("max = sum = len = range = 7",))
    record = grading(sandbox, "ch04_self_attention", notebook, LIMITS)
    assert record.score == record.max_score, {name: one.message for name, one in record.exercises.items()}
