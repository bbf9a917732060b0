"""Judge the correct variants under random rounding: none may fail because of its last digits."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

from grader.checking.judge import judge
from grader.course.paths import CoursePaths
from grader.exercises import Exercise, find_exercise
from grader.proving.bank import Answer
from grader.proving.mutation.trials import correct_variants
from grader.proving.pool import in_processes
from grader.proving.tolerances import seed_of
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, load_for_grading

# Numbers the runs, apart from those that the tolerances were made of.
FIRST_RUN = 1000


@dataclass(frozen=True)
class Refusal:
    """A run in which a correct variant failed, and its verdict."""

    run: int
    message: str


@dataclass(frozen=True)
class Rerun:
    """The results of repeated runs of one correct variant."""

    exercise: str
    variant: str
    runs: int
    refusals: tuple[Refusal, ...]

    def as_line(self) -> str:
        """Return which variant was refused, how often, and each message once."""
        by_message = {one.message: one.run for one in reversed(self.refusals)}
        lines = [f"{self.exercise}, {self.variant!r}: refused in {len(self.refusals)} of {self.runs} runs"]
        for message, run in reversed(by_message.items()):
            lines += [f"run {run}:", *(f"    {line}" for line in message.splitlines())]
        return "\n    ".join(lines)


def rerun(
    exercise: Exercise, reference: ExerciseReference, answer: Answer, runs: int, device: torch.device
) -> Rerun:
    """Run one correct variant several times, each rounded otherwise, and judge every run.

    On a GPU nothing is rounded at random: it rounds as it does.
    """
    refusals = []
    for run in range(runs):
        seed = seed_of(exercise, answer, FIRST_RUN + run)
        made = attempt_answer(exercise, answer, reference.cases, device, rounding=seed)
        result = judge(exercise, reference, made, device.type)
        if result.status != "passed":
            refusals.append(Refusal(run, result.message))
    return Rerun(exercise.id, answer.name, runs, tuple(refusals))


def _rerun(exercise_id: str, variant: str, root: Path, runs: int, device: str) -> Rerun:
    """Run a variant in a process of the pool, where everything is looked up by name."""
    torch.set_num_threads(1)
    paths, exercise = CoursePaths(root), find_exercise(exercise_id)
    (answer,) = (one for one in correct_variants(exercise, paths.solutions) if one.name == variant)
    reference = load_for_grading(exercise.chapter, exercise_id, paths)
    return rerun(exercise, reference, answer, runs, torch.device(device))


def rerun_exercises(
    exercises: Iterable[Exercise],
    paths: CoursePaths,
    runs: int,
    device: torch.device,
    processes: int | None = None,
    on_variant: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[Rerun]:
    """Run every correct variant of some exercises again, on visible and hidden cases.

    Args:
        exercises: which ones.
        paths: the course whose banks and references are used.
        runs: how often each variant runs.
        device: where it runs.
        processes: how many work at the same time; by default one for each CPU.
        on_variant: called with how many variants are done, of how many.

    Yields:
        what came of each variant, in their order.
    """
    tasks = [
        (exercise.id, answer.name, paths.root, runs, device.type)
        for exercise in exercises
        for answer in correct_variants(exercise, paths.solutions)
    ]
    return in_processes(_rerun, tasks, processes, on_variant)
