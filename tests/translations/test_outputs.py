"""What cells have shown, said in another language: texts, descriptions of pictures, sentences."""

from collections.abc import Callable
from gettext import GNUTranslations

import nbformat
import pytest
import torch

from grader.exercises import CHAPTERS
from grader.figures import shown as figures_shown
from grader.messages import speaking
from grader.translations.build import Translation
from grader.translations.catalogs import spoken
from grader.translations.languages import GRADER
from grader.translations.outputs import Outputs, messages_that_show
from grader.widgets import Task, explore

WORDS = [f"t{i}" for i in range(18)]


@pytest.fixture(scope="module")
def outputs(translated: Translation) -> Outputs:
    """Return what chapter 6 shows, in the language of marks."""
    name = "ch06_multi_head_attention"
    showing = messages_that_show(translated.texts[GRADER].found)
    chapter = spoken(translated.catalogs[name])
    return Outputs(translated.texts[name].found, showing, chapter, translated.grader)


def counted(catalog: GNUTranslations, one: str, many: str) -> Callable[[int], str]:
    """Return a function that says how many there are."""
    return lambda number: catalog.ngettext(one, many, number).format(count=number)


def test_description_with_counts_is_said_anew(outputs: Outputs, translated: Translation) -> None:
    """A message whose values are messages, each in the plural that its count needs."""
    queries = counted(translated.grader, "{count} query", "{count} queries")
    keys = counted(translated.grader, "{count} key", "{count} keys")
    for number in (1, 3):
        said = outputs.text(
            f"Attention weights: {queries(number).strip('«»')} and 1 key, queries down, keys across."
        )
        assert said == f"«Attention weights: {queries(number)} and {keys(1)}, queries down, keys across.»"


def test_texts_joined_are_said_each(outputs: Outputs) -> None:
    """Several answers in one description, each a sentence within a sentence."""
    row = "In head 0, temperature 10: “7” attends most to “5” (0.19), then “1” (0.15)."
    assert outputs.text(f"Attention weights of 2 rows. {row} • {row}").count("attends most to") == 2
    keys = "««“5” (0.19)», then «“1” (0.15)»»"
    said = f"«In «head 0», temperature 10: «“7” attends most to {keys}.»»"
    assert outputs.text(row) == said
    assert outputs.text(f"Attention weights of 2 rows. {row} • {row}").count(said) == 2


def test_what_no_catalog_has_stays(outputs: Outputs) -> None:
    """Words of a learner or of a library, and the labels of a table of numbers."""
    html = "<p>nothing of ours</p><pre>head 0\n     a    b\nhead 1   0.10 0.20</pre>"
    assert outputs.html(html) == html


def test_explorer_is_said_anew_as_a_kernel_says_it(
    outputs: Outputs, translated: Translation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the site makes of the English still form is what a notebook in the language shows, to the byte."""
    weights = torch.randn(2, 18, 18, generator=torch.Generator().manual_seed(0)).softmax(dim=-1)
    task = Task("Look at the last row.", queries=[17], temperatures=[10])

    def shown() -> str:
        return explore(weights, WORDS, tasks=[task], interactive=False).outputs()[0][0]["text/html"]

    english = shown()
    for module in (speaking, figures_shown):
        monkeypatch.setattr(module, "spoken_here", lambda: translated.grader)
    assert outputs.html(english) == shown() != english


def test_every_description_of_a_chapter_is_translated(outputs: Outputs, translated: Translation) -> None:
    """None that is in the chapter's outputs is left in English."""
    chapter = CHAPTERS["ch06_multi_head_attention"]
    notebook = nbformat.read(translated.paths.solution(chapter), as_version=4)
    shown = [
        html
        for cell in notebook.cells
        for one in outputs.shown(cell.get("outputs", []))
        if (html := one.get("data", {}).get("text/html")) and "<img" in html
    ]
    alts = [alt.split('"')[0] for html in shown for alt in html.split(' alt="')[1:]]
    assert len(alts) > 10
    assert [alt for alt in alts if not alt.startswith("«")] == []
