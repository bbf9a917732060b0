"""Escape a student's Markdown in the graded copy: formgrader and feedback would run its HTML and scripts.

Nothing is parsed, because Markdown parsers disagree on hostile text. Instead, whatever could start a tag, a
link or a command gets a space inserted, so that neither Markdown nor a browser interprets it. The space is
invisible in a formula, and the text stays readable.
"""

import re

# A tag, a comment or an instruction. `< b` is text in HTML, and the same formula in math.
TAG = re.compile(r"<(?=[A-Za-z/!?])")
# Formatting without attributes cannot run, load or hide anything.
PLAIN_TAG = re.compile(
    r"</?(?:b|i|em|strong|u|s|sub|sup|br|hr|p|kbd|code|small|mark|details|summary)\s?/?>", re.IGNORECASE
)
# A picture is fetched when the page is read, unless it is a data URL.
PICTURE = r"data:image/(?:png|jpeg|gif);base64,[A-Za-z0-9+/=]*+"
IMAGE = re.compile(rf"!(?=\[)(?!\[[^\[\]]{{0,500}}\]\({PICTURE}\))")
# Where a link or a reference says where it leads. That may be on a later line, behind a quotation's marks:
# all signs before its first word are passed over. In angle brackets it may hold blanks, and ends on its line.
LINK = re.compile(r"\](?=[(:][^\w&\\:<\]]*+(?:<[^\w&\\:\]]*+([^>\n\]]*+\n?)|([^\s)\]]*)))")
# Anything else with a colon, or with an entity that may become one, may be a scheme that runs.
SAFE_TARGET = re.compile(rf"(?:https?://|mailto:)|{PICTURE}\Z|[^:&\\\n]*+\Z", re.IGNORECASE)
# MathJax commands that make links, load extensions, set styles or hide what they do behind another name.
COMMAND = re.compile(
    r"\\(?=(?:href|require|style|class|cssId|html\w*|data|includegraphics|mmlToken|bbox|url|unicode)\b|[A-Za-z]*+&#?\w{1,32}+;)"
)
# A backslash that is written as an entity.
HIDDEN_BACKSLASH = re.compile(r"&(?=#0{0,20}92\b|#[xX]0{0,20}5[cC]\b|bsol\b)")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
BACKTICKS = re.compile(r"`+")
# Openings of formulas are searched to the end of the text each time, so they are limited.
BEGINNING = re.compile(r"\\(?=begin\b)")
MOST_BEGINNINGS = 50
MOST_EMPTY_LINES = 50
# Runs of empty lines, which Pygments reads again from each of them on.
EMPTY_LINES = re.compile(rf"\n(?:[^\S\n]*+\n){{{MOST_EMPTY_LINES},}}+")


def escape_markdown(text: str) -> str:
    """Escape Markdown so that it is displayed as intended, but cannot run, load or hide anything.

    Links to the web stay links; pictures, which would be fetched when the instructor reads them, become
    links.
    """
    text = CONTROL.sub("", text)
    text = TAG.sub(lambda found: "<" if PLAIN_TAG.match(text, found.start()) else "< ", text)
    text = IMAGE.sub("! ", text)
    text = LINK.sub(lambda found: "]" if SAFE_TARGET.match(found[1] or found[2] or "") else "] ", text)
    text = COMMAND.sub(r"\\ ", HIDDEN_BACKSLASH.sub("& ", text))
    return text if len(BEGINNING.findall(text)) <= MOST_BEGINNINGS else BEGINNING.sub(r"\\ ", text)


def with_few_empty_lines(code: str) -> str:
    """Return code as it is shown: a run of very many empty lines is cut to fifty."""
    return EMPTY_LINES.sub("\n" * MOST_EMPTY_LINES, code)


def as_listing(text: str) -> str:
    """Return Markdown that shows a text literally, as a code block."""
    longest = max((len(ticks) for ticks in BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{escape_markdown(text)}\n{fence}"
