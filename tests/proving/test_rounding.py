"""Random rounding: what it leaves, what it changes, and that right answers pass under it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from click.testing import CliRunner
from torch import Tensor, nn

from grader.cli import main
from grader.course.paths import find_course
from grader.exercises import EXERCISES, Exercise
from grader.exercises.case import Case
from grader.proving.mutation.trials import correct_variants
from grader.proving.recipe import load_recipe, visible_cases
from grader.proving.reruns import Refusal, Rerun, rerun, rerun_exercises
from grader.proving.rounding import moved, random_rounding
from grader.proving.tolerances import DOUBLE_FLOOR_ULPS, SINGLE, measured_errors, single_errors, tolerance_of
from grader.references import load_for_grading

CPU = torch.device("cpu")
# Runs of each exercise's first correct variant; `make roundings` has more, of all.
RUNS = 1


@pytest.fixture(autouse=True)
def seeded() -> None:
    """Let every test draw the same numbers."""
    torch.manual_seed(0)


def draws(compute: Callable[[], Tensor], count: int = 16) -> list[Tensor]:
    """Return what a computation gives with several seeds of rounding."""
    results = []
    for seed in range(count):
        with random_rounding(seed):
            results.append(compute().detach())
    return results


def different(results: list[Tensor]) -> bool:
    """Return whether any two results differ."""
    return any(not torch.equal(results[0], one) for one in results)


def test_exact_stays_exact() -> None:
    """Whole numbers, halves, infinities, NaN and zero are what they are."""
    a = torch.tensor([[1.0, 2.0, -3.0], [0.5, 0.0, 4.0]])
    odd = torch.tensor([torch.inf, -torch.inf, 0.0, torch.nan])
    for product, powers, sums in zip(
        draws(lambda: a @ a.T), draws((odd - 1).exp), draws(lambda: odd[:2] + 1e30), strict=True
    ):
        assert product.tolist() == [[14.0, -11.5], [-11.5, 16.25]]
        assert powers[:2].tolist() == [torch.inf, 0.0]
        assert powers[3].isnan()
        assert sums.tolist() == [torch.inf, -torch.inf]


@pytest.mark.parametrize("compute", [lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a / b, torch.rsub])
def test_inexact_is_a_neighbor(compute: Callable[[Tensor, Tensor], Tensor]) -> None:
    """A result that float32 has not is the one above or the one below, and both occur."""
    a, b = torch.randn(200), torch.randn(200)
    exact = compute(a.double(), b.double())
    results = torch.stack(draws(lambda: compute(a, b)))
    nearest = exact.float()
    above = torch.where(nearest >= exact, nearest, nearest.nextafter(torch.tensor(torch.inf)))
    below = torch.where(nearest <= exact, nearest, nearest.nextafter(torch.tensor(-torch.inf)))
    assert bool(((results == above) | (results == below)).all())
    between = above != below
    assert int(between.sum()) > 50
    assert 0.4 < float((results == above)[:, between].double().mean()) < 0.6


@pytest.mark.parametrize("compute", [torch.exp, torch.tanh, torch.log, torch.erf, torch.rsqrt])
def test_functions_are_within_their_ulps(compute: Callable[[Tensor], Tensor]) -> None:
    """A library's function is off by up to two units in the last place, zero left."""
    x = torch.rand(500) * 0.8 + 0.1
    exact = compute(x.double())
    unit = torch.finfo(torch.float32).eps * 2.0 ** exact.abs().log2().floor()
    off = [float(((one.double() - exact) / unit).abs().max()) for one in draws(lambda: compute(x))]
    assert 0.9 < max(off) <= 2.0


@pytest.mark.parametrize(
    "compute",
    [
        lambda x: x.sum(),
        lambda x: x.sum(0),
        lambda x: x.mean((0, 1)),
        lambda x: x.cumsum(-1),
        lambda x: x @ x.mT,
        lambda x: x[0] @ x[0, 0],
        lambda x: F.linear(x, x[0], x[0, :, 0]),
        lambda x: torch.einsum("bij,bkj->bik", x, x),
        lambda x: x.norm(dim=-1),
        lambda x: x.std(-1),
        lambda x: x.logsumexp(-1),
        lambda x: F.log_softmax(x, 0),
        lambda x: F.layer_norm(x, x.shape[-1:]),
        F.gelu,
        lambda x: F.gelu(x, approximate="tanh"),
        lambda x: x.sigmoid(),
        lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
        lambda x: x.clone().mul_(0.1).div_(3).sub_(x).exp_(),
        lambda x: torch.mm(x[0], x[1], out=torch.empty(0, dtype=x.dtype)),
    ],
)
def test_results_vary_and_are_right(compute: Callable[[Tensor], Tensor]) -> None:
    """Sums, products, composites, in-place and out: other last digits, the same shape and dtype."""
    x = torch.randn(3, 6, 6)
    exact = compute(x.double())
    results = draws(lambda: compute(x))
    assert different(results)
    for one in results:
        assert (one.dtype, one.shape) == (torch.float32, exact.shape)
        torch.testing.assert_close(one.double(), exact, rtol=3e-5, atol=3e-6)


def test_composites_are_rounded_without_autograd() -> None:
    """In inference mode PyTorch hands products and layers over in one piece: their steps are rounded, too."""
    x = torch.randn(4, 5, 5)

    def inferred() -> Tensor:
        with torch.inference_mode():
            return torch.einsum("bij,bjk->bik", x, x) + F.linear(x, x[0]) + x @ x

    with torch.inference_mode():
        plain = torch.einsum("bij,bjk->bik", x, x)
        products = draws(lambda: torch.einsum("bij,bjk->bik", x, x))
    assert different(products)
    assert float((products[0] - plain).abs().max()) < 1e-5
    assert different(draws(inferred))


def test_order_of_a_sum_varies() -> None:
    """A small number is lost behind a large one or not, as the order has it."""
    terms = torch.tensor([2.0**25, 1.0, 1.0, 1.0, 1.0, -(2.0**25)])
    assert len({float(one) for one in draws(terms.sum, 40)}) > 2


def test_softmax_rows_nearly_sum_to_one() -> None:
    """The parts of a softmax are rounded each, and still make nearly one; hidden places stay zero."""
    scores = torch.randn(4, 5).masked_fill(torch.ones(4, 5).triu(1).bool(), -torch.inf)
    results = draws(lambda: scores.softmax(-1))
    assert different(results)
    for one in results:
        torch.testing.assert_close(one.sum(-1), torch.ones(4), rtol=0.0, atol=2e-6)
        assert bool((one[scores.isinf()] == 0.0).all())


@pytest.mark.parametrize(
    "compute",
    [
        lambda x: x.softmax(-1),
        lambda x: x.log_softmax(-1),
        lambda x: x.logsumexp(-1),
        lambda x: F.layer_norm(x, x.shape[-1:], x[0], x[1]),
        F.gelu,
        lambda x: F.gelu(x, approximate="tanh"),
        lambda x: x.tanh(),
        lambda x: x.sigmoid(),
        lambda x: x @ x,
        lambda x: F.embedding(torch.tensor([[1, 2], [2, 2]]), x),
        lambda x: x[[0, 0, 0, 0, 1]],
    ],
)
def test_backward_is_rounded_too(compute: Callable[[Tensor], Tensor]) -> None:
    """Gradients have other last digits, and are right."""
    x = torch.randn(6, 6)
    probe = torch.randn(compute(x).shape)

    def gradient(leaf: Tensor) -> Tensor:
        leaf = leaf.clone().requires_grad_()
        (result,) = torch.autograd.grad((compute(leaf) * probe.to(leaf.dtype)).sum(), leaf)
        return result

    exact = gradient(x.double())
    results = draws(lambda: gradient(x))
    assert different(results)
    for one in results:
        torch.testing.assert_close(one.double(), exact, rtol=3e-5, atol=1e-5)


def test_views_and_copies_are_untouched() -> None:
    """What computes nothing shares storage as ever, or has the same numbers."""
    x = torch.rand(3, 4)
    with random_rounding(1):
        assert x.view(-1).data_ptr() == x.mT.data_ptr() == x[0].data_ptr() == x.data_ptr()
        kept = [x.clone(), x.masked_fill(x > 2, 0.0), torch.where(x > 0, x, 0), x.clamp(0, 1), x + 0]
        y = torch.empty(3, 4).copy_(x)
        x.view(-1)[0] = 0.3
    assert all(torch.equal(one[1:], x[1:]) for one in (*kept, y))
    assert x[0, 0] == torch.tensor(0.3)


def test_in_place_writes_through_a_view() -> None:
    """An in-place operation returns the tensor that it wrote into, and its base has the numbers."""
    x = torch.ones(2, 3)
    with random_rounding(1):
        row = x[1]
        assert row.div_(3) is row
    assert x[0].tolist() == [1.0, 1.0, 1.0]
    assert bool((x[1] - 1 / 3).abs().max() < 1e-7)


def test_other_softmax_is_right_but_less_exact() -> None:
    """By a logarithm, rows of large scores sum to one less nearly; of small ones as nearly as ever."""
    scores = 300 + torch.randn(50, 6)

    def off(x: Tensor, rearranged: bool) -> float:
        with random_rounding(1, rearranged):
            return float((x.softmax(-1).double().sum(-1) - 1).abs().max())

    assert off(scores, True) > 20 * off(scores, False)
    assert off(scores, True) < 2 * 300 * torch.finfo(torch.float32).eps
    assert off(scores - 300, True) < 2e-6


def test_float64_is_left() -> None:
    """What computes in float64 gives the same digits as ever."""
    x = torch.rand(5, 5, dtype=torch.float64)
    assert all(torch.equal(one, (x @ x).softmax(-1)) for one in draws(lambda: (x @ x).softmax(-1), 3))


def test_random_stream_is_untouched() -> None:
    """What a seed draws is the same, and so is what it draws next."""

    def drawn() -> tuple[Tensor, ...]:
        torch.manual_seed(5)
        dropped = F.dropout(torch.ones(50), 0.4) != 0
        return (
            torch.rand(3),
            torch.randn(3),
            dropped,
            nn.Linear(3, 2).weight,
            torch.randperm(9),
            torch.rand(1),
        )

    ever = drawn()
    with random_rounding(3):
        _ = torch.rand(4, 4) @ torch.rand(4, 4)
        assert all(map(torch.equal, ever, drawn()))


def test_same_seed_same_digits() -> None:
    """A seed of rounding decides everything."""
    x = torch.randn(6, 6)
    twice = [draws(lambda: (x @ x).softmax(-1).log(), 3) for _ in range(2)]
    assert all(map(torch.equal, *twice))


def test_inputs_move_to_neighbors() -> None:
    """Numbers move by one unit in the last place or stay; zeros, ones, infinities and ids stay."""
    x = torch.cat([torch.tensor([0.0, 1.0, -1.0, -torch.inf]), torch.randn(60)])
    case = Case("one", "", True, 0, {}, {"w": torch.rand(3, dtype=torch.float64)}, {"x": x, "ids": x > 0}, {})
    near = moved(case, 1)
    after = near.arguments["x"]
    assert torch.equal(near.arguments["ids"], case.arguments["ids"])
    assert torch.equal(after[:4], x[:4])
    up, down = x.nextafter(torch.tensor(torch.inf)), x.nextafter(torch.tensor(-torch.inf))
    assert all(bool((after == one)[4:].any()) for one in (x, up, down))
    assert bool(((after == x) | (after == up) | (after == down)).all())
    assert near.dtype == torch.float64
    assert float((near.weights["w"] - case.weights["w"]).abs().max()) < 1e-15


def test_budget_follows_from_the_case(solutions: Path) -> None:
    """Scores in the hundreds cost digits, and a case in float64 says how much it would lose in float32."""
    exercise = EXERCISES["ch00-row-softmax"]
    solved = visible_cases(load_recipe(solutions / exercise.chapter / "reference.py"))[exercise.id]
    correct = correct_variants(exercise, solutions)
    errors = measured_errors(exercise, correct, solved)
    assert errors["large scores", "result"] > 20 * errors["published", "result"]
    single = single_errors(exercise, correct, solved)
    assert {case for case, _ in single} == {"float64"}
    assert single["float64", "result"] > 1e6 * errors["float64", "result"]


def test_floor_of_float64() -> None:
    """The smallest tolerance of float64 is far above its rounding, and far below float32's."""
    values = torch.tensor([0.5, -3.0], dtype=torch.float64)
    least = tolerance_of(0.0, values, torch.float64)
    assert least == pytest.approx(3 * DOUBLE_FLOOR_ULPS * 2.0**-52, rel=0.1)
    assert least < tolerance_of(0.0, values, torch.float32) / 1e4


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_right_answer_passes(exercise: Exercise, solutions: Path) -> None:
    """The first correct variant of every exercise passes, visible and hidden cases, however it is rounded."""
    paths = find_course(solutions.parent)
    reference = load_for_grading(exercise.chapter, exercise.id, paths)
    again = rerun(exercise, reference, correct_variants(exercise, solutions)[0], RUNS, CPU)
    assert not again.refusals, again.as_line()


@pytest.mark.parametrize("exercise_id", ["ch05-causal-attention", "ch06-multi-head-attention"])
def test_softmax_in_float32_passes(exercise_id: str, solutions: Path) -> None:
    """Two calls of a module that loses digits inside float64 differ by as many, and that is no dropout."""
    exercise, paths = EXERCISES[exercise_id], find_course(solutions.parent)
    reference = load_for_grading(exercise.chapter, exercise.id, paths)
    variants = correct_variants(exercise, solutions)
    losing = next(answer for answer in variants if "precision-lost" in answer.remarks)
    again = rerun(exercise, reference, losing, RUNS, CPU)
    assert not again.refusals, again.as_line()


def test_tolerances_in_float32_are_stored(solutions: Path) -> None:
    """The tensors of a case in float64 have one for float32 beside their own; others have not."""
    expected = load_for_grading(
        "ch00_tensor_toolkit", "ch00-row-softmax", find_course(solutions.parent)
    ).expected
    double, plain = expected["float64"]["result"], expected["published"]["result"]
    assert double.tolerance["cpu"] * 1e3 < double.tolerance[SINGLE] < 1e-4
    assert SINGLE not in plain.tolerance


def test_refusals_are_told_once_each() -> None:
    """The same message twice is shown with its first run; the number of runs counts both."""
    refusals = (Refusal(1, "a\nb"), Refusal(3, "a\nb"), Refusal(4, "c"))
    assert Rerun("one", "textbook", 5, refusals).as_line() == (
        "one, 'textbook': refused in 3 of 5 runs\n    run 1:\n        a\n        b\n    run 4:\n        c"
    )


def test_refused_run_is_kept(solutions: Path) -> None:
    """A right answer that is held to every digit is refused, and each run that is has its message."""
    exercise = EXERCISES["ch02-weights"]
    reference = load_for_grading(exercise.chapter, exercise.id, find_course(solutions.parent))
    exactly = {
        case: {name: replace(item, tolerance={"cpu": 0.0}) for name, item in expected.items()}
        for case, expected in reference.expected.items()
    }
    answer = correct_variants(exercise, solutions)[0]
    again = rerun(exercise, replace(reference, expected=exactly), answer, 3, CPU)
    assert len(again.refusals) == 3
    assert "differs most" in again.refusals[0].message


@pytest.mark.parametrize(("refusals", "status"), [((Refusal(0, "why"),), 1), ((), 0)])
def test_command_says_whether_any_is_refused(
    monkeypatch: pytest.MonkeyPatch, refusals: tuple[Refusal, ...], status: int
) -> None:
    """Each refusal is listed, and the exit status tells."""
    again = Rerun("ch00-scale", "textbook", 2, refusals)
    monkeypatch.setattr("grader.cli.references.rerun_exercises", lambda *args, **options: [again])
    ran = CliRunner().invoke(main, ["references", "roundings", "ch00-scale", "--runs", "2"])
    assert ran.exit_code == status
    assert f"1 variants, 2 runs each: {len(refusals)} refused" in ran.output
    assert ("why" in ran.output) is ("of 1 variants" in ran.output) is bool(refusals)


def test_variants_run_in_processes(solutions: Path) -> None:
    """Every correct variant is run, in the order of the bank."""
    exercise = EXERCISES["ch00-scale"]
    counts: list[tuple[int, int]] = []
    reruns = rerun_exercises(
        [exercise], find_course(solutions.parent), 1, CPU, 1, lambda *count: counts.append(count)
    )
    names = [answer.name for answer in correct_variants(exercise, solutions)]
    assert [one.variant for one in reruns] == names
    assert counts == [(number, len(names)) for number in range(1, len(names) + 1)]
