"""The text of a passage as safe HTML.

What a platform sent is never trusted: raw HTML is shown as text, links are cut to http(s).
"""

from __future__ import annotations

import re
from typing import Final

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from connectors.records import Passage, TextForm

_TAGS: Final = {
    *("p", "br", "strong", "em", "ul", "ol", "li", "blockquote", "pre", "code", "hr", "a"),
    *("table", "thead", "tbody", "tr", "th", "td", "h3", "h4", "h5", "h6"),
}
_TOP_HEADING: Final = 3
_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
_BOX: Final = '<div class="tabel" role="group" tabindex="0" aria-label="Tabel">'
"""Around a table, so that a wide one can be moved by keyboard on a narrow screen."""
_markdown: Final = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def to_html(passage: Passage) -> SafeString:
    """The passage as HTML below a heading of the second level; headings in it start at the third."""
    if passage.form is TextForm.MARKDOWN:
        return _clean(_render_markdown(passage.text))
    paragraphs = (part.strip() for part in _PARAGRAPHS.split(passage.text))
    return mark_safe("".join(f"<p>{_lines(part)}</p>" for part in paragraphs if part))  # noqa: S308 - escaped by _lines


def _lines(paragraph: str) -> str:
    return "<br>".join(escape(line) for line in paragraph.splitlines())


def _render_markdown(text: str) -> str:
    tokens = _markdown.parse(text)
    headings = [token for token in tokens if token.type in {"heading_open", "heading_close"}]
    highest = min((int(token.tag[1]) for token in headings), default=1)
    for token in headings:
        token.tag = f"h{min(int(token.tag[1]) - highest + _TOP_HEADING, 6)}"
    html: str = _markdown.renderer.render(tokens, _markdown.options, {})
    return html


def _clean(html: str) -> SafeString:
    cleaned = nh3.clean(
        html, tags=_TAGS, attributes={"a": {"href"}}, url_schemes={"http", "https"}, link_rel="noopener nofollow"
    )
    boxed = cleaned.replace("<table>", f"{_BOX}<table>").replace("</table>", "</table></div>")
    return mark_safe(boxed)  # noqa: S308 - nh3 let through the tags above and nothing else
