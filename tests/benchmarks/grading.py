"""Measure grading a class, `grader grade` against stock nbgrader; ``make bench-grading`` runs it.

Both grade the same sample class from a clean state, gradebook and feedback included, one after the other in
one run, and their scores are compared. Stock nbgrader runs the notebooks' own ``check`` in a kernel, as it
comes; this course's plug-ins are taken out of its configuration.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from nbgrader.api import Gradebook
from rich.console import Console
from rich.table import Table

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, Chapter
from grader.grading.sample_class import BLANK, LEFT_OUT, Choice, write_class
from grader.proving.bank import Answer, bank_path, read_bank

REPOSITORY = Path(__file__).resolve().parents[2]
CHAPTER = CHAPTERS["ch04_self_attention"]
# Of forty submissions.
KINDS = {"right": 24, "mistaken": 12, "blank": 2, "raising": 1, "looping": 1}
SECONDS = 5
# Seconds between two looks at the memory. Looking slows down what is looked at: where the time is measured,
# looks are rare.
LOOK, RARELY = 0.5, 5.0
STOCK = f"""
del c.Autograde
c.ExecutePreprocessor.timeout = {SECONDS}
"""
# nbgrader calls alembic, which is beside the interpreter.
ENVIRONMENT = os.environ | {
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "PYTHONPATH": str(REPOSITORY),
}
RAISING = Answer("raising", ("raises",), "", 'raise RuntimeError("on purpose")')
LOOPING = Answer("looping", ("too-slow",), "", "while True:\n    pass")


@dataclass
class Measured:
    """What some commands took: wall and CPU time of all their processes, and memory over time."""

    wall: float = 0.0
    cpu: float = 0.0
    memory: list[float] = field(default_factory=list)

    @property
    def peak(self) -> float:
        """The most memory, in MiB."""
        return max(self.memory)


def compose(chapter: Chapter, students: int, looping: bool) -> Iterator[tuple[str, list[Choice]]]:
    """Yield students of each kind, as many as their share of the class; at least one that loops."""
    randomness = random.Random(0)
    banks = {one.id: read_bank(bank_path(REPOSITORY / "solutions", one)) for one in chapter.exercises}
    total, number = sum(KINDS.values()), 0
    for kind, share in KINDS.items():
        many = max(1, round(share * students / total))
        for _ in range(many if kind != "looping" or looping else 0):
            number += 1
            yield f"student-{number:05}", _choices(chapter, kind, banks, randomness)


def _choices(
    chapter: Chapter, kind: str, banks: dict[str, tuple[Answer, ...]], randomness: random.Random
) -> list[Choice]:
    """Return a student's answers: all right, but for one exercise or all of the kind's own."""
    others = {"blank": BLANK, "raising": RAISING, "looping": LOOPING}
    odd = randomness.choice(chapter.exercises)
    choices = []
    for one in chapter.exercises:
        usable = [answer for answer in banks[one.id] if not set(answer.diagnosis) & set(LEFT_OUT)]
        if kind in others and one is not odd:  # nor does another cell answer what is left open
            named = re.compile(rf"\b{odd.subject}\b")
            usable = [answer for answer in usable if not named.search(answer.program)]
        answer = randomness.choice([answer for answer in usable if answer.correct])
        if kind == "blank" or (kind in others and one is odd):
            answer = others[kind]
        elif kind == "mistaken" and one is odd:
            answer = randomness.choice([answer for answer in usable if not answer.correct])
        choices.append(Choice(one, answer))
    return choices


def memory_of(process: psutil.Process) -> float:
    """Return the MiB of a process and all below it, pages that several share counted once."""
    total = 0
    for one in (process, *process.children(recursive=True)):
        try:
            total += one.memory_full_info().pss
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue  # it has just ended
    return total / 2**20


def measure(folder: Path, *commands: list[str], look: float = RARELY) -> Measured:
    """Run commands in a folder, one after the other."""
    measured = Measured()
    for command in commands:
        started = time.perf_counter()
        with (folder / "log.txt").open("a") as log:
            process = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=log, stderr=log)
            watched = psutil.Process(process.pid)
            looked = 0.0
            while True:
                ended, status, used = os.wait4(process.pid, os.WNOHANG)
                if ended:
                    break
                if time.perf_counter() - looked > look:
                    measured.memory.append(memory_of(watched))
                    looked = time.perf_counter()
                time.sleep(0.01)
        process.returncode = os.waitstatus_to_exitcode(status)
        measured.wall += time.perf_counter() - started
        measured.cpu += used.ru_utime + used.ru_stime
        if process.returncode not in (0, 1):  # 1: some submissions are errors
            sys.exit(f"{command} ended with status {process.returncode}; see {folder / 'log.txt'}")
    return measured


GRADE = "import sys; from grader.cli import program; sys.argv[0] = 'grader'; program()"


def ours(folder: Path, look: float = RARELY) -> Measured:
    """Grade with `grader grade`."""
    command = [sys.executable, "-c", GRADE, "grade", CHAPTER.stem, "--seconds", str(SECONDS)]
    return measure(folder, command, look=look)


def stock(folder: Path) -> Measured:
    """Grade with stock nbgrader."""
    with CoursePaths(folder).config.open("a") as config:
        config.write(STOCK)
    nbgrader = [sys.executable, "-m", "nbgrader"]
    release = [*nbgrader, "generate_assignment", CHAPTER.stem]
    subprocess.run(release, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)
    return measure(
        folder, [*nbgrader, "autograde", CHAPTER.stem], [*nbgrader, "generate_feedback", CHAPTER.stem]
    )


def scores(folder: Path) -> dict[str, float]:
    """Return the scores in a gradebook, by student."""
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        submissions = gradebook.assignment_submissions(CHAPTER.stem)
        return {one.student.id: one.score for one in submissions}


def differing(folder: Path) -> Iterator[str]:
    """Yield the students whose scores differ between the two, or from what they should score."""
    mine, theirs = scores(folder / "ours"), scores(folder / "stock")
    for student, entry in json.loads((folder / "ours" / "expected.json").read_text())[CHAPTER.stem].items():
        found = mine.get(student), theirs.get(student)
        if found != (entry["score"],) * 2:
            yield f"{student}: {entry['score']} expected, {found[0]} by grader grade, {found[1]} by nbgrader"


def compare(place: Path, students: int, looping: bool) -> None:
    """Measure both on the same class and print the ratios."""
    folder = place / f"compared-{looping}"
    write_class(CHAPTER, CoursePaths(REPOSITORY), folder / "ours", compose(CHAPTER, students, looping))
    shutil.copytree(folder / "ours", folder / "stock")
    shutil.copytree(folder / "ours", folder / "watched")
    handed_in = len(json.loads((folder / "ours" / "expected.json").read_text())[CHAPTER.stem])
    first, second = ours(folder / "ours"), stock(folder / "stock")
    title = f"{handed_in} submissions, {'one an endless loop' if looping else 'no endless loop'}"
    table = Table("", "grader grade", "stock nbgrader", "ratio", title=title)
    for name, unit, mine, theirs in (
        ("wall time", "s", first.wall, second.wall),
        ("CPU time", "s", first.cpu, second.cpu),
        ("a submission", "s", first.wall / handed_in, second.wall / handed_in),
        ("peak memory", "MiB", ours(folder / "watched", LOOK).peak, second.peak),
    ):
        table.add_row(name, f"{mine:.2f} {unit}", f"{theirs:.2f} {unit}", f"1/{theirs / mine:.1f}")
    Console().print(table)
    Console().print("\n".join(differing(folder)) or "All scores are as expected, by both.")


def many(place: Path, students: int) -> None:
    """Measure `grader grade` alone on a large class."""
    folder = place / "many"
    write_class(CHAPTER, CoursePaths(REPOSITORY), folder, compose(CHAPTER, students, looping=False))
    measured, again = ours(folder), ours(folder)
    marks = [measured.memory[len(measured.memory) * part // 10] for part in (2, 4, 6, 8)]
    Console().print(
        f"{students} submissions: {measured.wall:.1f} s, {students / measured.wall:.2f} a second; "
        f"CPU {measured.cpu:.1f} s; memory at a fifth, two, three and four fifths of the time: "
        f"{', '.join(f'{one:.0f}' for one in marks)} MiB, at most {measured.peak:.0f} MiB.\n"
        f"Again, with nothing changed: {again.wall:.1f} s."
    )


def main() -> None:
    """Run the measurements that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("compare", "many"), help="do this part alone")
    parser.add_argument("--students", type=int, default=40, help="submissions to compare on")
    parser.add_argument("--many", type=int, default=1000, help="submissions of the large class")
    asked = parser.parse_args()
    console = Console()
    console.print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} before the start")
    with tempfile.TemporaryDirectory() as place:
        if asked.only != "many":
            for looping in (True, False):
                compare(Path(place), asked.students, looping)
        if asked.only != "compare":
            many(Path(place), asked.many)


if __name__ == "__main__":
    main()
