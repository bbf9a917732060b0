"""A small case as code: copied, it runs, and a right answer gives what it says."""

import ast
from collections.abc import Callable, Mapping

import numpy as np
import pytest
import torch

from grader.checking.checks import CheckContext
from grader.checking.example import CALLED, MAX_NUMBERS, smallest_example
from grader.checking.observation import Observation
from grader.checking.result import Example
from grader.exercises import EXERCISES, Exercise
from grader.messages import Message
from grader.proving.bank import Answer
from grader.references import load_exercise

ASKED = [one for one in EXERCISES.values() if one.driver in CALLED]


def looks_at(exercise: Exercise) -> list[CheckContext]:
    """Return what is looked at of each visible case, before anything is seen."""
    reference = load_exercise(exercise.chapter, exercise.id)
    return [
        CheckContext(
            exercise,
            case,
            dict(reference.expected[case.name]),
            Observation(case.name, {}, {}, {}),
            "cpu",
            reference.raises.get(case.name, ""),
        )
        for case in reference.cases
    ]


def run(example: Example, source: str) -> object:
    """Return what the last line gives, after an answer is defined."""
    namespace: dict[str, object] = {"torch": torch, "np": np, "__name__": "__main__"}
    exec(source, namespace)
    *lines, last = ast.parse(example.code).body
    exec(compile(ast.Module(lines, []), "<example>", "exec"), namespace)
    return eval(
        compile(ast.Expression(last.value if isinstance(last, ast.Expr) else last), "<example>", "eval"),
        namespace,
    )


def raised(example: Example, source: str) -> list[str]:
    """Return the names of the exception that it ends with, and of those that it is one of."""
    try:
        run(example, source)
    except Exception as error:  # noqa: BLE001 - which one is what is asked
        return [one.__name__ for one in type(error).__mro__]
    return []


def shown(value: object) -> str:
    """Return a result as an example shows it."""
    if isinstance(value, tuple):
        return ", ".join(map(shown, value))
    if isinstance(value, torch.Tensor | np.ndarray | np.floating):
        return shown(value.detach().tolist() if isinstance(value, torch.Tensor) else value.tolist())
    if isinstance(value, list) and value and not isinstance(value[0], str | tuple | int):
        return f"[{', '.join(map(shown, value))}]"
    return f"{value:.4f}" if isinstance(value, float) else repr(value)


def numbers(text: str) -> list[float]:
    """Return the numbers of nested lists."""
    return [float(one) for one in text.replace("[", " ").replace("]", " ").replace(",", " ").split()]


@pytest.mark.parametrize("exercise", ASKED, ids=lambda one: one.id)
def test_examples_can_be_copied_and_say_what_is_right(
    exercise: Exercise, answers: Callable[[str], Mapping[str, Answer]]
) -> None:
    """Each case that is small enough runs as code, and gives what is expected to four decimals."""
    right = next(iter(answers(exercise.id).values()))
    for look in looks_at(exercise):
        example = smallest_example([look])
        if example is None:
            continue
        if isinstance(example.expected, Message):
            assert look.raises in raised(example, right.program)
            continue
        got = shown(run(example, right.program))
        if "'" in example.expected or "True" in example.expected or "False" in example.expected:
            assert got.replace("(", "[").replace(")", "]") == example.expected
        else:
            assert numbers(got) == pytest.approx(numbers(example.expected), abs=2e-4, nan_ok=True), example


def test_most_exercises_have_a_small_case() -> None:
    """Work by hand is possible where results are numbers that a person can compute."""
    without = [one.id for one in ASKED if smallest_example(looks_at(one)) is None]
    assert len(without) < len(ASKED) / 3, without


def test_smallest_case_is_shown() -> None:
    """Of several cases that failed the one with the fewest numbers is shown; none if all are large."""
    looks = looks_at(EXERCISES["ch00-row-softmax"])
    sizes = {look.case.name: sum(one.numel() for one in look.case.arguments.values()) for look in looks}
    example = smallest_example(looks)
    assert sizes[example.case] == min(sizes.values())
    assert smallest_example([look for look in looks if sizes[look.case.name] > MAX_NUMBERS]) is None


def test_of_cases_that_have_numbers_alone_the_smallest_is_shown() -> None:
    """Where each result is a number, the numbers that come in say which case is small."""
    looks = looks_at(EXERCISES["ch06-wrapper-width"])
    example = smallest_example([look for look in looks if not look.raises])
    assert example.case == "published"
    assert example.code == "wrapper_d_out(4, 2)"
