"""The order of a class, the same in every list and table: last names, first names, ids."""

import unicodedata
from collections.abc import Callable

from nbgrader.api import Student
from sqlalchemy import inspect

from grader.gradebook.connection import is_there, open_session

Place = tuple[str, str, str]


def place_of(student: str, first_name: str | None, last_name: str | None) -> Place:
    """Return what a student is sorted by: the name without accents and capitals, or else the id."""
    name = ", ".join(filter(None, (last_name, first_name))) or student
    signs = unicodedata.normalize("NFKD", name.casefold())
    return "".join(one for one in signs if not unicodedata.combining(one)), name.casefold(), student


def class_order(url: str) -> Callable[[str], Place]:
    """Return the key that sorts students, known to the gradebook or not, by their ids.

    Raises:
        GradebookError: it cannot be read.
    """
    places: dict[str, Place] = {}
    if is_there(url):
        with open_session(url) as session:
            if inspect(session.connection()).has_table(Student.__tablename__):
                rows = session.query(Student.id, Student.first_name, Student.last_name)
                places = {row[0]: place_of(*row) for row in rows}
    return lambda student: places.get(student) or place_of(student, None, None)
