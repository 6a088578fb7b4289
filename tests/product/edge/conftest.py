"""The product with its edge, and jobs that have a contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest
from pytest_django import Settings

from admission.gatehouse import Gatehouse
from tests.product.conftest import Product, running
from tests.support.contracts import FACTORY, GATEHOUSES, Job, job

Make = Callable[..., Awaitable[Job]]


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
