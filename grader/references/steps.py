"""The steps of an exercise: the intermediate tensors of a right answer.

``steps.safetensors`` in a chapter's folder of references holds them for small visible cases, ``steps.json``
describes them. They affect no score; they show how far a wrong answer is right.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import safetensors.torch
import torch

from grader.errors import ReferenceDataError

STEPS, TENSORS = "steps.json", "steps.safetensors"
FORMAT = 2
REBUILD = "Restore it from version control, or run `grader references steps` if you mean to change it."


@dataclass(frozen=True)
class Form:
    """One of the forms in which a step is right.

    Attributes:
        values: its numbers, float64.
        of: names of the steps that it is made of.
    """

    values: torch.Tensor
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """One step on the way to a result.

    Attributes:
        name: what the course calls it, such as ``scaled scores``.
        axes: names of its axes, one each.
        forms: those in which it is right, the usual one first, such as scores that are scaled and masked,
            then scores that are masked before they are scaled.
        shares: whether the numbers along the last axis are shares, which sum to 1.
        scaled_along: the axis along which all numbers may have one factor more, such as the exponentials of
            numbers from which any other was subtracted; None where no factor is right.
    """

    name: str
    axes: tuple[str, ...]
    forms: tuple[Form, ...]
    shares: bool = False
    scaled_along: int | None = None

    @property
    def values(self) -> torch.Tensor:
        """Its numbers in the usual form."""
        return self.forms[0].values


# The steps of an exercise, by case.
StepsByCase = Mapping[str, tuple[Step, ...]]


def pack_steps(steps: Mapping[str, StepsByCase], made_from: str) -> tuple[str, bytes]:
    """Return a chapter's steps by exercise as the texts of both files.

    Args:
        steps: by exercise and case.
        made_from: digest of the source that they were made by.
    """
    tensors, facts = {}, {}
    for exercise, by_case in steps.items():
        facts[exercise] = {
            case: [
                {
                    "name": step.name,
                    "axes": list(step.axes),
                    "forms": [list(form.of) for form in step.forms],
                    "shares": step.shares,
                    "scaled_along": step.scaled_along,
                }
                for step in listed
            ]
            for case, listed in by_case.items()
        }
        for case, listed in by_case.items():
            for step in listed:
                for number, form in enumerate(step.forms):
                    tensors[f"{exercise}/{case}/{step.name}/{number}"] = form.values.contiguous().clone()
    content = safetensors.torch.save(tensors)
    digest = hashlib.sha256(content).hexdigest()
    manifest = {"format": FORMAT, "made_from": made_from, "sha256": digest, "exercises": facts}
    return json.dumps(manifest, indent=1) + "\n", content


@cache
def _read(folder: Path) -> tuple[Mapping, Mapping[str, torch.Tensor]]:
    path = folder / STEPS
    if not path.is_file():
        return {}, {}
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        content = (folder / TENSORS).read_bytes()
        if manifest["format"] != FORMAT:
            raise ReferenceDataError(
                f"{path} has format {manifest['format']!r}; this version reads {FORMAT}. {REBUILD}"
            )
        if hashlib.sha256(content).hexdigest() != manifest["sha256"]:
            raise ReferenceDataError(
                f"{folder / TENSORS} was altered: its SHA-256 is not that in {path}. {REBUILD}"
            )
        return manifest["exercises"], safetensors.torch.load(content)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ReferenceDataError(f"{path} cannot be read ({error!r}). {REBUILD}") from error


def recorded_steps_origin(folder: Path) -> str | None:
    """Return the digest of the source that a chapter's steps were made by; None where there are no steps."""
    try:
        return json.loads((folder / STEPS).read_bytes())["made_from"]
    except (OSError, ValueError, KeyError, TypeError):
        return None  # reported where the steps are read


@cache
def load_steps(folder: Path, exercise: str) -> StepsByCase:
    """Return an exercise's steps by case; empty where it has none.

    Raises:
        ReferenceDataError: a file is missing or altered.
    """
    facts, tensors = _read(folder)

    def step(case: str, entry: Mapping) -> Step:
        key = f"{exercise}/{case}/{entry['name']}"
        forms = (Form(tensors[f"{key}/{number}"], tuple(of)) for number, of in enumerate(entry["forms"]))
        facts = (entry["shares"], entry["scaled_along"])
        return Step(entry["name"], tuple(entry["axes"]), tuple(forms), *facts)

    try:
        return {
            case: tuple(step(case, one) for one in listed) for case, listed in facts.get(exercise, {}).items()
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ReferenceDataError(
            f"{folder / STEPS} does not fit the tensors beside it ({error!r}). {REBUILD}"
        ) from error
