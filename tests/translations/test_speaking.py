"""The language of messages: the notebook's, else that of the environment, else English."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch

from grader.checking import notebook
from grader.checking.notebook import CheckFailedError, check, hint, progress, steps
from grader.errors import GraderError
from grader.exercises import find_exercise
from grader.files import write_whole
from grader.messages import speaking
from grader.messages.message import ENGLISH
from grader.messages.speaking import (
    LANGUAGE_KEY,
    catalog_of,
    compiled_file,
    spoken_here,
    unspoken_note,
    wanted_language,
)
from grader.topics.attention.widgets import explore
from grader.translations.build import Translation
from grader.translations.catalogs import compiled, merged

MARKED = re.compile(r"«[^«»]*»")


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Forget the language before and after a test."""
    monkeypatch.delenv("GRADER_LANGUAGE", raising=False)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    for one in (wanted_language, spoken_here):
        one.cache_clear()
    yield monkeypatch
    for one in (wanted_language, spoken_here):
        one.cache_clear()


def in_notebook(monkeypatch: pytest.MonkeyPatch, path: Path, metadata: object) -> None:
    """Let this process be the kernel of a notebook."""
    path.write_text(json.dumps({"metadata": metadata}), encoding="utf-8")
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))


@pytest.mark.parametrize(
    ("variable", "expected"), [(None, "en"), ("pt_BR", "pt_BR"), ("pt-BR", "pt_BR"), ("zh_CN.UTF-8", "zh_CN")]
)
def test_environment_asks_for_a_language(
    fresh: pytest.MonkeyPatch, variable: str | None, expected: str
) -> None:
    """It is written as people write it."""
    if variable:
        fresh.setenv("GRADER_LANGUAGE", variable)
    assert wanted_language() == expected


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [({LANGUAGE_KEY: "pt_BR"}, "pt_BR"), ({}, "en"), ({LANGUAGE_KEY: 3}, "zh_CN"), ([], "zh_CN")],
)
def test_notebook_goes_first(
    fresh: pytest.MonkeyPatch, tmp_path: Path, metadata: object, expected: str
) -> None:
    """An English notebook speaks English; what is no notebook of the course says nothing."""
    fresh.setenv("GRADER_LANGUAGE", "zh_CN")
    in_notebook(fresh, tmp_path / "a.ipynb", metadata)
    assert wanted_language() == expected


def test_notebook_that_is_gone_says_nothing(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment decides then."""
    in_notebook(fresh, tmp_path / "a.ipynb", {})
    (tmp_path / "a.ipynb").unlink()
    fresh.setenv("GRADER_LANGUAGE", "zh_CN")
    assert wanted_language() == "zh_CN"


def test_language_that_is_not_there_is_english_with_a_note(tmp_path: Path) -> None:
    """A misspelled language stops no check."""
    catalog = catalog_of("xy", [tmp_path])
    assert catalog is ENGLISH
    assert "xy" in str(unspoken_note("xy", catalog))
    assert unspoken_note("en", catalog) is None


@pytest.fixture
def shown(fresh: pytest.MonkeyPatch, translated: Translation, tmp_path: Path) -> list[str]:
    """Speak the language of marks; return the texts that are shown."""
    root, texts = translated.paths.references, []
    whole = merged(translated.catalogs, translated.texts)
    write_whole(compiled_file(root, "xx"), compiled(whole))
    fresh.setattr(speaking, "references_root", lambda: root)
    fresh.setattr(notebook, "_show", lambda bundle: texts.extend(map(str, bundle.values())))
    fresh.setenv("GRADER_LANGUAGE", "xx")
    fresh.setenv("GRADER_PROGRESS", str(tmp_path / "progress.json"))
    return texts


def words(text: str) -> list[str]:
    """Return the words of a text, or of the HTML that it is, in no marks."""
    text = re.sub(r"<[^>]+>", "", text)
    while MARKED.search(text):
        text = MARKED.sub("", text)
    return re.findall(r"[a-z]{3,}", text)


def wrong(scores: object) -> object:
    """Return what no weights are."""
    return scores * 2


def test_verdict_is_in_the_language(shown: list[str]) -> None:
    """All but the code of an example stands in marks; what was diagnosed is the same in every language."""
    with pytest.raises(CheckFailedError) as caught:
        check("ch02-weights", wrong)
    text, html, as_json = shown
    assert {*words(text), *words(html)} <= {"attention", "weights", "torch", "tensor"}
    assert not words(str(caught.value))
    assert "«" not in as_json


def seeding(scores: torch.Tensor) -> torch.Tensor:
    """Return weights, and leave a seed behind."""
    torch.manual_seed(3)
    return torch.softmax(scores, dim=-1)


def test_what_was_left_behind_is_in_the_language(shown: list[str]) -> None:
    """The name of a setting is words, too."""
    with pytest.raises(CheckFailedError):
        check("ch02-weights", seeding)
    assert "«the seed of torch's random numbers»" in shown[0]


def test_hint_is_in_the_language(shown: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint, and which of how many it is."""
    monkeypatch.setattr("grader.checking.hints._opened", {})
    hints = find_exercise("ch02-weights").hints
    hint("ch02-weights")
    assert shown[0] == f"«Hint 1 of {len(hints)}: «{hints[0]}»»"
    assert not words(shown[1])


def test_steps_are_in_the_language(shown: list[str]) -> None:
    """Titles of the steps, and what is said of them."""

    def attention(inputs: object) -> object:
        weights = inputs @ inputs.T
        return weights @ inputs, weights

    steps("ch02-simple-self-attention", attention)
    assert len(shown) == 2
    assert not [word for text in shown for word in words(text)]


def damaged_progress() -> None:
    """Show a progress that cannot be read."""
    Path(os.environ["GRADER_PROGRESS"]).write_text("[]", encoding="utf-8")
    progress()


UNEQUAL = torch.tensor([[0.5, 0.5], [0.9, 0.3]])
EVEN = torch.full((2, 2), 0.5)
ASKED_WRONGLY: dict[str, Callable[[], object]] = {
    "a name that is like another": lambda: check("ch02-weihgts", wrong),
    "a name like none": lambda: hint("x"),
    "nothing to check": lambda: check("ch02-weights"),
    "a device that there is not": lambda: check("ch02-weights", wrong, device="tpu"),
    "no steps": lambda: steps("ch02-sum-normalize", wrong),
    "steps of what raises": lambda: steps("ch02-simple-self-attention", 3),
    "damaged progress": damaged_progress,
    "no tensor": lambda: explore([[1.0]], ["a"]),
    "another dtype": lambda: explore(EVEN > 0, ["a", "b"]),
    "too many axes": lambda: explore(EVEN[None, None], ["a", "b"]),
    "too large": lambda: explore(torch.ones(1, 1000), ["a", "b"]),
    "no square": lambda: explore(torch.ones(3, 1), ["a"]),
    "one string": lambda: explore(EVEN, "ab"),
    "too few words": lambda: explore(EVEN, ["a"]),
    "numbers for words": lambda: explore(EVEN, ["a", 2]),
    "no heads": lambda: explore(EVEN[None], ["a", "b"], heads=["a", "b"]),
    "not finite": lambda: explore(EVEN / 0, ["a", "b"]),
    "negative": lambda: explore(-EVEN, ["a", "b"]),
    "other sums": lambda: explore(UNEQUAL, ["a", "b"]),
    "scores of another shape": lambda: explore(EVEN, ["a", "b"], scores=EVEN[0]),
    "scores of other axes": lambda: explore(EVEN, ["a", "b"], scores=EVEN[None]),
    "scores that are not finite": lambda: explore(EVEN, ["a", "b"], scores=EVEN / 0),
    "scores of other weights": lambda: explore(EVEN, ["a", "b"], scores=UNEQUAL),
}


@pytest.mark.parametrize("name", ASKED_WRONGLY)
def test_errors_are_in_the_language(name: str, shown: list[str]) -> None:
    """What is asked for wrongly is told as verdicts are."""
    with pytest.raises(GraderError) as caught:
        ASKED_WRONGLY[name]()
    assert "«" in str(caught.value)
    assert not words(str(caught.value))
    assert shown == []


def test_progress_is_in_the_language(shown: list[str]) -> None:
    """As text and as HTML."""
    with pytest.raises(CheckFailedError):
        check("ch02-weights", wrong)
    shown.clear()
    progress()
    assert len(shown) == 2
    assert not [word for text in shown for word in words(text)]
