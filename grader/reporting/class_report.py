"""The class report: statistics, mistakes and concerns of an assignment."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grader.checking.mistakes import Mistake, known_mistakes, title_of_group
from grader.exercises import Chapter, Part
from grader.reporting.anonymous import anonymous_code, words_of, words_of_code
from grader.reporting.concerns import Concern, ExerciseFacts, concerns_about
from grader.reporting.graded import (
    MOST_MISSING,
    GradedAnswer,
    GradedAssignment,
    GradedStudent,
    review_sentence,
)
from grader.reporting.statistics import (
    Bar,
    Discrimination,
    Distribution,
    bars,
    discriminations,
    distribution,
    median,
    percentages,
)

UNRECOGNIZED = "unrecognized"
# Mistakes without an example, because there is no answer.
WITHOUT_EXAMPLE = ("not-implemented", "not-defined")
# Answers that are looked at to find a short example.
TRIES = 3
# Gives the sources of a student's answers by exercise, as far as they can be had.
SourcesOf = Callable[[Chapter, GradedStudent], Mapping[str, str]]
# Gives the code that the course itself has for a chapter, such as its answer banks.
CodeOf = Callable[[Chapter], Iterable[str]]


@dataclass(frozen=True)
class DecisionReport:
    """A class decision on an exercise, how many answers it applies to, and how many manual scores win.

    Attributes:
        sentence: what was decided, and why.
        answers: to how many answers it applies.
        by_hand: in how many of these a score that a person gave counts instead.
    """

    sentence: str
    answers: int
    by_hand: int


@dataclass(frozen=True)
class ExerciseReport:
    """One exercise.

    Attributes:
        number: its place in the assignment, from 1.
        exercise: what was asked.
        max_points: what it may earn.
        answers: how many answers have points.
        right: how many of them all points.
        partial: how many of them a part.
        mean: points on average; None without answers.
        discrimination: whether those who have it right do better in the rest.
        attempts: median of the checks that the notebooks tell of; None where none does.
        attempts_known: how many notebooks tell.
        by_hand: how many answers a person gave points to.
        codes: how many answers were given each code, the most frequent first.
        concerns: why it looks broken.
        decisions: what was decided for the whole class.
    """

    number: int
    exercise: Part
    max_points: float
    answers: int
    right: int
    partial: int
    mean: float | None
    discrimination: Discrimination
    attempts: float | None
    attempts_known: int
    by_hand: int
    codes: tuple[tuple[str, int], ...]
    concerns: tuple[Concern, ...]
    decisions: tuple["DecisionReport", ...] = ()

    @property
    def share(self) -> float | None:
        """Percentage of the answers that are right; None without answers."""
        return 100.0 * self.right / self.answers if self.answers else None


@dataclass(frozen=True)
class MistakeReport:
    """A named mistake: how many students made it, in how many answers to each exercise, and an example."""

    mistake: Mistake
    students: int
    exercises: tuple[tuple[ExerciseReport, int], ...]
    example: str = ""


@dataclass(frozen=True)
class GroupReport:
    """Mistakes that belong together: what they are about, and how many students made one."""

    name: str
    title: str
    students: int
    codes: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Unrecognized:
    """An unrecognized wrong answer."""

    student: GradedStudent
    exercise: ExerciseReport
    answer: GradedAnswer


@dataclass(frozen=True)
class AssignmentReport:
    """The report on one assignment: its data and statistics."""

    assignment: GradedAssignment
    distribution: Distribution | None
    bars: tuple[Bar, ...]
    exercises: tuple[ExerciseReport, ...]
    mistakes: tuple[MistakeReport, ...]
    groups: tuple[GroupReport, ...]
    unrecognized: tuple[Unrecognized, ...]

    @property
    def chapter(self) -> Chapter:
        """The assignment."""
        return self.assignment.chapter

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many students there are of each status."""
        found = Counter(one.status for one in self.assignment.students)
        return {status: found[status] for status in ("graded", "error", "missing")}

    @property
    def many_missing(self) -> bool:
        """Whether a terminal shows only the number of those who handed in nothing."""
        return sum(one.absent for one in self.assignment.students) > MOST_MISSING

    @cached_property
    def answers(self) -> tuple[GradedAnswer, ...]:
        """All answers of the students who are graded."""
        return tuple(answer for one in self.assignment.graded for answer in one.answers.values())

    @property
    def changed(self) -> int:
        """How many answers have other points than their verdict gave, because a person gave them."""
        return sum(one.by_hand and one.points != one.judged for one in self.answers if not one.in_words)

    @property
    def stale(self) -> int:
        """How many automatic scores of the gradebook are not those of the verdict files."""
        return sum(bool(one.status) and one.recorded != one.judged for one in self.answers)

    @property
    def undecided(self) -> tuple[GradedStudent, ...]:
        """Students of whom a person has to grade something."""
        return tuple(one for one in self.assignment.students if one.undecided)

    @property
    def review(self) -> tuple[GradedStudent, ...]:
        """Students with points that a person gave for an earlier answer."""
        return tuple(one for one in self.assignment.students if one.review)

    @property
    def review_sentence(self) -> str:
        """Who they are, and what to do; empty if there are none."""
        return review_sentence({one.label: one.review for one in self.review})

    @property
    def decided(self) -> tuple[tuple[ExerciseReport, DecisionReport], ...]:
        """What was decided for the whole class, by exercise."""
        return tuple((one, made) for one in self.exercises for made in one.decisions)

    @property
    def late(self) -> int:
        """How many students lost points for handing in late."""
        return sum(one.penalty > 0 for one in self.assignment.graded)

    @property
    def troubled(self) -> tuple[GradedStudent, ...]:
        """Students with an error, or with files that something is wrong with."""
        return tuple(one for one in self.assignment.students if one.problem or one.status == "error")

    @property
    def noted(self) -> tuple[GradedStudent, ...]:
        """Students in whose files something was recovered or overwritten."""
        return tuple(one for one in self.assignment.students if one.notes)

    def right_of(self, student: GradedStudent) -> int:
        """Return how many of a student's answers are right."""
        return sum(self.assignment.is_right(name, answer) for name, answer in student.answers.items())

    @property
    def broken(self) -> tuple[ExerciseReport, ...]:
        """Exercises that look broken."""
        return tuple(one for one in self.exercises if one.concerns)

    @property
    def shares(self) -> list[float]:
        """The scores as percentages."""
        return percentages(_scores(self.assignment), self.assignment.max_score)


def report_on(assignment: GradedAssignment, sources_of: SourcesOf, code_of: CodeOf) -> AssignmentReport:
    """Return what an assignment comes to.

    Args:
        assignment: what was read.
        sources_of: gives students' answers, for examples.
        code_of: gives the course's own code, whose words examples may keep.
    """
    scores = _scores(assignment)
    exercises = tuple(_exercises(assignment))
    examples = _Examples(assignment, sources_of, code_of)
    return AssignmentReport(
        assignment=assignment,
        distribution=distribution(scores),
        bars=tuple(bars(percentages(scores, assignment.max_score))),
        exercises=exercises,
        mistakes=tuple(_mistakes(assignment, exercises, examples)),
        groups=groups_of([assignment]),
        unrecognized=tuple(_unrecognized(assignment, exercises)),
    )


def _scores(assignment: GradedAssignment) -> list[float]:
    """Return the scores that are decided."""
    return [one.score for one in assignment.graded if one.score is not None]


def decision_sentence(made: DecisionReport) -> str:
    """Return what was decided, whom it reaches, and where a person's score counts instead."""
    reached = f"{made.answers} answer{'' if made.answers == 1 else 's'}"
    won = f"; in {made.by_hand} of them a score given by hand counts instead" if made.by_hand else ""
    return f"{made.sentence} ({reached}{won})"


def pending_sentence(report: AssignmentReport) -> str:
    """Return how many verdicts wait for a decision, and what to do."""
    count, stem = report.assignment.pending, report.chapter.stem
    whose = f"{count} student{' does' if count == 1 else 's do'} not have yet what was decided for the class"
    return f"{whose}. `grader regrade {stem} --changed` shows it, with --yes it is written."


def explained(code: str) -> Mistake:
    """Return what is known of a code; a verdict of another version may hold one that is not known."""
    unknown = Mistake(code, "otherwise", code, "", "This version knows no mistake of this code.")
    return known_mistakes().get(code, unknown)


def _exercises(assignment: GradedAssignment) -> Iterator[ExerciseReport]:
    names, students = list(assignment.max_points), assignment.graded
    shape = len(students), len(names)
    answers = [[one.answers[name] for name in names] for one in students]
    known = [[assignment.points_of(*pair) for pair in zip(names, row, strict=True)] for row in answers]
    points = np.asarray(known, dtype=float).reshape(shape)
    right = np.asarray(
        [[assignment.is_right(*pair) for pair in zip(names, row, strict=True)] for row in answers], dtype=bool
    ).reshape(shape)
    for number, (name, found) in enumerate(zip(names, discriminations(points, right), strict=True)):
        column = [row[number] for row in answers]
        yield _exercise(assignment, number + 1, name, column, found)


def _exercise(
    assignment: GradedAssignment,
    number: int,
    name: str,
    answers: Sequence[GradedAnswer],
    discrimination: Discrimination,
) -> ExerciseReport:
    decided = [one for one in answers if assignment.points_of(name, one) is not None]
    attempts = [one.attempts for one in answers if one.attempts is not None]
    right = sum(assignment.is_right(name, one) for one in decided)
    codes = Counter(code for one in answers for code in set(one.diagnosis))
    first = Counter(one.diagnosis[0] for one in answers if one.status == "failed" and one.diagnosis)
    facts = ExerciseFacts(
        answers=len(decided),
        right=right,
        failed=sum(first.values()),
        first_codes=first,
        faults=tuple(one.fault for one in answers if one.fault),
        discrimination=discrimination,
    )
    return ExerciseReport(
        number=number,
        exercise=assignment.chapter.parts[name],
        max_points=assignment.max_points[name],
        answers=len(decided),
        right=right,
        partial=sum(assignment.is_partial(name, one) for one in decided),
        mean=sum(one.points for one in decided) / len(decided) if decided else None,
        discrimination=discrimination,
        attempts=median(attempts),
        attempts_known=len(attempts),
        by_hand=sum(one.by_hand for one in answers),
        codes=by_count(codes),
        concerns=tuple(concerns_about(facts)),
        decisions=tuple(_decisions(answers)),
    )


def _decisions(answers: Sequence[GradedAnswer]) -> Iterator[DecisionReport]:
    for sentence, count in by_count(Counter(one.decision for one in answers if one.decision)):
        won = sum(one.decision == sentence and one.manual for one in answers)
        yield DecisionReport(sentence, count, won)


def by_count(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return counts, the largest first, those alike by name."""
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _mistakes(
    assignment: GradedAssignment, exercises: Sequence[ExerciseReport], examples: "_Examples"
) -> Iterator[MistakeReport]:
    students: dict[str, int] = Counter()
    for one in assignment.graded:
        students.update({code for answer in one.answers.values() for code in answer.diagnosis})
    for code, count in by_count(students):
        if code == UNRECOGNIZED:
            continue
        where = [(one, number) for one in exercises if (number := dict(one.codes).get(code))]
        places = tuple(sorted(where, key=lambda pair: -pair[1]))
        yield MistakeReport(explained(code), count, places, examples.of(code))


def groups_of(assignments: Iterable[GradedAssignment]) -> tuple[GroupReport, ...]:
    """Return the groups of the mistakes that a class made, in one assignment or several.

    A student counts once in a group, whatever the number of assignments.
    """
    students: dict[str, set[str]] = defaultdict(set)
    made: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for assignment in assignments:
        for one in assignment.graded:
            for code in {code for answer in one.answers.values() for code in answer.diagnosis}:
                group = explained(code).group
                if group != "otherwise":
                    students[group].add(one.key)
                    made[group][code].add(one.key)
    counted = by_count({group: len(those) for group, those in students.items()})
    return tuple(
        GroupReport(
            name=group,
            title=title_of_group(group),
            students=count,
            codes=by_count({code: len(those) for code, those in made[group].items()}),
        )
        for group, count in counted
    )


def _unrecognized(
    assignment: GradedAssignment, exercises: Sequence[ExerciseReport]
) -> Iterator[Unrecognized]:
    for exercise in exercises:
        for student in assignment.graded:
            answer = student.answers[exercise.exercise.id]
            if UNRECOGNIZED in answer.diagnosis:
                yield Unrecognized(student, exercise, answer)


class _Examples:
    """Finds a short, anonymized example of a mistake."""

    def __init__(self, assignment: GradedAssignment, sources_of: SourcesOf, code_of: CodeOf) -> None:
        self._assignment = assignment
        self._sources_of = sources_of
        self._code_of = code_of
        self._sources: dict[str, Mapping[str, str]] = {}
        self._places: dict[str, list[tuple[GradedStudent, str]]] = defaultdict(list)
        for student in assignment.graded:
            for name, answer in student.answers.items():
                if answer.status == "failed" and answer.diagnosis:
                    self._places[answer.diagnosis[0]].append((student, name))

    @cached_property
    def _known(self) -> frozenset[str]:
        """The course's own words."""
        words: frozenset[str] = frozenset()
        for exercise in self._assignment.chapter.exercises:
            listed = exercise.returns + exercise.parameters + exercise.biases
            listed += exercise.attributes + exercise.buffers
            words |= words_of(" ".join([exercise.subject, exercise.signature, *listed]))
        return words.union(*map(words_of_code, self._code_of(self._assignment.chapter)))

    def of(self, code: str) -> str:
        """Return the shortest of the first answers with a mistake; empty where none can be shown."""
        if code in WITHOUT_EXAMPLE:
            return ""
        # Students whose notebook was read before come first: it may be large.
        places = sorted(self._places[code], key=lambda place: place[0].key not in self._sources)[:TRIES]
        sources = filter(None, (self._source(*place) for place in places))
        shown = [anonymous_code(source, self._known) for source in sources]
        return min(filter(None, shown), key=len, default="")

    def _source(self, student: GradedStudent, exercise: str) -> str:
        if student.key not in self._sources:
            self._sources[student.key] = self._sources_of(self._assignment.chapter, student)
        return self._sources[student.key].get(exercise, "")
