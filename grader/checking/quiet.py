"""Keep what a learner's code prints, warns or logs out of the check cell.

nbgrader gives a cell no points if it writes to stderr, and output of a correct answer should not cost points.
There are three routes: the current ``sys.stderr``, a stream that a logging handler kept earlier, and file
descriptor 2.
"""

import contextlib
import io
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator


def _flush(*streams: object) -> None:
    """Flush the streams; one that Python started without is None."""
    for stream in streams:
        if stream is not None:
            stream.flush()


@contextlib.contextmanager
def _descriptors_muted() -> Iterator[None]:
    """Redirect file descriptors 1 and 2 to a temporary file."""
    saved = {number: os.dup(number) for number in (1, 2)}
    try:
        with tempfile.TemporaryFile() as sink:
            for number in saved:
                os.dup2(sink.fileno(), number)
            try:
                yield
            finally:
                _flush(sys.__stdout__, sys.__stderr__)
    finally:
        for number, copy in saved.items():
            os.dup2(copy, number)
            os.close(copy)


@contextlib.contextmanager
def _streams_muted(*streams: object) -> Iterator[None]:
    """Make ``write`` of stream objects that other code may hold do nothing."""
    muted = {id(stream): stream for stream in streams if hasattr(stream, "__dict__")}.values()
    own = [(stream, vars(stream).get("write")) for stream in muted]
    for stream in muted:
        stream.write = len
    try:
        yield
    finally:
        for stream, write in own:
            if write is None:
                del stream.write
            else:
                stream.write = write


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Discard everything the block prints, on streams and descriptors, and its warnings."""
    _flush(sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
    with (
        _streams_muted(sys.stdout, sys.stderr),
        _descriptors_muted(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(action="ignore"),
    ):
        yield
