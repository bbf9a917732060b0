"""The errors of this package: one hierarchy, so that the command line reports each as one clear line."""


class GraderError(Exception):
    """Something is wrong with what was asked or with the course's files, never with a learner's answer.

    What a learner may see is raised with a ``Message``, which a notebook shows in its language, and without a
    traceback: that would show this package's own code.
    """

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class UnknownExerciseError(GraderError):
    """No exercise or chapter has this name.

    Attributes:
        course: the folder of the course whose names were looked through; None where that does not matter.
    """

    def __init__(self, told: object, course: object = None) -> None:
        super().__init__(told)
        self.course = course


class ReferenceDataError(GraderError):
    """A stored tensor is missing, altered or does not fit its manifest."""


class SourceError(GraderError):
    """A chapter's text source cannot be built; carries the file and the line."""

    def __init__(self, path: object, line: int, problem: str) -> None:
        super().__init__(path, line, problem)  # what it is made of anew in another process

    def __str__(self) -> str:
        """Return the place, as other tools have it, and the problem."""
        path, line, problem = self.args
        return f"{path}:{line}: {problem}"


class BankError(GraderError):
    """An answer bank is malformed, or its answers do not do what they declare."""


class SubmissionError(GraderError):
    """A submission's file cannot be read as a notebook; the message is one line for its student."""


class DeviceError(GraderError):
    """The device asked for is not there."""


class WeightsError(GraderError, ValueError):
    """What should be shown as weights, shares of a row, is none."""


class GradebookError(GraderError):
    """The gradebook cannot be read or written."""


class IsolationError(GraderError):
    """Learners' code cannot be isolated on this system.

    Attributes:
        missing: which isolation mechanisms are missing, and which are there.
    """

    def __init__(self, missing: str) -> None:
        super().__init__(
            f"{missing} Submissions run behind all walls or behind none, so none was run. Grade on a system "
            'that has them (docs/security.md, "Where"), or a class that you trust with `--isolation none`.'
        )
        self.missing = missing


class ProgressError(GraderError):
    """A learner's progress cannot be read or kept."""
