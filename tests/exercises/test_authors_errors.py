"""What an author gets wrong in a chapter is told with the file, the line and what to do."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from click.testing import CliRunner, Result

from grader.checking.drivers import known_drivers
from grader.checking.generator import INVERSES
from grader.cli import main
from grader.errors import UnknownExerciseError
from grader.exercises import EXERCISES as KNOWN
from grader.exercises import find_exercise
from grader.exercises.model import DRAWN, drivers
from grader.proving.posing import pose
from grader.proving.recipe import check_axes
from grader.references.published import _read
from grader.references.store import load_from
from tests.conftest import chapters_as_before

STEM, EXERCISE, OTHER = "ch50_convolution", "ch50-centered", "ch51_filters"
EXERCISES, MISTAKES, RECIPE = "exercises.toml", "mistakes.toml", "reference.py"
BANK, TEXT = f"answers/{EXERCISE}.py", f"{STEM}.md"
REFERENCES, BUILD = ("references", "build", STEM), ("build", STEM)


def run(course: Path, *arguments: str) -> Result:
    """Run a command on a course."""
    own = () if arguments[0] == "list" else ("--course", str(course))
    return CliRunner().invoke(main, [*arguments, *own], env={"COLUMNS": "300"})


@pytest.fixture
def course(tmp_path: Path) -> Iterator[Path]:
    """Return a course with one chapter as `grader new` makes it; what is known is as before afterwards."""
    folder = tmp_path / "signals"
    with chapters_as_before():
        for arguments in (["course", str(folder)], ["chapter", STEM, "--course", str(folder)]):
            assert CliRunner().invoke(main, ["new", *arguments]).exit_code == 0
        yield folder


WRONG = {
    "key": (
        EXERCISES,
        "points = 2",
        "point = 2",
        REFERENCES,
        r"10: point is not known.* Did you mean points\?",
    ),
    "table": (
        EXERCISES,
        "[[exercises]]",
        "[[exercise]]",
        BUILD,
        r"\d+: exercise is not known.* Did you mean exercises\?",
    ),
    "driver": (
        *(EXERCISES, 'driver = "function"', 'driver = "functions"', BUILD),
        r"\d+: driver = 'functions' is not known; known are module, .*to_torch\. Did you mean function\?",
    ),
    "drawn by": (
        *(EXERCISES, "points = 2", 'points = 2\ndrawn_by = "linaer"', BUILD),
        r"\d+: drawn_by = 'linaer' is not known; known are uniform, linear\. Did you mean linear\?",
    ),
    "subject": (
        *(EXERCISES, 'subject = "centered"', 'subject = "center it"', BUILD),
        r"\d+: subject = 'center it': expected the name of a class or a function",
    ),
    "signature": (
        *(EXERCISES, 'signature = "centered(', 'signature = "centred(', BUILD),
        r"\d+: signature = 'centred\(.*': expected centered\(\.\.\.\), as a learner calls it",
    ),
    "forbidden": (
        *(EXERCISES, "points = 2", 'points = 2\nforbidden = "atention"', BUILD),
        r"\d+: forbidden = 'atention': expected .* one of 'anything', 'attention', or a table",
    ),
    "required of NumPy": (
        *(EXERCISES, 'driver = "function"', 'driver = "arrays"\nrequired = ["norm"]', BUILD),
        r"\d+: required: calls of NumPy's own functions are not seen",
    ),
    "requires": (
        *(EXERCISES, "points = 2", 'points = 2\nrequires = ["ch50-centred"]', BUILD),
        r"\d+: ch50-centered: requires: there is no exercise ch50-centred\. Did you mean ch50-centered\?",
    ),
    "id of another chapter": (
        *(EXERCISES, 'id = "ch50-centered"', 'id = "ch04-self-attention"', BUILD),
        r"\d+: ch04_self_attention has the id ch04-self-attention already",
    ),
    "mistake": (
        *(MISTAKES, "look =", "looks =", BUILD),
        r"\d+: convolution-not-centered: expected title, seen, look, each a text",
    ),
    "cases in a list in a list": (
        *(RECIPE, '": cases}', '": [cases]}', REFERENCES),
        r"\d+: .*solved_cases has a list with list for ch50-centered: expected \{exercise id: \[Solved",
    ),
    "one case for a list": (
        *(RECIPE, '": cases}', '": cases[0]}', REFERENCES),
        r"\d+: .*solved_cases has Solved for ch50-centered: expected \{exercise id: \[Solved",
    ),
    "hidden cases in a list in a list": (
        *(RECIPE, '": hidden}', '": lambda rng: [hidden(rng)]}', REFERENCES),
        r"\d+: .*grading_cases has a list with list for ch50-centered: expected \{exercise id: \[Solved",
    ),
    "published as a text": (
        *(RECIPE, "oracle, arguments=", 'oracle, published="toy.mix", arguments=', REFERENCES),
        r"\d+: ch50-centered, case 'numbers': published = 'toy.mix': expected a dict, such as",
    ),
    "second call": (
        *(
            RECIPE,
            "    (x,) = ",
            "    oracle.calls = 1 + getattr(oracle, 'calls', 0)\n    assert oracle.calls < 2\n    (x,) = ",
            REFERENCES,
        ),
        r"\d+: ch50-centered, case 'numbers', second call, on arguments that other_numbers makes: Assert",
    ),
    "cases without exercises": (
        *(RECIPE, 'return {"ch50-centered": cases}', "return cases", REFERENCES),
        r"\d+: .*solved_cases returns list: expected \{exercise id: \[Solved, \.\.\.\]\}",
    ),
    "misspelled exception": (
        *(RECIPE, "oracle, arguments=", 'oracle, raises="ValueEror", arguments=', REFERENCES),
        r"\d+: ch50-centered, case 'numbers': raises = 'ValueEror': expected the name of an exception of "
        r"Python's own, .* Did you mean ValueError\?",
    ),
    "oracles' NaN": (
        *(RECIPE, "confirmed(result, x", "confirmed(result * torch.nan, torch.nan * x", REFERENCES),
        r"\d+: .*, case 'numbers': the two oracles disagree: .* NaN is no expected value",
    ),
    "no title": (
        *(EXERCISES, "title = ", 'title = "" # ', BUILD),
        r"\d+: it has no title\. Write title = and what the chapter is called\.",
    ),
    "requires itself": (
        *(EXERCISES, "points = 2", 'points = 2\nrequires = ["ch50-centered"]', REFERENCES),
        r"\d+: ch50-centered: requires: ch50-centered does not come before it\. Name exercises that do\.",
    ),
    "a hidden case among the visible ones": (
        *(RECIPE, "oracle, arguments=", "oracle, visible=False, arguments=", REFERENCES),
        r"\d+: ch50-centered, case 'numbers': visible=False makes a hidden case: make it in grading_cases",
    ),
    "precision that no case asks for": (
        *(EXERCISES, "points = 2", "points = 2\ndouble_precision = true", REFERENCES),
        r"\d+: ch50-centered: double_precision is judged in cases of float64, and there is none\.",
    ),
    "oracles": (
        *(RECIPE, "- np.mean(", "- 1.5 * np.mean(", REFERENCES),
        r"\d+: ch50-centered, case 'numbers': the two oracles disagree: at \[\d\] the first gives -?\d.*, "
        r"the second -?\d.*; they may differ by 1e-12",
    ),
    "oracles' shapes": (
        *(RECIPE, "confirmed(result, x", "confirmed(result[:1], x", REFERENCES),
        r"\d+: .*, case 'numbers': the two oracles disagree: the first gives the shape \(1,\), the",
    ),
    "oracles' dtypes": (
        *(RECIPE, "confirmed(result, x", "confirmed(result.float(), x", REFERENCES),
        r"\d+: .*, case 'numbers': the two oracles disagree: the first gives torch\.float32, the second "
        r"torch\.float64\. Oracles give float64",
    ),
    "array": (
        *(
            RECIPE,
            'arguments={"x": drawn(rng, count) + 1}',
            'arguments={"x": drawn(rng, count).numpy()}',
            REFERENCES,
        ),
        r"\d+: ch50-centered, case 'numbers': x is ndarray: expected a tensor",
    ),
    "option": (
        *(RECIPE, "oracle, arguments=", 'oracle, options={"width": np.int64(3)}, arguments=', REFERENCES),
        r"\d+: ch50-centered, case 'numbers': option width is int64: expected a number, .* as int\(",
    ),
    "again": (
        *(RECIPE, "oracle, arguments=", "oracle, again=lambda x: -x, arguments=", REFERENCES),
        r"\d+: ch50-centered, case 'numbers': again = <function .*>: expected True, False or, for a module "
        r"without weights, other_input\.",
    ),
    "argument's name": (
        *(
            RECIPE,
            'arguments={"x": drawn(rng, count) + 1}',
            'arguments={"y": drawn(rng, count) + 1}',
            REFERENCES,
        ),
        r"\d+: ch50-centered, case 'numbers': it gives y; the signature shows centered\(x\)\.",
    ),
    "recipe that does not run": (
        *(RECIPE, "SIZE, HIDDEN_SIZE = 5, 6", "SIZE, HIDDEN_SIZE = 5", REFERENCES),
        r"\d+: this file does not run: TypeError: cannot unpack",
    ),
    "header": (
        *(BANK, 'mistake="convolution-turned-round"', 'mistke="convolution-turned-round"', REFERENCES),
        r"\d+: mistke is not known; known are correct, .*\. Did you mean mistake\?",
    ),
    "recipe": (
        *(RECIPE, "(x,) = arguments.values()", '(x,) = arguments["y"]', REFERENCES),
        r"\d+: ch50-centered, case 'numbers': KeyError: 'y'",
    ),
    "axes": (
        *(RECIPE, '{"x": ("n",)}', '{"xs": ("n",)}', REFERENCES),
        r"\d+: AXES names xs, which no case has; there are again, result, x\. Did you mean x\?",
    ),
    "axes that do not fit": (
        *(RECIPE, '{"x": ("n",)}', '{"x": ("n", "d")}', REFERENCES),
        r"\d+: ch50-centered, case 'numbers': x has the shape \(5,\); AXES names 2 of its axes, n, d\. "
        r"Write an entry 'ch50-centered/x' for this exercise alone\.",
    ),
    "axes of one exercise": (
        *(RECIPE, '{"x": ("n",)}', '{"x": ("n", "d"), "ch50-centered/x": ("...", "d", "n")}', REFERENCES),
        r"\d+: .* x has the shape \(5,\); AXES names 3 of its axes, \.\.\., d, n\. '\.\.\.' stands for any",
    ),
    "oracle without a gradient": (
        *(RECIPE, "confirmed(result, x", "confirmed(result.detach(), x", REFERENCES),
        r"\d+: ch50-centered, case 'numbers': no gradient goes back from what the oracle returns: have it "
        r"compute with torch, .*, or pose it with differentiable=False",
    ),
    "oracle's tuple": (
        *(RECIPE, "    return confirmed(", "    return x, x\n    return confirmed(", REFERENCES),
        r"\d+: ch50-centered, case 'numbers': the oracle returns a tuple of Tensor, Tensor; expected a "
        r"tensor, or a dict of tensors by the names that returns declares in exercises\.toml\.",
    ),
    "whole numbers": (
        *(RECIPE, "    return confirmed(", "    return x.long()\n    return confirmed(", REFERENCES),
        r"\d+: ch50-centered, case 'numbers': whole numbers .* have no gradient: pose it with differentiable",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_with_its_place(name: str, course: Path) -> None:
    """File and line; exercise, case and numbers where there are some. Nothing is written."""
    file, old, new, command, told = WRONG[name]
    path = course / "solutions" / STEM / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    result = run(course, *command)
    assert result.exit_code == 2
    match = re.search(rf"{re.escape(str(path))}:(\d+): .*", result.output)
    assert match and re.search(rf"^{re.escape(str(path))}:{told}", match[0]), result.output
    assert text.replace(old, new, 1).splitlines()[int(match[1]) - 1].strip()
    assert not (course / "reference_outputs" / STEM / "manifest.json").exists()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("centered(x)", "centered(x, level)", "it gives x; the signature shows centered(x, level)."),
        ('"function"', '"number"', "the driver number makes no second call: pose it with again=False, or"),
    ],
)
def test_cases_are_held_against_the_declaration(old: str, new: str, told: str, course: Path) -> None:
    """What is declared is an exercise of other cases: the line of the recipe is told."""
    declared, recipe = (course / "solutions" / STEM / name for name in (EXERCISES, RECIPE))
    declared.write_text(declared.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    result = run(course, *REFERENCES)
    lines = recipe.read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if f'"{EXERCISE}"' in text)
    assert result.exit_code == 2
    assert f"{recipe}:{line}: {EXERCISE}, case '" in result.output and told in result.output


DRIVER, CALL = 'driver = "function"', "centered(x): (n,) -> (n,)"
POSED = "oracle, arguments="
ARRAYS = ((EXERCISES, DRIVER, 'driver = "arrays"'),)
MODULE = (
    (EXERCISES, DRIVER, 'driver = "module"'),
    (EXERCISES, CALL, "centered(width); forward(x): (n,) -> (n,)"),
    (RECIPE, POSED, 'oracle, options={"width": 3}, weights={"taps": drawn(rng, 3)}, arguments='),
)
REFUSED = 'pose(rng, "refused", "2 numbers", oracle, raises="ValueError", arguments={"x": drawn(rng, 2)})'
UNFITTING = {
    "gradients of arrays": (ARRAYS, "NumPy's arrays have no gradients: pose it with differentiable=False."),
    "arrays in float32": (
        (*ARRAYS, (RECIPE, POSED, "oracle, differentiable=False, arguments=")),
        "x is in float32; NumPy computes in float64: pose it with dtype=torch.float64.",
    ),
    "weights": (
        MODULE,
        "it gives the weights taps; parameters names nothing. Declare taps there, or as biases, in exercises",
    ),
    "drawn from a matrix": (
        (*MODULE, (EXERCISES, "points = 2", 'points = 2\nparameters = ["taps"]\ndrawn_by = "linear"')),
        "taps has the shape (3,); drawn_by = 'linear' is of (d_out, d_in). Leave drawn_by out of exercises",
    ),
    "result's shape": (
        ((EXERCISES, CALL, "centered(x): (n,) -> (n, 2)"),),
        "result has the shape (5,); the signature shows (n, 2). Mend the one that is wrong.",
    ),
    "result's size": (
        ((EXERCISES, CALL, "centered(x): (n,) -> (3,)"),),
        "result has the shape (5,); the signature shows (3,). Mend the one that is wrong.",
    ),
    "argument's size": (
        ((EXERCISES, CALL, "centered(x): (..., 4) -> (n,)"),),
        "x has the shape (5,); the signature shows (..., 4). Mend the one that is wrong.",
    ),
    "returns forgotten": (
        ((RECIPE, "    return confirmed(", '    return {"slow": x, "fast": x}\n    return confirmed('),),
        "the oracle returns slow, fast, by name; returns is not declared. Write returns = "
        '["slow", "fast"] into exercises.toml.',
    ),
    "returns too much": (
        ((EXERCISES, "points = 2", 'points = 2\nreturns = ["slow"]'),),
        "the oracle returns one tensor; returns names slow. Take returns out of exercises.toml, or have",
    ),
    "returns other names": (
        (
            (EXERCISES, "points = 2", 'points = 2\nreturns = ["fast", "slow"]'),
            (RECIPE, "    return confirmed(", '    return {"slow": x, "fast": x}\n    return confirmed('),
        ),
        "the oracle returns slow, fast, by name; returns names fast, slow. Give both the same names, in the",
    ),
    "refusal": (
        ((RECIPE, '": cases}', f'": [{REFUSED}, *cases]}}'),),
        "it raises: put it behind those that do not.",
    ),
    "published result": (
        ((RECIPE, POSED, 'oracle, published={"mix": "toy.mix"}, arguments='),),
        "published names mix; what it returns is result.",
    ),
    "published entry": (
        ((RECIPE, POSED, 'oracle, published={"result": "toy.mix"}, arguments='),),
        "There is no published entry 'toy.mix'. Expected in {references}/published_values.json.",
    ),
}


def edit(course: Path, edits: Iterable[tuple[str, str, str]]) -> None:
    """Exchange texts in files of the chapter, each of which is there."""
    for name, old, new in edits:
        path = course / "solutions" / STEM / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("name", UNFITTING)
def test_case_that_is_none_of_its_exercise_is_refused(name: str, course: Path) -> None:
    """The exercise, the case and what to do are told, and a line of the recipe."""
    edits, told = UNFITTING[name]
    edit(course, edits)
    result = run(course, *REFERENCES)
    assert result.exit_code == 2
    path, told = course / "solutions" / STEM / RECIPE, told.format(references=course / "reference_outputs")
    line = line_of(path, "        pose(rng, name" if "published" in name else f'    return {{"{EXERCISE}"')
    assert re.search(
        rf"{re.escape(str(path))}:{line}: {EXERCISE}, case '\w+': {re.escape(told)}", result.output
    ), result.output


def test_published_values_of_a_course_are_its_own(course: Path) -> None:
    """They lie beside its references; what is not reproduced is told with the line."""
    result = '"result": "toy.centered"'
    edit(course, [(RECIPE, POSED, f"oracle, published={{{result}}} if count == 1 else {{}}, arguments=")])
    path = course / "reference_outputs" / "published_values.json"
    path.parent.mkdir(exist_ok=True)
    for values, status in (([0.0], 0), ([0.5], 2)):
        entries = [{"id": "toy.centered", "values": values}]
        path.write_text(json.dumps({"entries": entries}), encoding="utf-8")
        _read.cache_clear()
        built = run(course, *REFERENCES)
        assert built.exit_code == status, built.output
    line = line_of(course / "solutions" / STEM / RECIPE, "        pose(rng, name")
    told = "toy.centered: at [0] the print gives 0.5, the oracle"
    assert f"{RECIPE}:{line}: {EXERCISE}, case 'one number': {told}" in built.output


# What the text and the declaration say otherwise: the file that is wrong, and what is told of its line.
SECTION = 'section = "Exercise 1: numbers around zero"'
SIGNATURE = 'signature = "centered(x): (n,) -> (n,)"'
RETURNS = "    Returns: (n,), whose mean is 0.\n"
UNLIKE = {
    "section": (
        *(EXERCISES, SECTION, 'section = "Exercise 1: numbers round zero"'),
        *(
            SECTION,
            "no heading of ch50_convolution.md has these words. Did you mean Exercise 1: numbers around",
        ),
    ),
    "signature": (
        *(EXERCISES, SIGNATURE, SIGNATURE.replace("(x)", "(y)"), SIGNATURE),
        "it shows centered(y); expected centered(x), as line 33 of ch50_convolution.md has it.",
    ),
    "default": (
        *(TEXT, "def centered(x):", "def centered(x, level=0):", SIGNATURE),
        "it shows centered(x); expected centered(x, level=0), as line 33 of ch50_convolution.md has it.",
    ),
    "no parameters": (
        *(EXERCISES, SIGNATURE, SIGNATURE.replace("(x)", "(x")),
        *(SIGNATURE, "these are no parameters; expected centered(...), as line 33"),
    ),
    "docstring": (
        *(TEXT, RETURNS, f"{RETURNS}    Not allowed: loops.\n", "def centered"),
        "the docstring says that loops are not allowed; ch50-centered forbids nothing",
    ),
    "forbidden": (
        *(
            EXERCISES,
            SECTION,
            f'{SECTION}\nforbidden = {{ parts = ["mean"], words = "means" }}',
            "def centered",
        ),
        "ch50-centered forbids means; expected the docstring's last line to be 'Not allowed: means.'",
    ),
}


@pytest.mark.parametrize("name", UNLIKE)
def test_text_is_held_against_the_declaration(name: str, course: Path) -> None:
    """Nothing is built where one says otherwise than the other; the line to look at is told."""
    file, old, new, place, told = UNLIKE[name]
    assert run(course, *REFERENCES).exit_code == 0
    folder = course / "solutions" / STEM
    wrong = folder / (TEXT if place.startswith("def") else EXERCISES)
    lines = wrong.read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith(place))
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    for command in (BUILD, (*BUILD, "--check")):
        result = run(course, *command)
        assert result.exit_code == 2
        assert f"{wrong}:{line}: " in result.output and told in result.output, result.output
    assert not (folder / f"{STEM}.ipynb").exists()


def line_of(path: Path, start: str) -> int:
    """Return the first line of a file that begins so."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(start))


def test_unknown_code_says_where_it_is_explained(course: Path) -> None:
    """With the form, the known ones that are like it, and the answer that declares it."""
    path = course / "solutions" / STEM / BANK
    path.write_text(path.read_text(encoding="utf-8").replace("convolution-turned-round", "convolution-turnd"))
    result = run(course, *REFERENCES)
    line = line_of(path, '# %% mistake="convolution-turnd"')
    assert result.exit_code == 2
    assert (
        f"{path}:{line}: {EXERCISE}: 'convolution-turnd' declares the unknown code 'convolution-turnd'. "
        "Did you mean convolution-turned-round?" in result.output
    )
    form = "[group.convolution-turnd] with title, seen, look, each a text."
    assert f"solutions/{STEM}/mistakes.toml: {form}" in " ".join(result.output.split())


def test_missing_file_of_mistakes_is_named(course: Path) -> None:
    """Codes that are not known are then not taken for others."""
    path = course / "solutions" / STEM / MISTAKES
    path.unlink()
    result = run(course, *REFERENCES)
    assert result.exit_code == 2 and f"{path} is missing: " in result.output
    assert "Did you mean" not in result.output


@pytest.mark.parametrize(
    ("old", "new", "start", "told"),
    [
        (
            *("x.sum() / len(x)", "x.sum() / 2", '# %% correct="a sum, divided"'),
            "correct variant 'a sum, divided', case 'numbers': result is",
        ),
        (
            *(
                "# + return x.clone()",
                "# + return x - x.mean() * 1",
                '# %% mistake="convolution-not-centered"',
            ),
            "'convolution-not-centered' should give ['convolution-not-centered'], but gives ['passed']",
        ),
    ],
    ids=["correct", "mistake"],
)
def test_answer_of_a_bank_is_told_with_its_line(
    old: str, new: str, start: str, told: str, course: Path
) -> None:
    """A correct variant that is wrong, and a mistake that is none."""
    path = course / "solutions" / STEM / BANK
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    result = run(course, *REFERENCES)
    assert result.exit_code == 2
    assert f"{path}:{line_of(path, start)}: {EXERCISE}: {told}" in result.output, result.output


# A second argument, of which only the order counts.
ORDERED = {
    EXERCISES: {"centered(x): (n,) ->": "centered(x, grades): (n,), (n,) ->"},
    BANK: {"def centered(x):": "def centered(x, grades):\n    x = x[grades.argsort()]"},
    RECIPE: {
        "(x,) = arguments.values()": "x, grades = arguments.values()\n    x = x[grades.argsort()]",
        '"x": drawn(rng, count) + 1': '"x": drawn(rng, count) + 1, "grades": drawn(rng, count)',
    },
}


def order_by_grades(course: Path, bank: str = "", oracle: str = "") -> Result:
    """Have the exercise order its numbers by others, with more in an answer or oracle; build references."""
    folder = course / "solutions" / STEM
    for name, edits in ORDERED.items():
        text = (folder / name).read_text(encoding="utf-8")
        for old, new in edits.items():
            assert old in text
            text = text.replace(old, new)
        if name == BANK:
            text = text.replace("x.sum() / len(x)\n", f"x.sum() / len(x){bank}\n")
        if name == RECIPE:
            text = text.replace("confirmed(result, x", f"confirmed(result{oracle}, x")
        (folder / name).write_text(text, encoding="utf-8")
    return run(course, *REFERENCES)


@pytest.mark.parametrize("bank", ["", " + 0 * grades.sum()"], ids=["in no variant", "in one"])
def test_gradient_that_is_zero_may_be_missing(bank: str, course: Path) -> None:
    """An argument that only orders others has no gradient in right answers, or one of zeros."""
    result = order_by_grades(course, bank)
    assert result.exit_code == 0, result.output
    reference = load_from(course / "reference_outputs" / STEM, EXERCISE)
    for case in reference.cases:
        assert not reference.expected[case.name]["gradient/grades"].values.any()
    assert run(course, "references", "verify").exit_code == 0


def test_gradient_that_no_variant_has_is_told(course: Path) -> None:
    """Where the oracle's is not zero: with the answer, the case and the argument."""
    result = order_by_grades(course, oracle=" + (grades - grades.detach())")
    assert result.exit_code == 2
    assert re.search(
        rf"{EXERCISE}.py:\d+: {EXERCISE}: correct variant 'textbook', case 'numbers': no gradient reaches "
        r"grades; the oracle's is as large as \d",
        result.output,
    ), result.output


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            ("check", "ch50-centred", "answer.py"),
            f"There is no exercise 'ch50-centred'. Did you mean {EXERCISE}? The exercises are: {EXERCISE}.",
        ),
        (("build", "x"), f"There is no chapter 'x'. The chapters are: {STEM}."),
        (("references", "verify", "x"), f"There is no chapter 'x'. The chapters are: {STEM}."),
    ],
)
def test_names_of_the_own_course_come_first(asked: tuple[str, ...], told: str, course: Path) -> None:
    """What the package has is named only where it is meant."""
    assert run(course, *REFERENCES).exit_code == 0
    result = CliRunner().invoke(
        main, list(asked) if asked[0] == "check" else [*asked, "--course", str(course)]
    )
    assert result.exit_code == 2 and told in result.output, result.output


def test_few_of_many_names_are_told() -> None:
    """Those of the same chapter first, and the one that is meant."""
    with pytest.raises(UnknownExerciseError) as error:
        find_exercise("ch06-spilt-heads")
    said = str(error.value)
    assert "Did you mean ch06-split-heads?" in said
    assert " more." in said
    named = said.partition("are: ")[2].split(", ")[:12]
    ours = [one for one in KNOWN if one.startswith("ch06-")]
    assert named == [*ours, *(one for one in KNOWN if one not in ours)][:12]


LONG = "x.mean()  # " + "a" * 90


@pytest.mark.parametrize(
    ("old", "new", "start", "told"),
    [
        ("x.mean()\n```", f"{LONG}\n```", LONG, "this line of code has 102 characters; a page shows 88."),
        (
            "Everything here",
            "![two curves](curves.png)\n\nEverything here",
            "![two curves]",
            "the picture curves.png is a file, which does not go with the notebook. Draw it in a code cell",
        ),
        (f'hint("{EXERCISE}")', "nothing", "```{code-cell} ipython3\n:exer", f'nowhere hint("{EXERCISE}")'),
    ],
    ids=["long line", "picture", "no hint"],
)
def test_text_is_held_to_what_a_page_needs(old: str, new: str, start: str, told: str, course: Path) -> None:
    """Lines of code that a page shows whole, and how to open a hint."""
    assert run(course, *REFERENCES).exit_code == 0
    path = course / "solutions" / STEM / TEXT
    text = path.read_text(encoding="utf-8")
    assert old in text
    text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    line = text[: text.index(start)].count("\n") + 1
    for command in (BUILD, (*BUILD, "--check")):
        result = run(course, *command)
        assert result.exit_code == 2
        assert f"{path}:{line}: " in result.output and told in result.output, result.output


# What is there for nothing, or missing: the file, its text (None: it is missing), and what is told.
STRAY = "answers/ch50-centred.py"
USELESS = {
    "bank of nothing": (
        *(STRAY, "", "", "# %% setup\n"),
        f"{STRAY}:1: the chapter declares no exercise ch50-centred. Did you mean {EXERCISE}?",
    ),
    "no bank": (BANK, "", "", None, f"{BANK} is missing: every exercise needs an answer bank."),
    "no oracle": (RECIPE, "", "", None, f"{RECIPE} is missing: a chapter needs the cases and the oracle"),
    "code": (
        *(MISTAKES, "", "", '\n[convolution.convolution-turned-over]\ntitle = ""\nseen = ""\nlook = ""\n'),
        "mistakes.toml:16: no answer of a bank has the mistake convolution-turned-over. Did you mean convo",
    ),
    "group": (
        *(MISTAKES, "convolution = ", "convolutions = ", ""),
        "mistakes.toml:6: the group convolution has no title. Write in [groups] what it is about. Did you",
    ),
}


@pytest.mark.parametrize("name", USELESS)
def test_what_is_missing_or_useless_is_told(name: str, course: Path) -> None:
    """`build --check` has a line for each; what makes and verifies references tells it, too."""
    for command in (REFERENCES, BUILD):
        assert run(course, *command).exit_code == 0
    assert run(course, "build", "--check").exit_code == 0
    file, old, new, added, told = USELESS[name]
    path = course / "solutions" / STEM / file
    if added is None:
        path.unlink()
    else:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        path.write_text(text.replace(old, new, 1) + added, encoding="utf-8")
    told = f"{course / 'solutions' / STEM}/{told}"
    result = run(course, "build", "--check")
    assert result.exit_code == 1 and told in result.output, result.output
    for command in (REFERENCES, ("references", "verify", STEM)):
        assert told in run(course, *command).output


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('titel = "Signals"', "1: titel is not known; known are title, name. Did you mean title?"),
        ("title = 3", "1: title is 3; expected a text."),
        ('name = "two words"', "1: name is 'two words'; expected letters, digits, - and _."),
        ("title = ", "1: this is not TOML: "),
    ],
)
def test_what_the_course_is_called_is_held_to_its_form(line: str, told: str, course: Path) -> None:
    """By each build, with the line."""
    path = course / "solutions" / "about.toml"
    path.write_text(f"{line}\n", encoding="utf-8")
    for command in (BUILD, ("build", "--check")):
        result = run(course, *command)
        assert result.exit_code == 2 and f"{path}:{told}" in result.output, result.output


def test_chapter_without_references_is_no_obstacle_to_the_others(course: Path) -> None:
    """`list` has its exercises and says what to run; `verify` goes on; `build` says what comes first."""
    assert run(course, *REFERENCES).exit_code == 0
    assert run(course, "new", "chapter", OTHER).exit_code == 0
    missing = f"{course / 'reference_outputs' / OTHER / 'manifest.json'} is missing."
    built = run(course, "build", OTHER)
    assert built.exit_code == 2 and "Run `grader references build ch51_filters` first." in built.output
    listed = run(course, "list")
    assert listed.exit_code == 0 and f"Note: {missing}" in listed.output
    lines = dict(re.findall(r"^(ch5\d-centered) .* (6|built)$", listed.output, re.MULTILINE))
    assert lines == {EXERCISE: "6", "ch51-centered": "built"}
    assert run(course, "list", "ch51-centered").exit_code == 2
    verified = run(course, "references", "verify")
    assert (
        verified.exit_code == 1
        and verified.output.startswith(f"{OTHER}: ")
        and missing not in verified.output
    )


def test_nothing_is_given_out_that_is_not_as_its_sources_say(course: Path, tmp_path: Path) -> None:
    """Students would get the cases of before a change, or the text."""
    archive, site = str(tmp_path / "students.zip"), str(tmp_path / "site")
    for command in (REFERENCES, BUILD, ("bundle", archive), ("site", site)):
        assert run(course, *command).exit_code == 0
    recipe, text = (course / "solutions" / STEM / name for name in (RECIPE, TEXT))
    recipe.write_text(recipe.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    for command in (("bundle", archive, "--force"), ("site", site, "--force")):
        result = run(course, *command)
        assert result.exit_code == 2 and f"Run `grader references build {STEM}`." in result.output
    assert run(course, *REFERENCES).exit_code == 0
    text.write_text(text.read_text(encoding="utf-8") + "\nOne more paragraph.\n", encoding="utf-8")
    result = run(course, "bundle", archive, "--force")
    assert result.exit_code == 2 and f"Run `grader build {STEM}`." in result.output


def test_an_id_of_before_is_none_to_build_on(course: Path) -> None:
    """What the last build knew of the chapter is not what its declaration says now."""
    assert run(course, *REFERENCES).exit_code == 0
    path = course / "solutions" / STEM / EXERCISES
    words = path.read_text(encoding="utf-8").replace(EXERCISE, "ch50-middle")
    path.write_text(words.replace("points = 2", f'points = 2\nrequires = ["{EXERCISE}"]'), encoding="utf-8")
    told = f"ch50-middle: requires: there is no exercise {EXERCISE}."
    assert told in run(course, *REFERENCES).output


def test_a_beginning_that_is_taken_is_told_with_one_that_is_free(course: Path) -> None:
    """What is proposed is not what was refused."""
    result = run(course, "new", "chapter", "ch50_other")
    assert result.exit_code == 2 and "Let the name begin otherwise, such as ch51_." in result.output


def test_chapter_that_is_not_built_is_told_as_that(course: Path, tmp_path: Path) -> None:
    """It is there: what comes first is said, and that nothing of it is given out."""
    for command in (REFERENCES, BUILD):
        assert run(course, *command).exit_code == 0
    assert run(course, "new", "chapter", OTHER).exit_code == 0
    told = f"{course / 'solutions' / OTHER} is not built: run `grader references build {OTHER}`, then"
    for command in (
        ("references", "mutate", OTHER),
        ("references", "verify", OTHER),
        ("build", "--check"),
        ("bundle", str(tmp_path / "students.zip")),
    ):
        result = run(course, *command)
        assert told in result.output and "There is no chapter" not in result.output, result.output


def test_exercise_without_a_case_is_told(course: Path) -> None:
    """An empty list is none: of visible cases each exercise has one at least."""
    edit(course, [(RECIPE, '": cases}', '": []}')])
    result = run(course, *REFERENCES)
    assert result.exit_code == 2 and f"{RECIPE}: solved_cases has no case for {EXERCISE}." in result.output


@pytest.mark.parametrize("value", [None, {"values": [[1.0], [2.0, 3.0]]}, {"values": "a"}], ids=str)
def test_published_entry_without_numbers_is_told(value: dict | None, course: Path) -> None:
    """With the file, the entry and the form."""
    edit(course, [(RECIPE, POSED, 'oracle, published={"result": "toy.mix"}, arguments=')])
    path = course / "reference_outputs" / "published_values.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"entries": [{"id": "toy.mix"} | (value or {})]}), encoding="utf-8")
    _read.cache_clear()
    result = run(course, *REFERENCES)
    told = f"{path}: the entry 'toy.mix' has no values that are numbers, in rows of equal length. Expected "
    assert result.exit_code == 2 and told in result.output, result.output


def test_published_weights_that_no_seed_draws_are_told(course: Path) -> None:
    """Else nothing would be said of how any answer's weights start."""
    drawn_and_named = (
        (EXERCISES, "points = 2", 'points = 2\nparameters = ["taps"]\ndrawn_by = "uniform"'),
        (RECIPE, POSED, 'oracle, weights={"taps": drawn(rng, 4)}, options={"width": 4}, arguments='),
        (RECIPE, '("numbers", "5', '("published", "5'),
    )
    edit(course, [*MODULE[:2], *drawn_and_named])
    result = run(course, *REFERENCES)
    told = "the weights of the case 'published' are not what torch.manual_seed("
    assert result.exit_code == 2 and told in result.output, result.output


def test_remark_that_is_declared_as_a_mistake_is_told(course: Path) -> None:
    """What comes as a remark below a passed check is declared with the correct variants."""
    path = course / "solutions" / STEM / BANK
    with path.open("a", encoding="utf-8") as file:
        file.write(
            '\n# %% mistake="precision-lost: in between" edits="textbook"\n'
            "# - return x - x.mean()\n# + return (x.float() - x.float().mean()).to(x.dtype)\n"
        )
    edit(course, [(RECIPE, POSED, "oracle, dtype=torch.float64, arguments=")])
    result = run(course, *REFERENCES)
    told = 'That is a remark: write correct="..." remark="precision-lost".'
    assert result.exit_code == 2 and told in result.output, result.output


def test_mistake_that_no_case_shows_is_told_with_what_to_do(course: Path) -> None:
    """Beside the verdict, which says that it is right."""
    path = course / "solutions" / STEM / BANK
    right = path.read_text(encoding="utf-8").partition("# %% correct=")[2].partition("\n")[2]
    right = right.partition("# %%")[0]
    with path.open("a", encoding="utf-8") as file:
        file.write(f'\n# %% mistake="unrecognized: right"\n{right}')
    result = run(course, *REFERENCES)
    assert result.exit_code == 2 and "No case shows this mistake. Add one that does" in result.output


def test_built_chapter_without_sources_is_told(course: Path) -> None:
    """Its exercises would still be known; what is to be removed is named."""
    assert run(course, *REFERENCES).exit_code == 0
    (course / "solutions" / STEM).rename(course / "solutions" / OTHER)
    result = run(course, "build", "--check")
    assert result.exit_code == 1
    assert f"{course / 'reference_outputs' / STEM} is of a chapter that is gone" in result.output


def test_equivalent_mutant_without_a_reason_is_told(course: Path) -> None:
    """With its line, although other processes read the declarations."""
    assert run(course, *REFERENCES).exit_code == 0
    path = course / "solutions" / STEM / "answers" / "equivalent_mutants.toml"
    path.write_text('[[equivalent]]\nexchanges = [["a"]]\n', encoding="utf-8")
    for command in (("references", "mutate", STEM), REFERENCES):
        result = run(course, *command)
        assert result.exit_code == 2 and f"{path}:1: because is missing" in result.output


def test_one_hidden_case_is_told_as_few(course: Path) -> None:
    """It builds: an exercise may have a reason for it."""
    edit(
        course,
        [(RECIPE, "((OTHER_NUMBERS, SIZE), (OTHER_SIZES, HIDDEN_SIZE))", "((OTHER_SIZES, HIDDEN_SIZE),)")],
    )
    result = run(course, *REFERENCES)
    assert result.exit_code == 0 and "with 1 hidden case; expected two to six" in result.output


def test_part_of_a_result_without_names_of_axes_is_told() -> None:
    """As an argument is, but not one without axes."""
    results = {"slow": torch.ones(2), "fast": torch.ones(2), "loss": torch.ones(())}
    case = pose(
        *(np.random.default_rng(0), "one", "two numbers"),
        lambda arguments, weights, options: results,
        arguments={"x": torch.ones(2)},
        differentiable=False,
    )
    recipe = SimpleNamespace(AXES={"x": ("n",), "fast": ("n",)}, __file__=__file__)
    assert check_axes(recipe, {EXERCISE: [case]}) == ["slow"]


def test_equivalent_mutant_that_there_is_not_is_told(course: Path) -> None:
    """Nobody needs the declaration: with its line."""
    assert run(course, *REFERENCES).exit_code == 0
    path = course / "solutions" / STEM / "answers" / "equivalent_mutants.toml"
    path.write_text('\n[[equivalent]]\nbecause = "both are 0"\nexchanges = [["a", "b"]]\n', encoding="utf-8")
    result = run(course, "references", "mutate", STEM)
    said = " ".join(result.output.split())
    assert result.exit_code == 1
    assert f"{path}:2: 'a' to 'b' ({EXERCISE}): both are 0 (no longer needed: remove it)" in said


def test_mistake_that_is_explained_elsewhere_is_told(course: Path) -> None:
    """With its line in the chapter's own file, and where the other one is."""
    path = course / "solutions" / STEM / MISTAKES
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("convolution-turned-round]", "missing-scale]"), encoding="utf-8")
    result = run(course, *REFERENCES)
    told = "The mistake missing-scale is explained twice, here and for every course, in the package."
    assert result.exit_code == 2
    assert f"{path}:{line_of(path, '[convolution.missing-scale]')}: {told}" in result.output, result.output


def test_verifying_says_what_was_not_built(course: Path) -> None:
    """Before what a bank that was changed since says otherwise."""
    assert run(course, *REFERENCES).exit_code == 0
    edit(course, [(BANK, "# + return x.clone()", "# + return x - x.mean() * 1")])
    first = run(course, "references", "verify").output.splitlines()[0]
    assert "was made before a change of" in first and f"Run `grader references build {STEM}`." in first


def test_exercise_that_is_new_needs_references_first(course: Path) -> None:
    """`build` says so before it runs the notebook."""
    assert run(course, *REFERENCES).exit_code == 0
    path = course / "solutions" / STEM / EXERCISES
    text = path.read_text(encoding="utf-8")
    path.write_text(text + text[text.index("[[") :].replace("-centered", "-second"), encoding="utf-8")
    result = run(course, *BUILD)
    assert result.exit_code == 2 and "ch50-second has no references yet" in result.output


def test_two_new_chapters_declare_no_word_twice(course: Path) -> None:
    """The second one's skeleton leaves out the word that the first one introduces."""
    assert run(course, "new", "chapter", OTHER).exit_code == 0
    for stem in (STEM, OTHER):
        for command in (("references", "build", stem), ("build", stem)):
            assert run(course, *command).exit_code == 0
    assert "no word comes too early" in run(course, "build", "--check").output


def test_points_in_the_text_are_those_that_are_declared(course: Path) -> None:
    """Where a text on an exercise says them by hand; other numbers of points may be of a plane."""
    assert run(course, *REFERENCES).exit_code == 0
    path = course / "solutions" / STEM / TEXT
    text = path.read_text(encoding="utf-8")
    described = f"{{{EXERCISE}}}. "
    path.write_text(text.replace(described, f"{described}It earns 3 points. "), encoding="utf-8")
    result = run(course, *BUILD)
    line = text[: text.index(described)].count("\n") + 1
    assert result.exit_code == 2
    assert (
        f"{path}:{line}: the text says '3 points'; {EXERCISE} has 2. {{{EXERCISE}}} says it" in result.output
    )
    path.write_text(
        text.replace(described, f"{described}It earns 2 points. ").replace(
            "Everything here", "Of 4 points, all"
        ),
        encoding="utf-8",
    )
    assert run(course, *BUILD).exit_code == 0


def test_names_that_a_declaration_may_say_are_those_that_there_are() -> None:
    """The declaration knows them without what runs them."""
    assert set(drivers()) == set(known_drivers())
    assert set(DRAWN) == set(INVERSES)


@pytest.mark.parametrize(
    ("edits", "named"),
    [
        (
            {"confirmed(result, x": "confirmed(result + 5 * (x.sum() - x.sum().detach()), x"},
            "gradient/x",
        ),
        (
            {
                '"""Cases and': "from grader.exercises.case import other_input\n",
                "oracle, arguments=": "oracle, again=other_input, arguments=",
                '"2 numbers", 2': '"3 numbers", 3',  # two that are centered are turned round by their signs
            },
            "again",
        ),
    ],
    ids=["gradient", "second call"],
)
def test_oracle_that_agrees_in_the_result_alone_is_refused(
    edits: dict[str, str], named: str, course: Path
) -> None:
    """Else the difference would be a tolerance, under which wrong gradients and second calls pass."""
    path = course / "solutions" / STEM / RECIPE
    text = path.read_text(encoding="utf-8")
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, f"{new}{old}" if old.startswith('"""') else new, 1)
    path.write_text(text, encoding="utf-8")
    result = run(course, *REFERENCES)
    assert result.exit_code == 2
    said = " ".join(result.output.split())
    assert re.search(rf"{EXERCISE}: correct variant .*: {named} is another one than the oracle's", said), said
    assert not (course / "reference_outputs" / STEM / "manifest.json").exists()


def test_whole_numbers_of_another_dtype_are_told(course: Path) -> None:
    """Which tensor, in which case, of which variant; and both dtypes."""
    whole = "confirmed(result, x.detach().numpy() - np.mean(x.detach().numpy()))"
    posed = (RECIPE, POSED, "oracle, differentiable=False, arguments=")
    edit(course, [(RECIPE, whole, "x.int()"), posed, posed, (BANK, "(x):", "(x):\n    return x.long()")])
    result = run(course, *REFERENCES)
    line = line_of(course / "solutions" / STEM / BANK, '# %% correct="textbook"')
    assert result.exit_code == 2
    assert (
        f"{BANK}:{line}: {EXERCISE}: correct variant 'textbook', case 'numbers': result is of torch.int64; "
        "the oracle in reference.py returns torch.int32." in result.output
    ), result.output


def test_signature_that_was_changed_since_is_told(course: Path) -> None:
    """`verify` holds it against the cases, although no reference depends on it."""
    assert run(course, *REFERENCES).exit_code == 0
    edit(course, [(EXERCISES, CALL, "centered(x): (n,) -> (3,)")])
    assert run(course, *BUILD).exit_code == 0
    result = run(course, "references", "verify", STEM)
    assert result.exit_code == 2 and "the signature shows (3,)." in result.output, result.output


def test_message_that_is_gone_is_told_by_its_code(course: Path) -> None:
    """References know the mistake still; the check of words needs its texts."""
    assert run(course, *REFERENCES).exit_code == 0
    (course / "solutions" / STEM / MISTAKES).write_text("", encoding="utf-8")
    assert run(course, *BUILD).exit_code == 0
    result = run(course, "build", "--check")
    assert result.exit_code == 2
    assert "convolution-" in result.output and "which no mistakes.toml explains any more" in result.output
