"""``Message``: a text for learners, kept as template and values until it is rendered."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from gettext import NullTranslations
from string import Formatter
from typing import Union

# Values of placeholders: a text, which is quoted literally, a number, or another message.
Value = Union[str, int, "Message"]
# Texts as they are in the sources.
ENGLISH = NullTranslations()


@dataclass(frozen=True)
class Message:
    """A text with named placeholders, and their values.

    Attributes:
        text: English, as the catalog has it; the singular where there is a plural.
        values: by the name of the placeholder; without any, the text is taken as it is. What a learner
            wrote, or a library said, is a ``str``: it is quoted, and nothing in it is taken for a
            placeholder or for a text to translate.
        plural: the text for any ``count`` but 1; empty where nothing is counted.
    """

    text: str
    values: Mapping[str, Value] = field(default_factory=dict)
    plural: str = ""

    def render(self, catalog: NullTranslations = ENGLISH) -> str:
        """Return the text in the catalog's language."""
        if self.plural:
            text = catalog.ngettext(self.text, self.plural, int(self.values["count"]))
        else:
            text = catalog.gettext(self.text) if self.text else ""  # for gettext that is its own header
        parts = {
            name: value.render(catalog) if isinstance(value, Message) else str(value)
            for name, value in self.values.items()
        }
        return _filled(text, parts) if self.values else text

    def __str__(self) -> str:
        """Return the text in English."""
        return self.render()

    def to_json(self) -> dict[str, object]:
        """Return it as plain JSON data."""
        values = {
            name: value.to_json() if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        parts = {"text": self.text, "values": values, "plural": self.plural}
        return {name: part for name, part in parts.items() if part or name == "text"}

    @classmethod
    def from_json(cls, data: object) -> "Message":
        """Return the message that ``to_json`` gave.

        Raises:
            ValueError: it is none: a part is missing, unknown or of another type, or a placeholder asks for
                more than a value.
        """
        if not isinstance(data, dict) or not {"text"} <= data.keys() <= {"text", "values", "plural"}:
            raise ValueError(f"this is no message: {data!r:.80}")
        text, plural, values = data["text"], data.get("plural", ""), data.get("values", {})
        if not isinstance(text, str) or not isinstance(plural, str) or not isinstance(values, dict):
            raise ValueError(f"this is no message: {data!r:.80}")
        read = {name: cls.from_json(one) if isinstance(one, dict) else one for name, one in values.items()}
        if any(isinstance(one, bool) or not isinstance(one, str | int | Message) for one in read.values()):
            raise ValueError(f"a value of a message is no text: {data!r:.80}")
        if values and not {*_fields(text), *_fields(plural)} <= values.keys():
            raise ValueError(f"a placeholder of a message has no value: {data!r:.80}")
        if plural and type(values.get("count")) is not int:
            raise ValueError(f"a message counts nothing: {data!r:.80}")
        return cls(text, read, plural)


def _filled(text: str, parts: Mapping[str, str]) -> str:
    """Return a text with its placeholders filled, set as Chinese is: see ``_beside``."""
    filled = ""
    for literal, name, _, _ in Formatter().parse(text):
        filled = _beside(filled, literal)
        if name is not None:
            filled = _beside(filled, parts[name])
    return filled


def _beside(left: str, right: str) -> str:
    """Return two texts one behind the other.

    Chinese has a space between its own characters and Latin letters or digits, and none between its own. A
    translation cannot know which of them a placeholder will begin or end with.
    """
    if _is_ideograph(right[:1]) and left.endswith(" ") and _is_ideograph(left[-2:-1]):
        return left[:-1] + right
    if _is_ideograph(left[-1:]) and right.startswith(" ") and _is_ideograph(right[1:2]):
        return left + right[1:]
    edges = left[-1:], right[:1]
    mixed = any(map(_is_ideograph, edges)) and any(one.isascii() and one.isalnum() for one in edges)
    return f"{left} {right}" if mixed else left + right


def _is_ideograph(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def _fields(text: str) -> Iterator[str]:
    """Yield what the placeholders of a text ask for."""
    for _, name, form, conversion in Formatter().parse(text):
        if name is not None:
            yield f"{name}!{conversion}:{form}" if form or conversion else name


def message(text: str, /, **values: Value) -> Message:
    """Return a message. The text must be a literal at the call, so that the catalog finds it."""
    return Message(text, values)


def one_or_many(text: str, plural: str, /, count: int, **values: Value) -> Message:
    """Return a message with a text for a ``count`` of 1 and another for any other."""
    return Message(text, {"count": count, **values}, plural)


def each_once(messages: Iterable[Message]) -> list[Message]:
    """Return messages in their order, each text once."""
    first: dict[str, Message] = {}
    for one in messages:
        first.setdefault(str(one), one)
    return list(first.values())


def told_by(error: Exception) -> Message:
    """Return what an error tells: the message that it was raised with, else its text as it is."""
    told = error.args[0] if len(error.args) == 1 else None
    return told if isinstance(told, Message) else Message(str(error))


# What stands between two names, two titles, which may have commas of their own, and two sentences.
NAMES = message("{first}, {others}")
TITLES = message("{first}; {others}")
SENTENCES = message("{first} {others}")


def series(names: Iterable[Message | str]) -> Message:
    """Return names one behind the other, with the sign between them that a language has."""
    return _in_a_row(names, NAMES)


def titles(parts: Iterable[Message]) -> Message:
    """Return titles one behind the other, with a stronger sign between them than between names."""
    return _in_a_row(parts, TITLES)


def sentences(parts: Iterable[Message]) -> Message:
    """Return sentences one behind the other, with a space between them where a language has one."""
    return _in_a_row(parts, SENTENCES)


def _in_a_row(parts: Iterable[Message | str], between: Message) -> Message:
    found = [one if isinstance(one, Message) else Message("{name}", {"name": one}) for one in parts]
    while len(found) > 1:  # in pairs, so that a thousand names are no thousand messages deep
        pairs = zip(found[::2], found[1::2], strict=False)
        odd = found[-1:] * (len(found) % 2)
        found = [replace(between, values={"first": one, "others": other}) for one, other in pairs] + odd
    return found[0] if found else Message("")


def joined(parts: Iterable[Message], separator: str) -> Message:
    """Return messages one behind the other, as one."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return Message(separator.join(f"{{{name}}}" for name in values), values)
