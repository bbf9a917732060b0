"""The students' archive: self-contained, without answers."""

import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from grader.course.about import read_about
from grader.course.paths import CoursePaths, chapters_in, find_checkout
from grader.course.templating import filled
from grader.errors import GraderError
from grader.exercises import declared_for
from grader.files import write_whole

LOCK = "requirements.lock"
GUIDE = "GUIDE.md"
# Fixed time stamp: the same files give the same archive, byte for byte.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def make_bundle(paths: CoursePaths, out: Path, guide: str | None = None) -> dict[str, int]:
    """Write a zip archive with the released notebooks, the package as a wheel, and how to start.

    The wheel holds the visible references. Hidden cases, solutions, banks and oracles are not in the package.

    Args:
        paths: the course whose notebooks are released.
        out: the archive to write, or to replace.
        guide: the text of the students' guide; by default the package's, with examples of its own course.

    Returns:
        The size in bytes of each file in it, by name.

    Raises:
        GraderError: a notebook is not built, or the package cannot be built.
    """
    folder = read_about(paths).folder
    files = {f"{folder}/{name}": content for name, content in _contents(paths, guide).items()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    write_whole(out, buffer.getvalue())
    return {name: len(content) for name, content in files.items()}


def _contents(paths: CoursePaths, guide: str | None) -> dict[str, bytes]:
    checkout = find_checkout("A bundle is made")
    chapters = chapters_in(paths)
    if not chapters:
        raise GraderError(f"There is no chapter to give out: {paths.solutions} has none.")
    notebooks = {
        f"notebooks/{chapter.stem}/{chapter.stem}.ipynb": paths.student(chapter) for chapter in chapters
    }
    if missing := [path for path in notebooks.values() if not path.is_file()]:
        raise GraderError(f"{missing[0]} is missing. Run `grader build` first.")
    wheel, package = _wheel(checkout)
    values = {"about": read_about(paths), "chapters": chapters, "wheel": wheel, "lock": LOCK, "guide": GUIDE}
    names = ("START.md", "environment.yml", "requirements.txt")
    written = {name: filled(name, **values).encode() for name in names}
    copied = {name: checkout / name for name in (LOCK, "LICENSE")} | notebooks
    if guide is None:
        copied[GUIDE] = checkout / "docs" / "students.md"
    else:
        written[GUIDE] = guide.encode()
    for chapter in chapters:  # what the wheel does not contain
        built = chapter.folder.iterdir() if declared_for(chapter.stem) else ()
        copied |= {f"reference_outputs/{chapter.stem}/{path.name}": path for path in built}
    return written | {wheel: package} | {name: path.read_bytes() for name, path in copied.items()}


def _wheel(checkout: Path) -> tuple[str, bytes]:
    """Return the package as students install it: the file's name and content."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
        built = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
        made = list(Path(folder).glob("*.whl"))
        if built.returncode or len(made) != 1:
            raise GraderError(f"The package cannot be built: {built.stderr.strip() or built.stdout.strip()}")
        return made[0].name, made[0].read_bytes()
