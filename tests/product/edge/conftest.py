"""The product with its edge, and jobs that have a contract."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Final

import httpx
import pytest
from pytest_django import Settings

from admission.gatehouse import Gatehouse
from tests.product.conftest import Product, running
from tests.support.contracts import FACTORY, GATEHOUSES, Job, job

Make = Callable[..., Awaitable[Job]]
_BOUND: Final = 30.0


class EdgeLines(logging.Handler):
    """The lines that the edge wrote of requests, as they come."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: list[str] = []
        self._more = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if isinstance(record.msg, dict) and record.msg.get("event") == "admission":
            self._lines.append(str(record.msg))
            self._more.set()

    async def first(self, count: int) -> list[str]:
        """So many of them, once they are there: nobody's answer waits for its line."""
        async with asyncio.timeout(_BOUND):
            while len(self._lines) < count:
                self._more.clear()
                await self._more.wait()
        return self._lines[:count]


@pytest.fixture
def edge_lines(caplog: pytest.LogCaptureFixture) -> Iterator[EdgeLines]:
    caplog.set_level(logging.INFO)
    heard, root = EdgeLines(), logging.getLogger()
    root.addHandler(heard)
    yield heard
    root.removeHandler(heard)


@pytest.fixture
async def edge(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Product]:
    """The whole product, asked over real HTTP."""
    settings.ADMISSION_FACTORY = FACTORY
    async with running(settings) as one:
        yield one


@pytest.fixture
def house(edge: Product) -> Gatehouse:
    return GATEHOUSES[-1]


@pytest.fixture
def site(edge: Product) -> httpx.AsyncClient:
    return edge.site


@pytest.fixture
def make(edge: Product, house: Gatehouse) -> Make:
    async def made(**changed: Any) -> Job:
        return await job(edge.site, house, **changed)

    return made
