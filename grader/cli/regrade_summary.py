"""The summary of ``grader regrade``: a row for each exercise that changes, and totals."""

from collections import Counter
from collections.abc import Callable, Iterator

from rich.table import Column, Table
from rich.text import Text

from grader.grading.regrade import Change, ExerciseChange
from grader.grading.submissions import printable

# Names of students that a sentence lists.
NAMED = 10
KINDS = {
    "changed": "changed",
    "anew": "graded anew with the same score and verdicts",
    **{kind: kind for kind in ("new", "unchanged", "gone", "missing")},
}


def _points(score: float | None, most: float | None) -> str:
    if score is None:
        return "-"
    return f"{score:g}/{most:g}" if most is not None else f"{score:g}"


def _gain(old: float | None, new: float | None) -> str:
    if old is None or new is None:
        return ""
    gained = round(new - old, 6)
    return f"{gained:+g}" if gained else "0"


def _mistakes(codes: tuple[str, ...] | None, score: float | None) -> str:
    if codes is None:
        return "not known"
    return ", ".join(codes) or ("passed" if score else "no mistake named")


def _told(one: ExerciseChange) -> str:
    now = _mistakes(one.diagnosis, one.new_score) if one.new_score is not None else "to be graded by hand"
    before = _mistakes(one.old_diagnosis, one.old_score)
    told = now if one.old_score is None or before == now else f"{before} → {now}"
    if one.decision or one.old_decision:
        told = one.decision or f"no longer: {one.old_decision}"
    if one.by_hand is None:
        return told
    graded = [_points(score, None) for score in (one.old_score, one.new_score)]
    beside = f"; graded: {graded[0]} → {graded[1]}" if graded[0] != graded[1] else ""
    return f"{told} (by hand: {one.by_hand:g}, stays{beside})"


def _rows(change: Change) -> Iterator[tuple[str, ...]]:
    old, new = (
        _points(change.old_score, change.old_max_score),
        _points(change.new_score, change.max_score),
    )
    if change.kind == "gone":
        yield "all", old, "stays", "", change.reason
    elif change.kind == "new" or (change.status == "error" and change.exercises):
        said = "new: never graded before" if change.kind == "new" else ""
        told = ". ".join(filter(None, (said, change.reason)))
        yield "all", old, new, _gain(change.old_score, change.new_score), told
    else:
        for name, one in change.exercises.items():
            points = _points(one.old_points, one.old_max_score), _points(one.points, one.max_score)
            yield name.partition("-")[2], *points, _gain(one.old_points, one.points), _told(one)
        if change.retimed and not change.exercises:
            yield "all", old, new, "0", "another time of handing in: what being late costs follows it"
        if len(change.exercises) > 1:
            yield "all", old, new, _gain(change.old_score, change.new_score), ""


class RegradeSummary:
    """The summary of a regraded class; students without changes are only counted.

    Args:
        order: by what students are sorted.
    """

    def __init__(self, order: Callable[[str], object] = str) -> None:
        self.order = order
        self.kinds: Counter[str] = Counter()
        self.changes: list[Change] = []
        self.shown = False
        self.written = 0

    def add(self, change: Change) -> None:
        """Add a student's changes."""
        self.kinds[change.kind] += 1
        if change.kind not in ("unchanged", "missing"):
            self.changes.append(change)

    @property
    def affected(self) -> int:
        """How many results there are to write."""
        return sum(change.affected for change in self.changes)

    def shown_changes(self) -> list[Change]:
        """Return what is shown, in the order of the students' names."""
        return sorted(self.changes, key=lambda change: self.order(change.student))

    def table(self) -> Table:
        """Return the table of what changes."""
        names = [Column(name, overflow="fold") for name in ("student", "exercise")]
        right = [Column(name, justify="right", no_wrap=True) for name in ("old", "new", "change")]
        table = Table(*names, *right, Column("mistake", overflow="fold"), box=None, pad_edge=False)
        for change in self.shown_changes():
            name = printable(change.student)
            for row in _rows(change):
                table.add_row(Text(name), *(Text(printable(cell)) for cell in row))
                name = ""
        return table

    def sentences(self) -> list[str]:
        """Return the totals."""
        total = sum(self.kinds.values())
        counts = ", ".join(f"{self.kinds[kind]} {told}" for kind, told in KINDS.items() if self.kinds[kind])
        told = [f"{total} student{'s' * (total != 1)}: {counts or 'none'}."]
        told += [*self._scores(), *self._points(), *self._errors(), *self._by_hand()]
        return told

    def _scores(self) -> Iterator[str]:
        changed = (change.difference for change in self.changes if change.kind == "changed")
        gains = [gain for gain in changed if gain is not None]
        if gains:
            up, down = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
            yield (
                f"Of those changed {up} go up, {down} go down, {len(gains) - up - down} keep their score; "
                f"on average {sum(gains) / len(gains):+.2f} points."
            )

    def _points(self) -> Iterator[str]:
        points = {
            (change.old_max_score, change.max_score)
            for change in self.changes
            if change.old_max_score is not None and change.old_max_score != change.max_score
        }
        for old, new in sorted(points):
            yield f"The points to earn change from {old:g} to {new:g}, for the whole class."

    def _errors(self) -> Iterator[str]:
        failed = (one for one in self.changes if one.affected and one.status == "error")
        if errors := [one for one in failed if one.new_score is None]:
            yield (
                f"Of those changed, {len(errors)} cannot be graded and will have no score until a person "
                f"gives one: {self._names(errors, len(errors))}."
            )

    def _by_hand(self) -> Iterator[str]:
        if decided := [change for change in self.changes if change.affected and change.by_hand]:
            yield (
                f"{len(decided)} have a score given by hand in formgrader: {self._names(decided)}. It stays "
                "and counts instead; where the answer or the points to earn "
                "have changed, formgrader asks to look at it again."
            )

    def _names(self, changes: list[Change], most: int = NAMED) -> str:
        ordered = sorted(changes, key=lambda change: self.order(change.student))
        names = [printable(change.student) for change in ordered]
        more = f" and {len(names) - most} more" if len(names) > most else ""
        return ", ".join(names[:most]) + more
