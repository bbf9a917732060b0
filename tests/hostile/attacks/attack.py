"""What an attack is."""

from dataclasses import dataclass

from grader.files import MIB
from grader.sandbox.job import Limits

V1 = "ch04-self-attention-v1"
V2 = "ch04-self-attention-v2"
TRANSFER = "ch04-transfer-weights"
LAST = "ch04-self-attention"
MASK = "ch05-causal-mask"

# Generous for honest cells, on a machine that is busy with other tests.
LIMITS = Limits(cell_seconds=10.0, total_seconds=60.0)
# For what never ends by itself: enough for every honest cell, and soon over.
SHORT = Limits(cell_seconds=1.5, total_seconds=20.0, memory=512 * MIB)

RAN = "the attack ran"


@dataclass(frozen=True)
class Attack:
    """One way to get points, answers or harm out of a submission.

    The submission is the chapter's released notebook with right answers, but in the attacked exercise. There
    the cell holds an honest wrong answer, then the attack.

    In its code ``COURSE`` stands for a course's folder with a gradebook and another student's submission,
    ``PLACE`` for the repository's root, ``PORT`` for a port of this machine on which a test listens, and
    ``MARK`` for a name that nothing else has.

    Attributes:
        name: unique in its table.
        tries: one clause: what it is after.
        code: put into the cell of the attacked exercise.
        exercise: the attacked exercise.
        answer: what is in its cell before the attack: the name of a known wrong answer of its bank, or empty
            for none.
        later: put into a cell of its own at the end of the notebook.
        shows: what the notebook's printed outputs must hold, by which one sees that the attack ran.
        never: what they must not hold.
        fools: whether grading in the student's own process, as stock nbgrader does, gives it all points.
        reaches: whether it prints ``REACHED`` without isolation; such an attack must be harmless.
        earns: points that the attacked exercise deserves all the same.
        codes: the diagnosis, where it is the evidence.
        spoils: exercises that the attack itself makes impossible to observe, in its own notebook.
        limits: what the submission is allowed.
    """

    name: str
    tries: str
    code: str
    exercise: str = V1
    answer: str = "missing-scale"
    later: str = ""
    shows: tuple[str, ...] = (RAN,)
    never: tuple[str, ...] = ("REACHED",)
    fools: bool = False
    reaches: bool = False
    earns: float = 0
    codes: tuple[str, ...] = ()
    spoils: tuple[str, ...] = ()
    limits: Limits = LIMITS
