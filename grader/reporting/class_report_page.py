"""The class report as one HTML page that needs nothing else and runs nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.reporting.charts import (
    Chart,
    Share,
    exercise_chart,
    group_chart,
    overview_chart,
    score_chart,
)
from grader.reporting.class_report import (
    AssignmentReport,
    GroupReport,
    decision_sentence,
    groups_of,
    pending_sentence,
)
from grader.reporting.page_templates import template
from grader.reporting.statistics import Distribution, distribution

# Mistakes of an assignment that are read without opening a list.
MOST = 12


@dataclass(frozen=True)
class Section:
    """One assignment's part of the page, with its pictures; None where there is nothing to draw."""

    report: AssignmentReport
    scores: Chart | None
    exercises: Chart | None
    groups: Chart | None


@dataclass(frozen=True)
class Overview:
    """What several assignments are compared by: their scores in percent, and what was not understood."""

    shares: Sequence[Distribution | None]
    chart: Chart | None
    groups: Sequence[GroupReport]
    group_chart: Chart | None
    students: int


def report_page(reports: Sequence[AssignmentReport], anonymous: bool) -> str:
    """Return the report on one assignment or several as an HTML page.

    Args:
        reports: what is told.
        anonymous: whether students have other names in it, which the page then says.
    """
    return template("class_report").render(
        sections=[_section(report) for report in reports],
        overview=_overview(reports) if len(reports) > 1 else None,
        anonymous=anonymous,
        most=MOST,
        decision_sentence=decision_sentence,
        pending_sentence=pending_sentence,
    )


def _section(report: AssignmentReport) -> Section:
    shares = [
        Share(f"{one.number} {one.exercise.subject}", one.share, 100.0 * one.partial / one.answers)
        for one in report.exercises
        if one.answers
    ]
    found = report.distribution
    most = report.assignment.max_score
    return Section(
        report=report,
        scores=score_chart(report.bars, found, most) if found and most > 0 else None,
        exercises=exercise_chart(shares) if shares else None,
        groups=_group_chart(report.groups, report.counts["graded"]),
    )


def _group_chart(groups: Sequence[GroupReport], students: int) -> Chart | None:
    return group_chart([(one.title, one.students) for one in groups], students) if groups else None


def _overview(reports: Sequence[AssignmentReport]) -> Overview:
    shares = [distribution(report.shares) for report in reports]
    drawn = [
        (report.chapter.stem.partition("_")[0], found)
        for report, found in zip(reports, shares, strict=True)
        if found
    ]
    students = {one.key for report in reports for one in report.assignment.graded}
    groups = groups_of(report.assignment for report in reports)
    return Overview(
        shares=shares,
        chart=overview_chart(drawn) if drawn else None,
        groups=groups,
        group_chart=_group_chart(groups, len(students)),
        students=len(students),
    )
