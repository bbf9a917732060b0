"""What is known of each mistake."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.checking import mistakes
from grader.checking.concealment import FITTED
from grader.checking.mistakes import Mistake, explain, known_mistakes, question_about_error
from grader.exercises import EXERCISES
from grader.proving.bank import Answer

GROUPS = {
    "tensors",
    "softmax",
    "scale",
    "projections",
    "recurrence",
    "influence",
    "transfer",
    "mask",
    "dropout",
    "heads",
    "devices",
    "numpy",
    "texts",
    "merges",
    "embeddings",
    "windows",
    "model",
    "generation",
    "contract",
    "otherwise",
}
MISTAKES = [pytest.param(mistake, id=code) for code, mistake in known_mistakes().items()]


@pytest.fixture(scope="module")
def declared(answers: Callable[[str], dict[str, Answer]]) -> set[str]:
    """Return every code that a bank answer declares, remarks with them."""
    return {
        code
        for name in EXERCISES
        for answer in answers(name).values()
        for code in (*answer.diagnosis, *answer.remarks)
    }


@pytest.mark.parametrize("mistake", MISTAKES)
def test_entry_is_complete(mistake: Mistake) -> None:
    """A mistake has a title, and whole sentences that say what was seen and where to look."""
    assert mistake.title and mistake.title[-1].isalnum()
    assert mistake.seen.endswith((".", "?"))
    assert mistake.look.endswith((".", "?"))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_group_is_a_documented_one(mistake: Mistake) -> None:
    """A mistake belongs to one of the documented groups."""
    assert mistake.group in GROUPS


def test_no_code_is_in_two_groups() -> None:
    """A code stands in one group only."""
    text = Path(mistakes.__file__).with_suffix(".toml").read_text(encoding="utf-8")
    codes = [code for group in tomllib.loads(text).values() for code in group]
    assert sorted(codes) == sorted(known_mistakes())


def test_titles_tell_mistakes_apart() -> None:
    """No two mistakes have the same title."""
    titles = [mistake.title for mistake in known_mistakes().values()]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("code", [code for code in known_mistakes() if code != FITTED])
def test_code_is_declared_by_a_bank_answer(code: str, declared: set[str]) -> None:
    """A known mistake is one that some bank answer makes; all of them fail on a visible case."""
    assert code in declared


def test_every_declared_code_is_explained(declared: set[str]) -> None:
    """Every code that a bank answer declares is a known mistake."""
    assert declared <= set(known_mistakes())


def test_explain_returns_the_entry_of_its_code() -> None:
    """A code is explained by its own entry."""
    assert all(explain(code).code == code for code in known_mistakes())


def test_unknown_code_is_a_key_error() -> None:
    """A code that nobody wrote an entry for raises."""
    with pytest.raises(KeyError):
        explain("no-such-mistake")


def test_every_error_leads_to_a_question() -> None:
    """Whatever an answer raised, there is something to look at."""
    assert question_about_error("It raised SomethingNobodyKnows: ???").endswith((".", "?"))


def test_a_known_error_has_a_question_of_its_own() -> None:
    """An error about shapes leads elsewhere than one that nothing is known of."""
    shapes = "It raised RuntimeError: mat1 and mat2 shapes cannot be multiplied (6x2 and 6x2)."
    assert question_about_error(shapes) != question_about_error("It raised SomethingNobodyKnows.")


def test_a_broadcast_of_arrays_has_a_question_about_shapes() -> None:
    """Where answers work on arrays, an error of NumPy does not lead to PyTorch, and leads somewhere."""
    sentence = "It raised ValueError: operands could not be broadcast together with shapes (5,12) (12,1)."
    assert "shape" in question_about_error(f"{sentence} Your line 2 in f: return np.exp(x) - y", "arrays")


@pytest.mark.parametrize(
    "sentence",
    [
        "It raised AttributeError: 'numpy.ndarray' object has no attribute 'masked_fill'.",
        "It raised TypeError: _amax() got an unexpected keyword argument 'dim'.",
        "It raised TypeError: only length-1 arrays can be converted to Python scalars",
        "It raised ValueError: something new. Your line 2 in f: return np.exp(x)",
    ],
)
def test_errors_of_arrays_do_not_ask_for_torch(sentence: str) -> None:
    """What NumPy raises asks for PyTorch's function only where answers work on tensors."""
    of_arrays = question_about_error(sentence, "arrays")
    assert "of torch" not in of_arrays
    assert of_arrays != question_about_error(sentence)


def test_every_exercise_works_on_what_questions_are_kept_to() -> None:
    """The values of ``only`` in errors.toml are those that exercises have."""
    path = Path(mistakes.__file__).with_name("errors.toml")
    errors = tomllib.loads(path.read_text(encoding="utf-8"))["errors"]
    kept = {entry["only"] for entry in errors if "only" in entry}
    assert kept == {exercise.works_on for exercise in EXERCISES.values()}
