"""Whether all text of a document is here: what was not read cannot be searched, nor called absent (field reports 22 and 24)."""

from __future__ import annotations

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
_READ_AS_FAR: Final = "Gelezen door de bron"
"""The fact with which connectors say that a source reads only the first pages of a file, where it does not count them."""


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
