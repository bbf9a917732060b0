"""Part of the points for a named mistake: what a course may grant, and what it comes to."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from grader import CheckFailedError, check
from grader.checking.credit import (
    WITHHELD,
    PartialCredit,
    nearest_credit,
    points_of,
    read_credit,
    why_none,
    with_credit,
)
from grader.checking.judge import judge
from grader.checking.loading import load_subject
from grader.checking.mistakes import known_mistakes
from grader.checking.notebook import judge_subject
from grader.checking.rendering import one_line, result_html, result_text
from grader.checking.result import POINTS, Result
from grader.course.paths import SETTINGS, CoursePaths
from grader.errors import GraderError
from grader.exercises import EXERCISES, Exercise
from grader.proving.bank import Answer
from grader.proving.trial import attempt_answer
from grader.references import load_for_grading

CPU = "cpu"
HALF = PartialCredit({"missing-scale": 0.5, "scale-by-tokens": 0.25})


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return a function that writes a course's table, in a folder above the working directory."""
    below = tmp_path / "chapters" / "four"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)

    def write(text: str) -> Path:
        (tmp_path / SETTINGS).write_text(text)
        return tmp_path / SETTINGS

    return write


@pytest.fixture
def judged(
    repository: Path, exercise: Exercise, answers: Callable[[str], dict[str, Answer]]
) -> Callable[..., Result]:
    """Return a function that judges an answer as grading does, on the hidden cases too."""

    def of(name: str, change: Callable[[str], str] = str, asked: Exercise = exercise) -> Result:
        reference = load_for_grading(asked.chapter, asked.id, CoursePaths(repository))
        answer = answers(asked.id)[name]
        answer = replace(answer, source=change(answer.source))
        made = attempt_answer(asked, answer, reference.cases, torch.device(CPU))
        return judge(asked, reference, made, CPU)

    return of


def test_nothing_is_granted_without_a_table(course: Callable, tmp_path: Path) -> None:
    """No file, an empty one, and one with an empty table are the same."""
    assert nearest_credit() == read_credit(tmp_path / SETTINGS) == PartialCredit()
    for text in ("", "[partial-credit]"):
        course(text)
        assert nearest_credit() == PartialCredit()


def test_table_is_read(course: Callable) -> None:
    """What holds for one exercise comes before what holds for all; the nearest file counts."""
    course(
        "[partial-credit]\nmissing-scale = 0.5\nlog-softmax = 0.2\n[partial-credit.ch04-self-attention]\n"
        "missing-scale = 0.25\n"
    )
    table = nearest_credit()
    assert table.of("ch04-self-attention-v1") == {"missing-scale": 0.5, "log-softmax": 0.2}
    assert table.of("ch04-self-attention") == {"missing-scale": 0.25, "log-softmax": 0.2}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("partial_credit = 1", ["partial_credit is not known", "partial-credit"]),
        ("partial-credit = 1", ["partial-credit is 1", "expected a table"]),
        ("[partial-credit]\nmising-scale = 0.5", ["mising-scale in [partial-credit]", "no known mistake"]),
        ("[partial-credit]\nmissing-scale = 0", ["missing-scale", "is 0", "above 0 and below 1"]),
        ("[partial-credit]\nmissing-scale = 1", ["is 1", "above 0 and below 1"]),
        ("[partial-credit]\nmissing-scale = nan", ["is nan", "above 0 and below 1"]),
        ("[partial-credit]\nmissing-scale = true", ["is True", "above 0 and below 1"]),
        ("[partial-credit]\nmissing-scale = '50%'", ["is '50%'", "above 0 and below 1"]),
        ("[partial-credit.ch99]\nmissing-scale = 0.5", ["[partial-credit.ch99] is not known", "ch04-"]),
        ("[partial-credit.ch04-self-attention]\nno = 0.5", ["[partial-credit.ch04-self-attention]", "no "]),
        ("[partial-credit.ch04-self-attention.more]\na = 0.5", ["more in [partial-credit.ch04-self"]),
        ("[partial-credit]\nhard-coded = 0.5", ["hard-coded", "no answer of the learner's own"]),
        ("[partial-credit]\nwrong-shape = 0.5", ["wrong-shape", "zeros would earn the same"]),
        ("[partial-credit", ["cannot be read", "']'"]),
        ("\udcff", ["cannot be read"]),
    ],
)
def test_what_is_not_known_is_an_error(course: Callable, text: str, said: list[str]) -> None:
    """One that names the file, the key, and what was expected."""
    path = course("")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(GraderError) as caught:
        nearest_credit()
    assert all(part in str(caught.value) for part in (str(path), *said))


def test_folder_of_that_name_is_an_error(tmp_path: Path) -> None:
    """It is not a course without a table."""
    (tmp_path / SETTINGS).mkdir()
    with pytest.raises(GraderError, match="cannot be read"):
        read_credit(tmp_path / SETTINGS)


def test_every_code_can_be_granted_or_says_why_not() -> None:
    """What says nothing of the numbers, and what is no answer, never earns anything."""
    refused = {code for code in known_mistakes() if why_none(code)}
    assert refused == {
        *("not-implemented", "not-defined", "syntax-error", "raises", "wrong-type", "wrong-shape"),
        *("no-result", "wrong-dtype", "wrong-device", "not-finite", "input-modified", "not-registered"),
        *(
            "too-slow",
            "hard-coded",
            "example-only",
            "fitted-to-cases",
            "forbidden-call",
            "unrecognized",
            "argument-unused",
        ),
        *("bug-not-exposed", "invalid-input", "stub-called", "precision-lost", "assertion-raised"),
        "parameters-extra",
        *("dropout-in-eval", "dropout-wrong-rate"),
    }


@pytest.mark.parametrize(
    ("codes", "share"),
    [
        (("missing-scale",), 0.5),
        (("missing-scale", "scale-by-tokens"), 0.25),
        (("scale-by-tokens", "missing-scale"), 0.25),
        (("missing-scale", "mask-missing"), 0),
        (("mask-missing",), 0),
        (("missing-scale", "wrong-shape"), 0.5),
        (("missing-scale", "scale-by-tokens", "raises"), 0.25),
        (("wrong-shape",), 0),
        (("missing-scale", "forbidden-call"), 0),
        (("fitted-to-cases", "no-gradient"), 0),
        (("unrecognized",), 0),
        ((), 0),
    ],
)
def test_smallest_share_of_the_causes_counts(codes: tuple[str, ...], share: float) -> None:
    """A broken contract that follows changes nothing; one cause that is not in the table takes it all."""
    assert HALF.share("ch04-self-attention", codes) == share


@pytest.mark.parametrize(
    ("share", "points", "earned"),
    [
        (0.5, 3, 1.5),
        (0.5, 4, 2),
        (0.1, 3, 0.3),
        (1 / 3, 4, 1.33),
        (0.999, 1, 0.99),
        (0.5, 0, 0),
        (0.7, 0.1, 0.07),
    ],
)
def test_points_are_hundredths_and_never_all(share: float, points: float, earned: float) -> None:
    """Exact where they can be; a part never becomes the whole by rounding."""
    assert points_of(share, points) == earned
    assert isinstance(points_of(0.5, 4), int)


def test_named_mistake_earns_its_share(judged: Callable, exercise: Exercise) -> None:
    """It stays a failed answer, and the verdict says what it earns in every form."""
    before = judged("missing-scale")
    after = with_credit(before, HALF)
    assert (before.status, before.score) == ("failed", 0)
    assert (after.status, after.score, after.to_json()["score"]) == ("failed", 1.5, 1.5)
    sentence = f"1.5 of {exercise.points} points: part of the points for this mistake."
    assert sentence in result_text(after)
    assert f"<b>{POINTS}:</b> {sentence}" in result_html(after)
    assert "failed, 1.5 of 3 points" in one_line(after)
    assert sentence in json.dumps(after.to_json())


def test_nothing_changes_without_an_entry(judged: Callable) -> None:
    """Neither a right answer nor a mistake that is not in the table is touched."""
    for name in ("textbook", "missing-scale"):
        result = judged(name)
        assert with_credit(result, PartialCredit()) is result
    assert with_credit(judged("textbook"), HALF).score == judged("textbook").max_score


def test_code_alone_earns_nothing(judged: Callable) -> None:
    """A mistake that shows before the numbers are looked at has to come with the numbers that it gives."""
    v2 = EXERCISES["ch04-self-attention-v2"]
    table = PartialCredit({"bias-unexpected": 0.5})

    def zeros(source: str) -> str:
        assert "return context" in source
        return source.replace("return context", "return 0 * context")

    named = "bias-unexpected: on the key alone"
    honest, empty = judged(named, asked=v2), judged(named, zeros, v2)
    assert honest.diagnosis == empty.diagnosis == ("bias-unexpected",)
    assert with_credit(honest, table).score == 1.5
    assert with_credit(empty, table).score == 0
    assert str(WITHHELD) in with_credit(empty, table).message


def test_answer_that_knows_the_visible_cases_earns_nothing(judged: Callable, exercise: Exercise) -> None:
    """Results looked up by heart lose the gradient; the hidden cases say that they are none."""
    table = PartialCredit({"no-gradient": 0.5})
    detached = judged(
        "textbook",
        lambda source: source.replace("return weights @ value", "return (weights @ value).detach()"),
    )
    fitted = judged(
        "textbook",
        lambda source: source.replace(
            "return weights @ value", "return (weights @ value).detach() * (1 if len(x) < 9 else 2)"
        ),
    )
    assert detached.diagnosis == ("no-gradient",)
    assert with_credit(detached, table).score == 1.5
    assert with_credit(fitted, table).score == 0


def test_every_mistake_of_a_bank_earns_what_its_codes_say(
    exercise: Exercise, answers: Callable[[str], dict[str, Answer]], judged: Callable
) -> None:
    """Where all causes may be granted, the answer's numbers are sure enough for it."""
    table = PartialCredit({code: 0.5 for code in known_mistakes() if not why_none(code)})
    tried = 0
    for name, answer in answers(exercise.id).items():
        if not answer.correct and answer.counts_on(CPU) and table.share(exercise.id, answer.diagnosis):
            assert with_credit(judged(name), table).score == 1.5, name
            tried += 1
    assert tried > 10


def test_check_returns_the_points(
    course: Callable,
    exercise: Exercise,
    answers: Callable[[str], dict[str, Answer]],
    capsys: pytest.CaptureFixture,
) -> None:
    """As nbgrader reads a number that a cell ends with; without the table it raises as ever."""
    program = answers(exercise.id)["missing-scale"].program
    subject, _ = load_subject(program, exercise.subject, "<answer>")
    with pytest.raises(CheckFailedError) as caught:
        check(exercise.id, subject, CPU)
    without = capsys.readouterr().out
    assert "part of the points" not in without
    course("[partial-credit]\nmissing-scale = 0.5\n")
    assert check(exercise.id, subject, CPU) == 1.5
    shown = capsys.readouterr().out
    assert "1.5 of 3 points: part of the points for this mistake." in shown
    assert judge_subject(exercise.id, subject, CPU).diagnosis == caught.value.result.diagnosis
    with pytest.raises(CheckFailedError):
        check(exercise.id, None, CPU)
