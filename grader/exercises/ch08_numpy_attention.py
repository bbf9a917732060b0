"""Chapter 8, attention in NumPy: from raw text to the feed-forward network, without PyTorch."""

from grader.exercises.model import LIBRARY_ATTENTION, Chapter, Exercise, Forbidden

STEM = "ch08_numpy_attention"

# Another library's softmax and attention are not NumPy, however its numbers come back.
OTHER_LIBRARY = Forbidden(("softmax", *LIBRARY_ATTENTION.parts), "a softmax or attention of another library")

TOKENIZER = Exercise(
    id="ch08-tokenizer",
    chapter=STEM,
    subject="SimpleTokenizer",
    signature="SimpleTokenizer(corpus): encode(text) -> list of ids, decode(ids) -> text, vocab",
    driver="tokenizer",
    points=3,
    difficulty=3,
    minutes=25,
    section="From text to ids",
    hints=(
        "Write one helper first: text in, list of tokens out. The constructor and encode both need it. The "
        "pattern that you have just tried finds all tokens with re.findall.",
        "A dictionary gives each token its id. Begin it with <unk>: 0. Then go through the corpus, and give "
        "a token that is not in the dictionary yet the next number, which is the dictionary's length.",
        "For decode you need the dictionary the other way round. Build the text up token by token: which "
        "tokens get a space in front of them, and does the first one?",
    ),
    returns=("what encode gives", "vocab", "what decode gives", "what decode gives for the ids in reverse"),
)

POSITIONAL_ENCODING = Exercise(
    id="ch08-positional-encoding",
    chapter=STEM,
    subject="positional_encoding",
    signature="positional_encoding(seq_len, d, n=10000) -> (seq_len, d)",
    driver="arrays",
    points=2,
    difficulty=3,
    minutes=14,
    section="Where a token stands",
    hints=(
        "Make the angles first, one row a position and one column a pair i. How many values of i are there "
        "when d is 5? Count the even columns.",
        "np.arange(seq_len)[:, None] is a column of positions. Divided by a row of numbers, it gives a whole "
        "table. The exponent of n is 2i over d: is yours 0 in the first pair?",
        "A slice with a step, such as P[:, 1::2], takes every other column, and you may assign to it. For "
        "odd d there is one sine more than there are cosines.",
    ),
)

SOFTMAX = Exercise(
    id="ch08-softmax",
    chapter=STEM,
    subject="softmax",
    signature="softmax(x, axis=-1): an array of any shape -> the same shape",
    driver="arrays",
    points=1,
    difficulty=2,
    minutes=6,
    section="A softmax of your own",
    hints=(
        "The same three lines as in chapter 2: subtract the largest, take exponentials, divide by their sum. "
        "NumPy's reductions take the axis as axis.",
        "What is reduced must keep its place, so that it lines up with its row: keepdims=True, with an s in "
        "NumPy. You need it twice.",
    ),
    forbidden=OTHER_LIBRARY,
)

SELF_ATTENTION = Exercise(
    id="ch08-self-attention",
    chapter=STEM,
    subject="self_attention",
    signature="self_attention(embeddings, W_Q, W_K, W_V, causal=True): (T, d), (d, d_k), (d, d_k), (d, d_v) "
    "-> (output (T, d_v), weights (T, T))",
    driver="arrays",
    points=3,
    difficulty=3,
    minutes=14,
    section="Attention in eight lines",
    hints=(
        "Project three times, as in chapter 3: @ is NumPy's matrix product, too. Write the shape behind "
        "every line.",
        "The scale is the square root of the length of one key, which is its number of columns.",
        "The mask of chapter 5: np.triu of ones, one above the diagonal, says what is hidden. np.where "
        "chooses between two arrays, place by place. The softmax comes after it.",
    ),
    returns=("output", "weights"),
    forbidden=OTHER_LIBRARY,
    requires=("ch08-softmax",),
)

MULTI_HEAD = Exercise(
    id="ch08-multi-head",
    chapter=STEM,
    subject="multi_head_attention",
    signature="multi_head_attention(embeddings, heads, W_O, causal=True): (T, d), a list of (W_Q, W_K, W_V), "
    "(h * d_v, d_out) -> (T, d_out)",
    driver="arrays",
    points=2,
    difficulty=2,
    minutes=8,
    section="Several heads",
    hints=(
        "A loop over heads gives one output (T, d_v) for each. self_attention returns two things: which of "
        "them do you keep? And does it know about causal?",
        "np.concatenate takes a list of arrays and an axis. W_O has h * d_v rows: along which axis must the "
        "outputs stand side by side?",
    ),
    forbidden=OTHER_LIBRARY,
    requires=("ch08-self-attention",),
)

FEED_FORWARD = Exercise(
    id="ch08-feed-forward",
    chapter=STEM,
    subject="feed_forward",
    signature="feed_forward(x, W1, b1, W2, b2): (T, d), (d, d_ff), (d_ff,), (d_ff, d), (d,) -> (T, d)",
    driver="arrays",
    points=1,
    difficulty=1,
    minutes=5,
    section="Each token on its own",
    hints=(
        "Two layers as in nn.Linear, written by hand: a product, then the bias. Between them stands a "
        "function that turns every negative number into 0.",
        "np.maximum compares number by number. It takes an array and a number, too.",
    ),
)

BPE = Exercise(
    id="ch08-bpe",
    chapter=STEM,
    subject="bpe_merges",
    signature="bpe_merges(words, num_merges): a list of words -> a list of pairs of texts",
    driver="texts",
    points=4,
    difficulty=4,
    minutes=35,
    section="Better tokens: byte-pair encoding",
    hints=(
        "Keep the words as lists of symbols: [list(word) for word in words]. Then repeat two steps: count "
        "all pairs of neighbors, and merge the winner everywhere.",
        "Count into a dictionary. It remembers in which order its keys came, and max with a key takes the "
        "first of several equals.",
        "To merge in one word, walk along it with an index. Where the pair stands, the new list gets the "
        "joined symbol and the index moves by two, else one symbol and one. After a merge, count again: the "
        "old counts are no longer true.",
    ),
)

SKIP_GRAM = Exercise(
    id="ch08-skip-gram",
    chapter=STEM,
    subject="skip_gram_step",
    signature="skip_gram_step(W_in, W_out, center, context, negatives, lr): (V, d), (V, d), an id, an id, "
    "a list of ids, a number -> (new W_in (V, d), new W_out (V, d), loss)",
    driver="arrays",
    points=4,
    difficulty=4,
    minutes=30,
    section="Better embeddings: skip-gram",
    hints=(
        "Three parts: scores, errors, updates. Take v = W_in[center] and the rows of W_out for the context "
        "and the negatives, and compute all scores before you change anything.",
        "Each word gives one error: the sigmoid of its score, minus 1 for the context and minus 0 for a "
        "negative. The loss needs the scores, too: minus the logarithm of sigmoid(s) for the context, and of "
        "sigmoid(-s) for a negative.",
        "Work on copies of both matrices. Every update uses the old v and the old rows. A word that is "
        "listed twice has to be moved twice: a loop with -= on the copies does that, an update W[ids] -= ... "
        "does not.",
    ),
    returns=("W_in", "W_out", "loss"),
    new_memory=True,
)

CHAPTER = Chapter(
    stem=STEM,
    title="Attention in NumPy",
    exercises=(
        TOKENIZER,
        POSITIONAL_ENCODING,
        SOFTMAX,
        SELF_ATTENTION,
        MULTI_HEAD,
        FEED_FORWARD,
        BPE,
        SKIP_GRAM,
    ),
)
