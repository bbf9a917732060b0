"""What may be changed in any program: the general mutation operators.

An operator is a generator ``(node, around)`` that yields what may stand in the node's place; it is offered
every expression, every statement and, as a list, every block of statements.
"""

import ast
import re
from collections.abc import Iterator
from copy import copy
from itertools import pairwise

from grader.proving.mutation.mutants import Operator, Surroundings, talks

OTHER_OPERATORS = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Lt: (ast.LtE, ast.GtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt, ast.GtE),
    ast.Gt: (ast.GtE, ast.LtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt, ast.LtE),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
# Small integers stand for axes, positions, diagonals and offsets: each is exchanged for all of them.
AXES = (-2, -1, 0, 1, 2)
# Functions for which the order of their arguments is nothing.
SYMMETRIC = {"dot", "vdot", "transpose", "swapaxes", "swapdims"}
OTHER_ERRORS = {"ValueError": "TypeError", "TypeError": "ValueError", "AssertionError": "ValueError"}


def expression(template: str, *nodes: ast.AST) -> ast.expr:
    """Return the expression of a template whose ``{}`` are filled with nodes."""
    return ast.parse(template.format(*(f"({ast.unparse(node)})" for node in nodes)), mode="eval").body


def changed(node: ast.AST, **fields: object) -> ast.AST:
    """Return a copy of a node with other fields."""
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def without(items: list, index: int) -> list:
    """Return a list without one of its items."""
    return [*items[:index], *items[index + 1 :]]


def neighbors_swapped(items: list) -> Iterator[list]:
    """Yield the list with each two neighbors exchanged."""
    for i in range(len(items) - 1):
        yield [*items[:i], items[i + 1], items[i], *items[i + 2 :]]


def is_class(name: str) -> bool:
    """Return whether a name is written as a class is, such as ``Linear``; ``W_query`` is not."""
    return re.match("[A-Z][a-zA-Z]", name) is not None


def number_of(node: object) -> int | float | None:
    """Return the number that a literal stands for, with its sign; None for anything else."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    constant = node.operand if negative else node
    if not isinstance(constant, ast.Constant) or type(constant.value) not in (int, float):
        return None
    return -constant.value if negative else constant.value


def numbers(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """Another number."""
    number = number_of(node)
    if number is None:
        return
    others = (number - 1, number + 1, 0, -number)
    if isinstance(number, float):
        others = (0.0, 1.0, -number, 2 * number, number / 2)
    elif number in AXES:
        others = AXES
    yield from (expression(repr(other)) for other in dict.fromkeys(others) if other != number)


def flags(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A flag the other way round, or fixed."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    if isinstance(node, ast.keyword) and isinstance(node.value, ast.Name | ast.Attribute):
        yield changed(node, value=ast.Constant(True))
        yield changed(node, value=ast.Constant(False))


def texts(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """Another text."""
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and not isinstance(around.parent, ast.JoinedStr)
    ):
        yield ast.Constant(f"{node.value}_")


def arithmetic(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """Another operator, exchanged operands, or one operand alone."""
    if isinstance(node, ast.BinOp):
        for other in OTHER_OPERATORS.get(type(node.op), ()):
            yield changed(node, op=other())
        if not isinstance(node.op, ast.Add | ast.Mult) or isinstance(node.left, ast.Tuple | ast.List):
            yield changed(node, left=node.right, right=node.left)
        yield from (node.left, node.right)
    elif isinstance(node, ast.AugAssign):
        for other in OTHER_OPERATORS.get(type(node.op), ()):
            yield changed(node, op=other())
        yield ast.Assign([node.target], node.value, lineno=0)
    elif isinstance(node, ast.UnaryOp) and number_of(node) is None:
        yield node.operand


def conditions(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """Another comparison, a condition the other way round, or one branch alone."""
    if isinstance(node, ast.Compare):
        for i, one in enumerate(node.ops):
            for other in OTHER_OPERATORS.get(type(one), ()):
                yield changed(node, ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])
    elif isinstance(node, ast.BoolOp):
        yield changed(node, op=OTHER_OPERATORS[type(node.op)][0]())
        yield from node.values
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse, changed(node, body=node.orelse, orelse=node.body))
    elif isinstance(node, ast.If | ast.While):
        yield changed(node, test=expression("not {}", node.test))
        yield changed(node, test=ast.Constant(True))
        yield changed(node, test=ast.Constant(False))


def names(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """Another of the function's names, or another attribute of the same owner."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in around.names:
        yield from (ast.Name(other, ast.Load()) for other in around.names if other != node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        others = around.attributes.get(node.value.id, ())
        yield from (
            changed(node, attr=other) for other in others if node.attr in others and other != node.attr
        )


def calls(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A call without one of its arguments, with two exchanged, or its receiver or an argument alone."""
    if not isinstance(node, ast.Call) or isinstance(around.parent, ast.Raise):
        return
    for i in range(len(node.args)):
        yield changed(node, args=without(node.args, i))
    for i in range(len(node.keywords)):
        yield changed(node, keywords=without(node.keywords, i))
    if ast.unparse(node.func).rpartition(".")[2] not in SYMMETRIC:
        yield from (changed(node, args=swapped) for swapped in neighbors_swapped(node.args))
    for one, other in pairwise(range(len(node.keywords))):
        pair = node.keywords[one], node.keywords[other]
        swapped = [changed(pair[0], value=pair[1].value), changed(pair[1], value=pair[0].value)]
        yield changed(node, keywords=[*node.keywords[:one], *swapped, *node.keywords[other + 1 :]])
    if isinstance(node.func, ast.Attribute):
        yield node.func.value
    yield from (argument for argument in node.args if not isinstance(argument, ast.Starred))


def collections(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A tuple, list or dictionary with two neighbors exchanged or without one of its elements."""
    if isinstance(node, ast.Tuple | ast.List):
        yield from (changed(node, elts=swapped) for swapped in neighbors_swapped(node.elts))
        if isinstance(node.ctx, ast.Load):
            yield from (changed(node, elts=without(node.elts, i)) for i in range(len(node.elts)))
            yield from node.elts
    elif isinstance(node, ast.Dict):
        yield from (changed(node, values=swapped) for swapped in neighbors_swapped(node.values))
    elif isinstance(node, ast.comprehension):
        yield changed(node, iter=expression("list({})[1:]", node.iter))
        yield from (changed(node, ifs=without(node.ifs, i)) for i in range(len(node.ifs)))


def slices(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A subscript without one or all of its parts, or a slice with an open or another end."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
        if isinstance(node.slice, ast.Tuple):
            elements = node.slice.elts
            for i, element in enumerate(elements):
                if not (
                    isinstance(element, ast.Slice) and element.lower is element.upper is element.step is None
                ):
                    parts = [*elements[:i], ast.Slice(), *elements[i + 1 :]]
                    yield changed(node, slice=changed(node.slice, elts=parts))
    elif isinstance(node, ast.Slice):
        for field in ("lower", "upper", "step"):
            if (bound := getattr(node, field)) is not None:
                yield changed(node, **{field: None})
                yield changed(node, **{field: expression("{} - 1", bound)})


def statements(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A statement left out, or what it does done otherwise."""
    if not isinstance(node, ast.stmt) or isinstance(
        node, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
    ):
        return
    yield ast.Pass()
    if isinstance(node, ast.With):
        yield ast.If(ast.Constant(True), node.body, [])
    elif isinstance(node, ast.Return) and node.value is not None:
        for name in around.names:
            yield changed(node, value=ast.Name(name, ast.Load()))
        yield changed(node, value=None)
    elif isinstance(node, ast.For):
        yield changed(node, iter=expression("list({})[1:]", node.iter))
        yield changed(node, iter=expression("list({})[:-1]", node.iter))
        yield changed(node, iter=expression("list({})[::-1]", node.iter))
    elif isinstance(node, ast.Break | ast.Continue):
        yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()


def _touched(statement: ast.stmt, context: type[ast.expr_context]) -> set[str]:
    """Return the names and attributes that a statement takes or stores, as text."""
    places = (node for node in ast.walk(statement) if isinstance(node, ast.Name | ast.Attribute))
    return {ast.unparse(node) for node in places if isinstance(node.ctx, context)}


def _independent(one: ast.stmt, other: ast.stmt) -> bool:
    """Return whether two assignments (of a buffer, too) plainly do not see each other."""
    if not all(
        isinstance(each, ast.Assign) or "register_buffer" in ast.unparse(each) for each in (one, other)
    ):
        return False
    stored, also = _touched(one, ast.Store), _touched(other, ast.Store)
    return not (stored & (also | _touched(other, ast.Load)) or also & _touched(one, ast.Load))


def _draws(statement: ast.stmt) -> bool:
    """Return whether a statement may draw random numbers: it makes a module, a parameter, random numbers."""
    functions = (ast.unparse(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call))
    names = {function.rpartition(".")[2] for function in functions}
    return any(is_class(name) or "rand" in name for name in names - {"Dropout"})


def blocks(node: object, around: Surroundings) -> Iterator[list[ast.stmt]]:
    """A block with two neighboring statements exchanged, where their order may matter."""
    if not isinstance(node, list) or isinstance(around.parent, ast.ClassDef | ast.Module):
        return
    for pair, swapped in zip(pairwise(node), neighbors_swapped(node), strict=True):
        both_draw = all(map(_draws, pair))
        if not talks(pair[0]) and not talks(pair[1]) and (both_draw or not _independent(*pair)):
            yield swapped


def definitions(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A function with two parameters exchanged, without a default, or without its decorators."""
    if isinstance(node, ast.arguments):
        own = 1 if node.args and node.args[0].arg == "self" else 0
        for swapped in neighbors_swapped(node.args[own:]):
            yield changed(node, args=[*node.args[:own], *swapped])
        if node.defaults:
            yield changed(node, defaults=node.defaults[1:])
    elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
        yield changed(node, decorator_list=[])


def errors(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """Another kind of exception."""
    if isinstance(node, ast.Name) and node.id in OTHER_ERRORS:
        yield changed(node, id=OTHER_ERRORS[node.id])


GENERAL: dict[str, Operator] = {
    operator.__name__: operator
    for operator in (
        *(numbers, flags, texts, arithmetic, conditions, names, calls, collections, slices),
        *(statements, blocks, definitions, errors),
    )
}
