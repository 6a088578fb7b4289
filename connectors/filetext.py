"""The text of a PDF by page and of a Word file by part, from its bytes. Bounded, and honest about what was not read.

What a file costs is bounded by counting: pages read, characters kept, bytes and elements unpacked, and seconds of the
processor for what no count foresees. A scan has no text and says so ("geen tekstlaag"); a long report says how far it was read
("908 pagina's, 40 gelezen"). Field reports 22 and 24.
"""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from time import thread_time
from typing import TYPE_CHECKING, Final

from lxml import etree

from connectors.bodies import require_few_pieces
from connectors.exceptions import Defect, NotAnAnswerError
from connectors.kept_text import MARK, FileText, read_kept_form
from connectors.letters import mended
from connectors.records import Passage

if TYPE_CHECKING:
    from pypdf import PageObject

MOST_PAGES: Final = 40
MOST_CHARACTERS: Final = 2_000_000
_MOST_CONTENT: Final = 2 * 1024 * 1024  # of one page: beyond it the page is a drawing, and would cost seconds
_MOST_CONTENT_IN_ALL: Final = 8 * 1024 * 1024  # a second or two for each MB
_MOST_SECONDS: Final = 20.0  # of the processor: a page that draws itself over and over costs seconds and has few bytes
_MOST_UNPACKED: Final = 40 * 1024 * 1024
_MOST_MEMBERS: Final = 2_000
_MOST_BLOCKS: Final = 20_000
_PDF_WITHIN: Final = 1024  # the mark of a PDF may stand behind other bytes
_BAD_ZIP: Final = (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, NotImplementedError, RuntimeError)
_WORD_PART: Final = "word/document.xml"
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BREAKS: Final = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n"}
_HEADINGS: Final = ("heading", "kop", "title", "titel")


class FileKind(StrEnum):
    """What a file is, judged by its bytes: the media type that platforms give is now and then another.

    ``READ`` is the text of a file that was read before (``connectors.kept_text``).
    """

    PDF = "pdf"
    DOCX = "docx"
    READ = "gelezen"
    OTHER = "anders"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of a file is read at most. ``pages`` bounds the time, ``characters`` what is kept."""

    pages: int = MOST_PAGES
    characters: int = MOST_CHARACTERS


def kind_of(body: bytes) -> FileKind:
    """What the bytes are."""
    if body.startswith(MARK):
        return FileKind.READ
    if b"%PDF-" in body[:_PDF_WITHIN]:
        return FileKind.PDF
    return FileKind.DOCX if body.startswith(b"PK\x03\x04") and b"word/" in body else FileKind.OTHER


def file_text(platform: str, body: bytes, bounds: Bounds = Bounds()) -> FileText:
    """The text of a PDF or a Word file, or the text kept of one. Costs up to seconds: call it beside the event loop.

    Raises ``NotAnAnswerError`` with the place ``pdf``, ``docx`` or ``bestand``: damaged or encrypted (CUT_OFF), larger
    unpacked than we read (TOO_LARGE), another kind of file (WRONG_TYPE).
    """
    if not body:
        raise NotAnAnswerError(platform, Defect.EMPTY, "bestand")
    match kind_of(body):
        case FileKind.PDF:
            return _pdf(platform, body, bounds)
        case FileKind.DOCX:
            return _docx(platform, body, bounds)
        case FileKind.READ:
            return read_kept_form(platform, body)
        case FileKind.OTHER:
            raise NotAnAnswerError(platform, Defect.WRONG_TYPE, "bestand")


def _pdf(platform: str, body: bytes, bounds: Bounds) -> FileText:
    from pypdf import PdfReader  # noqa: PLC0415 - slow to load, and a search reads no file

    try:
        reader = PdfReader(io.BytesIO(body), strict=False)
        in_all = len(reader.pages)
        texts = list(_page_texts(reader.pages[at] for at in range(min(in_all, bounds.pages))))
    except Exception as error:
        raise NotAnAnswerError(platform, Defect.CUT_OFF, "pdf") from error
    if not in_all:
        raise NotAnAnswerError(platform, Defect.CUT_OFF, "pdf")
    read = [text or "" for text in texts]
    kept, cut = _within(mended(read), bounds.characters)
    passages = tuple(Passage(at, text, is_page=True) for at, text in enumerate(kept, 1) if text)
    return FileText(
        passages=passages,
        pages_read=len(texts),
        pages_in_all=in_all,
        has_text_layer=any(read),
        cut_off=cut or in_all > len(texts) or None in texts,
    )


def _page_texts(pages: Iterable[PageObject]) -> Iterator[str | None]:
    """The text of each page, None where it could not be read; it ends where the pages have become too much work."""
    room, ends = _MOST_CONTENT_IN_ALL, thread_time() + _MOST_SECONDS
    for page in pages:
        if room <= 0 or thread_time() >= ends:
            return
        size, text = _page_text(page)
        room -= size
        yield text


def _page_text(page: PageObject) -> tuple[int, str | None]:
    """How much a page holds, and its text: None where it could not be read, because it is a picture or damaged.

    One odd page does not cost the others.
    """
    try:
        content = page.get_contents()
        size = len(content.get_data()) if content is not None else 0
        if size > _MOST_CONTENT:
            return size, None
        text = _tidy(page.extract_text()) if size else ""
        return size, None if size and not text and _draws_a_picture(page) else text
    except Exception:  # noqa: BLE001 - a damaged page makes the library fail in any way there is
        return 0, None


def _draws_a_picture(page: PageObject) -> bool:
    """Whether a page without text shows something all the same: a scan between pages that do hold text."""
    resources = page.get("/Resources", {}).get_object()
    return bool(resources.get("/XObject"))


def _docx(platform: str, body: bytes, bounds: Bounds) -> FileText:
    import docx  # noqa: PLC0415 - slow to load, and a search reads no file

    _require_unpackable(platform, body)
    try:
        document = docx.Document(io.BytesIO(body))
        headings = {style.style_id for style in document.styles if (style.name or "").lower().startswith(_HEADINGS)}
        parts, left_out = _parts(document.element.body, headings)
    except Exception as error:
        raise NotAnAnswerError(platform, Defect.CUT_OFF, "docx") from error
    kept, cut = _within([_tidy("\n".join(lines)) for _, lines in parts], bounds.characters)
    filled = [(heading, text) for (heading, _), text in zip(parts, kept, strict=False) if heading or text]
    passages = tuple(Passage(at, text, heading) for at, (heading, text) in enumerate(filled, 1))
    return FileText(passages, len(passages), None, bool(passages), cut or left_out)


def _require_unpackable(platform: str, body: bytes) -> None:
    """A Word file is a ZIP: what it unpacks to is known beforehand, and is bounded before anything is unpacked.

    So is the number of its elements, before anything is read: forty MB of empty paragraphs, packed in 50 kB, take 800 MB.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            members = packed.infolist()
            if _WORD_PART not in {member.filename for member in members}:
                raise NotAnAnswerError(platform, Defect.WRONG_TYPE, "docx")
            if len(members) > _MOST_MEMBERS or sum(member.file_size for member in members) > _MOST_UNPACKED:
                raise NotAnAnswerError(platform, Defect.TOO_LARGE, "docx")
            for member in members:
                require_few_pieces(platform, packed.read(member), b"<", "docx")
    except _BAD_ZIP as error:
        raise NotAnAnswerError(platform, Defect.CUT_OFF, "docx") from error


def _parts(body: etree._Element, headings: set[str]) -> tuple[list[tuple[str, list[str]]], bool]:
    """The parts of a Word file, each begun by a heading, and whether blocks behind the bound were left out.

    The elements are walked here and not by the library, which takes milliseconds for each paragraph.
    """
    parts: list[tuple[str, list[str]]] = [("", [])]
    for count, (is_heading, text) in enumerate(_blocks(body, headings)):
        if count == _MOST_BLOCKS:
            return parts, True
        if is_heading and text:
            parts.append((" ".join(text.split()), []))
        else:
            parts[-1][1].append(text)
    return parts, False


def _blocks(body: etree._Element, headings: set[str]) -> Iterator[tuple[bool, str]]:
    """Paragraphs and rows of tables in reading order: whether it is a heading, and the text."""
    walker = etree.iterwalk(body, events=("start",), tag=(f"{_W}p", f"{_W}tr"))
    for _, element in walker:
        walker.skip_subtree()
        if element.tag == f"{_W}tr":
            cells = (" ".join(_word_text(cell).split()) for cell in element.iterfind(f"{_W}tc"))
            yield False, " | ".join(filter(None, cells))
        else:
            style = element.find(f"{_W}pPr/{_W}pStyle")
            yield style is not None and style.get(f"{_W}val") in headings, _word_text(element).strip()


def _word_text(element: etree._Element) -> str:
    """The text below an element. What stands there a second time for older readers is left out, as is deleted text."""
    pieces: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, part in walker:
        if event == "end":
            if part.tag == f"{_W}p":
                pieces.append("\n")
        elif part.tag == _FALLBACK:
            walker.skip_subtree()
        elif part.tag == f"{_W}t":
            pieces.append(part.text or "")
        elif part.tag in _BREAKS:
            pieces.append(_BREAKS[part.tag])
    return "".join(pieces)


def _within(texts: Iterable[str], most: int) -> tuple[list[str], bool]:
    """The texts up to ``most`` characters together, and whether something fell off."""
    kept: list[str] = []
    room = most
    for text in texts:
        if len(text) > room:
            kept.append(text[:room].rstrip())
            return kept, True
        kept.append(text)
        room -= len(text)
    return kept, False


def _tidy(text: str) -> str:
    """Lines without blanks at their ends or doubled, at most one empty line in a row, no control characters."""
    clean = _CONTROL.sub("", unicodedata.normalize("NFC", text.replace("\r", "\n").replace("\f", "\n")))
    lines: list[str] = []
    for raw in clean.split("\n"):
        line = " ".join(raw.split())
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip()
