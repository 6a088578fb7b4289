"""A program with a document of its own, in a product whose worker fetches that document: there, and away."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from tests.admission import test_fetching as fetching
from tests.product.contracts.conftest import Doors, opened
from tests.support.agent import SITE, Agent, Platform, key, public, signed
from tests.support.elsewhere import Elsewhere, Page, elsewhere
from tests.support.serving import BOUND

pytestmark = pytest.mark.anyio
HOST = "agents.voorbeeld.nl"
CARD = f"https://{HOST}/agent.json"
OWN = key()
WORKER = fetching.Worker()


def send(task: str, *arguments: str) -> None:
    """For ``settings.BACKGROUND``."""
    WORKER.send(task, *arguments)


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Elsewhere]:
    async with elsewhere(tmp_path, HOST) as one:
        keys = {"keys": [{**public(OWN), "kid": "k1", "use": "sig"}]}
        card = {"client_id": CARD, "token_endpoint_auth_method": "private_key_jwt", "jwks": keys}
        one.pages[CARD] = Page(json.dumps(card).encode())
        fetching.WEB.append(one)
        yield one
        fetching.WEB.pop()


@pytest.fixture
def trust(web: Elsewhere) -> Iterator[dict[str, Any]]:
    yield {"clients": [HOST]}
    WORKER.away = False


@pytest.fixture
async def doors(
    settings: Settings, database: None, trusting: None, platform: Platform, domain: Platform
) -> AsyncIterator[Doors]:
    settings.ADMISSION_FACTORY = "besluitbron.admission.open_admission"
    settings.ADMISSION_FETCHER = f"{fetching.__name__}.fetcher_of_a_test"
    settings.BACKGROUND = f"{__name__}.send"
    async with opened(settings, platform, domain) as one, asyncio.timeout(BOUND):
        while not await one.house.admissions.is_open():
            await asyncio.sleep(0.01)
        yield one


def identity() -> dict[str, str]:
    now = int(time.time())
    told = {"iss": CARD, "sub": CARD, "aud": SITE, "iat": now, "exp": now + 60, "jti": secrets.token_urlsafe(12)}
    return {"method": "private-key-jwt", "token": signed({"kid": "k1"}, told, OWN), "client_id": CARD}


async def test_the_worker_fetches_what_the_website_needs(doors: Doors, web: Elsewhere) -> None:
    """Attack 6: what serves visitors dials nobody."""
    answer = await Agent(doors.http, identity=identity).negotiate()
    assert (answer.status_code, answer.json()["tier"]) == (201, "cimd")
    assert web.asked == [CARD]
    assert WORKER.sent[-1][:1] == (CARD,)


async def test_while_the_worker_is_away_a_program_hears_that_it_may_try_later(doors: Doors, web: Elsewhere) -> None:
    WORKER.away = True
    answer = await Agent(doors.http, identity=identity).negotiate()
    assert (answer.status_code, answer.json()["reason"], answer.json()["retryable"]) == (
        *(503, "admission-unavailable", True),
    )
    assert int(answer.headers["retry-after"]) >= 1
    assert (await Agent(doors.http).negotiate()).status_code == 201, "who needs nothing fetched notices nothing"
    assert web.asked == []
