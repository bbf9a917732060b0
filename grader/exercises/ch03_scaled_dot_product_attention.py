"""Chapter 3, scaled dot-product attention: three projections, and why the scores are scaled."""

from grader.exercises.model import LIBRARY_ATTENTION, Chapter, Exercise

STEM = "ch03_scaled_dot_product_attention"

PROJECT = Exercise(
    id="ch03-project",
    chapter=STEM,
    subject="project",
    signature="project(inputs, W_query, W_key, W_value): (T, d_in), (d_in, d_k), (d_in, d_k), (d_in, d_v) "
    "-> query (T, d_k), key (T, d_k), value (T, d_v)",
    driver="function",
    returns=("query", "key", "value"),
    points=2,
    difficulty=1,
    minutes=5,
    section="Three readings of every token",
    hints=(
        "A projection is one matrix product. Each token is a row of inputs, and each matrix has d_in rows: "
        "which of the two comes first in the product?",
        "The function has three results. Return them separated by commas, in the order that the docstring "
        "names.",
    ),
)

SCALED_SCORES = Exercise(
    id="ch03-scaled-scores",
    chapter=STEM,
    subject="scaled_scores",
    signature="scaled_scores(query, key): (..., T_q, d_k), (..., T_k, d_k) -> (..., T_q, T_k)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=8,
    section="Scores that keep their size",
    hints=(
        "First make it right for two matrices, (T_q, d_k) and (T_k, d_k). Every query meets every key, so "
        "the result is (T_q, T_k): which of the two has to be transposed for that?",
        "The number to divide by depends on how many products one score adds up. Read that number off the "
        "keys; do not write it down as a constant.",
        "With leading axes, count the axes from the end: the transpose must exchange the last two and leave "
        "all others where they are. The number of features of a key is the size of its last axis.",
    ),
)

ATTEND_ONE = Exercise(
    id="ch03-attend-one",
    chapter=STEM,
    subject="attend_one",
    signature="attend_one(query_i, key, value): (d_k,), (T, d_k), (T, d_v) -> context (d_v,), weights (T,)",
    driver="function",
    returns=("context", "weights"),
    points=3,
    difficulty=2,
    minutes=10,
    section="One query, one mixture",
    hints=(
        "Four steps, each one line: scores (T,), scaled scores (T,), weights (T,), context (d_v,).",
        "The product of a matrix (T, d_k) and a vector (d_k,) is a vector (T,): all scores of one query at "
        "once. The softmax has only one axis to run along here.",
        "The context adds up the rows of value, each multiplied by its weight. The product of a vector (T,) "
        "and a matrix (T, d_v) does exactly that.",
    ),
    forbidden=LIBRARY_ATTENTION,
)

SCALED_DOT_PRODUCT_ATTENTION = Exercise(
    id="ch03-attention",
    chapter=STEM,
    subject="scaled_dot_product_attention",
    signature="scaled_dot_product_attention(query, key, value): (..., T_q, d_k), (..., T_k, d_k), "
    "(..., T_k, d_v) -> context (..., T_q, d_v), weights (..., T_q, T_k)",
    driver="function",
    returns=("context", "weights"),
    points=4,
    difficulty=3,
    minutes=12,
    section="All queries at once",
    hints=(
        "It is attend_one with one row for every query. Write the shape behind each line: scores and weights "
        "are (..., T_q, T_k), and the context is (..., T_q, d_v).",
        "Your scaled_scores already works for any leading axes. What is left is a softmax and a product.",
        "The weights of one query have to sum to 1, and they lie along the keys. The keys are the last axis: "
        "name it counted from the end, so that it is right for 2, 3 and 4 axes alike.",
    ),
    forbidden=LIBRARY_ATTENTION,
    requires=("ch03-scaled-scores",),
)

CHAPTER = Chapter(
    stem=STEM,
    title="Scaled dot-product attention",
    exercises=(PROJECT, SCALED_SCORES, ATTEND_ONE, SCALED_DOT_PRODUCT_ATTENTION),
)
