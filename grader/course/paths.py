"""The files and folders of a course."""

from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError
from grader.exercises import CHAPTERS, Chapter, know_all, references_root

CONFIG = "nbgrader_config.py"
SETTINGS = "course.toml"
ABOUT = "about.toml"
DECISIONS = "decisions.toml"
REMARKS = "remarks.toml"
EXTENSIONS = "extensions.toml"
# The language of the sources.
ENGLISH = "en"


@dataclass(frozen=True)
class CoursePaths:
    """The folders and files of a course, from its root."""

    root: Path

    @property
    def solutions(self) -> Path:
        """The folder of text sources, solutions and answer banks."""
        return self.root / "solutions"

    @property
    def about(self) -> Path:
        """What the course is called; there need be no such file."""
        return self.solutions / ABOUT

    @property
    def config(self) -> Path:
        """Nbgrader's configuration."""
        return self.root / CONFIG

    @property
    def settings(self) -> Path:
        """The course's own settings; the file is optional."""
        return self.root / SETTINGS

    @property
    def decisions(self) -> Path:
        """Decisions for the whole class; the file is optional."""
        return self.root / DECISIONS

    @property
    def remarks(self) -> Path:
        """Reusable remarks; the file is optional."""
        return self.root / REMARKS

    @property
    def extensions(self) -> Path:
        """Extensions of due dates; the file is optional."""
        return self.root / EXTENSIONS

    @property
    def references(self) -> Path:
        """The folder of reference outputs."""
        return self.root / "reference_outputs"

    @property
    def glossary(self) -> Path:
        """The page of all words, made from what the chapters declare; only a checkout has its template."""
        return self.root / "docs" / "glossary.md"

    @property
    def glossary_template(self) -> Path:
        """The glossary's page without the chapters' words."""
        return self.root / "docs" / "_templates" / "glossary.md"

    def grading_cases(self, stem: str) -> Path:
        """The folder of a chapter's cases that only grading uses; it never leaves the instructor's side."""
        return self.solutions / stem / "grading_cases"

    def source(self, chapter: Chapter) -> Path:
        """A chapter's text source."""
        return self.solutions / chapter.stem / f"{chapter.stem}.md"

    def terms(self, chapter: Chapter) -> Path:
        """The words that a chapter introduces."""
        return self.solutions / chapter.stem / "terms.toml"

    def solution(self, chapter: Chapter) -> Path:
        """A chapter's executed solution notebook."""
        return self.solutions / chapter.stem / f"{chapter.stem}.ipynb"

    def student(self, chapter: Chapter, language: str = ENGLISH) -> Path:
        """A chapter's student notebook, in English or in a language that it is translated into."""
        return self.root / "notebooks" / language / chapter.stem / f"{chapter.stem}.ipynb"

    def translated(self, chapter: Chapter) -> list[Path]:
        """A chapter's student notebooks in other languages than English, as far as they are built."""
        built = self.root.glob(f"notebooks/*/{chapter.stem}/{chapter.stem}.ipynb")
        return sorted(path for path in built if path != self.student(chapter))

    @property
    def translations(self) -> Path:
        """The folder of the catalogs of all languages but English; there need be none."""
        return self.root / "translations"


def chapters_in(paths: CoursePaths) -> list[Chapter]:
    """Return the chapters that a course has, in their order."""
    return [chapter for chapter in CHAPTERS.values() if (paths.solutions / chapter.stem).is_dir()]


def find_course(asked: Path | None = None) -> CoursePaths:
    """Return the course in a folder: the one asked for, else the nearest at or above the working directory.

    Its chapters are known from then on, beside those that come with the package.

    Raises:
        GraderError: there is none.
    """
    places = [asked.resolve()] if asked else [Path.cwd(), *Path.cwd().parents]
    for place in places:
        if (place / CONFIG).is_file():
            paths = CoursePaths(place)
            if paths.references.resolve() != references_root().resolve():
                know_all(paths.references)  # a course may have chapters of its own
            return paths
    raise GraderError(
        f"There is no course in {places[0]}{'' if asked else ' or above it'}: "
        f"expected a folder with {CONFIG}. "
        "Change to the course's folder, or name it with --course."
    )


def find_checkout(what: str) -> Path:
    """Return the checkout that this package is run from, with the guides and the package's sources.

    Args:
        what: what needs it; the beginning of the message.

    Raises:
        GraderError: the package is installed without one.
    """
    root = Path(__file__).resolve().parents[2]
    if not (root / "pyproject.toml").is_file():
        raise GraderError(
            f"{what} in a checkout of the course, where all its parts are. "
            "This package is installed without one: clone the course's repository and run it there."
        )
    return root
