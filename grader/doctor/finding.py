"""``Finding``: the result of one of the doctor's checks."""

from dataclasses import asdict, dataclass
from typing import Literal

INSTALL = "Run `make setup`, or `python -m pip install --requirement requirements.lock`."

Status = Literal["ok", "warning", "fails"]


@dataclass(frozen=True)
class Finding:
    """The result of one of the doctor's checks.

    Attributes:
        check: what was looked at.
        status: ``ok``; ``warning``, where grading works but one should know; ``fails``, where it does not.
        seen: what was seen, one sentence.
        advice: what to do about it; empty where there is nothing to do.
    """

    check: str
    status: Status
    seen: str
    advice: str = ""

    def to_json(self) -> dict[str, str]:
        """Return it as JSON can hold it."""
        return asdict(self)


def named(names: list[str], most: int = 3) -> str:
    """Return some names as a sentence holds them: the first few, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
