"""Plug-ins for nbgrader: its commands and formgrader give the verdicts and pages of `grader grade`.

``nbgrader_config.py`` names them in ``Autograde.sanitize_preprocessors`` and ``autograde_preprocessors``, and
in ``GenerateFeedback.exporter_class``.
"""

import atexit
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Enum, Float
from traitlets.config import Config

from grader.checking.device import DEVICES, choose_device
from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths, find_course
from grader.errors import GraderError, SubmissionError
from grader.exercises import find_chapter
from grader.gradebook.extensions import read_extensions
from grader.gradebook.lateness import put_extension
from grader.gradebook.stored import read_stored_submission, student_names
from grader.grading.compose import put_attempts
from grader.grading.course_directory import course_directory
from grader.grading.grade_submission import grade_notebook, notebook_of_reason, unreadable
from grader.grading.gradebook_entry import cell_comment, gradebook_entry, gradebook_scores
from grader.grading.intake import read_handed_in
from grader.grading.language import claimed_language, page_catalog
from grader.grading.master import Master, load_master
from grader.grading.record import Record
from grader.grading.result_files import Places
from grader.grading.sanitize import sanitize
from grader.grading.submissions import Submission, called, printable
from grader.messages import Message, told_by
from grader.private_api.nbgrader import SaveScores
from grader.reporting.feedback import can_be_shown, feedback_page
from grader.sandbox.job import Limits
from grader.sandbox.launch import FULL, ISOLATIONS
from grader.sandbox.sandbox import Sandbox

RECORD = "record"
# Metadata key for the reason why a notebook could not be graded: nbgrader's two passes share nothing else.
REASON = "ungraded"


@cache
def _load_master(assignment: str, root: Path, changed: tuple[int, ...]) -> Master:
    return load_master(find_chapter(assignment), CoursePaths(root))


def _master_of(resources: ResourcesDict) -> Master:
    """Return the master of the assignment; nbgrader works in the course's folder."""
    assignment, course = resources["nbgrader"]["assignment"], find_course()
    files = (course.solution(find_chapter(assignment)), course.settings, course.decisions)
    changed = tuple(path.stat().st_mtime_ns if path.is_file() else 0 for path in files)
    return _load_master(assignment, course.root, changed)


@cache
def _sandbox(isolation: str) -> Sandbox:
    """Return the sandbox that all submissions of this process share."""
    sandbox = Sandbox(isolation)
    atexit.register(sandbox.close)
    return sandbox


def _ungraded(master: Master, why: Message, content: bytes) -> NotebookNode:
    """Return the replacement of a notebook that cannot be graded."""
    notebook = notebook_of_reason(str(why), master)
    language = master.language_of(claimed_language(content))
    notebook.metadata[REASON] = {"why": why.to_json(), "language": language}
    return notebook


def _handed_in(resources: ResourcesDict, config: Config) -> Submission:
    """Return the submission, read again: nbgrader follows links and has no size limits."""
    directory = course_directory(find_course(), config)
    return read_handed_in(directory, resources["nbgrader"]["student"], _master_of(resources))


class AlignSubmission(NbGraderPreprocessor):
    """Aligns a submission with the master, so that later steps can process it."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Return the aligned notebook; of one that cannot be graded, a notebook that says why."""
        master, student = _master_of(resources), resources["nbgrader"]["student"]
        content = b""
        try:
            handed_in = _handed_in(resources, self.config)
            content = handed_in.content
            aligned = sanitize(content, master)
        except SubmissionError as error:
            self.log.warning("%s: %s", student, error)
            return _ungraded(master, told_by(error), content), resources
        for note in (*handed_in.notes, *aligned.notes):
            self.log.warning("%s: %s", student, note)
        cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in aligned.notebook.cells}
        for exercise, attempts in aligned.check_counts.items():
            put_attempts(cells[master.checks[exercise].grade_id], exercise, attempts)
        return aligned.notebook, resources


class JudgeSubmission(NbGraderPreprocessor):
    """Runs a submission in the sandbox and judges it outside; takes the place of ``Execute``."""

    isolation = Enum(
        ISOLATIONS,
        ISOLATIONS[0],
        help="Whether submissions are kept from files, the network and other processes. With 'none' they run "
        "as ordinary processes of the user who grades.",
    ).tag(config=True)
    device = Enum(DEVICES, None, allow_none=True, help="Where submissions run.").tag(config=True)
    cell_seconds = Float(Limits.cell_seconds, help="Time limit for a cell.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Return the graded notebook, with its record in the resources; one that says why not stays as it is.

        Raises:
            GraderError: the sandbox cannot run anything, for one because isolation is not to be had here.
        """
        if REASON in nb.metadata:
            master, said = _master_of(resources), nb.metadata[REASON]
            record = unreadable(master, Message.from_json(said["why"]), language=said["language"])
            resources["nbgrader"][RECORD] = master.with_decisions(record)
            return nb, resources
        limits = Limits.of_cells(self.cell_seconds)
        device = choose_device(self.device, isolated=self.isolation == FULL).type
        try:
            sandbox, master = _sandbox(self.isolation), _master_of(resources)
            handed_in = _handed_in(resources, self.config)
            record, graded = grade_notebook(
                nb, master, sandbox, device=device, limits=limits, files=handed_in.files
            )
        except GraderError:
            _sandbox.cache_clear()  # the next submission may have a new one
            raise
        told = handed_in.told + sanitize(handed_in.content, master).told
        resources["nbgrader"][RECORD] = master.with_decisions(replace(record, told=told))
        return graded, resources


class SaveVerdicts(SaveScores):
    """Saves the judge's scores and messages, where nbgrader would read scores off the outputs.

    The verdict file beside the graded notebook is the one that `grader grade` writes.
    """

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Save, and return the notebook as it was."""
        saved, record = super().preprocess(nb, resources), _record_in(resources)
        if record.status == "error":
            self._comment_on_answers(gradebook_entry(record).comments)
        places = Places(course_directory(find_course(), self.config), resources["nbgrader"]["assignment"])
        places.write_verdict(resources["nbgrader"]["student"], record)
        self._extend()
        return saved

    def _extend(self) -> None:
        """Tell nbgrader the student's extension, before its own penalties for handing in late."""
        extensions = read_extensions(find_course().extensions)
        with Gradebook(self.db_url) as gradebook:
            put_extension(gradebook.find_submission(self.assignment_id, self.student_id), extensions)
            gradebook.db.commit()

    def _comment_on_answers(self, comments: Mapping[str, str | None]) -> None:
        """Write the reason to the answers' comments: the notebook has no such cells."""
        with Gradebook(self.db_url) as gradebook:
            for name, text in comments.items():
                found = gradebook.find_comment(name, self.notebook_id, self.assignment_id, self.student_id)
                found.auto_comment = text
            gradebook.db.commit()

    def save_score(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        """Write the points of a check cell, and whether a person has to look at them."""
        name = cell.metadata["nbgrader"]["grade_id"]
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        grade.auto_score = gradebook_scores(_record_in(resources)).get(name)
        grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
        grade.cell.max_score = self._points(name, resources)
        self.gradebook.db.commit()

    @staticmethod
    def _points(cell: str, resources: ResourcesDict) -> float:
        """Return the points of a check cell; none if its exercise is left out."""
        master = _master_of(resources)
        return next(master.points[name] for name, part in master.parts.items() if check_id(part) == cell)

    def save_comment(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        """Write the comment on an answer's cell."""
        name = cell.metadata["nbgrader"]["grade_id"]
        comment = self.gradebook.find_comment(name, self.notebook_id, self.assignment_id, self.student_id)
        comment.auto_comment = cell_comment(cell, _record_in(resources))
        self.gradebook.db.commit()


class FeedbackPage(HTMLExporter):
    """Writes the feedback page of `grader grade`, with what a person gave in formgrader by now."""

    def from_filename(
        self, filename: str, resources: ResourcesDict | None = None, **options: object
    ) -> tuple[str, ResourcesDict]:
        """Return the page of a graded notebook; without a verdict file that can be used, nbgrader's own."""
        asked = resources["nbgrader"]
        student, assignment = asked["student"], asked["assignment"]
        places = Places(course_directory(find_course(), self.config), assignment)
        record, chapter = places.earlier(student), find_chapter(assignment)
        if record is None or not can_be_shown(record, chapter):
            self.log.warning(
                "%s: there is no verdict file of this version of the course, so this is nbgrader's own page.",
                printable(student),
            )
            return super().from_filename(filename, resources, **options)
        stored = read_stored_submission(asked["db_url"], assignment, student)
        shown = called(student, student_names(asked["db_url"]))
        catalog = page_catalog(record.language, find_course())
        page = feedback_page(places.with_notebook(student, record), chapter, shown, stored, catalog)
        return page, {**resources, "output_extension": self.file_extension}


def _record_in(resources: ResourcesDict) -> Record:
    if RECORD not in resources["nbgrader"]:
        raise GraderError("SaveVerdicts has to follow JudgeSubmission in Autograde.autograde_preprocessors.")
    return resources["nbgrader"][RECORD]
