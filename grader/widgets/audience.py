"""Whether anybody watches the notebook that runs."""

from IPython import get_ipython


def somebody_is_there() -> bool:
    """Return whether a notebook's user asked for the running cell.

    Jupyter's messages say so: a request to execute tells whether its sender could answer ``input()``
    (``allow_stdin``). JupyterLab, Notebook and VS Code can; nbval cannot, nor can nbclient, which the build,
    nbgrader and nbconvert use.
    """
    kernel = getattr(get_ipython(), "kernel", None)
    if kernel is None:
        return False
    return bool(kernel.get_parent().get("content", {}).get("allow_stdin", False))
