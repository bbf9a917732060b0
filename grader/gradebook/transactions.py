"""Change nbgrader's gradebook in whole transactions, tried again while others keep it locked.

nbgrader's API commits in each of its methods; here that takes effect once, at the end of a transaction.
"""

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from grader.errors import GradebookError
from grader.gradebook.connection import PATIENCE, engine_for, parsed
from grader.private_api.nbgrader import gradebook_on, make_tables, one_transaction

BETWEEN_TRIES = 0.2
# PostgreSQL's codes: not serializable, deadlock, lock not available, and there already, for somebody else has
# just put it there. Another try may do.
TRANSIENT = frozenset(("40001", "40P01", "55P03", "23505"))

Made = TypeVar("Made")


class WritableGradebook:
    """nbgrader's gradebook, open for writing."""

    def __init__(self, url: str, course_id: str, patience: float = PATIENCE) -> None:
        """Open it, and make its tables where there are none.

        Args:
            url: SQLAlchemy's address of the database.
            course_id: nbgrader's name of the course.
            patience: seconds to wait for a gradebook that others keep locked.

        Raises:
            GradebookError: it cannot be opened.
        """
        self.url = url
        self._patience = patience
        self._api = self._patiently(lambda: self._open(course_id))

    def change(self, act: Callable[[Gradebook, Session], Made]) -> Made:
        """Return an action's result; all that it changes is one transaction.

        Args:
            act: gets nbgrader's API and its session; called again if the gradebook was locked.

        Raises:
            GradebookError: it cannot be written; the gradebook is as it was before.
        """

        def once() -> Made:
            with one_transaction(self._api) as session:
                return act(self._api, session)

        return self._patiently(once)

    def close(self) -> None:
        """Close the gradebook."""
        self._api.close()

    def _open(self, course_id: str) -> Gradebook:
        engine = engine_for(parsed(self.url), future=True)
        if engine.dialect.name == "sqlite":
            _begin_as_writer(engine)
        elif engine.dialect.name == "postgresql":
            _wait_at_most(engine, self._patience)
        try:
            make_tables(engine)
            return gradebook_on(engine, self.url, course_id)
        except BaseException:
            engine.dispose()
            raise

    def _patiently(self, act: Callable[[], Made]) -> Made:
        """Return an action's result, retrying while the gradebook is locked."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                return act()
            except (DBAPIError, InvalidEntry, MissingEntry, RuntimeError) as error:
                place, reason = parsed(self.url), str(_of_database(error) or error)
                if not _is_transient(error):
                    raise GradebookError(f"The gradebook {place}: {reason.strip()}") from error
                if time.monotonic() > deadline:
                    raise GradebookError(
                        f"The gradebook {place} is kept locked by another program for more than "
                        f"{self._patience:g} seconds. Nothing is lost: close that program and run this again."
                    ) from error
            time.sleep(BETWEEN_TRIES)


def _of_database(error: BaseException | None) -> BaseException | None:
    """Return the underlying database error, if any; nbgrader's ``InvalidEntry`` hides it."""
    while error is not None and not isinstance(error, DBAPIError):
        error = error.__cause__ or error.__context__
    return error and error.orig


def _is_transient(error: Exception) -> bool:
    """Return whether an action failed only because of concurrent access."""
    said = _of_database(error)
    code = getattr(said, "pgcode", None) or getattr(said, "sqlstate", None)
    return code in TRANSIENT or (isinstance(said, sqlite3.OperationalError) and "locked" in str(said))


def _wait_at_most(engine: Engine, seconds: float) -> None:
    """Set a lock timeout for PostgreSQL, which would wait forever."""

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{max(1, round(1000 * seconds))}ms'")


def _begin_as_writer(engine: Engine) -> None:
    """Make SQLite take its write lock at the beginning of a transaction, not within nbgrader's API."""

    @event.listens_for(engine, "connect")
    def no_transactions_of_its_own(connection: object, _: object) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
