"""Hold a chapter's text against its declaration: sections, signatures, what is forbidden."""

import ast
import re
from collections.abc import Sequence
from pathlib import Path

from grader.course.source import FENCE, SourceCell
from grader.errors import SourceError
from grader.exercises import Chapter, Exercise
from grader.exercises.declaration import closest, refused
from grader.exercises.signature import as_text, calls_shown, without_first

HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
# So long a line of code may be: the site's column holds it at 1280 pixels, and JupyterLab's with its sidebar.
MAX_CODE = 88
# A picture that a text shows, unless it is on the web or in the text itself; and code within a line.
PICTURE = re.compile(r"""(?:!\[[^\]]*\]\(\s*<?|<img\b[^>]*\bsrc=["'])(?!https?:|data:)([^\s)>"']+)""")
CODE = re.compile(r"`[^`]*`")
NOT_ALLOWED = re.compile(r"^ *Not allowed: (.+)\.$", re.MULTILINE)


def hold_declaration(chapter: Chapter, cells: Sequence[SourceCell], path: Path) -> None:
    """Compare the declaration beside a text with the text's cells.

    Raises:
        SourceError: a section is no heading, a signature is not that of the code, a docstring forbids
            something else than the exercise does, no text says how to open a hint, a line of code is too
            long, or a picture is a file; carries the file and the line.
    """
    texts = [one.cell.source for one in cells if one.cell.cell_type != "code"]
    headings = [heading for text in texts for heading in HEADING.findall(text)]
    for part in chapter.parts.values():
        if part.section not in headings:
            told = f"section = {part.section!r}: no heading of {path.name} has these words."
            raise refused(chapter, part, "section", f"{told}{closest(part.section, headings)}", path.parent)
    lines = path.read_text(encoding="utf-8").splitlines()
    _hold_width(lines, path)
    _hold_pictures(lines, path)
    for cell in cells:
        if not cell.exercise:
            continue
        defined = _definition(cell.exercise, cell.cell.source)
        begins = re.compile(rf"\s*(def|class)\s+{cell.exercise.subject}\b")
        line = next(at for at in range(cell.line, len(lines)) if begins.match(lines[at])) + 1
        if told := _other_call(cell.exercise, defined):
            told = f"{told}, as line {line} of {path.name} has it."
            raise refused(chapter, cell.exercise, "signature", told, path.parent)
        if told := _other_docstring(cell.exercise, ast.get_docstring(defined) or ""):
            raise SourceError(path, line, told)
        opened = f'hint("{cell.exercise.id}")'
        if cell.exercise.hints and not any(opened in text for text in texts):
            raise SourceError(path, cell.line, f"no text says how to open a hint: nowhere {opened}")


def _hold_width(lines: Sequence[str], path: Path) -> None:
    """Refuse a line of code that is longer than a page or a notebook shows at once."""
    in_code = False
    for number, line in enumerate(lines, 1):
        if line.startswith(("```", "~~~")):
            in_code = FENCE.match(line) is not None
        elif in_code and len(line) > MAX_CODE:
            told = f"this line of code has {len(line)} characters; a page shows {MAX_CODE}. Break it"
            raise SourceError(path, number, told)


def _hold_pictures(lines: Sequence[str], path: Path) -> None:
    """Refuse a picture in a file: it does not go with the notebook to students, and not to the site."""
    fenced = False
    for number, line in enumerate(lines, 1):
        if line.startswith(("```", "~~~")):
            fenced = not fenced
        for file in () if fenced else PICTURE.findall(CODE.sub("", line)):
            told = (
                f"the picture {file} is a file, which does not go with the notebook. Draw it in a code cell "
                "(pictures for this are in grader.figures), or give its address, with https://"
            )
            raise SourceError(path, number, told)


def _definition(exercise: Exercise, source: str) -> ast.ClassDef | ast.FunctionDef:
    """Return the subject's definition in its cell, which counts last."""
    found = [one for one in ast.parse(source).body if getattr(one, "name", None) == exercise.subject]
    return found[-1]


def _other_call(exercise: Exercise, defined: ast.ClassDef | ast.FunctionDef) -> str:
    """Return which call the signature shows otherwise than the code defines it; empty if none.

    Of a class, the subject's own call is that of its constructor, and others are those of its methods;
    methods that it inherits are not compared.
    """
    calls = calls_shown(exercise.signature)
    if exercise.subject not in calls:
        return (
            f"signature = {exercise.signature!r}: these are no parameters; expected {exercise.subject}(...)"
        )
    written = {exercise.subject: defined.args} if isinstance(defined, ast.FunctionDef) else {}
    if isinstance(defined, ast.ClassDef):
        methods = {one.name: one.args for one in defined.body if isinstance(one, ast.FunctionDef)}
        methods = {name: without_first(parameters) for name, parameters in methods.items()}
        written = methods | ({exercise.subject: methods["__init__"]} if "__init__" in methods else {})
    for name in calls.keys() & written.keys():
        shown, code = as_text(calls[name]), as_text(written[name])
        if shown != code:
            return f"signature: it shows {name}({shown}); expected {name}({code})"
    return ""


def _other_docstring(exercise: Exercise, docstring: str) -> str:
    """Return what is wrong with a docstring's sentence on what is forbidden; empty if nothing is."""
    said, wanted = NOT_ALLOWED.findall(docstring), exercise.forbidden.words
    if not exercise.forbidden.parts:
        return (
            f"the docstring says that {said[0]} are not allowed; {exercise.id} forbids nothing"
            if said
            else ""
        )
    last = f"Not allowed: {wanted}."
    if said == [wanted] and docstring.splitlines()[-1].strip() == last:
        return ""
    return f"{exercise.id} forbids {wanted}; expected the docstring's last line to be {last!r}"
