"""Declarations: what an author writes comes back as exercises, and what is wrong is told with its line."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.checking.mistakes import explain, known_mistakes, title_of_group
from grader.cli import main
from grader.course.compile import build_declaration, declaration_drift
from grader.course.paths import CoursePaths, find_course
from grader.errors import SourceError, UnknownExerciseError
from grader.exercises import (
    CHAPTERS,
    EXERCISES,
    QUESTIONS,
    Chapter,
    find_chapter,
    find_exercise,
    know_all,
    own_root,
)
from grader.exercises.declaration import (
    COMPILED,
    MISTAKES,
    SOURCE,
    SPECIMENS,
    load_declaration,
    read_declaration,
)
from grader.exercises.model import NOTHING, Forbidden
from grader.topics.attention.declared import LIBRARY_ATTENTION
from tests.conftest import chapters_as_before

STEM = "ch77_convolution"
SMALL = """title = "Convolution"

[[exercises]]
id = "ch77-slide"
subject = "slide"
signature = "slide(x, kernel): (n,), (k,) -> (n - k + 1,)"
driver = "function"
points = 2
difficulty = 3
minutes = 10
section = "A window that moves"
hints = [
    "One.",
    "Two.",
]

[[exercises]]
id = "ch77-look"
subject = "look"
signature = "look() -> x (n,)"
driver = "exposes"
points = 1
difficulty = 1
minutes = 2
section = "Looking"
hints = ["Two numbers are enough."]
specimen = "TURNED"

[[questions]]
id = "ch77-why"
subject = "why windows"
points = 1
difficulty = 2
minutes = 5
section = "Why"
"""
MADE_SPECIMENS = """from grader.exercises.specimen import Argument, Specimen

TURNED = Specimen((Argument("x", (("n",),)),), bug=lambda x: x.flip(0), right=lambda x: x.numpy())
"""


@pytest.fixture
def course(tmp_path: Path) -> Iterator[CoursePaths]:
    """Return a course that declares one chapter; what is known is as before afterwards."""
    paths = CoursePaths(tmp_path)
    paths.config.write_text("c = get_config()\n")
    folder = paths.solutions / STEM
    folder.mkdir(parents=True)
    (folder / SOURCE).write_text(SMALL, encoding="utf-8")
    (folder / SPECIMENS).write_text(MADE_SPECIMENS, encoding="utf-8")
    with chapters_as_before():
        yield paths


def assert_refused(course: CoursePaths, place: str, said: str) -> None:
    """Hold that the chapter is refused with the place and what is wrong, and that nothing is written."""
    with pytest.raises(SourceError) as told:
        build_declaration(STEM, course)
    assert str(told.value).startswith(place), told.value
    assert said in str(told.value)
    assert not (course.references / STEM).exists()


def declared(chapter: Chapter) -> list[dict[str, object]]:
    """Return the fields of all parts of a chapter; of a specimen, the names of its arguments."""
    made = []
    for part in chapter.parts.values():
        values = {one.name: getattr(part, one.name) for one in fields(part)}
        if values.get("specimen"):
            values["specimen"] = [one.name for one in values["specimen"].arguments]
        made.append(values)
    return made


@pytest.mark.parametrize("stem", CHAPTERS)
def test_what_is_built_is_what_is_declared(stem: str, repository: Path) -> None:
    """The data that the package reads gives the exercises that the author's file gives."""
    paths = CoursePaths(repository)
    source, built = read_declaration(paths.solutions / stem), load_declaration(paths.references / stem)
    assert declared(source) == declared(built) == declared(CHAPTERS[stem])
    assert (source.stem, source.title) == (built.stem, built.title)


def test_declaration_becomes_exercises(course: CoursePaths) -> None:
    """Each key is a field; what is not written has its default; the chapter is known once it is built."""
    chapter = build_declaration(STEM, course)
    slide, look = chapter.exercises
    (why,) = chapter.questions
    assert (chapter.title, slide.chapter, slide.points) == ("Convolution", STEM, 2)
    assert (slide.hints, slide.forbidden, slide.saved) == (("One.", "Two."), NOTHING, None)
    assert look.specimen is not None and look.specimen.arguments[0].name == "x"
    assert (why.subject, why.minutes) == ("why windows", 5)
    assert find_chapter(STEM) is chapter
    assert EXERCISES["ch77-slide"] is slide and QUESTIONS["ch77-why"] is why
    assert list(CHAPTERS) == sorted(CHAPTERS)


def test_course_s_own_chapter_is_known(course: CoursePaths) -> None:
    """Whoever works in a course has its chapters beside those of the package."""
    build_declaration(STEM, course)
    del CHAPTERS[STEM], EXERCISES["ch77-slide"]
    assert find_course(course.root) == course
    assert find_chapter(STEM).by_id.keys() == {"ch77-slide", "ch77-look"}
    assert "ch04_self_attention" in CHAPTERS


def test_course_of_another_user_is_not_read(course: CoursePaths, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else's folder above the working directory runs no code here; one's own, and root's, may."""
    build_declaration(STEM, course)
    monkeypatch.chdir(course.solutions / STEM)
    assert own_root() == course.references
    monkeypatch.setattr("grader.exercises.ADMINISTRATOR", -1)
    monkeypatch.setattr("os.getuid", lambda: course.references.stat().st_uid + 1)
    assert own_root() is None


def test_working_directory_that_is_gone_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package can be imported all the same."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert own_root() is None


@pytest.mark.parametrize(
    ("written", "forbidden"),
    [
        ('"attention"', LIBRARY_ATTENTION),
        ('{ parts = ["conv"], words = "a convolution" }', Forbidden(("conv",), "a convolution")),
        (
            '{ parts = ["conv"], also = "attention", words = "both" }',
            Forbidden(("conv", *LIBRARY_ATTENTION.parts), "both"),
        ),
    ],
)
def test_what_is_forbidden(written: str, forbidden: Forbidden, course: CoursePaths) -> None:
    """By a name, by parts of names, or by both; the built data needs no name."""
    path = course.solutions / STEM / SOURCE
    path.write_text(SMALL.replace("points = 2\n", f"points = 2\nforbidden = {written}\n"), encoding="utf-8")
    assert build_declaration(STEM, course).exercises[0].forbidden == forbidden
    assert '"also"' not in (course.references / STEM / COMPILED).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('title = "Convolution"', "", 1, "it has no title. Write title ="),
        (
            'title = "Convolution"',
            'title = "C"\nminute = 3',
            2,
            "minute is not known here; known are title, ",
        ),
        ("points = 2", "points = 2 2", 8, "this is not TOML"),
        ("points = 2", "points = 0", 8, "points = 0: expected a number of at least 1"),
        ('hints = ["Two numbers are enough."]', "hints = []", 26, "hints = []: expected at least one"),
        ("points = 2", 'points = "2"', 8, "points = '2': expected a whole number"),
        ("points = 2", "points = true", 8, "points = True: expected a whole number"),
        ("points = 2", "points = 2\nmoves = 1", 9, "moves = 1: expected true or false"),
        ("points = 2", "points = 2\nreturns = [1]", 9, "returns = [1]: expected a list of texts"),
        ("difficulty = 3", "difficulty = 6", 9, "difficulty = 6: expected a number from 1 to 5"),
        ("minutes = 10", "minutes = 0", 10, "minutes = 0: expected a number of at least 1"),
        ('driver = "function"\n', "", 3, "driver is missing"),
        ("points = 2", "point = 2", 8, "point is not known; known are id, subject, "),
        (
            "points = 2",
            'points = 2\nforbidden = "all"',
            9,
            "forbidden = 'all': expected what an answer must not",
        ),
        (
            "points = 2",
            "points = 2\nforbidden = { words = 3 }",
            9,
            "one of 'anything', 'attention', or a table",
        ),
        ('specimen = "TURNED"', 'specimen = "BENT"', 27, "has no Specimen BENT. Write it there."),
        ('id = "ch77-look"', 'id = "ch77-slide"', 18, "the id ch77-slide is there twice"),
        ('section = "Why"\n', "", 29, "section is missing"),
        ("[[questions]]", "[questions]", 1, "Write [[questions]] before each."),
    ],
)
def test_errors_name_the_line(old: str, new: str, line: int, said: str, course: CoursePaths) -> None:
    """An author is told where it is, what was expected, and nothing is written."""
    path = course.solutions / STEM / SOURCE
    assert SMALL.count(old) == 1
    path.write_text(SMALL.replace(old, new), encoding="utf-8")
    assert_refused(course, f"{path}:{line}: ", said)


OWN = """[groups]
kernels = "Kernels"

[kernels.turned-round]
title = "The kernel is turned round"
seen = "Your numbers are those of a kernel that is turned round."
look = "Which number of the kernel meets the first one of x?"
"""


def test_chapter_s_own_mistakes(course: CoursePaths) -> None:
    """They are explained as the others are once the chapter is built, and go with it."""
    (course.solutions / STEM / MISTAKES).write_text(OWN, encoding="utf-8")
    build_declaration(STEM, course)
    assert explain("turned-round").group == "kernels"
    assert title_of_group("kernels") == "Kernels"
    del CHAPTERS[STEM]
    assert "turned-round" not in known_mistakes()


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        (
            'title = "The kernel is turned round"',
            "",
            4,
            "turned-round: expected title, seen, look, each",
        ),
        ('title = "The kernel is turned round"', "title = 1", 4, "turned-round: expected title, seen, look"),
        ("look =", "looks =", 4, "turned-round: expected title, seen, look"),
        ('kernels = "Kernels"', "kernels = 3", 1, "kernels has no title"),
        ("[kernels.turned-round]", "[kernels]", 4, "title: expected title, seen, look"),
        ("[groups]", "round = 1\n[groups]", 1, "round is no table. Write [group.code] before each mistake."),
        ("[groups]", "[groups", 1, "this is not TOML"),
    ],
)
def test_errors_of_mistakes_name_the_line(
    old: str, new: str, line: int, said: str, course: CoursePaths
) -> None:
    """In their own file."""
    path = course.solutions / STEM / MISTAKES
    path.write_text(OWN.replace(old, new, 1), encoding="utf-8")
    assert_refused(course, f"{path}:{line}: ", said)


def test_mistakes_are_declared_in_their_own_file(course: CoursePaths) -> None:
    """So that a chapter's exercises can be read at a glance."""
    path = course.solutions / STEM / SOURCE
    path.write_text(f"{SMALL}\n[mistakes]\n", encoding="utf-8")
    with pytest.raises(SourceError, match="mistakes have a file of their own"):
        build_declaration(STEM, course)


def test_drift_is_told(course: CoursePaths) -> None:
    """A declaration that was changed and not built is named by the file that is old."""
    build_declaration(STEM, course)
    assert declaration_drift(STEM, course) == []
    (course.solutions / STEM / SOURCE).write_text(SMALL.replace("points = 2", "points = 3"), encoding="utf-8")
    (told,) = declaration_drift(STEM, course)
    assert told.startswith(str(course.references / STEM / COMPILED))
    assert "run `grader build ch77_convolution`" in told
    (course.solutions / STEM / SPECIMENS).write_text(f"{MADE_SPECIMENS}\n", encoding="utf-8")
    build_declaration(STEM, course)
    (course.solutions / STEM / SPECIMENS).write_text(MADE_SPECIMENS, encoding="utf-8")
    assert len(declaration_drift(STEM, course)) == 1


@pytest.mark.parametrize("content", ["", "[]", '{"exercises": []}'])
def test_damaged_data_says_what_to_run(content: str, course: CoursePaths) -> None:
    """The package's own file is no author's: the build makes it anew."""
    build_declaration(STEM, course)
    (course.references / STEM / COMPILED).write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match="Run `grader build ch77_convolution`"):
        load_declaration(course.references / STEM)


def test_damaged_data_is_mended_by_the_build(course: CoursePaths) -> None:
    """Whoever asks for the chapter is told what to run, and that command does not need it."""
    build_declaration(STEM, course)
    (course.references / STEM / COMPILED).write_text("{", encoding="utf-8")
    del CHAPTERS[STEM]
    know_all(course.references)
    for find, name in ((find_chapter, STEM), (find_exercise, "ch77-nothing")):
        with pytest.raises(SourceError, match="Run `grader build ch77_convolution`"):
            find(name)
    assert build_declaration(STEM, course) is find_chapter(STEM)
    with pytest.raises(UnknownExerciseError):
        find_exercise("ch77-nothing")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["ch78_nothing"], "There is no chapter 'ch78_nothing'. The chapters are: "),
        (["ch04_self_attention"], "so ch04_self_attention cannot be built in this course"),
    ],
)
def test_build_says_what_cannot_be_built(asked: list[str], said: str, course: CoursePaths) -> None:
    """A chapter of the package is none of a course that has not its sources."""
    run = CliRunner().invoke(main, ["build", *asked, "--course", str(course.root)])
    assert (run.exit_code, said in run.output) == (2, True), run.output


@pytest.mark.parametrize(
    "asked",
    [
        *("build", "build ch04_self_attention", "bundle a.zip", "site s"),
        *("references build", "references verify", "sample-class c"),
    ],
)
def test_class_without_sources_says_so(asked: str, tmp_path: Path) -> None:
    """In a folder that only grades, whatever needs sources says where they are."""
    CoursePaths(tmp_path).config.write_text("c = get_config()\n")
    run = CliRunner().invoke(main, [*asked.split(), "--course", str(tmp_path)])
    assert run.exit_code == 2
    assert "is a class, without the sources of chapters" in run.output
    assert "--course CLONE" in run.output
