"""Fixtures that several tests share."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from grader.checking.fake_device import ELSEWHERE
from grader.checking.observation import Observation
from grader.cli import main
from grader.course.paths import CoursePaths
from grader.exercises import BROKEN, CHAPTERS, Chapter, Exercise, find_exercise, know
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.build import build_chapter, draw_hidden
from grader.proving.trial import attempt_answer
from grader.references import ExerciseReference, load_exercise

REPOSITORY = Path(__file__).resolve().parents[1]

# nbgrader runs `alembic` by its name; whoever calls pytest need not have activated the environment.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

# The tensors here are tiny: several threads would only wait for each other, most of all on a busy machine.
torch.set_num_threads(1)

TINY_RECIPE = '''"""Two vectors and their doubles."""

import torch
from click.testing import CliRunner

from grader.exercises.case import Case
from grader.proving.recipe import Solved

PRODUCER = "arithmetic"
AXES = {"x": ("n",)}


def double(name, length, seed, visible):
    x = torch.linspace(-1.0, 2.0, length) + (0 if visible else 1 + seed)
    case = Case(name, "some numbers", visible, seed, {}, {}, {"x": x}, {"result": torch.ones(length)})
    exact = x.double()
    expected = {"result": 2 * exact, "argument/x": exact, "gradient/x": torch.full_like(exact, 2)}
    return Solved(case, expected)


def solved_cases(seed):
    return {"tiny-double": [double("short", 3, seed, True), double("long", 5, seed, True)]}


def grading_cases(seed):
    return {"tiny-double": [double("hidden", 4, seed, False)]}
'''

TINY_BANK = """# %% setup
from torch import nn


# %% correct="product"
class Double(nn.Module):
    def forward(self, x):
        return 2 * x


# %% correct="sum" edits="product"
# - return 2 * x
# + return x + x

# %% correct="quotient" edits="product"
# - return 2 * x
# + return x / 0.5

# %% mistake="missing-scale" edits="product"
# - return 2 * x
# + return x

# %% mistake="scale-multiplied" edits="product"
# - return 2 * x
# + return x / 2
"""


def edit_file(path: Path, old: str, new: str) -> None:
    """Exchange a text that is in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@dataclass(frozen=True)
class TinyCourse:
    """A course of one chapter with one exercise, to double numbers."""

    paths: CoursePaths
    chapter: Chapter

    @property
    def exercise(self) -> Exercise:
        """Its only exercise."""
        return self.chapter.exercises[0]

    @property
    def recipe(self) -> Path:
        """The chapter's ``reference.py``."""
        return self.paths.solutions / self.chapter.stem / "reference.py"

    @property
    def bank(self) -> Path:
        """The exercise's answer bank."""
        return bank_path(self.paths.solutions, self.exercise)

    @property
    def references(self) -> Path:
        """Where the chapter's references are, once they are built."""
        return self.paths.references / self.chapter.stem

    @property
    def hidden(self) -> Path:
        """Where the chapter's hidden cases are, once they are built."""
        return self.paths.grading_cases(self.chapter.stem)

    def edit_recipe(self, old: str, new: str) -> None:
        """Exchange a text of ``reference.py``."""
        edit_file(self.recipe, old, new)

    def edit_bank(self, old: str, new: str) -> None:
        """Exchange a text of the answer bank."""
        edit_file(self.bank, old, new)

    def add_to_bank(self, cell: str) -> None:
        """Add a cell to the answer bank."""
        self.bank.write_text(f"{self.bank.read_text(encoding='utf-8')}\n{cell}", encoding="utf-8")

    def build(self, course_seed: int | None = None) -> None:
        """Build the references and hidden cases; with a seed, references that are there stay."""
        if course_seed is None or not self.references.exists():
            build_chapter(self.chapter, self.paths)
        if course_seed is not None:
            draw_hidden(self.chapter, self.paths, course_seed)


@contextmanager
def chapters_as_before() -> Iterator[None]:
    """Have the same chapters known after a block as before it, whatever courses were looked at in it."""
    known, broken = dict(CHAPTERS), dict(BROKEN)
    yield
    CHAPTERS.clear()
    know(*known.values())
    BROKEN.clear()
    BROKEN.update(broken)


@pytest.fixture(scope="module", autouse=True)
def no_course_stays_known() -> Iterator[None]:
    """Keep the courses that one file of tests has looked at from the next."""
    with chapters_as_before():
        yield


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the machine's own settings of the grader out of every test."""
    monkeypatch.delenv("GRADER_DEVICE", raising=False)
    monkeypatch.delenv("GRADER_REFERENCES", raising=False)


@pytest.fixture(
    params=[torch.device("cpu"), ELSEWHERE, *([torch.device("cuda")] * torch.cuda.is_available())], ids=str
)
def device(request: pytest.FixtureRequest) -> torch.device:
    """Return every device that this machine has, one after the other; each has the first two."""
    return request.param


@pytest.fixture
def gpu() -> torch.device:
    """Return the GPU; a test that asks for it is skipped where there is none."""
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    return torch.device("cuda")


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the course's root."""
    return REPOSITORY


@pytest.fixture(scope="session")
def course_copy(repository: Path) -> Callable[[Path, Chapter], CoursePaths]:
    """Return a function that makes a course of one chapter's recipe and banks, without anything built."""

    def copy(target: Path, chapter: Chapter) -> CoursePaths:
        course = CoursePaths(target)
        source = CoursePaths(repository).solutions / chapter.stem
        kept = shutil.ignore_patterns("grading_cases", "*.ipynb", "__pycache__")
        shutil.copytree(source, course.solutions / chapter.stem, ignore=kept)
        shutil.copy(CoursePaths(repository).config, course.config)
        return course

    return copy


@pytest.fixture(scope="session")
def solutions(repository: Path) -> Path:
    """Return the folder of solutions and answer banks."""
    return CoursePaths(repository).solutions


@pytest.fixture(scope="session")
def chapter() -> Chapter:
    """Return a chapter of the course whose exercises are modules."""
    return CHAPTERS["ch04_self_attention"]


@pytest.fixture(scope="session")
def exercise(chapter: Chapter) -> Exercise:
    """Return a chapter's first exercise, one that asks for a module."""
    return chapter.exercises[0]


@pytest.fixture
def reference(exercise: Exercise) -> ExerciseReference:
    """Return what the exercise is judged by."""
    return load_exercise(exercise.chapter, exercise.id)


@pytest.fixture(scope="session")
def answers(solutions: Path) -> Callable[[str], dict[str, Answer]]:
    """Return a function that gives an exercise's bank answers by name."""

    @cache
    def of(exercise_id: str) -> dict[str, Answer]:
        return {answer.name: answer for answer in read_bank(bank_path(solutions, find_exercise(exercise_id)))}

    return of


@pytest.fixture(scope="session")
def observed(
    exercise: Exercise, answers: Callable[[str], dict[str, Answer]]
) -> Callable[[str], tuple[Observation, ...]]:
    """Return a function that runs a bank answer of the exercise on its cases, on the CPU."""

    @cache
    def of(name: str) -> tuple[Observation, ...]:
        cases = load_exercise(exercise.chapter, exercise.id).cases
        return attempt_answer(exercise, answers(exercise.id)[name], cases, torch.device("cpu")).observations

    return of


@pytest.fixture(scope="session")
def site(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the course site in all its languages, built."""
    built = tmp_path_factory.mktemp("built") / "site"
    made = CliRunner().invoke(main, ["site", str(built), "--course", str(repository)])
    assert made.exit_code == 0, made.output
    return built


@pytest.fixture
def tiny(tmp_path: Path) -> TinyCourse:
    """Return a course of one small exercise in a folder of its own, not built yet."""
    double = Exercise(
        id="tiny-double",
        chapter="tiny",
        subject="Double",
        signature="Double(); forward(x): (n,) -> (n,)",
        driver="module",
        points=1,
        difficulty=1,
        minutes=1,
        section="Doubling",
        hints=(),
    )
    course = TinyCourse(CoursePaths(tmp_path), Chapter("tiny", "Doubling", (double,)))
    course.bank.parent.mkdir(parents=True)
    course.bank.write_text(TINY_BANK, encoding="utf-8")
    course.recipe.write_text(TINY_RECIPE, encoding="utf-8")
    return course
