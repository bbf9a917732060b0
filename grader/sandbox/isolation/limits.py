"""Resource limits: memory, time, files, descriptors, threads."""

import resource

from grader.sandbox.job import Limits

# Per job, since each job has its own user namespace.
THREADS = 64
SIGNALS = 128
DESCRIPTORS = 256
# Last resort: the trusted side uses the same clock and a lower limit.
CPU_FACTOR = 2
NICENESS = 5


def apply(limits: Limits, held: int) -> None:
    """Limit this process, irrevocably.

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
    """Set limits that are counted per user, in a process with its own user namespace.

    Limits in force when a user namespace is created apply to all processes of its creator together, so these
    are set afterwards.
    """
    _limit(resource.RLIMIT_NPROC, THREADS)
    _limit(resource.RLIMIT_SIGPENDING, SIGNALS)
    _limit(resource.RLIMIT_MSGQUEUE, 0)


def _limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (least, least))
