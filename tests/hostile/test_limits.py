"""What is not promised, shown: where one of these stops working, docs/security.md may promise more."""

import re
from pathlib import Path

from grader.sandbox.sandbox import Sandbox
from tests.hostile.attacks.attack import LIMITS, V1, Attack
from tests.hostile.attacks.c_lying_objects import borrowing
from tests.hostile.harness import Grading, Notebooks

SWITCHED_OFF = """
import sys
from grader.checking.recording import CallWatcher
CallWatcher.calls = property(lambda self: [], lambda self, value: None)
sys.modules["grader.sandbox.library_watch"]._note = lambda *rest, **options: None
"""


def test_watch_on_the_library_can_be_switched_off(
    sandbox: Sandbox, grading: Grading, notebooks: Notebooks
) -> None:
    """Code that rewrites the grader in its own process may use the library unseen; the numbers are right."""
    plain = borrowing("import torch.nn.functional as F\nreturn F.scaled_dot_product_attention(q, k, v)")
    seen = Attack("seen", "the library", plain, answer="")
    unseen = Attack("unseen", "the library, unseen", SWITCHED_OFF + plain, answer="")
    scores = [
        grading(sandbox, "ch04_self_attention", notebooks.attack(one), LIMITS).exercises[V1].score
        for one in (seen, unseen)
    ]
    assert scores == [0, 3]


def test_every_promise_names_a_test(repository: Path) -> None:
    """Every test that docs/security.md names exists, and every row of its promises names one."""
    text = (repository / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [
        row for row in re.findall(r"^\| (?!promise|system|---).*$", text, re.MULTILINE) if "`tests/" in row
    ]
    promises = text.split("## Verdicts")[1].split("## What is not promised")[0]
    assert len(rows) == len(re.findall(r"^\| (?!promise)[A-Z]", promises, re.MULTILINE))
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert named
    for file, function in named:
        assert f"def {function}(" in (repository / file).read_text(encoding="utf-8"), function
