"""The class report as JSON, and as CSV with a row for each answer."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from grader.reporting.class_report import AssignmentReport, ExerciseReport
from grader.reporting.graded import GradedStudent
from grader.reporting.spreadsheet import as_csv

COLUMNS = (
    "assignment",
    "student",
    "name",
    "status",
    "exercise",
    "points",
    "max_points",
    "right",
    "verdict",
    "verdict_points",
    "by_hand",
    "to_review",
    "attempts",
    "mistakes",
    "decision",
    "notebook",
    "notes",
)


def report_csv(reports: Sequence[AssignmentReport]) -> str:
    """Return a row for each answer, and one for each student without any."""
    return as_csv(COLUMNS, (row for report in reports for row in _rows(report)))


def _rows(report: AssignmentReport) -> Iterator[Sequence[object]]:
    stem, assignment = report.chapter.stem, report.assignment
    for student in assignment.students:
        if not student.answers:
            whose = (stem, student.label, student.name, student.status)
            yield (*whose, *[None] * (len(COLUMNS) - len(whose) - 1), _notes(student))
        for name, answer in student.answers.items():
            yield (
                *(
                    stem,
                    student.label,
                    student.name,
                    student.status,
                    name,
                    answer.points,
                    assignment.max_points[name],
                ),
                int(assignment.is_right(name, answer)) if answer.points is not None else None,
                *(answer.status, answer.judged, int(answer.by_hand), int(answer.review), answer.attempts),
                " ".join(answer.diagnosis),
                *(answer.decision, student.notebook, _notes(student)),
            )


def _notes(student: GradedStudent) -> str:
    """Return all that there is to say of a student's files."""
    return " ".join(filter(None, (student.reason, student.problem, *student.notes)))


def report_json(reports: Sequence[AssignmentReport], anonymous: bool) -> str:
    """Return all that the report says."""
    data = {"anonymous": anonymous, "assignments": [_assignment(report) for report in reports]}
    return json.dumps(data, indent=1) + "\n"


def _assignment(report: AssignmentReport) -> dict[str, object]:
    return {
        "assignment": report.chapter.stem,
        "title": report.chapter.title,
        "max_score": report.assignment.max_score,
        "students": report.counts,
        "scores": asdict(report.distribution) if report.distribution else None,
        "histogram": [asdict(bar) for bar in report.bars],
        "changed_by_hand": report.changed,
        "stale_in_gradebook": report.stale,
        "decisions_pending": report.assignment.pending,
        "undecided": [one.label for one in report.undecided],
        "to_review": {one.label: list(one.review) for one in report.review},
        "late": report.late,
        "exercises": [_exercise(one) for one in report.exercises],
        "mistakes": [
            {
                "code": one.mistake.code,
                "group": one.mistake.group,
                "title": str(one.mistake.title),
                "look": str(one.mistake.look),
                "students": one.students,
                "exercises": {where.exercise.id: count for where, count in one.exercises},
                "example": one.example,
            }
            for one in report.mistakes
        ],
        "groups": [
            {"group": one.name, "title": one.title, "students": one.students, "codes": dict(one.codes)}
            for one in report.groups
        ],
        "unrecognized": [
            {
                "student": one.student.label,
                "exercise": one.exercise.exercise.id,
                "notebook": one.student.notebook,
                "by_hand": one.answer.by_hand,
            }
            for one in report.unrecognized
        ],
        "results": [_student(one) for one in report.assignment.students],
    }


def _exercise(one: ExerciseReport) -> dict[str, object]:
    return {
        "exercise": one.exercise.id,
        "max_points": one.max_points,
        "answers": one.answers,
        "right": one.right,
        "partial": one.partial,
        "success_rate": one.right / one.answers if one.answers else None,
        "mean_points": one.mean,
        "discrimination": one.discrimination.value,
        "discrimination_not_defined": one.discrimination.why,
        "discrimination_students": one.discrimination.students,
        "median_attempts": one.attempts,
        "attempts_known": one.attempts_known,
        "by_hand": one.by_hand,
        "codes": dict(one.codes),
        "decisions": [asdict(decision) for decision in one.decisions],
        "concerns": [asdict(concern) for concern in one.concerns],
    }


def _student(one: GradedStudent) -> dict[str, object]:
    return {
        "student": one.label,
        "name": one.name,
        "status": one.status,
        "score": one.score,
        "penalty": one.penalty,
        "reason": one.reason,
        "notes": list(one.notes),
        "problem": one.problem,
        "notebook": one.notebook,
    }
