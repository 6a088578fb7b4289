"""Text as platforms give it: names with entities, descriptions in HTML, pages with form feeds.

Everything is read in time that grows with its length and no faster, whatever is sent: hence the limits and the small patterns.
"""

from __future__ import annotations

import html
import re
from typing import Final

import nh3

MOST_OF_SNIPPET: Final = 20_000  # characters of markup
MOST_OF_DESCRIPTION: Final = 200_000
_BLOCK_END: Final = re.compile(
    r"<br\s{0,9}/?>|</(?:p|div|li|tr|h[1-6]|ul|ol|table|blockquote|dd|dt)\s{0,9}>", re.IGNORECASE
)
_TAG_NAME: Final = re.compile(r"(?<=<)(/?)(?!(?:script|style)\b)[a-z][^\s/<>]*", re.IGNORECASE)
_ENDLESS_REFERENCE: Final = re.compile(r"&#(?:[0-9]{8,}|x[0-9a-f]{8,});?", re.IGNORECASE)
_MANY_BREAKS: Final = re.compile(r"\n{3,}")
_CONTROLS: Final = {code: " " for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def clean(value: object) -> str:
    """A text that can be stored and sent: no control characters, no halves of characters. Empty when ``value`` is no text.

    A form feed, which ends a page inside the text of some PDFs, becomes a line break.
    """
    if not isinstance(value, str):
        return ""
    if value.isprintable():
        return value.strip()
    whole = value.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    return whole.encode("utf-8", "replace").decode("utf-8").translate(_CONTROLS).strip()


def line(value: object) -> str:
    """``clean`` on one line with single blanks: for titles and names."""
    return " ".join(clean(value).split())


def first_of(value: object, most: int) -> object:
    """The first ``most`` characters of a text; anything else as it is."""
    return value[:most] if isinstance(value, str) else value


def decoded(text: str) -> str:
    """HTML entities decoded once. A reference to a character that cannot exist stands for the sign that says so."""
    return html.unescape(_ENDLESS_REFERENCE.sub("\ufffd", text))


def broken_at_blocks(marked: str) -> str:
    """HTML with a line break where a block ends."""
    return _BLOCK_END.sub(r"\g<0>" + "\n", marked)


def without_markup(marked: str) -> str:
    """The text of HTML, scripts and styles left out, entities decoded once."""
    # Elements that may not stand in each other (div, p, table) are looked for among all that are still open, which takes ever
    # longer in deep ones. As all tags go, their names make no difference: as unknown elements they are read in one go.
    return clean(decoded(nh3.clean(_TAG_NAME.sub(r"\1x", marked), tags=set())))


def few_breaks(text: str) -> str:
    """``text`` with no more than one empty line in a row."""
    return _MANY_BREAKS.sub("\n\n", text).strip()


def trimmed_lines(text: str) -> str:
    """``text`` without blanks around its lines, and no more than one empty line in a row."""
    return few_breaks("\n".join(written.strip(" \t") for written in text.split("\n")))
