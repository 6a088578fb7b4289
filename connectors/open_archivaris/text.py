"""Text of answers. In what form the platform writes it is not known, so that both plain text and marked text are read."""

from __future__ import annotations

import re
from typing import Final

from connectors.plaintext import MOST_OF_SNIPPET, clean, decoded, few_breaks, first_of, line, without_markup

_MARKUP: Final = re.compile(r"</?[a-z]", re.IGNORECASE)
_HIT_MARKS: Final = re.compile(r"</?(?:em|mark|b|strong)>", re.IGNORECASE)


def one_line(value: object) -> str:
    """A title, name or fragment on one line, without the marks of a hit, entities decoded once. Empty for what is no text."""
    text = _HIT_MARKS.sub("", clean(first_of(value, MOST_OF_SNIPPET)))
    return line(without_markup(text) if _MARKUP.search(text) else decoded(text))


def page_text(value: object) -> str:
    """The text of one page: line breaks kept, more than one empty line in a row not."""
    return few_breaks("\n".join(written.rstrip() for written in clean(value).split("\n")))
