"""What counts as an answer in an answer's cell, and what as the stub."""

import pytest

from grader.grading.lexing import MAX_TOKENS
from grader.grading.stubs import answers

STUB = '''
class Net(nn.Module):
    """What is asked for."""

    def forward(self, x):
        raise NotImplementedError("Write your answer here, then delete this line.")
'''

NONE = {
    "nothing": "",
    "a comment": "# class Net is below",
    "an import": "import torch",
    "another name": "def helper(x):\n    return x",
    "a text with the name": "print('Net is below')",
    "the stub": STUB,
    "a comment above the stub": f"# below\n{STUB}",
    "an import above the stub": f"import torch\n{STUB}",
    "another docstring": STUB.replace("What is asked for.", "Mine."),
    "a helper that returns": f"{STUB}\ndef helper(x):\n    return x\n",
    "a helper before it that returns": f"def helper(x):\n    return x\n{STUB}",
    "a docstring in which something returns": STUB.replace("What is asked for.", "\n        return x\n    "),
    "a comment in which something returns": f"{STUB}    # for example\n    # return x\n",
    "no docstring": STUB.replace('"""What is asked for."""', ""),
}
ONE = {
    "another body": STUB.replace("raise NotImplementedError", "return print"),
    "another base": STUB.replace("nn.Module", "nn.Linear"),
    "an answer, then the stub": STUB.replace("raise", "return") + STUB,
    "an assignment": "Net = nn.Identity",
    "a condition": "if True:\n    class Net: pass",
    "an import of the name": "from helper import Net",
    "an import of all names": "from helper import *",
    "another file": "%run helper.py",
    "a text that is run": "exec(text)",
}


@pytest.mark.parametrize("source", NONE.values(), ids=NONE)
def test_what_is_no_answer(source: str) -> None:
    """Nothing names the subject, or only the stub does, whatever stands beside it."""
    assert not answers(source, "Net", STUB)


@pytest.mark.parametrize("source", ONE.values(), ids=ONE)
def test_what_may_be_an_answer(source: str) -> None:
    """The subject is named otherwise than in the stub, or nobody can tell."""
    assert answers(source, "Net", STUB)


def test_what_is_too_long_to_look_at_may_be_an_answer() -> None:
    """Only the beginning is read, and what follows is not taken for nothing."""
    assert answers("x = 1\n" * MAX_TOKENS, "Net", STUB)
