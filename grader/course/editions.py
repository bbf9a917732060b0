"""What the site says in another language than English, and its links to pages that are in English alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from gettext import NullTranslations

from nbformat import NotebookNode

from grader.course.paths import ENGLISH
from grader.exercises import Chapter
from grader.messages import message

# The pages for students. Those that a site has are in each of its languages; other guides are in English.
FOR_STUDENTS = ("index.md", "students.md", "installation.md", "glossary.md")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([\w-]+)\.md(#[\w-]+)?\)")
# A table of contents, whose entries are documents.
CONTENTS = re.compile(r"```\{toctree\}\n.*?\n```", re.DOTALL)


@dataclass(frozen=True)
class Edition:
    """The site in another language than English.

    Attributes:
        code: of the language, whose notebooks are taken.
        name: of the language in its own words.
        title: of the course.
        pages: the pages for students in Markdown, by their names.
        catalog: what the grader says.
        compiled: the same in gettext's binary form.
        shown: returns what a chapter's cells have shown, with the words in it in this language.
    """

    code: str
    name: str
    title: str
    pages: dict[str, str]
    catalog: NullTranslations
    compiled: bytes
    shown: Callable[[Chapter, list[NotebookNode]], list[NotebookNode]]

    def page(self, name: str) -> str:
        """Return a page whose links name pages of this language, or say that they are English."""

        def linked(link: re.Match) -> str:
            text, target, anchor = link.groups()
            if f"{target}.md" in self.pages:
                return link[0]
            html = (
                f'<a class="reference" hreflang="{ENGLISH}" href="../{target}.html{anchor or ""}">{text}</a>'
            )
            return message("{page} (in English)", page=html).render(self.catalog)

        def listed(contents: re.Match) -> str:
            lines = contents[0].split("\n")
            return "\n".join(
                line for line in lines if not re.fullmatch(r"\w+", line) or f"{line}.md" in self.pages
            )

        return LINK.sub(linked, CONTENTS.sub(listed, self.pages[name]))
