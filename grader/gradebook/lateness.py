"""Late penalties: by the course's own rule, nbgrader's due dates, and extensions."""

import traceback
from collections.abc import Iterable
from contextlib import closing
from math import isfinite
from numbers import Real
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, Notebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.orm import Query, Session
from traitlets import TraitError
from traitlets.config import Config

from grader.errors import GradebookError
from grader.gradebook.connection import is_there
from grader.gradebook.extensions import Extensions
from grader.gradebook.transactions import WritableGradebook
from grader.private_api.nbgrader import within_points

MEND = "Mend the rule, or take it out of nbgrader_config.py, and run `grader grade` then."


def late_rule(config: Config) -> AssignLatePenalties:
    """Return nbgrader's preprocessor with the late-penalty rule that the course configures.

    Raises:
        GradebookError: the rule cannot be found, or fails where it is imported.
    """
    try:
        rule = AssignLatePenalties(config=config)
        rule.init_plugin()
    except TraitError as error:
        raise GradebookError(
            f"The rule for handing in late, c.AssignLatePenalties in nbgrader_config.py, cannot be used: "
            f"{error}. Python has to find its module: write it beside the folder `grader`, or install it."
        ) from error
    except Exception as error:  # the course's own code may raise anything
        raise GradebookError(
            f"The rule for handing in late, {config.AssignLatePenalties.get('plugin_class')}, cannot be "
            f"imported: {_told(error)}. {MEND}"
        ) from error
    return rule


def penalty_by(
    rule: AssignLatePenalties, student: str, notebook: SubmittedNotebook, late: float
) -> float | None:
    """Return the penalty by a rule for a submission that is so many seconds late; None for no penalty.

    Raises:
        GradebookError: the rule fails, or gives something that is no number of points.
    """
    name = rule.plugin_class.__module__ + "." + rule.plugin_class.__qualname__
    told = f"The rule for handing in late, {name}, asked about {student}, {late:.0f} seconds late,"
    try:
        penalty = rule.plugin_inst.late_submission_penalty(student, notebook.score, late)
    except Exception as error:  # the course's own code may raise anything
        raise GradebookError(f"{told} fails: {_told(error)}. {MEND}") from error
    if penalty is None:
        return None
    if not isinstance(penalty, Real) or not isfinite(penalty):
        raise GradebookError(f"{told} gives {penalty!r:.80}; expected a number of points, or None. {MEND}")
    return within_points(rule, notebook, penalty)


def _told(error: Exception) -> str:
    """Return an error in one line, with the place in the course's own code."""
    said = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, SyntaxError):  # which names its place
        return said
    *_, last = traceback.extract_tb(error.__traceback__)
    return f"{said} ({Path(last.filename).name}, line {last.lineno})"


def put_extension(submission: SubmittedAssignment, extensions: Extensions) -> None:
    """Set a submission's extension in nbgrader; one that was not given by `grader extend` stays."""
    chapter, student, duedate = (
        submission.assignment.name,
        submission.student_id,
        submission.assignment.duedate,
    )
    if duedate is None:
        submission.extension = None  # nbgrader cannot add to a date that is not there
    elif extensions.knows(student, chapter):
        submission.extension = extensions.of(student, chapter, duedate)


def penalize(session: Session, notebook: SubmittedNotebook, extensions: Extensions, config: Config) -> None:
    """Set the late penalty of a submission by the course's rule.

    Raises:
        GradebookError: the rule cannot be found, or fails.
    """
    put_extension(notebook.assignment, extensions)
    notebook.late_submission_penalty = None
    late = notebook.assignment.total_seconds_late
    if late <= 0:
        return
    rule = late_rule(config)
    session.flush()
    session.refresh(notebook, ["score"])
    notebook.late_submission_penalty = penalty_by(rule, notebook.assignment.student_id, notebook, late)


def update_penalties(session: Session, assignment: str, extensions: Extensions, config: Config) -> list[str]:
    """Bring all penalties of an assignment up to date; return the students whose penalty has changed.

    A due date, an extension or a score by hand may have changed since a submission was graded.
    """
    changed = []
    for notebook in _ever_late(session, assignment):
        before = notebook.late_submission_penalty or 0.0
        penalize(session, notebook, extensions, config)
        if abs((notebook.late_submission_penalty or 0.0) - before) > 1e-9:
            changed.append(notebook.assignment.student_id)
    return sorted(changed)


def _ever_late(session: Session, assignment: str) -> Query:
    """Return the submissions that are late by the due date alone, or have a penalty or an extension."""
    return (
        session.query(SubmittedNotebook)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .filter(Assignment.name == assignment, Notebook.name == assignment)
        .filter(
            (SubmittedAssignment.timestamp > Assignment.duedate)
            | SubmittedNotebook.late_submission_penalty.is_not(None)
            | SubmittedAssignment.extension.is_not(None)
        )
    )


def settle_chapters(
    directory: CourseDirectory, config: Config, chapters: Iterable[str], extensions: Extensions, recorded: str
) -> dict[str, list[str]]:
    """Bring the penalties of chapters up to date, all or none; return by chapter whose has changed.

    Args:
        directory: names the gradebook.
        config: nbgrader's configuration.
        chapters: which ones.
        extensions: of the course.
        recorded: a sentence on what is written all the same, for the error.

    Raises:
        GradebookError: the gradebook cannot be written, or the course's rule fails.
    """
    if not is_there(directory.db_url):
        return {}

    def settle(_: Gradebook, session: Session) -> dict[str, list[str]]:
        return {one: update_penalties(session, one, extensions, config) for one in chapters}

    try:
        with closing(WritableGradebook(directory.db_url, directory.course_id)) as gradebook:
            changed = gradebook.change(settle)
    except GradebookError as error:
        raise GradebookError(f"{error} {recorded}") from error
    return {chapter: students for chapter, students in changed.items() if students}
