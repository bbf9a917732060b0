"""Nothing that a submission says runs in the pages that are made of it."""

import json
from html.parser import HTMLParser

import pytest
from nbconvert import HTMLExporter
from nbformat import reads

from grader.exercises import CHAPTERS
from grader.grading.record import Record
from grader.reporting.feedback import feedback_page
from grader.sandbox.sandbox import Sandbox
from tests.hostile.attacks import ALL
from tests.hostile.attacks.attack import LIMITS
from tests.hostile.attacks.f_data_formats import PWNED
from tests.hostile.harness import Grading, Notebooks

STEM = "ch04_self_attention"
SPEAKING = [name for name in ALL if name.startswith(("f-html", "f-terminal", "f-pictures", "a-display"))]
PROSE = f"""# {PWNED}

{PWNED} [link](javascript:PWNED()) ![x](http://localhost/PWNED.png)
<a href="javascript:PWNED()">x</a> $\\href{{javascript:PWNED()}}{{x}}$ <iframe srcdoc="PWNED"></iframe>
[ref]: javascript:PWNED()
"""


# Links that do nothing until somebody follows them, and then open a page.
FOLLOWED = ("#", "http://", "https://", "mailto:")


class Running(HTMLParser):
    """Finds what a browser would run or load because of a submission."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element and its attributes."""
        self.inside = tag
        for name, value in attrs:
            runs = name.startswith("on") or name in ("src", "srcdoc", "style")
            leads = name in ("href", "xlink:href", "action") and not (value or "").startswith(FOLLOWED)
            if "PWNED" in (value or "") and (runs or leads):
                self.found.append(f"<{tag} {name}={value}>")

    def handle_data(self, data: str) -> None:
        """Look at the text of an element."""
        if self.inside in ("script", "style") and "PWNED" in data:
            self.found.append(f"<{self.inside}>{data[:80]}")


def running_in(page: str) -> list[str]:
    """Return what would run in a page."""
    parser = Running()
    parser.feed(page)
    return parser.found


def test_parser_finds_what_runs() -> None:
    """The control: in a page that escapes nothing, everything is found."""
    assert len(running_in(f"<p>{PWNED}</p>")) >= 3


def pages_of(record: Record) -> dict[str, str]:
    """Return the feedback page, and the graded notebook as formgrader shows it."""
    exporter = HTMLExporter()
    exporter.sanitize_html = False
    shown, _ = exporter.from_notebook_node(reads(record.notebook, as_version=4))
    return {"feedback": feedback_page(record, CHAPTERS[STEM], f"student {PWNED}"), "formgrader": shown}


@pytest.mark.parametrize("name", SPEAKING)
def test_nothing_runs_in_pages(name: str, sandbox: Sandbox, grading: Grading, notebooks: Notebooks) -> None:
    """Outputs, exceptions, names, sources and prose are text; no control sequence is left."""
    notebook = notebooks.attack(ALL[name])
    notebook["cells"].append({"cell_type": "markdown", "id": "prose", "metadata": {}, "source": PROSE})
    notebook["cells"].append({"cell_type": "raw", "id": "raw", "metadata": {}, "source": PROSE})
    notebook["cells"][0]["metadata"]["title"] = notebook["metadata"]["title"] = PWNED
    record = grading(sandbox, STEM, notebook, LIMITS)
    assert record.status == "graded"
    for where, page in pages_of(record).items():
        assert "PWNED" in page, where
        assert not running_in(page), where
    told = "".join(one.message for one in record.exercises.values())
    outputs = json.dumps([cell.get("outputs") for cell in json.loads(record.notebook)["cells"]])
    assert not any(sign in told + json.loads(json.dumps(outputs)) for sign in ("\x1b", "\\u001b", "\\u202e"))
