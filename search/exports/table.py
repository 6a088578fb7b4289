"""A table for a spreadsheet: one row for each thing found, and one for each platform that has something to say for itself.

RFC 4180, with a semicolon because that is what a Dutch spreadsheet expects, and a byte order mark so that it reads UTF-8.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from connectors.records import Hit
from search import citations, texts, trial
from search.exports.gathering import Gathered
from search.present import document_path
from search.same import SameItem
from search.serialise import utc

COLUMNS: Final = (
    *(
        "bron",
        "ook bij",
        "titel",
        "organisatie",
        "soort",
        "soort bij de bron",
        "datum",
        "tijdstip",
        "betekenis van de datum",
    ),
    *(
        "fragment",
        "dekking",
        "lijkt erop",
        "nummer bij de bron",
        "adres",
        "origineel",
        "bij BesluitBron",
        "verwijzing",
        "opgehaald",
    ),
    *("melding", "vraag", "gemaakt"),
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20")  # wide ones too


def table(gathered: Gathered, site: str) -> bytes:
    """The table; ``site`` is the address of our own pages. A cell that a spreadsheet would run as a formula begins with '."""
    common = {"vraag": gathered.asked.question.typed, "gemaakt": utc(gathered.made_at)}
    asked = ({"melding": said} for said in gathered.question_remarks)
    hits = (_row(thing, gathered, site) for thing in gathered.things)
    told = ({"bron": one.platform.name, "melding": said} for one in gathered.answers if (said := gathered.said(one)))
    return sheet(COLUMNS, (row | common for row in (*hits, *asked, *told)))


def sheet(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """The file of a table; what a row does not have is empty, and no cell is taken for a formula."""
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, columns, restval="", delimiter=";", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: safe_cell(text) for name, text in row.items()} for row in rows)
    return written.getvalue().encode("utf-8-sig")


def safe_cell(text: str) -> str:
    """``text`` as no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def of_hit(hit: Hit, site: str) -> dict[str, str]:
    """What every table says of a hit."""
    when = hit.date
    return {
        "titel": hit.title,
        "soort": hit.kind.value,
        "soort bij de bron": hit.kind_at_source,
        "datum": when.day.isoformat() if when else "",
        "tijdstip": utc(when.at) if when and when.at else "",
        "betekenis van de datum": when.meaning.value if when else "",
        "nummer bij de bron": hit.upstream_id,
        "adres": hit.address,
        "origineel": hit.original or "",
        "bij BesluitBron": site + document_path(hit.platform, hit.upstream_id),
        "verwijzing": citations.reference(hit),
        "opgehaald": utc(hit.fetched_at),
    }


def _row(thing: SameItem[Hit], gathered: Gathered, site: str) -> dict[str, str]:
    hit, name = thing.first, gathered.name(thing.first.platform)
    said = (trial.told(name, hit.address), *(one.warning for one in thing.disagreements))
    return of_hit(hit, site) | {
        "bron": name,
        "ook bij": gathered.also_at(thing),
        "organisatie": hit.organisation,
        "fragment": hit.snippet,
        "dekking": texts.coverage(hit.pages_searched, hit.pages_in_all),
        "lijkt erop": "ja, telt niet mee" if hit.partly else "nee",
        "melding": " ".join(filter(None, said)),
    }
