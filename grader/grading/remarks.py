"""Reusable remarks: ``remarks.toml`` in the course's folder.

units = "Say in which unit: the *weights* have none."
why = \"\"\"
Right. And why does the scale depend on `d_k`?
\"\"\"
"""

import re
from pathlib import Path

from grader.errors import GraderError
from grader.files import read_toml

NAME = re.compile(r"[\w-]{1,64}")


def read_remarks(path: Path) -> dict[str, str]:
    """Return a course's remarks by name: none where there is no such file.

    Raises:
        GraderError: the file cannot be read, or something in it is no remark; says which.
    """
    content = read_toml(path)
    for name, text in content.items():
        if not NAME.fullmatch(name):
            raise GraderError(f"{path}: {name!r} is no short name; expected letters, digits, - and _.")
        if not isinstance(text, str) or not text.strip():
            raise GraderError(f"{path}: {name} is {text!r:.80}; expected a text.")
    return {name: text.strip() for name, text in content.items()}


def find_remark(path: Path, name: str) -> str:
    """Return the text of a remark.

    Raises:
        GraderError: there is none of this name.
    """
    remarks = read_remarks(path)
    if name not in remarks:
        known = ", ".join(remarks) or "none yet"
        raise GraderError(
            f'There is no remark {name!r} in {path}; there are: {known}. Add a line: {name} = "Your text."'
        )
    return remarks[name]
