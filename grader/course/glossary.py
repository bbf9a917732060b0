"""Build the glossary from the terms that the chapters declare and the grader's own terms in its template."""

from collections.abc import Sequence

from grader.course.paths import CoursePaths
from grader.course.terms import Vocabulary
from grader.errors import SourceError
from grader.files import write_whole

# Marks the place of the chapters' terms in the template.
CHAPTERS = "{chapters}"
HEAD = "| term | chapter | meaning |\n|---|---|---|"


def glossary(vocabularies: Sequence[Vocabulary], paths: CoursePaths) -> str:
    """Return the glossary's page.

    Raises:
        SourceError: its template is missing, or has no place for the chapters' words.
    """
    path = paths.glossary_template
    if not path.is_file():
        raise SourceError(path, 1, "there is no such file")
    template = path.read_text(encoding="utf-8")
    if (times := template.count(CHAPTERS)) != 1:
        raise SourceError(
            path, 1, f"expected {CHAPTERS}, the place of the chapters' words, once, not {times} times"
        )
    return template.replace(CHAPTERS, rows(vocabularies))


def rows(vocabularies: Sequence[Vocabulary]) -> str:
    """Return the table of the chapters' words."""
    made = (f"| {term.name} | {one.number} | {term.meaning} |" for one in vocabularies for term in one.terms)
    return "\n".join((HEAD, *made))


def write_glossary(vocabularies: Sequence[Vocabulary], paths: CoursePaths) -> None:
    """Write the glossary's page.

    Raises:
        SourceError: its template is missing, or has no place for the chapters' words.
    """
    write_whole(paths.glossary, glossary(vocabularies, paths))


def glossary_drift(vocabularies: Sequence[Vocabulary], paths: CoursePaths) -> list[str]:
    """Return a line if the glossary's page is not what the chapters declare.

    Raises:
        SourceError: its template is missing, or has no place for the chapters' words.
    """
    path = paths.glossary
    if not path.is_file() or path.read_text(encoding="utf-8") != glossary(vocabularies, paths):
        return [f"{path} is not what the chapters' terms.toml give; run `grader build`."]
    return []
