"""The colors that numbers are shown in."""

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
