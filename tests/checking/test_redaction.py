"""What a verdict tells of a hidden case: nothing that its tensors, or a learner's code, could color."""

import json
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from grader.checking.attempt import attempt
from grader.checking.checks import Check, results
from grader.checking.checks.run import CONTRACT, RESULT
from grader.checking.judge import judge
from grader.checking.loading import load_subject
from grader.checking.memory import other_numbers
from grader.checking.mistakes import explain
from grader.checking.observation import PROBLEMS, Attempt, LearnerError, Observation, Problem
from grader.checking.quiet import quiet
from grader.checking.redaction import BY_PROBLEM, FITTED
from grader.checking.rendering import one_line, result_html, result_text
from grader.checking.result import Result
from grader.course.paths import CoursePaths
from grader.exercises import EXERCISES, Exercise
from grader.exercises.case import other_input
from grader.proving.bank import Answer
from grader.proving.recipe import load_recipe
from grader.proving.tolerances import with_tolerances
from grader.references import ExerciseReference, load_exercise, load_for_grading

CPU = "cpu"
SECRET = "SECRET"
# All that a problem's text may have a placeholder for.
PLACEHOLDERS = ("subject", "kind", "reason", "line", "source", "size", "what", "seconds")
Leak = Callable[[torch.Tensor, torch.Tensor], object]
Observed = Callable[[str], tuple[Observation, ...]]


@dataclass(frozen=True)
class Graded:
    """A verdict, and everything that anybody is shown of it."""

    result: Result

    @property
    def shown(self) -> str:
        """All of it as one text."""
        result = self.result
        forms = (result_text(result), result_html(result), one_line(result), json.dumps(result.to_json()))
        return "\n".join((*forms, repr(result.failure), repr(result.picture), repr(result.notes)))


ERROR = 1e-6  # of float32


@pytest.fixture(scope="module")
def courses(exercise: Exercise, solutions: Path) -> tuple[ExerciseReference, ...]:
    """Return what two courses judge the exercise by: the same visible cases, other hidden ones."""
    visible = load_exercise(exercise.chapter, exercise.id)
    recipe = load_recipe(solutions / exercise.chapter / "reference.py")
    references = []
    for seed in (1, 2):
        solved = recipe.grading_cases(seed)[exercise.id]
        errors = {(item.case.name, name): ERROR for item in solved for name in item.expected}
        cases = visible.cases + tuple(item.case for item in solved)
        expected = {**visible.expected, **with_tolerances(solved, errors)}
        references.append(replace(visible, cases=cases, expected=expected))
    return tuple(references)


@pytest.fixture(scope="module")
def textbook(exercise: Exercise, answers: Callable[[str], dict[str, Answer]]) -> type[nn.Module]:
    """Return a right answer to the exercise."""
    subject, _ = load_subject(answers(exercise.id)["textbook"].program, exercise.subject, "<textbook>")
    return subject


def grade(exercise: Exercise, reference: ExerciseReference, subject: object) -> Graded:
    """Return the verdict on a subject, on all cases."""
    with quiet():
        made = attempt(exercise, subject, reference.cases, torch.device("cpu"), 10.0)
    return Graded(judge(exercise, reference, made, CPU))


def leaking(
    textbook: type[nn.Module], reference: ExerciseReference, leak: Leak, make: Callable = lambda *_: None
) -> type[nn.Module]:
    """Return a module that is right on the visible cases, and does what it likes on the others."""
    visible = [case for case in reference.cases if case.visible]
    (*inputs,) = (value for case in visible for value in case.arguments.values())
    known = {str(one.tolist()) for x in inputs for one in (x, other_input(x), other_numbers(x))}
    sizes = [tuple(case.options.values()) for case in visible]

    class Leaking(textbook):
        def __init__(self, *arguments: int, **options: int) -> None:
            super().__init__(*arguments, **options)
            if (*arguments, *options.values()) not in sizes:
                make(self, *arguments, *options.values())

        def forward(self, x: torch.Tensor) -> object:
            result = super().forward(x)
            return result if str(x.tolist()) in known else leak(x, result)

    return Leaking


def text_of(x: torch.Tensor) -> str:
    """Return numbers as a text that no message holds by chance."""
    return f"{SECRET} {tuple(x.shape)} {x.tolist()}"


def raise_text(x: torch.Tensor, result: torch.Tensor) -> object:
    """Raise an exception that says the numbers."""
    raise ValueError(text_of(x))


def raise_named(x: torch.Tensor, result: torch.Tensor) -> object:
    """Raise an exception of a type whose name says the numbers."""
    raise type(text_of(x), (ValueError,), {})


def raise_unfinished(x: torch.Tensor, result: torch.Tensor) -> object:
    """Raise what an unfinished answer raises."""
    raise NotImplementedError(text_of(x))


def return_kind(x: torch.Tensor, result: torch.Tensor) -> object:
    """Return an object whose type's name says the numbers."""
    return type(text_of(x), (), {})()


def return_input(x: torch.Tensor, result: torch.Tensor) -> object:
    """Return the numbers, in the right shape."""
    return result * 0 + x.flatten()[0]


def return_other_shape(x: torch.Tensor, result: torch.Tensor) -> object:
    """Return the numbers, in their own shape."""
    return x.reshape(-1)


def return_not_finite(x: torch.Tensor, result: torch.Tensor) -> object:
    """Return NaN at places that say a number."""
    return result.masked_fill(result > result.median(), torch.nan)


def return_other_dtype(x: torch.Tensor, result: torch.Tensor) -> object:
    """Return the right numbers in another dtype."""
    return result.double()


def change_input(x: torch.Tensor, result: torch.Tensor) -> object:
    """Write into the argument."""
    with torch.no_grad():
        x.add_(1.0)
    return result


def call_library(x: torch.Tensor, result: torch.Tensor) -> object:
    """Let the library do it."""
    F.scaled_dot_product_attention(x[None], x[None], x[None])
    return result


def cut_gradient(x: torch.Tensor, result: torch.Tensor) -> object:
    """Let no gradient through."""
    return result.detach()


def say(x: torch.Tensor, result: torch.Tensor) -> object:
    """Print and warn, then be wrong."""
    print(text_of(x))  # noqa: T201 - that is what it tries
    print(text_of(x), file=sys.stderr)  # noqa: T201 - the same
    warnings.warn(text_of(x), stacklevel=1)
    return result + 1


def right(x: torch.Tensor, result: torch.Tensor) -> object:
    """Be right."""
    return result


def register_named(module: nn.Module, *sizes: int) -> None:
    """Register a parameter whose name says the sizes, in the place of another."""
    del module.W_query
    module.register_parameter(f"{SECRET}_{sizes}", nn.Parameter(torch.zeros(sizes)))
    module.W_query = torch.zeros(sizes)


def keep_tensor(module: nn.Module, *sizes: int) -> None:
    """Start from weights that say the sizes."""
    nn.init.constant_(module.W_query, float(sizes[0]))


LEAKS: dict[str, tuple[Leak, Callable]] = {
    leak.__name__: (leak, lambda *_: None)
    for leak in (
        raise_text,
        raise_named,
        raise_unfinished,
        return_kind,
        return_input,
        return_other_shape,
        return_not_finite,
        return_other_dtype,
        change_input,
        call_library,
        cut_gradient,
        say,
    )
} | {make.__name__: (right, make) for make in (register_named, keep_tensor)}


@pytest.mark.parametrize("name", LEAKS)
def test_verdict_does_not_depend_on_hidden_tensors(
    name: str,
    exercise: Exercise,
    courses: tuple[ExerciseReference, ...],
    textbook: type[nn.Module],
    capfd: pytest.CaptureFixture,
) -> None:
    """Whatever an answer does with what it is given, in two courses it is told the same, to the letter."""
    leak, make = LEAKS[name]
    graded = [grade(exercise, one, leaking(textbook, one, leak, make)) for one in courses]
    first, second = (one.shown for one in graded)
    assert graded[0].result.status == "failed"
    assert graded[0].result.diagnosis[0] == FITTED
    assert first == second
    assert SECRET not in first + "".join(capfd.readouterr())


def test_right_answer_is_told_no_tensor_of_a_hidden_case(
    exercise: Exercise, courses: tuple[ExerciseReference, ...], textbook: type[nn.Module]
) -> None:
    """A right answer passes on all cases, and is shown a visible one."""
    graded = [grade(exercise, one, textbook) for one in courses]
    assert {one.result.status for one in graded} == {"passed"}
    assert graded[0].shown == graded[1].shown
    assert graded[0].result.message == f"Right on all {len(courses[0].cases)} cases."


@pytest.mark.parametrize("answer", ["missing-scale", "no-softmax", "returns-weights", "raises"])
def test_failure_on_a_visible_case_is_told_as_in_a_notebook(
    answer: str, exercise: Exercise, answers: Callable[[str], dict[str, Answer]], repository: Path
) -> None:
    """Where a visible case fails, the verdict is the one of the learner's own check."""
    wrong = next(one for name, one in answers(exercise.id).items() if one.diagnosis[:1] == (answer,))
    subject, _ = load_subject(wrong.program, exercise.subject, f"<{wrong.name}>")
    own = grade(exercise, load_exercise(exercise.chapter, exercise.id), subject).result
    reference = load_for_grading(exercise.chapter, exercise.id, CoursePaths(repository))
    graded = grade(exercise, reference, subject).result
    assert (graded.message, graded.diagnosis, graded.failure) == (own.message, own.diagnosis, own.failure)
    assert graded.cases[: len(own.cases)] == own.cases
    assert graded.picture.got.equal(own.picture.got) if own.picture else graded.picture is None


def test_hidden_failure_is_worded_by_its_case_and_check(
    exercise: Exercise, courses: tuple[ExerciseReference, ...], textbook: type[nn.Module]
) -> None:
    """The message has the mistake, what broke, and what kind of case it was; the cases say no more."""
    result = grade(exercise, courses[0], leaking(textbook, courses[0], return_other_dtype)).result
    first = next(case for case in courses[0].cases if not case.visible)
    assert result.diagnosis == (FITTED, "wrong-dtype")
    assert result.message.startswith(f"{explain(FITTED).title}. ")
    assert f"{results.dtype.hidden}. (case {first.name}: {first.shows})" in result.message
    assert (result.picture, result.failure.mismatch, result.failure.tensor) == (None, None, "")
    assert [case.passed for case in result.cases] == [case.visible for case in courses[0].cases]
    assert {case.why for case in result.cases} == {None}


def test_no_exception_is_named(
    exercise: Exercise, courses: tuple[ExerciseReference, ...], textbook: type[nn.Module]
) -> None:
    """Which of Python's some sixty exceptions was raised could say a digit of a hidden number."""

    def sentence(leak: Leak) -> str:
        return str(grade(exercise, courses[0], leaking(textbook, courses[0], leak)).result.failure.message)

    assert sentence(raise_text).endswith("it raised an exception.")
    assert sentence(raise_named).endswith("it raised an exception.")


@pytest.mark.parametrize("check", (*RESULT, *CONTRACT), ids=lambda check: check.name)
def test_words_of_a_hidden_case_have_no_placeholder(check: Check) -> None:
    """What is told of a hidden case, and in the list of cases, is the same whatever came back."""
    assert "{" not in check.hidden.text + check.label.text
    assert not check.hidden.values


def test_no_two_checks_have_one_name() -> None:
    """A check is known by its name."""
    names = [check.name for check in (*RESULT, *CONTRACT)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("code", BY_PROBLEM)
def test_problem_is_told_in_our_own_words(
    code: str, exercise: Exercise, courses: tuple[ExerciseReference, ...], observed: Observed
) -> None:
    """What is told of a problem on the hidden cases follows from its code alone."""
    kind = next(kind for kind, (own, _) in PROBLEMS.items() if own == code)
    values = [dict.fromkeys(PLACEHOLDERS, f"{SECRET} {number}") for number in (1, 2)]
    error = LearnerError(SECRET, SECRET)
    problems = [Problem(kind, one, error) for one in values]
    attempts = [Attempt(observed("textbook"), hidden_problem=problem) for problem in problems]
    verdicts = [Graded(judge(exercise, courses[0], made, CPU)) for made in attempts]
    assert verdicts[0].shown == verdicts[1].shown
    assert SECRET not in verdicts[0].shown
    assert verdicts[0].result.diagnosis == (code,)
    assert exercise.subject in verdicts[0].result.message


def test_every_problem_has_words_for_hidden_cases() -> None:
    """Whatever kept an answer from running on hidden cases can be told without what came back."""
    assert {code for code, _ in PROBLEMS.values()} == set(BY_PROBLEM)


def test_problem_on_visible_cases_keeps_its_words(
    exercise: Exercise, courses: tuple[ExerciseReference, ...]
) -> None:
    """Whoever words a problem before any hidden case was there has nothing to tell of them."""
    problem = Problem("no Python", {"reason": "invalid syntax", "line": 3, "source": "return ?"})
    made = Attempt(problem=problem).followed_by(
        Attempt(problem=Problem("raised", error=LearnerError(SECRET, SECRET)))
    )
    verdict = Graded(judge(exercise, courses[0], made, CPU))
    assert str(problem.message) in verdict.result.message
    assert SECRET not in verdict.shown


def test_visible_mistake_speaks_before_a_hidden_problem(
    exercise: Exercise, courses: tuple[ExerciseReference, ...], observed: Observed
) -> None:
    """A mistake that the learner's own check names is named, whatever came of the hidden cases."""
    hidden = Attempt(problem=Problem("stopped", {"subject": SECRET, "seconds": SECRET}))
    made = Attempt(observed("missing-scale")).followed_by(hidden)
    assert judge(exercise, courses[0], made, CPU).diagnosis == ("missing-scale",)


@pytest.mark.parametrize(
    "driver", ["function", "number", "transfer", "to_torch", "arrays", "texts", "tokenizer"]
)
def test_other_drivers_tell_no_more(
    driver: str, answers: Callable[[str], dict[str, Answer]], repository: Path
) -> None:
    """Whatever is run, an exception on a hidden case is told without its text."""
    exercise = next(one for one in EXERCISES.values() if one.driver == driver)
    reference = load_for_grading(exercise.chapter, exercise.id, CoursePaths(repository))
    correct, _ = load_subject(
        next(iter(answers(exercise.id).values())).program, exercise.subject, f"<{exercise.id}>"
    )
    with quiet():
        made = attempt(exercise, correct, reference.cases, torch.device("cpu"), 10.0)

    error = LearnerError("KeyError", SECRET, 1, SECRET, SECRET)
    observations = tuple(
        seen if case.visible else replace(seen, raised=error)
        for case, seen in zip(reference.cases, made.observations, strict=True)
    )
    graded = Graded(judge(exercise, reference, Attempt(observations), CPU))
    assert graded.result.diagnosis == (FITTED, "raises")
    assert SECRET not in graded.shown
