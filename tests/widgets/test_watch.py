"""A training that is watched: what is shown on the way, and what stays."""

from collections.abc import Callable

import pytest

from grader.widgets import training, watch


class Handle:
    """Collects what an output is replaced by."""

    def __init__(self) -> None:
        self.bundles: list[dict[str, str]] = []

    def update(self, bundle: dict[str, str], *, raw: bool) -> None:
        """Take the place of what was shown."""
        assert raw
        self.bundles.append(bundle)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list:
    """Return what is displayed: bundles, and the handles of those that may be replaced."""
    outputs: list = []

    def display(bundle: dict[str, str], *, raw: bool, display_id: bool = False) -> Handle | None:
        assert raw
        outputs.append(bundle)
        if not display_id:
            return None
        outputs.append(Handle())
        return outputs[-1]

    monkeypatch.setattr(training, "display", display)
    return outputs


def run(steps: int, *, interactive: bool | None, until: int | None = None) -> list[float]:
    """Run a loop that is watched, to its end or broken off."""
    losses: list[float] = []
    for step in watch(steps, losses, x="step", y="loss", alt="It falls.", interactive=interactive):
        losses.append(4.0 / (step + 1))
        if step == until:
            break
    return losses


@pytest.mark.parametrize("interactive", [False, None])
def test_where_nobody_looks_there_is_the_curve_alone(shown: list, interactive: bool | None) -> None:
    """One output at the end: the picture, its description, ten points; nothing that tells the time."""
    assert len(run(20, interactive=interactive)) == 20
    (bundle,) = shown
    assert bundle["text/plain"].startswith("It falls.\nstep     0  loss 4.00\n")
    assert '<img alt="It falls."' in bundle["text/html"]
    assert "progress" not in bundle["text/html"]


def test_the_same_losses_give_the_same_bytes(shown: list) -> None:
    """A notebook that is built twice does not differ."""
    run(5, interactive=False)
    run(5, interactive=False)
    assert shown[0] == shown[1]


def test_who_looks_sees_a_bar_and_the_curve_so_far(shown: list, monkeypatch: pytest.MonkeyPatch) -> None:
    """Live, one output is replaced again and again; what stays is what others get."""
    monkeypatch.setattr(training, "SECONDS_BETWEEN", 0.0)
    run(3, interactive=True)
    start, handle = shown
    assert '<progress value="0" max="3"' in start["text/html"]
    assert [
        f'<progress value="{done}" max="3"' in one["text/html"] for done, one in enumerate(handle.bundles, 1)
    ] == [
        True,
        True,
        True,
        False,
    ]
    assert "2 of 3 steps, loss 2.00" in handle.bundles[1]["text/plain"]
    run(3, interactive=False)
    assert handle.bundles[-1] == shown[-1]


def test_drawing_takes_little_of_the_time(shown: list) -> None:
    """A loop that takes no time is not slowed down: nothing is drawn on the way."""
    run(2000, interactive=True)
    assert len(shown[1].bundles) <= 2


def test_a_loop_that_is_broken_off_keeps_its_curve_live(shown: list) -> None:
    """Who interrupts sees how far it came."""
    run(100, interactive=True, until=4)
    assert "loss 0.80" in shown[1].bundles[-1]["text/plain"]
    assert "progress" not in shown[1].bundles[-1]["text/html"]


def test_a_loop_that_is_broken_off_shows_nothing_later(shown: list) -> None:
    """Where nothing was shown, nothing appears in whichever cell runs when Python clears up."""
    run(100, interactive=False, until=4)
    assert shown == []


def test_steps_are_counted_from_zero(shown: list) -> None:
    """The loop gets its numbers as from range."""
    numbers: Callable = lambda: list(watch(4, [1.0], x="step", y="loss", alt="-", interactive=False))  # noqa: E731
    assert numbers() == [0, 1, 2, 3]
