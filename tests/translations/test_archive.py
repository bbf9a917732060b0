"""The students' archive in another language."""

import base64
import hashlib
import io
import os
import re
import subprocess
import sys
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
        assert f"- `{stem}` · «{chapter.title}»" in contents["START.md"]
    (shown,) = re.findall(r"```\n(«.*?)\n```", contents[GUIDE], re.DOTALL)
    assert not unmarked(shown.replace("ch02-sum-normalize", "")), shown


def test_package_of_a_translated_archive_speaks_its_language(translated: Translation, tmp_path: Path) -> None:
    """Where a kernel does not know its notebook, as on Colab; all that the wheel holds is in its record."""
    build_translation(translated, [*CHAPTERS], lambda path: None)
    made, installed = tmp_path / "course.zip", tmp_path / "installed"
    make_bundle(translated.paths, made, translated.for_students(partial(students_guide, translated.paths)))
    with zipfile.ZipFile(made) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".whl"))
        wheel = zipfile.ZipFile(io.BytesIO(archive.read(name)))
    wheel.extractall(installed)
    (record,) = (one for one in wheel.namelist() if one.endswith(".dist-info/RECORD"))
    listed = {one.split(",")[0]: one.split(",")[1] for one in wheel.read(record).decode().splitlines()}
    assert set(listed) == {one for one in wheel.namelist() if not one.endswith("/")}
    for one, digest in listed.items():
        known = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(one)).digest()).rstrip(b"=").decode()
        assert digest in ("", f"sha256={known}"), one
    program = "from grader.messages.speaking import wanted_language; print(wanted_language())"
    for asked, spoken in (("", "xx"), ("zh_CN", "zh_CN")):
        environment = os.environ | {"PYTHONPATH": str(installed), "GRADER_LANGUAGE": asked}
        said = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (said.stdout, said.stderr) == (f"{spoken}\n", "")
