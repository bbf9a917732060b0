"""Workers: every task has one result, whatever happens to the process that works on it."""

import multiprocessing.connection
import os
import signal
import time
from collections.abc import Callable, Iterator
from itertools import chain
from multiprocessing import Pipe
from pathlib import Path

import pytest

from grader.grading import workers as module
from grader.grading.workers import WorkerFailure, Workers

PATIENCE = 30.0


@pytest.fixture
def workers() -> Iterator[Callable[..., Workers]]:
    """Return a function that forks workers, which are gone after the test."""
    made = []

    def fork(work: Callable, count: int = 2, seconds: float = PATIENCE) -> Workers:
        made.append(Workers(count, work, seconds))
        return made[-1]

    yield fork
    for one in made:
        one.close()


# The results themselves, without the lists in which they come.
each = chain.from_iterable


def is_alive(process: int) -> bool:
    """Return whether a process is there."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("count", [1, 3])
def test_every_task_has_its_result(workers: Callable, count: int) -> None:
    """As many results as tasks, each with its task, from as many processes as asked for."""
    results = dict(each(workers(lambda task: (task * 2, os.getpid()), count).run(range(20))))
    assert {task: doubled for task, (doubled, _) in results.items()} == {task: task * 2 for task in range(20)}
    assert 1 <= len({process for _, process in results.values()}) <= count


def test_tasks_are_taken_as_they_are_needed(workers: Callable) -> None:
    """No more tasks are taken than there are workers and results that were taken."""
    taken = []
    results = workers(str).run(taken.append(number) or number for number in range(100))
    done = 0
    for come in results:
        done += len(come)
        assert len(taken) <= done + 2
        if done > 10:
            break


def test_what_is_there_only_later_is_taken_when_it_wakes(workers: Callable) -> None:
    """Where nothing is there at the moment, workers wait for what says that there is more."""
    here, there = Pipe()

    def tasks() -> Iterator[int | None]:
        while True:
            if not there.poll():
                yield None
            elif (task := there.recv()) is None:
                return
            else:
                yield task

    here.send(1)
    results = each(workers(str, count=2).run(tasks(), wake=[there]))
    assert next(results) == (1, "1")
    for task in (2, 3, None):
        here.send(task)
    assert dict(results) == {2: "2", 3: "3"}


def test_nobody_is_woken_while_all_are_busy(workers: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that waits for an idle worker does not have this process look for it all the time."""
    here, there = Pipe()
    here.send("more")
    calls = []
    wait = multiprocessing.connection.wait
    monkeypatch.setattr(module, "wait", lambda *given: calls.append(given) or wait(*given))
    results = each(workers(lambda task: time.sleep(0.3), count=1).run(iter((1, 2)), wake=[there]))
    assert [task for task, _ in results] == [1, 2]
    assert len(calls) < 20


def test_work_begins_before_a_result_is_asked_for(workers: Callable, tmp_path: Path) -> None:
    """The workers are busy with the first tasks while whoever asked does something else."""
    results = workers(lambda task: (tmp_path / str(task)).touch(), count=2).run(range(3))
    deadline = time.monotonic() + PATIENCE
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert {path.name for path in tmp_path.iterdir()} == {"0", "1"}
    assert {task for task, _ in each(results)} == {0, 1, 2}


def test_a_dead_worker_costs_one_more_try(workers: Callable, tmp_path: Path) -> None:
    """The task is tried again, and the others do not notice."""
    mark = tmp_path / "tried"

    def work(task: int) -> int:
        if task == 3 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return -task

    assert dict(each(workers(work).run(range(6)))) == {task: -task for task in range(6)}


def test_what_always_kills_its_worker_fails_alone(workers: Callable) -> None:
    """After two tries it is a failure that says how the process ended."""
    results = dict(each(workers(lambda task: os._exit(7) if task == 3 else task, 1).run(range(6))))
    assert "status 7" in results[3].reason
    assert {task: result for task, result in results.items() if task != 3} == {
        task: task for task in range(6) if task != 3
    }


def test_an_exception_is_a_failure(workers: Callable) -> None:
    """What a worker raises is told, not lost."""
    ((_, result),) = each(workers(lambda task: {}[task]).run(["key"]))
    assert result == WorkerFailure("KeyError: 'key'")


def test_who_takes_too_long_is_given_up(workers: Callable) -> None:
    """A worker that hangs, even stopped, is ended."""
    hanging = workers(lambda task: task or os.kill(os.getpid(), signal.SIGSTOP), seconds=1.0)
    results = dict(each(hanging.run(range(3))))
    assert "given up" in results[0].reason
    assert (results[1], results[2]) == (1, 2)


def test_workers_end_when_closed(workers: Callable) -> None:
    """Closing leaves no process, whatever it was doing."""
    forked = workers(lambda task: (os.getpid(), task and time.sleep(PATIENCE)))
    results = each(forked.run([0, 1]))
    _, (process, _) = next(results)
    forked.close()
    assert not is_alive(process)


def test_workers_end_with_the_process_that_forked_them(tmp_path: Path) -> None:
    """When the writer is killed nobody is left waiting."""
    file = tmp_path / "workers"
    child = os.fork()
    if child == 0:
        for _, process in each(Workers(2, lambda _: os.getpid(), PATIENCE).run(range(8))):
            with file.open("a") as out:
                out.write(f"{process}\n")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    processes = {int(line) for line in file.read_text().splitlines()}
    deadline = time.monotonic() + PATIENCE
    while any(map(is_alive, processes)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_alive, processes))
