"""The catalog: every text that a learner reads of the grader is in it, and can be translated."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from string import Formatter

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.result import Result
from grader.exercises import EXERCISES, Exercise
from grader.messages import Message
from grader.messages.catalog import PACKAGE, TEMPLATE, template, texts_of_code, texts_of_tables
from grader.proving.bank import Answer
from grader.proving.trial import attempt_answer
from grader.references import load_exercise

TEXTS = sorted(
    {
        one
        for _, text in (*texts_of_code(), *texts_of_tables())
        for one in (text if isinstance(text, tuple) else (text,))
    }
)
# Placeholders for what is quoted as it is: the learner's, a library's, or names and numbers of an exercise.
QUOTED = frozenset(
    (
        *("error", "source", "reason", "expected", "got", "name", "names", "registered", "buffers", "calls"),
        *("codes", "call", "kind", "detail", "shape", "own_shape", "case", "part", "exercises", "signature"),
    )
)
PROSE = re.compile(r"[a-z]{2,} [a-z]{2,}")


def placeholders(text: str) -> list[str]:
    """Return the names in braces."""
    return [name for _, name, _, _ in Formatter().parse(text) if name is not None]


def test_template_is_the_catalog_of_the_sources() -> None:
    """After a text has changed, ``make catalog`` writes the template anew."""
    assert TEMPLATE.read_bytes() == template()


@pytest.mark.parametrize("text", TEXTS)
def test_placeholders_have_names(text: str) -> None:
    """A translator sees what stands in a placeholder, and may put it elsewhere; numbers come formatted."""
    for _, name, form, conversion in Formatter().parse(text):
        assert name is None or (name.isidentifier() and not form and not conversion)


def calls_of(path: Path) -> Iterator[ast.Call]:
    """Yield each call in a module that makes a message."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("message", "one_or_many"):
            yield node


MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if any(calls_of(path))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_texts_are_literals_with_all_their_values(path: Path) -> None:
    """A text that is put together is in no catalog; one with a value too few shows a brace, or fails."""
    for call in calls_of(path):
        several = call.func.id == "one_or_many"
        texts = call.args[: 1 + several]
        where = f"{path}:{call.lineno}"
        assert all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in texts), where
        given = {one.arg for one in call.keywords} | ({"count"} if several else set())
        if given and None not in given:
            assert given == {name for one in texts for name in placeholders(one.value)}, where


def values_of(told: object) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of everything that a message, or what holds messages, quotes."""
    if isinstance(told, Message):
        for name, value in told.values.items():
            if isinstance(value, str):
                yield name, value
            else:
                yield from values_of(value)


def messages_of(result: Result) -> Iterator[Message]:
    """Yield all that is told of an answer."""
    for line in result.lines:
        yield line.text
    yield from result.notes
    yield from (case.why for case in result.cases if case.why)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_no_words_are_hidden_in_values(
    exercise: Exercise, answers: Callable[[str], Mapping[str, Answer]]
) -> None:
    """What is told of any answer of a bank is in the catalog, but for what is quoted."""
    reference, device = load_exercise(exercise.chapter, exercise.id), torch.device("cpu")
    for answer in answers(exercise.id).values():
        if not answer.counts_on("cpu"):
            continue
        result = judge(exercise, reference, attempt_answer(exercise, answer, reference.cases, device), "cpu")
        for told in messages_of(result):
            for name, value in values_of(told):
                assert name in QUOTED or not PROSE.search(value), (answer.name, name, value)
