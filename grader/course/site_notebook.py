"""Merge a chapter's two notebooks into one to read on the site, where no kernel runs."""

import re
from collections.abc import Iterable, Iterator
from gettext import NullTranslations
from html import escape

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from grader.course.editions import Edition
from grader.course.finder import is_finder
from grader.course.source import HIDE_INPUT
from grader.errors import GraderError
from grader.exercises import Chapter, Exercise
from grader.messages import Message, message
from grader.messages.message import ENGLISH

PREDICTION = "**Predict, then run.**"
# myst-nb folds the outputs of a cell that has this tag, and the code of one that has the source's own.
FOLDED = "hide-output"
# What it writes where the code is folded; Sphinx's configuration has what it writes elsewhere. A language's
# words for these are found by the English ones.
CODE_PROMPTS = {"code_prompt_show": "Show the code", "code_prompt_hide": "Hide the code"}
BOTH_PROMPTS = {"code_prompt_show": "Show the {type}", "code_prompt_hide": "Hide the {type}"}
PROMPTS = (
    message("Show the code"),
    message("Hide the code"),
    message("Show the source"),
    message("Hide the source"),
    message("Show the output"),
    message("Hide the output"),
    message("Show what comes out"),
    message("Hide what comes out"),
)
# In every language words and a colon, such as "The question of this chapter:", stand before what is asked.
QUESTION = re.compile(r"\*\*[^*:\uff1a]+[:\uff1a]\s*([^*]+?)\*\*")


def first_lines(notebook: NotebookNode) -> tuple[str, str]:
    """Return a chapter's title, and the question that it sets out to answer as one line.

    Raises:
        GraderError: it asks none.
    """
    title, _, text = notebook.cells[0].source.partition("\n")
    found = QUESTION.search(text)
    if not found:
        raise GraderError("A chapter's first cell should have '**The question of this chapter: ...**'.")
    asked = " ".join(found[1].split())
    return title.removeprefix("# "), asked[0].upper() + asked[1:]


def site_notebook(
    student: NotebookNode, solution: NotebookNode, chapter: Chapter, edition: Edition | None = None
) -> NotebookNode:
    """Return the student's notebook with the outputs of the cells that reveal no answer.

    Every source is that of the student's notebook, so that no solution can get in.

    Args:
        student: the released notebook, with stubs and without outputs.
        solution: the executed one of the same cells, in English.
        chapter: whose exercises have hints.
        edition: what is said in the student's notebook's language, if it is not English.

    Raises:
        GraderError: the two notebooks are not of one build.
    """
    executed = {cell.id: cell for cell in solution.cells}
    if [cell.id for cell in student.cells] != list(executed):
        raise GraderError(
            f"The notebooks of {chapter.stem} have different cells. Run `grader build {chapter.stem}` first."
        )
    catalog = edition.catalog if edition else ENGLISH
    first, *rest = (cell for cell in student.cells if not is_finder(cell))  # no kernel needs it here
    cells = [first, new_markdown_cell(_note(chapter, catalog), id="for-reading")]
    for cell, predicted in zip(rest, _predicted(executed[cell.id] for cell in rest), strict=True):
        shown = _shown(cell, executed[cell.id], predicted, chapter)
        if edition and shown.get("outputs"):
            shown.outputs = edition.shown(chapter, shown.outputs)
        cells.append(shown)
        if exercise := chapter.by_id.get(cell.id):
            cells.append(new_markdown_cell(hints_html(exercise, catalog), id=f"{exercise.id}-hints"))
    return new_notebook(cells=cells, metadata=student.metadata)


def _note(chapter: Chapter, catalog: NullTranslations) -> str:
    """Return what stands below a chapter's first words."""
    guide = message("how to get it").render(catalog)
    note = message(
        "This page is for reading. You answer the exercises in the chapter's notebook, {notebook}, which "
        "checks your answers ({guide}). Where you are asked to predict what comes out, it is folded until "
        "you look. So are the hints.",
        notebook=f"`{chapter.stem}.ipynb`",
        guide=f"{{doc}}`{guide} </students>`",
    )
    return f"```{{note}}\n{note.render(catalog)}\n```"


def _predicted(cells: Iterable[NotebookNode]) -> Iterator[bool]:
    """Say of each cell whether its outputs are what a reader has been asked to predict."""
    asked = False
    for cell in cells:
        if cell.cell_type == "markdown":
            asked = PREDICTION in cell.source
        yield asked and cell.cell_type == "code"


def _shown(cell: NotebookNode, executed: NotebookNode, predicted: bool, chapter: Chapter) -> NotebookNode:
    """Return a cell as it is read: with its outputs, unless they say nothing or too much."""
    shown = NotebookNode(cell, metadata=NotebookNode())
    if cell.cell_type != "code":
        return shown
    # A check's output says that the course's own answer passed, which does not concern the reader.
    mute = "nbgrader" in cell.metadata or _uses_a_value(cell.source, chapter)
    shown.outputs = [] if mute else executed.outputs
    folded = HIDE_INPUT in cell.metadata.get("tags", [])
    if tags := [HIDE_INPUT] * folded + [FOLDED] * predicted:
        shown.metadata.tags = tags
    if folded:
        shown.metadata.mystnb = BOTH_PROMPTS if predicted else CODE_PROMPTS
    return shown


def _uses_a_value(source: str, chapter: Chapter) -> bool:
    """Say whether a cell uses an answer that is a value, so that what it shows may be that answer."""
    values = [exercise.subject for exercise in chapter.exercises if exercise.specimen]
    return any(re.search(rf"\b{name}\b", source) for name in values)


def hints_html(exercise: Exercise, catalog: NullTranslations = ENGLISH) -> str:
    """Return an exercise's hints, each folded inside the one before, so that they open one by one."""
    html, total = "", len(exercise.hints)
    for number, text in reversed(list(enumerate(exercise.hints, start=1))):
        title = message("Hint {number} of {count}", number=number, count=total).render(catalog)
        hint = Message(text).render(catalog)
        html = f'<details class="hint"><summary>{title}</summary><p>{escape(hint)}</p>{html}</details>'
    return html
