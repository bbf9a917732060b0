"""The implementation of ``grader decide``: record a decision, revoke one, or show all."""

import json
from collections.abc import Iterator, Mapping

import click
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from grader.cli.deciding import DecideOptions
from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths, find_course
from grader.exercises import find_chapter, find_exercise, find_part
from grader.gradebook.stored import StoredScore, read_stored_grades
from grader.grading.course_directory import course_directory, read_config
from grader.grading.decision_file import decide, revoke
from grader.grading.decisions import Decision, read_decisions
from grader.grading.precedent import Precedent, precedent_of_file, precedent_of_student
from grader.grading.record import Record
from grader.grading.result_files import Places
from grader.grading.submissions import printable, students_in

# Names of students that a sentence lists.
NAMED = 10


def run(options: DecideOptions) -> None:
    """Do what was asked for.

    Raises:
        GraderError: it cannot be done; nothing is changed then.
    """
    paths = find_course(options.course)
    if options.revoke is not None:
        _tell(paths, revoke(paths, options.revoke), "Revoked")
    elif options.exercise:
        _tell(paths, _made(options, paths), "Recorded")
    else:
        _show(options, paths)


def _made(options: DecideOptions, paths: CoursePaths) -> Decision:
    """Record the decision that was asked for."""
    part = find_part(options.exercise)
    if options.full_points or options.leave_out:
        kind = "full-points" if options.full_points else "leave-out"
        return decide(paths, part.id, kind, options.reason)
    accepted = _precedent(options, paths)
    return decide(paths, part.id, "accept", options.reason, accepted.answer, accepted.outcome)


def _precedent(options: DecideOptions, paths: CoursePaths) -> Precedent:
    exercise = find_exercise(options.exercise)
    if options.accept is not None:
        return precedent_of_student(exercise, options.accept, paths)
    return precedent_of_file(exercise, options.accept_file, paths, options.isolation)


def _tell(paths: CoursePaths, decision: Decision, done: str) -> None:
    """Say what was done, whom it concerns, and what comes next."""
    stem = find_part(decision.exercise).chapter
    click.echo(f"{done}: {decision.number}, {decision.exercise}. {decision.sentence}")
    records = _records(paths, stem)
    whose = [student for student, one in records.items() if _concerns(decision, one)]
    if records:
        named = ", ".join(map(printable, whose[:NAMED]))
        more = f" and {len(whose) - NAMED} more" if len(whose) > NAMED else ""
        click.echo(
            f"It concerns {len(whose)} of {len(records)} students{': ' if whose else ''}{named}{more}."
        )
    if (done, decision.kind) == ("Recorded", "leave-out") and (by_hand := _by_hand(paths, decision)):
        click.echo(
            f"Points that a person gave for it stay, though it counts in nobody's maximum: {by_hand}. Take "
            "them back first: empty their fields in formgrader, and save."
        )
    click.echo(f"No score has changed yet. To see what changes: grader regrade {stem} --changed")


def _by_hand(paths: CoursePaths, decision: Decision) -> str:
    """Return the students who have points by hand for an exercise."""
    part = find_part(decision.exercise)
    held = read_stored_grades(course_directory(paths, read_config(paths)).db_url, part.chapter).submissions
    given = (name for name, one in held.items() if one.scores.get(check_id(part), StoredScore()).by_hand)
    return ", ".join(map(printable, sorted(given)))


def _records(paths: CoursePaths, stem: str) -> dict[str, Record]:
    """Return the verdict files of a chapter, as far as they can be read."""
    directory = course_directory(paths, read_config(paths))
    places = Places(directory, stem)
    graded = students_in(directory, directory.autograded_directory, stem)
    return {student: record for student in sorted(graded) if (record := places.earlier(student))}


def _concerns(decision: Decision, record: Record) -> bool:
    verdict = record.exercises.get(decision.exercise)
    return verdict is not None and decision.applies_to(decision.exercise, verdict)


def _show(options: DecideOptions, paths: CoursePaths) -> None:
    decisions = read_decisions(paths.decisions).all
    stems = dict.fromkeys(find_part(one.exercise).chapter for one in decisions)
    records = {stem: _records(paths, stem) for stem in stems if find_chapter(stem)}
    if options.as_json:
        click.echo("\n".join(json.dumps(one) for one in _lines(decisions, records)), nl=bool(decisions))
    elif not decisions:
        click.echo("Nothing is decided for the whole class.")
    else:
        Console().print(_table(decisions, records))


def _reached(decision: Decision, records: Mapping[str, Mapping[str, Record]]) -> int:
    verdicts = records[find_part(decision.exercise).chapter].values()
    return sum(_concerns(decision, one) for one in verdicts) if decision.in_force else 0


def _lines(
    decisions: tuple[Decision, ...], records: Mapping[str, Mapping[str, Record]]
) -> Iterator[dict[str, object]]:
    for one in decisions:
        times = {"at": one.at.isoformat(), "revoked_at": one.revoked_at and one.revoked_at.isoformat()}
        yield {**vars(one), **times, "students": _reached(one, records)}


def _table(decisions: tuple[Decision, ...], records: Mapping[str, Mapping[str, Record]]) -> Table:
    number, students = (Column(name, justify="right", overflow="fold") for name in ("number", "students"))
    told, by = (Column(name, overflow="fold") for name in ("what and why", "by"))
    table = Table(number, Column("exercise", no_wrap=True), students, told, by, box=None, pad_edge=False)
    for one in decisions:
        told = one.sentence + (f" (the answer of {one.answer})" if one.answer else "")
        if not one.in_force:
            told += f" Revoked by {one.revoked_by}, {one.revoked_at:%Y-%m-%d}."
        row = (
            str(one.number),
            one.exercise,
            str(_reached(one, records)),
            told,
            f"{one.by}, {one.at:%Y-%m-%d}",
        )
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table
