"""What a notebook can suffer on its way, and what is still told with certainty."""

# ruff: noqa: D103 - a damage says in its name what it does

import copy
import json
import random
import re
from collections.abc import Callable

import pytest

from grader.course.finder import FINDER, FINDER_ID
from grader.errors import SubmissionError
from grader.grading.master import Master
from grader.grading.notebook_reader import MAX_BYTES, MAX_CELLS, MAX_DEPTH, MAX_SOURCE, MAX_VALUES
from grader.grading.record import Record
from grader.grading.sanitize import sanitize

V1, V2, TRANSFER, LAST = (
    "ch04-self-attention-v1",
    "ch04-self-attention-v2",
    "ch04-transfer-weights",
    "ch04-self-attention",
)
FULL = 12
Damage = Callable[[dict], dict | str | bytes | None]


def at(document: dict, name: str) -> int:
    """Return where the cell of a ``grade_id`` is."""
    return next(i for i, cell in enumerate(document["cells"]) if cell["id"] == name)


def cell(document: dict, name: str) -> dict:
    """Return the cell of a ``grade_id``."""
    return document["cells"][at(document, name)]


def text(one: dict) -> str:
    """Return a cell's source."""
    return "".join(one["source"])


def code(source: str, **more: object) -> dict:
    """Return a code cell without any metadata."""
    return {
        "cell_type": "code",
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
    } | more


def prose(source: str) -> dict:
    """Return a text cell."""
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def strip(document: dict, *keys: str) -> None:
    """Take keys from every cell; ``metadata`` is emptied."""
    for one in document["cells"]:
        for key in keys:
            if key == "metadata":
                one[key] = {}
            else:
                one.pop(key, None)


def with_bom(document: dict) -> bytes:
    return b"\xef\xbb\xbf" + json.dumps(document).encode()


def as_utf16(document: dict) -> bytes:
    return json.dumps(document).encode("utf-16")


def as_utf16_without_bom(document: dict) -> bytes:
    return json.dumps(document).encode("utf-16-le")


def as_utf32(document: dict) -> bytes:
    return json.dumps(document).encode("utf-32")


def a_byte_not_utf8(document: dict) -> bytes:
    document["cells"].insert(0, prose("Café"))
    return json.dumps(document, ensure_ascii=False).encode().replace(b"\xc3\xa9", b"\xe9")


def trailing_zeros(document: dict) -> bytes:
    return json.dumps(document).encode() + b"\0" * 512


def metadata_stripped(document: dict) -> None:
    strip(document, "metadata")


def metadata_and_ids_stripped(document: dict) -> None:
    strip(document, "metadata", "id")


def ids_all_equal(document: dict) -> None:
    for one in document["cells"]:
        one["id"] = "same"


def ids_not_valid(document: dict) -> None:
    for i, one in enumerate(document["cells"]):
        one["id"] = ["x y", "", 7, None, "a" * 70, '"><script>'][i % 6]


def answer_copied(document: dict) -> None:
    document["cells"].insert(at(document, V1) + 1, dict(cell(document, V1)))


def every_cell_twice(document: dict) -> None:
    document["cells"] = [one for one in document["cells"] for _ in range(2)]


def notebook_twice(document: dict) -> None:
    document["cells"] = document["cells"] + document["cells"]


def stub_after_answer(document: dict) -> None:
    stub = dict(cell(document, V1), source=STUBS[V1])
    document["cells"].insert(at(document, V1) + 1, stub)


def stub_before_answer(document: dict) -> None:
    stub = dict(cell(document, V1), source=STUBS[V1])
    document["cells"].insert(at(document, V1), stub)


def older_try_before_answer(document: dict) -> None:
    older = dict(cell(document, V1), source="class SelfAttention_v1(nn.Module):\n    pass")
    document["cells"].insert(at(document, V1), older)


def copy_behind_the_check(document: dict, source: str) -> int:
    """A copy of the answer's cell, metadata and all, stands behind its check with another text."""
    place = at(document, V1) + 2
    document["cells"].insert(place, dict(cell(document, V1), source=source))
    return place


def wrong_copy_behind_the_check(document: dict) -> None:
    copy_behind_the_check(document, "class SelfAttention_v1(nn.Module):\n    pass")


def answer_in_a_copy_behind_the_check(document: dict) -> None:
    answer = text(cell(document, V1))
    cell(document, V1)["source"] = f"# not yet\n{STUBS[V1]}"
    copy_behind_the_check(document, answer)


def answer_and_check_copied(document: dict) -> None:
    """A wrong try and its check, then copies of both with the right answer: the last check saw that."""
    answer, check = text(cell(document, V1)), dict(cell(document, f"{V1}-check"))
    cell(document, V1)["source"] = "class SelfAttention_v1(nn.Module):\n    pass"
    place = copy_behind_the_check(document, answer)
    document["cells"].insert(place + 1, check)


def answer_in_a_new_cell(document: dict) -> None:
    """The stub is left as it is; the answer is in a cell of its own behind the check."""
    answer = text(cell(document, V1))
    cell(document, V1)["source"] = STUBS[V1]
    document["cells"].insert(at(document, V1) + 2, code(answer))


def moved_behind(document: dict, left: str) -> None:
    """The answer is in a cell of its own behind the check; something is left in the answer cell."""
    answer = text(cell(document, V1))
    cell(document, V1)["source"] = left
    document["cells"].insert(at(document, V1) + 2, code(answer))


def comment_left(document: dict) -> None:
    moved_behind(document, "# my answer is in the cell below the check")


def comment_above_the_stub_left(document: dict) -> None:
    moved_behind(document, f"# answered below\n{STUBS[V1]}")


def stub_with_another_docstring_left(document: dict) -> None:
    moved_behind(document, STUBS[V1].replace('"""Scaled', '"""Mine: Scaled', 1))


def stub_commented_out_left(document: dict) -> None:
    moved_behind(document, "\n".join(f"# {line}" for line in STUBS[V1].splitlines()))


def import_left(document: dict) -> None:
    moved_behind(document, "import torch")


def print_left(document: dict) -> None:
    moved_behind(document, "print('see below')")


def answered_in_the_last_cell(document: dict) -> None:
    """One answer stands in the cell of the last exercise, a comment above its own stub."""
    last = cell(document, LAST)
    last["source"] = text(cell(document, V1)) + "\n\n\n" + text(last)
    cell(document, V1)["source"] = f"# see the last one\n{STUBS[V1]}"


def all_in_the_last_cell(document: dict) -> None:
    """Comments in the cells of the others say so."""
    names = (V1, V2, TRANSFER, LAST)
    everything = "\n\n\n".join(text(cell(document, name)) for name in names)
    for name in names:
        cell(document, name)["source"] = everything if name == LAST else "# see the last one"


def answer_before_its_commented_stub(document: dict) -> None:
    """The stub, which runs behind it, does not count."""
    answer = text(cell(document, V1))
    cell(document, V1)["source"] = f"# answered above\n{STUBS[V1]}"
    document["cells"].insert(at(document, V1), code(answer))


def another_answer_behind_the_check(document: dict) -> None:
    """The right answer is in its cell, and a later one plays with the name."""
    document["cells"].append(code("class SelfAttention_v1(nn.Module):\n    pass"))


def another_answer_behind_an_answer_beside_its_cell(document: dict) -> None:
    """The check saw the right answer, in the cell above; a later one plays with the name."""
    answer = text(cell(document, V1))
    cell(document, V1)["source"] = "print('see above')"
    document["cells"].insert(at(document, V1), code(answer))
    another_answer_behind_the_check(document)


def another_answer_behind_an_answer_below_the_stub(document: dict) -> None:
    """The check saw the right answer, in a cell below the stub; a later one plays with the name."""
    answer = text(cell(document, V1))
    cell(document, V1)["source"] = STUBS[V1]
    document["cells"].insert(at(document, V1) + 1, code(answer))
    another_answer_behind_the_check(document)


def another_answer_behind_all_stripped(document: dict) -> None:
    """The same where no cell says what it is."""
    strip(document, "metadata", "id")
    another_answer_behind_the_check(document)


def answer_that_no_pattern_sees(document: dict) -> None:
    """It is defined within a condition; a later cell plays with the name."""
    answer = text(cell(document, V1))
    cell(document, V1)["source"] = "if True:\n" + "\n".join(f"    {line}" for line in answer.splitlines())
    another_answer_behind_the_check(document)


def answer_before_its_stub(document: dict) -> None:
    answer = text(cell(document, V1))
    cell(document, V1)["source"] = STUBS[V1]
    document["cells"].insert(at(document, V1), code(answer))


def check_deleted(document: dict) -> None:
    del document["cells"][at(document, f"{V1}-check")]


def all_checks_deleted(document: dict) -> None:
    document["cells"] = [one for one in document["cells"] if not one["id"].endswith("-check")]


def check_edited(document: dict) -> None:
    cell(document, f"{V1}-check")["source"] = "assert True"


def check_raises(document: dict) -> None:
    cell(document, f"{V1}-check")["source"] = "raise SystemExit"


def check_of_another_name(document: dict) -> None:
    cell(document, f"{V1}-check")["source"] = f'check("{V1}", nn.Linear)'


def check_twice(document: dict) -> None:
    document["cells"].insert(at(document, f"{V1}-check"), dict(cell(document, f"{V1}-check")))


def check_before_answer(document: dict) -> None:
    check = document["cells"].pop(at(document, f"{V1}-check"))
    document["cells"].insert(at(document, V1), check)


def check_at_the_end(document: dict) -> None:
    document["cells"].append(document["cells"].pop(at(document, f"{V1}-check")))


def check_turned_into_prose(document: dict) -> None:
    check = cell(document, f"{V1}-check")
    check["cell_type"] = "markdown"
    del check["outputs"], check["execution_count"]


def answer_written_into_the_check(document: dict) -> None:
    answer = cell(document, V1)
    check = cell(document, f"{V1}-check")
    check["source"] = text(answer) + "\n\n" + text(check)
    answer["source"] = STUBS[V1]


def answer_merged_into_the_check(document: dict) -> None:
    check = cell(document, f"{V1}-check")
    check["source"] = text(cell(document, V1)) + "\n\n" + text(check)
    del document["cells"][at(document, V1)]


def check_merged_into_the_answer(document: dict) -> None:
    answer = cell(document, V1)
    answer["source"] = text(answer) + "\n\n" + text(cell(document, f"{V1}-check")).replace("check(", "print(")
    del document["cells"][at(document, f"{V1}-check")]


def answers_merged(document: dict) -> None:
    first = cell(document, V1)
    first["source"] = text(first) + "\n\n\n" + text(cell(document, V2))
    del document["cells"][at(document, V2)]


def answer_split(document: dict) -> None:
    """JupyterLab gives both halves the metadata; the helper is in the first."""
    answer = cell(document, V1)
    half = dict(answer, source="def unused_helper(x):\n    return x", id="other")
    document["cells"].insert(at(document, V1), half)


def answer_turned_into_prose(document: dict) -> None:
    answer = cell(document, V1)
    answer["cell_type"] = "markdown"
    del answer["outputs"], answer["execution_count"]


def answer_turned_raw_and_stripped(document: dict) -> None:
    answer = cell(document, V1)
    answer.update(cell_type="raw", metadata={})
    del answer["outputs"], answer["execution_count"], answer["id"]


def exercises_reordered(document: dict) -> None:
    first, second = at(document, V1), at(document, V2)
    cells = document["cells"]
    for i in range(2):
        cells[first + i], cells[second + i] = cells[second + i], cells[first + i]


def grade_ids_exchanged(document: dict) -> None:
    first, second = cell(document, V1)["metadata"], cell(document, V2)["metadata"]
    first["nbgrader"]["grade_id"], second["nbgrader"]["grade_id"] = V2, V1


def answer_and_check_exchange_metadata(document: dict) -> None:
    answer, check = cell(document, V1), cell(document, f"{V1}-check")
    answer["metadata"], check["metadata"] = check["metadata"], answer["metadata"]


def grade_ids_unknown(document: dict) -> None:
    for one in document["cells"]:
        if "nbgrader" in one["metadata"]:
            one["metadata"]["nbgrader"]["grade_id"] = "something-else"


def metadata_flipped(document: dict) -> None:
    marks = cell(document, f"{V1}-check")["metadata"]["nbgrader"]
    marks.update(locked=False, points=1000, solution=True, grade=False, schema_version=99)
    cell(document, V2)["metadata"]["nbgrader"].update(grade=True, points=50, solution=False)


def metadata_of_odd_types(document: dict) -> None:
    odd = [
        None,
        7,
        [],
        "x",
        {"nbgrader": 3},
        {"nbgrader": {"grade_id": ["x"]}},
        {"nbgrader": {"points": "NaN"}},
    ]
    for i, one in enumerate(document["cells"]):
        one["metadata"] = odd[i % len(odd)]


def points_nan(document: dict) -> str:
    cell(document, f"{V1}-check")["metadata"]["nbgrader"]["points"] = "NAN"
    return json.dumps(document).replace('"NAN"', "NaN")


def constants_in_outputs(document: dict) -> str:
    cell(document, V1)["outputs"] = [{"output_type": "display_data", "data": {"x": "NAN"}, "metadata": {}}]
    return json.dumps(document).replace('"NAN"', "-Infinity")


def other_kernel(document: dict) -> None:
    document["metadata"] = {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}}


def no_metadata_at_all(document: dict) -> None:
    del document["metadata"]


def format_99(document: dict) -> None:
    document["nbformat"] = 99


def format_missing(document: dict) -> None:
    del document["nbformat"], document["nbformat_minor"]


def format_text(document: dict) -> None:
    document["nbformat"] = "<script>"


def format_3(document: dict) -> dict:
    cells = []
    for one in document["cells"]:
        old = {"cell_type": one["cell_type"], "metadata": one["metadata"]}
        if one["cell_type"] == "code":
            old |= {"input": one["source"], "outputs": [], "language": "python", "prompt_number": 1}
        else:
            old |= {"source": one["source"]}
        cells.append(old)
    cells.insert(0, {"cell_type": "heading", "level": 1, "source": "Old", "metadata": {}})
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}


def entries_that_are_no_cells(document: dict) -> None:
    document["cells"][1:1] = [None, 7, "class SelfAttention_v1: pass", ["x"], {}, {"cell_type": 4}]


def sources_that_are_no_text(document: dict) -> None:
    document["cells"][1:1] = [code(7), code(None), code(["a", 1]), code({"a": 1})]


def nul_characters(document: dict) -> None:
    answer = cell(document, V1)
    answer["source"] = text(answer) + "\0"


def lone_surrogates(document: dict) -> None:
    answer = cell(document, V1)
    answer["source"] = text(answer) + "  # \ud83d"
    document["cells"].append(prose("\udc00"))


def thousands_of_cells(document: dict) -> None:
    document["cells"] = [prose("") for _ in range(5000)] + document["cells"] + [prose("x")] * 5000


def empty_worksheets_beside(document: dict) -> None:
    document["worksheets"] = []


# What is damaged, and what the notes say of it; the answers in it are right.
RECOVERED = [
    (with_bom, "byte order mark"),
    (as_utf16, "UTF-16"),
    (as_utf16_without_bom, "UTF-16"),
    (as_utf32, "UTF-32"),
    (a_byte_not_utf8, "1 character was replaced"),
    (trailing_zeros, ""),
    (metadata_stripped, f"{V1} had lost its metadata and was found by its cell id"),
    (metadata_and_ids_stripped, f"{V1} was found by the name that it defines"),
    (ids_all_equal, ""),
    (ids_not_valid, ""),
    (answer_copied, f"{V1} was there 2 times; one of them counted"),
    (every_cell_twice, f"{LAST}-check was there 2 times; one of them ran"),
    (notebook_twice, f"{V1} was there 2 times; one of them counted"),
    (stub_after_answer, f"{V1} was there 2 times; one of them counted"),
    (stub_before_answer, f"{V1} was there 2 times; one of them counted"),
    (older_try_before_answer, f"{V1} was there 2 times, each one different"),
    (wrong_copy_behind_the_check, f"{V1} defines SelfAttention_v1, and so does another cell behind it"),
    (answer_in_a_copy_behind_the_check, f"{V1} was there 2 times, each one different"),
    (answer_and_check_copied, f"{V1} was there 2 times, each one different"),
    (answer_in_a_new_cell, f"{V1} was found by the name that it defines"),
    (comment_left, f"{V1} was found by the name that it defines"),
    (comment_above_the_stub_left, f"{V1} was found by the name that it defines"),
    (stub_with_another_docstring_left, f"{V1} was found by the name that it defines"),
    (stub_commented_out_left, f"{V1} was found by the name that it defines"),
    (import_left, f"{V1} was found by the name that it defines"),
    (print_left, f"{V1} was found by the name that it defines"),
    (
        answered_in_the_last_cell,
        f"{V1} holds no answer; its answer was found in another exercise's cell",
    ),
    (
        all_in_the_last_cell,
        f"{TRANSFER} holds no answer; its answer was found in another exercise's cell",
    ),
    (answer_before_its_commented_stub, f"{V1} was found by the name that it defines"),
    (another_answer_behind_the_check, f"{V1} defines SelfAttention_v1, and so does another cell behind it"),
    (another_answer_behind_an_answer_beside_its_cell, f"{V1} was found by the name that it defines"),
    (another_answer_behind_an_answer_below_the_stub, f"{V1} was found by the name that it defines"),
    (another_answer_behind_all_stripped, f"{V1} defines SelfAttention_v1, and so does another cell behind"),
    (answer_that_no_pattern_sees, f"{V1} defines SelfAttention_v1, and so does another cell behind it"),
    (answer_before_its_stub, f"{V1} was found by the name that it defines"),
    (check_deleted, f"{V1}-check was missing and was put back"),
    (all_checks_deleted, f"{LAST}-check was missing and was put back"),
    (check_edited, f"{V1}-check had been changed; the course's own was used"),
    (check_raises, f"{V1}-check had been changed; the course's own was used"),
    (check_of_another_name, f"{V1}-check had been changed; the course's own was used"),
    (check_twice, f"{V1}-check was there 2 times; one of them ran"),
    (check_before_answer, f"{V1}-check stood before the answer and was moved behind it"),
    (check_at_the_end, ""),
    (check_turned_into_prose, f"{V1}-check had been changed"),
    (answer_written_into_the_check, f"{V1} was found by the name that it defines"),
    (answer_merged_into_the_check, f"{V1} was found by the name that it defines"),
    (check_merged_into_the_answer, f"{V1}-check was missing and was put back"),
    (answers_merged, f"{V2} is missing; its answer was found in another exercise's cell"),
    (answer_split, f"{V1} was there 2 times, each one different"),
    (answer_turned_into_prose, f"{V1} had been turned into another kind of cell; it was read as code"),
    (answer_turned_raw_and_stripped, f"{V1} was found by the name that it defines"),
    (exercises_reordered, ""),
    (grade_ids_exchanged, f"{V1} had lost its metadata and was found by its cell id"),
    (answer_and_check_exchange_metadata, f"{V1}-check was found by what it calls"),
    (grade_ids_unknown, f"{V1} had lost its metadata"),
    (metadata_flipped, f"{V1}-check had changed metadata; the course's own was used"),
    (metadata_of_odd_types, f"{V1} had lost its metadata"),
    (points_nan, f"{V1}-check had changed metadata; the course's own was used"),
    (constants_in_outputs, ""),
    (other_kernel, ""),
    (no_metadata_at_all, ""),
    (format_99, "its format is 99"),
    (format_missing, "does not say which format"),
    (format_text, "does not say which format"),
    (format_3, "its format is 3"),
    (entries_that_are_no_cells, "Entry 2 of the notebook is no cell and was left out."),
    (sources_that_are_no_text, "The text of cell 2 is no text and was left out."),
    (nul_characters, "NUL characters"),
    (lone_surrogates, "lone surrogates"),
    (thousands_of_cells, ""),
    (empty_worksheets_beside, ""),
]

STUBS: dict[str, str] = {}


@pytest.fixture(autouse=True)
def stubs(master: Master) -> None:
    """Have the stubs at hand for the damages above."""
    STUBS.update({name: target.source for name, target in master.written.items()})


def test_untouched_is_aligned_without_remark(master: Master, right: str, graded: Callable) -> None:
    """An honest submission gets full marks, no notes, and keeps every cell in its place."""
    record = graded(right)
    assert (record.score, record.status, record.notes) == (FULL, "graded", ())
    sent, kept = json.loads(right)["cells"], json.loads(record.notebook)["cells"]
    assert [(one["id"], text(one)) for one in sent] == [(one["id"], text(one)) for one in kept]


@pytest.mark.parametrize(("damage", "note"), RECOVERED, ids=[one.__name__ for one, _ in RECOVERED])
def test_right_answers_in_a_damaged_wrapper(
    document: dict, master: Master, really_graded: Callable, damage: Damage, note: str
) -> None:
    """Right answers get full marks whatever happened around them, and what was mended is said."""
    content = damage(document)
    record = really_graded(document if content is None else content)
    assert record.status == "graded", record.reason
    assert {name: one.status for name, one in record.exercises.items()} == dict.fromkeys(
        master.exercises, "passed"
    )
    assert record.score == record.max_score == FULL
    assert note in "\n".join(record.notes)
    assert bool(record.notes) == bool(note), record.notes
    assert_aligned(record, master)


def assert_aligned(record: Record, master: Master) -> None:
    """Assert that nbgrader sees exactly the master's cells, each at most once, the checks all."""
    cells = json.loads(record.notebook)["cells"]
    marked = [one for one in cells if "nbgrader" in one["metadata"]]
    names = [one["metadata"]["nbgrader"]["grade_id"] for one in marked]
    assert len(set(names)) == len(names)
    assert len({one["id"] for one in cells}) == len(cells)
    for one, name in zip(marked, names, strict=True):
        target = master.by_grade_id[name]
        assert one["metadata"] == target.metadata
        assert one["cell_type"] == target.kind
        assert target.role != "check" or text(one) == target.source
    assert {target.grade_id for target in master.checks.values()} <= set(names)


def all_but_one_check_deleted(document: dict) -> None:
    document["cells"] = [prose("I give up."), cell(document, f"{V1}-check")]


def answer_deleted(document: dict) -> None:
    del document["cells"][at(document, V1)]


def answer_emptied(document: dict) -> None:
    cell(document, V1)["source"] = ""


def answer_is_prose(document: dict) -> None:
    cell(document, V1).update(cell_type="markdown", source="I could not do this one.")


def newer_try_is_wrong(document: dict) -> None:
    newer = dict(cell(document, V1), source="class SelfAttention_v1(nn.Module):\n    pass")
    document["cells"].insert(at(document, V1) + 1, newer)


def check_forged(document: dict) -> None:
    cell(document, V1)["source"] = "class SelfAttention_v1:\n    pass"
    cell(document, f"{V1}-check").update(
        source="check = lambda *a: None\n10",
        outputs=[{"output_type": "execute_result", "data": {"text/plain": "10"}}],
    )


@pytest.mark.parametrize(
    ("damage", "lost"),
    [
        (all_but_one_check_deleted, (V1, V2, TRANSFER, LAST)),
        (answer_deleted, (V1,)),
        (answer_emptied, (V1,)),
        (answer_is_prose, (V1,)),
        (newer_try_is_wrong, (V1,)),
        (check_forged, (V1,)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_not_there_earns_nothing(
    document: dict, master: Master, really_graded: Callable, damage: Damage, lost: tuple[str, ...]
) -> None:
    """An exercise whose answer is gone or wrong fails; its neighbors keep their points."""
    damage(document)
    record = really_graded(document)
    assert record.status == "graded"
    assert {name for name, one in record.exercises.items() if one.status == "failed"} == set(lost)
    assert record.score == FULL - sum(master.exercises[name].points for name in lost)
    assert_aligned(record, master)


def deep(levels: int) -> bytes:
    return b'{"cells": ' + b"[" * levels + b"]" * levels + b"}"


UNREADABLE = {
    "empty": (b"", "The file is empty."),
    "blank": (b" \n\0", "The file is empty."),
    "bom alone": (b"\xef\xbb\xbf", "The file is empty."),
    "not JSON": (b"class SelfAttention: pass", "this begins with 'class SelfAttention:'"),
    "a PDF file": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "this is a PDF file. Expected the .ipynb file"),
    "a zip archive": (b"PK\x03\x04\x14\0\x08\0", "this is a zip archive. Expected the .ipynb file"),
    "a web page": (
        b"\xef\xbb\xbf\r\n<!DOCTYPE html>\n<html>",
        "this is a web page. Expected the .ipynb file",
    ),
    "a bare web page": (b"<HTML><head>", "this is a web page. Expected the .ipynb file"),
    "binary": (bytes(range(256)) * 20, "not valid JSON"),
    "a list": (b"[]", "no JSON object"),
    "a number": (b"7", "no JSON object"),
    "not a notebook": (b'{"a": 1}', "no list of cells"),
    "cells are text": (b'{"cells": "x"}', "no list of cells"),
    "no cells": (b'{"cells": []}', "has no cells"),
    "no cell is one": (b'{"cells": [1, 2]}', "no cells that can be read"),
    "sheets of nothing": (b'{"worksheets": [1, {"cells": 2}]}', "has no cells"),
    "deep lists": (deep(100_000), f"deeper than {MAX_DEPTH} levels"),
    "deep objects": (b'{"cells":' * 5000, f"deeper than {MAX_DEPTH} levels"),
    "too many values": (b'{"cells": [' + b"0," * MAX_VALUES + b"0]}", f"the limit is {MAX_VALUES:,}"),
    "too large": (b'"' + b"x" * (MAX_BYTES + 1), f"the limit is {MAX_BYTES:,}"),
    "too many cells": (
        json.dumps({"cells": [{}] * (MAX_CELLS + 1)}).encode(),
        f"{MAX_CELLS + 1:,} cells; the limit is {MAX_CELLS:,}",
    ),
    "a giant cell": (
        json.dumps({"cells": [code("#" * (MAX_SOURCE + 1))]}).encode(),
        f"Cell 1 holds more than {MAX_SOURCE:,} bytes",
    ),
    "a number without end": (b'{"cells": [' + b"1" * 10_000 + b"]}", "too many digits"),
    "text without end": (b'{"cells": ["' + b'\\"' * 10_000, "It ends too early"),
}


@pytest.mark.parametrize(("content", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_is_one_line(
    content: bytes, reason: str, master: Master, graded: Callable[[bytes], Record]
) -> None:
    """What is no notebook gets one record: status error, no points, a reason of one line."""
    record = graded(content)
    assert (record.status, record.score, record.max_score) == ("error", 0, FULL)
    assert reason in record.reason and "\n" not in record.reason
    assert re.search("(?i)hand in (the notebook|that file)|hand it in again", record.reason)  # what to do
    assert list(record.exercises) == list(master.exercises)
    assert set(record.unjudged) == set(master.exercises) and not record.faults
    first, *checks = json.loads(record.notebook)["cells"]
    assert record.reason in first["source"]
    assert [one["id"] for one in checks] == [one.cell_id for one in master.checks.values()]


def test_truncated_is_unreadable(right: str, graded: Callable) -> None:
    """Half a file is not graded, wherever it was cut."""
    whole = right.rstrip()
    for share in (0.1, 0.5, 0.9, 0.999):
        assert graded(whole[: int(len(whole) * share)].encode()).status == "error"


def test_what_takes_too_long_to_read_is_refused(
    right: str, graded: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is in a notebook, reading it comes to an end, and the reason is said."""
    monkeypatch.setattr("grader.grading.sanitize.READING_SECONDS", 0.1)
    monkeypatch.setattr("grader.grading.sanitize.read_submission", lambda _: [None for _ in iter(int, 1)])
    record = graded(right.encode())
    assert record.status == "error"
    assert "could not be read within" in record.reason


def mutated(content: bytes, randomness: random.Random) -> bytes:
    """Return bytes with a few of them changed, doubled or taken away."""
    data = bytearray(content)
    for _ in range(randomness.choice((1, 3, 30))):
        start = randomness.randrange(len(data))
        stop = start + randomness.choice((1, 1, 2, 50, 2000))
        kind = randomness.randrange(5)
        if kind == 0:
            del data[start:stop]
        elif kind == 1:
            data[start:start] = data[start:stop]
        elif kind == 2:
            data[start] = randomness.randrange(256)
        elif kind == 3:
            token = randomness.choice(
                (b"{", b"]", b'"', b"\\u0000", b"\\ud800", b"NaN", b"\0", b"null", b"[[[[")
            )
            data[start : start + 1] = token
        else:
            data[start:stop] = bytes(reversed(data[start:stop]))
        if not data:
            break
    return bytes(data)


@pytest.mark.parametrize("seed", range(8))
def test_any_bytes_are_aligned_or_refused(seed: int, right: str, master: Master) -> None:
    """Whatever happens to the bytes: an aligned notebook, or a reason of one line."""
    randomness, aligned = random.Random(seed), 0
    for _ in range(60):
        content = mutated(right.encode(), randomness)
        try:
            sanitized = sanitize(content, master)
        except SubmissionError as error:
            assert "\n" not in str(error) and len(str(error)) < 300
            continue
        aligned += 1
        checked = [one.exercise for one in sanitized.cells if one.exercise]
        assert sorted(checked) == sorted(master.exercises)
        json.dumps(sanitized.notebook, ensure_ascii=False).encode()
    assert aligned


@pytest.mark.parametrize("seed", range(8))
def test_any_json_is_aligned_or_refused(seed: int, document: dict, master: Master) -> None:
    """Whatever values stand where a notebook has others: an aligned notebook, or a reason."""
    randomness = random.Random(seed)
    odd = [None, True, -1, 1e308, "", "x", [], {}, [None], {"a": []}, "\ud800", ["a", "b"], V1, f"{V1}-check"]
    for _ in range(40):
        damaged = json.loads(json.dumps(document))
        for _ in range(randomness.choice((1, 5, 50))):
            one = randomness.choice(damaged["cells"])
            if not isinstance(one, dict):
                continue
            where = one
            if randomness.random() < 0.5 and isinstance(one.get("metadata"), dict):
                where = one["metadata"]
                where = where["nbgrader"] if isinstance(where.get("nbgrader"), dict) else where
            keys = [*where, "id", "nbgrader", "grade_id", "source", "cell_type"]
            where[randomness.choice(keys)] = copy.deepcopy(randomness.choice(odd))
        sanitized = sanitize(json.dumps(damaged).encode(), master)
        assert sorted(one.exercise for one in sanitized.cells if one.exercise) == sorted(master.exercises)
        assert not any(re.search(r"[<>\n]", note) for note in sanitized.notes)


def test_thousands_of_copies_are_no_work(document: dict, master: Master) -> None:
    """Claims of thousands of cells to be the same one are settled, with notes that stay short."""
    answer, check = cell(document, V1), cell(document, f"{V1}-check")
    others = [dict(answer, source=f"x{i} = {i}") for i in range(6000)]
    others += [dict(check, source=f"def helper{i % 50}(): pass") for i in range(6000)]
    sanitized = sanitize(json.dumps({"cells": document["cells"] + others, "nbformat": 4}).encode(), master)
    assert len(sanitized.notes) < 50
    assert sum(bool(one.exercise) for one in sanitized.cells) == len(master.exercises)


def without_imports(document: dict) -> list[dict]:
    """Take the imports at the margin from all code cells but the first; return all of them."""
    cells = [one for one in document["cells"] if one["cell_type"] == "code" and one["id"] != FINDER_ID]
    for one in cells[1:]:  # an answer of the bank brings its own
        lines = text(one).splitlines()
        one["source"] = "\n".join(line for line in lines if not line.startswith(("import ", "from ")))
    return cells


@pytest.mark.parametrize("left", [None, "", "import torch", "import math\nimport torch as t"])
def test_imports_that_were_deleted_are_put_back(
    document: dict, master: Master, really_graded: Callable, left: str | None
) -> None:
    """Right answers pass without them, whether the cell was deleted or cut down; a note says so."""
    first, *_ = without_imports(document)
    if left is None:
        document["cells"].remove(first)
    else:
        first["source"] = left
    record = really_graded(document)
    assert record.score == FULL
    lines = ["`import torch`"] * (left != "import torch") + ["`from torch import nn`"]
    (note,) = record.notes
    assert note.startswith(
        f"Imports of the first code cell were missing up to the first answer: {', '.join(lines)}, "
    )
    assert note.endswith("They were put there, and ran before all other code.")
    put_back = text(json.loads(record.notebook)["cells"][0]).splitlines()
    assert [f"`{line}`" for line in put_back][: len(lines)] == lines
    assert_aligned(record, master)


@pytest.mark.parametrize(
    ("before", "after", "noted"),
    [
        ('from google.colab import drive\ndrive.mount("/content/drive")\n', "", True),
        ("import seaborn_nope\n", "", True),
        ('name = input("name")\n', "", True),
        ("assert 1 == 2\n", "", True),
        ("pip install torch\n", "", True),
        ("", '\nprint "x"', True),
        ("import math\n# mine\n%pip install torch\n", "\nimport numpy as np", False),
    ],
)
def test_imports_that_a_changed_cell_never_comes_to_run_before_it(
    document: dict, master: Master, really_graded: Callable, before: str, after: str, noted: bool
) -> None:
    """A line of a learner's own that stops the first code cell, as one of another service, costs nothing."""
    first, *_ = without_imports(document)
    first["source"] = before + text(first) + after
    record = really_graded(document)
    assert record.score == FULL
    told = [
        note for note in record.notes if note.startswith("Imports of the first code cell stand in a cell")
    ]
    assert len(told) == noted
    assert_aligned(record, master)


def test_imports_of_an_answer_s_own_cell_are_its_own(document: dict, really_graded: Callable) -> None:
    """What comes behind them there is the answer, and no reason to run them before."""
    first = next(
        one for one in document["cells"] if one["cell_type"] == "code" and "import torch" in text(one)
    )
    document["cells"].remove(first)
    record = really_graded(document)
    assert record.score == FULL
    assert not [note for note in record.notes if "stand in a cell" in note]


def test_imports_that_nothing_lacks_are_not_put_back(document: dict, master: Master) -> None:
    """Written otherwise, in another cell before the answers, or not used: nothing is added or said."""
    first, second, *_ = without_imports(document)
    lines = [line for line in text(first).splitlines() if line]

    def notes() -> tuple[str, ...]:
        return sanitize(json.dumps(document).encode(), master).notes

    first["source"], second["source"] = "", "\n".join(lines)
    assert not notes()
    second["source"] = second["source"].replace("from torch import nn", "import torch.nn as nn, math  # mine")
    assert not notes()
    for one in document["cells"]:
        one["source"] = text(one).replace("show_curve(", "print(")
    second["source"] = second["source"].replace("show_curve, ", "")
    assert not notes()
    second["source"] = "import torch.nn"
    assert "`from torch import nn`" in notes()[0]


def test_given_code_behind_the_last_check_is_not_run(document: dict, master: Master) -> None:
    """What the course gave decides nothing there; the student's own code, and what it may need, is run."""
    plain = sanitize(json.dumps(document).encode(), master)
    assert plain.cells[-1].exercise == LAST
    assert len(plain.notebook.cells) == len(document["cells"])
    document["cells"].append(code("mine = 1"))
    own = sanitize(json.dumps(document).encode(), master)
    sources = [one.source for one in own.cells]
    assert sources[-1] == "mine = 1"
    code_cells = [one for one in document["cells"] if one["cell_type"] == "code"]
    assert len(sources) == sum(text(one) != FINDER for one in code_cells) < len(code_cells)
