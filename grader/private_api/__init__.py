"""What is used of PyTorch and nbgrader that their documentation does not promise.

A new version may move any of it. It is used nowhere else in the package, and each name has a test of its own,
in ``tests/private_api``: with another version, run those first.
"""

# The module of PyTorch's compiler; named here because importing torch takes seconds.
TORCH_COMPILER = "torch._dynamo"

# Modules that nbgrader imports, and with them a web server, for one function each that JupyterLab calls.
SERVER_EXTENSIONS = (
    "nbgrader.server_extensions.assignment_list",
    "nbgrader.server_extensions.course_list",
    "nbgrader.server_extensions.formgrader",
    "nbgrader.server_extensions.validate_assignment",
)
SERVER_EXTENSION_LOADER = "load_jupyter_server_extension"
