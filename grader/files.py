"""Write files so that nothing is ever left half written."""

import glob
import os
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
        left.unlink()
