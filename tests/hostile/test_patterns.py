"""No pattern takes more than linear time, whatever text a student sends.

Every pattern of the trusted side is tried on texts that are made of its own signs, repeated tens of thousands
of times, in a process whose time is limited: what is quadratic on one of them would take minutes.
"""

import importlib
import pkgutil
import re
import resource
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from grader.grading.sanitize import CHECK_CALL

# Packages whose modules read what students send, or what came of it.
PACKAGES = ("grading", "similarity", "reporting", "gradebook", "sandbox", "checking", "messages")
# Half of a text; what is quadratic needs the square of it in steps, more than the time allows.
REPEATED = 40_000
SECONDS = 12
# Signs that a student may use where a pattern has a class of signs.
SIGNS = "a0_ \t\n\\\"'#()[]{}<>!&;:=,.-+*`/\x1b$"


def patterns() -> dict[str, re.Pattern]:
    """Return every pattern that a module of these packages holds, by its module and name."""
    found = {}
    for package in PACKAGES:
        root = importlib.import_module(f"grader.{package}")
        names = (one.name for one in pkgutil.walk_packages(root.__path__, f"{root.__name__}."))
        for name in (root.__name__, *names):
            for key, value in vars(importlib.import_module(name)).items():
                if isinstance(value, re.Pattern):
                    found.setdefault(value.pattern, f"{name}.{key}")
    return {place: re.compile(pattern) for pattern, place in found.items() if isinstance(pattern, str)}


def hostile_texts(pattern: str) -> list[str]:
    """Return long texts of a pattern's own words and signs, of pairs of signs, and with an end that fails."""
    words = [one for one in re.findall(r"[A-Za-z]{2,}", pattern) if one not in ("DOTALL", "MULTILINE")][:6]
    own = sorted(set(pattern) & set(SIGNS))[:12] or ["a"]
    atoms = [*SIGNS, *("".join(pair) for pair in product(own, repeat=2)), *(f"\\{one}(" for one in words)]
    begins = ["", *words[:2], 'check("a",1)', "](", "![](data:image/png;base64,"]
    texts = [begin + atom * (REPEATED // len(atom)) for begin in begins[:1] for atom in atoms]
    return texts + [begin + sign * REPEATED + "\x00x" for begin in begins[1:] for sign in " a0\n("]


def run_in_bounded_time(place: str, pattern: str, flags: int) -> None:
    """Try one pattern on all its hostile texts; the process is ended when its time is up."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    compiled = re.compile(pattern, flags)
    for text in hostile_texts(pattern):
        compiled.sub("", text)
        compiled.match(text)
        compiled.fullmatch(text)
    sys.stdout.write(f"done {place}")


def ends(place: str, pattern: str, flags: int) -> bool:
    """Return whether a pattern gets through its hostile texts."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); import test_patterns as t; "
    code += "t.run_in_bounded_time(sys.argv[2], sys.argv[3], int(sys.argv[4]))"
    here = str(Path(__file__).parent)
    ran = subprocess.run(
        [sys.executable, "-c", code, here, place, pattern, str(flags)],
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode == 0 and f"done {place}" in ran.stdout


FOUND = patterns()


@pytest.mark.parametrize("place", FOUND)
def test_patterns_take_linear_time(place: str) -> None:
    """It gets through all of them."""
    assert ends(place, FOUND[place].pattern, FOUND[place].flags)


def test_patterns_that_matter_are_among_them() -> None:
    """What reads cells, prose, outputs and answers is tried."""
    places = {place.rpartition(".")[0].removeprefix("grader.") for place in FOUND}
    wanted = {"grading.sanitize", "grading.reading", "grading.prose", "sandbox.text", "similarity.lexing"}
    assert wanted <= places, places


def test_a_quadratic_pattern_is_found() -> None:
    """The pattern of a check call as it once was: blanks could be shared out in as many ways as there are."""
    once = r"""check\(\s*["']([\w-]+)["']\s*,[^()\n]*\)\s*;?\s*"""
    assert CHECK_CALL.fullmatch('check("a", 1) ;')
    assert not ends("once", once.replace(r"\)\s*;?\s*", r"\)\s*;?\s*\s*"), 0)
