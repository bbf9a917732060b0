"""The cell that finds the course's package: silent where it is there, and clear where it is not."""

import os
import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path
from types import ModuleType

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell

from grader.course.build import build
from grader.course.finder import FINDER, FINDER_ID, finder, finder_cell, is_finder
from grader.course.notebooks import with_finder
from grader.course.paths import CoursePaths
from grader.course.site_notebook import site_notebook
from grader.course.source import SourceCell
from grader.exercises import CHAPTERS, Chapter
from grader.grading.master import load_master, master_of
from grader.grading.sanitize import sanitize
from grader.messages.speaking import catalog_of
from tests.course.conftest import SOURCE


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the programs that are called where the package is not installed, in the archive's folders."""
    called: list[list[str]] = []
    folder = tmp_path / "notebooks" / "ch02"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setitem(sys.modules, "grader", None)

    def install(command: list[str]) -> subprocess.CompletedProcess:
        called.append(command)
        failed = os.environ.get("GRADER_INSTALL") == "fails"
        return subprocess.CompletedProcess(command, returncode=int(failed))

    monkeypatch.setattr(subprocess, "run", install)
    for name in ("GRADER_INSTALL", "KAGGLE_KERNEL_RUN_TYPE"):
        monkeypatch.delenv(name, raising=False)
    return called


def run(source: str = FINDER) -> dict[str, object]:
    """Run the cell, and return the names that it leaves behind."""
    space: dict[str, object] = {}
    exec(source, space)
    return {name: value for name, value in space.items() if name != "__builtins__"}


def test_it_does_nothing_where_the_package_is(capsys: pytest.CaptureFixture) -> None:
    """No output, and no name that an answer could come to need."""
    assert run() == {}
    assert capsys.readouterr() == ("", "")


def test_it_names_the_command_where_the_wheel_is_near(
    calls: list, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Two folders above the notebook lies the archive's wheel; nothing is installed unasked."""
    wheel = tmp_path / "grader-0.1.0-py3-none-any.whl"
    wheel.touch()
    assert run() == {}
    assert capsys.readouterr().out.splitlines()[-1] == f'%pip install "{wheel}"'
    assert calls == []


def test_it_asks_for_the_wheel_where_there_is_none(calls: list, capsys: pytest.CaptureFixture) -> None:
    """The message names the folder to put it into."""
    run()
    assert str(Path.cwd()) in capsys.readouterr().out
    assert calls == []


@pytest.mark.parametrize("language", ["pt_BR", "zh_CN"])
def test_it_speaks_the_notebooks_language(
    language: str, calls: list, tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture
) -> None:
    """The same cell says the same: where the wheel belongs, and the command where it is near."""
    stem = "ch02_dot_product_attention"
    notebook = nbformat.read(CoursePaths(repository).student(CHAPTERS[stem], language), as_version=4)
    source = next(cell.source for cell in notebook.cells if is_finder(cell))
    said = [finder(catalog_of(language, [CoursePaths(repository).references])), FINDER]
    assert source == said[0] != said[1]
    assert run(source) == {}
    told = capsys.readouterr().out
    assert str(Path.cwd()) in told
    assert "The course's package" not in told
    wheel = tmp_path / "grader-0.1.0-py3-none-any.whl"
    wheel.touch()
    run(source)
    assert capsys.readouterr().out.splitlines()[-1] == f'%pip install "{wheel}"'
    assert calls == []


@pytest.mark.parametrize("home", ["colab", "kaggle", "asked"])
def test_it_installs_where_it_may(
    home: str, calls: list, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Colab and Kaggle, and where a variable asks for it, without touching PyTorch or NumPy."""
    if home == "colab":
        monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
    else:
        monkeypatch.setenv("GRADER_INSTALL" if home == "asked" else "KAGGLE_KERNEL_RUN_TYPE", "1")
    wheel = tmp_path / "grader-0.1.0-py3-none-any.whl"
    wheel.touch()
    run()
    others, own = calls
    assert own[:4] == [sys.executable, "-m", "pip", "install"]
    assert own[-2:] == ["--no-deps", str(wheel)]
    assert not {"torch", "numpy", str(wheel)} & set(others)


def test_it_says_so_where_it_could_not_install(
    calls: list, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """Nothing is tried after what failed, and the next cell's error is no riddle."""
    monkeypatch.setenv("GRADER_INSTALL", "fails")
    (tmp_path / "grader-0.1.0-py3-none-any.whl").touch()
    run()
    assert len(calls) == 1
    assert "That failed" in capsys.readouterr().out


def test_it_installs_what_the_package_asks_for(
    calls: list, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wheel is installed without its dependencies, so those that a check needs come before it."""
    monkeypatch.setenv("GRADER_INSTALL", "1")
    (tmp_path / "grader-0.1.0-py3-none-any.whl").touch()
    run()
    asked = {re.match(r"[\w-]+", one)[0] for one in requires("grader")}
    assert set(calls[0][5:]) <= asked


def test_it_stands_before_the_first_code_of_both_notebooks(
    tmp_path: Path, repository: Path, small: Chapter
) -> None:
    """It is folded, and can be neither changed nor deleted."""
    paths = CoursePaths(tmp_path)
    paths.source(small).parent.mkdir(parents=True)
    paths.source(small).write_text(SOURCE, encoding="utf-8")
    paths.config.write_bytes(CoursePaths(repository).config.read_bytes())
    build(small, paths, lambda *_: None)
    for path in (paths.solution(small), paths.student(small)):
        cells = nbformat.read(path, as_version=4).cells
        found = next(one for one in cells if one.cell_type == "code")
        assert (found.id, found.source, found.outputs) == (FINDER_ID, FINDER, [])
        assert found.metadata == finder_cell().metadata


def test_a_notebook_without_code_gets_it_at_its_end() -> None:
    """There is nothing that it would have to come before."""
    prose = SourceCell(new_markdown_cell("# Doubling"), 1)
    assert [one.made for one in with_finder([prose, prose])] == [False, False, True]


def test_it_is_not_shown_on_the_site(repository: Path) -> None:
    """No kernel runs there."""
    chapter = CHAPTERS["ch04_self_attention"]
    student, solution = notebooks(repository, chapter)
    page = site_notebook(student, solution, chapter)
    assert FINDER not in [cell.source for cell in page.cells]
    assert len([cell for cell in page.cells if cell.cell_type == "code"]) > 10


def notebooks(repository: Path, chapter: Chapter) -> tuple[nbformat.NotebookNode, nbformat.NotebookNode]:
    """Return a chapter's two notebooks with the cell, whether they were built with it or not."""
    found = []
    for path in (CoursePaths(repository).student(chapter), CoursePaths(repository).solution(chapter)):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells = [cell for cell in notebook.cells if cell.id != FINDER_ID]
        first = next(i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code")
        notebook.cells.insert(first, finder_cell())
        found.append(notebook)
    return found[0], found[1]


def test_work_with_and_without_it_is_the_same_work(repository: Path) -> None:
    """A notebook that was handed out before there was the cell is graded alike, and so is a new one."""
    chapter, paths = CHAPTERS["ch04_self_attention"], CoursePaths(repository)
    new, _ = notebooks(repository, chapter)
    old = nbformat.from_dict(new)
    old.cells = [cell for cell in old.cells if cell.id != FINDER_ID]
    for given in (new, old):
        master = master_of(given, chapter, paths)
        assert master.first_code == load_master(chapter, paths).first_code
        assert FINDER not in master.given_code
        with_it, without = (sanitize(nbformat.writes(one).encode(), master) for one in (new, old))
        assert (with_it.cells, with_it.answers, with_it.notes) == (without.cells, without.answers, ())
        assert [with_it.notebook.cells[place].source for place in with_it.places] == [
            without.notebook.cells[place].source for place in without.places
        ]
