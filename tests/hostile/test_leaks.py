"""Nothing of a hidden case comes back, however an answer tries to carry it out."""

import json
from dataclasses import replace

import pytest
import torch

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS
from grader.grading.record import Record
from grader.references import ExerciseReference, load_for_grading
from grader.reporting.feedback import feedback_page
from grader.sandbox.sandbox import Sandbox
from tests.hostile.attacks import ALL
from tests.hostile.attacks.attack import LIMITS, V1, Attack
from tests.hostile.harness import Grading, Notebooks

STEM = "ch04_self_attention"
# Among thousands of printed numbers of seven digits, two may be the same by chance; a tensor would be dozens.
BY_CHANCE = 2
KEEP = """
import os
seen, calls = [], []
def told():
    return " ".join(f"{number:.6f}" for x in seen for number in x.flatten().tolist())
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        seen.append(x.detach().clone())
        calls.append(len(calls))
"""
CARRIES = {
    "printed by a later cell": (f"{KEEP}        return super().forward(x)", "print(told())"),
    "printed by a thread": (
        f"""{KEEP}
        return super().forward(x)
import threading, time
def keep_printing():
    for _ in range(50):
        time.sleep(0.02)
        print(told())
threading.Thread(target=keep_printing, daemon=True).start()""",
        "import time; time.sleep(1.5); print(told())",
    ),
    "in an exception's text": (f"{KEEP}        raise ValueError(told())", "print(told())"),
    "in an exception's name": (
        f"{KEEP}        raise type('E' + told().replace(' ', '_'), (ValueError,), {{}})",
        "print(told())",
    ),
    "in an exception, from the third call on": (
        f"""{KEEP}
        if len(calls) > 2:
            raise ValueError(told())
        return super().forward(x)""",
        "print(told())",
    ),
    "in a file, for the process that tries again": (
        f"""{KEEP}
        with open(os.path.expanduser("~/seen"), "a") as file:
            file.write(told() + " ")
        if len(calls) > 40:
            os._exit(0)
        return super().forward(x)""",
        'print(open(os.path.expanduser("~/seen")).read())',
    ),
    "as outputs of a cell that is over": (
        f"""{KEEP}
        import sys
        for name in ("stdout", "__stdout__", "stderr"):
            print(told(), file=getattr(sys, name), flush=True)
        get_ipython().display_pub.publish({{"text/plain": told()}})
        os.write(1, told().encode())
        return super().forward(x)""",
        "print(told())",
    ),
    "as frames of another cell": (
        f"""{KEEP}
        import json, socket
        from grader.sandbox import frames
        output = [{{"output_type": "stream", "name": "stdout", "text": told()}}]
        for number in range(3, 8):
            try:
                channel = socket.socket(fileno=os.dup(number))
            except OSError:
                continue
            for cell in range(80):
                frames.send(channel, frames.DONE, f"{{cell}} ran ".encode() + json.dumps(output).encode())
        return super().forward(x)""",
        "print(told())",
    ),
    "all tensors of the process": (ALL["b-every-tensor"].code, ALL["b-every-tensor"].later),
}


@pytest.fixture(scope="module")
def reference(repository) -> ExerciseReference:
    """Return what the attacked exercise is judged by, hidden cases included."""
    made = load_for_grading(STEM, V1, CoursePaths(repository))
    assert any(not case.visible for case in made.cases)
    return made


def numbers_of(*tensors: torch.Tensor) -> set[str]:
    """Return numbers as the attacks print them; round ones, which are found anywhere, left out."""
    texts = {f"{number:.6f}" for tensor in tensors for number in tensor.double().flatten().tolist()}
    return {text for text in texts if not text.endswith("000") and "inf" not in text and "nan" not in text}


def inputs_of(reference: ExerciseReference, *, visible: bool) -> set[str]:
    """Return the numbers of all inputs and weights of the visible or the hidden cases."""
    cases = [case for case in reference.cases if case.visible is visible]
    return numbers_of(*(one for case in cases for one in case.given))


def expected_of(reference: ExerciseReference, *, visible: bool) -> set[str]:
    """Return the numbers of all that is expected on the visible or the hidden cases."""
    cases = [case for case in reference.cases if case.visible is visible]
    wanted = [
        item.values
        for case in cases
        for name, item in reference.expected[case.name].items()
        if not name.startswith("argument")
    ]
    return numbers_of(*wanted)


def comes_back(record: Record) -> str:
    """Return everything that anybody is shown of a record."""
    page = feedback_page(record, CHAPTERS[STEM], "student")
    told = {name: [one.message, one.diagnosis] for name, one in record.exercises.items()}
    return json.dumps([record.notebook, told, record.notes, record.reason, page])


@pytest.mark.parametrize("way", CARRIES)
@pytest.mark.parametrize("answer", ["missing-scale", ""], ids=["wrong", "right"])
def test_nothing_of_a_hidden_case_comes_back(
    way: str,
    answer: str,
    sandbox: Sandbox,
    grading: Grading,
    notebooks: Notebooks,
    reference: ExerciseReference,
) -> None:
    """No number of a hidden case is in anything that is shown; those of visible inputs are."""
    code, later = CARRIES[way]
    honest = "" if answer else notebooks.right(V1)
    attack = Attack(way, way, f"{honest}\n\n{code}", answer=answer, later=later)
    record = grading(sandbox, STEM, notebooks.attack(attack), replace(LIMITS, total_seconds=60.0))
    shown = comes_back(record)
    assert record.status == "graded"
    assert any(number in shown for number in inputs_of(reference, visible=True)), "the attack carried nothing"
    hidden = inputs_of(reference, visible=False) - inputs_of(reference, visible=True)
    assert len(hidden) > 100
    assert sum(number in shown for number in hidden) <= BY_CHANCE
    told = inputs_of(reference, visible=True) | expected_of(reference, visible=True)
    assert sum(number in shown for number in expected_of(reference, visible=False) - told) <= BY_CHANCE
