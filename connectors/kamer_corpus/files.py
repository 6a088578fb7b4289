"""Small files for the stand-ins: PDF with text pages or pages without any text, and Word."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from typing import Final

import docx

_WIDTH: Final = 92
_LINES: Final = 52
_FONT: Final = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
_CATALOGUE, _TREE, _FONT_AT, _FIRST = 1, 2, 3, 4


def pdf_of(pages: Sequence[str]) -> bytes:
    """A PDF with a page for each text; an empty text makes a page that holds a line and no letters, like a scan."""
    objects: dict[int, bytes] = {_FONT_AT: _FONT}
    kids = []
    for number, text in enumerate(pages):
        page, content = _FIRST + 2 * number, _FIRST + 2 * number + 1
        kids.append(f"{page} 0 R")
        stream = _drawn(text)
        objects[content] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
        objects[page] = (
            f"<< /Type /Page /Parent {_TREE} 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R "
            f"/Resources << /Font << /F1 {_FONT_AT} 0 R >> >> >>"
        ).encode()
    objects[_CATALOGUE] = f"<< /Type /Catalog /Pages {_TREE} 0 R >>".encode()
    objects[_TREE] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>".encode()
    return _file(objects)


def pages_of(text: str) -> tuple[str, ...]:
    """``text`` broken into lines that fit and pages that hold them."""
    lines = [line for paragraph in text.split("\n") for line in textwrap.wrap(paragraph, _WIDTH) or [""]]
    starts = range(0, max(len(lines), 1), _LINES)
    return tuple("\n".join(lines[start : start + _LINES]) for start in starts)


def _drawn(text: str) -> bytes:
    if not text:
        return b"50 50 m 500 50 l S"
    shown = b" T*\n".join(b"(%s) Tj" % _escaped(line) for line in text.split("\n"))
    return b"BT /F1 11 Tf 14 TL 50 790 Td\n" + shown + b"\nET"


def _escaped(line: str) -> bytes:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("cp1252", "replace")


def _file(objects: dict[int, bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number in sorted(objects):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, _CATALOGUE, start)
    return bytes(out)


def docx_of(text: str) -> bytes:
    """A Word file with a paragraph for each line; the first is its title."""
    document = docx.Document()
    first, *others = text.split("\n")
    document.add_heading(first, level=1)
    for line in others:
        document.add_paragraph(line)
    kept = io.BytesIO()
    document.save(kept)
    return kept.getvalue()
