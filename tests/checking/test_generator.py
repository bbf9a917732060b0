"""Finding weights in the stream of their seed."""

import pytest
import torch
from torch import nn

from grader.checking.generator import STREAM_LENGTH, order_code, positions, stream_of

SEED, D_IN, D_OUT = 5, 4, 3
SIZE = D_IN * D_OUT


def drawn_uniformly(count: int = 3) -> list[torch.Tensor]:
    """Return matrices drawn one after the other from the seed."""
    torch.manual_seed(SEED)
    return [torch.rand(D_IN, D_OUT) for _ in range(count)]


def drawn_by_linear(bias: bool) -> list[torch.Tensor]:
    """Return weights of linear layers created one after the other from the seed."""
    torch.manual_seed(SEED)
    return [nn.Linear(D_IN, D_OUT, bias=bias).weight.detach() for _ in range(3)]


def test_stream_is_what_torch_draws() -> None:
    """The stream of a seed holds what torch.rand gives after torch.manual_seed."""
    torch.manual_seed(SEED)
    assert torch.equal(stream_of(SEED)[:SIZE], torch.rand(SIZE))


def test_stream_leaves_the_global_generator_alone() -> None:
    """Looking at a seed's stream draws nothing from the learner's generator."""
    before = torch.get_rng_state()
    stream_of.cache_clear()
    stream_of(SEED)
    assert torch.equal(torch.get_rng_state(), before)


def test_stream_is_on_the_cpu_whatever_the_default_device() -> None:
    """A learner's default device does not move the stream off the CPU."""
    with torch.device("meta"):
        stream_of.cache_clear()
        assert stream_of(SEED).device.type == "cpu"


def test_blocks_are_found_where_they_were_drawn() -> None:
    """Matrices drawn one after the other are found one after the other."""
    assert positions(drawn_uniformly(), SEED, "uniform") == [0, SIZE, 2 * SIZE]


def test_foreign_weight_is_not_found() -> None:
    """A weight that the seed did not give is in its stream nowhere."""
    first, second = drawn_uniformly(2)
    assert positions([first, second + 0.01], SEED, "uniform") == [0, None]


@pytest.mark.parametrize("bias", [False, True], ids=["bias-free", "with-biases"])
def test_linear_layers_in_order_are_right(bias: bool) -> None:
    """Linear layers created in order are as asked, whether or not biases were drawn between them."""
    assert order_code(drawn_by_linear(bias), SEED, "linear") == ""


def test_other_draws_before_do_no_harm() -> None:
    """Numbers drawn before the weights only leave a gap."""
    torch.manual_seed(SEED)
    torch.rand(7)
    weights = [torch.rand(D_IN, D_OUT) for _ in range(3)]
    assert order_code(weights, SEED, "uniform") == ""


def test_exchanged_weights_are_a_creation_order() -> None:
    """Weights drawn in another order than asked are named so."""
    query, key, value = drawn_uniformly()
    assert order_code([key, query, value], SEED, "uniform") == "creation-order"


def test_a_weight_used_twice_is_no_initialization() -> None:
    """The same numbers for two weights are not two draws."""
    query, _, value = drawn_uniformly()
    assert order_code([query, query.clone(), value], SEED, "uniform") == "wrong-initialisation"


def test_too_few_numbers_are_not_judged() -> None:
    """A few numbers could be anywhere in the stream by chance, so nothing is said of them."""
    assert order_code([torch.zeros(1, 3)] * 3, SEED, "uniform") == ""


@pytest.mark.parametrize(
    "draw",
    [torch.randn, torch.zeros, lambda *size: torch.full(size, torch.nan)],
    ids=["normal", "zeros", "nan"],
)
def test_weights_drawn_otherwise_are_named(draw) -> None:
    """Weights that are not uniform numbers of the stream are a wrong initialization."""
    torch.manual_seed(SEED)
    assert order_code([draw(D_IN, D_OUT) for _ in range(3)], SEED, "uniform") == "wrong-initialisation"


def test_weights_drawn_from_another_seed_are_named() -> None:
    """Weights of another seed are a wrong initialization."""
    assert order_code(drawn_uniformly(), SEED + 1, "uniform") == "wrong-initialisation"


def test_search_ends_after_the_stream() -> None:
    """A weight drawn far behind the searched part of the stream is not found."""
    torch.manual_seed(SEED)
    torch.rand(2 * STREAM_LENGTH)
    assert positions([torch.rand(D_IN, D_OUT)], SEED, "uniform") == [None]
