"""Hold a recipe's cases against what the exercises declare: arguments, weights, dtypes, shapes, print."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import torch

from grader.checking.checks import generator_note
from grader.errors import ReferenceDataError, SourceError
from grader.exercises import Chapter, Exercise
from grader.exercises.declaration import refused
from grader.exercises.model import CALLING_AGAIN
from grader.exercises.signature import calls_shown, names_needed, names_of, shapes_given, shapes_shown
from grader.proving.recipe import ANY_AXES, Axes, Solved, fits, line_of, listed
from grader.references.published import verify_published

# Drivers that call the subject with a case's arguments and options, and with nothing else.
CALLED_DIRECTLY = ("function", "number", "arrays", "texts")
# Drivers whose results are one tensor, or those that ``returns`` names.
OF_RESULTS = (*CALLING_AGAIN, "texts")
# The way of drawing parameters that only those of two axes can be drawn by.
LINEAR, MATRIX = "linear", 2


def check_posed(recipe: ModuleType, solved: Mapping[str, list[Solved]], chapter: Chapter) -> None:
    """Hold cases against the declarations of their exercises.

    Raises:
        SourceError: a case does not fit its exercise; names the line of the recipe.
    """
    for name, cases in solved.items():
        for one in cases:
            if told := next(filter(None, _unfitting(chapter.by_id[name], one)), ""):
                raise _refused(recipe, name, one, told, name)
        refusing = [bool(one.raises) for one in cases]
        if refusing != sorted(refusing):
            first = cases[refusing.index(True)]
            raise _refused(recipe, name, first, "it raises: put it behind those that do not.", name)


def check_shown(recipe: ModuleType, solved: Mapping[str, list[Solved]], *, visible: bool) -> None:
    """Refuse a hidden case among the visible ones, and a visible one among the hidden ones.

    Raises:
        SourceError: there is one; names the line of the recipe.
    """
    told = (
        "visible=False makes a hidden case: make it in grading_cases, or leave that out."
        if visible
        else "it is a visible case among the hidden ones: pose it with pose_hidden, or with visible=False."
    )
    for name, cases in solved.items():
        for one in cases:
            if one.case.visible is not visible:
                raise _refused(recipe, name, one, told, one.case.name, name)


def check_declared(solved: Mapping[str, list[Solved]], chapter: Chapter, folder: Path) -> None:
    """Hold declarations against the visible cases.

    Args:
        solved: the visible cases.
        chapter: the chapter.
        folder: its sources, for messages.

    Raises:
        SourceError: one asks for what no case shows; names its line.
    """
    for exercise in chapter.exercises:
        if exercise.double_precision and not any(
            one.case.dtype == torch.float64 for one in solved[exercise.id]
        ):
            told = "double_precision is judged in cases of float64, and there is none"
            told = f"{exercise.id}: {told}. Pose one with dtype=torch.float64."
            raise refused(chapter, exercise, "double_precision", told, folder)
        for case in (one.case for one in solved[exercise.id]):
            if generator_note(exercise, case):
                told = (
                    f"{exercise.id}: the weights of the case {case.name!r} are not what "
                    f"torch.manual_seed({case.seed}) draws, so that the start is judged in no case. Give the "
                    "seed that drew them; if they were written down, give the case another name"
                )
                raise refused(chapter, exercise, "drawn_by", told, folder)


def check_published(recipe: ModuleType, solved: Mapping[str, list[Solved]], references: Path) -> None:
    """Compare what cases reproduce with what is in print.

    Args:
        recipe: names the lines.
        solved: its cases.
        references: the course's folder of references, which may have published values of its own.

    Raises:
        SourceError: there is no such result or entry, or the two differ; names the line of the recipe.
    """
    for name, cases in solved.items():
        for one in cases:
            results = [key for key in one.expected if key.partition("/")[0] == "result"]
            for key, entry in one.published.items():
                if key not in results:
                    told = f"published names {key}; what it returns is {listed(results)}."
                    raise _refused(recipe, name, one, told, entry, name)
                try:
                    verify_published(entry, one.expected[key], references)
                except ReferenceDataError as error:
                    raise _refused(recipe, name, one, str(error), entry, name) from error


def _refused(recipe: ModuleType, exercise: str, solved: Solved, told: str, *places: str) -> SourceError:
    """Return an error about a case, with the line of the first of some texts in quotes that there is."""
    line = next((found for place in places if (found := line_of(recipe, place)) > 1), 1)
    return SourceError(Path(recipe.__file__), line, f"{exercise}, case {solved.case.name!r}: {told}")


def _unfitting(exercise: Exercise, solved: Solved) -> Iterator[str]:
    """Yield why a case is none of its exercise; an empty text for what fits."""
    yield _other_calls(exercise, solved)
    yield _other_weights(exercise, solved)
    yield _other_numbers(exercise, solved)
    yield _other_results(exercise, solved)
    yield _other_shape(exercise, solved)


def _other_calls(exercise: Exercise, solved: Solved) -> str:
    """Return how a case is called otherwise than its exercise; empty if it is not."""
    case = solved.case
    again = any(name.partition("/")[0] == "again" for name in solved.expected)
    if again and exercise.driver not in CALLING_AGAIN:
        told = f"the driver {exercise.driver} makes no second call"
        return f"{told}: pose it with again=False, or differentiable=False."
    arguments = list(dict.fromkeys(name.partition(".")[0] for name in case.arguments))
    if exercise.driver == "module":
        calls = {exercise.subject: ([], case.options), "forward": (arguments, {})}
    else:
        calls = {exercise.subject: (arguments, case.options)} if exercise.driver in CALLED_DIRECTLY else {}
    shown = calls_shown(exercise.signature)
    for name, (given, options) in calls.items():
        if name not in shown or (name == "forward" and not given):  # or the constructor is to refuse
            continue
        asked, told = names_of(shown[name]), [*given, *options]
        in_order = told if case.positional else given
        needed = set(names_needed(shown[name]))
        if in_order != asked[: len(in_order)] or not needed <= set(told) <= set(asked):
            return f"it gives {listed(told)}; the signature shows {name}({', '.join(asked)})."
    return ""


def _other_weights(exercise: Exercise, solved: Solved) -> str:
    """Return which weights of a case its exercise does not declare, or cannot draw so."""
    weights = solved.case.weights
    if exercise.driver != "module":
        return ""
    known = exercise.parameters_for(weights)
    if strange := [name for name in weights if name not in known]:
        told = f"it gives the weights {listed(list(weights))}; parameters names {listed(exercise.parameters)}"
        return f"{told}. Declare {listed(strange)} there, or as biases, in exercises.toml."
    if exercise.drawn_by == LINEAR:
        shapes = {name: tuple(weights[name].shape) for name in exercise.drawn_for(weights)}
        if flat := [name for name, shape in shapes.items() if len(shape) < MATRIX]:
            told = f"{flat[0]} has the shape {shapes[flat[0]]}; drawn_by = {LINEAR!r} is of (d_out, d_in)"
            return f"{told}. Leave drawn_by out of exercises.toml, or name another way."
    return ""


def _other_numbers(exercise: Exercise, solved: Solved) -> str:
    """Return why a case's numbers are none that NumPy computes with."""
    if exercise.works_on != "arrays":
        return ""
    if solved.case.grad_outputs:
        return "NumPy's arrays have no gradients: pose it with differentiable=False."
    floating = [name for name, one in solved.case.arguments.items() if one.is_floating_point()]
    if single := [name for name in floating if solved.case.arguments[name].dtype != torch.float64]:
        return f"{single[0]} is in float32; NumPy computes in float64: pose it with dtype=torch.float64."
    return ""


def _other_results(exercise: Exercise, solved: Solved) -> str:
    """Return which results a case has that its exercise does not declare, or the other way round."""
    results = [name for name in solved.expected if name.partition("/")[0] == "result"]
    names = [name.partition("/")[2] for name in results]
    declared = list(exercise.returns)
    if exercise.driver not in OF_RESULTS or not results or names == (declared or [""]):
        return ""
    told = f"the oracle returns {'one tensor' if names == [''] else f'{listed(names)}, by name'}; "
    if not declared:
        return f"{told}returns is not declared. Write returns = {json.dumps(names)} into exercises.toml."
    told = f"{told}returns names {listed(declared)}"
    if names == [""]:
        return f"{told}. Take returns out of exercises.toml, or have the oracle return these by name."
    return f"{told}. Give both the same names, in the order in which an answer returns them."


def _other_shape(exercise: Exercise, solved: Solved) -> str:
    """Return what has other axes or sizes than the signature shows.

    Arguments are compared where it shows the shapes of all of them, and so are results.
    """
    if exercise.driver not in CALLING_AGAIN or solved.raises:
        return ""
    results = {key: one for key, one in solved.expected.items() if key.partition("/")[0] == "result"}
    shown = (shapes_given(exercise.signature), shapes_shown(exercise.signature))
    for shapes, tensors in zip(shown, (solved.case.arguments, results), strict=True):
        if len(shapes) != len(tensors):
            continue
        for axes, (name, tensor) in zip(shapes, tensors.items(), strict=True):
            if not (fits(axes, tensor) and _sized(axes, tensor)):
                wanted = f"({', '.join(axes)}{',' if len(axes) == 1 and axes != (ANY_AXES,) else ''})"
                told = f"{name} has the shape {tuple(tensor.shape)}; the signature shows {wanted}"
                return f"{told}. Mend the one that is wrong."
    return ""


def _sized(axes: Axes, tensor: torch.Tensor) -> bool:
    """Return whether the sizes that are shown as numbers are those of a tensor, whose axes these are."""
    front = axes.index(ANY_AXES) if ANY_AXES in axes else len(axes)
    behind = len(axes) - front - 1
    shown = [*zip(axes[:front], tensor.shape, strict=False)]
    shown += zip(axes[front + 1 :], tensor.shape[tensor.dim() - behind :], strict=True) if behind > 0 else []
    return all(not axis.isdecimal() or int(axis) == size for axis, size in shown)
