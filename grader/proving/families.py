"""Families of mistakes: what is the same mistake in every exercise, and is made of each correct variant.

A loop that leaves out its last round is one mistake, wherever a loop is, and so is a mask that is turned
round. So it need not stand in every answer bank: an operator here rewrites every correct variant that has a
place for it, and what comes of it is kept as a fingerprint (``grader/checking/fingerprints.py``). The
operators are those of ``proving/mutation``, and are named by the codes of their mistakes.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from grader.checking.mistakes import explain, known_mistakes
from grader.proving.bank import Answer
from grader.proving.mutation.general import changed, expression, number_of
from grader.proving.mutation.mutants import Operator, Surroundings, mutants_of
from grader.proving.mutation.tensors import MINUS_INFINITY

# What the exponents of a scale are roots of.
SIZES = re.compile(r"shape|size\(|len\(|\bd(_\w+)?\b|dim|width")
# What stands for the number e, and what is taken for it.
OTHER_BASES = ("2.718", "2.7183", "2.71", "2.72", "2.7", "2", "3", "10")


def _rounds(kept: str) -> Operator:
    """Return an operator by which loops and comprehensions have only these of their rounds."""

    def operator(node: object, around: Surroundings) -> Iterator[ast.AST]:
        if isinstance(node, ast.For | ast.comprehension):
            yield changed(node, iter=expression(f"list({{}})[{kept}]", node.iter))

    return operator


def _applied(node: object, *names: str) -> tuple[ast.Call, ast.expr] | None:
    """Return a call of a function or method of one of these names, and what it is applied to."""
    if not isinstance(node, ast.Call):
        return None
    name = ast.unparse(node.func).rpartition(".")[2]
    if name not in names:
        return None
    if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) not in (
        *("torch", "math", "np", "F", "torch.nn.functional", "nn.functional"),
    ):
        return node, node.func.value
    return (node, node.args[0]) if node.args else None


def _exponential_turned(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if found := _applied(node, "exp", "softmax"):
        call, of = found
        turned = expression("-{}", of)
        if isinstance(call.func, ast.Attribute) and call.func.value is of:
            yield changed(call, func=changed(call.func, value=turned))
        else:
            yield changed(call, args=[turned, *call.args[1:]])


def _other_base(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if found := _applied(node, "exp"):
        yield from (expression(f"{base} ** {{}}", found[1]) for base in OTHER_BASES)


def _other_power(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)):
        return
    number = number_of(node.right)
    if number in (0.5, -0.5) and SIZES.search(ast.unparse(node.left)):
        sign = 1 if number > 0 else -1
        yield from (changed(node, right=ast.Constant(sign * power)) for power in (5, 2, 0.05))


def _is_minus_infinity(node: ast.AST) -> bool:
    return isinstance(node, ast.expr) and ast.unparse(node) in MINUS_INFINITY


def _filled(node: object) -> tuple[ast.expr, ast.expr] | None:
    """Return the scores and the condition of a call that puts minus infinity where the condition holds."""
    if not isinstance(node, ast.Call) or not any(_is_minus_infinity(one) for one in node.args):
        return None
    name = ast.unparse(node.func).rpartition(".")[2]
    if name in ("masked_fill", "masked_fill_") and (found := _applied(node, name)):
        return found[1], node.args[-2]
    if name == "where" and len(node.args) == 3 and _is_minus_infinity(node.args[1]):
        return node.args[2], node.args[0]
    return None


def _mask_turned(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if _filled(node):
        hidden = _filled(node)[1]
        yield changed(node, args=[expression("~{}", one) if one is hidden else one for one in node.args])
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("where") and len(node.args) == 3:
        if any(map(_is_minus_infinity, node.args)):
            yield changed(node, args=[node.args[0], node.args[2], node.args[1]])
    elif isinstance(node, ast.keyword) and node.arg == "attn_mask":
        yield changed(node, value=expression("~{}", node.value))
    yield from _triangle(node, 0, turned=True)


def _triangle(node: object, by: int, turned: bool = False) -> Iterator[ast.AST]:
    """Yield a triangle of a matrix with its edge so many places further on, or the rest of the matrix."""
    if not (found := _applied(node, "triu", "tril")) or not isinstance(found[0].func, ast.Attribute):
        return
    call, of = found
    edges = [*(one.value for one in call.keywords), *(one for one in call.args if one is not of)]
    edge, name = number_of(edges[0]) if edges else 0, call.func.attr
    if edge is None:
        return
    if turned:
        name, edge = ("tril", edge - 1) if name == "triu" else ("triu", edge + 1)
    args = [one for one in call.args if one is of] + [ast.Constant(edge + by)]
    yield changed(call, func=changed(call.func, attr=name), args=args, keywords=[])


def _edge_moved(by: int) -> Operator:
    return lambda node, around: _triangle(node, by)


def _nothing_hidden(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if found := _filled(node):
        yield found[0]


def _infinity_multiplied(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if found := _filled(node):
        yield expression("{} + {} * -torch.inf", *found)


def _hidden_by(*numbers: str) -> Operator:
    """Return an operator by which other numbers stand where minus infinity is put."""

    def operator(node: object, around: Surroundings) -> Iterator[ast.AST]:
        if _filled(node):
            for number in map(expression, numbers):
                yield changed(node, args=[number if _is_minus_infinity(one) else one for one in node.args])

    return operator


def _along_another_axis(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if not (found := _applied(node, "softmax")):
        return
    call, of = found
    after = [one for one in call.args if one is not of]
    for axis in (0, 1, 2, -2):
        other = ast.Constant(axis)
        if after:
            yield changed(call, args=[other if one is after[0] else one for one in call.args])
        else:
            yield changed(
                call,
                keywords=[
                    changed(one, value=other) if one.arg in ("dim", "axis") else one for one in call.keywords
                ],
            )


def _no_shares(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if found := _applied(node, "softmax"):
        yield found[1]


def _shares_of_shares(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if found := _applied(node, "softmax"):
        call, of = found
        if isinstance(call.func, ast.Attribute) and call.func.value is of:
            yield changed(call, func=changed(call.func, value=call))
        else:
            yield changed(call, args=[call, *call.args[1:]])


def _scaled(node: object) -> tuple[ast.expr, ast.expr] | None:
    """Return what is divided by the root of a size, or multiplied by its inverse, and the size."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div | ast.Mult):
        return None
    sign = 1 if isinstance(node.op, ast.Div) else -1
    by = node.right
    if isinstance(by, ast.BinOp) and isinstance(by.op, ast.Pow) and number_of(by.right) == sign * 0.5:
        size = by.left
    elif sign > 0 and (found := _applied(by, "sqrt")):
        size = found[1]
    else:
        return None
    return (node.left, size) if SIZES.search(ast.unparse(size)) else None


def _scale_becomes(template: str) -> Operator:
    """Return an operator that writes scores, the first, and the size under the root, in another way."""

    def operator(node: object, around: Surroundings) -> Iterator[ast.AST]:
        if found := _scaled(node):
            yield expression(template, *found)

    return operator


FAMILIES: dict[str, Operator] = {
    "first-left-out": _rounds("1:"),
    "last-left-out": _rounds(":-1"),
    "first-round-only": _rounds(":1"),
    "last-round-only": _rounds("-1:"),
    "exponential-turned": _exponential_turned,
    "rough-e": _other_base,
    "scale-wrong-power": _other_power,
}
# Those of attention: only where a bank has a mistake of the same group of ``checking/mistakes.toml``.
OF_ATTENTION: dict[str, Operator] = {
    "mask-inverted": _mask_turned,
    "mask-hides-diagonal": _edge_moved(-1),
    "mask-looks-ahead": _edge_moved(1),
    "mask-missing": _nothing_hidden,
    "mask-nan": _infinity_multiplied,
    "mask-zero-not-inf": _hidden_by("0.0", "1.0", "1e-9"),
    "mask-plus-infinity": _hidden_by("float('inf')"),
    "softmax-wrong-axis": _along_another_axis,
    "no-softmax": _no_shares,
    "softmax-unexpected": _shares_of_shares,
    "missing-scale": _scale_becomes("{0}"),
    "scale-multiplied": _scale_becomes("{0} * {1}**0.5"),
    "scale-by-dk": _scale_becomes("{0} / {1}"),
}

# What is hidden, or scaled, though nobody asked for it; and sums of the wrong axis, which need no mask.
UNASKED = {"mask-unexpected", "mask-hides-diagonal", "scale-unexpected", "renormalized-wrong-axis"}


def members(answers: Iterable[Answer]) -> Iterator[Answer]:
    """Yield every member of every family that the correct ones of these answers have a place for."""
    answers = tuple(answers)
    operators = families_of(answers)
    for answer in answers:
        if answer.correct:
            yield from mutants(answer, operators)


def families_of(answers: Iterable[Answer]) -> dict[str, Operator]:
    """Return the families that an exercise with these answers may have members of, by their codes.

    What a bank has that nobody asked for, such as a mask where there is none, opens no group.
    """
    codes = {code for one in answers for code in one.diagnosis if code in known_mistakes()}
    groups = {explain(code).group for code in codes - UNASKED}
    own = {code: one for code, one in OF_ATTENTION.items() if explain(code).group in groups}
    if not codes & {"no-softmax", "missing-scale", "mask-missing"}:  # a softmax alone: nothing has weights
        own.pop("no-softmax", None)
    return FAMILIES | own


def mutants(answer: Answer, operators: dict[str, Operator]) -> Iterator[Answer]:
    """Yield an answer with one thing changed, as each operator does it, declared as that alone."""
    for mutant in mutants_of(answer.source, operators):
        yield replace(
            answer,
            name=f"{mutant.operator}: {answer.name}: {mutant.after}",
            diagnosis=(mutant.operator,),
            source=mutant.source,
            remarks=(),
        )
