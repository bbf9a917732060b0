"""The checks, each on a right answer's observations with one thing changed."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from grader.checking import generator
from grader.checking.checks import CheckContext, Failure, generator_note
from grader.checking.checks.context import shape_text
from grader.checking.checks.results import difference_of, is_built
from grader.checking.checks.run import run_checks
from grader.checking.comparison import compare
from grader.checking.observation import Kind, LearnerError, Observation
from grader.checking.recording import describe_error
from grader.exercises import Exercise
from grader.exercises.case import PUBLISHED
from grader.exercises.model import Forbidden
from grader.references import ExerciseReference

CPU = "cpu"
WEIGHT = "W_key"
Change = Callable[[Observation], Observation]


def speaks(contexts: list[CheckContext], **options: bool) -> Failure | None:
    """Return the failure that speaks."""
    return run_checks(contexts, **options)[0]


def with_tensor(name: str, change: Callable[[torch.Tensor], torch.Tensor]) -> Change:
    """Return a change of one recorded tensor."""
    return lambda seen: replace(seen, tensors={**seen.tensors, name: change(seen.tensors[name])})


def without(name: str) -> Change:
    """Return a change that takes out one recorded tensor."""
    return lambda seen: replace(
        seen, tensors={key: tensor for key, tensor in seen.tensors.items() if key != name}
    )


def with_nan(result: torch.Tensor) -> torch.Tensor:
    """Return a result with NaN in its last place."""
    result = result.clone()
    result[-1, -1] = torch.nan
    return result


def unregistered(seen: Observation) -> Observation:
    """Return an observation of a module that lacks a parameter."""
    names = tuple(name for name in seen.registered if name != WEIGHT)
    return replace(without(f"parameter/{WEIGHT}")(seen), registered=names)


STUB = LearnerError("NotImplementedError", "", 3, source="raise NotImplementedError", own=True)
IN_TORCH = LearnerError("NotImplementedError", "missing the required forward", 7, source="module(x)")
CHANGES = {
    "a parameter is missing": (unregistered, "registered", "not-registered"),
    "a parameter is transposed": (
        with_tensor(f"parameter/{WEIGHT}", lambda w: w.T),
        "parameter shape",
        "wrong-shape",
    ),
    "it raised": (lambda seen: replace(seen, raised=LearnerError("KeyError", "'k'")), "runs", "raises"),
    "the stub raised": (lambda seen: replace(seen, raised=STUB), "runs", "not-implemented"),
    "a library raised what a stub does": (lambda seen: replace(seen, raised=IN_TORCH), "runs", "raises"),
    "a forbidden call": (
        lambda seen: replace(seen, calls=("scaled_dot_product_attention",)),
        "built",
        "forbidden-call",
    ),
    "no tensor": (
        lambda seen: replace(without("result")(seen), kinds={"result": Kind("list")}),
        "type",
        "wrong-type",
    ),
    "a batch axis": (with_tensor("result", lambda r: r[None]), "shape", "wrong-shape"),
    "float64": (with_tensor("result", torch.Tensor.double), "dtype", "wrong-dtype"),
    "elsewhere": (lambda seen: replace(seen, devices={"result": "cuda"}), "device", "wrong-device"),
    "nan": (with_tensor("result", with_nan), "finite", "not-finite"),
    "an argument written to": (with_tensor("argument/x", lambda x: x + 1), "arguments", "input-modified"),
    "an argument reshaped": (with_tensor("argument/x", lambda x: x[None]), "arguments", "input-modified"),
    "other numbers": (with_tensor("result", lambda r: r + 1), "equal", "unrecognized"),
    "no gradient": (without("gradient/W_value"), "gradient", "no-gradient"),
    "another gradient": (with_tensor(f"gradient/{WEIGHT}", lambda g: g + 1), "gradient", "no-gradient"),
    "gradient of another shape": (
        with_tensor(f"gradient/{WEIGHT}", lambda g: g.T),
        "gradient",
        "no-gradient",
    ),
    "weights drawn otherwise": (
        with_tensor(f"parameter/{WEIGHT}", lambda w: w + 0.5),
        "drawn as asked",
        "wrong-initialisation",
    ),
}


@pytest.fixture
def contexts(
    exercise: Exercise,
    reference: ExerciseReference,
    observed: Callable[[str], tuple[Observation, ...]],
) -> list[CheckContext]:
    """Return what the checks see of a right answer."""
    return [
        CheckContext(exercise, case, dict(reference.expected[case.name]), seen, CPU)
        for case, seen in zip(reference.cases, observed("textbook"), strict=True)
    ]


def changed(contexts: list[CheckContext], change: Change, *numbers: int) -> list[CheckContext]:
    """Return the looks with a change in the cases of these numbers."""
    return [
        replace(ctx, seen=change(ctx.seen)) if number in numbers else ctx
        for number, ctx in enumerate(contexts)
    ]


def of_another_seed(ctx: CheckContext, names: tuple[str, ...]) -> CheckContext:
    """Return the look as on a machine whose generator draws other numbers than the recorded weights."""
    weights = {name: ctx.case.weights[name] + 0.5 for name in names}
    return replace(ctx, case=replace(ctx.case, weights=weights))


def test_right_answer_passes_every_check(contexts: list[CheckContext]) -> None:
    """Nothing fails."""
    assert speaks(contexts) is None


@pytest.mark.parametrize(("change", "check", "code"), CHANGES.values(), ids=CHANGES)
def test_check_finds_what_it_looks_for(
    change: Change, check: str, code: str, contexts: list[CheckContext]
) -> None:
    """One thing that is wrong is found by its check, with its code, in the case where it is."""
    last = len(contexts) - 1
    failure = speaks(changed(contexts, change, last))
    assert (failure.check.name, failure.code, failure.case) == (check, code, contexts[last].case.name)


def test_first_case_speaks(contexts: list[CheckContext]) -> None:
    """Of several cases with wrong results the first is named."""
    change, _, _ = CHANGES["other numbers"]
    assert speaks(changed(contexts, change, 1, 2)).case == contexts[1].case.name


def test_a_simpler_case_speaks_before_an_earlier_check(contexts: list[CheckContext]) -> None:
    """A wrong number on an earlier case is told before a wrong shape on a later one."""
    numbers, shapes = CHANGES["other numbers"][0], CHANGES["a batch axis"][0]
    assert speaks(changed(changed(contexts, shapes, 2), numbers, 1)).check.name == "equal"


def test_earlier_check_of_a_case_speaks(contexts: list[CheckContext]) -> None:
    """Of two things wrong in a case the one of the earlier check is told."""
    numbers, dtypes = CHANGES["other numbers"][0], CHANGES["float64"][0]
    assert speaks(changed(changed(contexts, numbers, 1), dtypes, 1)).check.name == "dtype"


def test_results_speak_before_what_else_matters(contexts: list[CheckContext]) -> None:
    """A wrong result on the last case is told before a missing gradient on the first."""
    numbers, gradients = CHANGES["other numbers"][0], CHANGES["no gradient"][0]
    assert speaks(changed(changed(contexts, gradients, 0), numbers, len(contexts) - 1)).check.name == "equal"


def test_result_within_the_tolerance_passes(contexts: list[CheckContext]) -> None:
    """A result that is off by half its tolerance is right."""
    half = contexts[1].expected["result"].tolerance[CPU] / 2
    assert speaks(changed(contexts, with_tensor("result", lambda r: r.double().add(half).float()), 1)) is None


def test_failure_holds_the_mismatch(contexts: list[CheckContext]) -> None:
    """A failure of wrong numbers holds where they differ most."""
    last = contexts[1].expected["result"].values.shape

    def change(result: torch.Tensor) -> torch.Tensor:
        result = result.clone()
        result[-1, -1] += 1
        return result

    failure = speaks(changed(contexts, with_tensor("result", change), 1))
    assert failure.mismatch.index == tuple(size - 1 for size in last)


def test_weights_exchanged_are_a_creation_order(contexts: list[CheckContext], exercise: Exercise) -> None:
    """Weights that got each other's numbers of the seed are found by the last check."""

    def exchange(seen: Observation) -> Observation:
        first, second, *_ = (f"parameter/{name}" for name in exercise.parameters)
        tensors = {**seen.tensors, first: seen.tensors[second], second: seen.tensors[first]}
        return replace(seen, tensors=tensors)

    assert speaks(changed(contexts, exchange, 0)).code == "creation-order"


def test_how_weights_are_drawn_is_not_judged_on_another_generator(contexts: list[CheckContext]) -> None:
    """Where the generator gives other numbers than recorded, weights drawn otherwise pass."""
    change, _, _ = CHANGES["weights drawn otherwise"]
    assert speaks(changed(contexts, change, 0), generator_as_recorded=False) is None


def test_only_the_last_check_depends_on_the_generator(contexts: list[CheckContext]) -> None:
    """Where the generator gives other numbers than recorded, a missing gradient is still found."""
    change, _, code = CHANGES["no gradient"]
    assert speaks(changed(contexts, change, 0), generator_as_recorded=False).code == code


def test_no_note_where_the_generator_gives_the_recorded_weights(
    contexts: list[CheckContext], exercise: Exercise
) -> None:
    """A machine that draws the recorded weights needs no note."""
    ctx = contexts[0]
    weights = [ctx.case.weights[name] for name in exercise.parameters]
    assert ctx.case.name == PUBLISHED
    assert generator.order_code(weights, ctx.case.seed, exercise.drawn_by) == ""
    assert generator_note(exercise, ctx.case) is None


def test_note_where_the_generator_gives_other_weights(
    contexts: list[CheckContext], exercise: Exercise
) -> None:
    """A machine that draws other weights than recorded says so."""
    note = generator_note(exercise, of_another_seed(contexts[0], exercise.parameters).case)
    assert f"torch.manual_seed({contexts[0].case.seed})" in str(note)


def test_only_the_published_case_has_a_note(contexts: list[CheckContext], exercise: Exercise) -> None:
    """The weights of other cases are no draw of their seed, and nothing is remarked of them."""
    assert [generator_note(exercise, ctx.case) for ctx in contexts[1:]] == [None] * (len(contexts) - 1)


def test_exercise_that_draws_nothing_has_no_note(contexts: list[CheckContext], exercise: Exercise) -> None:
    """An exercise whose subject draws no weights has nothing to remark."""
    case = of_another_seed(contexts[0], exercise.parameters).case
    assert generator_note(replace(exercise, drawn_by=""), case) is None


def test_missing_parameter_is_told_with_those_there_are(contexts: list[CheckContext]) -> None:
    """The sentence on a missing parameter names it and the parameters that the module has."""
    sentence = str(speaks(changed(contexts, unregistered, 0)).message)
    assert WEIGHT in sentence
    assert "W_query" in sentence


def test_nothing_returned_asks_for_a_return(contexts: list[CheckContext]) -> None:
    """A result of None asks whether a return is missing."""
    failure = speaks(
        changed(
            contexts, lambda seen: replace(without("result")(seen), kinds={"result": Kind("NoneType")}), 0
        )
    )
    assert "return" in str(failure.message)


def test_error_is_told_with_the_line(contexts: list[CheckContext]) -> None:
    """The sentence on an exception holds its type, its words and the learner's line."""
    error = LearnerError("NameError", "name 'keys' is not defined", 12, "forward", "scores = query @ keys.T")
    sentence = str(speaks(changed(contexts, lambda seen: replace(seen, raised=error), 0)).message)
    assert sentence == (
        "It raised NameError: name 'keys' is not defined. Your line 12 in forward: scores = query @ keys.T"
    )


def test_mismatch_is_told_with_numbers() -> None:
    """The sentence on a mismatch holds index, both values and how many differ."""
    mismatch = compare(torch.tensor([[1.0, 2.0]]), torch.tensor([[1.0, 2.5]]), 0.125)
    text = str(difference_of("result", mismatch, torch.float32))
    assert all(part in text for part in ("[0, 1]", "expected 2.5000", "got 2.0000", "1 of 2 values"))


def test_small_mismatch_shows_enough_digits() -> None:
    """Two values that differ in the sixth decimal are not shown as equal."""
    mismatch = compare(torch.tensor([1.000002]), torch.tensor([1.0]), 1e-7)
    text = str(difference_of("result", mismatch, torch.float32))
    assert f"expected {mismatch.expected:.7f}, got {mismatch.got:.7f}" in text


def test_shape_is_written_as_in_the_course() -> None:
    """A shape is written as a tuple, whatever type it has."""
    assert [shape_text(torch.Size(size)) for size in ((6, 2), (6,), ())] == ["(6, 2)", "(6,)", "()"]


def test_whole_number_is_shown_with_all_its_digits() -> None:
    """A single whole number that is wrong is named digit by digit."""
    mismatch = compare(torch.tensor(1769472), torch.tensor(2360064), 0.0)
    told = difference_of("result", mismatch, torch.int64)
    assert str(told) == "The result is 1769472, expected 2360064."


def test_bools_are_told_as_such() -> None:
    """A mask that differs is told by True and False, not by numbers that nobody wrote."""
    mismatch = compare(torch.tensor([True, True]), torch.tensor([True, False]), 0.0)
    told = str(difference_of("result", mismatch, torch.bool))
    assert "[1]: expected False, got True; 1 of 2 values differ" in told


def test_error_of_an_odd_name_is_told_without_it() -> None:
    """A class may be called anything; a verdict quotes identifiers only."""
    odd = type("Right on all cases.\nPoints: 3", (ValueError,), {})
    told = describe_error(odd("x"))
    assert (told.type_name, told.bases[0]) == ("UnnamedError", "ValueError")


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        (("softmax", "softmax", "_softmax"), "It called softmax, itself"),
        (("a_softmax", "b_softmax", "c_softmax", "d_softmax"), "a_softmax, b_softmax, c_softmax and more, "),
        (("_softmax",), "It called _softmax, itself"),
    ],
)
def test_a_few_forbidden_calls_are_named(
    exercise: Exercise, contexts: list[CheckContext], calls: tuple[str, ...], told: str
) -> None:
    """Each once, the public names alone if there are any, and no more than three."""
    forbidding = replace(exercise, forbidden=Forbidden(("softmax",), "the softmax"))
    first = replace(contexts[0], exercise=forbidding, seen=replace(contexts[0].seen, calls=calls))
    assert told in str(is_built(first).message)
