"""A chapter's master notebook: which cells are graded, for how many points, in which order."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Literal, TypeVar

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.utils import is_grade, is_solution

from grader.checking.credit import PartialCredit, read_credit
from grader.course.finder import FINDER, is_finder
from grader.course.notebooks import check_id, load_config, student_notebook
from grader.course.origin import METADATA_KEY
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import Chapter, Exercise, Part, Question, references_root
from grader.grading.decisions import Decisions, read_decisions
from grader.grading.language import Given, language_by_text
from grader.grading.record import Record
from grader.messages.speaking import LANGUAGE_KEY, SOURCES, compiled_file, is_language, languages_spoken

Role = Literal["written", "check", "words", "locked"]
AnyPart = TypeVar("AnyPart", Exercise, Question)


@dataclass(frozen=True)
class MasterCell:
    """A cell that nbgrader knows by its ``grade_id``.

    Attributes:
        grade_id: its name in the gradebook.
        cell_id: its id in the master notebook.
        kind: ``code`` or ``markdown``.
        role: ``written`` by the student, ``check`` of an exercise, ``words`` that a person grades, or
            otherwise ``locked``.
        source: what a student is given: the stub, or the text that is not theirs to change.
        exercise: id of the exercise that is written or checked here; empty where there is none.
        metadata: the cell's metadata in the notebook that students are given.
    """

    grade_id: str
    cell_id: str
    kind: str
    role: Role
    source: str
    exercise: str
    metadata: Mapping[str, object]


@dataclass(frozen=True)
class Master:
    """The data of a chapter's master notebook that grading needs.

    Attributes:
        chapter: the assignment.
        paths: the course that it is of.
        cells: the cells that nbgrader knows, in order.
        exercises: those that are checked, by id, in order, with the points of the notebook.
        questions: those that are answered in words, likewise.
        notebook_metadata: kernel and language.
        first_code: sources of the code cells before the first one that a student writes in, in order,
            without the one that finds the package: no job runs it.
        given_code: sources of the code cells that are given and may be changed, without it.
        given_prose: sources of the text cells that are given.
        finders: sources of the cell that finds the package, in each language.
        credit: what the course grants for mistakes.
        decisions: the decisions for the whole class; they are applied after judging.
        translated: what the notebooks in other languages give, by the language's code.
        spoken: digests of what is said in each language, by its code; pages can be in these.
    """

    chapter: Chapter
    paths: CoursePaths
    cells: tuple[MasterCell, ...]
    exercises: Mapping[str, Exercise]
    notebook_metadata: Mapping[str, object]
    first_code: tuple[str, ...]
    given_code: frozenset[str]
    given_prose: frozenset[str]
    finders: frozenset[str] = frozenset({FINDER})
    credit: PartialCredit = field(default_factory=PartialCredit)
    decisions: Decisions = field(default_factory=Decisions)
    questions: Mapping[str, Question] = field(default_factory=dict)
    translated: Mapping[str, Given] = field(default_factory=dict)
    spoken: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def by_grade_id(self) -> dict[str, MasterCell]:
        """The cells by ``grade_id``."""
        return {cell.grade_id: cell for cell in self.cells}

    @cached_property
    def by_cell_id(self) -> dict[str, MasterCell]:
        """The cells by their id in the notebook."""
        return {cell.cell_id: cell for cell in self.cells}

    @cached_property
    def checks(self) -> dict[str, MasterCell]:
        """The check cells by exercise."""
        return {cell.exercise: cell for cell in self.cells if cell.role == "check"}

    @cached_property
    def words(self) -> dict[str, MasterCell]:
        """The cells that are answered in words, by question."""
        return {cell.grade_id: cell for cell in self.cells if cell.role == "words"}

    @cached_property
    def written(self) -> dict[str, MasterCell]:
        """The cells that exercises are written in, by exercise."""
        return {cell.exercise: cell for cell in self.cells if cell.role == "written" and cell.exercise}

    @property
    def points(self) -> dict[str, float]:
        """The points of each exercise or question that count; none if it is left out."""
        return {
            name: 0 if self.decisions.leaves_out(name) else one.points for name, one in self.parts.items()
        }

    @property
    def parts(self) -> dict[str, Part]:
        """All that is graded, by id: exercises, then questions."""
        return {**self.exercises, **self.questions}

    def with_decisions(self, record: Record) -> Record:
        """Return a record with the decisions in force applied."""
        return self.decisions.applied(record, {name: one.points for name, one in self.parts.items()})

    @cached_property
    def _prose(self) -> dict[str, frozenset[str]]:
        """The given text by language, without what several have."""
        every = {code: given.prose for code, given in self.translated.items()}
        every[SOURCES] = self.given_prose.difference(*every.values())
        counts = Counter(source for texts in every.values() for source in texts)
        return {code: frozenset(one for one in texts if counts[one] == 1) for code, texts in every.items()}

    def language_of(self, claimed: str, sources: Iterable[str] = ()) -> str:
        """Return the language of a submission: what it claims, if the course has that, else by its text.

        Args:
            claimed: what its metadata says.
            sources: of its cells.
        """
        if claimed in self.translated or claimed in self.spoken:
            return claimed
        return language_by_text(sources, self._prose) if self.translated else SOURCES

    def in_language(self, code: str) -> "Master":
        """Return the master of the notebook in a language: other stubs, the same checks and points."""
        return self._in_languages.get(code, self)

    @cached_property
    def _in_languages(self) -> dict[str, "Master"]:
        return {code: self._with(code, given) for code, given in self.translated.items()}

    def _with(self, code: str, given: Given) -> "Master":
        return replace(
            self,
            cells=tuple(_in_own_words(cell, given) for cell in self.cells),
            first_code=given.code[: given.first_code],
            notebook_metadata={**self.notebook_metadata, LANGUAGE_KEY: code},
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything in it that a record may depend on."""
        cells = [
            [cell.grade_id, cell.cell_id, cell.kind, cell.role, cell.source, cell.exercise, cell.metadata]
            for cell in self.cells
        ]
        given = [self.first_code[:1], sorted(self.given_code), sorted(self.given_prose)]
        credit = {name: [self.credit.of(name), self.credit.by_case.get(name)] for name in self.exercises}
        translated = [
            [code, dict(one.stubs), one.code[: one.first_code]]
            for code, one in sorted(self.translated.items())
        ]
        others = [translated, sorted(self.spoken.items())]
        parts = [self.chapter.stem, cells, self.notebook_metadata, given, credit, others]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def load_master(chapter: Chapter, paths: CoursePaths) -> Master:
    """Return a chapter's master: its solution notebook as nbgrader releases it, else the student's.

    Points are those of the notebook, not of the exercise's declaration: an instructor may change them there,
    and from there nbgrader takes the gradebook's.

    Raises:
        GraderError: there is no notebook, it cannot be read, or it grades what the grader does not know; or
            the course's ``course.toml`` or ``decisions.toml`` cannot be read.
    """
    path, released = paths.solution(chapter), False
    if not path.is_file():
        path, released = paths.student(chapter), True
    if not path.is_file():
        raise GraderError(
            f"{paths.solution(chapter)} is missing. Run `grader build {chapter.stem}`, or `nbgrader "
            "generate_assignment` where a course keeps its own."
        )
    try:
        notebook = nbformat.read(path, as_version=4)
        if not released:
            notebook = student_notebook(notebook, load_config(paths.config))
    except GraderError:
        raise
    except Exception as error:  # an instructor's file: nbformat and nbgrader may raise anything
        raise GraderError(
            f"{path} cannot be read as a master notebook: {type(error).__name__}: {error}"
        ) from error
    return replace(
        with_translated(master_of(notebook, chapter, paths)),
        credit=read_credit(paths.settings),
        decisions=read_decisions(paths.decisions),
    )


def with_translated(master: Master) -> Master:
    """Return a master that knows what is given in the course's translated notebooks, and what is said.

    Raises:
        GraderError: one of them cannot be read.
    """
    translated = {path.parents[1].name: _given(path) for path in master.paths.translated(master.chapter)}
    roots = [references_root(), master.paths.references]
    return replace(
        master,
        given_code=master.given_code.union(*(one.code for one in translated.values())),
        given_prose=master.given_prose.union(*(one.prose for one in translated.values())),
        finders=master.finders.union(one.finder for one in translated.values() if one.finder),
        translated={code: given for code, given in translated.items() if is_language(code)},
        spoken={code: _digest_of(code, roots) for code in sorted(languages_spoken(roots))},
    )


def _digest_of(code: str, roots: list[Path]) -> str:
    """Return the SHA-256 of what is said in a language."""
    files = (compiled_file(root, code) for root in dict.fromkeys(roots))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files if file.is_file())).hexdigest()


def _given(path: Path) -> Given:
    """Return what a translated notebook gives.

    Raises:
        GraderError: it cannot be read.
    """
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:  # nbformat may raise anything
        raise GraderError(f"{path} cannot be read: {type(error).__name__}: {error}") from error
    known = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id")]
    others = [cell for cell in notebook.cells if not cell.metadata.get("nbgrader") and not is_finder(cell)]
    return Given(
        stubs={
            cell.metadata.nbgrader.grade_id: (cell.source, cell.metadata.nbgrader.get("checksum", ""))
            for cell in known
            if is_solution(cell)
        },
        code=tuple(cell.source for cell in others if cell.cell_type == "code"),
        prose=frozenset(cell.source for cell in others if cell.cell_type == "markdown"),
        first_code=len(_first_code(notebook)),
        finder=next((cell.source for cell in notebook.cells if is_finder(cell)), ""),
    )


def _in_own_words(cell: MasterCell, given: Given) -> MasterCell:
    """Return a cell as a translated notebook gives it: the stub and its checksum are its own."""
    if cell.role not in ("written", "words") or cell.grade_id not in given.stubs:
        return cell
    source, checksum = given.stubs[cell.grade_id]
    marks = {**cell.metadata["nbgrader"], "checksum": checksum}
    return replace(cell, source=source, metadata={**cell.metadata, "nbgrader": marks})


def master_of(notebook: NotebookNode, chapter: Chapter, paths: CoursePaths) -> Master:
    """Return the master that a released notebook is.

    Raises:
        GraderError: it grades what the grader does not know.
    """
    known = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id")]
    others = [cell for cell in notebook.cells if not cell.metadata.get("nbgrader", {}).get("grade_id")]
    cells = tuple(_master_cell(cell, chapter) for cell in known)
    checks = [cell for cell in cells if cell.role == "check"]
    if not checks:
        raise GraderError(f"The master notebook of {chapter.stem} has no check cell.")
    return Master(
        chapter=chapter,
        paths=paths,
        cells=cells,
        exercises={cell.exercise: _with_points(cell, chapter.by_id[cell.exercise]) for cell in checks},
        questions={
            cell.grade_id: _with_points(cell, chapter.parts[cell.grade_id])
            for cell in cells
            if cell.role == "words"
        },
        notebook_metadata=_metadata(notebook),
        first_code=_first_code(notebook),
        given_code=frozenset(
            cell.source for cell in others if cell.cell_type == "code" and not is_finder(cell)
        ),
        given_prose=frozenset(cell.source for cell in others if cell.cell_type == "markdown"),
    )


def _metadata(notebook: NotebookNode) -> dict:
    """Return a notebook's metadata, without what changes with every word of its text."""
    metadata = json.loads(json.dumps(notebook.metadata))
    metadata.pop(METADATA_KEY, None)
    return metadata


def _first_code(notebook: NotebookNode) -> tuple[str, ...]:
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and not is_finder(cell)]
    given = takewhile(lambda cell: not (is_solution(cell) or is_grade(cell)), code)
    return tuple(cell.source for cell in given)


def _master_cell(cell: NotebookNode, chapter: Chapter) -> MasterCell:
    marks = cell.metadata.nbgrader
    role: Role = "written"
    if marks.get("grade") and marks.get("solution"):
        role = "words"
    elif marks.get("grade"):
        role = "check"
    elif marks.get("locked") and not marks.get("solution") and not marks.get("task"):
        role = "locked"
    exercises = {check_id(exercise): exercise.id for exercise in chapter.exercises} if role == "check" else {}
    exercise = exercises.get(marks.grade_id, "")
    if role == "check" and not exercise:
        raise GraderError(
            f"The cell {marks.grade_id} of the master notebook of {chapter.stem} is graded and checks no "
            f"exercise of the chapter. The check cells are: {', '.join(exercises)}."
        )
    if role == "words" and marks.grade_id not in {one.id for one in chapter.questions}:
        raise GraderError(
            f"The cell {marks.grade_id} of the master notebook of {chapter.stem} is to be graded by hand and "
            "is no question of the chapter. Its questions are: "
            f"{', '.join(one.id for one in chapter.questions) or 'none'}."
        )
    if role == "written" and marks.grade_id in chapter.by_id:
        exercise = marks.grade_id
    return MasterCell(
        grade_id=marks.grade_id,
        cell_id=cell.get("id", marks.grade_id),
        kind=cell.cell_type,
        role=role,
        source=cell.source,
        exercise=exercise,
        metadata=json.loads(json.dumps(cell.metadata)),
    )


def _with_points(cell: MasterCell, part: AnyPart) -> AnyPart:
    """Return what is graded by a cell, with the points that the cell gives."""
    points = cell.metadata["nbgrader"].get("points", 0)
    if not isinstance(points, int | float) or not math.isfinite(points) or points < 0:
        raise GraderError(f"The cell {cell.grade_id} gives {points!r} points; expected a number from 0 on.")
    whole = int(points) if points == int(points) else points
    return replace(part, points=whole)


def released_notebook(master: Master) -> NotebookNode:
    """Return the graded and locked cells as students are given them, with nbgrader's checksums.

    An exercise that is left out has no points, so that nbgrader does not count it in the maximum.
    """
    make = {"code": new_code_cell, "markdown": new_markdown_cell}
    cells = [
        make[cell.kind](cell.source, id=cell.cell_id, metadata=_counted(cell, master))
        for cell in master.cells
    ]
    return new_notebook(cells=cells, metadata=dict(master.notebook_metadata))


def _counted(cell: MasterCell, master: Master) -> NotebookNode:
    """Return a cell's metadata with the points that count."""
    metadata = nbformat.from_dict(json.loads(json.dumps(cell.metadata)))
    if cell.role in ("check", "words"):
        metadata.nbgrader.points = master.points[cell.exercise or cell.grade_id]
    return metadata
