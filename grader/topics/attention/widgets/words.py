"""The explorer's own words, which ``explorer.js`` is sent as templates and its still form shares."""

from dataclasses import replace

from grader.messages import Message, message
from grader.messages.message import ENGLISH, Value
from grader.messages.speaking import said, spoken_here, wanted_language

WORDS = {
    "explorer": message("Attention explorer"),
    "head": message("Head"),
    "query": message("Query"),
    "matrix": message("{head}: queries down, keys across"),
    "grid": message("Weights of {head}: up and down for the query, left and right for the key"),
    "pair": message("query {query}, key {key}, share {share}"),
    "slider": message("Temperature of the softmax"),
    "reading": message("temperature {value}"),
    "sharper": message("sharper"),
    "flatter": message("flatter"),
    "reset": message("Reset to 1"),
    "note": message("divides the scores before the softmax; at 1 as given"),
    "list": message("Keys, each with its share of the chosen query's attention"),
    "keys": message("keys: what it attends to"),
    "queries": message("query: choose one"),
    "score": message("score {score}"),
    "sentence": message("“{query}” attends most to {keys}."),
    "named": message("“{key}” ({share})"),
    "then": message("{first}, then {second}"),
    "inHead": message("In {head}, {sentence}"),
    "share": message("Share of “{key}”: {share}."),
    "place": message("Query {number} of {count}, temperature {temperature}."),
    "try": message("Try: {task}"),
    "count": message("({seen} of {count} seen)"),
}


def worded(name: str, **values: Value) -> Message:
    """Return one of these messages with values for its placeholders."""
    return replace(WORDS[name], values=values)


def language_tag() -> str:
    """Return the language of these messages as HTML has it."""
    return "en" if spoken_here() is ENGLISH else wanted_language().replace("_", "-")


def templates() -> dict[str, str]:
    """Return these messages in this kernel's language, with their placeholders in them."""
    return {name: said(one) for name, one in WORDS.items()}
