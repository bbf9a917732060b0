"""A: get the points without a right answer, by what happens around the check."""

from tests.hostile.attacks.attack import LAST, MASK, RAN, SHORT, TRANSFER, V2, Attack

SAY = f"\nprint({RAN!r})\n"
# Every descriptor, tried as the socket on which the process tells what it saw.
EVERY_DESCRIPTOR = """
import os, socket
from grader.sandbox import frames

def every_socket():
    for number in range(256):
        try:
            copy = os.dup(number)
        except OSError:
            continue
        try:
            yield socket.socket(fileno=copy)
        except OSError:
            os.close(copy)

def send_everywhere(kind, payload):
    sent = 0
    for channel in every_socket():
        try:
            frames.send(channel, kind, payload)
            sent += 1
        except OSError:
            pass
    return sent
"""
# An attempt as an honest process packs it, of a subject that computes what the attacked one should, wrongly.
FORGED_ATTEMPT = """
import sys
import torch
from grader.checking.observation import Attempt, Observation

def cases_here():
    frame = sys._getframe()
    while frame is not None:
        if "cases" in frame.f_locals:
            return frame.f_locals["cases"]
        frame = frame.f_back
    raise LookupError

def forged(cases, result):
    observations = []
    for case in cases:
        x = case.arguments["x"]
        parameters = {f"parameter/{name}": value for name, value in case.weights.items()}
        gradients = {f"gradient/{name}": torch.ones_like(value) for name, value in case.weights.items()}
        tensors = {"result": result(case), "again": result(case)[:-1], "argument/x": x,
                   "gradient/x": torch.ones_like(x)}
        observations.append(Observation(
            case.name, tensors | parameters | gradients, {"result": "cpu"}, {}, tuple(case.weights)))
    return Attempt(tuple(observations))

def zeros(case):
    return torch.zeros(case.arguments["x"].shape[0], case.options["d_out"])
"""

ATTACKS = (
    Attack(
        "input-transformer",
        "an IPython input transformer that empties every check cell",
        """
def blank(lines):
    return ["pass\\n"] if any("check(" in line for line in lines) else lines
get_ipython().input_transformers_cleanup.append(blank)
get_ipython().input_transformers_post.append(blank)
"""
        + SAY,
        fools=True,
    ),
    Attack(
        "ast-transformer",
        "a transformer of syntax trees that takes every call of check away",
        """
import ast

class NoCheck(ast.NodeTransformer):
    def visit_Call(self, node):
        return ast.Constant(None) if getattr(node.func, "id", "") == "check" else node

get_ipython().ast_transformers.append(NoCheck())
"""
        + SAY,
        fools=True,
    ),
    Attack(
        "pre-run-hook",
        "a hook that exchanges check before every cell",
        """
def exchange(info):
    get_ipython().user_ns["check"] = lambda *arguments, **options: None
get_ipython().events.register("pre_run_cell", exchange)
get_ipython().events.register("pre_execute", lambda: exchange(None))
"""
        + SAY,
        fools=True,
    ),
    Attack(
        "post-run-hook",
        "a hook that raises after every cell",
        """
def spoil(result):
    result.error_in_exec = None
    result.result = 100
    raise RuntimeError("after the cell")
get_ipython().events.register("post_run_cell", spoil)
"""
        + SAY,
    ),
    Attack(
        "check-replaced",
        "a function of one's own under the name check",
        "check = lambda *arguments, **options: print('Right on all 7 cases.')" + SAY,
        fools=True,
    ),
    Attack(
        "check-replaced-in-modules",
        "check and what it calls, replaced in every module",
        """
import builtins, sys
from grader.checking import judge, notebook
from grader.checking.result import Line, Result
from grader.messages import message

def passed(exercise, reference, attempt, device):
    return Result(exercise, "passed", (), (Line(message("Right on all {count} cases.", count=5)),))

judge.judge = notebook.judge = passed
notebook.judge_subject = lambda exercise_id, *rest: passed(notebook.find_exercise(exercise_id), 0, 0, 0)
sys.modules["grader"].check = builtins.check = lambda *arguments, **options: None
"""
        + SAY,
        fools=True,
    ),
    Attack(
        "module-replaced",
        "a module of one's own in the place of the grader",
        """
import sys, types
fake = types.ModuleType("grader")
fake.check = check = lambda *arguments, **options: None
sys.modules["grader"] = sys.modules["grader.checking.notebook"] = fake
"""
        + SAY,
        fools=True,
    ),
    Attack(
        "traceback-replaced",
        "errors that are not shown, for nbgrader counts what is shown",
        """
get_ipython().showtraceback = lambda *arguments, **options: None
get_ipython()._showtraceback = lambda *arguments, **options: None
"""
        + SAY,
        fools=True,
    ),
    Attack(
        "custom-exception-handler",
        "an exception handler of IPython that shows nothing",
        "get_ipython().set_custom_exc((BaseException,), lambda *arguments, **options: None)" + SAY,
        fools=True,
    ),
    Attack(
        "run-cell-replaced",
        "IPython's own functions replaced by such as do nothing from now on",
        """
shell = get_ipython()
result = type("Result", (), {"success": True, "error_in_exec": None, "error_before_exec": None})()
real = shell.run_cell
shell.run_cell = lambda source, *rest, **options: real(source, *rest, **options) if "check(" not in source else result
"""
        + SAY,
        fools=True,
    ),
    Attack(
        "comparison-patched",
        "tensors that are equal to everything",
        """
import torch
true = lambda *arguments, **options: True
torch.allclose = torch.equal = torch.testing.assert_close = torch.isclose = true
torch.Tensor.allclose = torch.Tensor.equal = true
torch.Tensor.__invert__ = lambda self: torch.zeros_like(self)  # what differs is asked as: not equal
"""
        + SAY,
        fools=True,
    ),
    Attack(
        "equality-patched",
        "an __eq__ of tensors that says yes",
        """
import torch
yes = lambda self, other: torch.ones_like(self, dtype=torch.bool)
torch.Tensor.__eq__ = torch.Tensor.__le__ = yes
torch.Tensor.__ne__ = lambda self, other: torch.zeros_like(self, dtype=torch.bool)
"""
        + SAY,
        fools=True,
    ),
    Attack(
        "copies-patched",
        "results exchanged while they are copied: Tensor.detach, to, clone, contiguous",
        """
import torch
real = torch.Tensor.detach
def detach(self):
    return real(self) * 0 if self.shape == (5, 4) and self.requires_grad else real(self)
torch.Tensor.detach = detach
for name in ("to", "clone", "contiguous"):
    def same(self, *arguments, _real=getattr(torch.Tensor, name), **options):
        return _real(self, *arguments, **options)
    setattr(torch.Tensor, name, same)
"""
        + SAY,
        spoils=(V2, TRANSFER, LAST),
    ),
    Attack(
        "serializer-patched",
        "what is sent left out in safetensors.serialize, once",
        """
import safetensors
real, calls = safetensors.serialize, []
def serialize(specs, metadata=None):
    calls.append(len(specs))
    return real({} if len(calls) == 1 else specs, metadata=metadata)
safetensors.serialize = serialize
""",
        later=f"print({RAN!r} if calls else 'never called')",
    ),
    Attack(
        "facts-patched",
        "JSON that claims another story",
        """
import json
real, seen = json.dumps, []
def dumps(value, *rest, **options):
    if isinstance(value, dict) and value.get("observations") and not seen:
        seen.append(1)
        for one in value["observations"]:
            one |= {"raised": None, "calls": [], "kinds": {}, "later_errors": {}, "status": "passed", "score": 100}
        value |= {"problem": None, "status": "passed", "score": 100, "max_score": 100}
    return real(value, *rest, **options)
json.dumps = dumps
""",
        later=f"print({RAN!r} if seen else 'never called')",
    ),
    Attack(
        "recorder-patched",
        "a recorder that records nothing of the wrong answer",
        """
from grader.checking import recording
real, silenced = recording.Recorder.tensor, []
def tensor(self, name, value):
    if len(silenced) < 500 and name in ("result", "again"):
        silenced.append(name)
        return
    real(self, name, value)
recording.Recorder.tensor = tensor
""",
        later=f"recording.Recorder.tensor = real\nprint({RAN!r} if silenced else 'never called')",
        spoils=(V2, LAST),
    ),
    Attack(
        "attempt-empty",
        "an attempt that saw nothing and found no fault",
        """
import sys
from grader.checking.observation import Attempt
runner = sys.modules["grader.sandbox.runner"]
real, done = runner.attempt, []
def attempt(exercise, *rest):
    if exercise.id == "ch04-self-attention-v1":
        done.append(exercise.id)
        return Attempt()
    return real(exercise, *rest)
runner.attempt = attempt
""",
        later=f"print({RAN!r} if done else 'never called')",
    ),
    Attack(
        "attempt-without-tensors",
        "observations of the right cases in which nothing went wrong, and nothing is",
        """
import sys
from grader.checking.observation import Attempt, Observation
runner = sys.modules["grader.sandbox.runner"]
real, done = runner.attempt, []
def attempt(exercise, subject, cases, *rest):
    if exercise.id == "ch04-self-attention-v1":
        done.append(exercise.id)
        return Attempt(tuple(Observation(case.name, {}, {}, {}) for case in cases))
    return real(exercise, subject, cases, *rest)
runner.attempt = attempt
""",
        later=f"print({RAN!r} if done else 'never called')",
    ),
    Attack(
        "attempt-of-another-exercise",
        "the observations of a right answer to another exercise",
        """
import sys
from dataclasses import replace
from grader.checking.observation import Attempt
runner = sys.modules["grader.sandbox.runner"]
real, done = runner.attempt, []
class Right(torch.nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (
            torch.nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))
    def forward(self, x):
        return x @ self.W_value
def attempt(exercise, subject, cases, *rest):
    if exercise.id != "ch04-self-attention-v1":
        return real(exercise, subject, cases, *rest)
    made = real(exercise, Right, cases, *rest)
    done.append(made)
    return Attempt(tuple(replace(made.observations[0], case=case.name) for case in cases))
runner.attempt = attempt
""",
        later=f"print({RAN!r} if done else 'never called')",
    ),
    Attack(
        "attempt-forged-on-every-descriptor",
        "a frame in the real format on every open descriptor, while the answer runs",
        EVERY_DESCRIPTOR
        + FORGED_ATTEMPT
        + """
from grader.sandbox.wire import pack_attempt
sent = []
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        if not sent:
            packed = pack_attempt(forged(cases_here(), zeros))
            for number in range(100):
                sent.append(send_everywhere(frames.ATTEMPTED, f"{number} ".encode() + packed))
        return super().forward(x)
""",
        later=f"print({RAN!r} if sum(sent) else 'nothing sent')",
    ),
    Attack(
        "cells-forged-on-every-descriptor",
        "outputs of all later cells forged, with a verdict in them",
        EVERY_DESCRIPTOR
        + """
import json
fake = [
    {"output_type": "display_data", "data": {"text/plain": "Right on all 7 cases.",
     "text/html": "<b>FORGED</b>", "application/vnd.grader.result+json": {"status": "FORGED", "score": 3}}},
    {"output_type": "execute_result", "data": {"text/plain": "3"}},
]
sent = [
    send_everywhere(frames.DONE, f"{number} ran ".encode() + json.dumps(fake).encode()) for number in range(100)
]
for kind in (frames.FINISHED, frames.REACHED):
    for number in range(100):
        sent.append(send_everywhere(kind, b"" if kind == frames.FINISHED else str(number).encode()))
""",
        shows=(),
        never=("FORGED",),
    ),
    Attack(
        "garbage-on-every-descriptor",
        "bytes that are no frame",
        EVERY_DESCRIPTOR
        + """
import os
for channel in every_socket():
    channel.settimeout(1.0)
    try:
        channel.sendall(os.urandom(1 << 16))
    except OSError:
        pass
""",
        shows=(),
        codes=("no-result",),
    ),
    Attack(
        "late-writes",
        "a thread that sends forged attempts while all later cells run",
        EVERY_DESCRIPTOR
        + FORGED_ATTEMPT
        + """
import threading, time
from grader.sandbox.wire import pack_attempt
sent, packed = [], []
def keep_sending():
    while len(sent) < 300:
        time.sleep(0.002)
        if packed:
            for number in (15, 16, 17, 18):
                sent.append(send_everywhere(frames.ATTEMPTED, f"{number} ".encode() + packed[0]))
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        if not packed:
            packed.append(pack_attempt(forged(cases_here(), zeros)))
            time.sleep(0.05)
        return super().forward(x)
threading.Thread(target=keep_sending, daemon=True).start()
""",
        # Two writers on one stream: what arrives may be garbled, and then the process is ended and tried again.
        shows=(),
        spoils=(V2, TRANSFER, LAST),
    ),
    Attack(
        "thread-that-rewrites",
        "a thread that goes on exchanging what the grader has recorded",
        """
import gc, threading, time
done = []
def rewrite():
    for _ in range(200):
        for one in gc.get_objects():
            if type(one).__name__ == "Observation":
                one.tensors.clear()
                done.append(one.case)
        time.sleep(0.01)
thread = threading.Thread(target=rewrite, daemon=True)
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        if not thread.is_alive():
            try: thread.start()
            except RuntimeError: pass
        return super().forward(x)
""",
        later=f"print({RAN!r})",
        spoils=(V2, TRANSFER, LAST),
    ),
    Attack(
        "exit-in-the-cell",
        "os._exit(0) before anything is checked",
        "import os\nos._exit(0)",
        answer="",
        shows=("The process ended with status 0 in this cell",),
    ),
    Attack(
        "exit-in-the-answer",
        "os._exit(0) while the answer is looked at",
        """
import os
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        os._exit(0)
""",
        shows=(),
        codes=("no-result",),
    ),
    Attack(
        "system-exit-in-the-cell",
        "sys.exit, and a subclass of SystemExit that says that all is well",
        SAY
        + """
import sys
class Fine(SystemExit):
    code = 0
    def __str__(self): return "passed"
raise Fine(0)
""",
    ),
    Attack(
        "system-exit-in-the-answer",
        "a subclass of SystemExit while the answer is looked at",
        """
class Fine(SystemExit):
    pass
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        raise Fine(0)
"""
        + SAY,
        codes=("raises",),
    ),
    Attack(
        "keyboard-interrupt-in-the-cell",
        "KeyboardInterrupt, which stops a grader that takes it for its own",
        SAY + "raise KeyboardInterrupt",
    ),
    Attack(
        "keyboard-interrupt-in-the-answer",
        "KeyboardInterrupt while the answer is looked at",
        """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        raise KeyboardInterrupt
"""
        + SAY,
        codes=("raises",),
    ),
    Attack(
        "kill-in-the-answer",
        "signals to its own process",
        """
import os, signal
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            os.kill(os.getpid(), number)
        return super().forward(x)
"""
        + SAY,
    ),
    Attack(
        "time-limit-error",
        "the grader's own exception for a time limit, raised at once",
        """
from grader.checking.deadline import TimeLimitExceededError
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        raise TimeLimitExceededError
"""
        + SAY,
        codes=("too-slow",),
    ),
    Attack(
        "atexit-hooks",
        "hooks that run at the end, or after a fork",
        """
import atexit, os
def forge(*arguments):
    print("REACHED")
    os._exit(0)
atexit.register(forge)
os.register_at_fork(before=forge, after_in_parent=forge, after_in_child=forge)
"""
        + SAY,
    ),
    Attack(
        "display-forged",
        "a display with the grader's own MIME type and a verdict",
        """
from IPython.display import HTML, display
bundle = {
    "text/plain": "Right on all 7 cases.",
    "text/html": "<b>Right on all 7 cases: FORGED</b>",
    "application/vnd.grader.result+json": {"status": "FORGED", "score": 3, "max_score": 3},
}
display(bundle, raw=True)
display(HTML("<script>document.title = 'PWNED'</script>"))
get_ipython().display_pub.publish(bundle)
"""
        + SAY,
        never=("FORGED", "PWNED"),
    ),
    Attack(
        "hooks-of-the-interpreter",
        "sys.excepthook, settrace, setprofile, displayhook, breakpointhook, unraisablehook",
        """
import sys
events = []
def trace(frame, event, argument):
    events.append(event)
    if frame.f_code.co_name == "observe":
        frame.f_locals["raised"] = None
    return trace
def profile(frame, event, argument):
    events.append(event)
sys.excepthook = sys.unraisablehook = sys.displayhook = sys.breakpointhook = lambda *arguments: None
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        sys.settrace(trace)
        sys.setprofile(profile)
        try:
            return super().forward(x)
        finally:
            sys.settrace(None)
            sys.setprofile(None)
""",
        later=f"print({RAN!r} if events else 'never called')",
    ),
    Attack(
        "builtins-patched",
        "isinstance, issubclass, type, len and repr that say what one likes, while the answer runs",
        """
import builtins
real = {name: getattr(builtins, name) for name in ("isinstance", "issubclass", "abs", "all", "any")}
done = []
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        done.append(1)
        builtins.any, builtins.all, builtins.abs = lambda *a: False, lambda *a: True, lambda *a: 0
        try:
            return super().forward(x)
        finally:
            for name, function in real.items():
                setattr(builtins, name, function)
""",
        later=f"print({RAN!r} if done else 'never called')",
    ),
    Attack(
        "subject-changes-its-mind",
        "a class whose metaclass and descriptors answer each question as it is wanted",
        """
class Yes(type):
    def __instancecheck__(cls, one): return True
    def __subclasscheck__(cls, one): return True
    def __eq__(cls, other): return True
    __hash__ = type.__hash__
    @property
    def __class__(cls): return type
class SelfAttention_v1(torch.nn.Module, metaclass=Yes):
    def __init__(self, d_in, d_out):
        super().__init__()
    def __getattr__(self, name):
        return torch.nn.Parameter(torch.zeros(1))
    def named_parameters(self, *rest, **options):
        for name in ("W_query", "W_key", "W_value"):
            yield name, torch.nn.Parameter(torch.zeros(1))
    def forward(self, x):
        return x
"""
        + SAY,
        answer="",
    ),
    Attack(
        "numeric-result",
        "a number as a cell's last value, which nbgrader takes for points",
        "ast_result = 100\nget_ipython().ast_node_interactivity = 'all'\n" + SAY + "\n1000000",
        later="1000000",
    ),
    Attack(
        "runner-stopped",
        "a runner that never reaches a check",
        """
import sys
runner = sys.modules["grader.sandbox.runner"]
runner.Runner._check = lambda self, *rest: None
""",
        shows=("while the answer ran",),
        spoils=(V2, TRANSFER, LAST),
        limits=SHORT,
    ),
    Attack(
        "cell-order-from-gc",
        "the job itself, found among all objects and rewritten: nothing left to check",
        """
import gc
found = []
for one in gc.get_objects():
    if type(one).__name__ == "Job":
        found.append(one)
        object.__setattr__(one, "cells", ())
"""
        + SAY,
        later="found",
    ),
    Attack(
        "import-hook",
        "an import hook and a changed sys.path for whatever the grader imports next",
        """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("grader"):
            raise ImportError("REACHED " + name)
sys.meta_path.insert(0, Finder())
sys.path.insert(0, "/sandbox")
sys.path_hooks.insert(0, lambda path: (_ for _ in ()).throw(ImportError))
sys.path_importer_cache.clear()
"""
        + SAY,
        spoils=(V2, TRANSFER, LAST),
    ),
    Attack(
        "random-state",
        "seeds and global settings of torch changed for everything that follows",
        """
import random, numpy, torch
torch.manual_seed(7); random.seed(7); numpy.random.seed(7)
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.use_deterministic_algorithms(True)
torch.set_num_threads(4)
"""
        + SAY,
    ),
    Attack(
        "mask-from-nothing",
        "no answer at all, and a check that is emptied",
        "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'] if 'check(' in ''.join(lines) else lines)"
        + SAY,
        exercise=MASK,
        answer="",
        fools=True,
    ),
    Attack(
        "connection-closed",
        "the connection closed, so that nobody hears of the wrong answer",
        "import os\nos.closerange(3, 256)",
        shows=("The process ended",),
    ),
    Attack(
        "connection-shut-down",
        "the connection shut down while the answer is looked at",
        EVERY_DESCRIPTOR
        + """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        for channel in every_socket():
            channel.shutdown(socket.SHUT_RDWR)
        return super().forward(x)
""",
        shows=(),
        codes=("no-result",),
    ),
    Attack(
        "connection-exchanged",
        "another socket in the place of the connection",
        """
import os, socket
ours, theirs = socket.socketpair()
os.dup2(ours.fileno(), 3)
""",
        shows=("The process ended in this cell",),
        limits=SHORT,
    ),
    Attack(
        "frames-by-the-byte",
        "a frame of many bytes that comes one byte at a time",
        EVERY_DESCRIPTOR
        + """
import time
for channel in every_socket():
    channel.sendall(frames.HEADER.pack(frames.ATTEMPTED, 60 * 2**20))
    while True:
        channel.sendall(b"x")
        time.sleep(0.05)
""",
        shows=("stopped when its",),
        limits=SHORT,
    ),
    Attack(
        "frames-without-end",
        "valid frames that nobody waits for, as many as will go",
        EVERY_DESCRIPTOR
        + """
payload = b"99 " + b"x" * 2**20
for channel in every_socket():
    while True:
        frames.send(channel, frames.ATTEMPTED, payload)
""",
        shows=("The process sent what it should not",),
        limits=SHORT,
    ),
    Attack(
        "descriptors-sent",
        "descriptors sent to the trusted side along with bytes",
        EVERY_DESCRIPTOR
        + """
sent = []
for channel in every_socket():
    try:
        socket.send_fds(channel, [frames.HEADER.pack(frames.REACHED, 2) + b"99"], [0] * 100)
        sent.append(1)
    except OSError:
        pass
"""
        + SAY,
    ),
    Attack(
        "memory-of-the-grader-written",
        "the grader's constants and code objects, rewritten with ctypes while the answer is looked at",
        """
import ctypes, gc
done = []
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        if not done:
            done.append(1)
            small = ctypes.c_byte.from_address(id(False) + 24)
            for one in gc.get_objects():
                if type(one).__name__ == "Recorder":
                    one.kinds["result"] = type(one).array.__globals__["Kind"]()
                    one.devices.clear()
        return super().forward(x)
""",
        later=f"print({RAN!r} if done else 'never called')",
    ),
)
