"""What is left of an answer when names, comments and white space are not looked at."""

import pytest

from grader.grading.lexing import MAX_TOKENS, tokens
from grader.similarity.winnowing import LENGTH, WINDOW, fingerprints

KNOWN = frozenset({"torch", "nn", "SelfAttention", "W_query"})
ANSWER = '''
class SelfAttention(nn.Module):
    """Attends."""

    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)  # the query
        self.scale = d_out ** -0.5

    def forward(self, x):
        queries = self.W_query(x)
        scores = torch.einsum("id,jd->ij", queries, x) * self.scale
        weights = scores.softmax(dim=-1)
        return weights @ x
'''
# The same with other names, comments, quotes, line ends and no docstring.
DISGUISED = """
class SelfAttention( nn.Module ):
        def __init__(self, size_a,
                     size_b):
                super().__init__()
                # mine
                self.W_query = nn.Linear(size_a, size_b)
                self.factor = size_b**-0.5
        'this is a remark'
        def forward(self, inputs):
                left = self.W_query(inputs); s = torch.einsum('id,jd->ij', left, inputs) * self.factor
                attention = \\
                    s.softmax(dim=-1)
                return attention @ inputs
"""


def words(source: str) -> list[str]:
    """Return the texts of a source's tokens."""
    return [token.text for token in tokens(source)]


def test_renamed_answer_is_the_same() -> None:
    """No fingerprint differs."""
    assert fingerprints(ANSWER, KNOWN).keys() == fingerprints(DISGUISED, KNOWN).keys()
    assert len(fingerprints(ANSWER, KNOWN)) > 20


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("softmax", "sigmoid"),
        ("dim=-1", "dim=0"),
        ("dim=-1", "axis=-1"),
        ('"id,jd->ij"', '"id,jd->ji"'),
        ("torch.einsum", "nn.einsum"),
        ("W_query", "W_q"),
    ],
)
def test_what_matters_is_kept(old: str, new: str) -> None:
    """Names of the library, keywords, numbers, strings and order are no disguise."""
    assert fingerprints(ANSWER, KNOWN).keys() != fingerprints(ANSWER.replace(old, new), KNOWN).keys()


def test_one_line_more_changes_little() -> None:
    """Names are numbered in each sequence anew: a line at the top does not change all that follow."""
    more = ANSWER.replace("        queries =", "        print(x.shape)\n        queries =")
    first, second = fingerprints(ANSWER, KNOWN).keys(), fingerprints(more, KNOWN).keys()
    assert len(first - second) <= LENGTH


def test_shared_passage_is_always_found() -> None:
    """Winnowing's guarantee: a passage of LENGTH + WINDOW - 1 tokens shares a fingerprint."""
    passage = " ".join(f"+ {number}" for number in range(LENGTH + WINDOW))
    for before in range(8):
        first = fingerprints(f"a = {'b * ' * before}c {passage}", KNOWN)
        second = fingerprints(f"print(7, 8) {passage} - 3 - 4", KNOWN)
        assert first.keys() & second.keys()


def test_places_are_where_the_sequences_are() -> None:
    """A fingerprint's place is the text that it was made of."""
    for places in fingerprints(ANSWER, KNOWN).values():
        for start, end in places:
            assert words(ANSWER[start:end]) == words(ANSWER)[len(words(ANSWER[:start])) :][:LENGTH]


def test_strings_that_say_something_stay() -> None:
    """Only a string that stands alone is left out."""
    assert words('f"{x}"\nprint(r"""a\nb""")\nx = "c" # d\n') == ["print", "(", "a\nb", ")", "x", "=", "c"]
    assert words('print(\n"a"\n)') == ["print", "(", "a", ")"]


def test_what_is_no_python() -> None:
    """Commands, half strings, brackets without end, full-width letters: tokens all the same."""
    assert words("%time x\n!ls 'a") == ["%", "time", "x", "!", "ls", "a"]
    assert words("((( ]]] $ ?") == ["(", "(", "(", "]", "]", "]", "$", "?"]
    assert words("\uff54orch") == ["torch"]
    assert words("") == words(" \t\n#") == []
    assert not fingerprints("x", KNOWN)


@pytest.mark.parametrize(
    "source",
    [
        "\t" * 200_000,
        "\n\t" * 100_000,
        "(" * 200_000,
        "[" * 100_000 + "]" * 100_000,
        '"' * 200_000,
        "'''" + "\\" * 200_000,
        "x" * 200_000,
        "0" * 200_000,
        "." * 200_000,
        "a." * 100_000,
        '"a"\n' * 50_000,
        '"a";' * 50_000,
        "#" * 200_000,
        "\ud800\x00\x1b[2J" * 20_000,
        "rb" * 100_000,
        "é" * 200_000,
    ],
    ids=lambda source: ascii(source[:8]),
)
def test_hostile_text_is_bounded(source: str) -> None:
    """Whatever it is, what is made of it is small."""
    assert len(tokens(source)) <= MAX_TOKENS
    assert len(fingerprints(source, KNOWN)) <= MAX_TOKENS
