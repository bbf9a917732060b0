"""Chapter 6, multi-head attention: a list of heads, then one module that computes all heads at once."""

from grader.exercises.model import ANYTHING, LIBRARY_ATTENTION, Chapter, Exercise, Forbidden, Question

STEM = "ch06_multi_head_attention"
QKV = ("W_query", "W_key", "W_value")

WRAPPER = Exercise(
    id="ch06-wrapper",
    chapter=STEM,
    subject="MultiHeadAttentionWrapper",
    signature="MultiHeadAttentionWrapper(d_in, d_out, context_length, dropout, num_heads, qkv_bias=False); "
    "forward(x): (b, T, d_in) -> (b, T, num_heads * d_out)",
    driver="module",
    points=2,
    difficulty=2,
    minutes=8,
    section="Heads in a list",
    hints=(
        "The constructor makes num_heads objects of your CausalAttention, each with the same arguments. A "
        "plain Python list would hide them from parameters(); nn.ModuleList registers what it holds.",
        "In forward every head gets the same x and gives (b, T, d_out). Their results go side by side: the "
        "axis that grows is the features' axis.",
    ),
    parameters=tuple(f"heads.*.{name}.weight" for name in QKV),
    biases=tuple(f"heads.*.{name}.bias" for name in QKV),
    drawn_by="linear",
    forbidden=LIBRARY_ATTENTION,
)

WRAPPER_WIDTH = Exercise(
    id="ch06-wrapper-width",
    chapter=STEM,
    subject="wrapper_d_out",
    signature="wrapper_d_out(total_width, num_heads) -> int",
    driver="number",
    points=1,
    difficulty=1,
    minutes=3,
    section="How wide is one head?",
    hints=(
        "h heads of width d_out side by side are h * d_out wide. Which d_out makes that total_width?",
        "Python has two divisions. One of them always gives a float; the other drops a remainder without a "
        "word, so look at the remainder first.",
    ),
)

SPLIT_HEADS = Exercise(
    id="ch06-split-heads",
    chapter=STEM,
    subject="split_heads",
    signature="split_heads(x, num_heads): (b, T, d) -> (b, num_heads, T, d // num_heads)",
    driver="function",
    points=2,
    difficulty=3,
    minutes=10,
    section="One wide projection, cut into heads",
    hints=(
        "Work in two steps. The last axis, d, is cut into two axes; nothing moves in memory for that. Only "
        "then are two axes exchanged.",
        "After the first step the axes are (b, T, head, feature within the head). Which two have to change "
        "places for (b, head, T, feature)?",
        "Print the result for torch.arange(12.0).view(1, 3, 4) and two heads: head 0 must hold the first two "
        "numbers of all three tokens.",
    ),
)

MERGE_HEADS = Exercise(
    id="ch06-merge-heads",
    chapter=STEM,
    subject="merge_heads",
    signature="merge_heads(x): (b, h, T, d_k) -> (b, T, h * d_k)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=5,
    section="And back together",
    hints=(
        "Undo the two steps of split_heads, the last one first.",
        "view refuses when the numbers no longer lie in memory in the order that the shape says. contiguous "
        "lays them out anew; reshape does so by itself where it must.",
    ),
)

MULTI_HEAD_ATTENTION = Exercise(
    id="ch06-multi-head-attention",
    chapter=STEM,
    subject="MultiHeadAttention",
    signature="MultiHeadAttention(d_in, d_out, context_length, dropout, num_heads, qkv_bias=False); "
    "forward(x): (b, T, d_in) -> (b, T, d_out)",
    driver="module",
    points=4,
    difficulty=4,
    minutes=28,
    section="All heads in one module",
    hints=(
        "Most of it is your CausalAttention with d_out features. What is new lies between the projections "
        "and the scores (split), and after the mixing (merge, then out_proj).",
        "After splitting, queries and keys are (b, h, T, head_dim), and you want scores (b, h, T, T): "
        "exchange the last two axes of the keys and of nothing else. The (T, T) part of your mask fits all "
        "batch items and heads as it is.",
        "The scale belongs to the vectors whose dot product is taken. How long is a key of one head?",
    ),
    parameters=(*(f"{name}.weight" for name in QKV), "out_proj.weight"),
    biases=(*(f"{name}.bias" for name in QKV), "out_proj.bias"),
    attributes=("d_out", "num_heads", "head_dim"),
    drawn_by="linear",
    forbidden=LIBRARY_ATTENTION,
    requires=("ch06-split-heads", "ch06-merge-heads"),
)

TO_TORCH = Exercise(
    id="ch06-to-torch",
    chapter=STEM,
    subject="to_torch_mha",
    signature="to_torch_mha(mha) -> nn.MultiheadAttention",
    driver="to_torch",
    points=3,
    difficulty=4,
    minutes=18,
    section="The library's module, with your weights",
    hints=(
        "Construct the library's module first: it wants the width and the number of heads, and two of its "
        "options are named in the docstring. Then print the names and shapes of its parameters.",
        "in_proj_weight holds the three projections one below the other: first all rows of the query, then "
        "the key, then the value. in_proj_bias is built the same way.",
        "Your projections may have no bias; then the library's must add nothing. Copy under torch.no_grad().",
    ),
    requires=("ch06-multi-head-attention",),
)

SDPA = Exercise(
    id="ch06-sdpa",
    chapter=STEM,
    subject="causal_sdpa",
    signature="causal_sdpa(query, key, value): (b, h, T, d_k), (b, h, T, d_k), (b, h, T, d_v) "
    "-> (b, h, T, d_v)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=5,
    section="The library's function, with your mask",
    hints=(
        "The function takes attn_mask. A Boolean one of shape (T, T) says True where a query MAY look.",
        "Which half of the square may be looked at: above the diagonal or below? And the diagonal itself?",
    ),
    moves=True,
    forbidden=Forbidden(("is_causal",), "is_causal"),
    required=("scaled_dot_product_attention",),
)

PARAMETER_COUNT = Exercise(
    id="ch06-parameter-count",
    chapter=STEM,
    subject="parameter_count",
    signature="parameter_count(d_in, d_out, qkv_bias=False) -> int",
    driver="number",
    points=1,
    difficulty=2,
    minutes=5,
    section="What a layer costs",
    hints=(
        "List the four layers with the shapes of their weights. Three are alike; the fourth takes in what "
        "they give out.",
        "Which of the four always has a bias, and which only if asked? A bias has one number for each output "
        "feature.",
    ),
    forbidden=ANYTHING,
    requires=("ch06-multi-head-attention",),
)

WHY_HEADS = Question(
    id="ch06-why-heads",
    chapter=STEM,
    subject="why several heads",
    points=2,
    difficulty=3,
    minutes=10,
    section="One mixture is not enough",
)

CHAPTER = Chapter(
    stem=STEM,
    title="Multi-head attention",
    exercises=(
        WRAPPER,
        WRAPPER_WIDTH,
        SPLIT_HEADS,
        MERGE_HEADS,
        MULTI_HEAD_ATTENTION,
        TO_TORCH,
        SDPA,
        PARAMETER_COUNT,
    ),
    questions=(WHY_HEADS,),
)
