"""What is used of PyTorch and nbgrader that their documentation does not promise.

A new version may move any of it. It is used nowhere else in the package, and each name has a test of its own,
in ``tests/private_api``: with another version, run those first.
"""

# The module of PyTorch's compiler; named here because importing torch takes seconds.
TORCH_COMPILER = "torch._dynamo"
