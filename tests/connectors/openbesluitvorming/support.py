"""What the tests of this connector share: samples as answers, and a platform that answers by script."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Answer, Call
from connectors.exceptions import ConnectorError
from connectors.openbesluitvorming.documents import document
from connectors.openbesluitvorming.organisations import shipped
from connectors.records import Document, Kind, Organisation, Query, SearchResult, SearchText, Sort, Term
from tests.support.asking import Asking

SAMPLES = Path(__file__).parents[2] / "samples" / "openbesluitvorming"
FETCHED = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
LIVE = Addresses(PlatformMode.LIVE, stand_ins="http://127.0.0.1:8001", pages="http://127.0.0.1:8000")
STAND_INS = Addresses(PlatformMode.STAND_INS, stand_ins="http://127.0.0.1:8001", pages="http://127.0.0.1:8000")
ERMELO_FILE = (
    "https://fsn1.your-objectstorage.com/woozi-dev/documents/notubiz/gemeente/ermelo/16678798/"
    "1-2026-03-05T15_16_15/Ingekomen%20stukken%20raad%2012%20maart%202026.pdf"
)

SEVEN = tuple(f"gemeente-{name}" for name in ("ede", "soest", "ermelo", "zeist", "urk", "epe", "goes"))

Reply = Answer | ConnectorError


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """``body`` as bytes as they are, or as the JSON of anything else."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(status=status, headers=headers or {"content-type": "application/json"}, body=raw, fetched_at=FETCHED)


def good(name: str) -> Answer:
    return answer((SAMPLES / f"{name}.json").read_bytes())


def refusal(name: str) -> Answer:
    """One of the recorded refusals, whose files wrap status, headers and body."""
    wrapped = sample(name)
    body = wrapped["body"]
    return answer(body.encode() if isinstance(body, str) else body, wrapped["status"], wrapped["headers"])


def opened(name: str, **changes: Any) -> Document:
    """The document of a sample, with some of its fields changed."""
    body = sample(name) | changes
    return document(answer(body), body["entityId"], LIVE)


def row(native: int = 1, **fields: Any) -> dict[str, Any]:
    """A result of a search in Ede, by default a paper that is only a document."""
    made = {
        "entityId": f"document:notubiz:gemeente:ede:{native}",
        "entityType": "Document",
        "entityTypeLabel": "Document",
        "organization": "Ede",
        "date": "2 mei 2024",
        "sortDate": "2024-05-02T00:00:00Z",
        "title": f"Stuk {native}",
        "summary": "Tekst.",
    }
    return made | fields


def page(*rows: Any, total: Any = None, more: bool = False, approximate: bool = False) -> Answer:
    return answer(
        {
            "results": list(rows),
            "totalCount": len(rows) if total is None else total,
            "totalIsApproximate": approximate,
            "hasMore": more,
        }
    )


def full(*rows: Any, total: Any, more: bool = True, approximate: bool = False) -> Answer:
    """A page of 24: ``rows``, and letters after them."""
    letters = (row(1_000_000 + number, title="Brief") for number in range(24 - len(rows)))
    return page(*rows, *letters, total=total, more=more, approximate=approximate)


class Script(Asking):
    """An ``ask`` that answers in order, or by the organisation that a call names; it keeps the calls it got."""

    def __init__(self, *replies: Reply, by_key: Mapping[str, Reply] | None = None) -> None:
        self._replies = list(replies)
        self._by_key = by_key or {}
        self.calls: list[Call] = []

    async def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        reply = self._by_key[dict(call.params)["organization"]] if self._by_key else self._replies.pop(0)
        if isinstance(reply, ConnectorError):
            raise reply
        return reply

    def params(self, name: str) -> list[str | None]:
        return [dict(call.params).get(name) for call in self.calls]


def body(identifier: str) -> Organisation:
    return next(found for found in shipped() if found.id == identifier)


def words(*terms: str) -> SearchText:
    return SearchText(tuple(Term((term,)) for term in terms))


def query(
    *terms: str,
    organisations: tuple[str, ...] = (),
    kinds: frozenset[Kind] = frozenset(),
    date_from: date | None = None,
    date_until: date | None = None,
    sort: Sort = Sort.RELEVANCE,
    number: int = 1,
) -> Query:
    return Query(
        text=words(*terms),
        organisations=tuple(map(body, organisations)),
        kinds=kinds,
        date_from=date_from,
        date_until=date_until,
        sort=sort,
        page=number,
    )


def natives(result: SearchResult) -> list[str]:
    """The last parts of the ids of the hits, in order."""
    return [hit.upstream_id.rpartition(":")[2] for hit in result.hits]


def titled(native: int, title: str) -> dict[str, Any]:
    return row(native, title=title)


def of(name: str, native: int, sort_date: str | None = None) -> dict[str, Any]:
    fields = {"entityId": f"document:notubiz:gemeente:{name}:{native}", "organization": name.capitalize()}
    return row(native, **fields, **({"sortDate": sort_date} if sort_date else {"date": "Datum onbekend"}))
