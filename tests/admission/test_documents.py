"""Keys of others stay usable through rotation and failure, and are never somebody else's (attacks 5, 6 and 7 of the study)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from admission.documents import AGAIN, FRESH, MOST_CARD, MOST_OF_HOST, Documents, NoKeysError
from admission.proofs.keys import MOST_KEYS
from tests.support.agent import key, public
from tests.support.elsewhere import Elsewhere, Page, elsewhere

pytestmark = pytest.mark.anyio
HOST = "sleutels.voorbeeld.nl"
URL, CARD = f"https://{HOST}/jwks.json", f"https://{HOST}/agent.json"


def everybody(host: str) -> bool:
    return True


def jwks(*kids: str) -> dict[str, Any]:
    return {"keys": [{**public(key()), "kid": kid, "use": "sig"} for kid in kids]}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Elsewhere]:
    async with elsewhere(tmp_path, HOST, "ander.voorbeeld.nl") as one:
        yield one


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def documents(web: Elsewhere, clock: Clock) -> Documents:
    return Documents(web.fetcher(), clock)


def put(web: Elsewhere, url: str, document: Any) -> None:
    web.pages[url] = Page(document if isinstance(document, bytes) else json.dumps(document).encode())


async def test_keys_are_fetched_once_and_used_for_five_minutes(
    web: Elsewhere, documents: Documents, clock: Clock
) -> None:
    put(web, URL, jwks("a"))
    for _ in range(3):
        assert (await documents.keys(URL, "a")).find("a") is not None
    assert len(web.asked) == 1
    clock.now = FRESH
    await documents.keys(URL, "a")
    assert len(web.asked) == 2


async def test_a_new_key_is_found_at_once_but_nobody_is_asked_more_than_once_a_minute(
    web: Elsewhere, documents: Documents, clock: Clock
) -> None:
    """Attack 5: keys are rotated while requests come in."""
    put(web, URL, jwks("a"))
    await documents.keys(URL, "a")
    put(web, URL, jwks("a", "b"))
    assert (await documents.keys(URL, "b")).find("b") is None
    clock.now = AGAIN
    assert (await documents.keys(URL, "b")).find("b") is not None
    for number in range(50):
        await documents.keys(URL, f"verzonnen-{number}")
    assert len(web.asked) == 2


async def test_a_failed_fetch_takes_no_key_away_and_a_document_without_it_does(
    web: Elsewhere, documents: Documents, clock: Clock
) -> None:
    """Attack 5: no false denials while a website is down; a key that was taken back is gone."""
    put(web, URL, jwks("a", "b"))
    await documents.keys(URL, "a")
    web.pages[URL] = Page(status="500 Oops")
    clock.now = FRESH
    assert (await documents.keys(URL, "a")).find("a") is not None
    put(web, URL, b"geen json")
    clock.now += AGAIN
    assert (await documents.keys(URL, "a")).find("a") is not None
    put(web, URL, jwks("b"))
    clock.now += AGAIN
    assert (await documents.keys(URL, "a")).find("a") is None


async def test_where_nothing_is_had_nobody_asks_again_within_a_minute(
    web: Elsewhere, documents: Documents, clock: Clock
) -> None:
    for _ in range(5):
        with pytest.raises(NoKeysError):
            await documents.keys(URL, "a")
    assert len(web.asked) == 1
    put(web, URL, jwks("a"))
    clock.now = AGAIN
    assert (await documents.keys(URL, "a")).find("a") is not None


async def test_all_who_wait_at_once_wait_for_one_fetch(web: Elsewhere, documents: Documents) -> None:
    web.pages[URL] = Page(json.dumps(jwks("a")).encode(), wait=asyncio.Event())
    waiting = [asyncio.ensure_future(documents.keys(URL, "a")) for _ in range(20)]
    while not web.asked:
        await asyncio.sleep(0)
    waiting.pop().cancel()
    event = web.pages[URL].wait
    assert event is not None
    event.set()
    assert all(keys.find("a") for keys in await asyncio.gather(*waiting))
    assert len(web.asked) == 1


async def test_one_host_is_not_flooded_by_way_of_us(web: Elsewhere, documents: Documents) -> None:
    """Attack 6: however many documents somebody names."""
    for number in range(3 * MOST_OF_HOST):
        with pytest.raises(NoKeysError):
            await documents.keys(f"https://{HOST}/{number}", "a")
    assert len(web.asked) == MOST_OF_HOST


async def test_more_keys_than_we_look_through_are_none(web: Elsewhere, documents: Documents) -> None:
    """Attack 6: AC-N20."""
    put(web, URL, jwks(*map(str, range(MOST_KEYS + 1))))
    with pytest.raises(NoKeysError):
        await documents.keys(URL, "1")


async def test_a_key_is_of_its_own_address_alone(web: Elsewhere, documents: Documents) -> None:
    """Attack 7: AC-N16. Two clients whose keys have the same name."""
    for host in (HOST, "ander.voorbeeld.nl"):
        url = f"https://{host}/agent.json"
        put(web, url, {"client_id": url, "token_endpoint_auth_method": "private_key_jwt", "jwks": jwks("k")})
    mine, other = [
        await documents.client(f"https://{host}/agent.json", "k", everybody) for host in (HOST, "ander.voorbeeld.nl")
    ]
    assert mine.keys.find("k") != other.keys.find("k")


async def test_a_client_may_say_where_its_keys_are(web: Elsewhere, documents: Documents) -> None:
    put(web, CARD, {"client_id": CARD, "token_endpoint_auth_method": "private_key_jwt", "jwks_uri": URL})
    put(web, URL, jwks("k"))
    assert (await documents.client(CARD, "k", everybody)).keys.find("k") is not None


@pytest.mark.parametrize(
    "changed",
    [
        {"client_id": "https://ander.voorbeeld.nl/agent.json"},
        {"token_endpoint_auth_method": "none"},
        {"client_secret": "geheim"},
        {"jwks_uri": "https://127.0.0.1/jwks.json", "jwks": None},
        {"jwks_uri": "http://sleutels.voorbeeld.nl/jwks.json", "jwks": None},
        {"jwks_uri": URL},
        {"jwks": None},
        {"jwks": {"keys": [{"kty": "oct", "k": "AAAA", "kid": "k"}]}},
        {"client_name": "x" * MOST_CARD},
    ],
)
async def test_a_document_that_is_not_a_clients_own_is_none(
    web: Elsewhere, documents: Documents, changed: dict[str, Any]
) -> None:
    card = {"client_id": CARD, "token_endpoint_auth_method": "private_key_jwt", "jwks": jwks("k")} | changed
    put(web, CARD, {name: value for name, value in card.items() if value is not None})
    with pytest.raises(NoKeysError):
        await documents.client(CARD, "k", everybody)


@pytest.mark.parametrize(
    "url", [CARD, f"https://{HOST}:443/agent.json", f"https://{HOST}/a#b", "https://127.0.0.1/agent.json"]
)
async def test_who_is_not_on_the_list_of_the_operator_is_never_asked(
    web: Elsewhere, documents: Documents, url: str
) -> None:
    """Attack 6: the list comes first."""
    with pytest.raises(NoKeysError):
        await documents.client(url, "k", lambda host: host != HOST)
    assert (web.resolved, web.asked) == ([], [])
