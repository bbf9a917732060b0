"""Generate a sample class from the answer banks, with the expected score of each submission."""

import json
import random
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import nbformat
import torch
from nbgrader.utils import is_grade

from grader.checking.credit import PartialCredit, points_of, read_credit, with_credit
from grader.checking.judge import judge
from grader.checking.mistakes import explain
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import Chapter, Exercise, declared_for
from grader.files import write_whole
from grader.grading.grade_submission import DIGITS
from grader.grading.sanitize import defined
from grader.proving.bank import Answer, bank_path, read_bank
from grader.proving.trial import attempt_answer
from grader.references import load_for_grading

EXPECTED = "expected.json"
# Probabilities of kinds of students, and of a right answer for each kind.
KINDS = {"strong": (0.5, 0.95), "middling": (0.3, 0.6), "weak": (0.15, 0.25), "absent": (0.05, 0.0)}
# An endless loop would hold up a demonstration; without its class the notebook's own cell fails first.
# And a result on the wrong device is only a mistake where there is another one.
LEFT_OUT = ("too-slow", "not-defined", "syntax-error", "wrong-device")
# What is answered in words; it waits for a person.
IN_WORDS = "This is one of the answers that a sample class makes. Give it points as you like."
NO_CREDIT = PartialCredit()
BLANK = Answer("blank", ("not-implemented",), "", "")


@dataclass(frozen=True)
class Choice:
    """Which answer of the bank a student handed in for an exercise."""

    exercise: Exercise
    answer: Answer

    def score(self, credit: PartialCredit = NO_CREDIT, course: CoursePaths | None = None) -> float:
        """Return what it should earn in a course that grants part of the points as given."""
        if self.answer.correct:
            return self.exercise.points
        if course and self.exercise.id in credit.by_case and self.answer is not BLANK:
            return _judged(self, credit, course)
        share = credit.share(self.exercise.id, self.answer.diagnosis)
        return points_of(share, self.exercise.points)


def _judged(choice: Choice, credit: PartialCredit, course: CoursePaths) -> float:
    """Return an answer's points by case, which no bank declares: it is run and judged as in grading."""
    exercise = choice.exercise
    reference = load_for_grading(exercise.chapter, exercise.id, course)
    made = attempt_answer(exercise, choice.answer, reference.cases, torch.device("cpu"))
    return with_credit(judge(exercise, reference, made, "cpu"), credit).score


def _choose(
    exercise: Exercise,
    answers: tuple[Answer, ...],
    odds: float,
    randomness: random.Random,
    blank: float = 0.15,
) -> Choice:
    usable = [answer for answer in answers if not set(answer.diagnosis) & set(LEFT_OUT)]
    right = [answer for answer in usable if answer.correct]
    named = [
        answer for answer in usable if not answer.correct and explain(answer.diagnosis[0]).group != "contract"
    ]
    others = [answer for answer in usable if not answer.correct and answer not in named]
    if randomness.random() < odds:
        return Choice(exercise, randomness.choice(right))
    pool = randomness.choices([named, others, [BLANK]], [0.7, 0.15, blank])[0]
    return Choice(exercise, randomness.choice(pool or others or named))  # where the bank has none of the kind


def choose_class(
    chapter: Chapter, solutions: Path, students: int, seed: int
) -> Iterator[tuple[str, list[Choice]]]:
    """Yield each student with the answers chosen; the same for the same seed."""
    randomness = random.Random(seed)
    banks = {exercise.id: read_bank(bank_path(solutions, exercise)) for exercise in chapter.exercises}
    width = max(2, len(str(students)))
    for number in range(1, students + 1):
        kind = randomness.choices(list(KINDS), [likely for likely, _ in KINDS.values()])[0]
        odds = KINDS[kind][1]
        choices = [
            Choice(exercise, BLANK)
            if kind == "absent"
            else _choose(exercise, banks[exercise.id], odds, randomness)
            for exercise in chapter.exercises
        ]
        while spoilt := [
            one for one in choices if one.answer is BLANK and _is_answered(one.exercise, choices)
        ]:
            for one in spoilt:
                other = _choose(one.exercise, banks[one.exercise.id], 0.0, randomness, blank=0.0)
                choices[choices.index(one)] = other
        yield f"student-{number:0{width}}", choices


def _is_answered(exercise: Exercise, choices: list[Choice]) -> bool:
    """Return whether an answer to another exercise defines the subject of one, where it would count."""
    return any(exercise.subject in defined(one.answer.program) for one in choices)


def submission(student_notebook: str, choices: list[Choice]) -> str:
    """Return a student's notebook with the chosen answers; questions have one wherever an exercise has."""
    notebook = nbformat.reads(student_notebook, as_version=4)
    answers = {choice.exercise.id: choice.answer for choice in choices}
    answered = any(answer is not BLANK for answer in answers.values())
    for cell in notebook.cells:
        answer = answers.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if answer is not None and answer is not BLANK:
            cell.source = answer.program.strip()
        elif cell.cell_type == "markdown" and is_grade(cell) and answered:
            cell.source = IN_WORDS
    return nbformat.writes(notebook, version=4) + "\n"


def _expected(chapter: Chapter, choices: list[Choice], credit: PartialCredit, course: CoursePaths) -> dict:
    scores = {choice.exercise.id: choice.score(credit, course) for choice in choices}
    return {
        "assignment": chapter.stem,
        "score": round(sum(scores.values()), DIGITS),
        "max_score": sum(choice.exercise.points for choice in choices),
        "exercises": {
            choice.exercise.id: {
                "answer": choice.answer.name,
                "score": scores[choice.exercise.id],
                "max_score": choice.exercise.points,
                "diagnosis": list(choice.answer.diagnosis),
            }
            for choice in choices
        },
    }


def make_sample_class(
    chapter: Chapter, course: CoursePaths, target: Path, students: int, seed: int, mixed: bool = False
) -> dict[str, dict]:
    """Make a course folder with submissions that every nbgrader command can work on.

    It holds ``nbgrader_config.py``, ``course.toml`` where the course has one, the solution notebook as
    nbgrader's source, the translated notebooks, ``submitted/``, and ``expected.json`` with what each student
    should score, by chapter; of a course's own chapter, the references too.

    Args:
        chapter: the assignment.
        course: where the built notebooks and the banks are.
        target: folder to make; must not exist or be empty, or be such a folder without this chapter.
        students: how many.
        seed: decides who hands in what.
        mixed: whether students hand in the notebooks of all languages, in turn; else the English one.

    Raises:
        GraderError: the target holds something already, or the chapter is not built.
    """
    chosen = choose_class(chapter, course.solutions, students, seed)
    return write_class(chapter, course, target, chosen, mixed)


def write_class(
    chapter: Chapter,
    course: CoursePaths,
    target: Path,
    chosen: Iterable[tuple[str, list[Choice]]],
    mixed: bool = False,
) -> dict[str, dict]:
    """Make such a folder of students whose answers are chosen already.

    Raises:
        GraderError: the target holds something already, or the chapter is not built.
    """
    expected = _expected_so_far(target)
    if chapter.stem in expected:
        raise GraderError(f"{target} has {chapter.stem} already. Name a new folder, or another chapter.")
    for built in (course.student(chapter), course.solution(chapter)):
        if not built.is_file():
            build = f"Run `grader build {chapter.stem}` first"
            elsewhere = "Run this in the course's folder, or name that with --course"
            advice = build if course.source(chapter).is_file() else elsewhere
            raise GraderError(f"{built} is missing. {advice}.")
    target.mkdir(parents=True, exist_ok=True)
    credit = read_credit(course.settings)
    for file in (course.config, course.settings):
        if file.is_file() and not expected:
            shutil.copy(file, target)
    there = CoursePaths(target)
    there.solution(chapter).parent.mkdir(parents=True)
    shutil.copy(course.solution(chapter), there.solution(chapter))
    if declared_for(chapter.stem):  # the package has nothing of it
        shutil.copytree(course.references / chapter.stem, there.references / chapter.stem)
        shutil.copytree(course.grading_cases(chapter.stem), there.grading_cases(chapter.stem))
    translated = course.translated(chapter)
    for path in translated:
        write_whole(target / path.relative_to(course.root), path.read_bytes())
    given = [course.student(chapter), *(translated if mixed else ())]
    released = cycle(path.read_text(encoding="utf-8") for path in given)
    expected[chapter.stem] = {}
    for student, choices in chosen:
        path = target / "submitted" / student / chapter.stem / f"{chapter.stem}.ipynb"
        write_whole(path, submission(next(released), choices))
        expected[chapter.stem][student] = _expected(chapter, choices, credit, course)
    write_whole(target / EXPECTED, json.dumps(expected, indent=1) + "\n")
    return expected[chapter.stem]


def _expected_so_far(target: Path) -> dict[str, dict[str, dict]]:
    """Return what students of a sample class should score, by chapter; nothing where there is no class yet.

    Raises:
        GraderError: the folder holds something else.
    """
    if not target.exists() or not any(target.iterdir()):
        return {}
    try:
        return dict(json.loads((target / EXPECTED).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise GraderError(
            f"{target} is not empty, and no class to try things on. Name a new folder, or remove this one "
            "first."
        ) from error
