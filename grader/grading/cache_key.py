"""The cache key of a record: a digest of everything that the record depends on."""

import hashlib
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

import torch

from grader.course.paths import CoursePaths
from grader.grading.master import Master
from grader.references import grading_digest
from grader.sandbox.job import Limits

# The parts of the package that no record depends on: they call what grades, show results, or serve notebooks
# and references, which have digests of their own.
APART = (
    "cli",
    "cluster",
    "doctor",
    "figures",
    "gradebook",
    "lms",
    "materials",
    "proving",
    "reporting",
    "similarity",
    "widgets",
)


@cache
def code_digest() -> str:
    """Return a digest of the code that grades, and of the texts that it says."""
    package = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in sorted(path for path in package.rglob("*") if path.suffix in (".py", ".toml")):
        if path.relative_to(package).parts[0] in (*APART, "reference_outputs"):
            continue
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package)} {len(content)} ".encode() + content)
    return digest.hexdigest()


@cache
def _references_digest(stem: str, paths: CoursePaths) -> str:
    """Return a digest of the references, which are read once in a process, too."""
    return grading_digest(stem, paths)


def cache_key(content: bytes, master: Master, device: str, limits: Limits) -> str:
    """Return the SHA-256 of everything that grading a submission depends on.

    Args:
        content: the submission's bytes.
        master: the chapter's master notebook.
        device: where it runs.
        limits: what it may use.

    Raises:
        ReferenceDataError: the references are missing or unreadable.
    """
    parts = [
        hashlib.sha256(content).hexdigest(),
        master.digest,
        _references_digest(master.chapter.stem, master.paths),
        code_digest(),
        torch.__version__,
        device,
        asdict(limits),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
