"""Read a chapter's text source and check that it can be built.

The source is a MyST Markdown notebook. Three options mark the cells that matter here::

    ```{code-cell} ipython3
    :exercise: ch02-sum-normalize
    ```                              the cell that a learner completes, with solution regions

    ```{code-cell} ipython3
    :check: ch02-sum-normalize
    check("ch02-sum-normalize", normalize_by_sum)
    ```                              the cell that is graded

    ```{code-cell} ipython3
    :bring: Centered
    ```                              a cell that is not graded, with solution regions, into which a learner
                                     puts what an earlier chapter asked for

    +++ {"question": "ch06-why-heads"}

    One head has one row of weights ...

    +++                              a cell that is answered in words; all of it is the solution: a model
                                     answer, and what a person grades by

A code cell that only draws may be folded; none of those above may be::

    ```{code-cell} ipython3
    :tags: [hide-input]
    show_heatmaps(...)
    ```

In the text, ``{ch04-self-attention}`` stands for difficulty, minutes and points as they are declared.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from grader.errors import SourceError
from grader.exercises import Chapter, Exercise, Part, Question
from grader.exercises.declaration import refused
from grader.messages import Message, one_or_many

ROLES = ("exercise", "check", "bring", "question")
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
FENCE = re.compile(r"^(?:```+|~~~+)\s*\{code-cell\}")
# A block of code, in whose comments a line may begin with #.
FENCED = re.compile(r"^(```+|~~~+).*?^\1", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r":[\w-]+:")
DECLARED = re.compile(r"\{([\w-]+)\}")
POINTS = re.compile(r"\b(\d+) points?\b")
# JupyterLab and the site show such a cell without its code, until a reader opens it.
HIDE_INPUT = "hide-input"
MARKED = re.compile(r"^\+\+\+.*\bquestion\b")


@dataclass(frozen=True)
class SourceCell:
    """A cell of the source: the notebook cell, the line where it begins (code cells), and its role.

    ``made``: whether the build made it; it is in no source. ``text``: what the source has in a cell of text.
    """

    cell: NotebookNode
    line: int
    exercise: Exercise | None = None
    check: Exercise | None = None
    brings: str = ""
    question: Question | None = None
    made: bool = False
    text: str = ""

    @property
    def folded(self) -> bool:
        """Whether the cell's code is shown only when a reader opens it."""
        return self.cell.cell_type == "code" and HIDE_INPUT in self.cell.metadata.get("tags", [])


def check_line(exercise: Exercise) -> str:
    """Return the one line of an exercise's check cell."""
    return f'check("{exercise.id}", {exercise.subject})'


def facts_line(part: Part) -> Message:
    """Return what a learner reads of an exercise or a question before its cell."""
    return one_or_many(
        "difficulty {difficulty} of 5 · {minutes} minutes · {count} point",
        "difficulty {difficulty} of 5 · {minutes} minutes · {count} points",
        part.points,
        difficulty=part.difficulty,
        minutes=part.minutes,
    )


def _regions(path: Path, line: int, source: str) -> int:
    """Return how many solution regions a cell has, whose code comes after a line.

    Raises:
        SourceError: the markers are not balanced.
    """
    regions, opened = 0, 0
    for offset, text in enumerate(source.splitlines(), start=line + 1):
        if text.strip() == BEGIN:
            if opened:
                raise SourceError(path, offset, f"a second {BEGIN!r} before the {END!r} of line {opened}")
            opened = offset
        elif text.strip() == END:
            if not opened:
                raise SourceError(path, offset, f"{END!r} without {BEGIN!r} before it")
            regions, opened = regions + 1, 0
        elif "SOLUTION" in text and "###" in text:
            raise SourceError(path, offset, f"expected the marker {BEGIN!r} or {END!r}, got {text.strip()!r}")
    if opened:
        raise SourceError(path, opened, f"{BEGIN!r} without {END!r} after it")
    return regions


def _defines(defined: ast.Module, subject: str) -> bool:
    return any(
        isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == subject for node in defined.body
    )


def _outside(defined: ast.Module, source: str) -> int:
    """Return the first line of a cell on which a solution begins outside of functions; 0 if none does."""
    functions = [node for node in ast.walk(defined) if isinstance(node, ast.FunctionDef)]
    begins = (number for number, text in enumerate(source.splitlines(), 1) if text.strip() == BEGIN)
    return next((at for at in begins if not any(f.lineno < at <= f.end_lineno for f in functions)), 0)


class _Reader:
    """Checks cell after cell, remembering which exercises were seen."""

    def __init__(self, path: Path, chapter: Chapter) -> None:
        self.path, self.chapter = path, chapter
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.written: dict[str, int] = {}
        self.checked: dict[str, int] = {}
        self.brought: dict[str, int] = {}
        self.answered: dict[str, int] = {}
        self.described: set[str] = set()

    def find(self, line: int, name: str) -> Exercise:
        """Return the chapter's exercise of this name."""
        if name not in self.chapter.by_id:
            raise SourceError(
                self.path,
                line,
                f"unknown exercise {name!r}; {self.chapter.stem} has {', '.join(self.chapter.by_id)}",
            )
        return self.chapter.by_id[name]

    def read(self, cell: NotebookNode, line: int) -> SourceCell:
        """Return a cell with its role."""
        for role in ROLES:
            if role in cell.metadata and HIDE_INPUT in cell.metadata.get("tags", []):
                problem = f"the tag {HIDE_INPUT!r} would hide what is to be seen: the cell has {role!r}"
                raise SourceError(self.path, line, problem)
        if cell.cell_type != "code":
            if "question" in cell.metadata:
                self._must_end(cell, line)
            self._hold_points(text := cell.source)
            cell.source = DECLARED.sub(self._facts, text)
            if "question" in cell.metadata:
                return self._question(cell, line)
            return SourceCell(cell, line, text=text)
        regions = _regions(self.path, self._before_code(line), cell.source)
        if "exercise" in cell.metadata:
            return self._exercise(cell, line, regions)
        if "bring" in cell.metadata:
            return self._bring(cell, line, regions)
        if regions:
            raise SourceError(
                self.path, line, "a solution region in a cell without ':exercise:' or ':bring:'"
            )
        return self._check(cell, line) if "check" in cell.metadata else SourceCell(cell, line)

    def _before_code(self, line: int) -> int:
        """Return the last line before the code of a cell that begins on this line: of its options, if any."""
        return next(at for at in range(line, len(self.lines)) if not OPTION.match(self.lines[at]))

    def _hold_points(self, text: str) -> None:
        """Refuse a text on an exercise that says another number of points, by hand, than is declared."""
        parts = [self.chapter.parts[name] for name in DECLARED.findall(text) if name in self.chapter.parts]
        wrong = [
            one[0] for one in POINTS.finditer(text) if int(one[1]) not in {part.points for part in parts}
        ]
        if not parts or not wrong:
            return
        described = next(place for place, line in enumerate(self.lines) if f"{{{parts[0].id}}}" in line)
        written = [place for place, line in enumerate(self.lines) if wrong[0] in line]
        nearest = min(written, key=lambda place: abs(place - described), default=described)
        declared = ", ".join(f"{part.id} has {part.points}" for part in parts)
        told = f"the text says {wrong[0]!r}; {declared}. {{{parts[0].id}}} says it as it is declared"
        raise SourceError(self.path, nearest + 1, told)

    def _facts(self, place: re.Match[str]) -> str:
        name = place[1]
        if name not in self.chapter.parts:  # a formula
            return place[0]
        self.described.add(name)
        return str(facts_line(self.chapter.parts[name]))

    def _question(self, cell: NotebookNode, line: int) -> SourceCell:
        questions = {one.id: one for one in self.chapter.questions}
        name = str(cell.metadata.question)
        if name not in questions:
            known = ", ".join(questions) or "none"
            raise SourceError(self.path, line, f"unknown question {name!r}; {self.chapter.stem} has {known}")
        self._only_once("question", self.answered, questions[name], line)
        self.answered[name] = line
        return SourceCell(cell, line, question=questions[name])

    def _must_end(self, cell: NotebookNode, line: int) -> None:
        """Refuse the answer to a question that goes on with the chapter's text, which nobody would get."""
        for written in FENCED.sub("", cell.source).splitlines():
            named = [name for name in DECLARED.findall(written) if name in self.chapter.parts]
            if written.startswith("#") or named:
                problem = (
                    f"the answer to {str(cell.metadata.question)!r} goes on to {written!r}: learners do not "
                    "get this cell. Put a line '+++' behind the answer"
                )
                places = (
                    at for at in range(line, len(self.lines)) if self.lines[at].strip() == written.strip()
                )
                place = next(places, line)
                raise SourceError(self.path, place + 1, problem)

    def _only_once(self, what: str, seen: dict[str, int], exercise: Part, line: int) -> None:
        if exercise.id in seen:
            problem = f"{what} {exercise.id!r} is there already, in line {seen[exercise.id]}"
            raise SourceError(self.path, line, problem)

    def _exercise(self, cell: NotebookNode, line: int, regions: int) -> SourceCell:
        exercise = self.find(line, cell.metadata.exercise)
        self._only_once("exercise", self.written, exercise, line)
        self._must_define(cell, line, regions, exercise.id, exercise.subject)
        self.written[exercise.id] = line
        return SourceCell(cell, line, exercise=exercise)

    def _bring(self, cell: NotebookNode, line: int, regions: int) -> SourceCell:
        name = str(cell.metadata.bring)
        if name in self.brought:
            problem = f"{name!r} is brought already, in line {self.brought[name]}"
            raise SourceError(self.path, line, problem)
        self._must_define(cell, line, regions, name, name)
        self.brought[name] = line
        return SourceCell(cell, line, brings=name)

    def _must_define(self, cell: NotebookNode, line: int, regions: int, cell_name: str, subject: str) -> None:
        if not regions:
            raise SourceError(self.path, line, f"the cell of {cell_name!r} has no solution region")
        before = self._before_code(line)
        try:
            defined = ast.parse(cell.source)
        except SyntaxError as error:
            raise SourceError(self.path, before + (error.lineno or 0), f"{error.msg}") from error
        if not _defines(defined, subject):
            raise SourceError(self.path, line, f"the cell of {cell_name!r} does not define {subject}")
        if at := _outside(defined, cell.source):
            problem = (
                "this solution region is in no function: without an answer the cell would raise before it "
                f"defines {subject}. Put {BEGIN!r} and {END!r} inside each function or method"
            )
            raise SourceError(self.path, before + at, problem)

    def _check(self, cell: NotebookNode, line: int) -> SourceCell:
        exercise = self.find(line, cell.metadata.check)
        self._only_once("the check of", self.checked, exercise, line)
        if exercise.id not in self.written:
            raise SourceError(self.path, line, f"the check of {exercise.id!r} comes before its exercise")
        if cell.source.strip() != check_line(exercise):
            raise SourceError(
                self.path, line, f"expected the one line {check_line(exercise)!r}, got {cell.source!r}"
            )
        self.checked[exercise.id] = line
        return SourceCell(cell, line, check=exercise)

    def finish(self) -> None:
        """Check that every exercise of the chapter is there with its check, and every question."""
        for name, exercise in self.chapter.by_id.items():
            if name not in self.written:
                raise self._nowhere(exercise, f"```{{code-cell}} ipython3, then :exercise: {name}")
            if name not in self.checked:
                raise SourceError(self.path, self.written[name], f"the check of {name!r} is missing")
        for question in self.chapter.questions:
            if question.id not in self.answered:
                raise self._nowhere(question, f'+++ {{"question": "{question.id}"}}')
        lines = self.written | self.answered
        for name in self.chapter.parts:
            if name not in self.described:
                problem = f"nowhere {{{name}}}, which stands for difficulty, minutes and points"
                raise SourceError(self.path, lines[name], problem)

    def _nowhere(self, part: Part, begins: str) -> SourceError:
        """Return an error about what is declared and has no cell: with its line in the declaration."""
        told = f"{part.id} has no cell in {self.path.name}. Write one, which begins with {begins}"
        return refused(self.chapter, part, "id", told, self.path.parent)


def _line(cell: NotebookNode, code: Iterator[int], marked: Iterator[int]) -> int:
    """Return the line where a code cell, or one that is answered in words, begins."""
    if cell.cell_type == "code":
        return next(code)
    return next(marked, 0) if "question" in cell.metadata else 0


def read_source(path: Path, chapter: Chapter) -> list[SourceCell]:
    """Return the cells of a chapter's text source.

    Raises:
        SourceError: the file is missing or cannot be built; carries the file and the line.
    """
    if not path.is_file():
        raise SourceError(path, 1, "there is no such file")
    text = path.read_text(encoding="utf-8")
    import jupytext  # noqa: PLC0415 - grading imports this module but reads no source

    try:
        notebook = jupytext.reads(text, fmt="md:myst")
    except Exception as error:  # jupytext lets its YAML and Markdown parsers' many errors through
        raise SourceError(path, 1, f"this is no MyST notebook: {error}") from error
    lines = list(enumerate(text.splitlines(), start=1))
    code, marked = (iter([number for number, line in lines if one.match(line)]) for one in (FENCE, MARKED))
    reader = _Reader(path, chapter)
    cells = [reader.read(cell, _line(cell, code, marked)) for cell in notebook.cells]
    reader.finish()
    return cells
