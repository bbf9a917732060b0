"""Verify stored references: unaltered, equal to the oracle's results, and valid for the bank."""

from pathlib import Path

import torch

from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.proving.bank import bank_path, read_bank
from grader.proving.kept_inputs import inputs_kept
from grader.proving.posed import check_posed, check_published
from grader.proving.proof import indistinct, prove, prove_hidden
from grader.proving.recipe import Solved, hidden_cases_of, load_recipe, visible_cases
from grader.proving.steps import verify_steps
from grader.proving.tolerances import largest_difference
from grader.references import load_exercise
from grader.references.store import (
    CASES,
    FINGERPRINTS,
    KNOWN_WRONG,
    load_from,
    read_manifest,
    read_tensors,
    tensor_digest,
)
from grader.references.unbuilt import unbuilt_references

# Between two computations of the same closed form in float64.
ORACLE_TOLERANCE = 1e-9


def _altered(folder: Path, manifest: dict, *files: str) -> list[str]:
    """Compare every tensor with its manifest entry."""
    tensors = {name: one for file in files for name, one in read_tensors(folder, file, manifest).items()}
    problems = [
        f"{name} is stored, but not in the manifest" for name in tensors.keys() - manifest["tensors"].keys()
    ]
    for name, entry in manifest["tensors"].items():
        if name not in tensors:
            problems.append(f"{name} is in the manifest, but not stored")
        elif tensor_digest(tensors[name]) != entry["sha256"] or list(tensors[name].shape) != entry["shape"]:
            problems.append(f"{name} is not what the manifest says")
    return problems


def _disagreements(exercise_id: str, stored, solved: list[Solved]) -> list[str]:
    """Compare stored inputs and expected tensors with the oracle's."""
    problems = []
    if [case.name for case in stored.cases] != [item.case.name for item in solved]:
        return [f"{exercise_id}: the stored cases are not those of reference.py"]
    for case, item in zip(stored.cases, solved, strict=True):
        kept, made = case.to_tensors(), item.case.to_tensors()
        if (
            case.to_facts() != item.case.to_facts()
            or kept.keys() != made.keys()
            or any(not torch.equal(kept[name], made[name]) for name in kept)
        ):
            problems.append(f"{exercise_id}, {case.name}: the stored inputs are not those of reference.py")
            continue
        stored_names = stored.expected[case.name].keys()
        for name in stored_names ^ item.expected.keys():
            problems.append(
                f"{exercise_id}, {case.name}: {name} is not in both the references and reference.py"
            )
        if stored.raises.get(case.name, "") != item.raises:
            problems.append(f"{exercise_id}, {case.name}: the stored exception is not that of reference.py")
        for name in stored_names & item.expected.keys():
            values = item.expected[name]
            error = largest_difference(stored.expected[case.name][name].values, values)
            if not error <= ORACLE_TOLERANCE:
                problems.append(f"{exercise_id}, {case.name}: {name} is {error:.1e} away from the oracle")
    return problems


def verify_chapter(chapter: Chapter, paths: CoursePaths, device: torch.device) -> list[str]:
    """Return one line for each thing that is wrong with a chapter's stored references.

    Raises:
        GraderError: a file is missing or altered, or a published value is not reproduced.
    """
    folder, hidden_folder = paths.references / chapter.stem, paths.grading_cases(chapter.stem)
    hidden_manifest = read_manifest(hidden_folder)
    problems = _altered(folder, read_manifest(folder), CASES, KNOWN_WRONG, FINGERPRINTS)
    problems += _altered(hidden_folder, hidden_manifest, CASES)
    recipe = load_recipe(paths.solutions / chapter.stem / "reference.py")
    names = [exercise.id for exercise in chapter.exercises]
    kept = {name: load_exercise(chapter.stem, name, paths.references) for name in names}
    kept_hidden = {name: load_from(hidden_folder, name) for name in names}
    with inputs_kept([case for one in (*kept.values(), *kept_hidden.values()) for case in one.cases]):
        solved = visible_cases(recipe)
        solved_hidden = hidden_cases_of(recipe, hidden_manifest)
    for cases in (solved, solved_hidden):
        check_posed(recipe, cases, chapter)  # a signature may have been changed since they were built
    check_published(recipe, solved, paths.references)
    for exercise in chapter.exercises:
        stored, hidden = kept[exercise.id], kept_hidden[exercise.id]
        answers = read_bank(bank_path(paths.solutions, exercise))
        problems += _disagreements(exercise.id, stored, solved[exercise.id])
        problems += _disagreements(exercise.id, hidden, solved_hidden[exercise.id])
        problems += prove(exercise, stored, answers, device)
        problems += indistinct(exercise, stored, answers)
        correct = tuple(answer for answer in answers if answer.correct)
        problems += prove_hidden(exercise, stored, hidden, correct, device)
    problems += verify_steps(chapter, paths)
    return (unbuilt_references(chapter, paths) if problems else []) + problems
