"""Steps are made from a chapter's ``steps.py``, confirmed by its oracle, and stored with their digest."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from grader.course.paths import CoursePaths
from grader.errors import ReferenceDataError, SourceError
from grader.exercises import CHAPTERS, Chapter
from grader.exercises.case import Case
from grader.proving.recipe import Solved
from grader.proving.steps import build_steps, load_steps_source, make_steps, softmax, step, verify_steps
from grader.proving.tolerances import with_tolerances
from grader.references import ExerciseReference
from grader.references.steps import STEPS, TENSORS, load_steps
from grader.references.unbuilt import unbuilt_references
from tests.conftest import TinyCourse, edit_file

DOUBLE = '''"""The steps of a double."""

from grader.proving.steps import step


def double(arguments, _weights, _options):
    x = arguments["x"]
    return [step("once", x, "n"), step("twice", 2 * x, "n", "once")]


STEPS = {"tiny-double": double}
'''


@pytest.fixture
def course(tiny: TinyCourse) -> TinyCourse:
    """Return the tiny course with steps, built."""
    (tiny.paths.solutions / "tiny" / "steps.py").write_text(DOUBLE, encoding="utf-8")
    tiny.build()
    return tiny


def source(course: TinyCourse) -> Path:
    """Return the chapter's ``steps.py``."""
    return course.paths.solutions / "tiny" / "steps.py"


@pytest.mark.parametrize("chapter", CHAPTERS.values(), ids=lambda one: one.stem)
def test_stored_steps_are_those_of_their_source(chapter: Chapter, repository: Path) -> None:
    """Made again they are the same, and the oracle's results are among them."""
    assert verify_steps(chapter, CoursePaths(repository)) == []


def test_result_that_is_a_single_number_is_no_step() -> None:
    """The steps on the way to it are."""
    case = Case("three", "three numbers", True, 0, {}, {}, {"x": torch.arange(3.0)}, {})
    solved = Solved(case, {"result": torch.tensor(6.0)})
    reference = ExerciseReference((case,), with_tolerances([solved], defaultdict(float)), {}, (), tuple)
    made = make_steps("doubled-sum", lambda given, _, __: [step("twice", 2 * given["x"], "n")], reference)
    assert [one.name for one in made["three"]] == ["twice"]


def test_references_are_built_with_their_steps(course: TinyCourse) -> None:
    """Each small visible case has them, in order."""
    steps = load_steps(course.references, "tiny-double")
    assert set(steps) == {"short", "long"}
    assert [one.name for one in steps["short"]] == ["once", "twice"]
    assert torch.equal(steps["short"][1].values, torch.linspace(-2.0, 4.0, 3).double())


def test_steps_are_made_again_without_the_bank(course: TinyCourse) -> None:
    """A change of the steps alone proves nothing anew, and leaves the references as they are."""
    before = (course.references / "manifest.json").read_bytes()
    edit_file(source(course), '"once", x, "n"', '"the input", x, "n"')
    edit_file(source(course), '"n", "once"', '"n", "the input"')
    assert any("references steps tiny" in line for line in unbuilt_references(course.chapter, course.paths))
    assert build_steps(course.chapter, course.paths) == 1
    load_steps.cache_clear()
    assert unbuilt_references(course.chapter, course.paths) == []
    assert (course.references / "manifest.json").read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("2 * x", "3 * x", "def ", "the oracle's result, shape (3,), torch.float64. The last steps are"),
        ('"n", "once"', '"n", "thrice"', "def ", "is made of thrice: no step before it has"),
        ('"once", x, "n"', '"once", x, "n m"', "def ", "has 1 axes, and names for 2: n m."),
        (
            '"once", x, "n"',
            '"once", x, "n", shares=True',
            "def ",
            "'once' has shares=True, and a row that sums",
        ),
        ('"twice"', '"once"', "def ", "two steps are named 'once'"),
        ('"once", x, "n"', '"once", x.sum(), ""', "def ", "'once' is a single number, which is never"),
        ('"once", x, "n"', '"once", x[:1], "n"', "def ", "steps are looked for in no case"),
        ('"once", x, "n"', '"once", y, "n"', '"once", y', "tiny-double: NameError"),
        ("tiny-double", "tiny-duoble", "STEPS", "has no exercise tiny-duoble. Did you mean tiny-double?"),
        ("STEPS =", "OTHERS =", "", "defines no STEPS"),
        ("import step", "import stepp", "import stepp", "does not run: ImportError"),
        ("STEPS =", "STEPS = =", "STEPS", "does not run: SyntaxError"),
    ],
)
def test_steps_that_cannot_be_right_are_refused(
    old: str, new: str, line: str, said: str, course: TinyCourse
) -> None:
    """Each with the line and what is wrong, and the stored ones stay."""
    before = (course.references / STEPS).read_bytes()
    edit_file(source(course), old, new)
    lines = source(course).read_text(encoding="utf-8").splitlines()
    at = next(number for number, text in enumerate(lines, 1) if line in text)
    with pytest.raises(SourceError) as caught:
        build_steps(course.chapter, course.paths)
    assert str(caught.value).startswith(f"{source(course)}:{at}: ")
    assert said in str(caught.value)
    assert (course.references / STEPS).read_bytes() == before


def test_steps_that_nobody_traces_are_refused(course: TinyCourse) -> None:
    """An exercise of a driver without traces would have them in vain."""
    untraced = replace(course.chapter, exercises=(replace(course.exercise, driver="number"),))
    with pytest.raises(
        SourceError, match=r"steps\.py:\d+: tiny-double: answers of the driver number are not"
    ):
        build_steps(untraced, course.paths)


def test_changed_steps_do_not_verify(course: TinyCourse) -> None:
    """Another name, and numbers that another source gives."""
    edit_file(source(course), '"once", x', '"once", x + 0.0 * x')
    assert verify_steps(course.chapter, course.paths) == []
    edit_file(source(course), "x + 0.0 * x", "x + 1e-6")
    assert len(verify_steps(course.chapter, course.paths)) == 2


def test_an_altered_file_is_an_error(course: TinyCourse) -> None:
    """A digest that differs is no wrong answer."""
    path = course.references / TENSORS
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    fresh = course.references.parent / "elsewhere"
    course.references.rename(fresh)  # not yet read in this process
    with pytest.raises(ReferenceDataError, match="was altered"):
        load_steps(fresh, "tiny-double")


def test_a_chapter_without_steps_has_none(tiny: TinyCourse) -> None:
    """There need be no ``steps.py``."""
    tiny.build()
    assert load_steps_source(source(tiny)) is None
    assert build_steps(tiny.chapter, tiny.paths) == 0
    assert load_steps(tiny.references, "tiny-double") == {}


@pytest.mark.parametrize("also", [torch.ones(2), [torch.ones(2)], {"shares": torch.ones(2)}, ["shares"]])
def test_other_forms_of_a_step_are_forms(also: object) -> None:
    """What is none is told with the step and what to write."""
    with pytest.raises(ReferenceDataError, match=r"step 'shares': also is .*: expected a list of forms"):
        step("shares", torch.ones(2), "n", also=also)


def test_exponentials_that_float32_cannot_hold_are_no_form() -> None:
    """Of numbers far from 0 only the shifted exponentials are right: the others overflow or vanish."""
    for numbers, forms in (([1.0, 2.0, 3.0], 2), ([1000.0, 2.0, 3.0], 1), ([-1000.0, -999.0, -1001.0], 1)):
        exponentials, _ = softmax(torch.tensor(numbers, dtype=torch.float64), "n")
        assert len(exponentials.forms) == forms
        assert all(0 < one.values.max() < 1e30 for one in exponentials.forms)
