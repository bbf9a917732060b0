"""How much is tried: a little, the same every time, or, for ``make fuzz``, as much as one has time for.

What is found then is kept in ``.fuzz/``, and tried first the next time, until it is mended; it belongs into
a test of its own as well.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.grading.master import Master, load_master
from grader.grading.sample_class import Choice, submission
from grader.proving.bank import Answer

KEPT = Path(__file__).resolve().parents[2] / ".fuzz"
TRIED = KEPT / "tried"
# Set by `make fuzz`: how many inputs each test tries in one round.
LONG = "GRADER_FUZZ"
COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck)}

settings.register_profile("short", max_examples=40, derandomize=True, database=None, **COMMON)
settings.register_profile(
    "long",
    max_examples=int(os.environ.get(LONG, "1")),
    database=DirectoryBasedExampleDatabase(KEPT / "found"),
    print_blob=True,
    **COMMON,
)
settings.load_profile("long" if LONG in os.environ else "short")


@pytest.fixture(scope="session")
def count() -> Iterator[Counter[str]]:
    """Return where each test counts its inputs; a long run adds them to those of its other processes."""
    counted: Counter[str] = Counter()
    yield counted
    if LONG in os.environ:
        KEPT.mkdir(exist_ok=True)
        with TRIED.open("a", encoding="utf-8") as file:
            file.write("".join(f"{name} {number}\n" for name, number in counted.items()))


@pytest.fixture(scope="session")
def master(repository: Path, chapter: Chapter) -> Master:
    """Return what submissions of a chapter are held against."""
    return load_master(chapter, CoursePaths(repository))


@pytest.fixture(scope="session")
def right(repository: Path, chapter: Chapter, answers: Callable[[str], dict[str, Answer]]) -> bytes:
    """Return a submission in which everything is right."""
    choices = [Choice(one, next(iter(answers(one.id).values()))) for one in chapter.exercises]
    return submission(CoursePaths(repository).student(chapter).read_text(encoding="utf-8"), choices).encode()
