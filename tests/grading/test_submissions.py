"""Finding and reading what a class handed in: every folder has one result, and no link leads out of it."""

import os
import re
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory

from grader.errors import GraderError, SubmissionError
from grader.grading import submissions
from grader.grading.submissions import printable, read_folder, read_secret, students_with_folder

STEM = "chapter"
NOTEBOOK = f"{STEM}.ipynb"


@pytest.fixture
def directory(tmp_path: Path) -> CourseDirectory:
    """Return a course with a folder of submissions."""
    (tmp_path / "submitted").mkdir()
    return CourseDirectory(root=str(tmp_path))


@pytest.fixture
def folder(directory: CourseDirectory) -> Path:
    """Return the empty folder of a student's submission."""
    place = Path(directory.format_path("submitted", "ada", STEM))
    place.mkdir(parents=True)
    return place


def test_content_and_time_are_read(directory: CourseDirectory, folder: Path) -> None:
    """The bytes of the notebook, and the time as nbgrader reads it."""
    (folder / NOTEBOOK).write_bytes(b"\xff{}")
    (folder / "timestamp.txt").write_text("2026-03-01 12:00:00.5 UTC\n")
    handed_in = read_folder(directory, "ada", STEM)
    assert (handed_in.content, handed_in.notes) == (b"\xff{}", ())
    assert handed_in.timestamp == datetime(2026, 3, 1, 12, 0, 0, 500000)


def test_renamed_notebook_is_recovered(directory: CourseDirectory, folder: Path) -> None:
    """The only notebook of a folder is the one that is meant, and a note says so."""
    (folder / "mine\n(1).IPYNB").write_text("{}")
    handed_in = read_folder(directory, "ada", STEM)
    assert handed_in.content == b"{}"
    assert handed_in.notes == (rf"The notebook was named mine\n(1).IPYNB; it should be {NOTEBOOK}.",)


@pytest.mark.parametrize(
    ("beside", "told"), [((), "XYZ was turned away."), (("a.docx",), "It holds a.docx. XYZ was turned away.")]
)
def test_what_collecting_turned_away_is_told(
    beside: tuple[str, ...], told: str, directory: CourseDirectory, folder: Path
) -> None:
    """A folder without the notebook says what `grader collect` did not take; beside one that is no matter."""
    (folder / "not_collected.txt").write_text("XYZ was turned away.\n")
    for name in beside:
        (folder / name).write_text("")
    with pytest.raises(SubmissionError, match=rf"in the folder\. {told} The notebook itself is needed"):
        read_folder(directory, "ada", STEM)
    (folder / NOTEBOOK).write_text("{}")
    assert "XYZ" not in str(read_folder(directory, "ada", STEM))


@pytest.mark.parametrize("content", [b"\xff", b"x" * 2**17, None])
def test_damaged_word_of_collecting_is_passed_over(
    content: bytes | None, directory: CourseDirectory, folder: Path
) -> None:
    """Somebody else may have written it, or made a folder of its name."""
    place = folder / "not_collected.txt"
    place.mkdir() if content is None else place.write_bytes(content)
    with pytest.raises(SubmissionError, match=r"It is empty\. The notebook itself is needed"):
        read_folder(directory, "ada", STEM)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (".ipynb_checkpoints/chapter-checkpoint.ipynb", "It holds only .ipynb_checkpoints/."),
        (".DS_Store", "It holds only .DS_Store."),
    ],
)
def test_what_programs_left_behind_is_named(
    made: str, told: str, directory: CourseDirectory, folder: Path
) -> None:
    """A folder with nothing else is not called empty; beside what was handed in it is no matter."""
    (folder / made).parent.mkdir(exist_ok=True)
    (folder / made).write_text("")
    with pytest.raises(SubmissionError, match=re.escape(f"in the folder. {told} The notebook itself")):
        read_folder(directory, "ada", STEM)
    (folder / "a.docx").write_text("")
    with pytest.raises(SubmissionError, match=r"It holds a\.docx\. The notebook itself"):
        read_folder(directory, "ada", STEM)


@pytest.mark.parametrize("written", ["", " \n", "\ufeff"])
def test_empty_time_is_noted(written: str, directory: CourseDirectory, folder: Path) -> None:
    """As a wrong one is: somebody may take it for one."""
    (folder / NOTEBOOK).write_text("{}")
    (folder / "timestamp.txt").write_text(written)
    handed_in = read_folder(directory, "ada", STEM)
    assert handed_in.timestamp is None
    assert handed_in.notes == ("timestamp.txt is empty. The time of submission is not known.",)


def test_two_other_notebooks_are_not_guessed_at(directory: CourseDirectory, folder: Path) -> None:
    """Which of two is meant cannot be told."""
    for name in ("a.ipynb", "b.ipynb"):
        (folder / name).write_text("{}")
    with pytest.raises(SubmissionError, match="more than one"):
        read_folder(directory, "ada", STEM)


def make_link(path: Path) -> None:
    """Make a link to a file that exists."""
    target = path.parents[3] / "elsewhere.ipynb"
    target.write_text("{}")
    path.symlink_to(target)


def make_large(path: Path) -> None:
    """Make a file that is larger than the limit, of no size on the disk."""
    with path.open("wb") as file:
        file.truncate(2**40)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, f"There is no {NOTEBOOK} in the folder."),
        (make_link, "symbolic link"),
        (Path.mkdir, "is not a file"),
        (os.mkfifo, "is not a file"),
        (make_large, "larger than"),
    ],
    ids=["nothing", "link", "folder", "pipe", "large"],
)
def test_what_is_no_plain_file_is_told(
    make: object, said: str, directory: CourseDirectory, folder: Path
) -> None:
    """Nothing is waited for, followed or read to its end."""
    make(folder / NOTEBOOK)
    with pytest.raises(SubmissionError, match=said):
        read_folder(directory, "ada", STEM)


@pytest.mark.parametrize("linked", ["student", "assignment"])
def test_linked_folder_is_not_followed(linked: str, directory: CourseDirectory, tmp_path: Path) -> None:
    """Neither the student's folder nor the assignment's may lead elsewhere."""
    place = tmp_path / "submitted" / "eve"
    secret = tmp_path / "secret" / STEM
    secret.mkdir(parents=True)
    (secret / NOTEBOOK).write_text("{}")
    if linked == "assignment":
        place.mkdir()
        (place / STEM).symlink_to(secret)
    else:
        place.symlink_to(secret.parent)
    assert students_with_folder(directory, STEM) == ["eve"]
    with pytest.raises(SubmissionError, match="links are not followed"):
        read_folder(directory, "eve", STEM)


def test_permission_denied_is_told(
    directory: CourseDirectory, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that may not be read is the student's one error line; root may read everything."""
    (folder / NOTEBOOK).write_text("{}")
    opened = os.open

    def refuse(name: str, *arguments: object, **options: object) -> int:
        if name == NOTEBOOK:
            raise PermissionError(13, "Permission denied")
        return opened(name, *arguments, **options)

    monkeypatch.setattr(submissions.os, "open", refuse)
    with pytest.raises(SubmissionError, match="cannot be read: Permission denied"):
        read_folder(directory, "ada", STEM)


@pytest.mark.parametrize(
    "written",
    [
        "not a time",
        "",
        "9" * 2000,
        "2026-13-45",
        "0:0B",
        "2026-03-01 12:00:00 QXZ",
        f"2026-03-01 12:00 {'X' * 300}",
        "2026-03-01 12:00 /etc/localtime",
        "2026-03-01 12:00 ../../etc/localtime",
        "2026-03-01 12:00 UTC²",
    ],
)
def test_unusable_timestamp_costs_no_points(written: str, directory: CourseDirectory, folder: Path) -> None:
    """A submission without a time is graded all the same."""
    (folder / NOTEBOOK).write_text("{}")
    (folder / "timestamp.txt").write_text(written)
    handed_in = read_folder(directory, "ada", STEM)
    assert handed_in.timestamp is None
    assert len(handed_in.notes) == 1


@pytest.mark.parametrize("written", ["02.12.2026 23:59", "2/12/2026", "2-12-26 10:00 UTC"])
def test_date_that_can_be_read_in_two_ways_is_no_time(
    written: str, directory: CourseDirectory, folder: Path
) -> None:
    """Nobody guesses whether the day or the month comes first: what to write is said."""
    (folder / NOTEBOOK).write_text("{}")
    (folder / "timestamp.txt").write_text(written)
    handed_in = read_folder(directory, "ada", STEM)
    assert handed_in.timestamp is None
    assert "can be read as 2026-02-12 and as 2026-12-02" in handed_in.notes[0]


def test_students_are_those_with_something_handed_in(directory: CourseDirectory, tmp_path: Path) -> None:
    """Whatever stands in the assignment's place counts; stray files and other folders do not."""
    root = tmp_path / "submitted"
    for name in ("b", "a", ".hidden"):
        (root / name / STEM).mkdir(parents=True)
    (root / "file").mkdir()
    (root / "file" / STEM).touch()
    (root / "other" / "another").mkdir(parents=True)
    (root / "stray").touch()
    assert students_with_folder(directory, STEM) == [".hidden", "a", "b", "file"]
    with pytest.raises(SubmissionError):
        read_folder(directory, "file", STEM)


def test_other_directory_structures(tmp_path: Path) -> None:
    """The folder of students may be anywhere, as long as each has one."""
    (tmp_path / "in" / "hw" / "ada" / "x").mkdir(parents=True)
    directory = CourseDirectory(root=str(tmp_path), submitted_directory="in")
    directory.directory_structure = "{nbgrader_step}/{assignment_id}/{student_id}/x"
    assert students_with_folder(directory, "hw") == ["ada"]
    directory.directory_structure = "{nbgrader_step}/{assignment_id}-{student_id}"
    with pytest.raises(GraderError, match="directory_structure"):
        students_with_folder(directory, "hw")


def test_names_are_printed_without_effect() -> None:
    """Control sequences, line ends, direction marks and lone surrogates are shown as what they are."""
    assert printable("\x1b[31mé\n\u202e\udcff") == r"\x1b[31mé\n\u202e\udcff"


SECRET = "submission_secret.txt"


def test_secret_of_the_exchange_is_read(directory: CourseDirectory, folder: Path) -> None:
    """It is there also where the notebook is missing."""
    (folder / SECRET).write_text("0a" * 64)
    assert read_secret(directory, "ada", STEM) == "0a" * 64


@pytest.mark.parametrize(
    "odd", ["", "short", "../" * 20, "\u00e9" * 40, "x" * 2000, "a" * 40 + "\n" + "b" * 40]
)
def test_secret_that_cannot_be_one_is_none(odd: str, directory: CourseDirectory, folder: Path) -> None:
    """What a student wrote into its file goes nowhere."""
    (folder / SECRET).write_text(odd, encoding="utf-8")
    assert read_secret(directory, "ada", STEM) == ""


def test_secret_is_not_read_through_a_link(directory: CourseDirectory, folder: Path) -> None:
    """A link leads nowhere, nor does a submission that is a link itself."""
    outside = folder.parents[2] / "outside"
    outside.write_text("0a" * 64)
    (folder / SECRET).symlink_to(outside)
    assert read_secret(directory, "ada", STEM) == ""
    assert read_secret(directory, "nobody", STEM) == ""
