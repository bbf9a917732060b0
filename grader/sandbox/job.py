"""``Job``: what the sandbox runs; ``Run``: its result.

Nothing here knows an expected tensor, a student's name or a score.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from grader.checking.observation import Attempt
from grader.exercises.case import Case
from grader.exercises.declaration import Declared
from grader.files import MIB
from grader.time_limits import CHECK_SECONDS

CellStatus = Literal["ran", "raised", "too-slow", "ended", "not-run"]


# Cells of a notebook that may take all of their time.
FULL_CELLS = 12
# Outputs of one cell that are kept, and characters of an exception's name.
MAX_OUTPUTS, MAX_NAME = 200, 200


@dataclass(frozen=True)
class Limits:
    """How much one submission may use. Seconds are of processor time, or of sleep: see ``Allowance``.

    Attributes:
        cell_seconds: for one cell, and for all cases of one exercise.
        total_seconds: for the whole notebook; enough for a dozen cells that take all of theirs.
        memory: bytes beyond what the fork server holds already.
        files: bytes of all files that it writes.
        file_count: how many files and folders it may make.
        output_bytes: bytes of one cell's outputs that are kept, pictures apart.
        output_lines: lines of one cell's outputs that are kept.
        picture_bytes: bytes of one cell's pictures that are kept.
        total_output_bytes: bytes of all cells' outputs together that are kept, pictures apart.
        total_picture_bytes: bytes of all cells' pictures together that are kept.
    """

    cell_seconds: float = CHECK_SECONDS
    total_seconds: float = FULL_CELLS * CHECK_SECONDS
    memory: int = 2048 * MIB
    files: int = 64 * MIB
    file_count: int = 1000
    output_bytes: int = 64 * 1024
    output_lines: int = 1000
    picture_bytes: int = MIB
    total_output_bytes: int = 4 * MIB
    total_picture_bytes: int = 16 * MIB

    @classmethod
    def of_cells(cls, seconds: float) -> "Limits":
        """Return the limits with so many seconds for a cell, and for a notebook no fewer than usually."""
        return cls(cell_seconds=seconds, total_seconds=max(cls.total_seconds, FULL_CELLS * seconds))


@dataclass(frozen=True)
class Cell:
    """One code cell, in the order of the notebook.

    Attributes:
        source: what it says, as IPython takes it.
        exercise: if given, this is a check cell: the exercise's subject is run on its cases instead of the
            source; else empty.
        filename: the file that the source is from, if the answer is a file of its own: it is executed, then
            its subject is checked.
    """

    source: str
    exercise: str = ""
    filename: str = ""

    @property
    def turns(self) -> int:
        """The multiple of ``cell_seconds`` that it may take."""
        return 2 if self.filename else 1


@dataclass(frozen=True)
class JobStep:
    """One thing to do for a job: run a cell, check its exercise, or check that on its hidden cases."""

    number: int
    cell: Cell
    hidden: bool = False


@dataclass(frozen=True)
class Job:
    """One notebook to run: its code cells, and the cases each of its exercises is run on.

    Attributes:
        cells: in the order of the notebook.
        cases: the visible cases of each exercise, run when its cell is reached.
        limits: what the job may use.
        device: where its tensors are.
        hidden: the hidden cases of each exercise, run when all cells are done, on the subject as it was
            defined at its cell. Outputs are ignored then: these cases can leave the process only through the
            answer's results.
        files: texts that are in the job's folder when it begins, by name.
        declared: compiled declarations of a course's own chapters.
    """

    cells: tuple[Cell, ...]
    cases: Mapping[str, tuple[Case, ...]]
    limits: Limits = field(default_factory=Limits)
    device: str = "cpu"
    hidden: Mapping[str, tuple[Case, ...]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    declared: tuple[Declared, ...] = ()

    def steps(self) -> tuple[JobStep, ...]:
        """Return all there is to do, in order; the number of a cell's own step is its place."""
        cells = [JobStep(number, cell) for number, cell in enumerate(self.cells)]
        checks = [cell for cell in self.cells if cell.exercise in self.hidden]
        hidden = (JobStep(number, cell, hidden=True) for number, cell in enumerate(checks, len(cells)))
        return (*cells, *hidden)


@dataclass(frozen=True)
class CellRun:
    """The result of one cell.

    Attributes:
        status: ``ran``; ``raised`` an exception; ``too-slow``, stopped after its time; ``ended``, the process
            ended in it (``os._exit``, out of memory, a crash); ``not-run``: the time or the tries were up.
        outputs: nbformat 4 outputs: ``stream``, ``error``, and ``display_data`` or ``execute_result`` with
            nothing but ``text/plain`` and ``image/png``; within the limits, free of control sequences.
    """

    status: CellStatus
    outputs: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True)
class Run:
    """The result of a job.

    Attributes:
        cells: one entry for each cell of the job.
        attempts: by exercise, for each cell that checks one.
        hidden: the same on the hidden cases, for each exercise that has some.
        seconds: wall time that it took.
    """

    cells: tuple[CellRun, ...]
    attempts: Mapping[str, Attempt]
    seconds: float
    hidden: Mapping[str, Attempt] = field(default_factory=dict)
