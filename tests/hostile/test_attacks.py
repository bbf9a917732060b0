"""Every attack: it gains nothing, harms nobody, and ran."""

import hashlib
import json
import os
import site
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import grader
from grader.exercises import CHAPTERS, find_exercise
from grader.grading.record import Record
from grader.sandbox.sandbox import Sandbox
from grader.time_limits import stretched
from tests.hostile.attacks import ALL
from tests.hostile.attacks.attack import LIMITS, Attack
from tests.hostile.harness import (
    Grading,
    Neighborhood,
    Notebooks,
    outputs_of,
    printed,
    processes_below,
)

# A graded notebook of a chapter has some 100 KiB; outputs are kept up to a limit for each cell.
LARGEST_NOTEBOOK = 2 * 2**20
# Beyond a submission's own time: starting a process, a busy machine.
SLACK = 60.0


def leftovers(place: Neighborhood) -> list[Path]:
    """Return every file with the attacks' mark in its name, wherever one might have been written."""
    folders = [
        *(Path(one) for one in site.getsitepackages()),
        *(Path(sysconfig.get_path("stdlib")), Path(grader.__file__).parent, place.place, place.course),
        *(place.place / name for name in ("reference_outputs", "solutions")),
        *(place.course / "submitted" / "neighbor", Path.home(), Path("/"), Path("/etc"), Path("/run")),
        *(Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path.cwd()),
    ]
    return [
        path
        for folder in folders
        if folder.is_dir()
        for path in folder.glob(f"*{place.mark}*")
        if not path.name.endswith("-none.txt")  # written by a control, without isolation
    ]


def digest_of(place: Path) -> str:
    """Return a digest of all that the course is made of: names and contents."""
    digest = hashlib.sha256()
    for folder in ("grader", "notebooks", "reference_outputs", "solutions"):
        for path in sorted((place / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path} {path.stat().st_mode} ".encode() + path.read_bytes())
    return digest.hexdigest()


@pytest.fixture(scope="module", autouse=True)
def course_unchanged(neighborhood: Neighborhood, repository: Path) -> Iterator[None]:
    """Nothing of the course and of the class next door changes, whatever all attacks of this module do."""
    gradebook, before = neighborhood.course / "gradebook.db", digest_of(repository)
    secret = gradebook.read_bytes()
    yield
    assert digest_of(repository) == before
    assert gradebook.read_bytes() == secret


def honest_scores(attack: Attack) -> dict[str, float]:
    """Return what each exercise of the notebook deserves."""
    chapter = CHAPTERS[find_exercise(attack.exercise).chapter]
    return {one.id: one.points for one in chapter.exercises} | {attack.exercise: attack.earns}


def shown_by_attack(record: Record, attack: Attack) -> str:
    """Return what the attack's own cells put out, shortened."""
    cells = json.loads(record.notebook)["cells"]
    own = [cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade_id") == attack.exercise]
    return json.dumps([cell.get("outputs") for cell in (*own, cells[-1])])[:2000]


@pytest.mark.parametrize("name", ALL)
def test_attack(
    name: str, sandbox: Sandbox, grading: Grading, notebooks: Notebooks, neighborhood: Neighborhood
) -> None:
    """The attacked exercise earns what its content deserves; all else is as if nothing had happened."""
    attack = ALL[name]
    stem = find_exercise(attack.exercise).chapter
    grading.prepare(sandbox, stem, attack.limits)
    before, started = processes_below(), time.monotonic()
    record = grading(sandbox, stem, notebooks.attack(attack), attack.limits)
    took = time.monotonic() - started

    scores = {one: got.score for one, got in record.exercises.items()}
    wanted = honest_scores(attack)
    shown, kept = printed(record), outputs_of(record)
    assert record.status == "graded", record.reason
    for exercise in set(wanted) - set(attack.spoils):
        assert scores[exercise] == wanted[exercise], (exercise, record.exercises[exercise].message)
    assert all(scores[spoiled] <= wanted[spoiled] for spoiled in attack.spoils)
    assert record.score == sum(scores.values())
    # What the attack leaves no time to try waits for a person.
    judged = [one for name, one in record.exercises.items() if name not in attack.spoils]
    assert all(one.status != "error" for one in judged), record.exercises
    if attack.codes:
        assert record.exercises[attack.exercise].diagnosis[: len(attack.codes)] == attack.codes
    missing = [text for text in attack.shows if neighborhood.told(text) not in shown]
    assert not missing, f"the attack did not run as meant: {shown_by_attack(record, attack)}"
    found = [text for text in attack.never if text in kept]
    assert not found, [kept[max(0, kept.index(text) - 100) : kept.index(text) + 300] for text in found]
    assert len(record.notebook) < LARGEST_NOTEBOOK
    assert took < stretched(attack.limits.total_seconds + SLACK)
    await_end_of(processes_below() - before)
    assert not leftovers(neighborhood)


def await_end_of(processes: set[int]) -> None:
    """Wait until processes that are being ended are gone.

    Raises:
        AssertionError: they are still there.
    """
    for _ in range(100):
        if not any(Path(f"/proc/{one}/stat").exists() for one in processes):
            return
        time.sleep(0.05)
    pytest.fail(f"processes left behind: {processes}")


REACHING = [name for name, attack in ALL.items() if attack.reaches]
FOOLING = [name for name, attack in ALL.items() if attack.fools]


@pytest.mark.parametrize("name", REACHING)
def test_control_reaches_its_goal_without_isolation(
    name: str, open_sandbox: Sandbox, grading: Grading, notebooks: Notebooks
) -> None:
    """What isolation keeps from an attack is there to be had without it."""
    attack = ALL[name]
    stem = find_exercise(attack.exercise).chapter
    assert "REACHED" in printed(grading(open_sandbox, stem, notebooks.attack(attack), LIMITS))


@pytest.mark.parametrize("name", FOOLING)
def test_control_fools_a_grader_in_the_student_s_process(name: str, naive, notebooks: Notebooks) -> None:
    """Where the verdict is made in the student's process, the attack earns all points."""
    attack = ALL[name]
    assert naive(cells_for_naive(notebooks, attack))[attack.exercise]
    honest = replace(attack, code="pass")
    assert not naive(cells_for_naive(notebooks, honest)).get(attack.exercise), "it would have passed anyway"


def cells_for_naive(notebooks: Notebooks, attack: Attack) -> list[tuple[str, str]]:
    """Return the imports, the answers and the checks of an attack's notebook, in order."""
    cells = []
    for cell in notebooks.attack(attack)["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        source = "".join(cell["source"])
        if marks.get("grade"):
            cells.append((source, marks["grade_id"].removesuffix("-check")))
        elif cell["cell_type"] == "code" and (marks or "from grader import" in source):
            cells.append((source, ""))
    return cells


def test_jobs_leave_no_trace(sandbox: Sandbox, grading: Grading, notebooks: Notebooks) -> None:
    """An honest submission gets the same record before and after others have attacked."""
    honest = notebooks.answered("ch04_self_attention")
    before = grading(sandbox, "ch04_self_attention", honest, LIMITS)
    for name in (
        "d-shadow-modules",
        "d-temporary-files",
        "a-random-state",
        "a-copies-patched",
        "a-exit-in-the-cell",
    ):
        grading(sandbox, "ch04_self_attention", notebooks.attack(ALL[name]), LIMITS)
    after = grading(sandbox, "ch04_self_attention", honest, LIMITS)
    assert before.score == before.max_score
    assert before == after


def test_secret_of_a_neighbor_is_in_no_memory(
    sandbox: Sandbox, grading: Grading, notebooks: Notebooks
) -> None:
    """What one submission holds is not in the memory that the next one inherits."""
    neighbor = notebooks.answered("ch04_self_attention", later=("secret = 'neighbor-secret' * 3",))
    grading(sandbox, "ch04_self_attention", neighbor, LIMITS)
    attack = ALL["b-other-submissions-in-memory"]
    assert "REACHED" not in printed(grading(sandbox, "ch04_self_attention", notebooks.attack(attack), LIMITS))


def test_records_are_of_one_kind(sandbox: Sandbox, grading: Grading, notebooks: Notebooks) -> None:
    """An attack's record can be written and read again as JSON."""
    record = grading(sandbox, "ch04_self_attention", notebooks.attack(ALL["f-surrogates"]), LIMITS)
    assert isinstance(record, Record)
    record.notebook.encode()
    assert os.linesep.join(one.message for one in record.exercises.values()).encode()
