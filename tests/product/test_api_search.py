"""``_zoek``: one question to all platforms, as one answer and as a stream of events, over real HTTP."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from django.conf import settings as product_settings
from pytest_django import Settings

from besluitbron.limits import queue_rules
from connectors.platforms import PLATFORMS
from search.api import parameters, printing
from search.parameters import PARAMETERS
from tests.product.conftest import Product
from tests.product.test_api_rules import another, problem_of
from tests.product.test_document_waits import full_queues
from tests.support.description import faults
from tests.support.serving import BOUND
from throttling.memory import ForgetfulMemory
from throttling.outgoing import Outgoing
from throttling.problems import Kinds
from throttling.store import Store

pytestmark = pytest.mark.anyio
ROOT = "/api/v1"
KEYS = [platform.key for platform in PLATFORMS]
EVENTS = {"Accept": "text/event-stream"}


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    id: str
    data: dict[str, Any]


async def events(answer: httpx.Response) -> AsyncGenerator[Event, None]:
    """The events of a stream, read as browsers read them."""
    found: dict[str, str] = {}
    async for line in answer.aiter_lines():
        name, _, value = line.partition(": ")
        if line and name:
            found[name] = value
        elif not line and "event" in found:
            yield Event(found["event"], found["id"], json.loads(found["data"]))
            found = {}


async def zoek(product: Product, **asked: Any) -> dict[str, Any]:
    answer = await product.site.get(f"{ROOT}/_zoek", params=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def states(found: dict[str, Any]) -> dict[str, str]:
    return {one["platform"]: one["staat"] for one in found["bronnen"]}


async def test_every_platform_answers_in_a_fixed_order_and_in_the_described_form(product: Product) -> None:
    """Eis A6."""
    await product.site.get(
        f"{ROOT}/_zoek", params={"vraag": "eerst"}
    )  # the stand-ins make their papers when first asked
    found = await zoek(product, vraag="subsidie")
    assert [one["platform"] for one in found["bronnen"]] == KEYS
    assert [one["melding"] for one in found["bronnen"] if one["staat"] != "klaar"] == []
    description = (await product.site.get(f"{ROOT}/openapi.json")).json()
    assert faults(description, "zoek", found) == []
    for source in found["bronnen"]:
        assert source["treffers"]
        for hit in source["treffers"]:
            assert hit["id"] == f"{source['platform']}:{hit['bronId']}"
            assert hit["adres"].startswith("http")
            assert hit["verwijzing"]
    assert found["zoekopdracht"] == "http://localhost:8000/zoeken?vraag=subsidie"


async def test_the_same_document_at_two_platforms_is_told_to_be_one(product: Product) -> None:
    """Field report 10: what platforms say of one thing stays beside each other."""
    found = await zoek(product, vraag="warmtenet")
    ids = {hit["id"] for source in found["bronnen"] for hit in source["treffers"]}
    assert found["dezelfdeStukken"]
    for same in found["dezelfdeStukken"]:
        assert len({one.partition(":")[0] for one in same["ids"]}) > 1
        assert set(same["ids"]) <= ids


async def test_the_api_takes_what_the_page_takes_but_never_turns_words_into_filters() -> None:
    assert {one.name for one in parameters.SEARCH} == set(PARAMETERS) - {"letterlijk"}


async def test_filters_are_kept_and_what_a_platform_cannot_choose_is_said(product: Product) -> None:
    found = await zoek(
        product,
        vraag="subsidie",
        platform=["openbesluitvorming", "rechtspraak"],
        organisatie="Ede",
        soort="motie",
        van="2015-01-01",
        tot="2024-12-31",
        sorteer="nieuwste",
    )
    assert states(found)["rechtspraak"] == "niet-ondersteund"
    (source,) = [one for one in found["bronnen"] if one["platform"] == "openbesluitvorming"]
    for hit in source["treffers"]:
        assert hit["soort"] == "motie"
        assert "2015-01-01" <= hit["datum"] <= "2024-12-31"
    for part in ("organisatie=gemeente-ede", "soort=motie", "van=2015-01-01", "sorteer=nieuwste"):
        assert part in found["zoekopdracht"]


async def test_what_went_into_a_body_is_asked_too_unless_it_is_left_out(product: Product) -> None:
    asked = {"vraag": "subsidie", "organisatie": "gemeente-land-van-cuijk", "platform": "open-raadsinformatie"}
    assert states(await zoek(product, **asked)) == {"open-raadsinformatie": "klaar"}
    without = await product.site.get(f"{ROOT}/_zoek", params=asked | {"voorgangers": "nee"})
    assert states(without.json()) == {"open-raadsinformatie": "niet-ondersteund"}


async def test_an_ambiguous_body_is_answered_with_the_choices(product: Product) -> None:
    answer = await product.site.get(f"{ROOT}/_zoek", params={"vraag": "a", "organisatie": "Utrecht"})
    (wrong,) = problem_of(answer, Kinds.INVALID_INPUT)["invalidParams"]
    assert {one["waarde"] for one in wrong["keuzes"]} == {"gemeente-utrecht", "provincie-utrecht"}


async def test_a_next_page_is_another_page(product: Product) -> None:
    first = await zoek(product, vraag="subsidie", platform="openbesluitvorming")
    (source,) = first["bronnen"]
    assert source["volgendePagina"] == 2
    second = await zoek(product, vraag="subsidie", platform="openbesluitvorming", pagina=2)
    assert not {hit["id"] for hit in source["treffers"]} & {hit["id"] for hit in second["bronnen"][0]["treffers"]}


async def test_a_dead_platform_is_told_by_its_state_and_the_others_answer(product: Product) -> None:
    await product.put("rechtspraak", "dood")
    found = await zoek(product, vraag="subsidie")
    said = {one["platform"]: one for one in found["bronnen"]}
    assert said["rechtspraak"]["staat"] == "fout"
    assert "niet bereikbaar" in said["rechtspraak"]["melding"]
    assert {state for key, state in states(found).items() if key != "rechtspraak"} == {"klaar"}


async def test_when_nobody_answers_it_is_503_with_what_each_said_and_when_to_come_back(product: Product) -> None:
    await product.put("rechtspraak", "dood")
    await product.put("opentk", "onzin")
    asked = {"vraag": "subsidie", "platform": ["rechtspraak", "opentk"]}
    answer = await product.site.get(f"{ROOT}/_zoek", params=asked)
    found = problem_of(answer, Kinds.UNREACHABLE)
    assert int(answer.headers["retry-after"]) == found["retryAfter"] >= 1
    assert {one["platform"]: one["staat"] for one in found["foutenPerPlatform"]} == {
        "rechtspraak": "fout",
        "opentk": "fout",
    }


async def test_when_every_platform_is_full_it_is_503_and_says_that_it_waits(
    product: Product, settings: Settings
) -> None:
    settings.PAGE_SECONDS = 0.3
    async with full_queues(), another() as site:
        answer = await site.get(f"{ROOT}/_zoek", params={"vraag": "klimaat", "platform": "opentk"})
    found = problem_of(answer, Kinds.WAITING)
    assert found["foutenPerPlatform"][0]["staat"] == "gepland"
    assert int(answer.headers["retry-after"]) >= 1


async def test_the_stream_tells_each_platform_and_ends(product: Product) -> None:
    """Eis A6."""
    description = (await product.site.get(f"{ROOT}/openapi.json")).json()
    form = description["components"]["schemas"]["Antwoord"]
    await product.site.get(f"{ROOT}/_zoek", params={"vraag": "eerst"})  # as above
    async with product.site.stream("GET", f"{ROOT}/_zoek", params={"vraag": "warmtenet"}, headers=EVENTS) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "no-store" in answer.headers["cache-control"]
        assert answer.headers["x-accel-buffering"] == "no"
        assert answer.headers["api-version"]
        assert answer.headers["vary"] == "Accept"
        heard = [event async for event in events(answer)]
    *sources, end = heard
    assert [event.data["platform"] for event in sources[: len(KEYS)]] == KEYS
    assert {event.data["staat"] for event in sources[: len(KEYS)]} == {"bezig"}
    final = [event.data["platform"] for event in sources if event.data["staat"] in {"klaar", "leeg"}]
    assert sorted(final) == sorted(KEYS)
    assert all(event.name == "bron" and set(event.data) == set(form["properties"]) for event in sources)
    assert len({event.id for event in heard}) == len(heard)
    assert (end.name, end.id) == ("einde", "einde")
    assert (end.data["gevraagd"], end.data["beantwoord"]) == (len(KEYS), len(KEYS))
    assert end.data["dezelfdeStukken"]


async def test_a_platform_that_waits_is_told_to_wait_and_comes_when_it_is_free(product: Product) -> None:
    """Eis A6."""
    asked = {"vraag": "klimaat", "platform": "opentk"}
    async with (
        full_queues() as queues,
        asyncio.timeout(BOUND * 2),
        product.site.stream("GET", f"{ROOT}/_zoek", params=asked, headers=EVENTS) as answer,
    ):
        coming = events(answer)
        assert (await anext(coming)).data["staat"] == "bezig"
        waits = (await anext(coming)).data
        assert (waits["staat"], waits["plaats"]) == ("gepland", 1)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", waits["verwachteStart"])
        await queues.free()
        rest = [event async for event in coming]
    assert [event.data.get("staat") for event in rest] == ["klaar", None]


@pytest.mark.parametrize("headers", [EVENTS, {}], ids=["stream", "one answer"])
async def test_who_goes_away_gives_the_place_in_the_queue_up(product: Product, headers: dict[str, str]) -> None:
    asked = {"vraag": "klimaat", "platform": "opentk"}
    async with full_queues() as queues, asyncio.timeout(BOUND * 2):
        getting = asyncio.get_running_loop().create_task(
            product.site.get(f"{ROOT}/_zoek", params=asked, headers=headers)
        )
        while not await queues.waiting():
            await asyncio.sleep(0.01)
        getting.cancel()
        while await queues.waiting():
            await asyncio.sleep(0.01)


async def test_who_comes_back_for_a_stream_that_ended_is_told_to_stay_away(product: Product) -> None:
    headers = EVENTS | {"Last-Event-ID": "einde"}
    answer = await product.site.get(f"{ROOT}/_zoek", params={"vraag": "a"}, headers=headers)
    assert (answer.status_code, answer.content) == (204, b"")


async def test_a_program_has_as_many_streams_as_anybody(product: Product, settings: Settings) -> None:
    settings.STREAMS_PER_CLIENT = 1
    asked = {"vraag": "klimaat", "platform": "opentk"}
    async with (
        full_queues(),
        another() as site,
        asyncio.timeout(BOUND * 2),
        site.stream("GET", f"{ROOT}/_zoek", params=asked, headers=EVENTS) as answer,
    ):
        read = events(answer)  # let go of, it would close the stream before the second is asked for
        assert await anext(read)
        problem_of(await site.get(f"{ROOT}/_zoek", params=asked, headers=EVENTS), Kinds.TOO_MANY)
        await read.aclose()


def test_no_sign_of_unicode_breaks_a_line_of_data() -> None:
    odd = {"titel": "a\u2028b\u2029c\u0085d\ne\rf"}
    assert len(printing.written(odd).splitlines()) == 1
    assert json.loads(printing.written(odd)) == odd


async def test_a_question_of_a_program_counts_as_its_own_use(product: Product) -> None:
    await zoek(product, vraag="klimaat", platform="rechtspraak")
    await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": "rechtspraak"})
    queue = "rechtspraak/zoeken"
    rules = queue_rules(PLATFORMS, product_settings.OPTIONS.limits)
    async with (
        Store(product_settings.STATE_STORE) as store,
        Outgoing(store, {queue: rules[queue]}, ForgetfulMemory()) as turns,
    ):
        used = {one.name.partition(":")[0]: one.used > 0 for one in (await turns.snapshot(queue)).sessions}
    assert used == {"adres": True, "huis": False}
