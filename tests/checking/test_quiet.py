"""Keeping a learner's output out of the check."""

import contextlib
import io
import logging
import os
import subprocess
import sys
import warnings

import pytest

from grader.checking.quiet import quiet


def by_print() -> None:
    """Print."""
    print("noise")  # noqa: T201 - that is what is tested


def by_stderr() -> None:
    """Write to stderr, as a progress bar does."""
    sys.stderr.write("\r 50%|#####     |")


def by_descriptor() -> None:
    """Write past Python's streams, as a C library does."""
    os.write(1, b"noise")
    os.write(2, b"noise")


def by_process() -> None:
    """Have another process write."""
    subprocess.run([sys.executable, "-S", "-c", "import os; os.write(2, b'noise')"], check=True)


@pytest.mark.parametrize("make_noise", [by_print, by_stderr, by_descriptor, by_process])
def test_nothing_comes_through(make_noise, capfd: pytest.CaptureFixture) -> None:
    """Whatever way a learner's output takes, nothing of it arrives."""
    with quiet():
        make_noise()
    assert capfd.readouterr() == ("", "")


def test_warning_is_swallowed() -> None:
    """A warning neither shows nor, where warnings are errors, raises."""
    with quiet():
        warnings.warn("noise", stacklevel=1)


def test_unfinished_line_does_not_arrive_later(
    capfd: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Python's original stderr still buffers at the end of the block is swallowed with the rest."""
    with os.fdopen(2, "w", closefd=False) as buffered:
        monkeypatch.setattr(sys, "__stderr__", buffered)
        with quiet():
            sys.__stderr__.write("noise")
    assert capfd.readouterr().err == ""


def test_logging_handler_made_before_is_muted(capfd: pytest.CaptureFixture) -> None:
    """A logging handler that holds the stream from before writes nothing."""
    logger, handler = logging.getLogger("learner"), logging.StreamHandler(sys.stderr)
    logger.addHandler(handler)
    try:
        with quiet():
            logger.error("noise")
    finally:
        logger.removeHandler(handler)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("fails", [False, True], ids=["after-success", "after-an-error"])
def test_output_works_again_afterwards(fails: bool, capfd: pytest.CaptureFixture) -> None:
    """After the block, whether it ended or raised, streams and descriptors write again."""
    with contextlib.suppress(ZeroDivisionError), quiet():
        _ = 1 / (0 if fails else 1)
    by_print()
    sys.stdout.flush()
    os.write(2, b"descriptor")
    assert capfd.readouterr() == ("noise\n", "descriptor")


def test_output_before_is_kept(capfd: pytest.CaptureFixture) -> None:
    """What was printed before the block and not flushed yet is not lost."""
    by_print()
    with quiet():
        pass
    assert capfd.readouterr().out == "noise\n"


def test_one_stream_for_both_works() -> None:
    """Output is muted, and works again, when stdout and stderr are the same object."""
    both = io.StringIO()
    with contextlib.redirect_stdout(both), contextlib.redirect_stderr(both):
        with quiet():
            by_print()
        both.write("after")
    assert both.getvalue() == "after"


def test_a_stream_keeps_its_own_write() -> None:
    """A stream whose ``write`` somebody replaced has that ``write`` again afterwards."""
    stream, written = io.StringIO(), []
    stream.write = written.append
    with contextlib.redirect_stdout(stream):
        with quiet():
            by_print()
        stream.write("after")
    assert written == ["after"]


def test_blocks_nest(capfd: pytest.CaptureFixture) -> None:
    """A quiet block inside another leaves the outer one quiet."""
    with quiet():
        with quiet():
            by_print()
        by_print()
        by_descriptor()
    assert capfd.readouterr() == ("", "")
