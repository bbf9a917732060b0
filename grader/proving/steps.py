"""Make the steps of a chapter's exercises from its ``steps.py``, and the steps that many of them share."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import torch

from grader.checking.steps.tracing import CALLS
from grader.course.origin import file_digest
from grader.course.paths import CoursePaths
from grader.errors import ReferenceDataError, SourceError
from grader.exercises import Chapter
from grader.exercises.case import Case
from grader.exercises.declaration import closest
from grader.proving.recipe import import_source, line_in, line_of
from grader.references import ExerciseReference
from grader.references.steps import STEPS, TENSORS, Form, Step, StepsByCase, load_steps, pack_steps
from grader.references.store import load_from
from grader.topics import offered

Tensors = Mapping[str, torch.Tensor]
# (arguments, weights, options) -> the steps in order, the last ones the results; all in float64.
MakeSteps = Callable[[Tensors, Tensors, Mapping], Sequence[Step]]
SOURCE = "steps.py"
# A case of more numbers is none that anybody looks through.
MOST_NUMBERS = 2500
LARGEST = 100.0
# Beyond it, either way, float32 holds no exponential, and who makes it has made nothing right.
MOST_EXPONENT = 80.0
# Between two computations of the same closed form in float64.
AGREEMENT = 1e-9


def step(
    name: str,
    values: torch.Tensor,
    axes: str,
    of: str = "",
    *,
    shares: bool = False,
    also: Sequence[Form] = (),
) -> Step:
    """Return a step; names of axes are parted by spaces, those of the steps that it is made of by commas.

    ``also`` lists further forms in which it is right, each a ``Form`` of the same axes.
    """
    for what, given, parted in (("axes", axes, "blanks"), ("of", of, "commas")):
        if not isinstance(given, str) or (what == "axes" and "," in given):
            raise ReferenceDataError(
                f"step {name!r}: {what} = {given!r}: expected one text, parted by {parted}."
            )
    if not isinstance(also, list | tuple) or not all(isinstance(one, Form) for one in also):
        raise ReferenceDataError(
            f"step {name!r}: also is {type(also).__name__}: expected a list of forms, each "
            "Form(values, names(of)) of grader.proving.steps."
        )
    return Step(name, tuple(axes.split()), (Form(values, names(of)), *also), shares)


def leading(tensor: torch.Tensor) -> str:
    """Return names for the axes of a tensor in front of its last two."""
    count = tensor.dim() - 2
    return "b" if count == 1 else numbered(count)


def numbered(axes: int) -> str:
    """Return names for so many axes that have none: n0, n1, ..."""
    return " ".join(f"n{place}" for place in range(axes))


def names(of: str) -> tuple[str, ...]:
    """Return names that are written one behind the other, parted by commas."""
    return tuple(one.strip() for one in of.split(",") if one.strip())


def linear(x: torch.Tensor, weights: Tensors, layer: str) -> torch.Tensor:
    """Return what a layer (d_out, d_in) with or without a bias makes of x (..., d_in)."""
    out = x @ weights[f"{layer}.weight"].mT
    return out + weights[f"{layer}.bias"] if f"{layer}.bias" in weights else out


def softmax(x: torch.Tensor, axes: str, dim: int = -1) -> list[Step]:
    """Return the exponentials, of the numbers as they are or shifted by any other, and the shares."""
    shifted = (x - x.amax(dim, keepdim=True)).exp()
    powers = [x.exp(), shifted] if x.abs().max() <= MOST_EXPONENT else [shifted]
    forms = tuple(Form(one) for one in powers)
    exponentials = Step("exponentials", tuple(axes.split()), forms, scaled_along=dim)
    return [exponentials, step("shares", x.softmax(dim), axes, "exponentials", shares=dim == -1)]


def __getattr__(name: str) -> object:
    """Return steps that a topic offers."""
    return offered("steps", name)


def load_steps_source(path: Path) -> ModuleType | None:
    """Import a chapter's ``steps.py``; None if it has none.

    Raises:
        SourceError: it does not run, or defines no ``STEPS``.
    """
    if not path.is_file():
        return None
    module = import_source(path)
    if not isinstance(getattr(module, "STEPS", None), dict):
        raise SourceError(path, 1, "this file defines no STEPS: a dict from exercises to functions.")
    return module


def make_steps(exercise: str, make: MakeSteps, reference: ExerciseReference) -> dict[str, tuple[Step, ...]]:
    """Return an exercise's steps on its small visible cases, whose results must be those of the oracle.

    Raises:
        ReferenceDataError: they are not, a step is a single number or is made of one that does not come
            before it, or no case is small enough.
    """
    made = {}
    for case in reference.visible:
        if case.drops or case.name in reference.raises or not (case.arguments or case.weights):
            continue
        arguments, weights = (
            {name: one.double() if one.is_floating_point() else one for name, one in group.items()}
            for group in (case.arguments, case.weights)
        )
        steps = tuple(make(arguments, weights, case.options))
        if single := [one.name for one in steps if not one.values.dim()]:
            raise ReferenceDataError(
                f"{exercise}, {case.name}: {single[0]!r} is a single number, which is never looked for: any "
                "number of an answer may be equal to it. Leave this step out."
            )
        if _tells(steps):
            _confirm(exercise, case, steps, reference)
            made[case.name] = steps
    if not made:
        raise ReferenceDataError(
            f"{exercise}: steps are looked for in no case: each has one with a single entry, more than "
            f"{MOST_NUMBERS} numbers, or one beyond {LARGEST:g}."
        )
    return made


def chapter_steps(chapter: Chapter, paths: CoursePaths) -> tuple[dict[str, StepsByCase], str]:
    """Return a chapter's steps by exercise, and the digest of the source that they are made by.

    Raises:
        ReferenceDataError: the references are missing.
        SourceError: the source does not run, is for other exercises, or the oracle says otherwise.
    """
    source = paths.solutions / chapter.stem / SOURCE
    if (module := load_steps_source(source)) is None:
        return {}, ""
    made = {}
    for name, make in module.STEPS.items():
        if name not in chapter.by_id:
            told = f"{chapter.stem} has no exercise {name}.{closest(name, chapter.by_id)}"
            raise SourceError(source, line_of(module, name), told)
        if (driver := chapter.by_id[name].driver) not in CALLS:
            told = f"{name}: answers of the driver {driver} are not traced; those of {', '.join(CALLS)} are."
            raise SourceError(source, line_of(module, name), told)
        reference = load_from(paths.references / chapter.stem, name)
        try:
            made[name] = make_steps(name, make, reference)
        except Exception as error:  # the source is an author's code: it may raise anything
            words = (
                str(error)
                if isinstance(error, ReferenceDataError)
                else f"{name}: {type(error).__name__}: {error}"
            )
            raise SourceError(
                source, line_in(source, error) or _line_of(make, module, name), words
            ) from error
    return made, file_digest(source) if made else ""


def _line_of(make: MakeSteps, module: ModuleType, name: str) -> int:
    """Return the line where the function of an exercise's steps begins, or is named."""
    own = inspect.isfunction(make) and make.__code__.co_filename == module.__file__
    return make.__code__.co_firstlineno if own else line_of(module, name)


def build_steps(chapter: Chapter, paths: CoursePaths) -> int:
    """Make a chapter's steps beside its references, and return how many exercises have some.

    Raises:
        GraderError: as ``chapter_steps``; nothing is written then.
    """
    made, origin = chapter_steps(chapter, paths)
    if made:
        manifest, tensors = pack_steps(made, origin)
        folder = paths.references / chapter.stem
        (folder / TENSORS).write_bytes(tensors)
        (folder / STEPS).write_text(manifest, encoding="utf-8")
    return len(made)


def verify_steps(chapter: Chapter, paths: CoursePaths) -> list[str]:
    """Return one line for each thing that is wrong with a chapter's stored steps.

    Raises:
        GraderError: as ``chapter_steps``, or a stored file is altered.
    """
    made, _ = chapter_steps(chapter, paths)
    problems = []
    for name in chapter.by_id:
        stored = load_steps(paths.references / chapter.stem, name)
        kept, fresh = (
            {
                (case, one.name, number): form
                for case, listed in by.items()
                for one in listed
                for number, form in enumerate(one.forms)
            }
            for by in (stored, made.get(name, {}))
        )
        problems += [
            f"{name}: the stored step {key} is not that of {SOURCE}" for key in kept.keys() ^ fresh.keys()
        ]
        for key in kept.keys() & fresh.keys():
            same = torch.allclose(kept[key].values, fresh[key].values, 0.0, AGREEMENT, equal_nan=True)
            if kept[key].of != fresh[key].of or not same:
                problems.append(f"{name}: the stored step {key} is not that of {SOURCE}")
    return problems


def _tells(steps: Sequence[Step]) -> bool:
    """Return whether a case is small, and its steps can be recognized.

    A single number cannot be, and of a large one rounding shows in what is made of it. Where a form
    overflows, an answer that does so has not made a right step.
    """
    sizes = [one.values.numel() for one in steps]
    forms = [form.values for one in steps for form in one.forms]
    seen = [values[~values.isneginf()] for values in forms]  # but for what is hidden
    return min(sizes) > 1 and sum(sizes) <= MOST_NUMBERS and all((one.abs() <= LARGEST).all() for one in seen)


def _confirm(exercise: str, case: Case, steps: Sequence[Step], reference: ExerciseReference) -> None:
    known: set[str] = set()
    for one in steps:
        missing = {name for form in one.forms for name in form.of} - known
        if missing:
            raise ReferenceDataError(
                f"{exercise}, case {case.name!r}: {one.name!r} is made of {', '.join(sorted(missing))}: no "
                "step before it has such a name."
            )
        if len(one.axes) != one.values.dim():
            raise ReferenceDataError(
                f"{exercise}, case {case.name!r}: {one.name!r} has {one.values.dim()} axes, and names for "
                f"{len(one.axes)}: {' '.join(one.axes)}. Name each, parted by blanks."
            )
        if one.name in known:
            raise ReferenceDataError(
                f"{exercise}, case {case.name!r}: two steps are named {one.name!r}. A verdict names the "
                "first wrong one: give each a name of its own."
            )
        if one.shares and not torch.allclose(total := one.values.sum(-1), torch.ones_like(total)):
            raise ReferenceDataError(
                f"{exercise}, case {case.name!r}: {one.name!r} has shares=True, and a row that sums to "
                f"{total.flatten()[(total - 1).abs().argmax()]:.4g}. Rows, along the last axis, sum to 1; "
                "leave shares=True out where they do not."
            )
        known.add(one.name)
    for name, item in reference.expected[case.name].items():
        if name.partition("/")[0] != "result" or not item.values.dim():  # a single number is no step
            continue
        if not any(_is_step(item.values, one) for one in steps):
            raise ReferenceDataError(
                f"{exercise}, case {case.name!r}: no step has the numbers of the oracle's {name}, "
                f"shape {tuple(item.values.shape)}, {item.values.dtype}. The last steps are the results, "
                f"in that dtype{_nearest(item.values, steps[-1])}."
            )


def _nearest(result: torch.Tensor, last: Step) -> str:
    """Return how the last step differs from a result."""
    own = last.values
    if own.shape != result.shape or own.dtype != result.dtype:
        return f"; {last.name!r} has shape {tuple(own.shape)}, {own.dtype}"
    return f"; {last.name!r} differs by up to {float((own.double() - result.double()).abs().max()):.3g}"


def _is_step(result: torch.Tensor, one: Step) -> bool:
    same = one.values.shape == result.shape and one.values.dtype == result.dtype
    return same and torch.allclose(one.values, result, AGREEMENT, AGREEMENT)
