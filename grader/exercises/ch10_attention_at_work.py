"""Chapter 10, attention at work: a text cut into examples, a block, a small GPT, and what it writes."""

from grader.exercises.model import Chapter, Exercise

STEM = "ch10_attention_at_work"
BLOCK = (
    "norm1.weight",
    "norm1.bias",
    "attention.W_query.weight",
    "attention.W_key.weight",
    "attention.W_value.weight",
    "attention.out_proj.weight",
    "attention.out_proj.bias",
    "norm2.weight",
    "norm2.bias",
    "mlp.0.weight",
    "mlp.0.bias",
    "mlp.2.weight",
    "mlp.2.bias",
)

SLIDING_WINDOWS = Exercise(
    id="ch10-sliding-windows",
    chapter=STEM,
    subject="sliding_windows",
    signature="sliding_windows(ids, length, stride) -> (inputs, targets), both (windows, length)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=10,
    section="Examples without a teacher",
    hints=(
        "Write down by hand what is asked for the ids 0 to 6 with length 3 and stride 2. The last target is "
        "the id after the last input: which window is the last one that still has it?",
        "range takes a start, an end and a step. Its end is the first start that is too large for a window "
        "and its target.",
        "Slices of ids make the rows, torch.stack makes a matrix of rows. The targets are the same slices, "
        "one place further on.",
    ),
    returns=("inputs", "targets"),
)

TRANSFORMER_BLOCK = Exercise(
    id="ch10-transformer-block",
    chapter=STEM,
    subject="TransformerBlock",
    signature="TransformerBlock(d_model, num_heads, context_length, dropout); "
    "forward(x): (b, T, d_model) -> (b, T, d_model)",
    driver="module",
    points=4,
    difficulty=3,
    minutes=15,
    section="One block",
    hints=(
        "The constructor makes four parts, under the names of the docstring. MultiHeadAttention takes d_in, "
        "d_out, context_length, dropout and num_heads, in this order; what are d_in and d_out here?",
        "The forward pass has two halves of one form: what comes in, plus what a part makes of its "
        "normalized copy. Which x does the second half start from?",
        "If your numbers are wrong, print the mean of one token's features before and after each line. A "
        "residual is added to what was there before the LayerNorm, not after.",
    ),
    parameters=BLOCK,
    moves=True,
    attention_inside=True,
)

TINY_GPT = Exercise(
    id="ch10-tiny-gpt",
    chapter=STEM,
    subject="TinyGPT",
    signature="TinyGPT(vocab_size, d_model, num_heads, num_layers, context_length, dropout); "
    "forward(ids): (b, T) -> logits (b, T, vocab_size), T <= context_length",
    driver="module",
    points=4,
    difficulty=4,
    minutes=18,
    section="The whole model",
    hints=(
        "nn.Embedding(rows, width) is a table; called on ids it gives their rows. You need one table with a "
        "row for each token of the vocabulary, and one with a row for each position.",
        "The positions of T tokens are 0 to T - 1, whatever their ids are: torch.arange makes them, and its "
        "argument device puts them where the ids are. All items of a batch get the same rows.",
        "Each block has numbers of its own, so it has to be made anew: a list that repeats one block holds "
        "it several times. nn.ModuleList registers what is in it. After the blocks come the last LayerNorm "
        "and the head, and no softmax.",
    ),
    parameters=(
        "token_embedding.weight",
        "position_embedding.weight",
        *(f"blocks.*.{name}" for name in BLOCK),
        "norm.weight",
        "norm.bias",
        "head.weight",
    ),
    moves=True,
    attention_inside=True,
    requires=("ch10-transformer-block",),
)

GENERATE = Exercise(
    id="ch10-generate",
    chapter=STEM,
    subject="generate",
    signature="generate(model, ids, num_new, context_length) -> (b, T + num_new)",
    driver="generate",
    points=3,
    difficulty=3,
    minutes=12,
    section="One token at a time",
    hints=(
        "A loop of num_new rounds. In each round the model is called once, on at most context_length ids: "
        "which ones matter most for what comes next?",
        "The logits are (b, T, vocab). Of which position do you need them, and along which axis do you look "
        "for the largest?",
        "torch.cat puts the new ids, one for each text and so (b, 1), behind the old ones. Keep all ids in "
        "one tensor and what the model sees in another.",
    ),
)

CHAPTER = Chapter(
    stem=STEM,
    title="Attention at work",
    exercises=(SLIDING_WINDOWS, TRANSFORMER_BLOCK, TINY_GPT, GENERATE),
)
