"""What a declaration may name: drivers, and what must not be called."""

from grader.exercises.model import Forbidden

# Every way PyTorch offers to have attention computed for you.
LIBRARY_ATTENTION = Forbidden(
    ("attention", "scaled_dot_product", "MultiheadAttention", "sfdp"),
    "PyTorch's own attention",
)
# Names that a declaration may say for these.
NAMED = {"attention": LIBRARY_ATTENTION}
DRIVERS = ("to_torch",)
