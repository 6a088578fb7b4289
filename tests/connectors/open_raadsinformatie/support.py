"""What the tests of this connector share: samples as answers, a platform that answers by script, and the stand-in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.testclient import TestClient

from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Answer, Ask, Call
from connectors.exceptions import ConnectorError
from connectors.open_raadsinformatie.connector import OpenRaadsinformatie
from connectors.open_raadsinformatie.organisations import shipped
from connectors.open_raadsinformatie.standin import OpenRaadsinformatieStandIn
from connectors.records import Kind, Organisation, Query, SearchText, Sort, Term
from connectors.standins import StandIns
from tests.support.asking import Asking
from tests.support.asking import asking as asking_by

SAMPLES = Path(__file__).parents[2] / "samples" / "open-raadsinformatie"
FETCHED = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
PAGES = "http://127.0.0.1:8000"
LIVE = Addresses(PlatformMode.LIVE, stand_ins="http://127.0.0.1:8001", pages=PAGES)
STAND_INS = Addresses(PlatformMode.STAND_INS, stand_ins="http://127.0.0.1:8001", pages=PAGES)
PREFIX = "/open-raadsinformatie/zoeken"
CONNECTOR = OpenRaadsinformatie(STAND_INS)

Reply = Answer | ConnectorError


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """``body`` as bytes as they are, or as the JSON of anything else."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(status=status, headers=headers or {"content-type": "application/json"}, body=raw, fetched_at=FETCHED)


def good(name: str) -> Answer:
    return answer((SAMPLES / f"{name}.json").read_bytes())


def listed_aliases() -> Answer:
    """The aliases of the indices that the sample of all indices lists: both are excerpts."""
    listed = {one["index"] for one in sample("cat_indices")}
    return answer({index: row for index, row in sample("aliases").items() if index in listed})


def refusal(name: str) -> Answer:
    """One of the refusals, whose files wrap status, headers and body."""
    wrapped = sample(name)
    body = wrapped["body"]
    return answer(body.encode() if isinstance(body, str) else body, wrapped["status"], wrapped["headers"])


def row(number: int = 1, index: str = "ori_ede_20250401000000", **fields: Any) -> dict[str, Any]:
    """A file of Ede, unless said otherwise."""
    source = {"@id": str(number), "@type": "MediaObject", "name": f"Stuk {number}", **fields}
    return {"_index": index, "_type": "_doc", "_id": str(number), "_score": 1.0, "_source": source}


def page(
    *rows: Any, total: int | None = None, relation: str = "eq", shards: int = 1, failed: int = 0, late: bool = False
) -> Answer:
    return answer(
        {
            "took": 1,
            "timed_out": late,
            "_shards": {"total": shards, "successful": shards - failed, "skipped": 0, "failed": failed},
            "hits": {
                "total": {"value": len(rows) if total is None else total, "relation": relation},
                "max_score": None,
                "hits": list(rows),
            },
        }
    )


class Script(Asking):
    """An ``ask`` that answers in order; it keeps the calls it got."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.calls: list[Call] = []

    async def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        reply = self._replies.pop(0)
        if isinstance(reply, ConnectorError):
            raise reply
        return reply

    def body(self, number: int = 0) -> Any:
        return json.loads(self.calls[number].body or b"null")


def asking(stand_in: OpenRaadsinformatieStandIn | None = None) -> Ask:
    """An ``ask`` that calls a stand-in."""
    client = TestClient(StandIns([stand_in or OpenRaadsinformatieStandIn(PAGES)]))

    async def respond(call: Call) -> Answer:
        path = f"{PREFIX}{call.path}" + (f"?{urlencode(call.params)}" if call.params else "")
        found = client.request(call.method, path, content=call.body, headers=dict(call.headers))
        headers = {name.lower(): value for name, value in found.headers.items()}
        return Answer(status=found.status_code, headers=headers, body=found.content, fetched_at=FETCHED)

    return asking_by(respond)


def body(identifier: str) -> Organisation:
    return next(found for found in shipped() if found.id == identifier)


def words(*terms: str) -> SearchText:
    """Terms; one with a blank is a phrase."""
    return SearchText(tuple(Term(tuple(term.split()), phrase=" " in term) for term in terms))


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
