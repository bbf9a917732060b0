"""Open nbgrader's gradebook to read it.

Opening it as nbgrader does would make tables where there are none, and tell it the assignment as it is now.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import create_engine
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from grader.errors import GradebookError

# How long to wait for others who work in the gradebook, formgrader for one.
PATIENCE = 60.0


def is_there(url: str) -> bool:
    """Return whether there may be a gradebook: a file that is missing is none."""
    place = make_url(url)
    return place.get_backend_name() != "sqlite" or Path(place.database or "").is_file()


@contextmanager
def reading(url: str) -> Iterator[Session]:
    """Open a gradebook so that nothing can be written to it.

    Args:
        url: SQLAlchemy's address of the database.

    Raises:
        GradebookError: it is missing, or cannot be read.
    """
    place = make_url(url)
    if not is_there(url):
        raise GradebookError(
            f"{place.database} is missing: nothing is graded in this course yet. Run `grader grade` first."
        )
    engine = _sqlite_reader(place.database) if place.get_backend_name() == "sqlite" else create_engine(url)
    try:
        with Session(engine) as session:
            yield session
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or type(error).__name__).partition("\n")[0]
        raise GradebookError(
            f"The gradebook {place} cannot be read: {reason}. `grader doctor` says what it is about."
        ) from error
    finally:
        engine.dispose()


def _sqlite_reader(database: str) -> Engine:
    # Not opened as read-only: SQLite has to be able to undo what a killed program left half done.
    address = f"file:{quote(str(Path(database).absolute()))}?mode=rw"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(address, uri=True, timeout=PATIENCE)
        connection.execute("PRAGMA query_only = ON")
        return connection

    return create_engine("sqlite://", creator=connect)
