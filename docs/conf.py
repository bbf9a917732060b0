"""How Sphinx builds the course site. `grader site` puts the pages together, and runs it."""

project = "Attention, from one dot product to a small GPT"
html_title = project
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
    "use_download_button": False,
    "use_fullscreen_button": False,
    "show_toc_level": 2,
    "home_page_in_toc": True,
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
