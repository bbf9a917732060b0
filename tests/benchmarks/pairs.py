"""Measure how answers with two mistakes are told; ``make bench-pairs`` runs it.

The pairs that edit one variant of a bank are kept out of the fingerprints, and judged: named with both, with
one of the two, with neither, or with a mistake that is not in it. All variants of an exercise take turns, as
far as others are left to make fingerprints of.
"""

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table

from grader.checking.judge import judge
from grader.checking.mistakes import explain
from grader.course.paths import CoursePaths
from grader.exercises import EXERCISES, Exercise, find_exercise
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.fingerprints import make_fingerprints
from grader.proving.pairs import composed
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, load_exercise

PATHS = CoursePaths(Path(__file__).resolve().parents[2])
CPU = torch.device("cpu")
TOLD = ("both", "one of them", "neither", "another")
# Of the pairs of one variant, as many as are judged: every so many, in the bank's order.
MOST = 150


def told(exercise: Exercise, reference: ExerciseReference, answer: Answer) -> str:
    """Return how an answer with two mistakes is told; empty if it passes, or is told by one of them alone."""
    made = attempt_answer(exercise, answer, reference.cases, CPU, 2.0)
    result = judge(exercise, reference, made, CPU.type)
    if result.status == "passed":
        return ""
    named = {code for code in result.diagnosis if explain(code).told_by_numbers}
    asked = set(answer.diagnosis)
    if named - asked:
        return "another"
    return {2: "both", 1: "one of them", 0: "neither"}[len(named)]


def measured(name: str) -> tuple[str, Counter]:
    """Return how the pairs of an exercise are told, each by the fingerprints of other variants."""
    exercise, counts = find_exercise(name), Counter()
    answers = read_bank(bank_path(PATHS.solutions, exercise))
    reference = load_exercise(exercise.chapter, exercise.id)
    by_base: dict[str, list[Answer]] = {}
    for pair in composed(answers):
        by_base.setdefault(pair.base, []).append(pair)
    for base, pairs in by_base.items() if len(by_base) > 1 else ():
        others = tuple(one for one in answers if one.base != base)
        known = make_fingerprints(exercise, reference, others)
        without = replace(reference, read_fingerprints=lambda known=known: known)
        asked = set(map(frozenset, known.codes))
        tried = [one for one in pairs if frozenset(one.diagnosis) in asked]
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
