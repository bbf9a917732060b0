"""What tells who wrote something is taken away, from code and from results."""

import random

import pytest

from grader.exercises import Chapter
from grader.reporting.anonymous import (
    MAX_CHARACTERS,
    MAX_LINES,
    anonymous,
    anonymous_code,
    pseudonyms,
    words_of,
    words_of_code,
)
from grader.reporting.graded import GradedAnswer, GradedAssignment, GradedStudent

WRITTEN = '''# Ada Lovelace, 12345678
import torch
import ada_tools as ada

"""by Ada"""


class SelfAttention(nn.Module):  # Ada's
    """Ada's own.

    For Charles."""

    def __init__(self, d_in, born=18151210):
        super().__init__(); "Ada"
        self.W_query = nn.Parameter(torch.rand(d_in, 1e-9))
        self.ada = f"{ada}" + b"Ada" + r'Ada' + 0xADA5EED

    def forward(self, x):
        lovelace = x @ \\
            self.W_query
        return torch.softmax(lovelace / 0.5, dim=-1)
'''
SHOWN = """import torch
import name_1 as name_2
class SelfAttention(nn.Module):
    def __init__(self, d_in, name_3=…):
        super().__init__(); "…"
        self.W_query = nn.Parameter(torch.rand(d_in, 1e-9))
        self.name_2 = "…" + "…" + "…" + …
    def forward(self, x):
        name_4 = x @ \\
            self.W_query
        return torch.softmax(name_4 / 0.5, dim=-1)"""


def test_code_without_its_writer() -> None:
    """Comments and docstrings go; texts, long numbers and foreign names are exchanged; the rest stays."""
    shown = anonymous_code(WRITTEN, words_of("SelfAttention(d_in) W_query"))
    assert shown == SHOWN
    assert "ada" not in shown.lower() and "lovelace" not in shown


@pytest.mark.parametrize(
    "source",
    [
        "!echo Ada",
        "x = 'Ada",
        "x = (",
        "if x:\n        y\n    z",
        "x = '''Ada",
        "$Ada",
        "x = 1 ? Ada",
        "#" * (MAX_CHARACTERS + 1),
        "\n" * MAX_LINES,
        "(" * MAX_CHARACTERS,
        "Ada\0Ada",
        "print(1)\rAda",
        "x = f'{Ada",
        "f'{Ada!r}' !",
        "# only Ada",
        "",
    ],
)
def test_code_that_cannot_be_shown_safely_is_left_out(source: str) -> None:
    """What is no plain Python, or is too long, is no example."""
    assert anonymous_code(source) == ""


@pytest.mark.parametrize(
    "source", ["-" * 3999, "[" * 1900 + "]" * 1900, "f(" * 1300 + ")" * 1300, "a." * 1900]
)
def test_deep_code_exhausts_nothing(source: str) -> None:
    """Nothing is parsed: however deep it nests, it is a row of tokens."""
    assert isinstance(anonymous_code(source), str)


def test_names_in_other_alphabets_are_numbered() -> None:
    """Only plain letters stay."""
    assert anonymous_code("é = ŁUKASZ + x + 李") == "name_1 = name_2 + x + name_3"


def test_words_of_code_leave_out_what_is_said() -> None:
    """The course's comments and strings give no words, and a cell that is not Python alone none at all."""
    assert words_of_code("scores = 1  # Ada\nf('Ada')") == {"scores", "f"}
    assert words_of_code("!ls (") == frozenset()


def test_pseudonyms_tell_no_order() -> None:
    """Everybody has one, nobody shares one, and the order of the names does not show."""
    names = [f"student-{number:03}" for number in range(200)]
    given = pseudonyms([*names, *names], random.Random(1))
    assert sorted(given) == names
    assert set(given.values()) == {f"A{number}" for number in range(1, 201)}
    assert [given[name] for name in names] != [f"A{number}" for number in range(1, 201)]
    assert given == pseudonyms(reversed(names), random.Random(1))
    assert given != pseudonyms(names)


def test_results_without_names(chapter: Chapter) -> None:
    """Label, path, reason, problem and fault hold nothing that was read; numbers stay."""
    exercise = chapter.exercises[0].id
    answer = GradedAnswer(None, None, None, "error", ("raises",), fault="/home/ada/x is gone")
    student = GradedStudent(
        key="ada",
        label="ada",
        status="error",
        answers={exercise: answer},
        penalty=1.0,
        reason="The notebook was named ada.ipynb",
        problem="autograded/ada is damaged",
        notebook="autograded/ada/x.ipynb",
    )
    others = (GradedStudent("bob", "bob", "missing", reason="Nothing was handed in."),)
    hidden = anonymous(
        GradedAssignment(chapter, {exercise: 4}, (student, *others)), {"ada": "A2", "bob": "A1"}
    )
    first, second = hidden.students
    assert (first.label, first.status, first.reason) == ("A1", "missing", "Nothing was handed in.")
    assert (second.label, second.status, second.penalty) == ("A2", "error", 1.0)
    shown = (second.label, second.reason, second.problem, second.notebook, second.answers[exercise].fault)
    assert "ada" not in " ".join(shown)
    assert second.answers[exercise].diagnosis == ("raises",)
