"""A TOML file of entries that commands append to and people edit: comments and formatting are kept."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import tomlkit


def now() -> datetime:
    """Return the time that an entry is given."""
    return datetime.now(UTC).replace(microsecond=0)


def entries_of(path: Path, table: str, head: str) -> tomlkit.TOMLDocument:
    """Return the file, with comments that somebody wrote into it; a new one where there is none.

    Args:
        path: the file.
        table: what its entries are called.
        head: the comment at the beginning of a new one.
    """
    if path.is_file():
        document = tomlkit.parse(path.read_text(encoding="utf-8"))
    else:
        document = tomlkit.document()
        for line in head.splitlines():
            document.add(tomlkit.comment(line))
    document.setdefault(table, tomlkit.aot())
    return document


def new_entry(values: Mapping[str, object]) -> tomlkit.items.Table:
    """Return an entry of what there is: no empty text, nothing that is None."""
    entry = tomlkit.table()
    for name, value in values.items():
        if value not in ("", None):
            entry.add(name, value)
    entry.add(tomlkit.nl())
    return entry
