"""E: reach others: the gradebook, other submissions, the network, other processes."""

from tests.hostile.attacks.attack import RAN, V1, Attack

SAY = f"\nprint({RAN!r})\n"
TRY = """
def tell(what, attempt):
    try:
        found = attempt()
    except BaseException as error:
        print("REFUSED", what, type(error).__name__)
    else:
        print("REACHED" if found is not False else "REFUSED nothing", what)
"""

ATTACKS = (
    Attack(
        "gradebook",
        "scores written into the gradebook",
        TRY
        + """
import sqlite3
def raise_scores():
    gradebook = sqlite3.connect("file:COURSE/gradebook.db?mode=rw", uri=True, timeout=1)
    gradebook.execute("begin immediate")  # who may do this may write; nothing is
    gradebook.rollback()
tell("gradebook", raise_scores)
"""
        + SAY,
        reaches=True,
    ),
    Attack(
        "network",
        "a listener on this machine, by every kind of socket",
        TRY
        + """
import os, socket
def connect(family, kind, address):
    with socket.socket(family, kind) as talk:
        talk.settimeout(1.0)
        talk.connect(address)
        talk.send(b"MARK")
tell("tcp", lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)))
tell("udp", lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT)))
tell("abstract", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\\0MARK"))
tell("unix", lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "COURSE/socket"))
tell("pair", lambda: [one.close() for one in socket.socketpair()] and False)
tell("name", lambda: socket.create_connection(("localhost", PORT), 1.0))
"""
        + SAY,
        reaches=True,
    ),
    Attack(
        "network-listener",
        "a listener of one's own, for a process outside to connect to",
        TRY
        + """
import socket
def listen(address):
    with socket.create_server(address) as server:
        return True
tell("listen", lambda: listen(("127.0.0.1", 0)))
"""
        + SAY,
        reaches=True,
    ),
    Attack(
        "raw-sockets",
        "packets of all kinds, netlink, vsock",
        TRY
        + """
import socket
for family, kind, protocol in ((17, 3, 768), (2, 3, 1), (16, 3, 0), (40, 1, 0), (10, 1, 0), (38, 5, 0)):
    tell(f"family {family}", lambda: socket.socket(family, kind, protocol))
"""
        + SAY,
    ),
    Attack(
        "parent-killed",
        "the process that grades, killed or stopped",
        """
import os, signal
for process in {os.getppid(), 1, 0, -1, 2, 3}:
    if process == os.getpid():
        continue
    for number in (signal.SIGSTOP, signal.SIGKILL) if process > 1 else (signal.SIGCONT,):
        try:
            os.kill(process, number)
            print("sent", process, number)
        except OSError as error:
            print("REFUSED", process, type(error).__name__)
"""
        + SAY,
    ),
    Attack(
        "every-process-killed",
        "kill(-1), and every number there may be",
        """
import os, signal
for process in (-1, *range(2, 3000)):
    try:
        os.kill(process, signal.SIGKILL)
        print("REACHED", process) if process != -1 else None
    except OSError:
        pass
"""
        + SAY,
    ),
    Attack(
        "parent-asked",
        "whether the process that grades can be reached at all",
        TRY
        + """
import os, resource
parent = os.getppid()
tell("signal", lambda: os.kill(parent, 0) if parent > 0 else False)
tell("proc", lambda: os.listdir(f"/proc/{parent}/fd"))
"""
        + SAY,
        reaches=True,
    ),
    Attack(
        "process-that-stays",
        "a double fork with a session of its own, to outlive grading",
        """
import os, sys, time
try:
    child = os.fork()
except OSError as error:
    print("REFUSED", type(error).__name__)
else:
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    print("REACHED")
"""
        + SAY,
    ),
    Attack(
        "subprocesses",
        "other programs, by every door there is",
        TRY
        + """
import multiprocessing, os, subprocess, ctypes
libc = ctypes.CDLL(None, use_errno=True)
tell("run", lambda: subprocess.run(["/bin/true"], check=True))
tell("system", lambda: os.system("true") == 0)
tell("spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
tell("python", lambda: subprocess.run([__import__("sys").executable, "-c", ""], check=True))
tell("exec", lambda: os.execv("/bin/true", ["true"]))
tell("vfork", lambda: libc.vfork() > 0)
tell("clone", lambda: libc.syscall(56, 17, 0, 0, 0, 0) > 0)
tell("clone3", lambda: libc.syscall(435, 0, 0) > 0)
tell("bang", lambda: bool(get_ipython().getoutput("echo REACHE''D")))
"""
        + SAY,
    ),
    Attack(
        "kernel",
        "system calls for namespaces, mounts, tracing, keys",
        """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
calls = {"ptrace": 101, "mount": 165, "unshare": 272, "setns": 308, "bpf": 321, "keyctl": 250, "io_uring_setup": 425,
         "perf_event_open": 298, "userfaultfd": 323, "process_vm_readv": 310, "pivot_root": 155, "chroot": 161,
         "kexec_load": 246, "init_module": 175, "open_by_handle_at": 304, "pidfd_open": 434, "pidfd_getfd": 438,
         "memfd_create": 319, "shmget": 29, "mount_setattr": 442, "fsopen": 430, "landlock_create_ruleset": 444,
         "seccomp": 317, "personality": 135, "sethostname": 170, "socket": 41}
for name, number in calls.items():
    ctypes.set_errno(0)
    result = libc.syscall(number, 0x10000000, 0, 0, 0, 0, 0)
    print("REFUSED" if result == -1 else "REACHED", name, ctypes.get_errno())
"""
        + SAY,
    ),
    Attack(
        "privileges",
        "a user or a group that may do more",
        TRY
        + """
import os
tell("setuid", lambda: os.setuid(65534))
tell("setgid", lambda: os.setgroups([0, 27]))
tell("chroot", lambda: os.chroot("/"))
tell("nice", lambda: os.nice(-5))
tell("rlimit", lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_AS, (-1, -1)))
tell("priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))
"""
        + SAY,
    ),
    Attack(
        "neighbors-in-feedback",
        "a file of another student, displayed in one's own feedback",
        """
from IPython.display import Image, display
for path in ("COURSE/submitted/neighbor/ch04_self_attention/ch04_self_attention.ipynb", "/etc/passwd"):
    try:
        display(Image(filename=path, format="png"))
        print("REACHED")
    except Exception as error:
        print("REFUSED", type(error).__name__)
"""
        + SAY
        + 'get_ipython().run_line_magic("load", "/etc/hostname")',
        exercise=V1,
    ),
)
