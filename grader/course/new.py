"""Skeletons: a course's folder, and a chapter that builds and grades as it stands."""

import json
import re
import shutil
from itertools import count
from pathlib import Path

from grader.course.paths import CoursePaths, find_checkout
from grader.course.templating import filled
from grader.errors import GraderError
from grader.exercises import CHAPTERS, EXERCISES, declared_for
from grader.files import write_whole

STEM = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
# The line of the configuration that names the course.
COURSE_ID = re.compile(r'^c\.CourseDirectory\.course_id = ".*"$', re.MULTILINE)
# What declares the word that the skeleton introduces.
MEAN = 'name = "mean"'
# What is made of which template, in a chapter's folder; an exercise's bank has its id for a name.
FILES = {
    "text.md": "{stem}.md",
    "exercises.toml": "exercises.toml",
    "mistakes.toml": "mistakes.toml",
    "terms.toml": "terms.toml",
    "oracle.py": "reference.py",
    "answers.py": "answers/{exercise}.py",
}


def new_course(folder: Path, title: str = "") -> CoursePaths:
    """Make the folder of a course without chapters, with a title or, by default, the folder's name for one.

    Raises:
        GraderError: it is there and not empty, or the package is installed without its checkout.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise GraderError(f"{folder} is there and not empty. Name a new folder.")
    name = folder.resolve().name
    if not re.fullmatch(r"[\w-]+", name):
        raise GraderError(f"{name!r} names the course for nbgrader, too. Take letters, digits, - and _.")
    config = CoursePaths(find_checkout("A new course is made")).config.read_text(encoding="utf-8")
    paths = CoursePaths(folder)
    write_whole(paths.config, COURSE_ID.sub(f'c.CourseDirectory.course_id = "{name}"', config))
    # JSON's texts are TOML's, too.
    quoted = json.dumps(title or name, ensure_ascii=False)
    write_whole(paths.about, filled("about.toml", title=quoted, name=name))
    return paths


def new_chapter(stem: str, title: str, paths: CoursePaths) -> list[Path]:
    """Make a chapter of one exercise, to be changed into one's own; return its files.

    Raises:
        GraderError: it cannot have this name, or there is such a chapter; nothing is written then.
    """
    if not STEM.fullmatch(stem):
        raise GraderError(f"{stem!r} is no name of a chapter. Expected one such as ch50_convolution.")
    folder = paths.solutions / stem
    if stem in CHAPTERS or folder.exists():
        raise GraderError(f"There is a chapter {stem} already. Give yours another name.")
    first, _, rest = stem.partition("_")
    exercise = f"{first}-centered"
    here = [one.name for one in paths.solutions.glob("*_*/")]  # what is not built yet, too
    taken = [name for name in (*CHAPTERS, *here) if name.startswith(f"{first}_")]
    taken += [one.chapter for one in EXERCISES.values() if one.id.startswith(f"{first}-")]
    if taken:
        begun = {name.partition("_")[0] for name in (*CHAPTERS, *here)} | {
            name.partition("-")[0] for name in EXERCISES
        }
        free = next(f"ch{number}_" for number in count(50) if f"ch{number}" not in begun)
        whose = "this course" if taken[0] in here or declared_for(taken[0]) else "the package's own course"
        raise GraderError(
            f"There are exercises that begin with {first}-: those of {taken[0]} in {whose}. No two of both "
            f"may have one id. Let the name begin otherwise, such as {free}."
        )
    values = {
        **{"stem": stem, "title": title, "exercise": exercise, "group": rest.replace("_", "-")},
        # A word is declared by one chapter.
        "mean_is_new": not any(
            MEAN in path.read_text(encoding="utf-8") for path in paths.solutions.glob("*/terms.toml")
        ),
    }
    made = []
    try:
        for template, name in FILES.items():
            path = folder / name.format(stem=stem, exercise=exercise)
            write_whole(path, filled(f"new/{template}", **values))
            made.append(path)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return made
