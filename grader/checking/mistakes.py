"""The mistakes that the grader knows by name, and what a learner is told of each."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.checking.observation import LearnerError
from grader.exercises import Exercise
from grader.messages import Message


@dataclass(frozen=True)
class Mistake:
    """A named mistake.

    Attributes:
        code: what reports and tools count.
        group: where it belongs: ``tensors``, ``loops``, ``softmax``, ``scale``, ``projections``,
            ``recurrence``, ``influence``, ``transfer``, ``mask``, ``dropout``, ``heads``, ``devices``,
            ``numpy``, ``texts``, ``merges``, ``embeddings``, ``windows``, ``model``, ``generation``,
            ``contract`` or ``otherwise``.
        title: a few words.
        seen: what the numbers show.
        look: one question that leads on; never the answer.
    """

    code: str
    group: str
    title: Message
    seen: Message
    look: Message

    @property
    def told_by_numbers(self) -> bool:
        """Whether it is recognized by stored outputs, not read off the check that failed."""
        return self.group not in ("contract", "otherwise")


ABOUT_A_LINE = re.compile(r"\b(line|dot)\b")


@cache
def known_mistakes() -> dict[str, Mistake]:
    """Return every named mistake by its code, from ``mistakes.toml``."""
    groups = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))
    return {
        code: Mistake(code, group, **{name: Message(text) for name, text in texts.items()})
        for group, mistakes in groups.items()
        for code, texts in mistakes.items()
    }


@cache
def error_questions(works_on: str, chapter: str) -> tuple[tuple[re.Pattern, re.Pattern, Message], ...]:
    """Return the questions about errors, each with the patterns of the errors and lines that it is asked of.

    Args:
        works_on: what the code works on, as ``Exercise.works_on`` says.
        chapter: of the exercise: a question may use words that an earlier one has not explained.
    """
    content = tomllib.loads(Path(__file__).with_name("errors.toml").read_text(encoding="utf-8"))
    return tuple(
        (re.compile(entry["pattern"]), re.compile(entry.get("line", "")), Message(entry["look"]))
        for entry in content["errors"]
        if works_on == entry.get("only", works_on) and chapter >= entry.get("since", "")
    )


def question_about_error(error: LearnerError, exercise: Exercise) -> Message | None:
    """Return what to look at when code raised this; None if no question fits.

    A question about a line, or about what stands on it, is asked only where one of the learner's lines was
    running.
    """
    questions = error_questions(exercise.works_on, exercise.chapter)
    fitting = (
        look for words, line, look in questions if words.search(error.words) and line.search(error.source)
    )
    return next((look for look in fitting if error.line or not ABOUT_A_LINE.search(look.text)), None)


def explain(code: str) -> Mistake:
    """Return what is known of a code. Every code that the grader gives is in ``mistakes.toml``."""
    return known_mistakes()[code]


@cache
def _places() -> dict[str, int]:
    return {code: place for place, code in enumerate(known_mistakes())}


def place_of(code: str) -> int:
    """Return where a code stands among all: of two mistakes the earlier one is told first."""
    return _places()[code]
