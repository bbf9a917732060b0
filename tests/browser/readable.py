"""Whether people can read a page: what axe-core finds, and how wide it is on a phone."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = {"serious", "critical"}
PHONE = {"width": 390, "height": 844}


def serious_violations(page: Page) -> list[str]:
    """Return what axe-core finds on a page that keeps somebody from reading it."""
    if not AXE.is_file():
        pytest.fail("axe-core is missing. Run `npm ci --prefix tests/browser` first.")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in SERIOUS]


def fits_on_a_phone(page: Page) -> bool:
    """Return whether a page is no wider than a phone: what is wide scrolls by itself."""
    page.set_viewport_size(PHONE)
    return page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
