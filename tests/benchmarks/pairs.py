"""Measure how answers with two mistakes are told; ``make bench-pairs`` runs it.

The pairs that edit one variant of a bank are kept out of the fingerprints, and judged: named with both, with
one of the two, with neither, or with a mistake that is not in it. All variants of an exercise take turns.
Judged are pairs whose two mistakes are made on another variant, too, for of others nothing was stored; and
whose numbers are those of no single mistake, for of these nobody can tell that they are two.
"""

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table

from grader.checking.diagnosis import compared, matching
from grader.checking.fingerprints import print_of, same_prints
from grader.checking.judge import judge
from grader.checking.mistakes import explain
from grader.course.paths import CoursePaths
from grader.exercises import EXERCISES, Exercise, find_exercise
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.fingerprints import make_fingerprints
from grader.proving.pairs import BETWEEN, composed
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, load_exercise

PATHS = CoursePaths(Path(__file__).resolve().parents[2])
CPU = torch.device("cpu")
TOLD = ("both", "one of them", "neither", "another")
# Of the pairs of one variant, as many as are judged: every so many, in the bank's order.
MOST = 150


def told(exercise: Exercise, reference: ExerciseReference, answer: Answer) -> str:
    """Return how an answer with two mistakes is told; empty if it passes, or does what one mistake does."""
    made = attempt_answer(exercise, answer, reference.cases, CPU, 2.0)
    result = judge(exercise, reference, made, CPU.type)
    if result.status == "passed" or matching(reference, made.observations, CPU.type):
        return ""
    named = {code for code in result.diagnosis if explain(code).matched_by_output}
    asked = set(answer.diagnosis)
    if named - asked:
        return "another"
    return {2: "both", 1: "one of them", 0: "neither"}[len(named)]


def mistakes_of(exercise: Exercise, reference: ExerciseReference, answers: tuple[Answer, ...]) -> dict:
    """Return a number for each edit of the bank, the same for those that make one mistake in the same way."""
    cases = tuple(replace(case, grad_outputs={}, thorough=False) for case in compared(reference))
    kinds: list[tuple[str, torch.Tensor]] = []
    numbers = {}
    for one in answers:
        if not one.edit or one.correct or one.only_on:
            continue
        made = attempt_answer(exercise, one, cases, CPU, 2.0)
        own = torch.full((1,), torch.nan) if made.problem else print_of(made.observations)
        same = (
            number
            for number, (code, other) in enumerate(kinds)
            if code == one.diagnosis[0] and own.shape == other.shape and same_prints(other[None], own)[0]
        )
        number = next(same, len(kinds))
        if number == len(kinds):
            kinds.append((one.diagnosis[0], own))
        numbers[one.base, one.edit] = number
    return numbers


def measured(name: str) -> tuple[str, Counter]:
    """Return how the pairs of an exercise are told, each by the fingerprints of other variants."""
    exercise, counts = find_exercise(name), Counter()
    answers = read_bank(bank_path(PATHS.solutions, exercise))
    reference = load_exercise(exercise.chapter, exercise.id)
    numbers = mistakes_of(exercise, reference, answers)
    by_base: dict[str, list[tuple[frozenset[int], Answer]]] = {}
    for pair in composed(answers):
        both = frozenset(numbers[pair.base, edit] for edit in pair.edit.split(BETWEEN))
        by_base.setdefault(pair.base, []).append((both, pair))
    for base, pairs in by_base.items():
        elsewhere = {both for other, held in by_base.items() if other != base for both, _ in held}
        tried = [pair for both, pair in pairs if both in elsewhere]
        if not tried:
            continue
        known = make_fingerprints(exercise, reference, tuple(one for one in answers if one.base != base))
        without = replace(reference, read_fingerprints=lambda known=known: known)
        counts.update(told(exercise, without, one) for one in tried[:: 1 + len(tried) // MOST])
    return name, counts


def main() -> None:
    """Measure, and print a table."""
    names = sys.argv[1:] or list(EXERCISES)
    table = Table(
        "exercise", *TOLD, title="Answers with two mistakes, on variants kept out of the fingerprints"
    )
    total: Counter = Counter()
    with ProcessPoolExecutor(2) as pool:
        for name, counts in pool.map(measured, names):
            total.update(counts)
            if counts:
                table.add_row(name, *(str(counts[one]) for one in TOLD))
    table.add_row(
        "all", *(f"{total[one]} ({total[one] / max(1, sum(total[k] for k in TOLD)):.0%})" for one in TOLD)
    )
    Console().print(table)


if __name__ == "__main__":
    main()
