"""The whole product with contracts: a database, a platform and a trust domain that the operator trusts, and agents."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from pytest_django import DjangoDbBlocker, Settings

from admission.gatehouse import STATE, Gatehouse
from besluitbron.asgi import make_application
from besluitbron.running.admitting import AdmittingOptions
from besluitbron.standins import make_application as make_stand_ins
from tests.support import admission
from tests.support.admission import database_of_its_own
from tests.support.agent import SITE, Agent, Platform, federated
from tests.support.elsewhere import Elsewhere
from tests.support.serving import served

JOB = "repo:bank/agents:ref:main"
SVID = "spiffe://bank.example/agent/indexer"


@dataclass
class Doors:
    """A served product, the two who vouch for jobs, and the gatehouse behind it."""

    http: httpx.AsyncClient
    house: Gatehouse
    platform: Platform
    domain: Platform
    agents: list[Agent] = field(default_factory=list)

    def ad_hoc(self) -> Agent:
        return Agent(self.http)

    def job(self, subject: str = JOB) -> Agent:
        return Agent(self.http, identity=federated(self.platform, subject))

    def svid(self, subject: str = SVID) -> Agent:
        return Agent(self.http, identity=federated(self.domain, subject, "jwt-svid"))


class Opened:
    """An application that tells what its lifespan opened."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.house: Gatehouse | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            self.house = scope["state"][STATE]
        await self._app(scope, receive, send)


@pytest.fixture
def platform() -> Platform:
    return Platform("https://bouw.example")


@pytest.fixture
def domain() -> Platform:
    return Platform("bank.example")


@pytest.fixture
def trust(platform: Platform, domain: Platform) -> dict[str, Any]:
    """The file of the operator; a test may change it before the product starts."""
    return {
        "platforms": [{"issuer": platform.name, "subjects": ["repo:bank/*:ref:main"], "keys": platform.jwks()}],
        "trustDomains": [
            {"name": domain.name, "subjects": ["spiffe://bank.example/agent/*"], "keys": domain.jwks("jwt-svid")}
        ],
    }


@pytest.fixture
def fetching(web: Elsewhere) -> Iterator[None]:
    """Documents are fetched from the ``web`` of a test."""
    admission.FETCH.append(web.fetcher())
    yield
    admission.FETCH.pop()


@pytest.fixture
def database(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with database_of_its_own(tmp_path, django_db_blocker):
        yield


@pytest.fixture
def trusting(settings: Settings, tmp_path: Path, trust: dict[str, Any]) -> None:
    file = tmp_path / "toelating.json"
    file.write_text(json.dumps(trust))
    settings.OPTIONS = replace(settings.OPTIONS, admitting=AdmittingOptions(str(file)))


@pytest.fixture
async def doors(
    settings: Settings, database: None, trusting: None, platform: Platform, domain: Platform
) -> AsyncIterator[Doors]:
    async with opened(settings, platform, domain) as one:
        yield one


@asynccontextmanager
async def opened(settings: Settings, platform: Platform, domain: Platform) -> AsyncIterator[Doors]:
    """A product on the settings as they are."""
    settings.SITE_ADDRESS = SITE
    async with served(make_stand_ins(SITE)) as stand_ins:
        settings.STAND_INS_ADDRESS = stand_ins
        app = Opened(make_application())
        async with (
            served(app, lifespan="on") as site,
            httpx.AsyncClient(base_url=site, timeout=30, verify=False) as http,
        ):
            await http.get("/robots.txt")
            assert app.house is not None
            yield Doors(http, app.house, platform, domain)
