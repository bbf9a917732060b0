"""Build the static site: all chapters without solutions; of the package's own course the guides, too.

English is at the root, each other language in a folder of its own, with the same places of pages and the same
anchors in them.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from gettext import NullTranslations
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from grader.course.about import read_about
from grader.course.editions import FOR_STUDENTS, Edition
from grader.course.glossary import rows
from grader.course.paths import ENGLISH, CoursePaths, chapters_in, find_checkout
from grader.course.site_notebook import first_lines, site_notebook
from grader.course.site_sphinx import ABOUT_SITE
from grader.course.templating import TEMPLATES, filled
from grader.course.vocabularies import read_vocabularies
from grader.errors import GraderError
from grader.exercises import Chapter
from grader.files import write_whole
from grader.messages import message
from grader.messages.message import ENGLISH as UNTRANSLATED

FRONT_PAGE = "index.html"
# Lies in every site that is built here: a folder with it may be replaced.
MARKER = ".course-site"
# Sphinx's configuration and what it copies by itself.
NO_PAGES = shutil.ignore_patterns("*.py", "_static", "_templates", "__pycache__")
OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")


def make_site(paths: CoursePaths, out: Path, editions: Sequence[Edition] = ()) -> None:
    """Build the site into a folder, which is replaced as a whole.

    Args:
        paths: the course whose notebooks are shown.
        out: the folder to write, or to replace.
        editions: what it says in languages other than English, each in a folder named by its code.

    Raises:
        GraderError: a notebook is not built, or Sphinx finds something wrong.
    """
    out = out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as folder:
        work, built = Path(folder), Path(folder, "site")
        write_source(paths, work / ENGLISH)
        for edition in editions:
            write_edition(paths, work / edition.code, edition)
        names = {ENGLISH: "English"} | {edition.code: edition.name for edition in editions}
        documents = {code: sorted(_documents(work / code)) for code in names}
        for code in names:
            about = {
                "own": code,
                "names": names,
                "documents": documents,
                "english": str(_doctrees(work / ENGLISH)),
            }
            write_whole(work / code / ABOUT_SITE, json.dumps(about))
        run_sphinx(work / ENGLISH, built, read_about(paths).title)  # first: the others take its anchors
        with ThreadPoolExecutor() as pool:
            runs = [
                pool.submit(run_sphinx, work / one.code, built / one.code, one.title, one.code)
                for one in editions
            ]
        for run in runs:
            run.result()
        for edition in editions:
            shutil.rmtree(built / edition.code / "_static" / "mathjax")  # they have that of English
        (built / MARKER).touch()
        if out.exists():
            out.rename(work / "earlier")
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
        for name, text in english_pages(paths).items():
            write_whole(target / name, text)
    _write_chapters(paths, target)


def write_edition(paths: CoursePaths, target: Path, edition: Edition) -> None:
    """Write what Sphinx reads of another language: the students' pages, a notebook a chapter, its words."""
    for name in edition.pages:
        write_whole(target / name, edition.page(name))
    pictures = _docs() / "pictures"
    if paths.root.resolve() == _docs().parent:
        shutil.copytree(pictures, target / pictures.name, ignore=NO_PAGES)
    write_whole(target / "locales" / edition.code / "LC_MESSAGES" / "sphinx.mo", edition.compiled)
    _write_chapters(paths, target, edition)


def english_pages(paths: CoursePaths) -> dict[str, str]:
    """Return the English pages for students that a course's site has, by their names.

    Raises:
        GraderError: there is no checkout, or the words of the chapters cannot be read.
    """
    if paths.root.resolve() == _docs().parent:
        texts = {name: (_docs() / name).read_text(encoding="utf-8") for name in FOR_STUDENTS}
        return {name: without_links_outside(text) for name, text in texts.items()}
    title, words = read_about(paths).title, rows(read_vocabularies(paths))
    own = [name for name in FOR_STUDENTS if (TEMPLATES / "site" / f"{name}.j2").is_file()]
    return {name: filled(f"site/{name}", title=title, words=words) for name in own}


def _write_chapters(paths: CoursePaths, target: Path, edition: Edition | None = None) -> None:
    """Write a notebook a chapter, and the front page's list of them."""
    entries = []
    for chapter in chapters_in(paths):
        student, solution = (_read(path) for path in (paths.student(chapter), paths.solution(chapter)))
        if edition:
            student = _read(paths.student(chapter, edition.code), f" --language {edition.code}")
        page = site_notebook(student, solution, chapter, edition)
        write_whole(target / "chapters" / f"{chapter.stem}.ipynb", nbformat.writes(page))
        entries.append(_entry(chapter, student, edition.catalog if edition else UNTRANSLATED))
    write_whole(target / "chapters" / "list.md", "\n".join(entries))


def _documents(source: Path) -> Iterator[str]:
    """Yield the places of the pages that Sphinx makes of a source, without the ending."""
    yield "search"
    for path in source.rglob("*"):
        if path.suffix in (".md", ".ipynb") and path.name != "list.md":
            yield path.relative_to(source).with_suffix("").as_posix()


def without_links_outside(markdown: str) -> str:
    """Return a guide whose links to files that are not on the site are their text, and the file's name."""

    def named(link: re.Match) -> str:
        text, path = link.groups()
        return text if path in text else f"{text} (`{path}`)"

    return OUTSIDE.sub(named, markdown)


def _docs() -> Path:
    return find_checkout("The site is made") / "docs"


def _read(path: Path, option: str = "") -> NotebookNode:
    if not path.is_file():
        raise GraderError(f"{path} is missing. Run `grader build{option}` first.")
    return nbformat.read(path, as_version=4)


def _entry(chapter: Chapter, student: NotebookNode, catalog: NullTranslations) -> str:
    """Return a chapter's line on the front page: its title, which leads there, and its question."""
    title, asked = first_lines(student)
    link = f"{{doc}}`{title} </chapters/{chapter.stem}>`"
    entry = message("{label}: {text}", label=link, text=asked)
    return f"- {entry.render(catalog)}"


def _doctrees(source: Path) -> Path:
    """Return where Sphinx keeps what it has read of a source."""
    return source.parent / f"doctrees-{source.name}"


def run_sphinx(source: Path, built: Path, title: str, language: str = ENGLISH) -> None:
    """Build the pages of a source, under a title; Sphinx's own words are in the language.

    Raises:
        GraderError: Sphinx fails, or warns of something.
    """
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--quiet", "--fail-on-warning"]
    command += ["--define", f"project={title}", "--define", f"html_title={title}"]
    command += ["--define", f"language={language}"]
    command += ["--conf-dir", str(_docs()), "--doctree-dir", str(_doctrees(source))]
    run = subprocess.run([*command, str(source), str(built)], capture_output=True, text=True, check=False)
    if run.returncode:
        said = (run.stderr.strip() or run.stdout.strip()).replace(f"{source}/", "")
        raise GraderError(f"Sphinx does not build the site:\n{said}")
