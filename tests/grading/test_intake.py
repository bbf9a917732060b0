"""The right work is graded, or the reason is said: what is taken of what lies in a folder."""

import json
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from small_class import Class, graded_cells

from grader.course.paths import CoursePaths
from grader.errors import SubmissionError
from grader.exercises import CHAPTERS
from grader.grading.extra_files import MAX_FILE, MAX_FILES, MAX_FILES_BYTES, read_beside
from grader.grading.folder import DEPTH, ENTRIES
from grader.grading.intake import read_handed_in
from grader.grading.master import Master
from grader.grading.notebook_reader import MAX_BYTES
from grader.grading.notebook_reader import MAX_FILE as MAX_NOTEBOOK
from grader.grading.sanitize import sanitize
from grader.sandbox.job import Cell, Job
from grader.sandbox.sandbox import Sandbox

HELPER = "my_utils.py"


def put(a_class: Class, name: str, content: str | bytes) -> None:
    """Put a file beside Ada's notebook."""
    path = a_class.root / "submitted" / "ada" / a_class.stem / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def read(a_class: Class) -> object:
    """Return what Ada handed in."""
    return read_handed_in(a_class.directory, "ada", a_class.grading.master)


@pytest.mark.parametrize("copy", ["{stem}-Copy1.ipynb", "{stem} (1).ipynb", "mine.ipynb "])
def test_blank_notebook_beside_answers_names_both(
    a_class: Class, right: str, released: str, copy: str
) -> None:
    """Neither is guessed at; the other way round the answers are graded, and a note names the other."""
    copy, own = copy.format(stem=a_class.stem), f"{a_class.stem}.ipynb"
    put(a_class, own, released)
    put(a_class, copy, right)
    outcome = a_class.grade("ada")["ada"]
    assert (outcome.status, outcome.score) == ("error", None)
    assert own in outcome.reason and copy in outcome.reason and "blank" in outcome.reason
    put(a_class, own, right)
    put(a_class, copy, released)
    assert copy in " ".join(read(a_class).notes)


def test_two_blank_notebooks_are_blank(a_class: Class, released: str) -> None:
    """Who has written nothing has no answer anywhere."""
    put(a_class, f"{a_class.stem}.ipynb", released)
    put(a_class, "other.ipynb", released)
    put(a_class, "broken.ipynb", "{")
    assert read(a_class).content == released.encode()


@pytest.mark.parametrize("bare", [False, True], ids=["as handed out", "without metadata and ids"])
def test_other_chapter_is_named(master: Master, repository: Path, bare: bool) -> None:
    """Whatever it lost on its way, the notebook of another chapter is said to be that."""
    for other in CHAPTERS.values():
        notebook = json.loads(CoursePaths(repository).student(other).read_text())
        for cell in notebook["cells"] if bare else ():
            cell["metadata"] = {}
            cell.pop("id", None)
        content = json.dumps(notebook).encode()
        if other.stem == master.chapter.stem:
            assert sanitize(content, master).answers
            continue
        with pytest.raises(
            SubmissionError, match=rf"notebook of {other.stem} .*Hand in {master.chapter.stem}"
        ):
            sanitize(content, master)


@pytest.mark.parametrize("sources", [[], [""], ["import torch", "def mean(x): return x.mean()"]])
def test_notebook_of_nothing_is_no_zero(master: Master, sources: list[str]) -> None:
    """Where neither a cell nor a name is of the chapter, a person decides."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(one) for one in ["# mine", *sources]]
    )
    with pytest.raises(SubmissionError, match=f"Nothing in this notebook is of {master.chapter.stem}"):
        sanitize(nbformat.writes(notebook).encode(), master)


def test_folder_without_a_notebook_says_what_is_in_it(a_class: Class) -> None:
    """Names of files and folders, each harmless to show."""
    (a_class.root / "submitted" / "ada" / a_class.stem / f"{a_class.stem}.ipynb").unlink()
    for name in ("answers.py", "page.html", "work.zip", "a\x1b[1m.txt"):
        put(a_class, name, "x")
    (a_class.root / "submitted" / "ada" / a_class.stem / "data").mkdir()
    with pytest.raises(SubmissionError) as caught:
        read(a_class)
    for name in ("answers.py", "page.html", "work.zip", "data/", r"a\x1b[1m.txt"):
        assert name in str(caught.value)


def test_helper_is_there_for_the_code(a_class: Class, right: str, sandbox: Sandbox) -> None:
    """A module and a text that were handed in can be used; other bytes of them are graded anew."""
    put(a_class, f"{a_class.stem}.ipynb", right)
    before = a_class.grading.key(read(a_class))
    put(a_class, HELPER, "A = 5\n")
    put(a_class, "words.txt", "one\r\nzwölf")
    handed_in = read(a_class)
    assert handed_in.files == {HELPER: "A = 5\n", "words.txt": "one\r\nzwölf"}
    assert HELPER in " ".join(handed_in.notes)
    source = "import my_utils\nprint(my_utils.A, ascii(open('words.txt', newline='').read()))"
    run = sandbox.run(Job((Cell(source),), {}, files=handed_in.files))
    assert run.cells[0].outputs[0]["text"] == "5 'one\\r\\nzw\\xf6lf'\n"
    keys = {before, a_class.grading.key(handed_in)}
    put(a_class, HELPER, "A = 6\n")
    assert len(keys | {a_class.grading.key(read(a_class))}) == 3


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("torch.py", "x = 1", "name of a library"),
        ("grader.py", "x = 1", "name of a library"),
        ("random.py", "x = 1", "name of a library"),
        ("numpy.pyi", "x = 1", "name of a library"),
        ("model.pt", b"\x80\x02\xff", "is no text"),
        ("nul.txt", "a\0b", "is no text"),
        ("large.txt", "x" * (MAX_FILE + 1), "larger than"),
        ("ünder.py", "x = 1", "other signs"),
        ("-rf", "x", "other signs"),
        ("end.txt ", "x", "other signs"),
    ],
)
def test_what_code_may_not_have_is_told(
    a_class: Class, right: str, name: str, content: object, said: str
) -> None:
    """It is left out, and the note names it with the reason."""
    put(a_class, f"{a_class.stem}.ipynb", right)
    put(a_class, name, content)
    handed_in = read(a_class)
    assert not handed_in.files
    (note,) = handed_in.notes
    assert name.strip() in note and said in note and "not there" in note


def test_files_have_limits() -> None:
    """Their number, and the bytes of all together."""
    names = [f"f{number:02}.txt" for number in range(MAX_FILES + 5)]
    assert len(read_beside(names, lambda name, most: b"x").files) == MAX_FILES

    def large(name: str, most: int) -> bytes:
        if most < MAX_FILE:
            raise SubmissionError(f"{name} is larger than {most}.")
        return b"x" * MAX_FILE

    beside = read_beside(names, large)
    assert sum(map(len, beside.files.values())) == MAX_FILES_BYTES
    assert len(beside.left_out) == len(names) - len(beside.files)


def test_link_beside_the_notebook_leads_nowhere(a_class: Class, right: str) -> None:
    """What it leads to is not read."""
    put(a_class, f"{a_class.stem}.ipynb", right)
    secret = a_class.root / "secret.txt"
    secret.write_text("secret")
    (a_class.root / "submitted" / "ada" / a_class.stem / "notes.txt").symlink_to(secret)
    handed_in = read(a_class)
    assert handed_in.files == {}
    (note,) = handed_in.notes
    assert "notes.txt (a symbolic link; links are not followed)" in note and "secret.txt" not in note


def test_folders_beside_the_notebook_are_told(a_class: Class, right: str) -> None:
    """Each once, with how many files are in it that somebody put there; no link is followed."""
    put(a_class, f"{a_class.stem}.ipynb", right)
    for name in (
        *(
            "helper/__init__.py",
            "helper/deep/er.py",
            "helper/.hidden",
            "helper/__pycache__/x.pyc",
            "pics/a.png",
        ),
        *(".ipynb_checkpoints/x.py", "__pycache__/y.pyc", f"{'long' * 50}/z.txt", "many/0"),
    ):
        put(a_class, name, "x")
    folder = a_class.root / "submitted" / "ada" / a_class.stem
    (folder / "helper" / "up").symlink_to(folder)
    for number in range(1, ENTRIES + 5):
        (folder / "many" / str(number)).touch()
    deep = folder / "deep"
    for _ in range(3 * DEPTH):
        deep.mkdir()
        deep /= "d"
    deep.parent.joinpath("bottom.txt").touch()
    handed_in = read(a_class)
    assert not handed_in.files
    (note,) = handed_in.notes
    told = note.partition("not there when it ran: ")[2].partition(". Code")[0]
    assert told.split(", ") == [
        "deep/ (a folder with 0 files)",
        "helper/ (a folder with 2 files)",
        f"{'long' * 15}.../ (a folder with 1 file)",
        f"many/ (a folder with {ENTRIES} files or more)",
        "pics/ (a folder with 1 file)",
    ]


def with_outputs(right: str, outputs: list[dict]) -> bytes:
    """Return the right notebook, its first code cell with outputs."""
    document = json.loads(right)
    next(cell for cell in document["cells"] if cell["cell_type"] == "code")["outputs"] = outputs
    return json.dumps(document).encode()


@pytest.mark.parametrize("shape", ["long", "many values", "deep"])
def test_outputs_do_not_count(right: str, master: Master, shape: str) -> None:
    """A notebook whose outputs alone exceed a limit is read as it would be without them, with a note."""
    text = 'x "outputs": [ \\' * (MAX_BYTES // 5)
    outputs = {
        "long": [{"output_type": "stream", "name": "stdout", "text": text}],
        "many values": [{"output_type": "display_data", "data": {"a": [0] * 1_100_000}}],
        "deep": [{"a": json.loads("[" * 200 + '"' + "x" * 20_000 + '"' + "]" * 200)}],
    }[shape]
    small, large = sanitize(right.encode(), master), sanitize(with_outputs(right, outputs), master)
    assert (large.cells, large.answers) == (small.cells, small.answers)
    assert any("were left out" in note for note in large.notes)


def test_there_is_a_hard_limit(master: Master) -> None:
    """Beyond it nothing is read, whatever it is."""
    with pytest.raises(SubmissionError, match=f"the limit is {MAX_NOTEBOOK:,}"):
        sanitize(b" " * (MAX_NOTEBOOK + 1), master)


def renamed(right: str, subject: str, other: str, bare: bool) -> bytes:
    """Return the right notebook with a class called otherwise."""
    document = json.loads(graded_cells(right))
    for cell in document["cells"]:
        cell["source"] = "".join(cell["source"]).replace(f"class {subject}(", f"class {other}(")
        if bare:
            cell["metadata"] = {}
            cell.pop("id", None)
    return json.dumps(document).encode()


@pytest.mark.parametrize("bare", [False, True])
def test_renamed_answer_is_told_as_that(a_class: Class, right: str, bare: bool) -> None:
    """The verdict says what is there instead, and no note says that the cell is missing."""
    subject = a_class.grading.master.exercises["ch04-self-attention"].subject
    content = renamed(right, subject, subject.lower(), bare)
    a_class.hand_in("ada", content)
    outcome = a_class.grade("ada")["ada"]
    said = outcome.exercises["ch04-self-attention"].message
    assert f"{subject} is missing; there is a class {subject.lower()} in the cell ch04-self-attention" in said
    assert not any("ch04-self-attention is missing" in note for note in outcome.notes)


def test_commands_of_the_shell_cost_nothing(a_class: Class, right: str, sandbox: Sandbox) -> None:
    """A right answer behind !pip, %pip and the like has its points, and a note says what was left out."""
    document = json.loads(graded_cells(right))
    for cell in document["cells"]:
        if cell["id"] == "ch04-self-attention":
            before = "!pip install einops\n%pip install torch\n%tensorflow_version 2.x\nfiles = !ls\n"
            cell["source"] = before + "".join(cell["source"])
    shell = {"cell_type": "code", "metadata": {}, "id": "sh", "outputs": [], "source": "%%bash\nls\n"}
    document["cells"].insert(0, shell)
    a_class.hand_in("ada", json.dumps(document))
    record = replace(a_class.grading, sandbox=sandbox).grade(read(a_class))
    assert record.score == record.max_score
    assert sum("system's shell" in note for note in record.notes) == 2
