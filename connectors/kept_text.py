"""The text of a file as it was read, and the form in which the buffer keeps it instead of the file.

Reading a PDF takes up to seconds and its pictures are most of its bytes: a file is read once, when it arrives. The form is a
mark and JSON; it stands where the file would stand, so that a reader of files reads it too.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from connectors.calls import Answer
from connectors.exceptions import ConnectorError, Defect, NotAnAnswerError
from connectors.records import Note, NoteCode, Passage, TextForm, TextState

MARK: Final = b"\x00besluitbron-tekst\n"


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file. ``pages_in_all`` is None where a file has no pages of its own (Word).

    ``has_text_layer`` is false when not one of the pages that were read holds text. ``cut_off`` says that something was left
    out: pages behind the bound, characters behind the bound, or a page that could not be read.
    """

    passages: tuple[Passage, ...]
    pages_read: int
    pages_in_all: int | None
    has_text_layer: bool
    cut_off: bool

    @property
    def state(self) -> TextState:
        """How much of the text there is."""
        if not self.passages:
            return TextState.NONE
        return TextState.PARTIAL if self.cut_off else TextState.FULL

    @property
    def notes(self) -> tuple[Note, ...]:
        """What must be said to a reader: no text layer, and how many pages were read."""
        notes = [] if self.has_text_layer else [Note(NoteCode.NO_TEXT_LAYER)]
        if self.pages_in_all is not None and self.pages_read < self.pages_in_all:
            notes.append(Note(NoteCode.PAGES_READ_BY_US, (str(self.pages_read), str(self.pages_in_all))))
        elif self.cut_off:
            notes.append(Note(NoteCode.PARTS_LEFT_OUT))
        return tuple(notes)


def kept_form(text: FileText) -> bytes:
    """The bytes that are kept of a file."""
    passages = [[p.number, p.text, p.heading, p.form.value, p.is_page] for p in text.passages]
    told = [text.pages_read, text.pages_in_all, text.has_text_layer, text.cut_off]
    return MARK + json.dumps([told, passages], ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def read_kept_form(platform: str, body: bytes) -> FileText:
    """The text that was kept. Raises ``NotAnAnswerError`` (CUT_OFF) for anything else."""
    try:
        told, passages = json.loads(body[len(MARK) :].decode("utf-8", "surrogatepass"))
        read, in_all, has_layer, cut = told
        return FileText(
            tuple(_passage(*parts) for parts in passages),
            int(read),
            None if in_all is None else int(in_all),
            bool(has_layer),
            bool(cut),
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise NotAnAnswerError(platform, Defect.CUT_OFF, "tekst") from error


async def as_read(answer: Answer, read: Callable[[bytes], FileText]) -> Answer:
    """``answer`` with the text of its file in place of the file; as it was when the file cannot be read.

    ``read`` runs beside the event loop.
    """
    try:
        text = await asyncio.to_thread(read, answer.body)
    except ConnectorError:
        return answer
    return replace(answer, body=kept_form(text))


def _passage(number: Any, text: Any, heading: Any, form: Any, is_page: Any) -> Passage:
    return Passage(int(number), str(text), str(heading), TextForm(form), bool(is_page))
