"""A class that is graded on other machines: as on this one, whatever happens to scheduler and workers."""

import os
import re
import shutil
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from multiprocessing import Pipe
from pathlib import Path

import dask.config
import msgpack
import pytest
import trustme
from click.testing import CliRunner
from distributed import Future
from machines import PATIENCE, Machines

from grader.cli import main
from grader.cluster import client
from grader.cluster.client import Cluster
from grader.cluster.foreman import Foreman
from grader.cluster.relay import REGISTERED
from grader.cluster.wire import Reply, Sent, Setup, pack_batch, unpack_batch
from grader.course.paths import CoursePaths
from grader.errors import GraderError
from grader.exercises import find_chapter
from grader.gradebook.writer import ClassGradebook
from grader.grading import class_run
from grader.grading.class_run import ClassRun
from grader.grading.course_directory import course_directory, read_config
from grader.grading.master import load_master, released_notebook
from grader.grading.result_files import Places
from grader.grading.sample_class import make_sample_class
from grader.grading.student_result import StudentResult
from grader.grading.submission_grader import SubmissionGrader
from grader.grading.submissions import Submission, students_with_folder
from grader.grading.workers import WorkerFailure
from grader.messages import Message
from grader.sandbox.sandbox import Sandbox

STEM, STUDENTS = "ch02_dot_product_attention", 24
# Of a worker with two processes.
THREADS = 3
ROLES = ("scheduler", "worker", "client")
# A worker that mixes up whose record is whose.
LIAR = """
import asyncio, sys
from distributed import Worker
import grader.cluster.relay as relay
from grader.cluster.wire import Reply, unpack_batch
from grader.exercises import find_chapter
from grader.course.paths import find_course
from grader.grading.master import load_master
from grader.grading.submission_grader import SubmissionGrader
from grader.messages import Message
from pathlib import Path

class Foreman:
    def ask(self, message):
        setup, batch = unpack_batch(message)
        chapter, paths = find_chapter(setup.assignment), find_course(Path(COURSE))
        record = SubmissionGrader(load_master(chapter, paths), None).refused(Message("Anything."))
        return Reply("liar", (record,) * len(batch)).pack()

relay._foremen.append(Foreman())

async def serve():
    worker = await Worker(sys.argv[1], nthreads=3, name="liar", memory_limit=0)
    print("Worker liar", flush=True)
    await worker.finished()

asyncio.run(serve())
"""


@dataclass(frozen=True)
class Graded:
    """A class in a folder of its own, and how it is graded."""

    root: Path

    def run(self, scheduler: str = "", say: Callable[[str], None] = print) -> Iterator[StudentResult]:
        """Grade it, here or on a cluster."""
        paths, chapter = CoursePaths(self.root), find_chapter(STEM)
        config = read_config(paths)
        directory, master = course_directory(paths, config), load_master(chapter, paths)

        def open_gradebook() -> ClassGradebook:
            return ClassGradebook(directory, config, STEM, released_notebook(master))

        handed_in = students_with_folder(directory, STEM)
        if scheduler:
            run = ClassRun(
                directory,
                SubmissionGrader(master, None),
                0,
                elsewhere=lambda run: Cluster(scheduler, run, say),
            )
            yield from run.run(open_gradebook, handed_in)
            return
        with Sandbox("none") as sandbox:
            yield from ClassRun(directory, SubmissionGrader(master, sandbox), 2).run(
                open_gradebook, handed_in
            )

    def places(self) -> Places:
        """Return where its results are."""
        paths = CoursePaths(self.root)
        return Places(course_directory(paths, read_config(paths)), STEM)


def told(results: Iterator[StudentResult]) -> dict[str, object]:
    """Return each student's result without its time; nobody has two."""
    made = list(results)
    assert len({one.student for one in made}) == len(made)
    return {one.student: replace(one, seconds=0.0) for one in made}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """Return a sample class with a folder that has two notebooks, a blank one and one with answers."""
    root = tmp_path_factory.mktemp("sample") / "course"
    course = CoursePaths(repository)
    make_sample_class(find_chapter(STEM), course, root, STUDENTS, 5)
    folders = sorted((root / "submitted").iterdir())
    blank = course.student(find_chapter(STEM)).read_bytes()
    mixed = folders[0] / STEM / f"{STEM}.ipynb"
    mixed.with_name(f"{STEM}-Copy1.ipynb").write_bytes(mixed.read_bytes())
    mixed.write_bytes(blank)
    (folders[1] / STEM / f"{STEM}.ipynb").write_bytes(b"\xffno notebook")
    return root


@pytest.fixture
def new_class(sample: Path, tmp_path: Path) -> Callable[[str], Graded]:
    """Return a function that makes another such class."""

    def make(name: str) -> Graded:
        return Graded(Path(shutil.copytree(sample, tmp_path / name)))

    return make


@pytest.fixture(scope="module")
def expected(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """Return what grading here gives."""
    root = Path(shutil.copytree(sample, tmp_path_factory.mktemp("here") / "course"))
    return told(Graded(root).run())


@pytest.fixture
def machines(sample: Path, tmp_path: Path) -> Iterator[Machines]:
    """Return machines that end with the test."""
    made = Machines(tmp_path / "machines", sample)
    made.folder.mkdir()
    yield made
    made.end()


def test_other_machines_grade_as_this_one(
    new_class: Callable, machines: Machines, expected: dict[str, object]
) -> None:
    """Two workers with folders of their own: the same results; a second run finds nothing to do."""
    _, address = machines.scheduler()
    workers = [machines.worker(address) for _ in range(2)]
    made = new_class("made")
    assert told(made.run(address)) == expected
    again = told(made.run(address))
    assert again == {name: replace(one, fresh=False) for name, one in expected.items()}
    assert {one.process.poll() for one in workers} == {None}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["lost", "slow"])
def test_what_a_worker_does_not_finish_another_does(
    number: signal.Signals,
    new_class: Callable,
    machines: Machines,
    expected: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its machine loses power, or answers no more: nobody is lost, nobody has two results."""
    monkeypatch.setattr(client, "SLOW_SECONDS", 1.0)
    _, address = machines.scheduler()
    first, _ = machines.worker(address), machines.worker(address)
    results = new_class("made").run(address)
    some = [next(results) for _ in range(3)]
    first.signal(number)
    assert told([*some, *results]) == expected


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (signal.SIGSTOP, r"Worker \S+ is not used any more: it does not send what it has graded\."),
        (signal.SIGKILL, r"No worker is left; start one: grader worker \S+"),
    ],
    ids=["stopped", "lost"],
)
def test_a_worker_that_keeps_what_it_graded_is_not_waited_for(
    number: signal.Signals,
    sentence: str,
    new_class: Callable,
    machines: Machines,
    expected: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It ends between grading and sending, when it is the only one: that is said, and another one grades."""
    monkeypatch.setattr(client, "PATIENCE", 3.0)
    _, address = machines.scheduler()
    only = machines.worker(address)
    real, said, ended = Cluster._fetched, list[str](), list[Future]()

    def fetched(cluster: Cluster, future: Future) -> bytes:
        if not ended:
            ended.append(future)
            only.signal(number)
            if number == signal.SIGSTOP:
                machines.worker(address)
        return real(cluster, future)

    def say(one: str) -> None:
        said.append(one)
        if number == signal.SIGKILL:
            machines.unregistered_worker(address)

    monkeypatch.setattr(Cluster, "_fetched", fetched)
    assert told(new_class("made").run(address, say)) == expected
    assert [bool(re.fullmatch(sentence, one)) for one in said] == [True]


def test_a_new_worker_takes_over_where_none_is_left(
    new_class: Callable, machines: Machines, expected: dict[str, object]
) -> None:
    """The class waits, and says what for."""
    _, address = machines.scheduler()
    first = machines.worker(address)
    said: list[str] = []

    def say(sentence: str) -> None:
        said.append(sentence)
        machines.unregistered_worker(address)

    results = new_class("made").run(address, say)
    some = [next(results) for _ in range(3)]
    first.signal(signal.SIGKILL)
    assert told([*some, *results]) == expected
    assert said == [f"No worker is left; start one: grader worker {address}"]


def test_a_lost_scheduler_ends_the_run_and_the_next_goes_on(
    new_class: Callable, machines: Machines, expected: dict[str, object]
) -> None:
    """What was graded is kept and not graded again; a worker that is still there finds the new scheduler."""
    scheduler, address = machines.scheduler()
    worker = machines.worker(address)
    made = new_class("made")
    results = made.run(address)
    some = [next(results) for _ in range(3)]
    scheduler.signal(signal.SIGKILL)
    with pytest.raises(GraderError, match=r"is gone\. What was graded is recorded; run this again"):
        some += results
    worker.expect("waiting for it")
    machines.scheduler("--port", address.rpartition(":")[2])
    worker.expect("Worker ")
    done = told(made.run(address))
    kept = {one.student for one in some}
    assert {name for name, one in done.items() if not one.fresh and one.status != "missing"} == kept
    assert {name: replace(one, fresh=True) for name, one in done.items()} == expected


def test_a_scheduler_that_answers_no_more_ends_the_run(
    new_class: Callable, machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked for a while, and then it is gone, too."""
    scheduler, address = machines.scheduler()
    machines.worker(address)
    monkeypatch.setattr(client, "PATIENCE", 3.0)
    results = new_class("made").run(address)
    some = [next(results) for _ in range(3)]
    scheduler.signal(signal.SIGSTOP)
    with pytest.raises(GraderError, match=r"is gone\. What was graded is recorded"):
        some += results
    assert len(some) < STUDENTS


def test_a_worker_with_another_course_is_refused_by_name(
    new_class: Callable, machines: Machines, expected: dict[str, object]
) -> None:
    """The others grade; if there are no others, the run says so."""

    def change(course: Path) -> None:
        (course / "course.toml").write_text("[partial-credit]\nmissing-scale = 0.5\n")

    _, address = machines.scheduler()
    machines.worker(address, change)
    with pytest.raises(GraderError, match="No worker of this scheduler may grade"):
        told(new_class("alone").run(address))
    machines.worker(address)
    said: list[str] = []
    assert told(new_class("made").run(address, said.append)) == expected
    assert all("is refused: the master notebook is" in one for one in said)


def test_a_record_of_another_submission_is_not_taken(
    new_class: Callable, machines: Machines, expected: dict[str, object]
) -> None:
    """A worker that sends one is named and not used any more."""
    _, address = machines.scheduler()
    machines.program(address, LIAR.replace("COURSE", repr(str(machines.course)))).expect("Worker ")
    machines.worker(address)
    said: list[str] = []
    assert told(new_class("made").run(address, said.append)) == expected
    assert said == ["Worker liar is not used any more: it sent another submission's record."]


def test_only_as_many_submissions_are_read_as_workers_have_room(
    new_class: Callable, machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in flight does not grow with the class; results are taken here one by one."""
    monkeypatch.setattr(client, "BATCH", 1)
    monkeypatch.setattr(class_run, "LINGER_SECONDS", 0.0)
    _, address = machines.scheduler()
    machines.worker(address)
    opened: list[str] = []
    real = ClassRun.opened
    monkeypatch.setattr(ClassRun, "opened", lambda run, name: opened.append(name) or real(run, name))
    with closing(new_class("made").run(address)) as results:
        for taken, _ in enumerate(results, 1):
            assert len(opened) <= taken + 2 * THREADS
    assert len(opened) > 2 * THREADS


def test_machines_speak_over_tls_alone(
    new_class: Callable,
    machines: Machines,
    expected: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """With certificates as Dask's configuration names them; whoever has none is not let in."""
    authority = trustme.CA()
    own = authority.issue_cert("127.0.0.1", "localhost")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    own.private_key_and_cert_chain_pem.write_to_path(tmp_path / "own.pem")
    tls = {
        "distributed.comm.require-encryption": True,
        "distributed.comm.tls.ca-file": str(tmp_path / "ca.pem"),
    }
    tls |= {f"distributed.comm.tls.{role}.cert": str(tmp_path / "own.pem") for role in ROLES}
    for name, value in tls.items():
        variable = "DASK_" + name.replace(".", "__").replace("-", "_").upper()
        machines.environment[variable] = str(value)
    _, address = machines.scheduler("--protocol", "tls")
    assert address.startswith("tls://")
    machines.worker(address)
    monkeypatch.setattr(client, "PATIENCE", 3.0)
    with pytest.raises(GraderError, match="No Dask scheduler answers"):
        told(new_class("outside").run(address))
    with dask.config.set(tls):
        assert told(new_class("made").run(address)) == expected


def test_without_scheduler_or_worker_it_says_what_to_start(
    new_class: Callable, machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written."""
    monkeypatch.setattr(client, "PATIENCE", 1.0)
    made = new_class("made")
    with pytest.raises(GraderError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        told(made.run("tcp://127.0.0.1:1"))
    _, address = machines.scheduler()
    with pytest.raises(
        GraderError, match=f"has no worker. Start one on each machine: grader worker {address}"
    ):
        told(made.run(address))
    assert not (made.root / "gradebook.db").exists()


def test_the_command_grades_and_regrades_on_a_cluster(new_class: Callable, machines: Machines) -> None:
    """And refuses options that are a worker's."""
    _, address = machines.scheduler()
    machines.worker(address)
    made = new_class("made")
    where = [STEM, "--course", str(made.root), "--scheduler", address]
    done = CliRunner().invoke(main, ["grade", *where])
    assert done.exit_code == 1, done.output  # one notebook is none, and one is blank
    again = CliRunner().invoke(main, ["regrade", *where])
    assert again.exit_code == 0, again.output
    assert "Nothing is to be written" in again.output
    for option in (["--workers", "2"], ["--isolation", "none"]):
        refused = CliRunner().invoke(main, ["grade", *where, *option])
        assert refused.exit_code == 2
        assert f"With --scheduler, {option[0]} is an option of grader worker." in refused.output


@pytest.fixture(scope="module")
def setup(sample: Path) -> Setup:
    """Return the setup of this process with the class's course."""
    master = load_master(find_chapter(STEM), CoursePaths(sample))
    return Setup.here(master, "cpu", SubmissionGrader(master, None).limits)


def test_messages_keep_all_but_names_and_times(setup: Setup) -> None:
    """Notes and names of files may hold any sign that a file's name can."""
    note = Message("a \udcff note")
    submission = Submission(b"\x00\xff", None, (note,), {"a.py": "1"}, ("b \udcff.ipynb",))
    sent = [Sent(submission, {"b \udcff.ipynb": b"{}"}), Sent(Submission(b"", None, ()))]
    assert unpack_batch(pack_batch(setup, sent)) == (setup, sent)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\xff",
        msgpack.packb([]),
        msgpack.packb({"worker": "a", "refused": []}),
        msgpack.packb({"worker": "a", "refused": [], "results": [{}]}),
        msgpack.packb({"worker": "a", "refused": [], "results": [{"record": "{}"}]}),
        msgpack.packb({"worker": "a", "refused": [], "results": [{"record": "["}]}),
    ],
)
def test_damaged_replies_are_told(message: bytes) -> None:
    """Whatever a worker sends."""
    with pytest.raises(GraderError, match="damaged"):
        Reply.unpack(message)


def test_replies_keep_failures_and_refusals() -> None:
    """They arrive as they were sent."""
    reply = Reply("a", (WorkerFailure("It ended."),), ("another course",))
    assert Reply.unpack(reply.pack()) == reply


def test_each_part_of_a_setup_that_differs_is_named(setup: Setup) -> None:
    """The key covers all, so it is named only if nothing else explains the difference."""
    assert setup.differences(setup) == ()
    for name in setup.parts:
        other = replace(setup, parts={**setup.parts, name: "other", "the key": "other"})
        assert setup.differences(other) == (f"{name} is other, not {setup.parts[name]}",)


def test_a_batch_ahead_of_the_registration_is_answered(sample: Path, setup: Setup) -> None:
    """Dask may hand out work before it says that the worker is known: nobody waits for a second batch."""
    here, there = Pipe()
    seen: list[str] = []
    submission = Submission(b"no notebook", None, ())
    with Sandbox("none") as sandbox:
        foreman = Foreman(there, "one", sample, 1, sandbox, lambda: seen.append("registered"))
        here.send((0, pack_batch(setup, [Sent(submission)])))
        here.send((REGISTERED, b""))
        serving = threading.Thread(target=foreman.serve, daemon=True)
        serving.start()
        assert here.poll(PATIENCE)
        ticket, message = here.recv()
        with socket.socket(fileno=os.dup(here.fileno())) as line:  # forked graders hold this end, too
            line.shutdown(socket.SHUT_RDWR)
        serving.join(PATIENCE)
    reply = Reply.unpack(message)
    assert (ticket, reply.refused, reply.results[0].status) == (0, (), "error")
    assert (seen, serving.is_alive()) == (["registered"], False)
