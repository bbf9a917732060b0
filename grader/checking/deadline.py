"""A time limit on code that runs in this process."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

from grader.private_api.pytorch import FILES_OF_MODES
from grader.time_limits import PROCESSORS, Allowance

# Seconds between further interruptions of code that swallowed the first.
AGAIN = 0.2
# Seconds until the next try if an interruption came at an unsafe moment.
SOON = 0.001
# Code that must not be interrupted: one of torch's modes could stay removed, or be restored much later.
DELICATE = frozenset((contextlib.__file__, *FILES_OF_MODES))

# Code that runs between any other code, such as a profiler.
BETWEEN: set[CodeType] = set()

_sheltered = False


class TimeLimitExceededError(BaseException):
    """Raised in the learner's code when its time is up.

    No ``Exception``, so that a learner's ``except Exception`` does not swallow it.
    """


def in_between(function: Callable) -> Callable:
    """Mark a function that runs between other code: an interruption there is meant for that code."""
    BETWEEN.add(function.__code__)
    return function


class sheltered:
    """Let no time limit interrupt the block: an interruption due waits for the next one after it.

    For actions that must complete, such as entering and leaving one of torch's modes. With False, a nested
    block may be interrupted again. Not written as a generator: one that is interrupted on exit would restore
    an old state whenever it is garbage-collected.
    """

    def __init__(self, shelter: bool = True) -> None:
        self._shelter = shelter
        self._before = False

    def __enter__(self) -> None:
        """Begin the block."""
        global _sheltered
        self._before, _sheltered = _sheltered, self._shelter

    def __exit__(self, *_: object) -> None:
        """End the block."""
        global _sheltered  # noqa: PLW0603
        _sheltered = self._before


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrupt the block when it has computed, or slept, for so many ``seconds``.

    Works in the main thread of systems that have interval timers (Linux, macOS), which is where a notebook
    runs its cells; elsewhere the block runs without a limit, and the learner interrupts the kernel by hand.

    Raises:
        TimeLimitExceededError: the time ran out.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    fired, allowance = False, Allowance(seconds)

    def interrupt(signum: int, frame: FrameType | None) -> None:
        nonlocal fired
        if not fired and (left := allowance.left()) > 0:
            signal.setitimer(signal.ITIMER_REAL, max(left, SOON), AGAIN)
            return
        fired = True
        while frame is not None and frame.f_code in BETWEEN:
            frame = frame.f_back
        if frame is not None and frame.f_code.co_filename in DELICATE:
            signal.setitimer(signal.ITIMER_REAL, SOON, AGAIN)
        elif not _sheltered:
            raise TimeLimitExceededError

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds / PROCESSORS, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    if fired:  # the learner's code swallowed it
        raise TimeLimitExceededError
