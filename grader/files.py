"""Write files atomically, read TOML files that people write; the unit of limits on sizes."""

import glob
import os
import shutil
import tempfile
import tomllib
from pathlib import Path

from grader.errors import GraderError

MIB = 2**20


def read_toml(path: Path) -> dict[str, object]:
    """Return what a TOML file says: nothing where there is no such file.

    Raises:
        GraderError: it cannot be read.
    """
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:  # no file, no UTF-8, no TOML
        raise GraderError(f"{path} cannot be read: {error}") from error


def read_entries(path: Path, table: str) -> list[object]:
    """Return the entries of a TOML file that holds nothing but ``[[table]]``; none without the file.

    Raises:
        GraderError: it cannot be read, or holds something else.
    """
    content = read_toml(path)
    entries = content.get(table, [])
    if set(content) - {table} or not isinstance(entries, list):
        raise GraderError(f"{path}: expected nothing but entries that begin with [[{table}]].")
    return entries


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a temporary file and rename it, so that readers see the old or the new content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def remove_unfinished(path: Path) -> None:
    """Remove temporary files that an interrupted ``write_whole`` has left."""
    for left in path.parent.glob(f".{glob.escape(path.name)}-*"):
        clear_place(left)


def clear_place(path: Path) -> None:
    """Remove whatever is at a path: a folder with its contents, a link but never its target."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_if_changed(path: Path, text: str) -> None:
    """Write a text to a file unless it has that content already, replacing whatever else is at the path."""
    content = text.encode()
    if not _holds(path, content):
        remove_unfinished(path)
        if path.is_dir():
            clear_place(path)
        write_whole(path, content)


def _holds(path: Path, content: bytes) -> bool:
    if path.is_symlink() or not path.is_file() or path.stat().st_size != len(content):
        return False
    return path.read_bytes() == content
