"""The mistakes that the grader knows by name, and what a learner is told of each."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.checking.observation import LearnerError
from grader.errors import GraderError
from grader.exercises import CHAPTERS, Exercise
from grader.exercises.declaration import GROUPS
from grader.messages import Message


@dataclass(frozen=True)
class Mistake:
    """A named mistake.

    Attributes:
        code: what reports and tools count.
        group: such as ``softmax``; mistakes that cannot be recognized by numbers are in ``contract`` or
            ``otherwise``.
        title: a few words.
        seen: what the numbers show.
        look: one question that helps the learner on; never the answer.
    """

    code: str
    group: str
    title: Message
    seen: Message
    look: Message

    @property
    def matched_by_output(self) -> bool:
        """Whether it is recognized by comparing with stored outputs, not by the check that failed."""
        return self.group not in ("contract", "otherwise")


ABOUT_A_LINE = re.compile(r"\b(line|dot)\b")


def known_mistakes() -> dict[str, Mistake]:
    """Return every named mistake by its code: those of ``mistakes.toml``, and those that chapters declare.

    Those that numbers cannot show come last: of two mistakes the earlier one is reported first.

    Raises:
        GraderError: the same code is defined twice.
    """
    return _known(tuple(map(id, CHAPTERS.values())))


def title_of_group(group: str) -> str:
    """Return what a group of mistakes is about, in a few words."""
    titles = (one.get(GROUPS, {}) for one in (_of_all(), *(one.mistakes for one in CHAPTERS.values())))
    return next((found[group] for found in titles if group in found), group.capitalize())


@cache
def _of_all() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))


@cache  # for the chapters that are known now
def _known(_chapters: tuple[int, ...]) -> dict[str, Mistake]:
    known: dict[str, Mistake] = {}
    for tables in (_of_all(), *(one.mistakes for one in CHAPTERS.values())):
        for group, mistakes in tables.items():
            for code, texts in mistakes.items() if group != GROUPS else ():
                if code in known:
                    raise GraderError(
                        f"The mistake {code} is explained twice. Give one of the two another code."
                    )
                known[code] = Mistake(code, group, **{name: Message(text) for name, text in texts.items()})
    return dict(sorted(known.items(), key=lambda item: not item[1].matched_by_output))


@cache
def error_questions(works_on: str, chapter: str) -> tuple[tuple[re.Pattern, re.Pattern, Message], ...]:
    """Return the questions about errors, each with the patterns of messages and lines that it applies to.

    Args:
        works_on: what the code works on, as ``Exercise.works_on`` says.
        chapter: of the exercise: a question may use terms that an earlier chapter has not introduced.
    """
    content = tomllib.loads(Path(__file__).with_name("errors.toml").read_text(encoding="utf-8"))
    return tuple(
        (re.compile(entry["pattern"]), re.compile(entry.get("line", "")), Message(entry["look"]))
        for entry in content["errors"]
        if works_on == entry.get("only", works_on) and chapter >= entry.get("since", "")
    )


def question_about_error(error: LearnerError, exercise: Exercise) -> Message | None:
    """Return what to look at when code raised this; None if no question fits.

    A question about a line applies only if one of the learner's lines was running.
    """
    questions = error_questions(exercise.works_on, exercise.chapter)
    fitting = (
        look for words, line, look in questions if words.search(error.words) and line.search(error.source)
    )
    return next((look for look in fitting if error.line or not ABOUT_A_LINE.search(look.text)), None)


def explain(code: str) -> Mistake:
    """Return the mistake of a code; every code that the grader gives has one."""
    return known_mistakes()[code]


def place_of(code: str) -> int:
    """Return where a code stands among all: of two mistakes the earlier one is told first."""
    return list(known_mistakes()).index(code)
