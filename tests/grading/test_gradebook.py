"""The one writer to the gradebook: what nbgrader would have written, in one transaction, with patience."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from html import unescape
from pathlib import Path

import nbformat
import pytest
from nbconvert.filters import markdown2html
from nbgrader.api import Gradebook, InvalidEntry
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import Engine, event
from sqlalchemy.exc import DBAPIError
from traitlets.config import Config

from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.errors import GradebookError
from grader.gradebook import transactions, writer
from grader.gradebook.stored import read_stored_grades
from grader.gradebook.writer import ClassGradebook, Entry
from grader.grading import gradebook_entry as entry_module
from grader.grading.grade_submission import unreadable
from grader.grading.gradebook_entry import gradebook_entry
from grader.grading.master import Master, released_notebook
from grader.grading.record import ExerciseRecord, Record
from grader.messages import Message

NOON = datetime(2026, 3, 1, 12)


@pytest.fixture
def open_gradebook(
    directory: CourseDirectory, config: Config, master: Master
) -> Callable[..., ClassGradebook]:
    """Return a function that opens the class's gradebook."""

    def opened(**options: object) -> ClassGradebook:
        stem = master.chapter.stem
        return ClassGradebook(directory, config, stem, released_notebook(master), **options)

    return opened


@pytest.fixture
def gradebook(open_gradebook: Callable[..., ClassGradebook]) -> Iterator[ClassGradebook]:
    """Return the class's gradebook, empty but for the assignment."""
    opened = open_gradebook()
    yield opened
    opened.close()


@pytest.fixture
def entry(master: Master) -> Entry:
    """Return an entry: the first exercise right, the others wrong with a comment."""
    first, *others = master.exercises
    scores = dict.fromkeys(map(check_of, others), 0.0) | {check_of(first): 1.0}
    return Entry(scores, {name: f"About {name}." for name in others}, NOON)


def check_of(name: str) -> str:
    """Return the check cell's name of an exercise's."""
    return f"{name}-check"


def rows(url: str, query: str) -> list[tuple]:
    """Return what a query gives."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        return connection.execute(query).fetchall()


CELLS = """
    select s.name, s.cell_type, s.locked, s.source, s.checksum, n.name, n.kernelspec, a.name, a.course_id
    from source_cell s join notebook n on s.notebook_id = n.id join assignment a on n.assignment_id = a.id
    order by s.name
"""
GRADED = """
    select b.name, b.type, g.max_score, g.cell_type from base_cell b left join grade_cells g on b.id = g.id
    order by b.name, b.type
"""


def test_assignment_is_registered_as_nbgrader_does(
    gradebook: ClassGradebook, master: Master, repository: Path, tmp_path: Path, nbgrader: Callable
) -> None:
    """The same cells, points, checksums, kernel and version mark as `nbgrader generate_assignment` gives."""
    other, course = tmp_path / "other", CoursePaths(repository)
    source = CoursePaths(other).solution(master.chapter)
    source.parent.mkdir(parents=True)
    source.write_bytes(course.solution(master.chapter).read_bytes())
    CoursePaths(other).config.write_bytes(course.config.read_bytes())
    nbgrader(other, "generate_assignment", master.chapter.stem)
    theirs = f"sqlite:///{other / 'gradebook.db'}"
    for query in (CELLS, GRADED, "select version_num from alembic_version"):
        assert rows(gradebook.url, query) == rows(theirs, query)


def test_record_is_read_back(gradebook: ClassGradebook, master: Master, entry: Entry) -> None:
    """Nbgrader's own API finds scores, comments and time."""
    held = gradebook.record({"ada": entry})["ada"]
    with Gradebook(gradebook.url, "attention") as theirs:
        found = theirs.find_submission(master.chapter.stem, "ada")
        (notebook,) = found.notebooks
        assert (found.score, found.timestamp, found.needs_manual_grade) == (1.0, NOON, False)
        assert {grade.name: grade.auto_score for grade in notebook.grades} == entry.scores
        comments = {comment.name: comment.auto_comment for comment in notebook.comments}
        assert {name: text for name, text in comments.items() if text} == entry.comments
    assert gradebook.students() == ["ada"]
    assert held.agrees(entry.scores, NOON)
    assert not held.agrees(entry.scores, None)
    assert not held.agrees(dict.fromkeys(entry.scores, 0.0), NOON)


def test_what_was_held_is_known_from_the_beginning(open_gradebook: Callable, entry: Entry) -> None:
    """What is held when it is opened is known of everybody who has a submission, without another query."""
    first = open_gradebook()
    held = first.record({"ada": entry})["ada"]
    assert first.before("ada") is None
    second = open_gradebook()
    assert second.before("ada") == held
    assert second.before("eve") is None
    first.close()
    second.close()


def test_what_a_person_gave_survives(gradebook: ClassGradebook, master: Master, entry: Entry) -> None:
    """A score, extra credit and a comment of formgrader stay; the score has to be looked at again."""
    gradebook.record({"ada": entry})
    stem, name = master.chapter.stem, next(iter(entry.comments))
    with Gradebook(gradebook.url, "attention") as theirs:
        grade = theirs.find_grade(check_of(name), stem, stem, "ada")
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 2.0, 0.5, False
        theirs.find_comment(name, stem, stem, "ada").manual_comment = "Nearly."
        theirs.db.commit()
    gradebook.record({"ada": entry})
    with Gradebook(gradebook.url, "attention") as theirs:
        grade = theirs.find_grade(check_of(name), stem, stem, "ada")
        assert (grade.manual_score, grade.extra_credit, grade.score) == (2.0, 0.5, 2.5)
        assert grade.needs_manual_grade
        comment = theirs.find_comment(name, stem, stem, "ada")
        assert (comment.comment, comment.auto_comment) == ("Nearly.", entry.comments[name])


def test_grader_s_fault_is_left_to_a_person(gradebook: ClassGradebook, master: Master) -> None:
    """An exercise that could not be judged has no score, and asks for one."""
    name = next(iter(master.exercises))
    exercises = dict.fromkeys(master.exercises, ExerciseRecord(0, 1, "failed"))
    exercises[name] = ExerciseRecord(0, 1, "error", fault="No references.")
    notebook = unreadable(master, "No references.").notebook
    gradebook.record({"ada": gradebook_entry(Record("", "graded", 0, 1, exercises, notebook=notebook))})
    with Gradebook(gradebook.url, "attention") as theirs:
        (notebook,) = theirs.find_submission(master.chapter.stem, "ada").notebooks
        asked = {grade.name for grade in notebook.grades if grade.needs_manual_grade}
        assert asked == {check_of(name)}


def test_late_submission_is_penalized_as_configured(
    config: Config, open_gradebook: Callable, master: Master, entry: Entry
) -> None:
    """The course's late plugin is asked, and its penalty goes away with the delay."""
    config.LateSubmissionPlugin.penalty_method = "zero"
    gradebook, stem = open_gradebook(), master.chapter.stem
    with Gradebook(gradebook.url, "attention") as theirs:
        theirs.update_or_create_assignment(stem, duedate="2026-03-01 11:00 UTC")
    for timestamp, expected in ((NOON, 1.0), (NOON - timedelta(hours=2), None)):
        gradebook.record({"ada": Entry(entry.scores, {}, timestamp)})
        with Gradebook(gradebook.url, "attention") as theirs:
            (notebook,) = theirs.find_submission(stem, "ada").notebooks
            assert notebook.late_submission_penalty == expected
    gradebook.close()


def test_changed_points_are_updated(
    open_gradebook: Callable, directory: CourseDirectory, config: Config, master: Master, entry: Entry
) -> None:
    """New points of a check cell count from then on, also where there are submissions already."""
    first = open_gradebook()
    first.record({"ada": entry})
    first.close()
    released = released_notebook(master)
    (cell,) = [one for one in released.cells if one.metadata.nbgrader.grade_id == next(iter(entry.scores))]
    cell.metadata.nbgrader.points = 11
    ClassGradebook(directory, config, master.chapter.stem, released).close()
    with Gradebook(first.url, "attention") as theirs:
        stem = master.chapter.stem
        assert theirs.find_grade_cell(cell.metadata.nbgrader.grade_id, stem, stem).max_score == 11


def test_cells_that_are_graded_already_cannot_go(
    open_gradebook: Callable, directory: CourseDirectory, config: Config, master: Master, entry: Entry
) -> None:
    """Nbgrader's rule, in one clear line, and the gradebook is left as it was."""
    first = open_gradebook()
    first.record({"ada": entry})
    released = released_notebook(master)
    del released.cells[-1]
    before = rows(first.url, CELLS)
    with pytest.raises(GradebookError, match="Cannot add or remove cells"):
        ClassGradebook(directory, config, master.chapter.stem, released)
    first.close()
    assert rows(first.url, CELLS) == before
    first.close()


def test_locked_gradebook_is_waited_for_in_bounds(
    open_gradebook: Callable, directory: CourseDirectory, entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was recorded stays, the error is clear, and later it can be recorded."""
    directory.db_url += "?timeout=0.1"
    gradebook = open_gradebook(patience=0.3)
    gradebook.record({"ada": entry})
    file = gradebook.url.removeprefix("sqlite:///").partition("?")[0]
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(GradebookError, match="locked by another program"):
        gradebook.record({"eve": entry})
    other.execute("ROLLBACK")
    gradebook.record({"eve": entry})
    assert gradebook.students() == ["ada", "eve"]
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(transactions.time, "sleep", lambda seconds: other.in_transaction and other.rollback())
    gradebook.record({"bob": entry})
    other.close()
    gradebook.close()


def test_student_named_locked_is_not_waited_for(
    open_gradebook: Callable, config: Config, entry: Entry
) -> None:
    """What a name says is no sign of what others do in the gradebook."""
    config.Autograde.create_student = False
    gradebook = open_gradebook(patience=0)
    with pytest.raises(GradebookError, match="No such student: locked"):
        gradebook.record({"locked": entry})
    gradebook.close()


class DatabaseError(Exception):
    """What a driver of PostgreSQL raises."""

    def __init__(self, pgcode: str) -> None:
        super().__init__("It says locked, too.")
        self.pgcode = pgcode


@pytest.mark.parametrize(
    ("said", "transient"),
    [
        (DatabaseError("23505"), True),
        (DatabaseError("40P01"), True),
        (DatabaseError("23503"), False),
        (sqlite3.OperationalError("database is locked"), True),
        (sqlite3.IntegrityError("locked"), False),
    ],
    ids=str,
)
def test_error_that_nbgrader_wraps_is_known(said: Exception, transient: bool) -> None:
    """Nbgrader raises its own with the text alone; what the database has said decides about another try."""
    try:
        try:
            raise DBAPIError("insert", {}, said)
        except DBAPIError as error:
            raise InvalidEntry(*error.args)  # noqa: B904 - as nbgrader does
    except InvalidEntry as wrapped:
        assert transactions._is_transient(wrapped) is transient


def test_failure_in_the_middle_leaves_nothing(
    gradebook: ClassGradebook, entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Submissions are recorded whole or not at all, and all of a batch or none."""
    gradebook.record({"ada": entry})
    seen = []

    def penalize(*_: object) -> None:
        seen.append(1 / (1 - len(seen)))  # fails with the second

    monkeypatch.setattr(writer, "penalize", penalize)
    with pytest.raises(ZeroDivisionError):
        gradebook.record({"ada": Entry(dict.fromkeys(entry.scores, 0.5), {}), "eve": entry})
    assert gradebook.students() == ["ada"]
    (held,) = read_stored_grades(gradebook.url, gradebook.assignment).submissions.values()
    assert held.agrees(entry.scores, NOON)


def test_batch_is_recorded_as_one_by_one(gradebook: ClassGradebook, entry: Entry) -> None:
    """New students, new submissions and known ones in one batch: the same rows, each its own entry's."""
    other = Entry(dict.fromkeys(entry.scores, 0.5), {}, NOON + timedelta(hours=1))
    with Gradebook(gradebook.url, "attention") as theirs:
        theirs.add_student("bob")
    gradebook.record({"ada": entry})
    held = gradebook.record({"ada": other, "bob": entry, "eve": other})
    assert gradebook.students() == ["ada", "bob", "eve"]
    assert held == read_stored_grades(gradebook.url, gradebook.assignment).submissions
    assert held["bob"].agrees(entry.scores, NOON)
    for student in ("ada", "eve"):
        assert held[student].agrees(other.scores, other.timestamp)
    assert gradebook.record({}) == {}


def test_what_is_no_gradebook_is_an_error(open_gradebook: Callable, directory: CourseDirectory) -> None:
    """A file that is no database is named, and not overwritten."""
    file = Path(directory.root, "gradebook.db")
    file.write_text("no database at all, but long enough to be taken for one" * 20)
    with pytest.raises(GradebookError, match="not a database"):
        open_gradebook()
    assert "long enough" in file.read_text()


def test_comments_cannot_carry_html(master: Master) -> None:
    """Nbgrader's feedback takes comments for Markdown with HTML: nothing of a student's text acts in it."""
    name, *others = master.exercises
    exercises = dict.fromkeys(others, ExerciseRecord(1, 1, "passed"))
    exercises[name] = ExerciseRecord(
        0, 1, "failed", ("raises",), Message("<img src=x onerror=alert(1)> `$x$`")
    )
    notebook = released_notebook(master)
    for cell in notebook.cells:
        cell.source += "\n# answered"
    record = Record("", "graded", 0, 1, exercises, notebook=nbformat.writes(notebook))
    comments = gradebook_entry(record).comments
    assert [key for key, text in comments.items() if text] == [name]
    assert not set("<>`$") & set(comments[name])
    assert check_id(master.exercises[name]) not in comments


QUOTED = (
    "[x](y)",
    "![x](y)",
    "[x][y]",
    "[x]: y\n\n[x]",
    "- [[x]: y\n\n[[x]",
    "**b**",
    "_i_",
    "__init__",
    "`c`",
    "# h",
    "<b>",
    "&lt;b&gt;",
    "https://somewhere.example/x",
    "a\n===\nb\n---",
    "term\n: def",
    "a\r\r[x]: http://e\r\r[x]",
)


@pytest.mark.parametrize("text", QUOTED)
def test_comment_is_text_in_markdown(text: str) -> None:
    """No link, picture or emphasis comes of what a message quotes."""
    page = markdown2html(entry_module._as_markdown(text))
    assert set(re.findall(r"<(\w+)", page)) <= {"p", "ul", "li"}


@pytest.mark.parametrize("text", ["$a$", "$$a$$", r"\(a\)", r"\[a\]", r"\begin{align}a\end{align}"])
def test_comment_holds_no_formula(text: str) -> None:
    """Nothing of what the browser shows would be typeset."""
    shown = unescape(markdown2html(entry_module._as_markdown(text)))
    assert not re.search(r"\$|\\[(\[]|\\begin", shown)


def test_comment_can_be_read_as_it_is() -> None:
    """Formgrader shows it letter by letter: an ordinary message has no entity in it."""
    message = "The result differs most at [1, 1]: expected 0.8210 (tolerance 2e-06). Look at W_query and d_k."
    assert entry_module._as_markdown(message) == message


def test_untouched_cell_is_said_to_have_no_response(master: Master) -> None:
    """As nbgrader says it."""
    exercises = {name: ExerciseRecord(0, 1, "failed", (), Message("No.")) for name in master.exercises}
    record = Record("", "graded", 0, 1, exercises, notebook=nbformat.writes(released_notebook(master)))
    assert set(gradebook_entry(record).comments.values()) == {"No response."}


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("not an address", "postgresql\\+psycopg2://user@host/database"),
        ("nothing+nowhere://ada:secret@host/grades", "needs a driver that is not installed"),
        ("postgresql+psycopg2://ada:secret@localhost:1/grades", "localhost"),
    ],
)
def test_gradebook_that_is_not_to_be_had_is_one_error(
    url: str, said: str, open_gradebook: Callable, directory: CourseDirectory
) -> None:
    """An address that is none, a driver that is missing, a server that is not there; no password is told."""
    directory.db_url = url
    for use in (open_gradebook, lambda: read_stored_grades(url, "ch04_self_attention")):
        with pytest.raises(GradebookError, match=said) as caught:
            use()
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("step", ["make_tables", "gradebook_on", "_known"])
def test_gradebook_that_cannot_be_opened_leaves_no_connection(
    step: str, open_gradebook: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever goes wrong on the way, at the tables or later, the engine is disposed of."""
    disposed, real = [], transactions.engine_for

    def engine_for(*arguments: object, **options: object) -> Engine:
        engine = real(*arguments, **options)
        event.listen(engine, "engine_disposed", disposed.append)
        return engine

    def fail(*_: object) -> None:
        raise GradebookError("on purpose")

    monkeypatch.setattr(transactions, "engine_for", engine_for)
    monkeypatch.setattr(writer if step == "_known" else transactions, step, fail)
    with pytest.raises(GradebookError, match="on purpose"):
        open_gradebook()
    assert len(disposed) == 1


def test_late_rule_that_is_not_found_is_one_error(config: Config, open_gradebook: Callable) -> None:
    """The error names it and where it belongs, and comes before anything is graded."""
    config.AssignLatePenalties.plugin_class = "nowhere.Rule"
    with pytest.raises(GradebookError, match=r"nowhere\.Rule"):
        open_gradebook()
