"""`grader regrade` from a shell: what it shows, its lines, and its status."""

import json
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nbgrader.api import Gradebook

from grader.cli import main
from grader.cli.regrade_summary import RegradeSummary
from grader.course.paths import SETTINGS, CoursePaths
from grader.exercises import Chapter
from grader.gradebook.writer import ClassGradebook
from grader.grading.record import Record
from grader.grading.regrade import Change, Regrade
from grader.grading.regrade_cache import Computed
from grader.grading.sample_class import BLANK, Choice, write_class
from grader.grading.student_result import StudentResult
from grader.grading.submission_grader import SubmissionGrader
from grader.grading.submissions import Submission
from grader.proving.bank import Answer

V1 = "ch04-self-attention-v1"


@pytest.fixture(scope="module")
def sample(
    tmp_path_factory: pytest.TempPathFactory,
    repository: Path,
    chapter: Chapter,
    answers: Callable[[str], dict[str, Answer]],
) -> Path:
    """Return a class of three, graded: two have all right, the third made one mistake and wrote no more."""
    folder = tmp_path_factory.mktemp("sample") / "class"
    right = [Choice(one, next(iter(answers(one.id).values()))) for one in chapter.exercises]
    mistaken = [
        Choice(one, answers(one.id)["softmax-wrong-axis"] if one.id == V1 else BLANK)
        for one in chapter.exercises
    ]
    chosen = (("student-01", right), ("student-02", right), ("student-03", mistaken))
    write_class(chapter, CoursePaths(repository), folder, chosen)
    grade = ["grade", chapter.stem, "--course", str(folder), "--isolation", "none"]
    assert CliRunner().invoke(main, grade).exit_code == 0
    return folder


@pytest.fixture
def course(sample: Path, tmp_path: Path) -> Path:
    """Return a copy of the class."""
    return Path(shutil.copytree(sample, tmp_path / "class"))


@pytest.fixture
def regrade(course: Path, chapter: Chapter) -> Callable[..., Result]:
    """Return a function that runs the command on the class, without isolation."""
    arguments = ["regrade", chapter.stem, "--course", str(course), "--isolation", "none"]
    return lambda *more: CliRunner().invoke(main, [*arguments, *more], env={"COLUMNS": "80"})


def test_shown_then_written(regrade: Callable, course: Path, chapter: Chapter) -> None:
    """Status 0, 1, 0, 0: nothing to do, shown, written, nothing to do."""
    done = regrade("--changed")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "3 unchanged" in done.stderr
    (course / SETTINGS).write_text("[partial-credit]\nsoftmax-wrong-axis = 0.25\n")
    done = regrade("--changed")
    assert done.exit_code == 1, done.output
    (row,) = [line.split() for line in done.stdout.splitlines() if "student-03" in line]
    assert row == ["student-03", V1.partition("-")[2], "0/3", "0.75/3", "+0.75", "softmax-wrong-axis"]
    assert "3 students: 1 changed, 2 graded anew with the same score and verdicts." in done.stderr
    assert "Of those changed 1 go up, 0 go down, 0 keep their score; on average +0.75 points" in done.stderr
    assert f"grader regrade {chapter.stem} --changed --yes" in done.stderr
    again = regrade("--changed", "--yes")
    assert (again.exit_code, again.stdout) == (0, done.stdout)
    assert "Written: 3 of 3." in again.stderr
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        assert gradebook.find_submission(chapter.stem, "student-03").score == 0.75
    assert regrade("--changed").exit_code == 0


def _not_graded(self: SubmissionGrader, handed_in: Submission) -> Record:
    raise AssertionError("it was graded before")


@pytest.mark.parametrize("what", [("--changed",), ()])
def test_what_was_shown_is_not_graded_again(
    regrade: Callable, course: Path, monkeypatch: pytest.MonkeyPatch, what: tuple[str, ...]
) -> None:
    """The run that writes takes what the one before computed, and leaves nothing of it behind."""
    (course / SETTINGS).write_text("[partial-credit]\nsoftmax-wrong-axis = 0.25\n")
    shown = regrade(*what)
    assert shown.exit_code == 1, shown.output
    monkeypatch.setattr(SubmissionGrader, "grade", _not_graded)
    written = regrade(*what, "--yes")
    assert (written.exit_code, written.stdout) == (0, shown.stdout)
    assert "Written: 3 of 3." in written.stderr
    assert not any((course / ".regrade").iterdir())


def test_what_changed_since_it_was_shown_is_graded(
    regrade: Callable, course: Path, chapter: Chapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record counts for the submission and the course that it was made from, and for no others."""
    (course / SETTINGS).write_text("[partial-credit]\nsoftmax-wrong-axis = 0.25\n")
    assert regrade("--changed").exit_code == 1
    places = [
        course / "submitted" / f"student-0{one}" / chapter.stem / f"{chapter.stem}.ipynb" for one in (1, 3)
    ]
    places[0].write_bytes(places[1].read_bytes())
    written = regrade("--changed", "--yes")
    assert "student-01" in written.stdout and "Written: 3 of 3." in written.stderr
    assert regrade("--changed").exit_code == 0
    (course / SETTINGS).write_text("[partial-credit]\nsoftmax-wrong-axis = 0.5\n")
    assert regrade("--changed").exit_code == 1
    (course / SETTINGS).write_text("[partial-credit]\nsoftmax-wrong-axis = 0.75\n")
    written = regrade("--changed", "--yes")
    assert "2.25/3" in written.stdout, written.stdout


def test_what_to_run_names_the_same_students(regrade: Callable, course: Path, chapter: Chapter) -> None:
    """Who asks for one student is not told to write the whole class."""
    (course / SETTINGS).write_text("[partial-credit]\nsoftmax-wrong-axis = 0.25\n")
    said = regrade("--changed", "--student", "student-03").stderr
    assert f"grader regrade {chapter.stem} --changed --student=student-03 --yes" in said


def test_damaged_record_is_graded(tmp_path: Path) -> None:
    """Whatever is in the folder of what was computed: at worst it is no help."""
    computed = Computed(tmp_path)
    record = Record("key", "graded", 0.0, 0.0, {})
    computed.keep("ada", record)
    assert computed.find("ada", "key") == record
    assert computed.find("ada", "other") is None and computed.find("bob", "key") is None
    (place,) = tmp_path.iterdir()
    for content in (b"", place.read_bytes()[:-5], zlib.compress(b"[]"), zlib.compress(b"\xff")):
        place.write_bytes(content)
        assert computed.find("ada", "key") is None


def test_lines_for_tools(regrade: Callable, course: Path, chapter: Chapter) -> None:
    """One a student who is affected, or whose folder is gone, with the new score and the old."""
    shutil.copytree(course / "submitted" / "student-03", course / "submitted" / "student-04")
    shutil.move(course / "submitted" / "student-02", course / "moved")
    (course / "submitted" / "student-01" / chapter.stem / f"{chapter.stem}.ipynb").write_text("{")
    done = regrade("--changed", "--json")
    assert done.exit_code == 1
    lines = {line["student"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert {name: line["kind"] for name, line in lines.items()} == {
        "student-01": "changed",
        "student-02": "gone",
        "student-04": "new",
    }
    assert (lines["student-01"]["status"], lines["student-01"]["old_score"]) == ("error", 12)
    assert (lines["student-01"]["new_score"], lines["student-01"]["difference"]) == (None, None)
    assert (lines["student-04"]["old_score"], lines["student-04"]["new_score"]) == (None, 0)
    table = regrade("--changed").stdout
    assert "new: never graded before" in " ".join(table.split())
    assert "not valid JSON" in " ".join(table.split())


def test_manual_score_is_said(regrade: Callable, course: Path, chapter: Chapter) -> None:
    """What a person gave stays and counts: the row and the sums say so, and nobody goes up or down."""
    url, stem = f"sqlite:///{course / 'gradebook.db'}", chapter.stem
    with Gradebook(url, "attention") as gradebook:
        gradebook.find_grade(f"{V1}-check", stem, stem, "student-03").manual_score = 2.5
        gradebook.db.commit()
    (course / SETTINGS).write_text("[partial-credit]\nsoftmax-wrong-axis = 0.25\n")
    done = regrade("--changed", "--yes")
    row = " ".join(done.stdout.split())
    assert f"student-03 {V1.partition('-')[2]} 2.5/3 2.5/3 0 softmax-wrong-axis" in row
    assert "(by hand: 2.5, stays; graded: 0 → 0.75)" in row
    assert "3 students: 3 graded anew" in done.stderr and "go up" not in done.stderr
    assert "1 have a score given by hand in formgrader: student-03." in done.stderr
    with Gradebook(url, "attention") as gradebook:
        assert gradebook.find_submission(stem, "student-03").score == 2.5


def test_work_that_cannot_be_read_and_has_points_by_hand_has_a_score() -> None:
    """Only who has no score is said to have none: points by hand are one."""
    summary = RegradeSummary()
    summary.add(Change("ada", "anew", "error", 4.0, 4.0, 11.0, 11.0, by_hand={V1: 4.0}))
    summary.add(Change("bob", "anew", "error", None, None, 11.0, 11.0))
    told = " ".join(summary.sentences())
    assert (
        "Of those changed, 1 cannot be graded and will have no score until a person gives one: bob." in told
    )
    assert "1 have a score given by hand in formgrader: ada." in told


def test_another_time_of_handing_in_is_shown() -> None:
    """What being late costs changes with it, so the student has a row; a decision alone is none."""
    summary = RegradeSummary()
    summary.add(Change("ada", "changed", "graded", 9.0, 9.0, 11.0, 11.0, retimed=True))
    summary.add(Change("bob", "changed", "graded", 9.0, 9.0, 11.0, 11.0))
    names, *_, told = (list(column.cells) for column in summary.table().columns)
    assert list(map(str, names)) == ["ada"]
    assert str(told[0]).startswith("another time of handing in")


def test_interrupted_writing_is_said_and_finished(
    regrade: Callable, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C leaves whole results; the next run writes the others."""
    (course / SETTINGS).write_text("[partial-credit]\nsoftmax-wrong-axis = 0.25\n")
    write = Regrade.write

    def interrupted(self: Regrade, gradebook: ClassGradebook) -> Iterator[StudentResult]:
        yield next(write(self, gradebook))
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Regrade, "write", interrupted)
        done = regrade("--changed", "--yes")
    assert done.exit_code == 2
    assert "Interrupted. 1 of 3 are written, and complete." in done.stderr
    assert "Written: 2 of 2." in regrade("--changed", "--yes").stderr


@pytest.mark.parametrize(
    ("arguments", "said"), [(("--student", "nobody"), "no student nobody"), (("--course", "/"), "no course")]
)
def test_what_cannot_be_graded_is_status_2(regrade: Callable, arguments: tuple[str, ...], said: str) -> None:
    """One clear line."""
    done = regrade(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr


def test_correction_that_was_not_built_is_status_2(
    regrade: Callable, course: Path, chapter: Chapter, repository: Path
) -> None:
    """A corrected oracle is not taken for one that changes no score: what to run is said."""
    stem = chapter.stem
    recipe = CoursePaths(course).solutions / stem / "reference.py"
    recipe.parent.mkdir(parents=True, exist_ok=True)
    original = CoursePaths(repository).solutions / stem / "reference.py"
    recipe.write_text(original.read_text(encoding="utf-8") + "\n# corrected\n", encoding="utf-8")
    done = regrade("--changed")
    assert done.exit_code == 2
    assert "A change was not built" in done.stderr
    assert f"`grader references build {stem}`" in done.stderr


def test_wrong_table_is_status_2(regrade: Callable, course: Path) -> None:
    """Before anything is graded."""
    (course / SETTINGS).write_text("[partial-credit]\nhard-coded = 0.25\n")
    done = regrade("--changed", "--yes")
    assert done.exit_code == 2
    assert f"{SETTINGS}: hard-coded in [partial-credit]" in done.stderr
