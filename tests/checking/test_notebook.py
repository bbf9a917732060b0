"""What a learner calls in a notebook."""

import html
import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from torch import nn
from traitlets.config import Config

from grader import CheckFailedError, check, hint, steps
from grader.checking.device import DEVICES, SECOND, choose_device, first_on_the_cpu, proving_device
from grader.checking.fake_device import ELSEWHERE
from grader.checking.loading import load_subject
from grader.checking.mistakes import explain
from grader.checking.notebook import RESULT_MIMETYPE, judge_subject
from grader.checking.precision import full_precision, products_precision
from grader.errors import DeviceError, GraderError, ReferenceDataError, UnknownExerciseError
from grader.exercises import EXERCISES, Exercise
from grader.proving.bank import Answer

CPU = "cpu"
SECONDS = 0.3


@pytest.fixture(autouse=True)
def fresh_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget which hints were opened and which exercises were checked, as in a new kernel outside Jupyter."""
    monkeypatch.setattr("grader.checking.hints._opened", {})
    monkeypatch.setattr("grader.checking.notebook._last", {})
    monkeypatch.setattr("grader.checking.notebook._checks", Counter())
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)


@pytest.fixture
def subject(answers: Callable[[str], dict[str, Answer]]) -> Callable[[str, str], object]:
    """Return a function that gives the object of a bank answer."""

    def of(exercise_id: str, name: str) -> object:
        answer = answers(exercise_id)[name]
        return load_subject(answer.program, EXERCISES[exercise_id].subject, f"<{name}>")[0]

    return of


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[InteractiveShell]:
    """Return an IPython session that believes itself in a notebook."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setitem(sys.modules, "ipykernel", importlib.import_module("ipykernel"))
    config = Config()
    config.HistoryManager.enabled = False
    yield InteractiveShell.instance(config=config)
    InteractiveShell.clear_instance()


@pytest.fixture
def builds_on(exercise: Exercise) -> Exercise:
    """Return an exercise that builds on the first one."""
    return next(one for one in EXERCISES.values() if exercise.id in one.requires)


def test_right_answer_is_told(exercise: Exercise, subject, capsys: pytest.CaptureFixture) -> None:
    """Checking a right answer prints that it passed, returns nothing and raises nothing."""
    assert check(exercise.id, subject(exercise.id, "textbook"), CPU) is None
    assert f"{exercise.id}: passed" in capsys.readouterr().out


def test_wrong_answer_raises_after_the_verdict(
    exercise: Exercise, subject, capsys: pytest.CaptureFixture
) -> None:
    """Checking a wrong answer prints the verdict and raises an error that holds it."""
    with pytest.raises(CheckFailedError) as caught:
        check(exercise.id, subject(exercise.id, "missing-scale"), CPU)
    assert caught.value.result.diagnosis == ("missing-scale",)
    assert caught.value.result.message in capsys.readouterr().out


def test_error_is_one_line(exercise: Exercise) -> None:
    """The error of a failed check is one line with exercise and mistake."""
    with pytest.raises(CheckFailedError) as caught:
        check(exercise.id, None, CPU)
    assert str(caught.value).startswith(f"{exercise.id}: failed")
    assert len(str(caught.value).splitlines()) == 1


def test_error_shows_no_cause(exercise: Exercise) -> None:
    """The error of a failed check tells nothing of how the grader came to it."""
    with pytest.raises(CheckFailedError) as caught:
        check(exercise.id, None, CPU)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_subject_that_was_not_passed_is_asked_for(exercise: Exercise) -> None:
    """Checking without an answer says how to pass one; it is no verdict on an answer."""
    with pytest.raises(GraderError, match=rf'check\("{exercise.id}", {exercise.subject}\)'):
        check(exercise.id, device=CPU)


@pytest.mark.parametrize("call", [check, hint, steps])
@pytest.mark.parametrize("given", [(), (check,), ("",)])
def test_exercise_that_was_not_named_is_asked_for(call: Callable, given: tuple) -> None:
    """Nothing, or the answer in its place: the error shows how to call it."""
    with pytest.raises(GraderError, match=rf'first, in quotation marks: {call.__name__}\("ch'):
        call(*given)


def test_object_in_place_of_its_class_is_told(capsys: pytest.CaptureFixture) -> None:
    """With parentheses behind its name a class gives an object."""
    with pytest.raises(CheckFailedError):
        check("ch04-self-attention", nn.Linear(1, 1), CPU)
    assert "must be a class, got an object of the class Linear" in capsys.readouterr().out


@pytest.mark.parametrize("given", ["attention_weights", torch.eye(2)])
def test_what_is_no_function_is_asked_for_by_its_name(capsys: pytest.CaptureFixture, given: object) -> None:
    """A result or a text: what is asked is what stands in the call, not how it is written."""
    with pytest.raises(CheckFailedError):
        check("ch02-weights", given, CPU)
    assert "without parentheses behind it, which would pass its result" in capsys.readouterr().out


def test_none_may_be_a_result_that_was_passed(capsys: pytest.CaptureFixture) -> None:
    """A function without a return, called in the check, gives None: both reasons are told."""
    with pytest.raises(CheckFailedError):
        check("ch04-transfer-weights", None, CPU)
    assert "has not been defined, or its result was passed instead of itself" in capsys.readouterr().out


def test_each_of_two_mistakes_beside_another_has_its_question(capsys: pytest.CaptureFixture) -> None:
    """What changes its argument, scales, and sums along the wrong axis is asked three things."""

    def attention_weights(scores: torch.Tensor) -> torch.Tensor:
        scores /= scores.shape[-1] ** 0.5
        return torch.softmax(scores, dim=0)

    with pytest.raises(CheckFailedError) as caught:
        check("ch02-weights", attention_weights, CPU)
    told = capsys.readouterr().out
    assert caught.value.result.diagnosis[0] == "input-modified"
    assert told.count("\nLook at: ") == 1
    assert [
        told.count(f"\nLook at, too: {explain(code).look}") for code in caught.value.result.diagnosis
    ] == [
        0,
        1,
        1,
    ]


def test_object_that_claims_a_class_is_told_by_its_own(capsys: pytest.CaptureFixture) -> None:
    """What it says in ``__class__`` is not asked."""
    claiming = type("Claiming", (), {"__class__": nn.Linear})()
    with pytest.raises(CheckFailedError):
        check("ch04-self-attention", claiming, CPU)
    assert "inherits from nn.Module, got Claiming" in capsys.readouterr().out


def test_every_weight_that_is_another_one_is_named(capsys: pytest.CaptureFixture) -> None:
    """One layer under three names is told with all three."""

    class OneLayer(nn.Module):
        def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
            super().__init__()
            self.W_query = self.W_key = self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            made = self.W_query(x)
            return torch.softmax(made @ made.T / made.shape[-1] ** 0.5, dim=-1) @ made

    with pytest.raises(CheckFailedError):
        check("ch04-self-attention-v2", OneLayer, CPU)
    told = "W_query.weight, W_key.weight and W_value.weight are one matrix in memory"
    assert told in capsys.readouterr().out


def test_unknown_exercise_lists_those_there_are() -> None:
    """An exercise that does not exist is an error with the nearest name, and some of those that do."""
    with pytest.raises(UnknownExerciseError) as caught:
        check("ch04-self-atention", None, CPU)
    said = str(caught.value)
    assert "'ch04-self-atention'" in said
    assert "Did you mean ch04-self-attention?" in said
    assert 0 < sum(name in said for name in EXERCISES) < len(EXERCISES)


def test_missing_references_are_no_verdict(
    exercise: Exercise, subject, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without references the check is an error that says nothing of the answer."""
    monkeypatch.setenv("GRADER_REFERENCES", str(tmp_path))
    with pytest.raises(ReferenceDataError):
        check(exercise.id, subject(exercise.id, "textbook"), CPU)


def test_what_the_answer_prints_is_not_shown(
    exercise: Exercise, subject, capfd: pytest.CaptureFixture
) -> None:
    """Of an answer that prints and shows progress only the verdict arrives, and nothing on stderr."""

    class Noisy(subject(exercise.id, "textbook")):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            print("noise")  # noqa: T201 - that is what is tested
            sys.stderr.write("noise")
            return super().forward(x)

    check(exercise.id, Noisy, CPU)
    out, err = capfd.readouterr()
    assert "passed" in out
    assert ("noise" in out, err) == (False, "")


def test_endless_loop_is_stopped(exercise: Exercise) -> None:
    """An answer that does not end is stopped and named."""

    class Endless(torch.nn.Module):
        def __init__(self, d_in: int, d_out: int) -> None:
            while True:
                pass

    assert judge_subject(exercise.id, Endless, CPU, SECONDS).diagnosis == ("too-slow",)


def test_default_device_of_the_learner_does_not_matter(exercise: Exercise, subject) -> None:
    """A right answer passes whatever default device the learner's notebook has set."""
    with torch.device("meta"):
        assert judge_subject(exercise.id, subject(exercise.id, "textbook"), CPU).status == "passed"


PRECISIONS = {
    "the older way": lambda: torch.set_float32_matmul_precision("medium"),
    "the older way, on a GPU": lambda: setattr(torch.backends.cuda.matmul, "allow_tf32", True),
    "the newer way, on a GPU": lambda: setattr(torch.backends.cuda.matmul, "fp32_precision", "tf32"),
    "the newer way": lambda: setattr(torch.backends.mkldnn.matmul, "fp32_precision", "bf16"),
}


def precision_by_the_older_way() -> str:
    """Return what PyTorch says, or that it does not."""
    try:
        return torch.get_float32_matmul_precision()
    except RuntimeError:
        return "cannot be told"


@pytest.mark.parametrize("ask", PRECISIONS.values(), ids=PRECISIONS)
def test_precision_of_the_learner_does_not_matter(
    ask: Callable[[], None], exercise: Exercise, subject
) -> None:
    """A right answer passes however the learner's notebook asked for fast products, and that is kept."""
    with full_precision():
        ask()
        before = products_precision(), precision_by_the_older_way()
        assert judge_subject(exercise.id, subject(exercise.id, "textbook"), CPU).status == "passed"
        assert (products_precision(), precision_by_the_older_way()) == before
    assert precision_by_the_older_way() == "highest"


# What earlier exercises tell.


def test_failed_prerequisite_is_named(
    exercise: Exercise, builds_on: Exercise, capsys: pytest.CaptureFixture
) -> None:
    """A failed check of an exercise names the one it builds on that failed before."""
    for name in (exercise.id, builds_on.id):
        with pytest.raises(CheckFailedError):
            check(name, None, CPU)
    assert f"builds on others. Your last check of {exercise.id} failed." in capsys.readouterr().out


def test_exposed_code_is_no_prerequisite_to_mend(capsys: pytest.CaptureFixture) -> None:
    """No answer calls one that only finds an input: that it failed is no reason for another's failure."""
    exposing = next(one for one in EXERCISES.values() if one.driver == "exposes")
    repaired = next(one for one in EXERCISES.values() if exposing.id in one.requires)
    for name in (exposing.id, repaired.id):
        with pytest.raises(CheckFailedError):
            check(name, None, CPU)
    assert "builds on" not in capsys.readouterr().out


def test_prerequisite_that_was_not_checked_is_not_named(
    builds_on: Exercise, capsys: pytest.CaptureFixture
) -> None:
    """An exercise that was not checked in this session is not named."""
    with pytest.raises(CheckFailedError):
        check(builds_on.id, None, CPU)
    assert "builds on" not in capsys.readouterr().out


def test_prerequisite_that_passes_by_now_is_not_named(
    exercise: Exercise, builds_on: Exercise, subject, capsys: pytest.CaptureFixture
) -> None:
    """An exercise that failed first and passes by now is not named."""
    with pytest.raises(CheckFailedError):
        check(exercise.id, None, CPU)
    check(exercise.id, subject(exercise.id, "textbook"), CPU)
    with pytest.raises(CheckFailedError):
        check(builds_on.id, None, CPU)
    assert "builds on" not in capsys.readouterr().out


def test_right_answer_names_no_prerequisite(
    exercise: Exercise, builds_on: Exercise, subject, capsys: pytest.CaptureFixture
) -> None:
    """A right answer needs no word of what failed before."""
    with pytest.raises(CheckFailedError):
        check(exercise.id, None, CPU)
    check(builds_on.id, subject(builds_on.id, "textbook"), CPU)
    assert "builds on" not in capsys.readouterr().out


# Hints.


def test_hints_open_one_by_one(exercise: Exercise, capsys: pytest.CaptureFixture) -> None:
    """Each call opens one more hint below those that are open; the last one says that it is."""
    count = len(exercise.hints)
    expected = [f"Hint {n} of {count}: {text}" for n, text in enumerate(exercise.hints, start=1)]
    expected[-1] = expected[-1].replace(":", " (the last one):", 1)
    for opened in [*range(1, count + 1), count]:
        hint(exercise.id)
        assert capsys.readouterr().out.splitlines() == expected[:opened]


def test_hints_of_exercises_are_counted_apart(
    exercise: Exercise, builds_on: Exercise, capsys: pytest.CaptureFixture
) -> None:
    """Opening a hint of one exercise opens none of another."""
    hint(exercise.id)
    hint(builds_on.id)
    assert f"Hint 1 of {len(builds_on.hints)}: {builds_on.hints[0]}" in capsys.readouterr().out


def test_hint_of_an_unknown_exercise_is_an_error() -> None:
    """There is no hint of an exercise that does not exist."""
    with pytest.raises(UnknownExerciseError):
        hint("ch99-nothing")


# In a notebook.


def test_error_of_the_grader_is_one_line(shell: InteractiveShell) -> None:
    """No traceback through code that no learner has written."""
    with capture_output() as captured:
        shell.run_cell("from grader import check; check('ch04-self-atention', 1)")
    (line,) = captured.stdout.strip().splitlines()
    assert line.startswith("There is no exercise 'ch04-self-atention'. Did you mean ch04-self-attention?")


def test_verdict_is_displayed_with_its_data(exercise: Exercise, subject, shell: InteractiveShell) -> None:
    """In a notebook a verdict is one display of text, HTML and the JSON of the result."""
    with capture_output() as captured:
        check(exercise.id, subject(exercise.id, "textbook"), CPU)
    (output,) = captured.outputs
    assert set(output.data) == {"text/plain", "text/html", RESULT_MIMETYPE}
    assert f"{exercise.id}: passed" in output.data["text/plain"]
    data = json.loads(json.dumps(output.data[RESULT_MIMETYPE]))
    assert (data["exercise"], data["status"], data["score"]) == (exercise.id, "passed", exercise.points)
    assert (captured.stdout, captured.stderr) == ("", "")


def test_checks_are_counted_by_exercise(
    exercise: Exercise, builds_on: Exercise, subject, shell: InteractiveShell
) -> None:
    """The JSON of a verdict says how often its exercise was checked since the kernel started."""
    shell.push({"check": check, "answer": subject(exercise.id, "textbook")})
    right, wrong = f"check({exercise.id!r}, answer, {CPU!r})", f"check({builds_on.id!r}, None, {CPU!r})"
    with capture_output() as captured:
        for cell in (right, wrong, f"check({exercise.id!r}, None, {CPU!r})"):
            shell.run_cell(cell)
    counted = [output.data[RESULT_MIMETYPE] for output in captured.outputs]
    assert [(one["exercise"], one["attempts"]) for one in counted] == [
        (exercise.id, 1),
        (builds_on.id, 1),
        (exercise.id, 2),
    ]


def test_first_check_tells_of_versions_that_were_never_tried(
    exercise: Exercise, shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a kernel, below the first verdict, which stays what it is."""
    monkeypatch.setattr("torch.__version__", "2.99.0+cpu")
    shell.push({"check": check})
    with capture_output() as captured:
        for _ in range(2):
            shell.run_cell(f"check({exercise.id!r}, None, {CPU!r})")
    first, second = (output.data for output in captured.outputs)
    told = "PyTorch 2.99.0+cpu was never tried with this course"
    assert [told in one["text/plain"] for one in (first, second)] == [True, False]
    assert told in first["text/html"]
    assert first[RESULT_MIMETYPE]["status"] == "failed"


def test_failed_check_shows_no_traceback(exercise: Exercise, shell: InteractiveShell) -> None:
    """In a notebook a failed check shows one line under its verdict, without a traceback."""
    shell.push({"check": check})
    with capture_output() as captured:
        shell.run_cell(f"check({exercise.id!r}, None, {CPU!r})")
    assert captured.outputs[0].data[RESULT_MIMETYPE]["status"] == "failed"
    assert captured.stdout.startswith(f"{exercise.id}: failed")
    assert len(captured.stdout.strip().splitlines()) == 1


def test_hint_is_displayed_literally(
    exercise: Exercise, shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a notebook a hint reads as it was written, also with characters that HTML uses."""
    written = 'Where i < j & "x" > 0'
    monkeypatch.setitem(EXERCISES, exercise.id, replace(exercise, hints=(written,)))
    with capture_output() as captured:
        hint(exercise.id)
    shown = captured.outputs[0].data["text/html"]
    assert "i < j" not in shown
    assert written in html.unescape(shown)


# The device.


@pytest.mark.parametrize("name", DEVICES)
def test_device_that_is_asked_for_is_used(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The device of the call is the one that is used."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device(name).type == name


def test_device_without_hardware_is_for_proofs_alone() -> None:
    """What is proven may be so on the device that needs no hardware; nobody is judged there."""
    assert proving_device(SECOND) == ELSEWHERE
    assert proving_device(CPU).type == CPU
    with pytest.raises(DeviceError, match=SECOND):
        choose_device(SECOND)


def test_argument_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device of the call comes before the environment's."""
    monkeypatch.setenv("GRADER_DEVICE", "no-such-device")
    assert choose_device(CPU).type == CPU


def test_environment_chooses_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an argument, GRADER_DEVICE chooses."""
    monkeypatch.setenv("GRADER_DEVICE", CPU)
    assert choose_device().type == CPU


@pytest.mark.parametrize("value", [None, ""], ids=["unset", "empty"])
def test_without_a_choice_the_gpu_is_used_if_there_is_one(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With neither argument nor GRADER_DEVICE it is CUDA if there is one, else the CPU."""
    if value is not None:
        monkeypatch.setenv("GRADER_DEVICE", value)
    assert choose_device().type == ("cuda" if torch.cuda.is_available() else CPU)


def test_isolated_code_runs_on_the_cpu_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU that is there is not chosen for what is isolated; one that is named is."""
    monkeypatch.delenv("GRADER_DEVICE", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device(isolated=True).type == CPU
    assert choose_device("cuda", isolated=True).type == "cuda"


def test_unknown_device_lists_those_there_are() -> None:
    """A device that does not exist is an error that lists those that do."""
    with pytest.raises(DeviceError, match=r"'tpu'.*cpu, cuda"):
        choose_device("tpu")


def test_unknown_device_of_the_environment_is_an_error(
    exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check with an unknown GRADER_DEVICE is an error and no verdict."""
    monkeypatch.setenv("GRADER_DEVICE", "gpu0")
    with pytest.raises(DeviceError, match="gpu0"):
        check(exercise.id, None)


def test_the_cpu_comes_first() -> None:
    """What is wrong on the CPU is told from there; only what is right is judged on the device asked for."""
    for there in ("passed", "failed"):
        for on_cpu, asked, told in (("passed", "cuda", ["cpu", "cuda"]), ("failed", "cuda", ["cpu"])):
            judged = []

            def verdict(device: str, statuses=(on_cpu, there), judged=judged) -> SimpleNamespace:
                judged.append(device)
                return SimpleNamespace(status=statuses[device != "cpu"], device=device)

            result = first_on_the_cpu(verdict, asked)
            assert (judged, result.device) == (told, told[-1])
    assert first_on_the_cpu(verdict, CPU).device == CPU


def test_gpu_that_an_error_ended_is_told(exercise: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed assertion a GPU answers nothing more: that is no mistake of what is checked."""

    def answer() -> None:
        raise RuntimeError("CUDA error: device-side assert triggered\nFor debugging ...")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "synchronize", answer)
    with pytest.raises(DeviceError, match=r"assert triggered\).*restart the kernel.*GRADER_DEVICE"):
        check(exercise.id, None)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_missing_gpu_is_told() -> None:
    """Asking for CUDA where there is none says what to use instead."""
    with pytest.raises(DeviceError, match=r"no GPU.*cpu"):
        choose_device("cuda")
