"""``Message``: a text for learners, kept as template and values until it is rendered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations
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
        return text.format(**parts) if self.values else text

    def __str__(self) -> str:
        """Return the text in English."""
        return self.render()


def message(text: str, /, **values: Value) -> Message:
    """Return a message. The text must be a literal at the call, so that the catalog finds it."""
    return Message(text, values)


def one_or_many(text: str, plural: str, /, count: int, **values: Value) -> Message:
    """Return a message with a text for a ``count`` of 1 and another for any other."""
    return Message(text, {"count": count, **values}, plural)


def joined(parts: list[Message], separator: str = " ") -> Message:
    """Return messages one behind the other, as one."""
    names = [f"part{number}" for number in range(len(parts))]
    return Message(separator.join(f"{{{name}}}" for name in names), dict(zip(names, parts, strict=True)))
