"""Sentences that were false of somebody's answer, and what is said of it now."""

from collections.abc import Callable

import pytest
import torch
from torch import nn

from grader.checking.loading import load_subject
from grader.checking.notebook import judge_subject
from grader.checking.result import Result
from grader.exercises import find_exercise
from grader.proving.bank import Answer

CAUSAL = "ch05-causal-attention"


@pytest.fixture
def verdict(answers: Callable[[str], dict[str, Answer]]) -> Callable[..., Result]:
    """Return a function that judges an exercise's textbook answer after an exchange of texts in it."""

    def of(exercise_id: str, old: str, new: str, name: str = "textbook") -> Result:
        program = answers(exercise_id)[name].program
        assert old in program
        subject, problem = load_subject(
            program.replace(old, new), find_exercise(exercise_id).subject, "<answer>"
        )
        assert problem is None
        return judge_subject(exercise_id, subject, "cpu")

    return of


def test_a_layer_that_nobody_asked_for_cuts_no_gradient(verdict: Callable[..., Result]) -> None:
    """It gets none in training, and every weight that is asked for gets its own: the answer passes."""
    made = "self.dropout = nn.Dropout(dropout)"
    result = verdict(CAUSAL, made, f"{made}\n        self.norm = nn.LayerNorm(d_in)")
    assert (result.status, result.remarks) == ("passed", ("parameters-extra",))


def test_all_that_changed_with_its_source_is_named(verdict: Callable[..., Result]) -> None:
    """Whoever reads one name mends one line."""
    shared = "nn.Parameter(v2.W_query.weight.T)"
    result = verdict("ch04-transfer-weights", shared, shared, name="storage-shared")
    assert "W_key, W_query, W_value changed with it" in result.message


def test_a_spare_parameter_beside_bare_ones_is_told(verdict: Callable[..., Result]) -> None:
    """Those that are asked for belong to no layer; others on the module are seen all the same."""
    made = "self.W_value = nn.Parameter(torch.rand(d_in, d_out))"
    result = verdict("ch04-self-attention-v1", made, f"{made}\n        self.h = nn.Parameter(torch.ones(1))")
    assert (result.status, result.remarks) == ("passed", ("parameters-extra",))


@pytest.mark.parametrize("kept", ["self.W_q = self.W_query", "self.W_q = self.W_query.weight"])
def test_a_second_name_of_a_parameter_is_no_parameter_more(kept: str, verdict: Callable[..., Result]) -> None:
    """Whoever keeps a layer, or its weight, under a name of their own as well has no more parameters."""
    made = "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)"
    result = verdict("ch04-self-attention-v2", made, f"{made}\n        {kept}")
    assert (result.status, result.remarks) == ("passed", ())


def test_an_error_on_the_way_back_is_told(verdict: Callable[..., Result]) -> None:
    """Where dropout in place keeps the gradient from being computed, it is the error that is told."""
    result = verdict(CAUSAL, "nn.Dropout(dropout)", "nn.Dropout(dropout, inplace=True)")
    assert result.diagnosis[0] == "no-gradient"
    assert "it raised RuntimeError" in result.message
    assert "reaches some of the weights" not in result.message


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_default_device_that_a_constructor_sets_breaks_no_check(
    device: str, verdict: Callable[..., Result]
) -> None:
    """On the CPU it changes nothing; another one is the answer's own error, and none of it stays behind."""
    first = "super().__init__()"
    result = verdict(CAUSAL, first, f'{first}\n        torch.set_default_device("{device}")')
    assert result.status == ("passed" if device == "cpu" else "failed")
    assert torch.get_default_device() == torch.device("cpu")
    assert torch.overrides._len_torch_function_stack() == 0


def test_a_device_that_is_not_there_is_stood_for(verdict: Callable[..., Result]) -> None:
    """The code of case 10 runs on meta for any other device, and that is said."""
    result = judge_subject("ch09-expose-10", lambda: "cuda", "cpu")
    assert result.status == "passed"
    assert "no machine needs cuda" in result.message
    assert "On your input" not in result.message


def test_a_layer_that_takes_the_place_of_another_is_told_as_a_change() -> None:
    """What replaces a layer of the module that was only to be read raises nothing in the grader."""

    def transfer_weights(v2: nn.Module, v1: nn.Module) -> None:
        v2.W_query = v1.W_query

    result = judge_subject("ch04-transfer-weights", transfer_weights, "cpu")
    assert "input-modified" in result.diagnosis
    assert "mode-changed" not in result.diagnosis
    assert "raised" not in result.message


TOKENIZER, IDS = "ch08-tokenizer", "[self.vocab.get(token, 0) for token in self.split(text)]"


def test_texts_have_no_shapes(verdict: Callable[..., Result]) -> None:
    """Of ids that grow from call to call it is not told how the grader packs them."""
    grown = f"self.__dict__.setdefault('ids', []).extend({IDS}) or self.ids"
    result = verdict(TOKENIZER, IDS, grown)
    assert "state-kept" in result.diagnosis
    assert "shape (" not in result.message


def test_what_a_vocabulary_has_too_many_is_named(verdict: Callable[..., Result]) -> None:
    """It is a dict, and no list that could be compared place by place."""
    kept = "self.vocab[token] = len(self.vocab)"
    result = verdict(TOKENIZER, kept, f"{kept}\n        self.vocab['extra'] = len(self.vocab)")
    assert "vocab has 'extra', which should not be there." in result.message


def test_of_a_mask_that_flips_nothing_is_random(verdict: Callable[..., Result]) -> None:
    """What a second call does otherwise, and a fresh module does as the first, is kept and no chance."""
    size = "size = x.shape[1]"
    result = verdict(
        CAUSAL,
        size,
        f"self.mask = self.mask ^ hasattr(self, 'used')\n        self.used = 1\n        {size}",
    )
    assert result.diagnosis[0] == "state-kept"
    assert "random" not in str([case.why and str(case.why) for case in result.cases])


def test_another_dtype_in_the_second_call_is_no_error_of_the_learner(verdict: Callable[..., Result]) -> None:
    """Two calls that gave other dtypes are compared, not put into PyTorch's words."""
    result = verdict(
        CAUSAL,
        "return weights @ value",
        "self.calls = getattr(self, 'calls', 0) + 1\n"
        "        return (weights @ value).to(torch.float64 if self.calls == 2 else x.dtype)",
    )
    assert "did not match" not in result.message
    assert "raises" not in result.diagnosis
