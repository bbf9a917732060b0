"""IPython without Jupyter: runs cells and keeps their outputs as nbformat has them, within limits."""

import builtins
import io
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from traitlets import Type
from traitlets.config import Config

from grader.checking.deadline import TimeLimitExceededError
from grader.checking.recording import text_of
from grader.plain_text import apply_carriage_returns
from grader.sandbox.job import MAX_NAME, MAX_OUTPUTS, Limits

DISPLAYED_TYPES = ("text/plain", "image/png")
# Calls of a traceback that are shown, from the innermost.
DEPTH = 20
CELL_NAME = "cell"
# Signs of syntax that IPython transforms: magics, shell commands, help, prompts, and leading blank or
# indented lines.
OF_IPYTHON = re.compile(
    r"\A\s|^[ \t]+$|^[ \t]*(?:[%!?,;/]|>>>|\.\.\.|(?:\[\w+\] )?In \[)|\?[ \t\r]*$|=[\s\\]*[%!]", re.MULTILINE
)


# Commands of IPython's that start other programs, and those that set up a session: none of them is an answer.
OF_SYSTEM = frozenset(
    (
        *(
            "pip",
            "conda",
            "mamba",
            "micromamba",
            "uv",
            "sx",
            "system",
            "!",
            "edit",
            "script",
            "bash",
            "sh",
            "cmd",
        ),
        *("perl", "ruby", "pypy", "python", "python2", "python3"),
    )
)
OF_SESSION = frozenset(
    ("matplotlib", "pylab", "gui", "load_ext", "reload_ext", "config", "autoreload", "cd", "alias", "env")
)


class Transformer(TransformerManager):
    """Leaves a cell alone that is plain Python: IPython looks at every token."""

    def __init__(self) -> None:
        super().__init__()
        self._usual = self._transforms()

    def _transforms(self) -> list[object]:
        return [*self.cleanup_transforms, *self.line_transforms, *self.token_transformers]

    def transform_cell(self, cell: str) -> str:
        """Return a cell as Python."""
        if OF_IPYTHON.search(cell) or self._transforms() != self._usual:
            return super().transform_cell(cell)
        return cell if cell.endswith("\n") else f"{cell}\n"


class Outputs:
    """The outputs of one cell so far, limited in size however much is printed."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.clear()

    def clear(self) -> None:
        """Forget everything, as ``clear_output`` asks."""
        self.kept: list[dict] = []
        self._room = self.limits.output_bytes
        self._pictures = 2 * self.limits.picture_bytes

    def write(self, name: str, text: str) -> None:
        """Add printed text to the stream of this name."""
        last = self.kept[-1] if self.kept else {}
        if last.get("output_type") != "stream" or last["name"] != name:
            if self._room <= 0 or len(self.kept) > MAX_OUTPUTS:
                return
            last = {"output_type": "stream", "name": name, "text": ""}
            self.kept.append(last)
        if self._room > 0:
            # One more than there is room for: the trusted side sees that something is missing.
            cut = text[: self._room + 1]
            last["text"] += cut
            self._room -= len(cut)
            if "\r" in cut:
                before = len(last["text"])
                last["text"] = apply_carriage_returns(last["text"])
                self._room += before - len(last["text"])

    def show(self, kind: str, data: Mapping[str, object]) -> None:
        """Add a display or a result."""
        if len(self.kept) > MAX_OUTPUTS:
            return
        bundle = {name: str(data[name]) for name in DISPLAYED_TYPES if name in data}
        text = bundle.get("text/plain", "")[: max(0, self._room) + 1]
        self._room -= len(text)
        kept = {"text/plain": text}
        if "image/png" in bundle:
            picture = bundle["image/png"]
            kept["image/png"] = picture if len(picture) <= self._pictures else ""
            self._pictures -= len(kept["image/png"])
        self.kept.append({"output_type": kind, "data": kept})

    def fail(self, name: str, message: str, lines: list[str]) -> None:
        """Add an exception."""
        if len(self.kept) > MAX_OUTPUTS:
            return
        text = "".join(lines)[: max(0, self._room) + 1]
        self._room -= len(text)
        self.kept.append(
            {
                "output_type": "error",
                "ename": name[:MAX_NAME],
                "evalue": message,
                "traceback": text.splitlines(),
            }
        )


class Stream(io.TextIOBase):
    """Stands for ``sys.stdout`` or ``sys.stderr``."""

    encoding = "utf-8"

    def __init__(self, shell: "RecordingShell", name: str) -> None:
        super().__init__()
        self._shell, self.name = shell, name

    def writable(self) -> bool:
        """Return that it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Keep the text."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._shell.outputs.write(self.name, text)
        return len(text)


class RecordingHook(DisplayHook):
    """Keeps the value of a cell's last expression."""

    def quiet(self) -> bool:
        """Return whether the cell ends with a semicolon; it is searched for where there is one at all."""
        cells = self.shell.history_manager.input_hist_parsed
        return ";" in cells[-1] and super().quiet()

    def write_output_prompt(self) -> None:
        """Write no prompt."""

    def write_format_data(self, format_dict: Mapping, md_dict: Mapping | None = None) -> None:
        """Keep the value's text and picture."""
        self.shell.outputs.show("execute_result", format_dict)

    def finish_displayhook(self) -> None:
        """Write nothing after it."""


class RecordingPublisher(DisplayPublisher):
    """Keeps what a cell displays."""

    def publish(self, data: Mapping, metadata: Mapping | None = None, **_: object) -> None:
        """Keep a display's text and picture."""
        self.shell.outputs.show("display_data", data)

    def clear_output(self, wait: bool = False) -> None:
        """Forget the cell's outputs."""
        self.shell.outputs.clear()


class CellCompiler(CachingCompiler):
    """Names cells in tracebacks by their number."""

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        """Return a cell's name."""
        return f"{CELL_NAME} {number}"


def _refuse_input(prompt: object = "") -> str:
    raise StdinNotImplementedError("Nobody is there to answer input() while a notebook is graded.")


def _own_frames(tb: object) -> Iterator[traceback.FrameSummary]:
    """Yield the frames of the learner's own lines, the innermost last."""
    for frame in traceback.extract_tb(tb):
        if frame.filename.startswith(CELL_NAME):
            yield frame


def public_type(error: BaseException) -> type[BaseException]:
    """Return an exception's type; of Python's own private ones the public type that they are a kind of.

    Since Python 3.13 a cell that ends too early raises ``_IncompleteInputError``, a ``SyntaxError``.
    """
    return next(
        kind
        for kind in type(error).__mro__
        if kind.__module__ != "builtins" or not kind.__name__.startswith("_")
    )


def rendered(error: BaseException) -> list[str]:
    """Return an exception as the learner is shown it: the lines that are their own, type and text."""
    made = []
    if isinstance(error, SyntaxError):
        *place, _ = traceback.format_exception_only(error)
        made += [*place, f"{public_type(error).__name__}: {error.msg}\n"]
    else:
        frames = list(_own_frames(error.__traceback__))[-DEPTH:]
        if frames:
            made += ["Traceback (most recent call last):\n", *traceback.format_list(frames)]
        made.append(f"{type(error).__name__}: {text_of(error)}\n")
    return made


class RecordingShell(InteractiveShell):
    """An IPython that keeps what its cells put out, and shows errors as plain text.

    IPython's own tracebacks take 0.3 to 0.9 seconds the first time. Shell commands and unknown magics are
    skipped with a note, and the rest of the cell runs.
    """

    displayhook_class = Type(RecordingHook)
    display_pub_class = Type(RecordingPublisher)
    compiler_class = Type(CellCompiler)

    def enable_gui(self, gui: str | None = None) -> None:
        """Do nothing: there is no screen."""

    def init_display_formatter(self) -> None:
        """Make text and pictures of values, nothing else."""
        super().init_display_formatter()
        self.display_formatter.active_types = list(DISPLAYED_TYPES)
        self.display_formatter.mimebundle_formatter.enabled = False
        self.display_formatter.ipython_display_formatter.enabled = False

    def should_run_async(self, raw_cell: str, *, transformed_cell: str, **rest: object) -> bool:
        """Return whether a cell awaits something; one without the words is not compiled to find out."""
        words = "await" in transformed_cell or "async" in transformed_cell
        return words and super().should_run_async(raw_cell, transformed_cell=transformed_cell, **rest)

    def _leave_out(self, command: str) -> None:
        line = command.strip().partition("\n")[0]
        self.outputs.write("stderr", f"Left out, for grading starts no other program: {line}\n")

    def system(self, cmd: str) -> None:
        """Start nothing."""
        self._leave_out(f"!{cmd}")

    system_piped = system_raw = system

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> object:
        """Return that a command has put out nothing."""
        self._leave_out(f"!{cmd}")
        return SList() if split else ""

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> object:
        """Run a command of IPython's own, if it is one that needs nothing else."""
        if magic_name in OF_SYSTEM or self.find_line_magic(magic_name) is None:
            return self._leave_out(f"%{magic_name} {line}")
        try:
            return super().run_line_magic(magic_name, line, _stack_depth + 1)
        except Exception:
            if magic_name not in OF_SESSION:
                raise
            return self._leave_out(f"%{magic_name} {line}")

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> object:
        """Run a cell with a command of IPython's own, if it is one that needs nothing else."""
        if magic_name in OF_SYSTEM or self.find_cell_magic(magic_name) is None:
            return self._leave_out(f"%%{magic_name} {line}")
        return super().run_cell_magic(magic_name, line, cell)

    def ask_exit(self) -> None:
        """Do nothing: the next cells are to be run."""

    def _format_exception_for_storage(self, exception: BaseException, *_: object, **__: object) -> dict:
        """Store no traceback beside the one that is kept: IPython's takes seconds for a deep recursion."""
        return {"ename": type(exception).__name__, "evalue": "", "traceback": []}

    def _keep_error(self, error: BaseException | None) -> None:
        if error is None or isinstance(error, TimeLimitExceededError):
            return
        self.outputs.fail(public_type(error).__name__, text_of(error), rendered(error))

    def showtraceback(self, exc_tuple: tuple | None = None, *_: object, **__: object) -> None:
        """Keep an exception."""
        self._keep_error(exc_tuple[1] if exc_tuple else sys.exc_info()[1])

    def showsyntaxerror(self, *_: object, **__: object) -> None:
        """Keep a syntax error."""
        self._keep_error(sys.exc_info()[1])

    def showindentationerror(self) -> None:
        """Keep an indentation error."""
        self._keep_error(sys.exc_info()[1])


def make_shell() -> RecordingShell:
    """Return the shell, with nothing of the user's: no history, configuration, startup files, colors."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.autocall = 0
    config.InteractiveShell.banner1 = ""
    config.InteractiveShell.enable_tip = False
    config.InteractiveShell.cache_size = 1000
    shell = RecordingShell.instance(config=config)
    shell.input_transformer_manager = Transformer()
    shell.outputs = Outputs(Limits())
    shell.user_ns.pop("quit", None)
    return shell


@contextmanager
def recording(shell: RecordingShell, limits: Limits) -> Iterator[Outputs]:
    """Keep what is printed and displayed in the block."""
    shell.outputs = Outputs(limits)
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Stream(shell, "stdout"), Stream(shell, "stderr")
    builtins.input = _refuse_input
    try:
        yield shell.outputs
    finally:
        sys.stdout, sys.stderr = streams
