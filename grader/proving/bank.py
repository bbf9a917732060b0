"""Read an answer bank: correct variants and known wrong answers, as a learner would write them.

A bank is a Python file in percent cells, ``solutions/<chapter>/answers/<exercise>.py``::

    # %% setup
    import torch

    # %% correct="textbook"
    def double(x): return 2 * x

    # %% mistake="scale-multiplied" edits="textbook"
    # - def double(x): return 2 * x
    # + def double(x): return x / 2

``correct`` names a variant that must pass, with just the remarks whose codes ``remark`` lists. ``mistake``
names one that must fail: its code, with anything after a colon to tell variants apart; ``also`` lists further
codes of the diagnosis, ``edits`` the cell that the lines marked - and + change, and ``on="device"`` says that
it only is a mistake on a device other than the CPU. The setup cell comes before every answer.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import indent

import jupytext

from grader.errors import BankError, SourceError
from grader.exercises import Exercise
from grader.exercises.declaration import closest

# Values of ``on``: a mistake only on the CPU, or only on another device.
CPU, ANOTHER = "cpu", "device"
# The line on which a cell begins, as jupytext reads it.
HEADER = re.compile(r"#\s*(%%+(\s|$)|<codecell>\s*$|In\[[0-9 ]*\]:?\s*$)")
# What an answer's header may say, where jupytext puts one that it cannot read, and what it adds by itself.
KEYS = ("correct", "mistake", "also", "edits", "remark", "on")
UNREADABLE = "incorrectly_encoded_metadata"
OF_JUPYTEXT = ("lines_to_next_cell", "lines_to_end_of_cell_marker")


@dataclass(frozen=True)
class Answer:
    """One answer of a bank.

    Attributes:
        name: unique in the bank.
        diagnosis: the codes that the grader must give, the cause first; empty for a correct variant.
        setup: what the bank's answers import.
        source: the answer, without the setup.
        remarks: codes of what the grader must remark of a correct variant.
        only_on: where it is a mistake, ``cpu`` or, for any other, ``device``; empty if everywhere.
        base: the source of the answer that it edits; empty if it edits none.
        edit: how it edits it, as ``apply_edit`` takes it.
        path: the bank's file; None for an answer that is in none.
        line: where its cell begins there.
    """

    name: str
    diagnosis: tuple[str, ...]
    setup: str
    source: str
    only_on: str = ""
    remarks: tuple[str, ...] = ()
    base: str = ""
    edit: str = ""
    path: Path | None = field(default=None, compare=False)
    line: int = field(default=0, compare=False)

    @property
    def place(self) -> str:
        """The file and the line, as an error begins; empty for an answer that is in no file."""
        return f"{self.path}:{self.line}: " if self.path else ""

    def counts_on(self, device: str) -> bool:
        """Whether the answer does what it declares on this device."""
        return self.only_on in ("", CPU if device == CPU else ANOTHER)

    @property
    def correct(self) -> bool:
        """Whether the answer must pass."""
        return not self.diagnosis

    @property
    def program(self) -> str:
        """The whole text, as a file that runs on its own."""
        return f"{self.setup}\n\n\n{self.source}\n"


def bank_path(solutions: Path, exercise: Exercise) -> Path:
    """Return where an exercise's bank is."""
    return solutions / exercise.chapter / "answers" / f"{exercise.id}.py"


def no_bank(path: Path) -> BankError:
    """Return the error that an exercise's bank is missing."""
    return BankError(f"{path} is missing: every exercise needs an answer bank.")


def _hunks(edit: str) -> list[tuple[list[str], list[str]]]:
    """Split comment lines into pairs of lines taken out and lines put in."""
    hunks: list[tuple[list[str], list[str]]] = []
    for line in edit.splitlines():
        if line.startswith("# - "):
            if not hunks or hunks[-1][1]:
                hunks.append(([], []))
            hunks[-1][0].append(line.removeprefix("# - ").strip())
        elif line.startswith("# + ") and hunks:
            hunks[-1][1].append(line.removeprefix("# + "))
        elif line.strip():
            raise ValueError(f"expected a line with '# - ' or, after one, '# + ', got {line!r}")
    if not hunks:
        raise ValueError("an edit needs a line with '# - '")
    return hunks


def apply_edit(base: str, edit: str) -> str:
    """Return ``base`` with the marked lines exchanged; each must be found exactly once.

    Raises:
        ValueError: a line is not marked, or what it takes out is not there exactly once.
    """
    lines = base.splitlines()
    for removed, added in _hunks(edit):
        stripped = [line.strip() for line in lines]
        places = [
            i for i in range(len(lines) - len(removed) + 1) if stripped[i : i + len(removed)] == removed
        ]
        if len(places) != 1:
            told = ": lines that do not stand together need '# + ' between them" if len(removed) > 1 else ""
            raise ValueError(f"{removed!r} is there {len(places)} times, expected once{told}")
        place = places[0]
        margin = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        lines[place : place + len(removed)] = indent("\n".join(added), margin).splitlines()
    return "\n".join(lines)


def _edited(base: Answer, edit: str) -> str:
    try:
        return apply_edit(base.source, edit)
    except ValueError as error:
        raise ValueError(f"in {base.name!r}, which it edits, {error}") from error


def _answer(metadata: Mapping[str, str], setup: str, source: str, known: Sequence[str]) -> Answer:
    if broken := metadata.get(UNREADABLE):
        raise ValueError(f'the header {broken!r} cannot be read: expected key="value", parted by spaces')
    if strange := [key for key in metadata if key not in (*known, *OF_JUPYTEXT)]:
        raise ValueError(
            f"{strange[0]} is not known; known are {', '.join(known)}.{closest(strange[0], known)}"
        )
    if "correct" in metadata and "mistake" in metadata:
        raise ValueError('the cell is both correct="..." and mistake="..."')
    if "correct" in metadata:
        remarks = tuple(metadata.get("remark", "").split())
        return Answer(metadata["correct"], (), setup, source, remarks=remarks)
    if "mistake" not in metadata:
        raise ValueError('the cell is neither correct="..." nor mistake="..."')
    code = metadata["mistake"].split(":")[0]
    diagnosis = (code, *metadata.get("also", "").split())
    return Answer(metadata["mistake"], diagnosis, setup, source, _place(metadata))


def _hold_syntax(answer: Answer) -> None:
    """Refuse a correct variant that is not Python, with the line of the bank where that is clear.

    Raises:
        SourceError: it is none, and stands in the bank as it is.
        ValueError: it is none, and made by an edit.
    """
    try:
        ast.parse(answer.source if answer.correct else "")
    except SyntaxError as error:
        told = f"this is not Python: {error.msg}"
        if answer.base:
            raise ValueError(f"as it was edited, {told}, line {error.lineno}: {error.text}") from error
        raise SourceError(answer.path, answer.line + (error.lineno or 0), told) from error


def _place(metadata: Mapping[str, str]) -> str:
    place = metadata.get("on", "")
    if place not in ("", CPU, ANOTHER):
        raise ValueError(f'on="{place}" is neither on="{CPU}" nor on="{ANOTHER}"')
    return place


def read_bank(path: Path, further: Sequence[str] = ()) -> tuple[Answer, ...]:
    """Return the answers of a bank, in its order.

    Args:
        path: the file.
        further: keys of headers that the caller reads by itself.

    Raises:
        BankError: the file is missing.
        SourceError: it is malformed; names the line of the cell.
    """
    if not path.is_file():
        raise no_bank(path)
    text = path.read_text(encoding="utf-8")
    lines = [number for number, line in enumerate(text.splitlines(), 1) if HEADER.match(line)]
    setup, *cells = jupytext.reads(text, fmt="py:percent").cells or [None]
    if setup is None or setup.metadata.get("title") != "setup":
        raise SourceError(path, lines[0] if lines else 1, "the first cell has to be the setup.")
    answers: dict[str, Answer] = {}
    for cell, line in zip(cells, lines[1:], strict=True):
        base = cell.metadata.get("edits")
        name = cell.metadata.get("correct") or cell.metadata.get("mistake")
        try:
            if name in answers:
                raise ValueError("this name is there twice")
            if base is not None and base not in answers:
                raise ValueError(f"it edits {base!r}, which does not come before it")
            source = cell.source if base is None else _edited(answers[base], cell.source)
            made = _answer(cell.metadata, setup.source, source, (*KEYS, *further))
            made = replace(made, path=path, line=line)
            if base is not None:
                made = replace(made, base=answers[base].source, edit=cell.source)
            _hold_syntax(made)
            answers[name] = made
        except ValueError as error:
            raise SourceError(path, line, f"cell {name!r}: {error}" if name else f"{error}") from error
    return tuple(answers.values())
