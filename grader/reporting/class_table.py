"""The class report in a terminal: students, exercises and recognized mistakes."""

from collections.abc import Iterator

from rich.table import Column, Table
from rich.text import Text

from grader.reporting.class_report import (
    AssignmentReport,
    ExerciseReport,
    decision_sentence,
    pending_sentence,
)
from grader.reporting.graded import GradedAnswer, GradedStudent, missing_sentence
from grader.reporting.page_templates import points

# Number of mistakes that the table shows.
MAX_MISTAKES = 15
# Exercises that have a column each, where there is room; of more, a line says which are not right.
COLUMNS, WIDE = 10, 120


def class_tables(report: AssignmentReport, width: int = WIDE) -> Iterator[Table | Text]:
    """Yield what a terminal of some width shows of an assignment, what matters most last."""
    yield student_table(report, len(report.exercises) <= COLUMNS and width >= WIDE)
    if report.mistakes:
        yield mistake_table(report)
    yield exercise_table(report)
    for one in report.broken:
        for concern in one.concerns:
            said = f"{one.number} {one.exercise.subject} looks broken. {concern.why} To do: {concern.advice}"
            yield Text(said, style="bold")
    for one, made in report.decided:
        yield Text(f"{one.number} {one.exercise.subject}: {decision_sentence(made)}")
    if report.assignment.pending:
        yield Text(pending_sentence(report), style="bold")
    for said in closing_lines(report):
        yield Text(said)


def closing_lines(report: AssignmentReport) -> Iterator[str]:
    """Yield the end: who is missing from the table, whose files something is wrong with, who waits."""
    if report.many_missing:
        absent = [one.label for one in report.assignment.students if one.absent]
        yield missing_sentence(report.chapter.stem, absent)
    for one in report.troubled:
        yield f"{one.label}: {' '.join(filter(None, (one.reason, one.problem)))}"
    if unjudged := [one.label for one in report.undecided if one.unjudged]:
        names = ", ".join(unjudged)
        yield f"Without a score, to be graded by hand in formgrader or handed in again: {names}."
    if report.review_sentence:
        yield report.review_sentence


def student_table(report: AssignmentReport, columns: bool) -> Table:
    """Return the table of students, points, in columns for each exercise if asked for, and named mistakes."""
    legend = ", ".join(
        f"{one.number} {one.exercise.subject} ({points(one.max_points)})" for one in report.exercises
    )
    table = Table(
        title=f"{report.chapter.stem}: {report.chapter.title}",
        caption=f"Exercises (points): {legend}",
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("student", overflow="fold")
    table.add_column("score", justify="right", no_wrap=True)
    if columns:
        for one in report.exercises:
            table.add_column(str(one.number), justify="right", no_wrap=True)
    else:
        table.add_column("not right", overflow="fold")
    table.add_column("mistakes by name", overflow="fold")
    for student in report.assignment.students:
        if student.absent and report.many_missing:
            continue
        table.add_row(*map(Text, _student_row(report, student, columns)))
    return table


def _student_row(report: AssignmentReport, student: GradedStudent, columns: bool) -> Iterator[str]:
    yield student.called
    if student.status == "missing":
        empty = len(report.exercises) if columns else 1
        yield from ("–", *("" for _ in range(empty)), student.reason)  # noqa: RUF001 - as in the page
        return
    waits = f", {student.undecided} wait{'s' if student.undecided == 1 else ''}" if student.undecided else ""
    earned = "?" if student.score is None else points(student.score)
    late = f", {points(student.penalty)} off for being late" if student.penalty else ""
    yield f"{earned} of {points(report.assignment.max_score)}{late}{waits}"
    answers = [student.answers[one.exercise.id] for one in report.exercises]
    if columns:
        yield from map(_earned, answers)
    else:
        yield ", ".join(
            f"{one.number}: {_earned(answer)}"
            for one, answer in zip(report.exercises, answers, strict=True)
            if answer.points is None or answer.points < one.max_points
        )
    if student.status == "error":
        yield "error: see below"
        return
    if student.reason:
        yield student.reason
        return
    yield "\n".join(
        f"{one.number}: {', '.join(answer.diagnosis)}"
        for one, answer in zip(report.exercises, answers, strict=True)
        if answer.diagnosis
    )


def _earned(answer: GradedAnswer) -> str:
    """Return the points of an answer: with a star where a person gave them, a question mark without any."""
    if answer.points is None:
        return "?"
    return f"{points(answer.points)}{'*' if answer.by_hand else ''}{' to review' if answer.review else ''}"


def exercise_table(report: AssignmentReport) -> Table:
    """Return the table of exercises: how many have each right, and how well it tells students apart."""
    table = Table(
        "exercise",
        *(Column(name, justify="right") for name in ("right", "in part", "checks", "discrimination")),
        title="Exercises",
        caption=_sentence(report),
        title_justify="left",
        caption_justify="left",
    )
    for one in report.exercises:
        table.add_row(*map(Text, _exercise_row(one)))
    return table


def _exercise_row(one: ExerciseReport) -> Iterator[str]:
    yield f"{one.number} {one.exercise.subject}"
    yield f"{one.right} of {one.answers}"
    yield str(one.partial)
    yield "–" if one.attempts is None else f"{one.attempts:g}"  # noqa: RUF001 - as in the page
    found = one.discrimination
    yield "not defined" if found.value is None else f"{found.value:.2f}"


def _sentence(report: AssignmentReport) -> str:
    """Return the counts, where the scores lie, and why a discrimination is not defined."""
    counts = ", ".join(f"{count} {status}" for status, count in report.counts.items())
    found = report.distribution
    told = f" Scores: mean {found.mean:.2f}, median {points(found.median)}." if found else ""
    given = sum(one.by_hand for one in report.exercises)
    by_hand = f" Graded by hand (*): {given}." if given else ""
    reasons = dict.fromkeys(one.discrimination.why for one in report.exercises if one.discrimination.why)
    undefined = f" Not defined: {', '.join(reasons)}." if reasons else ""
    number = len(report.assignment.students)
    return f"{number} student{'' if number == 1 else 's'}: {counts}.{told}{by_hand}{undefined}"


def mistake_table(report: AssignmentReport) -> Table:
    """Return how many students made each mistake, the most frequent first."""
    table = Table(Column("mistake", overflow="fold"), Column("students", justify="right"), "what it is")
    table.title, table.title_justify = "Mistakes by name", "left"
    for one in report.mistakes[:MAX_MISTAKES]:
        table.add_row(*map(Text, (one.mistake.code, str(one.students), str(one.mistake.title))))
    if len(report.mistakes) > MAX_MISTAKES:
        table.caption = f"and {len(report.mistakes) - MAX_MISTAKES} more"
    return table
