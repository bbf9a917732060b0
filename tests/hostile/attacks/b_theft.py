"""B: get at the answers: expected tensors, solutions, other cases than one may see."""

from grader.references import load_exercise
from tests.hostile.attacks.attack import MASK, RAN, V1, Attack

SAY = f"\nprint({RAN!r})\n"
# How an attack tells how far it came.
TRY = """
def tell(what, attempt):
    try:
        found = attempt()
    except BaseException as error:
        print("REFUSED", what, type(error).__name__)
    else:
        print("REACHED" if found else "REFUSED nothing there", what)
"""


def memorized() -> str:
    """Return an answer that holds the result of every visible case, and of no other."""
    reference = load_exercise("ch05_causal_attention", MASK)
    table = {
        case.options["num_tokens"]: reference.expected[case.name]["result"].values.bool().tolist()
        for case in reference.cases
        if case.visible
    }
    return f"import torch\nVISIBLE = {table}\ndef causal_mask(num_tokens):\n    return torch.tensor(VISIBLE[num_tokens])\n"


def reading(*paths: str) -> str:
    """Return code that tries to read files in every way there is."""
    return (
        TRY
        + f"""
import ctypes, mmap, os, pathlib
def by_ctypes(path):
    libc = ctypes.CDLL(None, use_errno=True)
    number = libc.open(path.encode(), os.O_RDONLY)
    return number >= 0 and os.read(number, 10)
def by_link(path):
    os.path.lexists("link") and os.unlink("link")
    os.symlink(path, "link")
    return open("link", "rb").read(10)
def by_hard_link(path):
    os.link(path, "hard-link")
    return open("hard-link", "rb").read(10)
def by_map(path):
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)[:10]
for path in {paths!r}:
    for prefix in ("", "/proc/1/root", "/proc/self/root", "/proc/self/cwd" + "/.." * 20, ".." + "/.." * 20, "/.old"):
        full = prefix + path
        tell("open " + full, lambda: open(full, "rb").read(10))
    tell("ctypes", lambda: by_ctypes(path))
    tell("os.open", lambda: os.open(path, os.O_PATH))
    tell("symlink", lambda: by_link(path))
    tell("hard link", lambda: by_hard_link(path))
    tell("mmap", lambda: by_map(path))
    tell("stat", lambda: os.stat(path))
    tell("shell", lambda: os.popen("cat " + path).read())
    tell("listdir", lambda: os.listdir(os.path.dirname(path)))
"""
        + SAY
    )


ATTACKS = (
    Attack(
        "caller-frames",
        "the frames of whoever calls, down to the one that knows the answer",
        """
import sys
seen = []
def causal_mask(num_tokens):
    frame = sys._getframe()
    while frame is not None:
        for name, value in frame.f_locals.items():
            seen.append(name)
            if type(value).__name__ == "ExerciseReference":
                for case in value.cases:
                    if case.options == {"num_tokens": num_tokens}:
                        return value.expected[case.name]["result"].values.bool().clone()
        frame = frame.f_back
    return None
""",
        exercise=MASK,
        answer="",
        later=f"print({RAN!r} if 'case' in seen else 'never called')",
        fools=True,
    ),
    Attack(
        "garbage-collector",
        "all objects of the process, among them the expected tensors",
        """
import gc
seen = []
def causal_mask(num_tokens):
    for value in gc.get_objects():
        if type(value).__name__ == "ExerciseReference":
            for case in value.cases:
                if case.options == {"num_tokens": num_tokens}:
                    return value.expected[case.name]["result"].values.bool().clone()
        if type(value).__name__ == "Case":
            seen.append(value.name)
    return None
""",
        exercise=MASK,
        answer="",
        later=f"print({RAN!r} if seen else 'never called')",
        fools=True,
    ),
    Attack(
        "references-by-the-grader",
        "the grader's own function that loads the references",
        """
told = []
def causal_mask(num_tokens):
    from grader.references import load_exercise
    try:
        reference = load_exercise("ch05_causal_attention", "ch05-causal-mask")
    except Exception as error:
        told.append("REFUSED " + type(error).__name__)
        return None
    told.append("REACHED")
    for case in reference.cases:
        if case.options == {"num_tokens": num_tokens}:
            return reference.expected[case.name]["result"].values.bool().clone()
""",
        exercise=MASK,
        answer="",
        later="print(told[0])",
        shows=("REFUSED ReferenceDataError",),
        fools=True,
        reaches=True,
        # Where a course is not isolated, the visible cases are found; its hidden ones are not among them.
    ),
    Attack(
        "memorizer",
        "the results of all visible cases, copied out of a notebook",
        memorized(),
        exercise=MASK,
        answer="",
        shows=(),
        fools=True,
        codes=("fitted-to-cases",),
    ),
    Attack(
        "replayed-answer-file",
        "the solutions and the answer bank, by their path",
        reading(
            "PLACE/solutions/ch04_self_attention/ch04_self_attention.ipynb",
            "PLACE/solutions/ch04_self_attention/answers/ch04-self-attention-v1.py",
        ),
        shows=(RAN, "REFUSED shell"),
        reaches=True,
    ),
    Attack(
        "references-by-path",
        "the stored references, visible and hidden, by their path",
        reading(
            "PLACE/reference_outputs/ch04_self_attention/cases.safetensors",
            "PLACE/solutions/ch04_self_attention/grading_cases/cases.safetensors",
        ),
        shows=(RAN, "REFUSED shell"),
        reaches=True,
    ),
    Attack(
        "class-by-path",
        "the gradebook, another student's submission and feedback, by their path",
        reading(
            "COURSE/gradebook.db",
            "COURSE/submitted/neighbor/ch04_self_attention/ch04_self_attention.ipynb",
            "COURSE/nbgrader_config.py",
        ),
        shows=(RAN, "REFUSED shell"),
        reaches=True,
    ),
    Attack(
        "users-files",
        "accounts, keys, the home folder, other processes",
        reading(
            "/etc/passwd",
            "/etc/hostname",
            "/root/.bashrc",
            "/proc/1/environ",
            "/proc/self/environ",
            "/sys/kernel",
        ),
        shows=(RAN, "REFUSED shell"),
        reaches=True,
    ),
    Attack(
        "own-memory",
        "/proc/self: memory, maps, descriptors, environment, command line",
        TRY
        + """
import os
for name in ("mem", "maps", "fd", "environ", "cmdline", "mountinfo", "root", "cwd", "exe", "status", "task"):
    for process in ("self", "1", str(os.getpid()), str(os.getppid()), "thread-self"):
        path = f"/proc/{process}/{name}"
        tell(path, lambda: os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(8))
"""
        + SAY,
        reaches=True,
    ),
    Attack(
        "descriptors",
        "descriptors that were left open",
        """
import os, stat
kinds = []
for number in range(1024):
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        continue
    kind = "socket" if stat.S_ISSOCK(mode) else "device" if stat.S_ISCHR(mode) else "other"
    kinds.append(f"{number} {kind}")
    if kind == "other":
        print("REACHED", number)
print(kinds)
"""
        + SAY,
        shows=(RAN, "['0 device', '1 device', '2 device', '3 socket']"),
    ),
    Attack(
        "environment",
        "environment, arguments, module paths: where the course is and who grades it",
        """
import os, sys
said = " ".join([*os.environ.values(), *os.environ, *sys.argv, *sys.orig_argv, *sys.path, os.getcwd(), __name__])
said += " ".join(getattr(one, "__file__", None) or "" for name, one in sys.modules.items()
                 if not name.startswith("grader"))
for secret in ("COURSE", "gradebook", "submitted", "nbgrader", "solutions", "reference_outputs"):
    print("REACHED " + secret if secret in said else "REFUSED " + secret)
import getpass, socket
try:
    print("user", getpass.getuser(), "on", socket.gethostname())
except OSError as error:
    print("REFUSED", error)
print("grading code:", *(name for name in sys.modules if name.startswith(
    ("nbgrader", "sqlalchemy", "grader.grading", "grader.references.store", "grader.proving"))))
"""
        + SAY,
        shows=(RAN, "REFUSED COURSE"),
    ),
    Attack(
        "grading-layers-imported",
        "the layers that grade, imported to be asked",
        TRY
        + """
import importlib
def asked(name):
    importlib.import_module(name)
    return False
for name in ("grader.references.store", "grader.checking.judge"):
    tell(name, lambda: asked(name))
def reference():
    from grader.references import load_for_grading
    return load_for_grading
tell("for grading", lambda: reference()("ch04_self_attention", "ch04-self-attention-v1"))
"""
        + SAY,
    ),
    Attack(
        "seed-replay",
        "the seed of each case, and whatever follows from it",
        """
seeds = []
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        seeds.append(torch.initial_seed())
        torch.manual_seed(seeds[-1])
        return torch.rand(x.shape[0], self.W_value.shape[1])
""",
        later=f"print({RAN!r} if seeds else 'never called')",
    ),
    Attack(
        "every-tensor",
        "all tensors of the process, printed by a later cell",
        """
import gc
seen = []
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        for one in gc.get_objects():
            try:
                if isinstance(one, torch.Tensor) and one.numel() < 200:
                    seen.append(one.detach().double().flatten().tolist())
            except BaseException:
                pass
        return super().forward(x)
""",
        later=f"""
for numbers in {{tuple(one) for one in seen}}:
    print(" ".join(f"{{number:.6f}}" for number in numbers))
print({RAN!r} if seen else 'never called')
""",
    ),
    Attack(
        "inputs-by-exception",
        "the inputs of every case, in the text and the name of an exception",
        """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        numbers = " ".join(f"{number:.6f}" for number in x.flatten().tolist())
        raise type("Error_" + numbers.replace(" ", "_"), (ValueError,), {})(numbers)
"""
        + SAY,
        codes=("raises",),
    ),
    Attack(
        "inputs-by-names",
        "the inputs of every case, in names of parameters and buffers",
        """
class SelfAttention_v1(SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        import sys
        frame = sys._getframe()
        while frame is not None and "case" not in frame.f_locals:
            frame = frame.f_back
        numbers = frame.f_locals["case"].arguments["x"].flatten().tolist()
        del self.W_query
        for number in numbers:
            name = f"p{number:.6f}".replace(".", "_")
            if name not in self._parameters:
                self.register_parameter(name, torch.nn.Parameter(torch.zeros(1)))
"""
        + SAY,
        codes=("not-registered",),
    ),
    Attack(
        "other-submissions-in-memory",
        "what other jobs left in the memory that was forked",
        """
import gc, sys
for one in gc.get_objects():
    if isinstance(one, str) and "neighbor-secret" in one and "gc.get_objects" not in one:
        print("REACHED", one[:50])
shell = get_ipython()
print("history", len(shell.user_ns.get("In", [])), len(list(shell.history_manager.input_hist_parsed)))
"""
        + SAY,
        exercise=V1,
    ),
)
