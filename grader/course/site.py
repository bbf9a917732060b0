"""Build the static site: all chapters without solutions; of the package's own course the guides, too."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from grader.course.about import read_about
from grader.course.glossary import rows
from grader.course.paths import CoursePaths, chapters_in, find_checkout
from grader.course.site_notebook import question, site_notebook
from grader.course.templating import filled
from grader.course.vocabularies import read_vocabularies
from grader.errors import GraderError
from grader.exercises import Chapter
from grader.files import write_whole

FRONT_PAGE = "index.html"
# Lies in every site that is built here: a folder with it may be replaced.
MARKER = ".course-site"
# Sphinx's configuration and what it copies by itself.
NO_PAGES = shutil.ignore_patterns("*.py", "_static", "_templates", "__pycache__")
OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")


def make_site(paths: CoursePaths, out: Path) -> None:
    """Build the site into a folder, which is replaced as a whole.

    Args:
        paths: the course whose notebooks are shown.
        out: the folder to write, or to replace.

    Raises:
        GraderError: a notebook is not built, or Sphinx finds something wrong.
    """
    out = out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as folder:
        source, built = Path(folder, "source"), Path(folder, "site")
        write_source(paths, source)
        run_sphinx(source, built, read_about(paths).title)
        (built / MARKER).touch()
        if out.exists():
            out.rename(Path(folder, "earlier"))
        built.rename(out)


def is_site(folder: Path) -> bool:
    """Return whether a folder is nothing but a site that was built here, so that it may be replaced."""
    return (folder / MARKER).is_file() and not (folder / ".git").exists()


def write_source(paths: CoursePaths, target: Path) -> None:
    """Write what Sphinx reads: guides and glossary, a notebook a chapter, the front page's list of chapters.

    The guides speak of the package's own course. Another has pages without its chapters, and its own words.
    """
    if paths.root.resolve() == _docs().parent:
        shutil.copytree(_docs(), target, ignore=NO_PAGES)
        for page in target.rglob("*.md"):
            page.write_text(without_links_outside(page.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        title, words = read_about(paths).title, rows(read_vocabularies(paths))
        for name in ("index.md", "students.md", "glossary.md"):
            write_whole(target / name, filled(f"site/{name}", title=title, words=words))
    entries = []
    for chapter in chapters_in(paths):
        student, solution = (_read(path) for path in (paths.student(chapter), paths.solution(chapter)))
        page = site_notebook(student, solution, chapter)
        write_whole(target / "chapters" / f"{chapter.stem}.ipynb", nbformat.writes(page))
        entries.append(_entry(chapter, student))
    write_whole(target / "chapters" / "list.md", "\n".join(entries))


def without_links_outside(markdown: str) -> str:
    """Return a guide whose links to files that are not on the site are their text, and the file's name."""

    def named(link: re.Match) -> str:
        text, path = link.groups()
        return text if path in text else f"{text} (`{path}`)"

    return OUTSIDE.sub(named, markdown)


def _docs() -> Path:
    return find_checkout("The site is made") / "docs"


def _read(path: Path) -> NotebookNode:
    if not path.is_file():
        raise GraderError(f"{path} is missing. Run `grader build` first.")
    return nbformat.read(path, as_version=4)


def _entry(chapter: Chapter, student: NotebookNode) -> str:
    """Return a chapter's line on the front page: its title, which leads there, and its question."""
    title = student.cells[0].source.splitlines()[0].removeprefix("# ")
    return f"- {{doc}}`{title} </chapters/{chapter.stem}>`: {question(student)}"


def run_sphinx(source: Path, built: Path, title: str) -> None:
    """Build the pages of a source, under a title.

    Raises:
        GraderError: Sphinx fails, or warns of something.
    """
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--quiet", "--fail-on-warning"]
    command += ["--define", f"project={title}", "--define", f"html_title={title}"]
    command += ["--conf-dir", str(_docs()), "--doctree-dir", str(source.parent / "doctrees")]
    run = subprocess.run([*command, str(source), str(built)], capture_output=True, text=True, check=False)
    if run.returncode:
        said = (run.stderr.strip() or run.stdout.strip()).replace(f"{source}/", "")
        raise GraderError(f"Sphinx does not build the site:\n{said}")
