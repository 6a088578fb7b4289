"""Samples, answers and a scripted ``ask`` for the tests of OpenTK."""

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
from connectors.opentk.connector import OpenTK
from connectors.opentk.documents import Place
from connectors.opentk.ids import Key, key_of
from connectors.opentk.pages import Pages
from connectors.opentk.standin import OpenTKStandIn
from connectors.records import Document, Query, SearchText, Term
from connectors.standins import StandIns
from tests.support.asking import Asking

SAMPLES = Path(__file__).parents[2] / "samples" / "opentk"
FETCHED = datetime(2026, 11, 1, 12, tzinfo=UTC)
STAND_INS = Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", "http://127.0.0.1:2")
LIVE = Addresses(PlatformMode.LIVE, "", "http://127.0.0.1:2")
HTML = "text/html; charset=utf-8"


def connector(addresses: Addresses = STAND_INS) -> OpenTK:
    return OpenTK(addresses)


def pages(addresses: Addresses = LIVE) -> Pages:
    return Pages(addresses)


def key(text: str) -> Key:
    found = key_of(text)
    assert found is not None
    return found


def place(text: str) -> Place:
    return Place(key(text), pages(), FETCHED)


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def sample_json(name: str) -> Any:
    return json.loads(sample(name))


def answer(body: bytes | dict[str, Any] | list[Any], status: int = 200, media_type: str = "application/json") -> Answer:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(status=status, headers={"content-type": media_type}, body=raw, fetched_at=FETCHED)


def sample_answer(name: str, status: int = 200) -> Answer:
    return answer(sample(name), status, "application/json" if name.endswith(".json") else HTML)


def page(main: str, status: int = 200) -> Answer:
    return answer(f"<!DOCTYPE html><html><body><main>{main}</main></body></html>".encode(), status, HTML)


def facts(document: Document) -> dict[str, str]:
    return {detail.label: detail.value for detail in document.details}


def words(*terms: str, **filters: object) -> Query:
    """A query for words; a term with a blank in it is a phrase."""
    parts = tuple(Term(tuple(term.split()), phrase=" " in term) for term in terms)
    return Query(text=SearchText(parts), **filters)  # type: ignore[arg-type]


def row(number: int, **fields: object) -> dict[str, object]:
    """A row of a search as the platform writes it."""
    return {
        "bijgewerkt": "2026-09-21T15:09:57Z",
        "category": "Document",
        "datum": "2026-09-21T00:00:00",
        "nummer": f"2026D{number:05d}",
        "onderwerp": f"Stuk {number}",
        "persoonnummer": -1,
        "relurl": f"get/2026D{number:05d}",
        "score": -1.0,
        "snip": "een <b>stuk</b>",
    } | fields


def rows(*given: dict[str, object]) -> Answer:
    return answer({"milliseconds": 1.0, "results": list(given)})


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
        self.client = TestClient(StandIns([OpenTKStandIn("http://127.0.0.1:2")]), follow_redirects=False)
        self.calls: list[Call] = []

    async def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        response = self.client.request(
            call.method,
            f"/{call.platform}/{call.service}{call.path}?{urlencode(call.params)}",
            content=call.body,
            headers=dict(call.headers),
        )
        return Answer(
            status=response.status_code, headers=dict(response.headers), body=response.content, fetched_at=FETCHED
        )
