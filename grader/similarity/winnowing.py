"""Fingerprints of an answer: a choice of its short sequences, the same choice wherever a passage is the same.

The choice is winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document
fingerprinting", SIGMOD 2003): of every ``WINDOW`` sequences one is kept, so two answers that share a passage
of ``LENGTH + WINDOW - 1`` tokens share a fingerprint. In each sequence names are numbered as they appear in
it: renaming changes nothing, and a line that is put in changes only the sequences that cross it.
"""

import builtins
import hashlib
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from grader.grading.lexing import MAX_TOKENS, Token, tokens

# Tokens in a sequence: about one call. And sequences of which one is kept.
LENGTH, WINDOW = 6, 4
# Names that mean the same in every answer.
PYTHON_S = frozenset(keyword.kwlist) | frozenset(dir(builtins))
WORD = re.compile(r"\w++")

Span = tuple[int, int]


@lru_cache(maxsize=4096)
def fingerprints(source: str, known: frozenset[str]) -> Mapping[int, tuple[Span, ...]]:
    """Return an answer's fingerprints, each with the places where its sequences begin and end.

    Args:
        source: the answer.
        known: names that are not the learner's own choice, such as ``torch`` and the subject's.
    """
    found = tokens(source)
    return _chosen(list(_spelled(found, known)), [(one.start, one.end) for one in found])


@lru_cache(maxsize=4096)
def word_fingerprints(text: str) -> Mapping[int, tuple[Span, ...]]:
    """Return the same of an answer in words: of its words alone, without signs, whatever their case."""
    found = list(islice(WORD.finditer(text), MAX_TOKENS))
    return _chosen([(one[0].casefold(), False) for one in found], [one.span() for one in found])


def _chosen(spelled: Sequence[tuple[str, bool]], spans: Sequence[Span]) -> dict[int, tuple[Span, ...]]:
    """Return the fingerprints of what was spelled, each with the places where its sequences begin and end."""
    hashes = [_hash(spelled[start : start + LENGTH]) for start in range(len(spelled) - LENGTH + 1)]
    places: dict[int, list[Span]] = {}
    for start in _winnowed(hashes):
        places.setdefault(hashes[start], []).append((spans[start][0], spans[start + LENGTH - 1][1]))
    return {one: tuple(held) for one, held in places.items()}


def _spelled(found: Sequence[Token], known: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Yield each token's text, and whether it is a name of the learner's own choice."""
    for number, token in enumerate(found):
        before = found[number - 1].text if number else ""
        own = token.kind == "name" and token.text not in PYTHON_S and token.text not in known
        if before == ".":
            # What follows a dot is the library's name, but for a module's own attributes.
            own = own and number > 1 and found[number - 2].text == "self"
        elif own and before in "(," and number + 1 < len(found):
            own = found[number + 1].text != "="  # a keyword argument
        yield token.text, own


def _hash(sequence: Sequence[tuple[str, bool]]) -> int:
    """Return a number for a sequence, the same in every process."""
    names: dict[str, str] = {}
    parts = [names.setdefault(text, f"\0{len(names)}") if own else text for text, own in sequence]
    content = "\1".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")


def _winnowed(hashes: Sequence[int]) -> Iterator[int]:
    """Yield the place of the smallest hash of each window, the last of equal ones; each place once."""
    last = -1
    for start in range(max(1, len(hashes) - WINDOW + 1) if hashes else 0):
        window = range(start, min(start + WINDOW, len(hashes)))
        chosen = min(window, key=lambda place: (hashes[place], -place))
        if chosen != last:
            yield chosen
            last = chosen
