"""The words that chapters declare, and what uses them too early."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.glossary import glossary, glossary_drift, write_glossary
from grader.course.order import early_uses
from grader.course.passages import Passage, prose_of, strings_in
from grader.course.paths import CoursePaths
from grader.course.terms import Vocabulary
from grader.course.vocabularies import read_vocabulary, with_plural
from grader.errors import SourceError
from grader.exercises import Chapter

FIRST = '''# 0. Boxes and lids

A **box** holds things.
It may be open.

```{code-cell} ipython3
import torch

torch.ones(3)  # three
picture(
    alt="Three boxes, drawn "
    "side by side.",
)
```

```{code-cell} ipython3
:exercise: ch00-put
def put(x):
    """Put x into the box.

    Returns:
        nothing at all.
    """
    ### BEGIN SOLUTION
    lid = x  # the lid
    ### END SOLUTION
```

## Further reading

- *On Lids*.
'''
SECOND = """# 1. Lids

What closes a box is its *lid*. `torch.tril` keeps a triangle, `masked_fill` fills.
"""
BOX = '[[term]]\nname = "box"\nmeaning = "what holds things"\n'
LID = '[[term]]\nname = "lid"\nmeaning = "what closes a box"\n'
LIBRARY = """
[library]
"torch.tril" = "`torch.tril` keeps"
"masked_fill" = "`masked_fill` fills"
"""

Course = Callable[..., tuple[Vocabulary, Vocabulary]]


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """Return a function that writes two chapters and their declarations, and reads them."""
    paths = CoursePaths(tmp_path)

    def read(
        first: str = FIRST, second: str = SECOND, box: str = BOX, lid: str = LID + LIBRARY
    ) -> tuple[Vocabulary, Vocabulary]:
        vocabularies = []
        for stem, text, declared in (("ch00_boxes", first, box), ("ch01_lids", second, lid)):
            chapter = Chapter(stem, "", ())
            paths.source(chapter).parent.mkdir(parents=True, exist_ok=True)
            paths.source(chapter).write_text(text)
            paths.terms(chapter).write_text(declared)
            vocabularies.append(read_vocabulary(chapter, paths))
        return vocabularies[0], vocabularies[1]

    return read


def line_of(text: str, words: str) -> int:
    """Return the line of a text on which some words begin."""
    return text[: text.index(words)].count("\n") + 1


def test_a_course_in_order_has_no_early_use(course: Course) -> None:
    """Solutions, headings and further reading may have any word."""
    assert early_uses(course(), {}) == []


@pytest.mark.parametrize(
    "words",
    ["It may be open", "three\n", "Three boxes, drawn", "side by side", "Put x into", "nothing at all"],
    ids=["prose", "comment", "string", "string's second line", "docstring", "docstring's later line"],
)
def test_a_later_word_is_found_where_it_stands(course: Course, words: str) -> None:
    """It is reported with file, line, and the place where it is introduced, wherever a learner reads it."""
    text = FIRST.replace(words, f"a lid {words}")
    vocabularies = course(first=text)
    line = line_of(text, "a lid")
    expected = f"{vocabularies[0].path}:{line}: 'lid' is introduced in chapter 1 (line 3)"
    assert early_uses(vocabularies, {}) == [expected]


def test_a_word_before_its_place_in_its_own_chapter_is_found(course: Course) -> None:
    """The order holds inside a chapter, too."""
    vocabularies = course(second=SECOND.replace("What closes", "Lids are flat. What closes"))
    assert early_uses(vocabularies, {}) == [
        f"{vocabularies[1].path}:3: 'Lids' is introduced in chapter 1 (line 3)"
    ]


def test_what_is_told_counts_where_it_is_told(course: Course, tmp_path: Path) -> None:
    """A hint is found by its own file and line, and may have what was introduced before its place."""
    vocabularies = course()
    file = tmp_path / "hints.py"
    file.write_text('HINTS = (\n    "Look into the box, and "\n    "under the lid.",\n)\n')
    (passage,) = (Passage(one.path, one.line, one.text, 0) for one in strings_in(file).values())
    early = early_uses(vocabularies, {"ch00_boxes": [passage]})
    assert early == [
        f"{file}:2: 'box' is introduced in chapter 0 (line 3)",
        f"{file}:3: 'lid' is introduced in chapter 1 (line 3)",
    ]
    later = Passage(passage.path, passage.line, passage.text, len(FIRST))
    assert early_uses(vocabularies, {"ch00_boxes": [later]}) == early[1:]


@pytest.mark.parametrize(
    ("said", "reported"),
    [
        ("`torch.tril(x)`", "'torch.tril' is introduced in chapter 1 (line 3)"),
        ("`torch.triu(x)`", "'torch.triu' is shown and explained in no chapter"),
        ("`np.ones(3)`", "'np.ones' is shown and explained in no chapter"),
        ("`x.triu(1)`", "'.triu()' is shown and explained in no chapter"),
        ("`masked_fill`", "'masked_fill' is introduced in chapter 1 (line 3)"),
        ("`torch.ones(3)`", ""),
        ("`x.put()`", ""),
    ],
)
def test_names_of_libraries_are_shown_or_explained_first(course: Course, said: str, reported: str) -> None:
    """What a chapter's code shows is known, and what a chapter defines is no library's."""
    vocabularies = course(first=FIRST.replace("It may", f"{said}: it may"))
    expected = [f"{vocabularies[0].path}:4: {reported}"] if reported else []
    assert early_uses(vocabularies, {}) == expected


def test_an_announcement_allows_its_words_in_its_text_alone(course: Course) -> None:
    """Elsewhere the same word is still reported."""
    text = FIRST.replace("It may be open.", "Chapter 1 has a lid for it.\nA lid is flat.")
    announced = '\n[[announced]]\ntext = "Chapter 1 has a lid"\nterms = ["lid"]\nwhy = "x"\n'
    vocabularies = course(first=text, box=BOX + announced)
    assert early_uses(vocabularies, {}) == [
        f"{vocabularies[0].path}:5: 'lid' is introduced in chapter 1 (line 3)"
    ]


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("It may be open", "'It may be open' has no early use of 'lid'; take the term out"),
        ("It may be shut", "'It may be shut' should be read once in the chapter, and is there 0 times"),
    ],
)
def test_an_idle_announcement_is_reported(course: Course, text: str, reported: str) -> None:
    """One that is not there, or has no early word in it, would hide a later mistake."""
    announced = f'\n[[announced]]\ntext = "{text}"\nterms = ["lid"]\nwhy = "x"\n'
    vocabularies = course(box=BOX + announced)
    assert f"{vocabularies[0].declared}:5: {reported}" in early_uses(vocabularies, {})


def test_an_everyday_word_counts_where_it_is_emphasized_or_one_of_several(course: Course) -> None:
    """Plain uses of the word alone are passed over."""
    lid = LID + 'forms = ["lid", "lid of glass"]\neveryday = "a lid of an eye"\n' + LIBRARY
    text = FIRST.replace("It may be open.", "A lid.\nA *lid*.\nA lid of glass.")
    vocabularies = course(first=text, lid=lid)
    assert [line.partition(": ")[2] for line in early_uses(vocabularies, {})] == [
        "'*lid*' is introduced in chapter 1 (line 3)",
        "'lid of glass' is introduced in chapter 1 (line 3)",
    ]
    assert [int(line.split(":")[1]) for line in early_uses(vocabularies, {})] == [5, 6]


def test_an_idle_everyday_reason_is_reported(course: Course) -> None:
    """A word that is used nowhere too early needs none."""
    vocabularies = course(lid=LID + 'everyday = "a lid of an eye"\n' + LIBRARY)
    expected = f"{vocabularies[1].declared}:1: 'lid' is used nowhere too early; take its `everyday` out"
    assert early_uses(vocabularies, {}) == [expected]


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ('[[term]]\nname = "lid"\n', "2: [[term]] without 'meaning'"),
        ('[[term]]\nname = "lid"\nmeaning = 3\n', "2: meaning = 3: [[term]] has name, meaning, forms"),
        ('[[term]]\nname = "lid"\nmeaning = "x"\nplace = 3\n', "2: place = 3: [[term]] has name"),
        (
            '[[term]]\nname = "hinge"\nmeaning = "x"\n',
            "has no *hinge*, **hinge** or `hinge`; say with `where`",
        ),
        ('[[term]]\nname = "x"\nmeaning = "x"\nwhere = "shuts"\n', "2: 'shuts' should be in"),
        ('[[terms]]\nname = "x"\n', "expected [[term]], [[announced]] and [library], got terms"),
        ("[[announced]]\ntext = 'x'\nterms = ['lid']\n", "2: [[announced]] without 'why'"),
        ("[[term]\n", "2: this is not TOML"),
        ('[library]\n"torch.tril" = 3\n', "3: torch.tril = 3: expected the words that explain it"),
    ],
)
def test_a_wrong_declaration_is_refused(course: Course, declared: str, problem: str) -> None:
    """The message names file, line and what to do."""
    with pytest.raises(SourceError, match=re.escape(problem)) as refused:
        course(lid=f"\n{declared}")
    assert re.match(r".*ch01_lids/terms\.toml:\d+: ", str(refused.value))


def test_blanking_keeps_every_offset() -> None:
    """What is read stands where the source has it."""
    read = prose_of(FIRST)
    assert len(read) == len(FIRST)
    assert all(one in (" ", "\0", FIRST[place]) for place, one in enumerate(read))
    assert [read.count(word) for word in ("Put x into", "On Lids", "the lid", "Boxes")] == [1, 0, 0, 0]


def test_plurals() -> None:
    """Regular plurals of words are looked for, and none of code."""
    names = ("box", "leading axis", "entry", "key", "d_k", "h")
    assert [with_plural(name)[1:] for name in names] == [
        *(("boxes",), ("leading axises",), ("entries",), ("keys",), (), ()),
    ]


def test_the_glossary_is_made_of_declarations(course: Course, tmp_path: Path) -> None:
    """A row a term in the order of the chapters; a page that is not so is reported."""
    paths, vocabularies = CoursePaths(tmp_path), course()
    paths.glossary_template.parent.mkdir(parents=True)
    paths.glossary_template.write_text("# Glossary\n\n{chapters}\n\n## Ours\n")
    assert glossary(vocabularies, paths).splitlines()[2:-2] == [
        *("| term | chapter | meaning |", "|---|---|---|"),
        *("| box | 0 | what holds things |", "| lid | 1 | what closes a box |"),
    ]
    assert glossary_drift(vocabularies, paths) == [
        f"{paths.glossary} is not what the chapters' terms.toml give; run `grader build`."
    ]
    write_glossary(vocabularies, paths)
    assert glossary_drift(vocabularies, paths) == []


def test_a_template_without_a_place_is_refused(course: Course, tmp_path: Path) -> None:
    """The chapters' words would be lost."""
    paths = CoursePaths(tmp_path)
    vocabularies = course()
    with pytest.raises(SourceError, match="there is no such file"):
        glossary(vocabularies, paths)
    paths.glossary_template.parent.mkdir(parents=True)
    paths.glossary_template.write_text("# Glossary\n")
    with pytest.raises(SourceError, match="once, not 0 times"):
        glossary(vocabularies, paths)


@pytest.mark.parametrize(
    ("stem", "number"), [("ch04_self_attention", "4"), ("unit12_filters", "12"), ("sums_of_rows", "sums")]
)
def test_chapter_s_number(stem: str, number: str, tmp_path: Path) -> None:
    """What the glossary and the check say of a chapter is how its name begins, whatever that is."""
    made = Vocabulary(Chapter(stem, "", ()), tmp_path, "", (), (), {}, tmp_path)
    assert made.number == number
