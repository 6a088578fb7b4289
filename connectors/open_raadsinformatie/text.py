"""Text as the platform gives it: names with entities, HTML descriptions, pages with form feeds (platform page, section 10)."""

from __future__ import annotations

import re

from connectors.plaintext import (
    MOST_OF_DESCRIPTION,
    MOST_OF_SNIPPET,
    broken_at_blocks,
    clean,
    decoded,
    few_breaks,
    first_of,
    line,
    trimmed_lines,
    without_markup,
)

_MARKUP = re.compile(r"</?[a-z]", re.IGNORECASE)
_HIT_MARKS = re.compile(r"</?em>")


def name(value: object) -> str:
    """A name on one line, with its entities decoded: ``Mededelingen &amp; rondvraag``."""
    return line(decoded(clean(value)))


def plain(value: object) -> str:
    """The text of a description that may be HTML, with a line break where a block ends."""
    written = clean(first_of(value, MOST_OF_DESCRIPTION))
    is_html = _MARKUP.search(written)
    return trimmed_lines(without_markup(broken_at_blocks(written)) if is_html else clean(decoded(written)))


def snippet(value: object) -> str:
    """A fragment with the marks of the hit taken out, as plain text on one line."""
    if not isinstance(value, str):
        return ""
    return line(plain(_HIT_MARKS.sub("", value[:MOST_OF_SNIPPET])))


def page(value: object) -> str:
    """The text of one page: line breaks kept, more than one empty line in a row not."""
    return few_breaks("\n".join(written.rstrip() for written in clean(value).split("\n")))
