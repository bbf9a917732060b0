"""The numbers in print that chapter 6 shows, recomputed by their setup with plain torch."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from grader.references.published import constant, published, verify_published

CHAPTER = "ch06"
WIDTH, HEADS = 768, 12


def attend(layers: list[nn.Linear], x: torch.Tensor) -> torch.Tensor:
    """Return causal attention of one head."""
    return F.scaled_dot_product_attention(*(layer(x) for layer in layers), is_causal=True)


def numbers_in(*modules: nn.Module) -> torch.Tensor:
    """Return how many numbers modules learn."""
    return torch.tensor(sum(parameter.numel() for one in modules for parameter in one.parameters()))


@pytest.fixture
def recomputed() -> dict[str, torch.Tensor]:
    """Return what each entry's setup gives."""
    batch, a = torch.stack([constant("TOY")] * 2), constant("HEADS")
    torch.manual_seed(123)
    heads = [[nn.Linear(3, 2, bias=False) for _ in range(3)] for _ in range(2)]
    torch.manual_seed(123)
    *layers, out_proj = *(nn.Linear(3, 2, bias=False) for _ in range(3)), nn.Linear(2, 2)
    parts = [layer(batch).unflatten(-1, (2, 1)).transpose(1, 2) for layer in layers]
    context = F.scaled_dot_product_attention(*parts, is_causal=True).transpose(1, 2).flatten(2)
    wide, last = nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(WIDTH, WIDTH)
    return {
        "mha_wrapper.context": torch.cat([attend(head, batch) for head in heads], dim=-1),
        "mha.context": out_proj(context),
        "batched_matmul.heads": a @ a.transpose(2, 3),
        "params.gpt2.handwritten": numbers_in(wide, wide, wide, last),
        "params.gpt2.nn_mha_plus_out_proj": numbers_in(nn.MultiheadAttention(WIDTH, HEADS), last),
    }


def test_published_numbers_are_reproduced(recomputed: dict[str, torch.Tensor]) -> None:
    """Every entry's setup gives the numbers in print."""
    for entry, values in recomputed.items():
        verify_published(entry, values.detach())


def test_no_entry_of_the_chapter_is_left_out(recomputed: dict[str, torch.Tensor]) -> None:
    """Every published entry of the chapter is recomputed here."""
    entries = {name for name, entry in published()["entries"].items() if entry["chapter"] == CHAPTER}
    assert entries == set(recomputed)


def test_where_the_extra_parameters_are() -> None:
    """The published difference is the biases of query, key and value, and a second output projection."""
    entries = published()["entries"]
    more = (
        entries["params.gpt2.nn_mha_plus_out_proj"]["values"] - entries["params.gpt2.handwritten"]["values"]
    )
    assert more == 592_896 == 3 * WIDTH + (WIDTH * WIDTH + WIDTH)
