"""Start the fork server; constants of its protocol, known to both sides."""

import contextlib
import re
import socket
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.private_api import TORCH_COMPILER

# Garbage collection during the imports would find nothing and take a fifth of the time.
FORK_SERVER = "import gc; gc.disable(); from grader.sandbox.forkserver import main; main()"
FULL = "full"
ISOLATIONS = (FULL, "none")
INSTALLATION = str(Path(__file__).resolve().parents[2])
READY = b"ready"
# Sent with a pidfd of a job's process, if the system has them.
HERE = b"h"
# Modules that take long to import, and the words in a notebook that indicate their use. The fork server
# imports each once, for the first such notebook: a job's byte has a bit for each. It learns nothing else
# about a notebook.
ON_DEMAND = {
    # Every optimizer of torch imports it, and so does an operation on the device `meta`.
    TORCH_COMPILER: re.compile(r"\b(?:optim|meta)\b"),
    "matplotlib.pyplot": re.compile(r"\b(?:matplotlib|pyplot|seaborn|widgets)\b"),
    "seaborn": re.compile(r"\b(?:seaborn|widgets)\b"),  # `grader.widgets` imports it
}
# The bit of a byte that asks for a process to fork jobs from that begin with the same cells.
PREPARE = 1 << 7
# Functions that right answers call often, unless forbidden. A watched call takes three times as long, so
# these are watched only from the first job on with an exercise that forbids them; this bit of the byte
# requests it.
COMMONLY_CALLED = ("softmax", "dropout")
WATCH_COMMON = 1 << 6
SEED = 0
# Its whole environment; nothing of the course, of a user or of a gradebook.
ENVIRONMENT = {
    "HOME": "/sandbox",
    "TMPDIR": "/sandbox",
    "IPYTHONDIR": "/sandbox/.ipython",
    "MPLCONFIGDIR": "/sandbox/.matplotlib",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "USER": "learner",
    "PYTHONHASHSEED": str(SEED),
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Large pages where the system has them: forking and ending a job's process takes two thirds of the time.
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}


@dataclass(frozen=True)
class Launched:
    """A starting fork server, and our end of its control socket."""

    process: subprocess.Popen
    control: socket.socket

    def close(self) -> None:
        """End the fork server and all that it started."""
        with contextlib.suppress(OSError):  # it is gone already
            self.control.shutdown(socket.SHUT_RDWR)
        self.process.wait()
        self.control.close()


def launch(isolation: str) -> Launched:
    """Start a fork server, without waiting for it: whoever needs torch can import it meanwhile."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", FORK_SERVER, isolation],
            stdin=theirs,
            stdout=subprocess.DEVNULL,
            env=ENVIRONMENT | {"PYTHONPATH": INSTALLATION},
            cwd="/",  # no course's, whose chapters it would know by itself
            start_new_session=True,
        )
    return Launched(process, ours)


def preload_mask(sources: Iterable[str]) -> bytes:
    """Return the byte that says which modules of ``ON_DEMAND`` a notebook needs."""
    text = "\n".join(sources)
    return bytes([sum(1 << bit for bit, words in enumerate(ON_DEMAND.values()) if words.search(text))])


def needs_common(forbidden: Iterable[str]) -> bool:
    """Return whether what is forbidden, by parts of names, may be among what is common."""
    return any(part in one or one in part.lower() for part in forbidden for one in COMMONLY_CALLED)


def modules_in_mask(byte: bytes) -> list[str]:
    """Return the modules that a byte of ``preload_mask`` names."""
    return [module for bit, module in enumerate(ON_DEMAND) if byte[0] >> bit & 1]
