"""Isolation of learners' code, one module for each mechanism; for the fork server and for each job."""

import os
import platform
import sys

from grader.sandbox.isolation import landlock, limits, root, seccomp, system
from grader.sandbox.isolation.namespaces import Namespaces, end_with_parent
from grader.sandbox.job import Limits


def needed() -> list[str]:
    """Return which walls this system cannot have at all, one sentence each; namespaces show when entered."""
    if sys.platform != "linux":
        return [f"Isolation needs Linux; this is {platform.system()}."]
    if system.MACHINE not in seccomp.COLUMNS:
        return [
            f"System calls to refuse are known for {', '.join(seccomp.COLUMNS)}; this is {system.MACHINE}."
        ]
    if not landlock.version():
        return ["This Linux has no Landlock (5.13 or later, with `landlock` among its security modules)."]
    return []


class Isolation:
    """The isolation of the fork server and of each job's process."""

    def __init__(self) -> None:
        """Enter the namespaces and the private root.

        Raises:
            OSError: a mechanism is not available here.
        """
        self._namespaces = Namespaces()
        self._readable = [*root.readable()]

    def fork(self) -> int:
        """Fork a job's process."""
        return self._namespaces.fork()

    def held(self) -> int:
        """Return how many bytes of address space this process holds."""
        return self._namespaces.address_space()

    def threads(self) -> int:
        """Return how many threads this process has."""
        return self._namespaces.threads()

    def enter(self, allowed: Limits, held: int, keep: int) -> None:
        """Isolate this process, which is a job's, irrevocably.

        Args:
            allowed: what the job may use.
            held: bytes of address space that the fork server holds.
            keep: the one descriptor, below 4, that stays open beside the standard ones.
        """
        end_with_parent()
        os.setsid()  # else a signal to its process group would reach the fork server
        system.unshare(system.CLONE_NEWNS)
        root.mount_writable(allowed.files, allowed.file_count)
        self._namespaces.be_killed_first()
        os.closerange(keep + 1, 1 << 20)
        limits.apply(allowed, held)
        os.nice(limits.NICENESS)
        system.unshare(system.CLONE_NEWUSER)  # counts its own threads, and owns nothing of the fork server's
        limits.apply_to_user()
        system.prctl("no_new_privs", system.PR_SET_NO_NEW_PRIVS, 1)
        system.drop_capabilities()
        landlock.confine(self._readable, root.DEVICE_FILES, root.WRITABLE)
        seccomp.restrict_calls()
