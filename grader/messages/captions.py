"""The caption of a picture whose words are of another language than the page."""

from html import escape


def caption(alt: str) -> str:
    """Return an alternative text as HTML of a line below its picture; screen readers have read it already."""
    return f'<div aria-hidden="true"><small>{escape(alt)}</small></div>'
