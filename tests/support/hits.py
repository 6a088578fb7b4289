"""Hits made for a test: of a platform and number, with the keys that say what they are."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

from connectors.moments import AMSTERDAM
from connectors.records import DateMeaning, Hit, Kind, Moment
from search.same import SameItem

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def hit(platform: str, native: str, *keys: str, **others: Any) -> Hit:
    """A hit with these keys; ``others`` are fields that differ from the usual."""
    fields: dict[str, Any] = {
        "title": "Raadsvoorstel Zonneweide",
        "organisation": "Gemeente Ede",
        "organisation_id": "gemeente-ede",
        "kind": Kind.VOORSTEL,
        "kind_at_source": "",
        "date": None,
        "snippet": "",
        "address": f"https://example.invalid/{platform}/{native}",
        "original": None,
        "fetched_at": NOW,
    }
    return Hit(platform=platform, upstream_id=native, same_as=keys, **(fields | others))


def meeting(day: date, hour: int, minute: int = 0, meaning: DateMeaning = DateMeaning.MEETING) -> Moment:
    """A moment in Amsterdam."""
    at = datetime(day.year, day.month, day.day, hour, minute, tzinfo=AMSTERDAM)
    return Moment(at.date(), meaning, at)


def groups(items: Iterable[SameItem[Hit]]) -> list[list[str]]:
    """The ids of what is together."""
    return [[thing.id for thing in item.things] for item in items]
