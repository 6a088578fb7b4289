"""Whether all text of a document is here: what was not read cannot be searched, nor called absent (field reports 22 and 24)."""

from __future__ import annotations

import re
from typing import Final

from connectors.records import Document, NoteCode, TextState

_CUT: Final = frozenset(
    {
        NoteCode.WITHOUT_TEXT,
        NoteCode.NO_TEXT_LAYER,
        NoteCode.PAGES_READ,
        NoteCode.PAGES_READ_BY_US,
        NoteCode.PARTS_LEFT_OUT,
    }
)
PAGES: Final = frozenset({NoteCode.PAGES_READ, NoteCode.PAGES_READ_BY_US})
"""The remarks that name how many pages there are, and how many were read."""
_READ_AS_FAR: Final = "Gelezen door de bron"
"""The fact with which connectors say that a source reads only the first pages of a file, where it does not count them."""


_APART: Final = re.compile(r"(?<![^\s|(])[b-hj-tv-zB-HJ-TV-Z] [a-z]{3,}")
_FEW, _ONE_IN, _LOOKED_AT, _PARTS_LOOKED_AT = 8, 20, 4_000, 5
_LONG: Final = 8_000
"""A text of fewer characters is of a few pages: that a source reads no more than forty says nothing of it."""


def is_cut(document: Document) -> bool:
    """Whether the source, or we, read a part of its pages, or may have: a reader has to look for the rest elsewhere."""
    counted = any(note.code in PAGES for note in document.notes)
    return counted or bool(read_as_far(document) and sum(len(one.text) for one in document.passages) >= _LONG)


def letters_apart(document: Document) -> str:
    """Two words of a scan in which first letters stand apart from their words ("R aadsvoorstel"); empty where few do.

    One such pair says nothing ("onder b bedoelde"): a twentieth of the words must be so (field report 23).
    """
    text = " ".join(passage.text[:_LOOKED_AT] for passage in document.passages[:_PARTS_LOOKED_AT])
    apart = _APART.findall(text)
    is_scan = len(apart) >= _FEW and len(apart) * _ONE_IN >= len(text.split())
    return max(apart, key=len) if is_scan else ""


def without_text(document: Document) -> tuple[int, ...]:
    """The pages between the first and the last that hold no text: scans in a file that also holds text."""
    numbers = {passage.number for passage in document.passages if passage.is_page}
    return tuple(number for number in range(1, max(numbers, default=0)) if number not in numbers)


def is_whole(document: Document) -> bool:
    """Whether all of its text is here: nothing was cut off, and no page is a picture."""
    cut = any(note.code in _CUT for note in document.notes)
    return document.text_state is TextState.FULL and not (cut or without_text(document) or read_as_far(document))


def read_as_far(document: Document) -> str:
    """How far the source read, where that may be less than all; empty where it read all of it."""
    return next((detail.value for detail in document.details if detail.label == _READ_AS_FAR), "")
