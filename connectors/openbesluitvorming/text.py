"""Text as the platform gives it: snippets and supplier HTML to plain text, and a whole text to parts.

In ``summaryHtml`` only ``<b>`` is markup and the rest is escaped, so it is decoded once. Some suppliers' HTML went into the
index already escaped (issue 213 of the platform): what is then left is so surely an escape (``&nbsp;``, ``&lt;p&gt;``) that it
is decoded too, and tags that HTML knows are taken out. Whatever else is in angle brackets is text and stays.

What suppliers write is read in time that grows with its length and no faster; of a snippet the first 20,000 characters are
read, of a description the first 200,000. No text of a council comes near that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from connectors.plaintext import (
    MOST_OF_DESCRIPTION,
    MOST_OF_SNIPPET,
    broken_at_blocks,
    clean,
    decoded,
    first_of,
    line,
    trimmed_lines,
    without_markup,
)

NO_SUMMARY = "Geen samenvatting beschikbaar."
_TAGS = (
    "a|abbr|b|blockquote|body|br|center|code|dd|div|dl|dt|em|font|h[1-6]|head|hr|html|i|img|li|link|meta|o:p|ol|p|pre|s|script|"
    "section|small|span|strong|style|sub|sup|table|tbody|td|tfoot|th|thead|tr|u|ul"
)
_TAG = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_LEFT_ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#39|#160|#x27);")
_HEADING = re.compile(r"#{1,2}[ \t]+(?P<title>\S.*)")
_PART_SIZE = 8_000  # characters: some pages of a paper
_LINE_SIZE = 32_000


def snippet(summary_html: object, summary: object) -> str:
    """The plain text of a hit's snippet; empty when the platform says that it has none."""
    marked = clean(first_of(summary_html, MOST_OF_SNIPPET))
    text = without_markup(marked) if marked else clean(first_of(summary, MOST_OF_SNIPPET))
    text = line(_unescaped_again(text))
    return "" if text == NO_SUMMARY else text


def plain(value: object) -> str:
    """The text of supplier HTML, with a line break where a block ends."""
    marked = clean(first_of(value, MOST_OF_DESCRIPTION))
    return trimmed_lines(_unescaped_again(without_markup(broken_at_blocks(marked))))


def _unescaped_again(text: str) -> str:
    if _LEFT_ESCAPED.search(text):
        text = clean(decoded(broken_at_blocks(text)))
    return _TAG.sub(" ", text)  # the blank keeps what stood around a tag from becoming a new one


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a Markdown text, and the top heading above it; the heading is not repeated in ``text``."""

    heading: str
    text: str


def parts(markdown: str) -> tuple[Part, ...]:
    """``markdown`` in parts: at each heading of level 1 or 2, and once a part has grown long at a blank line, or at any line.

    Nothing is lost: the headings and texts in order are the whole text. A heading without text of its own keeps the next one
    in its text, so that no part is empty.
    """
    made: list[Part] = []
    heading, lines, size = "", list[str](), 0
    for written in _lines(clean(markdown)):
        title = _HEADING.fullmatch(written)
        if title and (size or not heading):
            made.extend(_part(heading, lines))
            heading, lines, size = title["title"].rstrip("# ").replace("**", "").strip(), [], 0
            if heading:
                continue
        elif size > (_LINE_SIZE if written.strip() else _PART_SIZE):
            made.extend(_part(heading, lines))
            heading, lines, size = "", [], 0
        lines.append(written)
        size += len(written.strip())
    made.extend(_part(heading, lines))
    return tuple(made)


def _part(heading: str, lines: list[str]) -> list[Part]:
    text = "\n".join(lines).strip()
    return [Part(heading, text)] if heading or text else []


def _lines(text: str) -> list[str]:
    """The lines of ``text``; one that is longer than a part should be is cut."""
    return [
        written[start : start + _LINE_SIZE]
        for written in text.split("\n")
        for start in range(0, max(len(written), 1), _LINE_SIZE)
    ]
