"""What an exercise is: data that checking, building and grading all read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

# Every way PyTorch offers to have attention computed for you. An exercise that asks for attention to be
# built forbids them; matched against the names of the functions that the answer really called.
LIBRARY_ATTENTION = ("scaled_dot_product", "multi_head_attention", "multihead_attention", "flex_attention")


@dataclass(frozen=True)
class Exercise:
    """One thing a learner is asked to write.

    Attributes:
        id: fixed name such as ``ch04-self-attention``; also the nbgrader ``grade_id``.
        chapter: stem of the chapter, such as ``ch04_self_attention``.
        subject: name of the object that the learner defines.
        signature: how it is called, as the docstring shows it.
        driver: name of the function in ``grader.checking.drivers`` that runs the subject on a case.
        points: what a right answer earns.
        difficulty: 1 (a line) to 5 (an evening).
        minutes: what a learner should plan for.
        section: heading of the chapter's section to read again.
        hints: two or three, each saying more than the one before.
        parameters: names of the weights that the subject must register, in the order of their creation.
        biases: names of the biases that it registers when a case gives them.
        drawn_by: how each of ``parameters`` is drawn (a key of ``grader.checking.generator.INVERSES``),
            or empty when the subject draws nothing.
        forbidden: parts of function names that the subject must not call.
        requires: ids of the exercises that this one builds on.
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
    parameters: tuple[str, ...] = ()
    biases: tuple[str, ...] = ()
    drawn_by: str = ""
    forbidden: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()

    def parameters_for(self, weights: Mapping[str, object]) -> tuple[str, ...]:
        """Return the parameters to register for a case with these weights: all, and the biases it has."""
        return self.parameters + tuple(name for name in self.biases if name in weights)


@dataclass(frozen=True)
class Chapter:
    """A chapter: its stem, which is the same in every folder, its title, and its exercises in order."""

    stem: str
    title: str
    exercises: tuple[Exercise, ...]
    by_id: Mapping[str, Exercise] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index the exercises by id."""
        object.__setattr__(self, "by_id", {exercise.id: exercise for exercise in self.exercises})
