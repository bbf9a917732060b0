"""Keep what a learner's code prints, warns or logs out of the check cell.

nbgrader gives a cell no points if anything of it arrives on stderr, and nothing a correct answer prints
should cost its points. Three ways lead there: ``sys.stderr`` as it is now, a reference to the stream that a
logging handler took earlier, and file descriptor 2.
"""

import contextlib
import io
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator


def _flush(*streams: object) -> None:
    """Write out what streams still buffer; those that Python started without are None."""
    for stream in streams:
        if stream is not None:
            stream.flush()


@contextlib.contextmanager
def _descriptors_muted() -> Iterator[None]:
    """Send file descriptors 1 and 2 to a file that is thrown away."""
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
    """Make the ``write`` of stream objects that somebody may still hold do nothing."""
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
    """Swallow all that the block prints, on streams and on descriptors, and what it warns of."""
    _flush(sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
    with (
        _streams_muted(sys.stdout, sys.stderr),
        _descriptors_muted(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(action="ignore"),
    ):
        yield
