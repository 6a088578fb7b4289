"""The text of a paper from ``getdoc``, and of a file of open.overheid.nl (section 4). Pure; a long file takes seconds."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from connectors.calls import Answer
from connectors.filetext import FileKind, file_text, kind_of
from connectors.opentk.answers import KEY, html_root, require_found
from connectors.opentk.documents import with_text
from connectors.opentk.markup import PageText, page_text
from connectors.records import Document

_FROM_PDF: Final = b"pdftohtml"
_HEAD: Final = 2048


def paper_text(answer: Answer, document: Document) -> Document:
    """``document`` with the text of its paper. Raises ``GoneError`` where the platform has none."""
    require_found(answer, document.upstream_id)
    if kind_of(answer.body) is not FileKind.OTHER:
        return with_file(answer, document)
    found = page_text(html_root(answer.body))
    if not found.passages and _FROM_PDF in answer.body[:_HEAD]:
        found = PageText((), is_paged=True)
    return with_text(document, found)


def with_file(answer: Answer, document: Document) -> Document:
    """``document`` with the text of a PDF or a Word file."""
    require_found(answer, document.upstream_id)
    found = file_text(KEY, answer.body)
    return replace(document, passages=found.passages, text_state=found.state, notes=(*document.notes, *found.notes))
