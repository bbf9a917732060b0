"""Digests of the sources of a chapter's notebooks and references, to detect that a rebuild is needed.

Contents are hashed because times are unreliable: a checkout or a backup sets any time.
"""

import hashlib
import json
from dataclasses import fields
from pathlib import Path

from grader.course.paths import CoursePaths
from grader.exercises import Chapter, Exercise

# Where a solution notebook keeps the digest of its source.
METADATA_KEY = "made_from"
# Fields of an exercise that only its notebook shows, so that references do not depend on them.
SHOWN_ONLY = (
    "signature",
    "points",
    "difficulty",
    "minutes",
    "section",
    "hints",
    "requires",
    "specimen",
)
DECLARED = "the declared exercises"


def notebook_origin(chapter: Chapter, paths: CoursePaths) -> str:
    """Return the digest of a chapter's text and of the declared values that it shows."""
    declared = [
        [part.id, part.subject, part.points, part.difficulty, part.minutes] for part in chapter.parts.values()
    ]
    text = paths.source(chapter).read_text(encoding="utf-8")
    return _digest(json.dumps([text, declared]).encode())


def reference_origin(chapter: Chapter, paths: CoursePaths) -> dict[str, str]:
    """Return the digests of the sources of a chapter's references, by name."""
    folder = paths.solutions / chapter.stem
    files = [folder / "reference.py", *sorted((folder / "answers").glob("*.py"))]
    return {file.relative_to(folder).as_posix(): _digest(file.read_bytes()) for file in files} | {
        DECLARED: _digest(json.dumps([_declared(one) for one in chapter.exercises]).encode())
    }


def changed(recorded: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return the names of what was changed, added or removed."""
    return [name for name in sorted({*recorded, *now}) if recorded.get(name) != now.get(name)]


def has_recipe(chapter: Chapter, paths: CoursePaths) -> bool:
    """Return whether a course has the sources of a chapter's references; one that only grades may not."""
    return (paths.solutions / chapter.stem / "reference.py").is_file()


def _declared(exercise: Exercise) -> list[str]:
    return [
        f"{one.name}={getattr(exercise, one.name)!r}"
        for one in fields(exercise)
        if one.name not in SHOWN_ONLY
    ]


def file_digest(path: Path) -> str:
    """Return the digest of a file's content."""
    return _digest(path.read_bytes())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def recorded_notebook_origin(path: Path) -> str | None:
    """Return the digest that a solution notebook keeps; None if there is no notebook, or none in it."""
    try:
        return json.loads(path.read_bytes())["metadata"].get(METADATA_KEY)
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return None  # reported where the notebook itself is read
