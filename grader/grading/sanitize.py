"""Align a submission's cells with the master notebook, and make the result safe to run and to show.

For each cell of the master, ``CellMatcher`` decides which of the submitted cells it is. A cell's own claim
(``grade_id``, then cell id) counts unless its content contradicts it; then the content counts: a call of
``check`` is the check cell, a definition of the subject is the answer. Names are found with a regular
expression, not by parsing: hostile text can exhaust the parser's stack, and cells hold IPython commands. All
code runs in any case, so a wrong match only misplaces a check cell.
"""

import copy
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from grader.checking.deadline import TimeLimitExceededError, time_limit
from grader.course.notebooks import check_id
from grader.errors import SubmissionError
from grader.exercises import CHAPTERS, EXERCISES
from grader.grading import cell_notes
from grader.grading.escape_markdown import as_listing, escape_markdown, with_few_empty_lines
from grader.grading.imports import imported, lost_imports, may_stop
from grader.grading.language import claimed_language
from grader.grading.master import Master, MasterCell
from grader.grading.notebook_reader import ReadNotebook, SentCell, read_document, read_submission
from grader.grading.refusal import DAMAGED, refused, too_much
from grader.grading.stubs import answers
from grader.messages import Message, each_once, message, one_or_many, series
from grader.messages.message import Value
from grader.messages.speaking import SOURCES
from grader.sandbox.job import Cell

# Enough for a large notebook on a busy machine; a text that takes longer was made to.
READING_SECONDS = 60.0
MAX_NOTES = 40
DEFINITION = re.compile(r"^(?:class|def|async[ \t]+def)[ \t]+(\w+)", re.MULTILINE)
ASSIGNMENT = re.compile(r"^(\w++)[ \t]*+(?::[^=\n]*+)?=(?!=)", re.MULTILINE)
CHECK_CALL = re.compile(r"""check\(\s*+["']([\w-]++)["']\s*+,[^()\n]*+\)\s*+;?\s*+""")
# What IPython gives to the shell.
SHELL = re.compile(
    r"^[ \t]*+(?:\w++[ \t]*+=[ \t]*+)?"
    r"(?:!|%%?(?:pip|conda|mamba|micromamba|uv|sx|system|bash|sh|script|cmd)\b)",
    re.MULTILINE,
)
COMMENT = re.compile(r"^[ \t]*+#.*$", re.MULTILINE)
CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
# Keys of nbgrader's metadata that a student might want to change.
MARKS = ("grade", "solution", "locked", "points", "schema_version", "task")
# More points than any cell gives, within the range of a float.
MAX_POINTS = 1e6


@dataclass(frozen=True)
class Sanitized:
    """A submission, ready to run.

    Attributes:
        notebook: nbformat 4, without outputs, with the master's metadata.
        cells: what the sandbox runs: all code but what the course gave behind the last check.
        places: where each of them is in the notebook.
        answers: which of them holds an exercise's answer, by exercise, where one does.
        told: what was recovered or overwritten, one sentence each; nothing that the student wrote is in it.
        check_counts: how often the notebook says that exercises were checked, where it does.
        in_words: a digest of the answer, by question that is answered in words, where there is an answer.
        language: the code of the language that the notebook is in.
    """

    notebook: NotebookNode
    cells: tuple[Cell, ...]
    places: tuple[int, ...]
    answers: Mapping[str, int]
    told: tuple[Message, ...]
    check_counts: Mapping[str, int] = field(default_factory=dict)
    in_words: Mapping[str, str] = field(default_factory=dict)
    language: str = SOURCES

    @property
    def notes(self) -> tuple[str, ...]:
        """What was recovered or overwritten, in English."""
        return tuple(map(str, self.told))


def sanitize(content: bytes, master: Master) -> Sanitized:
    """Return a submission's bytes as a notebook that is aligned with the master.

    Raises:
        SubmissionError: they cannot be read as a notebook, or exceed a limit; one line says why.
    """
    return _in_time(lambda: _aligned(read_submission(content), master, claimed_language(content)))


def sanitize_notebook(notebook: object, master: Master, claimed: str = "") -> Sanitized:
    """Return a notebook that somebody has read already, aligned with the master.

    Args:
        notebook: as JSON has it.
        master: the chapter's master notebook.
        claimed: the language that the notebook claims to be in.

    Raises:
        SubmissionError: it is none, or exceeds a limit; one line says why.
    """
    return _in_time(lambda: _aligned(read_document(notebook), master, claimed))


def _in_time(read: Callable[[], Sanitized]) -> Sanitized:
    """Call a reader with a time limit."""
    try:
        with time_limit(READING_SECONDS):
            return read()
    except TimeLimitExceededError as error:
        raise too_much(
            message(
                "The notebook could not be read within {seconds} seconds; others take a moment.",
                seconds=f"{READING_SECONDS:g}",
            )
        ) from error


def _aligned(reading: ReadNotebook, master: Master, claimed: str) -> Sanitized:
    if not reading.cells:
        raise refused(message("The notebook has no cells that can be read."), DAMAGED)
    language = master.language_of(claimed, (cell.source for cell in reading.cells))
    return replace(CellMatcher(master.in_language(language), reading).sanitized(), language=language)


def normal_source(source: str) -> str:
    """Return a source without trailing white space."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def defined(source: str) -> frozenset[str]:
    """Return the names of the classes and functions that a cell defines."""
    return frozenset(DEFINITION.findall(source))


def assigned(source: str) -> frozenset[str]:
    """Return the names that a cell assigns."""
    return frozenset(ASSIGNMENT.findall(source))


@dataclass(frozen=True)
class _Sent:
    """A submitted cell, and what its content defines."""

    number: int
    cell: SentCell

    @cached_property
    def normal(self) -> str:
        return normal_source(self.cell.source)

    @cached_property
    def defined(self) -> frozenset[str]:
        """Names of the classes and functions that it defines."""
        return defined(self.cell.source)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names that it defines or assigns."""
        return self.defined | assigned(self.cell.source)

    @cached_property
    def checks(self) -> str:
        """The exercise that it checks, if it does nothing else."""
        if self.cell.kind != "code" or "check(" not in self.cell.source:
            return ""
        call = CHECK_CALL.fullmatch(COMMENT.sub("", self.cell.source).strip())
        return call[1] if call else ""

    @property
    def is_code(self) -> bool:
        return self.cell.kind == "code"


@dataclass
class CellMatcher:
    """Matches the submitted cells with the master's cells, step by step."""

    master: Master
    reading: ReadNotebook
    told: list[Message] = field(default_factory=list)
    taken: dict[int, MasterCell] = field(default_factory=dict)
    plain: set[int] = field(default_factory=set)
    dropped: set[int] = field(default_factory=set)
    claims: dict[str, list[_Sent]] = field(default_factory=lambda: defaultdict(list))
    last_of: dict[str, int] = field(default_factory=dict)
    checks_at: dict[int, list[MasterCell]] = field(default_factory=lambda: defaultdict(list))
    check_counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Look at each cell by itself."""
        self.sent = [_Sent(number, cell) for number, cell in enumerate(self.reading.cells)]
        self.told.extend(self.reading.told)
        self.subjects = {one.subject: one.id for one in self.master.exercises.values()}

    def sanitized(self) -> Sanitized:
        """Return the aligned notebook."""
        self._collect_claims()
        self._expect_the_chapter()
        for target in self.master.cells:
            if target.role != "check":
                self._settle(target)
        for target in self.master.written.values():
            self._look_by_name(target)
        for target in self.master.written.values():
            self._look_before_check(target)
        for target in self.master.words.values():
            if not self.claims.get(target.grade_id):
                self._note(target, cell_notes.PUT_BACK_BLANK)
        for target in self.master.checks.values():
            self._place_check(target)
        return self._assemble()

    # Claims of the cells.

    def _collect_claims(self) -> None:
        named = {one.number: self._named(one) for one in self.sent}
        reached = {target.grade_id for target, by in named.values() if target and by != "id"}
        for one in self.sent:
            target, by = named[one.number]
            if target is None or (by == "id" and target.grade_id in reached):
                continue
            self.claims[target.grade_id].append(one)
            if by == "id":
                self._note(target, cell_notes.FOUND_BY_ID)
            elif by == "content":
                self._note(target, cell_notes.FOUND_BY_CALL)
            elif self._was_changed(one, target):
                self._note(target, cell_notes.CHANGED_METADATA)

    def _named(self, one: _Sent) -> tuple[MasterCell | None, str]:
        """Return the master's cell that a submitted one claims to be, and by which evidence."""
        claimed = self.master.by_grade_id.get(one.cell.grade_id)
        if called := self.master.checks.get(one.checks):
            return called, "grade_id" if claimed is called else "content"
        for target, by in ((claimed, "grade_id"), (self.master.by_cell_id.get(one.cell.cell_id), "id")):
            if target is not None and not self._contradicts(one, target):
                return target, by
        return None, ""

    def _contradicts(self, one: _Sent, target: MasterCell) -> bool:
        """Return whether a cell defines another exercise's subject, and not its own."""
        if target.role != "written" or not target.exercise or not one.is_code:
            return False
        asked = {self.subjects[name] for name in one.names if name in self.subjects}
        return bool(asked) and target.exercise not in asked

    @staticmethod
    def _was_changed(one: _Sent, target: MasterCell) -> bool:
        marks, ours = one.cell.marks or {}, target.metadata["nbgrader"]
        changed = {name for name in MARKS if marks.get(name, ours.get(name)) != ours.get(name)}
        return bool(changed) and not (changed == {"points"} and _was_released(target, marks))

    def _expect_the_chapter(self) -> None:
        """Reject a notebook of another chapter or of none.

        Raises:
            SubmissionError: none of the chapter's cells is in it, and half of another one's exercises or
                nothing that has a name which the chapter asks for.
        """
        if self.claims:
            return
        ours = self.master.chapter
        marks = {mark for one in self.sent for mark in (one.cell.grade_id, one.cell.cell_id, one.checks)}
        named = {one.id: one for one in EXERCISES.values() if marks & {one.id, check_id(one)}}
        for stem, number in Counter(one.chapter for one in named.values()).most_common(1):
            if 2 * number >= len(CHAPTERS[stem].exercises):
                raise SubmissionError(
                    message(
                        "This is the notebook of {other} ({other_title}), and that of {chapter} ({title}) "
                        "was asked for. Hand in {chapter}.ipynb.",
                        other=stem,
                        other_title=Message(CHAPTERS[stem].title),
                        chapter=ours.stem,
                        title=Message(ours.title),
                    )
                )
        if not any(one.names & self.subjects.keys() for one in self.sent):
            raise SubmissionError(
                message(
                    "Nothing in this notebook is of {chapter} ({title}): none of its cells, and none of the "
                    "names that it asks for ({names}). Hand in {chapter}.ipynb.",
                    chapter=ours.stem,
                    title=Message(ours.title),
                    names=series(self.subjects),
                )
            )

    # Which of several cells is meant.

    def _settle(self, target: MasterCell) -> None:
        """Choose among the cells that claim to be the same cell of the master."""
        claimants = self.claims.get(target.grade_id, [])
        if not claimants:
            return
        if target.role == "locked":
            self._take(claimants[:1], target)
            self._drop(claimants[1:])
            return
        stub = normal_source(target.source)
        edited = [one for one in claimants if one.normal not in ("", stub)]
        code = [one for one in edited if one.is_code] if target.kind == "code" else edited
        first_of_each = {one.normal: one for one in reversed(code or edited)}.values()
        chosen = sorted(first_of_each, key=lambda one: one.number) or claimants[:1]
        numbers = {one.number for one in chosen}
        others = [one for one in claimants if one.number not in numbers]
        prose = [one for one in others if not one.is_code and target.kind == "code" and one.normal]
        self._drop(others)
        self.dropped -= {one.number for one in prose}
        counts = self._last_checked(chosen, target)
        self._take([*(one for one in chosen if one is not counts), counts], target)
        if len(chosen) > 1:
            self._note(target, cell_notes.ALL_RAN, number=len(chosen))
        elif len(claimants) > 1:
            self._note(target, cell_notes.ONE_COUNTED, number=len(claimants))

    def _last_checked(self, chosen: list[_Sent], target: MasterCell) -> _Sent:
        """Return which of an answer's copies counts: the last one that a check saw, else the last of all."""
        asked = self.master.exercises.get(target.exercise)
        if asked is None or len(chosen) == 1:
            return chosen[-1]
        check = self._last_check(target)
        seen = (one for one in reversed(chosen) if one.number < check)
        return next(
            (one for one in seen if answers(one.cell.source, asked.subject, target.source)), chosen[-1]
        )

    def _last_check(self, target: MasterCell) -> int:
        """Return where the last check of an answer stands; behind all cells, if it has none."""
        checks = self.claims.get(self.master.checks[target.exercise].grade_id, [])
        return max((one.number for one in checks), default=len(self.sent))

    def _take(self, chosen: list[_Sent], target: MasterCell) -> None:
        """Match the last of the chosen cells with the master's; the others run as ordinary cells."""
        *before, last = chosen
        self.plain |= {one.number for one in before if target.kind == "code"}
        self.taken[last.number] = target
        if target.exercise:
            self.last_of[target.exercise] = last.number
        if last.cell.kind != target.kind:
            self._note(target, cell_notes.OTHER_KIND, kind=cell_notes.KIND_WORDS[target.kind])

    def _drop(self, cells: Iterable[_Sent]) -> None:
        self.dropped |= {one.number for one in cells}

    def _look_by_name(self, target: MasterCell) -> None:
        """Look for an answer outside its own cell: where that is gone, or holds nothing but the stub."""
        asked = self.master.exercises.get(target.exercise)
        if asked is None:
            return
        own = self._own_cell(target)
        named = [one for one in self.sent if one is not own and self._may_hold(one, asked.subject)]
        if own and answers(own.cell.source, asked.subject, target.source):
            self._note_rivals(named, own, target)
            return
        likely = sorted(named, key=self._likelihood(own, target), reverse=True)
        home = next((one for one in likely if answers(one.cell.source, asked.subject, target.source)), None)
        if home is None:
            return
        if own:
            self._leave(own, home, target)
        self._note_rivals(named, home, target)
        self.last_of[target.exercise] = home.number
        if home.number in self.taken:
            blank, missing = cell_notes.BLANK_ANSWERED_ELSEWHERE, cell_notes.MISSING_ANSWERED_ELSEWHERE
            self._note(target, blank if own else missing)
            return
        self.taken[home.number] = target
        self.plain.discard(home.number)
        self._note(target, cell_notes.FOUND_BY_NAME)

    def _note_rivals(self, named: list[_Sent], answer: _Sent, target: MasterCell) -> None:
        """Note that what an answer defines is defined again behind it, in no other answer's cell."""
        subject = self.master.exercises[target.exercise].subject
        others = [one for one in named if one.is_code and one.number not in self.taken]
        behind = [one for one in others if one.number > answer.number and subject in one.defined]
        if any(answers(one.cell.source, subject, target.source) for one in behind):
            self._note(target, cell_notes.DEFINED_AGAIN, subject=subject)

    def _own_cell(self, target: MasterCell) -> _Sent | None:
        number = self.last_of.get(target.exercise)
        return None if number is None else self.sent[number]

    def _likelihood(self, own: _Sent | None, target: MasterCell) -> Callable[[_Sent], tuple[int, ...]]:
        """Return what orders cells by how likely they hold an answer: the last that is code and defines it.

        One that a check saw goes first; what stands before an untouched stub, no check saw.
        """
        subject, check = self.master.exercises[target.exercise].subject, self._last_check(target)
        stub = own is not None and own.normal in ("", normal_source(target.source))
        since = own.number if own and stub else -1
        return lambda one: (one.is_code, since < one.number < check, subject in one.defined, one.number)

    def _leave(self, own: _Sent, home: _Sent, target: MasterCell) -> None:
        """Unmatch a cell; it is not run if it would overwrite the answer with the stub."""
        self.taken.pop(own.number)
        stub_again = own.number > home.number and own.names == {
            self.master.exercises[target.exercise].subject
        }
        if own.normal in ("", normal_source(target.source)) or stub_again:
            self.dropped.add(own.number)

    def _look_before_check(self, target: MasterCell) -> None:
        """Take what stands before an exercise's check for its answer, where nothing has its name."""
        if target.exercise in self.last_of or target.exercise not in self.master.exercises:
            return
        checks = self.claims.get(self.master.checks[target.exercise].grade_id, [])
        before = [one for one in self.sent if checks and one.number < checks[0].number and one.is_code]
        if not before or not self._is_free(before[-1]):
            self._note(target, cell_notes.IS_MISSING)
            return
        self._take(before[-1:], target)
        self._note(target, cell_notes.UNDEFINED, subject=self.master.exercises[target.exercise].subject)

    def _is_free(self, one: _Sent) -> bool:
        """Return whether a cell defines something, and is taken for no other."""
        free = (
            one.number not in self.taken and one.number not in self.dropped and one.number not in self.plain
        )
        return bool(one.defined) and free and not one.checks and one.cell.source not in self.master.given_code

    def _may_hold(self, one: _Sent, subject: str) -> bool:
        """Return whether an answer may be looked for in a cell: the student has written the name there."""
        if subject not in one.names or one.number in self.dropped:
            return False
        if one.is_code:
            return one.cell.source not in self.master.given_code
        return one.cell.source not in self.master.given_prose and "```" not in one.cell.source

    # Where the check cells go.

    def _place_check(self, target: MasterCell) -> None:
        """Put an exercise's check where the student's stood, but never before the answer."""
        sent = self.claims.get(target.grade_id, [])
        if said := [
            one.cell.check_counts[target.exercise] for one in sent if target.exercise in one.cell.check_counts
        ]:
            self.check_counts[target.exercise] = max(said)
        answer = self.last_of.get(target.exercise, -1)
        after = [one.number for one in sent if one.number >= answer]
        if after:
            place = after[0]
        elif answer >= 0:
            place = answer
        else:
            place = len(self.sent) - 1
        self.checks_at[place].append(target)
        if not sent:
            self._note(target, cell_notes.PUT_BACK)
        elif not after:
            self._note(target, cell_notes.MOVED)
        if len(sent) > 1:
            self._note(target, cell_notes.ONE_RAN, number=len(sent))
        master = normal_source(target.source)
        for one in sent:
            if one.normal != master or not one.is_code:
                self._note(target, cell_notes.CHANGED)
            self._keep_or_drop(one, target)

    def _keep_or_drop(self, one: _Sent, target: MasterCell) -> None:
        """Run what a changed check cell defines if nothing else does; else it is the master's alone."""
        if one.number in self.taken:
            return
        if any(self.definitions[name] == 1 for name in one.defined):
            self.plain.add(one.number)
            self._note(target, cell_notes.OWN_DEFINITIONS)
        else:
            self.dropped.add(one.number)
            self.definitions.subtract(one.defined)

    @cached_property
    def definitions(self) -> Counter[str]:
        """How many cells define each name; first used when the answers' own cells are matched."""
        cells = (one for one in self.sent if one.number not in self.dropped)
        return Counter(name for one in cells for name in one.defined)

    # Assembling the notebook.

    def _assemble(self) -> Sanitized:
        built, jobs, places, job_of = [], [], [], {}
        ids = _Ids(target.cell_id for target in self.master.cells)
        if lost := self._lost_imports():
            jobs.append(Cell("\n".join(lost)))
            places.append(0)
            built.append(_notebook_cell("code", jobs[0].source, ids.unused("imports", 0), {}))
        for one in self.sent:
            if one.number not in self.dropped:
                cell, target = self._built(one, ids), self.taken.get(one.number)
                if (
                    cell["cell_type"] == "code"
                    and (target or cell["source"].strip())
                    and cell["source"] not in self.master.finders
                ):
                    self._note_commands(len(built) + 1, cell["source"])
                    job_of[one.number] = len(jobs)
                    jobs.append(Cell(cell["source"]))
                    places.append(len(built))
                built.append(cell)
            for target in self.checks_at.get(one.number, ()):
                jobs.append(Cell(target.source, target.exercise))
                places.append(len(built))
                built.append(_notebook_cell("code", target.source, target.cell_id, target.metadata))
        while jobs and not jobs[-1].exercise and jobs[-1].source in self.master.given_code:
            jobs.pop()  # given, and behind all checks: it decides nothing, and often it trains a model
            places.pop()
        notebook = {
            "cells": built,
            "metadata": copy.deepcopy(dict(self.master.notebook_metadata)),
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        told = each_once(self.told)
        if (more := len(told) - MAX_NOTES) > 0:
            counted = one_or_many(
                "And {count} more of such remarks.", "And {count} more of such remarks.", more
            )
            told[MAX_NOTES:] = [counted]
        in_words = self._in_words()
        for target in self.master.words.values():
            if target not in self.taken.values():  # put back, so that formgrader has a place for the points
                built.append(_notebook_cell(target.kind, target.source, target.cell_id, target.metadata))
        answers = {name: job_of[number] for name, number in self.last_of.items() if number in job_of}
        return Sanitized(
            notebook=nbformat.from_dict(notebook),
            cells=tuple(jobs),
            places=tuple(places),
            answers=answers,
            told=tuple(told),
            check_counts=self.check_counts,
            in_words=in_words,
        )

    def _in_words(self) -> dict[str, str]:
        """Return digests of the answers in words, where there is more than what was given."""
        return {
            target.grade_id: hashlib.sha256(self.sent[number].normal.encode()).hexdigest()[:16]
            for number, target in self.taken.items()
            if target.role == "words" and self.sent[number].normal not in ("", normal_source(target.source))
        }

    def _built(self, one: _Sent, ids: "_Ids") -> dict:
        target = self.taken.get(one.number)
        if target is not None:
            source = target.source if target.role == "locked" else one.cell.source
            if target.role != "locked":
                source = with_few_empty_lines(source) if target.kind == "code" else escape_markdown(source)
            return _notebook_cell(target.kind, source, target.cell_id, target.metadata)
        name = ids.unused(one.cell.cell_id, one.number)
        if one.is_code or one.number in self.plain:
            return _notebook_cell("code", with_few_empty_lines(one.cell.source), name, {})
        if one.cell.kind == "raw":
            return _notebook_cell("markdown", as_listing(one.cell.source), name, {})
        given = one.cell.source in self.master.given_prose
        source = one.cell.source if given else escape_markdown(one.cell.source)
        return _notebook_cell("markdown", source, name, {})

    def _note_commands(self, number: int, source: str) -> None:
        if SHELL.search(source):
            self.told.append(
                message(
                    "Cell {cell} calls the system's shell (! or %pip, or %%bash): that is left out, for "
                    "grading starts no other program.",
                    cell=number,
                )
            )

    def _lost_imports(self) -> tuple[str, ...]:
        """Return what the first given code imports, all others use, and nothing up to the first answer has.

        Nor does a cell that may stop before it comes to that. Of other given code nobody could tell: its text
        and ids change with every correction of the chapter.
        """
        code = [one for one in self.sent if one.is_code and one.number not in self.dropped]
        first_answer = min(self.last_of.values(), default=len(self.sent))
        given = next(iter(self.master.first_code), "")
        bound, unsure = set(), set()
        for one in code:
            if one.number <= first_answer:
                imports = imported(one.cell.source)
                stops = imports and not one.defined and may_stop(one.cell.source, given)
                (unsure if stops else bound).update(imports)
                bound |= one.names
        lost = lost_imports(given, frozenset(bound), (one.cell.source for one in code))
        self._note_imports(lost, unsure)
        return lost

    def _note_imports(self, lost: Iterable[str], unsure: set[str]) -> None:
        """Say which imports run before all other code, and why: they are nowhere, or somewhere unsure."""
        changed = [line for line in lost if imported(line) <= unsure]
        missing = [line for line in lost if line not in changed]
        for lines, sentence in ((missing, cell_notes.IMPORTS_MISSING), (changed, cell_notes.IMPORTS_UNSURE)):
            if lines:
                told = ", ".join(f"`{line}`" for line in lines)
                self.told.append(replace(sentence, values={"lines": told}))

    def _note(self, target: MasterCell, sentence: Message, **values: Value) -> None:
        """Tell what happened to a cell of the master; the sentence has a place for its name."""
        self.told.append(replace(sentence, values={"cell": target.grade_id, **values}))


class _Ids:
    """Gives out cell ids that are valid and used once; the master's are for its own cells."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self.used = set(reserved)

    def unused(self, wanted: str, number: int) -> str:
        """Return the wanted id if it is valid and free, else one made from the cell's number."""
        name = wanted if CELL_ID.fullmatch(wanted) else f"cell-{number + 1}"
        tries = count()
        while name in self.used:
            name = f"cell-{number + 1}-{next(tries)}"
        self.used.add(name)
        return name


def _was_released(target: MasterCell, marks: Mapping[str, object]) -> bool:
    """Return whether a check cell was given to students with other points, which were changed since.

    nbgrader's checksum is over the points, too.
    """
    points = marks["points"]
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points <= MAX_POINTS:
        return False
    metadata = {"nbgrader": {**target.metadata["nbgrader"], "points": points}}
    cell = {"cell_type": target.kind, "source": target.source, "metadata": metadata}
    return marks.get("checksum") == compute_checksum(nbformat.from_dict(cell))


def _notebook_cell(kind: str, source: str, cell_id: str, metadata: Mapping[str, object]) -> dict:
    cell = {
        "cell_type": kind,
        "id": cell_id,
        "metadata": copy.deepcopy(dict(metadata)),
        "source": source,
    }
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell
