"""Giving notebooks out and getting them back: nbgrader's exchange, and what a collecting system gives."""

import json
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from nbgrader.tests import run_nbgrader

from grader.cli import main
from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.gradebook.stored import read_stored_grades
from grader.grading.sample_class import Choice, submission
from grader.proving.bank import Answer

SHARED = """c = get_config()
c.CourseDirectory.course_id = "attention"
c.Exchange.root = {root!r}
"""
SECRET = "submission_secret.txt"


# nbgrader's release_feedback leaves a file for the garbage collector to close.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in.*timestamp:pytest.PytestUnraisableExceptionWarning"
)


@dataclass(frozen=True)
class Shared:
    """A machine that a class shares: the exchange, the instructor's course and each student's folder.

    Attributes:
        root: the folder of everything.
        stem: the assignment.
        monkeypatch: changes whose account it is.
    """

    root: Path
    stem: str
    monkeypatch: pytest.MonkeyPatch

    @property
    def course(self) -> Path:
        """The instructor's course folder."""
        return self.root / "instructor" / "course"

    def work(self, student: str) -> Path:
        """Return the folder where a student works."""
        return self.root / student / "work"

    def nbgrader(self, folder: Path, *arguments: str) -> None:
        """Run nbgrader in a folder, as the account that it belongs to."""
        account = folder.relative_to(self.root).parts[0]
        self.monkeypatch.setenv("JUPYTER_DATA_DIR", str(self.root / account / "data"))
        self.monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(self.root / "etc"))
        self.monkeypatch.chdir(folder)
        run_nbgrader(list(arguments))

    def instruct(self, command: str, *more: str) -> None:
        """Run an nbgrader command of the instructor's."""
        self.nbgrader(self.course, command, self.stem, *more)

    def fetch(self, student: str) -> None:
        """Have a student fetch the assignment."""
        self.work(student).mkdir(parents=True)
        self.nbgrader(self.work(student), "fetch_assignment", self.stem)

    def submit(self, student: str) -> None:
        """Have a student submit what is in the folder."""
        self.nbgrader(self.work(student), "submit", self.stem, f"--student={student}")

    def collect_and_grade(self) -> dict[str, dict]:
        """Collect what was handed in and grade it; return each student's line."""
        self.instruct("collect", "--update")
        return graded(self.course, self.stem)

    def feedback(self, student: str) -> list[Path]:
        """Return the feedback pages that a student finds, fetched now, the earliest first."""
        self.nbgrader(self.work(student), "fetch_feedback", self.stem, f"--student={student}")
        return sorted((self.work(student) / self.stem / "feedback").glob(f"*/{self.stem}.html"))

    def secret(self, step: str, student: str) -> str:
        """Return the secret of a submission, as a step's folder has it."""
        return (self.course / step / student / self.stem / SECRET).read_text(encoding="utf-8")


def graded(course: Path, stem: str) -> dict[str, dict]:
    """Grade a class; return each student's line."""
    arguments = ["grade", stem, "--course", str(course), "--isolation", "none", "--json"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code in (0, 1), done.output
    return {line["student"]: line for line in map(json.loads, done.stdout.splitlines())}


def make_course(repository: Path, chapter: Chapter, course: Path) -> None:
    """Make a course folder of one chapter, with all that lies beside its notebooks."""
    ours, theirs = CoursePaths(repository), CoursePaths(course)
    shutil.copytree(ours.solutions / chapter.stem, theirs.solutions / chapter.stem)
    shutil.copytree(ours.student(chapter).parent, theirs.student(chapter).parent)
    shutil.copy(ours.config, course)


@pytest.fixture(scope="module")
def right(chapter: Chapter, answers: Callable[[str], dict[str, Answer]], repository: Path) -> str:
    """Return a submission that is right in every exercise."""
    choices = [Choice(one, next(iter(answers(one.id).values()))) for one in chapter.exercises]
    return submission(CoursePaths(repository).student(chapter).read_text(encoding="utf-8"), choices)


@pytest.fixture(scope="module")
def shared(
    repository: Path, chapter: Chapter, right: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared]:
    """Return a shared machine. Ada has handed in right answers, Bob a folder without a notebook."""
    root = tmp_path_factory.mktemp("shared")
    with pytest.MonkeyPatch.context() as monkeypatch:
        made = Shared(root, chapter.stem, monkeypatch)
        make_course(repository, chapter, made.course)
        (root / "etc").mkdir()
        (root / "exchange").mkdir()
        (root / "exchange").chmod(0o1777)  # as the guide says
        (root / "etc" / "nbgrader_config.py").write_text(SHARED.format(root=str(root / "exchange")))
        made.instruct("release_assignment")
        for student in ("ada", "bob", "cyd"):
            made.fetch(student)
        (made.work("ada") / made.stem / f"{made.stem}.ipynb").write_text(right, encoding="utf-8")
        (made.work("bob") / made.stem / f"{made.stem}.ipynb").unlink()
        for student in ("ada", "bob"):
            made.submit(student)
        yield made


@pytest.fixture(scope="module")
def lines(shared: Shared) -> dict[str, dict]:
    """Return each student's line, the submissions being collected and graded."""
    return shared.collect_and_grade()


def test_nobody_renames_the_course_in_the_exchange(shared: Shared) -> None:
    """Only owners rename what is in the folder that the guide makes; nbgrader leaves its mode so."""
    assert stat.S_IMODE((shared.root / "exchange").stat().st_mode) == 0o1777


def test_student_gets_the_notebook_alone(shared: Shared, repository: Path, chapter: Chapter) -> None:
    """No source, bank, oracle or hidden case that lies beside the notebooks is fetched with it."""
    (fetched,) = (shared.work("cyd") / chapter.stem).rglob("*")
    assert fetched.read_bytes() == CoursePaths(repository).student(chapter).read_bytes()


def test_right_answers_come_back(shared: Shared, chapter: Chapter, lines: dict[str, dict]) -> None:
    """What is collected gets full points, and the time of submission is known."""
    assert lines["ada"]["score"] == sum(one.points for one in chapter.exercises)
    assert (lines["bob"]["status"], lines["bob"]["score"]) == ("error", None)
    held = read_stored_grades(f"sqlite:///{shared.course / 'gradebook.db'}", chapter.stem)
    assert held.submissions["ada"].timestamp is not None


def test_feedback_is_found_by_its_student(shared: Shared, chapter: Chapter, lines: dict[str, dict]) -> None:
    """Ada finds her page, also where another submission could not be graded."""
    assert set(lines) == {"ada", "bob"}
    shared.instruct("release_feedback")
    own = shared.course / "feedback" / "ada" / chapter.stem / f"{chapter.stem}.html"
    assert [page.read_bytes() for page in shared.feedback("ada")] == [own.read_bytes()]
    assert shared.feedback("bob") == []


def test_feedback_follows_the_latest_submission(shared: Shared, lines: dict[str, dict]) -> None:
    """The same notebook handed in again is not graded again, yet its feedback is found."""
    before = shared.secret("feedback", "ada")
    shared.submit("ada")
    assert shared.collect_and_grade()["ada"]["score"] == lines["ada"]["score"]
    latest = shared.secret("submitted", "ada")
    assert latest != before
    assert shared.secret("feedback", "ada") == shared.secret("autograded", "ada") == latest


def test_nbgrader_s_own_feedback_can_be_released(shared: Shared, chapter: Chapter, lines: dict) -> None:
    """After grading, nbgrader may make the pages, with formgrader's comments, and release them."""
    assert lines["ada"]["status"] == "graded"
    shared.instruct("generate_feedback", "--force", "--student=ada")
    shared.instruct("release_feedback")
    own = shared.course / "feedback" / "ada" / chapter.stem / f"{chapter.stem}.html"
    assert shared.feedback("ada")[-1].read_bytes() == own.read_bytes()


def test_submission_without_a_secret_stops_no_release(shared: Shared, chapter: Chapter, lines: dict) -> None:
    """What was handed in another way is released under a name that nobody knows; others find theirs."""
    assert "eve" not in lines
    shutil.copytree(shared.course / "submitted" / "ada", shared.course / "submitted" / "eve")
    (shared.course / "submitted" / "eve" / chapter.stem / SECRET).unlink()
    assert "eve" in graded(shared.course, chapter.stem)
    shared.instruct("release_feedback")
    ada, eve = (
        shared.course / "feedback" / one / chapter.stem / f"{chapter.stem}.html" for one in ("ada", "eve")
    )
    released = [page.read_bytes() for page in (shared.root / "exchange").rglob("*.html")]
    assert eve.read_bytes() in released
    assert shared.feedback("ada")[-1].read_bytes() == ada.read_bytes()
