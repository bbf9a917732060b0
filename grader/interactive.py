"""Detect whether a notebook or a terminal is used interactively."""

import sys


def in_interactive_notebook() -> bool:
    """Return whether a user at a notebook requested the running cell.

    Jupyter's execute request says whether its sender could answer ``input()`` (``allow_stdin``). JupyterLab,
    Notebook and VS Code can; nbval cannot, nor can nbclient, which the build, nbgrader and nbconvert use.
    """
    if "ipykernel" not in sys.modules:
        return False
    from IPython import get_ipython  # noqa: PLC0415 - loaded already where there is a kernel

    kernel = getattr(get_ipython(), "kernel", None)
    return kernel is not None and bool(kernel.get_parent().get("content", {}).get("allow_stdin", False))


def in_interactive_terminal() -> bool:
    """Return whether this is an interactive Python or IPython in a terminal.

    Both define a prompt (``sys.ps1``); so does IPython in a kernel, for which ``in_interactive_notebook``
    decides.
    """
    return "ipykernel" not in sys.modules and hasattr(sys, "ps1") and sys.stdin.isatty()
