"""Landlock: which files a process may still read or write, and whom it may signal.

A second barrier behind the private root: effective even if something else were mounted.
"""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from grader.sandbox.isolation import system

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
# What a regular file can be allowed; truncating came with version 3.
TRUNCATE = 1 << 14
READ = READ_FILE | READ_DIR
# Version 1 knows 13 rights; REFER came with 2, TRUNCATE with 3, device ioctls with 5.
RIGHTS_BY_VERSION = {1: 13, 2: 14, 3: 15, 4: 15}
DEVICE_IOCTL = 1 << 15
# Special files: devices, sockets, pipes.
MAKE_SPECIAL = (1 << 6) | (1 << 9) | (1 << 10) | (1 << 11)
# Version 4: TCP. Version 6: abstract sockets and signals of others.
NETWORK = 3
SCOPES = 3
RULE_PATH_BENEATH = 1
CREATE_VERSION = 1


class _Ruleset(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("files", "network", "scoped")]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # from Python 3.14 on, what _pack_ means has to be said
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """Return which version of Landlock this system has; 0 if none."""
    try:
        return system.syscall("landlock", system.LANDLOCK_CREATE_RULESET, 0, 0, CREATE_VERSION)
    except OSError:
        return 0


def all_rights() -> int:
    """Return every right on files that this system's Landlock knows."""
    return (1 << RIGHTS_BY_VERSION.get(version(), 16)) - 1


class Ruleset:
    """What will be allowed; everything else that Landlock knows is refused."""

    def __init__(self) -> None:
        known = version()
        self.rights = all_rights()
        attributes = _Ruleset(self.rights, NETWORK if known >= 4 else 0, SCOPES if known >= 6 else 0)
        size = 24 if known >= 6 else 16 if known >= 4 else 8
        create = system.LANDLOCK_CREATE_RULESET
        self.descriptor = system.syscall("landlock_create_ruleset", create, ctypes.byref(attributes), size, 0)

    def allow(self, path: Path | str, rights: int) -> None:
        """Allow these rights on a file, or on a folder and all below it."""
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = _PathBeneath(rights & self.rights, parent)
            arguments = (self.descriptor, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
            system.syscall("landlock_add_rule", system.LANDLOCK_ADD_RULE, *arguments)
        finally:
            os.close(parent)

    def enter(self) -> None:
        """Apply the rules to this process, irrevocably."""
        system.syscall("landlock_restrict_self", system.LANDLOCK_RESTRICT_SELF, self.descriptor, 0)
        os.close(self.descriptor)


def confine(folders: Iterable[str], devices: Iterable[str], writable: str) -> None:
    """Allow this process to read folders, to use devices, to write in one folder, and nothing else.

    Requires ``no_new_privs``.
    """
    rules = Ruleset()
    for folder in folders:
        rules.allow(folder, READ | EXECUTE if Path(folder).is_dir() else READ_FILE | EXECUTE)
    for device in devices:
        rules.allow(device, READ_FILE | WRITE_FILE)
    rules.allow(writable, rules.rights & ~(EXECUTE | MAKE_SPECIAL | DEVICE_IOCTL))
    rules.enter()
