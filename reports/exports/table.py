"""A table for a spreadsheet: one row for each thing and for each that is not there. Its form is that of ``search.exports``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reports import words
from reports.page import Subject
from reports.records import BodyPart, Entry, Report
from search import texts
from search.exports.table import of_hit, sheet
from search.serialise import utc

COLUMNS: Final = (
    *("organisatie", "maand", "titel", "soort", "soort bij de bron", "datum", "tijdstip", "betekenis van de datum"),
    *("stemming", "voor", "tegen", "tekst", "delen met uw woorden", "fragmenten"),
    *("bron", "ook bij", "nummer bij de bron", "adres", "origineel", "bij BesluitBron", "verwijzing", "opgehaald"),
    *("melding", "zoekvraag", "zoekopdracht", "gemaakt", "versie"),
)
_LONGEST: Final = 2_000
"""Characters of the address of a search that each row has; of hundreds of chosen organisations it has twelve thousand."""
_ONCE: Final = "te lang voor elke rij: staat in de eerste rij van het bestand"


def table(report: Report, about: Subject, site: str) -> bytes:
    """The table; ``site`` is the address of our own pages. A cell that a spreadsheet would run as a formula begins with '."""
    address = f"{site}{about.address}"
    again = address if len(address) <= _LONGEST else _ONCE
    common = {"zoekvraag": about.typed, "gemaakt": utc(report.made_at), "versie": report.version}
    rows = enumerate(_rows(report, site))
    return sheet(COLUMNS, (row | common | {"zoekopdracht": again if place else address} for place, row in rows))


def _rows(report: Report, site: str) -> Iterator[dict[str, str]]:
    for body in report.overview.bodies:
        for month in body.months:
            first = month.first.isoformat()[:7] if month.first else ""
            for entry in month.entries:
                yield _row(body, entry, site) | {"maand": first}
    for cut in report.cuts:
        said = " ".join(filter(None, words.cut(cut)))
        yield {"bron": words.NAMES.get(cut.platform, cut.platform), "melding": said}


def _row(body: BodyPart, entry: Entry, site: str) -> dict[str, str]:
    hit, reading = entry.hit, entry.reading
    votes = reading.votes if reading else None
    return of_hit(hit, site) | {
        "organisatie": body.name,
        "stemming": votes.result if votes else "",
        "voor": _count(votes.in_favour if votes else None),
        "tegen": _count(votes.against if votes else None),
        "tekst": text_state(entry),
        "delen met uw woorden": _count(reading.passages) if reading and not reading.failure else "",
        "fragmenten": "\n".join(one.text for one in reading.excerpts) if reading else "",
        "bron": words.NAMES.get(hit.platform, hit.platform),
        "ook bij": texts.listed([words.NAMES.get(key, key) for key in entry.item.platforms if key != hit.platform]),
        "melding": " ".join(one.warning for one in entry.item.disagreements),
    }


def text_state(entry: Entry) -> str:
    """How much of the text was read: volledig, deels, geen, or niet gelezen."""
    reading = entry.reading
    if reading is None or reading.failure or reading.state is None:
        return "niet gelezen"
    return reading.state.value


def _count(number: int | None) -> str:
    return "" if number is None else str(number)
