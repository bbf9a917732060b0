"""The templates of pages that need nothing else and run nothing: everything in them is escaped."""

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, pass_context
from jinja2.runtime import Context
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from grader.messages import Message, message, numbers, one_or_many
from grader.messages.message import ENGLISH
from grader.reporting.listing import listing


def points(value: float) -> str:
    """Return points in English, without needless digits: 3, 2.5, 0.33."""
    return str(numbers.points(value))


@pass_context
def rendered(context: Context, value: object) -> object:
    """Return a message in the language of the page, which is English where it has no catalog."""
    return value.render(context.get("catalog", ENGLISH)) if isinstance(value, Message) else value


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
        finalize=rendered,
    )
    environment.globals |= {"message": message, "one_or_many": one_or_many}
    environment.filters |= {
        "points": numbers.points,
        "listing": listing,
        "commands": commands,
        "markdown": markdown,
    }
    return environment


def template(name: str) -> Template:
    """Return the template of a page."""
    return _environment().get_template(f"{name}.html.j2")
