"""Two mistakes at once: composed of a bank's edits, told by both, and by nothing that is not in it."""

from collections.abc import Callable, Mapping

import pytest
import torch

from grader.checking.fingerprints import FIELDS, print_of, same_prints, told_by
from grader.checking.judge import judge
from grader.checking.mistakes import explain, place_of
from grader.checking.rendering import result_text
from grader.exercises import EXERCISES, Exercise
from grader.proving.bank import Answer
from grader.proving.fingerprints import Table
from grader.proving.pairs import composed
from grader.proving.trial import attempt_answer
from grader.references import load_exercise

CPU = torch.device("cpu")
Bank = Callable[[str], Mapping[str, Answer]]
# Of an exercise's composed answers, as many as are tried here.
TRIED = 6


def seen_of(exercise: Exercise, answer: Answer) -> tuple:
    """Return what is seen of an answer on the cases whose results are compared."""
    reference = load_exercise(exercise.chapter, exercise.id)
    made = attempt_answer(exercise, answer, reference.cases, CPU)
    return reference, made


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_stored_fingerprints_are_well_formed(exercise: Exercise) -> None:
    """Each has one or two codes that are told by numbers, the cause first, and is finite."""
    known = load_exercise(exercise.chapter, exercise.id).fingerprints
    assert len(known.codes) == len(known.prints) == len(known.whole)
    assert known.prints.isfinite().all()
    for codes in known.codes:
        assert 1 <= len(set(codes)) == len(codes) <= 2
        assert all(explain(code).matched_by_output for code in codes)
        assert list(codes) == sorted(codes, key=place_of)


def same_as(exercise: Exercise, answer: Answer, pairs: list[Answer]) -> list[set[str]]:
    """Return the mistakes of other answers with two that return the same as this one: the same function."""

    def print_of_one(one: Answer) -> torch.Tensor:
        _, made = seen_of(exercise, one)
        return print_of(made.observations)

    own = print_of_one(answer)
    others = (one for one in pairs if set(one.diagnosis) & set(answer.diagnosis))
    return [set(one.diagnosis) for one in others if same_prints(print_of_one(one)[None], own).all()]


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_no_pair_is_told_as_another(exercise: Exercise, answers: Bank) -> None:
    """What is named of an answer with two mistakes is in it."""
    pairs = list(composed(tuple(answers(exercise.id).values())))
    for answer in pairs[:: max(1, len(pairs) // TRIED)]:
        reference, made = seen_of(exercise, answer)
        result = judge(exercise, reference, made, "cpu")
        named = {code for code in result.diagnosis if explain(code).matched_by_output}
        both = {"mistakes at once" in line.text.text for line in result.lines}
        if True in both and not named <= set(answer.diagnosis):
            assert named in same_as(exercise, answer, pairs), (answer.name, result.diagnosis)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_single_mistakes_are_no_pairs(exercise: Exercise, answers: Bank) -> None:
    """No answer of the bank, right or wrong, is told as two mistakes that it does not declare."""
    reference = load_exercise(exercise.chapter, exercise.id)
    if not reference.fingerprints.codes:
        return
    for answer in list(answers(exercise.id).values())[::5]:
        made = attempt_answer(exercise, answer, reference.cases, CPU)
        if made.problem:
            continue
        by_case = {seen.case: seen for seen in made.observations}
        own = print_of(tuple(by_case[name] for name in reference.fingerprints.cases))
        told, _ = told_by(reference.fingerprints, own)
        assert set(told) <= set(answer.diagnosis), answer.name


def test_both_are_named_with_a_question_each(answers: Bank) -> None:
    """The words say that it is both, name each, and ask one question for each."""
    exercise = EXERCISES["ch04-self-attention-v1"]
    reference = load_exercise(exercise.chapter, exercise.id)
    stored = {codes for codes in reference.fingerprints.codes if len(codes) == 2}
    pairs = composed(tuple(answers(exercise.id).values()))
    answer = next(one for one in pairs if one.diagnosis in stored and "missing-scale" in one.diagnosis)
    first, second = map(explain, answer.diagnosis)
    reference, made = seen_of(exercise, answer)
    result = judge(exercise, reference, made, "cpu")
    assert set(result.diagnosis) >= {first.code, second.code}
    assert (
        not result.partial_credit_eligible
    )  # fingerprints are of some cases alone: points need the numbers of all
    text = result_text(result)
    assert "It looks like two mistakes at once" in text
    assert all(str(part) in text for one in (first, second) for part in (one.title, one.look))


def test_edits_that_do_not_fit_are_left_out() -> None:
    """A line that one mistake takes out cannot be changed by the other."""
    base = "a = 1\nb = 2"

    def wrong(code: str, edit: str) -> Answer:
        return Answer(code, (code,), "", "", base=base, edit=edit)

    scale, axis = wrong("missing-scale", "# - a = 1"), wrong("softmax-wrong-axis", "# - b = 2\n# + b = 3")
    also = wrong("no-softmax", "# - a = 1\n# + a = 4")
    made = {one.diagnosis: one.source for one in composed((scale, axis, also))}
    assert made == {
        ("softmax-wrong-axis", "missing-scale"): "b = 3",
        ("softmax-wrong-axis", "no-softmax"): "a = 4\nb = 3",
    }


def test_a_bank_s_name_comes_before_that_of_a_family() -> None:
    """Where both do the same the bank's codes are told, in any order; of equals what is common."""
    one, other = torch.zeros(2, FIELDS), torch.ones(2, FIELDS)
    bank, family = ("axis-from-front", "scale-by-dk"), ("softmax-wrong-axis", "scale-by-dk")
    for first, second in (((bank, True), (family, False)), ((family, False), (bank, True))):
        table = Table(2)
        assert table.add(one, first[0], of_bank=first[1])
        assert not table.add(one, second[0], of_bank=second[1])
        assert table.add(other, bank, of_bank=True)
        assert (table.codes, table.whole) == ([bank, bank], [True, True])
    table = Table(2)
    table.add(one, bank)
    table.add(one, family)
    assert (table.codes, table.whole) == ([("scale-by-dk",)], [False])
