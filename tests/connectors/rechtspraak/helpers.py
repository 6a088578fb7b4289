"""Samples, answers and a scripted ``ask`` for the tests of Rechtspraak."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import urlencode

from starlette.testclient import TestClient

from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Answer, Call
from connectors.exceptions import ConnectorError
from connectors.rechtspraak.connector import Rechtspraak
from connectors.rechtspraak.courts import shipped_courts
from connectors.rechtspraak.standin import RechtspraakStandIn
from connectors.records import BodyKind, Organisation, Query, SearchText, Term
from connectors.standins import StandIns
from tests.support.asking import Asking

SAMPLES = Path(__file__).parents[2] / "samples" / "rechtspraak"
CORPUS = Path(__file__).parents[3] / "connectors" / "rechtspraak" / "corpus"
FETCHED = datetime(2026, 3, 1, 12, tzinfo=UTC)
TODAY = date(2026, 3, 1)
EDE = Organisation(
    id="gemeente-ede", name="Gemeente Ede", kind=BodyKind.GEMEENTE, keys=(("openbesluitvorming", "ede"),)
)


def connector(mode: PlatformMode = PlatformMode.STAND_INS) -> Rechtspraak:
    return Rechtspraak(Addresses(mode, "http://127.0.0.1:1", "http://127.0.0.1:2"))


def court(name: str) -> Organisation:
    return next(court for court in shipped_courts() if court.name == name)


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def answer(body: bytes, status: int = 200, media_type: str = "text/xml") -> Answer:
    return Answer(status=status, headers={"content-type": media_type}, body=body, fetched_at=FETCHED)


def ecli_of(file: Path) -> str:
    return file.name.partition(".")[0].replace("_", ":")


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
        self.client = TestClient(StandIns([RechtspraakStandIn("http://127.0.0.1:2")]), follow_redirects=False)
        self.calls: list[Call] = []

    async def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        return self.send(call)

    def send(self, call: Call) -> Answer:
        response = self.client.request(
            call.method,
            f"/{call.platform}/{call.service}{call.path}?{urlencode(call.params)}",
            content=call.body,
            headers=list(call.headers),
        )
        return Answer(
            status=response.status_code, headers=dict(response.headers), body=response.content, fetched_at=FETCHED
        )
