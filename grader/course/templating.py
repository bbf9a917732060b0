"""Fill the templates of files that a course is given."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).with_name("templates")
ENVIRONMENT = Environment(
    loader=FileSystemLoader(TEMPLATES),
    undefined=StrictUndefined,
    keep_trailing_newline=True,
    autoescape=False,
)


def filled(template: str, **values: object) -> str:
    """Return the text of a template, named by its place in ``templates`` without ``.j2``."""
    return ENVIRONMENT.get_template(f"{template}.j2").render(values)


def filled_text(template: str, **values: object) -> str:
    """Return the text of a template that is given as such."""
    return ENVIRONMENT.from_string(template).render(values)
