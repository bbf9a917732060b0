"""Published values: numbers printed elsewhere for the same computations, and the comparison with ours."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import torch

from grader.errors import ReferenceDataError
from grader.exercises import references_root

# The fewest decimals that are taken to be printed: a file of numbers drops zeros at their end.
DECIMALS = 4
# Half a unit of the fourth decimal, as printed, and what float32 may differ by.
PRINTED = 0.5e-4 + 1e-6


def published() -> dict:
    """Return the file of published values: ``constants``, ``sources`` and ``entries`` by id.

    Raises:
        ReferenceDataError: the file is missing or not JSON.
    """
    return _read(references_root() / "published_values.json")


@cache
def _read(path: Path) -> dict:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ReferenceDataError(f"{path} is missing. Restore it from version control.") from error
    except ValueError as error:
        raise ReferenceDataError(
            f"{path} is not valid JSON ({error}). Restore it from version control."
        ) from error
    return content | {"entries": {entry["id"]: entry for entry in content["entries"]}}


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


def verify_published(entry_id: str, values: torch.Tensor) -> None:
    """Check values against a published entry.

    Raises:
        ReferenceDataError: they differ by more than the print shows.
    """
    if entry_id not in published()["entries"]:
        raise ReferenceDataError(f"There is no published entry {entry_id!r}.")
    values_in_print = published()["entries"][entry_id]["values"]
    printed = torch.from_numpy(np.array(values_in_print, dtype=np.float64))
    tolerance = printed_tolerance(values_in_print)
    if printed.shape != values.shape:
        raise ReferenceDataError(
            f"{entry_id}: published with shape {tuple(printed.shape)}, computed {tuple(values.shape)}."
        )
    distance = torch.where(printed == values, 0.0, (printed - values.double()).abs())
    worst = float(distance.max())
    if not worst <= tolerance:  # also when it is NaN
        raise ReferenceDataError(
            f"{entry_id}: the computed values differ from the published ones by up to {worst:.2e}, more than "
            f"{tolerance:.2e}. If this machine's generator draws other numbers, regenerate on another "
            "machine."
        )
