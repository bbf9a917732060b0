"""The notebook of any language is graded as the English one is, and the feedback is in that language."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html import unescape
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner
from nbgrader.utils import is_grade
from small_class import Class

from grader.cli import main
from grader.course.notebooks import check_id
from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, Chapter, references_root
from grader.gradebook.remarks import remark_on
from grader.grading.class_reading import GradedCourse
from grader.grading.intake import has_answers
from grader.grading.language import claimed_language, page_catalog
from grader.grading.master import Master, load_master
from grader.grading.record import ExerciseRecord, Record
from grader.grading.result_files import Places
from grader.grading.sample_class import choose_class, write_class
from grader.grading.sanitize import Sanitized, sanitize
from grader.messages import Message
from grader.messages.speaking import LANGUAGE_KEY, languages_spoken
from grader.proving.bank import Answer, bank_path, read_bank
from grader.reporting.class_report import report_on
from grader.translations.code import normal_code

LANGUAGES = sorted(languages_spoken([references_root()]))
# What nobody can parse is compared as it is.
parsed = cache(normal_code)


@pytest.fixture(scope="module")
def masters(repository: Path) -> dict[str, Master]:
    """Return the masters of all chapters."""
    paths = CoursePaths(repository)
    return {stem: load_master(chapter, paths) for stem, chapter in CHAPTERS.items()}


def given(master: Master, language: str = "en") -> dict:
    """Return a chapter's student notebook, parsed, with sources as texts."""
    document = json.loads(master.paths.student(master.chapter, language).read_text(encoding="utf-8"))
    for cell in document["cells"]:
        cell["source"] = "".join(cell["source"])
    return document


def banks(master: Master) -> Iterator[dict[str, Answer]]:
    """Yield answers by exercise until each answer of each bank was there."""
    every = {one.id: read_bank(bank_path(master.paths.solutions, one)) for one in master.chapter.exercises}
    for number in range(max(map(len, every.values()))):
        yield {name: answers[number % len(answers)] for name, answers in every.items()}


def with_answers(document: dict, answers: dict[str, Answer]) -> bytes:
    """Return a submission with answers in the cells that are there for them."""
    filled = [
        cell | {"source": answers[name].program.strip()}
        if (name := cell["metadata"].get("nbgrader", {}).get("grade_id")) in answers
        else cell
        for cell in document["cells"]
    ]
    return json.dumps(document | {"cells": filled}).encode()


def of_graded_cells(document: dict) -> dict:
    """Return a notebook of nothing but the cells that are written in or graded."""
    return document | {"cells": [one for one in document["cells"] if "nbgrader" in one["metadata"]]}


def sent(made: Sanitized, written: frozenset[str]) -> tuple:
    """Return what the sandbox gets and what is told: answers to the letter, given code by what it does."""
    cells = [
        (cell.exercise, cell.source if cell.source in written else parsed(cell.source)) for cell in made.cells
    ]
    return cells, made.places, made.answers, made.notes, made.in_words


@pytest.mark.parametrize("stem", CHAPTERS)
def test_each_answer_is_the_same_job_in_every_language(masters: dict[str, Master], stem: str) -> None:
    """Right or wrong, in its cell: the same cells run in the same order, the answers to the letter."""
    master, documents = masters[stem], {code: given(masters[stem], code) for code in ("en", *LANGUAGES)}
    for number, answers in enumerate(banks(master)):
        if number == 1:  # the others need not run with all that is given
            documents = {code: of_graded_cells(one) for code, one in documents.items()}
        written = frozenset(answer.program.strip() for answer in answers.values())
        made = {code: sanitize(with_answers(one, answers), master) for code, one in documents.items()}
        assert {code: one.language for code, one in made.items()} == {code: code for code in made}
        assert set(made["en"].answers) == set(answers)
        for code in LANGUAGES:
            assert sent(made[code], written) == sent(made["en"], written)


@pytest.mark.parametrize("stem", CHAPTERS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_blank_notebook_is_blank_in_every_language(masters: dict[str, Master], code: str, stem: str) -> None:
    """Its stubs are known for what they are, its text and code for given, and nothing is told of it."""
    master, document = masters[stem], given(masters[stem], code)
    content = json.dumps(document).encode()
    assert has_answers(content, master) is False
    made = sanitize(content, master)
    assert made.notes == () and made.notebook.metadata[LANGUAGE_KEY] == code
    assert {cell["source"] for cell in document["cells"] if cell["cell_type"] == "markdown"} <= {
        cell.source for cell in made.notebook.cells
    }  # nothing of it is escaped as a student's would be
    for cell in made.notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and not is_grade(cell):
            assert cell.metadata.nbgrader.checksum == _checksum(document, cell.metadata.nbgrader.grade_id)


def _checksum(document: dict, name: str) -> str:
    marks = (cell["metadata"].get("nbgrader", {}) for cell in document["cells"])
    return next(one["checksum"] for one in marks if one.get("grade_id") == name)


@pytest.mark.parametrize(
    "claim",
    ["xx", "", "../../zh_CN", "zh_CN\u0000", "z" * 10_000, 3, None, ["zh_CN"], {"zh_CN": 1}, "ZH_cn"],
    ids=lambda claim: repr(claim)[:12],
)
def test_language_that_the_course_does_not_have_is_not_believed(master: Master, claim: object) -> None:
    """A student may have written anything; then the given text decides."""
    for code in ("en", "pt_BR"):
        document = given(master, code)
        document["metadata"][LANGUAGE_KEY] = claim
        assert sanitize(json.dumps(document).encode(), master).language == code


@pytest.mark.parametrize("code", LANGUAGES)
def test_lost_metadata_is_made_up_for_by_the_text(master: Master, code: str) -> None:
    """Some tools write a notebook without it."""
    document = given(master, code)
    del document["metadata"][LANGUAGE_KEY]
    assert sanitize(json.dumps(document).encode(), master).language == code


def test_language_is_no_text_of_a_cell() -> None:
    """In a source the key stands between escaped marks."""
    source = f'{{"{LANGUAGE_KEY}": "zh_CN"}}'
    assert claimed_language(source.encode()) == "zh_CN"
    assert claimed_language(json.dumps({"cells": [{"source": source}]}).encode()) == ""


def test_what_cannot_be_read_is_refused_in_its_language(
    master: Master, graded: Callable, released: str
) -> None:
    """The reason is a message, and the language is known although there are no cells."""
    record = graded(json.dumps({"cells": [], "metadata": {LANGUAGE_KEY: "zh_CN"}, "nbformat": 4}))
    assert (record.status, record.language) == ("error", "zh_CN")
    assert record.reason.startswith("The notebook has no cells.")
    told = record.why.render(page_catalog("zh_CN", master.paths))
    assert not re.findall(r"[A-Za-z]{3,}", re.sub("JupyterLab|notebook", "", told))


def test_what_is_said_in_a_language_is_in_the_key(master: Master) -> None:
    """And so are the stubs that it gives: another translation is graded again."""
    code = LANGUAGES[0]
    other = replace(master, spoken={**master.spoken, code: "another"})
    name, (source, checksum) = next(iter(master.translated[code].stubs.items()))
    stubs = {**master.translated[code].stubs, name: (f"{source}\n", checksum)}
    third = replace(
        master, translated={**master.translated, code: replace(master.translated[code], stubs=stubs)}
    )
    assert len({master.digest, other.digest, third.digest}) == 3


@pytest.fixture(scope="module")
def mixed(chapter: Chapter, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> CoursePaths:
    """Return a class, graded by the command, in which each set of answers came in every language."""
    paths, there = CoursePaths(repository), tmp_path_factory.mktemp("mixed") / "class"
    sets = choose_class(chapter, paths.solutions, 2, seed=5)
    chosen = chain.from_iterable(
        [(f"{student}-{code}", choices) for code in ("en", *LANGUAGES)] for student, choices in sets
    )
    write_class(chapter, paths, there, chosen, mixed=True)
    done = CliRunner().invoke(main, ["grade", chapter.stem, "--course", str(there)])
    assert done.exit_code == 0, done.output
    return CoursePaths(there)


def without_lines(record: Record) -> dict[str, ExerciseRecord]:
    """Return the verdicts; in which line of its cell a stub raises is another one in each language."""
    return {
        name: replace(one, said=Message(re.sub(r"line \d+", "line", one.message)))
        for name, one in record.exercises.items()
    }


def test_mixed_class_is_graded_alike(mixed: CoursePaths, chapter: Chapter) -> None:
    """The same points, codes, messages and cases; the pages are in their languages; the report is one."""
    course = GradedCourse(mixed)
    places = Places(course.directory, chapter.stem)
    expected = json.loads((mixed.root / "expected.json").read_text())[chapter.stem]
    for student, known in expected.items():
        code = student.rpartition("-")[2]
        record = places.earlier(student)
        english = places.earlier(student.replace(code, "en"))
        assert record.language == code and record.score == known["score"]
        assert without_lines(record) == without_lines(english) and record.told == english.told == ()
        assert {name: list(one.diagnosis) for name, one in record.exercises.items()} == {
            name: one["diagnosis"] for name, one in known["exercises"].items()
        }
        page = places.page(student).read_text(encoding="utf-8")
        assert f'<html lang="{code.replace("_", "-")}">' in page
    report = report_on(course.read(chapter), course.answers, course.own_code)
    counts = [one.answers for one in report.exercises]
    assert counts == [len(expected)] * len(chapter.exercises)
    assert all(mistake.students % (1 + len(LANGUAGES)) == 0 for mistake in report.mistakes)


def test_graded_notebook_is_english_for_the_instructor(mixed: CoursePaths, chapter: Chapter) -> None:
    """Formgrader shows verdicts in English, whatever the student's language; the page does not."""
    course = GradedCourse(mixed)
    places, first = Places(course.directory, chapter.stem), check_id(chapter.exercises[0])
    shown = {}
    for path in sorted((mixed.root / "autograded").iterdir()):
        cells = json.loads(places.notebook(path.name).read_text(encoding="utf-8"))["cells"]
        (check,) = [one for one in cells if one["metadata"].get("nbgrader", {}).get("grade_id") == first]
        html = check["outputs"][0]["data"]["text/html"]
        shown.setdefault(path.name.rpartition("-")[0], set()).add("".join(html))
    assert [len(one) for one in shown.values()] == [1] * len(shown)


@pytest.fixture
def chinese(a_class: Class, right: str) -> Class:
    """Return the class, to which one student has handed in the Chinese notebook, right."""
    document, answers = given(a_class.grading.master, "zh_CN"), json.loads(right)["cells"]
    sources = {cell["id"]: cell["source"] for cell in answers if cell["metadata"].get("nbgrader")}
    document["cells"] = [
        cell | {"source": sources[cell["id"]]} for cell in document["cells"] if cell["id"] in sources
    ]
    a_class.hand_in("eve", json.dumps(document))
    return a_class


def test_page_that_is_made_again_stays_in_its_language(chinese: Class, chapter: Chapter) -> None:
    """After a remark the answers do not run again, and the page says in Chinese that a person wrote it."""
    first = chinese.grade()["eve"]
    exercise = chapter.exercises[0]
    remark_on(
        chinese.directory.db_url, chinese.stem, exercise.id, check_id(exercise), ["eve"], "Well *done*.", 1.5
    )
    again = chinese.grade()["eve"]
    assert first.fresh and not again.fresh
    page = unescape(re.sub(r"<[^>]*>", "", chinese.page("eve").read_text(encoding="utf-8")))
    assert "Well done." in page and "手工给分：1.5 分" in page  # noqa: RUF001 - Chinese
    assert '<html lang="zh-CN">' in chinese.page("eve").read_text(encoding="utf-8")
    assert chinese.grade(force=True)["eve"].score == again.score
    assert '<html lang="en">' in chinese.page("ada").read_text(encoding="utf-8")
