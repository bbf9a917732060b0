"""Whatever a student sends: reading it ends in what it means, or in the one error that refuses it."""

import json
import os
import re
import socket
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from grader.checking.judge import judge
from grader.checking.observation import Attempt, Observation
from grader.errors import GraderError, SubmissionError
from grader.exercises import Exercise
from grader.grading.class_run import name_problem
from grader.grading.escape_markdown import as_listing, escape_markdown
from grader.grading.master import Master
from grader.grading.record import Record
from grader.grading.sanitize import sanitize
from grader.grading.submissions import printable, read_folder, read_secret, students_with_folder
from grader.references import ExerciseReference
from grader.reporting.feedback import mark_of
from grader.reporting.spreadsheet import FORMULA, as_csv, read_sheet
from grader.sandbox import frames
from grader.sandbox.job import Limits
from grader.sandbox.outputs import read_outputs, sizes
from grader.sandbox.wire import FACTS, HostileError, _header, _pack, load_json, pack_attempt, read_attempt
from grader.similarity.winnowing import fingerprints
from grader.time_limits import Allowance
from tests.grading.test_escape_markdown import nothing_runs

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")

# Keys and values that mean something to whoever reads a notebook or an attempt.
WORDS = (
    *("cells", "cell_type", "code", "markdown", "raw", "id", "source", "metadata", "outputs", "nbgrader"),
    *("grade_id", "grade", "solution", "locked", "points", "nbformat", "nbformat_minor", "output_type"),
    *("stream", "display_data", "execute_result", "error", "name", "text", "data", "image/png", "text/plain"),
    *("ename", "evalue", "traceback", "stdout", "ch04-self-attention-v1", "ch04-self-attention-v1-check"),
    *("result", "argument/x", "__metadata__", "NaN", "\ud800", "\x00", "=1+1", "<script>", "&#92;href{x}"),
)
TEXTS = st.sampled_from(WORDS) | st.text(max_size=30)
NUMBERS = st.integers() | st.floats() | st.sampled_from((2**63, -(2**63), 10**400, 1e308, -0.0))
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=15,
)
# Where bytes are changed, as a share of all; how many go; what comes there.
CHANGES = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.sampled_from((0, 1, 1, 2, 8, 50, 2000)),
        st.binary(max_size=8)
        | st.sampled_from((b"{", b"]", b'"', b"\\u0000", b"\\ud800", b"NaN", b"\0", b"null", b"[" * 5000)),
    ),
    max_size=8,
)


def changed(content: bytes, changes: list[tuple[float, int, bytes]]) -> bytes:
    """Return bytes with some of them exchanged."""
    for share, gone, come in changes:
        at = int(share * len(content))
        content = content[:at] + come + content[at + gone :]
    return content


def replaced(value: object, places: list[int], other: object) -> object:
    """Return JSON data with another value at the place that a list of numbers leads to."""
    if not places or not isinstance(value, dict | list) or not value:
        return other
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = keys[places[0] % len(keys)]
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = replaced(value[key], places[1:], other)
    return copy


PLACES = st.lists(st.integers(0, 50), max_size=7)
EXCHANGES = st.lists(st.tuples(PLACES, VALUES), min_size=1, max_size=4)


def aligned_or_refused(content: bytes, master: Master) -> None:
    """Read a notebook: every exercise is checked once, or there is a reason of one line."""
    try:
        sanitized = sanitize(content, master)
    except SubmissionError as error:
        assert "\n" not in str(error) and len(str(error)) < 300
        return
    assert sorted(one.exercise for one in sanitized.cells if one.exercise) == sorted(master.exercises)
    assert not any(re.search(r"[<>\n]", note) for note in sanitized.notes)
    json.dumps(sanitized.notebook, ensure_ascii=False).encode()


@given(changes=CHANGES)
def test_bytes_of_a_notebook(changes: list, right: bytes, master: Master, count: Counter[str]) -> None:
    """Bytes of a notebook are changed, doubled, or gone."""
    count["notebooks, by bytes"] += 1
    aligned_or_refused(changed(right, changes), master)


@given(exchanges=EXCHANGES)
def test_values_of_a_notebook(exchanges: list, right: bytes, master: Master, count: Counter[str]) -> None:
    """Other values stand where a notebook has cells, sources, marks or outputs."""
    count["notebooks, by values"] += 1
    document = json.loads(right)
    for places, value in exchanges:
        document = replaced(document, places, value)
    aligned_or_refused(json.dumps(document).encode(), master)


@given(
    source=st.lists(
        st.sampled_from(
            ("check(", '"ch04', "-", '"', ",", " " * 300, "\t", "\n", "x", "=", "#", "(", ")", ";", "[" * 99)
        )
        | st.text(max_size=5),
        max_size=40,
    ).map("".join),
    place=st.integers(0, 200),
)
def test_source_of_a_cell(source: str, place: int, right: bytes, master: Master, count: Counter[str]) -> None:
    """Any text is a cell's source, as an answer, as prose, as a test."""
    count["cells"] += 1
    document = json.loads(right)
    document["cells"][place % len(document["cells"])]["source"] = source
    aligned_or_refused(json.dumps(document).encode(), master)


def judged(content: bytes, exercise: Exercise, reference: ExerciseReference) -> None:
    """Read an attempt and judge it; only a hostile one is refused."""
    try:
        made = read_attempt(content, [case.name for case in reference.cases])
    except HostileError:
        return
    judge(exercise, reference, made, "cpu").to_json()


@pytest.fixture(scope="session")
def attempt_of() -> Callable[[tuple[Observation, ...]], bytes]:
    """Return a function that packs what was seen."""
    return lambda seen: pack_attempt(Attempt(seen))


@given(changes=CHANGES)
def test_bytes_of_an_attempt(
    changes: list,
    observed: Callable,
    exercise: Exercise,
    reference: ExerciseReference,
    attempt_of: Callable,
    count: Counter[str],
) -> None:
    """What arrives from the learner's process has other bytes."""
    count["attempts, by bytes"] += 1
    judged(changed(attempt_of(observed("missing-scale")), changes), exercise, reference)


@given(exchanges=EXCHANGES)
def test_facts_of_an_attempt(
    exchanges: list,
    observed: Callable,
    exercise: Exercise,
    reference: ExerciseReference,
    attempt_of: Callable,
    count: Counter[str],
) -> None:
    """What arrives says other things of the same tensors."""
    count["attempts, by facts"] += 1
    seen = observed("missing-scale")
    facts = json.loads(_header(attempt_of(seen))["__metadata__"][FACTS])
    for places, value in exchanges:
        facts = replaced(facts, places, value)
    judged(_pack(facts, [one.tensors for one in seen]), exercise, reference)


SHAPES = st.lists(st.integers(0, 7), max_size=5)
DTYPES = st.sampled_from(
    (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int8, torch.bool)
)


@given(
    tensors=st.lists(st.tuples(st.integers(0, 50), TEXTS, SHAPES, DTYPES, NUMBERS), min_size=1, max_size=6)
)
def test_tensors_of_an_attempt(
    tensors: list,
    observed: Callable,
    exercise: Exercise,
    reference: ExerciseReference,
    attempt_of: Callable,
    count: Counter[str],
) -> None:
    """Tensors arrive under other names, in other shapes, dtypes and numbers, or not at all."""
    count["attempts, by tensors"] += 1
    seen = list(observed("missing-scale"))
    for at, name, shape, dtype, number in tensors:
        place = at % len(seen)
        held = dict(seen[place].tensors)
        known = [*held, name.encode("utf-8", "replace").decode()]  # safetensors takes no half of a character
        inside = float(number) if abs(number) < 100 else float("nan")
        filling = inside if dtype.is_floating_point else int(abs(number) < 100)
        held[known[at % len(known)]] = torch.full(shape, filling, dtype=dtype)
        seen[place] = replace(seen[place], tensors=held)
    judged(attempt_of(tuple(seen)), exercise, reference)


@given(value=st.lists(VALUES, max_size=4) | VALUES)
def test_outputs_of_a_cell(value: object, count: Counter[str]) -> None:
    """Outputs are kept within their limits, or refused."""
    count["outputs"] += 1
    limits = Limits(output_bytes=500, output_lines=10, picture_bytes=200)
    try:
        kept = read_outputs(json.dumps(value).encode(), limits)
    except HostileError:
        return
    text, pictures = sizes(kept)
    assert text <= limits.output_bytes + 500 and pictures <= limits.picture_bytes
    json.dumps(kept, ensure_ascii=False).encode()


@given(content=st.binary(max_size=300))
@example(content=b"d\xff\xff\xff\xff")
def test_frames(content: bytes, count: Counter[str]) -> None:
    """Bytes on the socket are frames, or the end of their sender."""
    count["frames"] += 1
    ours, theirs = socket.socketpair()
    with ours:
        theirs.sendall(content)
        theirs.close()
        receiver = frames.Receiver(ours, 200)
        with pytest.raises((frames.FrameError, EOFError)):
            while True:
                receiver.receive({frames.DONE: 60, frames.ATTEMPTED: 100}, Allowance(60, time.monotonic))


@given(content=st.binary(max_size=300) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_json(content: bytes, count: Counter[str]) -> None:
    """JSON text is read as plain data without NaN, or refused."""
    count["JSON texts"] += 1
    try:
        value = load_json(content)
    except HostileError:
        return
    json.dumps(value, allow_nan=False)


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> CourseDirectory:
    """Return a course with an empty folder for what is handed in."""
    root = tmp_path_factory.mktemp("course")
    (root / "submitted").mkdir()
    return CourseDirectory(config=Config({"CourseDirectory": {"root": str(root)}}))


@given(
    timestamp=st.binary(max_size=60)
    | st.datetimes().map(lambda one: str(one).encode())
    | st.lists(st.sampled_from("0123456789-:. TZ+UC日"), max_size=40).map(lambda one: "".join(one).encode()),
    secret=st.binary(max_size=60),
    name=st.sampled_from(("week.ipynb", "Week.ipynb", "week (1).ipynb", "week.ipynb.txt", "other.ipynb")),
    content=st.binary(max_size=60),
)
def test_folder(
    timestamp: bytes,
    secret: bytes,
    name: str,
    content: bytes,
    directory: CourseDirectory,
    count: Counter[str],
) -> None:
    """Files of a folder are what was handed in, with remarks, or there is a reason."""
    count["folders"] += 1
    folder = Path(directory.root, "submitted", "ada", "week")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for file, text in (("timestamp.txt", timestamp), (".secret", secret), (name, content)):
        (folder / file).write_bytes(text)
    read_secret(directory, "ada", "week")
    try:
        handed_in = read_folder(directory, "ada", "week")
    except SubmissionError as error:
        assert "\n" not in str(error)
        return
    assert handed_in.content == content
    assert all("\n" not in note for note in handed_in.notes)


# What a file system takes for a name.
NAMES = st.binary(min_size=1, max_size=120).filter(
    lambda one: not set(one) & set(b"/\0") and one not in (b".", b"..")
)


@given(name=NAMES)
def test_names_of_folders(name: bytes, directory: CourseDirectory, count: Counter[str]) -> None:
    """A folder of any name is a student's; the name can be printed, and why it cannot be held is said."""
    count["names"] += 1
    submitted = Path(directory.root, "submitted")
    folder = Path(submitted, os.fsdecode(name), "week")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        students = students_with_folder(directory, "week")
        for student in students:
            name_problem(student)
            printable(student).encode()
            assert not re.search(r"[\x00-\x1f\x7f]", printable(student))
    finally:
        folder.rmdir()
        folder.parent.rmdir()


SIGNS = "<>&#;\\{}[]():!\"'`$=/|\n\0"
MARKUP = st.lists(
    st.sampled_from(SIGNS)
    | st.sampled_from(
        ("x5c", "92", "bsol", "href", "javascript", "script", "img", " onerror=", "data:", "```")
    )
    | st.text(max_size=3),
    max_size=30,
).map("".join)


@given(text=MARKUP)
def test_prose(text: str, count: Counter[str]) -> None:
    """Markdown shows no script, no handler and no link that runs."""
    count["prose"] += 1
    nothing_runs(escape_markdown(text))
    nothing_runs(as_listing(text))


@given(source=MARKUP | st.text(max_size=200))
def test_source_is_compared(source: str, count: Counter[str]) -> None:
    """Any text has fingerprints."""
    count["compared sources"] += 1
    fingerprints(source, frozenset())


@given(value=VALUES)
def test_stored_records(value: object, count: Counter[str]) -> None:
    """What stands where a record was stored is one, or damaged."""
    count["records"] += 1
    try:
        Record.from_json(value)
    except GraderError:
        return
    raise AssertionError("taken for a record")


@given(content=st.binary(max_size=200) | MARKUP.map(lambda one: one.encode("utf-8", "replace")))
def test_rosters(content: bytes, directory: CourseDirectory, count: Counter[str]) -> None:
    """A file is a table, or an error that says why not."""
    count["rosters"] += 1
    path = Path(directory.root, "roster.csv")
    path.write_bytes(content)
    try:
        sheet = read_sheet(path)
    except GraderError:
        return
    assert all(len(row) == len(sheet.header) for row in sheet.rows)


@given(cells=st.lists(MARKUP | st.text(max_size=10), min_size=1, max_size=4))
def test_no_cell_computes(cells: list[str], count: Counter[str]) -> None:
    """No text begins a formula in a table that is written for spreadsheets."""
    count["spreadsheets"] += 1
    as_csv(["a"] * len(cells), [cells])
    assert not any(one.startswith(FORMULA) for one in as_csv(["a"], [[cells[0]]]).splitlines()[1:2])


@given(head=MARKUP)
def test_marks_of_pages(head: str, count: Counter[str]) -> None:
    """The head of any page says which scores it shows, or nothing."""
    count["pages"] += 1
    assert isinstance(mark_of(head), str)
