"""Files that nbgrader's exchange needs to return feedback: a submission's secret and time.

``nbgrader release_feedback`` publishes a page under a name made from a secret that only the student's own
copy of the submission holds. It looks for the secret, and for the time of submission, beside the page, and
gives up on the whole class where one is missing.
"""

import re
import secrets
from datetime import datetime
from pathlib import Path

from grader.files import write_if_changed
from grader.grading.submissions import FEW_BYTES, SECRET, TIMESTAMP

# Replaces a missing secret. Nobody knows it, so nobody finds the page.
NOBODY_S = "nobody-{}"
NOBODY_S_FORM = re.compile(NOBODY_S.format("[0-9a-f]{128}").encode())


def timestamp_line(timestamp: datetime) -> str:
    """Return a time (UTC) as nbgrader writes it into a submission."""
    return f"{timestamp.isoformat(' ')} UTC\n"


def write_exchange_files(graded: Path, page: Path, timestamp: datetime | None, secret: str) -> None:
    """Write the files that are not there yet; without a secret, one that nobody knows.

    Args:
        graded: the folder of what was graded; nbgrader's own feedback takes it from there.
        page: the feedback page.
        timestamp: when the submission was handed in (UTC), if that is known.
        secret: what the exchange gave; empty for a submission that came another way.
    """
    beside = page.parent
    time = timestamp_line(timestamp) if timestamp else ""
    secret = secret or _nobody_s(graded / SECRET, beside / SECRET)
    texts = {graded / SECRET: secret, beside / SECRET: secret, beside / TIMESTAMP: time}
    for path, text in texts.items():
        write_if_changed(path, text)


def _nobody_s(*places: Path) -> str:
    """Return a secret that nobody knows: the one that was made before, else a new one."""
    for path in filter(Path.is_file, places):
        with path.open("rb") as file:
            content = file.read(FEW_BYTES)
        if NOBODY_S_FORM.fullmatch(content):
            return content.decode()
    return NOBODY_S.format(secrets.token_hex(64))
