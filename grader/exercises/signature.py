"""Read the calls that an exercise's signature shows, such as ``Center(width); forward(x): (n,) -> (n,)``."""

import ast
import re
from collections.abc import Mapping

# A parenthesis without others inside.
SHAPE = re.compile(r"\(([^()]*)\)")
CALL = re.compile(r"\b[A-Za-z_]\w*\(")


def calls_shown(signature: str) -> Mapping[str, ast.arguments]:
    """Return the parameters of each call in a signature, by the name that is called, in order.

    A parenthesis behind a space is a shape. What cannot be parameters is passed over.
    """
    shown: dict[str, ast.arguments] = {}
    place = 0
    while found := CALL.search(signature, place):
        place = found.end()
        for end in (at for at in range(found.end(), len(signature)) if signature[at] == ")"):
            try:
                (defined,) = ast.parse(f"def {signature[found.start() : end + 1]}: ...").body
            except SyntaxError:  # the parenthesis of a default, or no parameters
                continue
            shown.setdefault(defined.name, defined.args)
            place = end
            break
    return shown


def shapes_shown(signature: str) -> list[tuple[str, ...]]:
    """Return the names of the axes of each result whose shape a signature shows, in order.

    ``(T, d)`` and ``(T,)`` for ``mix(x): (T, d) -> context (T, d), weights (T,)``.
    """
    _, arrow, results = signature.rpartition("->")
    return _shapes(results) if arrow else []


def shapes_given(signature: str) -> list[tuple[str, ...]]:
    """Return the same of the arguments, ``(T, d)`` for ``mix(x): (T, d) -> context (T, d)``."""
    before, _, _ = signature.rpartition("->")
    _, colon, arguments = before.rpartition("):")
    return _shapes(arguments) if colon else []


def _shapes(text: str) -> list[tuple[str, ...]]:
    found = SHAPE.findall(text)
    return [tuple(axis.strip() for axis in one.split(",") if axis.strip()) for one in found]


def as_text(parameters: ast.arguments) -> str:
    """Return parameters with their defaults, without annotations."""
    plain = ast.parse(f"def f({ast.unparse(parameters)}): ...").body[0].args
    for one in (*_all(plain), plain.vararg, plain.kwarg):
        if one is not None:
            one.annotation = None
    return ast.unparse(plain)


def names_of(parameters: ast.arguments) -> list[str]:
    """Return the names of parameters, in order."""
    return [one.arg for one in _all(parameters)]


def names_needed(parameters: ast.arguments) -> list[str]:
    """Return the names of parameters that have no default."""
    positional = [*parameters.posonlyargs, *parameters.args]
    needed = positional[: len(positional) - len(parameters.defaults)]
    needed += [
        one for one, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True) if not default
    ]
    return [one.arg for one in needed]


def without_first(parameters: ast.arguments) -> ast.arguments:
    """Return a method's parameters without ``self``."""
    copy = ast.parse(f"def f({ast.unparse(parameters)}): ...").body[0].args
    (copy.posonlyargs or copy.args)[:1] = []
    return copy


def _all(parameters: ast.arguments) -> list[ast.arg]:
    return [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]
