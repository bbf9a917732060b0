"""Measure grading a very large class, here and over Dask; ``make bench-scale`` runs it (as root, on Linux).

The same classes, of several chapters, are graded by as many processes here as there are processors, then on
one worker with one process and on two such workers. Each worker is in a network namespace of its own, so that
only its connection to the scheduler is shared. In a last run one of two workers is killed in the middle. All
scores are compared with those that the class should get. On the class that was graded here, ``grader regrade
--changed`` is measured, too.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from nbgrader.api import Gradebook
from rich.console import Console
from rich.table import Table

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS
from grader.grading.sample_class import write_class
from tests.benchmarks.grading import ENVIRONMENT, GRADE, REPOSITORY, compose, memory_of

STEMS = ("ch02_dot_product_attention", "ch04_self_attention", "ch05_causal_attention")
GRADER = (sys.executable, "-c", GRADE)
BRIDGE, NETWORK, PORT = "graderbench", "10.213.7", 8786
# Seconds between two looks at the memory, where a run is short or long, and for a worker to come up.
SOON, LOOK, PATIENCE = 0.5, 10.0, 120.0
# Parts of the time at which the memory is shown.
TENTHS = (1, 3, 5, 7, 9)


@dataclass
class Machine:
    """A process of the cluster, and the memory that it and all below it have had, in MiB."""

    name: str
    process: subprocess.Popen
    memory: list[float] = field(default_factory=list)

    def look(self) -> None:
        """Look at its memory, while it is there."""
        if self.process.poll() is None:
            self.memory.append(memory_of(psutil.Process(self.process.pid)))

    def marks(self) -> list[str]:
        """Return the memory at some parts of the time, and at most."""
        seen = self.memory or [0.0]
        marks = [seen[len(seen) * part // 10] for part in TENTHS]
        return [*(f"{one:.0f}" for one in marks), f"at most {max(seen):.0f}"]


def run(*command: str) -> None:
    """Run a command that has to succeed."""
    subprocess.run(command, check=True, capture_output=True)


@contextmanager
def network(workers: int) -> Iterator[list[str]]:
    """Make a bridge, and for each worker a network namespace that reaches it alone; return their names."""
    names = [f"{BRIDGE}{number}" for number in range(workers)]
    run("ip", "link", "add", BRIDGE, "type", "bridge")
    try:
        run("ip", "addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")
        for number, name in enumerate(names):
            run("ip", "netns", "add", name)
            run("ip", "link", "add", f"gb{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
            run("ip", "link", "set", f"gb{number}", "master", BRIDGE, "up")
            inside = ("ip", "-n", name)
            run(*inside, "addr", "add", f"{NETWORK}.{number + 2}/24", "dev", "eth0")
            run(*inside, "link", "set", "eth0", "up")
            run(*inside, "link", "set", "lo", "up")
        yield names
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "delete", BRIDGE], check=False, capture_output=True)


@contextmanager
def started(name: str, folder: Path, command: Sequence[str]) -> Iterator[Machine]:
    """Start a process with a log in a folder, and end it and what it has started."""
    with (folder / f"{name}.log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=ENVIRONMENT, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield Machine(name, process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def await_line(path: Path, part: str) -> None:
    """Wait until a log has a text in it."""
    deadline = time.monotonic() + PATIENCE
    while part not in path.read_text():
        if time.monotonic() > deadline:
            sys.exit(f"{path} does not say {part!r}")
        time.sleep(0.1)


@dataclass
class Graded:
    """What grading the classes took: seconds, and the machines with their memory."""

    seconds: float = 0.0
    machines: list[Machine] = field(default_factory=list)


def grade(
    course: Path,
    options: Sequence[str],
    machines: list[Machine],
    kill_at: float = 0.0,
    command: str = "grade",
) -> Graded:
    """Grade all chapters, or regrade them; after so many seconds kill the last machine, if asked to."""
    began, graded = time.perf_counter(), Graded(machines=list(machines))
    for stem in STEMS:
        with started(f"{command}-{stem}", course, [*GRADER, command, stem, *options]) as writer:
            graded.machines.append(writer)
            looked = 0.0
            while writer.process.poll() is None:
                if kill_at and time.perf_counter() - began > kill_at:
                    os.killpg(machines[-1].process.pid, signal.SIGKILL)
                    kill_at = 0.0
                if time.perf_counter() - looked > (LOOK if command == "grade" else SOON):
                    for one in (*machines, writer):
                        one.look()
                    looked = time.perf_counter()
                time.sleep(0.05)
            if writer.process.returncode not in (0, 1):
                sys.exit(
                    f"grader {command} {stem} ended with {writer.process.returncode}; see {course}/*.log"
                )
    graded.seconds = time.perf_counter() - began
    return graded


def on_cluster(course: Path, copy: Path, workers: int, kill_at: float = 0.0) -> Graded:
    """Grade on so many workers, each with one process, its own network and its own copy of the course."""
    address = f"tcp://{NETWORK}.1:{PORT}"
    with ExitStack() as stack:
        names = stack.enter_context(network(workers))
        dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
        where = ["--host", f"{NETWORK}.1", "--port", str(PORT)]
        machines = [stack.enter_context(started("scheduler", course, [*dask, *where]))]
        for number, name in enumerate(names):
            folder = course.parent / f"{course.name}-worker-{number}"
            shutil.copytree(copy, folder)
            command = ["ip", "netns", "exec", name, *GRADER, "worker", address, "--workers", "1"]
            machines.append(stack.enter_context(started(f"worker-{number}", folder, command)))
            await_line(folder / f"worker-{number}.log", "is ready")
        return grade(course, ["--scheduler", address], machines, kill_at)


def wrong(course: Path) -> list[str]:
    """Return the students who did not get exactly what they should."""
    expected = json.loads((course / "expected.json").read_text())
    found = []
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for stem in STEMS:
            scores = {one.student.id: one.score for one in gradebook.assignment_submissions(stem)}
            entries = expected[stem].items()
            found += [f"{stem} {name}" for name, one in entries if scores.get(name) != one["score"]]
    return found


def main() -> None:
    """Make the classes, grade them in each way, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=10_000, help="of all chapters together")
    asked = parser.parse_args()
    console, each = Console(), asked.submissions // len(STEMS)
    console.print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} before the start")
    with tempfile.TemporaryDirectory() as place:
        sample, copy = Path(place) / "sample", Path(place) / "copy"
        for stem in STEMS:
            chapter = CHAPTERS[stem]
            write_class(chapter, CoursePaths(REPOSITORY), sample, compose(chapter, each, looping=False))
        shutil.copytree(sample, copy, ignore=shutil.ignore_patterns("submitted"))
        total = sum(map(len, json.loads((sample / "expected.json").read_text()).values()))
        table = Table("", "seconds", "a second", "of it", title=f"{total} of {len(STEMS)} chapters")
        rates: dict[str, float] = {}
        for name, workers in (("here", 0), ("one worker", 1), ("two workers", 2), ("one of two killed", 2)):
            course = Path(place) / name.replace(" ", "-")
            shutil.copytree(sample, course)
            kill_at = total / rates["two workers"] / 2 if "killed" in name else 0.0
            made = on_cluster(course, copy, workers, kill_at) if workers else grade(course, [], [])
            rates[name] = total / made.seconds
            share = f"{rates[name] / (workers * rates['one worker']):.2f}" if workers else ""
            table.add_row(name, f"{made.seconds:.1f}", f"{rates[name]:.2f}", share)
            for one in made.machines:
                console.print(f"{name}, {one.name}: memory {', '.join(one.marks())} MiB")
            console.print(f"{name}: {'; '.join(wrong(course)[:5]) or 'all scores are as expected'}")
            if not workers:
                again = grade(course, ["--changed"], [], command="regrade")
                most = max(max(one.memory) for one in again.machines)
                console.print(
                    f"regrade --changed, nothing to do: {again.seconds:.1f} s, at most {most:.0f} MiB"
                )
            shutil.rmtree(course)
        console.print(table)


if __name__ == "__main__":
    main()
