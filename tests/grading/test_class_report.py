"""The report on a large class: everything that it claims, counted again by other means.

What was handed in is known from the plan of the class; here it is counted with plain Python and SciPy,
without any of the code that reads and reports.
"""

import csv
import io
import json
import re
import statistics
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from scipy.stats import pointbiserialr

from grader.checking.mistakes import tables
from grader.cli import main
from grader.exercises import CHAPTERS, Chapter, Exercise
from tests.graded_class import Handed, plan_class, write_graded_class
from tests.pages import Page, assert_harmless

STUDENTS = 200
COURSE = tuple(list(CHAPTERS.values())[:6])
ROOT = Path(__file__).parents[2]
MISTAKES = {
    code: (group, texts)
    for path in (*tables(), *ROOT.glob("solutions/*/mistakes.toml"))
    for group, codes in tomllib.loads(path.read_text(encoding="utf-8")).items()
    if group not in ("groups", "before")
    for code, texts in codes.items()
}


@dataclass(frozen=True)
class Reported:
    """A class, and what was reported on it."""

    folder: Path
    plan: dict[str, list[Handed]]
    page: Page
    html: str
    rows: list[dict[str, str]]
    data: dict


def report(folder: Path, out: Path, *options: str) -> tuple[str, str, str]:
    """Run the command; return the page, the CSV and the JSON."""
    files = [out / f"report.{kind}" for kind in ("html", "csv", "json")]
    written = [part for file in files for part in (f"--{file.suffix[1:]}", str(file))]
    done = CliRunner().invoke(main, ["report", "--all", "--course", str(folder), *written, *options])
    assert done.exit_code == 0, done.output
    return tuple(file.read_text(encoding="utf-8") for file in files)


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """Return a class of 200 students over six chapters, with its report."""
    folder = tmp_path_factory.mktemp("reported")
    plan = plan_class(COURSE, STUDENTS, seed=11)
    for handed in plan[COURSE[1].stem][:7]:
        handed.penalty = 1.5
    write_graded_class(folder / "course", COURSE, plan)
    html, table, data = report(folder / "course", folder)
    rows = list(csv.DictReader(io.StringIO(table)))
    return Reported(folder, plan, Page(html), html, rows, json.loads(data))


@pytest.fixture(params=COURSE, ids=lambda chapter: chapter.stem)
def chapter(request: pytest.FixtureRequest) -> Chapter:
    """Return each chapter of the class, in the place of the one that other tests share."""
    return request.param


@pytest.fixture
def found(reported: Reported, chapter: Chapter) -> dict:
    """Return what the JSON says of a chapter."""
    (one,) = [one for one in reported.data["assignments"] if one["assignment"] == chapter.stem]
    return one


@pytest.fixture
def graded(reported: Reported, chapter: Chapter) -> list[Handed]:
    """Return the students who are graded."""
    return [one for one in reported.plan[chapter.stem] if one.status == "graded"]


def points(handed: Handed, one: Exercise) -> float | None:
    """Return what an answer earns."""
    given = handed.manual.get(one.id)
    if given is None:
        given = judged(handed, one)
    return None if given is None else given + handed.extra.get(one.id, 0)


def judged(handed: Handed, one: Exercise) -> float | None:
    """Return what its verdict gives."""
    if one.id in handed.faults:
        return None
    return one.points if handed.answers[one.id].correct else handed.partial.get(one.id, 0)


def codes(handed: Handed, one: Exercise) -> tuple[str, ...]:
    """Return the codes of its verdict."""
    return () if one.id in handed.faults else handed.answers[one.id].diagnosis


def score(handed: Handed, chapter: Chapter) -> float:
    """Return a student's score."""
    return max(0, sum(points(handed, one) or 0 for one in chapter.exercises) - (handed.penalty or 0))


def test_everybody_is_counted(reported: Reported, chapter: Chapter, found: dict) -> None:
    """Graded, error and missing, in the JSON and in the page."""
    counts = Counter(one.status for one in reported.plan[chapter.stem])
    assert found["students"] == dict(counts)
    told = f"{counts['graded']} graded, {counts['error']} with an error, {counts['missing']} missing."
    assert f"200 students: {told}" in reported.page.text
    (row,) = [row for row in reported.page.tables["overview: Assignments"] if chapter.title in row[0]]
    assert row[1:4] == [str(counts[status]) for status in ("graded", "error", "missing")]


def test_scores(reported: Reported, chapter: Chapter, found: dict, graded: list[Handed]) -> None:
    """Each student's, their mean, median and quartiles, and how many lie in each bar."""
    waiting = {one.student for one in graded if one.faults - one.manual.keys()}
    scores = {one.student: score(one, chapter) for one in graded if one.student not in waiting}
    known = {one["student"]: one["score"] for one in found["results"]}
    assert {name for name, value in known.items() if value is None} == waiting | {
        one.student for one in reported.plan[chapter.stem] if one.status != "graded"
    }
    assert scores == pytest.approx({name: value for name, value in known.items() if value is not None})
    most = sum(one.points for one in chapter.exercises)
    values = list(scores.values())
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    told = found["scores"]
    assert told["count"] == len(values)
    assert told["mean"] == pytest.approx(statistics.fmean(values))
    assert [told["lower_quartile"], told["median"], told["upper_quartile"]] == [low, middle, high]
    assert [told["minimum"], told["maximum"]] == [min(values), max(values)]
    bars = Counter(min(10, int((100 * value + 1e-6) / most) // 10) for value in values)
    assert [bar["count"] for bar in found["histogram"]] == [bars[place] for place in range(11)]
    caption = f"{chapter.stem}: Scores of {len(values)} students, of {most} points"
    shown = dict(reported.page.tables[caption])
    assert shown["Mean"] == f"{statistics.fmean(values):.2f}"
    assert shown["Median"] == f"{round(middle, 2):g}"
    assert shown["Quartiles"] == f"{round(low, 2):g} and {round(high, 2):g}"
    assert found["late"] == sum(one.penalty is not None for one in graded)


def test_exercises(reported: Reported, chapter: Chapter, found: dict, graded: list[Handed]) -> None:
    """Right, in part, points, attempts and what was given by hand; and the same in the page's table."""
    table = {row[0]: row for row in reported.page.tables[f"{chapter.stem}: Exercises"]}
    for number, (one, told) in enumerate(zip(chapter.exercises, found["exercises"], strict=True), start=1):
        known = [value for handed in graded if (value := points(handed, one)) is not None]
        right = sum(value >= one.points for value in known)
        attempts = [
            handed.attempts[one.id]
            for handed in graded
            if one.id in handed.attempts and one.id not in handed.faults
        ]
        assert told["exercise"] == one.id
        assert told["answers"] == len(known)
        assert told["right"] == right
        assert told["partial"] == sum(0 < value < one.points for value in known)
        assert told["success_rate"] == pytest.approx(right / len(known))
        assert told["mean_points"] == pytest.approx(statistics.fmean(known))
        assert told["median_attempts"] == statistics.median(attempts)
        assert told["attempts_known"] == len(attempts)
        assert told["by_hand"] == sum(one.id in {*handed.manual, *handed.extra} for handed in graded)
        assert told["codes"] == Counter(code for handed in graded for code in set(codes(handed, one)))
        row = table[f"{number}. {one.subject}"]
        assert row[1:4] == [
            str(len(known)),
            f"{right} ({100 * right / len(known):.0f}%)",
            str(told["partial"]),
        ]
        assert row[6] == f"{statistics.median(attempts):g} ({len(attempts)})"
        assert row[7] == str(told["by_hand"])


def test_every_student_has_a_row(reported: Reported, chapter: Chapter, found: dict) -> None:
    """The page's table of students says what the JSON says: points, or a dash, and the status."""
    (table,) = [
        rows for name, rows in reported.page.tables.items() if name.startswith(f"{chapter.stem}: Points of")
    ]
    rows = {row[0]: row for row in table[1:]}
    assert set(rows) == {one["student"] for one in found["results"]}
    for one in found["results"]:
        score = one["score"]
        assert rows[one["student"]][1] == ("-" if score is None else f"{score:g}")
        assert rows[one["student"]][2].partition(",")[0] == one["status"]
        assert (rows[one["student"]][3] == "-") == (one["status"] in ("error", "missing"))


def test_discrimination_is_scipy_s(
    reported: Reported, chapter: Chapter, found: dict, graded: list[Handed]
) -> None:
    """The correlation of right or wrong with the points in all other exercises."""
    whole = [one for one in graded if all(points(one, other) is not None for other in chapter.exercises)]
    table = reported.page.tables[f"{chapter.stem}: Exercises"]
    for number, one in enumerate(chapter.exercises):
        right = [points(handed, one) >= one.points for handed in whole]
        rest = [
            sum(points(handed, other) for other in chapter.exercises if other is not one) for handed in whole
        ]
        expected = pointbiserialr(right, rest).statistic
        told = found["exercises"][number]
        assert told["discrimination"] == pytest.approx(expected, abs=1e-12)
        assert told["discrimination_students"] == len(whole) < len(graded) + 1
        assert table[number + 1][5] == f"{expected:.2f}"


def mistakes_of(handed: Handed, chapter: Chapter) -> set[str]:
    """Return the codes of all that a student handed in."""
    return {code for one in chapter.exercises for code in codes(handed, one)}


def test_mistakes(chapter: Chapter, found: dict, graded: list[Handed]) -> None:
    """How many students, in how many answers to which exercise, with the texts of mistakes.toml."""
    counts = Counter(code for handed in graded for code in mistakes_of(handed, chapter))
    counts.pop("unrecognized")
    told = {one["code"]: one for one in found["mistakes"]}
    assert {code: one["students"] for code, one in told.items()} == counts
    assert [one["students"] for one in found["mistakes"]] == sorted(counts.values(), reverse=True)
    for code, one in told.items():
        group, texts = MISTAKES[code]
        assert (one["group"], one["title"], one["look"]) == (group, texts["title"], texts["look"])
        where = Counter(
            other.id for handed in graded for other in chapter.exercises if code in codes(handed, other)
        )
        assert one["exercises"] == where


def test_page_tells_each_mistake(reported: Reported, chapter: Chapter, found: dict) -> None:
    """Title, text and example of each are in the page."""
    text = " ".join(reported.page.text.split())
    for one in found["mistakes"]:
        assert f"{one['title']} {one['code']} {one['students']} student" in text
        assert " ".join(one["look"].split()) in text
        assert " ".join(one["example"].split()) in text


def test_examples_are_answers_with_the_mistake(chapter: Chapter, found: dict, graded: list[Handed]) -> None:
    """An example is there for most, and is of an answer with the mistake, without comments and names."""

    def shape(code: str) -> str:
        return re.sub(r"\W+", "", code)

    shown = [one for one in found["mistakes"] if one["example"]]
    assert len(shown) > len(found["mistakes"]) / 2
    for one in shown:
        assert "#" not in one["example"] and "student" not in one["example"]
        handed_in = [
            handed.answers[other.id].source
            for handed in graded
            for other in chapter.exercises
            if codes(handed, other)[:1] == (one["code"],)
        ]
        first = one["example"].splitlines()[0].split("(")[0]
        assert any(shape(first) in shape(source) or "name_" in first for source in handed_in)


def test_groups(reported: Reported, chapter: Chapter, found: dict, graded: list[Handed]) -> None:
    """Students by group of mistakes.toml, those in `otherwise` left out."""

    def groups(made: set[str]) -> set[str]:
        return {MISTAKES[code][0] for code in made} - {"otherwise"}

    counts = Counter(group for handed in graded for group in groups(mistakes_of(handed, chapter)))
    assert {one["group"]: one["students"] for one in found["groups"]} == counts
    rows = reported.page.tables[f"{chapter.stem}: Groups of mistakes in {chapter.title}"][1:]
    assert [(row[0], row[1]) for row in rows] == [
        (one["title"], str(one["students"])) for one in found["groups"]
    ]
    whole: dict[str, set[str]] = {}
    for one in COURSE:
        for handed in reported.plan[one.stem]:
            if handed.status == "graded":
                whole.setdefault(handed.student, set()).update(groups(mistakes_of(handed, one)))
    everywhere = Counter(group for made in whole.values() for group in made)
    rows = reported.page.tables["overview: Groups of mistakes, in all assignments"][1:]
    assert [int(row[1]) for row in rows] == sorted(everywhere.values(), reverse=True)


def test_unrecognized(reported: Reported, chapter: Chapter, found: dict, graded: list[Handed]) -> None:
    """Each is listed with the path of a notebook that is there."""
    expected = {
        (handed.student, one.id)
        for handed in graded
        for one in chapter.exercises
        if "unrecognized" in codes(handed, one)
    }
    assert expected
    assert {(one["student"], one["exercise"]) for one in found["unrecognized"]} == expected
    assert len(found["unrecognized"]) == len(expected)
    assert all((reported.folder / "course" / one["notebook"]).is_file() for one in found["unrecognized"])
    rows = reported.page.tables[f"{chapter.stem}: Answers that were not recognized"][1:]
    assert {(row[1].partition(" (")[0], row[2]) for row in rows} == {
        (one["student"], one["notebook"]) for one in found["unrecognized"]
    }


def test_what_a_person_changed(
    reported: Reported, chapter: Chapter, found: dict, graded: list[Handed]
) -> None:
    """How many answers have other points than their verdict gave."""
    changed = sum(
        one.id in {*handed.manual, *handed.extra} and points(handed, one) != judged(handed, one)
        for handed in graded
        for one in chapter.exercises
    )
    assert changed
    assert found["changed_by_hand"] == changed
    assert f"The points of {changed} answer" in reported.page.text
    assert found["stale_in_gradebook"] == 0
    undecided = [
        one.student
        for one in reported.plan[chapter.stem]
        if one.status == "error"
        or (one.status == "graded" and any(points(one, other) is None for other in chapter.exercises))
    ]
    assert found["undecided"] == undecided


def test_csv_has_every_answer(reported: Reported, chapter: Chapter) -> None:
    """A row for each answer, one for each student who is missing; points, rights, codes as planned."""
    rows = [row for row in reported.rows if row["assignment"] == chapter.stem]
    by_place = {(row["student"], row["exercise"]): row for row in rows}
    assert len(by_place) == len(rows)
    for handed in reported.plan[chapter.stem]:
        if handed.status == "missing":
            row = by_place.pop((handed.student, ""))
            assert {value for name, value in row.items() if value} == {
                chapter.stem,
                handed.student,
                "missing",
                "Nothing was handed in.",
            }
            continue
        for one in chapter.exercises:
            row = by_place.pop((handed.student, one.id))
            assert row["status"] == handed.status
            if handed.status == "error":
                assert (row["verdict"], row["points"], row["notes"]) == ("error", "", "The file is empty.")
                continue
            value = points(handed, one)
            assert (
                row["points"] == ("" if value is None else str(float(value))) or float(row["points"]) == value
            )
            assert row["right"] == ("" if value is None else str(int(value >= one.points)))
            assert row["mistakes"] == " ".join(codes(handed, one))
            assert row["by_hand"] == str(int(one.id in {*handed.manual, *handed.extra}))
    assert not by_place


def test_page_is_harmless_and_described(reported: Reported) -> None:
    """Nothing runs or loads; every picture has a description, and every place of the overview exists."""
    assert_harmless(reported.page)
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in reported.page.values("content")
    pictures = reported.page.tags.count("img")
    assert pictures == 2 + 3 * len(COURSE)
    assert len([alt for alt in reported.page.values("alt") if len(alt) > 40]) == pictures
    ids = reported.page.values("id")
    assert len(set(ids)) == len(ids)
    assert {value.removeprefix("#") for value in reported.page.values("href")} <= set(ids)
    assert set(reported.page.values("aria-labelledby")) <= set(ids)
    assert reported.page.tags.count("h1") == 1


def names_in(text: str) -> Iterator[str]:
    """Yield what must not be in an anonymous report."""
    yield from (word for word in ("student-", "autograded", "submitted", ".ipynb", "/tmp") if word in text)


def test_anonymous_report_names_nobody(reported: Reported, tmp_path: Path) -> None:
    """No name and no path in page, CSV and JSON; the numbers are the same, the pseudonyms agree."""
    html, table, data = report(reported.folder / "course", tmp_path, "--anonymous")
    for text in (html, table, data):
        assert not list(names_in(text))
        assert str(reported.folder) not in text
    assert list(names_in(reported.html)) and str(reported.folder) not in reported.html
    hidden = json.loads(data)
    for one, other in zip(reported.data["assignments"], hidden["assignments"], strict=True):
        for part in ("students", "histogram", "groups", "changed_by_hand"):
            assert one[part] == other[part]
        assert one["scores"] == pytest.approx(other["scores"])
        for mine, theirs in zip(one["exercises"], other["exercises"], strict=True):
            assert mine["discrimination"] == pytest.approx(theirs["discrimination"])
            assert [mine["right"], mine["codes"]] == [theirs["right"], theirs["codes"]]
        assert [(m["code"], m["students"]) for m in one["mistakes"]] == [
            (m["code"], m["students"]) for m in other["mistakes"]
        ]
    rows = list(csv.DictReader(io.StringIO(table)))

    def results(rows: list[dict[str, str]]) -> list[tuple]:
        by_student: dict[str, list[tuple]] = {}
        for row in rows:
            kept = (row["assignment"], row["exercise"], row["status"], row["points"], row["mistakes"])
            by_student.setdefault(row["student"], []).append(kept)
        return sorted(by_student.values())

    assert results(rows) == results(reported.rows)
    assert {row["student"] for row in rows} == {f"A{number}" for number in range(1, STUDENTS + 1)}
    assert "Students have other names here" in html
