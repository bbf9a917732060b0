"""Chapter 4, self-attention: the formula of chapter 3 packed into modules that can be trained."""

from grader.exercises.model import LIBRARY_ATTENTION, Chapter, Exercise

STEM = "ch04_self_attention"

SELF_ATTENTION_V1 = Exercise(
    id="ch04-self-attention-v1",
    chapter=STEM,
    subject="SelfAttention_v1",
    signature="SelfAttention_v1(d_in, d_out); forward(x): (T, d_in) -> (T, d_out)",
    driver="module",
    points=3,
    difficulty=2,
    minutes=14,
    section="A module that remembers its matrices",
    hints=(
        "The constructor only stores three matrices. Wrap each torch.rand(d_in, d_out) in nn.Parameter, "
        "so that the module registers it; draw them in the order query, key, value.",
        "In forward, each token's query, key and value are rows: x has shape (T, d_in) and each matrix "
        "(d_in, d_out), so one matrix product per projection gives (T, d_out).",
        "Scores have shape (T, T): every query with every key. Scale them, turn each row into weights that "
        "sum to 1, and let each row of weights mix the values. Compare your shapes with the picture above.",
    ),
    parameters=("W_query", "W_key", "W_value"),
    drawn_by="uniform",
    forbidden=LIBRARY_ATTENTION,
)

SELF_ATTENTION_V2 = Exercise(
    id="ch04-self-attention-v2",
    chapter=STEM,
    subject="SelfAttention_v2",
    signature="SelfAttention_v2(d_in, d_out, qkv_bias=False); forward(x): (T, d_in) -> (T, d_out)",
    driver="module",
    points=3,
    difficulty=2,
    minutes=12,
    section="The same module with nn.Linear",
    hints=(
        "Only the three projections change. nn.Linear(d_in, d_out, bias=...) is itself a module: you call "
        "it on x instead of multiplying.",
        "qkv_bias says whether the three layers have a bias. Pass it on to each of them.",
    ),
    parameters=("W_query.weight", "W_key.weight", "W_value.weight"),
    biases=("W_query.bias", "W_key.bias", "W_value.bias"),
    drawn_by="linear",
    forbidden=LIBRARY_ATTENTION,
    requires=("ch04-self-attention-v1",),
)

TRANSFER_WEIGHTS = Exercise(
    id="ch04-transfer-weights",
    chapter=STEM,
    subject="transfer_weights",
    signature="transfer_weights(v2, v1) -> None",
    driver="transfer",
    points=2,
    difficulty=3,
    minutes=8,
    section="The same weights in two layouts",
    hints=(
        "Print v2.W_query.weight.shape and v1.W_query.shape for d_in = 3, d_out = 2. They hold the same "
        "numbers in another layout.",
        "You want the values, not the storage: after the call the two modules must be able to train "
        "without touching each other.",
        "Writing into a parameter in place is recorded by autograd unless you do it inside torch.no_grad().",
    ),
    parameters=("W_query", "W_key", "W_value"),
    requires=("ch04-self-attention-v1", "ch04-self-attention-v2"),
)

SELF_ATTENTION = Exercise(
    id="ch04-self-attention",
    chapter=STEM,
    subject="SelfAttention",
    signature="SelfAttention(d_model=2, row_dim=0, col_dim=1); "
    "forward(token_encodings): (T, d_model) -> (T, d_model)",
    driver="module",
    points=4,
    difficulty=3,
    minutes=12,
    section="One more dialect",
    hints=(
        "It is SelfAttention_v2 with other names and with d_in = d_out = d_model. The layers are called "
        "W_q, W_k and W_v here, have no bias, and are created in that order.",
        "row_dim names the axis of the tokens and col_dim the axis of the features. You may use them "
        "instead of writing 0 and 1; you may also ignore them.",
        "The number under the square root is the length of one key. Read it off the keys.",
    ),
    parameters=("W_q.weight", "W_k.weight", "W_v.weight"),
    drawn_by="linear",
    forbidden=LIBRARY_ATTENTION,
    requires=("ch04-self-attention-v2",),
)

CHAPTER = Chapter(
    stem=STEM,
    title="Self-attention as a module",
    exercises=(SELF_ATTENTION_V1, SELF_ATTENTION_V2, TRANSFER_WEIGHTS, SELF_ATTENTION),
)
