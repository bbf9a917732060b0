"""No pattern takes more than linear time, whatever text a student sends.

Every pattern of the trusted side is tried on texts that are made of its own signs, repeated tens of thousands
of times, in a process whose time is limited: what is quadratic on one of them would take minutes.
"""

import importlib
import pkgutil
import re

import pytest

from grader.grading.sanitize import CHECK_CALL
from tests.hostile.slow_patterns import ends

# Packages, and a module, that read what students send, or what came of it.
PACKAGES = (
    "grading",
    "similarity",
    "reporting",
    "gradebook",
    "sandbox",
    "checking",
    "messages",
    "plain_text",
)


def patterns() -> dict[str, re.Pattern]:
    """Return every pattern that a module of these packages holds, by its module and name."""
    found = {}
    for package in PACKAGES:
        root = importlib.import_module(f"grader.{package}")
        names = (
            one.name for one in pkgutil.walk_packages(getattr(root, "__path__", ()), f"{root.__name__}.")
        )
        for name in (root.__name__, *names):
            for key, value in vars(importlib.import_module(name)).items():
                if isinstance(value, re.Pattern):
                    found.setdefault(value.pattern, f"{name}.{key}")
    return {place: re.compile(pattern) for pattern, place in found.items() if isinstance(pattern, str)}


FOUND = patterns()


@pytest.mark.parametrize("place", FOUND)
def test_patterns_take_linear_time(place: str) -> None:
    """It gets through all of them."""
    assert ends(FOUND[place].pattern, FOUND[place].flags)


def test_patterns_that_matter_are_among_them() -> None:
    """What reads cells, prose, outputs and answers is tried."""
    places = {place.rpartition(".")[0].removeprefix("grader.") for place in FOUND}
    readers = {
        "grading.sanitize",
        "grading.notebook_reader",
        "grading.escape_markdown",
        "plain_text",
        "grading.lexing",
    }
    assert readers <= places, places


def test_a_quadratic_pattern_is_found() -> None:
    """The pattern of a check call as it once was: blanks could be shared out in as many ways as there are."""
    once = r"""check\(\s*["']([\w-]+)["']\s*,[^()\n]*\)\s*;?\s*"""
    assert CHECK_CALL.fullmatch('check("a", 1) ;')
    assert not ends(once.replace(r"\)\s*;?\s*", r"\)\s*;?\s*\s*"), 0)
