"""Time limits in processor time: computing counts, waiting for a busy machine does not."""

import contextlib
import math
import os
import time
from collections.abc import Callable

# Default limit of a check in a notebook, for all cases of an exercise together, and of a cell in the sandbox.
# A right answer needs about ten milliseconds.
CHECK_SECONDS = 10
PROCESSORS = os.cpu_count() or 1
# Share of elapsed time: a process that computes less than this is taken to be sleeping, however busy the
# machine is.
ASLEEP = 0.01
# Factor by which each runnable process delays the others; some have priority over a learner's code.
PATIENCE = 2.0


def stretched(seconds: float) -> float:
    """Return the wall time, in seconds, to allow a process that needs so many seconds of processor time.

    Infinite where the system does not report its load (old C libraries cannot in a learner's process); the
    trusted process, which can read it, enforces the limit there.
    """
    try:
        load, _, _ = os.getloadavg()
    except OSError:
        return math.inf
    return seconds * (1 + PATIENCE * load / PROCESSORS)


class Allowance:
    """A time limit in seconds of processor time or sleep.

    Time in which a process neither computes nor sleeps is spent waiting for a processor. The clocks cannot
    distinguish that from sleep. So a process that computes next to nothing counts as sleeping; every other
    one gets as much more time as the machine's load explains.

    Args:
        seconds: how many.
        clock: returns the processor seconds that the watched process has used so far, in all its threads.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.process_time) -> None:
        self._seconds, self._clock = seconds, clock
        self._began, self._before = time.monotonic(), clock()

    def left(self) -> float:
        """Return the least number of seconds that remain; zero or negative once it is used up."""
        passed, computed = time.monotonic() - self._began, self._clock() - self._before
        lasts = self._seconds
        if passed > lasts and computed > ASLEEP * passed:
            lasts = stretched(lasts)
        return min((self._seconds - computed) / PROCESSORS, lasts - passed)


class ProcessClock:
    """Total processor seconds of consecutive processes, all threads included."""

    def __init__(self, process: int | None = None) -> None:
        self._past, self._now = 0.0, 0.0
        self.follow(process)

    def follow(self, process: int | None) -> None:
        """Continue with another process; without one (the system cannot tell it), count elapsed time."""
        self._past, self._now = self._past + self._now, 0.0
        # Linux numbers the clocks of all processes in this way.
        self._clock = time.CLOCK_MONOTONIC if process is None else ~process << 3 | 2
        self._began = time.clock_gettime(self._clock) if process is None else 0.0

    def __call__(self) -> float:
        """Return the seconds so far; for a process that has ended, those at the last reading."""
        with contextlib.suppress(OSError):
            self._now = time.clock_gettime(self._clock) - self._began
        return self._past + self._now
