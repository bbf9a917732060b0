"""Each wall around a learner's code has a test that fails without it."""

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from grader.checking.deadline import time_limit
from grader.sandbox.isolation import limits, seccomp
from grader.sandbox.job import Cell, Job
from grader.sandbox.sandbox import Sandbox
from tests.sandbox.conftest import LIMITS, printed, text_of

# What a cell prints where a call is refused, and what it prints where it is not.
TRY = """
try:
    {action}
except BaseException as error:
    print(type(error).__name__, getattr(error, "errno", ""))
else:
    print("got through")
"""
ACTIONS = {
    "internet socket": "import socket; socket.socket()",
    "unix socket": "import socket; socket.socket(socket.AF_UNIX)",
    "netlink socket": "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "fork": "import os; os.fork()",
    "program": "import os; os.execv('/bin/true', ['true'])",
    "subprocess": "import subprocess; subprocess.run(['/bin/true'])",
    "spawn": "import os; os.posix_spawn('/bin/true', ['true'], {})",
    "own interpreter": "import subprocess, sys; subprocess.run([sys.executable, '-c', ''])",
    "passwords": "open('/etc/passwd').read()",
    "process list": "import os; os.listdir('/proc')",
    "own memory": "open('/proc/self/mem', 'rb')",
    "system": "import os; os.listdir('/sys')",
    "root folder": "import os; os.listdir('/')",
    "homes": "import os; os.listdir('/home')",
    "device": "open('/dev/kmsg')",
    "shared memory": "open('/dev/shm/x', 'w')",
    "library overwritten": "import torch; open(torch.__file__, 'a')",
    "grader overwritten": "import grader; open(grader.__file__, 'a')",
    "file made outside": "open('/made', 'w')",
    "mount": "import ctypes, os; assert not ctypes.CDLL(None).mount(b'x', b'/sandbox', b'tmpfs', 0, 0)",
    "namespace": "import ctypes; assert not ctypes.CDLL(None).unshare(0x10000000)",
    "ptrace": "import ctypes; assert not ctypes.CDLL(None).ptrace(0, 0, 0, 0)",
    "memory file": "import os; os.memfd_create('x')",
    "io_uring": "import ctypes; assert ctypes.CDLL(None).syscall(425, 8, 0) >= 0",
    "requests": "import ctypes, os; n = 206 if os.uname().machine == 'x86_64' else 0; "
    "assert not ctypes.CDLL(None).syscall(n, 8, ctypes.create_string_buffer(8))",
    "descriptor handed on": "import socket; a, b = socket.socketpair(); socket.send_fds(a, [b'x'], [0])",
    "lease on a library": "import fcntl, torch; "
    "fcntl.fcntl(open(torch.__file__), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "notice of a folder": "import fcntl, os; fcntl.fcntl(os.open('.', 0), fcntl.F_NOTIFY, fcntl.DN_CREATE)",
    "large buffer": "import socket; one, _ = socket.socketpair(); "
    "one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 9**6)",
    "pages of pipes": "import fcntl, os; fcntl.fcntl(os.pipe()[0], fcntl.F_SETPIPE_SZ, 2**20)",
    "pair of netlink sockets": "import ctypes; "
    "assert not ctypes.CDLL(None).socketpair(16, 3, 0, (ctypes.c_int * 2)())",
    "all disks": "import ctypes; assert not ctypes.CDLL(None, use_errno=True).syncfs(0)",
    "lock on a library": "import fcntl, torch; fcntl.flock(open(torch.__file__), fcntl.LOCK_SH)",
    "process handle": "import os; os.pidfd_open(1)",
    "pipe device": "import os; os.mkfifo('x')",
    "program file": "import os; open('x', 'w').close(); os.chmod('x', 0o755); os.execv('x', ['x'])",
    "priority": "import os; os.nice(-10)",
    "limit": "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "root": "import os; assert os.getuid() == 0 or os.setuid(0)",
}


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_is_refused(run_cells: Callable, action: str) -> None:
    """The call raises in the learner's code, and the notebook goes on."""
    refused, after = run_cells(TRY.format(action=action), "print('after')")
    assert "got through" not in printed(refused)
    assert "Error" in printed(refused)
    assert printed(after) == "after\n"


def test_course_is_not_there(run_cells: Callable, repository: Path) -> None:
    """Neither references nor solutions nor other submissions can be read, or even be asked for by name."""
    hidden = ["reference_outputs", "solutions", "notebooks", "docs", "submitted", "gradebook.db"]
    paths = [str(repository / name) for name in hidden]
    paths += [str(repository / "grader" / "reference_outputs" / "x")]
    (seen,) = run_cells(f"import os\nprint([path for path in {paths!r} if os.path.lexists(path)])")
    assert printed(seen) == "[]\n"


def test_references_of_an_installed_package_are_not_there(repository: Path, tmp_path: Path) -> None:
    """Where the package is installed with its references, these are hidden from the learner's code."""
    from grader.sandbox.isolation import root  # noqa: PLC0415 - what is asked is how it computes paths

    place = root.VisiblePath(str(root.PACKAGE), -1, False)
    (root.PACKAGE / "reference_outputs").mkdir(exist_ok=False)
    try:
        assert str(root.PACKAGE / "reference_outputs") in list(root._hidden([place]))
    finally:
        (root.PACKAGE / "reference_outputs").rmdir()


def test_environment_tells_nothing(
    run_cells: Callable, monkeypatch: pytest.MonkeyPatch, repository: Path
) -> None:
    """No variable, argument or module path leads to the course."""
    code = "import os, sys\nprint(dict(os.environ), sys.argv, sys.orig_argv, sys.path)"
    (seen,) = run_cells(code)
    assert f"'{repository}'" not in printed(seen)
    assert "PYTHONPATH" not in printed(seen)
    assert "TOKEN" not in printed(seen)


def test_secrets_of_the_caller_are_not_inherited(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the grader has in its environment and has opened stays its own."""
    monkeypatch.setenv("GRADEBOOK", "sqlite:///secret")
    with Path(tmp_path, "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        with Sandbox() as own:
            from grader.sandbox.job import Cell, Job  # noqa: PLC0415 - used once

            helper = "import os\ndef is_open(n):\n    try: return bool(os.fstat(n))"
            helper += "\n    except OSError: return False"
            code = "print('GRADEBOOK' in os.environ)\nprint([n for n in range(200) if is_open(n)])"
            _, seen = own.run(Job((Cell(helper), Cell(code)), {})).cells
    assert printed(seen) == "False\n[0, 1, 2, 3]\n"


def test_files_are_gone_with_the_job(run_cells: Callable) -> None:
    """A job finds an empty folder, whatever the one before it wrote."""
    first = run_cells("open('left', 'w').write('x')\nimport os\nprint(os.listdir(), os.getcwd())")
    second = run_cells("import os\nprint(os.listdir(), os.listdir(os.environ['TMPDIR']))")
    assert printed(first[0]) == "['left'] /sandbox\n"
    assert printed(second[0]) == "[] []\n"


def test_files_beside_the_notebook_are_not_imported_instead(run_cells: Callable) -> None:
    """A file named like a library is not taken for it by the grader's own code."""
    shadow = "for name in ('torch', 'json', 'grader'):\n    open(f'{name}.py', 'w').write('raise SystemExit')"
    _, after = run_cells(shadow, "import json, grader, torch\nprint(torch.ones(1).item())")
    assert printed(after) == "1.0\n"


@pytest.mark.parametrize("target", ["0", "-1", "1", "os.getppid()", "2"])
def test_signals_reach_nobody(run_cells: Callable, target: str) -> None:
    """Neither the fork server nor another job can be killed or stopped."""
    code = f"import os, signal\nfor one in (signal.SIGSTOP, signal.SIGKILL):\n    os.kill({target}, one)"
    run_cells(code)
    assert printed(run_cells("print('alive')")[0]) == "alive\n"


def test_disk_is_bounded(run_cells: Callable) -> None:
    """A file can grow to the limit, and no further."""
    code = "with open('x', 'wb') as file:\n    for _ in range(64):\n        file.write(bytes(2**20))"
    big, after = run_cells(code, "print('after')")
    assert big.status == "raised"
    assert "OSError" in text_of(big)
    assert printed(after) == "after\n"


def test_inodes_are_bounded(run_cells: Callable) -> None:
    """So many files can be made, and no more."""
    many, after = run_cells("for i in range(1000):\n    open(str(i), 'w').close()", "print('after')")
    assert "No space left" in text_of(many)
    assert printed(after) == "after\n"


def test_descriptors_are_bounded(run_cells: Callable) -> None:
    """So many files can be open, and no more."""
    many, after = run_cells("held = [open('/dev/null') for _ in range(5000)]", "print('after')")
    assert "Too many open files" in text_of(many)
    assert printed(after) == "after\n"


def test_memory_is_bounded(run_cells: Callable) -> None:
    """A list or a tensor that grows without end raises, and the notebook goes on."""
    grown, tensor, after = run_cells(
        "x = []\nwhile True:\n    x.append(bytearray(2**24))",
        "import torch\ndel x\ntorch.ones(2**30)",
        "print('after')",
    )
    assert "MemoryError" in text_of(grown)
    assert tensor.status == "raised"
    assert printed(after) == "after\n"


def test_threads_are_bounded(run_cells: Callable) -> None:
    """A bomb of threads ends with an exception, soon."""
    bomb = """
import threading
threading.stack_size(2**16)
started, stop = 0, threading.Event()
try:
    while started < 5000:
        threading.Thread(target=stop.wait, daemon=True).start()
        started += 1
finally:
    stop.set()
    print(started)
"""
    (ended,) = run_cells(bomb)
    assert ended.status == "raised"
    assert int(printed(ended).split()[0]) < 200


def test_jobs_at_the_same_time_have_threads_of_their_own(sandbox: Sandbox) -> None:
    """One that starts all it may leaves a neighbor, which another of the workers runs, all of its own."""
    hog = """
import threading, time
threading.stack_size(2**16)
started = 0
try:
    while started < 1000:
        threading.Thread(target=time.sleep, args=(2,), daemon=True).start()
        started += 1
except RuntimeError:
    time.sleep(1.5)
print(started)
"""
    patient = replace(LIMITS, cell_seconds=20)
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda _: sandbox.run(Job((Cell(hog),), {}, patient)), range(2)))
    counts = [int(printed(run.cells[0])) for run in runs]
    assert min(counts) > limits.THREADS - 10, counts


def test_waiting_signals_are_bounded(run_cells: Callable) -> None:
    """Of signals that wait until they are let in, no job takes the share of the user who grades."""
    queue = """
import ctypes, os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
queued, libc = 0, ctypes.CDLL(None)
while queued < 5000 and libc.sigqueue(os.getpid(), signal.SIGRTMIN, None) == 0:
    queued += 1
print(queued)
"""
    (ended,) = run_cells(queue)
    assert int(printed(ended)) <= limits.SIGNALS


def test_nothing_is_left(sandbox: Sandbox, run_cells: Callable) -> None:
    """No process, zombie, mount or descriptor of a job outlives it."""
    run_cells("import os; os._exit(3)", "1/0", "import threading; threading.Thread(target=input).start()")
    server = fork_server(sandbox)
    before = count_held_at_rest(server)
    for _ in range(5):
        run_cells("import os; os._exit(3)", "x = 1")
    assert count_held_at_rest(server) == before


def fork_server(sandbox: Sandbox) -> int:
    """Return the number of the fork server, which the one that was started waits for."""
    outer = sandbox._launched.process.pid
    (inner,) = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
    return int(inner)


def count_held_at_rest(process: int) -> tuple[int, int, int]:
    """Return how many descriptors, mounts and threads a process has once its last job is reaped.

    A job's result arrives before its process has ended: what is counted stands still for half a second.
    """
    children = Path(f"/proc/{process}/task/{process}/children")
    held, since, deadline = None, 0.0, time.monotonic() + 30
    while held is None or time.monotonic() - since < 0.5:
        assert time.monotonic() < deadline, f"still changing: {held}, children {children.read_text()!r}"
        now = None if children.read_text() else count_held(process)
        if now is None or now != held:
            held, since = now, time.monotonic()
        time.sleep(0.02)
    return held


def count_held(process: int) -> tuple[int, int, int]:
    """Return how many descriptors, mounts and threads a process has."""
    folder = Path("/proc", str(process))
    mounts = (folder / "mounts").read_text().count("\n")
    return len(list((folder / "fd").iterdir())), mounts, len(list((folder / "task").iterdir()))


def test_warm_process_has_one_thread(sandbox: Sandbox) -> None:
    """It forks safely: only a process of one thread does."""
    assert count_held(fork_server(sandbox))[2] == 1


def test_everything_ends_with_the_grader() -> None:
    """Where the grader is killed, the fork server and the job that runs are gone."""
    read, write = os.pipe()
    grader = os.fork()
    if grader == 0:
        try:
            own = Sandbox()
            os.write(write, f"{own._launched.process.pid} {fork_server(own)}".encode())
            signal.pause()
        finally:
            os._exit(1)  # never on into the tests, of which this is a copy
    os.close(write)
    outer, inner = map(int, os.read(read, 100).split())
    os.close(read)
    os.kill(grader, signal.SIGKILL)
    os.waitpid(grader, 0)
    with time_limit(20.0):
        while any(Path(f"/proc/{one}/root").exists() for one in (outer, inner)):
            os.sched_yield()


def test_filters_have_a_number_for_every_call() -> None:
    """Each machine's filter refuses as many calls as it has."""
    assert len(seccomp.filter_for("x86_64")) > len(seccomp.filter_for("aarch64")) > 100
