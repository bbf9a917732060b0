"""Chapter 0, the tensor toolkit: the four operations that attention is made of, and the course's checks."""

from grader.exercises.model import Chapter, Exercise

STEM = "ch00_tensor_toolkit"

PAIRWISE_DOTS = Exercise(
    id="ch00-pairwise-dots",
    chapter=STEM,
    subject="pairwise_dots",
    signature="pairwise_dots(a, b): (n, d), (m, d) -> (n, m)",
    driver="function",
    points=2,
    difficulty=1,
    minutes=12,
    section="All dot products at once",
    hints=(
        "Write the shapes down: (n, d) and (m, d) go in, (n, m) comes out. Which size has to disappear, and "
        "which two sizes have to meet in the middle of a matrix product?",
        "A matrix product pairs the rows of the left matrix with the columns of the right one. You need the "
        "rows of b where its columns are now.",
        "Two loops are allowed too: one over the rows of a, one over the rows of b. Collect the dot products "
        "with torch.stack, or write them into a.new_zeros(n, m), so that the dtype stays that of a.",
    ),
)

TRANSPOSE = Exercise(
    id="ch00-transpose",
    chapter=STEM,
    subject="swap_last_two",
    signature="swap_last_two(x): (..., n, m) -> (..., m, n)",
    driver="function",
    points=2,
    difficulty=1,
    minutes=6,
    section="Swapping two axes of many",
    hints=(
        "Try your answer on random numbers, torch.rand(3, 4), torch.rand(2, 3, 4) and "
        "torch.rand(5, 2, 3, 4), and print the three shapes. Only the last two sizes may change places.",
        "Counted from the front, the last two axes are 0 and 1, or 1 and 2, or 2 and 3. Counted from the "
        "back they are always the same two.",
    ),
)

SCALE = Exercise(
    id="ch00-scale",
    chapter=STEM,
    subject="scale",
    signature="scale(scores, d_k): any shape -> the same shape",
    driver="function",
    points=2,
    difficulty=1,
    minutes=5,
    section="Dividing every number",
    hints=(
        "d_k is a plain Python number, so a plain Python square root is enough: ** with the right "
        "exponent, or math.sqrt.",
        "Try scale(torch.tensor([8.0]), 16) on paper first. The square root of 16 is 4. What should come "
        "out?",
    ),
    new_memory=True,
)

ROW_SOFTMAX = Exercise(
    id="ch00-row-softmax",
    chapter=STEM,
    subject="row_softmax",
    signature="row_softmax(scores): (..., n, m) -> (..., n, m)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=8,
    section="Shares of a row",
    hints=(
        "You may call PyTorch's softmax. All that is left to decide is the axis, and it must be right for "
        "two, three and four axes alike.",
        "To test an answer, sum its result along the last axis: every sum has to be 1. A sum over an axis "
        "goes along it, and so does a softmax.",
        "If you build it yourself: what you divide by must have as many axes as what is divided, and the "
        "exponential of a large score must not overflow.",
    ),
)

BATCHED_DOTS = Exercise(
    id="ch00-batched-dots",
    chapter=STEM,
    subject="batched_pairwise_dots",
    signature="batched_pairwise_dots(a, b): (..., n, d), (..., m, d) -> (..., n, m)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=10,
    section="A batch at once",
    hints=(
        "It is pairwise_dots for every pair of matrices in the two stacks. Which part of your pairwise_dots "
        "counts on there being only two axes?",
        "The matrix product leaves all axes but the last two alone. So you only have to bring the last two "
        "axes of b into the right order, and exercise 2 does that.",
    ),
    requires=("ch00-pairwise-dots", "ch00-transpose"),
)

CHAPTER = Chapter(
    stem=STEM,
    title="The tensor toolkit",
    exercises=(PAIRWISE_DOTS, TRANSPOSE, SCALE, ROW_SOFTMAX, BATCHED_DOTS),
)
