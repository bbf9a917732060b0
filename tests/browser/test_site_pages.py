"""The course site in a browser: whole without a network, readable for everybody, from a server or a disk."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from grader.course.agreement import MAX_CODE
from grader.exercises import CHAPTERS
from tests.browser.readable import fits_on_a_phone, serious_violations

# Long pages are typeset slowly on a busy machine.
MILLISECONDS = 60_000
CHAPTER = "chapters/ch04_self_attention.html"
# What scrolls sideways by itself: the length of its longest line of code, and how it begins. Numbers below
# a picture, folded, may: the columns of a large matrix would be lost in lines that go on.
SCROLLING = """() => [...document.querySelectorAll('.bd-article *')].filter(part =>
  !part.closest('.text_html details') &&
  part.scrollWidth > part.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(part).overflowX)
).map(part => [
  part.closest('.cell_input') ? Math.max(...part.textContent.split('\\n').map(line => line.length)) : 0,
  part.textContent.trim().slice(0, 60),
])"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, *_: object) -> None:
        """Keep requests out of the tests' output."""


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Return where the site is served on loopback."""
    handler = functools.partial(Quiet, directory=site)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


@pytest.fixture(scope="session")
def places(site: Path) -> list[str]:
    """Return the places of all pages."""
    found = (path.relative_to(site) for path in site.rglob("*.html"))
    return sorted(str(path) for path in found if "_static" not in path.parts)


def open_page(page: Page, address: str) -> None:
    """Open a page and wait until its formulas are typeset."""
    page.goto(address)
    written = page.locator(".math").count()
    expect(page.locator("mjx-container")).to_have_count(written, timeout=MILLISECONDS)


def test_pages_keep_nobody_out(page: Page, address: str, places: list[str]) -> None:
    """No page has a fault of accessibility that axe-core calls serious or critical."""
    found = {}
    for place in places:
        open_page(page, f"{address}/{place}")
        found[place] = serious_violations(page)
    assert len(found) > len(CHAPTERS)
    assert {place: faults for place, faults in found.items() if faults} == {}


@pytest.mark.parametrize("place", ["index.html", CHAPTER, "security.html", f"zh_CN/{CHAPTER}"])
def test_dark_pages_keep_nobody_out(page: Page, address: str, place: str) -> None:
    """The same holds in the dark, on one page of each kind."""
    page.emulate_media(color_scheme="dark")
    open_page(page, f"{address}/{place}")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert serious_violations(page) == []


def test_axe_finds_what_is_wrong(page: Page, address: str) -> None:
    """A picture without a description, put into a page, is found."""
    open_page(page, f"{address}/index.html")
    page.evaluate("document.querySelector('article').append(new Image(40, 40))")
    assert any("image-alt" in fault for fault in serious_violations(page))


def test_search_leads_to_a_page(page: Page, address: str) -> None:
    """A word of a chapter is found, with its place, and its chapter opens."""
    page.goto(f"{address}/search.html?q=softmax")
    result = page.locator("#search-results li a").filter(has_text="Dot-product attention").first
    result.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(
        "Dot-product attention", timeout=MILLISECONDS
    )


def test_chinese_search_leads_to_a_page(page: Page, address: str) -> None:
    """A word of Chinese is found, though nothing sets it apart from its neighbors."""
    page.goto(f"{address}/zh_CN/search.html?q=归一化")
    result = page.locator("#search-results li a").filter(has_text="因果注意力").first
    expect(result).to_be_visible(timeout=MILLISECONDS)


def test_switch_keeps_page_and_heading(page: Page, site: Path) -> None:
    """From a heading of a chapter to the same heading in another language and back, with the keyboard."""
    page.goto(f"{(site / CHAPTER).as_uri()}#summary")
    for name, place in (("简体中文", "zh_CN/"), ("português do Brasil", "pt_BR/"), ("English", "")):
        switch = page.locator(".languages")
        switch.locator("summary").focus()
        page.keyboard.press("Enter")
        switch.get_by_role("link", name=name).click()
        page.wait_for_url(f"{(site / place / CHAPTER).as_uri()}#summary")
        expect(page.locator("section#summary")).to_be_in_viewport()


def test_site_is_whole_on_a_disk(page: Page, site: Path) -> None:
    """Opened as files, formulas are typeset, pictures are drawn, and the search finds a word."""
    open_page(page, (site / CHAPTER).as_uri())
    assert page.locator("mjx-container").count() > 5
    drawn = page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    assert drawn
    page.goto(f"{(site / 'search.html').as_uri()}?q=softmax")
    expect(page.locator("#search-results li a").first).to_be_visible(timeout=MILLISECONDS)


def test_prediction_and_hints_unfold_without_scripts(page: Page, site: Path) -> None:
    """What is folded opens one by one, on a page whose scripts never ran."""
    page.route("**/*.js*", lambda route: route.abort())
    page.goto((site / CHAPTER).as_uri())
    first, second = (page.get_by_text(f"Hint {number} of 3", exact=True).first for number in (1, 2))
    expect(second).to_be_hidden()
    first.click()
    expect(second).to_be_visible()
    output = page.locator("details.below-input").first
    expect(output.locator(".output")).to_be_hidden()
    output.locator("summary").click()
    expect(output.locator(".output")).to_be_visible()


def test_pages_fit_on_a_phone(page: Page, address: str, places: list[str]) -> None:
    """No page is wider than a phone: what is wide scrolls by itself."""
    too_wide = []
    for place in places:
        open_page(page, f"{address}/{place}")
        if not fits_on_a_phone(page):
            too_wide.append(place)
    assert too_wide == []


def test_nothing_scrolls_sideways_on_a_desk(page: Page, address: str, places: list[str]) -> None:
    """At 1280 pixels all is seen at once; how long a line of code may be is asked of the sources."""
    scrolling = {}
    for place in places:
        open_page(page, f"{address}/{place}")
        found = page.evaluate(SCROLLING)
        scrolling[place] = [begins for length, begins in found if length <= MAX_CODE]
    assert {place: found for place, found in scrolling.items() if found} == {}
