"""Try the course on every supported Python of this machine; ``make matrix`` runs it.

For each one: an environment of its own in ``.matrix/``, from the lock; whether all that is built is what its
sources give; the references of all chapters, with their banks of answers; chapter 4's notebook, executed; and
the tests of the sandbox. Needs nothing but Python's standard library, so any of them can begin.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
ENVIRONMENTS = REPOSITORY / ".matrix"
SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
NOTEBOOK = "solutions/ch04_self_attention"
TESTS = (
    "tests/sandbox",
    "tests/doctor",
    "tests/grading/test_gradebook.py",
    "tests/grading/test_honest_work.py",
    "tests/reporting/test_anonymous.py",
)
INSTALL = (
    ("-m", "pip", "install", "--quiet", "--requirement", "requirements.lock"),
    ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", "."),
)
NBVAL = ("--nbval", "--nbval-current-env", "--nbval-sanitize-with", "tests/nbval_sanitize.cfg")
PYTEST = ("python", "-m", "pytest", "-q")
STEPS = {
    "build": ("grader", "build", "--check"),
    "banks": ("grader", "references", "verify"),
    "notebook": (*PYTEST, NOTEBOOK, *NBVAL, "-p", "tests.nbval_rounding"),
    "tests": (*PYTEST, "--numprocesses", "2", "--dist", "loadfile", *TESTS),
}


def version_of(python: str) -> str:
    """Return an interpreter's version, such as 3.12; empty if it is none that can make an environment."""
    code = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    try:
        found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    except OSError:
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


def interpreters() -> dict[str, str]:
    """Return an interpreter for each supported version that is on the path or that pyenv or uv installed."""
    home = Path.home()
    installed = (*home.glob(".pyenv/versions/*/bin"), *home.glob(".local/share/uv/python/*/bin"))
    places = [None, *map(str, sorted(installed, reverse=True))]
    found = {}
    for version in SUPPORTED:
        named = (shutil.which(f"python{version}", path=place) for place in places)
        if python := next((one for one in named if one and version_of(one) == version), ""):
            found[version] = python
    return found


def environment(version: str, python: str) -> Path:
    """Return the Python of a version's environment, which is made where the lock has changed since."""
    place = ENVIRONMENTS / version
    inside, done = place / "bin" / "python", place / "requirements.lock"
    lock = (REPOSITORY / "requirements.lock").read_bytes()
    if done.is_file() and done.read_bytes() == lock:
        return inside
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(place)], check=True)
    for arguments in INSTALL:
        subprocess.run([str(inside), *arguments], cwd=REPOSITORY, check=True)
    done.write_bytes(lock)
    return inside


def tried(version: str, python: str) -> bool:
    """Return whether all steps pass on a version; say how each went as soon as it has."""
    started = time.monotonic()
    try:
        inside = environment(version, python)
    except subprocess.CalledProcessError as error:
        print(f"{version}  install   FAILED: {error}", flush=True)
        return False
    print(f"{version}  install   ok      {time.monotonic() - started:.0f} s", flush=True)
    variables = os.environ | {"PATH": f"{inside.parent}{os.pathsep}{os.environ['PATH']}"}
    passed = True
    for name, (program, *arguments) in STEPS.items():
        started = time.monotonic()
        command = [str(inside.with_name(program)), *arguments]
        step = subprocess.run(
            command, cwd=REPOSITORY, env=variables, capture_output=True, text=True, check=False
        )
        how = "ok" if step.returncode == 0 else "FAILED"
        print(f"{version}  {name:9} {how:7} {time.monotonic() - started:.0f} s", flush=True)
        if step.returncode:
            passed = False
            print(step.stdout[-8000:], step.stderr[-4000:], sep="\n", flush=True)
    return passed


def main() -> None:
    """Try the versions that are asked for, or all but that of ``.venv``, which ``make test`` tries."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("versions", nargs="*", help="such as 3.13; by default all that are there")
    parser.add_argument("--newest", action="store_true", help="only the newest one")
    asked = parser.parse_args()
    there = interpreters()
    usual = version_of(str(REPOSITORY / ".venv" / "bin" / "python"))
    wanted = asked.versions or [one for one in there if one != usual]
    if missing := [one for one in wanted if one not in there]:
        sys.exit(f"There is no Python {', '.join(missing)} here; there are {', '.join(there) or 'none'}.")
    if not wanted:
        sys.exit(f"Nothing to try: of {', '.join(SUPPORTED)} there is only {usual or 'none'} here.")
    results = {one: tried(one, there[one]) for one in (wanted[-1:] if asked.newest else wanted)}
    failed = [one for one, passed in results.items() if not passed]
    if failed:
        sys.exit(f"Failed on Python {', '.join(failed)}.")
    print(f"All is well on Python {', '.join(results)}.")


if __name__ == "__main__":
    main()
