"""The mistakes that the grader knows by name, and what a learner is told of each."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.checking.observation import LearnerError
from grader.errors import GraderError
from grader.exercises import CHAPTERS, Exercise
from grader.exercises.declaration import GROUPS, MISTAKES, mistake_refused
from grader.messages import Message
from grader.topics import folders


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


# The table of a topic that says before which group of all courses each of its own comes.
BEFORE = "before"
ABOUT_A_LINE = re.compile(r"\b(line|dot)\b")


def known_mistakes() -> dict[str, Mistake]:
    """Return every named mistake by its code: of all courses, of topics, and of the chapters that are known.

    Those that numbers cannot show come last: of two mistakes the earlier one is reported first.

    Raises:
        GraderError: the same code is defined twice.
    """
    return _known(tuple(map(id, CHAPTERS.values())))


def tables() -> list[Path]:
    """Return the package's tables of mistakes: that of all courses, then those of topics."""
    of_topics = [folder / MISTAKES for folder in folders() if (folder / MISTAKES).is_file()]
    return [Path(__file__).with_name(MISTAKES), *of_topics]


def title_of_group(group: str) -> str:
    """Return what a group of mistakes is about, in a few words."""
    return titles_of_groups().get(group, group.capitalize())


def titles_of_groups(but: str = "") -> dict[str, str]:
    """Return what each group of mistakes is about, of those with a title; one chapter may be left out."""
    said = (_of_all(), *_of_topics(), *(one.mistakes for one in CHAPTERS.values() if one.stem != but))
    return {group: title for one in reversed(said) for group, title in one.get(GROUPS, {}).items()}


@cache
def _of_all() -> dict[str, dict[str, dict[str, str]]]:
    return _read(tables()[0])


@cache
def _of_topics() -> tuple[dict[str, dict], ...]:
    return tuple(map(_read, tables()[1:]))


def _read(path: Path) -> dict[str, dict]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _in_order() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield the group, the code and the texts of each mistake, but for those of chapters.

    A topic's group comes before the first mistake of the group that its table ``before`` names.
    """
    waiting = [
        (before, group, topic[group]) for topic in _of_topics() for group, before in topic[BEFORE].items()
    ]
    for group, mistakes in _of_all().items():
        for before, other, theirs in waiting:
            if before == group:
                yield from ((other, code, texts) for code, texts in theirs.items())
        if group != GROUPS:
            yield from ((group, code, texts) for code, texts in mistakes.items())


@cache  # for the chapters that are known now
def _known(_chapters: tuple[int, ...]) -> dict[str, Mistake]:
    known: dict[str, Mistake] = {}
    declared = (
        (group, code, texts, chapter)
        for chapter in CHAPTERS.values()
        for group, mistakes in chapter.mistakes.items()
        if group != GROUPS
        for code, texts in mistakes.items()
    )
    where = {}
    for group, code, texts, *chapters in (*_in_order(), *declared):
        if code in known:
            told = f"The mistake {code} is explained twice, here and {where[code]}."
            told = f"{told} Give one of the two another code, or leave it out here."
            raise mistake_refused(chapters[0], f"{group}.{code}", told) if chapters else GraderError(told)
        where[code] = f"in {chapters[0].stem}" if chapters else "for every course, in the package"
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
