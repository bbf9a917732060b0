"""What is sent to the learner's process and what comes back: safetensors files, which cannot run code."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import safetensors.torch
import torch
from safetensors import safe_open

from grader.checking.observation import Attempt, LearnerError, Observation, Problem
from grader.exercises.case import Case

FACTS = "facts"


def _write(path: Path, facts: object, groups: Sequence[dict[str, torch.Tensor]]) -> None:
    tensors = {
        f"{number}/{name}": tensor.clone()
        for number, group in enumerate(groups)
        for name, tensor in group.items()
    }
    safetensors.torch.save_file(tensors, path, metadata={FACTS: json.dumps(facts)})


def _read(path: Path) -> tuple[object, list[dict[str, torch.Tensor]]]:
    with safe_open(path, framework="pt") as file:
        facts = json.loads(file.metadata()[FACTS])
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    groups: dict[int, dict[str, torch.Tensor]] = {}
    for key, tensor in tensors.items():
        number, _, name = key.partition("/")
        groups.setdefault(int(number), {})[name] = tensor
    return facts, [groups.get(number, {}) for number in range(max(groups, default=-1) + 1)]


def write_cases(path: Path, cases: Sequence[Case]) -> None:
    """Write cases: inputs and weights, nothing that tells what the answer should be."""
    _write(path, [case.to_facts() for case in cases], [case.to_tensors() for case in cases])


def read_cases(path: Path) -> tuple[Case, ...]:
    """Read what ``write_cases`` wrote."""
    facts, groups = _read(path)
    groups += [{}] * (len(facts) - len(groups))
    return tuple(Case.from_parts(one, group) for one, group in zip(facts, groups, strict=True))


def write_attempt(path: Path, attempt: Attempt) -> None:
    """Write what came of an attempt."""
    facts = {
        "problem": asdict(attempt.problem) if attempt.problem else None,
        "observations": [
            {
                "case": seen.case,
                "devices": dict(seen.devices),
                "kinds": dict(seen.kinds),
                "registered": seen.registered,
                "buffers": seen.buffers,
                "stranded": seen.stranded,
                "calls": list(seen.calls),
                "raised": asdict(seen.raised) if seen.raised else None,
                "later_errors": {name: asdict(error) for name, error in seen.later_errors.items()},
            }
            for seen in attempt.observations
        ],
    }
    _write(path, facts, [dict(seen.tensors) for seen in attempt.observations])


def started_mark(result: Path) -> Path:
    """Return the file that the learner's process makes when it has started and read its cases."""
    return result.with_suffix(".started")


def read_attempt(path: Path) -> Attempt:
    """Read what ``write_attempt`` wrote."""
    facts, groups = _read(path)
    groups += [{}] * (len(facts["observations"]) - len(groups))
    observations = tuple(
        Observation(
            case=one["case"],
            tensors=group,
            devices=one["devices"],
            kinds=one["kinds"],
            registered=None if one["registered"] is None else tuple(one["registered"]),
            buffers=tuple(one["buffers"]),
            stranded=tuple(one["stranded"]),
            calls=tuple(one["calls"]),
            raised=LearnerError(**one["raised"]) if one["raised"] else None,
            later_errors={name: LearnerError(**error) for name, error in one["later_errors"].items()},
        )
        for one, group in zip(facts["observations"], groups, strict=True)
    )
    return Attempt(observations, Problem(**facts["problem"]) if facts["problem"] else None)
