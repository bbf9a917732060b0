"""Where an answer's numbers part from a right one's: the last steps that are right, the first that is not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import torch

from grader.checking.steps.matching import RIGHT, How, Match, Pool, match_steps
from grader.references.steps import Step

# What may be so by chance, or for a step that is left out.
WEAK = (How.NOT_THERE, How.SOME_PARTS, How.FEW_PARTS)
# Of scores in a form without what comes before, such as the scale: that may never come.
HIDDEN_OTHERWISE = (How.NOTHING_HIDDEN, How.HIDDEN_ELSEWHERE)


@dataclass(frozen=True)
class Parting:
    """How far an answer is right on one case.

    Attributes:
        case: its name.
        matches: one for each step, in order.
        first: the first step that is not right, and that no later right step shows to be left out; None if
            there is none.
        changed: names of right steps that the first wrong one is made of, where others of a shape that only
            they have were made later: what goes into the wrong one may be these.
        passed_over: names of steps that are not right while later ones are, which are made of them.
    """

    case: str
    matches: tuple[Match, ...]
    first: Match | None
    changed: tuple[str, ...] = ()
    passed_over: frozenset[str] = frozenset()

    @property
    def right(self) -> tuple[str, ...]:
        """Names of the steps that were found right, before the first that is not."""
        upto = self.matches.index(self.first) if self.first else len(self.matches)
        return tuple(one.step.name for one in self.matches[:upto] if one.how in RIGHT and not one.given)


def part(
    case: str, steps: Sequence[Step], made: Sequence[torch.Tensor], given: Iterable[torch.Tensor] = ()
) -> Parting:
    """Return where the tensors that an answer made of what it was given part from a case's steps."""
    pool = Pool(made)
    matches = match_steps(steps, pool, given)
    right = {one.step.name for one in matches if one.how in RIGHT}
    passed_over = _on_the_way(matches) - right
    told = right | passed_over
    wrong = [one for one in matches if one.step.name not in told and one.how != How.IN_ANOTHER_LAYOUT]
    first = _first(wrong, right, pool)
    if first is None and matches and (otherwise := _as_a_result(matches[-1], pool)):
        first = otherwise
        matches = (*matches[:-1], first)
    changed = _changed(first, matches, pool) if first else ()
    return Parting(case, matches, first, changed, frozenset(passed_over))


def _as_a_result(last: Match, pool: Pool) -> Match | None:
    """Return the last step as it is where it cannot be what is returned; None where it can.

    Of any other step the parts will do, and an axis of one number may come or go.
    """
    if last.how == How.IN_PARTS:
        return replace(last, how=How.PARTS_ALONE)
    if last.how == How.AS_IT_IS and not pool.has(last.made.numpy()):
        return replace(last, how=How.IN_ANOTHER_SHAPE)
    return None


def _changed(first: Match, matches: Sequence[Match], pool: Pool) -> tuple[str, ...]:
    """Return which of the right steps that a wrong one is made of may have been changed before."""
    if first.how != How.NOT_THERE:
        return ()
    usual, *_ = first.step.forms
    names = [one.step.name for one in matches]
    later = {one.step.values.shape for one in matches[names.index(first.step.name) :]}
    parts = [
        (one.step.name, one.step.forms[one.form].values.numpy())
        for one in matches
        if one.how == How.AS_IT_IS and one.step.name in usual.of
    ]
    return tuple(
        name
        for name, numbers in parts
        if numbers.shape not in later and pool.has_free(numbers.shape, after=numbers.reshape(-1))
    )


def _first(wrong: Sequence[Match], right: set[str], pool: Pool) -> Match | None:
    """Return the first of the steps that are not right.

    One that is nowhere may come later, or be hidden in part already: then it is the next that is nearly there
    in a form without it, or but for what is hidden.
    """
    first = next(iter(wrong), None)
    if first is None or first.how not in WEAK:
        return first
    for one in wrong[1:]:
        made_of = one.step.forms[one.form].of
        # Shares are made by one function, too, without the exponentials.
        if first.step.scaled_along is not None and one.how in (How.COLUMNS, How.OTHER_AXIS, How.ALL):
            return one
        if one.form and one.how not in (*WEAK, *HIDDEN_OTHERWISE) and right.issuperset(made_of):
            return one
        hidden = not one.form and (one.how == How.HIDDEN_ELSEWHERE or _is_masked(first, one, pool))
        if hidden and {first.step.name, *right}.issuperset(made_of):
            return one
    return first


def _is_masked(first: Match, one: Match, pool: Pool) -> bool:
    """Return whether a step was made already, but for what a mask has put into some places."""
    masks = one.how in (*WEAK, How.NOTHING_HIDDEN) and bool(one.step.values.isneginf().any())
    return masks and pool.has_masked(first.step.values.numpy())


def _on_the_way(matches: Sequence[Match]) -> set[str]:
    """Return the names of the steps that right ones are made of, directly or by others.

    These may be left out.
    """
    behind: dict[str, set[str]] = {}

    def leading_to(names: tuple[str, ...]) -> set[str]:
        return {*names}.union(*(behind[name] for name in names))

    found: set[str] = set()
    for one in matches:
        usual, *_ = one.step.forms
        behind[one.step.name] = leading_to(usual.of)
        if one.how in RIGHT:
            found |= leading_to(one.step.forms[one.form].of)
    return found
