"""A softmax that is right for ordinary scores alone fails wherever scores can all lie far below 0."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.loading import attempt_source
from grader.checking.quiet import quiet
from grader.course.paths import CoursePaths
from grader.exercises import EXERCISES
from grader.proving.bank import Answer
from grader.references import load_for_grading

SOFTMAX = re.compile(r"\b(?:torch|F|functional)\.softmax\(")
OWN = """
import torch


def own_softmax(x, dim=-1, dtype=None):
    hidden = torch.isneginf(x)
    {body}
"""
BODIES = {
    "cut at -100": "return torch.softmax(x.clamp(min=-100.0).masked_fill(hidden, -torch.inf), dim)",
    "the largest of 0 and the scores": "powers = (x - x.amax(dim, keepdim=True).clamp(min=0.0)).exp()\n"
    "    return powers / powers.sum(dim, keepdim=True)",
}


# Not among them: where each query is a key, too, so that every row holds a square, and where the softmax is
# another exercise's.
ASKED = (
    *("ch00-row-softmax", "ch01-soft-lookup", "ch02-weights", "ch03-attend-one", "ch03-attention"),
    *("ch04-self-attention-v1", "ch04-self-attention-v2", "ch04-self-attention", "ch05-masked-weights"),
    *("ch05-masked-self-attention", "ch05-causal-attention", "ch06-wrapper", "ch06-multi-head-attention"),
    *("ch07-causal-attention-buffer", "ch07-non-persistent", "ch09-fixed-01", "ch09-fixed-04"),
    *("ch09-fixed-09", "ch09-fixed-11", "ch09-fixed-12", "ch10-transformer-block"),
)


@pytest.fixture
def program(name: str, answers: Callable[[str], dict[str, Answer]]) -> str:
    """Return the first correct variant that calls the library's softmax."""
    programs = (one.program for one in answers(name).values() if one.correct)
    return next(one for one in programs if SOFTMAX.search(one))


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("name", ASKED)
def test_softmax_for_ordinary_scores_alone_fails(
    name: str, body: str, program: str, repository: Path
) -> None:
    """In a correct variant another softmax takes the library's place; grading finds out."""
    exercise = EXERCISES[name]
    reference = load_for_grading(exercise.chapter, name, CoursePaths(repository))
    code = SOFTMAX.sub("own_softmax(", program) + OWN.format(body=body)
    with quiet():
        made = attempt_source(exercise, code, "<answer>", reference.cases, torch.device("cpu"), 60.0)
    assert judge(exercise, reference, made, "cpu").status == "failed"
