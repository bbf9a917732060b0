"""A cluster on this machine: a scheduler and workers, each a process with a folder of its own."""

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

# Seconds after which a test gives up waiting; nothing is expected to take a tenth of it.
PATIENCE = 120.0
GRADER = (sys.executable, "-c", "from grader.cli import program; program()")


@dataclass
class Machine:
    """A process that runs until it is ended, and what it says."""

    process: subprocess.Popen
    said: queue.Queue[str] = field(default_factory=queue.Queue)

    @classmethod
    def start(cls, folder: Path, *command: str, environment: dict[str, str] | None = None) -> "Machine":
        """Start it in a folder."""
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | (environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        machine = cls(process)
        threading.Thread(target=machine._listen, daemon=True).start()
        return machine

    def _listen(self) -> None:
        with self.process.stdout as lines:
            for line in lines:
                self.said.put(line)

    def expect(self, part: str) -> str:
        """Wait for a line with a text in it, and return it."""
        while True:
            line = self.said.get(timeout=PATIENCE)
            if part in line:
                return line

    def signal(self, number: int) -> None:
        """Send a signal to it and to all that it started in its own group, as a power cut would."""
        os.killpg(self.process.pid, number)

    def end(self) -> None:
        """End it, however it is."""
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.process.wait()


@dataclass
class Machines:
    """A cluster's machines, which end with the test.

    Attributes:
        folder: where each has its own folder.
        course: what each worker has a copy of.
        environment: for all of them.
    """

    folder: Path
    course: Path
    environment: dict[str, str] = field(default_factory=dict)
    started: list[Machine] = field(default_factory=list)

    def scheduler(self, *options: str) -> tuple[Machine, str]:
        """Start a scheduler; return it with its address."""
        place = self.folder / f"scheduler-{len(self.started)}"
        place.mkdir()
        file = place / "scheduler.json"
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
        where = ["--host", "127.0.0.1", "--scheduler-file", str(file)]
        where += [] if "--port" in options else ["--port", "0"]
        machine = self._start(place, *command, *where, *options)
        until(lambda: file.is_file() and file.read_text().endswith("}"), machine)
        return machine, json.loads(file.read_text())["address"]

    def worker(self, scheduler: str, change: Callable[[Path], object] = lambda course: None) -> Machine:
        """Start a worker of two processes with its own copy of the course; return it once it is known."""
        machine = self.unregistered_worker(scheduler, change)
        machine.expect("Worker ")
        return machine

    def unregistered_worker(
        self, scheduler: str, change: Callable[[Path], object] = lambda course: None
    ) -> Machine:
        """Start a worker without waiting for it."""
        place = self.folder / f"worker-{len(self.started)}"
        shutil.copytree(self.course, place, ignore=shutil.ignore_patterns("submitted", "gradebook.db"))
        change(place)
        return self._start(place, *GRADER, "worker", scheduler, "--workers", "2", "--isolation", "none")

    def program(self, scheduler: str, text: str) -> Machine:
        """Start a Python program that gets the scheduler's address."""
        place = self.folder / f"program-{len(self.started)}"
        place.mkdir()
        return self._start(place, sys.executable, "-c", text, scheduler)

    def _start(self, place: Path, *command: str) -> Machine:
        own = {"TMPDIR": str(place)}  # a killed machine leaves there what it had
        machine = Machine.start(place, *command, environment=self.environment | own)
        self.started.append(machine)
        return machine

    def end(self) -> None:
        """End all."""
        for machine in self.started:
            machine.end()


def until(there: Callable[[], bool], machine: Machine) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not there():
        assert machine.process.poll() is None, "it has ended"
        assert time.monotonic() < deadline
        time.sleep(0.05)
