"""The process of ``grader worker`` that Dask knows. It imports little: a scheduler needs it, too.

Dask runs ``grade_batch`` in its threads. Each call hands a message to the foreman and waits for the reply.
"""

import asyncio
import logging
import os
import signal
import threading
from itertools import count
from multiprocessing.connection import Connection

from distributed import Worker

# Seconds for the scheduler to answer before the relay ends and is started anew.
PATIENCE = 30
# The ticket of the message that says that the scheduler knows this worker.
REGISTERED = -1


class _Foreman:
    """The connection to the foreman, shared by Dask's threads."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock, self._tickets = threading.Lock(), count()
        self._waiting: dict[int, tuple[threading.Event, list[bytes]]] = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def tell(self, ticket: int, message: bytes = b"") -> None:
        """Send a message."""
        with self._lock:
            self._connection.send((ticket, message))

    def ask(self, message: bytes) -> bytes:
        """Return the foreman's reply to a message."""
        arrived, replies = threading.Event(), []
        ticket = next(self._tickets)
        self._waiting[ticket] = (arrived, replies)
        self.tell(ticket, message)
        arrived.wait()
        return replies[0]

    def _listen(self) -> None:
        while True:
            try:
                ticket, reply = self._connection.recv()
            except (EOFError, OSError):
                os._exit(1)  # without the foreman nothing can be graded: Dask sees a lost worker
            arrived, replies = self._waiting.pop(ticket)
            replies.append(reply)
            arrived.set()


_foremen: list[_Foreman] = []


def grade_batch(message: bytes) -> bytes:
    """Return the reply to a batch of submissions: the only function that is called over Dask."""
    return _foremen[0].ask(message)


def serve(connection: Connection, scheduler: str, threads: int, name: str, folder: str) -> None:
    """Be a worker of a Dask scheduler until it is gone.

    Args:
        connection: to the foreman.
        scheduler: the address, such as ``tls://host:8786``.
        threads: how many batches the foreman is given at once.
        name: of this worker.
        folder: where Dask may write.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the foreman, which ends this process
    logging.getLogger("distributed").setLevel(logging.ERROR)
    _foremen.append(_Foreman(connection))
    asyncio.run(_serve(scheduler, threads, name, folder))


async def _serve(scheduler: str, threads: int, name: str, folder: str) -> None:
    worker = await Worker(
        scheduler,
        nthreads=threads,
        name=name,
        local_directory=folder,
        memory_limit=0,  # batches are bounded, and whoever sends them waits for replies
        death_timeout=PATIENCE,
    )
    _foremen[0].tell(REGISTERED)
    await worker.finished()
