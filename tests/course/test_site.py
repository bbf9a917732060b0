"""The course site: all that is to be read, and nothing that answers an exercise."""

import json
import re
import shutil
import subprocess
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from os.path import normpath
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from grader.cli import main
from grader.course.editions import FOR_STUDENTS, Edition
from grader.course.finder import is_finder
from grader.course.paths import ENGLISH, CoursePaths
from grader.course.site import run_sphinx, without_links_outside
from grader.course.site_notebook import FOLDED, PREDICTION, first_lines, hints_html, site_notebook
from grader.course.site_search import SearchChinese
from grader.errors import GraderError
from grader.exercises import CHAPTERS, EXERCISES, Chapter
from grader.messages.message import ENGLISH as UNTRANSLATED
from grader.translations.catalogs import entries, read_catalog
from grader.translations.languages import SITE, read_languages
from grader.translations.languages import STUDENTS as GUIDE
from tests.conftest import REPOSITORY
from tests.giveaways import (
    assert_no_hidden_bytes,
    assert_no_hidden_numbers,
    assert_no_oracle,
    assert_no_right_answer,
    assert_no_solution,
    squeezed,
)

# The folder of each language's pages.
PLACES = {ENGLISH: "", **{code: f"{code}/" for code in read_languages(CoursePaths(REPOSITORY))}}
# The pages that are there in every language.
STUDENTS = [
    *(name.replace(".md", ".html") for name in FOR_STUDENTS),
    *(f"chapters/{stem}.html" for stem in CHAPTERS),
    "search.html",
]
# What of a translated text is no word of a sentence: marks, formulas, what is filled in, where a link leads.
MARKUP = re.compile(r"\]\([^)]*\)|[*`!\[\]]")
FILLED = re.compile(r"[${}<|]")
# What the pages of all languages have in common around the article.
SHARED = {"Ctrl", "K", "+", "English", "Kernel"}
# What fetches when a page is shown; links that a reader follows are no such thing.
FETCHING = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    """Collects a page's text and elements."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.text += data


@pytest.fixture(scope="module")
def paths(repository: Path) -> CoursePaths:
    """Return this course."""
    return CoursePaths(repository)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Return all pages, by their place."""
    found = (path for path in site.rglob("*.html") if "_static" not in path.parts)
    return {str(path.relative_to(site)): Page(path.read_text(encoding="utf-8")) for path in found}


@pytest.fixture(scope="module")
def text(pages: dict[str, Page]) -> str:
    """Return the text of all pages as it reads, without what sets lines apart."""
    return squeezed("\n".join(page.text for page in pages.values()))


@pytest.mark.parametrize("code", PLACES)
def test_every_cell_of_a_student_is_there_to_read(
    pages: dict[str, Page], paths: CoursePaths, code: str
) -> None:
    """A chapter's page has all code that a student gets, stubs among it."""
    for chapter in CHAPTERS.values():
        shown = squeezed(pages[f"{PLACES[code]}chapters/{chapter.stem}.html"].text)
        for cell in nbformat.read(paths.student(chapter, code), as_version=4).cells:
            assert cell.cell_type != "code" or is_finder(cell) or squeezed(cell.source) in shown, cell.id


@pytest.mark.parametrize("code", PLACES)
def test_front_page_leads_to_every_chapter(pages: dict[str, Page], paths: CoursePaths, code: str) -> None:
    """Each chapter is there with the question that it answers."""
    front = pages[f"{PLACES[code]}index.html"]
    links = {attributes.get("href") for tag, attributes in front.elements if tag == "a"}
    read = " ".join(front.text.split())
    for chapter in CHAPTERS.values():
        assert f"chapters/{chapter.stem}.html" in links
        _, asked = first_lines(nbformat.read(paths.student(chapter, code), as_version=4))
        assert " ".join(MARKUP.sub("", asked).split()) in read


def test_no_right_answer_of_a_bank_is_on_it(text: str, paths: CoursePaths) -> None:
    """No correct variant can be read on any page."""
    assert_no_right_answer(text, paths)


def test_no_solution_is_on_it(text: str, paths: CoursePaths) -> None:
    """What a solution notebook has between its markers cannot be read on any page."""
    assert_no_solution(text, paths)


def test_no_oracle_is_on_it(text: str, paths: CoursePaths) -> None:
    """No function of a reference.py can be read on any page."""
    assert_no_oracle(text, paths)


def test_no_hidden_tensor_is_on_it(site: Path, pages: dict[str, Page], paths: CoursePaths) -> None:
    """No number of a hidden case is there, in a file or in print."""
    files = (*pages, "searchindex.js")
    assert_no_hidden_bytes({name: (site / name).read_bytes() for name in files}, paths)
    assert_no_hidden_numbers("\n".join(page.text for page in pages.values()), paths)


def test_no_verdict_is_on_it(pages: dict[str, Page]) -> None:
    """Nobody reads that an answer passed which they have not written."""
    for name, page in pages.items():
        assert not re.search(r"ch\d\d-[\w-]+[:\uff1a] ?(passed|passou|通过)[,\uff0c] ?\d", page.text), name


def test_every_picture_has_a_description(pages: dict[str, Page]) -> None:
    """Each image says in words what is to be seen in it."""
    pictures = [attributes for page in pages.values() for tag, attributes in page.elements if tag == "img"]
    assert len(pictures) > len(CHAPTERS)
    assert [attributes["src"][:80] for attributes in pictures if not attributes.get("alt", "").strip()] == []


def test_nothing_is_fetched_from_elsewhere(pages: dict[str, Page]) -> None:
    """All that a page shows is beside it, so that it can be read without a network."""
    fetched = [
        (name, value)
        for name, page in pages.items()
        for tag, attributes in page.elements
        for attribute, value in attributes.items()
        if (tag, attribute) in FETCHING and re.match(r"(https?:)?//", value)
    ]
    assert fetched == []


def test_all_hints_are_on_it_folded(pages: dict[str, Page]) -> None:
    """Every hint of every exercise can be opened, without a kernel."""
    opened = Counter(
        attributes.get("class")
        for page in pages.values()
        for tag, attributes in page.elements
        if tag == "details"
    )
    assert opened["hint"] == len(PLACES) * sum(len(exercise.hints) for exercise in EXERCISES.values())


def test_every_prediction_is_folded(pages: dict[str, Page], paths: CoursePaths) -> None:
    """No page shows what comes out where it asks for a prediction."""
    for chapter in CHAPTERS.values():
        cells = nbformat.read(paths.solution(chapter), as_version=4).cells
        asked = [after for cell, after in pairwise(cells) if PREDICTION in cell.source]
        assert asked
        for place in PLACES.values():
            page = pages[f"{place}chapters/{chapter.stem}.html"]
            folded = sum(f"tag_{FOLDED}" in element.get("class", "") for _, element in page.elements)
            assert folded >= len(asked), chapter.stem


def switched(place: str, page: Page) -> dict[str, str]:
    """Return where a page's switch leads, by the language as HTML names it."""
    links = [one for tag, one in page.elements if tag == "a" and "hreflang" in one and "lang" in one]
    return {one["hreflang"]: normpath(f"{Path(place).parent}/{one['href']}") for one in links}


def test_switch_keeps_the_page(pages: dict[str, Page]) -> None:
    """From every page of a language to the same page in each other; what has none leads to the front page."""
    tags = {code: code.replace("_", "-") for code in PLACES}
    for code, folder in PLACES.items():
        for other in PLACES.keys() - {code}:
            for name in STUDENTS:
                assert switched(folder + name, pages[folder + name])[tags[other]] == PLACES[other] + name
    english_only = [name for name in pages if name not in STUDENTS and name.split("/")[0] not in PLACES]
    assert {"security.html", "authoring.html"} <= {*english_only}
    for name in english_only:
        assert {*switched(name, pages[name]).values()} == {f"{PLACES[one]}index.html" for one in PLACES} - {
            "index.html"
        }


def test_every_page_says_its_language(pages: dict[str, Page]) -> None:
    """The page itself, and what leads programs to the same page in other languages, which exists."""
    for name, page in pages.items():
        code = name.split("/")[0] if name.split("/")[0] in PLACES else ENGLISH
        (html,) = (one for tag, one in page.elements if tag == "html")
        assert html["lang"] == code.replace("_", "-")
        leading = [one for tag, one in page.elements if tag == "link" and one.get("rel") == "alternate"]
        places = {one["hreflang"]: normpath(f"{Path(name).parent}/{one['href']}") for one in leading}
        assert places[html["lang"]] == name
        assert {*places.values()} <= {*pages}


@pytest.mark.parametrize("code", [*PLACES][1:])
def test_anchors_are_those_of_english(pages: dict[str, Page], code: str) -> None:
    """A link to a heading, in a page or from elsewhere, leads to the same one in each language."""
    for name in STUDENTS:
        english, own = (
            [one["id"] for tag, one in page.elements if tag == "section" and "id" in one]
            for page in (pages[name], pages[PLACES[code] + name])
        )
        assert own == english, name
        place = PLACES[code] + name
        for tag, one in pages[place].elements:
            path, _, anchor = one.get("href", "").partition("#")
            if tag == "a" and anchor and "://" not in path:
                there = normpath(f"{Path(place).parent}/{path}") if path else place
                assert anchor in {other.get("id") for _, other in pages[there].elements}, (place, one)


@pytest.mark.parametrize("code", [*PLACES][1:])
def test_no_english_sentence_is_on_a_translated_page(
    pages: dict[str, Page], paths: CoursePaths, code: str
) -> None:
    """Nothing that a catalog has a translation of is left, in a text or in what describes a picture."""
    language, checked = read_languages(paths)[code], 0
    catalogs = {name: [SITE, GUIDE] for name in STUDENTS if "chapters/" not in name}
    catalogs |= {f"chapters/{stem}.html": [stem] for stem in CHAPTERS}
    for name, sources in catalogs.items():
        page = pages[PLACES[code] + name]
        told = [*(value for _, one in page.elements for key, value in one.items() if key == "alt"), page.text]
        shown = squeezed(" ".join(told))
        for message in (one for source in sources for one in entries(read_catalog(language, source, paths))):
            text = MARKUP.sub("", message.id)
            if (
                message.string != message.id
                and len(re.findall(r"[A-Za-z]{2,}", text)) > 3
                and not FILLED.search(text)
            ):
                checked += 1
                assert squeezed(text) not in shown, (name, message.id)
    assert checked > 1000


def words_around(site: Path, name: str) -> set[str]:
    """Return the words of a page outside of its article: what stands there, and labels."""
    html = (site / name).read_text(encoding="utf-8")
    around = re.sub(
        r"<article.*?</article>|<(script|style|title)\b.*?</\1>|<!--.*?-->", "", html, flags=re.DOTALL
    )
    labels = re.findall(r' (?:title|aria-label|placeholder|alt)="([^"]*)"', around)
    texts = (unescape(one).strip() for one in (*re.split(r"<[^>]*>", around), *labels))
    return {one for one in texts if re.search(r"[A-Za-z]", one)}


@pytest.mark.parametrize("code", [*PLACES][1:])
@pytest.mark.parametrize("name", ["index.html", "chapters/ch04_self_attention.html", "search.html"])
def test_the_theme_speaks_the_language(site: Path, paths: CoursePaths, code: str, name: str) -> None:
    """No label, button or title around the article is that of the English page."""
    names = {one.name for one in read_languages(paths).values()}
    assert words_around(site, name) & words_around(site, PLACES[code] + name) <= SHARED | names
    assert {"Search", "Toggle primary sidebar"} <= words_around(site, name)


def test_chinese_is_found_by_pairs_of_signs() -> None:
    """A browser that takes a query apart finds each part in the index; other words stay whole."""
    indexed = SearchChinese({}).split("用softmax归一化\uff0c一个token")
    assert {"归一", "一化", "一", "softmax", "token"} <= {*indexed}
    assert not [one for one in indexed if len(one) > 2 and not one.isascii()]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_browser_takes_a_query_apart_as_the_index_does(site: Path) -> None:
    """Each part of a query that is a text of the page is in the index of the Chinese pages."""
    script = (site / PLACES["zh_CN"] / "_static" / "language_data.js").read_text(encoding="utf-8")
    asked = "归一化 token的 头"
    code = f"const window = {{}}; {script}; new Stemmer(); console.log(JSON.stringify(splitQuery('{asked}')))"
    parts = json.loads(subprocess.check_output(["node", "--eval", code], text=True))
    assert parts == ["归一", "一化", "token", "的", "头"]
    assert {*parts} <= {*SearchChinese({}).split(asked)}


def test_pages_that_a_language_lacks_are_linked_as_english() -> None:
    """Its contents list only its own pages; a link to another leads out of its folder, and says so."""
    text = "[A](students.md) [B](authoring.md#top)\n\n```{toctree}\n:hidden:\n\nstudents\nauthoring\n```\n"
    pages = {"index.md": text, "students.md": ""}
    edition = Edition("xx", "marked", "A course", pages, UNTRANSLATED, b"", lambda chapter, outputs: outputs)
    assert edition.page("index.md") == (
        '[A](students.md) <a class="reference" hreflang="en" href="../authoring.html#top">B</a> (in English)'
        "\n\n```{toctree}\n:hidden:\n\nstudents\n```\n"
    )


def notebooks(*cells: tuple) -> tuple[nbformat.NotebookNode, nbformat.NotebookNode]:
    """Return two notebooks of cells, each a source, an output (None: the cell is text) and metadata."""
    student = [new_markdown_cell("# Doubling", id="first")]
    solution = list(student)
    for number, (source, output, *metadata) in enumerate(cells):
        name = f"cell-{number}"
        if output is None:
            text = new_markdown_cell(source, id=name)
            student.append(text)
            solution.append(text)
            continue
        options = {"id": name, "metadata": metadata[0] if metadata else {}}
        outputs = [new_output("execute_result", {"text/plain": output})]
        student.append(new_code_cell(source, **options))
        solution.append(new_code_cell(f"solution of {source}", outputs=outputs, **options))
    return new_notebook(cells=student), new_notebook(cells=solution)


def shown(chapter: Chapter, *cells: tuple) -> list[tuple[str, bool, bool]]:
    """Return of each code cell to read its source, whether it has outputs, and whether they are folded."""
    page = site_notebook(*notebooks(*cells), chapter)
    return [
        (cell.source, bool(cell.outputs), FOLDED in cell.metadata.get("tags", []))
        for cell in page.cells
        if cell.cell_type == "code"
    ]


def test_example_is_shown_with_its_output(small: Chapter) -> None:
    """A cell that nobody has to write has what comes out, and the student's source."""
    assert shown(small, ("1 + 1", "2")) == [("1 + 1", True, False)]


@pytest.mark.parametrize("predicted", [False, True])
def test_folded_code_is_opened_with_a_click(small: Chapter, tmp_path: Path, predicted: bool) -> None:
    """A cell that only draws shows what it draws, its code below a line that opens it."""
    asked = [(f"{PREDICTION} How many?", None)] if predicted else []
    cell = ("show(1)", "a picture", {"tags": ["hide-input"], "jupyter": {"source_hidden": True}})
    page = site_notebook(*notebooks(*asked, cell, ("show(2)", "another")), small)
    source = tmp_path / "source"
    source.mkdir()
    (source / "index.md").write_text("# Front\n\n```{toctree}\ntiny\nstudents\n```\n", encoding="utf-8")
    (source / "students.md").write_text("# Students\n", encoding="utf-8")
    page.metadata.language_info = {"name": "python"}
    nbformat.write(page, source / "tiny.ipynb")
    run_sphinx(source, tmp_path / "site", "Small")
    html = (tmp_path / "site" / "tiny.html").read_text(encoding="utf-8")
    folded = [
        squeezed(Page(part).text) for part in re.findall(r"<details class=.*?</details>", html, re.DOTALL)
    ]
    wanted = [["Showthecode", "Hidethecode", "show(1)"]]
    if predicted:
        wanted = [
            ["Showthesource", "Hidethesource", "show(1)"],
            ["Showtheoutput", "Hidetheoutput", "apicture"],
        ]
        wanted.append(["Showwhatcomesout", "Hidewhatcomesout", "another"])
    assert folded == ["".join(parts) for parts in wanted]


def test_check_is_shown_without_its_verdict(small: Chapter) -> None:
    """The verdict on the course's own answer is left out."""
    cell = ('check("tiny-double", double)', "passed", {"nbgrader": {"grade": True}})
    assert shown(small, cell) == [(cell[0], False, False)]


def test_all_that_a_prediction_asks_for_is_folded(small: Chapter) -> None:
    """Cells after the question are folded up to the next text, and no further."""
    cells = ((f"{PREDICTION} How many?", None), ("a", "1"), ("b", "2"), ("Why?", None), ("c", "3"))
    assert shown(small, *cells) == [("a", True, True), ("b", True, True), ("c", True, False)]


def test_value_that_is_an_answer_is_not_shown() -> None:
    """What a cell makes of an input that a learner is to find would give the input away."""
    clinic = CHAPTERS["ch09_debugging_clinic"]
    cells = (("expose_01()", "tensor(...)"), ("fixed_01(scores)", "tensor(...)"))
    assert [outputs for _, outputs, _ in shown(clinic, *cells)] == [False, True]


def test_notebooks_of_two_builds_are_refused(small: Chapter) -> None:
    """Outputs are never put below a cell that they are not of."""
    student, _ = notebooks(("1 + 1", "2"))
    _, solution = notebooks(("1 + 1", "2"), ("2 + 2", "4"))
    with pytest.raises(GraderError, match="grader build tiny"):
        site_notebook(student, solution, small)


def test_hints_lie_in_each_other() -> None:
    """The second hint is inside the first, so that one has to be opened after the other."""
    exercise = EXERCISES["ch04-self-attention"]
    html = hints_html(exercise)
    begins = [html.index(f"Hint {number} of 3") for number in (1, 2, 3)]
    assert begins == sorted(begins)
    assert html.endswith("</details></details></details>")


def test_link_to_a_file_outside_becomes_its_name() -> None:
    """A guide's link into the repository would lead nowhere on the site."""
    assert (
        without_links_outside("[the codes](../grader/mistakes.toml)") == "the codes (`grader/mistakes.toml`)"
    )
    assert without_links_outside("[`course.toml`](../course.toml)") == "`course.toml`"
    assert without_links_outside("[scores](scores.md)") == "[scores](scores.md)"


def test_guide_whose_link_leads_nowhere_is_refused(tmp_path: Path) -> None:
    """What Sphinx warns of is an error that names the page."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "index.md").write_text("# Front\n\n[gone](gone.md)\n", encoding="utf-8")
    with pytest.raises(GraderError, match=r"index\.md:3.*gone\.md"):
        run_sphinx(source, tmp_path / "site", "Small")


@pytest.mark.parametrize("name", ["index.html", "notes.txt"])
def test_folder_of_somebody_is_not_replaced(repository: Path, tmp_path: Path, name: str) -> None:
    """A folder that is no site is refused, also where replacing is allowed."""
    (tmp_path / name).write_text("mine", encoding="utf-8")
    result = CliRunner().invoke(main, ["site", str(tmp_path), "--force", "--course", str(repository)])
    assert result.exit_code == 2
    assert "is no site" in result.output
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_what_is_not_a_site_of_ours_is_not_replaced(repository: Path, site: Path, tmp_path: Path) -> None:
    """Another folder, and a site that is also a repository, stay as they are even with --force."""
    other, published = tmp_path / "other", tmp_path / "published"
    other.mkdir()
    (other / "index.html").touch()
    shutil.copytree(site, published)
    (published / ".git").mkdir()
    for folder in (other, published):
        result = CliRunner().invoke(main, ["site", str(folder), "--force", "--course", str(repository)])
        assert result.exit_code == 2
        assert (folder / "index.html").is_file()


def test_site_is_replaced_only_when_asked(repository: Path, site: Path) -> None:
    """A site that is there stays without --force."""
    result = CliRunner().invoke(main, ["site", str(site), "--course", str(repository)])
    assert result.exit_code == 2
    assert "--force" in result.output
