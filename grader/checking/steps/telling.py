"""Word the result of a trace: *Right so far*, and the first step that differs."""

from dataclasses import replace

from grader.checking.steps.matching import RIGHT, How, Match
from grader.checking.steps.parting import Parting
from grader.messages import Message, message, series

# What is there in the place of a step, by how it was found.
INSTEAD = {
    How.IN_ANOTHER_ORDER: message(
        "It makes these numbers in another order, as where axes are exchanged, or one is turned round."
    ),
    How.HIDDEN_ELSEWHERE: message(
        "It makes such numbers, but what it hides is not just what is to be hidden."
    ),
    How.NOTHING_HIDDEN: message(
        "It makes the numbers that are to be seen, but what stands in the places to be hidden does not hide "
        "them, or not fully."
    ),
    How.COLUMNS: message("It makes shares of which each column sums to 1."),
    How.OTHER_AXIS: message("It makes shares that sum to 1 along another axis."),
    How.ALL: message("It makes shares that sum to 1 all together."),
    How.PARTS_ALONE: message("It makes the right parts of that, but never the right whole."),
    How.SHIFTED: message("It makes numbers that differ from these by one number for each row."),
}


def told(parting: Parting, noun: Message) -> Message | None:
    """Return the sentence on the right steps and the first wrong one; None if there is nothing to say.

    Every sentence is about tensors that were seen: an answer that computes in plain numbers makes none.

    Args:
        parting: what was found.
        noun: what an answer works on, tensors or arrays.
    """
    first = parting.first
    if first is None:
        return _returned_otherwise(parting)
    more = _changed(parting, noun) or _instead(first)
    values = {"case": parting.case, "step": Message(first.step.name), "noun": noun}
    if parting.ended and not parting.right:
        return None
    if parting.ended:
        return message(
            "In the case '{case}' your code makes the right {right}; then an error ends it before any of its "
            "{noun} is the right {step}.",
            case=parting.case,
            right=series(map(Message, parting.right)),
            step=values["step"],
            noun=noun,
        )
    if parting.right:
        so_far = message(
            "In the case '{case}' your code makes the right {right}; none of its {noun} is the right {step}.",
            right=series(map(Message, parting.right)),
            **values,
        )
    elif more or first.tried:
        so_far = message(
            "In the case '{case}' none of the {noun} that your code makes is the right {step}.", **values
        )
    else:
        return None
    return message("{so_far} {more}", so_far=so_far, more=more) if more else so_far


# What to look at where an answer has no name, but its steps are known.
AT_THE_STEP = message(
    "How does the chapter get to the {step}? Print what goes into your line for that: is it what you made "
    "right before, unchanged? Then print what comes out."
)
# The same of a step that is made of what comes in.
AT_THE_FIRST = message(
    "How does the chapter get to the {step}? Print what goes into your line for that: is it what came in "
    "with the call? Then print what comes out."
)
AT_THE_CHANGE = message("What do your lines do with the {changed} before the {step}?")
AT_THE_END = message("What do your lines do after the {step}, and what do you return?")


def question(parting: Parting) -> Message | None:
    """Return the one thing to look at, given the first wrong step; None without a sentence."""
    if not parting.right:
        return None
    named = parting.first or parting.matches[-1]
    values: dict[str, object] = {"step": Message(named.step.name)}
    if parting.changed:
        return replace(AT_THE_CHANGE, values=values | {"changed": series(map(Message, parting.changed))})
    if not parting.first:
        return replace(AT_THE_END, values=values)
    usual, *_ = named.step.forms
    # Before exponentials something may be subtracted.
    of_what_came = not usual.of and named.step.scaled_along is None
    return replace(AT_THE_FIRST if of_what_came else AT_THE_STEP, values=values)


def _returned_otherwise(parting: Parting) -> Message | None:
    """Return the sentence for an answer whose steps are all right and whose result is wrong."""
    if not parting.right or parting.matches[-1].how not in RIGHT or parting.matches[-1].given:
        return None
    return message(
        "In the case '{case}' your code makes the right {right}. What it returns is not what is asked for.",
        case=parting.case,
        right=series(map(Message, parting.right)),
    )


def _changed(parting: Parting, noun: Message) -> Message | None:
    """Return what was made right and may have been changed before the first wrong step."""
    if not parting.changed:
        return None
    return message(
        "After the right {changed}, other {noun} of the same shape are made.",
        changed=series(map(Message, parting.changed)),
        noun=noun,
    )


def _instead(match: Match) -> Message | None:
    """Return what is there in a step's place, if it has to do with it."""
    if match.how == How.TIMES:
        return message("It makes numbers that are {factor} times these.", factor=f"{match.factor:.4g}")
    if match.how == How.SOME_PARTS:
        places = series(map(str, match.places))
        if len(match.places) == 1:
            return message("It makes one of which only index {places} along axis 0 is right.", places=places)
        return message(
            "It makes one of which only the indices {places} along axis 0 are right.", places=places
        )
    if match.how == How.FEW_PARTS:
        places = series(map(str, match.places))
        parts = {"step": Message(match.step.name), "axes": ", ".join(match.step.axes), "axis": match.axis}
        if len(match.places) == 1:
            return message(
                "Of the {step}, shape ({axes}), only the part with index {places} along axis {axis} is made.",
                **parts,
                places=places,
            )
        return message(
            "Of the {step}, shape ({axes}), only the parts with indices {places} along axis {axis} are made.",
            **parts,
            places=places,
        )
    return INSTEAD.get(match.how)
