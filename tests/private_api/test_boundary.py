"""What is private to PyTorch and nbgrader is used in one folder only."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import grader
from grader import private_api

ROOT = Path(grader.__file__).parent
# Names with an underscore before them that are promised: by Python, and by the protocol of rich display.
PROMISED = {"_exit", "_replace", "_repr_mimebundle_"}
# Python's, which has no other way to end a program without its interpreter's own end.
PYTHON = {"_run_exitfuncs"}
# Modules of nbgrader that its documentation does not name.
UNDOCUMENTED = ("nbgrader.dbutil",)


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def private_uses(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines and names: private attributes of other objects, and private or undocumented imports."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                continue
            case ast.Attribute(attr=name) if _is_private(name) and name not in PROMISED | PYTHON:
                yield node.lineno, name
            case ast.ImportFrom(module=str(module), names=names):
                whole = [f"{module}.{one.name}" for one in names]
                if module.startswith(UNDOCUMENTED) or any(map(_is_private, ".".join(whole).split("."))):
                    yield node.lineno, whole[0]
            case ast.Import(names=names):
                for one in names:
                    if one.name.startswith(UNDOCUMENTED) or any(map(_is_private, one.name.split("."))):
                        yield node.lineno, one.name


@pytest.mark.parametrize(
    "line",
    [
        "torch._C.DisableTorchFunction",
        "from torch._C import DispatchKey",
        "import torch._dynamo",
        "from torch.overrides import _pop_mode",
        "from torch.utils import _device",
        "from nbgrader.dbutil import ALEMBIC_DIR",
        "rule._check_late_penalty(notebook, 1.0)",
        "func()._schema.name",
    ],
)
def test_private_use_is_found(line: str) -> None:
    """Attributes and imports of every kind are seen."""
    assert list(private_uses(line))


def test_nothing_private_is_used_elsewhere() -> None:
    """All other modules use what is promised, and their own."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted(ROOT.rglob("*.py"))
        if "private_api" not in path.parts
        for line, name in private_uses(path.read_text())
    ]
    assert not found, "to grader/private_api, with a test in tests/private_api: " + "; ".join(found)


def names_of(module: str) -> list[str]:
    """Return what a module of the folder defines, and what it passes on."""
    return [*_defined(module), *getattr(importlib.import_module(module), "__all__", ())]


def _defined(module: str) -> Iterator[str]:
    tree = ast.parse(Path(importlib.import_module(module).__file__).read_text())
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if not name.startswith("_"):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) if name not in {"__all__", "Wrapper"}:
                yield name


@pytest.mark.parametrize("module", ["", *(one.name for one in pkgutil.iter_modules(private_api.__path__))])
def test_each_name_has_a_test(module: str) -> None:
    """A name that no test of this folder uses would move unseen."""
    folder = Path(__file__).parent
    text = "\n".join(path.read_text() for path in folder.glob("test_*.py") if path != Path(__file__))
    defined = names_of(".".join(filter(None, ("grader.private_api", module))))
    assert defined
    assert not [name for name in defined if name not in text]
