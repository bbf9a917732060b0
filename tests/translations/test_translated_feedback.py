"""A feedback page in another language: nothing of the grader's own words stays English."""

import json
import re
from html import unescape

import pytest

from grader.checking.notebook import TRANSLATED_MIMETYPE
from grader.course.notebooks import check_id
from grader.exercises import Chapter, find_chapter
from grader.gradebook.stored import StoredScore, StoredSubmission
from grader.grading.decisions import SENTENCES
from grader.grading.record import ExerciseRecord, Record
from grader.messages import Message, message
from grader.messages.numbers import number, points
from grader.reporting.feedback import MAX_CELLS, MAX_CODE, feedback_page
from grader.translations.build import Translation
from tests.translations.test_speaking import words

CHAPTER = "ch06_multi_head_attention"
DECIDED = Message(SENTENCES["accept"].text, {"reason": "§"})
PICTURE = {"output_type": "display_data", "data": {"image/png": "AAAA"}, "metadata": {}}
# What a page shows of code, and the names of exercises.
CODE = re.compile(r"<(pre|style)\b.*?</\1>", re.DOTALL)


@pytest.fixture(scope="module")
def chapter() -> Chapter:
    """Return a chapter that has a question, too."""
    return find_chapter(CHAPTER)


def graded_cell(name: str, source: str = "1", outputs: tuple[dict, ...] = ()) -> dict:
    """Return a code cell of a graded notebook."""
    metadata = {"nbgrader": {"grade_id": name}} if name else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": list(outputs)}


def shown(page: str, chapter: Chapter) -> list[str]:
    """Return the words on a page that are in no marks, without code and the subjects of exercises."""
    described = " ".join(re.findall(r'(?:alt|aria-label)="([^"]*)"', page))
    text = unescape(CODE.sub("", page) + described)
    for part in chapter.parts.values():
        text = text.replace(part.subject, "")
    return words(text)


def test_page_is_in_the_language(chapter: Chapter, translated: Translation) -> None:
    """Headings, status, mistakes, remarks, decisions, counts: each of its words is a text for translation."""
    names = list(chapter.parts)
    of = {name: ExerciseRecord(1.5, 2, "failed", ("softmax-wrong-axis",)) for name in names}
    of[names[0]] = ExerciseRecord(0, 2, "failed", ("missing-scale",), decided=DECIDED)
    of[names[1]] = ExerciseRecord(0, 2, "error", said=message("There is no answer."))
    of[names[2]] = ExerciseRecord(2, 2, "passed")
    of[names[-1]] = ExerciseRecord(0, 2, "waiting", said=message("There is no answer."))
    verdict = {"text/html": "<p>The verdict.</p>", TRANSLATED_MIMETYPE: "<p>«»</p>"}
    output = {"output_type": "display_data", "data": verdict, "metadata": {}}
    cells = [graded_cell(check_id(chapter.parts[name]), outputs=(output,)) for name in names[:-1]]
    cells += [graded_cell(names[3], "#" * (MAX_CODE + 1), (PICTURE,)), graded_cell(names[2])]
    cells += [graded_cell("") for _ in range(MAX_CELLS + 2)]
    held = StoredSubmission(
        scores={check_id(chapter.parts[names[3]]): StoredScore(0, 1.5, 0.25)},
        penalty=1,
        comments={names[3]: "§", "elsewhere": "§"},
    )
    record = Record(
        *("key", "graded", 3.0, 19.0, of),
        told=(message("The file is empty."),),
        notebook=json.dumps({"cells": cells}),
        language="xx",
    )
    page = feedback_page(record, chapter, "§", held, translated.grader)
    assert '<html lang="xx">' in page and "The verdict" not in page
    assert shown(page, chapter) == []


@pytest.mark.parametrize("given", [0, 1, None])
def test_page_of_what_cannot_be_read_is_in_the_language(
    chapter: Chapter, translated: Translation, given: int | None
) -> None:
    """With points given by hand for none of the exercises, for one, for all."""
    why = message("The file is empty.")
    verdicts = {name: ExerciseRecord(0, 2, "error", said=why) for name in chapter.parts}
    held = {check_id(one): StoredScore(None, 2.0) for one in list(chapter.parts.values())[:given]}
    record = Record("key", "error", 0, 19, verdicts, why, language="xx")
    page = feedback_page(record, chapter, "§", StoredSubmission(scores=held), translated.grader)
    assert shown(page, chapter) == []


def test_numbers_are_written_as_the_language_does(translated: Translation) -> None:
    """The signs in them are texts for translation."""
    assert str(number(16777216)) == "16,777,216" and str(number(-1024.5)) == "-1,024.5"
    assert [str(points(one)) for one in (3.0, 2.5, 1 / 3, 0.0)] == ["3", "2.5", "0.33", "0"]
    assert number(1024.5).render(translated.grader) == "««1,024».5»"
