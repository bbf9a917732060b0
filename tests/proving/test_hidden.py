"""Hidden cases: an answer that is fitted to the visible ones fails on them, in every exercise."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from grader.checking.attempt import attempt
from grader.checking.drivers.arrays import as_given, nested
from grader.checking.drivers.generate import SmallModel
from grader.checking.drivers.run_on import Traveler
from grader.checking.drivers.transfer import LinearProjections
from grader.checking.holdings import build_module, names_held
from grader.checking.judge import judge
from grader.checking.loading import load_subject
from grader.checking.memory import other_numbers
from grader.checking.quiet import quiet
from grader.checking.redaction import FITTED
from grader.checking.result import Result
from grader.checking.texts import unpack_texts
from grader.course.paths import CoursePaths
from grader.exercises import CHAPTERS, EXERCISES, Exercise
from grader.exercises.case import PUBLISHED, Case, other_input
from grader.proving.bank import Answer
from grader.proving.hidden import REFUSED
from grader.proving.recipe import Solved, load_recipe
from grader.references import ExerciseReference, load_exercise, load_for_grading
from grader.topics.attention.to_torch import GivenHeads

Key = tuple[object, ...]


def shape_of(values: Iterator[object]) -> Key:
    """Return what an answer may tell inputs apart by without looking at their numbers or letters."""

    def size(one: object) -> object:
        if isinstance(one, torch.Tensor):
            return one.dtype, tuple(one.shape)
        return len(one) if isinstance(one, str) else one

    return tuple(map(size, values))


def content_of(values: Iterator[object]) -> Key:
    """Return what an answer may recognize inputs by."""
    return tuple(str(one.cpu().tolist()) if isinstance(one, torch.Tensor) else one for one in values)


def flat(arguments: tuple[object, ...]) -> list[object]:
    """Return all that a call was given, one by one; of a module its parameters and all names."""
    values: list[object] = []
    for one in arguments:
        if isinstance(one, nn.Module):
            values += [*one.parameters(), names_in(one)]
        elif isinstance(one, list | tuple):
            values += [len(one), *flat(tuple(one))]
        else:
            values.append(torch.from_numpy(one.copy()) if isinstance(one, np.ndarray) else one)
    return values


def names_in(module: nn.Module) -> tuple[str, ...]:
    """Return the names of all that a module holds."""
    held = ((prefix, [*vars(one), *one._parameters, *one._buffers]) for prefix, one in module.named_modules())
    return tuple(f"{prefix}.{name}" for prefix, names in held for name in names)


def telling(exercise: Exercise, arguments: tuple[object, ...]) -> tuple[object, ...]:
    """Return what of a call's arguments tells which case it is."""
    if exercise.driver == "transfer":
        return arguments[:1]
    if exercise.driver == "to_torch":
        return (*arguments, arguments[0].num_heads)
    return arguments[:2] if exercise.driver == "run_on" else arguments


@dataclass(frozen=True)
class Stored:
    """What an answer stored of one visible case: its inputs, and what gives its result again."""

    shape: Key
    content: Key
    replay: Callable


def no_record(given: list[object], records: list[Stored]) -> Stored:
    """Find nothing but the very inputs."""
    raise KeyError("unknown inputs")


def by_shape(given: list[object], records: list[Stored]) -> Stored:
    """Find a record whose inputs have these shapes, else the last one."""
    return next((one for one in records if one.shape == shape_of(given)), records[-1])


def by_counting() -> Callable[[list[object], list[Stored]], Stored]:
    """Return what finds one record after the other, whatever it is given."""
    numbers: Iterator[int] = cycle(range(1000))
    return lambda given, records: records[next(numbers) % len(records)]


STRATEGIES = {"inputs": lambda: no_record, "shape": lambda: by_shape, "count": by_counting}


def results_of(exercise: Exercise, reference: ExerciseReference, case: Case) -> object:
    """Return a visible case's results as the exercise asks for them."""
    expected = reference.expected[case.name]
    values = [
        expected[f"result/{name}"] if exercise.returns else expected["result"]
        for name in exercise.returns or ("result",)
    ]
    if exercise.driver == "number":
        return int(values[0].values)
    if exercise.driver == "names":
        return sorted(
            name for name, count in zip(names_held(case), values[0].values, strict=False) if int(count)
        )
    if exercise.driver == "texts":
        return [tuple(pair) for pair in unpack_texts(values[0].values)]
    tensors = tuple(one.values.to(one.dtype) for one in values)
    if exercise.driver == "arrays":
        tensors = tuple(one.numpy() if one.dim() else one.item() for one in tensors)
    return tensors if exercise.returns else tensors[0]


def called_with(exercise: Exercise, case: Case) -> tuple[object, ...]:
    """Return what the driver calls a function with on a case."""
    if exercise.driver == "transfer":
        weights = {name: case.weights[f"source/{name}"] for name in exercise.parameters}
        return (LinearProjections(weights),)
    if exercise.driver == "to_torch":
        return (GivenHeads(case.weights, case.options["num_heads"]), case.options["num_heads"])
    if exercise.driver == "names":
        return (build_module(case, torch.device("cpu")),)
    if exercise.driver == "run_on":
        x, weight, shift = case.arguments.values()
        return (Traveler(weight, shift, []), x)
    if exercise.driver == "generate":
        ids, pairs, positions = case.arguments.values()
        options = {name: value for name, value in case.options.items() if name not in ("training", "bare")}
        return (SmallModel(pairs, positions, bare=case.options["bare"]), ids, *options.values())
    given = case.arguments
    if exercise.driver == "arrays":
        given = nested({name: as_given(value) for name, value in given.items()})
    elif exercise.driver in ("texts", "tokenizer"):
        given = {name: unpack_texts(value) for name, value in given.items()}
    return (*given.values(), *case.options.values())


def records_of(exercise: Exercise, reference: ExerciseReference, correct: Callable) -> list[Stored]:
    """Return what there is to be stored of the visible cases."""
    records = []
    for case in reference.cases:
        if case.name in reference.raises:
            continue
        given = called_with(exercise, case)
        replays = {
            "transfer": lambda v2, v1, source=given[0]: correct(source, v1),
            "to_torch": lambda mha, source=given[0]: correct(source),
        }
        result = None if exercise.driver in replays else results_of(exercise, reference, case)
        replay = replays.get(exercise.driver, lambda *args, result=result, **options: result)
        values = flat(given)
        records.append(Stored(shape_of(values), content_of(values), replay))
    return records


def others_of(exercise: Exercise, reference: ExerciseReference) -> list[Case]:
    """Return the visible cases with the other numbers that a function is called with afterwards."""

    def exchanged(value: torch.Tensor) -> torch.Tensor:
        # Of what a function of NumPy is given, numbers and lists cannot be written into.
        array = exercise.driver != "arrays" or isinstance(as_given(value), np.ndarray)
        return other_numbers(value) if array else value

    return [
        replace(case, arguments={name: exchanged(value) for name, value in case.arguments.items()})
        for case in reference.cases
        if any(name.partition("/")[0] == "again" for name in reference.expected[case.name])
    ]


def remembering_function(
    exercise: Exercise, reference: ExerciseReference, correct: Callable, choose: Callable
) -> Callable:
    """Return a function that is right on the visible inputs, and gives a stored result for all others."""
    records = records_of(exercise, reference, correct)
    refused = [case for case in reference.cases if case.name in reference.raises]
    known = {one.content for one in records}
    known |= {
        content_of(flat(called_with(exercise, case))) for case in (*refused, *others_of(exercise, reference))
    }
    signature = inspect.signature(correct)

    def subject(*arguments: object, **options: object) -> object:
        bound = tuple(signature.bind(*arguments, **options).arguments.values())
        given = flat(telling(exercise, bound))
        if content_of(given) in known:
            return correct(*arguments, **options)
        return choose(given, records).replay(*arguments, **options)

    return subject


def remembering_module(
    exercise: Exercise, reference: ExerciseReference, correct: type[nn.Module], choose: Callable
) -> type[nn.Module]:
    """Return a module that is right on the visible inputs, and gives a stored result for all others."""
    records, known = [], set()
    for case in reference.cases:
        if not case.arguments:
            continue
        (x,) = case.arguments.values()
        known |= {content_of([one]) for one in (x, other_input(x), other_numbers(x))}
        if case.name not in reference.raises:
            result = results_of(exercise, reference, case)
            records.append(Stored(shape_of([x]), content_of([x]), lambda result=result: result))

    class Remembering(correct):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return super().forward(x) if content_of([x]) in known else choose([x], records).replay()

    return Remembering


def remembering_tokenizer(
    exercise: Exercise, reference: ExerciseReference, correct: type, choose: Callable
) -> type:
    """Return a tokenizer that is right on the visible texts, and gives a stored result for all others."""
    known, records = set(), []
    for case in reference.cases:
        corpus, text = called_with(exercise, case)
        made = correct(corpus)
        stored = (made.encode(text), made.decode(made.encode(text)), made.vocab)
        known |= {(corpus, text), (corpus, corpus)}
        records.append(Stored(shape_of([corpus, text]), (), lambda stored=stored: stored))

    class Remembering:
        def __init__(self, corpus: str) -> None:
            self.corpus, self.right = corpus, correct(corpus)
            self.vocab, self.stored = self.right.vocab, None

        def encode(self, text: str) -> list[int]:
            if (self.corpus, text) in known:
                return self.right.encode(text)
            self.stored = choose([self.corpus, text], records).replay()
            self.vocab = self.stored[2]
            return self.stored[0]

        def decode(self, ids: list[int]) -> str:
            return self.right.decode(ids) if self.stored is None else self.stored[1]

    return Remembering


MAKERS = {"module": remembering_module, "tokenizer": remembering_tokenizer}


def verdict(exercise: Exercise, reference: ExerciseReference, subject: object) -> Result:
    """Return the verdict on a subject."""
    with quiet():
        made = attempt(exercise, subject, reference.cases, torch.device("cpu"), 10.0)
    return judge(exercise, reference, made, "cpu")


# Where an input is asked for there is nothing to store: the input is the only case.
HIDING = {name: one for name, one in EXERCISES.items() if one.has_hidden_cases}


@pytest.fixture(params=HIDING.values(), ids=HIDING)
def asked(request: pytest.FixtureRequest) -> Exercise:
    """Return every exercise that has hidden cases, one after the other."""
    return request.param


@pytest.fixture
def correct(asked: Exercise, answers: Callable[[str], dict[str, Answer]]) -> object:
    """Return what the exercise's first correct variant defines."""
    subject, problem = load_subject(
        next(iter(answers(asked.id).values())).program, asked.subject, f"<{asked.id}>"
    )
    assert problem is None
    return subject


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_stored_the_visible_results_fails(
    strategy: str, asked: Exercise, correct: object, repository: Path
) -> None:
    """Right on every visible case, whatever an answer finds their results by, is not right at grading."""
    visible = load_exercise(asked.chapter, asked.id)
    make = MAKERS.get(asked.driver, remembering_function)
    subject = make(asked, visible, correct, STRATEGIES[strategy]())
    assert verdict(asked, visible, subject).status == "passed"
    subject = make(asked, visible, correct, STRATEGIES[strategy]())
    result = verdict(asked, load_for_grading(asked.chapter, asked.id, CoursePaths(repository)), subject)
    assert (result.status, result.diagnosis[0]) == ("failed", FITTED)


def test_what_knows_the_visible_sizes_fails(asked: Exercise, correct: object, repository: Path) -> None:
    """An answer that is only right for the sizes of the visible cases fails at grading."""
    visible = load_exercise(asked.chapter, asked.id)
    if asked.driver == "module":
        tensors = [value for case in visible.cases for value in case.arguments.values()]
        known = {shape_of([one]) for x in tensors for one in (x, other_input(x))}

        class Fitted(correct):
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return super().forward(x) if shape_of([x]) in known else torch.zeros_like(x)

        subject: object = Fitted
    elif asked.driver == "tokenizer":
        lengths = {len(text) for case in visible.cases for text in called_with(asked, case)}

        class FittedToLengths(correct):
            def encode(self, text: str) -> list[int]:
                return super().encode(text) if len(text) in lengths else []

        subject = FittedToLengths
    else:
        cases = {shape_of(flat(called_with(asked, case))) for case in visible.cases}
        signature = inspect.signature(correct)

        def subject(*arguments: object, **options: object) -> object:
            bound = tuple(signature.bind(*arguments, **options).arguments.values())
            known = shape_of(flat(telling(asked, bound))) in cases
            return correct(*arguments, **options) if known else None

    assert verdict(asked, visible, subject).status == "passed"
    result = verdict(asked, load_for_grading(asked.chapter, asked.id, CoursePaths(repository)), subject)
    assert (result.status, result.diagnosis[0]) == ("failed", FITTED)


def test_what_knows_the_visible_seeds_fails(
    exercise: Exercise, answers: Callable[[str], dict[str, Answer]], repository: Path
) -> None:
    """A module that only draws its weights as asked after a visible case's seed fails at grading."""
    textbook, _ = load_subject(answers(exercise.id)["textbook"].program, exercise.subject, "<textbook>")
    visible = load_exercise(exercise.chapter, exercise.id)
    seeds = {case.seed for case in visible.cases}

    class Fitted(textbook):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)
            if torch.initial_seed() % 2**32 not in seeds:
                for parameter in self.parameters():
                    nn.init.zeros_(parameter)

    assert verdict(exercise, visible, Fitted).status == "passed"
    result = verdict(
        exercise, load_for_grading(exercise.chapter, exercise.id, CoursePaths(repository)), Fitted
    )
    assert result.diagnosis == (FITTED, "wrong-initialisation")


@pytest.mark.parametrize(
    "exercise_id", ["ch05-causal-attention", "ch06-wrapper", "ch06-multi-head-attention"]
)
def test_what_knows_the_visible_dropout_fails(
    exercise_id: str, answers: Callable[[str], dict[str, Answer]], repository: Path
) -> None:
    """A module that always drops the share of the visible case fails at grading."""
    asked = EXERCISES[exercise_id]
    correct, _ = load_subject(next(iter(answers(asked.id).values())).program, asked.subject, f"<{asked.id}>")
    visible = load_exercise(asked.chapter, asked.id)
    (seen,) = (case.options["dropout"] for case in visible.cases if case.drops)

    class Fitted(correct):
        def __init__(
            self, d_in: int, d_out: int, context_length: int, dropout: float, *more: object, **options: object
        ) -> None:
            super().__init__(d_in, d_out, context_length, seen if dropout else 0.0, *more, **options)

    assert verdict(asked, visible, Fitted).status == "passed"
    result = verdict(asked, load_for_grading(asked.chapter, asked.id, CoursePaths(repository)), Fitted)
    assert (result.diagnosis[0], result.failure.check.name) == (FITTED, "dropout")


# What a recipe hands over.


def drawn(solutions: Path, stem: str, seed: int) -> dict[str, list[Solved]]:
    """Return a chapter's hidden cases."""
    return load_recipe(solutions / stem / "reference.py").grading_cases(seed)


@pytest.mark.parametrize("stem", CHAPTERS)
def test_every_exercise_has_a_few_hidden_cases(stem: str, solutions: Path) -> None:
    """Each exercise has hidden cases, few enough for a quick grading; what is to be refused is called so.

    But for those that ask for an input, which have none.
    """
    hidden = drawn(solutions, stem, 0)
    assert list(hidden) == list(CHAPTERS[stem].by_id)
    for name, solved in hidden.items():
        assert 2 <= len(solved) <= 7 if EXERCISES[name].has_hidden_cases else not solved
        assert not any(one.case.visible or one.case.name == PUBLISHED for one in solved)
        assert all(bool(one.raises) == (one.case.name == REFUSED) for one in solved)


@pytest.mark.parametrize("stem", CHAPTERS)
def test_texts_tell_no_size(stem: str, solutions: Path) -> None:
    """What a hidden case is called and shows is the same in every course, and holds no number."""
    one, other = drawn(solutions, stem, 0), drawn(solutions, stem, 99)
    texts = [
        [(item.case.name, item.case.shows) for solved in hidden.values() for item in solved]
        for hidden in (one, other)
    ]
    assert texts[0] == texts[1]
    assert not any(letter.isdigit() for pair in texts[0] for text in pair for letter in str(text))


@pytest.mark.parametrize("stem", CHAPTERS)
def test_seed_decides(stem: str, solutions: Path) -> None:
    """The same seed draws the same hidden cases, another seed others: numbers, sizes and seeds."""

    def facts(seed: int) -> dict[str, list]:
        return {
            name: [
                (item.case.to_facts(), content_of(item.case.to_tensors().values()), shape_of([]))
                for item in solved
            ]
            for name, solved in drawn(solutions, stem, seed).items()
        }

    one, same, other = facts(3), facts(3), facts(10**30)
    assert one == same
    assert all(one[name] != other[name] for name in one if one[name])
