"""A report as data: for a file, and for the API, in the names of both."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from reports import words
from reports.exports.table import text_state
from reports.page import Subject
from reports.records import BodyPart, Entry, Excerpt, Report
from search import serialise, texts, wording
from search.serialise import utc


def data(report: Report, about: Subject, site: str) -> bytes:
    """JSON: everything that is in the report. ``site`` is the address of our own pages."""
    whole = _contents(report, about, site) | {"stukken": list(items(report))}
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()


def summary(report: Report, about: Subject, site: str) -> dict[str, Any]:
    """All but the things themselves, with when this requester asked."""
    return _contents(report, about, site) | {"gevraagdOp": utc(report.asked_at)}


def _contents(report: Report, about: Subject, site: str) -> dict[str, Any]:
    """The same for everybody who asked: a file is of the report, and not of who asked for it."""
    overview = report.overview
    return {
        "vraag": about.typed,
        "zoekopdracht": f"{site}{about.address}",
        "gemaakt": utc(report.made_at),
        "versie": report.version,
        "hooguitTreffers": report.most_hits,
        "hooguitTeksten": report.most_texts,
        "aantal": overview.number,
        "perOrganisatie": [
            {"organisatieId": body.id, "naam": body.name, "aantal": body.number} for body in overview.bodies
        ],
        "perJaar": [{"jaar": year, "aantal": count} for year, count in overview.years],
        "ongedateerd": overview.undated,
        "ontbreekt": [_cut_of(one) for one in report.cuts],
        "bronnen": list(_sources(report)),
    }


def _cut_of(cut: Any) -> dict[str, Any]:
    sentence, said = words.cut(cut)
    return {"platform": cut.platform, "reden": cut.reason.value, "melding": wording.joined(sentence, said)}


def _sources(report: Report) -> Iterator[dict[str, Any]]:
    told = {one.platform: one for one in report.totals}
    for key in report.sources:
        found = told.get(key)
        yield {
            "platform": key,
            "antwoordde": found is not None,
            "totaal": {
                "waarde": found.total.value if found else None,
                "zekerheid": found.total.certainty.value if found else "onbekend",
            },
            "inRapport": found.taken if found else 0,
            "opgehaald": utc(found.fetched_at) if found else None,
            "opmerkingen": [texts.note(one) for one in found.notes] if found else [],
            "genegeerdeFilters": [one.value for one in found.ignored] if found else [],
        }


def items(report: Report) -> Iterator[dict[str, Any]]:
    """Every thing, bodies by name and months newest first."""
    for body in report.overview.bodies:
        for month in body.months:
            for entry in month.entries:
                yield item(body, entry)


def item(body: BodyPart, entry: Entry) -> dict[str, Any]:
    """One thing: its hit as in a search, and what its text gave."""
    reading = entry.reading
    return {
        "organisatie": body.name,
        "organisatieId": body.id,
        "treffer": serialise.hit(entry.hit),
        "ookBij": [{"id": one.id, "platform": one.platform, "adres": one.address} for one in entry.item.things[1:]],
        "verschillen": [
            {"over": one.on.value, "volgens": [{"platform": key, "waarde": said} for key, said in one.said]}
            for one in entry.item.disagreements
        ],
        "tekst": text_state(entry),
        "data": [serialise.moment(one) for one in reading.dates] if reading else [],
        "stemming": serialise.votes(reading.votes) if reading else None,
        "delenMetWoorden": reading.passages if reading and not reading.failure else None,
        "fragmenten": [_excerpt(one) for one in reading.excerpts] if reading else [],
        "opmerkingen": [texts.note(one) for one in reading.notes] if reading else [],
    }


def _excerpt(excerpt: Excerpt) -> dict[str, Any]:
    return {
        "deel": excerpt.number,
        "isBladzijde": excerpt.is_page,
        "kop": excerpt.heading,
        "tekst": excerpt.text,
        "gevonden": list(excerpt.found),
    }
