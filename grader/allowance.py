"""How long something may take: what it computes counts, not what a busy machine makes it wait."""

import contextlib
import math
import os
import time
from collections.abc import Callable

PROCESSORS = os.cpu_count() or 1
# Of the time that passed: who computes less than this sleeps, however busy the machine is.
ASLEEP = 0.01
# How much longer each process that wants a processor makes the others wait: some go before a learner's code.
PATIENCE = 2.0


def stretched(seconds: float) -> float:
    """Return how long a process may be waited for that needs a processor for so many seconds.

    Without end where the system does not tell its load, as old C libraries cannot in a learner's process: the
    trusted side watches there, which can.
    """
    try:
        load, _, _ = os.getloadavg()
    except OSError:
        return math.inf
    return seconds * (1 + PATIENCE * load / PROCESSORS)


class Allowance:
    """So many seconds of processor time, or of sleep.

    Time in which a process neither computes nor sleeps is the machine's, which has others to serve. On the
    clocks that looks like sleep. So who computes next to nothing sleeps; all others have as much more time as
    the machine's load explains.

    Args:
        seconds: how many.
        clock: processor seconds that what is watched has used so far, in all its threads.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.process_time) -> None:
        self._seconds, self._clock = seconds, clock
        self._began, self._before = time.monotonic(), clock()

    def left(self) -> float:
        """Return for how many seconds it lasts at least: none, or less, if it is used up."""
        passed, computed = time.monotonic() - self._began, self._clock() - self._before
        lasts = self._seconds
        if passed > lasts and computed > ASLEEP * passed:
            lasts = stretched(lasts)
        return min((self._seconds - computed) / PROCESSORS, lasts - passed)


class ProcessClock:
    """The processor seconds of processes that come one after the other, all their threads together."""

    def __init__(self, process: int | None = None) -> None:
        self._past, self._now = 0.0, 0.0
        self.follow(process)

    def follow(self, process: int | None) -> None:
        """Go on with another process; with none, where the system tells of none, with all that passes."""
        self._past, self._now = self._past + self._now, 0.0
        # Linux numbers the clocks of all processes in this way.
        self._clock = time.CLOCK_MONOTONIC if process is None else ~process << 3 | 2
        self._began = time.clock_gettime(self._clock) if process is None else 0.0

    def __call__(self) -> float:
        """Return the seconds so far; of a process that is gone, those that it had when last looked at."""
        with contextlib.suppress(OSError):
            self._now = time.clock_gettime(self._clock) - self._began
        return self._past + self._now
