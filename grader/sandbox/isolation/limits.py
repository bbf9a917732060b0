"""What a process may use up: memory, time, files, descriptors, threads."""

import resource

from grader.sandbox.job import Limits

# Of one job, which has users of its own: none takes another's share.
THREADS = 64
SIGNALS = 128
DESCRIPTORS = 256
# The last resort: the trusted side looks at the same clock, and looks earlier.
CPU_FACTOR = 2
NICENESS = 5


def apply(limits: Limits, held: int) -> None:
    """Limit this process, for good.

    Args:
        limits: what a submission may use.
        held: bytes of address space that the fork server holds already.
    """
    processor = int(limits.total_seconds * CPU_FACTOR) + 1
    for kind, most in {
        resource.RLIMIT_AS: held + limits.memory,
        resource.RLIMIT_CPU: processor,
        resource.RLIMIT_FSIZE: limits.files,
        resource.RLIMIT_NOFILE: DESCRIPTORS,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }.items():
        _limit(kind, most)


def apply_to_user() -> None:
    """Limit what is counted by user, in a process whose users are its own.

    What a process is held to when it makes users of its own holds for all that the maker runs, together: so
    this comes after that.
    """
    _limit(resource.RLIMIT_NPROC, THREADS)
    _limit(resource.RLIMIT_SIGPENDING, SIGNALS)
    _limit(resource.RLIMIT_MSGQUEUE, 0)


def _limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (least, least))
