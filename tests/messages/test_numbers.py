"""Numbers in sentences, with the signs of a language."""

from gettext import NullTranslations

import pytest

from grader.messages import Message
from grader.messages.numbers import number, points


class Comma(NullTranslations):
    """A language that has a comma before a fraction, and a point between thousands."""

    def gettext(self, text: str) -> str:
        """Return the text of this language."""
        signs = {"{whole}.{fraction}": "{whole},{fraction}", "{thousands},{last}": "{thousands}.{last}"}
        return signs.get(text, text)


@pytest.mark.parametrize(
    ("told", "english", "other"),
    [
        (number(16777216), "16,777,216", "16.777.216"),
        (number(1024.5), "1,024.5", "1.024,5"),
        (points(2.5), "2.5", "2,5"),
        (points(3.0), "3", "3"),
    ],
)
def test_signs_are_those_of_the_language(told: Message, english: str, other: str) -> None:
    """Between thousands, and before a fraction."""
    assert (str(told), told.render(Comma())) == (english, other)
