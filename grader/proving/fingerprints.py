"""Make the fingerprints of wrong answers that are in no bank: families of mistakes, and two at once."""

from dataclasses import replace

import torch

from grader.checking.diagnosis import compared
from grader.checking.fingerprints import FIELDS, print_of, same_prints
from grader.exercises import Exercise
from grader.exercises.model import Forbidden
from grader.proving.bank import Answer
from grader.proving.families import members
from grader.proving.pairs import composed, few_of_each
from grader.proving.recipe import telling
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, Fingerprints

CPU = torch.device("cpu")
# An answer with a mistake more may be a loop without end; one that ends takes a few milliseconds.
SECONDS = 0.5
# Cases that fingerprints are of: the most telling ones.
CASES = 4
# Two answers with other mistakes that are this many tolerances apart could be taken for each other.
MARGIN = 10.0


class _Table:
    """Fingerprints, each with the codes that it tells.

    Where answers with different mistakes do the same, what they have in common is told, and nothing if they
    have nothing in common.
    """

    def __init__(self, most: int, cases: int) -> None:
        self.prints = torch.full((most, cases, FIELDS), torch.nan)
        self.codes: list[tuple[str, ...]] = []
        self.whole: list[bool] = []

    def add(self, own: torch.Tensor, codes: tuple[str, ...]) -> None:
        """Add an answer's fingerprint (cases, ``FIELDS``)."""
        same = same_prints(self.prints[: len(self.codes)], own).nonzero().flatten().tolist()
        if not same:
            self.prints[len(self.codes)] = own
            self.codes.append(codes)
            self.whole.append(True)
        elif self.codes[same[0]] != codes:
            self.codes[same[0]] = tuple(one for one in self.codes[same[0]] if one in codes)
            self.whole[same[0]] = False

    def kept(self) -> list[int]:
        """Return the places of those that nothing else comes near but what tells the same."""
        prints = self.prints[: len(self.codes)]
        return [
            place
            for place, one in enumerate(prints)
            if self.codes[place]
            and not one.isnan().any()
            and all(
                set(self.codes[place]) & set(self.codes[near])
                for near in same_prints(prints, one, MARGIN).nonzero().flatten().tolist()
            )
        ]


def make_fingerprints(
    exercise: Exercise, reference: ExerciseReference, answers: tuple[Answer, ...]
) -> Fingerprints:
    """Return the fingerprints of members of families and of answers with two mistakes.

    Left out is what does the same as a correct answer or as a known wrong one; and of two mistakes, what does
    the same as a member of a family.
    """
    chosen = sorted(compared(reference), key=telling, reverse=True)[:CASES]
    cases = tuple(replace(one, probes={}, thorough=False) for one in chosen)
    # Nobody watches what is called: that takes as long as the calls.
    exercise = replace(exercise, forbidden=Forbidden(), required=())
    single = torch.stack([_print(exercise, one, cases) for one in answers if not one.only_on])
    families, pairs = list(members(answers)), few_of_each(composed(answers))
    table = _Table(len(families) + len(pairs), len(cases))
    for some in (families, pairs):
        known = torch.cat((single, table.prints[: len(table.codes)]))
        for answer in some:
            own = _print(exercise, answer, cases)
            if not same_prints(known, own, MARGIN).any():
                table.add(own, answer.diagnosis)
    kept = table.kept()
    return Fingerprints(
        tuple(case.name for case in cases),
        table.prints[kept],
        tuple(table.codes[place] for place in kept),
        tuple(table.whole[place] for place in kept),
    )


def _print(exercise: Exercise, answer: Answer, cases: tuple) -> torch.Tensor:
    made = attempt_answer(exercise, answer, cases, CPU, SECONDS)
    if made.problem:
        return torch.full((len(cases), FIELDS), torch.nan)
    return print_of(made.observations)
