"""What the site does within Sphinx: a switch between languages that keeps the page; the same anchors in each.

A source tells in ``site.json`` which languages there are and which pages each has. A page that a language
lacks leads to its front page.
"""

import json
import pickle
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode, HideInputCells
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.locale import get_translation
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

from grader.course.paths import ENGLISH
from grader.course.site_search import SearchChinese
from grader.messages import message

said = get_translation("sphinx")  # the theme's words, and ours

ABOUT_SITE = "site.json"
FRONT = "index"
# Words of the theme that its own catalogs lack in one of our languages, and ours.
WORDS = (
    message("Language"),
    message("Search..."),
    message("Skip to main content"),
    message("Back to top"),
    message("Version warning"),
    message("Color mode"),
    message("Light"),
    message("Dark"),
    message("System Settings"),
    message("previous page"),
    message("next page"),
    message("Error"),
    message("Please activate JavaScript to enable the search functionality."),
)
# Labels that the theme has in English only, each the value of an attribute.
LABELS = (
    message("Main"),
    message("Page"),
    message("Toggle primary sidebar"),
    message("Toggle secondary sidebar"),
)
LABELED = re.compile(rf'\b((?:aria-label|title)=")({"|".join(one.text for one in LABELS)})(?=")')
HAN = re.compile("[\u4e00-\u9fff]")
# All languages have the one copy of MathJax that English has.
SHARED_MATHJAX = "../../_static/mathjax/tex-chtml.js"


class EnglishAnchors(SphinxTransform):
    """Give each heading the anchors that it has in English, so that links lead to the same place."""

    default_priority = 270  # after all ids are given, before MyST resolves links

    def apply(self, **_: Any) -> None:
        """Take the ids from what Sphinx has read of the English page.

        Raises:
            ExtensionError: the page has other headings than the English one.
        """
        about = about_site(Path(self.env.srcdir))
        if about.get("own", ENGLISH) == ENGLISH:
            return
        read = Path(about["english"], f"{self.env.docname}.doctree")
        english, own = (list(one.findall(nodes.section)) for one in (_loaded(read), self.document))
        if len(english) != len(own):
            raise ExtensionError(f"{self.env.docname} has {len(own)} headings, in English {len(english)}.")
        slugs = getattr(self.document, "myst_slugs", {})
        texts = {node["slug"]: slugs.pop(node["slug"]) for node in own if node.get("slug") in slugs}
        for ours, theirs in zip(own, english, strict=True):
            if (told := texts.get(ours.get("slug"))) and theirs.get("slug"):
                slugs[theirs["slug"]] = (told[0], theirs["ids"][0], told[2])
        for ours, theirs in zip(own, english, strict=True):
            ours["ids"], ours["slug"] = list(theirs["ids"]), theirs.get("slug", "")
            self.document.ids |= dict.fromkeys(ours["ids"], ours)


def _loaded(doctree: Path) -> nodes.document:
    """Return a page as Sphinx has read it, in this same build of the site."""
    return pickle.loads(doctree.read_bytes())


class SaidPrompts(SphinxPostTransform):
    """Let what is folded be opened with words of the site's language."""

    default_priority = HideInputCells.default_priority + 1

    def run(self, **_: Any) -> None:
        """Replace the prompts, which the source has in English."""
        for node in self.document.findall(HideCodeCellNode):
            for name in ("prompt_show", "prompt_hide"):
                node[name] = said(node[name])


def about_site(source: Path) -> dict:
    """Return which languages a site has; nothing of a source that does not say."""
    path = source / ABOUT_SITE
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def tag(code: str) -> str:
    """Return a language's code as HTML has it."""
    return code.replace("_", "-")


def switch(about: dict, page: str) -> list[dict]:
    """Return where a page leads for each language of the site.

    Args:
        about: what ``about_site`` returns.
        page: its name in the site's own language, such as ``chapters/ch04_self_attention``.
    """
    names = about.get("names", {})
    if len(names) < 2:
        return []
    own = about["own"]
    up = "../" * (page.count("/") + (own != ENGLISH))
    links = []
    for code, name in names.items():
        same = page in about["documents"][code]
        place = f"{up}{'' if code == ENGLISH else f'{code}/'}{page if same else FRONT}.html"
        links.append({"tag": tag(code), "name": name, "href": place, "own": code == own, "same": same})
    return links


def add_languages(app: Sphinx, page: str, template: str, context: dict, tree: nodes.document | None) -> None:
    """Tell the templates, readers' programs and search engines where the page is in other languages."""
    context["languages"] = links = switch(about_site(Path(app.srcdir)), page)
    context["metatags"] = context.get("metatags", "") + "".join(
        f'<link rel="alternate" hreflang="{one["tag"]}" href="{escape(one["href"])}" />\n'
        for one in links
        if one["same"]
    )


def name_search(app: Sphinx, page: str, template: str, context: dict, tree: nodes.document | None) -> None:
    """Name the field of the search, which the theme says in languages of its own catalogs alone."""
    context["theme_search_bar_text"] = said("Search...")


def say_labels(app: Sphinx, error: Exception | None) -> None:
    """Say the theme's own labels in the language of the pages."""
    if error is None and app.config.language != ENGLISH:
        for path in Path(app.outdir).rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            told = LABELED.sub(lambda label: label[1] + escape(said(label[2])), text)
            path.write_text(told, encoding="utf-8")


def name_by_text(app: Sphinx, page: str, template: str, context: dict, tree: nodes.document | None) -> None:
    """Let what unfolds an output be called what it says, not the label that myst-nb gives it."""
    context["body"] = context.get("body", "").replace(' aria-label="Toggle hidden content"', "")


class LatinEmphasis(SphinxPostTransform):
    """Mark what is emphasized and has no sign of Chinese: there, Latin letters slant, and signs get dots."""

    default_priority = 700

    def run(self, **_: object) -> None:
        """Mark each."""
        for one in self.document.findall(nodes.emphasis):
            if not HAN.search(one.astext()):
                one["classes"].append("latin")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect what is done to each page."""
    app.add_search_language(SearchChinese)
    app.add_transform(EnglishAnchors)
    app.add_post_transform(SaidPrompts)
    app.add_post_transform(LatinEmphasis)
    if app.config.language != ENGLISH:
        app.config.mathjax_path = SHARED_MATHJAX
    app.connect("html-page-context", add_languages)
    app.connect("html-page-context", name_search, priority=900)  # after the theme
    app.connect("build-finished", say_labels)
    app.connect("html-page-context", name_by_text)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
