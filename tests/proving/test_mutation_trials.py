"""Mutants are judged: what survives shows, what is declared equivalent is counted apart."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import BankError, SourceError
from grader.exercises import EXERCISES, Exercise, find_chapter, know, references_root
from grader.proving.bank import read_bank
from grader.proving.mutation.equivalents import FILE, Equivalent, covering, literal, read_equivalents
from grader.proving.mutation.mutants import Mutant
from grader.proving.mutation.trials import (
    Report,
    Survivor,
    Trial,
    declare_survivors,
    sampled,
    stale,
    try_exercises,
    try_variant,
)
from grader.references import load_exercise
from tests.conftest import chapters_as_before

# Mutants of each exercise that are judged with the other tests; `make mutants` judges all.
SAMPLE = 25


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_sample_of_mutants_fails(exercise: Exercise, solutions: Path) -> None:
    """No mutant of a sample passes, but for those that are declared equivalent."""
    reference = load_exercise(exercise.chapter, exercise.id)
    trial = sampled(exercise, reference, solutions, SAMPLE)
    assert trial.mutants
    assert not [one.as_line() for one in trial.survivors if not one.declared]


# On a course of one exercise, to double numbers.


def try_product(tiny, *equivalents: Equivalent) -> Trial:
    """Judge the mutants of the tiny course's first correct variant, ``return 2 * x``."""
    tiny.build()
    reference = load_exercise("tiny", tiny.exercise.id, tiny.paths.references)
    return try_variant(tiny.exercise, reference, read_bank(tiny.bank)[0], equivalents)


def exchanged(trial: Trial) -> set[str]:
    """Return the lines that stand in the survivors of a trial."""
    return {one.mutant.after for one in trial.survivors}


def test_strong_cases_kill(tiny) -> None:
    """Cases that discriminate let no mutant pass; these have no axis of one, and short numbers."""
    trial = try_product(tiny)
    assert trial.mutants > 10
    assert exchanged(trial) == {"return (2 * x).squeeze()", "return (2 * x).half().float()"}


def test_weak_cases_let_mutants_survive(tiny) -> None:
    """Where the only input is zero and no gradient is asked for, every factor passes."""
    tiny.edit_recipe("torch.linspace(-1.0, 2.0, length)", "torch.zeros(length)")
    tiny.edit_recipe('{"result": torch.ones(length)}', "{}")
    tiny.edit_recipe(', "gradient/x": torch.full_like(exact, 2)', "")
    tiny.edit_bank('# %% mistake="missing-scale" edits="product"\n# - return 2 * x\n# + return x\n', "")
    tiny.edit_bank("# + return x / 2", "# + return x + 1")
    assert {"return x", "return 1 * x", "return -2 * x"} <= exchanged(try_product(tiny))


def test_declared_survivors_are_counted_apart(tiny) -> None:
    """A survivor that a declaration covers is neither killed nor a hole."""
    short = Equivalent("short numbers", "2 * x", "(2 * x).half().float()", (tiny.exercise.id,))
    trial = try_product(tiny, short)
    squeezed, halved = trial.survivors
    assert (squeezed.declared, halved.declared) == (None, short)
    report = Report(tiny.exercise.id, (trial,))
    assert (report.declared, report.survivors, report.killed) == (1, (squeezed,), trial.mutants - 2)
    assert report.rate == report.killed / (report.mutants - 1) < 1.0


def test_survivor_is_told_as_a_diff(tiny) -> None:
    """Who reads of a survivor sees the variant and the lines."""
    survivor = try_product(tiny).survivors[-1]
    assert survivor.as_line() == (
        "tiny-double, 'product' (steps):\n    - return 2 * x\n    + return (2 * x).half().float()"
    )


def test_variant_that_fails_is_refused(tiny) -> None:
    """Mutants of an answer that does not pass itself would prove nothing."""
    tiny.build()
    reference = load_exercise("tiny", tiny.exercise.id, tiny.paths.references)
    wrong = read_bank(tiny.bank)[3]
    with pytest.raises(BankError, match="'missing-scale' does not pass"):
        try_variant(tiny.exercise, reference, wrong)


# Declarations.


@pytest.mark.parametrize(
    ("before", "after", "covered"),
    [
        ("dim=-1", "dim=1", True),
        ("y = x.sum(dim=-1)", "y = x.sum(dim=1)", True),
        ("sum(dim=-1)", None, True),
        ("x.sum(dim=-1)", None, True),
        ("dim=-1", "dim=0", False),
        ("mean(dim=-1)", None, False),
        ("x.sum", None, False),
        ("y = x.{}dim", "y = x.{}dim", False),
        ("y = {}-1)", "y = {}1)", True),
        ("y = {}", "y = {}.mT", False),
    ],
)
def test_declaration_covers_its_exchange_alone(before: str, after: str | None, covered: bool) -> None:
    """The part that is declared, exchanged once, gives the mutant's lines; nothing else is covered."""
    mutant = Mutant("numbers", "y = x.sum(dim=-1)", "y = x.sum(dim=1)", "")
    one = Equivalent("two axes", before, after, ("an-exercise",), ("loops",))
    assert one.covers("an-exercise", "loops", mutant) is covered
    assert not one.covers("an-exercise", "einsum", mutant)
    assert not one.covers("another-exercise", "loops", mutant)


def test_lines_may_be_written_with_their_indentation(tiny) -> None:
    """As ``ast.unparse`` writes them; those of mutants have none."""
    (one,) = declare(
        tiny,
        '[[equivalent]]\nbecause = "x is never 1"\n'
        'exchanges = [["    if x > 1:\\n        return x", "    pass"]]\n',
    )
    assert one.covers(tiny.exercise.id, "product", Mutant("steps", "if x > 1:\nreturn x", "pass", ""))


def test_text_between_may_be_any_and_may_get_parentheses() -> None:
    """What ``{}`` stands for is the same before and after."""
    one = Equivalent("a factor", "powers = {}", "powers = -{}", ("an-exercise",))
    for before, after, covered in (
        ("powers = a.exp()", "powers = -a.exp()", True),
        ("powers = a / b", "powers = -(a / b)", True),
        ("powers = a / b", "powers = -(a / c)", False),
        ("weights = a", "weights = -a", False),
    ):
        assert one.covers("an-exercise", "loops", Mutant("steps", before, after, "")) is covered


def test_braces_are_declared_as_they_are() -> None:
    """What is written for a mutant that passes covers it, and no other name in the braces."""
    line, mutant = "raise ValueError(f'{n} of {m:.2f}')", "raise ValueError(f'{n} of {m:.2f}!')"
    one = Equivalent("words", literal(line), literal(mutant), ("an-exercise",))
    assert one.covers("an-exercise", "loops", Mutant("texts", line, mutant, ""))
    other, changed = line.replace("{n}", "{k}"), mutant.replace("{n}", "{k}")
    assert not one.covers("an-exercise", "loops", Mutant("texts", other, changed, ""))


def declare(tiny, text: str) -> tuple[Equivalent, ...]:
    """Write a chapter's declarations and read them."""
    (tiny.paths.solutions / "tiny" / FILE).write_text(text, encoding="utf-8")
    return read_equivalents(tiny.paths.solutions, tiny.chapter)


def test_declarations_are_read(tiny) -> None:
    """One entry may have several exchanges; without exercises it is for all of the chapter."""
    assert read_equivalents(tiny.paths.solutions, tiny.chapter) == ()
    entry = '[[equivalent]]\nbecause = "so"\nexchanges = [["a", "b"], ["", "c"], ["d"]]\n'
    assert [(one.before, one.after) for one in declare(tiny, entry)] == [("a", "b"), ("", "c"), ("d", None)]
    assert {one.exercises for one in declare(tiny, entry)} == {("tiny-double",)}


def test_survivors_are_declared_but_for_the_reason(tiny) -> None:
    """Behind what is declared already; the file is refused until each reason is written, and then enough."""
    trial = try_product(tiny)
    path = tiny.paths.solutions / "tiny" / FILE
    path.write_text('[[equivalent]]\nbecause = "so"\nexchanges = [["a", "b"]]\n', encoding="utf-8")
    with chapters_as_before():
        know(tiny.chapter)
        assert declare_survivors([Report(tiny.exercise.id, (trial,))], tiny.paths.solutions) == [path]
    text = path.read_text(encoding="utf-8")
    with pytest.raises(SourceError, match=r":5: because is missing or empty"):
        tiny.build()
    declared = declare(tiny, text.replace('because = ""', 'because = "numbers are short"'))
    assert next((one.before, one.after) for one in declared) == ("a", "b")
    for one in trial.survivors:
        assert covering(declared[1:], one.exercise, one.variant, one.mutant)
        assert not covering(declared[1:], one.exercise, "another", one.mutant)


def test_survivors_of_one_line_are_declared_together(tiny) -> None:
    """One entry has a line's exchanges that pass in the same variants and exercises, and no others."""
    passing = {
        ("tiny-double", "product"): ("return x to return -x", "return x to return +x", "a to b"),
        ("tiny-double", "sum"): ("return x to return -x", "return x to return +x", "return x to return 0"),
        ("tiny-triple", "product"): ("a to b", "a to c"),
    }
    reports = []
    for name in ("tiny-double", "tiny-triple"):
        trials = [
            Trial(name, variant, 9, tuple(survivor(name, variant, *one.split(" to ")) for one in exchanges))
            for (exercise, variant), exchanges in passing.items()
            if exercise == name
        ]
        reports.append(Report(name, tuple(trials)))
    chapter = replace(tiny.chapter, exercises=(tiny.exercise, replace(tiny.exercise, id="tiny-triple")))
    with chapters_as_before():
        know(chapter)
        (path,) = declare_survivors(reports, tiny.paths.solutions)
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]
    assert [(one["exercises"], one["variants"], one["exchanges"]) for one in entries] == [
        (["tiny-double"], ["product", "sum"], [["return x", "return -x"], ["return x", "return +x"]]),
        (["tiny-double", "tiny-triple"], ["product"], [["a", "b"]]),
        (["tiny-double"], ["sum"], [["return x", "return 0"]]),
        (["tiny-triple"], ["product"], [["a", "c"]]),
    ]


def survivor(exercise: str, variant: str, before: str, after: str) -> Survivor:
    """Return a mutant that passes and is not declared."""
    return Survivor(exercise, variant, Mutant("exchanged", before, after, after), None)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('because = " "\nexchanges = [["a", "b"]]', "because is missing"),
        ('because = "so"\nexchanges = [[""]]', "exchanges = "),
        ('because = "so"\nexchanges = [["a", "b", "c"]]', "exchanges = "),
        ('because = "so"', "exchanges = None"),
        (
            'because = "so"\nexchanges = [["a", "b"]]\nexercises = ["tiny-duoble"]',
            r"tiny-duoble is not known.*mean tiny-double\?",
        ),
        ('because = "so"\nexchanges = [["a", "b"]]\nexercises = 3', "exercises = 3: expected a list"),
        ('because = "so"\nexchanges = [["a", "b"]]\nvariant = "loops"', r"Did you mean variants\?"),
    ],
)
def test_malformed_declaration_is_refused(tiny, entry: str, told: str) -> None:
    """What is declared must say what and why, of an exercise that there is; the error names its line."""
    first = '[[equivalent]]\nbecause = "so"\nexchanges = [["a"]]\n\n'
    with pytest.raises(SourceError, match=rf"equivalent_mutants\.toml:5: .*{told}"):
        declare(tiny, f"{first}[[equivalent]]\n{entry}\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[equivalent]]\n\nbecause = so\n", "3: this is not TOML"),
        ('[[equal]]\nbecause = "so"\n', r"1: expected .*\[\[equivalent\]\]"),
        ("equivalent = 3\n", r"1: expected .*\[\[equivalent\]\]"),
    ],
)
def test_file_of_something_else_is_refused(tiny, text: str, told: str) -> None:
    """What is no list of declarations is told with its line."""
    with pytest.raises(SourceError, match=rf"equivalent_mutants\.toml:{told}"):
        declare(tiny, text)


def test_declaration_that_no_survivor_needs_is_stale(exercise: Exercise, solutions: Path) -> None:
    """Once its mutant fails or is gone, a declaration has to go, too; if all its exercises were tried."""
    declared = [
        one
        for one in read_equivalents(solutions, find_chapter(exercise.chapter))
        if one.exercises == (exercise.id,)
    ]
    mutant = Mutant("", "", "", "")
    survivors = tuple(Survivor(exercise.id, "", mutant, one) for one in declared[1:])
    report = Report(exercise.id, (Trial(exercise.id, "", 9, survivors),))
    assert stale([report], solutions) == declared[:1]


def test_exercises_are_tried_in_processes(solutions: Path) -> None:
    """A whole exercise: every mutant fails or is declared, every declaration is needed."""
    exercise = EXERCISES["ch04-transfer-weights"]
    seen = []
    (report,) = try_exercises(
        [exercise], solutions, references_root(), 2, lambda done, total: seen.append((done, total))
    )
    assert report.mutants > 500
    assert not report.survivors
    assert len(seen) == len(report.trials) == seen[-1][1]
    assert not stale([report], solutions)
