"""Check the gradebook: present, readable, and of the schema that the installed nbgrader knows."""

import os
from pathlib import Path

from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from grader.doctor.finding import Finding
from grader.private_api.nbgrader import schema_version

CHECK = "gradebook"
CORRECT = "Correct CourseDirectory.db_url in nbgrader_config.py."
UPGRADE = (
    "Copy the gradebook to a safe place, then run `nbgrader db upgrade` in the course's folder. If that "
    "fails, restore the gradebook from a copy; where nothing is graded yet, remove it and import the "
    "students again."
)


def gradebook(db_url: str) -> Finding:
    """Check the gradebook at a database URL. One that is not there yet is not made."""
    try:
        url = make_url(db_url)
    except ArgumentError as error:
        return Finding(CHECK, "fails", str(error), CORRECT)
    shown = url.render_as_string(hide_password=True)
    if url.get_backend_name() == "sqlite" and url.database:
        file = Path(url.database)
        if not file.is_file():
            return Finding(CHECK, "ok", f"{file} is not there yet; grading makes it")
        if not os.access(file, os.W_OK) or not os.access(file.parent, os.W_OK):
            return Finding(CHECK, "fails", f"{file} cannot be written", "Grade as a user who may write it.")
        url, shown = _only_reading(url, file), str(file)
    return _opened(url, shown)


def _opened(url: URL, shown: str) -> Finding:
    try:
        with create_engine(url, poolclass=NullPool).connect() as connection:
            return _schema(connection, shown)
    except (ArgumentError, ImportError) as error:
        return Finding(CHECK, "fails", f"{shown}: {error}", f"{CORRECT} Or install the database's driver.")
    except DBAPIError as error:
        reason = str(error.orig).partition("\n")[0]
    if "locked" in reason:
        advice = "Close the program that works in it, formgrader for one."
        return Finding(CHECK, "warning", f"{shown}: {reason}", advice)
    return Finding(CHECK, "fails", f"{shown}: {reason}", f"{CORRECT} Or restore the gradebook from a copy.")


def _only_reading(url: URL, file: Path) -> URL:
    """Return a URL by which SQLite cannot write, nor make what is not there."""
    return url.set(
        database=f"file:{file.resolve().as_uri()[7:]}", query={"mode": "ro", "uri": "true", "timeout": "1"}
    )


def _schema(connection: Connection, shown: str) -> Finding:
    tables = inspect(connection).get_table_names()
    if not tables:
        return Finding(CHECK, "ok", f"{shown} is empty; grading fills it")
    known = schema_version()
    if "alembic_version" not in tables:
        return Finding(CHECK, "fails", f"{shown} does not say which nbgrader wrote it", UPGRADE)
    versions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    if versions != [known]:
        found = ", ".join(versions) or "none"
        return Finding(CHECK, "fails", f"{shown} has schema {found}; nbgrader here knows {known}", UPGRADE)
    students = connection.execute(text("SELECT count(*) FROM student")).scalar_one()
    return Finding(CHECK, "ok", f"{shown} has this nbgrader's schema, and {students} students")
