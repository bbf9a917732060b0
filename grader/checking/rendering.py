"""Show a verdict: plain text for terminals and screen readers, HTML for notebooks.

The picture is an HTML table whose cells are colored by their values: picture and text table in one, it
survives the sanitizer of an untrusted notebook, and it needs no plotting library.
"""

import math
from dataclasses import dataclass
from gettext import NullTranslations
from html import escape

import torch

from grader.checking.mistakes import explain
from grader.checking.result import (
    RIGHT_SO_FAR,
    YOURS_AND_TARGET,
    CaseResult,
    Example,
    Line,
    Picture,
    Result,
    labeled,
    plain_line,
)
from grader.checking.steps.view import steps_html
from grader.colors import FAILED, PASSED, color_of, ink_on
from grader.messages import Message, message, one_or_many, series, titles
from grader.messages.message import ENGLISH

MAX_ROWS = MAX_COLUMNS = 8


@dataclass(frozen=True)
class Window:
    """The part of a tensor that is shown: the index on its outer axes, the first row and the first column."""

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

    def title(self, word: str, tensor: torch.Tensor) -> Message:
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
        parts = {"whose": word, "shape": str(tuple(tensor.shape))}
        if not shown:
            return message("{whose} {shape}", **parts)
        return message("{whose} {shape}, shown {part}", part=f"[{', '.join(shown)}]", **parts)


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
            frame = f"3px solid {FAILED}" if (i, j) == marked else "1px solid #fff"
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
    """Return the ends of the color scale: the target's range; both tensors' if the target is constant.

    What is written alike is one number.
    """
    low, high = _range(expected)
    if _number(low) == _number(high):
        low, high = _range(got, expected)
    return (low, low) if _number(low) == _number(high) else (low, high)


def _share(value: float, low: float, high: float) -> float:
    """Return where a value lies from dark, 0, to bright, 1; an infinity at its own end of the scale."""
    if math.isinf(value):
        return float(value > 0)
    return (value - low) / (high - low) if high > low else 0.5


def _legend(got: torch.Tensor, expected: torch.Tensor, low: float, high: float) -> Message:
    """Return what dark and bright stand for."""
    whole = not expected.is_floating_point()
    ends = {name: str(int(end)) if whole else _number(end) for name, end in (("low", low), ("high", high))}
    if got.dtype == torch.bool:
        return message("Dark is False, bright is True.")
    if expected.isneginf().any() and low == high:
        return message("Dark is -inf.")
    if expected.isneginf().any():
        return message("-inf is darkest; then {low} to {high}.", **ends)
    if low == high and all(one.isfinite().all() for one in (got, expected)):
        return message("All are {low}.", **ends)
    if low == high:
        return message("All that are finite are {low}.", **ends)
    return message("Dark is {low} or less, bright is {high} or more.", **ends)


def _source(picture: Picture) -> Message:
    if picture.tensor:
        return message("Case {case}, {tensor}", case=picture.case, tensor=picture.tensor)
    return message("Case {case}", case=picture.case)


def _tensors(picture: Picture, passed: bool) -> tuple[tuple[Message, torch.Tensor], ...]:
    """Return the tensors to show with their titles; for an answer that passed, only its own."""
    both = tuple(zip(picture.titles, (picture.got, picture.expected), strict=True))
    return both[:1] if passed and picture.titles == YOURS_AND_TARGET else both


def picture_html(picture: Picture, passed: bool = False, catalog: NullTranslations = ENGLISH) -> str:
    """Return yours and the target as two colored tables on one scale."""
    if picture.got.is_complex():
        return ""
    window, marked = Window.on(picture), ()
    if picture.mismatch is not None:
        row, column = (0, 0, *picture.mismatch.index)[-2:]
        marked = (row - window.row, column - window.column)
    low, high = _scale(window.of(picture.got), window.of(picture.expected))
    tables = "".join(
        _html_table(window.title(word, tensor).render(catalog), window.of(tensor), low, high, marked)
        for word, tensor in _tensors(picture, passed)
    )
    note = message(
        "{source}. {legend}",
        source=_source(picture),
        legend=_legend(picture.got, window.of(picture.expected), low, high),
    )
    if marked:
        note = message("{note} The worst difference is framed.", note=note)
    return f"<div>{tables}</div><div><small>{escape(note.render(catalog))}</small></div>"


def picture_text(picture: Picture, passed: bool = False, catalog: NullTranslations = ENGLISH) -> str:
    """Return yours and the target as text."""
    if picture.got.is_complex():
        return ""
    window, blocks = Window.on(picture), []
    for word, tensor in _tensors(picture, passed):
        rows = ["  ".join(f"{_number(value):>9}" for value in row) for row in window.of(tensor).tolist()]
        title = message("{title}. {source}:", title=window.title(word, tensor), source=_source(picture))
        blocks.append("\n".join([title.render(catalog), *rows]))
    return "\n".join(blocks)


STEP_BY_STEP = message("Step by step: the target above, yours below")
STATUSES = {"passed": message("passed"), "failed": message("failed")}


def _headline(result: Result) -> Message:
    if result.status == "error":  # which has no points, not even 0
        return message("{exercise}: not judged", exercise=result.exercise.id)
    return one_or_many(
        "{exercise}: {status}, {score} of {count} point",
        "{exercise}: {status}, {score} of {count} points",
        result.max_score,
        exercise=result.exercise.id,
        status=STATUSES[result.status],
        score=f"{result.score:g}",
    )


def result_text(result: Result, with_picture: bool = True, catalog: NullTranslations = ENGLISH) -> str:
    """Return a verdict as plain text."""
    lines = [_headline(result).render(catalog), *(plain_line(line, catalog) for line in result.lines)]
    if result.cases and result.status == "failed":
        lines += [
            f"  [{'x' if case.passed else ' '}] {_case_line(case).render(catalog)}" for case in result.cases
        ]
    if result.example:
        code = result.example.code.replace("\n", "\n    ")
        lines += [_example_title(result.example).render(catalog), f"    {code}"]
        lines.append(f"    # {_example_end(result.example).render(catalog)}")
    if with_picture and result.picture:
        lines.append(picture_text(result.picture, result.status == "passed", catalog))
    if result.status == "failed":
        codes, asked = series(result.diagnosis), f'hint("{result.exercise.id}")'
        section = Message(result.exercise.section)
        lines += [
            message("Mistake: {codes}", codes=codes).render(catalog),
            message('Read again "{section}". A hint: {call}', section=section, call=asked).render(catalog),
        ]
    notes = (message("Note: {note}", note=note).render(catalog) for note in result.notes)
    return "\n".join([*lines, *notes])


def _example_title(example: Example) -> Message:
    return message("Case {case} as code:", case=example.case)


def _example_end(example: Example) -> Message:
    return message("expected: {expected}", expected=example.expected)


def _example_html(example: Example, catalog: NullTranslations) -> str:
    code = escape(f"{example.code}\n# {_example_end(example).render(catalog)}")
    return (
        f"<div>{escape(_example_title(example).render(catalog))}</div>"
        f'<pre style="margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere">{code}</pre>'
    )


def _case_line(case: CaseResult) -> Message:
    """Return a case's name and kind of input; of one that failed, what was seen."""
    parts = {"case": case.name, "shows": Message(case.shows)}
    if case.why is None:
        return message("{case}: {shows}", **parts)
    return message("{case}: {shows} ({why})", why=case.why, **parts)


def _line_html(line: Line, catalog: NullTranslations) -> str:
    before = labeled(line.label, "").render(catalog) if line.label else ""
    name = before.rstrip()
    label = f"<b>{escape(name)}</b>{before[len(name) :]}" if name else ""
    # Further lines are quotations: they are indented, so that none can pass for the grader's text.
    text = escape(line.text.render(catalog)).replace("\r", "\n").replace("\n", "\n&nbsp;&nbsp;&nbsp;&nbsp;")
    return f'<div style="white-space:pre-line">{label}{text}</div>'


def _cases_html(result: Result, catalog: NullTranslations) -> str:
    lines = (
        labeled(STATUSES["passed" if case.passed else "failed"], _case_line(case)) for case in result.cases
    )
    items = "".join(f"<li>{escape(line.render(catalog))}</li>" for line in lines)
    counted = message(
        "{passed} of {total} cases passed",
        passed=sum(case.passed for case in result.cases),
        total=len(result.cases),
    )
    told = counted.render(catalog)
    if any(
        case.passed for case in result.cases
    ):  # which pass and which fail is a clue, so it is not collapsed
        return f"<div>{told}</div><ul>{items}</ul>"
    return f"<details><summary>{told}</summary><ul>{items}</ul></details>"


def result_html(result: Result, catalog: NullTranslations = ENGLISH) -> str:
    """Return a verdict as HTML that survives JupyterLab's sanitizer."""
    edge = {"passed": PASSED, "failed": FAILED}.get(result.status, "#666666")
    parts = [f"<div><b>{escape(_headline(result).render(catalog))}</b></div>"]
    parts += [_line_html(line, catalog) for line in result.lines]
    if result.picture:
        parts.append(picture_html(result.picture, result.status == "passed", catalog))
    if result.parting and any(line.label == RIGHT_SO_FAR for line in result.lines):
        inner = steps_html(result.parting, catalog)
        parts.append(f"<details><summary>{escape(STEP_BY_STEP.render(catalog))}</summary>{inner}</details>")
    if result.example:
        parts.append(_example_html(result.example, catalog))
    if result.cases and result.status == "failed":
        parts.append(_cases_html(result, catalog))
    if result.status == "failed":
        asked = message(
            'Mistake: {codes}. Read again "{section}". A hint: {call}',
            codes=series(result.diagnosis),
            section=Message(result.exercise.section),
            call=f'hint("{result.exercise.id}")',
        )
        parts.append(f"<div>{escape(asked.render(catalog))}</div>")
    notes = (message("Note: {note}", note=note).render(catalog) for note in result.notes)
    parts += [f"<div><small>{escape(note)}</small></div>" for note in notes]
    return f'<div style="border-left:6px solid {edge};padding:6px 12px">{"".join(parts)}</div>'


def one_line(result: Result, catalog: NullTranslations = ENGLISH) -> str:
    """Return a verdict as one line."""
    headline = _headline(result)
    if result.status == "passed":
        return headline.render(catalog)
    told = titles(explain(code).title for code in result.diagnosis)
    return labeled(headline, told).render(catalog)
