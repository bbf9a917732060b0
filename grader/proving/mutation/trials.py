"""Judge mutants of the correct variants to find unlisted wrong answers that pass.

A mutant that passes has survived. Either the cases have a hole, or the mutant is equivalent: the same
function, or one that no contract forbids. The latter are declared (``equivalents.py``) and counted apart.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import torch

from grader.checking.judge import judge
from grader.errors import BankError
from grader.exercises import Exercise, find_chapter, find_exercise
from grader.files import write_whole
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.mutation.equivalents import (
    FILE,
    Equivalent,
    covering,
    general_equivalents,
    literal,
    read_equivalents,
)
from grader.proving.mutation.general import GENERAL
from grader.proving.mutation.mutants import Mutant, mutants_of
from grader.proving.mutation.tensors import TENSOR
from grader.proving.pool import in_processes
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, load_exercise

OPERATORS = GENERAL | TENSOR
CPU = torch.device("cpu")
# Seconds after which a mutant that loops is stopped.
SECONDS = 5.0


@dataclass(frozen=True)
class Survivor:
    """A mutant that passes, and what declares it equivalent, if anything does."""

    exercise: str
    variant: str
    mutant: Mutant
    declared: Equivalent | None

    def as_line(self) -> str:
        """Return the exercise, the variant and what was exchanged, as a diff."""
        lines = [f"- {line}" for line in self.mutant.before.splitlines()]
        lines += [f"+ {line}" for line in self.mutant.after.splitlines()]
        return "\n    ".join([f"{self.exercise}, {self.variant!r} ({self.mutant.operator}):", *lines])


@dataclass(frozen=True)
class Trial:
    """The results for the mutants of one correct variant."""

    exercise: str
    variant: str
    mutants: int
    survivors: tuple[Survivor, ...]


@dataclass(frozen=True)
class Report:
    """The results for the mutants of one exercise."""

    exercise: str
    trials: tuple[Trial, ...]

    @property
    def mutants(self) -> int:
        """How many there were."""
        return sum(trial.mutants for trial in self.trials)

    @property
    def survivors(self) -> tuple[Survivor, ...]:
        """Those that pass and are not declared equivalent."""
        return tuple(one for trial in self.trials for one in trial.survivors if not one.declared)

    @property
    def declared(self) -> int:
        """How many pass and are declared equivalent."""
        return sum(1 for trial in self.trials for one in trial.survivors if one.declared)

    @property
    def killed(self) -> int:
        """How many fail, as they must."""
        return self.mutants - self.declared - len(self.survivors)

    @property
    def rate(self) -> float:
        """The share of killed ones among those that are not declared equivalent."""
        judged = self.mutants - self.declared
        return self.killed / judged if judged else 1.0


def passes(exercise: Exercise, reference: ExerciseReference, answer: Answer) -> bool:
    """Return whether an answer passes: on the second case alone, which most mutants fail, then on all."""
    sieve = replace(reference, cases=reference.cases[1:2] or reference.cases, read_known_wrong=lambda: ())
    for one in (sieve, replace(reference, read_known_wrong=lambda: ())):
        made = attempt_answer(exercise, answer, one.cases, CPU, SECONDS)
        if judge(exercise, one, made, CPU.type).status != "passed":
            return False
    return True


def try_variant(
    exercise: Exercise,
    reference: ExerciseReference,
    answer: Answer,
    equivalents: Iterable[Equivalent] = (),
    sample: int | None = None,
) -> Trial:
    """Judge the mutants of one correct variant.

    Args:
        exercise: what is asked.
        reference: what its answers are judged by.
        answer: the correct variant.
        equivalents: what the chapter declares.
        sample: judge at most so many, drawn by the variant's name.

    Raises:
        BankError: the variant itself does not pass.
    """
    if not passes(exercise, reference, answer):
        raise BankError(f"{exercise.id}: {answer.name!r} does not pass: build the references first.")
    mutants = mutants_of(answer.source, OPERATORS, sample, f"{exercise.id} {answer.name}")
    survivors = tuple(
        Survivor(exercise.id, answer.name, one, covering(equivalents, exercise.id, answer.name, one))
        for one in mutants
        if passes(exercise, reference, replace(answer, source=one.source))
    )
    return Trial(exercise.id, answer.name, len(mutants), survivors)


def correct_variants(exercise: Exercise, solutions: Path) -> tuple[Answer, ...]:
    """Return the correct variants of an exercise's bank."""
    return tuple(answer for answer in read_bank(bank_path(solutions, exercise)) if answer.correct)


def declared_for(exercise: Exercise, solutions: Path) -> tuple[Equivalent, ...]:
    """Return the declarations of an exercise's chapter, then those for all."""
    return (*read_equivalents(solutions, find_chapter(exercise.chapter)), *general_equivalents())


def _try(exercise_id: str, variant: str, solutions: Path, references: Path) -> Trial:
    """Judge the mutants of a variant in a process of the pool, where everything is looked up by name."""
    torch.set_num_threads(1)
    exercise = find_exercise(exercise_id)
    (answer,) = (one for one in correct_variants(exercise, solutions) if one.name == variant)
    equivalents = declared_for(exercise, solutions)
    reference = load_exercise(exercise.chapter, exercise_id, references)
    return try_variant(exercise, reference, answer, equivalents)


def try_exercises(
    exercises: Iterable[Exercise],
    solutions: Path,
    references: Path,
    processes: int | None = None,
    on_variant: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Report]:
    """Judge the mutants of every correct variant of some exercises.

    Args:
        exercises: which ones.
        solutions: the folder of answer banks.
        references: the folder of references.
        processes: how many work at the same time; by default one for each CPU.
        on_variant: called with how many variants are done, of how many.

    Yields:
        a report for each exercise, in their order.
    """
    tasks = [(one.id, answer.name) for one in exercises for answer in correct_variants(one, solutions)]
    work = [(*task, solutions, references) for task in tasks]
    trials: list[Trial] = []
    for number, trial in enumerate(in_processes(_try, work, processes, on_variant), start=1):
        trials.append(trial)
        if number == len(tasks) or tasks[number][0] != trial.exercise:
            yield Report(trial.exercise, tuple(trials))
            trials = []


def stale(reports: Iterable[Report], solutions: Path) -> list[Equivalent]:
    """Return the declarations for exercises that are all among the reports, of which none needs it."""
    reports = list(reports)
    tried = {report.exercise for report in reports}
    used = {one.declared for report in reports for trial in report.trials for one in trial.survivors}
    chapters = dict.fromkeys(find_exercise(report.exercise).chapter for report in reports)
    declared = [one for stem in chapters for one in read_equivalents(solutions, find_chapter(stem))]
    return [
        one for one in (*declared, *general_equivalents()) if set(one.exercises) <= tried and one not in used
    ]


def declare_survivors(reports: Iterable[Report], solutions: Path) -> list[Path]:
    """Write entries, without reasons, for the mutants that pass.

    One entry has all exchanges of one line that pass in the same variants, and all exercises of a chapter in
    which they do. Whoever knows the reason writes it, and makes the texts shorter; until then the file is
    refused.

    Returns:
        the files to which entries were added.
    """
    variants, exercises, exchanges = defaultdict(dict), defaultdict(list), defaultdict(list)
    for report in reports:
        path = solutions / find_exercise(report.exercise).chapter / FILE
        for one in report.survivors:
            variants[path, report.exercise, one.mutant.before, one.mutant.after][one.variant] = None
    for (path, exercise, *exchange), those in variants.items():
        exercises[path, *exchange, tuple(those)].append(exercise)
    for (path, before, after, those), names in exercises.items():
        exchanges[path, before, tuple(names), those].append((literal(before), literal(after)))
    files = {}
    for (path, _, names, those), found in exchanges.items():
        told = {"because": "", "exercises": names, "variants": those, "exchanges": found}
        lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in told.items())
        files[path] = f"{files.get(path, '')}\n[[equivalent]]\n{''.join(lines)}"
    for path, added in files.items():
        there = path.read_text(encoding="utf-8") if path.is_file() else ""
        write_whole(path, f"{there}{added}" if there else added.lstrip("\n"))
    return list(files)


def sampled(exercise: Exercise, reference: ExerciseReference, solutions: Path, count: int) -> Trial:
    """Judge ``count`` mutants of one correct variant, both drawn by the exercise's id: always the same."""
    answer = Random(exercise.id).choice(correct_variants(exercise, solutions))
    return try_variant(exercise, reference, answer, declared_for(exercise, solutions), count)
