"""A learner's progress: solved and open exercises, mistakes to review; kept on their machine only.

Kept are counts by exercise: checks, the last verdict, the mistakes by name. No code, no numbers, no times.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.checking.mistakes import known_mistakes
from grader.checking.result import Result
from grader.errors import ProgressError
from grader.exercises import EXERCISES, Exercise
from grader.files import write_whole
from grader.messages import message, sentences
from grader.references import load_exercise

# Environment variable: another file, or "off" to keep nothing.
SETTING = "GRADER_PROGRESS"
VERSION = 1


@dataclass(frozen=True)
class Tried:
    """Progress on one exercise: number of checks, whether it has passed, mistakes with their counts."""

    checks: int = 0
    solved: bool = False
    mistakes: Mapping[str, int] = field(default_factory=dict)

    def after(self, result: Result) -> "Tried":
        """Return the progress after one more check. A solved exercise stays solved."""
        mistakes = Counter(self.mistakes) + Counter(result.diagnosis)
        return Tried(self.checks + 1, self.solved or result.status == "passed", dict(mistakes))

    def and_also(self, other: "Tried") -> "Tried":
        """Return the sum of two separately counted progresses."""
        mistakes = Counter(self.mistakes) + Counter(other.mistakes)
        return Tried(self.checks + other.checks, self.solved or other.solved, dict(mistakes))


@dataclass(frozen=True)
class Review:
    """A mistake made earlier: how often, where, and the open exercises where it will be asked again."""

    code: str
    count: int
    made_in: tuple[Exercise, ...]
    asked_again: tuple[Exercise, ...]


def progress_file() -> Path | None:
    """Return where progress is kept; None if the learner has switched it off."""
    setting = os.environ.get(SETTING, "")
    if setting.lower() == "off":
        return None
    if setting:
        return Path(setting)
    from platformdirs import user_data_path  # noqa: PLC0415 - needed in a learner's own notebook alone

    return user_data_path("grader") / "progress.json"


def read_progress(path: Path) -> dict[str, Tried]:
    """Return what is known of each exercise that was checked, by id.

    Raises:
        ProgressError: the file is there and cannot be read.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise ValueError(f"it is of version {data['version']}, not {VERSION}")
        tried = {name: Tried(**entry) for name, entry in data["exercises"].items()}
        if not all(_is_sound(one) for one in tried.values()):
            raise ValueError("an entry is not what was written")
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProgressError(
            sentences(
                [
                    message(
                        "Your progress in {path} cannot be read ({reason}).",
                        path=str(path),
                        reason=f"{type(error).__name__}: {error}",
                    ),
                    message("Your notebooks are not touched by this."),
                    message("Begin anew with progress(forget_all=True)."),
                ]
            )
        ) from error
    return tried


def _is_sound(tried: Tried) -> bool:
    counts = (tried.checks, *tried.mistakes.values())
    return isinstance(tried.solved, bool) and all(type(count) is int and count >= 0 for count in counts)


def remember(result: Result) -> None:
    """Add a verdict to the progress.

    Raises:
        ProgressError: it cannot be saved; the verdict itself is not affected.
    """
    path = progress_file()
    if path is None or result.status == "error":
        return
    from filelock import FileLock  # noqa: PLC0415 - needed in a learner's own notebook alone

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=5):  # another notebook may be checking, too
            tried = read_progress(path)
            name = result.exercise.id
            tried[name] = tried.get(name, Tried()).after(result)
            _write(path, tried)
    except OSError as error:
        raise ProgressError(
            message(
                "Your progress could not be kept in {path}: {reason}. Name another file in the environment "
                "variable {variable}, or set it to off.",
                path=str(path),
                reason=str(error),
                variable=SETTING,
            )
        ) from error


def _write(path: Path, tried: Mapping[str, Tried]) -> None:
    entries = {
        name: {"checks": one.checks, "solved": one.solved, "mistakes": dict(one.mistakes)}
        for name, one in tried.items()
    }
    write_whole(path, json.dumps({"version": VERSION, "exercises": entries}, indent=1) + "\n")


def together(kept: Mapping[str, Tried], here: Mapping[str, Tried]) -> dict[str, Tried]:
    """Return what is in the file and what was counted in this process alone, by exercise."""
    both = dict(kept)
    for name, one in here.items():
        both[name] = both.get(name, Tried()).and_also(one)
    return both


def forget() -> None:
    """Delete the progress, where any is kept."""
    path = progress_file()
    if path is not None:
        path.unlink(missing_ok=True)
        path.with_suffix(".lock").unlink(missing_ok=True)


def reviews(tried: Mapping[str, Tried]) -> list[Review]:
    """Return the mistakes to review, the most frequent first.

    A mistake is to be reviewed while the exercise where it was made is open, or one of a later chapter in
    which it can be made again.
    """
    made = Counter()
    for name, one in tried.items():
        if name in EXERCISES:
            made.update({code: count for code, count in one.mistakes.items() if _is_named(code)})
    found = [_review(code, count, tried) for code, count in made.items()]
    return sorted((one for one in found if one), key=lambda one: (-one.count, one.code))


def _is_named(code: str) -> bool:
    """Return whether a code names a misunderstanding, not an unfinished answer."""
    return code in known_mistakes() and known_mistakes()[code].matched_by_output


def _review(code: str, count: int, tried: Mapping[str, Tried]) -> Review | None:
    made_in = tuple(EXERCISES[name] for name in EXERCISES if code in _tried(tried, name).mistakes)
    asked_again = tuple(_later(code, made_in[0], tried))
    still_open = [one for one in made_in if not _tried(tried, one.id).solved]
    return Review(code, count, made_in, asked_again) if asked_again or still_open else None


def _later(code: str, first: Exercise, tried: Mapping[str, Tried]) -> Iterator[Exercise]:
    """Yield the open exercises of later chapters that know a mistake."""
    for exercise in EXERCISES.values():
        later = exercise.chapter > first.chapter and not _tried(tried, exercise.id).solved
        if later and code in load_exercise(exercise.chapter, exercise.id).codes:
            yield exercise


def _tried(tried: Mapping[str, Tried], name: str) -> Tried:
    return tried.get(name, Tried())
