"""The students' archive in another language."""

import re
import zipfile
from functools import partial
from pathlib import Path

import nbformat
from test_notebooks import NO_TEXT, unmarked

from grader.course.bundle import GUIDE, make_bundle
from grader.exercises import CHAPTERS
from grader.messages.speaking import LANGUAGE_KEY
from grader.proving.students_guide import students_guide
from grader.translations.build import Translation, build_translation


def test_archive_says_all_in_the_language(translated: Translation, tmp_path: Path) -> None:
    """Notebooks, titles, how to start, the guide and the verdict that it shows."""
    build_translation(translated, [*CHAPTERS], lambda path: None)
    made = tmp_path / "course.zip"
    make_bundle(translated.paths, made, translated.for_students(partial(students_guide, translated.paths)))
    with zipfile.ZipFile(made) as archive:
        contents = {
            name.partition("/")[2]: archive.read(name).decode()
            for name in archive.namelist()
            if name.endswith((".md", ".ipynb"))
        }
    notebooks = [text for name, text in contents.items() if name.endswith(".ipynb")]
    assert len(notebooks) == len(CHAPTERS)
    assert {nbformat.reads(text, 4).metadata[LANGUAGE_KEY] for text in notebooks} == {"xx"}
    for name in ("START.md", GUIDE):
        assert not unmarked(NO_TEXT.sub("", contents[name])), name
    for stem, chapter in CHAPTERS.items():
        assert f"- `{stem}`: «{chapter.title}»" in contents["START.md"]
    (shown,) = re.findall(r"```\n(«.*?)\n```", contents[GUIDE], re.DOTALL)
    assert not unmarked(shown.replace("ch02-sum-normalize", "")), shown
