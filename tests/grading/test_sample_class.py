"""The sample class: made of bank answers, the same for the same seed, honest about its scores."""

import json
from pathlib import Path

import nbformat
import pytest

from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import CHAPTERS, Chapter
from grader.grading.master import load_master
from grader.grading.sample_class import EXPECTED, choose_class, make_sample_class
from grader.grading.sanitize import defined
from grader.messages.speaking import LANGUAGE_KEY


def test_every_student_hands_in_a_notebook(tmp_path: Path, repository: Path, chapter: Chapter) -> None:
    """There are as many submissions as students, each with the expected score beside it."""
    expected = make_sample_class(chapter, CoursePaths(repository), tmp_path / "class", students=5, seed=1)
    handed_in = sorted((tmp_path / "class" / "submitted").glob(f"*/{chapter.stem}/{chapter.stem}.ipynb"))
    assert [path.parts[-3] for path in handed_in] == sorted(expected)
    assert json.loads((tmp_path / "class" / EXPECTED).read_text()) == {chapter.stem: expected}


def test_another_chapter_joins_the_same_course(tmp_path: Path, repository: Path, chapter: Chapter) -> None:
    """A class can hand in several chapters; none is made twice, and no other folder is touched."""
    course, target = CoursePaths(repository), tmp_path / "class"
    first = make_sample_class(chapter, course, target, students=3, seed=1)
    other = CHAPTERS["ch02_dot_product_attention"]
    second = make_sample_class(other, course, target, students=2, seed=1)
    assert json.loads((target / EXPECTED).read_text()) == {chapter.stem: first, other.stem: second}
    handed_in = {path.parts[-2] for path in (target / "submitted").glob("*/*/*.ipynb")}
    assert handed_in == {chapter.stem, other.stem}
    with pytest.raises(GraderError, match=f"has {chapter.stem} already"):
        make_sample_class(chapter, course, target, students=3, seed=1)


def test_answers_are_in_their_cells(tmp_path: Path, repository: Path, chapter: Chapter) -> None:
    """An exercise cell holds the chosen answer, every other cell is the released one."""
    course = CoursePaths(repository)
    released = {cell.id: cell.source for cell in nbformat.read(course.student(chapter), as_version=4).cells}
    (name, choices) = next(iter(choose_class(chapter, course.solutions, 3, seed=2)))
    make_sample_class(chapter, course, tmp_path / "class", students=3, seed=2)
    path = tmp_path / "class" / "submitted" / name / chapter.stem / f"{chapter.stem}.ipynb"
    cells = {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}
    chosen = {choice.exercise.id: choice.answer for choice in choices}
    assert {key for key in released if cells[key] != released[key]} == {
        key for key, answer in chosen.items() if answer.name != "blank"
    }
    assert all(answer.source in cells[key] for key, answer in chosen.items())


def test_same_seed_same_class(repository: Path, chapter: Chapter) -> None:
    """A seed decides everything; another seed decides otherwise."""
    solutions = CoursePaths(repository).solutions
    first, again, other = (list(choose_class(chapter, solutions, 20, seed)) for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_class_is_mixed(repository: Path, chapter: Chapter) -> None:
    """A class of a hundred has full marks, blanks, and named mistakes in it."""
    students = list(choose_class(chapter, CoursePaths(repository).solutions, 100, seed=0))
    scores = {sum(choice.score() for choice in choices) for _, choices in students}
    codes = {code for _, choices in students for choice in choices for code in choice.answer.diagnosis}
    assert {0, sum(exercise.points for exercise in chapter.exercises)} <= scores
    assert len(codes) > 20


def test_unbuilt_chapter_is_an_error(tmp_path: Path, chapter: Chapter) -> None:
    """Without the student notebook there is no class."""
    paths = CoursePaths(tmp_path)
    with pytest.raises(GraderError, match="Run this in the course's folder, or name that with --course"):
        make_sample_class(chapter, paths, tmp_path / "class", students=1, seed=0)
    paths.source(chapter).parent.mkdir(parents=True)
    paths.source(chapter).touch()
    with pytest.raises(GraderError, match="Run `grader build"):
        make_sample_class(chapter, paths, tmp_path / "class", students=1, seed=0)
    assert not (tmp_path / "class").exists()


@pytest.mark.parametrize("stem", CHAPTERS)
def test_no_helper_answers_what_is_left_blank(stem: str, repository: Path) -> None:
    """An answer in another cell would count, and the score would not be the expected one."""
    chapter = CHAPTERS[stem]
    for _, choices in choose_class(chapter, CoursePaths(repository).solutions, 200, seed=3):
        there = {name for choice in choices for name in defined(choice.answer.program)}
        assert not there & {choice.exercise.subject for choice in choices if choice.answer.name == "blank"}


def test_class_has_the_notebooks_of_all_languages(tmp_path: Path, repository: Path, chapter: Chapter) -> None:
    """Its master knows what they give, as the checkout's does; students hand them in in turn if asked to."""
    course = CoursePaths(repository)
    plain, mixed = tmp_path / "plain", tmp_path / "mixed"
    expected = make_sample_class(chapter, course, plain, students=4, seed=1)
    assert make_sample_class(chapter, course, mixed, students=4, seed=1, mixed=True) == expected
    assert load_master(chapter, CoursePaths(plain)).digest == load_master(chapter, course).digest
    for folder, languages in ((plain, ["en"] * 4), (mixed, ["en", "pt_BR", "zh_CN", "en"])):
        handed_in = sorted(folder.glob("submitted/*/*/*.ipynb"))
        metadata = [json.loads(path.read_text(encoding="utf-8"))["metadata"] for path in handed_in]
        assert [one.get(LANGUAGE_KEY, "en") for one in metadata] == languages
