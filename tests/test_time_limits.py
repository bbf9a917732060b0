"""How long something may take, on clocks that are set by hand."""

import os
import signal
import subprocess
import sys
import time

import pytest

from grader import time_limits
from grader.time_limits import PATIENCE, PROCESSORS, Allowance, ProcessClock, stretched

SECONDS = 10.0


class Clocks:
    """What the time is, what was computed, and how many want a processor."""

    def __init__(self) -> None:
        self.now, self.computed, self.load = 1000.0, 50.0, 0.0

    def pass_by(self, seconds: float, computed: float) -> None:
        """Let time pass, part of it computing."""
        self.now += seconds
        self.computed += computed


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    """Return clocks that stand still."""
    made = Clocks()
    monkeypatch.setattr(time_limits.time, "monotonic", lambda: made.now)
    monkeypatch.setattr(time_limits.os, "getloadavg", lambda: (made.load, 0.0, 0.0))
    return made


def begin(clocks: Clocks) -> Allowance:
    """Return an allowance that begins now."""
    return Allowance(SECONDS, lambda: clocks.computed)


def test_who_computes_all_the_time_has_its_seconds(clocks: Clocks) -> None:
    """So much may be computed, however busy the machine is."""
    clocks.load = 100.0
    one = begin(clocks)
    clocks.pass_by(9.9, 9.9)
    assert one.left() > 0
    clocks.pass_by(0.2, 0.2)
    assert one.left() <= 0


def test_threads_compute_together(clocks: Clocks) -> None:
    """What several threads compute adds up: the time is up before it has passed."""
    one = begin(clocks)
    clocks.pass_by(5.1, 10.2)
    assert one.left() <= 0


def test_what_is_left_is_looked_at_in_time(clocks: Clocks) -> None:
    """However many processors compute, the seconds said to be left are not more than there are."""
    one = begin(clocks)
    clocks.pass_by(2, 2)
    assert one.left() == pytest.approx((SECONDS - 2) / PROCESSORS)


@pytest.mark.parametrize("load", [0.0, 100.0])
def test_who_sleeps_has_its_seconds(clocks: Clocks, load: float) -> None:
    """Sleep is told from waiting for a processor: nothing at all is computed."""
    clocks.load = load
    one = begin(clocks)
    clocks.pass_by(9.9, 0.005)
    assert one.left() > 0
    clocks.pass_by(0.2, 0.0)
    assert one.left() <= 0


def test_busy_machine_costs_nothing(clocks: Clocks) -> None:
    """Who gets a sixteenth of a processor, because ten others want it, computes all that may be computed."""
    clocks.load = 5.0 * PROCESSORS
    one = begin(clocks)
    clocks.pass_by(100, 100 / 16)
    assert one.left() > 0
    clocks.pass_by(100, 100 / 16)
    assert one.left() <= 0


def test_dozing_on_an_idle_machine_is_no_way_to_stay(clocks: Clocks) -> None:
    """Who computes a little now and then, though the machine has nothing else to do, is not waited for."""
    one = begin(clocks)
    clocks.pass_by(10.1, 1.0)
    assert one.left() <= 0


def test_load_stretches(clocks: Clocks) -> None:
    """With as many others as processors, it takes longer by the patience."""
    assert stretched(3.0) == 3.0
    clocks.load = float(PROCESSORS)
    assert stretched(3.0) == 3.0 * (1 + PATIENCE)


def test_system_that_does_not_tell_its_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the load is not known in a process, that is for others to end."""

    def unknown() -> tuple[float, float, float]:
        raise OSError

    monkeypatch.setattr(time_limits.os, "getloadavg", unknown)
    assert stretched(3.0) == float("inf")


def spinning() -> subprocess.Popen:
    """Return a process that computes without end."""
    return subprocess.Popen([sys.executable, "-c", "while True: pass"])


def computed_by(process: subprocess.Popen, clock: ProcessClock, seconds: float) -> float:
    """Wait until a clock has gone on by so much, end the process, and return what the clock shows."""
    before = clock()
    while clock() - before < seconds:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    return clock()


def test_clock_shows_what_processes_compute() -> None:
    """It goes on with the next process, stands still while that is stopped, and keeps what the first had."""
    first, second = spinning(), spinning()
    clock = ProcessClock(first.pid)
    shown = computed_by(first, clock, 0.1)
    os.kill(second.pid, signal.SIGSTOP)
    os.waitpid(second.pid, os.WUNTRACED)
    clock.follow(second.pid)
    stopped = clock()
    assert clock() == stopped >= shown >= 0.1
    os.kill(second.pid, signal.SIGCONT)
    assert computed_by(second, clock, 0.1) >= shown + 0.1


def test_without_a_process_all_time_counts() -> None:
    """Where no process is known, the clock shows what has passed."""
    clock, before = ProcessClock(), time.monotonic()
    time.sleep(0.02)
    assert 0.02 <= clock() <= time.monotonic() - before + 0.01
