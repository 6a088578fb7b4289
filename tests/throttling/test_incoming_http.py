"""The incoming limits through real HTTP and a real store: what a client sees, and what happens when the store goes away."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from tests.support.serving import served, until
from tests.support.valkey import Valkey, private_valkey
from throttling.bodies import MOST_BYTES
from throttling.callers import Caller, house
from throttling.incoming import Asker, Incoming
from throttling.incoming_rules import DoorRules, IncomingRules, Rate
from throttling.middleware import ADMITTED, Door, IncomingLimits, machine_refusal, request_id, rpc_refusal
from throttling.store import Store

pytestmark = pytest.mark.anyio
START = 1_790_000_000_000_000
SITE = "https://besluit.example"
PLENTY = Rate(100_000)
QUESTION = "waarom kreeg mijn buurman die vergunning"
_NUMBERS = itertools.count()


class Echo:
    """Stands behind the limits: answers what it was given, and counts."""

    def __init__(self) -> None:
        self.served = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.served += 1
        body = (await receive()).get("body", b"") if scope["method"] == "POST" else b""
        admitted = scope.get(ADMITTED)
        said = {"length": len(body), "session": admitted.caller.session if admitted else None}
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": json.dumps(said).encode()})


def by_header(scope: Scope, body: bytes) -> Asker:
    """Who asks, as a test says it in a header."""
    del body
    return Asker(Caller(dict(scope["headers"]).get(b"x-session", b"s").decode()))


def reader(scope: Scope, body: bytes) -> Asker:
    return Asker(house(by_header(scope, body).caller.session))


@dataclass(slots=True)
class Site:
    """A served site: ``ask`` posts to the endpoint of a test's own."""

    http: httpx.AsyncClient
    echo: Echo
    incoming: Incoming
    connector: str

    async def ask(self, session: str = "s", **request: Any) -> httpx.Response:
        given = {"json": {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}} | request
        return await self.http.post(f"/mcp/{self.connector}/v1", headers={"X-Session": session}, **given)


def rules(
    process: Rate = PLENTY, connector: Rate = PLENTY, session: Rate = PLENTY, page: Rate = PLENTY
) -> IncomingRules:
    return IncomingRules(process=process, mcp=DoorRules(connector, session), page=DoorRules(page, session))


@asynccontextmanager
async def site(
    address: str, wanted: IncomingRules, *, connector: str = "", frozen: int | None = START, **patience: float
) -> AsyncIterator[Site]:
    """One process with doors for one endpoint and for pages, and something free."""
    name = connector or f"eigen{next(_NUMBERS)}"
    echo = Echo()
    doors = (
        Door(
            prefix=f"/mcp/{name}/v1/",
            connector=f"mcp:{name}",
            asker=by_header,
            refusal=rpc_refusal(SITE),
            reads_body=True,
        ),
        Door(prefix="/", connector=f"pagina{name}", asker=reader, refusal=machine_refusal(SITE)),
    )
    async with Store(address) as store, Incoming(store, wanted, **patience) as incoming:
        incoming.frozen = frozen
        limited = IncomingLimits(echo, doors, ("/gezondheid/leeft", "/static/"))

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await limited({**scope, "state": {"incoming": incoming}}, receive, send)

        async with served(app) as root, httpx.AsyncClient(base_url=root, timeout=30, verify=False) as http:
            yield Site(http, echo, incoming, name)


@pytest.fixture(autouse=True)
def empty(valkey: Valkey) -> None:
    """Nobody owes anything at the start of a test."""
    valkey.flush()


@pytest.fixture
def own() -> Iterator[Valkey]:
    """A store that no other test uses."""
    with private_valkey(keeps=True) as server:
        yield server


async def test_every_answer_says_what_is_allowed_and_what_is_left(valkey: Valkey) -> None:
    async with site(valkey.address, rules(Rate(200), Rate(60), Rate(20, 1, 60))) as one:
        answers = [await one.ask() for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200]
        for answer in answers:
            assert answer.headers["ratelimit-policy"] == '"process";q=200;w=1, "connector";q=60;w=1, "session";q=60;w=3'
        assert answers[0].headers["ratelimit"] == '"process";r=199;t=1, "connector";r=59;t=1, "session";r=59;t=1'
        assert answers[1].headers["ratelimit"] == '"process";r=198;t=1, "connector";r=58;t=1, "session";r=58;t=1'


async def test_over_its_limit_a_session_is_refused_in_the_words_of_its_protocol(valkey: Valkey) -> None:
    async with site(valkey.address, rules(session=Rate(1, 7, 1))) as one:
        assert (await one.ask()).json() == {"length": 46, "session": "s"}
        refused = await one.ask()
        assert refused.status_code == 429
        assert refused.headers["content-type"] == "application/json"
        assert refused.headers["cache-control"] == "no-store"
        assert refused.headers["retry-after"] == "7"
        assert re.search(r'"session";r=0;t=7$', refused.headers["ratelimit"])
        assert refused.json() == {
            "jsonrpc": "2.0",
            "id": 7,
            "error": {
                "code": 4292,
                "message": "De grens voor één sessie of adres is bereikt. Probeer het over 7 seconden opnieuw.",
                "data": {
                    "type": f"{SITE}/problemen/te-veel-verzoeken",
                    "title": "Te veel verzoeken",
                    "status": 429,
                    "detail": "De grens voor één sessie of adres is bereikt. Probeer het over 7 seconden opnieuw.",
                    "retryable": True,
                    "retryAfter": 7,
                    "violated-policies": ["session"],
                },
            },
        }
        assert one.echo.served == 1
        assert (await one.ask("t")).status_code == 200


async def test_when_the_told_seconds_are_over_one_request_passes_and_the_next_does_not(valkey: Valkey) -> None:
    async with site(valkey.address, rules(session=Rate(2, 15, 3))) as one:
        for _ in range(3):
            assert (await one.ask()).status_code == 200
        refused = await one.ask()
        one.incoming.frozen = START + (int(refused.headers["retry-after"]) - 1) * 1_000_000
        assert (await one.ask()).status_code == 429
        one.incoming.frozen += 1_000_000
        assert [(await one.ask()).status_code for _ in range(2)] == [200, 429]


@pytest.mark.parametrize("limit", ["process", "connector", "session"])
async def test_of_a_flood_no_request_over_the_limit_passes_and_none_below_is_refused(
    valkey: Valkey, limit: str
) -> None:
    async with site(valkey.address, rules(**{limit: Rate(1, 60, 20)})) as one:
        answers = await asyncio.gather(*(one.ask("zelfde") for _ in range(60)))
        passed = [answer for answer in answers if answer.status_code == 200]
        assert len(passed) == one.echo.served == 20
        refused = {answer.headers["retry-after"] for answer in answers if answer.status_code == 429}
        assert refused == {"60"}
        policies = {
            tuple(answer.json()["error"]["data"]["violated-policies"]) for answer in answers if answer not in passed
        }
        assert policies == {(limit,)}


async def test_two_processes_share_what_one_session_may(valkey: Valkey) -> None:
    wanted = rules(session=Rate(1, 60, 10))
    async with (
        site(valkey.address, wanted, connector="samen") as one,
        site(valkey.address, wanted, connector="samen") as other,
    ):
        answers = await asyncio.gather(*(process.ask("gedeeld") for process in (one, other) for _ in range(15)))
        assert sum(answer.status_code == 200 for answer in answers) == 10
        assert one.echo.served + other.echo.served == 10


async def test_a_refused_flood_takes_nothing_from_the_process_or_from_others(valkey: Valkey) -> None:
    async with site(valkey.address, rules(process=Rate(1, 60, 20), session=Rate(1, 60, 3))) as one:
        flood = await asyncio.gather(*(one.ask("druk") for _ in range(15)))
        for _ in range(3):
            flood += await asyncio.gather(*(one.ask("druk") for _ in range(15)))
        assert sum(answer.status_code == 200 for answer in flood) == 3
        calm = await one.ask("rustig")
        assert calm.headers["ratelimit"].startswith('"process";r=16;')


async def test_what_is_free_is_not_counted_and_has_no_limit(valkey: Valkey) -> None:
    async with site(valkey.address, rules(process=Rate(1, 60, 1), page=Rate(1, 60, 1))) as one:
        assert (await one.http.get("/zoeken")).status_code == 200
        for path in ("/gezondheid/leeft", "/static/stijl.css"):
            answers = [await one.http.get(path) for _ in range(5)]
            assert {answer.status_code for answer in answers} == {200}
            assert "ratelimit" not in answers[0].headers
        for path in ("/zoeken", "/gezondheid/leeft/", "/gezondheidszorg", "/mcp/niets/v1"):
            assert (await one.http.get(path)).status_code == 429


async def test_a_program_that_reads_pages_gets_the_problem_itself_and_head_gets_no_body(valkey: Valkey) -> None:
    async with site(valkey.address, rules(page=Rate(1, 30, 1))) as one:
        await one.http.get("/")
        refused = await one.http.get("/")
        assert (refused.status_code, refused.headers["content-type"]) == (429, "application/problem+json")
        assert refused.json()["violated-policies"] == ["connector"]
        head = await one.http.head("/")
        assert (head.status_code, head.headers["retry-after"], head.content) == (429, "30", b"")


async def test_an_endpoint_has_one_door_with_and_without_its_slash(valkey: Valkey) -> None:
    async with site(valkey.address, rules(session=Rate(1, 60, 2))) as one:
        path = f"/mcp/{one.connector}/v1"
        codes = [(await one.http.request(method, at)).status_code for method, at in
                 (("POST", path), ("GET", f"{path}/"), ("DELETE", path))]  # fmt: skip
        assert codes == [200, 200, 429]


async def test_a_body_is_read_once_and_whole_and_only_within_bounds(valkey: Valkey) -> None:
    async def drops(size: int) -> AsyncIterator[bytes]:
        for _ in range(size // 4096):
            yield b"x" * 4096

    async with site(valkey.address, rules()) as one:
        assert (await one.ask(json=None, content=drops(MOST_BYTES))).json()["length"] == MOST_BYTES
        for given in ({"content": b"x" * (MOST_BYTES + 1)}, {"content": drops(MOST_BYTES + 4096)}):
            refused = await one.ask(json=None, **given)
            assert refused.status_code == 413
            assert refused.json()["error"]["code"] == 4130
            assert "retry-after" not in refused.headers
        assert one.echo.served == 1


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'{"id": 7}', 7),
        (b'{"id": "a-1"}', "a-1"),
        (f'{{"id": "{QUESTION}"}}'.encode(), None),
        (b'{"id": "' + b"x" * 65 + b'"}', None),
        (b'{"id": true}', None),
        (b'{"id": 1.5}', None),
        (b'{"id": {"a": 1}}', None),
        (b'{"id": 99999999999999999999}', None),
        (b'[{"id": 7}]', None),
        (b'{"id": 7', None),
        (b"[" * 5000, None),
        (b"\xff\xfe", None),
        (b"", None),
        (b'{"id": 7, "x": "' + b"x" * 70_000 + b'"}', None),
    ],
)
def test_only_a_harmless_id_is_sent_back(body: bytes, found: object) -> None:
    assert request_id(body) == found


async def test_a_refusal_repeats_nothing_of_what_was_asked(valkey: Valkey, caplog: pytest.LogCaptureFixture) -> None:
    asked = {"jsonrpc": "2.0", "id": QUESTION, "method": QUESTION, "params": {"vraag": QUESTION}}
    async with site(valkey.address, rules(session=Rate(1, 60, 1), process=Rate(1, 60, 2), page=Rate(1, 60, 1))) as one:
        for _ in range(2):
            await one.ask(json=asked)
        by_session = await one.ask(json=asked)
        by_process = [await one.ask("ander", json=asked) for _ in range(2)][1]
        by_page = [await one.http.get("/zoeken", params={"vraag": QUESTION}) for _ in range(2)][1]
        for refused in (by_session, by_process, by_page):
            assert refused.status_code == 429
            assert "buurman" not in refused.text + str(refused.headers) + caplog.text


async def test_without_the_store_reading_goes_on_within_stricter_limits_until_it_is_back(own: Valkey) -> None:
    wanted = rules(session=Rate(1, 15, 8), connector=Rate(1, 1, 40))
    async with site(own.address, wanted, patience=5.0, try_again=0.02) as one:
        assert (await one.ask()).status_code == 200
        own.kill()
        answers = [await one.ask() for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
        assert answers[0].headers["ratelimit-policy"].endswith('"connector";q=10;w=40, "session";q=2;w=120')
        assert answers[3].headers["retry-after"] == "60"
        assert one.incoming.strict
        assert one.incoming.losses == 1
        own.start()
        await until(lambda: not one.incoming.strict)
        back = await one.ask()
        assert back.status_code == 200
        assert back.headers["ratelimit-policy"].endswith('"session";q=8;w=120')


async def test_a_store_that_hangs_keeps_who_comes_once_for_as_long_as_patience_lasts_and_nobody_after(
    own: Valkey,
) -> None:
    async with site(own.address, rules(session=Rate(1, 1, 400)), frozen=None, patience=0.3, try_again=0.02) as one:
        assert (await one.ask()).status_code == 200
        assert own.process is not None
        os.kill(own.process.pid, signal.SIGSTOP)
        try:
            async with asyncio.timeout(10):
                answers = await asyncio.gather(*(one.ask() for _ in range(20)))
                answers += [await one.ask() for _ in range(20)]
        finally:
            os.kill(own.process.pid, signal.SIGCONT)
        assert {answer.status_code for answer in answers} == {200}
        assert one.incoming.losses >= 1
        await until(lambda: not one.incoming.strict)
        assert (await one.ask()).status_code == 200


async def test_a_session_may_begin_and_go_on_while_the_store_is_lost(own: Valkey) -> None:
    wanted = IncomingRules(process=PLENTY, mcp=DoorRules(PLENTY, PLENTY), opening=Rate(1, 30, 8))
    async with Store(own.address) as store, Incoming(store, wanted, patience=5.0, try_again=0.02) as incoming:
        caller = Caller("mcp:s", heir_of="adres:a")
        own.kill()
        openings = [await incoming.open_session(f"k{n}", 60, caller) for n in range(3)]
        assert [opening.opened for opening in openings] == [True, True, False]
        assert 1 <= openings[2].retry_after <= 60
        await incoming.end_session("k0")
        verdict = await incoming.admit("mcp:x", Asker(caller, ("k1", 60)))
        assert (verdict.gone, verdict.strict, verdict.refused_by) == (False, True, ())
        own.start()
        await until(lambda: not incoming.strict)
        assert (await incoming.admit("mcp:x", Asker(caller, ("k1", 60)))).gone
