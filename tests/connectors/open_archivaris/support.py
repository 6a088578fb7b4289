"""What the tests of this connector share: samples, answers, a platform that answers by script, and the stand-in."""

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
from connectors.open_archivaris.connector import OpenArchivaris
from connectors.open_archivaris.field_map import PROPOSED_FILE, FieldMap, proposed, read_field_map
from connectors.open_archivaris.items import Reader
from connectors.open_archivaris.organisations import Bodies
from connectors.open_archivaris.standin import OpenArchivarisStandIn
from connectors.records import Kind, Organisation, Query, SearchText, Sort, Term
from connectors.standins import StandIns
from tests.support.asking import Asking
from tests.support.asking import asking as asking_by

SAMPLES = Path(__file__).parents[2] / "samples" / "open-archivaris"
MAPS = Path(__file__).parent / "maps"
FETCHED = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
PAGES = "http://127.0.0.1:8000"
ADDRESS = "https://archief.example.org/api"
STAND_INS = Addresses(PlatformMode.STAND_INS, stand_ins="http://127.0.0.1:8001", pages=PAGES)
OFF = Addresses(PlatformMode.LIVE, stand_ins="", pages=PAGES)
LIVE = Addresses(PlatformMode.LIVE, stand_ins="", pages=PAGES, given=(("open-archivaris", ADDRESS),))
CONNECTOR = OpenArchivaris(STAND_INS)
PROPOSED = PROPOSED_FILE.read_text(encoding="utf-8")

Reply = Answer | ConnectorError


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.synthetic.json").read_text(encoding="utf-8"))


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """``body`` as bytes as they are, or as the JSON of anything else."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(status=status, headers=headers or {"content-type": "application/json"}, body=raw, fetched_at=FETCHED)


def reader(fields: FieldMap | None = None) -> Reader:
    fields = fields or proposed()
    return Reader(fields, Bodies(fields))


def field_map(name: str) -> FieldMap:
    return read_field_map((MAPS / f"{name}.toml").read_text(encoding="utf-8"))


def row(number: int = 1, **fields: Any) -> dict[str, Any]:
    """An item with every field of the proposal."""
    return {
        "id": f"oa-{number:04}",
        "title": f"Raadsvoorstel {number}",
        "author": None,
        "body": {"code": "GM0228", "label": "Ede", "kind": "gemeente"},
        "createdOn": "2024-02-01",
        "archivedOn": "2024-03-01T06:00:00+01:00",
        "pages": 3,
        "pagesSearched": 3,
        "originalUrl": f"https://ede.example.org/stuk-{number}.pdf",
        "originalGone": False,
        "archiveUrl": f"https://archief.example.org/stuk/oa-{number:04}",
        "mime": "application/pdf",
        "sha256": "0" * 64,
        "snippet": "",
        **fields,
    }


def page(*rows: Any, total: Any = None, exact: Any = True, after: Any = None) -> Answer:
    counted = len(rows) if total is None else total
    return answer({"items": list(rows), "total": counted, "totalIsExact": exact, "nextPage": after})


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

    def params(self, number: int = 0) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, value in self.calls[number].params:
            found.setdefault(name, []).append(value)
        return found


def client(stand_in: OpenArchivarisStandIn | None = None) -> TestClient:
    return TestClient(StandIns([stand_in or OpenArchivarisStandIn(PAGES, clock=_standing_still())]))


def _standing_still() -> Any:
    """A clock on which every call comes a second after the one before, so that the window never fills."""
    ticks = iter(range(10**9))
    return lambda: float(next(ticks))


def asking(stand_in: OpenArchivarisStandIn | None = None) -> Ask:
    """An ``ask`` that calls a stand-in."""
    served = client(stand_in)

    async def respond(call: Call) -> Answer:
        path = f"/open-archivaris/api{call.path}" + (f"?{urlencode(call.params)}" if call.params else "")
        found = served.request(call.method, path)
        headers = {name.lower(): value for name, value in found.headers.items()}
        return Answer(status=found.status_code, headers=headers, body=found.content, fetched_at=FETCHED)

    return asking_by(respond)


def body(identifier: str) -> Organisation:
    return next(found for found in CONNECTOR.organisations() if found.id == identifier)


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
