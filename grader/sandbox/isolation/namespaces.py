"""Namespaces: own users, processes and mounts, and a network without connections.

The fork server enters them once. A job's process additionally gets its own process, mount and user
namespaces, at the cost of one fork and two system calls.
"""

import os
import signal
from pathlib import Path

from grader.sandbox.isolation import system
from grader.sandbox.isolation.root import VisiblePath, build, open_places

APART = (
    system.CLONE_NEWUSER
    | system.CLONE_NEWNS
    | system.CLONE_NEWPID
    | system.CLONE_NEWNET
    | system.CLONE_NEWIPC
    | system.CLONE_NEWUTS
)
# The fork server's user outside, if started by root: nobody, to whom resource limits apply.
NOBODY = 65534
READABLE_BY_ALL = 0o004


def _outer_ids() -> tuple[int, int]:
    """Return which user and group the fork server is outside its namespace.

    Root becomes nobody, unless nobody could not read the interpreter's files.
    """
    user, group = os.geteuid(), os.getegid()
    if user == 0 and all(Path(file).stat().st_mode & READABLE_BY_ALL for file in (os.__file__, __file__)):
        return NOBODY, NOBODY
    return user, group


def _write_maps(process: str, user: int, group: int) -> None:
    """Say who root of a new user namespace is outside."""
    folder = Path("/proc", process)
    if os.geteuid():
        (folder / "setgroups").write_text("deny")
    (folder / "uid_map").write_text(f"0 {user} 1")
    (folder / "gid_map").write_text(f"0 {group} 1")


def _unshare_as(user: int, group: int) -> list[VisiblePath]:
    """Enter new namespaces as this user, and return the places that the private root will show.

    Only a process outside may map a user other than itself, so one is forked first.
    """
    asked, ask = os.pipe()
    helper = os.fork()
    if helper == 0:
        status = 1
        try:
            os.close(ask)
            if os.read(asked, 1):
                _write_maps(str(os.getppid()), user, group)
                status = 0
        finally:
            os._exit(status)
    try:
        os.close(asked)
        if os.geteuid() == 0:
            os.setgroups([])
        system.unshare(APART)
        os.write(ask, b"m")
    finally:
        os.close(ask)
        _, status = os.waitpid(helper, 0)
    if status:
        raise system.SystemCallError(status, "the users of a new namespace could not be named")
    places = open_places()  # as who owns them, which nobody may not reach
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    system.prctl("dumpable", system.PR_SET_DUMPABLE, 1)  # else /proc/self is not ours any more
    return places


def _become_first_process() -> None:
    """Go on as process 1 of the new namespace; the process that was here waits for its end.

    When process 1 ends, so does every process of its namespace and of those below.
    """
    first = os.fork()
    if first == 0:
        end_with_parent()
        return
    os.closerange(0, 256)
    _, status = os.waitpid(first, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def end_with_parent() -> None:
    """Have this process killed when its parent ends."""
    system.prctl("pdeathsig", system.PR_SET_PDEATHSIG, signal.SIGKILL)


class Namespaces:
    """The fork server's namespaces, out of which it makes those of a job."""

    def __init__(self) -> None:
        """Enter them. Ends the calling process, and goes on in a new one that is process 1.

        Raises:
            OSError: something is not to be had here.
        """
        places = _unshare_as(*_outer_ids())
        _become_first_process()
        # A view of /proc from outside, in which this process and its children may find themselves.
        self._proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self._own = os.open("self/ns/pid", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._proc)
        build(places)

    def fork(self) -> int:
        """Fork a child that is process 1 of a namespace of its own."""
        system.unshare(system.CLONE_NEWPID)
        child = -1
        try:
            child = os.fork()
        finally:
            if child:  # the fork server, whose next children are not to be born into the same namespace
                system.setns(self._own, system.CLONE_NEWPID)
        return child

    def be_killed_first(self) -> None:
        """Have the kernel end this process before any other when memory runs out."""
        descriptor = os.open("self/oom_score_adj", os.O_WRONLY, dir_fd=self._proc)
        try:
            os.write(descriptor, b"1000")
        finally:
            os.close(descriptor)

    def threads(self) -> int:
        """Return how many threads this process has, Python's and all others."""
        return os.stat("self/task", dir_fd=self._proc).st_nlink - 2  # a folder for each, and itself

    def address_space(self) -> int:
        """Return how many bytes of address space this process holds."""
        descriptor = os.open("self/statm", os.O_RDONLY, dir_fd=self._proc)
        try:
            return int(os.read(descriptor, 100).split()[0]) * os.sysconf("SC_PAGESIZE")
        finally:
            os.close(descriptor)
