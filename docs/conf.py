"""How Sphinx builds the course site. `grader site` puts the pages together, and runs it."""

# Title and language are given by who builds.
language = "en"

# The third one brings MathJax along, so that formulas need no network; the last is our own.
extensions = ["myst_nb", "sphinx.ext.mathjax", "sphinx-mathjax-offline", "grader.course.site_sphinx"]
exclude_patterns = ["chapters/list.md"]  # a part of the front page

nb_execution_mode = "off"  # outputs are those of `grader build`
nb_code_prompt_show = "Show what comes out"
nb_code_prompt_hide = "Hide what comes out"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

html_theme = "sphinx_book_theme"
html_theme_options = {
    "article_header_end": ["languages", "article-header-buttons"],
    "footer_content_items": [],
    "navbar_persistent": [],  # the sidebar has the search
    "show_toc_level": 2,
    "use_download_button": False,  # what is to be worked on comes with the package that checks it
    "use_fullscreen_button": False,
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["languages.js"]
templates_path = ["_templates"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = False
