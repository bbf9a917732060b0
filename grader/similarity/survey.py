"""Read a class's answers to one assignment as grading does, and compare them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import nbformat
from nbgrader.coursedir import CourseDirectory

from grader.errors import SubmissionError
from grader.exercises import Part
from grader.grading.intake import read_handed_in
from grader.grading.lexing import not_seen
from grader.grading.master import Master
from grader.grading.sanitize import Sanitized, assigned, defined, normal_source, sanitize
from grader.similarity.comparison import (
    Baseline,
    Compared,
    agreement,
    baseline,
    compare_answers,
    most_alike,
    near_pairs,
    usual_pairs,
)
from grader.similarity.winnowing import Span, fingerprints, word_fingerprints

# The caution shown with every result.
CAUTION = (
    "An aid for a person to look where it may be worth it, never a finding. Short answers to the same "
    "exercise are alike by nature, and for two to be there are many honest reasons. Agreement in a rare, odd "
    "or wrong answer says more than in the textbook's; that is left out here, as is what was given, or what "
    "many wrote."
)
# Of what both have and that counts, so much stands out.
HALF = 0.5
IMPORTED = re.compile(r"^[ \t]*+(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+(.+)$", re.MULTILINE)
# Gives an answer's fingerprints, each with the places where it has them.
Fingerprinting = Callable[[str], Mapping[int, tuple[Span, ...]]]
NAME = re.compile(r"[^\W\d]\w*+")


@dataclass(frozen=True)
class Side:
    """One of two answers that are alike: its text, and the places that both have and few others."""

    source: str
    places: tuple[Span, ...]


@dataclass(frozen=True)
class Shared:
    """An exercise in which two students are alike.

    Attributes:
        exercise: which.
        alike: how much, from 0 to 1, of what counts in this class.
        same: how much, from 0 to 1, of everything.
        sides: both answers.
    """

    exercise: Part
    alike: float
    same: float
    sides: tuple[Side, Side]


@dataclass(frozen=True)
class Pair:
    """Two students whose answers are alike.

    Attributes:
        students: their names.
        agreement: how alike the exercises are, added up.
        unusual: by how many deviations that is above the class's median; None for too small a class.
        exercises: in which they are alike, most alike first.
        stands_out: whether it is unusual for this class, also among the pairs that are closest.
    """

    students: tuple[str, str]
    agreement: float
    unusual: float | None
    exercises: tuple[Shared, ...]
    stands_out: bool


@dataclass(frozen=True)
class Survey:
    """The similarity survey of a class.

    Attributes:
        assignment: its name.
        title: what students call it.
        students: how many were read.
        unread: those that were not, with the reason.
        unseen: by student and exercise, why there may be more in an answer than was compared.
        baseline: what is usual between two students; None for too small a class.
        pairs: the most alike, most alike first.
    """

    assignment: str
    title: str
    students: int
    unread: Mapping[str, str]
    unseen: Mapping[tuple[str, str], str]
    baseline: Baseline | None
    pairs: tuple[Pair, ...]

    def anonymous(self) -> "Survey":
        """Return the same with numbers for names, given in the order in which they appear."""
        names = dict.fromkeys(name for pair in self.pairs for name in pair.students)
        names |= dict.fromkeys(student for student, _ in self.unseen)
        numbered = {name: f"student {number}" for number, name in enumerate(names, start=1)}
        pairs = tuple(
            replace(pair, students=(numbered[pair.students[0]], numbered[pair.students[1]]))
            for pair in self.pairs
        )
        unread = {f"unread {number}": reason for number, reason in enumerate(self.unread.values(), start=1)}
        unseen = {(numbered[student], name): reason for (student, name), reason in self.unseen.items()}
        return replace(self, unread=unread, unseen=unseen, pairs=pairs)


def read_answers(
    directory: CourseDirectory, master: Master, students: Iterable[str]
) -> Iterator[tuple[str, dict[str, str] | str]]:
    """Yield each student's answers by exercise, found as grading finds them; or why there are none."""
    for student in students:
        try:
            sent = sanitize(read_handed_in(directory, student, master).content, master)
        except SubmissionError as error:
            yield student, str(error)
            continue
        yield student, _with_helpers(sent, master) | _in_words(sent)


def _in_words(sent: Sanitized) -> dict[str, str]:
    """Return a student's answers in words."""
    marked = ((cell, cell.metadata.get("nbgrader", {}).get("grade_id")) for cell in sent.notebook.cells)
    return {name: cell.source for cell, name in marked if name in sent.in_words}


def _with_helpers(sent: Sanitized, master: Master) -> dict[str, str]:
    """Return a student's answers, each with what it needs, or may, of the other cells that they wrote.

    A cell of their own belongs to every answer that names what it defines, and to the next answer if there is
    none.
    """
    given, answers = {normal_source(source) for source in master.given_code}, dict(sent.answers)
    numbers = set(answers.values())
    own = {
        number: cell.source
        for number, cell in enumerate(sent.cells)
        if not cell.exercise and number not in numbers and normal_source(cell.source) not in given
    }
    places: dict[str, list[int]] = {}
    for number, source in own.items():
        for name in defined(source) | assigned(source):
            places.setdefault(name, []).append(number)
    parts = {name: [place, *_named(sent.cells[place].source, own, places)] for name, place in answers.items()}
    taken = {number for held in parts.values() for number in held}
    for number in own.keys() - taken if answers else ():
        behind = [name for name, place in answers.items() if place > number]
        parts[min(behind or answers, key=answers.__getitem__)].append(number)
    return {
        name: "\n\n".join(sent.cells[number].source for number in sorted(held))
        for name, held in parts.items()
    }


def _named(source: str, own: Mapping[int, str], places: Mapping[str, list[int]]) -> set[int]:
    """Return the cells that define what a source names, what these name, and so on."""
    found: set[int] = set()
    followed: set[str] = set()
    waiting = [source]
    while waiting:
        names = set(NAME.findall(waiting.pop())) - followed
        followed |= names
        new = {number for name in names for number in places.get(name, ())} - found
        found |= new
        waiting += [own[number] for number in new]
    return found


def survey(master: Master, answers: Mapping[str, Mapping[str, str] | str], top: int) -> Survey:
    """Return what the answers of a class have in common.

    Args:
        master: what was given, and what is asked.
        answers: by student; instead of them the reason why there are none.
        top: how many pairs to return.
    """
    read = {name: one for name, one in answers.items() if not isinstance(one, str)}
    students, readings = list(read), _readings(master)
    compared = {
        name: compare_answers(
            [frozenset(taken_from(one.get(name, ""))) for one in read.values()],
            _given(master, name, taken_from),
        )
        for name, taken_from in readings.items()
    }
    exercises = list(compared.values())
    pairs = near_pairs(exercises, len(students))
    agreements = agreement(exercises, pairs)
    usual = baseline(len(students), agreement(exercises, usual_pairs(len(students))), pairs, agreements)

    def pair(place: int) -> Pair:
        both = pairs[place]
        names = (students[both[0]], students[both[1]])
        value = float(agreements[place])
        shared = [
            _shared(
                master.parts[name], alike, [read[one][name] for one in names], one_exercise, readings[name]
            )
            for name, one_exercise in compared.items()
            if (alike := float(one_exercise.alike(both[None])[0])) > 0
        ]
        shared.sort(key=lambda one: -one.alike)
        return Pair(
            students=names,
            agreement=value,
            unusual=usual.unusual(value) if usual else None,
            exercises=tuple(shared),
            stands_out=usual is not None and usual.stands_out(value) and shared[0].alike >= HALF,
        )

    return Survey(
        assignment=master.chapter.stem,
        title=master.chapter.title,
        students=len(students),
        unread={name: one for name, one in answers.items() if isinstance(one, str)},
        unseen={
            (student, name): reason
            for student, one in read.items()
            for name, source in one.items()
            if name in master.exercises and (reason := not_seen(source))
        },
        baseline=usual,
        pairs=tuple(map(pair, most_alike(agreements, top))),
    )


def _shared(
    exercise: Part, alike: float, sources: Sequence[str], compared: Compared, taken_from: Fingerprinting
) -> Shared:
    """Return both answers with the places of what both have and that counts."""
    found = [taken_from(source) for source in sources]
    both = found[0].keys() & found[1].keys()
    counting = both & compared.weights.keys()
    first, second = (
        Side(source, tuple(sorted(place for one in counting for place in held[one])))
        for source, held in zip(sources, found, strict=True)
    )
    same = len(both) / len(found[0].keys() | found[1].keys())
    return Shared(exercise, alike, same, (first, second))


def _readings(master: Master) -> dict[str, Fingerprinting]:
    """Return how the fingerprints of an answer are taken, by exercise and question."""
    of_code = partial(fingerprints, known=_known(master))
    return dict.fromkeys(master.exercises, of_code) | dict.fromkeys(master.questions, word_fingerprints)


def _known(master: Master) -> frozenset[str]:
    """Return the names that are not a learner's own choice: what is imported, and what exercises ask for."""
    imported = (line for source in master.given_code for line in IMPORTED.findall(source))
    names = {name for line in imported for name in NAME.findall(line)}
    for exercise in master.chapter.exercises:
        names.add(exercise.subject)
        for asked in (*exercise.parameters, *exercise.biases, *exercise.attributes, *exercise.buffers):
            names |= set(asked.split("."))
    return frozenset(names)


def _given(master: Master, exercise: str, taken_from: Fingerprinting) -> frozenset[int]:
    """Return the fingerprints of what was given, and of the course's own answer."""
    given = master.given_prose if exercise in master.questions else master.given_code
    kind = "markdown" if exercise in master.questions else "code"
    sources = [*given, *(cell.source for cell in master.cells if cell.kind == kind)]
    sources += _own_answers(master.paths.solution(master.chapter), exercise)
    return frozenset(found for source in sources for found in taken_from(source))


def _own_answers(solution: Path, exercise: str) -> list[str]:
    """Return the course's own answer, where the course has its solution notebook."""
    if not solution.is_file():
        return []
    cells = nbformat.read(solution, as_version=4).cells
    return [one.source for one in cells if one.metadata.get("nbgrader", {}).get("grade_id") == exercise]
