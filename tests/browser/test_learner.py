"""What a learner does at their desk, in a JupyterLab in a browser, with what the course hands out."""

import json
import re
from collections.abc import Callable, Mapping
from urllib.request import Request, urlopen

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import REPOSITORY, Server
from tests.browser.desk import PATIENCE, Desk, open_notebook
from tests.browser.handout import answer, gather_formulas, right_answers, unpack

CHAPTER = "ch04_self_attention"
EXERCISE, CHECK = "ch04-self-attention", "ch04-self-attention-check"
ANSWERS = right_answers(REPOSITORY, CHAPTER)
SCALED = ANSWERS[EXERCISE]
UNSCALED = SCALED.replace(" / k.shape[self.col_dim] ** 0.5", "")
OTHERS = {name: text for name, text in ANSWERS.items() if name != EXERCISE}
# Of pictures in the whole chapter, and what the cell of the last one has in it.
PICTURES, LAST_PICTURE = 7, "def all_shares("
FRAME = "rgb(213, 94, 0)"
STYLES = "(all, name) => all.map(one => getComputedStyle(one)[name])"
WEIGHTS = """head_weights = torch.tensor(
    [
        [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.2, 0.3, 0.5, 0], [0.1, 0.2, 0.3, 0.4]],
        [[1, 0, 0, 0], [0.9, 0.1, 0, 0], [0.6, 0.3, 0.1, 0], [0.4, 0.3, 0.2, 0.1]],
    ]
)
task = Task("Pull it to either end.", queries=[3], temperatures=[0.1, 10])
explore(head_weights, "Your journey starts with".split(), tasks=[task])"""
SitDown = Callable[..., Desk]
Photograph = Callable[[str], None]


def cell_with(chapter: str, text: str) -> str:
    """Return the id of the one cell of a chapter that has a text; ids change with what is in the cells."""
    path = REPOSITORY / "notebooks" / "en" / chapter / f"{chapter}.ipynb"
    (found,) = (cell.id for cell in nbformat.read(path, as_version=4).cells if text in cell.source)
    return found


@pytest.fixture(scope="module")
def lab(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Return a JupyterLab on the unpacked bundle, opened as its START.md says."""
    return serve(unpack(REPOSITORY, tmp_path_factory.mktemp("student")))


@pytest.fixture
def sit_down(lab: Server, page: Page, request: pytest.FixtureRequest) -> SitDown:
    """Return a function that opens a copy of a chapter with these answers; nothing is solved before."""
    (lab.home / "progress.json").unlink(missing_ok=True)

    def at(chapter: str, answers: Mapping[str, str]) -> Desk:
        copy = f"{request.node.name}/{chapter}.ipynb"
        answer(lab.root / chapter / f"{chapter}.ipynb", answers, lab.root / copy)
        return open_notebook(page, lab.url, lab.token, copy)

    return at


@pytest.mark.parametrize(
    ("asked", "said"), [("lab/api/news", {"news": []}), ("lab/api/update", {"notification": None})]
)
def test_the_server_asks_nobody(asked: str, said: object, lab: Server) -> None:
    """Asked for news or a newer release, it answers without looking that there is nothing."""
    assert json.loads(ask(lab, asked)) == said


def test_the_server_offers_no_extensions(lab: Server) -> None:
    """It has the manager of extensions that only lists those that are installed."""
    page = ask(lab, "lab").decode()
    (settings,) = re.findall(
        r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', page, re.S
    )
    assert json.loads(settings)["extensionManager"]["name"] == "read-only"


def ask(lab: Server, path: str) -> bytes:
    """Return what the server answers."""
    request = Request(f"{lab.url}/{path}", headers={"Authorization": f"token {lab.token}"})
    with urlopen(request, timeout=30) as answered:
        return answered.read()


def test_a_chapter_is_read(sit_down: SitDown, photograph: Photograph) -> None:
    """Its title and its formula are typeset, nothing has gone wrong before it begins, an answer unfolds."""
    desk = sit_down(CHAPTER, {})
    expect(desk.page.get_by_role("heading", name="4. Self-attention as a module")).to_be_visible()
    photograph("1-opened")
    formula = desk.cell(cell_with(CHAPTER, "## The formula, with the shape of every symbol"))
    expect(formula.locator("mjx-container[display=true]")).to_be_visible()
    expect(formula.locator(".jp-RenderedMarkdown")).not_to_contain_text("$")
    photograph("2-formula")
    expect(desk.page.locator(".jp-OutputArea-output")).to_have_count(0)
    why = desk.cell(cell_with(CHAPTER, "is just an attribute, like a string")).locator("details")
    expect(why.get_by_text("just an attribute")).to_be_hidden()
    why.locator("summary").click()
    expect(why.get_by_text("just an attribute")).to_be_visible()
    photograph("3-unfolded")
    why.locator("summary").press("Enter")
    expect(why.get_by_text("just an attribute")).to_be_hidden()


def test_every_formula_is_typeset(lab: Server, page: Page) -> None:
    """MathJax, as JupyterLab has it, understands every formula of every chapter, and leaves no dollar."""
    *_, last = gather_formulas(REPOSITORY / "notebooks" / "en", lab.root / "formulas.ipynb")
    desk = open_notebook(page, lab.url, lab.token, "formulas.ipynb")
    expect(desk.cell(last).locator("mjx-container").first).to_be_attached(timeout=PATIENCE)
    assert desk.unread_formulas() == []
    assert desk.misread_formulas() == []


def test_an_exercise_is_solved(sit_down: SitDown, lab: Server, photograph: Photograph) -> None:
    """A mistake is named and shown, hints open one by one, a right answer passes and outlives a restart."""
    desk = sit_down(CHAPTER, OTHERS)
    with desk.ending(CHECK):
        desk.choose("Run", "Run All Cells")
    expect(desk.output(CHECK)).to_contain_text("The line that raises is still there.")
    photograph("1-before")
    desk.write(EXERCISE, UNSCALED)
    desk.run(EXERCISE, CHECK)
    see_the_mistake(desk.output(CHECK))
    photograph("2-mistake")
    see_hints(desk, photograph)
    desk.write(EXERCISE, SCALED)
    desk.run(EXERCISE, CHECK)
    expect(desk.output(CHECK)).to_contain_text("passed, 4 of 4 points")
    photograph("5-passed")
    desk.save()
    (saved,) = lab.root.glob(f"test_an_exercise_is_solved/{CHAPTER}.ipynb")
    assert SCALED in [cell.source for cell in nbformat.read(saved, as_version=4).cells]
    see_progress_after_a_restart(desk)
    photograph("6-progress")
    see_everything_again(desk)
    photograph("7-again")


def see_the_mistake(verdict: Locator) -> None:
    """Expect a named mistake, and yours beside the target: in colors, the worst difference framed."""
    expect(verdict).to_contain_text("failed, 0 of 4 points")
    expect(verdict).to_contain_text("The scores are not scaled.")
    expect(verdict.get_by_role("table")).to_have_count(2)
    yours, target = verdict.get_by_role("table").all()
    expect(yours).to_contain_text("Yours (3, 2)")
    expect(target).to_contain_text("Target (3, 2)")
    left, right = yours.bounding_box(), target.bounding_box()
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    assert len(set(target.locator("td").evaluate_all(STYLES, "backgroundColor"))) > 3
    worst = [yours.locator("td", has_text="3.7436"), target.locator("td", has_text="3.4989")]
    assert [cell.evaluate_all(STYLES, "borderTopColor") for cell in worst] == [[FRAME], [FRAME]]


def see_hints(desk: Desk, photograph: Photograph) -> None:
    """Run a hint's cell twice by mouse, then by keyboard; expect one more each time, below those before."""
    added = desk.add_below(CHECK, f'hint("{EXERCISE}")')
    for number in (1, 2):
        desk.cell(added).locator(".cm-content").click()
        with desk.ending(added):
            desk.press("run")
        see_hints_open(desk.output(added), number)
        photograph(f"{number + 2}-hint")
    desk.run(added)
    see_hints_open(desk.output(added), 3)


def see_hints_open(output: Locator, count: int) -> None:
    """Expect so many hints, in their order."""
    expect(output.get_by_text("Hint ")).to_contain_text([f"Hint {n} of 3" for n in range(1, count + 1)])


def see_progress_after_a_restart(desk: Desk) -> None:
    """Restart the kernel; expect the answer in its cell, nothing in the kernel, and what was solved."""
    desk.restart()
    assert desk.source(EXERCISE) == SCALED
    desk.run(CHECK)
    expect(desk.output(CHECK)).to_contain_text("NameError")
    added = desk.add_below(CHECK, "from grader import progress\nprogress()")
    desk.run(added)
    expect(desk.output(added)).to_contain_text("4. Self-attention as a module")
    expect(desk.output(added)).to_contain_text("4 of 4")


def see_everything_again(desk: Desk) -> None:
    """Run all cells in a new kernel; expect the verdict, and pictures that have loaded, with descriptions."""
    last = cell_with(CHAPTER, LAST_PICTURE)
    with desk.ending(last):
        desk.choose("Kernel", "Restart Kernel and Run All Cells…")
        desk.answer("Confirm Kernel Restart")
    expect(desk.output(CHECK)).to_contain_text("passed, 4 of 4 points")
    pictures = desk.page.locator(".jp-OutputArea img")
    expect(pictures).to_have_count(PICTURES)
    assert all(pictures.evaluate_all("all => all.map(one => one.naturalWidth > 100 && one.alt.length > 40)"))
    expect(desk.output(last).locator("img")).to_be_visible()


def test_validate_tells_what_is_wrong(sit_down: SitDown, photograph: Photograph) -> None:
    """The button of nbgrader names the mistake; with everything right it says so."""
    desk = sit_down(CHAPTER, OTHERS | {EXERCISE: UNSCALED})
    validate = desk.page.get_by_role("button", name="Validate")
    told = desk.page.locator(".jp-Dialog", has_text="Validation Results")
    validate.click()
    expect(told).to_contain_text("The following cell failed", timeout=PATIENCE)
    expect(told.locator("pre")).to_have_text(
        [
            'check("ch04-self-attention", SelfAttention)',
            "ch04-self-attention: failed, 0 of 4 points: The scores are not scaled",
        ]
    )
    photograph("1-wrong")
    desk.answer("Ok")
    desk.write(EXERCISE, SCALED)
    validate.click()
    expect(told).to_contain_text("Success! Your notebook passes all the tests.", timeout=PATIENCE)
    photograph("2-right")


@pytest.fixture
def explorer(sit_down: SitDown) -> Locator:
    """Return the explorer of chapter 6 on the screen, with weights that are easy to recognize."""
    return explored(sit_down("ch06_multi_head_attention", {})).locator(".attention-explorer")


def explored(desk: Desk) -> Locator:
    """Run an explorer in chapter 6, and return the output with its two forms."""
    imports = cell_with("ch06_multi_head_attention", "import Task, explore")
    added = desk.add_below(imports, WEIGHTS)
    desk.run(imports, added)
    output = desk.output(added)
    expect(output.locator(".attention-explorer")).to_be_visible(timeout=PATIENCE)
    return output


def expect_shares(explorer: Locator, *shares: str) -> None:
    """Expect these shares over the keys."""
    expect(explorer.locator(".ae-number")).to_have_text(shares)


def test_the_explorer_follows_the_mouse(explorer: Locator, photograph: Photograph) -> None:
    """Shares are those of the head and the query that are clicked, and told where the pointer is."""
    expect_shares(explorer, "0.10", "0.20", "0.30", "0.40")
    photograph("1-begin")
    explorer.get_by_role("listitem").nth(1).hover()
    expect(explorer.locator(".ae-tip")).to_have_text("“with” → “journey”  0.2000")
    photograph("2-hover")
    explorer.get_by_role("radiogroup", name="Query").get_by_text("journey").click()
    expect_shares(explorer, "0.50", "0.50", "0", "0")
    explorer.get_by_role("radio", name="head 1").click()
    expect_shares(explorer, "0.90", "0.10", "0", "0")
    grid = explorer.get_by_role("grid")
    box = grid.bounding_box()
    grid.click(
        position={"x": box["width"] / 8, "y": box["height"] * 5 / 8}
    )  # the third row, the first column
    expect_shares(explorer, "0.60", "0.30", "0.10", "0")
    expect(explorer.locator(".ae-said")).to_contain_text("In head 1, “starts” attends most to “Your” (0.60)")
    expect(explorer.locator(".ae-said")).to_contain_text("Share of “Your”: 0.6000.")
    photograph("3-clicked")


def test_the_explorer_follows_the_keyboard(explorer: Locator, page: Page, photograph: Photograph) -> None:
    """Tab leads through its parts, arrows choose, and JupyterLab's own keys leave the notebook alone."""
    cells = page.locator(".jp-Notebook-cell").count()
    explorer.get_by_role("radio", name="head 0").focus()
    page.keyboard.press("ArrowDown")
    expect(explorer.get_by_role("radio", name="head 1")).to_be_focused()
    expect_shares(explorer, "0.40", "0.30", "0.20", "0.10")
    page.keyboard.press("Tab")
    expect(explorer.get_by_role("grid")).to_be_focused()
    for key in ("ArrowUp", "End", "ArrowLeft", "a", "b", "x"):
        page.keyboard.press(key)
    expect_shares(explorer, "0.60", "0.30", "0.10", "0")
    expect(explorer.locator(".ae-said")).to_contain_text("Share of “starts”: 0.1000.")
    photograph("1-grid")
    page.keyboard.press("Tab")
    expect(explorer.get_by_role("slider")).to_be_focused()
    page.keyboard.press("Home")
    expect(explorer.locator(".ae-reading")).to_have_text("0.10")
    expect_shares(explorer, "1.00", "<0.01", "<0.01", "0")
    photograph("2-sharp")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_shares(explorer, "0.60", "0.30", "0.10", "0")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    expect_shares(explorer, "0.90", "0.10", "0", "0")
    photograph("3-query")
    expect(page.locator(".jp-Notebook-cell")).to_have_count(cells)


def test_the_explorer_tells_what_was_seen(explorer: Locator, photograph: Photograph) -> None:
    """A task's answer is not there before its row is on the screen, and stays when it no longer is."""
    task, lines = explorer.locator(".ae-task p"), explorer.locator(".ae-task li")
    seen = "In head 0, temperature {}: “with” attends most to “with” ({})"
    expect(task).to_have_text("Try: Pull it to either end. (0 of 2 seen)")
    expect(lines).to_have_text(["", ""])
    slider = explorer.get_by_role("slider")
    slider.press("End")
    expect(task).to_contain_text("(1 of 2 seen)")
    expect(lines.nth(1)).to_contain_text(seen.format("10", "0.26"))
    explorer.get_by_role("radio", name="head 1").click()
    slider.press("Home")
    expect(explorer.locator(".ae-reading")).to_have_text("0.10")
    expect(task).to_contain_text("(1 of 2 seen)")
    explorer.get_by_role("radio", name="head 0").click()
    expect(task).to_contain_text("(2 of 2 seen)")
    expect(lines.nth(0)).to_contain_text(seen.format("0.1", "0.95"))
    photograph("1-seen")


def test_an_explorer_opened_again_has_its_pictures(
    sit_down: SitDown, lab: Server, page: Page, request: pytest.FixtureRequest, photograph: Photograph
) -> None:
    """Where the widget is gone with its kernel, a click shows the pictures and the answers."""
    desk = sit_down("ch06_multi_head_attention", {})
    explored(desk)
    desk.save()
    desk.restart()
    desk = open_notebook(page, lab.url, lab.token, f"{request.node.name}/ch06_multi_head_attention.ipynb")
    expect(page.locator(".attention-explorer")).to_have_count(0)
    summary = page.get_by_text("The explorer as pictures, with the answers to “Try”")
    summary.scroll_into_view_if_needed(timeout=PATIENCE)
    answer = page.locator("li", has_text="In head 0, temperature 10: “with” attends most to “with” (0.26)")
    photograph("1-opened")
    expect(answer).to_be_hidden()
    summary.click()
    expect(answer).to_be_visible()
    photograph("2-unfolded")
