"""A graded class as plain data: what reports are made of, wherever it was read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from grader.exercises import Chapter

Status = Literal["graded", "error", "missing"]
# The reason where there is no submission.
NOTHING = "Nothing was handed in."
# Of more students who handed in nothing a list gives the number alone.
MOST_MISSING = 20


def missing_sentence(chapter: str, students: Sequence[str]) -> str:
    """Return who handed in nothing; of many their number, and where all names are."""
    if len(students) <= MOST_MISSING:
        return f"Missing: {', '.join(students)}."
    return (
        f"Missing: {len(students)} students handed in nothing. All names: "
        f"`grader report {chapter} --html FILE`, under Students."
    )


def review_sentence(students: Mapping[str, Sequence[str]]) -> str:
    """Return of whom a person has to look again at points by hand, by exercises; empty for nobody.

    In formgrader it is enough to save the points once more.
    """
    named = ", ".join(f"{student} ({', '.join(names)})" for student, names in students.items())
    return (
        f"To review, for the answer or the points to earn changed after a person gave points: {named}. "
        "The points count until they are saved again in formgrader, Manual Grading."
        if named
        else ""
    )


@dataclass(frozen=True)
class GradedAnswer:
    """One student's answer to one exercise.

    Attributes:
        points: what it earns, with extra credit; what a person gave wins. None where nobody has decided.
        judged: what the verdict gives; None without a verdict, or where the grader could not judge.
        recorded: what the gradebook holds as the automatic score, which should be the same.
        status: that of the verdict: ``passed``, ``failed``, ``error``, or ``waiting`` of an answer in words;
            empty without one.
        diagnosis: codes of the verdict.
        by_hand: whether a person gave points or extra credit.
        manual: whether a person gave points, which count instead of all others.
        review: whether these were given for an earlier answer, and nobody has looked at them since.
        attempts: how often the notebook says that it was checked; None where it does not.
        fault: what went wrong in the grader.
        decision: the sentence of the decision for the whole class that ``judged`` follows from.
    """

    points: float | None
    judged: float | None = None
    recorded: float | None = None
    status: str = ""
    diagnosis: tuple[str, ...] = ()
    by_hand: bool = False
    attempts: int | None = None
    fault: str = ""
    decision: str = ""
    manual: bool = False
    review: bool = False

    @property
    def in_words(self) -> bool:
        """Whether it is an answer that a person grades."""
        return self.status == "waiting"


@dataclass(frozen=True)
class GradedStudent:
    """One student's result in one assignment.

    Attributes:
        key: the student's name in the gradebook, or of the folder. Hostile: it is never shown as it is.
        label: the same as one line that can be shown.
        status: ``graded``; ``error`` where the submission could not be read and nobody graded it by hand;
            ``missing`` where nothing is graded.
        answers: by exercise; empty where nothing is graded.
        other: points in graded cells that are no exercise of the course.
        penalty: points taken away for handing in late.
        reason: why there is an error, or what is missing.
        notes: what was recovered or overwritten, one sentence each.
        problem: what is wrong with the instructor's own files, and what to do.
        name: what the roster calls the student, as it can be shown; empty where it has no name.
        notebook: path of the graded notebook from the course's folder, as it can be shown; empty without one.
    """

    key: str
    label: str
    status: Status
    answers: Mapping[str, GradedAnswer] = field(default_factory=dict)
    other: float = 0.0
    penalty: float = 0.0
    reason: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""
    notebook: str = ""
    name: str = ""

    @property
    def called(self) -> str:
        """The student's name in the gradebook, and the roster's name where there is one."""
        return f"{self.label} ({self.name})" if self.name else self.label

    @property
    def absent(self) -> bool:
        """Whether nothing was handed in, and nobody has to do anything about it here."""
        return self.status == "missing" and self.reason == NOTHING and not self.problem

    @property
    def score(self) -> float | None:
        """What counts in the gradebook: points and extra credit, less the penalty; never below zero.

        None where there is nothing, or what could not be read or judged has no points yet.
        """
        if self.status == "missing" or self.unjudged:
            return None
        earned = sum(one.points for one in self.answers.values() if one.points is not None)
        return max(0.0, earned + self.other - self.penalty)

    @property
    def unjudged(self) -> bool:
        """Whether something could not be read or judged, and no person has given points."""
        return any(one.points is None and one.status != "waiting" for one in self.answers.values())

    @property
    def review(self) -> tuple[str, ...]:
        """The exercises with points that a person gave for an earlier answer."""
        return tuple(name for name, one in self.answers.items() if one.review)

    @property
    def undecided(self) -> int:
        """How many answers wait for a person."""
        return sum(one.points is None for one in self.answers.values())


@dataclass(frozen=True)
class GradedAssignment:
    """One assignment of a class.

    Attributes:
        chapter: the assignment.
        max_points: what each exercise may earn, in the order of the chapter.
        students: in the order of their names.
        other_points: what graded cells that are no exercise may earn.
        pending: how many verdicts do not say yet what was decided for the whole class.
    """

    chapter: Chapter
    max_points: Mapping[str, float]
    students: tuple[GradedStudent, ...]
    other_points: float = 0.0
    pending: int = 0

    @property
    def max_score(self) -> float:
        """What a student may earn, without extra credit."""
        return sum(self.max_points.values()) + self.other_points

    @property
    def graded(self) -> tuple[GradedStudent, ...]:
        """The students who count in the statistics."""
        return tuple(one for one in self.students if one.status == "graded")

    def points_of(self, exercise: str, answer: GradedAnswer) -> float | None:
        """Return what is known of an answer: nothing of one in words to what is left out for the class."""
        return None if answer.in_words and self.max_points[exercise] <= 0 else answer.points

    def is_right(self, exercise: str, answer: GradedAnswer) -> bool:
        """Return whether an answer has full points; of an exercise without points, whether it passed."""
        most = self.max_points[exercise]
        if most <= 0:
            return answer.status == "passed"
        return answer.points is not None and answer.points >= most

    def is_partial(self, exercise: str, answer: GradedAnswer) -> bool:
        """Return whether an answer has a part of the points."""
        return answer.points is not None and 0 < answer.points < self.max_points[exercise]
