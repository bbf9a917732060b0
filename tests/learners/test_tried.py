"""What is said of wrong answers that learners wrote."""

import pytest
import torch
from attempts import ATTEMPTS, Tried

from grader.checking.judge import judge
from grader.checking.loading import attempt_source
from grader.checking.quiet import quiet
from grader.checking.rendering import result_html, result_text
from grader.exercises import EXERCISES
from grader.references import load_exercise

SECONDS = 20.0


@pytest.mark.parametrize("tried", ATTEMPTS, ids=lambda one: f"{one.exercise}: {one.what}")
def test_attempt_is_named_and_nothing_false_is_said(tried: Tried) -> None:
    """The mistakes are named, the words that help are there, and those that misled are not."""
    exercise = EXERCISES[tried.exercise]
    reference = load_exercise(exercise.chapter, exercise.id)
    with quiet():
        made = attempt_source(
            exercise, tried.code, "<learner>", reference.cases, torch.device("cpu"), SECONDS
        )
    result = judge(exercise, reference, made, "cpu")
    assert result.status == "failed"
    text = result_text(result)
    shown = text + result_html(result)
    assert set(tried.named) <= set(result.diagnosis), text
    assert [one for one in tried.says if one not in shown] == [], text
    assert [one for one in tried.never if one in shown] == [], text
