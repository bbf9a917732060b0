"""Pictures of matrix equations: matrices drawn to scale, each in the color of its kind."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from grader.colors import INPUT, kind_color, paler
from grader.figures.shown import SMALL, WIDTH, show, text_width

Matrix = tuple[str, int, int]
Equation = Sequence[Matrix | str]

# In inches: the side of one number of a matrix; the gaps between two things of an equation, two equations,
# two lines of them; the room for the number of a step, and for a line of text.
SIDE, GAP, EQUATIONS_GAP, LINES_GAP, NUMBER_ROOM, TEXT = 0.13, 0.1, 0.3, 0.22, 0.36, 0.16
EDGE = 0.02  # below the lowest matrix, for the line around it
OPERATOR_SIZE = 13
ARROW = "→"


def show_products(equations: Sequence[Equation], alt: str) -> None:
    """Show matrix equations as numbered steps, each matrix drawn to scale.

    Args:
        equations: each a sequence of matrices ``(name, rows, columns)`` and operators between them; a text
            that ends with an arrow stands above the arrow.
        alt: what a reader should see in them.
    """
    lines = _lines(equations)
    above = [max(_above_middle(equations[i]) for i in line) for line in lines]
    below = [max(_below_middle(equations[i]) for i in line) for line in lines]
    total = sum(above) + sum(below) + LINES_GAP * (len(lines) - 1)
    figure, axis = plt.subplots(figsize=(WIDTH, total + EDGE))
    top = total
    for line, up, down in zip(lines, above, below, strict=True):
        left = 0.0
        for i in line:
            _draw(axis, i + 1, equations[i], left, top - up)
            left += _width(equations[i]) + EQUATIONS_GAP
        top -= up + down + LINES_GAP
    axis.set_position((0, 0, 1, 1))
    axis.set_xlim(0, WIDTH)
    axis.set_ylim(-EDGE, total)
    axis.axis("off")
    numbered = (f"{i}. {_equation_text(line)}" for i, line in enumerate(equations, 1))
    show(figure, alt, "\n".join(numbered))


def _lines(equations: Sequence[Equation]) -> list[list[int]]:
    """Return which equations stand beside each other: as many as there is room for."""
    lines: list[list[int]] = [[]]
    for i, equation in enumerate(equations):
        taken = sum(_width(equations[k]) + EQUATIONS_GAP for k in lines[-1])
        if lines[-1] and taken + _width(equation) > WIDTH:
            lines.append([])
        lines[-1].append(i)
    return lines


def _matrices(equation: Equation) -> list[Matrix]:
    return [item for item in equation if not isinstance(item, str)]


def _above_middle(equation: Equation) -> float:
    """Return how much room an equation takes above its middle, in inches."""
    return max(SIDE * item[1] / 2 + TEXT * (len(_caption(item)) + 0.3) for item in _matrices(equation))


def _below_middle(equation: Equation) -> float:
    return max(SIDE * item[1] / 2 for item in _matrices(equation))


def _width(equation: Equation) -> float:
    return NUMBER_ROOM + sum(map(_room, equation)) + GAP * (len(equation) - 1)


def _room(item: Matrix | str) -> float:
    """Return how wide one thing of an equation is, in inches."""
    if isinstance(item, str):
        return text_width([item], OPERATOR_SIZE) if len(item) == 1 else text_width([_above(item)]) + 0.1
    return max(SIDE * item[2], text_width(_caption(item)))


def _above(operator: str) -> str:
    return operator.removesuffix(ARROW).strip()


def _caption(item: Matrix) -> list[str]:
    """Return the lines above a matrix: its name, which is broken at a comma, and its shape."""
    return [*item[0].split(", "), _shape(item)]


def _shape(item: Matrix) -> str:
    return f"({item[1]}, {item[2]})"


def _draw(axis: Axes, number: int, equation: Equation, left: float, middle: float) -> None:
    ring = {"boxstyle": "circle,pad=0.25", "facecolor": "white", "edgecolor": "#888888"}
    axis.text(left + 0.13, middle, str(number), ha="center", va="center", fontsize=SMALL, bbox=ring)
    left += NUMBER_ROOM
    for item in equation:
        room = _room(item)
        if isinstance(item, str):
            _draw_operator(axis, item, left, middle, room)
        else:
            _draw_matrix(axis, item, left + room / 2, middle)
        left += room + GAP


def _draw_matrix(axis: Axes, item: Matrix, center: float, middle: float) -> None:
    name, rows, columns = item
    width, height = SIDE * columns, SIDE * rows
    color = kind_color(name) or INPUT
    left, bottom = center - width / 2, middle - height / 2
    fill = paler(color) if name.startswith("W_") else color
    axis.add_patch(Rectangle((left, bottom), width, height, facecolor=fill, edgecolor="black"))
    inner = {"color": "white", "linewidth": 0.7}
    axis.hlines([bottom + SIDE * i for i in range(1, rows)], left, left + width, **inner)
    axis.vlines([left + SIDE * j for j in range(1, columns)], bottom, bottom + height, **inner)
    for i, line in enumerate(reversed(_caption(item))):
        style = {"ha": "center", "va": "bottom", "fontsize": SMALL, "color": "black" if i else "#444444"}
        axis.text(center, bottom + height + 0.05 + TEXT * i, line, **style)


def _draw_operator(axis: Axes, sign: str, left: float, middle: float, room: float) -> None:
    if len(sign) == 1:
        place = {"ha": "center", "va": "center", "fontsize": OPERATOR_SIZE}
        axis.text(left + room / 2, middle, sign, **place)
        return
    axis.text(left + room / 2, middle + 0.05, _above(sign), ha="center", va="bottom", fontsize=SMALL)
    if sign.endswith(ARROW):
        axis.annotate(
            "", (left + room, middle), (left, middle), arrowprops={"arrowstyle": "-|>", "color": "black"}
        )


def _equation_text(line: Equation) -> str:
    return " ".join(item if isinstance(item, str) else f"{item[0]} {_shape(item)}" for item in line)
