"""Published values: numbers printed elsewhere for the same computations, and the comparison with ours."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import torch

from grader.errors import ReferenceDataError
from grader.exercises import references_root
from grader.exercises.declaration import closest

FILE = "published_values.json"
# What is expected in it, for messages.
FORM = '{"entries": [{"id": "toy.sums", "values": [1.5, 2.0]}]}'
# The fewest decimals that are taken to be printed: a file of numbers drops zeros at their end.
DECIMALS = 4
# Half a unit of the fourth decimal, as printed, and what float32 may differ by.
PRINTED = 0.5e-4 + 1e-6


def published(folder: Path | None = None) -> dict:
    """Return the file of published values: ``constants``, ``sources`` and ``entries`` by id.

    Args:
        folder: a course's folder of references; the package's has the file if that has none.

    Raises:
        ReferenceDataError: the file is missing or not JSON, or has no entries.
    """
    return _read(_file(folder))


def _file(folder: Path | None) -> Path:
    own = folder / FILE if folder else None
    return own if own and own.is_file() else references_root() / FILE


@cache
def _read(path: Path) -> dict:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ReferenceDataError(f"{path} is missing. Restore it, or write it anew.") from error
    except ValueError as error:
        raise ReferenceDataError(
            f"{path} is not valid JSON ({error}). Mend it there, or restore it."
        ) from error
    try:
        entries = {entry["id"]: entry for entry in content["entries"]}
    except (KeyError, TypeError) as error:
        raise ReferenceDataError(f"{path} has no entries with ids. Expected {FORM}.") from error
    for name, entry in entries.items():
        try:
            np.array(entry["values"], dtype=np.float64)
        except (KeyError, TypeError, ValueError) as error:
            told = f"{path}: the entry {name!r} has no values that are numbers, in rows of equal length."
            raise ReferenceDataError(f"{told} Expected {FORM}.") from error
    return content | {"entries": entries}


def constant(name: str) -> torch.Tensor:
    """Return one of the inputs that the published examples use, float32."""
    return torch.tensor(published()["constants"][name], dtype=torch.float32)


def printed_tolerance(values: object) -> float:
    """Return what numbers may differ by from printed ones: half a unit of the last decimal, and a little.

    Args:
        values: a number or nested lists of numbers, as printed.
    """
    places = max(DECIMALS, _decimals(values))
    return PRINTED * 10.0 ** (DECIMALS - places)


def _decimals(values: object) -> int:
    """Return the largest number of decimals of any of the printed numbers."""
    if isinstance(values, list):
        return max(map(_decimals, values), default=0)
    return len(str(values).partition(".")[2])


def verify_published(entry_id: str, values: torch.Tensor, folder: Path | None = None) -> None:
    """Check values against a published entry.

    Args:
        entry_id: which one.
        values: as computed.
        folder: as of ``published``.

    Raises:
        ReferenceDataError: they differ by more than the print shows.
    """
    entries = published(folder)["entries"]
    if entry_id not in entries:
        where = (folder or references_root()) / FILE
        told = f"There is no published entry {entry_id!r}.{closest(entry_id, entries)} Expected in {where}."
        raise ReferenceDataError(told)
    values_in_print = entries[entry_id]["values"]
    printed = torch.from_numpy(np.array(values_in_print, dtype=np.float64))
    tolerance = printed_tolerance(values_in_print)
    values = values.double()  # bools can be compared, too
    alike = printed.shape == values.shape
    if not alike or not bool(((printed == values) | ((printed - values).abs() <= tolerance)).all()):
        raise ReferenceDataError(
            f"{entry_id}: {apart(printed, values, tolerance, ('the print', 'the oracle'))}. Compare "
            "the entry with the print, then the oracle. Where inputs are drawn, "
            "another machine's generator may draw other numbers: build there."
        )


def apart(
    first: torch.Tensor,
    second: torch.Tensor,
    tolerance: float,
    whose: tuple[str, str] = ("the first", "the second"),
) -> str:
    """Return where two results differ most, with both numbers; or that their shapes differ."""
    one, other = whose
    if first.shape != second.shape:
        return f"{one} gives the shape {tuple(first.shape)}, {other} {tuple(second.shape)}"
    distance = torch.where(first == second, 0.0, (first - second).abs()).nan_to_num(nan=torch.inf)
    place = tuple(map(int, np.unravel_index(int(distance.argmax()), distance.shape)))
    where = f"at {list(place)} " if place else ""
    numbers = f"{one} gives {first[place].item()!r}, {other} {second[place].item()!r}"
    return f"{where}{numbers}; they may differ by {tolerance:g}"
