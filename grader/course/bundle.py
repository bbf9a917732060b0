"""The students' archive: self-contained, without answers."""

import base64
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.about import read_about
from grader.course.paths import ENGLISH, CoursePaths, chapters_in, find_checkout
from grader.course.templating import TEMPLATES, filled, filled_text
from grader.errors import GraderError
from grader.exercises import declared_for
from grader.files import write_whole
from grader.messages.speaking import default_file

LOCK = "requirements.lock"
GUIDE = "GUIDE.md"
# Fixed time stamp: the same files give the same archive, byte for byte.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class InLanguage:
    """What an archive says to students, in one language.

    Attributes:
        code: of the language, whose notebooks are taken.
        start: the template of ``START.md``.
        guide: the text of ``GUIDE.md``.
        said: returns what the course's title, or a chapter's, is in this language.
        catalog: what checks say, for courses that are not in the wheel; None in English.
    """

    code: str
    start: str
    guide: str
    said: Callable[[str], str] = str
    catalog: Path | None = None


def start_template() -> str:
    """Return the template of ``START.md`` in English."""
    return (TEMPLATES / "START.md.j2").read_text(encoding="utf-8")


def guide_text() -> str:
    """Return the students' guide of the package's course in English.

    Raises:
        GraderError: there is no checkout.
    """
    return (find_checkout("A bundle is made") / "docs" / "students.md").read_text(encoding="utf-8")


def make_bundle(paths: CoursePaths, out: Path, language: InLanguage | None = None) -> dict[str, int]:
    """Write a zip archive with the released notebooks, the package as a wheel, and how to start.

    The wheel holds the visible references. Hidden cases, solutions, banks and oracles are not in the package.

    Args:
        paths: the course whose notebooks are released.
        out: the archive to write, or to replace.
        language: what it says; by default what the package's course says in English.

    Returns:
        The size in bytes of each file in it, by name.

    Raises:
        GraderError: a notebook is not built, or the package cannot be built.
    """
    folder = read_about(paths).folder
    files = {f"{folder}/{name}": content for name, content in _contents(paths, language).items()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    write_whole(out, buffer.getvalue())
    return {name: len(content) for name, content in files.items()}


def _contents(paths: CoursePaths, language: InLanguage | None) -> dict[str, bytes]:
    checkout = find_checkout("A bundle is made")
    language = language or InLanguage(ENGLISH, start_template(), guide_text())
    chapters = chapters_in(paths)
    if not chapters:
        raise GraderError(f"There is no chapter to give out: {paths.solutions} has none.")
    notebooks = {
        f"notebooks/{chapter.stem}/{chapter.stem}.ipynb": paths.student(chapter, language.code)
        for chapter in chapters
    }
    if missing := [path for path in notebooks.values() if not path.is_file()]:
        option = "" if language.code == ENGLISH else f" --language {language.code}"
        raise GraderError(f"{missing[0]} is missing. Run `grader build{option}` first.")
    wheel, package = _wheel(checkout, language.code)
    about = read_about(paths)
    values = {"about": about, "wheel": wheel, "lock": LOCK, "guide": GUIDE}
    titled = [replace(chapter, title=language.said(chapter.title)) for chapter in chapters]
    written = {name: filled(name, **values).encode() for name in ("environment.yml", "requirements.txt")}
    values["about"] = replace(about, title=language.said(about.title))
    written["START.md"] = filled_text(language.start, chapters=titled, **values).encode()
    written[GUIDE] = language.guide.encode()
    copied = {name: checkout / name for name in (LOCK, "LICENSE")} | notebooks
    if language.catalog and any(declared_for(chapter.stem) for chapter in chapters):
        copied[f"reference_outputs/translations/{language.catalog.name}"] = language.catalog
    for chapter in chapters:  # what the wheel does not contain
        built = chapter.folder.iterdir() if declared_for(chapter.stem) else ()
        copied |= {f"reference_outputs/{chapter.stem}/{path.name}": path for path in built}
    return written | {wheel: package} | {name: path.read_bytes() for name, path in copied.items()}


def _wheel(checkout: Path, language: str) -> tuple[str, bytes]:
    """Return the package as students install it, speaking a language by default: its name and content."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
        built = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
        made = list(Path(folder).glob("*.whl"))
        if built.returncode or len(made) != 1:
            raise GraderError(f"The package cannot be built: {built.stderr.strip() or built.stdout.strip()}")
        if language != ENGLISH:
            _add(made[0], str(default_file(Path("grader/reference_outputs"))), language.encode())
        return made[0].name, made[0].read_bytes()


def _add(wheel: Path, name: str, content: bytes) -> None:
    """Add a file to a wheel, and to its ``RECORD``: a line of name, digest and size for each file."""
    with zipfile.ZipFile(wheel) as archive:
        files = [(one, archive.read(one)) for one in archive.infolist()]
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    line = f"{name},sha256={digest},{len(content)}\n".encode()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, held in files:
            archive.writestr(one, line + held if one.filename.endswith(".dist-info/RECORD") else held)
        archive.writestr(zipfile.ZipInfo(name, LONG_AGO), content)
