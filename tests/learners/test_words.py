"""What a learner is told uses only words that the chapters have explained up to there."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from grader.checking.mistakes import error_questions, explain, known_mistakes
from grader.checking.steps.telling import AT_THE_END, AT_THE_STEP, INSTEAD
from grader.exercises import CHAPTERS, EXERCISES, Exercise
from grader.references import load_exercise

ROOT = Path(__file__).resolve().parents[2]
# Words of every day that the glossary gives a meaning of their own, too.
EVERYDAY = frozenset(
    (
        *(
            "value",
            "values",
            "weighted",
            "example",
            "hidden",
            "visible",
            "global",
            "label",
            "path",
            "position",
        ),
        *("positions", "pair", "pairs", "center", "length", "share", "target", "window", "block", "crop"),
        *("state", "case", "code", "kernel", "reference", "merge", "tie", "negative", "symbol", "gate"),
    )
)
# Words that a text uses before it explains them, with the chapter that does.
EXPLAINED_IN = {
    "weights": "ch01",
    "self.": "ch04",
    "module": "ch04",
    "constructor": "ch04",
    "parameter": "ch04",
    "layer": "ch04",
    "bias": "ch04",
    "detach": "ch04",
    "no_grad": "ch04",
    "head": "ch06",
    "heads": "ch06",
    "mask": "ch05",
    "projection": "ch03",
    "projections": "ch03",
    "diagonal": "ch02",
}


def words_of(text: str) -> set[str]:
    """Return the words of a text in small letters; names of Python are one word."""
    return set(re.findall(r"self\.|[a-z_][a-z_0-9]*", text.lower()))


@cache
def glossary() -> frozenset[str]:
    """Return every word of the glossary's terms of the chapters."""
    chapters, _, _ = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition("## The grader's")
    rows = (
        line.split("|")[1] for line in chapters.splitlines() if line.startswith("| ") and "| term" not in line
    )
    return frozenset(chain.from_iterable(map(words_of, rows))) - EVERYDAY


@cache
def explained(stem: str) -> frozenset[str]:
    """Return the words of all chapters up to one, with their plurals and other endings."""
    texts = []
    for name, chapter in CHAPTERS.items():
        texts.append((ROOT / "solutions" / name / f"{name}.md").read_text(encoding="utf-8"))
        texts += [hint for exercise in chapter.exercises for hint in exercise.hints]
        if name == stem:
            break
    words = words_of(" ".join(texts))
    endings = {word + ending for word in words for ending in ("s", "es", "d", "ed", "ing")}
    stems = {word.removesuffix(ending) for word in words for ending in ("s", "es", "d", "ed")}
    return frozenset(words | endings | stems)


def texts_for(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """Yield what the grader may tell of a wrong answer to an exercise, with where it is from."""
    reference = load_exercise(exercise.chapter, exercise.id)
    always = (code for code, one in known_mistakes().items() if one.group == "contract" and code in COMMON)
    for code in dict.fromkeys((*reference.codes, *always)):
        mistake = explain(code)
        for part in (mistake.title, mistake.seen, mistake.look):
            yield code, str(part)
    for pattern, _, look in error_questions(exercise.works_on, exercise.chapter):
        yield pattern.pattern, str(look)
    for case in reference.visible:
        yield case.name, case.shows
    for step in chain.from_iterable(reference.steps.values()):
        yield "a step", step.name
    if reference.steps:
        yield from (("steps", text.text) for text in (*INSTEAD.values(), AT_THE_STEP, AT_THE_END))


# Codes that any answer may get.
COMMON = (
    *("raises", "not-defined", "syntax-error", "not-implemented", "wrong-type", "wrong-shape", "wrong-dtype"),
    *("not-finite", "input-modified", "setting-left", "state-kept", "result-shared", "layout-dependent"),
    *("too-slow", "hard-coded", "example-only", "fitted-to-cases", "argument-unused"),
)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda one: one.id)
def test_messages_use_words_that_are_explained(exercise: Exercise) -> None:
    """No word of the glossary, and no name of code, comes before the chapter that explains it."""
    known = explained(exercise.chapter)
    early = {
        (where, word)
        for where, text in texts_for(exercise)
        for word in words_of(text)
        if EXPLAINED_IN.get(word, "") > exercise.chapter
        or ((word in glossary() or "_" in word.strip("_")) and word not in known)
    }
    assert sorted(early) == []


def test_words_are_explained_where_it_is_said() -> None:
    """Each word that is named above stands in the text of its chapter."""
    for word, chapter in EXPLAINED_IN.items():
        stem = next(name for name in CHAPTERS if name.startswith(chapter))
        assert word in explained(stem), word
