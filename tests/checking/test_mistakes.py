"""What is known of each mistake."""

import tomllib
from collections.abc import Callable
from operator import setitem

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from grader.checking.mistakes import (
    Mistake,
    explain,
    known_mistakes,
    question_about_error,
    tables,
    title_of_group,
)
from grader.checking.observation import LearnerError
from grader.checking.redaction import FITTED
from grader.errors import GraderError
from grader.exercises import CHAPTERS, EXERCISES, Chapter, know
from grader.proving.bank import Answer
from grader.proving.families import FAMILIES

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
    title, seen, look = (str(one) for one in (mistake.title, mistake.seen, mistake.look))
    assert title and title[-1].isalnum()
    assert seen.endswith((".", "?"))
    assert look.endswith((".", "?"))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_group_says_what_it_is_about(mistake: Mistake) -> None:
    """The report on a class has a title for it."""
    tables = (*of_the_package(), *(one.mistakes for one in CHAPTERS.values()))
    titles = [one.get("groups", {}) for one in tables]
    assert sum(mistake.group in found for found in titles) == 1
    assert title_of_group(mistake.group) in {one for found in titles for one in found.values()}


def of_the_package() -> list[dict[str, dict]]:
    """Return the tables of mistakes that more than one chapter has: of all courses, and of topics."""
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in tables()]


def test_topic_s_group_comes_where_its_table_says() -> None:
    """Each of its groups has a place, which is right before a group of all courses' mistakes."""
    general, *topics = of_the_package()
    groups = list(dict.fromkeys(one.group for one in known_mistakes().values() if one.matched_by_output))
    for topic in topics:
        assert topic["before"].keys() == topic["groups"].keys() == topic.keys() - {"before", "groups"}
        for group, other in topic["before"].items():
            between = groups[groups.index(group) + 1 : groups.index(other)]
            assert other in general and not set(between) & general.keys()


def test_a_chapter_s_own_mistakes_are_made_there_alone(answers: Callable[[str], dict[str, Answer]]) -> None:
    """What another chapter needs is in the table of all."""
    made = {
        (exercise.chapter, code)
        for exercise in EXERCISES.values()
        for answer in answers(exercise.id).values()
        for code in answer.diagnosis
    }
    for chapter in CHAPTERS.values():
        own = {code for group, codes in chapter.mistakes.items() if group != "groups" for code in codes}
        assert own <= {code for stem, code in made if stem == chapter.stem}
        assert not own & {code for stem, code in made if stem != chapter.stem}


def test_code_that_is_explained_twice_is_an_error() -> None:
    """In the table of all and in a chapter: nobody could say which words count."""
    before = dict(CHAPTERS)
    mine = {"scale": {"missing-scale": {"title": "t", "seen": "s.", "look": "l?"}}}
    try:
        know(Chapter("ch99_twice", "Twice", (), mistakes=mine))
        with pytest.raises(GraderError, match="missing-scale is explained twice"):
            known_mistakes()
    finally:
        CHAPTERS.clear()
        know(*before.values())
    assert "missing-scale" in known_mistakes()


def test_what_no_number_shows_comes_last() -> None:
    """Of two mistakes the one that is recognized is told first."""
    shown = [one.matched_by_output for one in known_mistakes().values()]
    assert shown == sorted(shown, reverse=True)


def test_titles_tell_mistakes_apart() -> None:
    """No two mistakes have the same title."""
    titles = [str(mistake.title) for mistake in known_mistakes().values()]
    assert len(titles) == len(set(titles))


# What only grading shows, or an answer that ends its process, which no bank can hold.
NOT_IN_BANKS = (FITTED, "no-result")


@pytest.mark.parametrize("code", [code for code in known_mistakes() if code not in NOT_IN_BANKS])
def test_code_is_declared_by_a_bank_answer(code: str, declared: set[str]) -> None:
    """A known mistake is one that some bank answer makes, or that is made of correct ones."""
    assert code in declared | set(FAMILIES)


def test_every_declared_code_is_explained(declared: set[str]) -> None:
    """Every code that a bank answer declares is a known mistake."""
    assert declared <= set(known_mistakes())


def test_explain_returns_the_entry_of_its_code() -> None:
    """A code is explained by its own entry."""
    assert all(explain(code).code == code for code in known_mistakes())


ROWS = torch.ones(2, 4, 3)


def _endless() -> object:
    return _endless()


TENSORS, ARRAYS = EXERCISES["ch04-self-attention-v1"], EXERCISES["ch08-softmax"]


def test_unknown_code_is_a_key_error() -> None:
    """A code that nobody wrote an entry for raises."""
    with pytest.raises(KeyError):
        explain("no-such-mistake")


def test_error_that_nobody_knows_has_no_question() -> None:
    """What no pattern knows is asked nothing in particular."""
    assert question_about_error(LearnerError("SomethingNobodyKnows", "???"), TENSORS) is None


def test_a_known_error_has_a_question_of_its_own() -> None:
    """An error about shapes leads to them; one that no line of the learner's raised, to no line."""
    words = "mat1 and mat2 shapes cannot be multiplied (6x2 and 6x2)"
    assert "line named" in str(question_about_error(LearnerError("RuntimeError", words, 3), TENSORS))
    assert question_about_error(LearnerError("RuntimeError", words), TENSORS) is None


@pytest.mark.parametrize(
    ("raising", "asks"),
    [
        (lambda: torch.ones(2, 4).reshape(2, 4 / 2), "if from a division"),
        (lambda: range(4 / 2), "if from a division"),
        (lambda: scaled_dot_product_attention(ROWS, ROWS, ROWS, ROWS.long()), "the mask on this line"),
        (lambda: torch.ones(2, 3).add_(torch.ones(4, 2, 3)), "more room than the tensor has"),
        (lambda: ROWS.transpose(1, 2).view(4, 6), "exchanged axes, or took a part"),
        (lambda: [*ROWS.dim()], "up to it"),
        (lambda: list(ROWS.dim()), "up to it"),
        (lambda: ROWS.dim()[0], "no places to ask for"),
        (lambda: len(nn.GELU()), "print its type"),
        (lambda: torch.cat(row for row in ROWS), "brackets make a list"),
        (lambda: ROWS.permute(0, 1), "name each axis once"),
        (lambda: nn.MultiheadAttention(3, 2), "all heads together"),
        (lambda: nn.MultiHeadAttention, "capitals"),
        (_endless, "calls itself"),
        (lambda: torch.dot(ROWS[0, 0], ROWS[0, :, 0]), "two vectors of one length"),
        (lambda: [ROWS] @ ROWS, "none of them computes"),
        (lambda: 2 * nn.GELU(), "type of both"),
        (lambda: setitem(ROWS.shape, 0, 1), "cannot be written into"),
        (lambda: ROWS[0, 0, 0, 0], "more places than there are axes"),
        (lambda: ROWS.select(0, 5), "how many places"),
        (lambda: ROWS.long().mean(), "decimal point"),
        (lambda: ROWS.long().div_(2.5), "dtype of both sides"),
        (lambda: torch.einsum("ij,jk->il", ROWS[0], ROWS[0].T), "behind the arrow"),
        (lambda: torch.einsum("ij,jk->ik", ROWS[0], ROWS[0]), "letter stands for two axes"),
        (lambda: 1 / (ROWS.dim() - 3), "made it 0"),
        (lambda: ROWS.transpose((0, 1), 2), "whole numbers in its brackets"),
        (lambda: torch.arange(ROWS), "whole numbers in its brackets"),
        (lambda: ROWS.unflatten(-1, (2, 2)), "make up the axis"),
        (lambda: torch.bmm(ROWS, ROWS[0]), "number of axes alone"),
        (lambda: ROWS[::-1], "turns an axis round"),
        (lambda: ~ROWS, "yes and no"),
        (lambda: torch.triu(ROWS[0, 0]), "needs two axes or more"),
        (lambda: bool(ROWS), "own bool"),
    ],
)
def test_what_pytorch_says_today_has_a_question(raising: Callable[[], object], asks: str) -> None:
    """The patterns are those of its words, and Python's, which change with their versions."""
    with pytest.raises(Exception) as caught:
        raising()
    error = LearnerError(caught.type.__name__, str(caught.value).splitlines()[0], 3)
    exercise = EXERCISES["ch06-multi-head-attention"]
    assert asks.lower() in str(question_about_error(error, exercise)).lower()


def test_two_dtypes_in_a_matrix_product_ask_which_product_is_meant() -> None:
    """Of bools and floats only the one number by number is possible, and it is written with another sign."""
    words = "expected m1 and m2 to have the same dtype, but got: float != bool"
    for line, asks in (("return weights @ keep", True), ("return layer(x)", False)):
        question = question_about_error(LearnerError("RuntimeError", words, 3, "f", line), TENSORS)
        assert ("with *" in str(question)) is asks


def test_a_broadcast_of_arrays_has_a_question_about_shapes() -> None:
    """Where answers work on arrays, an error of NumPy does not lead to PyTorch, and leads somewhere."""
    words = "operands could not be broadcast together with shapes (5,12) (12,1)"
    error = LearnerError("ValueError", words, 2, "f", "return np.exp(x) - y")
    assert "shape" in str(question_about_error(error, ARRAYS))


@pytest.mark.parametrize(
    "error",
    [
        LearnerError("AttributeError", "'numpy.ndarray' object has no attribute 'masked_fill'."),
        LearnerError("TypeError", "_amax() got an unexpected keyword argument 'dim'."),
        LearnerError("TypeError", "only length-1 arrays can be converted to Python scalars"),
        LearnerError("ValueError", "something new", 2, "f", "return np.exp(x)"),
    ],
    ids=lambda error: error.message,
)
def test_errors_of_arrays_do_not_ask_for_torch(error: LearnerError) -> None:
    """What NumPy raises asks for PyTorch's function only where answers work on tensors."""
    assert "of torch" not in str(question_about_error(error, ARRAYS))


def test_the_learner_s_own_line_asks_nothing() -> None:
    """A question follows from what was raised, not from what stands on the line."""
    error = LearnerError("RuntimeError", "unheard of", 3, "f", "x = np.exp(NameError)")
    assert question_about_error(error, TENSORS) is None


def test_every_exercise_works_on_what_questions_are_kept_to() -> None:
    """The values of ``only`` in errors.toml are those that exercises have."""
    path = tables()[0].with_name("errors.toml")
    errors = tomllib.loads(path.read_text(encoding="utf-8"))["errors"]
    kept = {entry["only"] for entry in errors if "only" in entry}
    assert kept == {exercise.works_on for exercise in EXERCISES.values()}
