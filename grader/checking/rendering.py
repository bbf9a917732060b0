"""Show a verdict: plain text for terminals and screen readers, HTML for notebooks.

The picture is an HTML table whose cells are colored by their values: picture and text table in one, it
survives the sanitizer of an untrusted notebook, and it needs no plotting library.
"""

import math
from dataclasses import dataclass
from html import escape

import torch

from grader.checking.mistakes import explain
from grader.checking.result import YOURS_AND_TARGET, CaseResult, Picture, Result

# What a line of a message may begin with.
LABELS = ("Also", "Seen", "Look at", "Points")
MAX_ROWS = MAX_COLUMNS = 8
# What a rung's name says of a case to a learner.
WHYS = {
    "runs": "what it raises",
    "is built": "the library did it",
    "type": "not a tensor",
    "registered": "a weight is not registered",
    "steady": "random where it must not be",
    "finite": "NaN or infinity",
    "arguments": "an argument was changed",
    "equal": "another result",
    "text": "another text",
    "again": "a further call",
    "left": "something stays behind",
    "separate": "shared storage",
    "moves": "what moves along",
    "saved": "what is saved",
    "mode": "not in the way asked for",
    "attributes": "an attribute",
    "exposed": "it does not count",
}
# The course's scale, matplotlib's cividis (readable with any color vision), at five equal steps.
SCALE = ((0, 34, 78), (64, 77, 107), (124, 123, 120), (188, 175, 111), (254, 232, 56))


def color_of(share: float) -> tuple[int, int, int]:
    """Return the color for a value between 0 and 1 on the course's scale."""
    place = min(max(share, 0.0), 1.0) * (len(SCALE) - 1)
    lower = min(int(place), len(SCALE) - 2)
    part = place - lower
    return tuple(round(a + part * (b - a)) for a, b in zip(SCALE[lower], SCALE[lower + 1], strict=True))


def ink_on(color: tuple[int, int, int]) -> str:
    """Return black or white, whichever is easier to read on a color (WCAG 2's relative luminance)."""
    shares = (part / 255 for part in color)
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # Where both are equally readable: (luminance + 0.05) / 0.05 == 1.05 / (luminance + 0.05).
    return "#000" if luminance > 0.0525**0.5 - 0.05 else "#fff"


@dataclass(frozen=True)
class Window:
    """The part of a tensor that is shown: where on its outer axes, from which row and which column on."""

    outer: tuple[int, ...] = ()
    row: int = 0
    column: int = 0

    @classmethod
    def on(cls, picture: Picture) -> "Window":
        """Return the window that holds the worst difference; the first rows and columns without one."""
        if picture.mismatch is None:
            return cls()
        *outer, row, column = (0, 0, *picture.mismatch.index)[-max(2, picture.got.dim()) :]
        return cls(tuple(outer), max(0, row - MAX_ROWS + 1), max(0, column - MAX_COLUMNS + 1))

    def of(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return what is shown of a tensor: a matrix of at most 8 by 8."""
        for place in self.outer or (0,) * (tensor.dim() - 2):
            tensor = tensor[place] if len(tensor) else tensor.flatten(0, 1)
        tensor = torch.atleast_2d(tensor)
        return tensor[self.row : self.row + MAX_ROWS, self.column : self.column + MAX_COLUMNS]

    def title(self, word: str, tensor: torch.Tensor) -> str:
        """Return the title of a table: whose, the whole shape, and which part is shown."""
        shown = [str(place) for place in self.outer or (0,) * (tensor.dim() - 2)]
        sides = zip(
            (self.row, self.column), torch.atleast_2d(tensor).shape[-2:], (MAX_ROWS, MAX_COLUMNS), strict=True
        )
        sides = [(start, size, start + limit) for start, size, limit in sides]
        if any(size > end or start for start, size, end in sides):
            shown += [f"{start}:{min(size, end)}" for start, size, end in sides][-tensor.dim() :]
        elif shown:
            shown += [":", ":"]
        return f"{word} {tuple(tensor.shape)}" + (f", shown [{', '.join(shown)}]" if shown else "")


def _number(value: float | bool) -> str:
    if isinstance(value, bool | int):
        return str(value)
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:.3e}"


def _html_table(title: str, matrix: torch.Tensor, low: float, high: float, marked: tuple[int, ...]) -> str:
    rows = []
    for i, row in enumerate(matrix.tolist()):
        cells = []
        for j, value in enumerate(row):
            share = _share(value, low, high)
            color = (255, 255, 255) if math.isnan(share) else color_of(share)
            frame = "3px solid #d55e00" if (i, j) == marked else "1px solid #fff"
            cells.append(
                f'<td style="background-color:rgb{color};color:{ink_on(color)};border:{frame};'
                f'padding:4px 7px;text-align:right">{_number(value)}</td>'
            )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        '<table style="display:inline-table;margin:4px 24px 4px 0;border-collapse:collapse">'
        f'<caption style="text-align:left;white-space:nowrap"><b>{escape(title)}</b></caption>'
        f"{''.join(rows)}</table>"
    )


def _range(*matrices: torch.Tensor) -> tuple[float, float]:
    values = torch.cat([matrix[matrix.isfinite()].double() for matrix in matrices])
    return (float(values.min()), float(values.max())) if values.numel() else (0.0, 0.0)


def _scale(got: torch.Tensor, expected: torch.Tensor) -> tuple[float, float]:
    """Return what is darkest and brightest: of the target; of both where the target is all one number."""
    low, high = _range(expected)
    return (low, high) if low < high else _range(got, expected)


def _share(value: float, low: float, high: float) -> float:
    """Return where a value lies from dark, 0, to bright, 1; an infinity at its own end of the scale."""
    if math.isinf(value):
        return float(value > 0)
    return (value - low) / (high - low) if high > low else 0.5


def _legend(got: torch.Tensor, expected: torch.Tensor, low: float, high: float) -> str:
    """Return what dark and bright stand for."""
    if got.dtype == torch.bool:
        return "Dark is False, bright is True."
    if expected.isneginf().any():
        return "Dark is -inf." if low == high else f"-inf is darkest; then {_number(low)} to {_number(high)}."
    if low == high:
        return f"All are {_number(low)}."
    return f"Dark is {_number(low)}, bright is {_number(high)}."


def _source(picture: Picture) -> str:
    return f"Case {picture.case}, {picture.tensor}" if picture.tensor else f"Case {picture.case}"


def _tensors(picture: Picture, passed: bool) -> tuple[tuple[str, torch.Tensor], ...]:
    """Return what is shown under which word: of an answer that passed, only its own."""
    both = tuple(zip(picture.titles, (picture.got, picture.expected), strict=True))
    return both[:1] if passed and picture.titles == YOURS_AND_TARGET else both


def picture_html(picture: Picture, passed: bool = False) -> str:
    """Return yours and the target as two colored tables on one scale."""
    if picture.got.is_complex():
        return ""
    window, marked = Window.on(picture), ()
    if picture.mismatch is not None:
        row, column = (0, 0, *picture.mismatch.index)[-2:]
        marked = (row - window.row, column - window.column)
    low, high = _scale(window.of(picture.got), window.of(picture.expected))
    tables = "".join(
        _html_table(window.title(word, tensor), window.of(tensor), low, high, marked)
        for word, tensor in _tensors(picture, passed)
    )
    framed = " The worst difference is framed." if marked else ""
    note = (
        f"{escape(_source(picture))}. {_legend(picture.got, window.of(picture.expected), low, high)}{framed}"
    )
    return f"<div>{tables}</div><div><small>{note}</small></div>"


def picture_text(picture: Picture, passed: bool = False) -> str:
    """Return yours and the target as text."""
    if picture.got.is_complex():
        return ""
    window, blocks = Window.on(picture), []
    for word, tensor in _tensors(picture, passed):
        rows = ["  ".join(f"{_number(value):>9}" for value in row) for row in window.of(tensor).tolist()]
        blocks.append("\n".join([f"{window.title(word, tensor)}. {_source(picture)}:", *rows]))
    return "\n".join(blocks)


def _headline(result: Result) -> str:
    points = "point" if result.max_score == 1 else "points"
    return f"{result.exercise.id}: {result.status}, {result.score} of {result.max_score} {points}"


def result_text(result: Result, with_picture: bool = True) -> str:
    """Return a verdict as plain text."""
    lines = [_headline(result), result.message]
    if result.cases and result.status == "failed":
        lines += [
            f"  [{'x' if case.passed else ' '}] {case.name}: {case.shows}{_why(case)}"
            for case in result.cases
        ]
    if with_picture and result.picture:
        lines.append(picture_text(result.picture, result.status == "passed"))
    if result.status == "failed":
        lines += [
            f"Mistake: {', '.join(result.diagnosis)}",
            f'Read again: {result.exercise.section}. A hint: hint("{result.exercise.id}")',
        ]
    return "\n".join([*lines, *(f"Note: {note}" for note in result.notes)])


def _why(case: CaseResult) -> str:
    """Return on which rung a case failed, as the end of its line."""
    return f" ({WHYS.get(case.why, case.why)})" if case.why else ""


def _message_html(result: Result) -> str:
    lines = []
    for line in result.message.splitlines():
        label, colon, rest = line.partition(":")
        labeled = colon and label in LABELS
        lines.append(f"<b>{label}:</b>{escape(rest)}" if labeled else escape(line))
    return "".join(f"<div>{line}</div>" for line in lines)


def _cases_html(result: Result) -> str:
    items = "".join(
        f"<li>{'passed' if case.passed else 'failed'}: <b>{escape(case.name)}</b>, "
        f"{escape(case.shows)}{escape(_why(case))}</li>"
        for case in result.cases
    )
    count = sum(case.passed for case in result.cases)
    return (
        f"<details><summary>{count} of {len(result.cases)} cases passed</summary><ul>{items}</ul></details>"
    )


def result_html(result: Result) -> str:
    """Return a verdict as HTML that survives JupyterLab's sanitizer."""
    edge = {"passed": "#009e73", "failed": "#d55e00"}.get(result.status, "#666666")
    parts = [f"<div><b>{escape(_headline(result))}</b></div>", _message_html(result)]
    if result.picture:
        parts.append(picture_html(result.picture, result.status == "passed"))
    if result.cases and result.status == "failed":
        parts.append(_cases_html(result))
    if result.status == "failed":
        codes = ", ".join(f"<code>{escape(code)}</code>" for code in result.diagnosis)
        parts.append(
            f"<div>Mistake: {codes}. Read again: <i>{escape(result.exercise.section)}</i>. "
            f"A hint: <code>hint(&quot;{result.exercise.id}&quot;)</code></div>"
        )
    parts += [f"<div><small>{escape(note)}</small></div>" for note in result.notes]
    return f'<div style="border-left:6px solid {edge};padding:6px 12px">{"".join(parts)}</div>'


def one_line(result: Result) -> str:
    """Return a verdict as one line."""
    if result.status == "passed":
        return _headline(result)
    return f"{_headline(result)}: {', '.join(explain(code).title for code in result.diagnosis)}"
