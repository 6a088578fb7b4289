"""The calls to this platform. Pure; the words of a question stand in the body alone.

Two queues: ``zoeken`` for what costs the platform little, and ``zwaar``, one at a time, for what its page calls expensive. Both
take one call at once, so that never more than two are under way, and never two that are expensive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final
from urllib.parse import quote

from connectors.calls import Call, CallKind
from connectors.opentk.ids import Key, Thing
from connectors.platforms import OPENTK

LIGHT: Final = "zoeken"
HEAVY: Final = "zwaar"
MOST_HITS: Final = 280
"""The platform gives no more, has no pages and names no total (section 2)."""
_BOUNDARY: Final = "----besluitbron-veld"
"""Cannot stand in a field: those hold letters, digits, blanks and quotes."""


class Sorts(StrEnum):
    """The values of the field ``soorten`` that the platform knows; any other acts as ``alles``."""

    ALL = "alles"
    QUESTIONS = "vragenantwoorden"
    ACTIVITIES = "activiteiten"


@dataclass(frozen=True, slots=True)
class Search:
    """One search. ``words`` is a query for FTS5, never empty; ``recent`` asks for the last 60 days alone."""

    words: str = field(repr=False)
    sorts: Sorts = Sorts.ALL
    recent: bool = False
    expensive: bool = False


def search_call(search: Search) -> Call:
    """``POST /search`` as multipart/form-data: in any other form the server sees no fields (section 2)."""
    fields = (
        ("q", search.words),
        ("twomonths", "true" if search.recent else "false"),
        ("soorten", search.sorts.value),
    )
    return Call(
        platform=OPENTK.key,
        service=HEAVY if search.expensive else LIGHT,
        path="/search",
        kind=CallKind.SEARCH,
        method="POST",
        headers=(("content-type", f"multipart/form-data; boundary={_BOUNDARY}"), ("accept", "application/json")),
        body=_multipart(fields),
    )


def page_call(key: Key) -> Call:
    """The page of something, or for an activity its JSON. That of a case makes the platform search its whole index."""
    match key.thing:
        case Thing.ACTIVITY:
            return _get(f"/activiteit/{quote(key.name)}")
        case Thing.REPORT:
            return _get("/verslag.html", ("vergaderingid", key.name))
        case Thing.OPEN:
            return _get("/oo.html", ("nummer", key.name))
        case Thing.GIFT:
            return _get("/persoon.html", ("nummer", key.person))
        case Thing.CASE:
            return _get("/zaak.html", ("nummer", key.name), service=HEAVY)
        case _:
            return _get(f"/{key.thing.value}.html", ("nummer", key.name))


def text_call(number: str) -> Call:
    """The text of a paper as HTML."""
    return _get(f"/getdoc/{quote(number)}")


def open_file_call(name: str) -> Call:
    """The file of a document of open.overheid.nl."""
    return _get(f"/getrawoo/{quote(name)}")


def list_call(path: str) -> Call:
    """One of the lists: ``/commissies.html``, ``/kamerleden.html``, ``/recent-kamerstukdossiers``."""
    return _get(path, kind=CallKind.LIST)


def status_call(path: str) -> Call:
    """``/lastupdates``, ``/status`` or ``/index.xml``."""
    return _get(path, kind=CallKind.STATUS)


def _get(path: str, *params: tuple[str, str], service: str = LIGHT, kind: CallKind = CallKind.DOCUMENT) -> Call:
    return Call(platform=OPENTK.key, service=service, path=path, kind=kind, params=params)


def _multipart(fields: tuple[tuple[str, str], ...]) -> bytes:
    parts = (
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields
    )
    return f"{''.join(parts)}--{_BOUNDARY}--\r\n".encode()
