"""The chapter's code with bugs is the grader's."""

from collections.abc import Callable, Mapping
from pathlib import Path

import jupytext
import pytest
import torch

from grader.checking.loading import load_subject
from grader.checking.quiet import quiet
from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, EXERCISES
from grader.exercises.specimen import TENSOR
from grader.proving.bank import read_bank

STEM = "ch09_debugging_clinic"
ASKING = [one for one in CHAPTERS[STEM].exercises if one.specimen]
# What the chapter calls the code of each case.
NAMES = (
    *("weights_01", "scores_02", "scaled_03", "context_04", "merge_05", "Keys_06"),
    *("causal_07", "split_08", "weights_09", "Causal_10", "weights_11", "looks_12"),
)
NAMES_BY_ID = dict(zip((one.id for one in ASKING), NAMES, strict=True))


@pytest.fixture(scope="module")
def shown(repository: Path) -> Mapping[str, object]:
    """Return what the chapter's cells with such code define."""
    text = CoursePaths(repository).source(CHAPTERS[STEM]).read_text(encoding="utf-8")
    namespace: dict[str, object] = {}
    setup = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
    exec(setup, namespace)
    for cell in jupytext.reads(text, fmt="md:myst").cells:
        defines = any(f"def {name}(" in cell.source or f"class {name}(" in cell.source for name in NAMES)
        if defines or cell.source.startswith("mixing = "):  # the global of case 4
            code = cell.source.split("show_heatmaps(")[0]
            exec(code, namespace)
    return namespace


def run(code: Callable, values: list) -> list[torch.Tensor] | str:
    """Return a function's results, or the name of the error that it raises."""
    try:
        with torch.no_grad():
            results = code(*(one.clone() if isinstance(one, torch.Tensor) else one for one in values))
    except (RuntimeError, TypeError) as error:
        return type(error).__name__
    return list(results) if isinstance(results, tuple) else [results]


def in_notebook(shown: Mapping[str, object], number: int) -> Callable:
    """Return the chapter's code as a function of the specimen's arguments, in float64."""
    code = shown[NAMES[number]]
    if number == 3:
        shown["mixing"] = shown["mixing"].double()  # the global is the notebook's, in float32
    if number == 5:
        layer = code(3, 2).double()
        with torch.no_grad():
            layer.W_key.weight.copy_(torch.tensor([[0.5, -0.25, 1.0], [-0.75, 0.5, 0.25]]))
            layer.W_key.bias.copy_(torch.tensor([0.1, -0.2], dtype=torch.float64))
        return layer
    if number == 9:
        x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [2.0, 0.0]], dtype=torch.float64)
        place = {"cpu": "cpu"}
        return lambda device: code(4).to(place.get(device, "meta"))(x.to(place.get(device, "meta")))
    return code


@pytest.mark.parametrize("number", range(len(ASKING)))
def test_shown_code_is_the_specimen(number: int, shown: Mapping[str, object], solutions: Path) -> None:
    """On every input of the answer bank that is valid, the chapter's code does what the grader's does."""
    asking = ASKING[number]
    code, tried = in_notebook(shown, number), 0
    for answer in read_bank(solutions / STEM / "answers" / f"{asking.id}.py"):
        if not answer.correct and answer.diagnosis != ("bug-not-exposed",):
            continue
        with quiet():
            subject, _ = load_subject(answer.program, asking.subject, answer.name)
            given = subject()
        arguments = asking.specimen.arguments
        values = [
            value.detach().double() if argument.kind == TENSOR else value
            for argument, value in zip(arguments, given if len(arguments) > 1 else (given,), strict=True)
        ]
        if arguments[0].kind == "device":
            values = [torch.device(given).type]
        theirs, ours = run(code, values), run(asking.specimen.bug, values)
        assert type(theirs) is type(ours), answer.name
        if isinstance(ours, list):
            pairs = zip(theirs, ours, strict=True)
            assert all(torch.allclose(one, other, atol=1e-6, equal_nan=True) for one, other in pairs)
        else:
            assert theirs == ours
        tried += 1
    assert tried >= 4


def test_every_case_asks_and_mends() -> None:
    """Each case has an input to find and a repair, one after the other."""
    ids = list(CHAPTERS[STEM].by_id)
    assert ids == [f"ch09-{kind}-{n:02}" for n in range(1, 13) for kind in ("expose", "fixed")]
    assert all(EXERCISES[name].points == 1 for name in ids)
