"""Collect the texts that learners read besides a chapter's source (hints, messages), with file and line."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path

import grader.checking
from grader.checking.mistakes import error_questions, explain, known_mistakes, tables
from grader.checking.steps import telling
from grader.course.passages import Passage, strings_in
from grader.course.paths import CoursePaths
from grader.course.terms import Vocabulary
from grader.errors import GraderError
from grader.exercises import Exercise, declared_for
from grader.exercises.declaration import MISTAKES, SOURCE, SPECIMENS
from grader.references import load_exercise

# Codes that any answer may get.
CODES_OF_ANY_ANSWER = (
    *("raises", "not-defined", "syntax-error", "not-implemented", "wrong-type", "wrong-shape", "wrong-dtype"),
    *("not-finite", "input-modified", "setting-left", "state-kept", "result-shared", "layout-dependent"),
    *("too-slow", "no-result", "hard-coded", "example-only", "fitted-to-cases", "argument-unused"),
)
CHECKING = Path(grader.checking.__file__).parent


def texts_beside_source(vocabularies: tuple[Vocabulary, ...], paths: CoursePaths) -> dict[str, list[Passage]]:
    """Return these texts by chapter, each in the chapter where it is read first.

    Raises:
        ReferenceDataError: a chapter's references are missing or altered.
    """
    seen: set[tuple[Path, int, str]] = set()
    told: dict[str, list[Passage]] = {}
    for one in vocabularies:
        told[one.chapter.stem] = found = []
        for exercise in one.chapter.exercises:
            place = one.text.index(f":check: {exercise.id}\n")
            for passage in (*_declared(exercise, paths), *_verdict(exercise, paths)):
                if (passage.path, passage.line, passage.text) not in seen:
                    seen.add((passage.path, passage.line, passage.text))
                    found.append(Passage(passage.path, passage.line, passage.text, place))
    return told


def _declared(exercise: Exercise, paths: CoursePaths) -> Iterator[Passage]:
    """Yield what an exercise declares in words: its hints, and why an input may show nothing."""
    folder = paths.solutions / exercise.chapter
    yield from (_in_table(folder / SOURCE, hint) for hint in exercise.hints)
    if exercise.specimen:
        silences = exercise.specimen.silences
        yield from (_found(folder / SPECIMENS, silence.message.text) for silence in silences)


def _in_table(path: Path, text: str) -> Passage:
    """Return a text in the TOML that says it; where it is written otherwise, with the first line."""
    written = json.dumps(text, ensure_ascii=False)
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    return Passage(path, next((number for number, line in lines if written in line), 1), text)


def _verdict(exercise: Exercise, paths: CoursePaths) -> Iterator[Passage]:
    """Yield what a verdict on a wrong answer may say; of a course of its own, what its authors word."""
    reference = load_exercise(exercise.chapter, exercise.id, paths.references)
    folder = paths.solutions / exercise.chapter
    own = _messages(folder / MISTAKES) if (folder / MISTAKES).is_file() else {}
    steps = dict.fromkeys(step.name for step in chain.from_iterable(reference.steps.values()))
    if declared_for(exercise.chapter):
        yield from (own[text] for text in _told(reference.codes) if text in own)
    else:
        yield from _of_grader(exercise, reference.codes, own, bool(steps))
    for case in reference.visible:
        yield from (_found(folder / "reference.py", text) for text in (case.name, case.shows) if text)
    yield from (_found(folder / "steps.py", name) for name in steps)


def _of_grader(
    exercise: Exercise, codes: Iterable[str], own: Mapping[str, Passage], steps: bool
) -> Iterator[Passage]:
    """Yield what the grader words itself, and the chapter's own mistakes among these."""
    always = (code for code in CODES_OF_ANY_ANSWER if known_mistakes()[code].group == "contract")
    messages = {text: one for path in tables() for text, one in _messages(path).items()} | own
    questions = _messages(CHECKING / "errors.toml")
    yield from (messages[text] for text in _told(dict.fromkeys((*codes, *always))))
    yield from (questions[look.text] for _, _, look in error_questions(exercise.works_on, exercise.chapter))
    if steps:
        of_steps = (*telling.INSTEAD.values(), telling.AT_THE_STEP, telling.AT_THE_END)
        yield from (_found(Path(telling.__file__), text.text) for text in of_steps)


def _told(codes: Iterable[str]) -> Iterator[str]:
    """Yield the texts of mistakes.

    Raises:
        GraderError: references know a mistake that no table explains any more.
    """
    codes = [*codes]
    if gone := [code for code in codes if code not in known_mistakes()]:
        raise GraderError(
            f"References were built with the mistake {', '.join(gone)}, which no mistakes.toml explains any "
            "more. Put its table back, or take it out of the bank and run `grader references build`."
        )
    for mistake in map(explain, codes):
        yield from (part.text for part in (mistake.title, mistake.seen, mistake.look))


@cache
def _strings(path: Path) -> dict[str, Passage]:
    return strings_in(path)


def _found(path: Path, text: str) -> Passage:
    """Return a text in the file that says it; where the file puts it together, with the first line."""
    return _strings(path).get(text) or Passage(path, 1, text)


@cache
def _messages(path: Path) -> dict[str, Passage]:
    """Return the messages of a file in which each has a line, by their text."""
    found: dict[str, Passage] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        key, _, value = line.partition(" = ")
        if key in ("title", "seen", "look"):
            found.setdefault(tomllib.loads(line)[key], Passage(path, number, value))
    return found
