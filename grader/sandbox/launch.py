"""How the warm process is started, and what is said to it: known to both sides."""

import re
from collections.abc import Iterable

READY = b"ready"
# What takes long to import, and the words of a notebook that needs it. The warm process imports it once, when
# the first such notebook comes: a job's byte has a bit for each. It learns no more of a notebook than that.
ON_DEMAND = {
    "torch._dynamo": re.compile(r"\boptim\b"),  # every optimizer of torch imports it
    "matplotlib.pyplot": re.compile(r"\b(?:matplotlib|pyplot|seaborn|widgets)\b"),
    "seaborn": re.compile(r"\b(?:seaborn|widgets)\b"),  # `grader.widgets` imports it
}
SEED = 0
# All that it is given; nothing of the course, of a user or of a gradebook.
ENVIRONMENT = {
    "HOME": "/sandbox",
    "TMPDIR": "/sandbox",
    "IPYTHONDIR": "/sandbox/.ipython",
    "MPLCONFIGDIR": "/sandbox/.matplotlib",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "USER": "learner",
    "PYTHONHASHSEED": str(SEED),
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


def wishes(sources: Iterable[str]) -> bytes:
    """Return the byte that says which modules of ``ON_DEMAND`` a notebook needs."""
    text = "\n".join(sources)
    return bytes([sum(1 << bit for bit, words in enumerate(ON_DEMAND.values()) if words.search(text))])


def wished(byte: bytes) -> list[str]:
    """Return the modules that ``wishes`` said."""
    return [module for bit, module in enumerate(ON_DEMAND) if byte[0] >> bit & 1]
