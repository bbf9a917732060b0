"""What a learner's code sends in the grader's name can only be a wrong tensor, or its own outputs."""

import json
import struct
from collections.abc import Callable

import pytest
import torch

from grader.checking.judge import judge
from grader.checking.observation import Attempt, Observation, Problem
from grader.exercises import Exercise
from grader.proving.bank import Answer
from grader.references import ExerciseReference
from grader.sandbox import frames
from grader.sandbox.job import Cell, Job, Limits
from grader.sandbox.outputs import CUT, read_outputs
from grader.sandbox.sandbox import Sandbox
from grader.sandbox.wire import HostileError, load_json, pack_attempt, read_attempt
from grader.time_limits import Allowance
from tests.sandbox.conftest import CHECK, LIMITS, printed

# Writes frames to every descriptor there is, as the runner would.
FORGE = """
import os, struct
def forge(kind, payload):
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, struct.pack("<cI", kind, len(payload)) + payload)
        except OSError:
            pass
"""


@pytest.fixture
def wrong(answers: Callable[[str], dict[str, Answer]], exercise: Exercise) -> str:
    """Return a wrong answer."""
    return answers(exercise.id)["missing-scale"].program


@pytest.fixture
def right(answers: Callable[[str], dict[str, Answer]], exercise: Exercise) -> str:
    """Return a right answer."""
    return answers(exercise.id)["textbook"].program


PATCHES = {
    "allclose": "import torch\ntorch.allclose = lambda *a, **k: True\ntorch.equal = torch.allclose",
    "equality": "import torch\ntorch.Tensor.__eq__ = lambda a, b: torch.ones(a.shape, dtype=torch.bool)",
    "judge": "import grader.checking.judge as j\nj.judge = lambda *a: None",
    "check": "import grader\ngrader.check = check = lambda *a: print('3')",
    "attempt": "import grader.sandbox.runner as r\nr.attempt = lambda *a: r.Attempt()",
    "empty attempt": "import grader.sandbox.runner as r\nr.pack_attempt = lambda made: b''",
    "modules": "import sys\nfor name in [n for n in sys.modules if 'grader' in n]: del sys.modules[name]",
    "recorder": "from grader.checking.recording import Recorder\nRecorder.result = lambda *a: True",
    "transformer": "get_ipython().input_transformers_post.append(lambda lines: ['print(3)\\n'])",
    "hooks": "get_ipython().events.register('pre_run_cell', lambda info: setattr(info, 'raw_cell', '3'))",
    "exit": "import atexit, os\natexit.register(os._exit, 0)",
}


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_patches_make_no_answer_right(
    run_checked: Callable, exercise: Exercise, reference: ExerciseReference, wrong: str, patch: str
) -> None:
    """A wrong answer stays wrong, whatever is put in the place of others' functions."""
    run = run_checked(wrong, patch, CHECK)
    assert judge(exercise, reference, run.attempts[exercise.id], "cpu").status == "failed"


@pytest.mark.parametrize(
    "forgery",
    [
        "forge(b'a', b'1 ' + b'passed')",
        "forge(b'd', b'0 ran []'); forge(b'r', b'1'); forge(b'a', b'1 ' + b'{}')",
        "forge(b'f', b'')",
        "forge(b'd', b'1 ran []')",
        "forge(b'd', b'99 ran []')",
        "forge(b's', b'')",
        "forge(b'z', b'x')",
        "os.write(3, b'garbage' * 1000)",
        "os.write(3, struct.pack('<cI', b'd', 2**32 - 1))",
        "os.write(3, struct.pack('<cI', b'a', 70 * 2**20))",
        "forge(b'd', b'0 passed []')",
        "forge(b'd', b'0 ran ' + b'[' * 50000)",
        "forge(b'd', b'-1 ran []')",
    ],
)
def test_forged_frames_score_nothing(
    run_checked: Callable, exercise: Exercise, reference: ExerciseReference, wrong: str, forgery: str
) -> None:
    """No frame makes a wrong answer right, and the run comes to its end."""
    run = run_checked(f"{wrong}\n{FORGE}\n{forgery}", CHECK, "print('after')", limits=LIMITS)
    assert len(run.cells) == 3
    assert judge(exercise, reference, run.attempts[exercise.id], "cpu").status == "failed"


def test_forgery_does_not_touch_the_next_exercise(
    run_checked: Callable, exercise: Exercise, reference: ExerciseReference, right: str
) -> None:
    """A cell that is said to be done twice takes nothing from a right answer after it."""
    run = run_checked(f"{FORGE}\nforge(b'd', b'0 ran []')", right, CHECK)
    assert judge(exercise, reference, run.attempts[exercise.id], "cpu").status == "passed"


def test_late_thread_changes_no_verdict(
    run_checked: Callable, exercise: Exercise, reference: ExerciseReference, wrong: str
) -> None:
    """Frames of a thread that goes on after its cell make nothing right."""
    late = "[forge(b'a', b'2 {}') for _ in range(9999)]"
    thread = f"from threading import Thread\nThread(target=lambda: {late}).start()"
    run = run_checked(wrong, f"{FORGE}\n{thread}", CHECK)
    assert judge(exercise, reference, run.attempts[exercise.id], "cpu").status == "failed"


def test_exercise_s_cases_are_not_there_before_it(run_checked: Callable, exercise: Exercise) -> None:
    """Cells before an exercise find none of its inputs in memory."""
    look = "import gc\nprint([one for one in gc.get_objects() if type(one).__name__ == 'Case'])"
    run = run_checked(look, CHECK)
    assert printed(run.cells[0]) == "[]\n"


def test_other_jobs_left_nothing_in_memory(run_cells: Callable) -> None:
    """What one job defines and prints is not in the memory that the next one inherits."""
    run_cells("secret = 'a-secret-' + 'of-somebody'\nprint(secret)")
    look = (
        "import gc\nprint([1 for o in gc.get_objects() if type(o) is dict and {'secret', '_oh'} <= o.keys()])"
    )
    assert printed(run_cells(look)[0]) == "[]\n"


def attempt_of(facts: object, tensors: bytes = b"", header: dict | None = None) -> bytes:
    """Return the bytes of an attempt with any facts and header."""
    text = json.dumps({"__metadata__": {"facts": json.dumps(facts)}, **(header or {})}).encode()
    return struct.pack("<Q", len(text)) + text + tensors


def seen(**changes: object) -> dict:
    """Return the facts of an attempt on one case, with some of them changed."""
    one = {"case": "one", "devices": {}, "kinds": {}, "registered": None, "buffers": [], "stranded": []}
    one["shared"] = []
    one |= {"flags": {}, "attributes": {}}
    one |= {"calls": [], "raised": None, "later_errors": {}, "side_effects": [], "second_cause": ""}
    return {"problem": None, "observations": [{**one, **changes}]}


def tensor(name: str, dtype: str = "F32", shape: tuple = (1,), end: int = 4) -> dict:
    """Return the header's entry of a tensor."""
    return {name: {"dtype": dtype, "shape": list(shape), "data_offsets": [0, end]}}


HOSTILE = {
    "nothing": b"",
    "short": b"\x01\x02",
    "giant header": struct.pack("<Q", 2**63) + b"{}",
    "header past the end": struct.pack("<Q", 100) + b"{}",
    "no object": struct.pack("<Q", 2) + b"[]",
    "no metadata": struct.pack("<Q", 2) + b"{}",
    "deep header": struct.pack("<Q", 10**5) + b"[" * 10**5,
    "deep facts": attempt_of(json.loads("[" * 500 + "]" * 500)),
    "no observations": attempt_of({"problem": None}),
    "no case": attempt_of({"problem": None, "observations": []}),
    "other case": attempt_of(seen(case="two")),
    "twice": attempt_of({"problem": None, "observations": seen()["observations"] * 2}),
    "unknown code": attempt_of({"problem": {"code": "passed", "sentence": ""}}),
    "problem of another kind": attempt_of({"problem": [1]}),
    "kinds of another kind": attempt_of(seen(kinds=[1])),
    "kind no kind": attempt_of(seen(kinds={"result": 3})),
    "kind of no form": attempt_of(seen(kinds={"result": {"name": "", "form": "{0}", "detail": ""}})),
    "unknown flag": attempt_of(seen(flags={"passed": True})),
    "giant attribute": attempt_of(seen(attributes={"d_out": 2**80})),
    "registered no list": attempt_of(seen(registered="W")),
    "registered too long": attempt_of(seen(registered=["W"] * 20_000)),
    "raised no object": attempt_of(seen(raised="error")),
    "unknown device": attempt_of(seen(devices={"result": "disk"})),
    "later errors": attempt_of(seen(later_errors={"again": 3})),
    "unknown dtype": attempt_of(seen(), bytes(4), tensor("0/result", "F8_E4M3")),
    "unknown role": attempt_of(seen(), bytes(4), tensor("0/score")),
    "odd name": attempt_of(seen(), bytes(4), tensor("0/result/\n")),
    "name without a case": attempt_of(seen(), bytes(4), tensor("result")),
    "tensor of no case": attempt_of(seen(), bytes(4), tensor("1/result")),
    "giant shape": attempt_of(seen(), bytes(4), tensor("0/result", shape=(2**40,))),
    "giant product": attempt_of(seen(), bytes(4), tensor("0/result", shape=(2**20, 2**20))),
    "empty giant": attempt_of(seen(), b"", tensor("0/result", shape=(0, 2**40), end=0)),
    "negative shape": attempt_of(seen(), bytes(4), tensor("0/result", shape=(-1,))),
    "shape no numbers": attempt_of(seen(), bytes(4), tensor("0/result", shape=("1",))),
    "shape of booleans": attempt_of(seen(), bytes(4), tensor("0/result", shape=(True,))),
    "many axes": attempt_of(seen(), bytes(4), tensor("0/result", shape=(1,) * 100)),
    "offsets past the end": attempt_of(seen(), bytes(4), tensor("0/result", shape=(100,), end=400)),
    "offsets of another size": attempt_of(seen(), bytes(4), tensor("0/result", shape=(2,))),
    "pickle": b"\x80\x04\x95" + bytes(100),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_attempt_is_refused(content: bytes) -> None:
    """What no honest process would send is one kind of error, which becomes the answer's own problem."""
    with pytest.raises(HostileError):
        read_attempt(content, ["one"])


def test_every_cut_of_an_attempt_is_refused_or_whole() -> None:
    """No truncated or changed byte of an attempt raises anything else."""
    honest = pack_attempt(
        Attempt((Observation("one", {"result": torch.arange(3.0)}, {"result": "cpu"}, {}),))
    )
    for place in range(0, len(honest), 3):
        for content in (honest[:place], honest[:place] + b"\xff" + honest[place + 1 :]):
            try:
                read_attempt(content, ["one"])
            except HostileError:
                continue


def test_texts_of_an_attempt_are_cleaned() -> None:
    """Control sequences, lone surrogates and endless texts do not reach a verdict."""
    error = {
        "type_name": "E" * 5000,
        "message": "\x1b[31mred\x00\ud800" + "x" * 5000,
        "line": 4,
        "function": "",
        "source": "\u202eline",
        "own": True,
        "bases": [],
    }
    (one,) = read_attempt(attempt_of(seen(raised=error, calls=["a\x07"])), ["one"]).observations
    assert len(one.raised.type_name) == 200
    assert one.raised.message.startswith("redx")
    assert len(one.raised.message) <= 2000
    assert (one.raised.line, one.raised.source) == (4, "line")
    assert one.calls == ("a",)
    one.raised.message.encode()


@pytest.mark.parametrize(
    "text", [b"NaN", b"[Infinity]", b"[" * 10**5, b"{", b"\xff", b'{"a": 1' + b"0" * 5000 + b"}"]
)
def test_hostile_json_is_refused(text: bytes) -> None:
    """Numbers that are none, depth without end and broken text are one kind of error."""
    with pytest.raises(HostileError):
        load_json(text)


def outputs_of(*values: object, limits: Limits = LIMITS) -> tuple:
    """Return what is kept of outputs as they arrive."""
    return read_outputs(json.dumps(values).encode(), limits)


def test_outputs_keep_text_and_pictures_alone() -> None:
    """HTML, JavaScript, widgets and metadata are left out; control sequences are taken from the text."""
    data = {"text/plain": "\x1b[1mbold\x1b[0m", "text/html": "<script>", "application/javascript": "x"}
    (kept,) = outputs_of({"output_type": "display_data", "data": data, "metadata": {"isolated": True}})
    assert kept == {"output_type": "display_data", "metadata": {}, "data": {"text/plain": "bold"}}


def test_picture_that_is_none_is_left_out() -> None:
    """What is called a PNG has to begin like one, and to be small enough."""
    (kept,) = outputs_of(
        {"output_type": "display_data", "data": {"image/png": "PHN2Zz4=", "text/plain": "x"}}
    )
    assert "image/png" not in kept["data"]
    assert "left out" in kept["data"]["text/plain"]


def test_progress_bar_shows_its_last_line() -> None:
    """What overwrites its own line is kept as it looked in the end."""
    (kept,) = outputs_of({"output_type": "stream", "name": "stderr", "text": "10%\r50%\r100%\ndone\n"})
    assert kept["text"] == "100%\ndone\n"


def test_lines_are_bounded() -> None:
    """So many lines are kept, with a remark."""
    (kept, *rest) = outputs_of({"output_type": "stream", "name": "stdout", "text": "x\n" * 5000})
    assert kept["text"].endswith(f"{CUT}\n")
    assert kept["text"].count("\n") <= LIMITS.output_lines + 2
    assert not rest


@pytest.mark.parametrize(
    "value",
    [
        3,
        {"output_type": "pickle"},
        {"output_type": "stream", "name": "stdout", "text": 3},
        {"output_type": "stream", "name": "secret", "text": ""},
        {"output_type": "display_data", "data": []},
        {"output_type": "error", "ename": 1, "evalue": "", "traceback": []},
        {"output_type": "error", "ename": "", "evalue": "", "traceback": [1]},
        {"output_type": "display_data", "data": {"text/plain": {}}},
    ],
)
def test_hostile_output_is_refused(value: object) -> None:
    """What no honest process would send is one kind of error."""
    with pytest.raises(HostileError):
        outputs_of(value)


def test_frames_are_counted_and_bounded() -> None:
    """A sender's total is bounded, whatever its frames say."""
    import socket  # noqa: PLC0415 - used once
    import time  # noqa: PLC0415 - used once

    ours, theirs = socket.socketpair()
    with ours, theirs:
        receiver = frames.Receiver(ours, 100)
        frames.send(theirs, frames.DONE, bytes(50))
        assert receiver.receive({frames.DONE: 60}, Allowance(1, time.monotonic)) == (frames.DONE, bytes(50))
        frames.send(theirs, frames.DONE, bytes(60))
        with pytest.raises(frames.FrameError):
            receiver.receive({frames.DONE: 60}, Allowance(1, time.monotonic))


def test_frames_that_nobody_waits_for_end_their_sender(run_cells: Callable) -> None:
    """Some are passed over; a flood of them costs its own cell, and no other."""
    few, flood = (
        f"{FORGE}\nfor _ in range({count}):\n    forge(b'd', b'999 ran []')" for count in (10, 30_000)
    )
    before, passed, after, ended, last = run_cells("1", few, "1 + 1", flood, "1 + 2")
    assert (before.status, passed.status, after.status, last.status) == ("ran",) * 4
    assert ended.status == "ended"
    assert "sent what it should not" in printed(ended)
    assert "'3'" in str(last.outputs)


def test_slow_sender_is_not_waited_for() -> None:
    """Half a frame, and then nothing, ends with the time."""
    import socket  # noqa: PLC0415 - used once
    import time  # noqa: PLC0415 - used once

    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(b"d\x10\x00\x00\x00half")
        with pytest.raises(frames.SlowError):
            frames.Receiver(ours, 100).receive({frames.DONE: 60}, Allowance(0.05, time.monotonic))


def test_garbled_attempt_is_a_failed_answer(sandbox: Sandbox, exercise: Exercise) -> None:
    """An attempt that cannot be read costs that answer, and raises nothing here."""
    patch = "import grader.sandbox.runner as r\nr.pack_attempt = lambda made: b'garbage'"
    run = sandbox.run(Job((Cell(patch), Cell("", exercise.id)), {exercise.id: ()}, LIMITS))
    assert run.attempts[exercise.id] == Attempt(problem=Problem("garbled"))
