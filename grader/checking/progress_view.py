"""Show a learner's progress: as text, and as HTML that needs no style sheet."""

from collections.abc import Mapping
from html import escape

from grader.checking.mistakes import explain
from grader.checking.progress import Review, Tried, reviews
from grader.exercises import CHAPTERS, EXERCISES, Chapter, Exercise

# Mistakes that are told; more would be a list that nobody reads.
SHOWN = 5
NOTHING_YET = "Nothing is checked yet. Every check in a notebook of the course is counted here."


def _names(exercises: tuple[Exercise, ...]) -> str:
    return ", ".join(exercise.id for exercise in exercises)


def _points(exercises: list[Exercise]) -> int:
    return sum(exercise.points for exercise in exercises)


def _solved(tried: Mapping[str, Tried]) -> list[Exercise]:
    return [EXERCISES[name] for name, one in tried.items() if one.solved and name in EXERCISES]


def _headline(tried: Mapping[str, Tried]) -> str:
    solved, everything = _solved(tried), list(EXERCISES.values())
    return (
        f"{len(solved)} of {len(everything)} exercises are solved, "
        f"{_points(solved)} of {_points(everything)} points."
    )


def _rows(tried: Mapping[str, Tried]) -> list[tuple[str, str, str]]:
    """Return for each chapter that was begun: its title, how much is solved, and what is open."""
    return [
        _row(chapter, tried) for chapter in CHAPTERS.values() if any(e.id in tried for e in chapter.exercises)
    ]


def _row(chapter: Chapter, tried: Mapping[str, Tried]) -> tuple[str, str, str]:
    exercises = chapter.exercises
    missing = tuple(one for one in exercises if not tried.get(one.id, Tried()).solved)
    solved = f"{len(exercises) - len(missing)} of {len(exercises)}"
    return f"{chapter.stem[2:4].lstrip('0') or '0'}. {chapter.title}", solved, _names(missing) or "nothing"


def _advice(review: Review) -> tuple[str, str, str]:
    """Return what the mistake was, the question that leads on, and where to read and to try again."""
    mistake, times = explain(review.code), "once" if review.count == 1 else f"{review.count} times"
    where = review.made_in[0]
    read = f"Read again: {where.section} (chapter {where.chapter[2:4].lstrip('0') or '0'})."
    again = f" Asked again in {_names(review.asked_again[:3])}." if review.asked_again else ""
    return f"{mistake.title} ({times}, {_names(review.made_in)})", mistake.look, read + again


def progress_text(tried: Mapping[str, Tried], place: str) -> str:
    """Return the progress as plain text; ``place`` says where it is kept."""
    if not tried:
        return f"{NOTHING_YET}\n{place}"
    lines = [_headline(tried)]
    lines += [f"  {title}: {solved} solved; open: {missing}" for title, solved, missing in _rows(tried)]
    if found := reviews(tried)[:SHOWN]:
        lines.append("Look at again:")
        lines += [f"  {line}" for review in found for line in _advice(review)]
    return "\n".join([*lines, place])


def progress_html(tried: Mapping[str, Tried], place: str) -> str:
    """Return the progress as HTML; ``place`` says where it is kept."""
    note = f'<p style="font-size:0.85em">{escape(place)}</p>'
    if not tried:
        return f"<p>{NOTHING_YET}</p>{note}"
    cell = 'style="text-align:left;padding:3px 14px 3px 0;vertical-align:top"'
    rows = "".join(
        f"<tr>{''.join(f'<td {cell}>{escape(part)}</td>' for part in row)}</tr>" for row in _rows(tried)
    )
    heads = "".join(f'<th scope="col" {cell}>{name}</th>' for name in ("chapter", "solved", "open"))
    found = reviews(tried)[:SHOWN]
    items = "".join(
        f"<li><b>{escape(what)}</b><br>{escape(look)}<br>{escape(where)}</li>"
        for what, look, where in map(_advice, found)
    )
    again = f"<p><b>Look at again</b></p><ul>{items}</ul>" if items else ""
    return (
        f"<p><b>{escape(_headline(tried))}</b></p>"
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{again}{note}"
    )
