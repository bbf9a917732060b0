"""The learning platforms whose downloads can be collected, with what is said to a user of each.

Code that treats one of them otherwise compares with its name: search for ``"moodle"`` and ``"canvas"``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

System = Literal["moodle", "canvas"]


@dataclass(frozen=True)
class Platform:
    """One platform.

    Attributes:
        download: an example of a file's name in its download.
        upload: where an archive of feedback is uploaded.
        tell_apart: how to distinguish students of the same name.
    """

    download: str
    upload: str
    tell_apart: str


PLATFORMS: Mapping[System, Platform] = {
    "moodle": Platform(
        download="First Last_12345_assignsubmission_file/NAME.ipynb",
        upload="the assignment, View all submissions, Upload multiple feedback files in a zip",
        tell_apart="Nothing in Moodle's download tells them apart. Its grading worksheet of the assignment "
        "has the number of each, as Participant NUMBER, with the address; collect again with --whose "
        "NUMBER=STUDENT for each.",
    ),
    "canvas": Platform(
        download="lastfirst_1234_5678_NAME.ipynb",
        upload="the assignment, Upload Submissions",
        tell_apart="Canvas's number tells them apart: write it into the column lms_user_id of students.csv.",
    ),
}
SYSTEMS = tuple(PLATFORMS)
