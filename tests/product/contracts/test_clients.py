"""A program with a document of its own gets a contract to read, by the real fetcher (tier cimd of choice A1)."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from admission.contracts import Stop
from admission.models import Agreement
from admission.stopping import stop
from admission.storage import Order
from tests.product.contracts.conftest import Doors
from tests.support.agent import SITE, Agent, Platform, federated, key, public, signed
from tests.support.elsewhere import Elsewhere, card, elsewhere
from tests.support.threads import in_thread

pytestmark = pytest.mark.anyio
HOST = "agents.voorbeeld.nl"
CARD = f"https://{HOST}/agent.json"
OWN = key()


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Elsewhere]:
    async with elsewhere(tmp_path, HOST) as one:
        one.pages[CARD] = card(CARD, public(OWN), client_name="Voorbeeld")
        yield one


@pytest.fixture
def trust(fetching: None, namesake: Platform) -> dict[str, Any]:
    """A trust domain has the name of the domain that the program's document is at."""
    keys = namesake.jwks("jwt-svid")
    jobs = {"name": namesake.name, "subjects": [f"spiffe://{namesake.name}/*"], "keys": keys}
    return {"clients": [HOST], "trustDomains": [jobs]}


@pytest.fixture
def namesake() -> Platform:
    return Platform("voorbeeld.nl")


def assertion(**changed: Any) -> str:
    now = int(time.time())
    told = {"iss": CARD, "sub": CARD, "aud": SITE, "iat": now, "exp": now + 60, "jti": secrets.token_urlsafe(12)}
    return signed({"kid": "k1"}, told | changed, OWN)


def identity() -> dict[str, str]:
    return {"method": "private-key-jwt", "token": assertion(), "client_id": CARD}


async def test_a_program_that_shows_its_own_key_reads_under_its_own_name(doors: Doors, web: Elsewhere) -> None:
    agent = Agent(doors.http, identity=identity)
    answer = await agent.negotiate()
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert (told["tier"], told["workload"]) == ("cimd", CARD)
    assert (await agent.token()).status_code == 200
    assert web.asked == [CARD]
    told = (await doors.http.get("/.well-known/admission-contract")).json()
    assert ("private-key-jwt", [HOST]) in [(one["method"], one.get("hosts")) for one in told["identity_methods"]]


@pytest.mark.parametrize(("stopped", "other"), [("voorbeeld.nl", "client"), ("*.voorbeeld.nl", "job")])
async def test_clients_of_a_domain_and_the_jobs_of_a_trust_domain_of_that_name_stop_apart(
    doors: Doors, namesake: Platform, stopped: str, other: str
) -> None:
    """Choice A4: revoking one issuer ends what it vouched for, and nothing of another."""
    agents = {
        "client": Agent(doors.http, identity=identity),
        "job": Agent(doors.http, identity=federated(namesake, "spiffe://voorbeeld.nl/a", "jwt-svid")),
    }
    for agent in agents.values():
        assert (await agent.negotiate()).status_code == 201
    issuers = await in_thread(lambda: {row.issuer for row in Agreement.objects.all()})
    assert stopped in issuers
    await stop(doors.house, Order(what=Stop.ISSUER, name=stopped, by="beheerder", why="te druk"))
    statuses = {name: (await agent.token()).status_code for name, agent in agents.items()}
    assert statuses == {name: 200 if name == other else 400 for name in agents}


async def test_a_token_asks_for_the_assertion_again_each_time(doors: Doors) -> None:
    agent = Agent(doors.http, identity=identity)
    await agent.negotiate()
    agent.identity = None
    answer = await agent.token()
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


async def test_an_assertion_is_used_once_and_by_nobody_else(doors: Doors) -> None:
    """Attack 1: also where the proof of the key is a new one. Attack 9: a longer life, another audience, another name."""
    used = assertion()
    agent = Agent(doors.http, identity=lambda: {"method": "private-key-jwt", "token": used, "client_id": CARD})
    assert (await agent.negotiate()).status_code == 201
    assert (await agent.negotiate()).status_code == 401
    wrong: list[dict[str, Any]] = [
        *({"aud": "https://elders.example"}, {"exp": int(time.time()) + 3600}, {"sub": "https://elders.example/a"}),
        *({"jti": None}, {"iat": int(time.time()) - 3600, "exp": int(time.time()) - 1800}),
    ]
    for changed in wrong:
        told = {"method": "private-key-jwt", "token": assertion(**changed), "client_id": CARD}
        answer = await Agent(doors.http, identity=lambda told=told: told).negotiate()
        assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (401, "identity-invalid"), changed


async def test_a_program_that_is_not_on_the_list_is_not_fetched(doors: Doors, web: Elsewhere) -> None:
    """Attack 6: the list of the operator comes first, whatever the address."""
    for address in (
        "https://elders.example/agent.json",
        "https://127.0.0.1/agent.json",
        f"https://{HOST}:6379/agent.json",
    ):
        told = {"method": "private-key-jwt", "token": assertion(iss=address, sub=address), "client_id": address}
        answer = await Agent(doors.http, identity=lambda told=told: told).negotiate()
        assert answer.status_code == 401
    assert (web.asked, web.resolved) == ([], [])
