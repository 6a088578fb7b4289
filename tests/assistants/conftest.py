"""MCP endpoints over a real store, with demo tools."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.support.assistants import Demo, Mouth, demo_server, shell
from tests.support.serving import served
from tests.support.valkey import Valkey, private_valkey


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    with private_valkey() as server:
        yield server


@dataclass(frozen=True, slots=True)
class Running:
    """Served endpoints: their root address, their tools, and what their lifespan opened."""

    address: str
    demo: Demo
    opened: dict[str, Any]


@pytest.fixture(scope="session")
async def running(valkey: Valkey, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """Served once for all tests; each begins with an empty store and tools that nobody called."""
    demo, opened = Demo(), dict[str, Any]()
    app = shell(demo_server(demo.tools()), valkey.address, tmp_path_factory.mktemp("mcp"), opened=opened)
    async with served(app, lifespan="on") as address:
        yield Running(address, demo, opened)


@pytest.fixture
def site(running: Running, valkey: Valkey) -> str:
    valkey.flush()
    running.demo.reset()
    return running.address


@pytest.fixture
def demo(running: Running, site: str) -> Demo:
    return running.demo


@pytest.fixture
def opened(running: Running) -> dict[str, Any]:
    return running.opened


@pytest.fixture
async def mouth(site: str) -> AsyncIterator[Mouth]:
    async with httpx.AsyncClient(base_url=site, timeout=30, verify=False) as browser:
        yield Mouth(browser)
