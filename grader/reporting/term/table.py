"""Term grades: each student's score by chapter, dropped scores, and the total."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.reporting.exports.grades import AssignmentGrades, ClassGrades, FinalGrade, Person, by_name
from grader.reporting.term.rules import TermRules

# Marks of scores that are not final.
MARKS = {
    "review": "to review",
    "waiting": "answer to grade",
    "ungraded": "no score yet",
    "missing": "missing",
}
OPEN = frozenset(("review", "waiting", "ungraded"))


@dataclass(frozen=True)
class TermCell:
    """One student's result in one chapter.

    Attributes:
        grade: what the gradebook holds.
        share: of the points, as it counts; None where it does not count.
        dropped: whether it is one of the lowest, which do not count.
    """

    grade: FinalGrade
    share: float | None
    dropped: bool = False

    @property
    def mark(self) -> str:
        """The mark of the score; empty if it is final and counts."""
        said = MARKS.get(self.grade.status, "")
        return ", ".join(filter(None, (said, "dropped" if self.dropped else "")))


@dataclass(frozen=True)
class TermRow:
    """One student.

    Attributes:
        person: who it is.
        cells: by chapter.
        total: in percent; None where nothing counts yet but missing work beside an error.
    """

    person: Person
    cells: Mapping[str, TermCell]
    total: float | None

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The chapters of which a person has to look at something before the total is final."""
        return tuple(name for name, one in self.cells.items() if one.grade.status in OPEN)

    @property
    def missing(self) -> tuple[str, ...]:
        """The chapters for which nothing was handed in."""
        return tuple(name for name, one in self.cells.items() if one.grade.status == "missing")


@dataclass(frozen=True)
class Term:
    """A term of a class.

    Attributes:
        rules: how it counts.
        points: what each chapter is worth in points, in the order of the course.
        weights: what each counts.
        rows: the students, in the order of their names.
    """

    rules: TermRules
    points: Mapping[str, float]
    weights: Mapping[str, float]
    rows: tuple[TermRow, ...]

    @property
    def notes(self) -> list[str]:
        """What has to be known of the totals."""
        said = [
            "Missing work counts as 0." if self.rules.missing == "zero" else "Missing work does not count."
        ]
        counting = [name for name, weight in self.weights.items() if weight and self.points[name]]
        if self.rules.drop:
            dropped = min(self.rules.drop, max(0, len(counting) - 1))
            said.append(f"Of each student the lowest {self.rules.drop} of the scores do not count.")
            if dropped < self.rules.drop:
                said.append(f"So far {len(counting)} chapters count, so at most {dropped} is dropped.")
        if out := [name for name in self.weights if name not in counting]:
            said.append(f"Without weight or points: {', '.join(out)}.")
        if later := [name for name in self.rules.weights if name not in self.points]:
            said.append(f"Not graded yet, and in no total: {', '.join(later)}.")
        if unsettled := sum(bool(row.unsettled) for row in self.rows):
            said.append(
                f"{unsettled} totals are not final: work without a score is left out of them, of answers "
                "that wait the rest counts, and a score to review counts as it is until a person has looked."
            )
        return said


def make_term(grades: ClassGrades, rules: TermRules, people: Iterable[Person] = ()) -> Term:
    """Return a term.

    Args:
        grades: the gradebook's, of all chapters, in the order of the course.
        rules: how they count.
        people: students as a roster has them; who is only there has handed in nothing.

    Raises:
        GraderError: a chapter has no weight and others have.
    """
    known = {one.id: one for one in grades.people} | {one.id: one for one in people}
    weights = {one.name: rules.weight(one.name) for one in grades.assignments}
    return Term(
        rules=rules,
        points={one.name: one.max_score for one in grades.assignments},
        weights=weights,
        rows=tuple(_row(one, grades.assignments, rules, weights) for one in by_name(known.values())),
    )


def _row(
    person: Person, assignments: Sequence[AssignmentGrades], rules: TermRules, weights: Mapping[str, float]
) -> TermRow:
    grades = {one.name: one.of(person.id) for one in assignments}
    shares = {one.name: _share(one, grades[one.name], rules) for one in assignments}
    counting = [name for name, share in shares.items() if share is not None and weights[name]]
    # Of equal ones the one that counts most, which is best for the student; and one always stays.
    lowest = sorted(counting, key=lambda name: (shares[name], -weights[name]))
    dropped = set(lowest[: min(rules.drop, max(0, len(counting) - 1))])
    kept = [name for name in counting if name not in dropped]
    weight = sum(weights[name] for name in kept)
    # An error is no zero, and beside nothing but missing work it would make one.
    unread = any(
        grades[one.name].status == "ungraded" and weights[one.name] and one.max_score for one in assignments
    )
    known = kept and not (unread and all(grades[name].status == "missing" for name in counting))
    return TermRow(
        person=person,
        cells={name: TermCell(grade, shares[name], name in dropped) for name, grade in grades.items()},
        total=100 * sum(weights[name] * shares[name] for name in kept) / weight if known else None,
    )


def _share(assignment: AssignmentGrades, grade: FinalGrade, rules: TermRules) -> float | None:
    """Return which share of the points counts; None where none is known, or there are none to earn."""
    if not assignment.max_score:
        return None
    if grade.status == "missing":
        return 0.0 if rules.missing == "zero" else None
    return None if grade.score is None else grade.score / assignment.max_score
