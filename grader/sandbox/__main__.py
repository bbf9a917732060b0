"""Print why full isolation is not available here, and exit with status 1; print nothing if it is."""

import sys

from grader.sandbox.sandbox import missing_isolation

sys.exit(" ".join(missing_isolation()) or None)
