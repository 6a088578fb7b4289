"""The whole product on loopback: stand-ins and site, each a real server, asked over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache

import httpx
import pytest
from django.core.cache import caches
from pytest_django import Settings

from besluitbron.asgi import make_application
from besluitbron.caches import DATABASES
from besluitbron.standins import make_application as make_stand_ins
from connectors.buffering.rules import MEGABYTE, Rules
from connectors.records import Organisation
from search.lives import Life
from search.organisations import NO_LIVES, Register
from tests.support.admitted import UnderContract
from tests.support.buffers import caches_at
from tests.support.serving import BOUND, served
from tests.support.valkey import Valkey, private_valkey


@dataclass(frozen=True, slots=True)
class Product:
    """A running product: ``site`` asks the pages, ``stand_ins`` the control address; ``edge`` admits under a contract."""

    site: httpx.AsyncClient
    stand_ins: httpx.AsyncClient
    edge: UnderContract

    async def put(self, platform: str, state: str, seconds: float = 5) -> None:
        """Change how a stand-in behaves."""
        answer = await self.stand_ins.post(f"/_stand/{platform}", json={"staat": state, "seconden": seconds})
        assert answer.status_code == 200

    async def counted(self, platform: str) -> dict[str, float]:
        """What a stand-in has counted."""
        answer = await self.stand_ins.get(f"/_stand/{platform}")
        counted: dict[str, float] = answer.json()
        return counted


@pytest.fixture(scope="session")
def store() -> Iterator[Valkey]:
    """A real store for all tests of the product."""
    with private_valkey() as server:
        yield server


@pytest.fixture(scope="session", autouse=True)
def made_once() -> Iterator[None]:
    """What every product makes anew at its start is made once for the hundreds of them here: register and certificates."""
    registers: dict[object, Register] = {}
    real = Register.of

    def of(lists: Iterable[Iterable[Organisation]], lives: Mapping[str, Life] = NO_LIVES) -> Register:
        given = tuple(map(tuple, lists))
        key = (given, id(lives))
        if key not in registers:
            registers[key] = real(given, lives)
        return registers[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Register, "of", of)
        patch.setattr(httpx, "create_ssl_context", cache(httpx.create_ssl_context))
        yield


@pytest.fixture(autouse=True)
def empty_store(settings: Settings, store: Valkey) -> None:
    """No test waits for what another asked: each begins as a fresh installation, without a database for its turns."""
    store.flush()
    settings.STATE_STORE = store.address
    settings.TURNS_MEMORY = "throttling.memory.ForgetfulMemory"
    settings.ADMISSION_FACTORY = "tests.support.admission.open_resting"
    settings.RECEPTION_FACTORY = "tests.support.reports.open_memory_reception"


@pytest.fixture
def buffer(settings: Settings, store: Valkey) -> Iterator[None]:
    """A buffer that is empty: what two askers share."""
    settings.BUFFER_RULES = Rules(version=settings.VERSION, shares=dict.fromkeys(DATABASES, 8 * MEGABYTE), patience=5.0)
    with caches_at(store.path):
        for platform in DATABASES:
            caches[platform].clear()
        yield


@pytest.fixture
async def product(settings: Settings) -> AsyncIterator[Product]:
    async with running(settings) as one:
        yield one


@asynccontextmanager
async def running(settings: Settings, patience: float = BOUND * 4) -> AsyncIterator[Product]:
    """A product that runs; a page is more patient than usual, since a busy machine is no reason for another outcome."""
    pages = "http://localhost:8000"
    settings.SITE_ADDRESS = pages
    settings.PATIENCE_SECONDS = patience
    async with served(make_stand_ins(pages)) as stand_ins:
        settings.STAND_INS_ADDRESS = stand_ins
        edge = UnderContract(make_application())
        async with (
            served(edge, lifespan="on") as site,
            httpx.AsyncClient(base_url=site, timeout=30, verify=False) as browser,
            httpx.AsyncClient(base_url=stand_ins, verify=False) as control,
        ):
            yield Product(browser, control, edge)
            await asyncio.sleep(0)
