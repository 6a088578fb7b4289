"""A document whose call has to wait for its turn: nobody waits invisibly."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from django.conf import settings
from lxml import html

from besluitbron.limits import queue_rules
from connectors.platforms import PLATFORMS
from tests.support.serving import BOUND
from throttling.callers import house
from throttling.memory import ForgetfulMemory
from throttling.outgoing import Outgoing
from throttling.store import Store
from throttling.turns import Wanted

pytestmark = pytest.mark.anyio
QUEUES = ("opentk/zoeken", "opentk/zwaar")


class Full:
    """The queues of OpenTK, whose only places are taken until ``free`` is called."""

    def __init__(self, turns: Outgoing, held: AsyncExitStack) -> None:
        self._turns = turns
        self.free = held.aclose

    async def waiting(self) -> int:
        return sum([(await self._turns.snapshot(queue)).waiting for queue in QUEUES])


@asynccontextmanager
async def full_queues() -> AsyncIterator[Full]:
    rules = queue_rules(PLATFORMS, settings.OPTIONS.limits)
    async with (
        Store(settings.STATE_STORE) as store,
        Outgoing(store, {queue: rules[queue] for queue in QUEUES}, ForgetfulMemory()) as turns,
        AsyncExitStack() as held,
    ):
        for queue in QUEUES:
            await held.enter_async_context(turns.turn(Wanted(service=queue), house("ander"), lambda _: None))
        yield Full(turns, held)


async def a_document(product: Any) -> str:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": "opentk"})
    found: list[str] = html.document_fromstring(page.text).xpath("//h3/a/@href")
    return found[0]


async def test_a_document_page_says_that_it_waits_and_goes_on_by_itself(product: Any) -> None:
    address = await a_document(product)
    async with full_queues() as queues, asyncio.timeout(BOUND * 2), product.site.stream("GET", address) as answer:
        pieces = answer.aiter_text()
        begin = ""
        while "</p>\n" not in begin.partition('class="wacht"')[2]:
            begin += await anext(pieces)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "private, no-store"
        assert re.search(r"OpenTK wacht op een vrije plek\..*U kunt deze pagina open laten staan", begin)
        assert "<article" not in begin
        await queues.free()
        rest = "".join([piece async for piece in pieces])
    tree = html.document_fromstring(begin + rest)
    (article,) = tree.xpath("//article[@class='stuk']")
    assert article.xpath("preceding-sibling::p[@class='wacht'][@role='status']")
    assert article.xpath(".//h1")
    assert rest.rstrip().endswith("</html>")


async def test_who_closes_a_document_page_that_waits_gives_the_place_up(product: Any) -> None:
    address = await a_document(product)
    async with full_queues() as queues:
        async with product.site.stream("GET", address) as answer:
            await anext(answer.aiter_text())
            assert await queues.waiting() == 1
        async with asyncio.timeout(BOUND):
            while await queues.waiting():
                await asyncio.sleep(0.01)


async def test_a_document_that_waited_in_vain_says_so_on_the_page_that_said_it_waits(product: Any) -> None:
    address = await a_document(product)
    async with full_queues() as queues, product.site.stream("GET", address) as answer:
        pieces = answer.aiter_text()
        begin = await anext(pieces)
        await product.put("opentk", "dood")
        await queues.free()
        rest = "".join([piece async for piece in pieces])
    tree = html.document_fromstring(begin + rest)
    (instead,) = tree.xpath("//div[@class='geen-stuk']")
    assert "Dit stuk kunnen we niet laten zien" in instead.text_content()
    assert instead.xpath("preceding-sibling::p[@class='wacht']")


async def test_who_looks_for_a_document_elsewhere_hears_that_a_source_waits(product: Any) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "motie", "platform": "tweede-kamer", "soort": "motie"})
    address = html.document_fromstring(page.text).xpath("//ol[@class='treffers']//h3/a/@href")[0]
    async with (
        full_queues() as queues,
        asyncio.timeout(BOUND * 2),
        product.site.stream("GET", address, params={"elders": "ja"}) as answer,
    ):
        pieces = answer.aiter_text()
        begin = ""
        while "OpenTK wacht op een vrije plek" not in begin:
            begin += await anext(pieces)
        assert "</article>" in begin
        await queues.free()
        rest = "".join([piece async for piece in pieces])
    assert 'id="elders"' in rest
