"""Write the decisions of a course, under the run lock and atomically."""

import getpass

import tomlkit

from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.files import write_whole
from grader.grading.class_run import only_run
from grader.grading.decisions import TABLE, Decision, DecisionKind, contradiction, read_decisions
from grader.grading.toml_entries import entries_of, new_entry, now

HEAD = """\
What was decided for the whole class. `grader decide` writes this file, `grader decide --list` shows it.
`grader regrade CHAPTER --changed` shows what a decision changes, with --yes it is written."""


def decide(
    paths: CoursePaths, exercise: str, kind: DecisionKind, reason: str, answer: str = "", outcome: str = ""
) -> Decision:
    """Record a decision.

    Args:
        paths: the course.
        exercise: id of the exercise.
        kind: what is decided.
        reason: why.
        answer: whose answer is accepted.
        outcome: the outcome of its results.

    Raises:
        GraderError: it contradicts another one, somebody is grading, or the file cannot be read.
    """
    with only_run(paths.root):
        known = read_decisions(paths.decisions).all
        number = max((one.number for one in known), default=0) + 1
        made = Decision(number, exercise, kind, reason.strip(), getpass.getuser(), now(), answer, outcome)
        if problem := contradiction((*known, made)):
            raise GraderError(
                f"This was not recorded: {problem} Take one of them back first: `grader decide --list`, "
                "`grader decide --revoke NUMBER`."
            )
        document = entries_of(paths.decisions, TABLE, HEAD)
        document[TABLE].append(new_entry(vars(made)))
        write_whole(paths.decisions, tomlkit.dumps(document))
    return made


def revoke(paths: CoursePaths, number: int) -> Decision:
    """Revoke a decision; it stays in the file, with who revoked it and when.

    Raises:
        GraderError: there is no such decision in force, somebody is grading, or the file cannot be read.
    """
    with only_run(paths.root):
        known = read_decisions(paths.decisions)
        in_force = {one.number: one for one in known.in_force}
        if number not in in_force:
            there = ", ".join(map(str, in_force)) or "none"
            raise GraderError(f"There is no decision {number} in force; in force are: {there}.")
        document = entries_of(paths.decisions, TABLE, HEAD)
        (entry,) = [one for one in document[TABLE] if one["number"] == number]
        entry["revoked_by"], entry["revoked_at"] = getpass.getuser(), now()
        write_whole(paths.decisions, tomlkit.dumps(document))
    return in_force[number]
