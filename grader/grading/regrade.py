"""Grade again after a correction: results are kept aside, and written only on request.

Nothing that others read changes before ``write``, which writes exactly what was shown.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Literal

from grader.course.notebooks import check_id
from grader.errors import GradebookError
from grader.exercises import Question, find_part
from grader.gradebook.stored import StoredGrades, StoredScore, StoredSubmission
from grader.gradebook.writer import ClassGradebook
from grader.grading.class_run import TOGETHER, ClassRun, Pool, name_problem
from grader.grading.gradebook_entry import gradebook_scores
from grader.grading.record import ExerciseRecord, Record
from grader.grading.regrade_cache import Computed
from grader.grading.student_result import GONE, MISSING, StudentResult, WorkerResult

# Below this two sums of points are the same.
SAME = 1e-6
ChangeKind = Literal["changed", "anew", "new", "unchanged", "gone", "missing"]
NOT_HELD = StoredScore()


@dataclass(frozen=True)
class ExerciseChange:
    """The change of one exercise's result.

    Attributes:
        old_score: points that grading gave so far; None where there are none, or a person was to decide.
        new_score: points that grading gives from now on; None where a person has to decide.
        old_max_score: points to earn so far; None where that is not known any more.
        max_score: points to earn from now on.
        old_diagnosis: codes so far; None where they are not known any more.
        diagnosis: codes from now on.
        by_hand: the score that a person gave in formgrader, which stays and counts instead.
        decision: the sentence of the decision for the whole class that holds from now on.
        old_decision: that of the one that held so far.
        extra: extra credit that a person gave, which is added.
    """

    old_score: float | None
    new_score: float | None
    old_max_score: float | None
    max_score: float
    old_diagnosis: tuple[str, ...] | None
    diagnosis: tuple[str, ...]
    by_hand: float | None = None
    decision: str = ""
    old_decision: str = ""
    extra: float = 0.0

    @property
    def old_points(self) -> float | None:
        """The old points, including manual scores."""
        return self._counting(self.old_score)

    @property
    def points(self) -> float | None:
        """The new points, including manual scores."""
        return self._counting(self.new_score)

    def _counting(self, graded: float | None) -> float | None:
        return StoredScore(graded, self.by_hand, self.extra).points

    @property
    def changes(self) -> bool:
        """Whether points, maximum points, verdict or decision change."""
        return not (
            _same(self.old_points, self.points)
            and self.old_max_score in (None, self.max_score)
            and self.old_diagnosis in (None, self.diagnosis)
            and self.old_decision == self.decision
        )

    @property
    def same(self) -> bool:
        """Whether there is nothing to show: points to earn or a decision alone are no row of the table."""
        return self.old_diagnosis in (None, self.diagnosis) and _same(self.old_score, self.new_score)

    def to_json(self) -> dict[str, object]:
        """Return it as JSON can hold it."""
        return {**vars(self), "old_points": self.old_points, "points": self.points}


@dataclass(frozen=True)
class Change:
    """The change of one student's result.

    Attributes:
        student: the name of the folder, which may hold any character.
        kind: ``changed``, where the score, a verdict or the time of handing in becomes another; ``anew``,
            where these stay and something else is to be written; ``new``, graded for the first time;
            ``unchanged``, where nothing is to be written; ``gone``, graded earlier from a folder that is not
            there any more; ``missing``, where nothing was handed in.
        status: ``graded`` or ``error``; empty where there is no folder.
        old_score: points so far, with what a person gave, before any penalty; None where nothing is known of
            them, or a person was to decide.
        new_score: points from now on, likewise; None where a person has to decide.
        old_max_score: points to earn so far.
        max_score: points to earn from now on.
        exercises: what becomes of each exercise, by id; only those in which something changes.
        by_hand: scores that a person gave in formgrader, by exercise; they stay.
        reason: why there is an error, or what is missing.
        retimed: whether it was handed in at another time than the gradebook has.
    """

    student: str
    kind: ChangeKind
    status: Literal["graded", "error", ""]
    old_score: float | None
    new_score: float | None
    old_max_score: float | None
    max_score: float
    exercises: Mapping[str, ExerciseChange] = field(default_factory=dict)
    by_hand: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""
    retimed: bool = False

    @property
    def affected(self) -> bool:
        """Whether something is to be written."""
        return self.kind in ("changed", "anew", "new")

    @property
    def difference(self) -> float | None:
        """Points gained or lost; None for one who has no earlier score."""
        if self.old_score is None or self.new_score is None:
            return None
        gained = self.new_score - self.old_score
        return 0.0 if abs(gained) < SAME else round(gained, 6)

    def to_json(self) -> dict[str, object]:
        """Return it as JSON can hold it."""
        exercises = {name: one.to_json() for name, one in self.exercises.items()}
        return {**vars(self), "difference": self.difference, "exercises": exercises}


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) < SAME


@dataclass(frozen=True)
class Earlier:
    """A student's earlier result: the verdict file, if readable, and the gradebook's scores."""

    record: Record | None
    held: StoredSubmission | None
    points: Mapping[str, float]

    @property
    def never(self) -> bool:
        """Whether there was none."""
        return self.record is None and self.held is None

    @property
    def status(self) -> str:
        """Whether it could be graded; empty where that is not known."""
        return self.record.status if self.record else ""

    def waits(self, exercise: str) -> bool:
        """Return whether an answer in words waited for a person, and had no points so far."""
        one = self.exercise(exercise)
        waited = one.status == "waiting" if one else isinstance(find_part(exercise), Question)
        return waited and self.score(exercise) is None and self.of_gradebook(exercise).points is None

    def score(self, exercise: str) -> float | None:
        """Return the points of an exercise: the gradebook's, for that is what everybody else has seen."""
        if self.held is not None:
            return self.of_gradebook(exercise).auto
        one = self.exercise(exercise)
        return one.points if one else None

    def max_score(self, exercise: str) -> float | None:
        """Return the points to earn, which the gradebook may know by their new number already."""
        one = self.exercise(exercise)
        return one.max_score if one else self.points.get(_cell(exercise))

    def exercise(self, exercise: str) -> ExerciseRecord | None:
        """Return the earlier verdict on an exercise."""
        return self.record.exercises.get(exercise) if self.record else None

    def of_gradebook(self, exercise: str) -> StoredScore:
        """Return what the gradebook holds of an exercise."""
        return self.held.scores.get(_cell(exercise), NOT_HELD) if self.held else NOT_HELD

    def holds(self, result: WorkerResult) -> bool:
        """Return whether the gradebook holds the scores and the time of a result."""
        return self.held is not None and self.held.agrees(gradebook_scores(result.record), result.timestamp)


def _cell(exercise: str) -> str:
    return check_id(find_part(exercise))


@dataclass(frozen=True)
class Regrade:
    """One assignment of one class, graded again.

    Attributes:
        run: how the class is graded; ``run.force`` for all of it, else for what a change affects.
        held: what the gradebook held before.
        spool: an empty folder, outside of the course, for the results.
        computed: keeps what was graded now for a later run; None if this one writes.
    """

    run: ClassRun
    held: StoredGrades
    spool: Path
    computed: Computed | None = None

    def changes(self, workers: Pool, asked: Sequence[str], absent: Sequence[str]) -> Iterator[Change]:
        """Yield each student's change, and keep the results to write.

        Raises:
            GradebookError: the gradebook could not take over the results.
        """
        self._expect_the_same_cells()
        for student, result in chain.from_iterable(workers.run(asked)):
            graded = self.run.result_or_failure(student, result)
            change = self._change(student, graded)
            if self.computed is None and change.affected:
                self._keep(student, graded)
            elif self.computed is not None and graded.page is not None:
                self.computed.keep(student, graded.record)
            yield change
        yield from map(self._absent, absent)

    def write(self, gradebook: ClassGradebook) -> Iterator[StudentResult]:
        """Record the results that were kept, each as `grader grade` does."""
        spooled = sorted(self.spool.iterdir())
        for first in range(0, len(spooled), TOGETHER):
            paths = spooled[first : first + TOGETHER]
            kept = [json.loads(zlib.decompress(path.read_bytes())) for path in paths]
            results = {one["student"]: WorkerResult.from_json(one["graded"]) for one in kept}
            yield from self.run.record(gradebook, results)

    def _keep(self, student: str, graded: WorkerResult) -> None:
        name = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()
        data = {"student": student, "graded": graded.to_json()}
        (self.spool / name).write_bytes(zlib.compress(json.dumps(data).encode("ascii"), 1))

    def _expect_the_same_cells(self) -> None:
        master = self.run.grading.master
        checks = {cell.grade_id for cell in (*master.checks.values(), *master.words.values())}
        if self.held.submissions and checks != set(self.held.points):
            other = ", ".join(sorted(checks ^ set(self.held.points)))
            raise GradebookError(
                f"The gradebook has submissions of {self.run.assignment}, and nbgrader cannot add or take "
                f"away graded cells then: {other}. Take the change back, or make it an assignment of its own."
            )

    def _earlier(self, student: str) -> Earlier:
        record = self.run.places.earlier(student)
        return Earlier(record, self.held.submissions.get(student), self.held.points)

    def _change(self, student: str, graded: WorkerResult) -> Change:
        earlier, record = self._earlier(student), graded.record
        every = {name: self._exercise(earlier, name, one) for name, one in record.exercises.items()}
        old = [0.0 if earlier.waits(name) else one.old_points for name, one in every.items()]
        new = [
            0.0 if one.points is None and record.exercises[name].status == "waiting" else one.points
            for name, one in every.items()
        ]
        return Change(
            student=student,
            kind=self._kind(student, graded, earlier, every),
            status=record.status,
            old_score=None if earlier.never else _sum(old),
            new_score=_sum(new),
            old_max_score=_sum([one.old_max_score for one in every.values()]),
            max_score=record.max_score,
            exercises={name: one for name, one in every.items() if not one.same},
            by_hand={name: one.by_hand for name, one in every.items() if one.by_hand is not None},
            reason=record.reason,
            retimed=earlier.held is not None and earlier.held.timestamp != graded.timestamp,
        )

    def _kind(
        self, student: str, graded: WorkerResult, earlier: Earlier, every: Mapping[str, ExerciseChange]
    ) -> ChangeKind:
        if self._is_there(student, graded, earlier):
            return "unchanged"
        if earlier.never and not self.run.places.verdict(student).exists():
            return "new"
        if any(one.changes for one in every.values()) or earlier.status not in ("", graded.record.status):
            return "changed"
        if name_problem(student):  # the gradebook cannot hold it
            return "anew"
        return "anew" if earlier.held and earlier.held.timestamp == graded.timestamp else "changed"

    @staticmethod
    def _exercise(earlier: Earlier, name: str, one: ExerciseRecord) -> ExerciseChange:
        before = earlier.exercise(name)
        return ExerciseChange(
            old_score=earlier.score(name),
            new_score=one.points,
            old_max_score=earlier.max_score(name),
            max_score=one.max_score,
            old_diagnosis=before.diagnosis if before else None,
            diagnosis=one.diagnosis,
            by_hand=earlier.of_gradebook(name).manual,
            decision=one.decision,
            old_decision=before.decision if before else "",
            extra=earlier.of_gradebook(name).extra or 0.0,
        )

    def _is_there(self, student: str, graded: WorkerResult, earlier: Earlier) -> bool:
        """Return whether all that would be written is there already, to the letter."""
        # A folder whose name the gradebook cannot take is never there.
        if not earlier.holds(graded) and not name_problem(student):
            return False
        if graded.page is None:
            return not graded.decided
        held = earlier.held
        page = self.run.grading.page(graded.record, student, held) if held and held.mark else graded.page
        texts = {
            self.run.places.page(student): page,
            self.run.places.notebook(student): graded.record.notebook,
        }
        return earlier.record == replace(graded.record, notebook="") and all(
            path.is_file() and path.read_text(encoding="utf-8") == text for path, text in texts.items()
        )

    def _absent(self, student: str) -> Change:
        """Return that a student has no folder: what was graded before stays as it is."""
        held = self.held.submissions.get(student)
        points = sum(self.run.grading.master.points.values())
        score = round(held.points(held.scores), 6) if held else None
        return Change(
            student=student,
            kind="gone" if held else "missing",
            status="",
            old_score=score,
            new_score=score,
            old_max_score=sum(self.held.points.values()),
            max_score=points,
            reason=GONE if held else MISSING,
        )


def _sum(points: Sequence[float | None]) -> float | None:
    return None if None in points else round(sum(points), 6)
