"""Make fingerprints of wrong answers outside the banks: families of mistakes, and pairs of mistakes."""

from dataclasses import replace
from itertools import chain, groupby

import torch

from grader.checking.diagnosis import compared
from grader.checking.fingerprints import FIELDS, print_of, same_prints
from grader.exercises import Exercise
from grader.exercises.model import Forbidden
from grader.proving.bank import Answer
from grader.proving.families import members
from grader.proving.pairs import alike, beside_a_member, composed
from grader.proving.tolerances import MARGIN
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, Fingerprints

CPU = torch.device("cpu")
# The code of a bank's wrong answers without a named mistake; a family may name them.
UNNAMED = "unrecognized"
# An answer with an added mistake may loop forever; one that ends takes a few milliseconds.
SECONDS = 0.5
# Of answers with the same two mistakes, how many different outcomes are kept, and how many answers are run.
# What works on arrays is quick to run.
KEPT, RUN = {"tensors": 6, "arrays": 12}, {"tensors": 16, "arrays": 32}


class Table:
    """Fingerprints, each with the codes that it tells.

    If answers with different mistakes have equal fingerprints, only their common codes are kept, possibly
    none. A name from a bank takes precedence over that of a family.
    """

    def __init__(self, cases: int) -> None:
        self._prints = torch.full((1, cases, FIELDS), torch.nan)
        self.codes: list[tuple[str, ...]] = []
        self.whole: list[bool] = []
        self._of_bank: list[bool] = []

    @property
    def prints(self) -> torch.Tensor:
        """The fingerprints (answers, cases, ``FIELDS``)."""
        return self._prints[: len(self.codes)]

    def add(self, own: torch.Tensor, codes: tuple[str, ...], *, of_bank: bool = False) -> bool:
        """Add an answer's fingerprint (cases, ``FIELDS``); return whether nothing else there is the same.

        Args:
            own: the fingerprint.
            codes: the answer's.
            of_bank: whether the bank itself names all its mistakes.
        """
        same = same_prints(self.prints, own).nonzero().flatten().tolist()
        if not same:
            if len(self.codes) == len(self._prints):
                self._prints = torch.cat((self._prints, torch.full_like(self._prints, torch.nan)))
            self._prints[len(self.codes)] = own
            self.codes.append(codes)
            self.whole.append(True)
            self._of_bank.append(of_bank)
        elif self._of_bank[place := same[0]] < of_bank:
            self.codes[place], self.whole[place], self._of_bank[place] = codes, True, True
        elif self._of_bank[place] == of_bank and self.codes[place] != codes:
            self.codes[place] = tuple(one for one in self.codes[place] if one in codes)
            self.whole[place] = False
        return not same

    def kept(self) -> list[int]:
        """Return the indices of fingerprints that are close only to others with the same codes."""
        return [
            place
            for place, one in enumerate(self.prints)
            if self.codes[place]
            and one.isfinite().all()
            and all(
                set(self.codes[place]) & set(self.codes[near])
                for near in same_prints(self.prints, one, MARGIN).nonzero().flatten().tolist()
            )
        ]


def make_fingerprints(
    exercise: Exercise, reference: ExerciseReference, answers: tuple[Answer, ...]
) -> Fingerprints:
    """Return the fingerprints of members of families and of answers with two mistakes.

    Left out are answers that equal a correct or a known wrong one, and pairs that equal a member of a family.
    """
    cases = tuple(replace(one, grad_outputs={}, thorough=False, once=True) for one in compared(reference))
    # Calls are not watched here: that takes as long as the calls.
    exercise = replace(exercise, forbidden=Forbidden(), required=())
    stored = {
        named: torch.stack([_print(exercise, one, cases) for one in some])
        for named, some in groupby(
            sorted((one for one in answers if not one.only_on), key=_has_name), key=_has_name
        )
    }
    table = Table(len(cases))
    for one in members(answers):
        own = _print(exercise, one, cases)
        if not same_prints(stored[True], own, MARGIN).any():
            table.add(own, one.diagnosis)
    known = torch.cat((*stored.values(), table.prints))
    pairs = composed(answers)
    of_bank = {one.name for one in pairs}
    for same in alike(chain(pairs, beside_a_member(answers))):
        new = 0
        for one in same[: RUN[exercise.works_on]]:
            own = _print(exercise, one, cases)
            if _has_numbers(own) and not same_prints(known, own, MARGIN).any():
                new += table.add(own, one.diagnosis, of_bank=one.name in of_bank)
            if new == KEPT[exercise.works_on]:
                break
    kept = table.kept()
    return Fingerprints(
        tuple(case.name for case in cases),
        table.prints[kept],
        tuple(table.codes[place] for place in kept),
        tuple(table.whole[place] for place in kept),
    )


def _has_numbers(own: torch.Tensor) -> bool:
    """Return whether some number of a fingerprint's results is finite: two mistakes need more than NaN."""
    return bool((own[:, 1:3] != 0).any())


def _has_name(answer: Answer) -> bool:
    return UNNAMED not in answer.diagnosis


def _print(exercise: Exercise, answer: Answer, cases: tuple) -> torch.Tensor:
    made = attempt_answer(exercise, answer, cases, CPU, SECONDS)
    if made.problem:
        return torch.full((len(cases), FIELDS), torch.nan)
    return print_of(made.observations)
