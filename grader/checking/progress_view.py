"""Show a learner's progress: as text, and as HTML that needs no style sheet."""

from collections.abc import Mapping
from gettext import NullTranslations
from html import escape

from grader.checking.mistakes import explain
from grader.checking.progress import Review, Tried, reviews
from grader.exercises import CHAPTERS, EXERCISES, Chapter, Exercise
from grader.messages import Message, message, one_or_many, series
from grader.messages.message import ENGLISH

# Mistakes that are listed; nobody would read more.
MAX_REVIEWS = 5
NOTHING_YET = message(
    "Nothing is counted now. Checks in notebooks of the course are, unless GRADER_PROGRESS is off."
)
LOOK_AGAIN = message("Look at again")
HEADS = (message("chapter"), message("solved"), message("open"))


def _points(exercises: list[Exercise]) -> int:
    return sum(exercise.points for exercise in exercises)


def _solved(tried: Mapping[str, Tried]) -> list[Exercise]:
    return [EXERCISES[name] for name, one in tried.items() if one.solved and name in EXERCISES]


def _headline(tried: Mapping[str, Tried]) -> Message:
    solved, everything = _solved(tried), list(EXERCISES.values())
    return message(
        "{solved} of {exercises} exercises are solved, {earned} of {points} points.",
        solved=len(solved),
        exercises=len(everything),
        earned=_points(solved),
        points=_points(everything),
    )


def _rows(tried: Mapping[str, Tried]) -> list[tuple[Message, Message, Message]]:
    """Return for each chapter that was begun: its title, how much is solved, and what is open."""
    return [
        _row(chapter, tried) for chapter in CHAPTERS.values() if any(e.id in tried for e in chapter.exercises)
    ]


def _number_of(stem: str) -> int:
    return int(stem[2:4])


def _row(chapter: Chapter, tried: Mapping[str, Tried]) -> tuple[Message, Message, Message]:
    exercises = chapter.exercises
    missing = tuple(one for one in exercises if not tried.get(one.id, Tried()).solved)
    return (
        message("{number}. {title}", number=_number_of(chapter.stem), title=Message(chapter.title)),
        message("{solved} of {count}", solved=len(exercises) - len(missing), count=len(exercises)),
        series(one.id for one in missing) if missing else message("nothing"),
    )


def _advice(review: Review) -> tuple[Message, Message, Message]:
    """Return what the mistake was, the question that leads on, and where to read and to try again."""
    mistake, where = explain(review.code), review.made_in[0]
    what = one_or_many(
        "{title} (once, {names})",
        "{title} ({count} times, {names})",
        review.count,
        title=mistake.title,
        names=series(one.id for one in review.made_in),
    )
    parts = {"section": Message(where.section), "number": _number_of(where.chapter)}
    if not review.asked_again:
        return what, mistake.look, message('Read again "{section}" (chapter {number}).', **parts)
    read = message(
        'Read again "{section}" (chapter {number}). The same mistake can be made in {names}.',
        names=series(one.id for one in review.asked_again[:3]),
        **parts,
    )
    return what, mistake.look, read


def progress_text(tried: Mapping[str, Tried], place: Message, catalog: NullTranslations = ENGLISH) -> str:
    """Return the progress as plain text; ``place`` says where it is kept."""
    if not tried:
        return f"{NOTHING_YET.render(catalog)}\n{place.render(catalog)}"
    lines = [_headline(tried).render(catalog)]
    for title, solved, missing in _rows(tried):
        row = message(
            "  {title}: {solved} solved; open: {missing}", title=title, solved=solved, missing=missing
        )
        lines.append(row.render(catalog))
    if found := reviews(tried)[:MAX_REVIEWS]:
        lines.append(message("{label}:", label=LOOK_AGAIN).render(catalog))
        lines += [f"  {line.render(catalog)}" for review in found for line in _advice(review)]
    return "\n".join((*lines, place.render(catalog)))


def progress_html(tried: Mapping[str, Tried], place: Message, catalog: NullTranslations = ENGLISH) -> str:
    """Return the progress as HTML; ``place`` says where it is kept."""

    def told(text: Message) -> str:
        return escape(text.render(catalog))

    note = f'<p style="font-size:0.85em">{told(place)}</p>'
    if not tried:
        return f"<p>{told(NOTHING_YET)}</p>{note}"
    cell = 'style="text-align:left;padding:3px 14px 3px 0;vertical-align:top"'
    rows = "".join(
        f"<tr>{''.join(f'<td {cell}>{told(part)}</td>' for part in row)}</tr>" for row in _rows(tried)
    )
    heads = "".join(f'<th scope="col" {cell}>{told(name)}</th>' for name in HEADS)
    found = reviews(tried)[:MAX_REVIEWS]
    items = "".join(
        f"<li><b>{told(what)}</b><br>{told(look)}<br>{told(where)}</li>"
        for what, look, where in map(_advice, found)
    )
    again = f"<p><b>{told(LOOK_AGAIN)}</b></p><ul>{items}</ul>" if items else ""
    return (
        f"<p><b>{told(_headline(tried))}</b></p>"
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{again}{note}"
    )
