"""What browser tests share: a browser, a JupyterLab, and a watch over what leaves this machine."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

REPOSITORY = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
# Debian's package; another place is named by the environment.
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HERE = frozenset({"localhost", "127.0.0.1"})
# A page may carry its own data, or lie on this disk; no machine is asked for these.
CARRIED = frozenset({"data", "blob", "about", "file"})
STARTS_WITHIN = 120  # seconds


@dataclass(frozen=True)
class Server:
    """A JupyterLab that listens on loopback."""

    url: str
    token: str
    root: Path


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a headless Chromium."""
    if not shutil.which(CHROMIUM):
        pytest.fail(f"There is no {CHROMIUM}. Install Debian's package chromium, or name one in CHROMIUM.")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Return a browser profile of this test's own; the test fails if a page asks for anything elsewhere."""
    asked: list[str] = []
    opened = browser.new_context(viewport={"width": 1280, "height": 1000}, accept_downloads=True)
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("page", lambda page: page.on("websocket", lambda wire: asked.append(wire.url)))
    yield opened
    opened.close()
    assert [url for url in asked if leaves(url)] == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Return an empty page."""
    return context.new_page()


@pytest.fixture
def photograph(page: Page, request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Return a function that keeps a picture of the page where SCREENSHOTS names a folder."""
    folder = os.environ.get("SCREENSHOTS")

    def take(step: str) -> None:
        if folder:
            page.screenshot(path=Path(folder) / f"{request.node.name}-{step}.png")

    return take


def leaves(url: str) -> bool:
    """Say whether a request goes to another machine."""
    parts = urlsplit(url)
    return parts.scheme not in CARRIED and parts.hostname not in HERE


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Return a function that starts JupyterLab on a folder, with settings of its own."""
    started: list[subprocess.Popen] = []

    def start(root: Path, *options: str) -> Server:
        home = tmp_path_factory.mktemp("home")
        port, token = free_port(), "a-token-for-tests"
        command = [
            *(BIN / "jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"),
            *("--ServerApp.port_retries=0", f"--IdentityProvider.token={token}"),
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            *("--LabApp.news_url=None", "--expose-app-in-browser", *options),
        ]
        log = (home / "server.log").open("wb")
        process = subprocess.Popen(
            list(map(str, command)), cwd=root, env=environment(home), stdout=log, stderr=subprocess.STDOUT
        )
        started.append(process)
        server = Server(f"http://127.0.0.1:{port}", token, root)
        wait_until_it_answers(server, process, Path(log.name))
        return server

    yield start
    for process in started:
        process.terminate()
        process.wait()


def environment(home: Path) -> dict[str, str]:
    """Return an environment in which nothing of this user's own settings counts."""
    own = {
        name: str(home / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    }
    return os.environ | own | {"HOME": str(home), "IPYTHONDIR": str(home / "ipython")}


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_it_answers(server: Server, process: subprocess.Popen, log: Path) -> None:
    """Wait for a server to answer; fail with what it said if it does not."""
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/api?token={server.token}", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}")
