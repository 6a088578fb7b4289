"""References to all of a report as one RIS file. RIS has no place for what goes for the whole file: each record says it."""

from __future__ import annotations

from reports import words
from reports.page import Subject
from reports.records import Report
from search.reference_forms import consulted_on, ris


def references(report: Report, about: Subject) -> bytes:
    """The records, one after another."""
    asked = f" op de vraag “{about.typed}”" if about.typed else ""
    found = f"Gevonden met BesluitBron{asked}, in een rapport van {words.moment(report.made_at)}."
    notes = (found, *(" ".join(filter(None, words.cut(one))) for one in report.cuts))
    entries = (entry for body in report.overview.bodies for month in body.months for entry in month.entries)
    records = (
        ris(entry.hit, words.NAMES.get(entry.hit.platform, entry.hit.platform), consulted_on(entry.hit), *notes)
        for entry in entries
    )
    return "\r\n".join(records).encode()
