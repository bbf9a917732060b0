"""The learner's process: run one file, observe its subject on the cases, write what was seen.

Called as ``python -m grader.sandbox.worker EXERCISE FILE CASES RESULT DEVICE SECONDS``.
"""

import sys
from pathlib import Path

import torch

from grader.checking.loading import attempt_source
from grader.exercises import find_exercise
from grader.sandbox.wire import read_cases, started_mark, write_attempt


def main(arguments: list[str]) -> None:
    """Run the worker."""
    name, file, cases, result, device, seconds = arguments
    received = read_cases(Path(cases))
    started_mark(Path(result)).touch()
    source = Path(file).read_text(encoding="utf-8-sig")
    sys.argv = [file]
    made = attempt_source(find_exercise(name), source, file, received, torch.device(device), float(seconds))
    write_attempt(Path(result), made)


if __name__ == "__main__":
    main(sys.argv[1:])
