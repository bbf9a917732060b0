"""Make mutants of a source text: the same program with one thing changed.

The standard library's ``ast`` does it: operators say what may stand in the place of a node or of a block of
statements, and a mutant is the tree with one such exchange, unparsed. Comments and formatting are not kept,
so neither a mutant nor its before and after depend on how the source is laid out.
"""

import ast
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

# Statements that only tell something: what an answer prints is not judged.
TALKS = {"print", "warnings.warn", "sys.stderr.write", "sys.stdout.write"}


@dataclass(frozen=True)
class Surroundings:
    """What an operator may want to know of the place where a node stands.

    Attributes:
        names: the names that the innermost function binds, in alphabetical order, without ``self``.
        attributes: by owner, such as ``self``, the attributes that the source takes from it.
        parent: the node above.
        function: the innermost function; None outside of all.
    """

    names: tuple[str, ...]
    attributes: dict[str, tuple[str, ...]]
    parent: ast.AST
    function: ast.FunctionDef | None


@dataclass(frozen=True)
class Edit:
    """An exchange in a tree that is not yet made: what stands at ``owner.field`` (``[index]``) instead."""

    operator: str
    owner: ast.AST
    field: str
    index: int | None
    new: ast.AST | list[ast.AST]


@dataclass(frozen=True)
class Mutant:
    """A source text with one thing changed.

    Attributes:
        operator: what changed it.
        before: the lines that were exchanged, as they were, without indentation.
        after: the lines in their place.
        source: the whole text.
    """

    operator: str
    before: str
    after: str
    source: str


# Yields what may stand in the place of a node (or of a list of statements).
Operator = Callable[[object, Surroundings], Iterator[object]]


def _bound_names(function: ast.FunctionDef) -> tuple[str, ...]:
    names = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    names |= {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return tuple(sorted(names - {"self"}))


def _attributes(tree: ast.AST) -> dict[str, tuple[str, ...]]:
    """Return the attributes of each name that some statement stores in or takes from it, but no method's."""
    methods = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    stored = {
        ast.unparse(n)
        for n in ast.walk(tree)
        if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
    }
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node in methods and ast.unparse(node) not in stored:
                continue
            found.setdefault(node.value.id, set()).add(node.attr)
    return {owner: tuple(sorted(names)) for owner, names in found.items()}


def talks(node: ast.AST) -> bool:
    """Return whether a statement only tells something."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in TALKS
    )


def _documents(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_literal(node: ast.AST) -> bool:
    """Whether a node is a number with its sign, which is one literal for the operators."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """Yield the nodes below one, but for annotations and the messages of exceptions, which are not judged."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_comment", "ctx", "msg"):
            continue
        if field == "args" and isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Error"):
            continue
        if isinstance(value, list):
            yield from ((field, index, item) for index, item in enumerate(value) if isinstance(item, ast.AST))
        elif isinstance(value, ast.AST):
            yield field, None, value


def edits(tree: ast.AST, operators: dict[str, Operator]) -> Iterator[Edit]:
    """Yield every exchange that the operators make in a tree, in the order of the source."""
    attributes = _attributes(tree)

    def visit(node: ast.AST, names: tuple[str, ...], function: ast.FunctionDef | None) -> Iterator[Edit]:
        if isinstance(node, ast.FunctionDef):
            names, function = _bound_names(node), node
        around = Surroundings(names, attributes, node, function)

        def offer(field: str, index: int | None, offered: object) -> Iterator[Edit]:
            for name, operator in operators.items():
                yield from (Edit(name, node, field, index, new) for new in operator(offered, around))

        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield from offer(field, None, value)
        for field, index, child in _children(node):
            if not talks(child) and not _documents(child):
                yield from offer(field, index, child)
                if not _is_literal(child):
                    yield from visit(child, names, function)

    return visit(tree, (), None)


def _apply(tree: ast.AST, edit: Edit) -> str:
    """Return the text of the tree with the exchange, and leave the tree as it was."""
    held = getattr(edit.owner, edit.field)
    try:
        if edit.index is None:
            setattr(edit.owner, edit.field, edit.new)
        else:
            setattr(edit.owner, edit.field, [*held[: edit.index], edit.new, *held[edit.index + 1 :]])
        return ast.unparse(tree)
    finally:
        setattr(edit.owner, edit.field, held)


def _exchanged(before: str, after: str) -> tuple[str, str]:
    """Return the lines in which two texts differ, without what they share at the beginning and end."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return tuple("\n".join(line.strip() for line in lines) for lines in (old, new))


def _compiles(source: str) -> bool:
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(source, "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def mutants_of(
    source: str, operators: dict[str, Operator], sample: int | None = None, seed: int = 0
) -> list[Mutant]:
    """Return the mutants of a source text, each program once, none that is the source or does not compile.

    Args:
        source: Python source.
        operators: what may be changed, by name.
        sample: return at most so many, drawn at random.
        seed: draws them.
    """
    tree = ast.parse(source)
    original = ast.unparse(tree)
    candidates = list(edits(tree, operators))
    if sample is not None:
        Random(seed).shuffle(candidates)
    seen, mutants = {original}, []
    for edit in candidates:
        if len(mutants) == sample:
            break
        text = _apply(tree, edit)
        if text not in seen and _compiles(text):
            mutants.append(Mutant(edit.operator, *_exchanged(original, text), text))
        seen.add(text)
    return mutants
