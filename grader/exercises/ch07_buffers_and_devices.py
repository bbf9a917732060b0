"""Chapter 7, buffers and devices: what goes along when a module moves, and when it is saved."""

from grader.exercises.model import LIBRARY_ATTENTION, Chapter, Exercise

STEM = "ch07_buffers_and_devices"

CAUSAL_ATTENTION_WITH_BUFFER = Exercise(
    id="ch07-causal-attention-buffer",
    chapter=STEM,
    subject="CausalAttentionWithBuffer",
    signature="CausalAttentionWithBuffer(d_in, d_out, context_length, dropout, qkv_bias=False); "
    "forward(x): (b, T, d_in) -> (b, T, d_out), T <= context_length",
    driver="module",
    points=3,
    difficulty=2,
    minutes=10,
    section="Registered: the buffer",
    hints=(
        "Start from your CausalAttention of chapter 5 and change its name. Which line of its constructor "
        "stores the mask?",
        "The method that tells the module of a tensor takes a name and the tensor. After it, self.mask works "
        "as before. Print the keys of state_dict() and look for the mask.",
        "If the check says that not all is where the module was moved to: look for a tensor that forward "
        "makes itself, such as with torch.ones. Use the buffer, cut to the tokens that came in.",
    ),
    parameters=("W_query.weight", "W_key.weight", "W_value.weight"),
    biases=("W_query.bias", "W_key.bias", "W_value.bias"),
    buffers=("mask",),
    saved=True,
    moves=True,
    double_precision=True,
    drawn_by="linear",
    forbidden=LIBRARY_ATTENTION,
)

STRANDED_TENSORS = Exercise(
    id="ch07-stranded-tensors",
    chapter=STEM,
    subject="stranded_tensors",
    signature="stranded_tensors(module) -> sorted list of dotted names",
    driver="names",
    points=3,
    difficulty=3,
    minutes=20,
    section="Find what would be left behind",
    hints=(
        "Two loops, one in the other: over all modules, however deep, and over what each of them holds. "
        "named_modules() gives pairs of a name and a module; the name of the outermost is empty.",
        "vars(part) is the dictionary of an object's plain attributes. Registered tensors are not in it "
        "themselves; they lie in the dictionaries _parameters and _buffers. isinstance(value, torch.Tensor) "
        "asks whether a value is a tensor.",
        "For the full name, put the module's name, a dot and the attribute's name together; for the "
        "outermost module there is no dot. Sort at the end, once, after both loops.",
    ),
)

RUN_ON = Exercise(
    id="ch07-run-on",
    chapter=STEM,
    subject="run_on",
    signature="run_on(module, x, device) -> what module(x) gives, on the device of x",
    driver="run_on",
    points=3,
    difficulty=3,
    minutes=15,
    section="There and back",
    hints=(
        "Write down where the module is and where x is before you move anything: next(module.parameters()) "
        "is one of its parameters, and every tensor knows its device.",
        "For a module, to() works in place. For a tensor, to() returns another tensor and leaves the old one "
        "where it is. Which of the two do you have to give a name?",
        "Two ways to leave the caller's module alone: move it and move it back afterwards, or move a copy "
        "(copy.deepcopy). Neither train() nor eval() nor no_grad() is asked for.",
    ),
)

CAUSAL_ATTENTION_LEAN_CHECKPOINT = Exercise(
    id="ch07-non-persistent",
    chapter=STEM,
    subject="CausalAttentionLeanCheckpoint",
    signature="CausalAttentionLeanCheckpoint(d_in, d_out, context_length, dropout, qkv_bias=False); "
    "forward(x): (b, T, d_in) -> (b, T, d_out), T <= context_length",
    driver="module",
    points=2,
    difficulty=2,
    minutes=8,
    section="A buffer that moves and is not saved",
    hints=(
        "It is CausalAttentionWithBuffer, but for one argument. Read help(nn.Module.register_buffer).",
        "A subclass that inherits everything and registers the mask once more works as well. So does a copy "
        "of the whole class.",
    ),
    parameters=("W_query.weight", "W_key.weight", "W_value.weight"),
    biases=("W_query.bias", "W_key.bias", "W_value.bias"),
    buffers=("mask",),
    saved=False,
    moves=True,
    double_precision=True,
    drawn_by="linear",
    forbidden=LIBRARY_ATTENTION,
    requires=("ch07-causal-attention-buffer",),
)

CHAPTER = Chapter(
    stem=STEM,
    title="Buffers and devices",
    exercises=(
        CAUSAL_ATTENTION_WITH_BUFFER,
        STRANDED_TENSORS,
        RUN_ON,
        CAUSAL_ATTENTION_LEAN_CHECKPOINT,
    ),
)
