"""The cell that finds or installs the package if a notebook is opened outside the prepared environment.

The build inserts it before the first code cell. If the package is installed it does nothing and defines no
name, so grading drops it: notebooks released without the cell are graded the same way.
"""

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

FINDER_ID = "find-grader"
FINDER = """\
# Finds the package that checks your answers, or says how to get it. You need not read this.
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
        print(
            "The course's package is not installed here. Put grader-*.whl of the archive",
            f"into {Path.cwd()}, and run this cell again.",
        )
    elif hosted or os.environ.get("GRADER_INSTALL"):
        print(f"Installing {wheels[0]}. PyTorch and NumPy stay as they are.")
        others = "anywidget filelock matplotlib platformdirs safetensors seaborn".split()
        for what in (others, ["--no-deps", str(wheels[0])]):
            command = [sys.executable, "-m", "pip", "install", "--quiet", *what]
            if subprocess.run(command).returncode:
                print("That failed, for the reason above. Mend it, and run this cell again.")
                return
        importlib.invalidate_caches()
    else:
        print(
            "The course's package is not installed in the Python of this notebook.",
            "Choose the kernel of START.md, or run this line in a cell of its own:",
            f'%pip install "{wheels[0]}"',
            sep="\\n",
        )


find_grader()
del find_grader"""


def finder_cell() -> NotebookNode:
    """Return the cell: collapsed, not editable, not deletable."""
    metadata = {
        "deletable": False,
        "editable": False,
        "jupyter": {"source_hidden": True},
        "tags": ["hide-input"],
    }
    return new_code_cell(FINDER, id=FINDER_ID, metadata=metadata)


def is_finder(cell: NotebookNode) -> bool:
    """Return whether a cell is this one, as it was given."""
    return cell.cell_type == "code" and cell.source == FINDER
