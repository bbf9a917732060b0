"""The templates of pages that need nothing else and run nothing: everything in them is escaped."""

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from grader.reporting.listing import listing


def points(value: float) -> str:
    """Return points without needless digits: 3, 2.5, 0.33."""
    return f"{round(value, 2):g}" if abs(value) < 1e5 else f"{value:.0f}"


def commands(text: str) -> Markup:
    """Return a sentence whose commands, which stand between backquotes, are marked as code."""
    return Markup(re.sub("`([^`]*)`", r'<span class="code">\1</span>', str(escape(text))))


# Of what a person writes below an answer: no HTML of their own, nothing that is fetched or leads away, and no
# headings, whose order is the page's.
LEFT_OUT = ["image", "link", "autolink", "heading", "lheading"]
REMARKS = MarkdownIt("commonmark", {"html": False, "breaks": True}).disable(LEFT_OUT)


def markdown(text: str) -> Markup:
    """Return a remark in Markdown as HTML; what is left out is shown as it was typed."""
    return Markup(REMARKS.render(text))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("grader.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"points": points, "listing": listing, "commands": commands, "markdown": markdown}
    return environment


def template(name: str) -> Template:
    """Return the template of a page."""
    return _environment().get_template(f"{name}.html.j2")
