"""Parse the file names of Moodle's and Canvas's downloads: the student and the original name of each file."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grader.errors import GraderError
from grader.lms.archive import Member
from grader.lms.systems import PLATFORMS, System
from grader.reporting.exports.canvas import TEST_STUDENT
from grader.reporting.exports.unplaced import folded, letters

# Non-greedy: the student comes first, and a student's own file name may look like another student's.
MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z0-9]+)(?:_(?P<rest>.*))?", re.DOTALL
)
CANVAS = re.compile(
    r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_"
    r"(?:(?P<file>\d+)_(?P<rest>.+)|(?P<kind>text|link|media)(?:[._-].*)?)",
    re.DOTALL,
)
# What is no file of the student's, by the word that the system writes for it.
NO_FILE = {
    "onlinetext": "an online text",
    "text": "a text entry",
    "link": "a link",
    "media": "a recording",
}
# What browsers, Jupyter and Canvas add to a name, and what Colab begins that of a copy with, by language.
ADDED = re.compile(r"(?:\s*\(\d+\)|-Copy\d*|-\d+)+$", re.IGNORECASE)
COPY_OF = re.compile(r"^(?:Copy of|C[óo]pia de|Copie de|Kopie von)\s+|\s*的副本$", re.IGNORECASE)
COPY = re.compile(r"(\d{1,9})|Copy(?!\d)", re.IGNORECASE)

# The rank of a file of Moodle's whose time was lost, and of what Canvas gives no number.
UNTIMED = 0


@dataclass(frozen=True)
class Upload:
    """One file of one student.

    Attributes:
        member: the file.
        name: of the student, as the system writes it.
        number: of the student in the system; of Moodle, the participant's in this assignment.
        place: what feedback is called by: Moodle's folder, Canvas's name of the file without its ending.
        file: what the student called it, or what the system made of that.
        rank: a larger one was uploaded later; ``UNTIMED`` where nothing says when.
        late: whether Canvas marks it as late.
        kind: what it is where it is no file that the student uploaded; empty for a file.
    """

    member: Member
    name: str
    number: str
    place: str
    file: str
    rank: int
    late: bool = False
    kind: str = ""

    @property
    def is_notebook(self) -> bool:
        """Whether its name ends as a notebook's does."""
        return self.file.strip().lower().endswith(".ipynb")

    def is_named(self, chapter: str) -> bool:
        """Return whether it has the chapter's name, whatever browser, Jupyter, Colab or Canvas have added."""
        stem = COPY_OF.sub("", folded(self.file.strip()[: -len(".ipynb")]))
        return folded(COPY_OF.sub("", ADDED.sub("", stem))) == folded(chapter)

    @property
    def copies(self) -> tuple[int, ...]:
        """The numbers that were added to its name, which a later copy has larger; none in a plain name."""
        added = ADDED.search(self.file.strip()[: -len(".ipynb")])
        return tuple(int(one or 1) for one in COPY.findall(added[0])) if added else ()


def number_in(place: str, system: System) -> str:
    """Return the student's number in what feedback is called by; empty where there is none."""
    found = {"moodle": MOODLE, "canvas": CANVAS}[system].fullmatch(place.removesuffix("/"))
    return found["number"] if found else ""


def is_test_student(upload: Upload, system: System) -> bool:
    """Return whether an upload is by the student whom Canvas makes for teachers to try things."""
    return system == "canvas" and letters(upload.name) == letters(TEST_STUDENT)


def uploads_of(members: Sequence[Member], asked: str) -> tuple[System, list[Upload], list[Member]]:
    """Return which system a download is from, the students' files, and the files that are nobody's.

    Args:
        members: all files.
        asked: the system, or ``auto``.

    Raises:
        GraderError: no name is one of the system's, or it is not clear whose they are.
    """
    members = [one for one in members if one.parts[0] != "__MACOSX" and not one.parts[-1].startswith(".")]
    read = {"moodle": _moodle, "canvas": _canvas}
    systems = list(read) if asked == "auto" else [asked]
    found = {system: [read[system](one) for one in members] for system in systems}
    counts = Counter({system: sum(one is not None for one in ups) for system, ups in found.items()})
    (system, most), *others = counts.most_common()
    if not most or any(count == most for _, count in others):
        seen = ", ".join(one.path for one in members[:3]) or "nothing"
        expected = " or ".join(PLATFORMS[one].download for one in systems)
        raise GraderError(
            f"These are not the names of a download: {seen}. Expected {expected}. "
            f"Say {' or '.join(f'--from {one}' for one in PLATFORMS)} if it is not clear."
        )
    uploads = found[system]
    nobody_s = [one for one, upload in zip(members, uploads, strict=True) if upload is None]
    return system, [one for one in uploads if one is not None], nobody_s


def _moodle(member: Member) -> Upload | None:
    for depth, part in enumerate(member.parts):
        if found := MOODLE.fullmatch(part):
            inside = member.parts[depth + 1 :]
            file = "/".join(inside) if inside else found["rest"]
            if not file:
                return None
            place = f"{part}/" if inside else f"{part.removesuffix(file)}"
            rank = int(member.time.timestamp()) if member.timed else UNTIMED
            kind = "" if found["kind"] == "file" else NO_FILE.get(found["kind"], found["kind"])
            return Upload(member, found["name"], found["number"], place, file, rank, kind=kind)
    return None


def _canvas(member: Member) -> Upload | None:
    found = CANVAS.fullmatch(member.parts[-1])
    if found is None:
        return None
    place = member.parts[-1].rpartition(".")[0] or member.parts[-1]
    late = found["late"] is not None
    if kind := found["kind"]:
        file = member.parts[-1][found.start("kind") :]
        return Upload(member, found["name"], found["number"], place, file, UNTIMED, late, NO_FILE[kind])
    rank = int(found["file"][:30])
    return Upload(member, found["name"], found["number"], place, found["rest"], rank, late)
