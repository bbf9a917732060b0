"""A learner's hands and eyes in JupyterLab: open a notebook, find a cell, write, run, read."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

# JupyterLab's first page takes a busy machine a while; so does a kernel's first import of torch.
PATIENCE = 90_000  # milliseconds

OPENED = """path => {
  const panel = window.jupyterapp?.shell.currentWidget;
  return panel?.context?.path === path && panel.context.isReady && panel.content.widgets.length > 0
    && panel.sessionContext?.session?.kernel?.status === 'idle';
}"""
# JupyterLab does not write a cell's id into the page. This does, and says whether the cell is there.
NAMED = """id => {
  const cells = jupyterapp.shell.currentWidget.content.widgets;
  for (const cell of cells) cell.node.dataset.cellId = cell.model.id;
  return cells.some(cell => cell.model.id === id);
}"""
SCROLLED = """id => {
  const {content} = jupyterapp.shell.currentWidget;
  return content.scrollToItem(content.widgets.findIndex(cell => cell.model.id === id));
}"""
# A promise that is kept when the cell, which may not have begun yet, has ended.
ENDING = """id => {
  const {model} = jupyterapp.shell.currentWidget.content.widgets.find(cell => cell.model.id === id);
  window.deskEnding = new Promise(resolve => {
    const look = (_, change) => {
      if (change.name !== 'executionState' || change.newValue !== 'idle') return;
      model.stateChanged.disconnect(look);
      resolve();
    };
    model.stateChanged.connect(look);
  });
}"""
RESTARTING = """() => {
  const {sessionContext} = jupyterapp.shell.currentWidget;
  window.deskEnding = new Promise(resolve => {
    let restarted = false;
    const look = (_, status) => {
      restarted ||= status === 'restarting' || status === 'autorestarting';
      if (!restarted || status !== 'idle') return;
      sessionContext.statusChanged.disconnect(look);
      resolve();
    };
    sessionContext.statusChanged.connect(look);
  });
}"""
ENDED = "() => window.deskEnding.then(() => true)"
SAVED = "() => !jupyterapp.shell.currentWidget.context.model.dirty"

# Texts in which a formula was not noticed, and formulas that MathJax did not understand.
UNREAD = """() => [...document.querySelectorAll('.jp-RenderedMarkdown')].map(shown => {
  const text = shown.cloneNode(true);
  text.querySelectorAll('code, mjx-container').forEach(part => part.remove());
  return text.textContent;
}).filter(text => /[$]|[\\\\][a-z]/.test(text))"""
MISREAD = """() => [...document.querySelectorAll('mjx-container')].filter(formula =>
  formula.querySelector('mjx-merror, merror, [data-mjx-error], [mathcolor=red], [style*="color: red"]')
).map(formula => formula.textContent)"""


@dataclass(frozen=True)
class Desk:
    """A page of JupyterLab in which one notebook is open; made by ``open_notebook``."""

    page: Page

    def cell(self, cell_id: str) -> Locator:
        """Return a cell by its id in the notebook, scrolled to where it can be seen."""
        assert self.page.evaluate(NAMED, cell_id), f"The notebook has no cell {cell_id}."
        found = self.page.locator(f'.jp-Notebook-cell[data-cell-id="{cell_id}"]')
        expect(found).to_be_attached(timeout=PATIENCE)  # JupyterLab puts far cells into the page later
        self.page.evaluate(SCROLLED, cell_id)
        return found

    def output(self, cell_id: str) -> Locator:
        """Return what stands below a cell."""
        return self.cell(cell_id).locator(".jp-OutputArea").first

    def source(self, cell_id: str) -> str:
        """Return what is written in a cell."""
        return self.page.evaluate(
            "id => jupyterapp.shell.currentWidget.content.widgets"
            ".find(cell => cell.model.id === id).model.sharedModel.getSource()",
            cell_id,
        )

    def write(self, cell_id: str, text: str) -> None:
        """Replace what is written in a cell, as somebody who pastes over it."""
        self.cell(cell_id).locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def run(self, *cell_ids: str) -> None:
        """Run cells one by one, each with Ctrl+Enter, and wait until it has ended; a folded one opens."""
        for cell_id in cell_ids:
            folded = self.cell(cell_id).locator(".jp-Cell-inputWrapper .jp-Placeholder")
            if folded.count():
                folded.click()  # it opens
            self.cell(cell_id).locator(".cm-content").click()
            with self.ending(cell_id):
                self.page.keyboard.press("Control+Enter")

    @contextlib.contextmanager
    def ending(self, cell_id: str) -> Iterator[None]:
        """Wait, after what is done in the block, until a cell that it runs has ended."""
        self.page.evaluate(ENDING, cell_id)
        yield
        self.page.wait_for_function(ENDED, timeout=PATIENCE)

    def add_below(self, cell_id: str, text: str) -> str:
        """Add a cell below another with the key B, write into it, and return its id."""
        self.cell(cell_id).locator(".jp-InputPrompt").click()
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("b")
        added = self.page.evaluate("() => jupyterapp.shell.currentWidget.content.activeCell.model.id")
        self.write(added, text)
        return added

    def press(self, button: str) -> None:
        """Press a button of the notebook's toolbar with the mouse, such as "run"."""
        self.page.locator(f".jp-NotebookPanel-toolbar [data-jp-item-name={button}]").click()

    def choose(self, menu: str, item: str) -> None:
        """Choose an item of a menu with the mouse."""
        self.page.locator(".lm-MenuBar-item", has_text=menu).click()
        self.page.locator(".lm-Menu-itemLabel").get_by_text(item, exact=True).click()

    def restart(self) -> None:
        """Restart the kernel from its menu, and wait until it is back."""
        self.page.evaluate(RESTARTING)
        self.choose("Kernel", "Restart Kernel…")
        self.answer("Confirm Kernel Restart")
        self.page.wait_for_function(ENDED, timeout=PATIENCE)

    def answer(self, button: str) -> None:
        """Press a button of the dialog that asks."""
        self.page.locator(".jp-Dialog").get_by_role("button", name=button).click()

    def save(self) -> None:
        """Save the notebook with Ctrl+S, and wait until it is saved."""
        self.page.keyboard.press("Control+s")
        self.page.wait_for_function(SAVED)

    def unread_formulas(self) -> list[str]:
        """Return the texts in which a formula was not noticed."""
        return self.page.evaluate(UNREAD)

    def misread_formulas(self) -> list[str]:
        """Return the formulas that MathJax did not understand."""
        return self.page.evaluate(MISREAD)


def open_notebook(page: Page, url: str, token: str, path: str) -> Desk:
    """Open a notebook of a JupyterLab that runs, and wait for its kernel.

    Args:
        page: an empty page.
        url: where the server listens.
        token: what opens it.
        path: the notebook, from the server's root folder.
    """
    # Without "reset", JupyterLab would also open what somebody else had open.
    page.goto(f"{url}/lab/tree/{path}?reset&token={token}", timeout=PATIENCE)
    page.wait_for_function(OPENED, arg=path, timeout=PATIENCE)
    return Desk(page)
