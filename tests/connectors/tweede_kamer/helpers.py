"""Samples, answers and a scripted ``ask`` for the tests of the Tweede Kamer."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.testclient import TestClient

from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Answer, Call
from connectors.exceptions import ConnectorError
from connectors.records import Document, Query, SearchText, Term
from connectors.standins import StandIns
from connectors.tweede_kamer.connector import TweedeKamer
from connectors.tweede_kamer.documents import Opened, opened
from connectors.tweede_kamer.ids import Entity
from connectors.tweede_kamer.pages import Pages
from connectors.tweede_kamer.standin import TweedeKamerStandIn
from connectors.tweede_kamer.versions import V4, V5, Version
from tests.support.asking import Asking

SAMPLES = Path(__file__).parents[2] / "samples" / "tweede-kamer"
CORPUS = Path(__file__).parents[3] / "connectors" / "kamer_corpus" / "corpus"
FETCHED = datetime(2026, 11, 1, 12, tzinfo=UTC)
STAND_INS = Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", "http://127.0.0.1:2")
LIVE = Addresses(PlatformMode.LIVE, "", "http://127.0.0.1:2")
JSON = "application/json; odata.metadata=minimal; charset=utf-8"


def connector(version: Version = V5, addresses: Addresses = STAND_INS) -> TweedeKamer:
    return TweedeKamer(addresses, version)


def pages(version: Version = V4, addresses: Addresses = LIVE) -> Pages:
    return Pages(addresses, version)


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def sample_json(name: str) -> Any:
    return json.loads(sample(name).removeprefix(b"\xef\xbb\xbf"))


def answer(body: bytes | dict[str, Any], status: int = 200, media_type: str = JSON) -> Answer:
    raw = json.dumps(body).encode() if isinstance(body, dict) else body
    return Answer(status=status, headers={"content-type": media_type}, body=raw, fetched_at=FETCHED)


def sample_answer(name: str, status: int = 200) -> Answer:
    return answer(sample(name), status)


def open_row(row: dict[str, Any], entity: Entity, upstream_id: str = "2026D00001", version: Version = V4) -> Opened:
    return opened(row, entity, upstream_id, pages(version), FETCHED)


def facts(document: Document) -> dict[str, str]:
    return {detail.label: detail.value for detail in document.details}


def words(*terms: str, **filters: object) -> Query:
    """A query for words; a term with a blank in it is a phrase."""
    parts = tuple(Term(tuple(term.split()), phrase=" " in term) for term in terms)
    return Query(text=SearchText(parts), **filters)  # type: ignore[arg-type]


class Script(Asking):
    """An ``ask`` that gives its answers in turn, and remembers what it was asked."""

    def __init__(self, *answers: Answer | ConnectorError) -> None:
        self.answers = list(answers)
        self.calls: list[Call] = []

    async def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        given = self.answers.pop(0)
        if isinstance(given, ConnectorError):
            raise given
        return given


class StandInAsk(Asking):
    """An ``ask`` that the stand-in answers, without a socket."""

    def __init__(self) -> None:
        self.client = TestClient(StandIns([TweedeKamerStandIn("http://127.0.0.1:2")]), follow_redirects=False)
        self.calls: list[Call] = []

    async def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        return self.send(call)

    def send(self, call: Call) -> Answer:
        response = self.client.request(
            call.method, f"/{call.platform}/{call.service}{call.path}?{urlencode(call.params)}"
        )
        return Answer(
            status=response.status_code, headers=dict(response.headers), body=response.content, fetched_at=FETCHED
        )
