"""Every way PyTorch offers to have attention computed for you."""

from grader.exercises.model import Forbidden

LIBRARY_ATTENTION = Forbidden(
    ("attention", "scaled_dot_product", "MultiheadAttention", "sfdp"),
    "PyTorch's own attention",
)
# Names that a declaration may say for these.
NAMED = {"attention": LIBRARY_ATTENTION}
