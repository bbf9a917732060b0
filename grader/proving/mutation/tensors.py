"""What may be changed in a program of tensors: this field's mutation operators.

What the general operators do already is not here: another number for an axis, a diagonal or an index,
another name for a query, a call or its argument left out (a transpose, a root, ``contiguous``, dropout).
"""

import ast
import re
from collections.abc import Iterator
from copy import deepcopy

from grader.proving.mutation.general import changed, expression, is_class, neighbors_swapped, number_of
from grader.proving.mutation.mutants import Operator, Surroundings

# Functions and methods that take the same arguments and are taken for each other.
OTHER_FUNCTIONS = {
    "softmax": ("log_softmax", "sigmoid"),
    "triu": ("tril",),
    "tril": ("triu",),
    "zeros": ("ones",),
    "ones": ("zeros",),
    "zeros_like": ("ones_like",),
    "ones_like": ("zeros_like",),
    "rand": ("randn", "zeros", "ones"),
    "randn": ("rand", "zeros"),
    "empty": ("zeros",),
    "eye": ("ones",),
    "sqrt": ("square", "exp", "abs"),
    "rsqrt": ("sqrt",),
    "exp": ("exp2", "abs", "square"),
    "tanh": ("sigmoid", "relu", "sin"),
    "sum": ("mean", "amax"),
    "mean": ("sum",),
    "max": ("min",),
    "amax": ("amin", "sum"),
    "min": ("max",),
    "argmax": ("argmin",),
    "norm": ("sum", "mean"),
    "cat": ("stack",),
    "concat": ("stack",),
    "stack": ("cat",),
    "logical_not": ("logical_or",),
    "logical_and": ("logical_or",),
    "logical_or": ("logical_and",),
    "lt": ("le", "ge"),
    "gt": ("ge", "le"),
    "le": ("lt", "gt"),
    "ge": ("gt", "lt"),
}
# Methods that have a twin that writes into the tensor.
IN_PLACE = {
    *("add", "sub", "mul", "div", "exp", "sqrt", "masked_fill", "tril", "triu", "tanh", "clamp", "pow"),
    *("sigmoid", "neg", "relu"),
}
# Methods whose result looks at the same numbers.
VIEWS = {"view", "reshape", "transpose", "unsqueeze", "squeeze", "permute", "t", "contiguous", "unbind"}
IN_PLACE_OPERATORS = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}
PRODUCTS = {"matmul", "bmm", "mm", "dot", "einsum"}
DRAWS = {"rand", "randn", "Linear", "Dropout", "dropout", "bernoulli", "uniform_", "rand_like"}
MASKED = {"masked_fill", "masked_fill_", "where"}
MINUS_INFINITY = {"-torch.inf", "-math.inf", "float('-inf')", "-float('inf')", "-np.inf", "-inf"}
# What else may be done with a tensor that is assigned or returned: another layout or dtype, other numbers,
# and numbers that are off by so little that only a tolerance could forgive it.
LAYOUTS = ("{}.double()", "{}.mT", "{}.unsqueeze(0)", "{}.squeeze()")
NUMBERS = ("{}.detach()", "-{}", "{} * 1.001", "{}.half().float()")
MORE = ("{}.softmax(dim=-1)", "{}.tril()")
# Makes a tensor that is filled later, whose numbers are nothing yet.
FILLED_LATER = {"zeros", "empty", "new_zeros", "new_empty", "zeros_like", "empty_like"}


def _method(node: object) -> str:
    """Return the name of the method or function that a call calls by an attribute; else an empty string."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def transposes(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A transpose more, of other axes, or a reshape in its place."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield changed(node, left=expression("{}.mT", node.left))
        yield changed(node, right=expression("{}.mT", node.right))
    elif _method(node) in PRODUCTS:
        for i, argument in enumerate(node.args):
            other = expression("{}.mT", argument)
            yield changed(node, args=[*node.args[:i], other, *node.args[i + 1 :]])
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "H", "mH"):
        yield node.value
        yield changed(node, attr="T")  # of a batch it is another transpose
        yield expression("{0}.reshape({1}.shape)", node.value, node)
    elif _method(node) in ("t", "transpose", "swapaxes", "permute"):
        yield expression("{0}.reshape({1}.shape)", node.func.value, node)


def other_functions(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """Another function with the same arguments."""
    for other in OTHER_FUNCTIONS.get(_method(node), ()):
        yield changed(node, func=changed(node.func, attr=other))


def chains(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """Two calls of a chain in the other order, such as a view and a transpose."""
    if _method(node) and _method(node.func.value):
        inner = node.func.value
        first = changed(node, func=changed(node.func, value=inner.func.value))
        yield changed(inner, func=changed(inner.func, value=first))


def _parameter(node: ast.AST, around: Surroundings) -> bool:
    """Return whether a node is a parameter of the function, or looks at the same numbers."""
    while isinstance(node, ast.Attribute | ast.Subscript) or _method(node) in VIEWS:
        node = node.func if isinstance(node, ast.Call) else node.value
    parameters = around.function.args.args if around.function else ()
    return isinstance(node, ast.Name) and node.id in {parameter.arg for parameter in parameters}


def in_place(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """The same, written into an argument."""
    if _method(node) in IN_PLACE and _parameter(node.func.value, around):
        yield changed(node, func=changed(node.func, attr=f"{node.func.attr}_"))
    elif (
        isinstance(node, ast.BinOp) and type(node.op) in IN_PLACE_OPERATORS and _parameter(node.left, around)
    ):
        yield expression(f"{{}}.{IN_PLACE_OPERATORS[type(node.op)]}({{}})", node.left, node.right)


def masks(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A mask of the other polarity, or another number for minus infinity."""
    if _method(node) in MASKED and node.args:
        yield changed(node, args=[expression("~{}.bool()", node.args[0]), *node.args[1:]])
    elif isinstance(node, ast.keyword) and node.arg in ("mask", "attn_mask"):
        yield changed(node, value=expression("~{}.bool()", node.value))
    elif isinstance(node, ast.expr) and ast.unparse(node) in MINUS_INFINITY:
        yield from (expression(text) for text in ("0.0", "-1.0", "-1e9", "-1e4"))


def dropouts(node: object, around: Surroundings) -> Iterator[ast.AST | list[ast.stmt]]:
    """Dropout of another rate, or of another tensor of the same function."""
    if _method(node) in ("Dropout", "dropout") and ast.unparse(node.func).startswith(("nn.", "F.", "torch.")):
        for i, argument in enumerate(node.args):
            for template in ("1 - {}", "{} / 2", "0.5 + 0 * {}"):
                yield changed(
                    node, args=[*node.args[:i], expression(template, argument), *node.args[i + 1 :]]
                )
    if not isinstance(node, list):
        return
    for call in _dropout_calls(node):
        for i, statement in enumerate(node):
            if isinstance(statement, ast.Assign | ast.Return) and statement.value is not None:
                yield _moved(node, i, call)


def _dropout_calls(block: list[ast.stmt]) -> list[str]:
    """Return the functions that a block calls for dropout, as text."""
    calls = (ast.unparse(n.func) for s in block for n in ast.walk(s) if isinstance(n, ast.Call))
    return list(
        dict.fromkeys(call for call in calls if call.endswith(("dropout", "drop")) and "self" in call)
    )


class _Without(ast.NodeTransformer):
    """Takes the calls of one function out: its first argument stands alone."""

    def __init__(self, function: str) -> None:
        self.function = function

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.args[0] if ast.unparse(node.func) == self.function and node.args else node


def _moved(block: list[ast.stmt], index: int, function: str) -> list[ast.stmt]:
    """Return the block with a function called on the value of one statement and nowhere else."""
    moved = [_Without(function).visit(deepcopy(statement)) for statement in block]
    moved[index].value = expression(f"{function}({{}})", moved[index].value)
    return moved


def patterns(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A pattern such as ``id,jd->ij`` with two of its letters exchanged in one of its parts."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and "->" in node.value:
        parts = re.split("(,|->)", node.value)
        for i, part in enumerate(parts):
            for swapped in neighbors_swapped(re.findall(r"\w|\W+", part)):
                yield ast.Constant("".join([*parts[:i], *swapped, *parts[i + 1 :]]))


def _steps_for(target: ast.expr | None, value: ast.expr) -> tuple[str, ...]:
    """Return the steps that may make a difference: one number has no layout, an empty tensor no numbers."""
    if number_of(value) is not None or (is_class(_method(value)) and _method(value) != "Parameter"):
        return ()  # a number, or a module
    if isinstance(target, ast.Subscript):
        return NUMBERS
    return LAYOUTS if _method(value) in FILLED_LATER else LAYOUTS + NUMBERS + MORE


def steps(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """One step more with what is assigned or returned."""
    if not isinstance(node, ast.Assign | ast.Return) or node.value is None:
        return
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if isinstance(node.value, ast.Tuple):
        for i, element in enumerate(node.value.elts):
            for template in _steps_for(target, element):
                elts = [*node.value.elts[:i], expression(template, element), *node.value.elts[i + 1 :]]
                yield changed(node, value=changed(node.value, elts=elts))
        return
    for template in _steps_for(target, node.value):
        yield changed(node, value=expression(template, node.value))


def registrations(node: object, around: Surroundings) -> Iterator[ast.AST]:
    """A buffer as a plain attribute, a parameter that is none or is not trained."""
    if not isinstance(node, ast.expr | ast.stmt):
        return
    if isinstance(node, ast.Expr) and _method(node.value) == "register_buffer" and len(node.value.args) > 1:
        name, value = node.value.args[:2]
        if isinstance(name, ast.Constant):
            owner = ast.unparse(node.value.func.value)
            yield ast.parse(f"{owner}.{name.value} = {ast.unparse(value)}").body[0]
    elif _method(node) == "Parameter" and not node.keywords:
        yield changed(node, keywords=[ast.keyword("requires_grad", ast.Constant(False))])


def seeds(node: object, around: Surroundings) -> Iterator[list[ast.stmt]]:
    """A function that draws numbers and seeds the generator itself."""
    if isinstance(node, list) and isinstance(around.parent, ast.FunctionDef):
        called = {
            name
            for s in node
            for n in ast.walk(s)
            if isinstance(n, ast.Call)
            for name in [ast.unparse(n.func)]
        }
        if any(name.rpartition(".")[2] in DRAWS for name in called):
            yield [*ast.parse("torch.manual_seed(0)").body, *node]


TENSOR: dict[str, Operator] = {
    operator.__name__: operator
    for operator in (
        *(
            transposes,
            other_functions,
            chains,
            in_place,
            masks,
            dropouts,
            patterns,
            steps,
            registrations,
            seeds,
        ),
    )
}
