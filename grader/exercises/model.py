"""``Exercise``, ``Question``, ``Chapter``: the data that checking, building and grading read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from grader.exercises.specimen import Specimen
from grader.topics import listed, table


@dataclass(frozen=True)
class Forbidden:
    """Functions that an answer must not call.

    Attributes:
        parts: parts of function names, matched against the names of the functions that are really called.
        words: their description in the docstring: ``Not allowed: <words>.``
    """

    parts: tuple[str, ...] = ()
    words: str = ""


NOTHING = Forbidden()
# Every function of PyTorch: where a number has to be computed by a formula.
ANYTHING = Forbidden(("",), "tensors and modules of PyTorch")


def named() -> dict[str, Forbidden]:
    """Return what a declaration may forbid by a name, by the names."""
    return {"anything": ANYTHING} | table("declared", "NAMED")


# Drivers of answers that work on NumPy's arrays, and on plain Python beside them; all others on tensors.
OF_ARRAYS = ("arrays", "texts", "tokenizer")
# Drivers that call an answer again on other arguments.
CALLING_AGAIN = ("module", "function", "arrays")
# The drivers of ``grader.checking.drivers``, but for those of topics.
OF_ALL = (
    *("module", "function", "number", "transfer", "names", "run_on", "exposes", "generate"),
    *OF_ARRAYS,
)
# How parameters may be drawn (``grader.checking.generator``), besides not at all.
DRAWN = ("uniform", "linear")


def drivers() -> tuple[str, ...]:
    """Return the names of all drivers."""
    return (*OF_ALL, *listed("declared", "DRIVERS"))


def _matching(names: Iterable[str], patterns: tuple[str, ...]) -> tuple[str, ...]:
    return _matched(tuple(names), patterns)


@cache  # asked for every case of every answer
def _matched(names: tuple[str, ...], patterns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns))


@dataclass(frozen=True)
class Exercise:
    """An exercise: one function, class or value that a learner has to define.

    Attributes:
        id: fixed name such as ``ch04-self-attention``; also the nbgrader ``grade_id``.
        chapter: stem of the chapter, such as ``ch04_self_attention``.
        subject: name of the function, class or value that the learner defines.
        signature: how it is called, as the docstring shows it.
        driver: name of the function in ``grader.checking.drivers`` that runs the subject on a case.
        points: what a right answer earns.
        difficulty: 1 (a line) to 5 (an evening).
        minutes: what a learner should plan for.
        section: heading of the chapter's section to read again.
        hints: two or three, each saying more than the one before.
        returns: names of the tensors in the tuple that it returns; empty if it returns one tensor.
        parameters: names of the weights that the subject must register, in the order of their creation;
            ``heads.*.weight`` stands for one in each head.
        biases: names of the biases that it registers when a case gives them.
        attributes: names of the whole numbers that a module keeps as attributes.
        buffers: names of the buffers that the subject must register.
        saved: whether the module saves its buffers; None where that is not asked.
        moves: whether it is to work on whatever device its input is on: every tensor that a module holds has
            to move with it, and a function has to make its own there.
        weights_inside: whether the weights of which some are dropped are deep inside, so that a result can
            only show which of them were (``judge_inside`` of a topic), and a tensor that stays behind need
            not be a mask.
        drawn_by: how each of ``parameters`` is drawn (a key of ``grader.checking.generator.INVERSES``),
            or empty when the subject draws nothing.
        forbidden: what the subject must not call.
        required: parts of function names of which the subject must call one.
        new_memory: whether the result must not share memory with an argument.
        double_precision: whether a result in float64 must have the digits of float64. Elsewhere an answer
            that loses them passes with a remark.
        requires: ids of the exercises that this one builds on.
        specimen: the buggy code for which the learner has to find an input on which it fails, if that is
            asked.
    """

    id: str
    chapter: str
    subject: str
    signature: str
    driver: str
    points: int
    difficulty: int
    minutes: int
    section: str
    hints: tuple[str, ...]
    returns: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    biases: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    buffers: tuple[str, ...] = ()
    saved: bool | None = None
    moves: bool = False
    weights_inside: bool = False
    drawn_by: str = ""
    forbidden: Forbidden = NOTHING
    required: tuple[str, ...] = ()
    new_memory: bool = False
    double_precision: bool = False
    requires: tuple[str, ...] = ()
    specimen: Specimen | None = None

    @property
    def works_on(self) -> str:
        """What the answer works on: ``tensors``, or ``arrays`` where it does without PyTorch."""
        return "arrays" if self.driver in OF_ARRAYS else "tensors"

    @property
    def watched(self) -> tuple[str, ...]:
        """Parts of the names of functions whose calls are noted."""
        return self.forbidden.parts + self.required

    @property
    def has_hidden_cases(self) -> bool:
        """Whether grading uses hidden cases: not if the answer is an input."""
        return self.specimen is None

    def parameters_for(self, weights: Mapping[str, object]) -> tuple[str, ...]:
        """Return the parameters to register for a case with these weights, the biases that it has last."""
        return self.drawn_for(weights) + _matching(weights, self.biases)

    def drawn_for(self, weights: Mapping[str, object]) -> tuple[str, ...]:
        """Return which of a case's weights are ``parameters``, in the order of their creation."""
        return _matching(weights, self.parameters)


@dataclass(frozen=True)
class Question:
    """A question that a learner answers in words and a person grades: nothing is run, there is no reference.

    Attributes:
        id: fixed name such as ``ch06-why-heads``; also the nbgrader ``grade_id``.
        chapter: stem of the chapter.
        subject: what it is about, in a few words.
        points: what a full answer earns.
        difficulty: 1 to 5.
        minutes: what a learner should plan for.
        section: heading of the chapter's section to read again.
    """

    id: str
    chapter: str
    subject: str
    points: int
    difficulty: int
    minutes: int
    section: str


# Anything that is graded in a chapter, by the grader or by a person.
Part = Exercise | Question


@dataclass(frozen=True)
class Chapter:
    """A chapter.

    Attributes:
        stem: its name, which is the same in every folder.
        title: what it is called.
        exercises: what is answered in code, in order.
        questions: what is answered in words, in order.
        mistakes: the texts of the mistakes that only this chapter has, by group and code; under ``groups``
            what groups of its own are about.
        folder: where its declaration and its references are.
        by_id: the exercises by id.
        parts: all that is graded, by id: exercises, then questions.
    """

    stem: str
    title: str
    exercises: tuple[Exercise, ...]
    questions: tuple[Question, ...] = ()
    mistakes: Mapping[str, Mapping] = field(default_factory=dict, repr=False)
    folder: Path | None = field(default=None, compare=False, repr=False)
    by_id: Mapping[str, Exercise] = field(init=False, repr=False)
    parts: Mapping[str, Part] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index what is asked by id."""
        object.__setattr__(self, "by_id", {exercise.id: exercise for exercise in self.exercises})
        object.__setattr__(self, "parts", {one.id: one for one in (*self.exercises, *self.questions)})
