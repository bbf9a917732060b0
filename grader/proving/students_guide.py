"""The students' guide with examples of the course that they get: what a check says, names of exercises."""

import re
from collections.abc import Iterable, Iterator
from gettext import NullTranslations
from itertools import chain, takewhile

import torch

from grader.checking.rendering import result_text
from grader.checking.result import Result
from grader.course.paths import CoursePaths, chapters_in
from grader.exercises import Exercise, find_exercise
from grader.messages.message import ENGLISH
from grader.proving.bank import bank_path, read_bank
from grader.proving.proof import verdict_on
from grader.references import load_exercise

# What the guide shows of the package's course: a check that fails, and the steps of an exercise's result.
BLOCK = re.compile(r"^```\n([\w-]+): failed.*?^```$", re.MULTILINE | re.DOTALL)
ABOUT_STEPS = re.compile(r"(?:^.+\n)*^.*`steps\(\"([\w-]+)\".*\n(?:.+\n)*\n", re.MULTILINE)
# Where the text of a verdict goes on with lists of cases and numbers, which the guide leaves out.
CASES = "  ["
# How a verdict begins that was found by numbers alone, as the guide explains it.
BY_NUMBERS = "It looks like this"


def students_guide(paths: CoursePaths, text: str, catalog: NullTranslations = ENGLISH) -> str:
    """Return the guide for the students of a course, which names no other course's exercises.

    A course without a wrong answer in any bank gets the guide of the package's course.

    Args:
        paths: the course.
        text: the guide of the package's course, in any language.
        catalog: what checks say in this language.

    Raises:
        GraderError: references are missing.
    """
    exercises = [one for chapter in chapters_in(paths) for one in chapter.exercises]
    fails, has_steps = (find_exercise(one.search(text)[1]) for one in (BLOCK, ABOUT_STEPS))
    if shown := [one for one in exercises if one.id == fails.id]:
        return text if catalog is ENGLISH else _retold(text, _verdicts(shown, paths), catalog)
    verdicts = _verdicts(exercises, paths)
    first = next(verdicts, None)
    if first is None:
        return text
    example, verdict = next(
        (one for one in chain([first], verdicts) if BY_NUMBERS in result_text(one[1])), first
    )
    text = BLOCK.sub(lambda _: f"```\n{_said(verdict, catalog)}\n```", text)
    stepped = next((one for one in exercises if load_exercise(one.chapter, one.id).steps), None)
    text = _named(text, has_steps, stepped) if stepped else ABOUT_STEPS.sub("", text)
    return _named(text, fails, example)


def _named(text: str, shown: Exercise, instead: Exercise) -> str:
    """Return a text with another exercise and its subject in the place of one that is shown.

    Where the text shows an id that lacks its last letter, it does so of the other one.
    """
    text = text.replace(shown.id, instead.id).replace(shown.id[:-1], instead.id[:-1])
    return text.replace(shown.subject, instead.subject)


def _retold(text: str, verdicts: Iterator[tuple[Exercise, Result]], catalog: NullTranslations) -> str:
    """Return a text with its verdict in another language."""
    shown = BLOCK.search(text)[0]
    retold = (_said(verdict, catalog) for _, verdict in verdicts if _said(verdict) in shown)
    return text.replace(shown, f"```\n{next(retold)}\n```")


def _said(verdict: Result, catalog: NullTranslations = ENGLISH) -> str:
    """Return what a verdict says, without its list of cases."""
    lines = result_text(verdict, catalog=catalog).split("\n")
    return "\n".join(takewhile(lambda line: not line.startswith(CASES), lines))


def _verdicts(exercises: Iterable[Exercise], paths: CoursePaths) -> Iterator[tuple[Exercise, Result]]:
    """Yield wrong answers' exercises, and the verdicts on them."""
    for exercise in exercises:
        reference, bank = load_exercise(exercise.chapter, exercise.id), bank_path(paths.solutions, exercise)
        for answer in read_bank(bank) if bank.is_file() else ():
            if answer.correct or not answer.counts_on("cpu"):
                continue
            yield exercise, verdict_on(exercise, reference, answer, torch.device("cpu"))
