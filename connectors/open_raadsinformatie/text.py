"""Text as the platform gives it: names with entities, descriptions in HTML, pages with form feeds (platform page, section 10).

Everything is read in time that grows with its length and no faster.
"""

from __future__ import annotations

import html
import re

import nh3

MOST_OF_DESCRIPTION = 200_000  # characters of markup
MOST_OF_SNIPPET = 20_000
_BLOCK_END = re.compile(r"<br\s{0,9}/?>|</(?:p|div|li|tr|h[1-6]|ul|ol|table|blockquote|dd|dt)\s{0,9}>", re.IGNORECASE)
# Elements that may not stand in each other are looked for among all that are open, which takes ever longer in deep ones.
_TAG_NAME = re.compile(r"(?<=<)(/?)(?!(?:script|style)\b)[a-z][^\s/<>]*", re.IGNORECASE)
_MARKUP = re.compile(r"</?[a-z]", re.IGNORECASE)
_HIT_MARKS = re.compile(r"</?em>")
_ENDLESS_REFERENCE = re.compile(r"&#(?:[0-9]{8,}|x[0-9a-f]{8,});?", re.IGNORECASE)
_MANY_BREAKS = re.compile(r"\n{3,}")
_CONTROLS = {code: " " for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def clean(value: object) -> str:
    """A text that can be stored and sent: no control characters, no halves of characters. Empty when ``value`` is no text.

    A form feed, which ends a page inside the text of some PDFs, becomes a line break.
    """
    if not isinstance(value, str):
        return ""
    whole = value.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    return whole.encode("utf-8", "replace").decode("utf-8").translate(_CONTROLS).strip()


def line(value: object) -> str:
    """``clean`` on one line with single blanks."""
    return " ".join(clean(value).split())


def name(value: object) -> str:
    """A name on one line, with its entities decoded: ``Mededelingen &amp; rondvraag``."""
    return line(_decoded(clean(value)))


def plain(value: object) -> str:
    """The text of a description that may be HTML, with a line break where a block ends."""
    marked = clean(value[:MOST_OF_DESCRIPTION] if isinstance(value, str) else value)
    if _MARKUP.search(marked):
        marked = nh3.clean(_TAG_NAME.sub(r"\1x", _BLOCK_END.sub(r"\g<0>" + "\n", marked)), tags=set())
    text = clean(_decoded(marked))
    return _MANY_BREAKS.sub("\n\n", "\n".join(written.strip(" \t") for written in text.split("\n"))).strip()


def snippet(value: object) -> str:
    """A fragment with the marks of the hit taken out, as plain text on one line."""
    if not isinstance(value, str):
        return ""
    return line(plain(_HIT_MARKS.sub("", value[:MOST_OF_SNIPPET])))


def page(value: object) -> str:
    """The text of one page: line breaks kept, more than one empty line in a row not."""
    return _MANY_BREAKS.sub("\n\n", "\n".join(written.rstrip() for written in clean(value).split("\n"))).strip()


def _decoded(text: str) -> str:
    """Entities decoded once. A reference to a character that cannot exist stands for the sign that says so."""
    return html.unescape(_ENDLESS_REFERENCE.sub("\ufffd", text))
