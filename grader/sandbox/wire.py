"""Serialization between the trusted side and a job's process: JSON and safetensors, which cannot run code.

Received data is untrusted: ``read_attempt`` rejects anything that an honest process would not send.
"""

import json
import math
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache

import safetensors
import safetensors.torch
import torch

from grader.checking.device import DEVICES, SECOND
from grader.checking.observation import (
    FORMS,
    SECOND_CAUSES,
    SIDE_EFFECTS,
    Attempt,
    Kind,
    LearnerError,
    Observation,
    Problem,
    SideEffect,
)
from grader.checking.recording import MAX_ELEMENTS, MAX_NUMBER
from grader.checking.steps.recording import MOST_NUMBERS, MOST_TENSORS
from grader.exercises.case import Case, Flag
from grader.exercises.declaration import Declared
from grader.files import MIB
from grader.plain_text import plain
from grader.sandbox.job import Cell, Job, Limits

FACTS = "facts"
# Bytes of all tensors of one attempt, and of its header.
MAX_ATTEMPT = 64 * MIB
MAX_HEADER = 4 * MIB
MAX_NAMES, MAX_NAME, MAX_TEXT, MAX_AXES, MOST_LINES = 10_000, 200, 2000, 64, 2**31
# Attempts that are kept in case the same bytes come again, and the most bytes of one.
MOST_KEPT, MAX_KEPT = 64, MIB // 2
DTYPES = frozenset(("BOOL", "U8", "I8", "I16", "I32", "I64", "F16", "BF16", "F32", "F64"))
ROLES = (
    r"result|second|again|later|fresh|grown|refilled|beside|elsewhere|repeat|train|train again|"
    r"parameter|argument|gradient|separate"
)
TENSOR_NAME = re.compile(rf"(0|[1-9]\d{{0,4}})/((?:{ROLES})(?:/[\w.*\- ]{{1,{MAX_NAME}}})?)", re.ASCII)
TRACED_NAME = re.compile(r"0/(0|[1-9]\d{0,3})", re.ASCII)
# Problems that a job's process may report, with their values; other problems are detected from outside.
OWN_PROBLEMS = {
    "missing": ("subject",),
    "is None": ("subject",),
    "no module": ("subject", "kind"),
    "not inherited": ("subject",),
    "no class": ("subject", "kind"),
    "no function": ("subject", "kind"),
    "no Python": ("reason", "line", "source"),
    "raised": (),
    "too large": ("subject", "size"),
    "stopped": ("subject", "seconds"),
}
KNOWN_DEVICES = frozenset((*DEVICES, SECOND))


class HostileError(Exception):
    """The received data is not what an honest process would have sent."""


def _pack(facts: object, groups: Sequence[Mapping[str, torch.Tensor]]) -> bytes:
    """Return what ``safetensors.torch.save`` would, without its search for tensors that share memory.

    These may share it, and the search takes several times as long as all the rest.
    """
    tensors = {
        f"{number}/{name}": tensor.detach().contiguous()
        for number, group in enumerate(groups)
        for name, tensor in group.items()
    }
    specs = {
        key: safetensors.TensorSpec(
            dtype=str(tensor.dtype).removeprefix("torch."),
            shape=list(tensor.shape),
            data_ptr=tensor.data_ptr(),
            data_len=tensor.nbytes,
        )
        for key, tensor in tensors.items()
    }
    return bytes(safetensors.serialize(specs, metadata={FACTS: json.dumps(facts)}))


def _header(content: bytes) -> dict:
    """Return the header of safetensors bytes."""
    if len(content) < 8:
        raise HostileError("no header")
    (length,) = struct.unpack("<Q", content[:8])
    if length > min(MAX_HEADER, len(content) - 8):
        raise HostileError("a header of wrong length")
    return _object(load_json(content[8 : 8 + length]))


def _groups(content: bytes, count: int) -> list[dict[str, torch.Tensor]]:
    groups: list[dict[str, torch.Tensor]] = [{} for _ in range(count)]
    for key, tensor in safetensors.torch.load(content).items():
        number, _, name = key.partition("/")
        groups[int(number)][name] = tensor
    return groups


def pack_job(job: Job, left_out: Sequence[int]) -> bytes:
    """Return a job without its cases, and which cells to leave out, as JSON."""
    cells = [asdict(cell) for cell in job.cells]
    facts = {"cells": cells, "limits": asdict(job.limits), "device": job.device, "left_out": list(left_out)}
    facts |= {"hidden": list(job.hidden), "files": dict(job.files)}
    return json.dumps(facts | {"declared": [asdict(one) for one in job.declared]}).encode()


def unpack_job(content: bytes) -> tuple[Job, frozenset[int]]:
    """Return what ``pack_job`` packed."""
    facts = json.loads(content)
    cells = tuple(Cell(**cell) for cell in facts["cells"])
    hidden = dict.fromkeys(facts["hidden"], ())
    declared = tuple(Declared(**one) for one in facts["declared"])
    job = Job(cells, {}, Limits(**facts["limits"]), facts["device"], hidden, facts["files"], declared)
    return job, frozenset(facts["left_out"])


def pack_cases(cases: Sequence[Case]) -> bytes:
    """Return cases: inputs and weights, nothing that tells what the answer should be."""
    return _pack([case.to_facts() for case in cases], [case.to_tensors() for case in cases])


def unpack_cases(content: bytes) -> tuple[Case, ...]:
    """Return what ``pack_cases`` packed."""
    facts = json.loads(_header(content)["__metadata__"][FACTS])
    groups = _groups(content, len(facts))
    return tuple(Case.from_parts(one, group) for one, group in zip(facts, groups, strict=True))


def pack_attempt(attempt: Attempt) -> bytes:
    """Serialize an attempt."""
    facts = {
        "problem": asdict(attempt.problem) if attempt.problem else None,
        "observations": [
            {
                "case": seen.case,
                "devices": dict(seen.devices),
                "kinds": {name: asdict(kind) for name, kind in seen.kinds.items()},
                "flags": dict(seen.flags),
                "attributes": dict(seen.attributes),
                "registered": seen.registered,
                "shared": seen.shared,
                "buffers": seen.buffers,
                "stranded": seen.unregistered_tensors,
                "calls": list(seen.calls),
                "raised": asdict(seen.raised) if seen.raised else None,
                "later_errors": {name: asdict(error) for name, error in seen.later_errors.items()},
                "side_effects": [asdict(one) for one in seen.side_effects],
                "second_cause": seen.second_cause,
            }
            for seen in attempt.observations
        ],
    }
    return _pack(facts, [seen.tensors for seen in attempt.observations])


def load_json(content: bytes | str) -> object:
    """Return what JSON text says.

    Raises:
        HostileError: it is none, too deep, or has numbers that are not finite.
    """
    try:
        return json.loads(content, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise HostileError(f"no JSON: {error}") from error


def _refuse_constant(name: str) -> None:
    raise HostileError(f"the number {name}")


def _object(value: object) -> dict:
    if not isinstance(value, dict):
        raise HostileError(f"expected an object, got {type(value).__name__}")
    return value


def _list(value: object) -> list:
    if not isinstance(value, list) or len(value) > MAX_NAMES:
        raise HostileError("expected a list of bearable length")
    return value


def _text(value: object, most: int = MAX_TEXT) -> str:
    if not isinstance(value, str):
        raise HostileError(f"expected a text, got {type(value).__name__}")
    return plain(value[:most])


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value < MOST_LINES:
        raise HostileError("a number that is none")
    return value


def _names(value: object) -> tuple[str, ...]:
    return tuple(_text(one, MAX_NAME) for one in _list(value))


def _texts(value: object) -> dict[str, str]:
    """Return a mapping from the names of tensors to texts."""
    items = _object(value).items()
    if len(items) > MAX_NAMES:
        raise HostileError("too many names")
    return {_text(name, MAX_NAME): _text(text, MAX_NAME) for name, text in items}


def _kinds(value: object) -> dict[str, Kind]:
    items = _object(value).items()
    if len(items) > MAX_NAMES:
        raise HostileError("too many names")
    return {_text(name, MAX_NAME): _kind(one) for name, one in items}


def _kind(value: object) -> Kind:
    name, form, detail = (_text(_object(value).get(part), MAX_NAME) for part in ("name", "form", "detail"))
    return Kind(name, _one_of(tuple(FORMS), form), detail)


def _error(value: object) -> LearnerError:
    facts = _object(value)
    if not (type_name := _text(facts.get("type_name"), MAX_NAME)).isidentifier():
        raise HostileError("an exception without a name")
    return LearnerError(
        type_name,
        _text(facts.get("message")),
        _count(facts.get("line")),
        _text(facts.get("function"), MAX_NAME),
        _text(facts.get("source")),
        facts.get("own") is True,
        _names(facts.get("bases")),
    )


def _one_of(known: tuple[str, ...], value: object) -> str:
    if value not in known:
        raise HostileError("an unknown word")
    return str(value)


def _flag(name: str) -> Flag:
    if name not in set(Flag):
        raise HostileError("an unknown flag")
    return Flag(name)


def _attributes(value: object) -> dict[str, int | str]:
    """Return a module's numbers by name; of what is no int, the name of its type."""
    items = _object(value).items()
    if len(items) > MAX_NAMES:
        raise HostileError("too many names")
    return {
        _text(name, MAX_NAME): _number(one) if type(one) is int else _text(one, MAX_NAME)
        for name, one in items
    }


def _number(value: int) -> int:
    if abs(value) > MAX_NUMBER:
        raise HostileError("a giant number")
    return value


def _side_effect(value: object) -> SideEffect:
    facts = _object(value)
    return SideEffect(_one_of(SIDE_EFFECTS, facts.get("kind")), _text(facts.get("name"), MAX_NAME))


def _problem(value: object) -> Problem:
    facts = _object(value)
    kind, values, error = _text(facts.get("kind")), _object(facts.get("values")), facts.get("error")
    if set(values) != set(OWN_PROBLEMS.get(kind, ("unknown",))) or (kind == "raised") != (error is not None):
        raise HostileError("an unknown problem")
    told = {name: _count(one) if type(one) is int else _text(one) for name, one in values.items()}
    return Problem(kind, told, None if error is None else _error(error))


def _check_tensors(header: dict, count: int) -> None:
    """Refuse tensors of unknown names, kinds and sizes, and too many numbers, before any of them is made."""
    numbers = 0
    if len(header) > MAX_NAMES:
        raise HostileError("too many tensors")
    for key, value in header.items():
        facts, name = _object(value), TENSOR_NAME.fullmatch(key)
        shape, elements = _list(facts.get("shape")), 1
        if not name or int(name[1]) >= count:
            raise HostileError("a tensor of an unknown name")
        if facts.get("dtype") not in DTYPES or len(shape) > MAX_AXES:
            raise HostileError("a tensor of an unknown kind")
        for size in shape:
            if type(size) is not int or not 0 <= size <= MAX_ELEMENTS:
                raise HostileError("a tensor of an unknown shape")
            elements *= max(size, 1)
        numbers += elements
        if numbers > MAX_ELEMENTS:
            raise HostileError("giant tensors")


def _pair(value: object) -> tuple[str, str]:
    names = _names(value)
    if len(names) != 2:
        raise HostileError("expected two names")
    return names


def _observation(value: object, tensors: dict[str, torch.Tensor]) -> Observation:
    facts = _object(value)
    devices = _texts(facts.get("devices"))
    if not set(devices) <= set(tensors) or not set(devices.values()) <= KNOWN_DEVICES:
        raise HostileError("a result on an unknown device")
    registered, raised = facts.get("registered"), facts.get("raised")
    return Observation(
        case=_text(facts.get("case"), MAX_NAME),
        tensors=tensors,
        devices=devices,
        kinds=_kinds(facts.get("kinds")),
        flags={_flag(name): value is True for name, value in _object(facts.get("flags")).items()},
        attributes=_attributes(facts.get("attributes")),
        registered=None if registered is None else _names(registered),
        shared=tuple(_pair(one) for one in _list(facts.get("shared"))),
        buffers=_names(facts.get("buffers")),
        unregistered_tensors=_names(facts.get("stranded")),
        calls=_names(facts.get("calls")),
        raised=None if raised is None else _error(raised),
        later_errors={
            _text(name, MAX_NAME): _error(error) for name, error in _object(facts.get("later_errors")).items()
        },
        side_effects=tuple(_side_effect(one) for one in _list(facts.get("side_effects"))),
        second_cause=_one_of(SECOND_CAUSES, facts.get("second_cause")),
    )


def read_attempt(content: bytes, cases: Sequence[str]) -> Attempt:
    """Read an attempt sent by a process that a learner's code may have taken over.

    Right answers mostly compute the same numbers in the same order, so that a class sends the same bytes over
    and over: the same bytes give the same object again, and what was found out about it holds.

    Args:
        content: what arrived.
        cases: the names of the cases that were sent, in their order.

    Raises:
        HostileError: it is nothing that an honest process would have sent for these cases.
    """
    return (_read_again if len(content) <= MAX_KEPT else _read)(content, tuple(cases))


def _read(content: bytes, cases: tuple[str, ...]) -> Attempt:
    header = _header(content)
    facts = _object(load_json(_text(_object(header.pop("__metadata__", None)).get(FACTS), MAX_HEADER)))
    if facts.get("problem") is not None:
        return Attempt(problem=_problem(facts["problem"]))
    seen = _list(facts.get("observations"))
    if [_object(one).get("case") for one in seen] != list(cases):
        raise HostileError("other cases than were sent")
    _check_tensors(header, len(seen))
    groups = _read_groups(content, len(seen))
    return Attempt(tuple(_observation(one, group) for one, group in zip(seen, groups, strict=True)))


_read_again = lru_cache(MOST_KEPT)(_read)


def _read_groups(content: bytes, count: int) -> list[dict[str, torch.Tensor]]:
    try:
        return _groups(content, count)
    except (
        safetensors.SafetensorError,
        ValueError,
        TypeError,
        KeyError,
        RuntimeError,
        OverflowError,
    ) as error:
        raise HostileError(f"tensors that cannot be read: {error}") from error


def pack_traced(tensors: Sequence[torch.Tensor]) -> bytes:
    """Return the tensors that an answer made on one case."""
    return _pack([], [{str(place): tensor for place, tensor in enumerate(tensors)}])


def read_traced(content: bytes) -> tuple[torch.Tensor, ...]:
    """Return what ``pack_traced`` packed, sent by a process that a learner's code may have taken over.

    Raises:
        HostileError: it is nothing that an honest process would have sent.
    """
    header = _header(content)
    header.pop("__metadata__", None)
    if len(header) > MOST_TENSORS or not all(TRACED_NAME.fullmatch(name) for name in header):
        raise HostileError("tensors of unknown names")
    for facts in map(_object, header.values()):
        shape = _list(facts.get("shape"))
        known = facts.get("dtype") == "F64" and len(shape) <= MAX_AXES
        if not known or not all(type(size) is int and 0 <= size <= MOST_NUMBERS for size in shape):
            raise HostileError("a tensor of an unknown kind")
        if math.prod(shape) > MOST_NUMBERS:
            raise HostileError("a giant tensor")
    (group,) = _read_groups(content, 1)
    return tuple(group[name] for name in sorted(group, key=int))
