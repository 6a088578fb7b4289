"""Pages answer before what assistants need is loaded; who asks for that sooner waits, and gets it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from starlette.types import ASGIApp

from besluitbron.later import Later
from besluitbron.running.layout import PROJECT
from tests.support.serving import BOUND, served

pytestmark = pytest.mark.anyio


class Slow:
    """Makes an application once the test lets it."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.made = 0

    def __call__(self) -> ASGIApp:
        self.made += 1
        assert self.may.wait(BOUND)
        return PlainTextResponse("geladen")


@asynccontextmanager
async def site(later: Later) -> AsyncIterator[httpx.AsyncClient]:
    routes = [Mount("/zwaar", app=later), Mount("/", app=PlainTextResponse("pagina"))]
    async with (
        later,
        served(Starlette(routes=routes)) as address,
        httpx.AsyncClient(base_url=address, verify=False, timeout=BOUND) as client,
    ):
        yield client


async def test_pages_answer_meanwhile_and_all_who_ask_too_soon_get_their_answer_of_one_loading() -> None:
    make = Slow()
    async with site(Later(make)) as client:
        try:
            early = [asyncio.ensure_future(client.get("/zwaar/")) for _ in range(5)]
            assert (await client.get("/")).text == "pagina"
            assert not any(one.done() for one in early)
        finally:
            make.may.set()
        assert {(await one).text for one in early} == {"geladen"}
        assert (await client.get("/zwaar/")).text == "geladen"
    assert make.made == 1


async def test_who_goes_away_while_it_loads_takes_nothing_from_the_rest() -> None:
    make = Slow()
    later = Later(make)
    async with site(later) as client:
        try:
            with pytest.raises(httpx.ReadTimeout):
                await client.get("/zwaar/", timeout=0.2)
        finally:
            make.may.set()
        assert (await client.get("/zwaar/")).text == "geladen"
    assert make.made == 1


async def test_what_cannot_be_loaded_is_tried_again_for_the_next_asker(caplog: pytest.LogCaptureFixture) -> None:
    failures = [RuntimeError("stuk")]

    def make() -> ASGIApp:
        if failures:
            raise failures.pop()
        return PlainTextResponse("geladen")

    async with site(Later(make)) as client, asyncio.timeout(BOUND):
        while "later_not_loaded" not in caplog.text:
            await client.get("/")
        assert (await client.get("/zwaar/")).text == "geladen"


def test_a_site_that_begins_loads_neither_the_sdk_nor_what_reads_files() -> None:
    look = "import sys, besluitbron.asgi; print(sorted({'mcp', 'mcp_types', 'pypdf', 'docx', 'typst'} & sys.modules.keys()))"
    found = subprocess.run([sys.executable, "-c", look], check=True, cwd=PROJECT, capture_output=True, text=True)
    assert found.stdout == "[]\n"
