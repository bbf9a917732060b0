"""What only some courses need, a folder for each topic: found by its place, and named nowhere else.

A topic adds to the rest of the package. A module of a name that is listed here holds what it adds; which
names it has to define is said where they are asked for:

=============  ==============================================================================
``declared``   what a declaration may name (``exercises/model.py``)
``drivers``    ways of running an answer on a case (``checking/drivers``)
``dropout``    how dropout is judged from one call in training (``checking/checks/further.py``)
``families``   mistakes that are made of correct variants (``proving/families.py``)
``materials``  what is handed to notebooks (``materials``)
``rounding``   how the library computes in single steps (``proving/rounding.py``)
``steps``      steps that many exercises share (``proving/steps.py``)
``watches``    what the library would do in a learner's place (``checking/recording.py``, ``sandbox``)
``widgets``    what a learner plays with (``widgets``)
=============  ==============================================================================

The table ``mistakes.toml`` holds mistakes of the topic (``checking/mistakes.py``). Nothing outside of a
topic's folder imports from it but by these functions; a module of a topic imports only what the part of the
package may import that it adds to.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType


def folders() -> list[Path]:
    """Return the folders of all topics, in the order of their names."""
    return sorted(path.parent for path in Path(__file__).parent.glob("*/__init__.py"))


@cache
def modules(kind: str) -> tuple[ModuleType, ...]:
    """Return the modules of one kind, of the topics that have one."""
    names = [f"{__name__}.{folder.name}.{kind}" for folder in folders()]
    return tuple(import_module(name) for name in names if find_spec(name))


def table(kind: str, name: str) -> dict:
    """Return the entries of the tables of a name in all modules of a kind."""
    return {key: value for module in modules(kind) for key, value in getattr(module, name).items()}


def listed(kind: str, name: str) -> tuple:
    """Return the members of the tuples of a name in all modules of a kind."""
    return tuple(one for module in modules(kind) for one in getattr(module, name))


def offered(kind: str, name: str) -> object:
    """Return what a topic offers under a name beside what a module defines: for its ``__getattr__``.

    Raises:
        AttributeError: none does.
    """
    for module in modules(kind):
        if name in module.__all__:
            return getattr(module, name)
    raise AttributeError(f"There is no {name} in {kind}, nor does a topic offer one.")
