"""The fork server: has torch and IPython loaded, forks a process for each job, and ends it when told to.

Started as ``launch.FORK_SERVER`` says, with a socket as its standard input and nothing of the course in its
environment. It never reads a job, never runs a learner's code and holds no tensor of any case: the memory
that a job's process inherits is the same for everybody.

On the control socket it sends ``READY`` once, or why it cannot start. Then each received byte is a job, and
comes with two more sockets. The first is passed to the job's process. On the second, the exit socket, the
fork server sends a handle of that process and later its exit status; closing the other end of it kills the
job.

Asked to prepare, it forks another fork server with its own control socket. That one runs the first cells of
the course's notebook, which no learner writes. A job forked from it continues after them.
"""

import contextlib
import gc
import importlib
import os
import random
import select
import shutil
import signal
import socket
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

import numpy as np
import torch

from grader.exercises import Declared, know
from grader.exercises.declaration import chapter_of
from grader.sandbox import frames, library_watch, stand_ins
from grader.sandbox.isolation import Isolation
from grader.sandbox.isolation.root import WRITABLE
from grader.sandbox.job import Limits
from grader.sandbox.launch import HERE, PREPARE, READY, SEED, WATCH_COMMON, modules_in_mask
from grader.sandbox.runner import Runner
from grader.sandbox.shell import make_shell, recording
from grader.sandbox.wire import unpack_job

# Where a job's process has its only socket.
CHANNEL = 3
# Poll interval on systems without pidfd.
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Child:
    """A job's process: its id, a descriptor that becomes readable when it ends, and its exit socket."""

    process: int
    ended: int | None
    exit_socket: socket.socket
    folder: str


class ForkServer:
    """Forks and ends the processes of jobs."""

    def __init__(self, control: socket.socket, isolation: Isolation | None) -> None:
        self._control, self._isolation = control, isolation
        self._children: list[Child] = []
        self._prepared: list[int] = []
        self._begin: Callable[[], None] = seed

    def preload(self) -> None:
        """Warm up: run what is slow the first time, without leaving traces."""
        stand_ins.install()
        library_watch.install()
        self._shell = make_shell()
        with recording(self._shell, Limits()):
            for source in ("1/0", "import torch\nx = torch.ones(2)\nx"):
                self._shell.run_cell(source, store_history=True)
        self._shell.reset(new_session=True)
        self._shell.user_ns |= dict.fromkeys(("_", "__", "___"), "")
        layer = torch.nn.Linear(2, 2)
        with torch.device("cpu"):
            layer(torch.ones(2, 2)).softmax(-1).sum().backward()
        seed()
        self._settle()

    def _settle(self) -> None:
        """Freeze loaded objects, so that garbage collection in a child does not copy their memory pages."""
        gc.collect()
        gc.freeze()
        gc.enable()
        self._held = self._isolation.held() if self._isolation else 0

    def serve(self) -> None:
        """Fork a process for each job until nobody holds the other end of the control socket."""
        while True:
            poll = select.poll()
            poll.register(self._control, select.POLLIN)
            for child in self._children:
                poll.register(child.exit_socket, select.POLLIN)
                if child.ended is not None:
                    poll.register(child.ended, select.POLLIN)
            watched = all(child.ended is not None for child in self._children)
            ready = {descriptor for descriptor, _ in poll.poll(None if watched else POLL_SECONDS * 1000)}
            for child in [*self._children]:
                self._attend(child, told=child.exit_socket.fileno() in ready)
            if self._control.fileno() in ready:
                mask, descriptors, _, _ = socket.recv_fds(self._control, 1, 2)
                if not mask:
                    self._end_prepared()
                    return
                if mask[0] & PREPARE:
                    self._prepare(mask, *descriptors)
                else:
                    self._start(mask, *descriptors)

    def _attend(self, child: Child, *, told: bool) -> None:
        """End a job's process if so told, and tell of its end."""
        if told:
            os.kill(
                child.process, signal.SIGKILL
            )  # not reaped yet, so the process id cannot have been reused
        if not self._isolation and (told or has_ended(child.process)):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process, signal.SIGKILL)  # what it started and did not wait for
        found, status = os.waitpid(child.process, 0 if told else os.WNOHANG)
        if not found:
            return
        if child.ended is not None:
            os.close(child.ended)
        with contextlib.suppress(OSError), child.exit_socket:  # nobody may be listening any more
            child.exit_socket.send(str(os.waitstatus_to_exitcode(status)).encode())
        self._children.remove(child)
        if child.folder:
            shutil.rmtree(child.folder, ignore_errors=True)

    def _import(self, mask: bytes) -> None:
        if mask[0] & WATCH_COMMON:
            library_watch.install_common()
        if missing := [module for module in modules_in_mask(mask) if module not in sys.modules]:
            for module in missing:
                importlib.import_module(module)
            self._settle()

    def _prepare(self, mask: bytes, channel: int, control: int) -> None:
        """Fork a process that runs a notebook's first cells, and then forks the jobs that begin with them."""
        if process := os.fork():
            self._prepared.append(process)
            os.close(channel)
            os.close(control)
            return
        status = 1
        try:
            self._control.close()
            self._control = socket.socket(fileno=control)
            self._children.clear()  # they are its parent's
            self._prepared.clear()
            self._import(mask)
            os.chdir(WRITABLE)
            before = everything_in(WRITABLE)
            with socket.socket(fileno=channel) as talk:
                _, content = frames.receive(talk)
                job, left_out = unpack_job(content)
                frames.send(talk, frames.STARTED)
                seed()
                Runner(talk, self._shell, job, left_out).run()
            # A job has its own folder and threads: files and threads of the first cells would be missing
            # there.
            if everything_in(WRITABLE) == before and self._isolation.threads() == 1:
                self._begin = partial(random.setstate, random.getstate())  # Python seeds anew after a fork
                self._settle()
                self._control.send(READY)
                self.serve()
            status = 0
        finally:
            os._exit(status)

    def _end_prepared(self) -> None:
        while self._prepared:
            os.kill(
                self._prepared[-1], signal.SIGKILL
            )  # not reaped yet, so the process id cannot have been reused
            os.waitpid(self._prepared.pop(), 0)

    def _start(self, mask: bytes, channel: int, exit_socket: int) -> None:
        self._import(mask)
        folder = "" if self._isolation else tempfile.mkdtemp()
        process = self._isolation.fork() if self._isolation else os.fork()
        if process == 0:
            self._become(channel, folder)
        os.close(channel)
        ended = os.pidfd_open(process) if hasattr(os, "pidfd_open") else None
        child = Child(process, ended, socket.socket(fileno=exit_socket), folder)
        with contextlib.suppress(OSError):  # nobody may be listening any more
            socket.send_fds(child.exit_socket, [HERE], [] if ended is None else [ended])
        self._children.append(child)

    def _become(self, channel: int, folder: str) -> NoReturn:
        """Be a job's process: read the job, enter isolation, run it, and exit."""
        status = 1
        try:
            if channel != CHANNEL:
                os.dup2(channel, CHANNEL)
            os.set_inheritable(CHANNEL, False)
            with socket.socket(fileno=CHANNEL) as talk:
                _, content = frames.receive(talk)
                job, left_out = unpack_job(content)
                try:
                    self._enclose(job.limits, folder)
                except (OSError, ValueError) as error:
                    frames.send(talk, frames.STARTED, str(error).encode())
                    raise
                frames.send(talk, frames.STARTED)
                learn(job.declared)
                put_beside(job.files)
                self._begin()
                Runner(talk, self._shell, job, left_out).run()
            status = 0
        finally:
            os._exit(status)

    def _enclose(self, limits: Limits, folder: str) -> None:
        if self._isolation:
            self._isolation.enter(limits, self._held, CHANNEL)
            return
        os.setsid()
        os.closerange(CHANNEL + 1, 1 << 16)
        os.chdir(folder)


def seed() -> None:
    """Have a job draw the same numbers in every run; Python seeds anew after a fork."""
    random.seed(SEED)
    np.random.seed(SEED)
    torch.default_generator.manual_seed(SEED)


def learn(declared: Sequence[Declared]) -> None:
    """Register a course's own chapters in a job's process: the fork server has only the package's."""
    if declared:
        know(*(chapter_of(one, Path(one.stem)) for one in declared))
        stand_ins.forget_what_is_right()


def put_beside(files: Mapping[str, str]) -> None:
    """Write the files submitted beside the notebook to the job's folder, and add it to the import path.

    It is added at the end of the path, so that no file there shadows a library.
    """
    for name, text in files.items():
        Path(name).write_bytes(text.encode())
    sys.path.append(str(Path.cwd()))


def everything_in(folder: str) -> list[Path]:
    """Return all files and folders below a folder."""
    return sorted(Path(folder).rglob("*"))


def has_ended(process: int) -> bool:
    """Return whether a child has ended, without reaping it."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def take_control() -> socket.socket:
    """Return the socket that came as standard input, and leave nothing there."""
    control = socket.socket(fileno=os.dup(0))
    silence(0)
    return control


def silence(*standard: int) -> None:
    """Leave nothing to read from, or to write to, behind standard descriptors."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in standard:
        os.dup2(nothing, descriptor)
    os.close(nothing)


def forget_origin() -> None:
    """Leave nothing in this process that says how it was started and where the course is."""
    sys.argv, sys.orig_argv = [""], [sys.executable]
    package = str(Path(__file__).resolve().parents[2])
    os.environ.pop("PYTHONPATH", None)
    sys.path[:] = [path for path in sys.path if path != package or path in sysconfig.get_paths().values()]


@contextlib.contextmanager
def temporary_home() -> Iterator[None]:
    """Give a process without a private root a folder for what it writes."""
    os.environ.pop("TMPDIR")
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        for name, value in os.environ.items():
            if value.startswith(WRITABLE):
                os.environ[name] = value.replace(WRITABLE, folder, 1)
        tempfile.tempdir = folder
        yield


def main() -> None:
    """Be the fork server."""
    isolation = sys.argv[1]
    control = take_control()
    forget_origin()
    torch.backends.cpu.get_cpu_capability()  # reads /proc, which the private root does not have
    try:
        isolation = Isolation() if isolation == "full" else None
    except OSError as error:
        control.send(
            f"This system gives a program no namespaces of its own ({error.strerror}); Landlock and seccomp "
            "are there.".encode()
        )
        return
    with contextlib.nullcontext() if isolation else temporary_home():
        server = ForkServer(control, isolation)
        try:
            server.preload()
        except ImportError as error:
            control.send(
                f"In the sandbox a library cannot be imported ({error}). Install it in the environment of "
                f"this Python, {sys.executable}.".encode()
            )
            return
        silence(1, 2)
        control.send(READY)
        server.serve()
    os._exit(0)  # finalizing the interpreter would take a fifth of a second
