"""What the library would do in a learner's place: how the functions and operators of attention are known."""

from grader.topics.attention.declared import LIBRARY_ATTENTION

# Patterns of names of operators, and of functions in Python; one of the parts is in every name that one fits.
PATTERNS = ("attention", "(?<!f)sdpa?_", "sfdp")
PARTS = ("attention", "sdp", "sfdp")
# Of the names that a course forbids, what is seen at the dispatcher wherever ``CallWatcher`` sees it.
SEEN_BENEATH = LIBRARY_ATTENTION.parts
# Operators that only what is watched calls: of what vmap makes a batch of, nothing else is seen.
BENEATH = {"_safe_softmax": "scaled_dot_product_attention"}
# Parts of names of operators that no right answer calls, though it may call others of such a name.
NEVER_COMMON = ("attention",)
# Arguments of operators by which they do more of what is asked of the learner.
SWITCHED = ("is_causal",)
# The same of functions, by the position in which it may be given without its name.
SWITCHES = {"scaled_dot_product_attention": {5: "is_causal"}}
# Functions in Python in a module whose others only call operators (``torch.nn.functional``).
IN_PYTHON = ("multi_head_attention_forward",)
