"""An exercise that asks for an input: what is recorded of it, and what it shows of code with a bug."""

from collections.abc import Callable

import pytest
import torch

from grader.checking.attempt import attempt
from grader.checking.exposure import MAX_AXIS, MAX_SIZE, SEEN, Exposure, expose
from grader.checking.judge import judge
from grader.checking.rendering import result_html, result_text
from grader.checking.result import Result
from grader.exercises import EXERCISES
from grader.exercises.specimen import DEVICE, PLACES, REAL, WHOLE, Argument, Silence, Specimen
from grader.messages import message
from grader.references import load_exercise
from grader.sandbox.wire import pack_attempt, read_attempt

CPU = torch.device("cpu")
ASKING = {name: one for name, one in EXERCISES.items() if one.specimen}
# Doubles numbers, unless the first of them is negative.
DOUBLING = Specimen(
    arguments=(Argument("x", (("n",), ("n", 2))), Argument("y", (("n",),))),
    bug=lambda x, y: x * 2.0 if x.flatten()[0] >= 0 else x,
    right=lambda x, y: (x * 2.0).numpy(),
    silences=(
        Silence(lambda x, y: x.flatten()[0] >= 0, message("It begins with a number that is not negative.")),
    ),
)


def doubling(*x: float) -> Exposure:
    """Return what comes of an input of the doubling code."""
    return expose(DOUBLING, {"x": torch.tensor(x), "y": torch.zeros(len(x))})


def verdict(exercise_id: str, subject: Callable) -> Result:
    """Return the verdict on an answer, sent over the sandbox's wire."""
    exercise = EXERCISES[exercise_id]
    reference = load_exercise(exercise.chapter, exercise_id)
    made = attempt(exercise, subject, reference.cases, CPU, 5.0)
    made = read_attempt(pack_attempt(made), [case.name for case in reference.cases])
    return judge(exercise, reference, made, "cpu")


# What the input shows.


def test_difference_counts() -> None:
    """Where code and truth differ, the input counts, and the worst difference is told."""
    came = doubling(-1.0, 3.0)
    assert came.code == ""
    assert (
        str(came.message)
        == "On your input the code gives 3.0000 at [1], and 6.0000 is right; 2 of 2 numbers differ."
    )


def test_agreement_is_told_with_its_reason() -> None:
    """Where they agree, the message says why, if that is known."""
    came = doubling(1.0, -2.0)
    assert came.code == "bug-not-exposed"
    assert "begins with a number that is not negative" in str(came.message)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64], ids=str)
def test_every_precision_is_compared(dtype: torch.dtype) -> None:
    """An input of any precision gets a verdict, whether it shows the bug or not."""
    for first, code in ((-1.0, ""), (1.0, "bug-not-exposed")):
        given = {"x": torch.tensor([first, 3.0], dtype=dtype), "y": torch.zeros(2, dtype=dtype)}
        assert expose(DOUBLING, given).code == code


def test_reason_that_is_not_known() -> None:
    """Where nobody knows why they agree, the message says only that they do."""
    silent = Specimen(DOUBLING.arguments, DOUBLING.bug, DOUBLING.right)
    came = expose(silent, {"x": torch.ones(1), "y": torch.ones(1)})
    assert str(came.message) == "Both give the same numbers, down to the last digit that counts."


@pytest.mark.parametrize(("size", "code"), [(0.9 * SEEN, "bug-not-exposed"), (1.1 * SEEN, "")])
def test_threshold(size: float, code: str) -> None:
    """A difference counts from a thousandth on; a smaller one is told with its size."""
    came = doubling(-size)
    assert came.code == code
    assert code == "" or "off by 9.0e-04" in str(came.message)


def test_error_counts() -> None:
    """Code that raises an error on a valid input is wrong on it."""
    raising = Specimen(DOUBLING.arguments, lambda x, y: x @ y[:1], DOUBLING.right)
    came = expose(raising, {"x": torch.ones(3), "y": torch.ones(3)})
    assert came.code == ""
    assert "raises RuntimeError" in str(came.message)
    assert "A right function returns shape (3,)" in str(came.message)


def test_shape_counts() -> None:
    """Code that returns another shape is wrong."""
    flat = Specimen(DOUBLING.arguments, lambda x, y: x[:1] * 2, DOUBLING.right)
    came = expose(flat, {"x": torch.ones(3), "y": torch.ones(3)})
    assert came.code == ""
    assert "returns shape (1,), a right function shape (3,)" in str(came.message)


def test_several_results_are_compared_by_name() -> None:
    """Where there are two results, the one that differs is named."""
    two = Specimen(
        (Argument("x", (("n",),)),),
        lambda x: (x, x + 1),
        lambda x: (x.numpy(), x.numpy()),
        results=("first", "second"),
    )
    came = expose(two, {"x": torch.zeros(2)})
    assert came.name == "second"
    assert "at [0] of second" in str(came.message)


def test_input_is_not_changed() -> None:
    """Code that writes into its argument does not write into what is shown, nor into what is right."""
    writing = Specimen((Argument("x", (("n",),)),), lambda x: x.mul_(0.0), lambda x: x.numpy())
    x = torch.ones(2)
    assert expose(writing, {"x": x}).code == ""
    assert x.tolist() == [1.0, 1.0]


# What is no input.


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (torch.ones(2, 3), "expected x of shape (n,) or (n, 2), got (2, 3)"),
        (torch.ones(()), "expected x of shape (n,) or (n, 2), got ()"),
        (torch.ones(2, dtype=torch.int64), "takes floats"),
        (torch.ones(2, dtype=torch.bool), "takes floats"),
        (torch.ones(0), "there is nothing in it"),
        (torch.ones(MAX_AXIS + 1), "Make it smaller"),
        (torch.tensor([1.0, torch.nan]), "NaN or infinity at [1]"),
        (torch.tensor([-torch.inf, 1.0]), "NaN or infinity at [0]"),
        (torch.tensor([2.0, 2 * MAX_SIZE]), "Smaller ones are enough"),
        (torch.ones(3), "n is 3 in x and 2 in y"),
    ],
)
def test_invalid_tensors(x: torch.Tensor, text: str) -> None:
    """Whatever a right function could not be run on is named, and nothing is run."""
    came = expose(DOUBLING, {"x": x, "y": torch.ones(2)})
    assert came.code == "invalid-input"
    assert text in str(came.message)
    assert came.right is None


def test_missing_argument() -> None:
    """An argument that did not arrive is named."""
    assert str(expose(DOUBLING, {"x": torch.ones(2)}).message) == "y is not there."


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (WHOLE, torch.tensor(0)),
        (WHOLE, torch.tensor(MAX_AXIS + 1)),
        (WHOLE, torch.tensor(2.0)),
        (WHOLE, torch.tensor([2])),
        (REAL, torch.tensor(-1.0)),
        (REAL, torch.tensor(torch.nan)),
        (REAL, torch.tensor(1)),
        (DEVICE, torch.tensor(len(PLACES))),
        (DEVICE, torch.tensor(-1)),
        (DEVICE, torch.ones(2)),
    ],
)
def test_invalid_numbers(kind: str, value: torch.Tensor) -> None:
    """A number out of bounds, or what is none, whoever sent it, is no input."""
    specimen = Specimen((Argument("n", kind=kind),), lambda n: torch.ones(1), lambda n: torch.ones(1))
    assert expose(specimen, {"n": value}).code == "invalid-input"


# The verdict.


def test_verdict_shows_both() -> None:
    """Who exposes a bug sees what the code gives beside what is right."""
    result = verdict("ch09-expose-01", lambda: torch.tensor([[0.0, 1.0], [0.0, 0.0]]))
    assert (result.status, result.score) == ("passed", 1)
    for text in (result_text(result), result_html(result)):
        assert "The bug is exposed" in text
        assert "The code gives (2, 2)" in text
        assert "Right is (2, 2)" in text
        assert "Yours" not in text


def test_verdict_without_a_picture() -> None:
    """Where the code raises an error, or the input is not valid, there is nothing to show."""
    raised = verdict("ch09-expose-06", lambda: torch.ones(2, 2, 3))
    assert (raised.status, raised.picture) == ("passed", None)
    invalid = verdict("ch09-expose-06", lambda: torch.ones(3))
    assert (invalid.diagnosis, invalid.picture) == (("invalid-input",), None)


@pytest.mark.parametrize("device", ["meta", "cuda:0", torch.device("meta"), "mps"])
def test_other_devices_expose(device: str | torch.device) -> None:
    """A device crosses the wire as a number; each that is not the CPU shows what stays behind."""
    assert verdict("ch09-expose-10", lambda: device).status == "passed"


@pytest.mark.parametrize("device", ["gpu", "", "hpu", 3, None, torch.float32, "cpu" * 500])
def test_what_is_no_device(device: object) -> None:
    """A text that names no device of the list is of the wrong type, and is not quoted."""
    result = verdict("ch09-expose-10", lambda: device)
    assert result.diagnosis == ("wrong-type",)
    assert "cpucpu" not in result_text(result)


@pytest.mark.parametrize("number", [True, 2**80, 1j, "2", torch.tensor(2)])
def test_what_is_no_whole_number(number: object) -> None:
    """Only an int is a whole number."""
    result = verdict("ch09-expose-08", lambda: (torch.ones(1, 2, 4), number))
    assert result.diagnosis == ("wrong-type",)


@pytest.mark.parametrize("number", [True, "inf", torch.tensor(1.0), 10**400])
def test_what_is_no_plain_number(number: object) -> None:
    """Only an int or a float is a plain number."""
    result = verdict("ch09-expose-11", lambda: (torch.zeros(2, 2), number))
    assert result.diagnosis == ("wrong-type",)


@pytest.mark.parametrize("exercise_id", ASKING)
def test_nothing_returned(exercise_id: str) -> None:
    """A forgotten return is told as such."""
    result = verdict(exercise_id, lambda: None)
    assert result.diagnosis == ("wrong-type",)
    assert "Is a return missing?" in result.message
    assert "Expected" in result.message


@pytest.mark.parametrize("exercise_id", ASKING)
def test_right_is_no_answer_to_the_repair(exercise_id: str) -> None:
    """What the grader holds for right, imported by an answer, does not pass as the repair."""
    repair = EXERCISES[exercise_id.replace("expose", "fixed")]
    reference = load_exercise(repair.chapter, repair.id)
    made = attempt(repair, ASKING[exercise_id].specimen.right, reference.cases, CPU, 5.0)
    assert judge(repair, reference, made, "cpu").status == "failed"
