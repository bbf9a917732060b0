"""Which pairs of a class are found, and which are not."""

import json
import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbgrader.coursedir import CourseDirectory

from grader.course.notebooks import load_config
from grader.course.paths import CoursePaths
from grader.exercises import Chapter
from grader.grading.master import Master, load_master
from grader.grading.sample_class import choose_class
from grader.proving.bank import Answer
from grader.similarity import comparison
from grader.similarity.comparison import (
    FEWEST,
    agreement,
    baseline,
    compare_answers,
    most_alike,
    near_pairs,
    usual_pairs,
)
from grader.similarity.page import similarity_page
from grader.similarity.survey import Survey, _named, read_answers, survey

Class = dict[str, dict[str, str] | str]


@pytest.fixture(scope="session")
def master(chapter: Chapter, repository: Path) -> Master:
    """Return the master of the chapter."""
    return load_master(chapter, CoursePaths(repository))


@pytest.fixture
def answered(chapter: Chapter, repository: Path) -> Callable[[int], Class]:
    """Return a function that makes a sample class, as answers by student."""

    def make(students: int) -> Class:
        chosen = choose_class(chapter, CoursePaths(repository).solutions, students, seed=5)
        return {
            name: {choice.exercise.id: choice.answer.program for choice in choices}
            for name, choices in chosen
        }

    return make


ODD = """
import torch

class SelfAttention_v2(torch.nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        for name in "W_query", "W_key", "W_value":
            setattr(self, name, torch.nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        table = {name: layer(x) for name, layer in self.named_children()}
        logits = torch.tensordot(table["W_query"], table["W_key"], ([1], [1]))
        logits = logits.mul(table["W_key"].size(-1) ** -0.5)
        peak = logits.amax(dim=1, keepdim=True)
        odds = logits.sub(peak).exp()
        return odds.div(odds.sum(dim=1, keepdim=True)).matmul(table["W_value"])
"""


def disguised(source: str) -> str:
    """Return an answer with other names, comments and white space."""
    for old, new in {
        "table": "projected",
        "logits": "s",
        "odds": "unnormalized",
        "peak": "m",
        "x": "inp",
    }.items():
        source = re.sub(rf"\b{old}\b", new, source)
    lines = source.replace("    ", "  ").replace(", ", ",").splitlines()
    return "\n".join(f"{line}  # {number}" for number, line in enumerate(lines))


def pairs_of(found: Survey) -> list[frozenset[str]]:
    """Return the students of each pair."""
    return [frozenset(pair.students) for pair in found.pairs]


def test_copied_answer_is_at_the_top(master: Master, answered: Callable) -> None:
    """Renamed variables, comments and other white space hide nothing."""
    name = "ch04-self-attention-v2"
    answers = {student: {name: one[name]} for student, one in answered(40).items()}
    answers["student-07"], answers["student-31"] = {name: ODD}, {name: disguised(ODD)}
    found = survey(master, answers, 5)
    assert pairs_of(found)[0] == {"student-07", "student-31"}
    (shared,) = found.pairs[0].exercises
    assert shared.alike > 0.7
    assert shared.same == 1.0


def test_copied_notebook_stands_out(master: Master, answered: Callable) -> None:
    """All of one's answers, disguised, in another's notebook: first, and said to be unusual."""
    answers = answered(40)
    unusual = {
        name: ODD.replace("SelfAttention_v2", f"Model{number}")
        for number, name in enumerate(master.exercises)
    }
    answers["student-07"] = unusual
    answers["student-31"] = {name: disguised(source) for name, source in unusual.items()}
    found = survey(master, answers, 5)
    assert pairs_of(found)[0] == {"student-07", "student-31"}
    assert found.pairs[0].stands_out
    assert found.pairs[0].unusual > 10
    assert not found.pairs[1].stands_out


def test_nobody_stands_out_who_wrote_alone(master: Master, answered: Callable) -> None:
    """In a class that draws independently from one bank of answers, no pair is flagged."""
    assert not [pair for pair in survey(master, answered(60), 100).pairs if pair.stands_out]


def test_textbook_answers_share_nothing(master: Master, answers: Callable[[str], dict[str, Answer]]) -> None:
    """The course's own answer counts nothing, however many or few hand it in."""
    textbook = {name: next(iter(answers(name).values())).program for name in master.exercises}
    found = survey(master, {f"student-{number}": dict(textbook) for number in range(8)}, 5)
    assert found.pairs == ()
    assert found.baseline.median == 0


def test_what_many_wrote_counts_nothing(master: Master, answered: Callable) -> None:
    """An answer of half of the class says nothing about two of them."""
    answers = answered(20)
    for student in list(answers)[:10]:
        answers[student]["ch04-self-attention-v2"] = ODD
    found = survey(master, answers, 400)
    assert not [
        one
        for pair in found.pairs
        for one in pair.exercises
        if one.exercise.id == "ch04-self-attention-v2" and {side.source for side in one.sides} == {ODD}
    ]


def test_stub_is_no_similarity(master: Master) -> None:
    """Who handed in what was given has nothing in common with anybody."""
    stub = {name: cell.source for name, cell in master.written.items()}
    given = {name: "\n".join(master.given_code) for name in master.exercises}
    students = {f"student-{number}": stub if number % 2 else given for number in range(10)}
    assert survey(master, students, 10).pairs == ()


def test_hostile_answers(master: Master, answered: Callable) -> None:
    """They neither raise nor count as alike for their size."""
    answers = answered(8)
    answers["tabs"] = dict.fromkeys(master.exercises, "\t" * 200_000)
    answers["deep"] = dict.fromkeys(master.exercises, "(" * 100_000)
    answers["half"] = dict.fromkeys(master.exercises, "\ud800\x00</pre><script>alert(1)</script>" * 5_000)
    answers["twin"] = dict(answers["half"])
    found = survey(master, answers, 50)
    page = similarity_page(found, anonymous=False)
    assert {"half", "twin"} in pairs_of(found)
    assert "<script" not in page
    page.encode()


def test_small_class_has_no_baseline(master: Master, answered: Callable) -> None:
    """With few students the pairs are ordered, and nothing is said to be unusual."""
    found = survey(master, answered(FEWEST - 1), 5)
    assert found.baseline is None
    assert all(pair.unusual is None and not pair.stands_out for pair in found.pairs)
    assert survey(master, {}, 5).pairs == ()
    assert survey(master, answered(1), 5).pairs == ()


def test_anonymous(master: Master, answered: Callable) -> None:
    """No name is left; who is who stays the same throughout."""
    answers = answered(20) | {"Mallory <b>": "The file is empty."}
    found = survey(master, answers, 10)
    hidden = found.anonymous()
    said = repr(hidden.unread) + "".join(repr(pair.students) for pair in hidden.pairs)
    assert not re.search("student-|Mallory", said)
    before = [name for pair in found.pairs for name in pair.students]
    after = [name for pair in hidden.pairs for name in pair.students]
    names = dict(zip(before, after, strict=True))
    assert [names[name] for name in before] == after
    assert len(set(names.values())) == len(names)
    assert "names are left out" in similarity_page(hidden, anonymous=True)


def test_page(master: Master, answered: Callable) -> None:
    """It says what it is, shows both answers, and marks the lines that few others have."""
    answers = answered(20)
    answers["student-07"]["ch04-self-attention-v2"] = answers["student-09"]["ch04-self-attention-v2"] = ODD
    answers["<img src=x>\x1b[2J"] = "The file is empty."
    page = similarity_page(survey(master, answers, 3), anonymous=False)
    assert "never a finding" in page
    assert page.count("tensordot") >= 2
    assert "▌" in page
    assert "<img src=x" not in page
    assert "\x1b" not in page
    assert "default-src 'none'" in page


def test_comparison_counts_by_rarity() -> None:
    """What two have counts more than what five have; what a third has counts nothing."""
    answers = [frozenset({one, 100 + one // 2, 200 + one // 5, 300 + one % 3}) for one in range(30)]
    compared = compare_answers(answers, frozenset({7}))
    assert 7 not in compared.weights
    assert not {300, 301, 302} & compared.weights.keys()
    assert compared.weights[100] == pytest.approx(np.log(15))
    beside, near, far = compared.alike(np.array([[0, 1], [0, 2], [0, 6]]))
    assert beside > near > far == 0
    pairs = near_pairs([compared], len(answers))
    alike = compared.alike(pairs)
    assert np.array_equal(alike, compared.alike(pairs[:, ::-1]))
    assert [tuple(pairs[one]) for one in most_alike(alike, 1)] == [(6, 7)]


def test_two_among_many_textbooks_are_rare() -> None:
    """Who has only what was given has an answer, too: the others are compared with the whole class."""
    compared = compare_answers([frozenset({1})] * 18 + [frozenset({1, 2, 3})] * 2, frozenset({1}))
    assert compared.weights == pytest.approx({2: np.log(10), 3: np.log(10)})


def test_pairs_are_compared_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same numbers, however many blocks it takes."""
    drawn = random.Random(1)
    compared = compare_answers([frozenset(drawn.sample(range(500), 40)) for _ in range(50)], frozenset())
    pairs = near_pairs([compared], 50)
    whole = compared.alike(pairs)
    monkeypatch.setattr(comparison, "BLOCK", 7)
    assert np.array_equal(whole, compared.alike(pairs))


def test_in_a_large_class_copies_are_found_among_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two who share rare things, and each of many who share what they alone have."""
    monkeypatch.setattr(comparison, "ALL_PAIRS", 100)
    drawn = random.Random(2)
    answers = [frozenset(drawn.sample(range(2000), 40)) for _ in range(600)]
    answers[17] = frozenset({*list(answers[501])[:30], *range(3000, 3010)})
    many = range(100, 500, 4)
    for one in many:
        answers[one] = frozenset({*range(4000, 4030), *drawn.sample(range(2000), 5)})
    compared = compare_answers(answers, frozenset())
    pairs = near_pairs([compared], len(answers))
    assert len(pairs) <= comparison.NEAREST * len(answers)
    alike = compared.alike(pairs)
    found = {tuple(pair) for pair in pairs[alike > 0.3].tolist()}
    assert (17, 501) in found
    assert {one for pair in found for one in pair} == {17, 501, *many}
    usual = agreement([compared], usual_pairs(len(answers)))
    whole = agreement([compared], np.stack(np.triu_indices(len(answers), 1), axis=1))
    assert np.median(usual) == pytest.approx(np.median(whole), abs=0.01)


def test_baseline_is_robust() -> None:
    """A few pairs far away change nothing about what is usual."""
    pairs = np.stack(np.triu_indices(40, 1), axis=1)
    values = np.random.default_rng(0).uniform(0.2, 0.4, len(pairs))
    before = baseline(40, values, pairs, values)
    values[0] = 3.0
    after = baseline(40, values, pairs, values)
    assert after.median == pytest.approx(before.median, abs=0.01)
    assert after.stands_out(3.0)
    assert not after.stands_out(0.39)


def test_answers_are_found_as_grading_finds_them(
    master: Master, chapter: Chapter, repository: Path, tmp_path: Path
) -> None:
    """By their cells, or by what they define; an unreadable file is told."""
    document = json.loads(CoursePaths(repository).student(chapter).read_text())
    name = next(iter(master.exercises))
    for cell in document["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == name:
            cell["source"], cell["metadata"] = f"class {master.exercises[name].subject}:\n    x = 1", {}
            cell["id"] = "elsewhere"
    for student, text in {"good": nbformat.writes(nbformat.from_dict(document)), "bad": "{"}.items():
        path = tmp_path / "submitted" / student / chapter.stem / f"{chapter.stem}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    directory = CourseDirectory(config=load_config(repository / "nbgrader_config.py"), root=str(tmp_path))
    read: Mapping[str, dict[str, str] | str] = dict(read_answers(directory, master, ["good", "bad"]))
    assert read["good"][name] == f"class {master.exercises[name].subject}:\n    x = 1"
    assert "not valid JSON" in read["bad"]
    assert survey(master, read, 5).unread == {"bad": read["bad"]}


HIDDEN = {
    "behind a comment": lambda cells, at: cells[at].update(source="#" + " " * 100_000 + "\n" + ODD),
    "behind many numbers": lambda cells, at: cells[at].update(source="0;" * 2_501 + "\n" + ODD),
    "in a helper": lambda cells, at: (
        cells[at].update(source="class SelfAttention_v2(Helper):\n    pass\n"),
        cells.insert(at, nbformat.v4.new_code_cell(ODD.replace("SelfAttention_v2", "Helper"))),
    ),
    "in a helper of a helper": lambda cells, at: (
        cells[at].update(source="class SelfAttention_v2(Other):\n    pass\n"),
        cells.insert(at, nbformat.v4.new_code_cell("class Other(Helper):\n    pass\n")),
        cells.insert(1, nbformat.v4.new_code_cell(ODD.replace("SelfAttention_v2", "Helper"))),
    ),
}


@pytest.fixture
def read_with(
    master: Master, repository: Path, tmp_path: Path
) -> Callable[[dict[str, Callable]], dict[str, dict[str, str] | str]]:
    """Return a function that hands in notebooks whose cells were changed, and reads them."""

    def read(changes: dict[str, Callable]) -> dict[str, dict[str, str] | str]:
        for student, change in changes.items():
            notebook = nbformat.read(master.paths.student(master.chapter), as_version=4)
            ids = [one.metadata.get("nbgrader", {}).get("grade_id") for one in notebook.cells]
            change(notebook.cells, ids.index("ch04-self-attention-v2"))
            path = tmp_path / "submitted" / student / master.chapter.stem / f"{master.chapter.stem}.ipynb"
            path.parent.mkdir(parents=True)
            nbformat.write(notebook, path)
        config = load_config(repository / "nbgrader_config.py")
        directory = CourseDirectory(config=config, root=str(tmp_path))
        return dict(read_answers(directory, master, list(changes)))

    return read


@pytest.mark.parametrize("how", HIDDEN)
def test_a_copy_that_is_hidden_is_found(
    how: str, master: Master, answered: Callable, read_with: Callable
) -> None:
    """What a student wrote is compared wherever it stands, and whatever stands before it."""
    sent = read_with({"copied": HIDDEN[how], "plain": lambda cells, at: cells[at].update(source=ODD)})
    name = "ch04-self-attention-v2"
    answers = {student: {name: one[name]} for student, one in answered(30).items()}
    answers |= {student: {name: one[name]} for student, one in sent.items()}
    found = survey(master, answers, 3)
    assert pairs_of(found)[0] == {"copied", "plain"}
    assert not found.unseen


@pytest.mark.parametrize("source", [f"exec({ODD!r})", "0;" * 60_000 + ODD], ids=["a text", "too long"])
def test_what_cannot_be_compared_is_listed(source: str, master: Master) -> None:
    """Code in a text, and what is beyond all bounds, is said not to have been compared; on the page, too."""
    name = "ch04-self-attention-v2"
    answers = {"one": {name: source}, "two": {name: ODD}}
    found = survey(master, answers, 3)
    assert list(found.unseen) == [("one", name)]
    assert found.unseen["one", name] in similarity_page(found, anonymous=False)
    assert list(found.anonymous().unseen) != [("one", name)]


def test_a_module_s_eval_is_no_text_that_runs(master: Master) -> None:
    """Only Python's own functions make code of a text."""
    answers = {"one": {"ch04-self-attention-v2": "m.eval()\nre.compile(x)\ntorch.compile(m)"}}
    assert not survey(master, answers, 3).unseen


def test_each_name_is_followed_once() -> None:
    """Cells that all define and name the same names are found by asking for each name one time."""

    class Asked(dict):
        times = 0

        def get(self, name: str, default: object = None) -> object:
            """Count what is asked."""
            self.times += 1
            return super().get(name, default)

    names = [f"name_{number}" for number in range(20)]
    own = {cell: " + ".join(names) for cell in range(100)}
    places = Asked({name: list(own) for name in names})
    assert _named("name_3", own, places) == set(own)
    assert places.times <= len(names) + 1
