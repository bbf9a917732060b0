"""Two mistakes at once: the bank's edits, two by two, on the variant that both edit.

Learners combine mistakes more often than they make one, and numbers with two in them are no known mistake's.
What an answer with both returns is kept as a fingerprint (``grader/checking/pairs.py``).
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations, groupby, islice, zip_longest

import torch

from grader.checking.diagnosis import compared
from grader.checking.mistakes import explain, place_of
from grader.checking.pairs import FIELDS, print_of, same_prints
from grader.exercises import Exercise
from grader.exercises.model import Forbidden
from grader.proving.bank import Answer, apply_edit
from grader.proving.recipe import telling
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, Pairs

CPU = torch.device("cpu")
# An answer with two mistakes may be a loop without end; one that ends takes a few milliseconds.
SECONDS = 0.5
# Cases that fingerprints are of, the most telling ones; and answers with the same two mistakes that are run.
CASES, ALIKE = 4, 2
# Two pairs of other codes that are this many tolerances apart could be taken for each other.
MARGIN = 10.0


def composed(answers: tuple[Answer, ...]) -> Iterator[Answer]:
    """Yield answers with two mistakes that are told by numbers, of different codes; the cause first.

    Both are edits of one variant, and what one takes out is still there after the other.
    """
    edits = [one for one in answers if one.edit and one.diagnosis and not one.only_on]
    told = [one for one in edits if all(explain(code).told_by_numbers for code in one.diagnosis[:1])]
    for base, group in groupby(sorted(told, key=lambda one: one.base), key=lambda one: one.base):
        for first, second in combinations(group, 2):
            codes = tuple(sorted({first.diagnosis[0], second.diagnosis[0]}, key=place_of))
            if len(codes) == 2 and (source := _both(base, first.edit, second.edit)):
                name = f"{first.name} and {second.name}"
                yield replace(first, name=name, diagnosis=codes, source=source)


def _both(base: str, first: str, second: str) -> str:
    """Return a source with both edits, in whichever order they fit; empty if in none."""
    for one, other in ((first, second), (second, first)):
        try:
            return apply_edit(apply_edit(base, one), other)
        except ValueError:
            continue
    return ""


def make_pairs(exercise: Exercise, reference: ExerciseReference, answers: tuple[Answer, ...]) -> Pairs:
    """Return the fingerprints of what answers with two mistakes return, each telling its pair alone.

    Left out is what does the same as a correct answer or as one with a single mistake. Where different pairs
    do the same, what they have in common is told, and nothing if they have nothing in common.
    """
    chosen = sorted(compared(reference), key=telling, reverse=True)[:CASES]
    cases = tuple(replace(one, probes={}, thorough=False) for one in chosen)
    # Nobody watches what is called: that takes as long as the calls.
    exercise = replace(exercise, forbidden=Forbidden(), required=())
    pairs, codes = _few(composed(answers)), []
    table = torch.full((len(pairs), len(cases), FIELDS), torch.nan)
    single = torch.stack([_print(exercise, one, cases) for one in answers if not one.only_on])
    for answer in pairs:
        own = _print(exercise, answer, cases)
        if same_prints(single, own, MARGIN).any():
            continue
        same = same_prints(table[: len(codes)], own).nonzero().flatten().tolist()
        if same:
            codes[same[0]] = tuple(one for one in codes[same[0]] if one in answer.diagnosis)
        else:
            table[len(codes)] = own
            codes.append(answer.diagnosis)
    return _apart(tuple(case.name for case in cases), table[: len(codes)], codes)


def _few(pairs: Iterable[Answer]) -> list[Answer]:
    """Return some of the answers with the same two mistakes, of as many variants as possible."""
    by_codes: dict[tuple[str, ...], dict[str, list[Answer]]] = {}
    for one in pairs:
        by_codes.setdefault(one.diagnosis, {}).setdefault(one.base, []).append(one)
    in_turn = (zip_longest(*by_base.values()) for by_base in by_codes.values())
    return [one for turns in in_turn for one in islice(filter(None, chain.from_iterable(turns)), ALIKE)]


def _print(exercise: Exercise, answer: Answer, cases: tuple) -> torch.Tensor:
    made = attempt_answer(exercise, answer, cases, CPU, SECONDS)
    if made.problem:
        return torch.full((len(cases), FIELDS), torch.nan)
    return print_of(made.observations)


def _apart(cases: tuple[str, ...], table: torch.Tensor, codes: list[tuple[str, ...]]) -> Pairs:
    """Return the fingerprints that nothing else comes near but what tells the same."""
    kept = [
        place
        for place, one in enumerate(table)
        if codes[place]
        and not one.isnan().any()
        and all(
            set(codes[place]) & set(codes[near])
            for near in same_prints(table, one, MARGIN).nonzero().flatten().tolist()
        )
    ]
    return Pairs(cases, table[kept], tuple(codes[place] for place in kept))
