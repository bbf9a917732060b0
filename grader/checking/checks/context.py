"""``CheckContext``: the input of a check (exercise, case, expected, observed); helpers for messages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import torch

from grader.checking import generator
from grader.checking.checks.check import Failure
from grader.checking.comparison import Mismatch, compare
from grader.checking.observation import LearnerError, Observation
from grader.exercises import Exercise
from grader.exercises.case import PUBLISHED, Case, Flag
from grader.messages import Message, message
from grader.references import Expected

# Drivers whose results and arguments are texts.
TEXTS = ("texts", "tokenizer")
# Names for results that have none in the code.
RESULTS = dict.fromkeys(("", "result"), message("the result")) | {
    "what encode gives": message("what encode gives"),
    "what decode gives": message("what decode gives"),
    "what decode gives for the ids in reverse": message("what decode gives for the ids in reverse"),
}
# Smaller differences need more than four digits to be seen, and still smaller ones more than seven.
FOUR_DIGITS_SHOW, SEVEN_DIGITS_SHOW = 1e-3, 1e-6
# Relative to the largest value: as far as rounding to float32 takes a result, where no case says how far.
SINGLE_PRECISION = 1e-6


@dataclass(frozen=True)
class CheckContext:
    """The input of a check: an exercise, one of its cases, the expected tensors and the observation.

    ``raises`` names the exception that the case expects instead of a result, ``Exception`` for any.
    ``device`` is where the numbers were computed, whose tolerances count; ``place`` is where the tensors had
    to be. ``flags`` and ``attributes`` are what is asked besides tensors.
    """

    exercise: Exercise
    case: Case
    expected: dict[str, Expected]
    seen: Observation
    device: str
    raises: str = ""
    place: str = "cpu"
    flags: Mapping[Flag, bool] = field(default_factory=dict)
    attributes: Mapping[str, int] = field(default_factory=dict)

    def expected_of_role(self, role: str) -> Iterator[tuple[str, Expected]]:
        """Yield the expected tensors of one role with their names."""
        return iter(self._by_role.get(role, ()))

    @cached_property
    def _by_role(self) -> dict[str, list[tuple[str, Expected]]]:
        by_role: dict[str, list[tuple[str, Expected]]] = {}
        for name, item in self.expected.items():
            by_role.setdefault(name.partition("/")[0], []).append((name, item))
        return by_role

    def asked_parameters(self) -> tuple[str, ...]:
        """Return the names of the parameters that this case asks to be registered."""
        return self.exercise.parameters_for(self.case.weights)

    def mismatch(self, name: str, item: Expected) -> Mismatch | None:
        """Return where a recorded tensor of the expected shape differs, beyond what rounding explains.

        In a case of float64 the digits of float32 are enough, unless the exercise asks for more.
        """
        got = self.seen.tensors[name]
        mismatch = compare(got, item.values, item.tolerance[self.device])
        # NumPy makes no float32 unasked.
        enough = not self.exercise.double_precision and self.exercise.driver != "arrays"
        return None if mismatch and enough and self.has_single_precision(got, item) else mismatch

    def tolerance_of(self, item: Expected) -> float:
        """Return how far a right result may be off: in float64 as far as in float32, if that will do."""
        enough = 0.0 if self.exercise.double_precision else item.tolerance.get("single", 0.0)
        return max(item.tolerance[self.device], enough)

    def has_single_precision(self, got: torch.Tensor, item: Expected) -> bool:
        """Return whether a result in float64 is as far off as if float32 had been used on the way."""
        if item.dtype != torch.float64:
            return False
        finite = item.values[item.values.isfinite()]
        largest = float(finite.abs().max()) if finite.numel() else 0.0
        return compare(got, item.values, item.tolerance.get("single", SINGLE_PRECISION * largest)) is None

    def dtype_text(self, dtype: torch.dtype) -> str:
        """Return a dtype as PyTorch or NumPy, whichever the answer uses, names it."""
        return str(dtype).removeprefix("torch.") if self.exercise.works_on == "arrays" else str(dtype)

    def is_text(self, name: str) -> bool:
        """Return whether a recorded result or argument stands for a text, or for lists of texts."""
        return self.exercise.driver in TEXTS and name.partition("/")[0] in ("result", "argument")

    def fail(
        self,
        code: str,
        told: Message,
        tensor: str = "",
        mismatch: Mismatch | None = None,
        *,
        error: LearnerError | None = None,
        label: Message | None = None,
        question: Message | None = None,
    ) -> Failure:
        """Return what is wrong with this case."""
        return Failure(
            code,
            told,
            case=self.case.name,
            tensor=tensor,
            mismatch=mismatch,
            error=error,
            label=label,
            question=question,
        )


def shape_text(shape: torch.Size | tuple[int, ...]) -> str:
    """Return a shape as it is written in the course, such as ``(6, 2)``."""
    return str(tuple(shape))


def result_name(name: str) -> str | Message:
    """Return what a learner calls a recorded tensor: the result, or the attribute's name."""
    _, _, attribute = name.partition("/")
    return RESULTS.get(attribute, attribute)


def numbers_of(mismatch: Mismatch, dtype: torch.dtype, digits: int = 4) -> dict[str, str | Message]:
    """Return the placeholder values for the largest difference: ``place``, ``expected`` and ``got``."""
    numbers = {"expected": mismatch.expected, "got": mismatch.got}
    return {"place": str(list(mismatch.index))} | {
        name: number_text(value, dtype, digits) for name, value in numbers.items()
    }


def digits_of(mismatch: Mismatch) -> int:
    """Return how many digits after the point show a difference."""
    difference = abs(mismatch.expected - mismatch.got)
    return 4 if difference >= FOUR_DIGITS_SHOW else 7 if difference >= SEVEN_DIGITS_SHOW else 12


def number_text(value: float, dtype: torch.dtype, digits: int = 4) -> str:
    """Format a number of a tensor: a bool as such, an integer with all its digits."""
    if dtype == torch.bool and value in (0.0, 1.0):
        return str(bool(value))
    if not dtype.is_floating_point and value.is_integer():
        return str(int(value))
    return f"{value:.{digits}f}"


def generator_note(exercise: Exercise, case: Case) -> Message | None:
    """Return a remark if this machine's generator does not give the published example's recorded weights."""
    if not exercise.drawn_by or case.name != PUBLISHED:
        return None
    recorded = [case.weights[name] for name in exercise.drawn_for(case.weights)]
    if not generator.order_code(recorded, case.seed, exercise.drawn_by):
        return None
    return message(
        "On this machine torch.manual_seed({seed}) gives other numbers than where the example was recorded, "
        "so the recorded weights were loaded, and how yours were drawn was not checked.",
        seed=case.seed,
    )
