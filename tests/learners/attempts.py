"""Wrong answers as learners write them, what the grader has to say of each, and what it must not say.

``tried/<exercise>.py`` is a file in percent cells, in the form of an answer bank (``docs/authoring.md``)::

    # %% setup
    import torch

    # %% correct="mine"
    def scale(scores, d_k): return scores / d_k**0.5

    # %% mistake="scale-by-dk: no root" never="hard-coded" edits="mine"
    # - def scale(scores, d_k): return scores / d_k**0.5
    # + def scale(scores, d_k): return scores / d_k

The codes of ``mistake`` and ``also`` are among those of the diagnosis, in any order; ``unrecognized`` stands
for a mistake that has no name yet. ``says`` and ``never`` are texts, separated by a bar, that the verdict
holds and does not hold. What is seen of learners becomes a cell here.

``python tests/learners/attempts.py ch00-scale`` shows what the grader says of each; without an exercise, how
many of all are named.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import jupytext
import torch

from grader.checking.judge import judge
from grader.checking.loading import attempt_source
from grader.checking.quiet import quiet
from grader.checking.rendering import result_html, result_text
from grader.checking.result import Result
from grader.exercises import EXERCISES, Exercise
from grader.proving.bank import read_bank
from grader.references import load_exercise

TRIED = Path(__file__).with_name("tried")
SECONDS = 20.0
# For an answer that never ends.
ENDLESS_SECONDS = 0.5
# What stands for a mistake without a name.
UNNAMED = "unrecognized"
# What headers say besides those of a bank: texts of the verdict.
TOLD = ("says", "never")


@dataclass(frozen=True)
class Tried:
    """One answer.

    Attributes:
        exercise: what was asked.
        name: its cell's.
        program: the whole text.
        named: codes that the diagnosis holds; none of an answer that passes.
        says: texts that the verdict holds.
        never: texts that it does not hold.
    """

    exercise: Exercise
    name: str
    program: str
    named: tuple[str, ...]
    says: tuple[str, ...]
    never: tuple[str, ...]

    def result(self) -> Result:
        """Return the grader's verdict."""
        reference = load_exercise(self.exercise.chapter, self.exercise.id)
        seconds = ENDLESS_SECONDS if "too-slow" in self.named else SECONDS
        with quiet():
            made = attempt_source(
                self.exercise, self.program, "<learner>", reference.cases, torch.device("cpu"), seconds
            )
        return judge(self.exercise, reference, made, "cpu")


def read_tried(path: Path) -> Iterator[Tried]:
    """Yield the answers of a file."""
    cells = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent").cells[1:]
    for cell, answer in zip(cells, read_bank(path, TOLD), strict=True):
        says, never = (tuple(filter(None, cell.metadata.get(key, "").split("|"))) for key in TOLD)
        yield Tried(EXERCISES[path.stem], answer.name, answer.program, answer.diagnosis, says, never)


def all_tried() -> list[Tried]:
    """Return the answers of all files."""
    return [one for path in sorted(TRIED.glob("*.py")) for one in read_tried(path)]


def problems_of(tried: Tried, result: Result) -> list[str]:
    """Return what the verdict lacks, or says and must not."""
    shown = result_text(result) + result_html(result)
    return [
        *(f"not named: {code}" for code in tried.named if code not in (*result.diagnosis, UNNAMED)),
        *(f"named by now: {result.diagnosis}" for _ in [0] if is_named_by_now(tried, result)),
        *(f"passes: {result.status}" for _ in [0] if (result.status == "passed") != (not tried.named)),
        *(f"not said: {text}" for text in tried.says if text not in shown),
        *(f"said: {text}" for text in tried.never if text in shown),
    ]


def is_named_by_now(tried: Tried, result: Result) -> bool:
    """Return whether an answer for which there was no name has one."""
    return UNNAMED in tried.named and UNNAMED not in result.diagnosis


def main(names: list[str]) -> None:
    """Show what is said of each answer; without names, count."""
    counts: Counter[str] = Counter()
    for one in all_tried():
        if names and one.exercise.id not in names:
            continue
        result = one.result()
        problems = problems_of(one, result)
        counts["wrong"] += bool(one.named)
        counts["without a name"] += UNNAMED in one.named
        counts["not as declared"] += bool(problems)
        if names or problems:
            click.echo(f"== {one.exercise.id}: {one.name} -> {' '.join(result.diagnosis) or 'passed'}")
            for problem in problems:
                click.echo(f"   !! {problem}")
        if names and one.named:
            click.echo(result_text(result))
    click.echo(dict(counts))


if __name__ == "__main__":
    main(sys.argv[1:])
