"""What a course is called: its authors say so in ``solutions/about.toml``."""

import re
import tomllib
from dataclasses import dataclass

from grader.course.paths import CoursePaths
from grader.errors import GraderError

KEYS = ("title", "name")
NAME = re.compile(r"[\w-]+")


@dataclass(frozen=True)
class About:
    """What a course is called.

    Attributes:
        title: as a reader sees it.
        name: one word, of which names of folders and environments are made.
    """

    title: str
    name: str

    @property
    def folder(self) -> str:
        """The folder that students have after unpacking what they get."""
        return f"{self.name}-course"


def read_about(paths: CoursePaths) -> About:
    """Return what a course is called; by default as its folder.

    Raises:
        GraderError: the file cannot be read, or something in it is not known.
    """
    path, default = paths.about, paths.root.resolve().name
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return About(default, default)
    except (OSError, ValueError) as error:  # no file, no UTF-8, no TOML
        raise GraderError(f"{path} cannot be read: {error}") from error
    if strange := sorted(content.keys() - set(KEYS)):
        raise GraderError(f"{path}: {strange[0]} is not known; known are {', '.join(KEYS)}.")
    values = {key: content.get(key, default) for key in KEYS}
    if wrong := [key for key, value in values.items() if not isinstance(value, str) or not value.strip()]:
        raise GraderError(f"{path}: {wrong[0]} is {values[wrong[0]]!r}; expected a text.")
    if not NAME.fullmatch(values["name"]):
        raise GraderError(f"{path}: name is {values['name']!r}; expected letters, digits, - and _.")
    return About(**values)
