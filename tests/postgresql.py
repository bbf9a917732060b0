"""A private PostgreSQL in a temporary folder, for tests and measurements."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text

# Where Debian and Ubuntu put PostgreSQL's own programs.
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
INITDB = shutil.which("initdb", path=os.pathsep.join([os.environ["PATH"], *map(str, PROGRAMS)]))


def owner() -> dict[str, object]:
    """Return as whom PostgreSQL is to be run: it refuses to work as root."""
    if os.geteuid() != 0:
        return {}
    return {"user": "nobody", "group": "nogroup", "extra_groups": []}


@contextmanager
def server(durable: bool = False) -> Iterator[str]:
    """Start PostgreSQL, and give its address without the name of a database.

    Args:
        durable: whether it waits for the disk, as one does that holds a course.
    """
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:  # a socket's path has to be short
        if owner():
            shutil.chown(folder, "nobody", "nogroup")

        def run(program: str, *arguments: str) -> None:
            command = [str(Path(INITDB).with_name(program)), "--pgdata", f"{folder}/data", *arguments]
            done = subprocess.run(
                command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **owner()
            )
            assert done.returncode == 0, done.stdout.decode()

        run("initdb", "--username=grader", "--auth=trust", "--encoding=UTF8", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
        options += "" if durable else " -c fsync=off"
        run("pg_ctl", "--wait", "--log", f"{folder}/log", "--options", options, "start")
        try:
            yield f"postgresql+psycopg2://grader@/{{}}?host={folder}"
        finally:
            run("pg_ctl", "--wait", "--mode", "immediate", "stop")


def new_database(address: str, name: str) -> str:
    """Make a database on a server, and return its address."""
    engine = create_engine(address.format("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return address.format(name)
