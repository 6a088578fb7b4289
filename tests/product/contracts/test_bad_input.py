"""Bad input where contracts and tokens are asked for: the right problem, one in the count, and nothing repeated."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from admission.models import Agreement
from tests.product.contracts.conftest import JOB, Doors
from tests.support import admission
from tests.support.agent import SITE, Platform, public, signed
from tests.support.elsewhere import Elsewhere, Page, elsewhere
from tests.support.threads import in_thread

pytestmark = pytest.mark.anyio
JUNK = "q\u202e\x1b[31m\r\nSet-Cookie: a=b<script>" + "x" * 16_000
KEYS = "https://sleutels.voorbeeld.nl/jwks"


def paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where each single value of a document stands."""
    if isinstance(value, dict | list):
        for name, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(one, (*before, name))
    else:
        yield before


def changed(value: Any, path: tuple[Any, ...], put: Any) -> Any:
    made = copy.deepcopy(value)
    at = made
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = put
    return made


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Status and kind of a refusal that holds nothing of what was sent."""
    assert len(answer.content) < 8_000
    assert not any(sign in answer.text for sign in ("\u202e", "\x1b", "<script", "xxxxxxxx"))
    assert "set-cookie" not in answer.headers
    return answer.status_code, answer.json()["type"].rpartition("/")[2]


@pytest.mark.parametrize("put", [0, -1, 10**30, 1.5, "5", True, None, [], {}, "NaN"])
@pytest.mark.parametrize("name", ["in_flight", "units"])
async def test_a_budget_that_is_no_amount_is_refused(doors: Doors, name: str, put: Any) -> None:
    """Bad input: budgets of 0, negative, enormous, and of no number at all."""
    agent = doors.job()
    answer = await agent.negotiate(changed(agent.wish(), ("budget", name), put))
    assert refused(answer) == (400, "ongeldige-invoer")
    # A number that no two readers would read alike is refused before it has a name.
    assert [one["name"] for one in answer.json()["invalidParams"]] in ([f"budget.{name}"], ["body"])
    assert await in_thread(Agreement.objects.count) == 0


async def test_a_budget_that_is_only_large_is_narrowed(doors: Doors) -> None:
    """Choice A3: asking too much is no fault."""
    agent = doors.job()
    told = (await agent.negotiate(agent.wish(budget={"in_flight": 10**9, "units": 10**9}))).json()
    assert (told["budget"]["in_flight"], told["budget"]["units"]) == (8, 10_000)


async def test_sixteen_kilobytes_of_junk_in_any_field_are_refused_and_counted_once(doors: Doors) -> None:
    """Bad input, attack 18: in every field of a request for a contract, each by itself."""
    agent = doors.job()
    wish = agent.wish("zoeken", write=("rapport-aanvragen",), expires_in=3600)
    every = [*paths(wish), ("authorization_details", 0, "prefixes"), ("identity",), ("zomaar",)]
    for number, path in enumerate(every):
        doors.house.tally.totals.clear()
        await doors.house.admissions._store._open().flushdb()  # its pace is another test's
        await doors.house.admissions.open(0.0)
        junk = JUNK if number % 2 else JUNK[:12_000]
        answer = await doors.job().negotiate(changed(wish, path, junk))
        # What is larger than a request may be, the limits before the door refuse, which count by themselves.
        expected = ((413, "verzoek-te-groot"), 0) if number % 2 else ((400, "ongeldige-invoer"), 1)
        assert (refused(answer), sum(doors.house.tally.totals.values())) == expected, path
    assert await in_thread(Agreement.objects.count) == 0


@pytest.mark.parametrize(
    "name",
    ["grant_type", "scope", "resource", "contract", "client_assertion", "client_id", "operation", "path", "note"],
)
async def test_junk_in_any_field_of_the_form_is_refused(doors: Doors, name: str) -> None:
    """Bad input, attack 18: at the token endpoint, in what a form can carry."""
    agent = doors.job()
    assert (await agent.negotiate(agent.wish("zoeken", write=("rapport-aanvragen",)))).status_code == 201
    for junk in (JUNK, JUNK[:9_000], "\x00", "\u202e"):
        form = {"operation": "rapport-aanvragen", "path": "/api/v1/rapporten", "body": "{}"} | {name: junk}
        answer = await agent.token("write", **form)
        if answer.status_code not in {200, 202}:  # a sign that nobody sees in a note is left out
            refused(answer)
        else:
            assert name in {"note", "client_id"}, name
            assert "\u202e" not in answer.text


@pytest.mark.parametrize("name", ["DPoP", "Idempotency-Key", "Authorization", "Accept-Language", "Content-Type"])
async def test_junk_in_any_header_is_refused_or_passed_over(doors: Doors, name: str) -> None:
    """Bad input: what a header can carry."""
    agent = doors.job()
    answer = await agent.negotiate(**{name: "q;" + "x" * 8_000})
    if name in {"Accept-Language", "Content-Type"}:
        assert answer.status_code in {201, 415}
    else:
        assert refused(answer)[0] in {400, 401}


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Elsewhere]:
    async with elsewhere(tmp_path, "sleutels.voorbeeld.nl") as one:
        yield one


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of what is remembered of documents."""
    moment = [1000.0]
    monkeypatch.setattr("besluitbron.admission.monotonic", lambda: moment[0])
    return moment


@pytest.fixture
def trust(web: Elsewhere, clock: list[float], platform: Platform) -> Iterator[dict[str, Any]]:
    web.pages[KEYS] = Page(json.dumps(platform.jwks()).encode())
    admission.FETCH.append(web.fetcher())
    yield {"platforms": [{"issuer": platform.name, "subjects": ["repo:bank/*:ref:main"], "keysAt": KEYS}]}
    admission.FETCH.pop()


async def test_keys_that_are_rotated_under_load_deny_nobody_and_one_that_is_gone_is_refused(
    doors: Doors, web: Elsewhere, clock: list[float]
) -> None:
    """Bad input and attack 5: keys of a platform follow each other while jobs ask."""
    old, new = doors.platform, Platform(doors.platform.name, kid="k2")
    both = {"keys": [*old.jwks()["keys"], *new.jwks()["keys"]]}

    async def asked(by: Platform, number: int) -> int:
        agent = doors.job()
        agent.identity = lambda: {"method": "platform-jwt", "token": by.vouch(f"repo:bank/{number}:ref:main")}
        return (await agent.negotiate()).status_code

    assert await asked(old, 0) == 201
    web.pages[KEYS] = Page(json.dumps(both).encode())
    clock[0] += 61
    codes = await asyncio.gather(*(asked((old, new)[number % 2], number + 1) for number in range(14)))
    assert set(codes) == {201}
    assert len(web.asked) == 2, "once for all who wait"
    web.pages[KEYS] = Page(json.dumps(new.jwks()).encode())
    clock[0] += 301
    assert [await asked(by, number) for by, number in ((new, 30), (old, 31))] == [201, 401]


async def test_a_platform_token_of_another_key_with_the_same_name_is_no_token(doors: Doors) -> None:
    """Attack 7, attack 9."""
    forged = signed(
        {"kid": "k1", "typ": "JWT"}, {"iss": doors.platform.name, "sub": JOB, "aud": SITE}, Platform("x").own
    )
    agent = doors.job()
    agent.identity = lambda: {"method": "platform-jwt", "token": forged}
    assert refused(await agent.negotiate()) == (401, "identity-invalid")
    assert public(doors.platform.own)["x"] not in forged
