"""A watch over what a browser asks of other machines."""

import contextlib
import socketserver
import threading
from collections.abc import Iterator

HERE = ("127.0.0.1", "localhost", "[::1]")


class Watch(socketserver.ThreadingTCPServer):
    """A proxy that passes nothing on, and remembers what was asked of it.

    A browser that has it as its proxy can reach no other machine, nor look up its name, whatever asks:
    a page, a frame, a worker, a socket.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Refusal)
        self.asked: list[str] = []
        self.noticed = threading.Event()

    @property
    def proxy(self) -> dict[str, str]:
        """Playwright's setting for a browser profile under this watch."""
        return {"server": f"http://127.0.0.1:{self.server_address[1]}", "bypass": ",".join(HERE)}

    def wait_for_one(self, seconds: float) -> bool:
        """Return whether anything is asked within so many seconds."""
        return self.noticed.wait(seconds)


class Refusal(socketserver.StreamRequestHandler):
    """What one connection to the proxy gets."""

    def handle(self) -> None:
        """Remember what is asked, such as ``CONNECT example.org:443``, and refuse it."""
        first = self.rfile.readline(4096).decode("latin-1")
        if first:  # a browser may open a connection ahead, and say nothing
            self.server.asked.append(first.rsplit(" ", 1)[0])
            self.server.noticed.set()
            self.wfile.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@contextlib.contextmanager
def watch() -> Iterator[Watch]:
    """Keep a watch while the block runs."""
    with Watch() as started:
        thread = threading.Thread(target=started.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield started
        started.shutdown()
        thread.join()
