"""Write files so that nothing is ever left half written."""

import glob
import os
import shutil
import tempfile
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file beside its place and rename it there, so that readers see the old or the new one."""
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
    """Remove what ``write_whole`` has left beside a file if it was killed in the middle."""
    for left in path.parent.glob(f".{glob.escape(path.name)}-*"):
        clear_place(left)


def clear_place(path: Path) -> None:
    """Remove what is in a file's place: a folder with all that is in it, and never what a link leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_if_changed(path: Path, text: str) -> None:
    """Have a file hold a text, whatever others may have put in its place; one that does is left alone."""
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
