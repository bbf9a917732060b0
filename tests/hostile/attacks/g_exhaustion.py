"""G: use up time, memory, disk, descriptors, processes, or the patience of whoever reads.

Every one of these only runs with full isolation and within limits that are far below the machine's.
"""

from dataclasses import replace

from grader.files import MIB
from tests.hostile.attacks.attack import LAST, LIMITS, RAN, SHORT, TRANSFER, V2, Attack

SAY = f"\nprint({RAN!r})\n"
SMALL = replace(LIMITS, memory=512 * MIB, files=16 * MIB, file_count=200)
STOPPED = "stopped when its"


def endless(name: str, tries: str, code: str) -> Attack:
    """Return an attack on the answer that never comes to its end."""
    return Attack(name, tries, code, codes=("too-slow",), shows=(), limits=SHORT)


def in_answer(body: str, before: str = "") -> str:
    """Return an answer that does something instead of attention."""
    lines = "\n".join(f"        {line}" for line in body.strip().splitlines())
    return f"{before}\nclass SelfAttention_v1(SelfAttention_v1):\n    def forward(self, x):\n{lines}\n"


ATTACKS = (
    Attack(
        "loop-in-the-cell",
        "an endless loop",
        "while True: pass",
        shows=(STOPPED,),
        limits=SHORT,
        codes=("missing-scale",),
    ),
    Attack(
        "loop-that-ignores-signals",
        "an endless loop with every signal ignored",
        """
import signal
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 0)
while True: pass
""",
        shows=(STOPPED,),
        limits=SHORT,
    ),
    Attack(
        "loop-that-swallows",
        "an endless loop that swallows every exception",
        """
while True:
    try:
        while True: pass
    except BaseException:
        pass
""",
        shows=(STOPPED,),
        limits=SHORT,
    ),
    endless("loop-in-the-answer", "an endless loop in the answer", in_answer("while True: pass")),
    endless(
        "loop-in-the-answer-that-swallows",
        "an endless loop in the answer that swallows and ignores",
        in_answer(
            """
signal.signal(signal.SIGALRM, signal.SIG_IGN)
while True:
    try: time.sleep(100)
    except BaseException: pass
""",
            "import signal, time",
        ),
    ),
    Attack(
        "sleep-in-many-cells",
        "as much time as possible, in one cell after the other",
        "import time" + SAY,
        later="\n".join(["import time", "time.sleep(1000)"]),
        shows=(RAN, STOPPED),
        limits=SHORT,
    ),
    Attack(
        "regular-expression",
        "a match that takes longer than the universe is old, in C",
        SAY + 'import re\nre.match(r"(a+)+$", "a" * 50 + "b")',
        shows=(STOPPED,),
        limits=SHORT,
    ),
    Attack(
        "power", "a number of a hundred million digits, in C", "10 ** 10 ** 9", shows=(STOPPED,), limits=SHORT
    ),
    Attack(
        "stopped",
        "a process that stops itself",
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\nwhile True: os.kill(os.getpid(), signal.SIGTSTP)",
        shows=(STOPPED,),
        limits=SHORT,
    ),
    endless(
        "text-that-never-ends",
        "an exception whose text never ends",
        in_answer(
            "raise Endless",
            "class Endless(Exception):\n    def __str__(self):\n        while True: pass",
        ),
    ),
    Attack(
        "text-that-never-ends-in-a-cell",
        "an exception whose text never ends, in a cell",
        "class Endless(Exception):\n    def __str__(self):\n        while True: pass\nraise Endless",
        shows=(STOPPED,),
        limits=SHORT,
    ),
    Attack(
        "repr-that-never-ends",
        "a last value whose repr never ends",
        "class Endless:\n    def __repr__(self):\n        while True: pass\nEndless()",
        shows=(STOPPED,),
        limits=SHORT,
    ),
    Attack(
        "repr-that-is-huge", "a last value of a hundred million letters", SAY + '"x" * 10**8', limits=SMALL
    ),
    Attack(
        "lines",
        "a hundred thousand lines",
        SAY + "for number in range(100_000): print(number)",
        limits=SMALL,
    ),
    Attack(
        "one-line",
        "one line of a hundred million letters",
        SAY + 'print("x" * 10**8)',
        limits=SMALL,
    ),
    Attack(
        "bytes",
        "output byte by byte, on both streams in turn",
        SAY + 'import sys\nfor _ in range(50_000):\n    sys.stdout.write("x"); sys.stderr.write("y")',
        limits=SMALL,
    ),
    Attack(
        "carriage-returns",
        "a line that is overwritten a hundred thousand times",
        SAY + 'for number in range(100_000): print("\\r", number, end="")',
        limits=SMALL,
    ),
    Attack(
        "displays",
        "ten thousand displays",
        SAY + "from IPython.display import display\nfor number in range(10_000): display(number)",
        limits=SMALL,
    ),
    Attack(
        "descriptor-output",
        "output on the descriptors themselves",
        "import os\nfor _ in range(1000):\n    for number in (1, 2): os.write(number, b'x' * 65536)" + SAY,
        limits=SMALL,
    ),
    Attack(
        "many-outputs",
        "outputs in the place where they are collected",
        """
shell = get_ipython()
shell.outputs.kept.extend({"output_type": "stream", "name": "stdout", "text": "x" * 1000} for _ in range(100_000))
""",
        shows=(),
        limits=SMALL,
    ),
    Attack(
        "memory",
        "memory, in pieces and at once",
        """
import torch
held = []
try:
    while True: held.append(bytearray(16 << 20))
except MemoryError:
    print("REFUSED after", len(held))
held = []
for make in (lambda: torch.ones(2**33), lambda: bytearray(2**40), lambda: [0] * 2**33):
    try: make(); print("REACHED")
    except (RuntimeError, MemoryError, OverflowError) as error: print("REFUSED", type(error).__name__)
"""
        + SAY,
        limits=SMALL,
    ),
    Attack(
        "memory-in-the-answer",
        "memory that is never given back, while the answer is looked at",
        in_answer("held.extend(torch.ones(2**22) for _ in range(1000))", "held = []") + SAY,
        limits=SMALL,
        codes=("raises",),
    ),
    Attack(
        "memory-left-full",
        "memory filled to the last byte for all that follows",
        """
held = []
size = 1 << 28
while size > 1 << 12:
    try: held.append(bytearray(size))
    except MemoryError: size //= 2
del held[-200:]
"""
        + SAY,
        shows=(),
        later="held.clear()",
        limits=SMALL,
        spoils=(V2, TRANSFER, LAST),
    ),
    Attack(
        "disk",
        "files until the disk is full",
        """
written = 0
try:
    for number in range(10_000):
        with open(f"file-{number}", "wb") as file:
            written += file.write(b"x" * 2**20)
except OSError as error:
    print("REFUSED", error.errno, "REACHED" if written > 20 * 2**20 else "")
try:
    with open("one", "wb") as file:
        file.truncate(2**40)
    print("REACHED")
except OSError as error:
    print("REFUSED", error.errno)
"""
        + SAY,
        limits=SMALL,
    ),
    Attack(
        "inodes",
        "as many files and folders as possible",
        """
import os
made = 0
try:
    for number in range(100_000):
        os.mkdir(f"folder-{number}")
        made += 1
except OSError as error:
    print("REFUSED", error.errno, "REACHED" if made > 1000 else "")
"""
        + SAY,
        limits=SMALL,
    ),
    Attack(
        "descriptors-used-up",
        "every descriptor",
        """
import os
held = []
try:
    for _ in range(100_000): held.append(os.dup(0))
except OSError as error:
    print("REFUSED", error.errno, "REACHED" if len(held) > 5000 else "")
"""
        + SAY,
        later="for number in held: os.close(number)",
        limits=SMALL,
        spoils=(V2, TRANSFER, LAST),
    ),
    Attack(
        "fork-bomb",
        "processes without end",
        """
import os
made = 0
for _ in range(50):
    try:
        if os.fork() == 0:
            while True: pass
        made += 1
    except OSError:
        pass
print("REACHED" if made else "REFUSED")
"""
        + SAY,
        shows=(RAN, "REFUSED"),
        limits=SHORT,
    ),
    Attack(
        "threads",
        "threads without end",
        """
import threading, time
made = 0
try:
    for _ in range(2000):
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
        made += 1
except RuntimeError:
    print("REFUSED after", made)
print("REACHED" if made >= 2000 else "")
"""
        + SAY,
        limits=LIMITS,
    ),
    Attack(
        "busy-threads",
        "threads that leave nothing of the processor to anybody",
        """
import threading
def burn():
    while True: pass
for _ in range(20): threading.Thread(target=burn, daemon=True).start()
""",
        shows=(),  # it hardly gets to print
        spoils=(V2, TRANSFER, LAST),
        limits=replace(SHORT, total_seconds=6.0),
    ),
    Attack(
        "recursion",
        "recursion without end",
        "def deeper(): return deeper()\n" + SAY + "deeper()",
    ),
    Attack(
        "recursion-without-limit",
        "recursion without end, and no limit to stop it",
        "import sys\nsys.setrecursionlimit(10**9)\nclass Deep:\n    def __getattr__(self, name): return getattr(self, name + 'x')\n"
        "def deeper(one):\n    return repr([deeper([one])])\ndeeper(1)",
        shows=(),
        limits=SHORT,
    ),
    Attack(
        "recursion-of-the-parser",
        "source that no parser can hold",
        "# nothing to see" + SAY,
        later="(" * 50_000 + ")" * 50_000,
    ),
    Attack(
        "segmentation-fault",
        "a segmentation fault",
        "import ctypes\nctypes.string_at(0)",
        shows=("The process ended",),
    ),
    Attack(
        "segmentation-fault-in-the-answer",
        "a segmentation fault while the answer is looked at",
        in_answer("ctypes.string_at(0)", "import ctypes"),
        shows=(),
        codes=("no-result",),
    ),
    Attack(
        "abort",
        "an abort",
        "import os\nos.abort()",
        shows=("The process ended",),
    ),
    Attack(
        "giant-result",
        "results of more bytes than may be sent",
        in_answer("return torch.ones(9_000_000) * x.sum()") + SAY,
    ),
    Attack(
        "many-parameters",
        "thousands of parameters, whose names are all told",
        """
class SelfAttention_v1(SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        one = torch.nn.Parameter(torch.zeros(1))
        for number in range(5_000):
            self._parameters["p" * 100 + str(number)] = one
"""
        + SAY,
    ),
    Attack(
        "printing-answer",
        "output while the answer is looked at",
        in_answer("for _ in range(20_000): print('x' * 100)\nreturn super().forward(x)") + SAY,
    ),
    Attack(
        "warnings",
        "a hundred thousand warnings",
        SAY
        + 'import warnings\nwarnings.simplefilter("always")\nfor number in range(20_000): warnings.warn(f"no {number}")',
        limits=SMALL,
    ),
)
