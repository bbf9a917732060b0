"""What tests of pages share: a hostile text, and a reader that insists on well-formed HTML."""

from html.parser import HTMLParser

HOSTILE = (
    "</pre></code><script>alert(1)</script><img src=x onerror=alert(1)><!-- {{ 7 * 7 }} {% raw %} "
    "\u202e]]></style><style>*{display:none}</style>&lt;script&gt; \" onclick=alert(1) '"
)
VOID = {"meta", "img", "br", "hr"}


class Page(HTMLParser):
    """Reads a page as a browser does, and insists that every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.tables: dict[str, list[list[str]]] = {}  # rows, by the section's id and the caption
        self._section = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "h2":
            self._section = dict(attrs).get("id", "")
        elif tag == "table":
            self._rows, self._caption = [], ""
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("th", "td"):
            self._rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """Close the element that is open."""
        assert self.open.pop() == tag
        if tag in ("th", "td"):
            self._rows[-1][-1] = " ".join(self._rows[-1][-1].split())
        elif tag == "table":
            self.tables[f"{self._section}: {self._caption}"] = self._rows

    def handle_data(self, data: str) -> None:
        """Note a text that is shown."""
        if {"th", "td"} & set(self.open):
            self._rows[-1][-1] += data
        elif "caption" in self.open:
            self._caption += data
        if self.open and self.open[-1] not in ("style", "title"):
            self.text += data

    def values(self, name: str) -> list[str]:
        """Return all values of an attribute."""
        return [value for _, attribute, value in self.attributes if attribute == name]


def assert_harmless(page: Page) -> None:
    """Assert that nothing of a page runs, loads or leads away."""
    assert not {"script", "iframe", "object", "embed", "form", "link", "base", "svg", "math"} & set(page.tags)
    assert page.tags.count("style") == 1
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    assert all(value.startswith("#") for value in page.values("href"))
    pictures = ("data:image/png;base64,", "data:image/svg+xml;base64,")
    assert all(value.startswith(pictures) for value in page.values("src"))
