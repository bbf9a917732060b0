"""A student's feedback page."""

from html import escape

from grader.exercises import Chapter


def feedback_page(record: object, chapter: Chapter) -> str:
    """Return a page that says what a record says."""
    items = "".join(
        f"<li>{escape(name)}: {one.status}<pre>{escape(one.message)}</pre></li>"
        for name, one in record.exercises.items()
    )
    return f"<!doctype html><meta charset=utf-8><title>{escape(chapter.title)}</title><p>{escape(record.reason)}</p><ul>{items}</ul>"
