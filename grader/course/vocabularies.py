"""Read the terms of each chapter from its ``terms.toml``, and find where the text introduces them.

::

    [[term]]
    name = "vector, matrix"
    meaning = "a tensor with one axis; with two: rows and columns"

    [[term]]
    name = "share"
    forms = ["share", "shares", "shares of"]    # instead of the names and their plurals
    meaning = "one number of a row that sums to 1"
    where = "a row of scores into **shares**"   # instead of where the text first emphasizes a name
    everyday = "to share memory with another"   # why one plain word alone is not looked for

    [[announced]]                               # a text of the chapter that may have words before their place
    text = "Then come dropout and batches"
    terms = ["dropout"]
    why = "says what the chapter brings"

    [library]
    "torch.tanh" = "| `torch.tanh` | | squeezes"   # the words that explain a function

A text of ``where``, ``announced`` and ``library`` has to be there exactly once, however its lines are broken.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from grader.course.passages import prose_of
from grader.course.paths import CoursePaths, chapters_in
from grader.course.terms import Announcement, Term, Vocabulary, as_pattern
from grader.errors import SourceError
from grader.exercises import Chapter
from grader.exercises.declaration import read_toml

# What an entry of each array of tables may have, with the type, and what it needs.
KEYS = {
    "term": {"name": str, "meaning": str, "forms": list, "where": str, "everyday": str},
    "announced": {"text": str, "terms": list, "why": str},
}
NEEDED = {"term": ("name", "meaning"), "announced": ("text", "terms", "why")}
TABLES = {*KEYS, "library"}


def with_plural(name: str) -> tuple[str, ...]:
    """Return a name, and its regular plural if it is made of words."""
    if not name.replace("-", "").replace(" ", "").isalpha() or len(name) == 1:
        return (name,)
    if name.endswith(("s", "x", "ch", "sh")):
        return (name, f"{name}es")
    return (name, f"{name[:-1]}ies" if re.search(r"[^aeiou]y$", name) else f"{name}s")


def read_vocabularies(paths: CoursePaths) -> tuple[Vocabulary, ...]:
    """Return what each chapter introduces, in order.

    Raises:
        SourceError: declarations are missing, malformed, or do not fit their chapter's text, or a name is
            declared twice; carries the file and the line.
    """
    vocabularies = tuple(read_vocabulary(chapter, paths) for chapter in chapters_in(paths))
    declared: dict[str, Path] = {}
    for one in vocabularies:
        for term in one.terms:
            if term.name in declared:
                problem = f"{term.name!r} is declared in {declared[term.name]} already; take one of them out"
                raise SourceError(one.declared, term.line, problem)
            declared[term.name] = one.declared
    return vocabularies


def read_vocabulary(chapter: Chapter, paths: CoursePaths) -> Vocabulary:
    """Return what a chapter introduces.

    Raises:
        SourceError: the declarations are missing, malformed, or do not fit the chapter's text; carries the
            file and the line.
    """
    for file in (paths.terms(chapter), paths.source(chapter)):
        if not file.is_file():
            raise SourceError(file, 1, "there is no such file")
    return _Declarations(paths.terms(chapter), chapter, paths.source(chapter)).read()


class _Declarations:
    """Reads a file of declarations; errors name its lines."""

    def __init__(self, path: Path, chapter: Chapter, source: Path) -> None:
        self.path, self.chapter, self.source = path, chapter, source
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.text = source.read_text(encoding="utf-8")
        self.prose = prose_of(self.text)

    def read(self) -> Vocabulary:
        """Return what is declared."""
        content = read_toml(self.path)
        if unknown := sorted(content.keys() - TABLES):
            expected = "expected [[term]], [[announced]] and [library]"
            raise SourceError(self.path, 1, f"{expected}, got {', '.join(unknown)}")
        terms = [self._term(entry, line) for entry, line in self._entries(content, "term")]
        announced = tuple(
            Announcement(entry["text"], tuple(entry["terms"]), line)
            for entry, line in self._entries(content, "announced")
        )
        library = {name: self._explained(name, words) for name, words in content.get("library", {}).items()}
        in_order = tuple(sorted(terms, key=lambda term: term.place))
        return Vocabulary(self.chapter, self.source, self.text, in_order, announced, library, self.path)

    def _entries(self, content: dict, table: str) -> Iterator[tuple[dict, int]]:
        """Yield the entries of an array of tables, with the line of each."""
        keys = KEYS[table]
        lines = [number for number, line in enumerate(self.lines, 1) if line.startswith(f"[[{table}]]")]
        for entry, line in zip(content.get(table, []), lines, strict=True):
            for key, value in entry.items():
                if key not in keys or not isinstance(value, keys[key]):
                    problem = f"{key} = {value!r}: [[{table}]] has {', '.join(keys)}"
                    raise SourceError(self.path, line, problem)
            for key in NEEDED[table]:
                if not entry.get(key):
                    raise SourceError(self.path, line, f"[[{table}]] without {key!r}")
            yield entry, line

    def _term(self, entry: dict, line: int) -> Term:
        names = entry["name"].split(", ")
        forms = tuple(entry.get("forms") or (form for name in names for form in with_plural(name)))
        where = entry.get("where")
        place = self._once(where, line) if where else self._emphasized((*names, *forms), line)
        return Term(entry["name"], entry["meaning"], forms, place, entry.get("everyday", ""), line)

    def _emphasized(self, names: tuple[str, ...], line: int) -> int:
        """Return where the text first emphasizes one of the names, or shows it as code."""
        words = "|".join(as_pattern(one.strip("`")) for one in names)
        found = re.search(rf"(?<![*\w])(\*{{1,2}}|`)(?i:{words})\1", self.prose)
        if not found:
            name = names[0]
            problem = f"{self.source} has no *{name}*, **{name}** or `{name}`"
            raise SourceError(self.path, line, f"{problem}; say with `where` in which words it is introduced")
        return found.start()

    def _once(self, words: str, line: int) -> int:
        """Return where the text has some words, which it must have once."""
        places = [found.start() for found in re.finditer(as_pattern(words), self.prose)]
        if len(places) != 1:
            problem = f"{words!r} should be in {self.source} once, and is there {len(places)} times"
            raise SourceError(self.path, line, problem)
        return places[0]

    def _explained(self, name: str, words: object) -> int:
        line = next((number for number, text in enumerate(self.lines, 1) if text.startswith(f'"{name}"')), 1)
        if not isinstance(words, str):
            raise SourceError(self.path, line, f"{name} = {words!r}: expected the words that explain it")
        return self._once(words, line)
