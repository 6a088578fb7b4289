"""An answer as data, in the words of the architecture page.

For the terminal, and later the API and streams of events.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from connectors.records import Document, Hit, Moment, Total
from connectors.voting import Votes
from search import citations, texts
from search.answers import PlatformAnswer, State
from search.same import SameItem


def utc(moment: datetime) -> str:
    """A moment in UTC, whole seconds, as RFC 3339 writes it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def answer(value: PlatformAnswer, now: datetime) -> dict[str, Any]:
    """One platform's answer."""
    result = value.result
    return {
        "platform": value.platform.key,
        "staat": value.state.value,
        "melding": "" if value.state is State.READY else texts.state(value, now),
        "totaal": _total(value.total),
        "genegeerdeFilters": [name.value for name in result.ignored] if result else [],
        "opmerkingen": list(texts.notes(result)) if result else [],
        "opgehaald": utc(result.fetched_at) if result else None,
        "verwachteStart": utc(value.starts_at) if value.starts_at else None,
        "plaats": value.place,
        "treffers": [hit(item) for item in result.hits] if result else [],
    }


def same(things: Iterable[SameItem[Hit]]) -> list[dict[str, Any]]:
    """What several platforms have: the ids at each, and where they differ about it."""
    return [
        {
            "ids": [one.id for one in thing.things],
            "verschillen": [
                {"over": one.on.value, "volgens": [{"platform": key, "waarde": words} for key, words in one.said]}
                for one in thing.disagreements
            ],
        }
        for thing in things
        if thing.is_shared
    ]


def moment(when: Moment) -> dict[str, Any]:
    """A date with what it stands for."""
    return {
        "datum": when.day.isoformat(),
        "tijdstip": utc(when.at) if when.at else None,
        "betekenis": when.meaning.value,
    }


def details(document: Document) -> list[dict[str, Any]]:
    """The facts of a document."""
    return [{"naam": detail.label, "waarde": detail.value} for detail in document.details]


def related(document: Document) -> list[dict[str, Any]]:
    """What belongs to a document: with an id when the same platform serves it, else with an address."""
    return [
        {
            "relatie": one.relation,
            "titel": one.title,
            "id": f"{document.platform}:{one.upstream_id}" if one.upstream_id else None,
            "adres": one.address,
        }
        for one in document.related
    ]


def votes(value: Votes | None) -> dict[str, Any] | None:
    """The outcome of a vote, None where there was none."""
    if value is None:
        return None
    return {
        "uitslag": value.result,
        "letterlijk": value.literal,
        "voor": value.in_favour,
        "tegen": value.against,
        "fracties": [{"naam": group.name, "voor": group.in_favour, "tegen": group.against} for group in value.groups],
        "samenvatting": value.summary,
    }


def _total(value: Total) -> dict[str, Any]:
    return {"waarde": value.value, "zekerheid": value.certainty.value}


def hit(value: Hit) -> dict[str, Any]:
    """One hit."""
    when = value.date
    return {
        "id": value.id,
        "titel": value.title,
        "organisatie": value.organisation,
        "soort": value.kind.value,
        "soortBijBron": value.kind_at_source,
        "datum": when.day.isoformat() if when else None,
        "tijdstip": utc(when.at) if when and when.at else None,
        "datumBetekenis": when.meaning.value if when else None,
        "fragment": value.snippet,
        "dekking": texts.coverage(value.pages_searched, value.pages_in_all),
        "lijktErop": value.partly,
        "bronId": value.upstream_id,
        "adres": value.address,
        "origineel": value.original,
        "verwijzing": citations.reference(value),
    }
