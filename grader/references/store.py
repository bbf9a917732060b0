"""Read the reference folder of a chapter.

``manifest.json`` names every tensor with its shape, dtype, tolerance, producer and SHA-256;
``cases.safetensors`` holds inputs, weights and expected tensors; ``known_wrong.safetensors`` what the known
wrong answers return on the same cases; ``fingerprints.safetensors`` what families of wrong answers
and answers with two mistakes return, as fingerprints. safetensors cannot run code, unlike a pickle.

The cases that only grading uses are stored in the same way, without the last two files, on the
instructor's side: ``solutions/<chapter>/grading_cases/``, which no student's copy of the course holds.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

import safetensors.torch
import torch

from grader.course.paths import CoursePaths
from grader.errors import ReferenceDataError
from grader.exercises import folder_of
from grader.exercises.case import Case, Flag
from grader.exercises.declaration import COMPILED
from grader.references.steps import STEPS, StepsByCase, load_steps

MANIFEST = "manifest.json"
CASES = "cases.safetensors"
KNOWN_WRONG = "known_wrong.safetensors"
FINGERPRINTS = "fingerprints.safetensors"
FORMAT = 5
REBUILD = "Restore it from version control, or run `grader references build` if you mean to change it."


@dataclass(frozen=True)
class Expected:
    """One expected tensor: its float64 values, the dtype an answer must have, the tolerance per device."""

    values: torch.Tensor
    dtype: torch.dtype
    tolerance: Mapping[str, float]


@dataclass(frozen=True)
class Raised:
    """The name of the exception type that an answer raised instead of returning."""

    type_name: str


@dataclass(frozen=True)
class KnownWrong:
    """A known wrong answer: its name in the bank, its codes, and what it did on each case.

    ``also`` are the codes of consequences of the mistake, which are found without numbers.
    """

    answer: str
    codes: tuple[str, ...]
    outcomes: Mapping[str, Mapping[str, torch.Tensor] | Raised]
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fingerprints:
    """Fingerprints of further wrong answers, including those with two mistakes.

    Attributes:
        cases: the visible cases that fingerprints are of.
        prints: fingerprints (answers, cases, fields), float32.
        codes: of the mistakes, by answer, the cause first.
        whole: by answer, whether these are all of its mistakes; not so where several pairs that share one
            return the same.
    """

    cases: tuple[str, ...]
    prints: torch.Tensor
    codes: tuple[tuple[str, ...], ...]
    whole: tuple[bool, ...]


NO_FINGERPRINTS = Fingerprints((), torch.zeros(0, 0, 0), (), ())


@dataclass(frozen=True)
class ExerciseReference:
    """The references of one exercise: everything that it is judged by.

    Attributes:
        cases: what the subject is run on.
        expected: expected tensors by case and name.
        raises: the exception that an answer has to raise, by case, where one is asked for.
        flags: required flags by case, if any.
        attributes: the numbers that a module has to hold, by case and name, where that is asked for.
        codes: every code that the exercise's bank declares, and those of families of mistakes.
        read_known_wrong: reads the known wrong answers, which only a wrong answer needs.
        read_fingerprints: reads what more wrong answers return, which only an answer that is none of the
            known ones needs.
        read_steps: reads the steps of the exercise, which only a wrong answer needs.
    """

    cases: tuple[Case, ...]
    expected: Mapping[str, Mapping[str, Expected]]
    raises: Mapping[str, str]
    codes: tuple[str, ...]
    read_known_wrong: Callable[[], tuple[KnownWrong, ...]]
    flags: Mapping[str, Mapping[Flag, bool]] = field(default_factory=dict)
    attributes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    read_fingerprints: Callable[[], Fingerprints] = lambda: NO_FINGERPRINTS
    read_steps: Callable[[], StepsByCase] = dict

    @cached_property
    def visible(self) -> tuple[Case, ...]:
        """The cases that a learner may see."""
        return tuple(case for case in self.cases if case.visible)

    @cached_property
    def hidden(self) -> tuple[Case, ...]:
        """The cases that only grading uses."""
        return tuple(case for case in self.cases if not case.visible)

    @cached_property
    def known_wrong(self) -> tuple[KnownWrong, ...]:
        """What the known wrong answers did on the same cases."""
        return self.read_known_wrong()

    @cached_property
    def fingerprints(self) -> Fingerprints:
        """What more wrong answers return, in brief."""
        return self.read_fingerprints()

    @cached_property
    def steps(self) -> StepsByCase:
        """What a right answer comes to on its way, by case; empty where there is nothing but the result."""
        return self.read_steps()


def grading_folders(stem: str, paths: CoursePaths) -> tuple[Path, Path]:
    """Return the folders of a chapter's visible and hidden cases, each the course's own if it has one.

    Visible ones are else where a notebook's ``check`` finds them, hidden ones in the package's checkout. A
    package that is installed without its checkout brings none: it is what students install, too.
    """
    visible, hidden = paths.references / stem, paths.grading_cases(stem)
    beside_package = CoursePaths(Path(__file__).resolve().parents[2]).grading_cases(stem)
    return (
        visible if visible.is_dir() else folder_of(stem),
        beside_package if beside_package.is_dir() and not hidden.is_dir() else hidden,
    )


def tensor_digest(tensor: torch.Tensor) -> str:
    """Return the SHA-256 of a tensor's bytes."""
    return hashlib.sha256(tensor.contiguous().numpy().tobytes()).hexdigest()


def read_manifest(folder: Path, *, any_format: bool = False) -> dict:
    """Return a chapter's manifest.

    Args:
        folder: that of the chapter.
        any_format: whether that of another version of the grader will do, as where it is to be replaced.

    Raises:
        ReferenceDataError: it is missing, unreadable or of another format.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ReferenceDataError(f"{path} is missing. {REBUILD}") from error
    except ValueError as error:
        raise ReferenceDataError(f"{path} is not valid JSON ({error}). {REBUILD}") from error
    if not isinstance(manifest, dict):
        raise ReferenceDataError(f"{path} is no JSON object. {REBUILD}")
    if manifest.get("format") != FORMAT and not any_format:
        raise ReferenceDataError(
            f"{path} has format {manifest.get('format')!r}; this version reads format {FORMAT}. {REBUILD}"
        )
    return manifest


def read_tensors(folder: Path, name: str, manifest: Mapping) -> dict[str, torch.Tensor]:
    """Return the tensors of one file, whose SHA-256 must be the manifest's.

    Raises:
        ReferenceDataError: the file is missing or altered.
    """
    path = folder / name
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise ReferenceDataError(f"{path} is missing. {REBUILD}") from error
    digest = hashlib.sha256(content).hexdigest()
    expected = manifest["files"][name]["sha256"]
    if digest != expected:
        raise ReferenceDataError(
            f"{path} was altered: its SHA-256 is {digest}, expected {expected}. {REBUILD}"
        )
    return safetensors.torch.load(content)


def _below(tensors: Mapping[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    # In a fixed order: safetensors hands them out in any.
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in sorted(tensors.items())
        if name.startswith(prefix)
    }


def _load_case(
    exercise_id: str, facts: Mapping, tensors: Mapping[str, torch.Tensor], manifest: Mapping
) -> tuple[Case, dict[str, Expected]]:
    own = _below(tensors, f"{facts['name']}/")
    expected = {}
    for name, values in _below(own, "expected/").items():
        entry = manifest["tensors"][f"{exercise_id}/{facts['name']}/expected/{name}"]
        expected[name] = Expected(values, getattr(torch, entry["answer_dtype"]), entry["tolerance"])
    return Case.from_parts(facts, own), expected


def _load_known_wrong(entry: Mapping, tensors: Mapping[str, torch.Tensor]) -> KnownWrong:
    outcomes = {
        case: Raised(outcome["raised"])
        if "raised" in outcome
        else {name: tensors[key] for name, key in outcome["tensors"].items()}
        for case, outcome in entry["outcomes"].items()
    }
    return KnownWrong(entry["answer"], tuple(entry["codes"]), outcomes, tuple(entry["also"]))


@cache
def _read(folder: Path, name: str) -> dict[str, torch.Tensor]:
    return read_tensors(folder, name, _manifest(folder))


@cache
def _manifest(folder: Path) -> dict:
    return read_manifest(folder)


@cache
def _load_exercise(folder: Path, exercise_id: str) -> ExerciseReference:
    manifest = _manifest(folder)
    if exercise_id not in manifest["exercises"]:
        raise ReferenceDataError(f"{folder / MANIFEST} has nothing for {exercise_id}. {REBUILD}")
    entry = manifest["exercises"][exercise_id]
    tensors = _below(_read(folder, CASES), f"{exercise_id}/")
    loaded = [_load_case(exercise_id, facts, tensors, manifest) for facts in entry["cases"]]

    def read_known_wrong() -> tuple[KnownWrong, ...]:
        wrong = _read(folder, KNOWN_WRONG)
        return tuple(_load_known_wrong(known, wrong) for known in entry["known_wrong"])

    def read_fingerprints() -> Fingerprints:
        stored, codes = _read(folder, FINGERPRINTS), entry["codes"]
        places = stored[f"{exercise_id}/codes"].tolist()
        return Fingerprints(
            tuple(entry["fingerprint_cases"]),
            stored[f"{exercise_id}/prints"],
            tuple(tuple(codes[place] for place in one if place >= 0) for one in places),
            tuple(stored[f"{exercise_id}/whole"].tolist()),
        )

    return ExerciseReference(
        cases=tuple(case for case, _ in loaded),
        expected={case.name: expected for case, expected in loaded},
        raises=entry["raises"],
        codes=tuple(entry["codes"]),
        read_known_wrong=read_known_wrong,
        flags={
            case: {Flag(name): asked for name, asked in flags.items()}
            for case, flags in entry["flags"].items()
        },
        attributes=entry["attributes"],
        read_fingerprints=read_fingerprints,
        read_steps=lambda: load_steps(folder, exercise_id),
    )


def load_exercise(stem: str, exercise_id: str, root: Path | None = None) -> ExerciseReference:
    """Return one exercise's references; each file is read once in a process.

    Raises:
        ReferenceDataError: a file is missing or altered, or the chapter's manifest lacks the exercise.
    """
    return load_from(root / stem if root else folder_of(stem), exercise_id)


def load_from(folder: Path, exercise_id: str) -> ExerciseReference:
    """Return what a folder has for one exercise.

    Raises:
        ReferenceDataError: a file is missing or altered, or the folder's manifest lacks the exercise.
    """
    try:
        return _load_exercise(folder, exercise_id)
    except (KeyError, TypeError, AttributeError) as error:
        raise ReferenceDataError(
            f"{folder / MANIFEST} does not fit the stored tensors ({error!r}). {REBUILD}"
        ) from error


def stored_cases(folder: Path) -> list[Case]:
    """Return the cases of all exercises in a folder, which may be written anew afterwards.

    None if there are no references, or none that this version reads: they are what is to be replaced.
    """
    try:
        manifest = read_manifest(folder)
        tensors = read_tensors(folder, CASES, manifest)
        return [
            Case.from_parts(facts, _below(tensors, f"{name}/{facts['name']}/"))
            for name, entry in manifest["exercises"].items()
            for facts in entry["cases"]
        ]
    except (ReferenceDataError, KeyError, TypeError, AttributeError):
        return []


def load_for_grading(stem: str, exercise_id: str, paths: CoursePaths) -> ExerciseReference:
    """Return what grading judges an exercise by: the visible cases, then those that only grading uses.

    Raises:
        ReferenceDataError: a file is missing or altered, lacks the exercise, or the two sets do not go
            together.
    """
    return _load_joined(*grading_folders(stem, paths), exercise_id)


@cache
def _load_joined(visible: Path, hidden: Path, exercise_id: str) -> ExerciseReference:
    return joined(load_from(visible, exercise_id), load_from(hidden, exercise_id), str(hidden))


def joined(visible: ExerciseReference, hidden: ExerciseReference, source: str) -> ExerciseReference:
    """Return visible and hidden cases as one reference, the visible ones first.

    Raises:
        ReferenceDataError: a case of the second set may be seen, or has the name of one of the first;
            ``source`` is where it is from.
    """
    taken = {case.name for case in visible.cases}
    for case in hidden.cases:
        if case.visible or case.name in taken:
            raise ReferenceDataError(f"{source}: the case {case.name!r} cannot be a hidden one. {REBUILD}")
    return replace(
        visible,
        cases=visible.cases + hidden.cases,
        expected={**visible.expected, **hidden.expected},
        raises={**visible.raises, **hidden.raises},
        flags={**visible.flags, **hidden.flags},
        attributes={**visible.attributes, **hidden.attributes},
    )


def grading_digest(stem: str, paths: CoursePaths) -> str:
    """Return a SHA-256 that changes with anything that a chapter's grading is judged by.

    Raises:
        ReferenceDataError: a manifest is missing or unreadable.
    """
    digest = hashlib.sha256()
    for folder in grading_folders(stem, paths):
        read_manifest(folder)  # whose entries contain the digests of everything else
        digest.update((folder / MANIFEST).read_bytes())
        for name in (STEPS, COMPILED):
            if (folder / name).is_file():
                digest.update((folder / name).read_bytes())
    return digest.hexdigest()
