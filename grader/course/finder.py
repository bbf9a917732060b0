"""The cell that finds the course's package where a notebook is opened elsewhere than START.md says.

The build puts it before the first code. Where the package is installed it does nothing, and leaves no name
behind, so that grading can do without it: work that was handed out without the cell is graded alike.
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
    """Return the cell: folded, and neither to be changed nor deleted."""
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
