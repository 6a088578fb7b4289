"""A small PDF writer for the stand-in: pages of plain lines, enough for a reader of text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

_LINE: Final = 88
_FONT: Final = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


def pdf(pages: Sequence[str]) -> bytes:
    """A PDF with one page for each text; an empty text makes a page without any, as a scan has."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", _FONT]
    kids = []
    for text in pages:
        content = _content(text)
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(content), content))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>"
            % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" ".join(kids), len(kids))
    return _file(objects)


def _content(text: str) -> bytes:
    lines = [line for paragraph in text.splitlines() for line in (textwrap.wrap(paragraph, _LINE) or [""])]
    if not lines:
        return b""
    shown = b" T* ".join(b"(%s) Tj" % _escaped(line) for line in lines)
    return b"BT /F1 11 Tf 14 TL 60 780 Td %s ET" % shown


def _escaped(line: str) -> bytes:
    raw = line.encode("cp1252", "replace")
    return raw.replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")


def _file(objects: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)
