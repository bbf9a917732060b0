"""System calls that Python has no function for. Nothing but the standard library is imported here."""

import ctypes
import os
import platform

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38

MACHINE = platform.machine()
CAPSET = {"x86_64": 126, "aarch64": 91}
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
# The same on both machines, as everything newer than Linux 5.0.
MOUNT_SETATTR = 442
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446

_libc = ctypes.CDLL(None, use_errno=True)


class SystemCallError(OSError):
    """A system call of the isolation failed; the text says which one and why."""


def checked(name: str, result: int) -> int:
    """Return what a system call returned, or raise.

    Raises:
        SystemCallError: it returned -1.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise SystemCallError(number, f"{name}: {os.strerror(number)}")
    return result


def syscall(name: str, number: int, *arguments: object) -> int:
    """Make a system call by its number."""
    long = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return checked(name, _libc.syscall(ctypes.c_long(number), *long))


def prctl(name: str, option: int, *arguments: object) -> int:
    """Set something of this process."""
    long = [ctypes.c_ulong(one) if isinstance(one, int) else one for one in arguments]
    long += [ctypes.c_ulong(0)] * (4 - len(long))
    return checked(f"prctl({name})", _libc.prctl(option, *long))


def unshare(flags: int) -> None:
    """Move this process into new namespaces."""
    checked("unshare", _libc.unshare(flags))


def setns(descriptor: int, flags: int) -> None:
    """Move this process, or its children where ``flags`` is ``CLONE_NEWPID``, into a namespace."""
    checked("setns", _libc.setns(descriptor, flags))


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system."""
    texts = [text.encode() for text in (source, target, kind)]
    checked(f"mount {target}", _libc.mount(*texts, ctypes.c_ulong(flags), options.encode() or None))


def unmount(target: str, flags: int) -> None:
    """Take a file system away."""
    checked(f"umount {target}", _libc.umount2(target.encode(), flags))


class _MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "namespace")]


AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC = 1, 2, 4, 8


def restrict_mount(target: str, attributes: int, *, recursive: bool = True) -> None:
    """Set attributes of a mount, and of all below it."""
    attr = _MountAttributes(set=attributes)
    pointer, size = ctypes.byref(attr), ctypes.sizeof(attr)
    path, flags = ctypes.c_char_p(target.encode()), AT_RECURSIVE if recursive else 0
    arguments = (AT_FDCWD, path, flags, pointer, size)
    syscall(f"mount_setattr {target}", MOUNT_SETATTR, *arguments)


def pivot_root(new: str, old: str) -> None:
    """Make a mount the root, and put the old root into a folder of it."""
    paths = [ctypes.c_char_p(path.encode()) for path in (new, old)]
    syscall("pivot_root", PIVOT_ROOT[MACHINE], *paths)


class _CapabilityHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("process", ctypes.c_int)]


CAPABILITY_VERSION_3 = 0x20080522


def drop_capabilities() -> None:
    """Give up every capability, for good once no new privileges can be had."""
    header = _CapabilityHeader(CAPABILITY_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    syscall("capset", CAPSET[MACHINE], ctypes.byref(header), ctypes.byref(none))
