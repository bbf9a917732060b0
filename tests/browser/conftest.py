"""What browser tests share: a browser, a JupyterLab, and a watch over what leaves this machine."""

import contextlib
import json
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

from tests.browser.watch import watch

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
    # A page with a form makes Chromium itself ask Google what the fields are; here nobody answers.
    "--autofill-server-url=http://127.0.0.1:9/",
)
STARTS_WITHIN = 120  # seconds
# The server itself asks no other machine either: no news, no newer release, no list of extensions.
SILENT = (
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)
# A new user is asked whether they want news; this one has answered.
ANSWERED = {
    "@jupyterlab/apputils-extension": {"notification": {"fetchNews": "false", "checkForUpdates": False}}
}


@dataclass(frozen=True)
class Server:
    """A JupyterLab that listens on loopback: what it shows is below ``root``, what it keeps in ``home``."""

    url: str
    token: str
    root: Path
    home: Path


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
    """Return a browser profile of this test's own; the test fails if it asks another machine for anything."""
    with watch() as watching:
        opened = browser.new_context(
            viewport={"width": 1280, "height": 1000}, accept_downloads=True, proxy=watching.proxy
        )
        yield opened
        opened.close()
    assert watching.asked == []


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
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder) / f"{request.node.name}-{step}.png")

    return take


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Return a function that starts JupyterLab on a folder, with settings of its own."""
    with contextlib.ExitStack() as running:

        def start(root: Path, *options: str) -> Server:
            home = tmp_path_factory.mktemp("home")
            return running.enter_context(jupyterlab(root, home, options))

        yield start


@contextlib.contextmanager
def jupyterlab(root: Path, home: Path, options: tuple[str, ...]) -> Iterator[Server]:
    """Run JupyterLab on a folder while the block runs; ``home`` is where its settings and its log go."""
    server = Server(f"http://127.0.0.1:{free_port()}", "a-token-for-tests", root, home)
    command = [
        *(str(BIN / "jupyter"), "lab", "--no-browser", "--allow-root", "--expose-app-in-browser"),
        *("--ip=127.0.0.1", f"--port={urlsplit(server.url).port}", "--ServerApp.port_retries=0"),
        *(f"--IdentityProvider.token={server.token}", *SILENT, *options),
    ]
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=root, env=environment(home), stdout=log, stderr=subprocess.STDOUT
        )
    try:
        wait_until_it_answers(server, process)
        yield server
    finally:
        process.terminate()  # it ends its kernels first
        process.wait()


def environment(home: Path) -> dict[str, str]:
    """Return an environment in which nothing of this user's own settings counts."""
    settings = home / "config" / "lab" / "user-settings"
    for plugin, answers in ANSWERED.items():
        for name, answer in answers.items():
            path = settings / plugin / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(answer))
    own = {
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_DATA_DIR": home / "data",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "IPYTHONDIR": home / "ipython",
        "HOME": home,
        # Not a setting: matplotlib's list of fonts takes seconds to make.
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"),
        "GRADER_PROGRESS": home / "progress.json",
        # What is tested is this checkout, whichever one is installed.
        "PYTHONPATH": REPOSITORY,
    }
    return os.environ | {name: str(value) for name, value in own.items()}


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_it_answers(server: Server, process: subprocess.Popen) -> None:
    """Wait for a server to answer; fail with what it said if it does not."""
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/api?token={server.token}", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{(server.home / 'server.log').read_text()}")
