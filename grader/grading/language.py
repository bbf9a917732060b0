"""In which language a submission is: what its metadata claims, if it is one that the course has.

A student may have written anything there. Without a claim that counts, the given text cells decide: not every
tool keeps a notebook's metadata.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations

from grader.course.paths import CoursePaths
from grader.exercises import references_root
from grader.messages.speaking import LANGUAGE_KEY, SOURCES, catalog_of

KEY = f'"{LANGUAGE_KEY}"'.encode()
CLAIM = re.compile(rb'\s*+:\s*+"([A-Za-z_]{2,16})"')


@dataclass(frozen=True)
class Given:
    """What a translated notebook gives.

    Attributes:
        stubs: by ``grade_id``, the source and nbgrader's checksum of each cell that a student writes in.
        code: sources of the code cells that nbgrader does not know, in order.
        prose: sources of the text cells likewise.
        first_code: how many of ``code`` stand before the first cell that a student writes in.
        finder: source of the cell that finds the package; empty where there is none.
    """

    stubs: Mapping[str, tuple[str, str]]
    code: tuple[str, ...]
    prose: frozenset[str]
    first_code: int
    finder: str = ""


@cache
def page_catalog(code: str, paths: CoursePaths) -> NullTranslations:
    """Return what is said in a language, by the package and by a course; English where there is nothing."""
    return catalog_of(code, dict.fromkeys((references_root(), paths.references)))


def claimed_language(content: bytes) -> str:
    """Return which language a notebook's bytes claim; empty if they claim none.

    They are not parsed: what cannot be read as a notebook gets its feedback in its language, too. Within a
    text of the notebook the key would stand between escaped quotation marks.
    """
    found = content.rfind(KEY)
    claim = CLAIM.match(content, found + len(KEY)) if found >= 0 else None
    return claim[1].decode() if claim else ""


def language_by_text(sources: Iterable[str], prose: Mapping[str, frozenset[str]]) -> str:
    """Return in whose given text most cells are; English if in nobody's.

    Args:
        sources: of a submission's cells.
        prose: by language, the given text that no other language has.
    """
    counts = Counter(code for source in sources for code, texts in prose.items() if source in texts)
    return counts.most_common(1)[0][0] if counts else SOURCES
