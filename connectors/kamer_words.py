"""What the two platforms that hold papers of the Tweede Kamer share: its own words for kinds of papers, and its texts.

The rows are the same at both, and so are their oddities: text that the source mangled, remarks written as HTML.
"""

from __future__ import annotations

import re
from typing import Final

from connectors import plaintext
from connectors.records import Kind

_TAG: Final = re.compile(r"<(/?[a-zA-Z][a-zA-Z0-9]{0,15})\b[^<>]*>")
"""A tag, however long its links are. It ends at the next ``<`` at the latest, so that a text is read once and no more."""
_CLOSING: Final = frozenset({"/p", "/li", "/div", "/h1", "/h2", "/h3", "/h4", "/tr", "/ul", "/ol", "br"})
_MOJIBAKE: Final = re.compile("[ÃÂâ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u2013-\u203a\u20ac\u2122]")
BEGINNINGS: Final = (
    ("Motie", Kind.MOTIE),
    ("Gewijzigde motie", Kind.MOTIE),
    ("Amendement", Kind.AMENDEMENT),
    ("Subamendement", Kind.AMENDEMENT),
    ("Schriftelijke vragen", Kind.VRAAG),
    ("Mondelinge vragen", Kind.VRAAG),
    ("Lijst van vragen", Kind.VRAAG),
    ("Antwoord", Kind.ANTWOORD),
    ("Brief", Kind.BRIEF),
    ("Voorstel van wet", Kind.WET),
    ("Gewijzigd voorstel van wet", Kind.WET),
    ("Memorie van toelichting", Kind.WET),
    ("Nota van wijziging", Kind.WET),
    ("Bijgewerkte tekst", Kind.WET),
    ("Verslag", Kind.VERSLAG),
    ("Stenogram", Kind.VERSLAG),
    ("Convocatie", Kind.AGENDA),
    ("Agenda", Kind.AGENDA),
    ("Besluitenlijst", Kind.BESLUIT),
    ("Stemmingsuitslag", Kind.STEMMING),
)


def kind_of(soort: str) -> Kind:
    """Our kind for the ``Soort`` of a document or a case ("Lijst van vragen en antwoorden" holds answers)."""
    lower = soort.lower()
    if lower.startswith("lijst van vragen en antwoorden"):
        return Kind.ANTWOORD
    return next((kind for start, kind in BEGINNINGS if lower.startswith(start.lower())), Kind.DOCUMENT)


def line(value: object) -> str:
    """Text on one line, mended where the source mangled it, without control characters; empty for anything else."""
    return plaintext.line(unmangled(value)) if isinstance(value, str) else ""


def unmangled(text: str) -> str:
    """The text with "financiÃ«le" as "financiële": only where the whole of it decodes, so that it is certain."""
    if not _MOJIBAKE.search(text):
        return text
    try:
        return text.encode("cp1252").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return text


def from_html(value: object) -> str:
    """The text of a remark that is written as HTML: lines where paragraphs end, no markup. Linear in time."""
    if not isinstance(value, str):
        return ""
    marked = _TAG.sub(lambda tag: "\n" if tag[1].lower() in _CLOSING else "", value)
    lines = (" ".join(part.split()) for part in plaintext.clean(plaintext.decoded(marked)).split("\n"))
    return "\n".join(part for part in lines if part)
