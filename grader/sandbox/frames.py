"""Frames on a socket between the trusted side and the process of a job: a kind, a length, a payload."""

import contextlib
import select
import socket
import struct

from grader.time_limits import Allowance

HEADER = struct.Struct("<cI")
AT_ONCE = 1 << 20

# Frames from the job's process: isolation entered; cell done; exercise reached; its attempt; its trace on one
# case; job finished.
STARTED, DONE, REACHED, ATTEMPTED, TRACED, FINISHED = b"s", b"d", b"r", b"a", b"t", b"f"
# Frames to it: the job; the cases of the exercise that it reached; the name of the case to trace, empty for
# none.
JOB, CASES, TRACE = b"j", b"c", b"n"


class FrameError(Exception):
    """The received data is no valid frame, or too large; the sender is not trusted any more."""


class SlowError(Exception):
    """The time for a frame is up."""


def send(channel: socket.socket, kind: bytes, payload: bytes = b"") -> None:
    """Send a frame."""
    channel.sendall(HEADER.pack(kind, len(payload)) + payload)


def send_within(channel: socket.socket, kind: bytes, payload: bytes, *within: Allowance) -> None:
    """Send a frame to a process that may never read it.

    Args:
        channel: where to.
        kind: what it is.
        payload: what it says.
        within: how long to try; the least of these counts.

    Raises:
        SlowError: it was not read in time.
        OSError: the connection is closed.
    """
    rest = memoryview(HEADER.pack(kind, len(payload)) + payload)
    poll = select.poll()
    poll.register(channel, select.POLLOUT)
    while rest:
        if _awaited(poll, within):
            with contextlib.suppress(BlockingIOError):
                rest = rest[channel.send(rest[:AT_ONCE], socket.MSG_DONTWAIT) :]


def _awaited(poll: select.poll, within: tuple[Allowance, ...]) -> bool:
    """Wait for a socket for a while, and return whether it is ready.

    Raises:
        SlowError: the time is up.
    """
    left = min(one.left() for one in within)
    if left <= 0:
        raise SlowError
    return bool(poll.poll(left * 1000))


def receive(channel: socket.socket) -> tuple[bytes, bytes]:
    """Return the next frame of a trusted sender.

    Raises:
        EOFError: the connection is closed.
    """
    kind, length = HEADER.unpack(_exactly(channel, HEADER.size))
    return kind, _exactly(channel, length)


def _exactly(channel: socket.socket, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = channel.recv(min(count - len(parts), AT_ONCE))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


class Receiver:
    """Receives frames of an untrusted sender, with limits on time, size and total."""

    def __init__(self, channel: socket.socket, total: int) -> None:
        self._channel = channel
        self._left = total
        self._buffer = bytearray()
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)

    def receive(self, most: dict[bytes, int], *within: Allowance) -> tuple[bytes, bytes]:
        """Return the next frame.

        Args:
            most: how many bytes a frame of each kind may have; other kinds are refused.
            within: how long to wait; the least of these counts.

        Raises:
            SlowError: the time is up.
            EOFError: the sender is gone.
            FrameError: this is no frame, or too large.
        """
        self._fill(HEADER.size, within)
        kind, length = HEADER.unpack(self._buffer[: HEADER.size])
        if kind not in most:
            raise FrameError("a frame of an unknown kind")
        if length > most[kind]:
            raise FrameError(f"a frame of {length} bytes")
        self._fill(HEADER.size + length, within)
        payload = bytes(self._buffer[HEADER.size : HEADER.size + length])
        del self._buffer[: HEADER.size + length]
        return kind, payload

    def _fill(self, count: int, within: tuple[Allowance, ...]) -> None:
        while len(self._buffer) < count:
            if not _awaited(self._poll, within):
                continue
            try:
                part = self._channel.recv(AT_ONCE, socket.MSG_DONTWAIT)
            except BlockingIOError:
                continue
            except ConnectionError as error:
                raise EOFError from error
            if not part:
                raise EOFError
            self._left -= len(part)
            if self._left < 0:
                raise FrameError("more bytes than one job may send")
            self._buffer += part
