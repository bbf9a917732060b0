"""Naming a mistake by its numbers."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from grader.checking.checks import Check, Failure, further, results
from grader.checking.diagnosis import compared_tensors, diagnose, fits_example, matching
from grader.checking.observation import LearnerError, Observation
from grader.exercises.case import PUBLISHED
from grader.messages import message
from grader.references import ExerciseReference

CPU = "cpu"
Observed = Callable[[str], tuple[Observation, ...]]


def codes_of(reference: ExerciseReference, seen: tuple[Observation, ...], device: str) -> tuple[str, ...]:
    """Return the codes of the known wrong answers whose numbers these are."""
    return tuple(dict.fromkeys(code for one in matching(reference, seen, device) for code in one.codes))


def with_result(seen: Observation, change: Callable[[torch.Tensor], torch.Tensor]) -> Observation:
    """Return an observation whose result is changed."""
    return replace(seen, tensors={**seen.tensors, "result": change(seen.tensors["result"])})


def test_known_wrong_numbers_give_their_code(reference: ExerciseReference, observed: Observed) -> None:
    """Numbers of a known wrong answer are recognized."""
    assert codes_of(reference, observed("missing-scale"), CPU) == ("missing-scale",)


def test_another_arrangement_of_the_same_mistake_is_recognized(
    reference: ExerciseReference, observed: Observed
) -> None:
    """The same mistake in other code has the same numbers but for rounding, and the same code."""
    rounded = tuple(
        with_result(seen, lambda result: result * (1 + 1e-6)) for seen in observed("missing-scale")
    )
    assert codes_of(reference, rounded, CPU) == ("missing-scale",)


def test_right_numbers_match_nothing(reference: ExerciseReference, observed: Observed) -> None:
    """A right answer is no known mistake."""
    assert codes_of(reference, observed("textbook"), CPU) == ()


def test_one_case_that_differs_is_enough_not_to_match(
    reference: ExerciseReference, observed: Observed
) -> None:
    """A known mistake has to agree on every case."""
    *others, last = observed("missing-scale")
    changed = (*others, with_result(last, lambda result: result + 1))
    assert codes_of(reference, changed, CPU) == ()


@pytest.mark.parametrize(("tolerances", "expected"), [(2, ("missing-scale",)), (6, ())])
def test_where_a_known_mistake_is_right_the_same_mistake_is_too(
    reference: ExerciseReference, observed: Observed, tolerances: int, expected: tuple[str, ...]
) -> None:
    """An answer that is off there has another mistake besides, whatever it shares with the known one."""
    off = tolerances * reference.expected["large scores"]["result"].tolerance[CPU]
    changed = tuple(
        with_result(seen, lambda result: result + off) if seen.case == "large scores" else seen
        for seen in observed("missing-scale")
    )
    assert codes_of(reference, changed, CPU) == expected


def test_case_with_dropout_tells_nothing(reference: ExerciseReference, observed: Observed) -> None:
    """A case with dropout has checks of its own: a known mistake is told by the other cases."""
    *others, last = reference.cases
    dropping = replace(last, options={**last.options, "dropout": 0.5})
    seen = observed("missing-scale")
    changed = (*seen[:-1], with_result(seen[-1], lambda result: result + 1))
    assert codes_of(replace(reference, cases=(*others, dropping)), changed, CPU) == ("missing-scale",)


def test_only_raising_matches_nothing(reference: ExerciseReference, observed: Observed) -> None:
    """An answer that raises on every case is not taken for a known one that does too."""
    raised = LearnerError("RuntimeError", "")
    assert (
        codes_of(reference, tuple(replace(seen, raised=raised) for seen in observed("textbook")), CPU) == ()
    )


def test_raising_where_a_known_mistake_does_is_recognized(
    reference: ExerciseReference, observed: Observed
) -> None:
    """A mistake that runs for some sizes only is told by both: its numbers and where it raises."""
    assert codes_of(reference, observed("key-not-transposed"), CPU) == ("key-not-transposed",)


def test_raising_something_else_is_not_recognized(reference: ExerciseReference, observed: Observed) -> None:
    """Another type of exception than the known mistake's is another mistake."""
    other = LearnerError("ZeroDivisionError", "")
    seen = tuple(replace(seen, raised=seen.raised and other) for seen in observed("key-not-transposed"))
    assert codes_of(reference, seen, CPU) == ()


def test_outcome_holds_results_only_when_nothing_else_changed(
    reference: ExerciseReference, observed: Observed
) -> None:
    """An argument that the call left alone does not belong to what a mistake is told by."""
    seen = observed("missing-scale")[0]
    assert set(compared_tensors(seen, reference.expected[seen.case])) == {"result"}


@pytest.mark.parametrize(
    "change", [lambda x: x + 1, lambda x: x[None]], ids=["other-values", "another-shape"]
)
def test_outcome_holds_a_changed_argument(
    change: Callable[[torch.Tensor], torch.Tensor], reference: ExerciseReference, observed: Observed
) -> None:
    """An argument that the call changed, in its values or its shape, belongs to the outcome."""
    seen = observed("missing-scale")[0]
    changed = replace(seen, tensors={**seen.tensors, "argument/x": change(seen.tensors["argument/x"])})
    assert set(compared_tensors(changed, reference.expected[seen.case])) == {"result", "argument/x"}


def test_argument_that_nobody_asked_about_is_no_outcome(
    reference: ExerciseReference, observed: Observed
) -> None:
    """A forged entry for an argument that the case does not have is passed over."""
    seen = observed("textbook")[0]
    forged = replace(seen, tensors={**seen.tensors, "argument/other": torch.ones(2)})
    assert set(compared_tensors(forged, reference.expected[seen.case])) == {"result"}


def test_published_numbers_for_every_input_are_hard_coded(
    reference: ExerciseReference, observed: Observed
) -> None:
    """An answer that gives the numbers of the published example again, whatever comes in, is hard-coded."""
    assert fits_example(reference, published_again(observed), CPU) == "hard-coded"


def test_published_numbers_as_printed_are_hard_coded(
    reference: ExerciseReference, observed: Observed
) -> None:
    """The four decimals that are in print count as right on the published example."""
    printed = tuple(
        with_result(seen, lambda result: result.round(decimals=4)) for seen in published_again(observed)
    )
    assert fits_example(reference, printed, CPU) == "hard-coded"


def test_slip_that_the_example_hides_is_not_hard_coded(
    reference: ExerciseReference, observed: Observed
) -> None:
    """An answer with other numbers for every input computes something: nobody is accused of a slip."""
    assert fits_example(reference, published_only(observed), CPU) == "example-only"


@pytest.mark.parametrize("answer", ["textbook", "missing-scale"])
def test_right_everywhere_or_nowhere_fits_no_example(
    answer: str, reference: ExerciseReference, observed: Observed
) -> None:
    """What is right everywhere is not made for one example, nor what is wrong on it."""
    assert fits_example(reference, observed(answer), CPU) == ""


def failed(check: Check, code: str) -> Failure:
    """Return a failure of a check."""
    return Failure(code, message("What was seen."), check)


def published_only(observed: Observed) -> tuple[Observation, ...]:
    """Return a right answer's observations, made wrong on all cases but the published one."""
    return tuple(
        seen if seen.case == PUBLISHED else with_result(seen, lambda result: result + 1)
        for seen in observed("textbook")
    )


def published_again(observed: Observed) -> tuple[Observation, ...]:
    """Return observations of an answer that gives the published result for every input."""
    stored = next(seen for seen in observed("textbook") if seen.case == PUBLISHED).tensors["result"]
    return tuple(with_result(seen, lambda result: stored) for seen in observed("textbook"))


def test_cause_comes_before_the_contract_it_broke(reference: ExerciseReference, observed: Observed) -> None:
    """A recognized mistake stands before the code of the check that failed."""
    failure = failed(results.shape, "wrong-shape")
    codes = diagnose(failure, reference, observed("returns-weights"), CPU).codes
    assert codes == ("returns-weights", "wrong-shape")


def test_unrecognized_is_not_added_to_a_recognized_mistake(
    reference: ExerciseReference, observed: Observed
) -> None:
    """A mistake with a name is not called unrecognized as well."""
    failure = failed(results.equal, "unrecognized")
    assert diagnose(failure, reference, observed("missing-scale"), CPU).codes == ("missing-scale",)


def test_unknown_numbers_are_unrecognized(reference: ExerciseReference, observed: Observed) -> None:
    """Numbers that fit no mistake leave the check's own code."""
    failure = failed(results.equal, "unrecognized")
    seen = observed("unrecognized: half the context")
    assert diagnose(failure, reference, seen, CPU).codes == ("unrecognized",)


@pytest.mark.parametrize(
    ("check", "code"),
    [
        (further.gradient, "no-gradient"),
        (results.is_built, "forbidden-call"),
        (results.runs, "not-implemented"),
    ],
    ids=["gradient", "built", "runs"],
)
def test_check_that_names_its_own_code_needs_no_numbers(
    check: Check, code: str, reference: ExerciseReference, observed: Observed
) -> None:
    """Where the check itself tells the mistake, numbers that fit a known one do not matter."""
    failure = failed(check, code)
    assert diagnose(failure, reference, observed("missing-scale"), CPU).codes == (code,)


def test_fitted_answer_is_named(reference: ExerciseReference, observed: Observed) -> None:
    """An answer that nobody knows and that is right on the published example only is named as that."""
    failure = failed(results.equal, "unrecognized")
    assert diagnose(failure, reference, published_again(observed), CPU).codes == ("hard-coded",)
    assert diagnose(failure, reference, published_only(observed), CPU).codes == ("example-only",)
