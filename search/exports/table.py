"""A table for a spreadsheet: one row for each hit, and one for each platform that has something to say for itself.

RFC 4180, with a semicolon because that is what a Dutch spreadsheet expects, and a byte order mark so that it reads UTF-8.
"""

from __future__ import annotations

import csv
import io
from typing import Final

from connectors.records import Hit
from search import citations, texts
from search.exports.gathering import Gathered
from search.present import document_path
from search.serialise import utc

COLUMNS: Final = (
    *("bron", "titel", "organisatie", "soort", "soort bij de bron", "datum", "tijdstip", "betekenis van de datum"),
    *("fragment", "dekking", "nummer bij de bron", "adres", "origineel", "bij BesluitBron", "verwijzing", "opgehaald"),
    *("melding", "vraag", "gemaakt"),
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20")  # wide ones too


def table(gathered: Gathered, site: str) -> bytes:
    """The table; ``site`` is the address of our own pages. A cell that a spreadsheet would run as a formula begins with '."""
    written = io.StringIO(newline="")
    rows = csv.DictWriter(written, COLUMNS, restval="", delimiter=";", lineterminator="\r\n")
    rows.writeheader()
    common = {"vraag": gathered.asked.question.typed, "gemaakt": utc(gathered.made_at)}
    for hit in gathered.hits:
        rows.writerow(_safe(_row(hit, gathered.name(hit.platform), site) | common))
    for answer in gathered.answers:
        if said := gathered.said(answer):
            rows.writerow(_safe({"bron": answer.platform.name, "melding": said} | common))
    return written.getvalue().encode("utf-8-sig")


def safe_cell(text: str) -> str:
    """``text`` as no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def _safe(row: dict[str, str]) -> dict[str, str]:
    return {name: safe_cell(text) for name, text in row.items()}


def _row(hit: Hit, name: str, site: str) -> dict[str, str]:
    when = hit.date
    return {
        "bron": name,
        "titel": hit.title,
        "organisatie": hit.organisation,
        "soort": hit.kind.value,
        "soort bij de bron": hit.kind_at_source,
        "datum": when.day.isoformat() if when else "",
        "tijdstip": utc(when.at) if when and when.at else "",
        "betekenis van de datum": when.meaning.value if when else "",
        "fragment": hit.snippet,
        "dekking": texts.coverage(hit.pages_searched, hit.pages_in_all),
        "nummer bij de bron": hit.upstream_id,
        "adres": hit.address,
        "origineel": hit.original or "",
        "bij BesluitBron": site + document_path(hit.platform, hit.upstream_id),
        "verwijzing": citations.reference(hit),
        "opgehaald": utc(hit.fetched_at),
    }
