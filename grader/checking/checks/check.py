"""A check of an answer: all that is known of it in one record; and what a check finds."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from grader.checking.comparison import Mismatch
from grader.checking.observation import LearnerError
from grader.messages import Message

if TYPE_CHECKING:
    from grader.checking.checks.look import Look


@dataclass(frozen=True)
class Failure:
    """What is wrong with an answer: the first thing that a check found.

    Attributes:
        code: of the mistake or of the part of the contract, as reports count it.
        message: what was seen, one sentence.
        check: which one found it; None where the answer could not be run.
        case: the case on which it was seen; empty where it is none's.
        tensor: the recorded tensor that it is about, if it is one's.
        mismatch: where that tensor differs most.
        error: what was raised, where that is what was seen.
        label: what the list of cases says of the case, where the check's own label says too little.
        look: the question that leads on, where what was seen asks for another one than the code's.
    """

    code: str
    message: Message
    check: "Check | None" = field(default=None, repr=False)
    case: str = ""
    tensor: str = ""
    mismatch: Mismatch | None = None
    error: LearnerError | None = None
    label: Message | None = None
    look: Message | None = None


@dataclass(frozen=True)
class Check:
    """One check of an answer.

    Attributes:
        name: what it is about.
        finds: looks at one case, and returns what is wrong with it, if anything is.
        label: what the list of cases says of a case that fails here: what was seen.
        hidden: what is told of a case that only grading uses, as the end of a sentence. A learner's code sees
            such a case and may try to carry it out, so nothing that came back is quoted.
        numeric: whether the numbers may tell which mistake it was, from those of known wrong answers.
        fitted: whether an answer that is made for one example only fails here.
        first_is_right: whether it speaks of later calls: the result that is at hand was right.
        always: whether it can be decided whatever the result is, and is told beside what the result shows.
        everywhere: whether it is told beside what the result shows only where it fails on every case that
            asks for gradients.
        draws_weights: whether it needs weights that this machine's generator draws as the recorded ones.
    """

    name: str
    finds: Callable[["Look"], Failure | None] = field(repr=False)
    label: Message
    hidden: Message
    numeric: bool = False
    fitted: bool = False
    first_is_right: bool = False
    always: bool = False
    everywhere: bool = False
    draws_weights: bool = False

    def __call__(self, look: "Look") -> Failure | None:
        """Return what is wrong with one case, if anything is."""
        failure = self.finds(look)
        return failure and replace(failure, check=self)


def check(
    name: str, *, label: Message, hidden: Message, **traits: bool
) -> Callable[[Callable[["Look"], Failure | None]], Check]:
    """Return a decorator that makes a check of a function. ``traits`` are ``Check``'s own."""

    def made(finds: Callable[["Look"], Failure | None]) -> Check:
        return Check(name, finds, label, hidden, **traits)

    return made
