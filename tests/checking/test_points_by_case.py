"""Points by case: what a course may ask for, what the cases of an answer earn, and what never earns any."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import torch

from grader.checking.credit import PartialCredit, points_of, read_credit, with_credit
from grader.checking.judge import judge
from grader.checking.rendering import one_line, result_html, result_text
from grader.checking.result import POINTS, Result
from grader.course.paths import SETTINGS, CoursePaths
from grader.errors import GraderError
from grader.exercises import EXERCISES, find_chapter
from grader.grading.master import load_master
from grader.grading.sample_class import choose_class, make_sample_class
from grader.proving.bank import Answer
from grader.proving.trial import attempt_answer
from grader.references import load_for_grading

NAME = "ch00-row-softmax"
V1 = "ch04-self-attention-v1"
ON = PartialCredit(by_case={NAME: 0.0, V1: 0.0, "ch06-parameter-count": 0.0})


@pytest.fixture
def judged(repository: Path) -> Callable[..., Result]:
    """Return a function that judges a source as grading does, on the hidden cases too."""

    def of(source: str, asked: str = NAME) -> Result:
        exercise = EXERCISES[asked]
        reference = load_for_grading(exercise.chapter, asked, CoursePaths(repository))
        answer = Answer("answer", (), "", f"import torch\nfrom torch import nn\n\n{source}")
        made = attempt_answer(exercise, answer, reference.cases, torch.device("cpu"))
        return judge(exercise, reference, made, "cpu")

    return of


HALF_RIGHT = "def row_softmax(x):\n    return torch.softmax(x, dim=1)\n"


def test_share_of_the_cases_is_earned(judged: Callable) -> None:
    """Visible and hidden ones count alike; the answer stays failed, and the verdict says so."""
    before = judged(HALF_RIGHT)
    passed, total = sum(one.passed for one in before.cases), len(before.cases)
    assert 0 < passed < total
    after = with_credit(before, ON)
    earned = int(100 * 2 * passed / total) / 100
    assert (after.status, after.score, after.to_json()["score"]) == ("failed", earned, earned)
    sentence = f"{earned:g} of 2 points: {passed} of {total} cases passed."
    assert sentence in result_text(after) and sentence in json.dumps(after.to_json())
    assert f"<b>{POINTS}:</b> {sentence}" in result_html(after)
    assert f"failed, {earned:g} of 2 points" in one_line(after)
    assert with_credit(before, PartialCredit()) is before


def test_floor_is_the_least_that_earns(judged: Callable) -> None:
    """Below it there is nothing, at it the share."""
    before = judged(HALF_RIGHT)
    share = sum(one.passed for one in before.cases) / len(before.cases)
    assert with_credit(before, PartialCredit(by_case={NAME: share})).score > 0
    assert with_credit(before, PartialCredit(by_case={NAME: share + 0.01})) == before


# None of them does a part of what is asked, whichever cases they pass.
WORTHLESS = {
    "zeros": "def row_softmax(x):\n    return torch.zeros_like(x)\n",
    "ones, right for rows of one number": "def row_softmax(x):\n    return torch.ones_like(x)\n",
    "refuses everything": "def row_softmax(x):\n    raise ValueError('no')\n",
    "nothing": "row_softmax = None\n",
    "not there": "def other(x):\n    return x\n",
    "raises": "def row_softmax(x):\n    raise NotImplementedError\n",
}


@pytest.mark.parametrize("name", WORTHLESS)
def test_what_passes_by_chance_earns_nothing(judged: Callable, name: str) -> None:
    """The same numbers for every input, a refusal of every input, and no answer at all."""
    result = judged(WORTHLESS[name])
    assert result.status == "failed"
    assert with_credit(result, ON) == result


def test_same_number_for_every_input_earns_nothing(judged: Callable) -> None:
    """Though it may be right for one of them."""
    right = judged(
        "def parameter_count(d_in, d_out, qkv_bias=False):\n    return 8\n", "ch06-parameter-count"
    )
    assert with_credit(right, ON).score == 0
    head = "def parameter_count(d_in, d_out, qkv_bias=False):\n"
    without_bias = f"{head}    return 3 * d_in * d_out + d_out * d_out + d_out\n"
    result = judged(without_bias, "ch06-parameter-count")
    assert with_credit(result, ON).score > 0


def test_forbidden_call_earns_nothing(judged: Callable, answers: Callable[[str], dict[str, Answer]]) -> None:
    """Whatever it computes, and on however few cases it is called."""
    program = answers(V1)["textbook"].program
    assert "weights @ value" in program
    called = program.replace(
        "return weights @ value",
        "return (weights @ value) if len(x) != 4 else 2 * torch.nn.functional.scaled_dot_product_attention("
        "query[None], key[None], value[None])[0]",
    )
    wrong = program.replace("return weights @ value", "return (weights @ value) * (2 if len(x) == 4 else 1)")
    assert with_credit(judged(wrong, V1), ON).score > 0
    result = judged(called, V1)
    assert sum(one.passed for one in result.cases) > 0
    assert with_credit(result, ON).score == 0


def test_answer_that_knows_the_visible_cases_earns_nothing(repository: Path, judged: Callable) -> None:
    """Where there are hidden cases, one of these has to be among those that pass."""
    exercise = EXERCISES[NAME]
    reference = load_for_grading(exercise.chapter, NAME, CoursePaths(repository))
    inputs = [next(iter(case.arguments.values())) for case in reference.visible]
    sums = [round(float(one.double().sum()), 4) for one in inputs]
    by_heart = (
        f"KNOWN = {sums}\n\n\ndef row_softmax(x):\n"
        "    known = any(abs(float(x.double().sum()) - one) < 1e-3 for one in KNOWN)\n"
        "    return torch.softmax(x, dim=-1) * (1 if known else 2)\n"
    )
    result = judged(by_heart)
    visible, hidden = result.cases[: len(reference.visible)], result.cases[len(reference.visible) :]
    assert any(one.passed for one in visible) and not any(one.passed for one in hidden)
    assert with_credit(result, ON).score == 0


def test_better_of_mistake_and_cases_counts(
    judged: Callable, answers: Callable[[str], dict[str, Answer]]
) -> None:
    """Which of the two it was, the verdict says."""
    result = judged(answers(NAME)["unstable-softmax"].program)
    assert result.diagnosis[0] == "unstable-softmax"
    by_case = with_credit(result, ON)
    assert "cases passed." in by_case.message and by_case.score > 1.5
    more = with_credit(result, replace(ON, shares={"unstable-softmax": 0.99}))
    less = with_credit(result, replace(ON, shares={"unstable-softmax": 0.1}))
    assert less.score == by_case.score and less.message == by_case.message
    assert more.score == 1.98 and "part of the points for this mistake" in more.message


def test_what_no_case_shows_earns_nothing_by_case() -> None:
    """Where every case passes and something else is wrong there is no share of cases to give."""
    exercise = EXERCISES[NAME]
    result = Result(exercise, "failed", ("state-kept",), (), (), partly_right=True)
    assert ON.share_of_cases(result) == 0


@pytest.mark.parametrize(
    ("passed", "total", "points", "earned"), [(2, 3, 3, 2), (1, 3, 1, 0.33), (3, 10, 2, 0.6)]
)
def test_points_are_exact(passed: int, total: int, points: float, earned: float) -> None:
    """Two thirds of three points are two."""
    assert points_of(Fraction(passed, total), points) == earned


BAD = [
    ("points-by-case = 1", ["points-by-case is 1", "expected a table"]),
    ("[points-by-case]\nch99 = true", ["[points-by-case.ch99] is not known", NAME]),
    (f"[points-by-case]\n{NAME} = 0.5", [f"{NAME} in [points-by-case] is 0.5", "expected true, false, or"]),
    (f"[points-by-case.{NAME}]\nleast = 0.5", ["is {'least': 0.5}", "at_least = 0.5"]),
    (f"[points-by-case.{NAME}]\nat_least = 1", ["at_least is 1", "above 0 and below 1"]),
    (f"[points-by-case.{NAME}]\nat_least = true", ["at_least is True", "above 0 and below 1"]),
    (f"[points-by-case.{NAME}]\nat_least = nan", ["at_least is nan", "above 0 and below 1"]),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_what_is_not_known_is_an_error(tmp_path: Path, text: str, said: list[str]) -> None:
    """One that names the file, the exercise, and what was expected."""
    path = tmp_path / SETTINGS
    path.write_text(text)
    with pytest.raises(GraderError) as caught:
        read_credit(path)
    assert all(part in str(caught.value) for part in (str(path), *said))


def test_table_is_read(tmp_path: Path) -> None:
    """True asks for no floor, false is as good as no entry."""
    path = tmp_path / SETTINGS
    path.write_text(
        f"[points-by-case]\n{NAME} = {{ at_least = 0.5 }}\n{V1} = true\nch05-causal-mask = false\n"
    )
    assert read_credit(path).by_case == {NAME: 0.5, V1: 0.0}


def test_a_change_is_a_reason_to_grade_again(repository: Path) -> None:
    """Of this chapter, and of no other."""
    master = load_master(find_chapter("ch00_tensor_toolkit"), CoursePaths(repository))
    changed = [replace(master, credit=PartialCredit(by_case={name: 0.5})) for name in (NAME, V1)]
    assert changed[0].digest != master.digest == changed[1].digest


def test_sample_class_says_what_its_cases_earn(repository: Path, tmp_path: Path) -> None:
    """The scores to expect are those that grading gives."""
    course = CoursePaths(tmp_path / "course")
    course.root.mkdir()
    for name in ("notebooks", "solutions", "reference_outputs", CoursePaths(repository).config.name):
        (course.root / name).symlink_to(repository / name)
    course.settings.write_text(f"[points-by-case]\n{NAME} = true\n")
    chapter = find_chapter("ch00_tensor_toolkit")
    expected = make_sample_class(chapter, course, tmp_path / "class", 12, 2)
    chosen = dict(choose_class(chapter, course.solutions, 12, 2))
    scores = {expected[student]["exercises"][NAME]["score"] for student in chosen}
    assert any(0 < score < 2 for score in scores)
