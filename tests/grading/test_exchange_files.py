"""What the exchange gave a submission is kept beside what is graded, whatever lies there already."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_class import Class

from grader.grading.submissions import SECRET, TIMESTAMP

GIVEN = "0a" * 64


def make_folder(path: Path) -> None:
    """Make a folder that is not empty, with a link to what must not be touched."""
    path.mkdir()
    (path / "file").touch()
    (path / "link").symlink_to(path.parents[3])


def make_no_text(path: Path) -> None:
    """Write bytes that are no UTF-8."""
    path.write_bytes(b"\xff\xfe")


@pytest.mark.parametrize("make", [make_folder, make_no_text], ids=["folder", "bytes"])
@pytest.mark.parametrize("name", [SECRET, TIMESTAMP, f".{SECRET}-x", f".{TIMESTAMP}-x"])
def test_what_a_student_put_there_stops_nobody(
    a_class: Class, make: Callable[[Path], None], name: str
) -> None:
    """Nbgrader's autograde copies every file that was handed in to where grading writes."""
    (a_class.root / "submitted" / "ada" / a_class.stem / SECRET).write_text(GIVEN)
    for student in ("ada", "bob"):
        for path in (a_class.graded(student), a_class.page(student)):
            path.parent.mkdir(parents=True)
            make(path.with_name(name))
    again = [a_class.grade(), a_class.grade(), a_class.grade(force=True)]
    assert {len(outcomes) for outcomes in again} == {4}
    for student in ("ada", "bob"):
        assert not a_class.graded(student).with_name(f".{name}-x").exists()
    assert a_class.page("ada").with_name(SECRET).read_text() == GIVEN
    assert a_class.graded("ada").with_name(TIMESTAMP).read_text() == "2026-03-01 12:00:00 UTC\n"


def test_folder_in_the_page_s_place_stops_nobody(a_class: Class) -> None:
    """Nbgrader's generate_feedback copies on what its autograde has copied."""
    page = a_class.page("ada")
    page.parent.mkdir(parents=True)
    make_folder(page)
    assert len(a_class.grade()) == 4
    assert page.is_file()


def secrets_of(made: Class) -> dict[str, str]:
    """Return the secrets beside the pages; those beside what was graded are the same."""
    students = ("ada", "bob", "cyd", "dan")
    found = {one: made.page(one).with_name(SECRET).read_text() for one in students}
    assert found == {one: made.graded(one).with_name(SECRET).read_text() for one in students}
    return found


def test_where_there_is_no_secret_one_is_made_once(a_class: Class) -> None:
    """Each has another, which the next runs leave; nbgrader can release each page, and nobody finds it."""
    a_class.grade()
    found = secrets_of(a_class)
    assert len(set(found.values())) == 4
    assert min(map(len, found.values())) > 128
    assert all(a_class.page(one).with_name(TIMESTAMP).is_file() for one in found)
    a_class.grade(force=True)
    assert secrets_of(a_class) == found


def test_secret_of_somebody_else_is_not_kept(a_class: Class) -> None:
    """Nbgrader follows a link to another's secret and copies it: the page would take the place of theirs."""
    (a_class.root / "submitted" / "ada" / a_class.stem / SECRET).write_text(GIVEN)
    link = a_class.root / "submitted" / "bob" / a_class.stem / SECRET
    link.symlink_to(a_class.root / "submitted" / "ada" / a_class.stem / SECRET)
    for path in (a_class.graded("bob"), a_class.page("bob")):
        path.parent.mkdir(parents=True)
        path.with_name(SECRET).write_text(GIVEN)
    a_class.grade()
    found = secrets_of(a_class)
    assert found["ada"] == GIVEN != found["bob"]
