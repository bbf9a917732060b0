"""Mutants of a source text: what each operator changes, and what is no mutant."""

import ast
from collections.abc import Iterator

import pytest

from grader.proving.mutation.mutants import mutants_of
from grader.proving.mutation.trials import OPERATORS


def normal_form(source: str) -> str:
    """Return the source as mutants are written."""
    return ast.unparse(ast.parse(source))


def mutants(source: str, *operators: str) -> set[str]:
    """Return the mutants that some operators make of a source, as text."""
    return {one.source for one in mutants_of(source, {name: OPERATORS[name] for name in operators})}


@pytest.mark.parametrize(
    ("operator", "source", "some"),
    [
        ("numbers", "y = x.sum(dim=-1)", ["y = x.sum(dim=0)", "y = x.sum(dim=1)", "y = x.sum(dim=-2)"]),
        ("numbers", "y = x.shape[-1]", ["y = x.shape[0]", "y = x.shape[-2]"]),
        ("numbers", "y = x.triu(diagonal=1)", ["y = x.triu(diagonal=0)", "y = x.triu(diagonal=-1)"]),
        ("numbers", "y = x ** 0.5", ["y = x ** 0.25", "y = x ** 1.0", "y = x ** -0.5"]),
        ("numbers", "y = 12", ["y = 11", "y = 13", "y = 0"]),
        ("flags", "y = x.sum(keepdim=True)", ["y = x.sum(keepdim=False)"]),
        ("flags", "y = f(bias=asked)", ["y = f(bias=True)", "y = f(bias=False)"]),
        ("texts", "m.register_buffer('mask', x)", ["m.register_buffer('mask_', x)"]),
        ("arithmetic", "y = a - b", ["y = a + b", "y = b - a", "y = a", "y = b"]),
        ("arithmetic", "y = q @ k", ["y = k @ q", "y = q"]),
        ("arithmetic", "y += b", ["y -= b", "y = b"]),
        ("arithmetic", "y = ~m", ["y = m"]),
        ("conditions", "y = a < b", ["y = a <= b", "y = a > b"]),
        ("conditions", "y = a and b", ["y = a or b", "y = a"]),
        ("conditions", "y = a if c else b", ["y = a", "y = b", "y = b if c else a"]),
        ("conditions", "if c:\n    y = a", ["if not c:\n    y = a", "if True:\n    y = a"]),
        ("names", "def f(q, k):\n    return q", ["def f(q, k):\n    return k"]),
        ("names", "self.a = self.b", ["self.b = self.b", "self.a = self.a"]),
        ("calls", "y = math.sqrt(d)", ["y = d"]),
        ("calls", "y = x.transpose(1, 2)", ["y = x", "y = x.transpose(1)"]),
        ("calls", "y = x.view(2, 3)", ["y = x.view(3, 2)"]),
        ("calls", "y = f(x, dim=1)", ["y = f(x)", "y = f(dim=1)", "y = x"]),
        ("collections", "y = ('a', 'b')", ["y = ('b', 'a')", "y = ('a',)"]),
        ("collections", "q, k = x", ["k, q = x"]),
        ("collections", "y = [a for a in b if c]", ["y = [a for a in b]"]),
        ("slices", "y = m[:T, :T]", ["y = m", "y = m[:, :T]", "y = m[:T, :]", "y = m[:T - 1, :T]"]),
        ("statements", "if c:\n    raise ValueError", ["if c:\n    pass", "pass"]),
        ("statements", "with a:\n    y = x", ["if True:\n    y = x"]),
        ("statements", "def f(a):\n    return 2 * a", ["def f(a):\n    return a", "def f(a):\n    return"]),
        ("statements", "for a in b:\n    c()", ["for a in list(b)[1:]:\n    c()", "for a in b:\n    pass"]),
        ("blocks", "def f(a):\n    a = g(a)\n    b = h(a)", ["def f(a):\n    b = h(a)\n    a = g(a)"]),
        ("definitions", "def f(a, b=1):\n    pass", ["def f(b, a=1):\n    pass", "def f(a, b):\n    pass"]),
        ("definitions", "@g\ndef f():\n    pass", ["def f():\n    pass"]),
        ("errors", "raise ValueError('x')", ["raise TypeError('x')"]),
        ("transposes", "y = q @ k", ["y = q.mT @ k", "y = q @ k.mT"]),
        ("transposes", "y = k.mT", ["y = k", "y = k.T", "y = k.reshape(k.mT.shape)"]),
        ("transposes", "y = k.transpose(1, 2)", ["y = k.reshape(k.transpose(1, 2).shape)"]),
        ("other_functions", "y = torch.triu(x)", ["y = torch.tril(x)"]),
        ("chains", "y = x.view(2, 3).transpose(0, 1)", ["y = x.transpose(0, 1).view(2, 3)"]),
        ("in_place", "def f(x):\n    return x.tril()", ["def f(x):\n    return x.tril_()"]),
        ("in_place", "def f(x):\n    return x / 2", ["def f(x):\n    return x.div_(2)"]),
        ("masks", "y = x.masked_fill(m, v)", ["y = x.masked_fill(~m.bool(), v)"]),
        ("masks", "y = -torch.inf", ["y = 0.0", "y = -1000000000.0"]),
        ("masks", "y = f(x, attn_mask=m)", ["y = f(x, attn_mask=~m.bool())"]),
        ("dropouts", "self.d = nn.Dropout(p)", ["self.d = nn.Dropout(1 - p)", "self.d = nn.Dropout(p / 2)"]),
        (
            "dropouts",
            "def f(w, v):\n    w = self.dropout(w)\n    return w @ v",
            ["def f(w, v):\n    w = w\n    return self.dropout(w @ v)"],
        ),
        ("patterns", "y = torch.einsum('id,jd->ij', q, k)", ["y = torch.einsum('id,jd->ji', q, k)"]),
        ("steps", "y = x", ["y = x.detach()", "y = x.double()", "y = x * 1.001"]),
        ("steps", "def f(x):\n    return (x, x)", ["def f(x):\n    return (x.detach(), x)"]),
        ("registrations", "self.register_buffer('mask', m)", ["self.mask = m"]),
        ("registrations", "y = nn.Parameter(x)", ["y = nn.Parameter(x, requires_grad=False)"]),
        ("seeds", "def f():\n    return rand(2)", ["def f():\n    torch.manual_seed(0)\n    return rand(2)"]),
    ],
)  # fmt: skip
def test_operator_makes(operator: str, source: str, some: list[str]) -> None:
    """An operator makes these mutants among others."""
    assert {normal_form(one) for one in some} <= mutants(source, operator)


@pytest.mark.parametrize(
    ("operator", "source"),
    [
        ("blocks", "def f(x):\n    a = x\n    b = x"),
        ("in_place", "def f(x):\n    y = g(x)\n    return y / 2"),
        ("seeds", "def f(x):\n    return x"),
        ("names", "y = x"),
        ("arithmetic", "y = -1"),
        ("in_place", "def f(x):\n    y /= 2"),
    ],
)
def test_operator_leaves_alone(operator: str, source: str) -> None:
    """What could only give the same function gives no mutant."""
    assert not mutants(source, operator)


def test_every_operator_is_tested() -> None:
    """No operator is without an example above."""
    (made,) = (mark for mark in test_operator_makes.pytestmark if mark.name == "parametrize")
    assert {example[0] for example in made.args[1]} == set(OPERATORS)


def test_mutants_are_unique_and_differ_from_the_source() -> None:
    """What two operators make alike is one mutant, and none is the source in another layout."""
    source = "def f(x):\n    y = (x)\n    return x.sum(dim = -1)  # a comment\n"
    made = [one.source for one in mutants_of(source, OPERATORS)]
    assert len(made) == len(set(made))
    assert normal_form(source) not in made


def test_mutants_compile() -> None:
    """What Python refuses is no mutant."""

    def refused(node: object, around: object) -> Iterator[ast.AST]:
        if isinstance(node, ast.Assign):
            yield from (ast.Continue(), ast.Pass())

    assert [one.source for one in mutants_of("y = x", {"refused": refused})] == ["pass"]


def test_mutants_have_the_lines_that_changed() -> None:
    """Before and after are whole lines, without what is the same around them."""
    (one,) = mutants_of("def f(x):\n    y = x\n    return not y", {"arithmetic": OPERATORS["arithmetic"]})
    assert (one.before, one.after) == ("return not y", "return y")


def test_what_only_tells_something_is_left_alone() -> None:
    """Printing, warning and docstrings are not judged."""
    source = 'def f(x):\n    """Say."""\n    print(x, 1)\n    warnings.warn("x")\n'
    assert not mutants(source, "numbers", "texts", "calls", "blocks")


def test_sample_is_small_and_always_the_same() -> None:
    """A sample holds as many as asked, drawn from its seed."""
    source = "def f(x, y):\n    return x.sum(dim=-1) @ y.mT"
    one, same, other = (mutants_of(source, OPERATORS, 5, seed) for seed in ("a", "a", "b"))
    assert len(one) == len(other) == 5
    assert one == same != other
