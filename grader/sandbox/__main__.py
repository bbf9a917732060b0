"""Say why full isolation is not to be had on this system, and end with status 1; nothing where it is."""

import sys

from grader.sandbox.sandbox import missing_isolation

if __name__ == "__main__":
    sys.exit(" ".join(missing_isolation()) or None)
