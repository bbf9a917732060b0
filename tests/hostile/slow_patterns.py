"""Try one pattern on long hostile texts: a program of its own, so that its time can be limited.

It imports nothing of the grader, whose imports would take most of that time.
"""

import re
import resource
import subprocess
import sys
from itertools import product

# Half of a text; what is quadratic needs the square of it in steps, more than the time allows.
REPEATED = 40_000
SECONDS = 12
# Signs that a student may use where a pattern has a class of signs.
SIGNS = "a0_ \t\n\\\"'#()[]{}<>!&;:=,.-+*`/\x1b$"


def hostile_texts(pattern: str) -> list[str]:
    """Return long texts of a pattern's own words and signs, of pairs of signs, and with an end that fails."""
    words = [one for one in re.findall(r"[A-Za-z]{2,}", pattern) if one not in ("DOTALL", "MULTILINE")][:6]
    own = sorted(set(pattern) & set(SIGNS))[:12] or ["a"]
    atoms = [*SIGNS, *("".join(pair) for pair in product(own, repeat=2)), *(f"\\{one}(" for one in words)]
    begins = ["", *words[:2], 'check("a",1)', "](", "![](data:image/png;base64,"]
    texts = [begin + atom * (REPEATED // len(atom)) for begin in begins[:1] for atom in atoms]
    return texts + [begin + sign * REPEATED + "\x00x" for begin in begins[1:] for sign in " a0\n("]


def ends(pattern: str, flags: int) -> bool:
    """Return whether a pattern gets through its hostile texts before a process's time is up."""
    ran = subprocess.run(
        [sys.executable, __file__, pattern, str(flags)], capture_output=True, text=True, check=False
    )
    return ran.returncode == 0 and ran.stdout == "done"


def main() -> None:
    """Try the pattern that the command line gives; the process is ended when its time is up."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    compiled = re.compile(sys.argv[1], int(sys.argv[2]))
    for text in hostile_texts(sys.argv[1]):
        compiled.sub("", text)
        compiled.match(text)
        compiled.fullmatch(text)
    sys.stdout.write("done")


if __name__ == "__main__":
    main()
