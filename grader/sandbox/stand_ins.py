"""Stand-ins: replacements (stubs in testing terms) for parts of the package while a notebook is graded.

The course's figures would load plotting libraries and draw pictures that nobody looks at; ``check`` and
``hint`` have no references in the sandbox.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace

import torch

import grader
from grader.checking import notebook
from grader.exercises import EXERCISES

FIGURES = "grader.figures"
LEFT_OUT = "Picture left out at grading"


def _left_out(name: str) -> Callable[..., None]:
    def show(*arguments: object, alt: str = "", **_: object) -> None:
        texts = [argument for argument in arguments if isinstance(argument, str)]
        print(f"{LEFT_OUT}: {alt or (texts[-1] if texts else name)}")  # noqa: T201 - this is the output

    show.__name__ = name
    return show


class Figures(ModuleType):
    """Stands for ``grader.figures``: says what each picture would show, and draws nothing."""

    def __getattr__(self, name: str) -> object:
        """Return a function that leaves a picture out, or what is no picture from the real module."""
        if name.startswith("show"):
            return _left_out(name)
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(f"{FIGURES}.shown"), name)


def check(exercise_id: str, *_: object, **__: object) -> None:
    """Stand for ``grader.check`` in a cell of the learner's own."""
    print(f"{exercise_id} is checked at grading.")  # noqa: T201 - this is the output


def hint(exercise_id: str, *_: object, **__: object) -> None:
    """Stand for ``grader.hint``."""
    print(f"No hint for {exercise_id} at grading.")  # noqa: T201 - this is the output


def forget_what_is_right() -> None:
    """Remove the correct counterparts of specimens; the comparison runs on the trusted side."""
    for specimen in (exercise.specimen for exercise in EXERCISES.values() if exercise.specimen):
        module = sys.modules[specimen.bug.__module__]
        for name in [name for name, one in vars(module).items() if isinstance(one, FunctionType)]:
            delattr(module, name)
        object.__setattr__(specimen, "right", None)


def install() -> None:
    """Put the stand-ins into this process."""
    figures = Figures(FIGURES)
    figures.__path__ = [str(Path(grader.__file__).parent / "figures")]
    sys.modules[FIGURES] = grader.figures = figures
    for module in (grader, notebook):
        module.check, module.hint = check, hint
    forget_what_is_right()
    # torch.manual_seed keeps the stack of its caller for each kind of GPU, at a millisecond each, to show it
    # should seeding that one ever fail.
    for backend in (torch.cuda, torch.mtia, torch.xpu):
        backend.traceback = SimpleNamespace(format_stack=list)
