"""The site's search in Chinese: words are not set apart there, so what is found are pairs of signs.

Sphinx's own needs jieba, and loads a script in the browser whose class has another name.
"""

import re

from sphinx.search import SearchLanguage

HAN = r"\u4e00-\u9fff"
RUN = re.compile(rf"[{HAN}]+|[^\W{HAN}]+")


class SearchChinese(SearchLanguage):
    """Indexes each sign and each pair of neighbors; what is found has all pairs of a query."""

    lang = "zh"
    language_name = "Chinese"
    js_splitter_code = rf"""
function splitQuery(query) {{
  const runs = query.match(/[{HAN}]+|(?:(?![{HAN}])[\p{{L}}\p{{N}}_])+/gu) || [];
  return runs.flatMap((run) => {{
    if (!/^[{HAN}]/.test(run) || run.length === 1) return [run];
    return Array.from({{ length: run.length - 1 }}, (_, i) => run.slice(i, i + 2));
  }});
}}
"""

    def split(self, input: str) -> list[str]:
        """Return the words of other scripts, and of Chinese each sign and each pair of neighbors."""
        words = []
        for run in RUN.findall(input):
            if re.match(rf"[{HAN}]", run):
                words += [*run, *(run[i : i + 2] for i in range(len(run) - 1))]
            else:
                words.append(run)
        return words
