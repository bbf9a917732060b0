"""A chapter's declaration: the files that its author writes, and the data that the build compiles from them.

An author writes ``exercises.toml``; ``mistakes.toml``, where the chapter has mistakes of its own; and
``specimens.py``, where an exercise shows code with a bug. The build checks them, and puts them into one file,
``exercises.json``, beside the chapter's references. All else reads only this.
"""

import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import ModuleType

from grader.errors import SourceError
from grader.exercises.model import DRAWN, Chapter, Exercise, Forbidden, Question, drivers, named
from grader.exercises.specimen import Specimen

SOURCE, MISTAKES, COMPILED, SPECIMENS = "exercises.toml", "mistakes.toml", "exercises.json", "specimens.py"
# The tables of a declaration, and what each of their entries is.
KINDS = {"exercises": Exercise, "questions": Question}
# What a field may be, by its type, and how a message says it.
WANTED: Mapping[object, tuple[type, str]] = {
    str: (str, "a text"),
    int: (int, "a whole number"),
    bool: (bool, "true or false"),
    bool | None: (bool, "true or false"),
    tuple[str, ...]: (list, "a list of texts"),
    Specimen | None: (str, f"the name of a Specimen in {SPECIMENS}"),
}
FORBIDDEN = (
    "what an answer must not call: one of {names}, or a table of parts (of names of functions), words (what "
    "that is), and maybe also (one of those)"
)
HARDEST = 5
# The texts of a mistake, and the table that describes groups of mistakes.
TOLD, GROUPS = ("title", "seen", "look"), "groups"
MISTAKES_KEY, SPECIMENS_KEY = "mistakes", "specimens"
# Makes an error with its position: the problem, the table, the number of the entry, its key.
Refuse = Callable[[str, str, int, str], SourceError]


def read_declaration(folder: Path) -> Chapter:
    """Return the chapter that an author declares in a folder of sources; the folder's name is its stem.

    Raises:
        SourceError: it is missing or wrong; it names the file, the line and what to do.
    """
    return _chapter(_source_facts(folder), folder, _by_line(folder / SOURCE))


@dataclass(frozen=True)
class Declared:
    """A compiled declaration: all that another process needs to register the chapter.

    Attributes:
        stem: the chapter's.
        text: the content of ``exercises.json``.
    """

    stem: str
    text: str


def declared_in(folder: Path) -> Declared:
    """Return what was built into a folder of references.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        return Declared(folder.name, (folder / COMPILED).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SourceError(folder / COMPILED, 1, f"{error}. Run `grader build {folder.name}`.") from error


def load_declaration(folder: Path) -> Chapter:
    """Return the chapter whose declaration was built into a folder of references.

    Raises:
        SourceError: it cannot be read.
    """
    return chapter_of(declared_in(folder), folder)


def chapter_of(declared: Declared, folder: Path) -> Chapter:
    """Return a chapter by what was built of its declaration; a folder stands for it in messages.

    Raises:
        SourceError: it is damaged.
    """

    def refuse(problem: str, *_: object) -> SourceError:
        return SourceError(folder / COMPILED, 1, f"{problem} Run `grader build {declared.stem}`.")

    try:
        facts = json.loads(declared.text)
    except ValueError as error:
        raise refuse(f"it cannot be read ({error}).") from error
    return _chapter(facts, folder, refuse)


def compiled(folder: Path) -> str:
    """Return what the build writes beside the references for an author's folder.

    Raises:
        SourceError: the declaration is missing or wrong.
    """
    read_declaration(folder)
    facts = _source_facts(folder)
    for entry in facts.get("exercises", ()):
        if "forbidden" in entry:
            forbidden = _forbidden(entry["forbidden"])
            entry["forbidden"] = {"parts": list(forbidden.parts), "words": forbidden.words}
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def load_specimens(folder: Path) -> ModuleType:
    """Return the module of the specimens in an author's folder."""
    path = folder / SPECIMENS
    return _module(path, path.read_text(encoding="utf-8"))


def _module(path: Path, text: str) -> ModuleType:
    """Return what a text defines; the same module for the same text at the same place."""
    name = f"grader_specimens_{hashlib.sha256(f'{path} {text}'.encode()).hexdigest()[:16]}"
    if name not in sys.modules:
        module = ModuleType(name)
        module.__file__ = str(path)
        exec(compile(text, path, "exec"), vars(module))
        sys.modules[name] = module
    return sys.modules[name]


def _source_facts(folder: Path) -> dict:
    """Return what an author's files say: the exercises, and mistakes and specimens where there are some."""
    if not (folder / SOURCE).is_file():
        told = "it is missing. Declare the chapter's title and its exercises there."
        raise SourceError(folder / SOURCE, 1, told)
    facts = read_toml(folder / SOURCE)
    if found := {MISTAKES_KEY, SPECIMENS_KEY} & facts.keys():
        raise SourceError(folder / SOURCE, 1, f"{min(found)} have a file of their own.")
    if (folder / MISTAKES).is_file():
        facts[MISTAKES_KEY] = read_toml(folder / MISTAKES)
    if (folder / SPECIMENS).is_file():
        facts[SPECIMENS_KEY] = (folder / SPECIMENS).read_text(encoding="utf-8")
    return facts


def read_toml(path: Path) -> dict:
    """Return the content of an author's file.

    Raises:
        SourceError: it is not TOML; names the line.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        line = re.search(r"line (\d+)", str(error))
        raise SourceError(path, int(line[1]) if line else 1, f"this is not TOML: {error}.") from error


def _by_line(path: Path) -> Refuse:
    """Return what makes errors that name the line of an author's file."""

    def refuse(problem: str, table: str = "", number: int = 0, key: str = "") -> SourceError:
        if table == MISTAKES_KEY:
            mistakes = path.with_name(MISTAKES)
            lines = mistakes.read_text(encoding="utf-8").splitlines()
            headers = (f"[{key}]", f"[{key.partition('.')[0]}]")
            at = next((n for n, line in enumerate(lines, 1) if line.startswith(headers)), 1)
            return SourceError(mistakes, at, problem)
        lines, at = path.read_text(encoding="utf-8").splitlines(), 0
        if not table and key:
            pattern = re.compile(rf"\[*{re.escape(key)}\b")
            at = next((place for place, line in enumerate(lines) if pattern.match(line)), 0)
        starts = [place for place, line in enumerate(lines) if line.startswith(f"[[{table}]]")]
        if number < len(starts):
            at = starts[number]
            end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith("[[")), len(lines))
            named = (n for n in range(at, end) if re.match(rf"{re.escape(key)}\s*=", lines[n]))
            at = next(named, at)
        return SourceError(path, at + 1, problem)

    return refuse


def refused(chapter: Chapter, part: Exercise | Question, key: str, problem: str, folder: Path) -> SourceError:
    """Return an error about a key of an exercise or a question, with its line in the author's file."""
    table, parts = (
        ("exercises", chapter.exercises) if part in chapter.exercises else ("questions", chapter.questions)
    )
    return _by_line(folder / SOURCE)(problem, table, parts.index(part), key)


def mistake_refused(chapter: Chapter, name: str, problem: str) -> SourceError:
    """Return an error about a mistake of a chapter, ``group.code``, with its line in the author's file.

    Where that is not beside the chapter's references, the compiled declaration is named.
    """
    folder = chapter.folder or Path(chapter.stem)
    source = folder.absolute().parents[1] / "solutions" / chapter.stem / SOURCE
    if not source.with_name(MISTAKES).is_file():
        return SourceError(folder / COMPILED, 1, problem)
    return _by_line(source)(problem, MISTAKES_KEY, 0, name)


def _chapter(facts: object, folder: Path, refuse: Refuse) -> Chapter:
    title = facts.get("title") if isinstance(facts, dict) else None
    if not isinstance(title, str) or not title.strip():
        raise refuse("it has no title. Write title = and what the chapter is called.", "", 0, "title")
    if strange := facts.keys() - {"title", *KINDS, MISTAKES_KEY, SPECIMENS_KEY}:
        told = f"{min(strange)} is not known here; known are title, {', '.join(KINDS)}."
        raise refuse(f"{told}{closest(min(strange), ('title', *KINDS))}", "", 0, min(strange))
    for table in KINDS:
        entries = facts.get(table, [])
        if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
            raise refuse(f"{table} is no list of tables. Write [[{table}]] before each.", "", 0, "")
    specimens = partial(_module, folder / SPECIMENS, facts.get(SPECIMENS_KEY, ""))
    parts = {
        table: tuple(
            _part(kind, entry, folder.name, specimens, partial(_at, refuse, table, number))
            for number, entry in enumerate(facts.get(table, ()))
        )
        for table, kind in KINDS.items()
    }
    seen: set[str] = set()
    for table, entries in parts.items():
        for number, one in enumerate(entries):
            if one.id in seen:
                raise refuse(f"the id {one.id} is there twice. Give each its own.", table, number, "id")
            seen.add(one.id)
    mistakes = facts.get(MISTAKES_KEY, {})
    if wrong := _wrong_mistake(mistakes):
        where, told = wrong
        raise refuse(told, MISTAKES_KEY, 0, where)
    return Chapter(folder.name, facts["title"], **parts, mistakes=mistakes, folder=folder)


def _at(refuse: Refuse, table: str, number: int, told: str, key: str = "") -> SourceError:
    """Return an error about one entry."""
    return refuse(told, table, number, key)


def _wrong_mistake(mistakes: Mapping) -> tuple[str, str] | None:
    """Return which table of mistakes is wrong, and what is wrong with it; None if none is."""
    for group, codes in mistakes.items():
        if not isinstance(codes, dict):
            return group, f"{group} is no table. Write [group.code] before each mistake."
        if group == GROUPS:
            if strange := [name for name, title in codes.items() if not isinstance(title, str)]:
                return group, f"{strange[0]} has no title. Write what the group is about, in a few words."
            continue
        for code, texts in codes.items():
            whole = isinstance(texts, dict) and texts.keys() == set(TOLD)
            if not whole or not all(isinstance(one, str) for one in texts.values()):
                return f"{group}.{code}", f"{code}: expected {', '.join(TOLD)}, each a text."
    return None


def _part(
    kind: type[Exercise | Question],
    entry: Mapping,
    stem: str,
    specimens: Callable[[], ModuleType],
    refuse: Callable[..., SourceError],
) -> Exercise | Question:
    """Return an exercise or a question as it is declared."""
    known = {one.name: one for one in fields(kind) if one.name != "chapter"}
    if strange := [key for key in entry if key not in known]:
        told = f"{strange[0]} is not known; known are {', '.join(known)}.{closest(strange[0], known)}"
        raise refuse(told, strange[0])
    if missing := [name for name, one in known.items() if one.default is MISSING and name not in entry]:
        raise refuse(f"{missing[0]} is missing.")
    values = {name: _value(known[name], value, specimens, refuse) for name, value in entry.items()}
    for name, least, most in (("points", 1, None), ("minutes", 1, None), ("difficulty", 1, HARDEST)):
        if values[name] < least or (most and values[name] > most):
            bounds = f"from {least} to {most}" if most else f"of at least {least}"
            raise refuse(f"{name} = {values[name]}: expected a number {bounds}.", name)
    if kind is Exercise:
        _check_names(values, refuse)
        if not values["hints"]:
            raise refuse("hints = []: expected at least one, each saying more than the one before.", "hints")
        if not all(one.strip() for one in values["hints"]):
            raise refuse("hints: one of them is empty. Write it, or leave it out.", "hints")
    return kind(chapter=stem, **values)


def _check_names(values: Mapping, refuse: Callable[..., SourceError]) -> None:
    """Refuse an exercise that names what there is not."""
    for name, known in (("driver", drivers()), ("drawn_by", DRAWN)):
        value = values.get(name)
        if value and value not in known:
            there = f"known are {', '.join(known)}.{closest(value, known)}"
            raise refuse(f"{name} = {value!r} is not known; {there}", name)
    subject, signature = values["subject"], values["signature"]
    if not subject.isidentifier():
        raise refuse(f"subject = {subject!r}: expected the name of a class or a function.", "subject")
    if values["driver"] == "arrays" and values.get("required"):
        raise refuse("required: calls of NumPy's own functions are not seen. Leave it out.", "required")
    if not signature.startswith(f"{subject}("):
        told = f"expected {subject}(...), as a learner calls it, and what that gives"
        raise refuse(f"signature = {signature!r}: {told}.", "signature")


def _plain(name: str) -> str:
    """Return a name in small letters, without zeros before its numbers."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", name.lower())


def closest(word: str, known: Iterable[str]) -> str:
    """Return a question after the known word that may have been meant; empty if none is like it."""
    found = like(word, known)
    return f" Did you mean {found}?" if found else ""


def like(word: str, known: Iterable[str]) -> str:
    """Return the known word that may have been meant; empty if none is like it."""
    names = tuple(known)
    found = get_close_matches(word, names, n=1) or [
        one for one in names if _plain(one).startswith(_plain(word))
    ]
    return found[0] if found else ""


def _value(
    field: Field, value: object, specimens: Callable[[], ModuleType], refuse: Callable[..., SourceError]
) -> object:
    """Return the value of a field."""
    if field.type is Forbidden:
        try:
            return _forbidden(value)
        except (KeyError, TypeError, ValueError) as error:
            wanted = FORBIDDEN.format(names=", ".join(map(repr, named())))
            raise refuse(f"forbidden = {value!r}: expected {wanted}.", field.name) from error
    form, words = WANTED[field.type]
    texts = form is list and isinstance(value, list) and all(isinstance(one, str) for one in value)
    if type(value) is not form or (form is list and not texts):
        raise refuse(f"{field.name} = {value!r}: expected {words}.", field.name)
    if field.type != Specimen | None:
        return tuple(value) if texts else value
    specimen = getattr(specimens(), value, None)
    if not isinstance(specimen, Specimen):
        raise refuse(f"{SPECIMENS} has no Specimen {value}. Write it there.", field.name)
    return specimen


def _forbidden(value: object) -> Forbidden:
    """Return what is forbidden, by a name that stands for it or by a table."""
    if isinstance(value, str):
        return named()[value]
    parts, words, also = value["parts"], value["words"], value.get("also")
    texts = isinstance(parts, list) and all(isinstance(one, str) for one in (*parts, words))
    if not texts or value.keys() - {"parts", "words", "also"}:
        raise ValueError(value)
    return Forbidden((*parts, *(named()[also].parts if also else ())), words)
