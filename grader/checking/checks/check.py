"""``Check``: one check of an answer with its texts and properties; ``Failure``: what it reports."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from grader.checking.comparison import Mismatch
from grader.checking.observation import LearnerError
from grader.messages import Message

if TYPE_CHECKING:
    from grader.checking.checks.context import CheckContext


@dataclass(frozen=True)
class Failure:
    """What is wrong with an answer: the first thing that a check found.

    Attributes:
        code: of the mistake, or of the requirement that was broken, as reports count it.
        message: what was seen, one sentence.
        check: which one found it; None where the answer could not be run.
        case: name of the case on which it was seen; empty if it belongs to no single case.
        tensor: name of the recorded tensor that it is about, if any.
        mismatch: where that tensor differs most.
        error: what was raised, where that is what was seen.
        label: what the list of cases says of the case, where the check's own label says too little.
        question: the question for the learner, where what was seen needs another one than the code's.
    """

    code: str
    message: Message
    check: "Check | None" = field(default=None, repr=False)
    case: str = ""
    tensor: str = ""
    mismatch: Mismatch | None = None
    error: LearnerError | None = None
    label: Message | None = None
    question: Message | None = None


@dataclass(frozen=True)
class Check:
    """One check of an answer.

    Attributes:
        name: what it is about.
        finds: looks at one case, and returns what is wrong with it, if anything is.
        label: what the list of cases says of a case that fails here: what was seen.
        hidden: what is reported for a hidden case, as the end of a sentence. A learner's code sees such a
            case and may try to leak it, so nothing that the code returned is quoted.
        numeric: whether the mistake may be identified by comparing the numbers with those of known wrong
            answers.
        fitted: whether an answer with hard-coded results fails here.
        first_is_right: whether it is about later calls; the result of the first call was right.
        always: whether it can be decided whatever the result is, and is reported in addition to what the
            result shows.
        everywhere: whether it is reported in addition only if it fails on every case that asks for gradients.
        draws_weights: whether it needs this machine's random generator to draw the recorded weights.
    """

    name: str
    finds: Callable[["CheckContext"], Failure | None] = field(repr=False)
    label: Message
    hidden: Message
    numeric: bool = False
    fitted: bool = False
    first_is_right: bool = False
    always: bool = False
    everywhere: bool = False
    draws_weights: bool = False

    def __call__(self, ctx: "CheckContext") -> Failure | None:
        """Return what is wrong with one case, if anything is."""
        failure = self.finds(ctx)
        return failure and replace(failure, check=self)


def check(
    name: str, *, label: Message, hidden: Message, **traits: bool
) -> Callable[[Callable[["CheckContext"], Failure | None]], Check]:
    """Return a decorator that makes a check of a function. ``traits`` are ``Check``'s own."""

    def made(finds: Callable[["CheckContext"], Failure | None]) -> Check:
        return Check(name, finds, label, hidden, **traits)

    return made
