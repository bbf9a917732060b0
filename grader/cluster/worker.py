"""The implementation of ``grader worker``: a relay and a foreman, until they are stopped."""

import multiprocessing
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from grader.cluster.foreman import Foreman
from grader.cluster.relay import serve
from grader.sandbox.launch import Launched
from grader.sandbox.sandbox import Sandbox

# Seconds before the next attempt to reach a scheduler.
PAUSE = 2.0


def work_for(
    scheduler: str,
    course: Path | None,
    count: int,
    isolation: str,
    launched: Launched,
    say: Callable[[str], None],
) -> None:
    """Grade for a scheduler, and wait for it again whenever it is gone; ends only by an exception.

    Args:
        scheduler: the address of a Dask scheduler.
        course: the folder of this machine's copy of the course.
        count: how many processes grade.
        isolation: of learners' code.
        launched: the fork server, with the same isolation.
        say: shows a sentence to who runs this.
    """
    torch.set_num_threads(1)  # the graders are forked: no thread of torch may be there before
    context = multiprocessing.get_context("spawn")
    name = f"{socket.gethostname()}-{os.getpid()}"
    at_work = f"Worker {name} is ready, with {count} processes, for {scheduler}."
    with Sandbox(isolation, launched) as sandbox, TemporaryDirectory(prefix="grader-worker-") as folder:
        while True:
            here, there = context.Pipe()
            # One batch more than processes, so that none of them waits for the network.
            arguments = (there, scheduler, count + 1, name, folder)
            relay = context.Process(target=serve, args=arguments, daemon=True)
            relay.start()
            there.close()
            try:
                Foreman(here, name, course, count, sandbox, lambda: say(at_work)).serve()
            finally:
                here.close()
                relay.kill()
                relay.join()
            say(f"The scheduler at {scheduler} is not there; waiting for it.")
            time.sleep(PAUSE)
