"""Open nbgrader's gradebook: a session for reading, and the addresses and engines that writers need, too.

For reading, nbgrader's own API would create missing tables and update the assignment.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import create_engine
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.orm import Session

from grader.errors import GradebookError

# How long to wait for others who work in the gradebook, formgrader for one.
PATIENCE = 60.0


def parsed(url: str) -> URL:
    """Return a gradebook's address in its parts; as text it does not show the password.

    Raises:
        GradebookError: it is no address.
    """
    try:
        return make_url(url)
    except ArgumentError as error:
        raise GradebookError(
            "CourseDirectory.db_url in nbgrader_config.py is no database address. Expected, for example, "
            "sqlite:////course/gradebook.db or postgresql+psycopg2://user@host/database."
        ) from error


def engine_for(place: URL, **options: object) -> Engine:
    """Return an engine for a database.

    Raises:
        GradebookError: its driver is not installed.
    """
    try:
        return create_engine(place, **options)
    except (ImportError, ArgumentError) as error:
        raise GradebookError(
            f"The gradebook {place} needs a driver that is not installed here: {error}. "
            "For PostgreSQL: python -m pip install psycopg2-binary"
        ) from error


def is_there(url: str) -> bool:
    """Return whether there may be a gradebook: false only for a missing SQLite file."""
    place = parsed(url)
    return place.get_backend_name() != "sqlite" or Path(place.database or "").is_file()


def reason_of(error: SQLAlchemyError) -> str:
    """Return in a line what a database objected to."""
    return str(getattr(error, "orig", None) or type(error).__name__).partition("\n")[0]


@contextmanager
def open_session(url: str) -> Iterator[Session]:
    """Open a gradebook for reading: SQLite and PostgreSQL refuse to change it in this session.

    SQLite may still write to the file, to roll back the transaction of a killed program.

    Args:
        url: SQLAlchemy's address of the database.

    Raises:
        GradebookError: it is missing, or cannot be read.
    """
    place = parsed(url)
    if not is_there(url):
        raise GradebookError(
            f"{place.database} is missing: nothing is graded in this course yet. Run `grader grade` first."
        )
    engine = _reader(place)
    try:
        with Session(engine) as session:
            yield session
    except SQLAlchemyError as error:
        raise GradebookError(
            f"The gradebook {place} cannot be read: {reason_of(error)}. "
            "`grader doctor` says what it is about."
        ) from error
    finally:
        engine.dispose()


def _reader(place: URL) -> Engine:
    if place.get_backend_name() == "sqlite":
        return _sqlite_reader(place.database)
    # Databases other than PostgreSQL ignore its options.
    return engine_for(place, execution_options={"postgresql_readonly": True})


def _sqlite_reader(database: str) -> Engine:
    # Not mode=ro: with that SQLite could not roll back the transaction of a killed program.
    address = f"file:{quote(str(Path(database).absolute()))}?mode=rw"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(address, uri=True, timeout=PATIENCE)
        connection.execute("PRAGMA query_only = ON")
        return connection

    return create_engine("sqlite://", creator=connect)
