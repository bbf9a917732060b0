"""``watch``: the steps of a training, with a progress bar and a loss curve that grow while somebody looks."""

import time
from collections.abc import Iterator, Sequence
from html import escape

from IPython.display import DisplayHandle, display

from grader.interactive import in_interactive_notebook
from grader.messages import message
from grader.messages.speaking import said

# Drawing takes a tenth of a second: more often would slow the training down.
SECONDS_BETWEEN = 1.0


def watch(
    steps: int, losses: Sequence[float], *, x: str, y: str, alt: str, interactive: bool | None = None
) -> Iterator[int]:
    """Yield the numbers of the steps, and show the losses that the loop collects.

    Where somebody has the notebook open, a progress bar and the curve so far are drawn anew every second.
    Where a program runs it, nothing is drawn on the way. At the end there is the curve alone, as any figure
    of the course: a picture with its description and ten of its points.

    Args:
        steps: how many.
        losses: a list to which the loop appends a number in each step.
        x: name of the horizontal axis.
        y: name of the vertical axis.
        alt: what a reader should see in the finished curve.
        interactive: whether to draw on the way; by default, whether somebody is there.

    Example:
        >>> losses = []
        >>> for step in watch(100, losses, x="step", y="loss", alt="A curve that falls."):
        ...     losses.append(train_on(step))
    """
    live = in_interactive_notebook() if interactive is None else interactive
    handle = display(_waiting(steps), raw=True, display_id=True) if live else None
    started = shown = time.monotonic()
    try:
        for step in range(steps):
            yield step
            now = time.monotonic()
            if handle and now - shown >= SECONDS_BETWEEN:
                _update(handle, step + 1, steps, losses, (x, y), now - started)
                shown = time.monotonic()
    except GeneratorExit:
        # Python may say so long after, when another cell runs: only what is shown already is replaced.
        if handle and losses:
            handle.update(_curve(losses, x, y, alt), raw=True)
        raise
    if handle:
        handle.update(_curve(losses, x, y, alt), raw=True)
    else:
        display(_curve(losses, x, y, alt), raw=True)


def _bar(done: int, steps: int, more: str = "") -> str:
    """Return a progress bar as HTML."""
    text = escape(f"{_progress(done, steps)}{more}")
    return f'<progress value="{done}" max="{steps}" aria-label="{text}"></progress> {text}'


def _progress(done: int, steps: int) -> str:
    return said(message("{done} of {steps} steps", done=done, steps=steps))


def _waiting(steps: int) -> dict[str, str]:
    return {"text/plain": _progress(0, steps), "text/html": _bar(0, steps)}


def _update(
    handle: DisplayHandle,
    done: int,
    steps: int,
    losses: Sequence[float],
    axes: tuple[str, str],
    seconds: float,
) -> None:
    """Show how far the loop has come."""
    # Drawn only where it is asked for: at grading the course's pictures are left out.
    from grader.figures.curves import drawn_curve  # noqa: PLC0415
    from grader.figures.shown import described  # noqa: PLC0415

    left = round(seconds / done * (steps - done))
    last = f", {axes[1]} {losses[-1]:.2f}" if losses else ""
    text = f"{_progress(done, steps)}{last}"
    bundle = described(drawn_curve(losses, *axes, steps=steps), text, "")
    ahead = said(message("about {seconds} s left", seconds=left))
    bar = _bar(done, steps, f"{last}, {ahead}")
    handle.update({"text/plain": text, "text/html": f"{bar}<br>{bundle['text/html']}"}, raw=True)


def _curve(losses: Sequence[float], x: str, y: str, alt: str) -> dict[str, str]:
    """Return the curve alone."""
    from grader.figures.curves import curve_text, drawn_curve  # noqa: PLC0415 - as above
    from grader.figures.shown import described  # noqa: PLC0415

    return described(drawn_curve(losses, x, y), alt, curve_text(losses, x, y))
