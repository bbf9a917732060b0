"""Write outputs into the graded notebook: the learner's as they came, the checks' as ``check`` shows them."""

import base64
import binascii
from collections.abc import Mapping

from nbformat import NotebookNode

from grader.checking.notebook import CheckFailedError, verdict_bundle
from grader.checking.rendering import one_line
from grader.checking.result import Result
from grader.sandbox.job import CellRun, Limits

PNG = b"\x89PNG\r\n\x1a\n"


def put_outputs(cell: NotebookNode, run: CellRun, number: int, limits: Limits) -> None:
    """Put what a cell of the learner's gave into it, and why it did not come to its end."""
    outputs = [kept for output in run.outputs if (kept := _kept(output, number))]
    if (sentence := why_not(run, limits)) and not any(one["output_type"] == "error" for one in outputs):
        outputs.append(_error("NotFinished", sentence))
    cell.execution_count = None if run.status == "not-run" else number
    cell.outputs = [NotebookNode(output) for output in outputs]


def put_verdict(cell: NotebookNode, result: Result, note: str, number: int) -> None:
    """Put into a check cell what ``check`` would show, and the error that it would raise.

    nbgrader gives a cell with an error no points, and one without all of them, as the verdict does.
    """
    outputs = [{"output_type": "display_data", "data": verdict_bundle(result, note), "metadata": {}}]
    if result.status != "passed":
        outputs.append(_error(CheckFailedError.__name__, one_line(result)))
    cell.execution_count = number
    cell.outputs = [NotebookNode(output) for output in outputs]


def why_not(run: CellRun, limits: Limits) -> str:
    """Return why a cell did not come to its end by itself, as a sentence; empty if it did, or raised."""
    return {
        "too-slow": f"The cell was stopped after {limits.cell_seconds:g} seconds.",
        "ended": "The cell ended the process that it ran in.",
        "not-run": f"The cell was not run: the {limits.total_seconds:g} seconds for the whole notebook were "
        "up, or too many cells before it had been stopped.",
    }.get(run.status, "")


def error_of(run: CellRun) -> tuple[str, str] | None:
    """Return the type and the text of the exception that a cell raised."""
    for output in run.outputs:
        if output.get("output_type") == "error":
            return str(output.get("ename", "")), str(output.get("evalue", ""))
    return None


def _error(name: str, sentence: str) -> dict[str, object]:
    return {"output_type": "error", "ename": name, "evalue": sentence, "traceback": [sentence]}


def _kept(output: Mapping[str, object], number: int) -> dict[str, object] | None:
    """Return an output that is nothing but text or a picture; formgrader would run anything else."""
    match output:
        case {"output_type": "stream", "name": "stdout" | "stderr" as name, "text": str(text)}:
            return {"output_type": "stream", "name": name, "text": text}
        case {"output_type": "error", "ename": str(name), "evalue": str(value), "traceback": [*lines]}:
            traceback = [line for line in lines if isinstance(line, str)]
            return {"output_type": "error", "ename": name, "evalue": value, "traceback": traceback}
        case {"output_type": "display_data" | "execute_result" as kind, "data": {**data}}:
            safe = {key: value for key, value in data.items() if _is_safe(key, value)}
            counted = {"execution_count": number} if kind == "execute_result" else {}
            return {"output_type": kind, "data": safe, "metadata": {}} | counted if safe else None
    return None


def _is_safe(mimetype: str, value: object) -> bool:
    if mimetype == "text/plain":
        return isinstance(value, str)
    if mimetype != "image/png" or not isinstance(value, str):
        return False
    try:
        return base64.b64decode(value.replace("\n", ""), validate=True).startswith(PNG)
    except (binascii.Error, ValueError):
        return False
