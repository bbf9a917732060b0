"""The export formats by name."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from grader.reporting.exports.canvas import IDENTITIES as CANVAS_IDENTITIES
from grader.reporting.exports.canvas import canvas
from grader.reporting.exports.grades import ClassGrades
from grader.reporting.exports.identity import Identity, left_out, names, strays
from grader.reporting.exports.moodle import IDENTITIES as MOODLE_IDENTITIES
from grader.reporting.exports.moodle import moodle
from grader.reporting.exports.options import Export, ExportError, ExportOptions
from grader.reporting.exports.plain_table import plain_table


@dataclass(frozen=True)
class Format:
    """A table to write.

    Attributes:
        write: makes it.
        identities: by which a student may be found, the usual one first; none where no other system is.
    """

    write: Callable[[ClassGrades, ExportOptions], Export]
    identities: Mapping[str, Identity] = field(default_factory=dict)


FORMATS = {
    "canvas": Format(canvas, CANVAS_IDENTITIES),
    "moodle": Format(moodle, MOODLE_IDENTITIES),
    "csv": Format(plain_table),
}


def export(name: str, grades: ClassGrades, options: ExportOptions) -> Export:
    """Return the table of a format, with what should be known of it.

    Raises:
        ExportError: the format does not support an option, or students have no place in it.
    """
    kind = FORMATS[name]
    if options.match_by and options.match_by not in kind.identities:
        can = ", ".join(kind.identities) or "nothing, for it is for no other system"
        raise ExportError(f"{name} can match students by {can}; not by {options.match_by}.")
    if options.roster is not None and not kind.identities:
        raise ExportError(f"A roster can be filled in for canvas and moodle, not for {name}.")
    assignments = {one.name for one in grades.assignments}
    if unknown := sorted(set(options.columns) - assignments):
        raise ExportError(f"A column is named for {', '.join(unknown)}, which is not exported.")
    notes = tuple(_incomplete(grades))
    if lost := strays(grades.people, options.roster is not None or not kind.identities):
        grades = grades.without(one.id for one in lost)
        notes = (*notes, left_out(lost))
    made = kind.write(grades, options)
    return Export(made.text, (*notes, *made.notes))


def _incomplete(grades: ClassGrades) -> Iterator[str]:
    """Say whose grades a person still has to decide."""
    for one in grades.assignments:
        for status, said in (
            (
                "ungraded",
                "could not be read or judged. It has no score and is left empty until somebody gives points "
                f"in formgrader, or they hand it in again (`grader report {one.name}` says why)",
            ),
            (
                "waiting",
                "has an answer in words that a person still has to grade, and is exported without it",
            ),
            ("review", "is exported, but nbgrader wants a person to look at it again"),
        ):
            if held := [person for person in grades.people if one.of(person.id).status == status]:
                yield f"{one.name}: what these students handed in {said}: {names(held)}."
