"""``SubmissionGrader``: grades one submission; called in the workers of a class."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grader.gradebook.stored import StoredSubmission
from grader.grading.grade_submission import Runs, cache_key, grade, unreadable
from grader.grading.judging import load_references
from grader.grading.language import page_catalog
from grader.grading.master import Master
from grader.grading.record import Record
from grader.grading.submissions import Submission, called
from grader.messages import Message, message
from grader.reporting.feedback import NOTHING_GIVEN, feedback_page
from grader.sandbox.job import Limits

# Seconds for the trusted side's own work on a submission, on a busy machine.
ALLOWANCE = 60.0


@dataclass(frozen=True)
class SubmissionGrader:
    """Grades one submission. Called in the workers; nothing here raises because of a submission's content.

    Attributes:
        master: the chapter's master notebook.
        sandbox: where their code runs.
        device: ``cpu`` or ``cuda``.
        limits: what a submission may use.
        names: students' names by id, for their pages.
    """

    master: Master
    sandbox: Runs
    device: str = "cpu"
    limits: Limits = field(default_factory=Limits)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Seconds after which a worker is given up; a submission's own code is stopped long before."""
        return 2 * self.limits.total_seconds + ALLOWANCE

    def prepare(self) -> None:
        """Load the references, so that workers forked later inherit them.

        Raises:
            GraderError: the chapter has no references to judge by.
        """
        cache_key(b"", self.master, self.device, self.limits)
        load_references(self.master)

    def key(self, handed_in: Submission) -> str:
        """Return the cache key of a submission."""
        key = cache_key(handed_in.content, self.master, self.device, self.limits)
        if not (handed_in.told or handed_in.files):  # a folder where all is as it should be
            return key
        beside = json.dumps([key, handed_in.notes, dict(handed_in.files)])
        return hashlib.sha256(beside.encode()).hexdigest()

    def grade(self, handed_in: Submission) -> Record:
        """Grade a submission and return its record."""
        made = grade(
            handed_in.content,
            self.master,
            self.sandbox,
            device=self.device,
            limits=self.limits,
            files=handed_in.files,
        )
        return replace(made, key=self.key(handed_in), told=handed_in.told + made.told)

    def page(self, record: Record, student: str, stored: StoredSubmission = NOTHING_GIVEN) -> str:
        """Return a student's feedback page, with manual scores and comments from the gradebook."""
        shown = called(student, self.names)
        catalog = page_catalog(record.language, self.master.paths)
        return feedback_page(record, self.master.chapter, shown, stored, catalog)

    def refused(self, reason: Message) -> Record:
        """Return the record of a folder in which there is nothing to grade."""
        key = cache_key(str(reason).encode(), self.master, self.device, self.limits)
        return unreadable(self.master, reason, key)

    def failed(self, reason: str) -> Record:
        """Return the record of a submission on which the grader itself has failed."""
        record = unreadable(self.master, message("The grader failed on it. {reason}", reason=reason))
        exercises = {name: replace(one, fault=reason) for name, one in record.exercises.items()}
        return replace(record, exercises=exercises)
