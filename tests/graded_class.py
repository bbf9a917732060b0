"""A graded class of any size, written as `grader grade` writes it, without running any code.

Who handed in which answer of the banks is drawn at random; what each answer comes to is what its bank
declares. The tests of the report count on this plan, its benchmark measures on it.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from nbgrader.api import Grade, Notebook, Student, SubmittedAssignment, SubmittedNotebook, new_uuid
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.exercises import Chapter, Exercise
from grader.files import write_whole
from grader.gradebook.writer import ClassGradebook
from grader.grading.class_reading import GradedCourse
from grader.grading.course_directory import read_config
from grader.grading.gradebook_entry import gradebook_scores
from grader.grading.master import load_master, released_notebook
from grader.grading.record import ExerciseRecord, Record
from grader.grading.result_files import Places
from grader.messages import Message
from grader.proving.bank import Answer, bank_path, read_bank

REPOSITORY = Path(__file__).resolve().parents[1]
UNRECOGNIZED = Answer("nothing that is known", ("unrecognized",), "", "def answer(x):\n    return x * 0.123")


@dataclass
class Handed:
    """One student's part in one assignment, and what a person did about it.

    Attributes:
        student: the name.
        status: ``graded``, ``error`` or ``missing``.
        answers: by exercise.
        attempts: by exercise, where they are known.
        manual: points that a person gave, by exercise.
        extra: extra credit that a person gave, by exercise.
        faults: exercises that the grader could not judge.
        partial: points granted to a named mistake, by exercise.
        penalty: points lost for handing in late.
    """

    student: str
    status: str = "graded"
    answers: dict[str, Answer] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=dict)
    manual: dict[str, float] = field(default_factory=dict)
    extra: dict[str, float] = field(default_factory=dict)
    faults: set[str] = field(default_factory=set)
    partial: dict[str, float] = field(default_factory=dict)
    penalty: float | None = None

    def record(self, chapter: Chapter, others: Sequence[dict] = ()) -> Record:
        """Return the record that grading would have come to.

        Args:
            chapter: the assignment.
            others: further cells of the notebook.
        """
        if self.status == "error":
            why = Message("The file is empty.")
            exercises = {
                one.id: ExerciseRecord(0, one.points, "error", said=why) for one in chapter.exercises
            }
            return Record("key", "error", 0, sum(one.points for one in chapter.exercises), exercises, why)
        exercises = {one.id: self._exercise(one) for one in chapter.exercises}
        return Record(
            key="key",
            status="graded",
            score=sum(one.score for one in exercises.values()),
            max_score=sum(one.max_score for one in exercises.values()),
            exercises=exercises,
            notebook=json.dumps(
                {"cells": [*self._cells(chapter), *others], "nbformat": 4, "nbformat_minor": 5}
            ),
        )

    def _exercise(self, one: Exercise) -> ExerciseRecord:
        if one.id in self.faults:
            return ExerciseRecord(
                0, one.points, "error", said=Message("Not judged."), fault="ReferenceDataError: gone"
            )
        answer = self.answers[one.id]
        return ExerciseRecord(
            score=one.points if answer.correct else self.partial.get(one.id, 0),
            max_score=one.points,
            status="passed" if answer.correct else "failed",
            diagnosis=answer.diagnosis,
            said=Message("Right." if answer.correct else "Not right."),
            attempts=self.attempts.get(one.id),
        )

    def _cells(self, chapter: Chapter) -> Iterator[dict]:
        for one in chapter.exercises:
            metadata = {"nbgrader": {"grade_id": one.id}}
            source = self.answers[one.id].source
            yield {"cell_type": "code", "id": one.id, "metadata": metadata, "source": source, "outputs": []}


@cache
def usable(exercise: Exercise) -> tuple[tuple[Answer, ...], tuple[Answer, ...]]:
    """Return the right and the wrong answers of an exercise's bank."""
    answers = read_bank(bank_path(CoursePaths(REPOSITORY).solutions, exercise))
    return tuple(one for one in answers if one.correct), tuple(one for one in answers if not one.correct)


def plan_class(chapters: Sequence[Chapter], students: int, seed: int) -> dict[str, list[Handed]]:
    """Return who hands in what, by assignment: mostly graded, some errors, some missing."""
    randomness = random.Random(seed)
    names = [f"student-{number:03}" for number in range(students)]
    ability = {name: randomness.gauss(0.6, 0.25) for name in names}
    plan: dict[str, list[Handed]] = {}
    for chapter in chapters:
        plan[chapter.stem] = []
        for name in names:
            status = randomness.choices(("graded", "error", "missing"), (0.94, 0.02, 0.04))[0]
            handed = Handed(name, status)
            if status == "graded":
                for one in chapter.exercises:
                    _choose(handed, one, ability[name], randomness)
            plan[chapter.stem].append(handed)
    return plan


def _choose(handed: Handed, one: Exercise, ability: float, randomness: random.Random) -> None:
    right, wrong = usable(one)
    if randomness.random() < ability:
        handed.answers[one.id] = randomness.choice(right)
    else:
        # Most make one of a few mistakes, as in a class.
        pool = wrong[:6] if randomness.random() < 0.7 else wrong
        handed.answers[one.id] = UNRECOGNIZED if randomness.random() < 0.1 else randomness.choice(pool)
        if randomness.random() < 0.1:
            handed.partial[one.id] = one.points / 2
    if randomness.random() < 0.8:
        handed.attempts[one.id] = randomness.randint(1, 12)
    if randomness.random() < 0.03:
        handed.manual[one.id] = float(randomness.choice((0, one.points)))
    if randomness.random() < 0.01:
        handed.extra[one.id] = 0.5
    if randomness.random() < 0.005:
        handed.faults.add(one.id)


def write_graded_class(
    folder: Path, chapters: Sequence[Chapter], plan: dict[str, list[Handed]], whole: bool = False
) -> GradedCourse:
    """Write a class into an empty folder: gradebook, verdict files, and graded notebooks.

    Args:
        folder: the course's.
        chapters: its assignments.
        plan: who handed in what.
        whole: whether the notebooks hold all that students are given, not their answers alone.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source = CoursePaths(REPOSITORY)
    paths = CoursePaths(folder)
    paths.config.write_text(source.config.read_text(encoding="utf-8"), encoding="utf-8")
    course, config = GradedCourse(paths), read_config(paths)
    for chapter in chapters:
        released = released_notebook(load_master(chapter, source))
        ClassGradebook(course.directory, config, chapter.stem, released).close()
        places = Places(course.directory, chapter.stem)
        given = json.loads(source.student(chapter).read_text(encoding="utf-8"))["cells"] if whole else []
        others = [cell for cell in given if cell["id"] not in chapter.by_id]
        for handed in plan[chapter.stem]:
            if handed.status != "missing":
                record = handed.record(chapter, others)
                places.write_verdict(handed.student, record)
                if record.notebook:
                    write_whole(places.notebook(handed.student), record.notebook)
    engine = create_engine(course.directory.db_url)
    with Session(engine) as session:
        session.add_all(_rows(session, chapters, plan))
        session.commit()
    engine.dispose()
    return course


def _rows(session: Session, chapters: Sequence[Chapter], plan: dict[str, list[Handed]]) -> Iterator[object]:
    """Yield the gradebook's entries; nbgrader's own API takes a hundredth of a second for each submission."""
    for name in {handed.student for stem in plan for handed in plan[stem]}:
        yield Student(id=name)
    for chapter in chapters:
        notebook = session.query(Notebook).filter_by(name=chapter.stem).one()
        cells = {cell.name: cell.id for cell in notebook.grade_cells}
        for handed in plan[chapter.stem]:
            if handed.status == "missing":
                continue
            assignment, submitted = new_uuid(), new_uuid()
            yield SubmittedAssignment(
                id=assignment, assignment_id=notebook.assignment_id, student_id=handed.student
            )
            yield SubmittedNotebook(
                id=submitted,
                assignment_id=assignment,
                notebook_id=notebook.id,
                late_submission_penalty=handed.penalty,
            )
            scores = gradebook_scores(handed.record(chapter))
            for one in chapter.exercises:
                yield Grade(
                    notebook_id=submitted,
                    cell_id=cells[check_id(one)],
                    auto_score=scores[check_id(one)],
                    manual_score=handed.manual.get(one.id),
                    extra_credit=handed.extra.get(one.id),
                    needs_manual_grade=False,
                )


def everybody(chapter: Chapter, count: int, answer: Answer | None) -> list[Handed]:
    """Return a class in which all give the same answer; None for right ones."""

    def of(one: Exercise) -> Answer:
        return answer or usable(one)[0][0]

    return [
        Handed(f"student-{number}", answers={one.id: of(one) for one in chapter.exercises})
        for number in range(count)
    ]
