"""Which of a chapter's files are missing, or are there for nothing: the oracle's, banks, and mistakes."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.checking.mistakes import titles_of_groups
from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.exercises.declaration import GROUPS, MISTAKES, closest, read_declaration
from grader.proving.bank import HEADER, bank_path, no_bank
from grader.proving.recipe import RECIPE, no_recipe

# What a mistake's code looks like in a cell's header.
CODE = re.compile(r"[\w-]+")


def source_problems(stem: str, paths: CoursePaths) -> list[str]:
    """Return a line for each of a chapter's files that is missing, and for what in them is of no use.

    Raises:
        SourceError: the declaration is wrong.
    """
    folder = paths.solutions / stem
    chapter = read_declaration(folder)
    found = [] if (folder / RECIPE).is_file() else [f"{no_recipe(folder / RECIPE)}"]
    banks = [bank_path(paths.solutions, one) for one in chapter.exercises]
    found += [f"{no_bank(path)}" for path in banks if not path.is_file()]
    for path in sorted((folder / "answers").glob("*.py")):
        if path not in banks:
            told = f"the chapter declares no exercise {path.stem}.{closest(path.stem, chapter.by_id)}"
            found.append(f"{path}:1: {told} A bank is called as its exercise.")
    return [*found, *_useless_mistakes(chapter, folder / MISTAKES, paths)]


def _useless_mistakes(chapter: Chapter, path: Path, paths: CoursePaths) -> Iterator[str]:
    """Yield a line for each mistake of a chapter that no bank of the course has, and each nameless group."""
    if not chapter.mistakes:
        return
    titled = titles_of_groups(but=chapter.stem) | chapter.mistakes.get(GROUPS, {})
    used = set(_codes(paths.solutions.glob("*/answers/*.py")))
    lines = path.read_text(encoding="utf-8").splitlines()
    for group, codes in chapter.mistakes.items():
        if group == GROUPS:
            continue
        if group not in titled:
            told = f"the group {group} has no title. Write in [groups] what it is about."
            yield f"{path}:{_line(lines, f'[{group}.')}: {told}{closest(group, titled)}"
        for code in codes:
            if code not in used:
                told = f"no answer of a bank has the mistake {code}.{closest(code, used)}"
                yield f"{path}:{_line(lines, f'[{group}.{code}]')}: {told}"


def _codes(banks: Iterable[Path]) -> Iterator[str]:
    """Yield all that may be a code in the headers of banks."""
    for path in banks:
        for line in path.read_text(encoding="utf-8").splitlines():
            if HEADER.match(line):
                yield from CODE.findall(line)


def _line(lines: list[str], start: str) -> int:
    return next((number for number, line in enumerate(lines, 1) if line.startswith(start)), 1)
