"""Text from a learner's code, made harmless for terminals, JSON and pages."""

import re

# Control sequences of terminals: CSI, OSC and the like, and two-character escapes.
ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])")
# All control characters but tab and newline; surrogates; what turns the direction of text around.
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Return a text without control sequences, control characters and lone surrogates."""
    return UNSEEN.sub("", ANSI.sub("", text))


def apply_carriage_returns(text: str) -> str:
    """Return what a terminal shows in the end of a text that overwrites its lines, as progress bars do."""
    if "\r" not in text:
        return text
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
