"""What nbgrader's exchange gave a submission, kept where giving feedback back needs it.

``nbgrader release_feedback`` publishes a page under a name made from a secret that only the student's own
copy of the submission holds. It looks for the secret, and for the time of submission, beside the page.
"""

from datetime import datetime
from pathlib import Path

from grader.files import clear_place, put_file
from grader.grading.submissions import SECRET, TIMESTAMP


def timestamp_line(timestamp: datetime) -> str:
    """Return a time (UTC) as nbgrader writes it into a submission."""
    return f"{timestamp.isoformat(' ')} UTC\n"


def keep_receipt(graded: Path, page: Path, timestamp: datetime | None, secret: str) -> None:
    """Write what is not there yet; without a secret, remove what is left of an earlier one.

    Args:
        graded: the folder of what was graded; nbgrader's own feedback takes it from there.
        page: the feedback page.
        timestamp: when the submission was handed in (UTC), if that is known.
        secret: what the exchange gave; empty for a submission that came another way.
    """
    beside = page.parent
    time = timestamp_line(timestamp) if timestamp else ""
    texts = {graded / SECRET: secret, beside / SECRET: secret, beside / TIMESTAMP: time}
    for path, text in texts.items():
        if not secret:
            clear_place(path)
        else:
            put_file(path, text)
