"""The limits on what comes in, in the whole product: at pages, at the endpoints for assistants, and for operators."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import httpx
import pytest
from django.conf import settings as product_settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client
from lxml import html
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings
from redis.asyncio import Redis

from admission.problems import Refusals
from benchmarks.incoming_flood import Line
from besluitbron.admission import admission_door
from besluitbron.api import api_door
from besluitbron.asgi import make_application
from besluitbron.doors import FREE, page_doors
from besluitbron.mcp_doors import make_doors, make_sessions
from besluitbron.running.layout import PROJECT
from tests.support.assistants import BOTH, hello
from tests.support.pages import words_of
from tests.support.serving import served, until
from tests.support.valkey import Valkey
from throttling.bodies import MOST_BYTES
from throttling.callers import Callers
from throttling.client_addresses import Vendor
from throttling.daily_key import DayKey
from throttling.incoming import Incoming
from throttling.incoming_memory import Table
from throttling.incoming_rules import DoorRules, IncomingRules, Rate
from throttling.operating.words import short_key
from throttling.problems import Kinds

pytestmark = pytest.mark.anyio
PLENTY = Rate(100_000)
ONE, OTHER, VENDOR = "203.0.113.77", "203.0.113.78", "198.51.100.9"
CHAPTERS = (PROJECT / "docs" / "naslag" / "problemen.md").read_text("utf-8")
QUESTION = "waaromkreegmijnbuurmandievergunning"
LIST = {
    "jsonrpc": "2.0",
    "id": 11,
    "method": "tools/list",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/list",
    "Host": "localhost",
}


class Site:
    """A served product, asked from several addresses; this machine is a proxy of ours."""

    def __init__(self, http: httpx.AsyncClient, incoming: Incoming) -> None:
        self.http = http
        self.incoming = incoming

    async def get(self, path: str, address: str = ONE, **headers: str) -> httpx.Response:
        return await self.http.get(path, headers={"X-Forwarded-For": address, **headers})

    async def tools(self, endpoint: str = "unified", address: str = ONE, **request: Any) -> httpx.Response:
        headers = {**HEADERS, "X-Forwarded-For": address}
        return await self.http.post(
            f"/mcp/{endpoint}/v1", headers=headers, **(({} if "content" in request else {"json": LIST}) | request)
        )


def rules(
    process: Rate = PLENTY, connector: Rate = PLENTY, session: Rate = PLENTY, page: DoorRules | None = None
) -> IncomingRules:
    return IncomingRules(
        process=process,
        mcp=DoorRules(connector, session),
        page=page or DoorRules(PLENTY, PLENTY),
        vendors={"groot": Rate(3, 60, 3)},
    )


@asynccontextmanager
async def site(settings: Settings, wanted: IncomingRules, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    """One process of the product."""
    opened: list[Incoming] = []

    class Kept(Incoming):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given, patience=5.0, try_again=0.02)
            opened.append(self)

    monkeypatch.setattr("besluitbron.composition.Incoming", Kept)
    settings.INCOMING_RULES = wanted
    vendor = Vendor("groot", (ip_network(f"{VENDOR}/32"),), Rate(3, 60, 3))
    settings.CALLERS = Callers(DayKey(product_settings.LAYOUT.day_key), (ip_network("127.0.0.1/32"),), (vendor,))
    async with (
        served(make_application(), lifespan="on") as root,
        httpx.AsyncClient(base_url=root, timeout=30, verify=False) as http,
    ):
        yield Site(http, opened[0])


@asynccontextmanager
async def _usual(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    async with site(settings, IncomingRules(), monkeypatch) as one:
        yield one


async def test_every_way_in_says_its_limits_and_what_must_always_be_seen_has_none(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _usual(settings, monkeypatch) as one:
        answers = [await one.get("/"), await one.get("/nergens"), await one.get("/beheer/login/"), await one.tools()]
        for answer in answers:
            assert answer.headers["ratelimit-policy"] == '"process";q=200;w=1, "connector";q=60;w=1, "session";q=60;w=3'
            assert re.fullmatch(
                r'"process";r=\d+;t=1, "connector";r=\d+;t=1, "session";r=\d+;t=1', answer.headers["ratelimit"]
            )
            assert "content-security-policy" in answer.headers
        assert [answer.status_code for answer in answers] == [200, 404, 200, 200]
        for path in ("/gezondheid/leeft", "/metrics", "/status", "/static/besluitbron.css"):
            assert path.startswith(FREE)
            free = await one.get(path)
            assert (free.status_code, "ratelimit" in free.headers) == (200, False)


async def test_a_reader_over_the_limit_gets_a_page_in_dutch_and_a_program_the_problem(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = DoorRules(PLENTY, Rate(2, 60, 2))
    async with site(settings, rules(page=page), monkeypatch) as one:
        for _ in range(2):
            assert (await one.get("/")).status_code == 200
        refused = await one.get(f"/zoeken?vraag={QUESTION}", Accept="text/html")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")
        assert "Het is hier nu te druk" in refused.text
        assert "Wacht 30 seconden en ververs dan deze pagina." in refused.text
        assert QUESTION not in refused.text
        assert not re.search(r"<style|<script|\sstyle=", refused.text)
        form = {"X-Forwarded-For": ONE, "Accept": "text/html"}
        sent = await one.http.post("/rapporten", data={"zoekvraag": QUESTION}, headers=form)
        assert "Wacht 30 seconden, ga terug naar de vorige pagina en verstuur het opnieuw." in sent.text
        assert "staat nog in het adres" not in sent.text
        program = await one.get("/", Accept="application/json")
        assert program.headers["content-type"] == "application/problem+json"
        problem = program.json()
        assert (problem["status"], problem["retryAfter"], problem["violated-policies"]) == (429, 30, ["session"])
        assert (await one.get("/", OTHER)).status_code == 200
        assert (await one.tools()).status_code == 200


async def test_every_kind_of_problem_has_a_page_of_its_own_and_a_chapter(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eis 6.7."""
    async with site(settings, rules(), monkeypatch) as one:
        for kind in (*Kinds, *Refusals):
            page = await one.get(f"/problemen/{kind.value.slug}")
            assert page.status_code == 200
            assert kind.value.title in page.text
            assert f"\n## {kind.value.slug}\n\n{kind.value.status.value}, code {kind.value.code}." in CHAPTERS
        assert (await one.get("/problemen/geen")).status_code == 404


async def test_an_assistant_over_its_limit_gets_an_error_it_can_read_and_others_go_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site(settings, rules(session=Rate(2, 60, 2)), monkeypatch) as one:
        assert [(await one.tools()).status_code for _ in range(3)] == [200, 200, 429]
        error = (await one.tools("rechtspraak")).json()
        assert (error["id"], error["error"]["code"]) == (11, 4292)
        assert error["error"]["data"]["retryAfter"] == 30
        assert error["error"]["data"]["violated-policies"] == ["session"]
        assert (await one.tools(address=OTHER)).status_code == 200
        assert [(await one.tools(address=VENDOR)).status_code for _ in range(4)] == [200, 200, 200, 429]


async def test_whoever_sends_too_much_to_read_pays_for_it_and_nobody_else(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = b"x" * (MOST_BYTES + 1)
    limits = rules(process=Rate(5, 60, 5), session=Rate(3, 60, 3))
    async with site(settings, limits, monkeypatch) as one:
        sent = [await one.tools(content=huge) for _ in range(6)]
        assert [answer.status_code for answer in sent] == [413] * 3 + [429] * 3
        assert all("ratelimit" in answer.headers for answer in sent)
        assert [(await one.tools(address=OTHER)).status_code for _ in range(2)] == [200, 200]


async def test_a_full_endpoint_leaves_the_others_and_the_pages_alone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site(settings, rules(connector=Rate(5, 60, 5)), monkeypatch) as one:
        codes = [(await one.tools(address=f"203.0.113.{n}")).status_code for n in range(8)]
        assert codes == [200] * 5 + [429] * 3
        assert (await one.tools("rechtspraak")).status_code == 200
        assert (await one.get("/")).status_code == 200


async def test_a_crowd_of_readers_does_not_keep_operators_out(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site(settings, rules(page=DoorRules(Rate(3, 60, 3), PLENTY)), monkeypatch) as one:
        assert [(await one.get("/")).status_code for _ in range(4)] == [200, 200, 200, 429]
        assert (await one.get("/beheer/login/")).status_code == 200


async def test_two_processes_count_together(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = rules(session=Rate(1, 60, 6))
    async with site(settings, wanted, monkeypatch) as one, site(settings, wanted, monkeypatch) as other:
        answers = await asyncio.gather(*(process.tools() for process in (one, other) for _ in range(10)))
        assert sum(answer.status_code == 200 for answer in answers) == 6


def figures(text: str) -> dict[tuple[str, ...], float]:
    """The figures of ``/metrics`` by name and labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_metrics_count_and_say_that_stricter_limits_are_in_force_and_name_nobody(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, store: Valkey
) -> None:
    async with site(settings, rules(session=Rate(1, 60, 8)), monkeypatch) as one:
        codes = [(await one.tools()).status_code for _ in range(9)]
        assert codes == [200] * 8 + [429]
        before = figures((await one.get("/metrics")).text)
        assert before["besluitbron_incoming_passed_total", "mcp:unified"] == 8
        assert before["besluitbron_incoming_refused_total", "mcp:unified", "session"] == 1
        assert before["besluitbron_incoming_strict",] == 0
        store.kill()
        assert [(await one.tools()).status_code for _ in range(3)] == [200, 200, 429]
        text = (await one.get("/metrics")).text
        during = figures(text)
        assert (during["besluitbron_incoming_strict",], during["besluitbron_incoming_store_lost_total",]) == (1, 1)
        assert not any(mark in text for mark in ("adres", "aanbieder", "sessie", ONE, "huis"))
        store.start()
        await until(lambda: not one.incoming.strict)
        assert figures((await one.get("/metrics")).text)["besluitbron_incoming_strict",] == 0
        assert (await one.tools(address=OTHER)).status_code == 200


def test_the_page_of_operators_knows_every_door() -> None:
    doors = (*make_doors(make_sessions()), api_door(), admission_door(), *page_doors())
    assert sorted({door.connector for door in doors}) == sorted(product_settings.INCOMING_CONNECTORS)


LIMITS = "/beheer/throttling/incominglimit/"


@pytest.mark.django_db(transaction=True)
async def test_operators_see_limits_refusals_and_the_busiest_without_learning_who_they_are(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = replace(rules(session=Rate(1, 60, 3)), opening=Rate(1, 60))
    async with site(settings, wanted, monkeypatch) as one:
        for _ in range(5):
            await one.tools()
        await one.tools(address=VENDOR)
        headers = {**BOTH, "Host": "localhost", "X-Forwarded-For": OTHER}
        opened = [await one.http.post("/mcp/unified/v1", json=hello(), headers=headers) for _ in range(2)]
        assert [answer.status_code for answer in opened] == [200, 429]
        assert (
            figures((await one.get("/metrics")).text)["besluitbron_incoming_refused_total", "mcp:unified", "opening"]
            == 1
        )
        keys = list(one.incoming.tally._keys)
    client = Client()
    await asyncio.to_thread(_log_in, client)
    answer = await asyncio.to_thread(client.get, LIMITS)
    assert answer.status_code == 200
    page = html.document_fromstring(answer.content.decode())
    (row,) = page.xpath("//tr[@data-ingang='mcp:unified']")
    assert [words_of(cell) for cell in row.xpath("./td")] == [
        "100000 per seconde, 100000 ineens",
        "1 per minuut, 3 ineens",
        "6",
        "0",
        "0",
        "2",
        "1",
    ]
    assert len(page.xpath("//tr[@data-ingang]")) == len(product_settings.INCOMING_CONNECTORS)
    busiest = [words_of(item) for item in page.xpath("//*[@data-lijst='drukste']/li")]
    assert busiest == [f"{short_key(keys[0])}: 5", f"{short_key(keys[2])}: 2", "aanbieder groot: 1"]
    assert "groot: 3 per minuut, 3 ineens" in words_of(page)
    told = [words_of(code) for code in page.xpath("//main//code | //*[@id='content']//code")]
    assert told[:3] == [f"BESLUITBRON_{door}_RATE_LIMIT" for door in ("MCP", "API", "PAGINA")]
    text = answer.content.decode()
    assert not any(mark in text for mark in (ONE, VENDOR, keys[0]))


def _log_in(client: Client) -> None:
    client.force_login(get_user_model().objects.create_superuser("beheer"))


@pytest.mark.django_db(transaction=True)
def test_without_the_store_operators_still_see_the_limits(settings: Settings) -> None:
    settings.STATE_STORE = "unix:///nergens/s.sock"
    client = Client()
    _log_in(client)
    answer = client.get(LIMITS)
    assert answer.status_code == 503
    page = words_of(html.document_fromstring(answer.content.decode()))
    assert "De opslag antwoordt niet." in page
    assert "60 per seconde, 60 ineens 20 per seconde, 60 ineens – ––––" in page


@pytest.mark.django_db(transaction=True)
def test_who_may_not_look_does_not_see_it_and_nobody_changes_anything() -> None:
    user = get_user_model().objects.create_user("kijker", is_staff=True)
    client = Client()
    client.force_login(user)
    assert client.get(LIMITS).status_code == 403
    user.user_permissions.set(Permission.objects.filter(codename="view_incominglimit"))
    assert client.get(LIMITS).status_code == 200
    assert client.post(LIMITS).status_code == 405


async def test_no_address_and_no_question_is_in_the_store_a_log_or_a_file(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, store: Valkey
) -> None:
    asked = json.loads(json.dumps(LIST).replace("tools/list", QUESTION))
    async with site(settings, rules(session=Rate(1, 60, 1)), monkeypatch) as one:
        for _ in range(3):
            await one.tools(json=asked)
            await one.get(f"/zoeken?vraag={QUESTION}&platform=geen")
    kept = caplog.text + await _dump(store)
    assert "binnen:k:" in kept
    assert not any(mark in kept for mark in (ONE, QUESTION))


@pytest.mark.lang
async def test_ten_thousand_addresses_are_all_served_and_leave_nothing_that_stays(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, store: Valkey
) -> None:
    async def crowd(port: int, addresses: list[str]) -> list[bytes]:
        _, line = await asyncio.get_running_loop().create_connection(Line, "127.0.0.1", port)
        head = "GET /mcp/unified/v1 HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: {}\r\n\r\n"
        codes = [await line.ask(head.format(address).encode()) for address in addresses]
        line.close()
        return codes

    async def come(one: Site, addresses: list[str]) -> set[bytes]:
        port = one.http.base_url.port
        assert port
        lines = (crowd(port, addresses[n::16]) for n in range(16))
        return {code for codes in await asyncio.gather(*lines) for code in codes}

    addresses = [f"10.{n // 250 // 250}.{n // 250 % 250}.{n % 250}" for n in range(10_000)]
    client: Any = Redis.from_url(store.address)
    async with site(settings, rules(session=Rate(20, 1, 60)), monkeypatch) as one:
        assert await come(one, addresses) == {b"405"}
        assert one.incoming.tally.totals["mcp:unified", "passed"] == 10_000
        lives = [await client.pttl(key) async for key in client.scan_iter("binnen:*", count=1000)]
        assert all(0 < life <= 4_200_000 or life == -2 for life in lives)  # -2: gone already
        assert len(lives) < 5_000
        store.kill()
        one.incoming.table = Table(most=500)
        assert await come(one, addresses[:2_000]) == {b"405"}
        assert one.incoming.strict
        assert len(one.incoming.table) <= 501
    store.start()
    await client.aclose()


async def _dump(store: Valkey) -> str:
    """All keys and values of the store."""
    client: Any = Redis.from_url(store.address)
    keys = await client.keys("*")
    values = [await client.dump(key) for key in keys]
    await client.aclose()
    return b" ".join([*keys, *values]).decode("latin-1")
