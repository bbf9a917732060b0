"""A time limit on code that runs in this process."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Seconds between further interruptions of code that swallowed the first.
AGAIN = 0.2

_sheltered = False


class TimeLimitExceededError(BaseException):
    """Raised in the learner's code when its time is up.

    No ``Exception``, so that a learner's ``except Exception`` does not swallow it.
    """


@contextmanager
def sheltered(shelter: bool = True) -> Iterator[None]:
    """Let no time limit interrupt the block: an interruption due waits for the next one after it.

    For what must not be left half done, such as entering and leaving one of torch's modes. With False, a
    block inside may be interrupted again.
    """
    global _sheltered  # noqa: PLW0603 - the signal's handler has nothing else to ask
    before, _sheltered = _sheltered, shelter
    try:
        yield
    finally:
        _sheltered = before


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrupt the block after ``seconds``.

    Works in the main thread of systems that have interval timers (Linux, macOS), which is where a notebook
    runs its cells; elsewhere the block runs without a limit, and the learner interrupts the kernel by hand.

    Raises:
        TimeLimitExceededError: the time ran out.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    fired = False

    def interrupt(signum: int, frame: object) -> None:
        nonlocal fired
        fired = True
        if not _sheltered:
            raise TimeLimitExceededError

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    if fired:  # the learner's code swallowed it
        raise TimeLimitExceededError
