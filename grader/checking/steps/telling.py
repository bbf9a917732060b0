"""Say in words where an answer's numbers part from a right one's."""

from grader.checking.steps.matching import RIGHT, How, Match
from grader.checking.steps.parting import Parting
from grader.messages import Message, message

# What is there in the place of a step, by how it was found.
INSTEAD = {
    How.IN_ANOTHER_ORDER: message("It makes these numbers in another order, as where axes are exchanged."),
    How.HIDDEN_ELSEWHERE: message("It makes such numbers, but hides others of them."),
    How.NOTHING_HIDDEN: message("It makes such numbers, and hides none of them."),
    How.COLUMNS: message("It makes shares of which each column sums to 1."),
    How.ALL: message("It makes shares that sum to 1 all together."),
    How.SHIFTED: message("It makes numbers that differ from these by one number for each row."),
}


def told(parting: Parting, noun: Message) -> Message | None:
    """Return how far an answer is right and what is the first that is not; None if there is nothing to say.

    Every sentence is about tensors that were seen: an answer that computes in plain numbers makes none.

    Args:
        parting: what was found.
        noun: what an answer works on, tensors or arrays.
    """
    first = parting.first
    if first is None:
        return _returned_otherwise(parting)
    more = _instead(first)
    values = {"case": parting.case, "step": Message(first.step.name), "noun": noun}
    if parting.right:
        right = _listed([Message(name) for name in parting.right])
        so_far = message(
            "In the case '{case}' your code makes the right {right}; none of its {noun} is the right {step}.",
            right=right,
            **values,
        )
    elif more:
        so_far = message(
            "In the case '{case}' none of the {noun} that your code makes is the right {step}.", **values
        )
    else:
        return None
    return message("{so_far} {more}", so_far=so_far, more=more) if more else so_far


def _returned_otherwise(parting: Parting) -> Message | None:
    """Return that all steps are right where the result is not: something else is done, or returned."""
    if not parting.matches or parting.matches[-1].how not in RIGHT:
        return None
    right = _listed([Message(name) for name in parting.right])
    return message(
        "In the case '{case}' your code makes the right {right}. What it returns is not just that.",
        case=parting.case,
        right=right,
    )


def _listed(names: list[Message]) -> Message:
    """Return names one behind the other."""
    if len(names) == 1:
        return names[0]
    return message("{first}, {others}", first=names[0], others=_listed(names[1:]))


def _instead(match: Match) -> Message | None:
    """Return what is there in a step's place, if it has to do with it."""
    if match.how == How.TIMES:
        return message("It makes numbers that are {factor} times these.", factor=f"{match.factor:.4g}")
    if match.how == How.SOME_PARTS:
        places = ", ".join(map(str, match.places))
        return message(
            "It makes one that is right at {axis} = {places} alone.", axis=match.axis, places=places
        )
    return INSTEAD.get(match.how)
