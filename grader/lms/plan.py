"""The plan for a download: a step for each student, and uploads without an owner."""

from dataclasses import dataclass, field
from typing import Literal

from grader.lms.extra_files import CameWith
from grader.lms.systems import System
from grader.lms.uploads import Upload

Action = Literal["new", "newer", "same", "kept", "refused", "without", "unplaced"]


@dataclass(frozen=True)
class PlanStep:
    """The planned action for one student's uploads.

    Attributes:
        student: the name of the folder.
        upload: the file that was chosen.
        others: files that were not.
        action: ``new``; ``newer``, it takes the place of earlier work; ``same``, it is there already;
            ``kept``, what is there stays; ``refused``, it cannot be read; ``without``, it is no notebook;
            ``unplaced``, it may be this student's, or another one's.
        why: the reason of the last four, or why another one was not taken.
        came_with: the files put beside the notebook, if one is taken.
        settled: whether all that is there stays, for the same notebook came in an earlier upload, or from
            another system.
        untimed: whether a time of handing in goes, which somebody wrote for an earlier file.
    """

    student: str
    upload: Upload
    others: tuple[Upload, ...]
    action: Action
    why: str = ""
    untimed: bool = False
    came_with: CameWith = field(default_factory=CameWith)
    settled: bool = False

    @property
    def rank(self) -> int:
        """The rank of the notebook that was chosen; without a notebook, of the latest file."""
        there = (self.upload,) if self.upload.is_notebook else (self.upload, *self.others)
        return max(one.rank for one in there)

    @property
    def notebooks(self) -> tuple[Upload, ...]:
        """The notebooks that were not taken."""
        return tuple(one for one in self.others if one.is_notebook)


@dataclass(frozen=True)
class Plan:
    """The plan for a download.

    Attributes:
        system: whose it is.
        steps: by student, in the order of their names.
        unknown: uploads of students who are not in the roster.
        unclear: uploads under a name that several have, maybe turned round.
        tests: uploads of Canvas's Test Student, who is nobody.
        renumbered: uploads whose student had another number in what was collected before, with that number.
        misnumbered: uploads under a name for which the roster has other numbers, with these.
        nobody_s: files whose names are no upload's.
        waiting: by student without work, what may be theirs of what has no place.
    """

    system: System
    steps: tuple[PlanStep, ...]
    unknown: tuple[Upload, ...]
    unclear: tuple[Upload, ...]
    renumbered: tuple[tuple[Upload, str], ...]
    nobody_s: tuple[str, ...]
    misnumbered: tuple[tuple[Upload, str], ...] = ()
    waiting: tuple[PlanStep, ...] = ()
    tests: tuple[Upload, ...] = ()

    @property
    def not_placed(self) -> tuple[Upload, ...]:
        """The uploads whose student is not known."""
        numbered = (one for one, _ in (*self.renumbered, *self.misnumbered))
        return (*self.unknown, *self.unclear, *numbered)

    @property
    def without(self) -> tuple[Upload, ...]:
        """The uploads of students who handed in no notebook."""
        steps = (one for one in self.steps if one.action == "without")
        return tuple(upload for one in steps for upload in (one.upload, *one.others))

    @property
    def complete(self) -> bool:
        """Whether everybody's work is in its place."""
        left = self.not_placed or self.nobody_s
        return not left and not any(one.action in ("kept", "refused", "without") for one in self.steps)
