"""seccomp: which system calls a process may still make.

A deny list, because torch, the C library and Python make some hundred different calls, and more with every
version. Of the calls added since Linux 5.1 only those named are allowed. A refused call returns an error, so
that honest code sees an exception; nothing is killed.
"""

import ctypes
import errno
import struct
import sys
from collections.abc import Iterable

from grader.sandbox.isolation import system

# Numbers by name: on x86_64, on aarch64. None where a machine does not have the call.
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # New processes and programs. Threads are another case, see below.
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "setpgid": (109, 154),
    # The network, and descriptors handed from elsewhere. socketpair is left: asyncio needs it.
    "socket": (41, 198),
    "connect": (42, 203),
    "accept": (43, 202),
    "accept4": (288, 242),
    "bind": (49, 200),
    "listen": (50, 201),
    # Descriptors on their way count for the whole user; a buffer's size counts for nobody.
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "setsockopt": (54, 208),
    # Namespaces, mounts, roots.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    # Keys, programs in the kernel, measurements, fault handlers, memory files.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "userfaultfd": (323, 282),
    "memfd_create": (319, 279),
    "seccomp": (317, 277),
    # Memory and messages that outlive a process.
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # Reading and writing by requests, of which the whole machine has a limited number.
    "io_setup": (206, 0),
    "io_submit": (209, 2),
    "io_getevents": (208, 4),
    "io_pgetevents": (333, 292),
    # A lock on a file that another job reads, too; and what makes the machine's disks work for nothing.
    "flock": (73, 32),
    "sync": (162, 81),
    "syncfs": (306, 267),
    # The machine: modules, clocks, names, power, accounting, swap, quotas, the kernel's log.
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "personality": (135, 92),
    "nfsservctl": (180, 42),
    "lookup_dcookie": (212, 18),
    # Files by handle, watches on files, devices.
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "mknod": (133, None),
    "mknodat": (259, 33),
    # Where memory lies, and who goes first.
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
}
CLONE, FCNTL, SOCKETPAIR = (56, 220), (72, 25), (53, 199)
# Of fcntl: a lease on a file makes everybody wait who opens it, a notice tells of what others do, and the
# size of all pipes counts for the user who started the grader.
SETLEASE, NOTIFY, SETPIPE_SZ = 1024, 1026, 1031
UNIX = 1
# The same numbers everywhere from here on.
FIRST_NEW = 424
NEW_LET_THROUGH = {
    "close_range": 436,
    "openat2": 437,
    "faccessat2": 439,
    "epoll_pwait2": 441,
    "futex_waitv": 449,
    "cachestat": 451,
    "fchmodat2": 452,
    "futex_wake": 454,
    "futex_wait": 455,
    "futex_requeue": 456,
    "mseal": 462,
}
AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
COLUMNS = {"x86_64": 0, "aarch64": 1}
CLONE_THREAD = 0x00010000
# Where the kernel shows the filter a call's number, its architecture, and its first arguments' lower halves.
NUMBER, ARCHITECTURE = 0, 4
FIRST_ARGUMENT, SECOND_ARGUMENT = (place + 4 * (sys.byteorder != "little") for place in (16, 24))
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
SECCOMP_MODE_FILTER = 2
# x86_64's second table of the same calls starts here.
X32 = 0x40000000


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _when_equal(numbers: Iterable[int], verdict: int) -> list[bytes]:
    """Return the instructions that end with a verdict where the loaded number is one of these."""
    made = []
    for number in numbers:
        made += [_instruction(JUMP_EQUAL, number, 0, 1), _instruction(RETURN, verdict)]
    return made


def _of_call(number: int, block: list[bytes]) -> list[bytes]:
    """Return the instructions for one call, which end with a verdict whatever its arguments are."""
    return [_instruction(JUMP_EQUAL, number, 0, len(block)), *block]


def filter_for(machine: str) -> bytes:
    """Return the filter as the kernel's classic BPF."""
    column = COLUMNS[machine]
    refused = [numbers[column] for numbers in REFUSED.values() if numbers[column] is not None]
    not_here, not_allowed = ERROR | errno.ENOSYS, ERROR | errno.EPERM
    allow, refuse = _instruction(RETURN, ALLOW), _instruction(RETURN, not_allowed)
    threads = [_instruction(LOAD, FIRST_ARGUMENT), _instruction(JUMP_SET, CLONE_THREAD, 0, 1), allow, refuse]
    files = [
        _instruction(LOAD, SECOND_ARGUMENT),
        *_when_equal((SETLEASE, NOTIFY, SETPIPE_SZ), not_allowed),
        allow,
    ]
    sockets = [_instruction(LOAD, FIRST_ARGUMENT), *_when_equal((UNIX,), ALLOW), refuse]
    instructions = [
        _instruction(LOAD, ARCHITECTURE),
        _instruction(JUMP_EQUAL, AUDIT_ARCHITECTURES[machine], 1, 0),
        _instruction(RETURN, KILL),
        _instruction(LOAD, NUMBER),
        _instruction(JUMP_AT_LEAST, X32, 0, 1),
        _instruction(RETURN, not_here),
        *_when_equal(NEW_LET_THROUGH.values(), ALLOW),
        _instruction(JUMP_AT_LEAST, FIRST_NEW, 0, 1),
        _instruction(RETURN, not_here),  # among them clone3: the C library falls back to clone
        *_when_equal(refused, not_allowed),
        *_of_call(CLONE[column], threads),
        *_of_call(FCNTL[column], files),
        *_of_call(SOCKETPAIR[column], sockets),
        allow,
    ]
    return b"".join(instructions)


def restrict_calls() -> None:
    """Apply the filter to this process, irrevocably. Requires ``no_new_privs``."""
    instructions = filter_for(system.MACHINE)
    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    program = _Program(len(instructions) // 8, ctypes.addressof(buffer))
    system.prctl("seccomp", system.PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program))
