"""The watch over what a page asks of other machines sees whatever asks."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.watch import watch

# .invalid is reserved: no machine has this name, so nothing could be fetched in any case.
ASKING = {
    "image": "<img src='http://elsewhere.invalid/a.png'>",
    "secure image": "<img src='https://elsewhere.invalid/a.png'>",
    "address of a machine": "<img src='http://192.0.2.1/a.png'>",
    "style sheet": "<link rel='stylesheet' href='https://elsewhere.invalid/a.css'>",
    "frame": "<iframe src='https://elsewhere.invalid/'></iframe>",
    "frame in a frame": "<iframe srcdoc=\"<img src='https://elsewhere.invalid/a.png'>\"></iframe>",
    "fetch": "<script>fetch('https://elsewhere.invalid/').catch(() => 0)</script>",
    "socket": "<script>new WebSocket('wss://elsewhere.invalid/')</script>",
    "worker": "<script>new Worker('worker.js')</script>",
    "socket of a worker": "<script>new Worker('socket.js')</script>",
    "shared worker": "<script>new SharedWorker('worker.js')</script>",
    "service worker": "<script>navigator.serviceWorker.register('worker.js')</script>",
}
WORKERS = {
    "worker.js": "fetch('https://elsewhere.invalid/').catch(() => 0)",
    "socket.js": "new WebSocket('wss://elsewhere.invalid/')",
}


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Return a function that puts a page on a server on loopback and returns its address."""
    for name, script in WORKERS.items():
        (tmp_path / name).write_text(script)

    def put(body: str) -> str:
        (tmp_path / "page.html").write_text(f"<!doctype html><title>page</title>{body}")
        return f"http://127.0.0.1:{server.server_address[1]}/page.html"

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield put
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("body", ASKING.values(), ids=ASKING)
def test_what_asks_elsewhere_is_seen(body: str, browser: Browser, site: Callable[[str], str]) -> None:
    """A page that asks for something of another machine is found out, and gets nothing."""
    with watch() as watching:
        context = browser.new_context(proxy=watching.proxy)
        context.new_page().goto(site(body), wait_until="commit")
        assert watching.wait_for_one(seconds=30)
        context.close()
    assert all("elsewhere.invalid" in one or "192.0.2.1" in one for one in watching.asked)


def test_what_stays_here_is_not_seen(browser: Browser, site: Callable[[str], str]) -> None:
    """A page of a server on loopback, by number or by name, with what it carries itself, is no finding."""
    with watch() as watching:
        context = browser.new_context(proxy=watching.proxy)
        page = context.new_page()
        here = site("<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>")
        page.goto(here)
        page.goto(here.replace("127.0.0.1", "localhost"))
        assert page.title() == "page"
        context.close()
    assert watching.asked == []
