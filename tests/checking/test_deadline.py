"""The time limit."""

import contextlib
import signal
import threading
import time

import pytest

from grader.checking.deadline import DELICATE, TimeLimitExceededError, in_between, sheltered, time_limit

SECONDS = 0.3
# Longer than the limit: what begins within it is still at work when the time is up.
LONGER = 0.5


def loop_forever() -> None:
    """Never return."""
    while True:
        pass


def test_endless_loop_is_interrupted() -> None:
    """A loop that never ends is interrupted."""
    with pytest.raises(TimeLimitExceededError), time_limit(SECONDS):
        loop_forever()


def test_except_exception_does_not_swallow_the_limit() -> None:
    """A learner's ``except Exception`` around the loop does not swallow the interruption."""
    with pytest.raises(TimeLimitExceededError), time_limit(SECONDS):
        try:
            loop_forever()
        except Exception:  # noqa: BLE001 - that is what is tested
            loop_forever()


def test_swallowed_limit_is_noticed() -> None:
    """Code that swallows the interruption and goes on to its end was still too slow."""
    swallowed = contextlib.suppress(TimeLimitExceededError)
    with pytest.raises(TimeLimitExceededError), time_limit(SECONDS), swallowed:
        loop_forever()


def test_timer_is_off_afterwards() -> None:
    """A block that ends in time leaves no timer running."""
    with time_limit(SECONDS):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_timer_is_off_after_an_error() -> None:
    """A block that raises leaves no timer running."""
    with pytest.raises(ZeroDivisionError), time_limit(SECONDS):
        _ = 1 / 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_signal_handler_is_put_back() -> None:
    """The learner's own handler of the alarm signal is there again afterwards."""
    own = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        with time_limit(SECONDS):
            pass
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, own)


def test_other_threads_run_without_a_limit() -> None:
    """Outside the main thread the block just runs."""
    ran = []

    def block() -> None:
        with time_limit(SECONDS):
            ran.append(signal.getitimer(signal.ITIMER_REAL))

    thread = threading.Thread(target=block)
    thread.start()
    thread.join()
    ((left, _),) = ran
    assert not 0 < left <= SECONDS  # the test's own limit is longer


def test_shelter_puts_an_interruption_off() -> None:
    """What is sheltered is finished, though the time ran out in it; then the block is interrupted."""
    done = []
    with pytest.raises(TimeLimitExceededError), time_limit(SECONDS):
        with sheltered():
            time.sleep(LONGER)
            done.append("sheltered")
        time.sleep(5)
        done.append("after")
    assert done == ["sheltered"]


def test_block_in_a_shelter_may_be_opened() -> None:
    """Within a shelter, a block that is opened again is interrupted, and the shelter is left in order."""
    with pytest.raises(TimeLimitExceededError), time_limit(SECONDS), sheltered(), sheltered(False):
        time.sleep(5)
    with pytest.raises(TimeLimitExceededError), time_limit(SECONDS):
        time.sleep(5)


@pytest.mark.parametrize("path", sorted(DELICATE))
def test_torchs_bookkeeping_is_finished(path: str) -> None:
    """Code that keeps torch's stack of modes is not interrupted; what calls it is, soon after."""
    done, source = [], "while time.monotonic() < end: pass\ndone.append('finished')"
    program = compile(source, path, "exec")
    names = {"time": time, "done": done, "end": time.monotonic() + LONGER}
    with pytest.raises(TimeLimitExceededError), time_limit(SECONDS):
        exec(program, names)
        time.sleep(5)
        done.append("after")
    assert done == ["finished"]


def test_profiler_in_torchs_bookkeeping_is_finished() -> None:
    """What runs in between other code is interrupted where that would be."""
    done, end = [], time.monotonic() + LONGER
    program = compile("profiler()\ndone.append('finished')", min(DELICATE), "exec")

    @in_between
    def profiler() -> None:
        while time.monotonic() < end:
            pass

    with pytest.raises(TimeLimitExceededError), time_limit(SECONDS):
        exec(program, locals())
        time.sleep(5)
    assert done == ["finished"]
    with pytest.raises(TimeLimitExceededError), time_limit(SECONDS):
        end = time.monotonic() + 5
        profiler()
