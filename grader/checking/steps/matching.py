"""Find the steps of a right answer among the tensors that an answer made."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import torch

from grader.references.steps import Step

# Relative to the largest number of a step, or to 1: what float32 loses on a few operations, and far less than
# what a mistake changes.
CLOSE = 2e-5
# Numbers below this count as masked: their exponential is zero. No step has such numbers otherwise.
HIDDEN = -60.0
# A factor closer to 1 than this is a loss of digits, such as from the epsilon of a LayerNorm.
NO_FACTOR = 1e-2


class How(StrEnum):
    """How a step was found among the tensors of an answer."""

    AS_IT_IS = "as it is"
    SCALED_ROWS = "each row times a factor"  # where any factor is right
    IN_PARTS = "in parts"  # such as one head, or one row, at a time
    IN_ANOTHER_ORDER = "in another order"  # the same numbers, axes exchanged or cut otherwise
    TIMES = "times a factor"
    SHIFTED = "rows shifted"
    HIDDEN_ELSEWHERE = "hidden elsewhere"
    NOTHING_HIDDEN = "nothing hidden"
    COLUMNS = "columns sum to 1"
    OTHER_AXIS = "sum to 1 along another axis"  # none of the last two
    ALL = "all sum to 1"
    SOME_PARTS = "some parts"
    FEW_PARTS = "few parts"  # the others are not made
    PARTS_ALONE = "parts alone"  # put together otherwise
    NOT_THERE = "not there"
    IN_ANOTHER_LAYOUT = "in another layout"  # two axes exchanged, which einsum or a later line may undo


RIGHT = (How.AS_IT_IS, How.SCALED_ROWS, How.IN_PARTS)


@dataclass(frozen=True)
class Match:
    """The match of one step.

    Attributes:
        step: which one.
        how: in which way it was found.
        made: the tensor that was found, in the step's shape, of ``IN_ANOTHER_ORDER`` in its own; None where
            there is none, or only in parts.
        form: which of the step's forms.
        factor: of ``TIMES``.
        places: of ``SOME_PARTS``, those along the first axis that are right, and of ``FEW_PARTS`` along
            ``axis``.
        given: whether these numbers were an input of the call.
        tried: whether the answer made a tensor of the shape of the step, or of one of its parts, that matches
            no step.
    """

    step: Step
    how: How
    made: torch.Tensor | None = None
    form: int = 0
    factor: float = 0.0
    places: tuple[int, ...] = ()
    axis: int = 0
    given: bool = False
    tried: bool = False


class Pool:
    """The tensors that an answer made, by number of elements, and which of them are right steps."""

    def __init__(self, made: Sequence[torch.Tensor]) -> None:
        by_size: dict[int, list[np.ndarray]] = {}
        self._shapes: dict[int, list[tuple[int, ...]]] = {}
        self._places: dict[int, list[int]] = {}  # in the order of all tensors
        for place, tensor in enumerate(made):
            numbers = hiding(tensor)
            by_size.setdefault(numbers.size, []).append(numbers)
            self._shapes.setdefault(numbers.size, []).append(tuple(tensor.shape))
            self._places.setdefault(numbers.size, []).append(place)
        self._made = tuple(made)
        self._rows = {size: np.stack(rows) for size, rows in by_size.items()}
        self._taken = {size: np.zeros(len(rows), dtype=bool) for size, rows in self._rows.items()}
        self._right: list[np.ndarray] = []
        self._last = made[-1].double().numpy().reshape(-1) if len(made) else np.zeros(0)

    def of_size(self, size: int, *, free: bool = False, before: int | None = None) -> np.ndarray:
        """Return the tensors of a size, one flat row each, in the order in which they were made.

        With ``free``, only those that are no right step; with ``before``, only those made before that place.
        """
        if size not in self._rows:
            return np.zeros((0, size))
        kept = ~self._taken[size] if free else np.ones(len(self._rows[size]), dtype=bool)
        if before is not None:
            kept &= np.array(self._places[size]) < before
        return self._rows[size][kept]

    def place_of(self, numbers: np.ndarray) -> int | None:
        """Return the place, among all tensors, of the first with these numbers, flat; None without one."""
        if numbers.size not in self._rows:
            return None
        same = _agree(self._rows[numbers.size], numbers, _tolerance(numbers)).all(axis=1)
        return self._places[numbers.size][int(same.argmax())] if same.any() else None

    def as_made(self, found: torch.Tensor) -> torch.Tensor:
        """Return a tensor that was found with the numbers that the answer hides with, such as -100."""
        if not found.isneginf().any():
            return found
        same = (
            one.double().reshape(found.shape)
            for one in reversed(self._made)
            if one.numel() == found.numel() and np.array_equal(hiding(one), hiding(found), equal_nan=True)
        )
        return next(same, found)

    def find(self, values: np.ndarray, tolerance: float) -> np.ndarray | None:
        """Return the last tensor that has just these numbers in this order, and rows as long, flat.

        Or it is all one row, as a softmax of all numbers takes them.
        """
        rows = self.of_size(values.size)
        if not len(rows):
            return None
        long = _row_length(values.shape)
        as_long = [len(one) == 1 or _row_length(one) == long for one in self._shapes[values.size]]
        found = np.flatnonzero(_agree(rows, values.reshape(-1), tolerance).all(axis=1) & as_long)
        return rows[found[-1]] if len(found) else None

    def has(self, values: np.ndarray) -> bool:
        """Return whether a tensor has these numbers and just this shape."""
        same = _agree(self.of_size(values.size), values.reshape(-1), _tolerance(values)).all(axis=1)
        shapes = self._shapes.get(values.size, [])
        return any(alike and shape == values.shape for alike, shape in zip(same, shapes, strict=True))

    def has_free(self, shape: tuple[int, ...], after: np.ndarray | None = None) -> bool:
        """Return whether a tensor of this shape was made that is no right step.

        Only tensors count that came ``after`` the first one with these numbers, flat, and are not the very
        last: nothing is computed from that.
        """
        size = math.prod(shape)
        if size not in self._rows:
            return False
        begin = 0
        if after is not None:
            same = _agree(self._rows[size], after, _tolerance(after)).all(axis=1)
            begin = int(same.argmax()) + 1 if same.any() else len(same)
        free = ~self._taken[size]
        if after is not None and self._last.size == size:
            free &= ~_agree(self._rows[size], self._last, 0.0).all(axis=1)
        made = zip(self._shapes[size][begin:], free[begin:], strict=True)
        return any(one == shape and not_taken for one, not_taken in made)

    def shape_of(self, numbers: np.ndarray, axes: int) -> tuple[int, ...]:
        """Return the shape of the last tensor that has just these numbers, flat.

        Of several, that of one with so many axes: a product in PyTorch folds those in front.
        """
        same = np.flatnonzero(_agree(self._rows[numbers.size], numbers, 0.0).all(axis=1))
        shapes = [self._shapes[numbers.size][place] for place in reversed(same)]
        return next((shape for shape in shapes if len(shape) == axes), shapes[0])

    def has_free_before(self, shape: tuple[int, ...], found: torch.Tensor) -> bool:
        """Return whether a tensor of this shape, no right step, was made before one that was found."""
        numbers, size = hiding(found), math.prod(shape)
        same = _agree(self.of_size(numbers.size), numbers, 0.0).all(axis=1)
        places = zip(self._places.get(numbers.size, ()), same, strict=True)
        at = next((place for place, alike in places if alike), 0)
        made = zip(
            self._shapes.get(size, ()), self._taken.get(size, ()), self._places.get(size, ()), strict=True
        )
        return any(one == shape and not taken and place < at for one, taken, place in made)

    def has_masked(self, values: np.ndarray) -> bool:
        """Return whether a tensor has some of these numbers, and one other number in all other places."""
        rows, numbers = self.of_size(values.size, free=True), values.reshape(-1)
        agree = _agree(rows, numbers, _tolerance(values))
        for row, same in zip(rows, agree, strict=True):
            others = row[~same]
            if len(others) and (others == others[0]).all() and len(np.unique(numbers[same])) > 1:
                return True
        return False

    def take(self, numbers: np.ndarray, tolerance: float) -> None:
        """Remember that the tensors with these numbers are a right step."""
        if numbers.size in self._rows:
            self._taken[numbers.size] |= _agree(self._rows[numbers.size], numbers, tolerance).all(axis=1)
            self._right.append(np.sort(numbers))

    def reordered(self, form: np.ndarray) -> np.ndarray:
        """Return the tensors that have a form's numbers in another order, one flat row each.

        But not a right step whose axes are exchanged on the way to this one.
        """
        rows, numbers = self.of_size(form.size, free=True), np.sort(form.reshape(-1))
        tolerance = _tolerance(form)
        same = _agree(np.sort(rows, axis=1), numbers, tolerance).all(axis=1)
        if any(one.size == form.size and _agree(one, numbers, tolerance).all() for one in self._right):
            free = ~self._taken[form.size]
            shapes = [shape for shape, kept in zip(self._shapes[form.size], free, strict=True) if kept]
            same &= np.array([_row_length(shape) == _row_length(form.shape) for shape in shapes], dtype=bool)
        return rows[same]


def hiding(tensor: torch.Tensor) -> np.ndarray:
    """Return a tensor's numbers, flat, with minus infinity for all whose exponential counts as zero."""
    numbers = tensor.double().numpy().reshape(-1)
    return np.where(numbers < HIDDEN, -np.inf, numbers)


def _row_length(shape: tuple[int, ...]) -> int:
    """Return the length of the last axis that has any: leading axes may be one or several, or left out."""
    return next((size for size in reversed(shape) if size > 1), 1)


def _agree(rows: np.ndarray, numbers: np.ndarray, tolerance: float) -> np.ndarray:
    """Return which numbers agree; an infinity only with itself, NaN with nothing."""
    return (np.abs(rows - numbers) <= tolerance) | (rows == numbers)


def _tolerance(numbers: np.ndarray) -> float:
    """Return the tolerance: relative to 1, or to the largest number if that is tiny."""
    finite = np.abs(numbers[np.isfinite(numbers)])
    largest = float(finite.max()) if finite.size else 0.0
    return CLOSE * (largest if 0.0 < largest < CLOSE else max(1.0, largest))


def match_steps(steps: Sequence[Step], pool: Pool, given: Iterable[torch.Tensor] = ()) -> tuple[Match, ...]:
    """Return the best match of each step, over its forms, among an answer's tensors.

    Inputs (``given``) are never taken for a wrong form of a step.
    """
    # What an answer computes may be anything: infinite, NaN, too large.
    with np.errstate(all="ignore"):
        right = [_right(step, pool) for step in steps]
        for one in filter(None, right):
            whole = one.step.forms[one.form].values if one.made is None else one.made
            numbers = whole.numpy().reshape(-1)
            pool.take(numbers, _tolerance(numbers))
        came = [tensor.double().numpy().reshape(-1) for tensor in given]
        for numbers in came:
            pool.take(numbers, _tolerance(numbers))
        matches = (
            _as_put_together(one, pool, steps[number + 1 :])
            if one
            else _nearest(steps[number], pool, _Behind.of(steps, right, number, pool))
            for number, one in enumerate(right)
        )
        return tuple(
            replace(
                one,
                given=_is_one_of(came, one.step),
                made=None if one.made is None else pool.as_made(one.made),
            )
            for one in matches
        )


def leading_to(steps: Iterable[Step]) -> dict[str, set[str]]:
    """Return the names of the steps that each is computed from in its usual form, directly or indirectly."""
    found: dict[str, set[str]] = {}
    for one in steps:
        usual, *_ = one.forms
        found[one.name] = {*usual.of}.union(*(found.get(name, ()) for name in usual.of))
    return found


@dataclass(frozen=True)
class _Behind:
    """What is known of the steps that are computed from one.

    Attributes:
        place: of the first tensor that is right for one of them: what is made later is not this step.
        multiple: whether one of them is the step times a factor.
    """

    place: int | None
    multiple: bool

    @classmethod
    def of(cls, steps: Sequence[Step], right: Sequence[Match | None], number: int, pool: Pool) -> "_Behind":
        """Return it of the step with this number."""
        step, leading = steps[number], leading_to(steps)
        behind = [at for at, one in enumerate(steps) if step.name in leading[one.name]]
        found = [right[at] for at in behind]
        wholes = [one.made.numpy().reshape(-1) for one in found if one and one.made is not None]
        places = [place for one in wholes if (place := pool.place_of(one)) is not None]
        multiple = any(_is_multiple(steps[at].values, step.values) for at in behind)
        return cls(min(places, default=None), multiple)


def _is_multiple(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Return whether a step is another one times a factor."""
    if one.shape != other.shape or not (one.isfinite().all() and other.isfinite().all() and other.any()):
        return False
    factor = (one * other).sum() / (other * other).sum()
    return bool(torch.allclose(one, factor * other, 0.0, CLOSE * float(one.abs().max())))


def _is_one_of(came: Sequence[np.ndarray], step: Step) -> bool:
    """Return whether a step equals an input, such as masked weights if nothing is masked."""
    numbers = step.values.numpy().reshape(-1)
    same = (one for one in came if one.size == numbers.size)
    return any(bool(_agree(one, numbers, _tolerance(numbers)).all()) for one in same)


def _as_put_together(match: Match, pool: Pool, later: Sequence[Step]) -> Match:
    """Return a match in parts as a match of parts alone, if they were joined in another order.

    Where joining them is a later step, the order is a matter of that.
    """
    if match.how != How.IN_PARTS:
        return match
    form = match.step.forms[match.form].values.numpy()
    numbers = np.sort(form.reshape(-1))
    sorted_later = (np.sort(one.values.numpy().reshape(-1)) for one in later)
    joining = any(one.size == form.size and _agree(one, numbers, 0.0).all() for one in sorted_later)
    return match if joining or not len(pool.reordered(form)) else replace(match, how=How.PARTS_ALONE)


def _right(step: Step, pool: Pool) -> Match | None:
    forms = [form.values.numpy() for form in step.forms]
    for number, form in enumerate(forms):
        found = pool.find(form, _tolerance(form))
        if found is not None:
            return Match(step, How.AS_IT_IS, torch.from_numpy(found.reshape(form.shape)), number)
    if step.scaled_along is not None and (row := _scaled(pool, forms[0], step.scaled_along)) is not None:
        return Match(step, How.SCALED_ROWS, torch.from_numpy(row.reshape(forms[0].shape)))
    parted = (number for number, form in enumerate(forms) if _in_parts(form, pool))
    return next((Match(step, How.IN_PARTS, form=number) for number in parted), None)


def _scaled(pool: Pool, form: np.ndarray, axis: int) -> np.ndarray | None:
    """Return the last tensor, flat, that has a form's numbers but for a factor along an axis; no shares.

    Shares are also those that sum to 1 over several axes, the last ones: all of a matrix, or of each.
    """
    rows = pool.of_size(form.size)
    if not len(rows):
        return None
    shaped = rows.reshape(len(rows), *form.shape)
    over = axis % form.ndim + 1
    sums = shaped.sum(axis=over, keepdims=True)
    close = _agree(shaped / sums, form / form.sum(axis=over - 1, keepdims=True), CLOSE)
    found = close.reshape(len(rows), -1).all(axis=1) & (sums > 0).reshape(len(rows), -1).all(axis=1)
    together = (shaped.sum(axis=tuple(range(axis, shaped.ndim))) for axis in range(1, shaped.ndim))
    for one in (sums, *together):
        found &= ~_agree(one, np.ones(1), CLOSE).reshape(len(rows), -1).all(axis=1)
    return rows[np.flatnonzero(found)[-1]] if found.any() else None


def _nearest(step: Step, pool: Pool, behind: _Behind) -> Match:
    """Return the closest match of a step that was not found."""
    if (other := _in_another_layout(step, pool)) is not None:
        return Match(step, How.IN_ANOTHER_LAYOUT, other)
    for number, form in enumerate(step.forms):
        if (near := _near(step, form.values.numpy(), pool, behind, usual=number == 0)) is not None:
            return replace(near, form=number)
    shape = tuple(step.values.shape)
    tried = pool.has_free(shape) or (len(shape) > 2 and pool.has_free(shape[1:]))
    return (
        _some_parts(step, step.values.numpy(), pool)
        or _few_parts(step, pool)
        or Match(step, How.NOT_THERE, tried=tried)
    )


def _in_another_layout(step: Step, pool: Pool) -> torch.Tensor | None:
    """Return a step that a tensor has with the two axes before the last exchanged, such as tokens and heads.

    If both axes have the same size they cannot be distinguished.
    """
    if step.values.ndim < 3:
        return None
    exchanged = step.values.transpose(-3, -2)
    found = exchanged.shape != step.values.shape and pool.has(exchanged.numpy())
    return step.values if found else None


def _parts(form: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """Return the slices along some axes, one behind the other."""
    moved = np.moveaxis(form, axes, range(len(axes)))
    return moved.reshape(-1, *moved.shape[len(axes) :])


def _axes_to_cut(form: np.ndarray) -> Iterator[tuple[int, ...]]:
    """Yield the axes along which a loop may go: one, or the first two or three together."""
    for axis in range(form.ndim):
        yield (axis,)
    for count in range(2, form.ndim):
        yield tuple(range(count))


def _is_there(part: np.ndarray, pool: Pool, tolerance: float) -> bool | None:
    """Return whether a slice was found, whole or without the masked numbers at its end.

    None if that is no evidence: at most one number is not masked.
    """
    numbers = part.reshape(-1)
    seen = np.flatnonzero((numbers != 0.0) & np.isfinite(numbers))
    trimmed = numbers[: seen[-1] + 1] if seen.size else numbers[:0]
    if trimmed.size < 2:
        return None
    return any(pool.find(one, tolerance) is not None for one in (part, trimmed))


def _in_parts(form: np.ndarray, pool: Pool) -> bool:
    tolerance = _tolerance(form)
    for axes in _axes_to_cut(form):
        parts = _parts(form, axes)
        if len(parts) > 1 and parts[0].size > 1:
            there = [_is_there(one, pool, tolerance) for one in parts]
            if False not in there and True in there:
                return True
    return False


def _near(step: Step, form: np.ndarray, pool: Pool, behind: _Behind, *, usual: bool) -> Match | None:
    """Return the closest inexact match of a form; of several of the same kind, the last one made.

    A right step is no wrong form of another step. Exception: scores that a mask should have hidden stand in
    for the masked scores, in the usual form.
    """
    free = pool.of_size(form.size, free=True)
    if form.size < 3 or not len(pool.of_size(form.size)):
        return None
    before = pool.of_size(form.size, free=True, before=behind.place)
    near = _in_another_order(pool, form) or _times(before, form, first=behind.multiple)
    if near is not None and near[0] == How.TIMES and near[2] > 0 and step.scaled_along is not None:
        near = None  # shares of it all, in which the factor is no mistake
    if near is None and step.shares:
        near = _other_sums(free, form, pool)
    elif near is None and np.isneginf(form).any():
        near = _hidden_otherwise(pool.of_size(form.size, free=not usual), form)
    elif near is None:
        near = _shifted(free, form)
    if near is None:
        return None
    how, row, factor = near
    shape = pool.shape_of(row, form.ndim) if how == How.IN_ANOTHER_ORDER else form.shape
    return Match(step, how, torch.from_numpy(row.reshape(shape)), factor=factor)


# The kind of match, the tensor, flat, and the factor between them for that kind.
Near = tuple[How, np.ndarray, float]


def _last(how: How, rows: np.ndarray, which: np.ndarray) -> Near | None:
    """Return the last of the rows for which something holds."""
    places = np.flatnonzero(which)
    return (how, rows[places[-1]], 0.0) if len(places) else None


def _in_another_order(pool: Pool, form: np.ndarray) -> Near | None:
    if np.unique(form.round(4)).size < 3:
        return None
    rows = pool.reordered(form)
    return (How.IN_ANOTHER_ORDER, rows[-1], 0.0) if len(rows) else None


def _times(rows: np.ndarray, form: np.ndarray, first: bool) -> Near | None:
    """Return the last tensor that is a form times a factor: several lines may have had a part in that.

    Or the first, where a later step is a multiple, too.
    """
    numbers = form.reshape(-1)
    finite, kept = (np.where(np.isfinite(one), one, 0.0) for one in (numbers, rows))
    if np.unique(finite.round(4)).size < 3:
        return None
    factors = kept @ finite / (finite @ finite)
    hidden = np.isneginf(rows)
    same = (hidden == np.isneginf(numbers)).all(axis=1) & (np.isfinite(rows) | hidden).all(axis=1)
    far = np.abs(kept - factors[:, None] * finite) > _tolerance(form) * np.abs(factors)[:, None]
    told, near = np.abs(factors) > 1e-6, np.abs(factors - 1.0) <= NO_FACTOR
    multiples = same & told & ~far.any(axis=1)
    if (multiples & near).any():  # it is made, if not exactly: the factor of another is no mistake
        return None
    found = np.flatnonzero(multiples)
    if not len(found):
        return None
    place = found[0 if first else -1]
    return How.TIMES, rows[place], float(factors[place])


def _hidden_otherwise(rows: np.ndarray, form: np.ndarray) -> Near | None:
    """Return scores that are right where they are not masked, and masked in other places or nowhere.

    Scores of which all are masked that are to be seen have no number in common with the right ones: they are
    known by the scores without a mask.
    """
    numbers = form.reshape(-1)
    hidden, hides = np.isneginf(rows), np.isneginf(numbers)
    agree = _agree(rows, numbers, _tolerance(form)) | hides
    both = (np.isfinite(rows) & ~hides).sum(axis=1) > 1
    elsewhere = hidden.any(axis=1) & (hidden != hides).any(axis=1) & both & (agree | hidden).all(axis=1)
    nothing = np.isfinite(rows).all(axis=1) & both & agree.all(axis=1)
    for whole in rows[nothing]:
        turned = (_agree(rows, whole, _tolerance(form)) | hidden).all(axis=1)
        elsewhere |= turned & (hidden != hides).any(axis=1) & hidden.any(axis=1) & ((~hidden).sum(axis=1) > 1)
    if (hidden | ~hides).all(axis=1).any():  # all is hidden that has to be, and the rest is spoiled
        nothing &= False
    return _last(How.HIDDEN_ELSEWHERE, rows, elsewhere) or _last(How.NOTHING_HIDDEN, rows, nothing)


def _shifted(rows: np.ndarray, form: np.ndarray) -> Near | None:
    if form.ndim < 2 or form.shape[-1] < 2 or not len(rows):
        return None
    offsets = (rows - form.reshape(-1)).reshape(len(rows), -1, form.shape[-1])
    same = np.abs(offsets - offsets[:, :, :1]) <= _tolerance(form)
    apart = np.abs(offsets) > _tolerance(form)  # else it has just these numbers, in shorter or longer rows
    return _last(How.SHIFTED, rows, same.all(axis=(1, 2)) & apart.any(axis=(1, 2)))


def _other_sums(rows: np.ndarray, form: np.ndarray, pool: Pool) -> Near | None:
    """Return shares whose sums are 1 along another axis than those of the form.

    But none that were transposed later: their columns are what the softmax has made of rows.
    """
    if form.ndim < 2 or not len(rows):
        return None
    shares = np.isfinite(rows).all(axis=1) & (rows >= 0).all(axis=1)
    shaped = rows.reshape(-1, *form.shape)

    def ones(sums: np.ndarray) -> np.ndarray:
        return (np.abs(sums - 1.0) < 1e-3).reshape(len(rows), -1).all(axis=1)

    others = shares & ~ones(shaped.sum(axis=-1))
    for place in np.flatnonzero(others & ones(shaped.sum(axis=-2))):
        turned = np.swapaxes(shaped[place], -1, -2).reshape(-1)
        others[place] = not _agree(pool.of_size(form.size), turned, 0.0).all(axis=1).any()
    sizes = enumerate(form.shape[:-1], start=-form.ndim)  # along an axis of size 1 there is nothing to share
    axes = ((How.COLUMNS if axis == -2 else How.OTHER_AXIS, axis) for axis, size in sizes if size > 1)
    along = (_last(how, rows, others & ones(shaped.sum(axis=axis))) for how, axis in axes)
    # What a loop has filled in part is not shared among all.
    filled = (shaped.reshape(len(rows), len(form), -1).sum(axis=2) > 0).all(axis=1)
    return next(filter(None, along), None) or _last(How.ALL, rows, others & filled & ones(rows.sum(axis=1)))


def _few_parts(step: Step, pool: Pool) -> Match | None:
    """Return of a step of which some parts along an axis before its matrices are made, and not all."""
    form = step.values.numpy()
    for axis in range(form.ndim - 2):
        there = [bool(_is_there(part, pool, _tolerance(form))) for part in np.moveaxis(form, axis, 0)]
        if any(there) and not all(there):
            made = torch.full_like(step.values, torch.nan)
            made.movedim(axis, 0)[there] = step.values.movedim(axis, 0)[there]
            places = tuple(int(one) for one in np.flatnonzero(there))
            return Match(step, How.FEW_PARTS, made, places=places, axis=axis)
    return None


def _some_parts(step: Step, form: np.ndarray, pool: Pool) -> Match | None:
    """Return of a step of which some slices along its first axis are right, and not all."""
    if form.ndim < 2 or form.shape[0] < 2:
        return None
    tolerance, rows = _tolerance(form), pool.of_size(form.size, free=True)
    if step.scaled_along is not None and len(rows):  # a row of shares may have the same numbers
        sums = rows.reshape(len(rows), *form.shape).sum(axis=step.scaled_along % form.ndim + 1)
        rows = rows[~_agree(sums, np.ones(1), CLOSE).reshape(len(rows), -1).all(axis=1)]
    parts = form.reshape(len(form), -1)
    if not len(rows) or parts.shape[1] < 2:
        return None
    right = _agree(rows.reshape(len(rows), *parts.shape), parts, tolerance).all(axis=2)
    best = int(right.sum(axis=1)[::-1].argmax())
    best = len(rows) - 1 - best
    places = tuple(int(one) for one in np.flatnonzero(right[best]))
    if not 0 < len(places) < len(parts):
        return None
    made = torch.from_numpy(rows[best].reshape(form.shape))
    return Match(step, How.SOME_PARTS, made, places=places)
