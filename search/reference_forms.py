"""A reference in the forms that programs for references read: RIS, BibTeX, CSL-JSON; and as Markdown.

RIS by the specification of its makers (one field a line, ``TY`` first, ``ER`` last); CSL-JSON by the schema of items 1.0.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from connectors.moments import AMSTERDAM
from connectors.records import Document, Hit, Kind, Moment
from search import texts
from search.legal_forms import LegalForm, legal_form

Item = Hit | Document
_RIS_TYPES: Final = {Kind.UITSPRAAK: "CASE", Kind.CONCLUSIE: "CASE", Kind.WET: "STAT", Kind.AMENDEMENT: "BILL"}
_CSL_TYPES: Final = {
    Kind.UITSPRAAK: "legal_case",
    Kind.CONCLUSIE: "legal_case",
    Kind.WET: "legislation",
    Kind.AMENDEMENT: "bill",
}
_SERIES_TYPES: Final = (  # what begins so, with its type in RIS and in CSL
    ("Handelingen", "HEAR", "hearing"),
    ("Stb.", "STAT", "legislation"),
    ("Trb.", "STAT", "treaty"),
)
_BIBTEX_SPECIAL: Final = re.compile(r"[\\{}$&#^_%~]")
_BIBTEX_AS: Final = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
_KEY: Final = re.compile(r"[^A-Za-z0-9]+")


def ris(item: Item, source: str, consulted: date, *notes: str) -> str:
    """One record; ``source`` is the name of the platform, ``consulted`` the day of looking, ``notes`` sentences of ours."""
    return "".join(f"{tag}  - {_line(value)}\r\n" for tag, value in _ris(item, source, consulted, notes)) + "ER  - \r\n"


def _ris(item: Item, source: str, consulted: date, notes: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    when, form = _moment(item), legal_form(item)
    yield "TY", _type(form, 1) or _RIS_TYPES.get(item.kind, "GOVDOC")
    yield "ID", item.id
    yield "TI", item.title
    yield "AU", f"{item.organisation},"  # a comma at the end: a name that is not a person's is not turned round
    if when:
        yield "PY", f"{when.day.year:04d}"
        yield "DA", _ris_day(when.day)
    if form:
        yield "T2", form.series
        yield "VL", form.volume
        yield "IS", form.number
    yield "M3", item.kind_at_source or item.kind.value
    yield "SN", item.upstream_id
    yield "UR", item.address
    if item.original and item.original != item.address:
        yield "L1", item.original
    yield "DB", source
    yield "DP", "BesluitBron"
    yield "Y2", _ris_day(consulted)
    if when:
        yield "N1", f"Betekenis van de datum: {when.meaning.value}."
    for note in notes:
        yield "N1", note


def _ris_day(day: date) -> str:
    """``YYYY/MM/DD`` and nothing after it: programs take what comes after the day along as part of the date."""
    return f"{day.year:04d}/{day:%m/%d}"


def bibtex(item: Item, source: str, consulted: date) -> str:
    """One ``@misc`` entry, in UTF-8, with what BibTeX reads as commands written out."""
    when, form = _moment(item), legal_form(item)
    fields = {
        "author": f"{{{_escaped(item.organisation)}}}",
        "title": f"{{{_escaped(item.title)}}}",
        "year": f"{when.day.year:04d}" if when else "",
        "month": f"{when.day.month}" if when else "",
        "howpublished": f"{_escaped(source)}, {_escaped(item.kind_at_source or item.kind.value)}",
        "series": _escaped(form.series if form else ""),
        "volume": _escaped(form.volume if form else ""),
        "number": _escaped(form.number if form else item.upstream_id),
        "note": f"Geraadpleegd op {texts.day(consulted)}",
        "url": item.address,
        "urldate": consulted.isoformat(),
    }
    lines = (f"  {name} = {{{_line(value)}}}" for name, value in fields.items() if value)
    return f"@misc{{{_citation_key(item)},\n" + ",\n".join(lines) + "\n}\n"


def csl(item: Item, source: str, consulted: date) -> dict[str, Any]:
    """One CSL-JSON item."""
    when, form = _moment(item), legal_form(item)
    series = {"container-title": form.series, "volume": form.volume} if form else {}
    issued = {"issued": {"date-parts": [[when.day.year, when.day.month, when.day.day]]}} if when else {}
    return (
        {
            "id": item.id,
            "type": _type(form, 2) or _CSL_TYPES.get(item.kind, "document"),
            "title": item.title,
            "author": [{"literal": item.organisation}],
            "genre": item.kind_at_source or item.kind.value,
            "number": form.number if form else item.upstream_id,
            "source": source,
            "URL": item.address,
            "accessed": {"date-parts": [[consulted.year, consulted.month, consulted.day]]},
        }
        | series
        | issued
    )


def _type(form: LegalForm | None, column: int) -> str:
    """The type of what stands in a series, where the series tells more than the kind; else empty."""
    return next((row[column] for row in _SERIES_TYPES if form and form.series.startswith(row[0])), "")


def markdown(item: Item, reference: str) -> str:
    """The reference as Markdown, linked to the address for a person; what Markdown reads as marks is escaped."""
    plain = re.sub(rf",?\s*{re.escape(item.address)}", "", reference)
    text = re.sub(r"([\\`*_{}\[\]()#+.!|<>~-])", r"\\\1", _line(plain).rstrip(", "))
    return f"[{text}](<{item.address.replace('>', '%3E').replace('<', '%3C')}>)"


def consulted_on(item: Item) -> date:
    """The day on which the platform gave this item."""
    return item.fetched_at.astimezone(AMSTERDAM).date()


def _moment(item: Item) -> Moment | None:
    return item.date if isinstance(item, Hit) else next(iter(item.dates), None)


def _line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    return _BIBTEX_SPECIAL.sub(lambda found: _BIBTEX_AS.get(found[0], f"\\{found[0]}"), text)


def _citation_key(item: Item) -> str:
    plain = unicodedata.normalize("NFKD", item.id).encode("ascii", "ignore").decode()
    return _KEY.sub("-", plain).strip("-") or "stuk"
