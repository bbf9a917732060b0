"""Families of mistakes in attention: a mask that is turned round, another axis, a missing scale."""

import ast
from collections.abc import Iterator

from grader.checking.mistakes import explain
from grader.proving.families import SIZES, applied
from grader.proving.mutation.general import changed, expression, number_of
from grader.proving.mutation.mutants import Operator, Surroundings
from grader.proving.mutation.tensors import MINUS_INFINITY


def _is_minus_infinity(node: ast.AST) -> bool:
    return isinstance(node, ast.expr) and ast.unparse(node) in MINUS_INFINITY


def _filled(node: object) -> tuple[ast.expr, ast.expr] | None:
    """Return the scores and the condition of a call that puts minus infinity where the condition holds."""
    if not isinstance(node, ast.Call) or not any(_is_minus_infinity(one) for one in node.args):
        return None
    name = ast.unparse(node.func).rpartition(".")[2]
    if name in ("masked_fill", "masked_fill_") and (found := applied(node, name)):
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
    if not (found := applied(node, "triu", "tril")) or not isinstance(found[0].func, ast.Attribute):
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
    if not (found := applied(node, "softmax")):
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
    if found := applied(node, "softmax"):
        yield found[1]


def _shares_of_shares(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if found := applied(node, "softmax"):
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
    elif sign > 0 and (found := applied(by, "sqrt")):
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

# What is hidden, scaled or shared though nobody asked for it; and sums of the wrong axis, which need no mask.
UNASKED = {
    *("mask-unexpected", "mask-hides-diagonal", "scale-unexpected", "softmax-unexpected"),
    "renormalized-wrong-axis",
}


def families_for(codes: set[str]) -> dict[str, Operator]:
    """Return the families that an exercise may have members of whose bank has mistakes of these codes.

    Only those of a group that the bank has a mistake of. What it has that nobody asked for, such as a mask
    where there is none, opens no group.
    """
    groups = {explain(code).group for code in codes - UNASKED}
    own = {code: one for code, one in FAMILIES.items() if explain(code).group in groups}
    if not codes & {"no-softmax", "missing-scale", "mask-missing"}:  # a softmax alone: nothing has weights
        own.pop("no-softmax", None)
    return own
