"""Chapter 2, dot-product attention: from one dot product to the context vectors of all tokens."""

from grader.exercises.model import LIBRARY_ATTENTION, Chapter, Exercise, Forbidden

STEM = "ch02_dot_product_attention"

# An exercise that asks for a softmax to be built forbids every function of the library with it in its name.
# Attention has a softmax inside.
LIBRARY_SOFTMAX = Forbidden(("softmax", *LIBRARY_ATTENTION.parts), "PyTorch's own softmax")

SCORES_ONE_QUERY = Exercise(
    id="ch02-scores-one-query",
    chapter=STEM,
    subject="scores_for_query",
    signature="scores_for_query(query, inputs): (d,), (T, d) -> (T,)",
    driver="function",
    points=1,
    difficulty=1,
    minutes=6,
    section="The scores of one query",
    hints=(
        "Do it for one token first: you did so above for 'journey' and 'Your'. Then there are T such "
        "numbers, one for each row of inputs.",
        "A loop over the rows of inputs with one dot product each is right, and torch.stack makes one "
        "tensor of the numbers that you collect in a list.",
        "Without a loop: the product of a matrix and a vector is exactly one dot product a row. Write the "
        "two shapes down. Which order lets the axes of length d meet?",
    ),
)

SUM_NORMALIZE = Exercise(
    id="ch02-sum-normalize",
    chapter=STEM,
    subject="normalize_by_sum",
    signature="normalize_by_sum(scores): (T,) -> (T,)",
    driver="function",
    points=1,
    difficulty=1,
    minutes=5,
    section="Shares that sum to 1",
    hints=(
        "Four friends put in 1, 2, 3 and 4 coins. Which share of all the coins is each one's? Write the "
        "four shares down, then the rule.",
        "A tensor has a method for the total of its numbers, and dividing a tensor by one number divides "
        "each entry.",
    ),
)

SOFTMAX_NAIVE = Exercise(
    id="ch02-softmax-naive",
    chapter=STEM,
    subject="softmax_naive",
    signature="softmax_naive(x): (n,) -> (n,)",
    driver="function",
    points=1,
    difficulty=1,
    minutes=7,
    section="Softmax, step by step",
    hints=(
        "Two steps: make every number positive, then divide as in exercise 2. You saw both done on three "
        "numbers.",
        "torch.exp works on a whole tensor. What do you have to add up: the scores, or what exp made of "
        "them?",
    ),
    forbidden=LIBRARY_SOFTMAX,
)

SOFTMAX_STABLE = Exercise(
    id="ch02-softmax-stable",
    chapter=STEM,
    subject="softmax_stable",
    signature="softmax_stable(x): (..., n) -> (..., n)",
    driver="function",
    points=3,
    difficulty=3,
    minutes=18,
    section="When the scores are large",
    hints=(
        "Start from softmax_naive. One line comes before the exponential: the shift that you have just "
        "seen, by the row's own largest number.",
        "Every row is a softmax of its own: it has its own maximum and its own sum. Both are taken along "
        "the last axis, whatever stands in front of it.",
        "For x of shape (3, 5) a row's maximum must line up with its row: it needs the shape (3, 1), not "
        "(3,). Which argument of the reductions keeps the axis?",
    ),
    forbidden=LIBRARY_SOFTMAX,
    requires=("ch02-softmax-naive",),
)

CONTEXT_ONE_QUERY = Exercise(
    id="ch02-context-one-query",
    chapter=STEM,
    subject="context_vector",
    signature="context_vector(weights, inputs): (T,), (T, d) -> (d,)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=6,
    section="From shares to a context vector",
    hints=(
        "Multiply each row of inputs by its share, then add the rows up: T rows become one row of d numbers.",
        "In a loop you start from inputs.new_zeros(...), a row of zeros, and add one scaled row after the "
        "other, without changing inputs.",
        "Without a loop: a vector times a matrix. The two axes that meet must both count tokens.",
    ),
)

SCORES = Exercise(
    id="ch02-scores",
    chapter=STEM,
    subject="attention_scores",
    signature="attention_scores(inputs): (T, d) -> (T, T)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=5,
    section="All queries at once",
    hints=(
        "Entry [i, j] is the dot product of token i and token j. Your function of exercise 1 gives one row.",
        "One matrix product gives all rows. The axes that meet must both count features, so one of the two "
        "factors has to be turned first.",
    ),
    requires=("ch02-scores-one-query",),
)

WEIGHTS = Exercise(
    id="ch02-weights",
    chapter=STEM,
    subject="attention_weights",
    signature="attention_weights(scores): (..., n, m) -> (..., n, m)",
    driver="function",
    points=1,
    difficulty=2,
    minutes=6,
    section="Weights for every query",
    hints=(
        "torch.softmax takes the axis as dim. Along that axis the result sums to 1.",
        "A row belongs to one query, and its entries run along the last axis. How do you name the last axis "
        "when you do not know how many there are?",
    ),
    requires=("ch02-softmax-stable", "ch02-scores"),
)

SIMPLE_SELF_ATTENTION = Exercise(
    id="ch02-simple-self-attention",
    chapter=STEM,
    subject="simple_self_attention",
    signature="simple_self_attention(inputs): (T, d) -> (context (T, d), weights (T, T))",
    driver="function",
    points=3,
    difficulty=2,
    minutes=10,
    section="Self-attention in one function",
    hints=(
        "Three steps, and you have written the first two: scores, weights, context. You may call your own "
        "functions.",
        "Row i of the context is row i of the weights times inputs. For all rows at once this is one more "
        "matrix product: which shapes does it need to give (T, d)?",
        "Two results go back, the context first. Two names after return, with a comma between, make a tuple.",
    ),
    returns=("context", "weights"),
    forbidden=LIBRARY_ATTENTION,
    requires=("ch02-scores", "ch02-weights", "ch02-context-one-query"),
)

CHAPTER = Chapter(
    stem=STEM,
    title="Dot-product attention",
    exercises=(
        SCORES_ONE_QUERY,
        SUM_NORMALIZE,
        SOFTMAX_NAIVE,
        SOFTMAX_STABLE,
        CONTEXT_ONE_QUERY,
        SCORES,
        WEIGHTS,
        SIMPLE_SELF_ATTENTION,
    ),
)
