"""Published numbers."""

import json
from collections import Counter
from pathlib import Path

import pytest
import torch

from grader.errors import ReferenceDataError
from grader.exercises import CHAPTERS, references_root
from grader.references.published import (
    PRINTED,
    constant,
    printed_tolerance,
    published,
    verify_published,
)

ENTRY = "toy.context.query2"


@pytest.fixture
def printed() -> torch.Tensor:
    """Return an entry's values as printed."""
    return torch.tensor(published()["entries"][ENTRY]["values"], dtype=torch.float64)


def test_printed_values_agree_with_themselves(printed: torch.Tensor) -> None:
    """The printed values agree with the entry."""
    verify_published(ENTRY, printed)


def test_what_rounding_hides_agrees(printed: torch.Tensor) -> None:
    """Values that round to the printed ones agree with them."""
    verify_published(ENTRY, printed + 0.49e-4)


def test_more_than_rounding_is_refused(printed: torch.Tensor) -> None:
    """A single value that rounds to something else is an error that names the entry."""
    printed[-1] += 2 * PRINTED
    with pytest.raises(ReferenceDataError, match=ENTRY):
        verify_published(ENTRY, printed)


@pytest.mark.parametrize(
    ("values", "tolerance"),
    [
        (0.9544, PRINTED),
        ([1, [2.0, 0.5]], PRINTED),
        ([[0.2, 0.12345], [0.25, 1.0]], PRINTED / 10),
        ([1.74102466, 2.7531828], PRINTED / 10_000),
    ],
)
def test_tolerance_is_that_of_the_places_in_print(values: object, tolerance: float) -> None:
    """The last decimal that was printed counts, but never fewer than four: zeros at the end are dropped."""
    assert printed_tolerance(values) == pytest.approx(tolerance)


def test_more_places_are_compared_to_the_last() -> None:
    """Where eight decimals are printed, the eighth counts."""
    exact = torch.tensor(published()["entries"]["numpy.Q"]["values"], dtype=torch.float64)
    verify_published("numpy.Q", exact + 0.4e-8)
    with pytest.raises(ReferenceDataError, match=r"numpy\.Q"):
        verify_published("numpy.Q", exact + 2e-8)


@pytest.mark.parametrize("value", [torch.nan, torch.inf])
def test_non_finite_values_are_refused(value: float, printed: torch.Tensor) -> None:
    """NaN and infinity agree with no published number."""
    printed[0] = value
    with pytest.raises(ReferenceDataError, match=ENTRY):
        verify_published(ENTRY, printed)


def test_other_shape_is_refused(printed: torch.Tensor) -> None:
    """Values of another shape are an error that names both shapes, and nothing is broadcast."""
    with pytest.raises(ReferenceDataError) as caught:
        verify_published(ENTRY, printed[None])
    assert f"{tuple(printed.shape)}, the oracle {tuple(printed[None].shape)}" in str(caught.value)


def test_bools_are_compared_as_zeros_and_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mask in print has no other form."""
    entries = {"entries": {"mask": {"values": [0, 1]}}}
    monkeypatch.setattr("grader.references.published.published", lambda _: entries)
    verify_published("mask", torch.tensor([False, True]))
    with pytest.raises(ReferenceDataError, match=r"the print gives 0\.0, the oracle 1\.0"):
        verify_published("mask", torch.tensor([True, True]))


def test_unknown_entry_is_refused() -> None:
    """An entry that does not exist is an error that names it."""
    with pytest.raises(ReferenceDataError, match=r"no\.such\.entry"):
        verify_published("no.such.entry", torch.ones(3))


def test_constants_are_float32() -> None:
    """The inputs of the published examples are float32, as learners use them."""
    assert constant("TOY").dtype is torch.float32


@pytest.fixture
def other_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder of references that is in use from now on, after the committed one was read."""
    published()
    monkeypatch.setenv("GRADER_REFERENCES", str(tmp_path))
    return tmp_path


def test_environment_chooses_the_file(other_folder: Path) -> None:
    """GRADER_REFERENCES names the folder that published values are read from."""
    content = {"constants": {"TOY": [[7.0]]}, "sources": {}, "entries": []}
    (other_folder / "published_values.json").write_text(json.dumps(content), encoding="utf-8")
    assert constant("TOY").tolist() == [[7.0]]


def test_missing_file_of_published_values_is_named(other_folder: Path) -> None:
    """A missing file of published values is an error that names it."""
    with pytest.raises(ReferenceDataError) as caught:
        constant("TOY")
    assert str(other_folder / "published_values.json") in str(caught.value)


def test_entries_are_complete() -> None:
    """Every entry has an id of its own, numbers, and a source that is listed."""
    text = (references_root() / "published_values.json").read_text(encoding="utf-8")
    entries = json.loads(text)["entries"]
    assert max(Counter(entry["id"] for entry in entries).values()) == 1
    assert {entry["source"] for entry in entries} <= set(published()["sources"])


def test_every_entry_of_a_written_chapter_is_verified(repository: Path) -> None:
    """Each entry of a chapter that there is, is named by its references or by a test that recomputes it."""
    written = {stem[:4] for stem in CHAPTERS}
    files = [*repository.glob("solutions/*/reference.py"), *Path(__file__).parent.glob("test_published_*.py")]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    entries = [entry for entry in published()["entries"].values() if entry["chapter"] in written]
    assert entries
    assert [entry["id"] for entry in entries if f'"{entry["id"]}"' not in text] == []
