"""Chapter 1, why attention: what a recurrent net keeps of a sentence, and a lookup that keeps all of it."""

from grader.exercises.model import LIBRARY_ATTENTION, Chapter, Exercise, Forbidden

STEM = "ch01_why_attention"

# PyTorch's own recurrent nets and their single steps.
LIBRARY_RECURRENCE = Forbidden(("rnn", "gru", "lstm"), "PyTorch's own recurrent nets")

ENCODE = Exercise(
    id="ch01-encode",
    chapter=STEM,
    subject="encode",
    signature="encode(W_xh, W_hh, inputs): (d_in, d_h), (d_h, d_h), (T, d_in) -> (d_h,)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=10,
    section="The whole sentence in one vector",
    hints=(
        "You did two steps by hand. Which name did both results have, and what stood in its place before "
        "the first step?",
        "A loop over the rows of inputs takes one token after the other. What has to live longer than one "
        "round of the loop?",
        "Start from d_h zeros, made by new_zeros of a tensor that you were given. In each round one line "
        "gives h a new value, computed from the token and from the old h. What do you return when the loop "
        "is over?",
    ),
    forbidden=LIBRARY_RECURRENCE,
)

INFLUENCE = Exercise(
    id="ch01-influence",
    chapter=STEM,
    subject="influence",
    signature="influence(W_xh, W_hh, inputs): (d_in, d_h), (d_h, d_h), (T, d_in) -> (T,)",
    driver="function",
    points=3,
    difficulty=3,
    minutes=15,
    section="How much does each word count?",
    hints=(
        "Four steps, and you have seen each: a copy of inputs that PyTorch watches, the last state, one "
        "number made of it, the way back.",
        "After backward the gradient of the copy has the shape of the copy, (T, d_in). One number a row is "
        "asked for: how large is that row?",
        "The size of a row is the root of the sum of its squares, and norm computes it along the axis that "
        "you name. Sum along that axis, and which one disappears?",
    ),
    requires=("ch01-encode",),
)

SOFT_LOOKUP = Exercise(
    id="ch01-soft-lookup",
    chapter=STEM,
    subject="soft_lookup",
    signature="soft_lookup(query, keys, values): (d,), (n, d), (n, d_v) -> (d_v,)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=8,
    section="A lookup that takes a little of everything",
    hints=(
        "Three steps: n scores, n shares, one mixture. You saw all three done on the prices of fruit.",
        "A matrix times a vector gives one dot product a row. Which of the two tensors of n rows is "
        "compared with the query?",
        "The shares have the shape (n,) and the values (n, d_v). Which order lets the axes of size n meet, "
        "so that (d_v,) is left?",
    ),
    forbidden=LIBRARY_ATTENTION,
)

CHAPTER = Chapter(stem=STEM, title="Why attention", exercises=(ENCODE, INFLUENCE, SOFT_LOOKUP))
