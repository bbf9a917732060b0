"""Show all steps from the input to the result: the target's tensor and below it the answer's own."""

import math
from gettext import NullTranslations
from html import escape

import torch

from grader.checking.steps.matching import RIGHT, How, Match
from grader.checking.steps.parting import Parting
from grader.colors import FAILED, color_of, ink_on
from grader.messages import Message, message, series, titles
from grader.messages.message import ENGLISH

# Size limit of a shown step; on its leading axes the first index is shown.
ROWS = COLUMNS = 5
# Numbers below it are 0.00 with two decimals.
ZERO = 0.005
TARGET, YOURS = message("target"), message("yours")
MISSING = message("none of your tensors has these numbers")
PASSED_OVER = message("none of your tensors has these numbers; a later step, computed from them, is right")


def steps_html(parting: Parting, catalog: NullTranslations = ENGLISH) -> str:
    """Return the steps as HTML that survives JupyterLab's sanitizer: the first difference is framed."""
    cards = "".join(_card(match, parting, catalog) for match in parting.matches)
    return (
        f"<div>{escape(_title(parting).render(catalog))}</div>"
        f'<div style="display:flex;flex-wrap:wrap;align-items:flex-start">{cards}</div>'
    )


def steps_text(parting: Parting, catalog: NullTranslations = ENGLISH) -> str:
    """Return the steps as text."""
    blocks = [_title(parting).render(catalog)]
    for match in parting.matches:
        blocks.append(_name(match, parting).render(catalog))
        for word, values in _both(match):
            none = [f"    {_missing(match, parting, catalog)}"]
            rows = none if values is None else _lines(values, _is_tiny(match))
            blocks += [f"  {word.render(catalog)}", *rows]
    return "\n".join(blocks)


def _title(parting: Parting) -> Message:
    return message("Case {case}, step by step", case=parting.case)


def _name(match: Match, parting: Parting) -> Message:
    """Return a step's name and shape, and what there is to say of it."""
    names = ", ".join(match.step.axes) + "," * (len(match.step.axes) == 1)
    shape = f"({names}) = {tuple(match.step.values.shape)}"
    if cut := _cut(match.step.values):
        shape = message("{shape}, {cut}", shape=shape, cut=cut)
    first = BEFORE if parting.ended else FIRST if _is_first(match, parting) else LATER
    said = [first] * (match is parting.first) + [one for one in (_remark(match),) if one]
    name = message("{step} {shape}", step=Message(match.step.name), shape=shape)
    return message("{name}: {said}", name=name, said=titles(said)) if said else name


def _is_first(match: Match, parting: Parting) -> bool:
    """Return whether all steps before one are right, or passed over."""
    before = parting.matches[: parting.matches.index(match)]
    return all(one.how in RIGHT or one.step.name in parting.passed_over for one in before)


FIRST = message("the first that is not right")
LATER = message("not right")
BEFORE = message("not right yet when an error comes")
# Such as scores that are masked before they are scaled.
OTHER_FORM = message("the target is shown in the form in which your code makes it")
REMARKS = {
    How.IN_ANOTHER_ORDER: message("yours has these numbers in another order"),
    How.IN_PARTS: message("yours are made part by part"),
    How.SCALED_ROWS: message("yours have a factor for each row, which leaves its shares as they are"),
}


def _remark(match: Match) -> Message | None:
    """Return the caption that explains how the learner's tensor was matched."""
    if match.how == How.IN_ANOTHER_LAYOUT:
        one, other, _ = match.step.axes[-3:]
        return message("in yours {one} and {other} are exchanged", one=one, other=other)
    if match.how == How.FEW_PARTS:  # what is shown may be the part that is made
        places = series(map(str, match.places))
        parts = {"axis": match.axis, "places": places}
        if len(match.places) == 1:
            return message("along axis {axis} yours has index {places} alone", **parts)
        return message("along axis {axis} yours has the indices {places} alone", **parts)
    if match.how in RIGHT and match.form:
        return OTHER_FORM
    return REMARKS.get(match.how)


def _both(match: Match) -> tuple[tuple[Message, torch.Tensor | None], ...]:
    """Return the target's numbers and the answer's own; None where there are none."""
    form = match.step.forms[match.form if match.how in RIGHT else 0].values
    own = form if match.how == How.IN_PARTS else match.made
    if match.how == How.FEW_PARTS and 0 not in match.places:  # the part that is shown is not made
        own = None
    yours = YOURS
    if match.how == How.IN_ANOTHER_ORDER:
        yours = message("yours, shape {shape}", shape=str(tuple(own.shape)))
        if cut := _cut(own):
            yours = message("{shape}, {cut}", shape=yours, cut=cut)
    return (TARGET, form), (yours, own)


def _missing(match: Match, parting: Parting, catalog: NullTranslations) -> str:
    """Return what is said where the answer has nothing of a step."""
    passed_over = match.how == How.NOT_THERE and match.step.name in parting.passed_over
    return (PASSED_OVER if passed_over else MISSING).render(catalog)


def _shown(values: torch.Tensor) -> list[list[float]]:
    while values.dim() > 2:
        values = values[0]
    return torch.atleast_2d(values)[:ROWS, :COLUMNS].tolist()


def _cut(values: torch.Tensor) -> Message | None:
    """Return what is shown of a step that is not shown whole."""
    lead = [0] * (values.dim() - 2)
    rows, columns = torch.atleast_2d(values).shape[-2:]
    if rows <= ROWS and columns <= COLUMNS and values.dim() <= 2:
        return None
    part = (*map(str, lead), f":{min(rows, ROWS)}", f":{min(columns, COLUMNS)}")
    return message("shown [{part}]", part=", ".join(part[-values.dim() :]))


def _ends(match: Match) -> tuple[float, float]:
    finite = match.step.values[match.step.values.isfinite()]
    return (float(finite.min()), float(finite.max())) if finite.numel() else (0.0, 0.0)


def _is_tiny(match: Match) -> bool:
    """Return whether two decimals would show nothing but zeros of a step that has other numbers."""
    return 0 < max(map(abs, _ends(match))) < ZERO


def _number(value: float, tiny: bool) -> str:
    return f"{value:.1e}" if value and (tiny or abs(value) >= 1000) else f"{value:.2f}"


def _lines(values: torch.Tensor, tiny: bool) -> list[str]:
    return ["    " + "  ".join(f"{_number(value, tiny):>7}" for value in row) for row in _shown(values)]


def _table(values: torch.Tensor, low: float, high: float, tiny: bool) -> str:
    rows = []
    for row in _shown(values):
        cells = []
        for value in row:
            share = (
                float(value > 0) if math.isinf(value) else (value - low) / (high - low) if high > low else 0.5
            )
            color = (255, 255, 255) if math.isnan(share) else color_of(share)
            red, green, blue = color
            cells.append(
                f'<td style="background:#{red:02x}{green:02x}{blue:02x};color:{ink_on(color)};'
                f'padding:1px 4px;text-align:right">{_number(value, tiny)}</td>'
            )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f'<table style="border-collapse:collapse;font-size:85%">{"".join(rows)}</table>'


def _card(match: Match, parting: Parting, catalog: NullTranslations) -> str:
    edge = f"3px solid {FAILED}" if match is parting.first else "1px solid #bbb"
    low, high = _ends(match)
    parts = [f"<div><b>{escape(_name(match, parting).render(catalog))}</b></div>"]
    for word, values in _both(match):
        told = word.render(catalog) if values is not None else _missing(match, parting, catalog)
        parts.append(f"<div>{escape(told)}</div>")
        if values is not None:
            parts.append(_table(values, low, high, _is_tiny(match)))
    style = f"border:{edge};margin:4px;padding:4px 8px;max-width:100%;overflow-x:auto"
    return f'<div style="{style}">{"".join(parts)}</div>'
