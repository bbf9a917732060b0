"""Where the numbers part: what an answer makes is recorded, found, and told as it is."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from grader.checking.attempt import attempt
from grader.checking.loading import load_subject
from grader.checking.steps.choice import case_to_trace, telling
from grader.checking.steps.matching import How, Pool, match_steps
from grader.checking.steps.parting import Parting, part
from grader.checking.steps.recording import (
    MOST_TENSORS,
    Kept,
    TensorRecorder,
    TooMuchError,
    follow,
    local_arrays,
)
from grader.checking.steps.telling import question, told
from grader.checking.steps.tracing import traced
from grader.checking.steps.view import steps_html, steps_text
from grader.course.paths import find_course
from grader.exercises import find_exercise
from grader.materials import MultiHeadAttention
from grader.messages import message
from grader.proving.bank import bank_path, read_bank
from grader.references import load_exercise
from grader.references.steps import Form, Step

TOKENS, WIDTH = 4, 3
RNG = np.random.default_rng(3)
QUERY, KEY, VALUE = (torch.from_numpy(RNG.normal(size=(TOKENS, WIDTH))) for _ in range(3))
FUTURE = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
SCORES = QUERY @ KEY.T
SCALED = SCORES / math.sqrt(WIDTH)
MASKED = SCALED.masked_fill(FUTURE, -torch.inf)
WEIGHTS = MASKED.softmax(-1)


def step(
    name: str, values: torch.Tensor, *of: str, shares: bool = False, also: tuple[Form, ...] = ()
) -> Step:
    """Return a step of attention."""
    return Step(name, ("T",) * values.dim(), (Form(values, of), *also), shares)


BEFORE_SCALE = Form(SCORES.masked_fill(FUTURE, -torch.inf), ("scores",))
STEPS = (
    step("scores", SCORES),
    step("scaled scores", SCALED, "scores"),
    step("masked scores", MASKED, "scaled scores", also=(BEFORE_SCALE,)),
    step("weights", WEIGHTS, "masked scores", shares=True),
    step("context", WEIGHTS @ VALUE, "weights"),
)
BY_NAME = {one.name: one for one in STEPS}


def recorded(run: Callable[[], object]) -> list[torch.Tensor]:
    """Return what is kept of the tensors that a function of PyTorch makes."""
    kept = Kept()
    with TensorRecorder(kept):
        run()
    return kept.tensors


def holds(made: list[torch.Tensor], values: torch.Tensor) -> bool:
    """Return whether one of some tensors is this one."""
    return any(one.shape == values.shape and torch.allclose(one, values.double()) for one in made)


def test_every_tensor_on_the_way_is_kept() -> None:
    """What a line computes in between has no name, and is kept all the same."""
    made = recorded(lambda: torch.softmax(QUERY @ KEY.mT / WIDTH**0.5, dim=-1) @ VALUE)
    assert all(holds(made, one) for one in (SCORES, SCALED, SCALED.softmax(-1), SCALED.softmax(-1) @ VALUE))


def test_a_matrix_that_a_loop_fills_is_kept_when_it_is_used() -> None:
    """Written number by number, it is whole where the next step takes it."""

    def by_loops() -> torch.Tensor:
        scores = torch.zeros(TOKENS, TOKENS, dtype=torch.float64)
        for i in range(TOKENS):
            for j in range(TOKENS):
                scores[i, j] = QUERY[i] @ KEY[j]
        return scores.softmax(-1)

    assert holds(recorded(by_loops), SCORES)


def test_what_is_written_over_is_kept_as_it_was() -> None:
    """A step in place leaves both: what was there before and what is there after."""

    def in_place() -> None:
        scores = QUERY @ KEY.mT
        scores /= WIDTH**0.5
        scores.masked_fill_(FUTURE, -torch.inf)

    made = recorded(in_place)
    assert holds(made, SCORES)
    assert holds(made, SCALED)


def test_too_many_tensors_are_given_up() -> None:
    """Of an answer that makes more than are kept nothing is said."""
    kept = Kept()
    with pytest.raises(TooMuchError):
        for number in range(MOST_TENSORS + 1):
            kept.add(torch.full((2,), float(number)))
    assert kept.full


def test_arrays_are_followed_through_one_line() -> None:
    """NumPy's operations are seen as well, functions and methods among them, and compute as they do."""
    kept = Kept()
    query, key = (follow(one.numpy(), kept) for one in (QUERY, KEY))
    powers = np.exp(query @ key.T / np.sqrt(key.shape[-1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    assert np.array_equal(np.asarray(weights), SCALED.softmax(-1).numpy()) or np.allclose(
        weights, SCALED.softmax(-1)
    )
    assert all(holds(kept.tensors, one) for one in (SCORES, SCALED, SCALED.exp(), SCALED.softmax(-1)))


def test_an_array_that_is_written_into_is_followed() -> None:
    """An operation in place changes the array that it is given, and its numbers are kept."""
    kept = Kept()
    scores = follow(SCORES.numpy().copy(), kept)
    scores /= 2.0
    np.multiply(scores, 3.0, out=scores)
    assert np.allclose(scores, SCORES * 1.5)
    assert holds(kept.tensors, SCORES * 1.5)


HEADS = torch.stack([SCORES, 2 + SCORES * SCORES])


@pytest.mark.parametrize(
    ("of", "made", "how"),
    [
        ("scores", [SCORES], How.AS_IT_IS),
        ("scores", [SCORES.float()[None]], How.AS_IT_IS),
        ("scores", list(SCORES), How.IN_PARTS),
        ("scores", list(SCORES.T), How.IN_PARTS),
        ("scores", [*SCORES, SCORES.flip(0)], How.PARTS_ALONE),
        ("scores", [*SCORES, SCORES.flip(0).reshape(2, 8)], How.IN_PARTS),
        ("masked scores", [SCALED[i, : i + 1] for i in range(TOKENS)], How.IN_PARTS),
        ("masked scores", [BEFORE_SCALE.values], How.AS_IT_IS),
        ("masked scores", [SCALED.masked_fill(FUTURE, -1e9)], How.AS_IT_IS),
        ("masked scores", [SCORES.masked_fill(FUTURE, -1e4) / math.sqrt(WIDTH)], How.AS_IT_IS),
        ("masked scores", [SCALED.masked_fill(FUTURE, -100.0)], How.AS_IT_IS),
        ("masked scores", [SCALED.masked_fill(FUTURE, -20.0)], How.NOTHING_HIDDEN),
        ("scores", [SCORES.T], How.IN_ANOTHER_ORDER),
        ("scores", [SCORES * 2], How.TIMES),
        ("scores", [-SCORES], How.TIMES),
        ("scores", [SCORES + torch.arange(4.0)[:, None]], How.SHIFTED),
        ("masked scores", [SCALED.masked_fill(FUTURE.T, -torch.inf)], How.HIDDEN_ELSEWHERE),
        ("masked scores", [SCALED, SCALED.masked_fill(~FUTURE, -torch.inf)], How.HIDDEN_ELSEWHERE),
        ("masked scores", [SCALED], How.NOTHING_HIDDEN),
        ("masked scores", [SCALED * ~FUTURE], How.NOTHING_HIDDEN),
        ("weights", [SCALED.softmax(-2)], How.COLUMNS),
        ("weights", [SCALED.flatten().softmax(-1).reshape(4, 4)], How.ALL),
        ("scores", [torch.cat([SCORES[:2], 5 + SCORES[2:] * SCORES[2:]])], How.SOME_PARTS),
        ("scores", [SCORES * 1.002], How.NOT_THERE),
        ("scores", [SCORES + torch.eye(4)], How.NOT_THERE),
        ("scores", [torch.full((4, 4), torch.nan)], How.NOT_THERE),
        ("scores", [SCORES[:2]], How.NOT_THERE),
        ("scores", [], How.NOT_THERE),
    ],
)
def test_a_step_is_found_as_it_is_there(of: str, made: list[torch.Tensor], how: How) -> None:
    """Whole, in parts, in another order, times a factor, shifted, hidden or summed otherwise, or not."""
    (match,) = match_steps([BY_NAME[of]], Pool(made))
    assert match.how == how


@pytest.mark.parametrize("hides", [-torch.inf, -1e9, -100.0])
def test_what_an_answer_hides_with_is_shown_as_it_is(hides: float) -> None:
    """A finite number is no infinity, though its exponential counts as zero."""
    made = SCALED.masked_fill(FUTURE, hides)
    for form in (made, made.float()[None]):
        (match,) = match_steps([BY_NAME["masked scores"]], Pool([SCORES, form, SCALED]))
        assert match.how == How.AS_IT_IS
        assert torch.equal(match.made, form.double().reshape(made.shape))


def test_recording_imports_nothing(modules_imported: Callable[..., set[str]]) -> None:
    """A learner's first check that fails does not wait for parts of PyTorch that compile."""
    first = "import torch\nfrom grader.checking.steps.recording import Kept, TensorRecorder"
    assert modules_imported("with TensorRecorder(Kept()): torch.ones(2) + 1", first=first) == set()


def test_heads_side_by_side_are_not_joined() -> None:
    """The same numbers in order are another step where rows are shorter; leading axes may be folded."""
    joined = step("joined context", torch.stack([VALUE, QUERY], dim=1).reshape(TOKENS, 2 * WIDTH))
    by_heads = step("context by heads", HEADS)
    for one, made, found in (
        (joined, joined.values, True),
        (joined, joined.values[None], True),
        (joined, joined.values.reshape(TOKENS, 2, WIDTH), False),
        (by_heads, HEADS.reshape(2 * TOKENS, TOKENS), True),
        (by_heads, HEADS.reshape(2, TOKENS * TOKENS), False),
    ):
        (match,) = match_steps([one], Pool([made]))
        assert (match.how == How.AS_IT_IS, match.how == How.SHIFTED) == (found, False)


def test_heads_that_only_einsum_brings_together_are_not_missing() -> None:
    """The numbers by heads are there with tokens before heads: neither made right nor the first mistake."""
    query, key = torch.randn(2, TOKENS, 3, WIDTH).double(), torch.randn(2, TOKENS, 3, WIDTH).double()
    scores = torch.einsum("bihd,bjhd->bhij", query, key)
    steps = (
        step("query by heads", query.transpose(1, 2)),
        step("key by heads", key.transpose(1, 2)),
        step("scores", scores, "query by heads", "key by heads"),
    )
    parting = part("some", steps, [query, key, scores * 2])
    assert [one.how for one in parting.matches[:2]] == [How.IN_ANOTHER_LAYOUT] * 2
    assert (parting.right, parting.first.step.name) == ((), "scores")
    assert "T and T are exchanged" in steps_text(parting)
    assert part("some", steps, [query, key, scores]).first is None


def test_what_is_hidden_and_spoiled_besides_is_not_called_seen() -> None:
    """Adding 0 times an infinity leaves NaN where the scores should be seen."""
    spoiled = SCALED + torch.where(FUTURE, -torch.inf, torch.nan)
    assert parted(SCORES, SCALED, spoiled).first.how == How.NOT_THERE
    assert parted(SCORES, SCALED).first.how == How.NOTHING_HIDDEN


def test_an_error_before_the_mask_is_no_mistake_of_the_mask() -> None:
    """Where the call ended with an error, scores without a mask may have been about to get theirs."""
    ended = part("five tokens", STEPS, (SCORES, SCALED), complete=False)
    assert (ended.first.step.name, ended.first.how) == ("masked scores", How.NOT_THERE)
    assert ended.first.made is None
    assert "does not hide them" not in str(told(ended, message("tensors")))
    assert "does not hide them" in str(told(parted(SCORES, SCALED), message("tensors")))


def test_what_an_error_came_before_is_not_called_wrong() -> None:
    """An error in the line of a mask that is put in before the scale: the scale never had its turn."""
    ended = part("five tokens", STEPS, (SCORES,), complete=False)
    assert str(told(ended, message("tensors"))) == (
        "In the case 'five tokens' your code makes the right scores; then an error ends it before any of "
        "its tensors is the right scaled scores."
    )
    for shown in (steps_text(ended), steps_html(ended)):
        assert "not right yet when an error comes" in shown
        assert "the first that is not right" not in shown
    otherwise = part("five tokens", STEPS, (SCORES, SCORES + torch.eye(4)), complete=False)
    assert "none of its tensors is the right scaled scores" in str(told(otherwise, message("tensors")))
    assert told(part("five tokens", STEPS, (), complete=False), message("tensors")) is None


def test_a_wrong_mask_does_not_hide_that_the_scale_never_comes() -> None:
    """Scores that are hidden in wrong places, and never scaled, are no right numbers hidden elsewhere."""
    masked = SCORES.masked_fill(FUTURE.T, -torch.inf)
    parting = parted(SCORES, masked, masked.softmax(-1), masked.softmax(-1) @ VALUE)
    assert (parting.first.step.name, parting.first.how) == ("scaled scores", How.NOT_THERE)


def test_scores_in_one_row_are_the_right_scores() -> None:
    """Who takes a softmax of all has flattened them; the numbers and their order are right."""
    flat = SCALED.flatten()
    parting = parted(SCORES, flat, flat.softmax(0), flat.softmax(0).reshape(4, 4))
    assert parting.right == ("scores", "scaled scores")


def test_what_is_only_half_filled_is_not_shared_among_all() -> None:
    """A loop that fills one block after the other: at first one of them sums to 1, and the rest is zero."""
    shares = step("shares", HEADS.softmax(-1), shares=True)
    filled = torch.zeros_like(HEADS)
    filled[0] = HEADS[0].flatten().softmax(0).reshape(HEADS[0].shape)
    assert parted_by(shares, filled).first.how != How.ALL


def test_masked_and_scaled_apart_are_not_both() -> None:
    """The mask's result was thrown away: the scaled scores hide nothing."""
    thrown = SCORES.masked_fill(FUTURE, -torch.inf)
    parting = parted(SCORES, thrown, SCALED, SCALED.softmax(-1), SCALED.softmax(-1) @ VALUE)
    assert parting.first.step.name == "masked scores"


def test_a_value_that_comes_last_is_no_first_mistake() -> None:
    """The weights may mix the inputs before they are projected: nothing of the values' shape was tried."""
    x, w = torch.from_numpy(RNG.normal(size=(4, 5))), VALUE.new_ones(5, 3)
    steps = (
        Step("scores", ("T", "T"), (Form(SCORES, ()),)),
        Step("value", ("T", "d_v"), (Form(x @ w, ()),)),
        Step("scaled scores", ("T", "T"), (Form(SCALED, ("scores",)),)),
    )
    wrong = SCORES / 7
    parting = part("some", steps, (SCORES, wrong, wrong.softmax(-1), wrong.softmax(-1) @ x))
    assert parting.first.step.name == "scaled scores"
    tried = part("some", steps, (SCORES, x @ w + 1, wrong, wrong.softmax(-1) @ (x @ w + 1)))
    assert tried.first.step.name == "value"


def test_one_head_alone_is_told_as_that() -> None:
    """Who returns inside the loop over the heads has made what belongs to the first."""
    parting = parted_by(step("query by heads", HEADS), HEADS[0])
    assert str(told(parting, message("tensors"))).endswith(
        "is the right query by heads. Of the query by heads, shape (T, T, T), only the part with index 0 "
        "along axis 0 is made."
    )
    shown = steps_text(parting)
    assert "the first that is not right; along axis 0 yours has index 0 alone" in shown
    assert f"{float(HEADS[0, 0, 0]):.2f}" in shown.split("yours\n")[1]
    assert parted_by(step("query by heads", HEADS), *HEADS).first is None
    batch = torch.stack([HEADS, HEADS * 2])  # two sentences, two heads
    parting = parted_by(step("query by heads", batch), batch[:, 1])
    assert "nan" not in steps_text(parting) + steps_html(parting)
    parting = parted_by(step("query by heads", batch), batch[:, 0])
    assert (parting.first.how, parting.first.axis, parting.first.places) == (How.FEW_PARTS, 1, (0,))


def parted_by(one: Step, *made: torch.Tensor) -> Parting:
    """Return where some tensors part from a single step."""
    return part("some", (one,), made)


def test_a_result_that_lost_an_axis_or_its_whole_is_told_as_what_is_returned() -> None:
    """Its numbers are right, as are those of steps that are made in the same way; the form is not."""
    column = step("context", WEIGHTS @ VALUE[:, :1], "weights")
    before = step("weights", WEIGHTS, shares=True)
    for made in ((WEIGHTS, column.values[:, 0]), (*WEIGHTS, column.values[:, 0])):
        parting = part("one feature out", (before, column), made)
        assert str(told(parting, message("tensors"))) == (
            "In the case 'one feature out' your code makes the right weights, context. What it returns is "
            "not what is asked for."
        )
        assert "none of yours" not in steps_text(parting)
    sums = step("row sums", WEIGHTS.exp().sum(-1, keepdim=True))
    assert part("some", (sums, before), [sums.values[:, 0], WEIGHTS]).first is None


def test_exponentials_may_have_a_factor_for_each_row() -> None:
    """Whatever is subtracted from a row does no harm; what vanishes or sums to 1 is none of them."""
    shifted = (SCORES - SCORES.amax(-1, keepdim=True)).exp()
    powers = Step("exponentials", ("T", "T"), (Form(shifted),), scaled_along=-1)
    for made, found in (
        ((SCORES - SCORES.mean(-1, keepdim=True)).exp(), How.SCALED_ROWS),
        (shifted, How.AS_IT_IS),
        (SCORES.exp() * torch.tensor([1.0, 0.0, 1.0, 1.0])[:, None], How.NOT_THERE),
        ((SCORES - SCORES.mean(0)).exp(), How.NOT_THERE),
        (SCORES.softmax(-1), How.NOT_THERE),
        (SCORES.flatten().softmax(-1).reshape(4, 4), How.NOT_THERE),
        (-shifted, How.TIMES),
        (torch.ones(3), How.NOT_THERE),
    ):
        (match,) = match_steps([powers], Pool([made]))
        assert match.how == found


def test_tiny_exponentials_are_compared_with_each_other() -> None:
    """Powers of large negative numbers are all near 0: another base gives others all the same."""
    low = SCORES - 40
    powers = step("exponentials", low.exp())
    assert part("some", (powers,), [low.exp()]).first is None
    assert part("some", (powers,), [2.718**low]).first is not None
    assert (
        part("some", (step("nothing", torch.zeros(TOKENS, TOKENS)),), [torch.zeros(TOKENS, TOKENS)]).first
        is None
    )


def test_tiny_exponentials_are_shown_with_their_digits() -> None:
    """Where two decimals show nothing but zeros, the picture has digits that tell one from another."""
    low = SCORES - 40
    parting = part("some", (step("exponentials", low.exp()),), [2.718**low])
    for shown in (steps_text(parting), steps_html(parting)):
        assert "0.00" not in shown
        assert f"{float(low[0, 0].exp()):.1e}" in shown


def test_shares_that_are_made_at_once_have_no_exponentials() -> None:
    """Where columns sum to 1 that is told, not that there are no exponentials."""
    powers = Step("exponentials", ("T", "T"), (Form(SCORES.exp()),), scaled_along=-1)
    shares = step("shares", SCORES.softmax(-1), "exponentials", shares=True)
    parting = part("some", (powers, shares), [SCORES.softmax(0)])
    assert (parting.first.step.name, parting.first.how) == ("shares", How.COLUMNS)
    parting = part("some", (powers, shares), [SCORES.flatten().softmax(-1).reshape(4, 4)])
    assert (parting.first.step.name, parting.first.how) == ("shares", How.ALL)
    batch = torch.stack([SCORES, SCORES.flip(0)])
    steps = (
        Step("exponentials", ("b", "T", "T"), (Form(batch.exp()),), scaled_along=-1),
        step("shares", batch.softmax(-1), "exponentials", shares=True),
    )
    parting = part("some", steps, [batch.softmax(0)])
    assert (parting.first.step.name, parting.first.how) == ("shares", How.OTHER_AXIS)


def test_along_an_axis_of_one_nothing_is_shared() -> None:
    """A mask of ones in a batch of one is no share along the batch."""
    shares = step("shares", SCORES.softmax(-1)[None], shares=True)
    made = [torch.ones(1, TOKENS, TOKENS).double()]
    assert part("a batch of one", (shares,), made).first.how == How.NOT_THERE


def test_numbers_in_shorter_rows_are_not_shifted() -> None:
    """What is merged in the next line differs from the result by no number."""
    merged = step("merged context", HEADS.transpose(0, 1).reshape(TOKENS, 2 * TOKENS), "context by heads")
    steps = (step("context by heads", HEADS), merged)
    first = part("some", steps, [HEADS, HEADS.transpose(0, 1).contiguous()]).first
    assert (first.step.name, first.how) == ("merged context", How.NOT_THERE)


def test_what_came_in_is_what_a_first_step_is_asked_about() -> None:
    """Of a step that is made of the call's arguments nobody is asked what was made before."""
    steps = (step("query", QUERY), step("key", KEY), step("scores", SCORES, "query", "key"))
    assert "is it what came in with the call?" in str(question(part("some", steps, [QUERY, KEY**2])))
    assert "is it what you made right before" in str(question(part("some", steps, [QUERY, KEY, SCORES**2])))


def test_symmetric_cases_tell_less() -> None:
    """Where rows and columns are the same an exchange of axes does not show."""
    reference = load_exercise("ch00_tensor_toolkit", "ch00-row-softmax")
    case = next(one for one in reference.visible if one.name == "square matrices")
    name, *_ = case.arguments
    alike = replace(case, arguments={name: case.arguments[name] + case.arguments[name].mT})
    steps = reference.steps[case.name]
    assert telling(case, steps) < telling(alike, steps)


def test_cases_of_tiny_numbers_tell_less() -> None:
    """Of x far below 0, exponential and sigmoid are one number."""
    reference = load_exercise("ch00_tensor_toolkit", "ch00-row-softmax")
    case = next(one for one in reference.visible if one.name == "square matrices")
    tiny = step("exponentials", (SCORES - SCORES.max() - 20).exp())
    assert telling(case, (step("scores", SCORES),)) < telling(case, (tiny,))


def test_of_several_multiples_the_first_is_the_step() -> None:
    """What is made of it later may be a multiple, too, where the next step is one."""
    first = parted(2 * SCORES, 6 * SCORES).first
    assert (first.step.name, first.how, first.factor) == ("scores", How.TIMES, 2.0)


def test_of_several_multiples_the_last_is_the_step() -> None:
    """Two lines may scale: what both have made goes on."""
    first = parted(SCORES, SCALED / 2, SCALED / 4, (SCALED / 4).softmax(-1)).first
    assert (first.step.name, first.how, round(first.factor, 6)) == ("scaled scores", How.TIMES, 0.25)


def test_a_multiple_that_is_made_after_the_next_step_is_not_the_step() -> None:
    """The query was scaled already: what is made of the scaled scores is nobody's scores."""
    matches = parted(SCALED, SCALED / 4, (SCALED / 4).softmax(-1)).matches
    assert [one.how for one in matches[:2]] == [How.NOT_THERE, How.AS_IT_IS]


def test_what_is_right_but_for_digits_hides_multiples() -> None:
    """Shares of a power with a constant of few digits: the powers are no shares times a factor."""
    shares = step("shares", SCALED.softmax(-1), shares=True)
    powers = SCALED[:1].exp() * (1 + 1e-4 * SCALED[:1])
    one_row = step("shares", SCALED[:1].softmax(-1), shares=True)
    assert shares.values.shape == SCALED.shape
    assert parted_by(one_row, powers, powers / powers.sum(-1, keepdim=True)).first.how == How.NOT_THERE


def test_rows_of_shares_are_no_exponentials() -> None:
    """Far from each other, the exponentials of a row and its shares have the same numbers."""
    scores = torch.tensor([[0.0, -90.0, -95.0], [0.0, 1.0, 2.0]], dtype=torch.float64)
    powers = (scores - scores.amax(-1, keepdim=True)).exp()
    exponentials = Step("exponentials", ("m", "n"), (Form(powers),), scaled_along=-1)
    wrong = torch.stack((scores[0].softmax(-1), torch.full((3,), 1 / 3, dtype=torch.float64)))
    assert parted_by(exponentials, wrong).first.how == How.NOT_THERE


def test_a_case_of_one_token_is_not_run_again_where_others_tell_more() -> None:
    """There every step may have another's numbers, even if errors ended all the other cases."""
    exercise = find_exercise("ch06-multi-head-attention")
    reference = load_exercise(exercise.chapter, exercise.id)

    class OneTokenOnly(MultiHeadAttention):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if x.shape[1] > 1:
                raise ValueError("one at a time")
            return super().forward(x) + 1

    made = attempt(exercise, OneTokenOnly, reference.visible, torch.device("cpu"), seconds=60.0)
    assert [one.case for one in made.observations if not one.raised and one.tensors.get("result") is not None]
    assert 1 not in next(iter(case_to_trace(reference, made, "cpu").arguments.values())).shape


def test_another_order_is_shown_in_the_shape_that_it_has() -> None:
    """Axes that were exchanged are not laid out as if they were the step's."""
    by_heads = step("context by heads", torch.arange(24.0).reshape(2, 3, 4).double())
    turned = by_heads.values.permute(2, 1, 0)
    shown = steps_text(parted_by(by_heads, turned, turned.reshape(12, 2)))
    assert "the first that is not right; yours has these numbers in another order" in shown
    assert "yours, shape (4, 3, 2), shown [0, :3, :2]" in shown


def test_a_step_behind_one_that_is_not_there_is_not_the_first() -> None:
    """Exponentials of columns are seen: the shares are not right either."""
    powers = step("exponentials", SCALED.exp())
    shares = step("shares", SCALED.softmax(-1), "exponentials", shares=True)
    wrong = (SCALED - SCALED.amax(0)).exp()
    made = [wrong, wrong / wrong.sum(0)]
    steps = (replace(powers, scaled_along=-1), shares)
    shown = steps_text(part("some", steps, made))
    assert "shares (T, T) = (4, 4): not right" in shown


def test_columns_of_transposed_weights_are_no_softmax_of_columns() -> None:
    """The softmax took the rows; what mixes is its transpose."""
    wrong = SCALED.softmax(-1)
    found = parted(SCORES, SCALED, MASKED, wrong, wrong.mT, wrong.mT @ VALUE).first
    assert (found.step.name, found.how) == ("weights", How.SOME_PARTS)  # the last row has nothing to hide
    found = parted(SCORES, SCALED, MASKED, SCALED.softmax(0), SCALED.softmax(0) @ VALUE).first
    assert (found.step.name, found.how) == ("weights", How.COLUMNS)


def test_a_target_in_another_form_is_told_as_that() -> None:
    """Scores that were masked first are right without a scale: what is shown beside them has none either."""
    masked = SCORES.masked_fill(FUTURE, -torch.inf)
    shown = steps_text(parted(SCORES, masked, masked.softmax(-1)))
    assert "masked scores (T, T) = (4, 4): the target is shown in the form in which your code" in shown
    assert "is shown in the form" not in steps_text(parted(SCORES, SCALED, MASKED, WEIGHTS))


def test_weights_reach_modules_in_a_plain_list() -> None:
    """They are not registered, which is told; what they compute is compared all the same."""
    exercise = find_exercise("ch06-wrapper")
    reference = load_exercise(exercise.chapter, exercise.id)
    (answer,) = (
        one for one in read_bank(bank_path(find_course().solutions, exercise)) if one.name == "not-registered"
    )
    listed, _ = load_subject(answer.program, exercise.subject, "<bank>")
    case = next(one for one in reference.visible if one.name == "all sizes different")
    made = traced(exercise, listed, case, torch.device("cpu"), seconds=60.0).tensors
    assert part(case.name, reference.steps[case.name], made).first is None


def test_a_trace_is_in_the_mode_of_the_case() -> None:
    """With dropout=0 nothing calls eval(): what drops all the same is seen."""
    exercise = find_exercise("ch05-causal-attention")
    reference = load_exercise(exercise.chapter, exercise.id)
    case = next(one for one in reference.visible if one.name == "all sizes different")
    for share, right in ((0.0, True), (0.9, False)):
        seen = traced(exercise, causal_attention(share), case, torch.device("cpu"), 60.0)
        parting = part(case.name, reference.steps[case.name], seen.tensors)
        assert (parting.first is None) == right


def causal_attention(share: float) -> type:
    """Return chapter 5's module, as its bank has it, but for the share that it drops."""
    bank = bank_path(find_course(None).solutions, find_exercise("ch05-causal-attention"))
    (answer,) = (one for one in read_bank(bank) if one.name == "textbook")
    program = answer.program.replace("nn.Dropout(dropout)", f"nn.Dropout({share})")
    assert program != answer.program
    subject, _ = load_subject(program, "CausalAttention", "<bank>")
    return subject


def test_a_result_of_right_parts_is_put_together_otherwise() -> None:
    """Each row is right, and the result is not."""
    rows = [*(WEIGHTS @ VALUE)]
    made = (SCORES, SCALED, MASKED, WEIGHTS, *rows, torch.stack(rows[::-1]))
    assert str(told(parted(*made), message("tensors"))).endswith(
        "is the right context. It makes the right parts of that, but never the right whole."
    )


def test_heads_joined_along_another_axis_are_right_heads() -> None:
    """Where joining them is a step of its own, the heads are not what is wrong."""
    by_heads = torch.randn(2, 3, TOKENS, WIDTH).double()  # (b, h, T, d)
    joined = by_heads.movedim(1, 2).flatten(2)
    steps = (step("context by heads", by_heads), step("joined context", joined, "context by heads"))
    heads = [*by_heads.movedim(1, 0)]
    parting = part("some", steps, [*heads, torch.cat(heads, dim=0)])
    assert (parting.right, parting.first.step.name) == (("context by heads",), "joined context")


def test_what_was_given_is_no_wrong_form_of_a_step() -> None:
    """An input that happens to be a multiple of a step was not computed."""
    for given, how in (([], How.TIMES), ([2 * SCORES], How.NOT_THERE)):
        (match,) = match_steps([BY_NAME["scores"]], Pool([2 * SCORES]), given)
        assert match.how == how


def test_what_was_given_is_no_step_that_was_made() -> None:
    """Where nothing is hidden the masked scores are the scores that came in: nobody made them."""
    same = (step("masked scores", SCORES), step("weights", SCORES.softmax(-1), "masked scores", shares=True))
    for made in ([SCORES, SCORES.softmax(-1)], [SCORES]):
        parting = part("some", same, made, [SCORES])
        assert "masked scores" not in parting.right
    assert told(part("some", same[:1], [SCORES], [SCORES]), message("tensors")) is None


def test_a_right_step_is_no_wrong_form_of_another() -> None:
    """The first token's context is its value: whoever makes the values has made no part of the context."""
    context = step("context", WEIGHTS @ VALUE, "value")
    value, other = match_steps([step("value", VALUE), context], Pool([VALUE, VALUE * VALUE]))
    assert (value.how, other.how) == (How.AS_IT_IS, How.NOT_THERE)


def test_a_part_of_a_step_that_is_nowhere_is_tried() -> None:
    """Heads may be made one at a time: what is not right of them is told, too."""
    for made, tried in (([HEADS[0] + 1], True), ([HEADS[0, :2] + 1], False)):
        (match,) = match_steps([step("scores by heads", HEADS)], Pool(made))
        assert (match.how, match.tried) == (How.NOT_THERE, tried)


def test_zeros_in_place_of_a_mask_do_not_hide_that_the_scale_is_missing() -> None:
    """Scores that are neither scaled nor hidden part where they should be scaled."""
    assert parted(SCORES, SCORES.tril()).first.step.name == "scaled scores"


def test_parts_of_nothing_but_zeros_are_no_step() -> None:
    """Where there is nothing to see in any part, none was found."""
    (match,) = match_steps([step("kept weights", torch.zeros(4, 4))], Pool([torch.ones(3)]))
    assert match.how == How.NOT_THERE


def test_an_array_that_a_loop_fills_is_kept() -> None:
    """Made by NumPy and filled number by number, it is no followed one, but it has a name."""

    def by_loops() -> None:
        scores = np.zeros((TOKENS, TOKENS))
        for i in range(TOKENS):
            for j in range(TOKENS):
                scores[i, j] = QUERY[i].numpy() @ KEY[j].numpy()

    kept, names = Kept(), {**globals(), "__name__": "__main__"}
    with local_arrays(kept):
        type(by_loops)(by_loops.__code__, names)()
    assert holds(kept.tensors, SCORES)


def test_what_is_left_out_on_the_way_to_a_right_step_is_not_missing() -> None:
    """Whoever scales the query first never has the scores."""
    query = QUERY / math.sqrt(WIDTH)
    scaled = query @ KEY.T
    parting = part("some", STEPS, [query, scaled, scaled.masked_fill(FUTURE, -torch.inf), scaled * 0 + 1])
    assert parting.right == ("scaled scores", "masked scores")
    assert parting.first.step.name == "weights"


def test_a_mask_before_the_scale_does_not_hide_that_the_scale_is_missing() -> None:
    """Scores that are masked as they are show nothing of the scale."""
    masked = SCORES.masked_fill(FUTURE, -torch.inf)
    parting = part("some", STEPS, [SCORES, masked, masked.softmax(-1), masked.softmax(-1) @ VALUE])
    assert parting.first.step.name == "scaled scores"


def test_a_wrong_mask_before_the_scale_is_where_the_numbers_part() -> None:
    """The scale comes later: what is nearly there is told, not what is left out so far."""
    masked = SCORES.masked_fill(FUTURE.T, -torch.inf)
    weights = (masked / math.sqrt(WIDTH)).softmax(-1)
    parting = part("some", STEPS, [SCORES, masked, masked / math.sqrt(WIDTH), weights])
    assert (parting.first.step.name, parting.first.how) == ("masked scores", How.HIDDEN_ELSEWHERE)


@pytest.mark.parametrize("hidden", [~FUTURE, FUTURE, FUTURE.T], ids=["turned round", "zeros", "the past"])
def test_a_scale_that_comes_after_a_wrong_mask_is_not_missing(hidden: torch.Tensor) -> None:
    """However little of the scaled scores such a mask leaves to be seen, the mask is where they part."""
    fill = 0.0 if hidden is FUTURE else -torch.inf
    masked = SCORES.masked_fill(hidden, fill)
    scaled = masked / math.sqrt(WIDTH)
    parting = part("some", STEPS, [SCORES, masked, scaled, scaled.softmax(-1)])
    assert parting.first.step.name == "masked scores"
    assert parting.right == ("scores",)


def test_a_few_right_numbers_among_others_are_no_mask() -> None:
    """What else stands in a masked tensor is one number in all places."""
    some = SCALED.clone()
    some[FUTURE] = torch.arange(1.0, float(FUTURE.sum()) + 1).to(some)
    parting = part("some", STEPS, [SCORES, some, some.softmax(-1)])
    assert parting.first.step.name == "scaled scores"


def test_a_step_that_right_ones_do_without_is_told_as_that() -> None:
    """A mask may come before the scale: nobody has to make what is scaled and not masked."""
    masked = SCORES.masked_fill(FUTURE, -torch.inf)
    scaled = masked / math.sqrt(WIDTH)
    weights = scaled.softmax(-1)
    parting = part("some", STEPS, [SCORES, masked, scaled, weights, weights @ VALUE])
    assert (parting.first, parting.passed_over) == (None, {"scaled scores"})
    for shown in (steps_text(parting), steps_html(parting)):
        assert (
            shown.count("none of your tensors has these numbers; a later step, computed from them, is right")
            == 1
        )


def parted(*made: torch.Tensor) -> Parting:
    """Return where some tensors part from the steps."""
    return part("five tokens", STEPS, made)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (
            (SCORES, SCALED, SCALED.softmax(-2)),
            "In the case 'five tokens' your code makes the right scores, scaled scores; none of its tensors "
            "is the right masked scores. It makes the numbers that are to be seen, but what stands in the "
            "places to be hidden does not hide them, or not fully.",
        ),
        (
            (SCORES, SCORES * 2),
            "In the case 'five tokens' your code makes the right scores; none of its tensors is the right "
            f"scaled scores. It makes numbers that are {2 * math.sqrt(3):.4g} times these.",
        ),
        (
            (SCORES.T,),
            "In the case 'five tokens' none of the tensors that your code makes is the right scores. It "
            "makes these numbers in another order, as where axes are exchanged, or one is turned round.",
        ),
        (
            (SCORES, SCALED, MASKED, WEIGHTS, WEIGHTS @ VALUE),
            "In the case 'five tokens' your code makes the right scores, scaled scores, masked scores, "
            "weights, context. What it returns is not what is asked for.",
        ),
        (
            (SCORES + torch.eye(4),),
            "In the case 'five tokens' none of the tensors that your code makes is the right scores.",
        ),
        (
            (SCORES, SCALED, MASKED, WEIGHTS, 2 * WEIGHTS**2, 2 * WEIGHTS**2 @ VALUE),
            "In the case 'five tokens' your code makes the right scores, scaled scores, masked scores, "
            "weights; none of its tensors is the right context. After the right weights, other tensors of "
            "the same shape are made.",
        ),
        (
            (WEIGHTS**2, SCORES, SCALED, MASKED, WEIGHTS),
            "In the case 'five tokens' your code makes the right scores, scaled scores, masked scores, "
            "weights; none of its tensors is the right context.",
        ),
        (
            (SCORES, SCALED, MASKED, WEIGHTS, WEIGHTS**2),
            "In the case 'five tokens' your code makes the right scores, scaled scores, masked scores, "
            "weights; none of its tensors is the right context.",
        ),
    ],
)
def test_what_is_told_is_what_was_found(made: tuple[torch.Tensor, ...], expected: str) -> None:
    """The steps that are right, the first that is not, and what is there in its place."""
    assert str(told(parted(*made), message("tensors"))) == expected


def test_nothing_is_told_where_nothing_was_found() -> None:
    """Code that computes in plain numbers makes no tensors: it may be right up to its last line."""
    assert told(parted(torch.ones(3)), message("tensors")) is None


def test_what_to_look_at_is_what_was_changed() -> None:
    """Made right and then changed: the question is about the lines in between."""
    asked = question(parted(SCORES, SCALED, MASKED, WEIGHTS, 2 * WEIGHTS**2, 2 * WEIGHTS**2 @ VALUE))
    assert str(asked) == "What do your lines do with the weights before the context?"


def test_the_case_that_is_run_again_came_to_a_result() -> None:
    """Where an error ends some cases and others are wrong, the steps of one that is wrong are told."""

    def without_scale(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        if query.dim() > 2:
            raise ValueError("no batches here")
        return query @ key.mT

    def without_anything(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        raise ValueError("nowhere")

    for answer, dims in ((without_scale, 2), (without_anything, 4)):
        exercise = find_exercise("ch03-scaled-scores")
        reference = load_exercise(exercise.chapter, exercise.id)
        made = attempt(exercise, answer, reference.visible, torch.device("cpu"), seconds=60.0)
        case = case_to_trace(reference, made, "cpu")
        assert case.arguments["query"].dim() == dims


def test_the_picture_frames_the_first_difference_and_leaves_gaps() -> None:
    """The target's steps and below them one's own, in both forms; what is not there is said to be missing."""
    parting = parted(SCORES, SCORES * 2)
    text, page = steps_text(parting), steps_html(parting)
    assert text.count("target") == page.count("target") == len(STEPS)
    missing = "none of your tensors has these numbers"
    assert text.count(missing) == page.count(missing) == 3
    assert page.count("3px solid") == 1
    assert f"{float(SCORES[0, 0]):.2f}" in text


def test_what_is_cut_is_said() -> None:
    """Of a step of more axes, or of more rows and columns than are shown, it is said which part is."""
    wide = torch.arange(84.0, dtype=torch.float64).reshape(2, 6, 7)
    text = steps_text(part("some", (step("scores", wide), step("key", wide[0, :4, :4])), [wide]))
    assert "scores (T, T, T) = (2, 6, 7), shown [0, :5, :5]" in text
    assert "key (T, T) = (4, 4): the first" in text


def test_a_name_of_a_step_is_escaped() -> None:
    """An author may call a step anything."""
    odd = replace(STEPS[0], name='<script>alert("x")</script>')
    page = steps_html(part('<b onclick="x">', (odd,), [SCORES]))
    assert "<script" not in page
    assert "<b on" not in page
