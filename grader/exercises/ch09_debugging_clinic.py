"""Chapter 9, the debugging clinic: twelve functions that run and are wrong."""

from grader.exercises.ch09_specimens import SPECIMENS
from grader.exercises.model import Chapter, Exercise

STEM = "ch09_debugging_clinic"
SECTIONS = (
    "Case 1: everything sums to 1",
    "Case 2: it worked in the test",
    "Case 3: right for four tokens",
    "Case 4: a mixture of something else",
    "Case 5: the shape is right",
    "Case 6: it ran for weeks",
    "Case 7: the zeros are gone",
    "Case 8: two heads, half a sentence each",
    "Case 9: a little too even",
    "Case 10: far from home",
    "Case 11: only without a limit",
    "Case 12: two looks, one matrix",
)


def _expose(number: int, gives: str, difficulty: int, minutes: int, *hints: str) -> Exercise:
    """Return the exercise that asks for an input on which the code of a case is wrong."""
    return Exercise(
        id=f"ch09-expose-{number:02}",
        chapter=STEM,
        subject=f"expose_{number:02}",
        signature=f"expose_{number:02}() -> {gives}",
        driver="exposes",
        points=1,
        difficulty=difficulty,
        minutes=minutes,
        section=SECTIONS[number - 1],
        hints=hints,
        specimen=SPECIMENS[number - 1],
    )


def _fixed(
    number: int, signature: str, difficulty: int, minutes: int, *hints: str, **more: object
) -> Exercise:
    """Return the exercise that asks to mend the code of a case."""
    return Exercise(
        id=f"ch09-fixed-{number:02}",
        chapter=STEM,
        subject=f"fixed_{number:02}",
        signature=f"fixed_{number:02}{signature}",
        points=1,
        difficulty=difficulty,
        minutes=minutes,
        section=SECTIONS[number - 1],
        hints=hints,
        requires=(f"ch09-expose-{number:02}",),
        **({"driver": "function"} | more),
    )


EXERCISES = (
    _expose(
        1,
        "scores (T_q, T_k)",
        1,
        3,
        "The question is along which axis the weights sum to 1. Which scores make a difference between rows "
        "and columns?",
        "Take two rows and three columns with numbers that you make up. Then compare what sums to 1 "
        "with what has to.",
    ),
    _fixed(
        1,
        "(scores): (T_q, T_k) -> weights (T_q, T_k)",
        1,
        2,
        "The weights of one query are one row. Its entries lie along the last axis.",
        "dim names the axis along which the result sums to 1. Count it from the end.",
    ),
    _expose(
        2,
        "query (T_q, d_k), key (T_k, d_k)",
        1,
        3,
        "Lena's test had as many tokens as features, and a key that looks the same from both sides. Change "
        "either of the two.",
        "Return a tuple of two tensors. It counts, too, if the code raises an error on a valid input.",
    ),
    _fixed(
        2,
        "(query, key): (T_q, d_k), (T_k, d_k) -> scores (T_q, T_k)",
        1,
        2,
        "Score [i, j] is the dot product of row i of query and row j of key. Write both shapes side by side: "
        "which axes meet?",
        "The transpose of a matrix has its rows as columns.",
    ),
    _expose(
        3,
        "query (T_q, d_k), key (T_k, d_k)",
        1,
        2,
        "The code divides by the root of one size, and the formula by the root of another. When are these "
        "the same?",
        "Four tokens of four features hide it. Take another number of tokens, and scores that are not 0.",
    ),
    _fixed(
        3,
        "(query, key): (T_q, d_k), (T_k, d_k) -> scaled scores (T_q, T_k)",
        1,
        2,
        "A score adds up d_k products. Which axis counts them?",
        "shape[0] counts tokens. What does the last entry of the shape count?",
    ),
    _expose(
        4,
        "x (T, d)",
        2,
        3,
        "Go through the body of the function and mark every name that is neither an argument nor made in it.",
        "Try another sentence than the one of the test: other numbers, or another number of tokens.",
    ),
    _fixed(
        4,
        "(x): (T, d) -> context (T, d)",
        1,
        3,
        "A function's result should follow from its arguments alone. Which line does not?",
        "Write it as if it were the first cell of a notebook: scores, weights, context, each made of x.",
    ),
    _expose(
        5,
        "heads (h, T, head_dim)",
        2,
        3,
        "Label the numbers: head 0 holds 0.0, 0.1, ..., head 1 holds 10.0, 10.1, ... . What should row 0 of "
        "the result hold?",
        "torch.arange(12.0).view(2, 3, 2) is a tensor of two heads, three tokens and two features.",
    ),
    _fixed(
        5,
        "(heads): (h, T, head_dim) -> (T, h * head_dim)",
        2,
        3,
        "Row t of the result belongs to token t: its features of head 0, then those of head 1, and so on.",
        "Along which axis do two heads stand side by side? torch.cat takes it as dim, and no view is needed.",
    ),
    _expose(
        6,
        "x (T, 3) or (b, T, 3)",
        1,
        2,
        "There are two ways through this code. Which of them has Ben's notebook used?",
        "A sentence has two axes. Make a batch of sentences, three features each.",
    ),
    _fixed(
        6,
        "(d_in, d_out); forward(x): (T, d_in) or (b, T, d_in) -> the same with d_out",
        1,
        3,
        "A layer is called like a function, whatever axes stand in front of the last.",
        "If you multiply by its weight instead: in which layout is it, and what is added afterwards?",
        driver="module",
        parameters=("W_key.weight",),
        biases=("W_key.bias",),
    ),
    _expose(
        7,
        "x (T, d)",
        2,
        3,
        "Change the last token only. Which rows of a causal result may change then?",
        "Three tokens that differ are enough. Compute row 0 by hand: what may the first token see?",
    ),
    _fixed(
        7,
        "(x): (T, d) -> context (T, d)",
        2,
        3,
        "In F.scaled_dot_product_attention, True means that a query may look at a key. Which half of the "
        "matrix has to be True?",
        "A token may look at itself and at all before it. tril keeps the lower half of a matrix.",
    ),
    _expose(
        8,
        "x (b, T, d), num_heads",
        2,
        3,
        "Label the numbers: 2.3 for token 2, feature 3. What should head 0 hold, and what does it hold?",
        "Return a tuple: a tensor with three axes, and a whole number that divides the last of them. It "
        "takes more than one token and more than one head.",
    ),
    _fixed(
        8,
        "(x, num_heads): (b, T, d) -> (b, num_heads, T, d // num_heads)",
        2,
        3,
        "Cutting the features into heads is one step: (b, T, h, head_dim). Exchanging two axes is another.",
        "view never moves a number. First cut the last axis in two, then exchange the axes of tokens and "
        "heads.",
    ),
    _expose(
        9,
        "query (h, T_q, head_dim), key (h, T_k, head_dim)",
        2,
        3,
        "For how many heads are head_dim and d_model the same number?",
        "Two heads or more, two keys or more, and scores that differ within a row.",
    ),
    _fixed(
        9,
        "(query, key): (h, T_q, head_dim), (h, T_k, head_dim) -> weights (h, T_q, T_k)",
        2,
        2,
        "A score of one head adds up how many products?",
        "The root belongs to the number of features of one key in one head: the last axis.",
    ),
    _expose(
        10,
        'a device or its name, such as "cpu"',
        2,
        2,
        "Nothing is wrong with the numbers. To what kind of place has Mia never moved the module?",
        "Chapter 7 used a device that every machine has, on which tensors hold no numbers.",
    ),
    _fixed(
        10,
        "(context_length); forward(x): (T, d) -> context (T, d), T <= context_length",
        2,
        4,
        "How does a module learn of a tensor that belongs to it and is not to be trained?",
        'Look up register_buffer in chapter 5. The name is "mask"; forward uses self.mask as before.',
        driver="module",
        buffers=("mask",),
        moves=True,
    ),
    _expose(
        11,
        "scores (T, T), penalty",
        2,
        3,
        "Where the mask is 0, the penalty is multiplied by 0. For which penalty is that not 0?",
        'float("inf") is a plain number in Python.',
    ),
    _fixed(
        11,
        '(scores, penalty=float("inf")): (T, T), a number -> weights (T, T)',
        2,
        4,
        "Do not multiply: choose. Which function takes one tensor where a condition holds, and another "
        "elsewhere?",
        "torch.where(condition, a, b) takes a where the condition is True, and never computes with what it "
        "leaves out. A penalty of 2 has to stay one of 2: a later score is lowered by it, not replaced.",
    ),
    _expose(
        12,
        "scores (T, T)",
        2,
        2,
        "Follow the name scores through the function. Which line changes what it stands for?",
        "More than one token, and scores of later tokens that are not tiny.",
    ),
    _fixed(
        12,
        "(scores): (T, T) -> causal (T, T), full (T, T)",
        2,
        3,
        "An underscore at the end of a method's name means that it writes into the tensor.",
        "Exchanging the two lines mends the results. Whose tensor is written into then?",
        returns=("causal", "full"),
    ),
)

CHAPTER = Chapter(stem=STEM, title="The debugging clinic", exercises=EXERCISES)
