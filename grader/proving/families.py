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

from grader.checking.mistakes import known_mistakes
from grader.proving.bank import Answer
from grader.proving.mutation.general import changed, expression, number_of
from grader.proving.mutation.mutants import Operator, Surroundings, mutants_of
from grader.topics import modules

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


def applied(node: object, *names: str) -> tuple[ast.Call, ast.expr] | None:
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
    if found := applied(node, "exp", "softmax"):
        call, of = found
        turned = expression("-{}", of)
        if isinstance(call.func, ast.Attribute) and call.func.value is of:
            yield changed(call, func=changed(call.func, value=turned))
        else:
            yield changed(call, args=[turned, *call.args[1:]])


def _other_base(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if found := applied(node, "exp"):
        yield from (expression(f"{base} ** {{}}", found[1]) for base in OTHER_BASES)


def _other_power(node: object, around: Surroundings) -> Iterator[ast.AST]:
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)):
        return
    number = number_of(node.right)
    if number in (0.5, -0.5) and SIZES.search(ast.unparse(node.left)):
        sign = 1 if number > 0 else -1
        yield from (changed(node, right=ast.Constant(sign * power)) for power in (5, 2, 0.05))


FAMILIES: dict[str, Operator] = {
    "first-left-out": _rounds("1:"),
    "last-left-out": _rounds(":-1"),
    "first-round-only": _rounds(":1"),
    "last-round-only": _rounds("-1:"),
    "exponential-turned": _exponential_turned,
    "rough-e": _other_base,
    "scale-wrong-power": _other_power,
}


def members(answers: Iterable[Answer]) -> Iterator[Answer]:
    """Yield every member of every family that the correct ones of these answers have a place for."""
    answers = tuple(answers)
    operators = families_of(answers)
    for answer in answers:
        if answer.correct:
            yield from mutants(answer, operators)


def families_of(answers: Iterable[Answer]) -> dict[str, Operator]:
    """Return the families that an exercise with these answers may have members of, by their codes.

    Of a topic's families those that it finds fitting for the mistakes that the bank has.
    """
    codes = {code for one in answers for code in one.diagnosis if code in known_mistakes()}
    fitting = FAMILIES
    for topic in modules("families"):
        fitting = fitting | topic.families_for(codes)
    return fitting


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
