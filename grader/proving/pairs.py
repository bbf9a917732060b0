"""Pairs of mistakes: two of a bank's edits applied to the variant that both edit.

Learners combine mistakes more often than they make one, and numbers with two in them are no known mistake's.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations, groupby, zip_longest

from grader.checking.mistakes import explain, place_of
from grader.proving.bank import Answer, apply_edit
from grader.proving.families import FAMILIES, families_of, mutants

# Stands between the two edits of an answer that has both.
BETWEEN = "\n# and\n"
# Mistakes of which one takes back the other: together they are the numbers of something else.
UNDONE = (("softmax-unexpected", "no-softmax"), ("no-softmax", "softmax-unexpected"))


def composed(answers: tuple[Answer, ...]) -> list[Answer]:
    """Return answers with two mistakes that are told by numbers, of different codes; the cause first.

    Both are edits of one variant with one such mistake, and what one takes out is still there after the
    other. A bank lists the commonest way of making a mistake first: those that combine such ways come first.
    """
    told = [one for one in answers if _is_one_edit(one)]
    ways: Counter[tuple[str, str]] = Counter()
    made: list[tuple[int, Answer]] = []
    for base, group in groupby(sorted(told, key=lambda one: one.base), key=lambda one: one.base):
        ranked = []
        for one in group:
            ranked.append((ways[base, one.diagnosis[0]], one))
            ways[base, one.diagnosis[0]] += 1
        for (rank, first), (other_rank, second) in combinations(ranked, 2):
            codes = tuple(sorted({first.diagnosis[0], second.diagnosis[0]}, key=place_of))
            if len(codes) == 2 and codes not in UNDONE and (source := _both(base, first.edit, second.edit)):
                name, edit = f"{first.name} and {second.name}", f"{first.edit}{BETWEEN}{second.edit}"
                both = replace(first, name=name, diagnosis=codes, source=source, edit=edit)
                made.append((rank + other_rank, both))
    return [one for _, one in sorted(made, key=lambda ranked: ranked[0])]


def beside_a_member(answers: tuple[Answer, ...]) -> Iterator[Answer]:
    """Yield a bank's wrong answers with a mistake of a topic's families more, the cause first.

    The bank's mistake is told by numbers, and an edit.
    """
    operators = {code: one for code, one in families_of(answers).items() if code not in FAMILIES}
    for answer in filter(_is_one_edit, answers):
        for one in mutants(answer, operators):
            codes = tuple(sorted({answer.diagnosis[0], *one.diagnosis}, key=place_of))
            if len(codes) == 2 and codes not in UNDONE:
                yield replace(one, diagnosis=codes)


def _is_one_edit(answer: Answer) -> bool:
    """Return whether a wrong answer is an edit with one mistake that numbers tell, which comes first."""
    numeric = [code for code in answer.diagnosis if explain(code).matched_by_output]
    return bool(answer.edit) and not answer.only_on and bool(numeric) and numeric == [answer.diagnosis[0]]


def _both(base: str, first: str, second: str) -> str:
    """Return a source with both edits, in whichever order they fit; empty if in none."""
    for one, other in ((first, second), (second, first)):
        try:
            return apply_edit(apply_edit(base, one), other)
        except ValueError:
            continue
    return ""


def alike(pairs: Iterable[Answer]) -> Iterator[list[Answer]]:
    """Yield lists of answers with the same two mistakes, those of all variants in turn."""
    by_codes: dict[tuple[str, ...], dict[str, list[Answer]]] = {}
    for one in pairs:
        by_codes.setdefault(one.diagnosis, {}).setdefault(one.base, []).append(one)
    for by_base in by_codes.values():
        yield [one for one in chain.from_iterable(zip_longest(*by_base.values())) if one]
