"""What a process may use up: memory, time, files, descriptors, threads."""

import resource

from grader.sandbox.job import Limits

# Threads of one job. Each has a process namespace and users of its own, so none takes another's share.
THREADS = 64
DESCRIPTORS = 256
# The last resort: the trusted side looks at the same clock, and looks earlier.
CPU_FACTOR = 2
NICENESS = 5


def apply(limits: Limits, held: int) -> None:
    """Limit this process, for good.

    Args:
        limits: what a submission may use.
        held: bytes of address space that the warm process holds already.
    """
    processor = int(limits.total_seconds * CPU_FACTOR) + 1
    for kind, most in {
        resource.RLIMIT_AS: held + limits.memory,
        resource.RLIMIT_CPU: processor,
        resource.RLIMIT_FSIZE: limits.files,
        resource.RLIMIT_NOFILE: DESCRIPTORS,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: THREADS,
        resource.RLIMIT_MEMLOCK: 0,
    }.items():
        _, hard = resource.getrlimit(kind)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))
