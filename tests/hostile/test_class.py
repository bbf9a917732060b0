"""A class of which a third is hostile: the others' results are those of a class without them."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from grader.course.paths import CONFIG, CoursePaths
from grader.exercises import CHAPTERS
from tests.hostile.attacks import ALL
from tests.hostile.attacks.attack import LAST, V1, V2
from tests.hostile.harness import Notebooks, content_of

STEM = "ch04_self_attention"
CHAPTER = CHAPTERS[STEM]
FULL = sum(one.points for one in CHAPTER.exercises)
COMMAND = "import sys; from grader.cli import program; sys.argv[0] = 'grader'; program()"
TRAP = "raise SystemExit('a file beside a submission was imported')"
# Seconds for a cell; and far more than the class takes.
SECONDS, AT_MOST = 2, 400

HOSTILE = (
    "a-input-transformer",
    "a-exit-in-the-cell",
    "b-class-by-path",
    "d-shadow-modules",
    "e-every-process-killed",
    "e-process-that-stays",
    "f-sends-header-deep",
    "g-loop-that-ignores-signals",
    "g-memory",
)


def handed_in(course: Path, student: str) -> Path:
    """Return the folder of a student's submission, made."""
    folder = course / "submitted" / student / STEM
    folder.mkdir(parents=True)
    return folder


@dataclass(frozen=True)
class Expectation:
    """What a student should get: a status, and points where they are certain."""

    status: str
    score: float | None


def hand_in_honest(course: Path, notebooks: Notebooks) -> dict[str, Expectation]:
    """Hand in for honest students, with all kinds of marks."""
    wrong = {name: notebooks.answers(name)["missing-scale"].program for name in (V1, V2, LAST)}
    chosen = {
        "amy": ({}, FULL),
        "bob": ({V1: wrong[V1]}, FULL - 3),
        "eve-honest": ({V2: wrong[V2]}, FULL - 3),
        "mia": ({}, FULL),
        "noa": (wrong, 2),
        "zoe": ({LAST: ""}, FULL - 4),
    }
    for student, (sources, _) in chosen.items():
        content = content_of(notebooks.answered(STEM, sources))
        (handed_in(course, student) / f"{STEM}.ipynb").write_bytes(content)
    return {student: Expectation("graded", score) for student, (_, score) in chosen.items()}


def hand_in_hostile(course: Path, notebooks: Notebooks) -> dict[str, Expectation]:
    """Hand in attacks by what a notebook does, and by what a submission's folder is."""
    wanted = {}
    for name in HOSTILE:
        student = f"evil-{name}"
        (handed_in(course, student) / f"{STEM}.ipynb").write_bytes(content_of(notebooks.attack(ALL[name])))
        spoilt = bool(ALL[name].spoils)
        wanted[student] = Expectation("graded", None if spoilt else FULL - 3)
    right = content_of(notebooks.answered(STEM))

    traps = handed_in(course, "evil-traps")
    (traps / f"{STEM}.ipynb").write_bytes(right)
    for name in ("torch", "numpy", "grader", "sitecustomize", "usercustomize", "conftest", "json"):
        (traps / f"{name}.py").write_text(TRAP)
    (traps / "evil.pth").write_text(f"import sys; {TRAP}")
    (traps / CONFIG).write_text(TRAP)
    (traps / "gradebook.db").write_text("no database")
    wanted["evil-traps"] = Expectation("graded", FULL)

    (handed_in(course, "evil-link") / f"{STEM}.ipynb").symlink_to("/etc/passwd")
    thief = handed_in(course, "evil-thief") / f"{STEM}.ipynb"
    thief.symlink_to(course / "submitted" / "amy" / STEM / f"{STEM}.ipynb")
    (course / "submitted" / "evil-folder").symlink_to(course / "submitted" / "amy")
    os.mkfifo(handed_in(course, "evil-pipe") / f"{STEM}.ipynb")
    (handed_in(course, "evil-directory") / f"{STEM}.ipynb").mkdir()
    (handed_in(course, "evil-empty") / f"{STEM}.ipynb").write_bytes(b"")
    (handed_in(course, "evil-deep") / f"{STEM}.ipynb").write_bytes(b"[" * 10**6)
    handed_in(course, "evil-nothing")
    names = ("link", "thief", "folder", "pipe", "directory", "empty", "deep", "nothing")
    wanted |= {f"evil-{name}": Expectation("error", None) for name in names}

    for student in (
        "<img src=x onerror=PWNED()>",
        "-rf",
        "evil..name",
        "$(touch PWNED)",
        "evil\n\x1b[2Jname",
    ):
        (handed_in(course, student) / f"{STEM}.ipynb").write_bytes(right)
        wanted[student] = Expectation("graded", FULL)
    return wanted


def made_course(folder: Path, repository: Path) -> Path:
    """Return a course folder without submissions."""
    paths = CoursePaths(repository)
    source = CoursePaths(folder).solution(CHAPTER)
    source.parent.mkdir(parents=True)
    shutil.copy(paths.config, folder)
    shutil.copy(paths.solution(CHAPTER), source)
    return folder


def grade(course: Path, workers: int) -> dict[str, dict]:
    """Grade a class from the shell and return its lines by student."""
    command = [sys.executable, "-c", COMMAND, "grade", STEM, "--course", str(course), "--json"]
    command += ["--workers", str(workers), "--seconds", str(SECONDS)]
    # In the course's folder, as an instructor would; no file of a submission may be imported from there.
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False, timeout=AT_MOST)
    assert done.returncode in (0, 1), done.stderr[-3000:]
    assert "Traceback" not in done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len({line["student"] for line in lines}) == len(lines)
    return {line.pop("student"): line for line in lines}


def comparable(line: dict) -> dict:
    """Return a student's line without what differs from run to run."""
    return {name: value for name, value in line.items() if name != "seconds"}


def gradebook_scores(course: Path) -> dict[str, float]:
    """Return what nbgrader's gradebook says."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        return {one.student.id: one.score for one in gradebook.assignment_submissions(STEM)}


@pytest.fixture(scope="module")
def hostile_class(
    tmp_path_factory: pytest.TempPathFactory, repository: Path, notebooks: Notebooks
) -> tuple[Path, dict[str, Expectation]]:
    """Return a class of honest and of hostile students, and what they should get; not graded."""
    course = made_course(tmp_path_factory.mktemp("class"), repository)
    return course, hand_in_honest(course, notebooks) | hand_in_hostile(course, notebooks)


@pytest.fixture(scope="module")
def honest_lines(
    tmp_path_factory: pytest.TempPathFactory, repository: Path, notebooks: Notebooks
) -> dict[str, dict]:
    """Return the lines of the honest students in a class of their own."""
    course = made_course(tmp_path_factory.mktemp("honest"), repository)
    hand_in_honest(course, notebooks)
    return grade(course, 2)


def test_a_third_of_the_class_is_hostile(
    hostile_class: tuple[Path, dict[str, Expectation]], honest_lines: dict[str, dict], tmp_path: Path
) -> None:
    """Everybody has one result, the honest ones theirs, with one worker or two, and the gradebook agrees."""
    made, wanted = hostile_class
    certain = [student for student, expectation in wanted.items() if expectation.score is not None]
    alike = []
    for workers in (1, 2):
        course = Path(shutil.copytree(made, tmp_path / str(workers), symlinks=True, copy_function=copy))
        lines = checked_run(course, workers, wanted)
        for student, line in honest_lines.items():
            assert comparable(lines[student]) == comparable(line)
        alike.append({student: comparable(lines[student]) for student in certain})
    assert alike[0] == alike[1]


def checked_run(course: Path, workers: int, wanted: dict[str, Expectation]) -> dict[str, dict]:
    """Grade a class, check what everybody got and what was left behind, and return the lines."""
    before = {path: path.read_bytes() for path in files_below(course / "submitted")}
    lines = grade(course, workers)
    assert set(lines) == {*wanted}
    for student, expectation in wanted.items():
        line = lines[student]
        assert line["status"] == expectation.status, (student, line["reason"])
        assert expectation.score is None or line["score"] == expectation.score, (student, line)
        assert (line["score"] is None) == (line["status"] == "error"), (student, line)
    assert gradebook_scores(course) == {student: line["score"] or 0 for student, line in lines.items()}
    assert {path: path.read_bytes() for path in files_below(course / "submitted")} == before
    names = {path.name for path in course.rglob("*PWNED*")}
    assert names <= {*wanted}
    answered = autograded_sources(course, "amy")
    for student in ("evil-link", "evil-thief"):  # what a link points at is not taken over
        assert not autograded_sources(course, student) & answered
        assert not any("root:" in source for source in autograded_sources(course, student))
    return lines


def autograded_sources(course: Path, student: str) -> set[str]:
    """Return the sources of the code cells that a learner writes in, as they were graded."""
    kept = course / "autograded" / student / STEM / f"{STEM}.ipynb"
    assert not kept.is_symlink()
    cells = json.loads(kept.read_text(encoding="utf-8"))["cells"]
    return {"".join(cell["source"]) for cell in cells if cell["metadata"].get("nbgrader", {}).get("solution")}


def copy(source: str, target: str) -> str:
    """Copy a file; a pipe is made anew, for reading one never ends."""
    if Path(source).is_fifo():
        os.mkfifo(target)
        return target
    return shutil.copy2(source, target)


def files_below(folder: Path) -> list[Path]:
    """Return the plain files of a folder."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
