"""The students' guide with examples of the course that they get: what a check says, names of exercises."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

import torch

from grader.checking.rendering import result_text
from grader.course.paths import CoursePaths, chapters_in, find_checkout
from grader.exercises import Exercise, find_exercise
from grader.proving.bank import bank_path, read_bank
from grader.proving.proof import verdict_on
from grader.references import load_exercise

# What the guide shows: a check that fails, and an exercise whose result has steps.
FAILS, HAS_STEPS = "ch02-sum-normalize", "ch03-attention"
BLOCK = re.compile(rf"^```\n{FAILS}: failed.*?^```$", re.MULTILINE | re.DOTALL)
ABOUT_STEPS = re.compile(rf"^`steps\(\"{HAS_STEPS}\".*?\n\n", re.MULTILINE | re.DOTALL)
# How the guide spells the first one's name where it is none of the course.
MISSPELT = "ch02-sum-normalise"
# Where the text of a verdict goes on with lists of cases and numbers, which the guide leaves out.
CASES = "\n  ["
# How a verdict begins that was found by numbers alone, as the guide explains it.
BY_NUMBERS = "It looks like this"


def students_guide(paths: CoursePaths) -> str:
    """Return the guide for the students of a course, which names no other course's exercises.

    A course without a wrong answer in any bank gets the guide of the package's course.

    Raises:
        GraderError: references are missing.
    """
    text = (find_checkout("A bundle is made") / "docs" / "students.md").read_text(encoding="utf-8")
    exercises = [one for chapter in chapters_in(paths) for one in chapter.exercises]
    if FAILS in [one.id for one in exercises]:
        return text
    verdicts = _verdicts(exercises, paths)
    first = next(verdicts, None)
    if first is None:
        return text
    example, said = next((one for one in chain([first], verdicts) if BY_NUMBERS in one[1]), first)
    text = BLOCK.sub(lambda _: f"```\n{said}\n```", text)
    stepped = next((one for one in exercises if load_exercise(one.chapter, one.id).steps), None)
    text = _named(text, HAS_STEPS, stepped) if stepped else ABOUT_STEPS.sub("", text)
    return _named(text.replace(MISSPELT, example.id[:-1]), FAILS, example)


def _named(text: str, shown: str, instead: Exercise) -> str:
    """Return a text with another exercise and its subject in the place of one that is shown."""
    return text.replace(shown, instead.id).replace(find_exercise(shown).subject, instead.subject)


def _verdicts(exercises: Iterable[Exercise], paths: CoursePaths) -> Iterator[tuple[Exercise, str]]:
    """Yield wrong answers' exercises, and what checks say of them."""
    for exercise in exercises:
        reference, bank = load_exercise(exercise.chapter, exercise.id), bank_path(paths.solutions, exercise)
        for answer in read_bank(bank) if bank.is_file() else ():
            if answer.correct or not answer.counts_on("cpu"):
                continue
            said = result_text(verdict_on(exercise, reference, answer, torch.device("cpu")))
            yield exercise, said.partition(CASES)[0]
