"""The mistakes that the grader knows by name, and what a learner is told of each."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Mistake:
    """A named mistake.

    Attributes:
        code: what reports and tools count.
        group: where it belongs: ``tensors``, ``softmax``, ``scale``, ``projections``, ``recurrence``,
            ``influence``, ``transfer``, ``mask``, ``dropout``, ``heads``, ``devices``, ``numpy``, ``texts``,
            ``merges``, ``embeddings``, ``windows``, ``model``, ``generation``, ``contract`` or ``otherwise``.
        title: a few words.
        seen: what the numbers show.
        look: one question that leads on; never the answer.
    """

    code: str
    group: str
    title: str
    seen: str
    look: str

    @property
    def told_by_numbers(self) -> bool:
        """Whether it is recognized by stored outputs, not read off the rung that failed."""
        return self.group not in ("contract", "otherwise")


@cache
def known_mistakes() -> dict[str, Mistake]:
    """Return every named mistake by its code, from ``mistakes.toml``."""
    groups = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))
    return {
        code: Mistake(code=code, group=group, **texts)
        for group, mistakes in groups.items()
        for code, texts in mistakes.items()
    }


@cache
def _error_questions(works_on: str) -> list[tuple[re.Pattern, str]]:
    content = tomllib.loads(Path(__file__).with_name("errors.toml").read_text(encoding="utf-8"))
    return [
        (re.compile(entry["pattern"]), entry["look"])
        for entry in content["errors"]
        if entry.get("only", works_on) == works_on
    ]


def question_about_error(sentence: str, works_on: str = "tensors") -> str:
    """Return what to look at when code raised what ``sentence`` says; a general question if none fits.

    Args:
        sentence: what was raised, as a finding tells it.
        works_on: what the code works on, as ``Exercise.works_on`` says.
    """
    fitting = (look for pattern, look in _error_questions(works_on) if pattern.search(sentence))
    return next(fitting, explain("raises").look)


def explain(code: str) -> Mistake:
    """Return what is known of a code. Every code that the grader gives is in ``mistakes.toml``."""
    return known_mistakes()[code]
