"""With any two platforms dead the rest arrives as before: all pairs through the federation, a few through the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import combinations

import httpx
import pytest

from besluitbron.standins import make_application
from connectors.addresses import Addresses, PlatformMode
from connectors.buffer import NoBuffer
from connectors.client import Client
from connectors.exceptions import UnreachableError
from connectors.http import Http, user_agent
from connectors.journey import Tools
from connectors.records import Query, SearchText, Term, Total
from connectors.registry import default_registry
from search.answers import PlatformAnswer, State
from search.federation import Federation, Patience
from search.organisations import Register
from tests.product.conftest import Product
from tests.support.breakers import MemoryBreaker
from tests.support.first_come import FirstComeTurns
from tests.support.pages import Section, sections
from tests.support.serving import BOUND, served
from throttling.callers import house

pytestmark = pytest.mark.anyio
PAGES = "http://127.0.0.1:8000"
QUESTION = Query(text=SearchText((Term(("subsidie",)),)))
KEYS = tuple(c.platform.key for c in default_registry(Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", PAGES)))
PAIRS = tuple(combinations(KEYS, 2))
SOME_PAIRS = tuple(zip(KEYS[::2], KEYS[1::2], strict=False))
Arrived = tuple[State, tuple[str, ...], Total | None]


@asynccontextmanager
async def federation(stand_ins: str) -> AsyncIterator[Federation]:
    """All platforms, with turns of their own and nothing kept, so that every answer was just asked for."""
    where = Addresses(PlatformMode.STAND_INS, stand_ins, PAGES)
    connectors = tuple(default_registry(where))
    async with Http((c.platform for c in connectors), where, user_agent("0", "")) as http:
        client = Client(
            Tools(
                http=http,
                buffer=NoBuffer(),
                turns=FirstComeTurns(in_flight=4),
                breaker=MemoryBreaker(),
                addresses=where,
            )
        )
        try:
            yield Federation(
                connectors=connectors,
                client=client,
                register=Register.of(c.organisations() for c in connectors),
                patience=Patience(after_sent=BOUND * 3, page=BOUND * 3),
            )
        finally:
            await client.aclose()


async def asked(stand_ins: str) -> dict[str, PlatformAnswer]:
    """The last answer of each platform."""
    found: dict[str, PlatformAnswer] = {}
    async with federation(stand_ins) as together, asyncio.timeout(BOUND * 3):
        async for answer in together.ask(QUESTION, (), house()):
            found[answer.platform.key] = answer
    return found


def arrived(answer: PlatformAnswer) -> Arrived:
    """What a person gets of it: its state, its hits in their order, and how many there are."""
    hits = answer.result.hits if answer.result else ()
    return answer.state, tuple(hit.id for hit in hits), answer.result.total if answer.result else None


@pytest.fixture(scope="module")
def before() -> dict[str, Arrived]:
    """What arrives while all are well."""

    async def ask() -> dict[str, Arrived]:
        async with served(make_application(PAGES)) as stand_ins:
            return {key: arrived(answer) for key, answer in (await asked(stand_ins)).items()}

    return asyncio.run(ask())


def test_while_all_are_well_every_platform_finds_something(before: dict[str, Arrived]) -> None:
    assert {key: state for key, (state, _, _) in before.items()} == dict.fromkeys(KEYS, State.READY)
    assert all(hits for _, hits, _ in before.values())


@pytest.mark.parametrize("dead", PAIRS, ids=" and ".join)
async def test_with_two_dead_the_rest_arrives_as_before(dead: tuple[str, str], before: dict[str, Arrived]) -> None:
    """Eis 6.2."""
    async with served(make_application(PAGES)) as stand_ins:
        async with httpx.AsyncClient(base_url=stand_ins, verify=False) as control:
            for key in dead:
                (await control.post(f"/_stand/{key}", json={"staat": "dood"})).raise_for_status()
        answers = await asked(stand_ins)
    assert answers.keys() == set(KEYS)
    for key, answer in answers.items():
        if key in dead:
            assert (answer.state, type(answer.failure)) == (State.FAILED, UnreachableError), key
        else:
            assert arrived(answer) == before[key], key


@pytest.mark.parametrize("dead", SOME_PAIRS, ids=" and ".join)
async def test_the_page_shows_the_rest_and_says_of_each_dead_one_what_happened(
    product: Product, dead: tuple[str, str]
) -> None:
    for key in dead:
        await product.put(key, "dood")
    page = await product.site.get("/zoeken", params={"vraag": "subsidie"})
    found: dict[str, Section] = {section.platform: section for section in sections(page.text)}
    assert found.keys() == set(KEYS)
    assert {key for key, section in found.items() if section.state == "klaar"} == set(KEYS) - set(dead)
    assert all(found[key].titles for key in set(KEYS) - set(dead))
    for key in dead:
        assert (found[key].state, found[key].titles) == ("fout", ())
        assert "niet bereikbaar" in found[key].text
