"""Write outputs into the graded notebook: the learner's as recorded, the checks' as ``check`` shows them."""

from collections.abc import Sequence
from gettext import NullTranslations

from nbformat import NotebookNode

from grader.checking.notebook import (
    RESULT_MIMETYPE,
    TRANSLATED_MIMETYPE,
    CheckFailedError,
    verdict_bundle,
)
from grader.checking.rendering import one_line
from grader.checking.result import Result
from grader.messages import Message
from grader.messages.message import ENGLISH
from grader.sandbox.job import CellRun


def put_outputs(cell: NotebookNode, run: CellRun, number: int) -> None:
    """Put the outputs of a learner's cell into it: text and pictures only, as the sandbox guarantees."""
    cell.execution_count = None if run.status == "not-run" else number
    cell.outputs = [NotebookNode(output) for output in run.outputs]
    for output in cell.outputs:
        if output.output_type == "execute_result":
            output.execution_count = number


def put_verdict(
    cell: NotebookNode,
    result: Result,
    notes: Sequence[Message],
    number: int,
    catalog: NullTranslations = ENGLISH,
) -> None:
    """Put into a check cell what ``check`` would show, and the error that it would raise.

    What is shown is in English; beside it stands what the feedback page shows, in the student's language.

    nbgrader gives a cell with an error no points, a cell whose value is a number that many, and any other
    cell all points; this matches the verdict.
    """
    bundle = verdict_bundle(result, notes)
    if catalog is not ENGLISH:
        bundle[TRANSLATED_MIMETYPE] = verdict_bundle(result, notes, catalog=catalog)["text/html"]
    outputs = [{"output_type": "display_data", "data": bundle, "metadata": {}}]
    if result.partial:
        points = {"text/plain": repr(result.partial)}
        outputs.append(
            {"output_type": "execute_result", "data": points, "metadata": {}, "execution_count": number}
        )
    elif result.status != "passed":
        outputs.append(error_output(CheckFailedError.__name__, one_line(result)))
    cell.execution_count = number
    cell.outputs = [NotebookNode(output) for output in outputs]


def put_attempts(cell: NotebookNode, exercise: str, attempts: int) -> None:
    """Put into a check cell that is still to be graded how often the student's notebook says it was run."""
    data = {RESULT_MIMETYPE: {"exercise": exercise, "attempts": attempts}}
    cell.outputs = [NotebookNode({"output_type": "display_data", "data": data, "metadata": {}})]


def error_of(run: CellRun) -> tuple[str, str]:
    """Return the name and the text of the exception that a cell raised."""
    for output in run.outputs:
        if output.get("output_type") == "error":
            return str(output["ename"]), str(output["evalue"])
    return "an error", ""


def error_output(name: str, sentence: str) -> dict[str, object]:
    """Return an error whose traceback is its one line."""
    return {"output_type": "error", "ename": name, "evalue": sentence, "traceback": [sentence]}
