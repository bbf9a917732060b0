"""The course's palette."""

from itertools import combinations

import pytest
import torch

from grader import colors

KINDS = ("INPUT", "QUERY", "KEY", "VALUE", "SCORES", "WEIGHTS", "CONTEXT", "MASKED", "PASSED", "FAILED")
# Machado, Oliveira and Fernandes 2009, at full severity: what is seen of linear red, green and blue.
VISION = {
    "all cones": torch.eye(3),
    "protanopia": torch.tensor(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": torch.tensor(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": torch.tensor(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = torch.tensor(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = torch.tensor([0.95047, 1.0, 1.08883])
# The distance in CIELAB below which two colors side by side could be taken for one.
ALIKE = 10


def linear(color: str) -> torch.Tensor:
    """Return a color as linear red, green and blue."""
    parts = torch.tensor([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return torch.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(color: str, vision: torch.Tensor) -> torch.Tensor:
    """Return where a color lies in CIELAB for somebody with this vision."""
    x, y, z = (TO_XYZ @ (vision @ linear(color)).clamp(0, 1) / WHITE).clamp(min=1e-6) ** (1 / 3)
    return torch.stack((116 * y - 16, 500 * (x - y), 200 * (y - z)))


@pytest.mark.parametrize("vision", VISION)
def test_kinds_can_be_told_apart(vision: str) -> None:
    """No two meanings have colors that look alike, with any color vision."""
    seen = {name: lab(getattr(colors, name), VISION[vision]) for name in KINDS}
    distances = {pair: float((seen[pair[0]] - seen[pair[1]]).norm()) for pair in combinations(KINDS, 2)}
    closest = min(distances, key=distances.get)
    assert distances[closest] > ALIKE, (closest, distances[closest])


@pytest.mark.parametrize("color", colors.SERIES)
def test_curves_stand_out_from_the_page(color: str) -> None:
    """A curve has a contrast of 3 to 1 to white, as WCAG 2.1 asks for graphics."""
    luminance = float(linear(color) @ TO_XYZ[1])
    assert 1.05 / (luminance + 0.05) >= 3


def test_every_meaning_is_written_down() -> None:
    """The docstring of the palette names each color."""
    assert all(f"``{name}``" in colors.__doc__ for name in (*KINDS, "SERIES", "SCALE"))


@pytest.mark.parametrize(
    ("name", "color"),
    [
        ("key, transposed", colors.KEY),
        ("queries", colors.QUERY),
        ("W_value", colors.VALUE),
        ("the inputs", colors.INPUT),
        ("scaled scores", colors.SCORES),
        ("shares", colors.WEIGHTS),
        ("mixtures", colors.CONTEXT),
        ("keyboard", None),
        ("yours", None),
    ],
)
def test_name_tells_the_kind(name: str, color: str | None) -> None:
    """Names of the chapters, with a letter, a number or a word beside them."""
    assert colors.kind_color(name) == color
