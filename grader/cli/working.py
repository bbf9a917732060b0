"""``grader worker``: grade for another machine. The sandbox starts before the slow imports."""

import os
from contextlib import closing
from pathlib import Path

import click

from grader.cli.common import course_option, isolation_option, report_errors, require_dask
from grader.sandbox.launch import launch


@click.command()
@click.argument("scheduler", metavar="ADDRESS")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; by default one for each CPU.")
@isolation_option
@course_option
@report_errors
def worker(scheduler: str, workers: int | None, isolation: str, course: Path | None) -> None:
    """Grade for the Dask scheduler at ADDRESS, such as tls://host:8786, until stopped with Ctrl-C.

    Answers run in this machine's sandbox and are judged by its own copy of the course. Whoever runs
    grader grade --scheduler ADDRESS sends submissions and gets records.
    """
    require_dask()
    with closing(launch(isolation)) as launched:
        from grader.cluster.worker import work_for  # noqa: PLC0415 - imports torch, meanwhile

        try:
            work_for(scheduler, course, workers or os.cpu_count() or 1, isolation, launched, say)
        except KeyboardInterrupt:
            say("Stopped. What was being graded here goes to another worker.")


def say(sentence: str) -> None:
    """Print to stderr."""
    click.echo(sentence, err=True)
