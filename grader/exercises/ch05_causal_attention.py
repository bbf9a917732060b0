"""Chapter 5, causal attention: the future stays hidden, and dropout and batches join in."""

from grader.exercises.model import LIBRARY_ATTENTION, Chapter, Exercise, Forbidden

STEM = "ch05_causal_attention"

CAUSAL_MASK = Exercise(
    id="ch05-causal-mask",
    chapter=STEM,
    subject="causal_mask",
    signature="causal_mask(num_tokens) -> bool tensor (T, T), True where attention is not allowed",
    driver="function",
    points=2,
    difficulty=1,
    minutes=5,
    section="A mask of true and false",
    hints=(
        "Write down by hand which keys token 0, token 1 and token 2 must not see. Row i is query i. "
        "Where do the forbidden places start in each row?",
        "torch.triu keeps one side of a matrix and sets the rest to zero. Its argument diagonal moves the "
        "border: try it on torch.ones(3, 3) with 0 and with 1 and look at the diagonal.",
        "The dtype must be bool. Print the dtype of what you have; Tensor.bool() turns zeros into False.",
    ),
)

MASK_AND_RENORMALIZE = Exercise(
    id="ch05-mask-and-renormalize",
    chapter=STEM,
    subject="mask_and_renormalize",
    signature="mask_and_renormalize(weights): (..., T, T) -> (..., T, T)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=12,
    section="First way: zero and renormalize",
    hints=(
        "Two steps: a zero in the place of every weight of the future, then each row divided by its own sum. "
        "The last two axes are query and key, however many axes come before them.",
        "Sum along the keys' axis. Print the shape of the sums: to divide every row by its own, "
        "it has to be (..., T, 1). Which argument of sum keeps the axis?",
        "If the check says that an argument was changed: make a new tensor instead of writing into weights.",
    ),
    requires=("ch05-causal-mask",),
)

ADDITIVE_CAUSAL_MASK = Exercise(
    id="ch05-additive-mask",
    chapter=STEM,
    subject="additive_causal_mask",
    signature="additive_causal_mask(num_tokens) -> float32 tensor (T, T), 0 where allowed, -inf where not",
    driver="function",
    points=2,
    difficulty=2,
    minutes=6,
    section="Third way: a mask that is added",
    hints=(
        "Start from a matrix that holds one number everywhere, and put the other number where it belongs.",
        "Your boolean mask already says where -inf belongs. Tensor.masked_fill takes a mask that says True "
        "where it is to fill.",
        "NaN in it? Look for a product of zero and infinity.",
    ),
    requires=("ch05-causal-mask",),
)

CAUSAL_ATTENTION_WEIGHTS = Exercise(
    id="ch05-masked-weights",
    chapter=STEM,
    subject="causal_attention_weights",
    signature="causal_attention_weights(scores, d_k): (..., T, T) -> (..., T, T)",
    driver="function",
    points=2,
    difficulty=2,
    minutes=8,
    section="From scores to causal weights",
    hints=(
        "Three steps on the scores: hide the future, scale, softmax. Hiding must come before the softmax.",
        "d_k is the length of a key; it is given. The formula of chapter 3 says what to do with it.",
        "Give masked_fill a mask of shape (T, T), where T is the size of the last axis: it fits any number "
        "of axes before it. The function without the underscore makes a new tensor.",
    ),
    forbidden=LIBRARY_ATTENTION,
    requires=("ch05-causal-mask",),
)

MASKED_SELF_ATTENTION = Exercise(
    id="ch05-masked-self-attention",
    chapter=STEM,
    subject="MaskedSelfAttention",
    signature="MaskedSelfAttention(d_model=2, row_dim=0, col_dim=1); "
    "forward(token_encodings): (T, d_model) -> (T, d_model)",
    driver="module",
    points=3,
    difficulty=2,
    minutes=10,
    section="The module of chapter 4, masked",
    hints=(
        "Everything but one line is SelfAttention of chapter 4. Which line makes the scores, and which "
        "line uses them?",
        "Between the two, add your additive mask to the scores. Its size is the number of tokens that came "
        "in, which you only know in forward.",
    ),
    parameters=("W_q.weight", "W_k.weight", "W_v.weight"),
    drawn_by="linear",
    forbidden=LIBRARY_ATTENTION,
    requires=("ch05-masked-weights",),
)

APPLY_DROPOUT = Exercise(
    id="ch05-apply-dropout",
    chapter=STEM,
    subject="apply_dropout",
    signature="apply_dropout(weights, keep, p): any shape, keep of the same shape, 0 <= p < 1",
    driver="function",
    points=2,
    difficulty=2,
    minutes=6,
    section="Dropout: forget something on purpose",
    hints=(
        "Two steps: zero what is not kept, make the rest larger.",
        "By which factor? With p = 0.25, three of four numbers survive. What must happen to the three so "
        "that their sum is, on average, that of all four?",
        "keep comes as bool or as zeros and ones. A product with weights works for both.",
    ),
    forbidden=Forbidden(("dropout",), "PyTorch's own dropout"),
)

CAUSAL_ATTENTION = Exercise(
    id="ch05-causal-attention",
    chapter=STEM,
    subject="CausalAttention",
    signature="CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=False); "
    "forward(x): (b, T, d_in) -> (b, T, d_out), T <= context_length",
    driver="module",
    points=4,
    difficulty=4,
    minutes=30,
    section="Batches, a buffer, and the whole module",
    hints=(
        "The constructor makes three layers (query, key, value, in this order), an nn.Dropout, and the mask, "
        "which register_buffer stores under the name mask.",
        "x has three axes now. Write the shape behind every line. To transpose the keys, exchange their last "
        "two axes by name; the batch axis stays where it is.",
        "The mask was made for context_length tokens, and T of them came in. Cut out the part that you need "
        "and refuse an input that is too long. nn.Dropout works on the weights, after the softmax.",
    ),
    parameters=("W_query.weight", "W_key.weight", "W_value.weight"),
    biases=("W_query.bias", "W_key.bias", "W_value.bias"),
    buffers=("mask",),
    drawn_by="linear",
    forbidden=LIBRARY_ATTENTION,
    requires=("ch05-masked-weights", "ch05-apply-dropout"),
)

CHAPTER = Chapter(
    stem=STEM,
    title="Causal attention",
    exercises=(
        CAUSAL_MASK,
        MASK_AND_RENORMALIZE,
        ADDITIVE_CAUSAL_MASK,
        CAUSAL_ATTENTION_WEIGHTS,
        MASKED_SELF_ATTENTION,
        APPLY_DROPOUT,
        CAUSAL_ATTENTION,
    ),
)
