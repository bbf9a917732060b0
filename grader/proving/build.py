"""Build a chapter's references: cases, expected tensors, tolerances, and outcomes of known wrong answers.

Also builds the hidden cases, drawn from the course's seed and stored on the instructor's side.
"""

import hashlib
import json
import platform
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from types import ModuleType

import numpy as np
import safetensors.torch
import torch

from grader.checking.comparison import compare
from grader.checking.diagnosis import compared_tensors
from grader.checking.mistakes import explain
from grader.course.origin import reference_origin
from grader.course.paths import CoursePaths
from grader.errors import BankError, ReferenceDataError
from grader.exercises import Chapter, Exercise
from grader.exercises.case import Case
from grader.exercises.declaration import COMPILED, closest
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.fingerprints import make_fingerprints
from grader.proving.kept_inputs import inputs_kept
from grader.proving.mutation.equivalents import read_equivalents
from grader.proving.posed import check_declared, check_posed, check_published, check_shown
from grader.proving.proof import (
    check_bank,
    coincidences,
    indistinct,
    prove,
    prove_hidden,
    without_duplicates,
)
from grader.proving.recipe import (
    DRAW,
    DRAWS,
    PUBLIC_SEED,
    Solved,
    axes_of,
    check_axes,
    check_axes_fit,
    fits,
    hidden_cases,
    load_recipe,
    seed_of_draw,
    visible_cases,
)
from grader.proving.steps import build_steps
from grader.proving.tolerances import REASON, measured_errors, single_errors, with_tolerances
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, Expected, KnownWrong, Raised
from grader.references.store import (
    CASES,
    FINGERPRINTS,
    FORMAT,
    KNOWN_WRONG,
    MANIFEST,
    grading_folders,
    load_from,
    read_manifest,
    stored_cases,
    tensor_digest,
)

# Roles that may precede a tensor's own name.
ROLES = (
    "weights",
    "arguments",
    "probes",
    "expected",
    "argument",
    "again",
    "refilled",
    "gradient",
    "separate",
    "result",
)


def _known_wrong(
    exercise: Exercise, answers: tuple[Answer, ...], solved: list[Solved], expected: Mapping
) -> list[KnownWrong]:
    """Return the outcomes of known wrong answers whose mistake is recognized by numbers."""
    cases = tuple(item.case for item in solved)
    untold = {item.case.name for item in solved if item.raises or item.case.drops}
    known = []
    for answer in answers:
        if answer.correct or not explain(answer.diagnosis[0]).matched_by_output:
            continue
        made = attempt_answer(exercise, answer, cases, torch.device("cpu"))
        if made.problem:
            raise BankError(f"{answer.place}{exercise.id}: {answer.name!r}: {made.problem.message}")
        if any(seen.is_random() for seen in made.observations):
            continue  # random results: recognized by a check instead
        outcomes = {
            seen.case: (
                Raised(seen.raised.type_name) if seen.raised else compared_tensors(seen, expected[seen.case])
            )
            for seen in made.observations
            if seen.case not in untold
        }
        codes = tuple(code for code in answer.diagnosis if explain(code).matched_by_output)
        also = tuple(code for code in answer.diagnosis if code not in codes)
        known.append(KnownWrong(answer.name, codes, outcomes, also))
    return known


def _differs(known: KnownWrong, expected: Mapping) -> bool:
    """Return whether the outcome is wrong on any case; some mistakes show elsewhere (a shared storage)."""
    for case, outcome in known.outcomes.items():
        if isinstance(outcome, Raised):
            return True
        for name, tensor in outcome.items():
            item = expected[case][name]
            if tensor.shape != item.values.shape or compare(tensor, item.values, item.tolerance["cpu"]):
                return True
    return False


def asked_by_case(solved: list[Solved]) -> dict[str, Mapping]:
    """Return the required flags and attributes, by case."""
    return {
        name: {item.case.name: asked for item in solved if (asked := getattr(item, name))}
        for name in ("raises", "flags", "attributes")
    }


def make_reference(
    exercise: Exercise, solved: list[Solved], answers: tuple[Answer, ...]
) -> tuple[ExerciseReference, dict[tuple[str, str], float]]:
    """Return an exercise's reference, proven against its bank, and the measured errors.

    Raises:
        BankError: the bank is malformed, a known wrong answer passes or cannot be told from another, or a
            correct variant fails; one line for each.
    """
    check_bank(exercise, answers)
    correct = [answer for answer in answers if answer.correct]
    errors = measured_errors(exercise, correct, solved)
    expected = with_tolerances(solved, errors, single_errors(exercise, correct, solved))
    wrong = (k for k in _known_wrong(exercise, answers, solved, expected) if _differs(k, expected))
    known = without_duplicates(wrong, expected)
    reference = ExerciseReference(
        cases=tuple(item.case for item in solved),
        expected=expected,
        **asked_by_case(solved),
        codes=tuple(dict.fromkeys(code for answer in answers for code in answer.diagnosis)),
        read_known_wrong=lambda: known,
    )
    prints = make_fingerprints(exercise, reference, answers)
    told = chain(reference.codes, *prints.codes)
    reference = replace(reference, codes=tuple(dict.fromkeys(told)), read_fingerprints=lambda: prints)
    problems = prove(exercise, reference, answers, torch.device("cpu"))
    problems += indistinct(exercise, reference, answers)
    if problems:
        raise BankError("The cases do not discriminate, or the bank is wrong:\n" + "\n".join(problems))
    return reference, errors


def make_hidden(
    exercise: Exercise,
    visible: ExerciseReference,
    draws: Iterable[list[Solved]],
    answers: tuple[Answer, ...],
) -> tuple[ExerciseReference, dict[tuple[str, str], float], int]:
    """Return an exercise's hidden cases as a reference, proven, the measured errors, and which draw it is.

    Args:
        exercise: what is asked.
        visible: its reference.
        draws: hidden cases, drawn one time after the other; the first without a coincidence is taken.
        answers: the exercise's bank.

    Raises:
        BankError: a case cannot be a hidden one, every draw has one on which a visible case's answer is right
            or that asks for nothing else that is new, or a correct variant fails.
    """
    correct = tuple(answer for answer in answers if answer.correct)
    refused: list[list[str]] = []
    for number, solved in enumerate(draws):
        # What coincides whatever the rounding, such as whole numbers, is found before any variant runs.
        exact = _hidden_reference(solved, with_tolerances(solved, defaultdict(float)))
        if found := coincidences(exercise, visible, exact):
            refused.append(found)
            continue
        errors = measured_errors(exercise, correct, solved)
        tolerated = with_tolerances(solved, errors, single_errors(exercise, correct, solved))
        hidden = _hidden_reference(solved, tolerated)
        if found := coincidences(exercise, visible, hidden):
            refused.append(found)
            continue
        if problems := prove_hidden(exercise, visible, hidden, correct, torch.device("cpu")):
            raise BankError("The hidden cases are no good:\n" + "\n".join(problems))
        return hidden, errors, number
    raise BankError(
        f"{exercise.id}: of {len(refused)} draws of hidden cases from this seed none is good. The first:\n"
        + "\n".join(refused[0])
    )


def _hidden_reference(
    solved: Sequence[Solved], expected: Mapping[str, Mapping[str, Expected]]
) -> ExerciseReference:
    """Return hidden cases as a reference."""
    return ExerciseReference(
        cases=tuple(item.case for item in solved),
        expected=expected,
        **asked_by_case(solved),
        codes=(),
        read_known_wrong=lambda: (),
    )


class _Writer:
    """Collects the tensors and manifest entries of a chapter."""

    def __init__(self, axes: Mapping[str, tuple[str, ...]], producer: str, *files: str) -> None:
        self.axes, self.producer = axes, producer
        self.files: dict[str, dict[str, torch.Tensor]] = {file: {} for file in files}
        self.tensors: dict[str, dict] = {}
        self.exercises: dict[str, dict] = {}
        self.stored: dict[tuple, str] = {}  # known wrong tensors by their content

    def add(
        self, file: str, key: str, name: str, tensor: torch.Tensor, producer: str, **more: object
    ) -> None:
        """Add a tensor and its manifest entry; ``name`` without its role says which axes it has.

        A known wrong answer's may have others.
        """
        self.files[file][key] = tensor.clone().contiguous()  # safetensors refuses shared storage
        for role in ROLES:
            name = name.removeprefix(f"{role}/")
        axes = axes_of(self.axes, key.partition("/")[0], name) or ()
        self.tensors[key] = {
            "shape": list(tensor.shape),
            "axes": list(axes if fits(axes, tensor) else ()),
            "dtype": str(tensor.dtype).removeprefix("torch."),
            "producer": producer,
            "sha256": tensor_digest(tensor),
            **more,
        }

    def add_exercise(
        self, exercise: Exercise, reference: ExerciseReference, errors: Mapping, draw: int = 0
    ) -> None:
        """Add an exercise's cases, expected tensors and known wrong answers; its draw, but for the first."""
        for case in reference.cases:
            prefix = f"{exercise.id}/{case.name}"
            for name, tensor in case.to_tensors().items():
                self.add(
                    CASES,
                    f"{prefix}/{name}",
                    name,
                    tensor,
                    "case: numpy default_rng or the recorded example",
                )
            for name, item in reference.expected[case.name].items():
                self.add(
                    CASES,
                    f"{prefix}/expected/{name}",
                    name,
                    item.values,
                    self.producer,
                    answer_dtype=str(item.dtype).removeprefix("torch."),
                    tolerance=dict(item.tolerance),
                    measured_error=float(f"{errors[case.name, name]:.2e}"),
                )
        self.exercises[exercise.id] = {
            "cases": [case.to_facts() for case in reference.cases],
            "raises": dict(reference.raises),
            "flags": {case: dict(asked) for case, asked in reference.flags.items()},
            "attributes": {case: dict(asked) for case, asked in reference.attributes.items()},
            "codes": list(reference.codes),
            "known_wrong": [self._known(exercise, known) for known in reference.known_wrong],
            **({DRAW: draw} if draw else {}),
        }
        if FINGERPRINTS in self.files:
            self._add_fingerprints(exercise, reference)

    def _add_fingerprints(self, exercise: Exercise, reference: ExerciseReference) -> None:
        """Add fingerprints; their codes as places in the exercise's codes, -1 for none."""
        prints, codes = reference.fingerprints, list(reference.codes)
        self.exercises[exercise.id]["fingerprint_cases"] = list(prints.cases)
        places = [[*map(codes.index, one), -1][:2] for one in prints.codes]
        stored = {
            "prints": prints.prints,
            "codes": torch.tensor(places, dtype=torch.int16).reshape(-1, 2),
            "whole": torch.tensor(prints.whole, dtype=torch.bool),
        }
        producer = "families of mistakes, and known wrong answers two by two"
        for name, tensor in stored.items():
            self.add(FINGERPRINTS, f"{exercise.id}/{name}", name, tensor, producer)

    def _known(self, exercise: Exercise, known: KnownWrong) -> dict:
        outcomes: dict[str, dict] = {}
        for case, outcome in known.outcomes.items():
            if isinstance(outcome, Raised):
                outcomes[case] = {"raised": outcome.type_name}
                continue
            outcomes[case] = {"tensors": {}}
            for name, tensor in outcome.items():
                outcomes[case]["tensors"][name] = self._store_once(exercise, case, known.answer, name, tensor)
        codes = {"codes": list(known.codes), "also": list(known.also)}
        return {"answer": known.answer, **codes, "outcomes": outcomes}

    def _store_once(self, exercise: Exercise, case: str, answer: str, name: str, tensor: torch.Tensor) -> str:
        """Return the key of a wrong tensor; what several wrong answers return alike is stored once."""
        content = (exercise.id, case, name, tensor.dtype, tuple(tensor.shape), tensor_digest(tensor))
        if content not in self.stored:
            key = f"{exercise.id}/{case}/{answer}/{name}"
            self.add(KNOWN_WRONG, key, name, tensor, f"known wrong answer {answer!r}, float32")
            self.stored[content] = key
        return self.stored[content]

    def write(self, folder: Path, chapter: Chapter, **facts: object) -> None:
        """Write the files into a fresh folder and put it in the place of the old one."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
        try:
            fresh.chmod(0o755)
            digests = {}
            for name, tensors in self.files.items():
                content = safetensors.torch.save(tensors)
                (fresh / name).write_bytes(content)
                digests[name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            manifest = {
                "format": FORMAT,
                "chapter": chapter.stem,
                **facts,
                "made_with": {
                    "torch": torch.__version__,
                    "numpy": np.__version__,
                    "platform": f"{platform.system()}-{platform.machine()}",
                },
                "tolerance_reason": REASON,
                "files": digests,
                "exercises": self.exercises,
                "tensors": self.tensors,
            }
            (fresh / MANIFEST).write_text(_lines(manifest) + "\n", encoding="utf-8")
            if (folder / COMPILED).is_file():  # the compiled declaration is kept; it is built separately
                shutil.copy(folder / COMPILED, fresh)
            if folder.exists():
                retired = fresh.with_name(f"{fresh.name}-old")
                folder.rename(retired)
                try:
                    fresh.rename(folder)
                except OSError:
                    retired.rename(folder)
                    raise
                shutil.rmtree(retired)
            else:
                fresh.rename(folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


def _lines(value: object, depth: int = 1, margin: str = "") -> str:
    """Return JSON with one entry a line down to a depth, so that a change shows as the lines it is."""
    if depth < 0 or not isinstance(value, dict) or not value:
        return json.dumps(value)
    inner = margin + " "
    entries = (f"{inner}{json.dumps(key)}: {_lines(item, depth - 1, inner)}" for key, item in value.items())
    return "{\n" + ",\n".join(entries) + f"\n{margin}}}"


def _complete(
    recipe: ModuleType, function: str, solved: dict[str, list[Solved]], chapter: Chapter
) -> dict[str, list[Solved]]:
    """Return a recipe's cases if they are there for each of the chapter's exercises, as its signature shows.

    Raises:
        BankError: they are for others, or two have one name.
        SourceError: one does not fit its exercise, or has other axes than ``AXES`` names.
    """
    for name in (*chapter.by_id, *solved):
        none = name not in solved or (function == "solved_cases" and not solved[name])
        if none or name not in chapter.by_id:
            told = (
                "has no case for" if name in chapter.by_id else "has cases of an exercise that is not there,"
            )
            near = closest(
                name, chapter.by_id if name not in chapter.by_id else solved.keys() - chapter.by_id
            )
            do = "" if near else " Give it some." if name in chapter.by_id else " Take them out."
            raise BankError(f"{recipe.__file__}: {function} {told} {name}.{near}{do}")
    for name, cases in solved.items():
        names = [one.case.name for one in cases]
        if twice := [one for one in names if names.count(one) > 1]:
            raise BankError(
                f"{recipe.__file__}: {function} has two cases of {name} that are called {twice[0]!r}. "
                "Give each a name of its own."
            )
    check_shown(recipe, solved, visible=function == "solved_cases")
    check_posed(recipe, solved, chapter)
    check_axes_fit(recipe, solved)
    return solved


def _seed_in_use(folder: Path) -> int:
    """Return the seed that a chapter's hidden cases are drawn with now; the public one if there are none.

    Raises:
        ReferenceDataError: their manifest does not tell.
    """
    if not folder.is_dir():
        return PUBLIC_SEED
    try:
        return int(read_manifest(folder, any_format=True)["course_seed"])
    except (ReferenceDataError, KeyError, TypeError, ValueError) as error:
        raise ReferenceDataError(
            f"{folder / MANIFEST} does not tell the course's seed ({error}). Name it with --course-seed."
        ) from error


# So many tensors are named whose axes have no names.
MOST_NAMED = 5
OnExercise = Callable[[Exercise, int, int], None]


def build_chapter(
    chapter: Chapter,
    paths: CoursePaths,
    on_exercise: OnExercise = lambda exercise, answers, hidden: None,
    on_note: Callable[[str], None] = lambda note: None,
) -> int:
    """Make a chapter's references and hidden cases from its ``reference.py`` and answer bank, and write them.

    Args:
        chapter: which one.
        paths: the course, whose references and hidden cases are written.
        on_exercise: called with each exercise that is proven, against how many answers, and how many hidden
            cases it has.
        on_note: called with what an author may want to mend, and need not.

    Returns:
        The seed that drew the hidden cases: that of those there are, else the public one.

    Raises:
        GraderError: as ``make_reference`` and ``make_hidden``, or a published value is not reproduced.
            Nothing is written then.
    """
    seed = _seed_in_use(paths.grading_cases(chapter.stem))
    read_equivalents(paths.solutions, chapter)  # refused as long as one has no reason
    recipe = load_recipe(paths.solutions / chapter.stem / "reference.py")
    with inputs_kept(_kept_cases(chapter, paths)):
        solved = _complete(recipe, "solved_cases", visible_cases(recipe), chapter)
    check_declared(solved, chapter, paths.solutions / chapter.stem)
    check_published(recipe, solved, paths.references)
    if nameless := check_axes(recipe, solved):
        more = f", and {len(nameless) - MOST_NAMED} more" if len(nameless) > MOST_NAMED else ""
        on_note(f"{recipe.__file__}: AXES has no entry for {', '.join(nameless[:MOST_NAMED])}{more}.")
    writer = _Writer(recipe.AXES, recipe.PRODUCER, CASES, KNOWN_WRONG, FINGERPRINTS)

    def made(exercise: Exercise, answers: tuple[Answer, ...]) -> ExerciseReference:
        visible, errors = make_reference(exercise, solved[exercise.id], answers)
        writer.add_exercise(exercise, visible, errors)
        return visible

    hidden = _hidden_writer(chapter, paths, recipe, seed, made, on_exercise)
    origin = reference_origin(chapter, paths)
    writer.write(paths.references / chapter.stem, chapter, made_from=origin)
    build_steps(chapter, paths)
    hidden.write(paths.grading_cases(chapter.stem), chapter, course_seed=seed, made_from=origin)
    return seed


def draw_hidden(
    chapter: Chapter,
    paths: CoursePaths,
    course_seed: int,
    on_exercise: OnExercise = lambda exercise, answers, hidden: None,
) -> None:
    """Draw a chapter's hidden cases with a course's seed, prove them beside the references, and write them.

    The references stay as they are, to the last byte; a course without any of its own has the package's.

    Args:
        chapter: which one.
        paths: the course, whose hidden cases are written.
        course_seed: draws them.
        on_exercise: as of ``build_chapter``.

    Raises:
        GraderError: there are no references, or as ``make_hidden``; nothing is written then.
    """
    recipe = load_recipe(paths.solutions / chapter.stem / "reference.py")
    references, _ = grading_folders(chapter.stem, paths)

    def stored(exercise: Exercise, _answers: tuple[Answer, ...]) -> ExerciseReference:
        return load_from(references, exercise.id)

    hidden = _hidden_writer(chapter, paths, recipe, course_seed, stored, on_exercise)
    origin = reference_origin(chapter, paths)
    hidden.write(paths.grading_cases(chapter.stem), chapter, course_seed=course_seed, made_from=origin)


def _kept_cases(chapter: Chapter, paths: CoursePaths) -> list[Case]:
    """Return the cases that a chapter has, whose inputs are the same whichever machine builds it."""
    folders = (paths.references / chapter.stem, paths.grading_cases(chapter.stem))
    return [case for folder in folders for case in stored_cases(folder)]


def _hidden_writer(
    chapter: Chapter,
    paths: CoursePaths,
    recipe: ModuleType,
    seed: int,
    visible: Callable[[Exercise, tuple[Answer, ...]], ExerciseReference],
    on_exercise: OnExercise,
) -> _Writer:
    """Return what writes a chapter's hidden cases, each exercise's proven beside its visible ones."""
    kept = _kept_cases(chapter, paths)

    @cache
    def drawn(number: int) -> dict[str, list[Solved]]:
        with inputs_kept(kept):
            solved = hidden_cases(recipe, seed_of_draw(seed, number))
            return _complete(recipe, "grading_cases", solved, chapter)

    drawn(0)  # what is wrong with the recipe is told before any bank is run
    writer = _Writer(recipe.AXES, recipe.PRODUCER, CASES)
    for exercise in chapter.exercises:
        answers = read_bank(bank_path(paths.solutions, exercise))
        draws = (drawn(number)[exercise.id] for number in range(DRAWS))
        hidden, errors, draw = make_hidden(exercise, visible(exercise, answers), draws, answers)
        writer.add_exercise(exercise, hidden, errors, draw)
        on_exercise(exercise, len(answers), len(hidden.cases))
    return writer
