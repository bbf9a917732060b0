"""Find the first step at which an answer differs from a right one (the "parting")."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import torch

from grader.checking.steps.matching import RIGHT, How, Match, Pool, leading_to, match_steps
from grader.references.steps import Step

# Matches that may be coincidence, or belong to a step that is left out.
WEAK = (How.NOT_THERE, How.SOME_PARTS, How.FEW_PARTS)
# Matches of scores in a form that skips an earlier step, such as the scale.
HIDDEN_OTHERWISE = (How.NOTHING_HIDDEN, How.HIDDEN_ELSEWHERE)


@dataclass(frozen=True)
class Parting:
    """How far an answer is right on one case.

    Attributes:
        case: its name.
        matches: one for each step, in order.
        first: the first step that is not right and was not merely left out, as a later right step would show;
            None if there is none.
        changed: names of right steps that the first wrong one is computed from, if other tensors of the same
            shape were made later: those may be what was really used.
        passed_over: names of steps that are not right although later steps computed from them are.
        ended: whether an error ended the answer before it had made the first step that is not right, or
            anything of its shape.
    """

    case: str
    matches: tuple[Match, ...]
    first: Match | None
    changed: tuple[str, ...] = ()
    passed_over: frozenset[str] = frozenset()
    ended: bool = False

    @property
    def right(self) -> tuple[str, ...]:
        """Names of the steps that were found right, before the first that is not."""
        upto = self.matches.index(self.first) if self.first else len(self.matches)
        return tuple(one.step.name for one in self.matches[:upto] if one.how in RIGHT and not one.given)


def part(
    case: str,
    steps: Sequence[Step],
    made: Sequence[torch.Tensor],
    given: Iterable[torch.Tensor] = (),
    *,
    complete: bool = True,
) -> Parting:
    """Compare the tensors that an answer made with a case's steps and return the first difference.

    Args:
        case: its name.
        steps: those of a right answer.
        made: what the answer made, in order.
        given: what came in with the call.
        complete: whether the answer came to its end. Where an error ended it, scores that hide nothing are no
            mistake of a mask: it may have been about to be put in.
    """
    pool = Pool(made)
    matches = match_steps(steps, pool, given)
    if not complete:
        matches = tuple(
            replace(one, how=How.NOT_THERE, made=None) if one.how == How.NOTHING_HIDDEN else one
            for one in matches
        )
    matches = _without_detours(matches)
    right = {one.step.name for one in matches if one.how in RIGHT}
    passed_over = _on_the_way(matches) - right
    told = right | passed_over
    wrong = [one for one in matches if one.step.name not in told and one.how != How.IN_ANOTHER_LAYOUT]
    first = _first(matches, wrong, right, pool)
    ended = not complete and first is not None and first.how == How.NOT_THERE and not first.tried
    changed = _changed(first, matches, pool) if first and not ended else ()
    return Parting(case, matches, first, changed, frozenset(passed_over), ended)


def _without_detours(matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """Take for not there what is right only in a form that leaves out a step which is right itself.

    Scores that were masked, and scores that were scaled, are not yet scores that are both.
    """
    leading = leading_to(one.step for one in matches)
    right = {one.step.name for one in matches if one.how in RIGHT}

    def leaves_out(one: Match) -> bool:
        names = one.step.forms[one.form].of
        kept = {*names}.union(*(leading[name] for name in names))
        return one.how in RIGHT and bool(one.form) and bool((leading[one.step.name] - kept) & right)

    return tuple(
        replace(one, how=How.NOT_THERE, form=0, made=None) if leaves_out(one) else one for one in matches
    )


def _changed(first: Match, matches: Sequence[Match], pool: Pool) -> tuple[str, ...]:
    """Return which right steps may have been changed before the wrong one was computed from them."""
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


def _first(matches: Sequence[Match], wrong: Sequence[Match], right: set[str], pool: Pool) -> Match | None:
    """Return the first of the steps that are not right.

    A step that was not found may come later, or be masked in part already: then the next step counts that
    matches nearly, in a form without it or apart from the mask, or that has nothing to do with it and was
    made when nothing of its shape was.
    """
    first = next(iter(wrong), None)
    if first is None or first.how not in WEAK:
        return first
    leading = leading_to(one.step for one in matches)
    for one in wrong[1:]:
        made_of = one.step.forms[one.form].of
        # A softmax function makes the weights without visible exponentials.
        if first.step.scaled_along is not None and one.how in (How.COLUMNS, How.OTHER_AXIS, How.ALL):
            return one
        if one.form and one.how not in (*WEAK, *HIDDEN_OTHERWISE) and right.issuperset(made_of):
            return one
        near = one.how not in (*WEAK, *HIDDEN_OTHERWISE, How.IN_ANOTHER_LAYOUT) and one.made is not None
        apart = near and first.step.name not in leading[one.step.name] and right.issuperset(made_of)
        if apart and not pool.has_free_before(tuple(first.step.values.shape), one.made):
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
    """Return the names of the steps that right ones are computed from, directly or indirectly.

    These may be missing.
    """
    leading = leading_to(one.step for one in matches)
    found: set[str] = set()
    for one in matches:
        if one.how in RIGHT:
            names = one.step.forms[one.form].of
            found |= {*names}.union(*(leading[name] for name in names))
    return found
