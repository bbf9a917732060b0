"""Showing a verdict."""

import math
from dataclasses import replace

import pytest
import torch

from grader.checking.checks import Failure, results
from grader.checking.comparison import compare
from grader.checking.mistakes import explain
from grader.checking.rendering import (
    MAX_COLUMNS,
    MAX_ROWS,
    one_line,
    picture_html,
    picture_text,
    result_html,
    result_text,
)
from grader.checking.result import SEEN, CaseResult, Line, Picture, Result
from grader.colors import SCALE, color_of, ink_on
from grader.exercises import Exercise
from grader.messages import Message, message

FRAME = "3px solid"


def picture_of(got: torch.Tensor, expected: torch.Tensor) -> Picture:
    """Return the picture of a result beside its target."""
    mismatch = compare(got, expected, 1e-6) if got.shape == expected.shape else None
    return Picture("a case", "", got, expected.double(), mismatch)


@pytest.fixture
def failed(exercise: Exercise) -> Result:
    """Return a verdict on a wrong answer."""
    expected = torch.arange(6.0).reshape(2, 3)
    got = expected.clone()
    got[1, 2] = -1.0
    picture = picture_of(got, expected)
    cases = (CaseResult("first", "a shape", True), CaseResult("second", "T < 4", False, results.equal.label))
    failure = Failure(
        *("missing-scale", Message("It differs."), results.equal, "second", "result", picture.mismatch)
    )
    return Result(
        exercise, "failed", ("missing-scale",), (Line(Message("Not <scaled>.")),), cases, failure, picture
    )


@pytest.fixture
def passed(exercise: Exercise) -> Result:
    """Return a verdict on a right answer."""
    return Result(exercise, "passed", (), (Line(Message("Right.")),), (CaseResult("first", "a shape", True),))


@pytest.mark.parametrize(("share", "color"), [(0.0, SCALE[0]), (0.5, SCALE[2]), (1.0, SCALE[-1])])
def test_colors_run_along_the_scale(share: float, color: tuple[int, int, int]) -> None:
    """The ends and the middle of the range have the ends and the middle of the scale."""
    assert color_of(share) == color


@pytest.mark.parametrize(("share", "color"), [(-math.inf, SCALE[0]), (-3.0, SCALE[0]), (math.inf, SCALE[-1])])
def test_colors_end_with_the_scale(share: float, color: tuple[int, int, int]) -> None:
    """Values beyond the range have the color of its end."""
    assert color_of(share) == color


def test_worst_difference_is_framed_in_both_tables(failed: Result) -> None:
    """The place of the worst difference is framed in yours and in the target, and the legend says so."""
    html = picture_html(failed.picture)
    assert html.count(FRAME) == 2
    assert "worst difference is framed" in html


def test_nothing_is_framed_without_a_mismatch() -> None:
    """A right result is shown without frames and without a word of them."""
    html = picture_html(picture_of(torch.ones(2, 2), torch.ones(2, 2)))
    assert "framed" not in html
    assert FRAME not in html


@pytest.mark.parametrize(
    "shape", [(MAX_ROWS + 3, 2), (2, MAX_COLUMNS + 3), (3,), (), (2, 3, 4), (2, 3, MAX_ROWS + 2, 9)], ids=str
)
def test_worst_difference_is_in_the_picture(shape: tuple[int, ...]) -> None:
    """The part of a tensor that is shown holds the worst difference, wherever it is, in both tables."""
    expected = torch.zeros(shape)
    got = expected.clone()
    got[tuple(size - 1 for size in shape)] = 7.0
    picture = picture_of(got, expected)
    html = picture_html(picture)
    assert html.count(FRAME) == 2
    assert html.count("7.0000</td>") == 1
    assert "7.0000" in picture_text(picture)


@pytest.mark.parametrize("show", [picture_html, picture_text])
def test_part_that_is_shown_is_named(show) -> None:
    """The title says which part of a larger tensor is shown."""
    expected = torch.zeros(2, 3, MAX_ROWS + 2, 4)
    got = expected.clone()
    got[1, 2, MAX_ROWS, 0] = 1.0
    assert f"Yours (2, 3, {MAX_ROWS + 2}, 4), shown [1, 2, 1:{MAX_ROWS + 1}, 0:4]" in show(
        picture_of(got, expected)
    )


@pytest.mark.parametrize("show", [picture_html, picture_text])
def test_bools_are_shown_as_bools(show) -> None:
    """A mask is shown as True and False."""
    mask = torch.tensor([[False, True]])
    picture = Picture("a case", "", ~mask, mask, compare(~mask, mask, 0.0))
    assert "True" in show(picture)
    assert "False" in show(picture)


def test_picture_is_cut_to_what_can_be_read() -> None:
    """At most eight rows and columns of a large tensor are shown, with its whole shape."""
    large = torch.zeros(MAX_ROWS + 5, MAX_COLUMNS + 5)
    html = picture_html(picture_of(large, large))
    assert html.count("<td") == 2 * MAX_ROWS * MAX_COLUMNS
    assert str(tuple(large.shape)) in html


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (4, 2, 3), (0,), (0, 2), (2, 0), (0, 2, 3)], ids=str)
@pytest.mark.parametrize("show", [picture_html, picture_text])
def test_result_of_any_shape_is_shown(show, shape: tuple[int, ...]) -> None:
    """A wrong result of whatever shape, also an empty one, is shown with its shape."""
    assert f"Yours {shape}" in show(picture_of(torch.zeros(shape), torch.ones(2, 2)))


@pytest.mark.parametrize("show", [picture_html, picture_text])
def test_nan_and_infinity_are_shown(show) -> None:
    """NaN and infinity are written as such."""
    text = show(picture_of(torch.tensor([[math.nan, math.inf, -math.inf]]), torch.ones(1, 3)))
    assert all(word in text for word in ("nan", "inf", "-inf"))


@pytest.mark.parametrize(
    ("matrix", "legend"),
    [
        (torch.tensor([[True, False]]), "Dark is False, bright is True."),
        (torch.tensor([[0.0, -math.inf]]), "Dark is -inf."),
        (torch.tensor([[0.0, 2.0, -math.inf]]), "-inf is darkest; then 0.0000 to 2.0000."),
        (torch.tensor([[0.0, 2.0]]), "Dark is 0.0000 or less, bright is 2.0000 or more."),
        (torch.tensor([[0.5, 0.5]]), "All are 0.5000."),
    ],
    ids=["bools", "a mask", "masked scores", "numbers", "one number"],
)
def test_legend_tells_what_dark_and_bright_are(matrix: torch.Tensor, legend: str) -> None:
    """The line below the picture fits what is in it."""
    assert legend in picture_html(picture_of(matrix, matrix))


def test_target_of_one_number_is_shown_on_the_scale_of_both() -> None:
    """Where the target is all one number, what differs from it is still brighter or darker."""
    html = picture_html(picture_of(torch.tensor([[1.0, 0.0]]), torch.full((1, 2), 0.5)))
    assert "Dark is 0.0000 or less, bright is 1.0000 or more." in html
    assert html.count(f"rgb{SCALE[0]}") == html.count(f"rgb{SCALE[-1]}") == 1


def test_numbers_that_are_not_finite_are_left_out_of_the_legend() -> None:
    """Where all the others are one number, that is not said of NaN beside them."""
    html = picture_html(picture_of(torch.tensor([[0.5, math.nan]]), torch.full((1, 2), 0.5)))
    assert "All that are finite are 0.5000." in html and "All are" not in html


def test_hidden_places_of_a_mask_are_dark() -> None:
    """Minus infinity has the dark end of the scale, and differs from 0 beside it."""
    mask = torch.tensor([[0.0, -math.inf]])
    dark = f"rgb{SCALE[0]}"
    assert picture_html(picture_of(mask, mask), passed=True).count(dark) == 1


def test_one_point_is_one_point(passed: Result) -> None:
    """The headline counts in English."""
    small = replace(passed, exercise=replace(passed.exercise, points=1))
    assert one_line(small).endswith("1 of 1 point")


@pytest.mark.parametrize("show", [picture_html, picture_text])
def test_complex_result_has_no_picture(show) -> None:
    """A complex result, which has no color, is not shown."""
    assert show(Picture("a case", "", torch.ones(2, dtype=torch.complex64), torch.ones(2), None)) == ""


def test_text_holds_both_tables(failed: Result) -> None:
    """The text of a picture holds yours and the target with four decimals, and names the case."""
    text = picture_text(failed.picture)
    shape, case = tuple(failed.picture.got.shape), failed.picture.case
    assert all(part in text for part in (f"Yours {shape}", f"Target {shape}", case, "-1.0000", "5.0000"))


def test_failed_text_holds_everything(failed: Result) -> None:
    """The text of a failed verdict holds headline, message, cases, mistake, section and the hint call."""
    text = result_text(failed)
    exercise = failed.exercise
    assert text.startswith(f"{exercise.id}: failed, 0 of {exercise.points} points\n{failed.message}")
    assert "[x] first: a shape" in text
    assert "[ ] second: T < 4 (another result)" in text
    assert "Mistake: missing-scale" in text
    assert exercise.section in text
    assert f'hint("{exercise.id}")' in text


def test_passed_text_is_short(passed: Result) -> None:
    """The text of a passed verdict is its headline and its message."""
    exercise = passed.exercise
    points = exercise.points
    assert result_text(passed) == f"{exercise.id}: passed, {points} of {points} points\nRight."


@pytest.mark.parametrize("show", [result_text, result_html])
def test_passed_answer_is_shown_alone(show, passed: Result) -> None:
    """Of an answer that passed there is nothing to compare: only its own table is shown."""
    shown = show(replace(passed, picture=picture_of(torch.ones(2, 2), torch.ones(2, 2))))
    assert "Yours (2, 2)" in shown
    assert "Target" not in shown


def test_text_can_do_without_the_picture(failed: Result) -> None:
    """The picture is left out of the text on request."""
    assert "Yours" in result_text(failed)
    assert "Yours" not in result_text(failed, with_picture=False)


@pytest.mark.parametrize("show", [result_text, result_html])
def test_notes_are_shown(show, passed: Result) -> None:
    """A note is shown with the verdict, and said to be one."""
    assert "Note: Drawn elsewhere." in show(replace(passed, notes=(Message("Drawn elsewhere."),)))


def test_html_escapes_what_the_learner_wrote(failed: Result) -> None:
    """Nothing that came from the learner or the case becomes markup."""
    html = result_html(replace(failed, notes=(Message("<b>"),)))
    assert "Not &lt;scaled&gt;." in html
    assert "T &lt; 4" in html
    assert "&lt;b&gt;" in html


def test_html_survives_the_sanitizer(failed: Result) -> None:
    """The HTML uses inline styles only: no script, no style sheet, no classes, nothing to load."""
    html = result_html(failed)
    assert not any(part in html for part in ("<script", "<style", "class=", "<img", "<link", "onclick"))


def test_html_counts_passed_cases(failed: Result) -> None:
    """The HTML of a failed verdict says how many cases passed, and which did not."""
    html = result_html(failed)
    assert "1 of 2 cases passed" in html
    assert "failed: second: T &lt; 4 (another result)" in html


def test_verdicts_have_different_edges(failed: Result, passed: Result) -> None:
    """Passed, failed and not judged are told apart by color besides by word."""
    error = replace(passed, status="error")
    edges = {result_html(result).split("padding")[0] for result in (failed, passed, error)}
    assert len(edges) == 3


def test_one_line_names_the_mistake(failed: Result) -> None:
    """The one line of a failed verdict holds its score and its mistake, without a line break."""
    line = one_line(failed)
    assert line.startswith(f"{failed.exercise.id}: failed, 0 of")
    assert "The scores are not scaled" in line
    assert "\n" not in line


def test_one_line_parts_mistakes_that_have_commas(failed: Result) -> None:
    """Titles may have commas of their own, so a stronger sign stands between them."""
    two = replace(failed, diagnosis=("missing-scale", "mask-has-a-limit"))
    titles = [explain(code).title for code in two.diagnosis]
    assert one_line(two).endswith(f": {titles[0]}; {titles[1]}")


def test_one_line_of_a_pass_is_the_headline(passed: Result) -> None:
    """The one line of a passed verdict is its headline."""
    assert one_line(passed) == result_text(passed).splitlines()[0]


def test_numbers_are_readable_on_every_color() -> None:
    """Black or white reaches WCAG's contrast of 4.5 to 1 on the whole scale."""
    for percent in range(101):
        color = color_of(percent / 100)
        parts = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (part / 255 for part in color)
        ]
        luminance = sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
        contrast = (luminance + 0.05) / 0.05 if ink_on(color) == "#000" else 1.05 / (luminance + 0.05)
        assert contrast >= 4.5, color


FORGED = "x\nPoints: 4 of 4 points\rSeen: nothing"


def test_quoted_lines_never_pass_for_the_grader_s(failed: Result) -> None:
    """An exception's text may have lines that begin as a verdict's do: they are set in, and have no label."""
    told = message("It raised {error}", error=FORGED)
    result = replace(failed, lines=(Line(told, SEEN),))
    assert "\nPoints:" not in result_text(result) and "\nSeen: nothing" not in result_text(result)
    assert "\n    Points: 4 of 4 points" in result_text(result)
    html = result_html(result)
    assert html.count("<b>Seen:</b>") == 1
    assert "<b>Points:</b>" not in html
    assert "\n&nbsp;&nbsp;&nbsp;&nbsp;Points: 4 of 4 points" in html
