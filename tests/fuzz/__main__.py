"""Fuzz for a number of minutes: ``python -m tests.fuzz 60``. Ends at the first find; says what was tried."""

import os
import subprocess
import sys
import time
from collections import Counter

import click

from tests.fuzz.conftest import KEPT, LONG, TRIED

# Inputs that each test tries in one round.
ROUND = "2000"


@click.command()
@click.argument("minutes", type=click.FloatRange(min=0))
def main(minutes: float) -> None:
    """Try inputs until MINUTES are over."""
    TRIED.unlink(missing_ok=True)
    until, status = time.monotonic() + 60 * minutes, 0
    while not status and time.monotonic() < until:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "tests/fuzz",
            "-q",
            "--numprocesses",
            "2",
            "--maxfail",
            "1",
        ]
        status = subprocess.run(command, env={**os.environ, LONG: ROUND}, check=False).returncode
    tried: Counter[str] = Counter()
    for line in TRIED.read_text(encoding="utf-8").splitlines() if TRIED.exists() else ():
        name, _, number = line.rpartition(" ")
        tried[name] += int(number)
    for name, number in tried.most_common():
        click.echo(f"{number:>10,} {name}")
    found = f"what was found is in {KEPT}" if status else "nothing was found"
    click.echo(f"{tried.total():>10,} in all; {found}")
    sys.exit(status)


main()
