"""The cache key: whatever decides a record is in it."""

import ast
from collections.abc import Iterator
from pathlib import Path

from grader.grading.cache_key import APART

# What grades a submission: on the trusted side, and in the learner's process.
ROOTS = ("grading/grade_submission.py", "grading/intake.py", "sandbox/forkserver.py")


def imported(path: Path, package: Path) -> Iterator[Path]:
    """Yield the package's own modules that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        for name in names:
            place = package.parent.joinpath(*name.split("."))
            for file in (place.with_suffix(".py"), place / "__init__.py"):
                if name.startswith("grader") and file.is_file():
                    yield file


def test_what_decides_a_record_is_in_its_key(repository: Path) -> None:
    """No module that grading imports is among those that the key leaves out."""
    package = repository / "grader"
    ahead, seen = [package / name for name in ROOTS], set[Path]()
    while ahead:
        path = ahead.pop()
        if path not in seen:
            seen.add(path)
            ahead += imported(path, package)
    names = {str(path.relative_to(package)) for path in seen}
    assert {"time_limits.py", "private_api/pytorch.py", "checking/judge.py", "messages/message.py"} <= names
    assert not [name for name in names if name.split("/")[0] in APART]


def test_each_part_that_is_left_out_is_there(repository: Path) -> None:
    """A folder that gets another name would count silently."""
    assert [name for name in APART if not (repository / "grader" / name).is_dir()] == []
