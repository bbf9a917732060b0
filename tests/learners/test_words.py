"""A learner never meets a word that the course has not introduced up to there."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course.glossary import glossary_drift
from grader.course.order import early_uses
from grader.course.passages import Passage
from grader.course.paths import CoursePaths
from grader.course.terms import Vocabulary
from grader.course.vocabularies import read_vocabularies
from grader.exercises import EXERCISES
from grader.exercises.declaration import SOURCE, SPECIMENS
from grader.proving.learner_texts import texts_beside_source

PATHS = CoursePaths(Path(__file__).resolve().parents[2])


@pytest.fixture(scope="module")
def vocabularies() -> tuple[Vocabulary, ...]:
    """Return what each chapter introduces."""
    return read_vocabularies(PATHS)


@pytest.fixture(scope="module")
def told(vocabularies: tuple[Vocabulary, ...]) -> dict[str, list[Passage]]:
    """Return what is read of exercises beside the chapters' texts."""
    return texts_beside_source(vocabularies, PATHS)


def test_no_word_comes_before_its_place(
    vocabularies: tuple[Vocabulary, ...], told: dict[str, list[Passage]]
) -> None:
    """No term, and no name of a library, is used before a chapter introduces it."""
    assert early_uses(vocabularies, told) == []


def test_the_glossary_is_what_the_chapters_declare(vocabularies: tuple[Vocabulary, ...]) -> None:
    """The page was made of the declarations as they are."""
    assert glossary_drift(vocabularies, PATHS) == []


def test_every_kind_of_text_is_read(told: dict[str, list[Passage]]) -> None:
    """Hints, messages, questions about errors, cases, steps and reasons why an input shows nothing."""
    files = {passage.path.name for passages in told.values() for passage in passages}
    assert files >= {"mistakes.toml", "errors.toml", "reference.py", "steps.py", "telling.py"}
    assert files >= {SOURCE, SPECIMENS}


@pytest.mark.parametrize(
    ("file", "stem"),
    [
        (SOURCE, "ch02_dot_product_attention"),
        ("mistakes.toml", "ch01_why_attention"),
        ("errors.toml", "ch03_scaled_dot_product_attention"),
    ],
    ids=["hint", "message", "question"],
)
def test_a_later_word_in_what_is_told_is_found(
    vocabularies: tuple[Vocabulary, ...], told: dict[str, list[Passage]], file: str, stem: str
) -> None:
    """It is reported with the line that has it in its file."""
    place, passage = next((i, one) for i, one in enumerate(told[stem]) if one.path.name == file)
    changed = [*told[stem]]
    changed[place] = replace(passage, text=f"{passage.text} Print the residual.")
    (found,) = early_uses(vocabularies, told | {stem: changed})
    line = passage.line + passage.text.count("\n")
    assert found.startswith(f"{passage.path}:{line}: 'residual' is introduced in chapter 10 (line ")


def test_a_passage_stands_where_its_file_has_it(told: dict[str, list[Passage]]) -> None:
    """The line of every hint has the hint's first words."""
    hints = {hint for exercise in EXERCISES.values() for hint in exercise.hints}
    lines = {
        (passage.path, passage.line): passage.text
        for passages in told.values()
        for passage in passages
        if passage.path.name == SOURCE
    }
    assert len(lines) == len(hints)
    for (path, line), words in lines.items():
        assert (
            json.dumps(words, ensure_ascii=False) in path.read_text(encoding="utf-8").splitlines()[line - 1]
        )
