"""Hidden cases that coincide with visible ones by chance are drawn again, and verified at the same draw."""

import json
from collections import defaultdict
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from grader.errors import BankError, ReferenceDataError
from grader.exercises.case import Case
from grader.proving.hidden import OTHER_SIZES, pose_hidden
from grader.proving.proof import coincidences
from grader.proving.recipe import DRAW, DRAWS, Solved, hidden_cases_of, seed_of_draw
from grader.proving.tolerances import with_tolerances
from grader.proving.verify import verify_chapter
from grader.references import ExerciseReference
from grader.references.store import CASES, MANIFEST, load_from, read_manifest

CPU = torch.device("cpu")
# Whole numbers from 0 to 2, of which a third coincides with the visible case of one.
WHOLE_NUMBERS = '''"""Doubles of whole numbers."""

import numpy as np
import torch

from grader.exercises.case import Case
from grader.proving.recipe import Solved

PRODUCER = "arithmetic"
AXES = {"x": ("n",)}


def double(name, numbers, seed, visible):
    x = torch.tensor(numbers)
    case = Case(name, "some numbers", visible, 0, {}, {}, {"x": x}, {})
    return Solved(case, {"result": 2 * x, "argument/x": x})


def solved_cases(seed):
    return {"tiny-double": [double("one", [1], seed, True), double("three", [3, 0, 5], seed, True)]}


def grading_cases(seed):
    drawn = np.random.default_rng([seed, 7]).integers(3, size=2).tolist()
    return {"tiny-double": [double(name, [x], seed, False) for name, x in zip(["a", "b"], drawn)]}
'''
WHOLE_BANK = """# %% setup
from torch import nn


# %% correct="product"
class Double(nn.Module):
    def forward(self, x):
        return 2 * x


# %% correct="sum" edits="product"
# - return 2 * x
# + return x + x

# %% correct="shift" edits="product"
# - return 2 * x
# + return x << 1

# %% mistake="missing-scale" edits="product"
# - return 2 * x
# + return x
"""
SEEDS = [*range(8), 765_432_123, 2**63 + 11, 10**30]


@pytest.fixture
def whole(tiny, monkeypatch: pytest.MonkeyPatch):
    """Return a course of whole numbers, of which two visible and two hidden cases coincide easily."""
    tiny.recipe.write_text(WHOLE_NUMBERS, encoding="utf-8")
    tiny.bank.write_text(WHOLE_BANK, encoding="utf-8")
    monkeypatch.setenv("GRADER_REFERENCES", str(tiny.paths.references))
    return tiny


def numbers_drawn(seed: int) -> list[int]:
    """Return the hidden numbers that WHOLE_NUMBERS draws from a seed."""
    return np.random.default_rng([seed, 7]).integers(3, size=2).tolist()


def is_good(numbers: list[int]) -> bool:
    """Return whether neither number is that of the visible case, and they differ."""
    return 1 not in numbers and len(set(numbers)) == len(numbers)


def draw_of(course) -> int | None:
    """Return the number of the draw as the manifest of hidden cases has it."""
    return read_manifest(course.hidden)["exercises"]["tiny-double"].get(DRAW)


def test_seeds_of_later_draws_are_the_same_everywhere() -> None:
    """The first draw has the course's seed itself, later ones 64 bits that depend on seed and number."""
    assert [seed_of_draw(seed, 0) for seed in SEEDS] == SEEDS
    assert [seed_of_draw(0, number) for number in (1, 2)] == [4881901421217228719, 16452687389592421897]
    later = {seed_of_draw(seed, number) for seed in SEEDS for number in range(1, DRAWS)}
    assert len(later) == len(SEEDS) * (DRAWS - 1)
    assert max(later) < 2**64


@pytest.mark.parametrize("seed", SEEDS)
def test_every_seed_gives_references_that_verify(seed: int, whole) -> None:
    """The first draw without a coincidence is taken, and recorded unless it is the first of all."""
    whole.build(course_seed=seed)
    draw = next(n for n in range(DRAWS) if is_good(numbers_drawn(seed_of_draw(seed, n))))
    assert draw_of(whole) == (draw or None)
    stored = load_from(whole.hidden, "tiny-double")
    numbers = [int(case.arguments["x"]) for case in stored.cases]
    assert numbers == numbers_drawn(seed_of_draw(seed, draw))
    assert verify_chapter(whole.chapter, whole.paths, CPU) == []


def test_seeds_tried_are_of_both_kinds() -> None:
    """Some of the seeds serve at once, others are drawn again more than once."""
    first = [is_good(numbers_drawn(seed)) for seed in SEEDS]
    second = [is_good(numbers_drawn(seed_of_draw(seed, 1))) for seed in SEEDS]
    assert any(first)
    assert not all(one or other for one, other in zip(first, second, strict=True))


def test_draw_is_part_of_what_is_verified(whole) -> None:
    """Without the number of its draw, a later draw's cases are not those of the seed."""
    whole.build(course_seed=1)
    assert draw_of(whole)
    path = whole.hidden / MANIFEST
    manifest = json.loads(path.read_text(encoding="utf-8"))
    del manifest["exercises"]["tiny-double"][DRAW]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    told = "\n".join(verify_chapter(whole.chapter, whole.paths, CPU))
    assert "the stored inputs are not those of reference.py" in told


def test_building_again_arrives_at_the_same_draw(whole) -> None:
    """Hidden cases of a later draw are the same to the byte when they are built again."""
    whole.build(course_seed=1)
    before = {name: (whole.hidden / name).read_bytes() for name in (CASES, MANIFEST)}
    assert draw_of(whole)
    whole.build()
    assert {name: (whole.hidden / name).read_bytes() for name in before} == before


def test_recipe_that_always_coincides_is_refused(whole) -> None:
    """The error says how often was drawn, and what coincides in the first draw; nothing is written."""
    whole.edit_recipe("integers(3, size=2)", "integers(1, 2, size=2)")
    with pytest.raises(BankError) as caught:
        whole.build()
    told = str(caught.value)
    assert f"tiny-double: of {DRAWS} draws of hidden cases from this seed none is good" in told
    assert "hidden case 'a': the results of 'one' are right on it, too" in told
    assert "hidden case 'b': it is the same as 'a'" in told
    assert not whole.references.exists()
    assert not whole.hidden.exists()


def test_what_is_wrong_in_every_draw_is_not_drawn_again(whole) -> None:
    """A correct variant that fails is told at once, at the draw that serves."""
    whole.edit_bank("# + return x << 1", "# + return x << (1 + (x == 2).all().long())")
    with pytest.raises(BankError, match=r"'shift', case '[ab]': result is"):
        whole.build()


def test_near_coincidence_is_drawn_again(tiny) -> None:
    """Results that differ by no more than rounding may do coincide, too, once it is measured."""
    tiny.edit_bank("# + return x + x", "# + return (x + 1000) * 2 - 2000")
    tiny.edit_recipe('"hidden", 4', '"hidden", 3')
    tiny.edit_recipe("(0 if visible else 1 + seed)", "(0 if visible else 1e-3 if seed == 0 else 1)")
    tiny.build()
    assert draw_of(tiny) == 1


def solved(name: str, length: int, **more: object) -> Solved:
    """Return a solved case of some ones."""
    x = torch.ones(length)
    return Solved(Case(name, "ones", False, 0, {}, {}, {"x": x}, {}), {"result": 2 * x}, **more)


def changed(one: Solved, **parts: object) -> Solved:
    """Return a solved case with other parts of its case, and other results."""
    return replace(one, case=replace(one.case, **parts), expected={"result": 3 * one.expected["result"]})


def reference(*cases: Solved) -> ExerciseReference:
    """Return cases as a reference."""
    return ExerciseReference(
        cases=tuple(one.case for one in cases),
        expected=with_tolerances(cases, defaultdict(float)),
        raises={one.case.name: one.raises for one in cases if one.raises},
        codes=(),
        read_known_wrong=tuple,
    )


def test_each_exercise_has_its_own_draw() -> None:
    """What is drawn again for one exercise leaves the others at theirs."""

    def grading_cases(seed: int) -> dict[str, list[Solved]]:
        x = torch.tensor([float(seed % 1009)])
        return {
            name: [Solved(Case("one", "a number", False, 0, {}, {}, {"x": x}, {}), {"result": x})]
            for name in ("first", "later", "new")
        }

    manifest = {"course_seed": 5, "exercises": {"first": {}, "later": {DRAW: 2}}}
    found = hidden_cases_of(SimpleNamespace(grading_cases=grading_cases), manifest)
    numbers = {name: float(one.case.arguments["x"]) for name, (one,) in found.items()}
    assert numbers == {"first": 5.0, "later": float(seed_of_draw(5, 2) % 1009), "new": 5.0}


@pytest.mark.parametrize(
    ("hidden", "told"),
    [
        ([solved("a", 4)], []),
        ([solved("a", 3)], ["'a': the results of 'seen' are right"]),
        ([solved("a", 4), solved("b", 4)], ["'b': it is the same as 'a'"]),
        ([solved("a", 4), solved("b", 5)], []),
        ([solved("a", 4), changed(solved("b", 4), options={"dropout": 0.5})], []),
        ([solved("a", 4), changed(solved("b", 4), positional=True)], []),
        ([solved("a", 4), changed(solved("b", 4), weights={"W": torch.ones(4)})], []),
        ([solved("a", 4), changed(solved("b", 4), arguments={"x": torch.ones(4).double()})], []),
        ([solved("a", 4), changed(solved("b", 4), arguments={"y": torch.ones(4)})], []),
        ([solved("a", 2, raises="ValueError")], ["'a': the visible case 'refused' asks to refuse the same"]),
        ([solved("a", 3, raises="ValueError")], []),
        ([solved("a", 4, raises="ValueError")], []),
    ],
)
def test_what_coincides(hidden: list[Solved], told: list[str], tiny) -> None:
    """A visible result that is right, a hidden case that is there twice, the same to be refused: no more."""
    visible = reference(solved("seen", 3), solved("refused", 2, raises="ValueError"))
    found = coincidences(tiny.exercise, visible, reference(*hidden))
    assert len(found) == len(told)
    assert all(part in line for part, line in zip(told, found, strict=True))


def test_a_hidden_case_has_one_of_the_names_with_a_text() -> None:
    """Another name is an error that says which there are, and how to do without."""
    rng = np.random.default_rng(0)
    with pytest.raises(
        ReferenceDataError, match=f"'another width' has no text: .*'{OTHER_SIZES}'.*visible=False"
    ):
        pose_hidden(rng, "another width", lambda given, _, __: given["x"], arguments={"x": torch.ones(2)})
