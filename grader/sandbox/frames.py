"""Frames on a socket between the trusted side and the process of a job: a kind, a length, a payload."""

import select
import socket
import struct
import time

HEADER = struct.Struct("<cI")
AT_ONCE = 1 << 20

# What the job's process sends: its walls stand; a cell is done; an exercise is reached; what came of it; all
# is done.
STARTED, DONE, REACHED, ATTEMPTED, FINISHED = b"s", b"d", b"r", b"a", b"f"
# What is sent to it: the job; the cases of the exercise that it reached.
JOB, CASES = b"j", b"c"


class FrameError(Exception):
    """What arrived is no frame, or one that is too large: its sender cannot be believed any more."""


class SlowError(Exception):
    """The time for a frame is up."""


def send(channel: socket.socket, kind: bytes, payload: bytes = b"") -> None:
    """Send a frame."""
    channel.sendall(HEADER.pack(kind, len(payload)) + payload)


def send_within(channel: socket.socket, kind: bytes, payload: bytes, until: float) -> None:
    """Send a frame to somebody who may never read it.

    Raises:
        SlowError: it was not read in time.
        OSError: there is nobody any more.
    """
    channel.settimeout(max(0.001, until - time.monotonic()))
    try:
        send(channel, kind, payload)
    except TimeoutError as error:
        raise SlowError from error


def receive(channel: socket.socket) -> tuple[bytes, bytes]:
    """Return the next frame of a sender who is trusted.

    Raises:
        EOFError: there is nobody any more.
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
    """Receives frames of a sender who is not trusted: within a time, a size and a total."""

    def __init__(self, channel: socket.socket, total: int) -> None:
        self._channel = channel
        self._left = total
        self._buffer = bytearray()
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)

    def receive(self, until: float, most: dict[bytes, int]) -> tuple[bytes, bytes]:
        """Return the next frame.

        Args:
            until: when to give up, on the clock of ``time.monotonic``.
            most: how many bytes a frame of each kind may have; other kinds are refused.

        Raises:
            SlowError: the time is up.
            EOFError: the sender is gone.
            FrameError: this is no frame, or too large.
        """
        self._fill(HEADER.size, until)
        kind, length = HEADER.unpack(self._buffer[: HEADER.size])
        if kind not in most:
            raise FrameError("a frame of an unknown kind")
        if length > most[kind]:
            raise FrameError(f"a frame of {length} bytes")
        self._fill(HEADER.size + length, until)
        payload = bytes(self._buffer[HEADER.size : HEADER.size + length])
        del self._buffer[: HEADER.size + length]
        return kind, payload

    def _fill(self, count: int, until: float) -> None:
        while len(self._buffer) < count:
            left = until - time.monotonic()
            if left <= 0 or not self._poll.poll(left * 1000):
                raise SlowError
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
