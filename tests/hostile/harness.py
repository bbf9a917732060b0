"""Making hostile submissions, grading them, and looking at what came back and what was left behind."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import nbformat
import psutil

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, find_exercise
from grader.grading.grade_submission import grade
from grader.grading.master import Master
from grader.grading.record import Record
from grader.proving.bank import Answer
from grader.sandbox.job import Cell, Limits
from grader.sandbox.sandbox import Sandbox
from tests.hostile.attacks.attack import Attack

SECRET = "neighbor-secret"


@dataclass(frozen=True)
class Neighborhood:
    """A course with a gradebook and another student's submission, and a listener on this machine."""

    course: Path
    place: Path
    port: int
    mark: str

    def told(self, code: str) -> str:
        """Return code with the places that it attacks filled in."""
        names = {
            "COURSE": str(self.course),
            "PLACE": str(self.place),
            "PORT": str(self.port),
            "MARK": self.mark,
        }
        for name, value in names.items():
            code = code.replace(name, value)
        return code


@dataclass(frozen=True)
class Notebooks:
    """Makes submissions: a chapter's released notebook, answered."""

    paths: CoursePaths
    answers: Callable[[str], dict[str, Answer]]
    neighborhood: Neighborhood

    def right(self, exercise_id: str) -> str:
        """Return the first correct variant of an exercise."""
        return next(one for one in self.answers(exercise_id).values() if one.correct).program

    def answered(self, stem: str, sources: dict[str, str] | None = None, later: tuple[str, ...] = ()) -> dict:
        """Return a notebook with right answers but for some, and with cells at its end."""
        chapter = CHAPTERS[stem]
        notebook = nbformat.reads(self.paths.student(chapter).read_text(encoding="utf-8"), as_version=4)
        written = {exercise.id: self.right(exercise.id) for exercise in chapter.exercises} | (sources or {})
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if name in written:
                cell.source = written[name].strip()
        notebook.cells += [nbformat.v4.new_code_cell(source) for source in later]
        return json.loads(json.dumps(notebook))

    def attack(self, attack: Attack) -> dict:
        """Return the submission that is an attack."""
        honest = self.answers(attack.exercise)[attack.answer].program if attack.answer else ""
        source = self.neighborhood.told(f"{honest}\n\n{attack.code}")
        notebook = self.answered(find_exercise(attack.exercise).chapter, {attack.exercise: source})
        # What is demonstrated later takes time and adds nothing here, but its imports and its input do.
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        others = [cell for cell in code if not name_of(cell)]
        kept = [cell for cell in others if "inputs = " in cell["source"] or "import " in cell["source"]]
        kept += takewhile(lambda cell: not name_of(cell), code)
        notebook["cells"] = [cell for cell in notebook["cells"] if cell in kept or cell not in others]
        if attack.later:
            notebook["cells"].append(code_cell(self.neighborhood.told(attack.later), "later"))
        return notebook


def name_of(cell: dict) -> str:
    """Return the ``grade_id`` of a cell, empty without one."""
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def code_cell(source: str, cell_id: str) -> dict:
    """Return a code cell that has not been run."""
    return {
        "cell_type": "code",
        "id": cell_id,
        "metadata": {},
        "source": source,
        "execution_count": None,
        "outputs": [],
    }


def content_of(notebook: dict) -> bytes:
    """Return the bytes of a notebook."""
    return json.dumps(notebook).encode()


@dataclass(frozen=True)
class Grading:
    """Grades notebooks and looks at what is left behind."""

    masters: Callable[[str], Master]

    def prepare(self, sandbox: Sandbox, stem: str, limits: Limits) -> None:
        """Run a chapter's given cells once, as `grader grade` does."""
        sandbox.prepare(tuple(map(Cell, self.masters(stem).first_code)), limits)

    def __call__(self, sandbox: Sandbox, stem: str, notebook: dict | bytes, limits: Limits) -> Record:
        """Return the record of a notebook."""
        content = notebook if isinstance(notebook, bytes) else content_of(notebook)
        self.prepare(sandbox, stem, limits)
        return grade(content, self.masters(stem), sandbox, limits=limits)


def printed(record: Record) -> str:
    """Return all text of a graded notebook's outputs."""
    texts = []
    for cell in json.loads(record.notebook)["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            texts += [output.get("text", ""), data.get("text/plain", ""), *output.get("traceback", ())]
    return "\n".join("".join(text) for text in texts)


def outputs_of(record: Record) -> str:
    """Return all outputs of a graded notebook, of every kind, as JSON; what a cell says itself left out."""
    return json.dumps([cell.get("outputs") for cell in json.loads(record.notebook)["cells"]])


def processes_below() -> set[int]:
    """Return all processes that this one has started, and those that they have."""
    found = set()
    for one in psutil.Process().children(recursive=True):
        try:
            if one.status() != psutil.STATUS_ZOMBIE:
                found.add(one.pid)
        except psutil.NoSuchProcess:
            continue
    return found
