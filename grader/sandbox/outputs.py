"""Validate and limit a cell's outputs on the trusted side."""

import base64
import binascii
from collections.abc import Mapping

from grader.plain_text import apply_carriage_returns, plain
from grader.sandbox.job import MAX_NAME, MAX_OUTPUTS, CellRun, CellStatus, Limits
from grader.sandbox.wire import HostileError, load_json

PNG = b"\x89PNG\r\n\x1a\n"
STREAMS = ("stdout", "stderr")
BUNDLES = ("display_data", "execute_result")
# Bytes that an output takes in a notebook, whatever it says.
FRAME = 100
CUT = "[The output was cut here: it was longer than what is kept.]"
PICTURE_LEFT_OUT = "[A picture was left out: there were more or larger ones than are kept.]"


def largest_frame(limits: Limits) -> int:
    """Return how many bytes a cell's outputs may have on their way, escaped as JSON."""
    return 6 * limits.output_bytes + 2 * limits.picture_bytes + 2**16


class _Room:
    """The remaining room for a cell's outputs."""

    def __init__(self, limits: Limits) -> None:
        self.bytes, self.lines, self.pictures = limits.output_bytes, limits.output_lines, limits.picture_bytes

    def cut(self, text: str) -> str:
        """Return as much of a text as there is room for, and a remark where it was cut."""
        kept = "".join(text.splitlines(keepends=True)[: self.lines])
        kept = kept.encode()[: max(0, self.bytes)].decode(errors="ignore")
        self.lines -= kept.count("\n") + 1
        self.bytes -= len(kept.encode())
        if len(kept) == len(text):
            return text
        if self.lines < 0 and not kept:
            return ""
        self.lines, self.bytes = 0, 0
        return f"{kept}\n{CUT}\n"

    def short(self, text: str) -> str:
        """Return the beginning of a text that has one line."""
        kept = text[:MAX_NAME].encode()[: max(0, self.bytes)].decode(errors="ignore")
        self.bytes -= len(kept.encode())
        return kept

    def picture(self, data: str) -> str:
        """Return a picture's base64 text without blanks, empty where it is none or there is no room."""
        if len(data) > 2 * self.pictures:
            return ""
        try:
            content = base64.b64decode("".join(data.split()), validate=True)
        except (binascii.Error, ValueError):
            return ""
        if not content.startswith(PNG) or len(content) > self.pictures:
            return ""
        self.pictures -= len(content)
        return base64.b64encode(content).decode()


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise HostileError(f"expected a text, got {type(value).__name__}")
    return value


def _bundle(data: object, room: _Room) -> dict[str, str]:
    """Return a display's text and picture; everything else a learner's code may send is left out."""
    if not isinstance(data, dict):
        raise HostileError("expected a bundle")
    kept = {}
    if "image/png" in data and (picture := room.picture(_string(data["image/png"]))):
        kept["image/png"] = picture
    text = plain(_string(data.get("text/plain", "")))
    if "image/png" in data and "image/png" not in kept:
        text = f"{text}\n{PICTURE_LEFT_OUT}".strip()
    kept["text/plain"] = room.cut(text)
    return kept


def _output(value: object, room: _Room) -> dict[str, object] | None:
    """Return one output as nbformat has it, None where nothing of it can be kept."""
    if not isinstance(value, dict):
        raise HostileError("expected an output")
    kind = value.get("output_type")
    if kind == "stream" and value.get("name") in STREAMS:
        text = room.cut(plain(apply_carriage_returns(_string(value.get("text")))))
        return {"output_type": "stream", "name": value["name"], "text": text} if text else None
    if kind == "error":
        name, message = (room.short(plain(_string(value.get(key)))) for key in ("ename", "evalue"))
        lines = value.get("traceback")
        text = room.cut("\n".join(plain(_string(line)) for line in lines) if isinstance(lines, list) else "")
        return {"output_type": "error", "ename": name, "evalue": message, "traceback": text.split("\n")}
    if kind in BUNDLES:
        data = _bundle(value.get("data"), room)
        counted = {"execution_count": None} if kind == "execute_result" else {}
        return {"output_type": kind, "metadata": {}, "data": data} | counted if any(data.values()) else None
    raise HostileError("an output of an unknown kind")


def read_outputs(content: bytes, limits: Limits) -> tuple[Mapping[str, object], ...]:
    """Return a cell's outputs, sent by a process that a learner's code may have taken over.

    Raises:
        HostileError: an honest process would not have sent this.
    """
    values = load_json(content)
    if not isinstance(values, list):
        raise HostileError("expected a list of outputs")
    room = _Room(limits)
    read = []
    for value in values[:MAX_OUTPUTS]:
        if read and room.bytes <= 0:
            break
        if (output := _output(value, room)) is not None:
            room.bytes -= FRAME
            read.append(output)
    return tuple(read)


def sizes(outputs: tuple[Mapping[str, object], ...]) -> tuple[int, int]:
    """Return how many bytes outputs that were read have: of text, and of pictures."""
    text, pictures = 0, 0
    for output in outputs:
        data = output.get("data", {})
        texts = (output.get("text", ""), data.get("text/plain", ""), *output.get("traceback", ()))
        names = (output.get("ename", ""), output.get("evalue", ""))
        text += FRAME + sum(len(one.encode()) for one in (*texts, *names))
        pictures += len(data.get("image/png", "")) * 3 // 4
    return text, pictures


def remark(status: CellStatus, text: str, outputs: tuple[Mapping[str, object], ...] = ()) -> CellRun:
    """Return what is kept of a cell that the grader stopped, or did not run, and why that is."""
    return CellRun(status, (*outputs, {"output_type": "stream", "name": "stderr", "text": f"{text}\n"}))
