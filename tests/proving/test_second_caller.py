"""Every exercise: a right answer that spoils something for the next caller fails, whatever it computes.

Each sabotage is put around a correct variant of the bank, so that its first result is right.
"""

from collections.abc import Callable

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.loading import attempt_source
from grader.checking.quiet import quiet
from grader.checking.result import Result
from grader.exercises import EXERCISES, Exercise
from grader.proving.bank import Answer
from grader.references import load_exercise

TENSORS = ("function", "generate")
CALLED = ("function", "arrays", "generate", "number", "texts")
IMPORTS = "import random\nimport numpy as np\nimport torch\n_kept = {}\n"


def around(driver: str, before: str, after: str) -> str:
    """Return source that puts lines around every call of a function ``{name}``, or of a module's forward."""
    called = "{name}.forward" if driver == "module" else "{name}"
    return (
        f"\n_right = {called}\n"
        "def _around(*args, **options):\n"
        f"    {before or 'pass'}\n"
        "    result = _right(*args, **options)\n"
        f"    {after or 'pass'}\n"
        "    return result\n"
        f"{called} = _around\n"
    )


CONTIGUOUS = "assert all(one.is_contiguous() for one in args if isinstance(one, torch.Tensor))"
FLAGS = "assert all(one.flags['C_CONTIGUOUS'] for one in args if isinstance(one, np.ndarray))"
KEEP = "result = _kept.setdefault({key}, result)"
NUMBERS = "tuple(str(one.tolist() if hasattr(one, 'tolist') else one) for one in (*args, *options.values()))"
SHAPES = "tuple(str(getattr(one, 'shape', type(one))) for one in (*args, *options.values()))"
# By what is spoiled: the drivers whose subjects can, the lines before and after, the codes that may be given.
SABOTAGE: dict[str, tuple[tuple[str, ...], str, str, tuple[str, ...]]] = {
    "default dtype": ((*CALLED, "module"), "", "torch.set_default_dtype(torch.float64)", ("setting-left",)),
    "gradient mode": (
        (*CALLED, "module"),
        "",
        "torch.set_grad_enabled(False)",
        ("setting-left", "forbidden-call"),  # where any function of torch is forbidden
    ),
    "seed of torch": ((*CALLED, "module"), "torch.manual_seed(7)", "", ("setting-left", "dropout-shared")),
    "seed of Python": ((*CALLED, "module"), "random.seed(7)", "", ("setting-left",)),
    "seed of NumPy": ((*CALLED, "module"), "np.random.seed(7)", "", ("setting-left",)),
    "contiguous tensors alone": ((*TENSORS, "module"), CONTIGUOUS, "", ("layout-dependent",)),
    "contiguous arrays alone": (("arrays",), FLAGS, "", ("layout-dependent",)),
    "an argument watched": (
        ("function", "module"),
        "",
        "[one.requires_grad_() for one in args if isinstance(one, torch.Tensor) and one.is_floating_point()]",
        ("argument-watched", "gradient-left"),
    ),
    "one object for the same numbers": (
        (*TENSORS, "arrays"),
        "",
        KEEP.format(key=NUMBERS),
        ("result-shared", "state-kept"),
    ),
    "results kept by shape": (("function", "arrays"), "", KEEP.format(key=SHAPES), ()),
    "its own mode": (("module",), "args[0].train(not args[0].training)", "", ()),
}
ABOUT_ARGUMENTS = ("contiguous tensors alone", "contiguous arrays alone", "results kept by shape")


def can_be_spoiled(exercise: Exercise, what: str) -> bool:
    """Return whether an exercise has what a sabotage spoils: arguments, and some of floating point."""
    cases = load_exercise(exercise.chapter, exercise.id).cases
    given = [one for case in cases for one in case.arguments.values()]
    if what == "an argument watched":
        return any(one.is_floating_point() for one in given)
    return bool(given) or what not in ABOUT_ARGUMENTS


PAIRS = [
    pytest.param(exercise, what, id=f"{exercise.id}-{what.replace(' ', '-')}")
    for exercise in EXERCISES.values()
    for what, (drivers, *_) in SABOTAGE.items()
    if exercise.driver in drivers and can_be_spoiled(exercise, what)
]


@pytest.mark.parametrize(("exercise", "what"), PAIRS)
def test_sabotage_is_found(
    exercise: Exercise, what: str, answers: Callable[[str], dict[str, Answer]]
) -> None:
    """A right answer that spoils something for whoever comes next fails, with what it spoiled."""
    _, before, after, codes = SABOTAGE[what]
    right = next(answer for answer in answers(exercise.id).values() if answer.correct)
    source = (
        right.program + IMPORTS + around(exercise.driver, before, after).replace("{name}", exercise.subject)
    )
    result = verdict(exercise, source)
    assert result.status == "failed"
    assert not codes or result.diagnosis[0] in codes, result.message


@pytest.mark.parametrize(
    "exercise",
    [
        pytest.param(one, id=one.id)
        for one in EXERCISES.values()
        if one.driver in (*TENSORS, "module", "number", "texts", "transfer", "to_torch")
    ],
)
def test_seed_that_was_there_before_is_found(
    exercise: Exercise, answers: Callable[[str], dict[str, Answer]]
) -> None:
    """Whoever seeds PyTorch's generator with what it was seeded with draws the same, and yet left it so."""
    right = next(answer for answer in answers(exercise.id).values() if answer.correct)
    named = f"{exercise.subject}.__init__" if exercise.driver == "module" else exercise.subject
    source = around("function", "torch.manual_seed(torch.initial_seed() % 2**32)", "").replace(
        "{name}", named
    )
    result = verdict(exercise, right.program + IMPORTS + source)
    assert result.status == "failed"
    assert result.diagnosis[0] in ("setting-left", "forbidden-call"), result.message


def verdict(exercise: Exercise, source: str) -> Result:
    """Return the verdict on a source."""
    reference = load_exercise(exercise.chapter, exercise.id)
    with quiet():
        made = attempt_source(exercise, source, "<sabotage>", reference.cases, torch.device("cpu"), 20.0)
    return judge(exercise, reference, made, "cpu")
