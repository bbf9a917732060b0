"""How Sphinx builds the course site. `grader site` puts the pages together, and runs it."""

from sphinx.application import Sphinx

# The title is given by who builds: it is that of the course.
language = "en"

# The last one brings MathJax along, so that formulas need no network.
extensions = ["myst_nb", "sphinx.ext.mathjax", "sphinx-mathjax-offline"]
exclude_patterns = ["chapters/list.md"]  # a part of the front page

nb_execution_mode = "off"  # outputs are those of `grader build`
nb_code_prompt_show = "Show what comes out"
nb_code_prompt_hide = "Hide what comes out"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

html_theme = "sphinx_book_theme"
html_theme_options = {
    "footer_content_items": [],
    "navbar_persistent": [],  # the sidebar has the search
    "show_toc_level": 2,
    "use_download_button": False,  # what is to be worked on comes with the package that checks it
    "use_fullscreen_button": False,
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
templates_path = ["_templates"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = False


def name_by_text(app: Sphinx, page: str, template: str, context: dict, tree: object) -> None:
    """Let what unfolds an output be called what it says, not the label that myst-nb gives it."""
    context["body"] = context.get("body", "").replace(' aria-label="Toggle hidden content"', "")


def setup(app: Sphinx) -> None:
    """Connect what is done to each page."""
    app.connect("html-page-context", name_by_text)
