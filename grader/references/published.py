"""Numbers that others printed for the same computations, and whether ours agree with them."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import torch

from grader.errors import ReferenceDataError
from grader.references.store import references_root

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


def verify_published(entry_id: str, values: torch.Tensor) -> None:
    """Check values against a published entry.

    Raises:
        ReferenceDataError: they differ by more than the print shows.
    """
    if entry_id not in published()["entries"]:
        raise ReferenceDataError(f"There is no published entry {entry_id!r}.")
    printed = torch.from_numpy(np.array(published()["entries"][entry_id]["values"], dtype=np.float64))
    if printed.shape != values.shape:
        raise ReferenceDataError(
            f"{entry_id}: published with shape {tuple(printed.shape)}, computed {tuple(values.shape)}."
        )
    distance = torch.where(printed == values, 0.0, (printed - values.double()).abs())
    worst = float(distance.max())
    if not worst <= PRINTED:  # also when it is NaN
        raise ReferenceDataError(
            f"{entry_id}: the computed values differ from the published ones by up to {worst:.2e}, more than "
            f"{PRINTED:.2e}. If this machine's generator draws other numbers, regenerate on another machine."
        )
