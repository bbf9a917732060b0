"""What tests of all that students can read share: a search for whatever answers an exercise."""

import re
from collections.abc import Iterator

import torch
from safetensors import safe_open

from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, EXERCISES
from grader.proving.bank import bank_path, read_bank

# Shorter than this, a tensor or a text may be found anywhere by chance.
BYTES, CHARACTERS, NUMBERS = 16, 60, 4


def squeezed(text: str) -> str:
    """Return a text without white space and comments."""
    return re.sub(r"#.*|\s+", "", text)


def assert_no_right_answer(text: str, paths: CoursePaths) -> None:
    """No correct variant of a bank can be read in a squeezed text, however it is indented."""
    for exercise in EXERCISES.values():
        for answer in read_bank(bank_path(paths.solutions, exercise)):
            if not answer.correct:
                continue
            own = squeezed(answer.program.removeprefix(answer.setup))
            assert len(own) < CHARACTERS or own not in text, (exercise.id, answer.name)


def assert_no_solution(text: str, paths: CoursePaths) -> None:
    """What a solution notebook has between its markers cannot be read in a squeezed text."""
    for chapter in CHAPTERS.values():
        source = paths.source(chapter).read_text(encoding="utf-8")
        for solution in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", source, re.DOTALL):
            assert len(squeezed(solution)) < CHARACTERS or squeezed(solution) not in text, chapter.stem
    assert "BEGINSOLUTION" not in text.upper()


def assert_no_oracle(text: str, paths: CoursePaths) -> None:
    """No function of a reference.py can be read in a squeezed text."""
    for path in paths.solutions.glob("*/reference.py"):
        for function in re.split(r"^def ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            assert squeezed(function) not in text, path


def assert_no_hidden_bytes(contents: dict[str, bytes], paths: CoursePaths) -> None:
    """No tensor of a hidden case lies in a file."""
    everything = b"".join(contents.values())
    for name, tensor in hidden_tensors(paths):
        stored = tensor.numpy().tobytes()
        assert len(stored) < BYTES or stored not in everything, name


def assert_no_hidden_numbers(text: str, paths: CoursePaths) -> None:
    """No row of numbers of a hidden case is printed in a text, with four decimals or all of them."""
    printed = " ".join(f"{float(number):.4f}" for number in re.findall(r"-?\d+\.\d{4,}", text))
    for name, tensor in hidden_tensors(paths):
        begin = [f"{number:.4f}" for number in tensor.flatten()[:NUMBERS].tolist()]
        assert len(set(begin)) < NUMBERS or " ".join(begin) not in printed, name


def hidden_tensors(paths: CoursePaths) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the tensors of all hidden cases that nobody writes by chance."""
    for chapter in CHAPTERS.values():
        for path in paths.grading_cases(chapter.stem).glob("*.safetensors"):
            with safe_open(path, "pt") as file:
                for name in file.keys():  # noqa: SIM118 - no mapping
                    tensor = file.get_tensor(name)
                    if tensor.is_floating_point() and len(tensor.unique()) > 3:
                        yield f"{chapter.stem}: {name}", tensor
