"""Detect exercises that look broken, with advice."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.reporting.statistics import FEW, Discrimination

# Minimum numbers of students, in total and in each group, for a low discrimination to count.
ENOUGH, EACH_SIDE = 20, 5
# Below this an exercise does not tell the strong from the weak.
NEAR_ZERO = 0.1
# At most so many right is nearly all wrong; a mistake of so many of the wrong ones explains that.
NEARLY_NONE, EXPLAINS = 0.1, 0.5
# From so many answers, and from this share of them, on.
FITTED, FITTED_SHARE = 3, 0.1


@dataclass(frozen=True)
class Concern:
    """What makes an exercise look broken, and what to do about it."""

    kind: str
    why: str
    advice: str


@dataclass(frozen=True)
class ExerciseFacts:
    """What is known of the answers to an exercise.

    Attributes:
        answers: how many have points.
        right: how many of them all points.
        failed: how many have a verdict that they failed, with a diagnosis.
        first_codes: how many of these have each code first.
        faults: what went wrong in the grader, once for each answer.
        discrimination: whether those who have it right do better in the rest.
    """

    answers: int
    right: int
    failed: int
    first_codes: Mapping[str, int]
    faults: tuple[str, ...]
    discrimination: Discrimination


def concerns_about(facts: ExerciseFacts) -> Iterator[Concern]:
    """Yield what makes an exercise look broken; nothing of one that works."""
    if facts.faults:
        yield Concern(
            "grader-fault",
            f"The grader could not judge {_answers(len(facts.faults))}. The first time: "
            f"{facts.faults[0].rstrip('.')}.",
            "Run `grader references verify`, mend what it names, and grade again; or grade these by hand.",
        )
    yield from _about_discrimination(facts.discrimination)
    if concern := _nearly_all_fail(facts):
        yield concern
    fitted = facts.first_codes.get("fitted-to-cases", 0)
    if fitted >= FITTED and fitted >= FITTED_SHARE * facts.answers:
        yield Concern(
            "fitted-to-cases",
            f"{fitted} of {facts.answers} answers are right on all visible cases and wrong on hidden ones.",
            "Read some of them. If they are honest work, hidden cases ask for what neither the text nor a "
            "visible case says: say it, or add a visible case.",
        )


def _about_discrimination(found: Discrimination) -> Iterator[Concern]:
    wrong = found.students - found.right
    enough = found.students >= ENOUGH and min(found.right, wrong) >= EACH_SIDE
    if found.value is None or found.value >= NEAR_ZERO or not enough:
        return
    means = (
        f"The {found.right} with a right answer earned {found.mean_right:.1f} points in the rest of the "
        f"assignment, the {wrong} others {found.mean_wrong:.1f} (correlation {found.value:.2f})."
    )
    if found.value < 0:
        yield Concern(
            "negative-discrimination",
            f"Students who do well elsewhere fail here more often than others. {means}",
            "Read wrong answers of strong students: the text may ask for something other than the check.",
        )
    else:
        yield Concern(
            "no-discrimination",
            f"Whether it is right has hardly anything to do with the rest of the work. {means}",
            "See whether it can be guessed or copied, and whether its text is clear.",
        )


def _nearly_all_fail(facts: ExerciseFacts) -> Concern | None:
    if facts.answers < FEW or facts.right > NEARLY_NONE * facts.answers or not facts.failed:
        return None
    named = {code: count for code, count in facts.first_codes.items() if code != "unrecognized"}
    most = max(named, key=named.get, default="")
    if most and named[most] >= EXPLAINS * facts.failed:
        return None
    common = f"the most frequent, {most}, has {named[most]} of {facts.failed}" if most else "there is none"
    return Concern(
        "nearly-all-fail",
        f"{facts.right} of {facts.answers} answers are right, and no single named mistake explains it: "
        f"{common}.",
        "Solve it yourself in the students' notebook, as its text says. Then read some wrong answers.",
    )


def _answers(count: int) -> str:
    return f"{count} answer{'' if count == 1 else 's'}"
