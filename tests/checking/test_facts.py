"""What is wrong whatever the numbers are is told beside what they show."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.loading import attempt_source
from grader.checking.mistakes import explain
from grader.checking.quiet import quiet
from grader.checking.rendering import result_text
from grader.checking.result import Result
from grader.exercises import EXERCISES
from grader.proving.bank import bank_path, read_bank
from grader.references import ExerciseReference, load_exercise

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
ATTENTION = """
import torch
from torch import nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        query, key, value = x @ self.W_query, x @ self.W_key, x @ self.W_value
        scores = query @ key.T
        scaled = scores / key.shape[-1] ** 0.5
        weights = torch.softmax(scaled, dim=-1)
        return weights @ value
"""
CAUSAL = """
import torch
from torch import nn

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        query, key, value = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = query @ key.transpose(1, 2)
        scaled = scores / key.shape[-1] ** 0.5
        hidden = scaled.masked_fill(self.mask[: x.shape[1], : x.shape[1]], -torch.inf)
        weights = torch.softmax(hidden, dim=-1)
        return self.dropout(weights) @ value
"""


def result_of(exercise_id: str, source: str, *changes: tuple[str, str]) -> Result:
    """Return the verdict on source text with some of its text exchanged."""
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    exercise = EXERCISES[exercise_id]
    reference = load_exercise(exercise.chapter, exercise_id)
    with quiet():
        made = attempt_source(exercise, source, "<learner>", reference.cases, torch.device("cpu"), 20.0)
    return judge(exercise, reference, made, "cpu")


NO_SCALE = (" / key.shape[-1] ** 0.5", "")


@pytest.mark.parametrize("changes", [(), (NO_SCALE,)], ids=["alone", "with no scale"])
def test_a_name_comes_first_and_the_numbers_tell_the_rest(changes: tuple) -> None:
    """A parameter under another name is loaded in its place, so that its name does not hide what else is."""
    result = result_of("ch04-self-attention-v1", ATTENTION, ("W_key", "W_k"), *changes)
    assert result.diagnosis == ("not-registered", *("missing-scale" for _ in changes))
    text = result_text(result)
    assert "no parameter named W_key" in text
    for one in changes and (explain("missing-scale"),):
        assert str(one.title) in text and str(one.look) in text


def test_names_exchanged_are_not_taken_for_each_other() -> None:
    """Weights go to their own names where these are there, whatever else the module holds."""
    swap = [("self.W_query", "self.W_temporary"), ("self.W_key", "self.W_query")]
    result = result_of("ch04-self-attention-v1", ATTENTION, *swap, ("self.W_temporary", "self.W_key"))
    assert "query-key-swapped" in result.diagnosis


def test_what_a_seed_gives_is_told_beside_a_missing_scale() -> None:
    """How weights are drawn does not depend on what is made of them."""
    turned = ("W_query = nn", "W_other = nn"), ("W_key = nn", "W_query = nn"), ("W_other = nn", "W_key = nn")
    result = result_of("ch04-self-attention-v1", ATTENTION, *turned, NO_SCALE)
    assert result.diagnosis == ("missing-scale", "creation-order")
    assert "The results are right" not in result_text(result)


@pytest.mark.parametrize(
    ("changes", "also"),
    [
        ((('self.register_buffer("mask", ', "self.mask = ("),), "mask-not-buffer"),
        ((("self.dropout(weights)", "weights"),), "dropout-never"),
    ],
    ids=["no buffer", "no dropout"],
)
def test_what_is_no_number_is_told_beside_numbers(changes: tuple, also: str) -> None:
    """A mask that does not move and dropout that never drops are seen whatever the result is."""
    result = result_of("ch05-causal-attention", CAUSAL, *changes, NO_SCALE)
    assert result.diagnosis == ("missing-scale", also)
    assert str(explain(also).title) in result_text(result)
    assert also in result_of("ch05-causal-attention", CAUSAL, *changes).diagnosis


def test_a_bias_that_nobody_asked_for_hides_no_other_mistake() -> None:
    """It is set to 0, and told; the numbers tell the rest."""
    biased = ("d_in, d_out, bias=qkv_bias", "d_in, d_out")
    result = result_of("ch05-causal-attention", CAUSAL, biased, NO_SCALE)
    assert result.diagnosis == ("bias-unexpected", "missing-scale")
    two = result_of("ch05-causal-attention", CAUSAL, biased, NO_SCALE, ("dim=-1", "dim=-2"))
    assert str(two.lines[0].text).startswith(str(explain("bias-unexpected").title))
    assert str(two.lines[1].text).startswith("It looks like two mistakes at once.")


def test_a_consequence_comes_after_two_mistakes() -> None:
    """What follows from them is told, but not first."""
    unmixed = ("return weights @ value", "return weights")
    result = result_of("ch04-self-attention-v1", ATTENTION, NO_SCALE, unmixed)
    assert result.diagnosis == ("missing-scale", "returns-weights", "wrong-shape")
    assert [str(line.text).split(".")[0] for line in result.lines[:2]] == [
        "It looks like two mistakes at once",
        str(explain("wrong-shape").title),
    ]


def test_a_changed_argument_hides_no_other_mistake() -> None:
    """What was written into an argument is told, and what the results tell beside it."""
    source = "def scale(scores, d_k):\n    scores /= d_k\n    return scores"
    assert result_of("ch00-scale", source).diagnosis == ("input-modified", "scale-by-dk")


def test_all_that_is_not_as_asked_is_told() -> None:
    """A module in training mode that takes the batch for the tokens is both."""
    exercise = EXERCISES["ch06-to-torch"]
    (right,) = [one for one in read_bank(bank_path(SOLUTIONS, exercise)) if one.name == "textbook"]
    changes = ((".eval()", ""), ("batch_first=True", "batch_first=False"))
    result = result_of("ch06-to-torch", right.program, *changes)
    assert {"left-in-training", "batch-first-missing"} <= set(result.diagnosis)


def test_a_function_works_where_its_arguments_are() -> None:
    """A mask that is made on the CPU fails where the arguments are on another device."""
    source = """
import torch
from torch.nn import functional as F

def causal_sdpa(query, key, value):
    allowed = torch.ones(query.shape[-2], query.shape[-2], dtype=torch.bool{where}).tril()
    return F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
"""
    there, here = (source.format(where=where) for where in (", device=query.device", ""))
    assert result_of("ch06-sdpa", there).status == "passed"
    result = result_of("ch06-sdpa", here)
    assert result.diagnosis == ("device-of-its-own",)
    assert "Expected all tensors to be on the same device" in result_text(result)


def test_an_argument_without_influence_is_named() -> None:
    """A tensor of the notebook is read where the argument should be."""
    source = """
import torch
keys = torch.tensor([[1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 0.5, 3.0]])

def scaled_scores(query, key):
    return (query @ query.transpose(-2, -1)).cos()
"""
    result = result_of("ch03-scaled-scores", source)
    assert result.diagnosis[0] == "argument-unused"
    assert "Other numbers in key alone leave every result as it is" in result_text(result)


def test_a_case_without_influence_is_no_witness() -> None:
    """The case that is named is one in which a right result depends on the argument."""
    exercise = EXERCISES["ch03-scaled-scores"]
    reference = load_exercise(exercise.chapter, exercise.id)
    source = "def scaled_scores(query, key):\n    return (query @ query.transpose(-2, -1)).cos()"
    made = attempt_source(exercise, source, "<learner>", reference.cases, torch.device("cpu"), 20.0)

    def witness(known: ExerciseReference) -> str:
        told = result_text(judge(exercise, known, made, "cpu"))
        return re.search(r"leave every result as it is, to the last digit\. \(case ([^:]*):", told)[1]

    first = witness(reference)
    gradient = reference.expected[first]["gradient/key"]
    none = replace(gradient, values=torch.zeros_like(gradient.values))
    expected = reference.expected | {first: reference.expected[first] | {"gradient/key": none}}
    assert witness(replace(reference, expected=expected)) not in ("", first)


def test_what_the_numbers_tell_needs_no_such_word() -> None:
    """Where a known mistake leaves an argument out, its name says more."""
    source = (
        "def scaled_scores(query, key):\n    return query @ query.transpose(-2, -1) / query.shape[-1] ** 0.5"
    )
    assert "argument-unused" not in result_of("ch03-scaled-scores", source).diagnosis


def test_influence_is_not_judged_by_one_case() -> None:
    """What has no influence in one of the cases may have some in another."""
    source = """
def scaled_scores(query, key):
    other = query if query.shape[-2] == key.shape[-2] else key
    return (query @ other.transpose(-2, -1)).cos()
"""
    assert "argument-unused" not in result_of("ch03-scaled-scores", source).diagnosis


def test_no_part_of_the_points_for_what_breaks_more() -> None:
    """A known mistake with a part of the contract broken beside it is not the mistake alone."""
    assert result_of("ch05-causal-attention", CAUSAL, NO_SCALE).partial_credit_eligible
    plain = ('self.register_buffer("mask", ', "self.mask = (")
    assert not result_of("ch05-causal-attention", CAUSAL, plain, NO_SCALE).partial_credit_eligible


def test_a_result_that_is_drawn_anew_is_not_said_to_stay_as_it_is() -> None:
    """With one seed it would: a learner who tries it gets other numbers in each call."""
    source = """
from torch import nn

def project(inputs, W_query, W_key, W_value):
    layers = [nn.Linear(*one.shape, bias=False) for one in (W_query, W_key, W_value)]
    return tuple(layer(inputs) for layer in layers)
"""
    assert "argument-unused" not in result_of("ch03-project", source).diagnosis
