"""Whether somebody is there, in front of the notebook or of a terminal."""

import sys


def in_interactive_notebook() -> bool:
    """Return whether a notebook's user asked for the running cell.

    Jupyter's messages say so: a request to execute tells whether its sender could answer ``input()``
    (``allow_stdin``). JupyterLab, Notebook and VS Code can; nbval cannot, nor can nbclient, which the build,
    nbgrader and nbconvert use.
    """
    if "ipykernel" not in sys.modules:
        return False
    from IPython import get_ipython  # noqa: PLC0415 - loaded already where there is a kernel

    kernel = getattr(get_ipython(), "kernel", None)
    return kernel is not None and bool(kernel.get_parent().get("content", {}).get("allow_stdin", False))


def in_interactive_terminal() -> bool:
    """Return whether somebody types into a terminal's Python or IPython.

    Both have a prompt then; so has IPython in a kernel, where ``in_interactive_notebook`` knows better.
    """
    return "ipykernel" not in sys.modules and hasattr(sys, "ps1") and sys.stdin.isatty()
