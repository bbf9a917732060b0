"""Texts that ship with the package, so that a notebook finds them wherever it lies."""

from importlib.resources import files


def fables() -> str:
    """Return thirty short fables in simple English, a title and a paragraph each.

    They were written for this course, under the license of the course; the plots of many are those of
    Aesop's fables.
    """
    return files(__package__).joinpath("fables.txt").read_text(encoding="utf-8")
