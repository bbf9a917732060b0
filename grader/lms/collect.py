"""Collect a download of Moodle or Canvas into the folder of submissions: first plan, then write."""

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from grader.errors import GraderError
from grader.files import write_whole
from grader.grading.collected import (
    COLLECTED,
    NOT_COLLECTED,
    Collected,
    left_out,
    not_taken,
    read_collected,
    turned_away,
)
from grader.grading.folder import listing_of, opened, printable
from grader.grading.not_taken import NotTaken, read_not_taken, write_not_taken
from grader.grading.notebook_reader import MAX_FILE
from grader.grading.submissions import TIMESTAMP, students_in
from grader.lms.extra_files import CameWith, came_with, may_lie_beside
from grader.lms.plan import Plan, PlanStep
from grader.lms.students import alike, claimants, folder_problem, known_names, owners, roster_numbers
from grader.lms.systems import System
from grader.lms.uploads import UNTIMED, Upload, is_test_student, number_in, uploads_of
from grader.reporting.exports.grades import Person
from grader.reporting.exports.unplaced import Unplaced, read_unplaced, write_unplaced

# A notebook as some browsers and systems save it.
OTHER_ENDING = re.compile(r"\.ipynb\.\w+$|\.json$", re.IGNORECASE)
NO_NOTEBOOK = "no notebook is among what was handed in"
# Ranks of notebooks: an unreadable one ranks above a blank one, for it may hold answers; a person decides.
BLANK, UNREADABLE, ANSWERED = range(3)
# Actions that take a notebook.
TAKEN = ("new", "newer", "same")
LESS = {BLANK: "is blank", UNREADABLE: "cannot be read, or is not of this chapter"}
UNKNOWN_ORDER = "and nothing says which of the two is later; --force replaces it"
NOT_CLEAR = "it may be of one of several people of this name, so a person has to say whose it is"
OTHER_NUMBER = (
    "its number is {}, and this name had {} in an earlier download: a person has to say whose it is"
)
NOT_THE_ROSTER_S = "its number is {}, and the roster has {} for this name: a person has to say whose it is"
# Note for a possible owner of an unplaced upload; its name is not shown, it may be somebody else's.
LIKE_THIS = (
    "what came under a name that shares a word with this student's and that nobody in the roster has: a "
    "person has to say whose it is"
)


@dataclass(frozen=True)
class Collection:
    """Collects a chapter's downloads into a course.

    Attributes:
        directory: nbgrader's view of the course.
        chapter: its stem.
        people: the students who are known.
        take_names: whether unknown students get a folder by their name in the download.
        whose: students by number in the download, as given on the command line.
        force: whether to replace work that is newer, was not collected, has answers while the new one has
            none, or had another number.
        has_answers: whether somebody has written in a notebook; None where that cannot be said.
    """

    directory: CourseDirectory
    chapter: str
    people: Sequence[Person]
    take_names: bool = False
    whose: Mapping[str, str] = field(default_factory=dict)
    force: bool = False
    has_answers: Callable[[bytes], bool | None] = lambda content: None

    def folder(self, student: str) -> Path:
        """Return the folder of a student's submission."""
        return Path(self.directory.format_path(self.directory.submitted_directory, student, self.chapter))

    def plan(self, members: Sequence, asked: str) -> Plan:
        """Return the plan for a download; nothing is written.

        Args:
            members: its files.
            asked: the system, or ``auto``.

        Raises:
            GraderError: it is not clear whose download it is, or what a person said of it does not fit it.
        """
        system, uploads, nobody_s = uploads_of(members, asked)
        known = owners(self.people, uploads, system)
        if self.take_names:
            known = _named(uploads, system) | known
        known |= self._said(uploads, known)
        by_student, unknown, unclear, tests = defaultdict(list), [], [], []
        names = known_names(self.people, uploads, system)
        for one in uploads:
            student = known.get((one.name, one.number))
            nobody = unclear if one.name in names else tests if is_test_student(one, system) else unknown
            (nobody if student is None else by_student[student]).append(one)
        others = {one: self._other_number(one, uploads[0], system) for one, uploads in by_student.items()}
        clear = sorted(student for student, number in others.items() if not number)
        renumbered = tuple(
            (one, number) for student, number in others.items() if number for one in by_student[student]
        )
        numbers = roster_numbers(self.people, unclear, system)
        misnumbered = tuple(
            (one, numbers[one.name, one.number]) for one in unclear if (one.name, one.number) in numbers
        )
        unclear = [one for one in unclear if (one.name, one.number) not in numbers]
        reasons = dict.fromkeys([*unclear, *unknown], NOT_CLEAR)
        reasons |= {one: OTHER_NUMBER.format(one.number, number) for one, number in renumbered}
        reasons |= {one: NOT_THE_ROSTER_S.format(one.number, number) for one, number in misnumbered}
        return Plan(
            system=system,
            steps=tuple(self._step(student, by_student[student], system) for student in clear),
            unknown=tuple(unknown),
            unclear=tuple(unclear),
            tests=tuple(tests),
            renumbered=renumbered,
            misnumbered=misnumbered,
            nobody_s=tuple(one.path for one in nobody_s),
            waiting=tuple(self._waiting(reasons, {*clear}, system)),
        )

    def _said(self, uploads: Sequence[Upload], known: Mapping[tuple, str]) -> dict[tuple, str]:
        """Return the owners of uploads that were assigned by number on the command line.

        Raises:
            GraderError: a number is not in the download, or a student is not known, or has another one there.
        """
        there, ids = {one.number for one in uploads}, {one.id for one in self.people}
        owner_of = {(one.name, one.number) for one in uploads}
        for number, student in self.whose.items():
            if number not in there:
                raise GraderError(f"--whose {number}={printable(student)}: the download has no such number.")
            if student not in ids:
                raise GraderError(
                    f"--whose {number}={printable(student)}: the roster and the gradebook have no such "
                    "student. Give an id of theirs."
                )
        said = {owner: self.whose[owner[1]] for owner in owner_of if owner[1] in self.whose}
        numbers = defaultdict(set)
        for (_, number), student in {**known, **said}.items():
            numbers[student].add(number)
        for student in said.values():
            if len(numbers[student]) > 1:
                found = ", ".join(sorted(numbers[student]))
                raise GraderError(f"--whose: {printable(student)} would have several numbers: {found}.")
        return said

    def _waiting(self, reasons: Mapping[Upload, str], placed: set[str], system: System) -> Iterator[PlanStep]:
        """Yield a step for each student without work who may own what has no place, which has a reason."""
        claims = self._claims(reasons, system)
        may_own: dict[str, list[Upload]] = defaultdict(list)
        like: dict[str, list[Upload]] = defaultdict(list)
        for one in reasons:
            students = claims[one.name, one.number]
            for student in students or alike(self.people, one.name, system):
                (may_own if students else like)[student].append(one)
        for student in sorted({*may_own, *like} - placed):
            if not self._has_notebook(student):
                first, *others = may_own[student] or like[student]
                why = reasons[first] if may_own[student] else LIKE_THIS
                yield PlanStep(student, first, tuple(others), "unplaced", why)

    def _claims(self, uploads: Iterable[Upload], system: System) -> dict[tuple, set[str]]:
        """Return who may own uploads: by the roster, and by the number of what was collected before."""
        claims = claimants(self.people, uploads, system)
        earlier = defaultdict(set)
        submitted = self.directory.submitted_directory
        for student in students_in(self.directory, submitted, self.chapter) if claims else ():
            before = self._before(student)
            if before is not None and before.system == system:
                earlier[number_in(before.place, system)].add(student)
        return {owner: students | earlier[owner[1]] for owner, students in claims.items()}

    def _other_number(self, student: str, upload: Upload, system: System) -> str:
        """Return the other number of who was collected under a student's name before; empty if none was.

        Somebody else of the same name may have it.
        """
        said = self.force or upload.number in self.whose
        before = None if said else self._before(student)
        if before is None or before.system != system:
            return ""
        number = number_in(before.place, system)
        return number if number != upload.number else ""

    def _step(self, student: str, uploads: list[Upload], system: System) -> PlanStep:
        """Return the plan for a student's uploads.

        One with answers comes first, and of several such one with the chapter's own name; then the chapter's
        own name, one that is not blank, the latest upload, the copy with the largest number in its name, and
        the last name.
        """
        notebooks = [one for one in uploads if one.is_notebook]
        if not notebooks:
            action = "kept" if self._has_notebook(student) else "without"
            kinds = sorted({one.kind for one in uploads} - {""})
            why = f"{NO_NOTEBOOK}, but {' and '.join(kinds)}" if kinds else NO_NOTEBOOK
            if renamed := [one.file for one in uploads if OTHER_ENDING.search(one.file)]:
                name = printable(renamed[0])
                why += f"; {name} may be one: rename it to end in .ipynb, and collect the folder"
            return PlanStep(student, uploads[0], tuple(uploads[1:]), action, why)
        worth = {one.file: self._worth_of(one) for one in notebooks} if len(notebooks) > 1 else {}

        def order(one: Upload) -> tuple:
            of, named = worth.get(one.file, BLANK), one.is_named(self.chapter)
            return of == ANSWERED, named, of, one.rank, one.copies, one.file

        chosen = max(notebooks, key=order)
        others = tuple(one for one in uploads if one is not chosen)
        beside = {worth[one.file] for one in notebooks if one.is_named(self.chapter)} if worth else set()
        lesser = {of for of in beside if of < worth[chosen.file]}
        why = " and ".join(f"one beside it {LESS[one]}" for one in sorted(lesser))
        step = PlanStep(student, chosen, others, "new", why)
        if problem := chosen.member.problem:
            return replace(step, action="refused", why=problem)
        step = self._compared(step, system)
        taken = step.action in TAKEN and not step.settled
        return replace(step, came_with=came_with(others, system)) if taken else step

    def _has_notebook(self, student: str) -> bool:
        with suppress(OSError), opened(str(self.folder(student)), None, os.O_DIRECTORY) as folder:
            return bool(listing_of(folder).notebooks)
        return False

    def _worth_of(self, upload: Upload) -> int:
        """Return an upload's rank among others; problems are reported only for the chosen one."""
        if upload.member.problem:
            return UNREADABLE
        try:
            return self._worth(upload.member.read())
        except GraderError:
            return UNREADABLE

    def _worth(self, content: bytes) -> int:
        """Return a notebook's rank among those of the same student."""
        return {False: BLANK, None: UNREADABLE, True: ANSWERED}[self.has_answers(content)]

    def _compared(self, step: PlanStep, system: System) -> PlanStep:
        """Return a step that takes work that is there already into account."""
        place = self.folder(step.student)
        there, timed = place / f"{self.chapter}.ipynb", (place / TIMESTAMP).is_file()
        try:
            if not there.is_file():
                return replace(step, untimed=timed)
            content = step.upload.member.read()
            before = read_collected(place)
        except GraderError as error:
            return replace(step, action="refused", why=str(error))
        if _same_content(there, content):
            return self._same(step, before, system)
        if self.force:
            return replace(step, action="newer", untimed=timed)
        if before is None:
            why = "the work that is there was not collected; --force replaces it"
        elif before.digest != _digest_of(there):
            why = "the work that is there was changed since it was collected; --force replaces it"
        elif before.system != system:
            why = f"the work that is there came from {before.system.title()}, {UNKNOWN_ORDER}"
        elif system == "moodle" and step.upload.rank == UNTIMED:
            why = f"it has the time of unpacking or copying, {UNKNOWN_ORDER}"
        elif before.rank > step.upload.rank:
            why = "the work that is there was handed in later; --force replaces it"
        elif (worth := self._worth(content)) < self._worth(there.read_bytes()):
            why = f"it {LESS[worth]}, and the work that is there is not so; --force replaces it"
        else:
            return replace(step, action="newer", untimed=timed)
        return replace(step, action="kept", why=why)

    def _same(self, step: PlanStep, before: Collected | None, system: System) -> PlanStep:
        """Return a step whose notebook is there already: what came beside it may be older, or another's."""
        earlier = before and (before.system != system or before.rank > step.upload.rank)
        if earlier and not self.force:
            return replace(step, action="same", settled=True)
        known = before and before.place == step.upload.place
        return replace(step, action="same" if known else "newer")

    def write(self, plan: Plan) -> Iterator[PlanStep]:
        """Carry out a plan, and yield each step with its result: a damaged file is refused."""
        done = []
        for step in plan.steps:
            done.append(self._written(step, plan.system))
            yield done[-1]
        for step in plan.waiting:
            self._turn_away(step, plan.system)
        self._remember(plan)
        self._remember_not_taken(done, plan.system)

    def _remember(self, plan: Plan) -> None:
        """Save the unplaced uploads, with earlier ones that this download does not contain."""
        root = Path(self.directory.root)
        files = defaultdict(list)
        for one in plan.not_placed:
            files[one.name, one.number].append(one.member.path)
        claims = self._claims(plan.not_placed, plan.system)
        now = [
            Unplaced(plan.system, *owner, tuple(sorted(students)), tuple(files[owner]))
            for owner, students in sorted(claims.items())
        ]
        asked = {(one.system, one.name, one.number) for one in now}
        asked |= {(plan.system, one.upload.name, one.upload.number) for one in plan.steps}
        earlier = read_unplaced(root, self.chapter)
        kept = [one for one in earlier if (one.system, one.name, one.number) not in asked]
        write_unplaced(root, self.chapter, [*kept, *now])

    def _remember_not_taken(self, steps: Iterable[PlanStep], system: System) -> None:
        """Save, by student with work, the latest upload that is not taken, until a later one is."""
        root = Path(self.directory.root)
        left = read_not_taken(root, self.chapter)
        for step in steps:
            student, rank, earlier = step.student, step.rank, left.get(step.student)
            older = earlier is not None and earlier.system == system and rank < earlier.rank
            if step.action in TAKEN:
                elsewhere = earlier is not None and earlier.system != system and step.action == "same"
                if self.force or not (older or elsewhere):
                    left.pop(student, None)
            elif not older and self._has_notebook(student) and (said := self._newer(step, system)):
                left[student] = NotTaken(student, system, rank, said)
        write_not_taken(root, self.chapter, left.values())

    def _newer(self, step: PlanStep, system: System) -> str:
        """Return a note on an upload that is not taken; empty if it is not newer than the work there."""
        before, upload = self._before(step.student), step.upload
        told = f"came and was not collected: {upload.member.path} ({step.why})."
        if before is None or before.system != system or UNTIMED in (before.rank, step.rank):
            return f"A file that may be newer {told}"
        same = (before.place, before.file) == (upload.place, upload.file)
        if step.rank < before.rank or (same and step.rank == before.rank):
            return ""
        return f"A newer file {told}"

    def _written(self, step: PlanStep, system: System) -> PlanStep:
        if step.action in TAKEN and not step.settled:
            try:
                content = step.upload.member.read()
            except GraderError as error:
                step = replace(step, action="refused", why=str(error), untimed=False, came_with=CameWith())
            else:
                step = self._put(step, content, system)
                self._tell_others(step)
        if step.action in ("refused", "without"):
            self._turn_away(step, system)
        return step

    def _tell_others(self, step: PlanStep) -> None:
        """Write a note to a student's folder on files that came with the notebook; grading reports it."""
        place, notebooks = self.folder(step.student) / NOT_COLLECTED, [one.file for one in step.notebooks]
        if others := [*notebooks, *step.came_with.left_out]:
            write_whole(place, left_out(step.upload.file, others))
        else:
            place.unlink(missing_ok=True)

    def _turn_away(self, step: PlanStep, system: System) -> None:
        """Write a note to a student's folder without a notebook; grading reports it as an error."""
        if self._has_notebook(step.student):
            return
        others = [one.member.path for one in step.others]
        told = turned_away(step.upload.member.path, step.why, others)
        text = not_taken(LIKE_THIS) if step.why == LIKE_THIS else told
        place = self.folder(step.student)
        if step.action != "unplaced" and not (
            _same_content(place / NOT_COLLECTED, text.encode()) and (place / COLLECTED).is_file()
        ):  # the page that says so goes back there; the time stays while nothing else comes
            write_whole(place / COLLECTED, _known(step.upload, system, b"").to_json())
        write_whole(place / NOT_COLLECTED, text)

    @property
    def replaced(self) -> Path:
        """Where notebooks are kept that newer ones have replaced, in a folder for each student."""
        return Path(self.directory.root, "downloaded", self.chapter, "replaced")

    def _keep(self, student: str, there: Path) -> None:
        """Keep a file that is replaced."""
        if there.is_file():
            kept = f"{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}-{_digest_of(there)[:8]}{there.suffix}"
            write_whole(self.replaced / student / kept, there.read_bytes())

    def _put(self, step: PlanStep, content: bytes, system: System) -> PlanStep:
        """Write a notebook and the files beside it, and last the record of the collection.

        Returns:
            The step, with what of the files was left out after all.
        """
        place, before = self.folder(step.student), self._before(step.student)
        there = place / f"{self.chapter}.ipynb"
        if not _same_content(there, content):
            (place / TIMESTAMP).unlink(missing_ok=True)
            self._keep(step.student, there)
            write_whole(there, content)
        step = self._put_beside(step, before.beside if before else [])
        known = _known(step.upload, system, content, [name for name, _ in step.came_with.files])
        if step.action != "same" or before is None or before.beside != known.beside:
            write_whole(place / COLLECTED, known.to_json())
        return step

    def _before(self, student: str) -> Collected | None:
        try:
            return read_collected(self.folder(student))
        except (GraderError, OSError):  # reported where the work is compared
            return None

    def _put_beside(self, step: PlanStep, earlier: Sequence[str]) -> PlanStep:
        """Write what goes beside a notebook, and take away what an earlier download had put there.

        What somebody else put there stays, and the file of that name is told as left out.
        """
        place, put, left = self.folder(step.student), [], list(step.came_with.left_out)
        for name, upload in step.came_with.files:
            there, content = place / name, upload.member.read()
            if not _same_content(there, content):
                foreign = os.path.lexists(there) and name not in earlier
                if (foreign and not self.force) or there.is_dir():
                    left.append(f"{name} (another one of this name is there, which was not collected)")
                    continue
                self._keep(step.student, there)
                write_whole(there, content)
            put.append((name, upload))
        for name in {name for name in earlier if may_lie_beside(name)} - {name for name, _ in put}:
            there = place / name
            self._keep(step.student, there)
            if not there.is_dir():  # somebody else made that
                there.unlink(missing_ok=True)
        return replace(step, came_with=CameWith(tuple(put), tuple(left)))


def _known(upload: Upload, system: System, content: bytes, beside: Sequence[str] = ()) -> Collected:
    """Return what is remembered of an upload, with the bytes that were taken of it."""
    return Collected(
        system=system,
        place=upload.place,
        file=upload.file,
        rank=upload.rank,
        late=upload.late,
        digest=hashlib.sha256(content).hexdigest(),
        beside=list(beside),
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _named(uploads: Sequence[Upload], system: System) -> dict[tuple, str]:
    """Return the names in a download as students: Canvas's number, Moodle's name where one person has it."""
    if system == "canvas":
        return {(one.name, one.number): one.number for one in uploads}
    numbers: Mapping[str, set[str]] = defaultdict(set)
    for one in uploads:
        numbers[one.name].add(one.number)
    return {
        (one.name, one.number): one.name
        for one in uploads
        if len(numbers[one.name]) == 1 and not folder_problem(one.name) and one.name == printable(one.name)
    }


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _same_content(path: Path, content: bytes) -> bool:
    with suppress(FileNotFoundError):
        return path.stat().st_size == len(content) <= MAX_FILE and path.read_bytes() == content
    return False
