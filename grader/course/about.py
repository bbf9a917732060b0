"""What a course is called: its authors say so in ``solutions/about.toml``."""

import re
from dataclasses import dataclass

from grader.course.paths import CoursePaths
from grader.errors import SourceError
from grader.exercises.declaration import closest, read_toml

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
        return self.name if self.name.endswith("course") else f"{self.name}-course"


def read_about(paths: CoursePaths) -> About:
    """Return what a course is called; by default as its folder.

    Raises:
        SourceError: something in the file is wrong; names the line.
    """
    path, default = paths.about, paths.root.resolve().name
    try:
        content = read_toml(path)
    except FileNotFoundError:
        return About(default, default)

    def refused(key: str, problem: str) -> SourceError:
        lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        return SourceError(path, next((n for n, line in lines if line.startswith(key)), 1), problem)

    if strange := sorted(content.keys() - set(KEYS)):
        told = f"{strange[0]} is not known; known are {', '.join(KEYS)}.{closest(strange[0], KEYS)}"
        raise refused(strange[0], told)
    values = {key: content.get(key, default) for key in KEYS}
    if wrong := [key for key, value in values.items() if not isinstance(value, str) or not value.strip()]:
        raise refused(wrong[0], f"{wrong[0]} is {values[wrong[0]]!r}; expected a text.")
    if not NAME.fullmatch(values["name"]):
        raise refused("name", f"name is {values['name']!r}; expected letters, digits, - and _.")
    return About(**values)
