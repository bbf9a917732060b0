"""The cell that finds or installs the package if a notebook is opened outside the prepared environment.

The build inserts it before the first code cell. If the package is installed it does nothing and defines no
name, so grading drops it: notebooks released without the cell are graded the same way.
"""

import json
from gettext import NullTranslations

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from grader.messages import Message, message
from grader.messages.message import ENGLISH

FINDER_ID = "find-grader"
# What it prints, with the expressions of its code where a value belongs.
WHAT_IT_DOES = message(
    "Finds the package that checks your answers, or says how to get it. You need not read this."
)
NO_WHEEL = message(
    "The course's package is not installed here. Put grader-*.whl of the archive into {folder}, and run this "
    "cell again.",
    folder="{Path.cwd()}",
)
INSTALLING = message("Installing {wheel}. PyTorch and NumPy stay as they are.", wheel="{wheels[0]}")
FAILED = message("That failed, for the reason above. Mend it, and run this cell again.")
OTHER_KERNEL = message(
    "The course's package is not installed in the Python of this notebook. Choose the kernel of START.md, or "
    "run this line in a cell of its own:"
)
CODE = """\
# {what_it_does}
def find_grader():
    import importlib
    import os
    import subprocess
    import sys
    from importlib.util import find_spec
    from pathlib import Path

    if find_spec("grader"):
        return
    near = [Path.cwd(), *Path.cwd().parents][:3]
    wheels = [wheel for folder in near for wheel in sorted(folder.glob("grader-*.whl"))]
    wheels += Path("/kaggle/input").rglob("grader-*.whl")
    hosted = "google.colab" in sys.modules or "KAGGLE_KERNEL_RUN_TYPE" in os.environ
    if not wheels:
        print(f{no_wheel})
    elif hosted or os.environ.get("GRADER_INSTALL"):
        print(f{installing})
        others = "anywidget filelock matplotlib platformdirs safetensors seaborn".split()
        for what in (others, ["--no-deps", str(wheels[0])]):
            command = [sys.executable, "-m", "pip", "install", "--quiet", *what]
            if subprocess.run(command).returncode:
                print({failed})
                return
        importlib.invalidate_caches()
    else:
        print({other_kernel})
        print(f'%pip install "{{wheels[0]}}"')


find_grader()
del find_grader"""


def finder(catalog: NullTranslations = ENGLISH) -> str:
    """Return the cell's source, which says what it says in a catalog's language."""
    return CODE.format(
        what_it_does=WHAT_IT_DOES.render(catalog),
        no_wheel=_quoted(NO_WHEEL, catalog),
        installing=_quoted(INSTALLING, catalog),
        failed=_quoted(FAILED, catalog),
        other_kernel=_quoted(OTHER_KERNEL, catalog),
    )


def _quoted(told: Message, catalog: NullTranslations) -> str:
    return json.dumps(told.render(catalog), ensure_ascii=False)


FINDER = finder()


def finder_cell(catalog: NullTranslations = ENGLISH) -> NotebookNode:
    """Return the cell in a catalog's language: collapsed, not editable, not deletable."""
    metadata = {
        "deletable": False,
        "editable": False,
        "jupyter": {"source_hidden": True},
        "tags": ["hide-input"],
    }
    return new_code_cell(finder(catalog), id=FINDER_ID, metadata=metadata)


def is_finder(cell: NotebookNode) -> bool:
    """Return whether a cell of a notebook that was built is this one, in any language."""
    return cell.cell_type == "code" and (cell.source == FINDER or cell.get("id") == FINDER_ID)
