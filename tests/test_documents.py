"""What the documents tell people to type exists, and what they show is what people get."""

import ast
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import click
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from nbgrader.apps import NbGraderApp
from traitlets.config import Config

import grader.figures
import grader.proving.hidden
import grader.proving.posing
from grader.checking.loading import load_subject
from grader.checking.notebook import judge_subject
from grader.checking.rendering import result_text
from grader.cli import main
from grader.course.paths import CoursePaths
from grader.course.tables import COUNTED, tables_drift, write_tables
from grader.errors import SourceError
from grader.exercises import CHAPTERS, find_exercise
from grader.proving.bank import Answer

FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`]+)`")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]*)#([^)]+)\)")


def documents() -> list[Path]:
    """Return the README and all pages of docs/."""
    repository = Path(__file__).resolve().parents[1]
    return [repository / "README.md", *sorted((repository / "docs").glob("*.md"))]


def commands(document: Path, program: str) -> Iterator[list[str]]:
    """Yield the arguments of each call of a program that a document shows."""
    text = document.read_text(encoding="utf-8")
    lines = [line for block in FENCED.findall(text) for line in block.splitlines()]
    lines += [line for line in text.splitlines() if line.startswith("    ")]
    spans = [" ".join(span.split()) for span in INLINE.findall(FENCED.sub("", text))]
    for call in (part.strip() for line in lines + spans for part in line.split(" && ")):
        if call.startswith(f"{program} "):
            yield shlex.split(call.partition("  #")[0])[1:]


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.stem)
def test_every_grader_command_exists(document: Path) -> None:
    """Click knows the command, and each of its options."""
    for arguments in commands(document, "grader"):
        parse(main, arguments)


def parse(command: click.Command, arguments: list[str]) -> None:
    """Have click parse arguments, down to the command that they call."""
    context = click.Context(command, info_name="grader")
    if isinstance(command, click.Group) and not arguments[0].startswith("-"):
        found = command.get_command(context, arguments[0])
        assert found is not None, arguments
        if arguments[1:]:
            parse(found, arguments[1:])
        return
    try:
        command.make_parser(context).parse_args(list(arguments))
    except click.BadOptionUsage as error:  # in a sentence an option may stand without its value
        assert arguments[-1] == error.option_name, arguments


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.stem)
def test_every_nbgrader_command_exists(document: Path) -> None:
    """Nbgrader has a command of that name."""
    known = NbGraderApp().subcommands
    assert {arguments[0] for arguments in commands(document, "nbgrader")} <= set(known)


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.stem)
def test_links_into_a_page_find_their_heading(document: Path) -> None:
    """A link with a place in it leads to a heading of that page."""
    for target, place in LINK.findall(document.read_text(encoding="utf-8")):
        page = document.parent / target if target else document
        assert place in {slug(one) for one in HEADING.findall(page.read_text(encoding="utf-8"))}, place


def test_configuration_of_jupyterhub_opens_the_course_for_the_teacher_alone() -> None:
    """The guide's hook gives the teacher the course, and frames for Formgrader; a student nothing."""
    guide = Path(__file__).resolve().parents[1] / "docs" / "handing_out.md"
    (source,) = (one for one in FENCED.findall(guide.read_text(encoding="utf-8")) if "pre_spawn_hook" in one)
    config = Config()
    exec(source, {"get_config": lambda: config})
    course = "/home/teacher/attention"
    spawners = {}
    for name in config.Authenticator.allowed_users:
        spawners[name] = SimpleNamespace(user=SimpleNamespace(name=name))
        config.Spawner.pre_spawn_hook(spawners[name])
    teacher = spawners.pop("teacher")
    assert (teacher.notebook_dir, teacher.cmd) == (course, [f"{course}/.venv/bin/jupyterhub-singleuser"])
    (argument,) = teacher.args
    settings = ast.literal_eval(argument.removeprefix("--ServerApp.tornado_settings="))
    assert settings == {"headers": {"Content-Security-Policy": "frame-ancestors 'self'"}}
    assert [vars(one).keys() for one in spawners.values()] == [{"user"}]


def test_tables_of_chapters_are_those_of_the_course(repository: Path) -> None:
    """The number of exercises in the README and the points in the guide are right, chapter by chapter."""
    assert tables_drift(CoursePaths(repository)) == []


@pytest.fixture
def copy(repository: Path, tmp_path: Path) -> CoursePaths:
    """Return a course with the same chapters and documents, to be changed."""
    for name in COUNTED:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(repository / name, tmp_path / name)
    for stem in CHAPTERS:
        (tmp_path / "solutions" / stem).mkdir(parents=True)
    return CoursePaths(tmp_path)


@pytest.mark.parametrize("name", COUNTED)
def test_wrong_number_in_a_table_is_mended_by_the_build(name: str, copy: CoursePaths) -> None:
    """It is told with the command, and nothing else of the document is written."""
    path = copy.root / name
    right = path.read_text(encoding="utf-8")
    rows = [line for line in right.splitlines() if re.match(r"\| 3\b", line)]
    wrong = re.sub(r"\| (4|11) \|", "| 99 |", rows[0])
    assert wrong != rows[0]
    path.write_text(right.replace(rows[0], wrong), encoding="utf-8")
    (told,) = tables_drift(copy)
    assert told.startswith(f"{path} ") and "run `grader build`" in told
    write_tables(copy)
    assert path.read_text(encoding="utf-8") == right


@pytest.mark.parametrize("name", COUNTED)
def test_chapter_without_a_row_is_named(name: str, copy: CoursePaths) -> None:
    """What a row says beside the number is for a person to write."""
    path = copy.root / name
    lines = path.read_text(encoding="utf-8").splitlines()
    head = next(number for number, line in enumerate(lines, 1) if line.startswith("| chapter"))
    path.write_text("\n".join(line for line in lines if not re.match(r"\| 3\b", line)), encoding="utf-8")
    place = re.escape(f"{path}:{head}")
    with pytest.raises(SourceError, match=rf"{place}: chapter 3, .* has no row in this table. Write one."):
        tables_drift(copy)


def slug(heading: str) -> str:
    """Return the name of a heading in a link."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


VERDICTS = [
    ("docs/students.md", "ch02-sum-normalize", "softmax-unexpected"),
]


@pytest.mark.parametrize(("document", "exercise_id", "name"), VERDICTS)
def test_verdicts_in_print_are_those_that_a_learner_gets(
    document: str, exercise_id: str, name: str, answers: Callable[[str], dict[str, Answer]]
) -> None:
    """The sample holds, word for word, what the grader says of a known wrong answer today."""
    answer = next(one for one in answers(exercise_id).values() if one.name.startswith(name))
    subject, _ = load_subject(answer.program, find_exercise(exercise_id).subject, f"<{answer.name}>")
    said = result_text(judge_subject(exercise_id, subject, "cpu"))
    said = said[: said.index("\n  [")]
    text = (Path(__file__).resolve().parents[1] / document).read_text(encoding="utf-8")
    assert " ".join(said.split()) in " ".join(text.split())


def test_calls_that_authors_copy_run(repository: Path) -> None:
    """The guide's calls that make cases and pictures have the arguments that the functions take."""
    blocks = FENCED.findall((repository / "docs/authoring.md").read_text(encoding="utf-8"))
    rng, weights = np.random.default_rng(0), torch.eye(3)
    given = vars(grader.figures) | vars(grader.proving.posing) | vars(grader.proving.hidden)
    given |= {"rng": rng, "oracle": lambda arguments, *_: 2 * arguments["x"], "figure": plt.figure()}
    given |= {"scores": weights, "weights": weights, "tokens": ["a", "b", "c"]}
    given |= {"by_formula": weights, "by_loop": weights}
    for called in ("show_curve(", "pose("):
        (block,) = (one for one in blocks if one.startswith(called))
        for line in block.splitlines():
            exec(line, dict(given))
    plt.close("all")
