"""A refusal without an event of its own is one in a count: one event a minute, by place and reason (decision record 0030)."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from django.test import Client
from pytest_django import Settings

from admission import events
from admission.models import AdmissionEvent
from admission.upkeep import Upkeep
from tests.product.contracts.conftest import Doors, opened
from tests.product.test_incoming import figures
from tests.support.agent import Platform
from tests.support.serving import BOUND
from tests.support.threads import in_thread
from tests.support.valkey import Valkey
from throttling.store import Store

pytestmark = pytest.mark.anyio
READ = "/api/v1/platforms"


async def told(doors: Doors) -> dict[tuple[str, str, str], int]:
    """What the events say of refusals by nobody known: kind, place and reason, with how many."""
    found: Counter[tuple[str, str, str]] = Counter()
    for event in await doors.house.admissions.events():
        if "count" in event.fields:
            found[event.kind, event.fields["op"], event.fields["reason"]] += int(event.fields["count"])
            assert set(event.fields) <= {"op", "reason", "count", "node", "at"}, "nothing of what was sent"
    return dict(found)


@pytest.fixture
def minute(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of what was counted."""
    clock = [1000.0]
    monkeypatch.setattr("besluitbron.admission.monotonic", lambda: clock[0])
    return clock


async def test_every_refusal_is_in_the_count_of_its_place_and_reason(minute: list[float], doors: Doors) -> None:
    """Choice A6, and bad input: one refusal, one in the count."""
    agent, house = doors.ad_hoc(), doors.house
    for _ in range(3):
        assert (await doors.http.get(READ, headers={"Authorization": "Bearer x"})).status_code == 401
    assert (await doors.http.post("/api/v1/rapporten", json={"vraag": "dijk"})).status_code == 401
    assert (await agent.negotiate(agent.wish("bestaat-niet"))).status_code == 400
    assert (await doors.http.post("/admission/contracts", content=b"[")).status_code == 400
    assert (await agent.negotiate(DPoP="x")).status_code == 401
    assert (await agent.token()).status_code == 400
    assert (await agent.token("nietbestaand")).status_code == 400
    where = "/admission/contracts/ctr_NIETER"
    assert (await doors.http.get(where, headers={"DPoP": agent.proof("GET", where)})).status_code == 404
    expected = {
        ("deny", "(deur)", "token-invalid"): 3,
        ("deny", "(openbaar)", "token-required"): 1,
        ("deny", "(contract)", "ongeldige-invoer"): 2,
        ("deny", "(contract)", "proof-invalid"): 1,
        ("deny", "(contract)", "niet-gevonden"): 1,
        ("deny", "(pasje)", "ongeldige-invoer"): 2,
    }
    await house.tally.tell(house.admissions.note)
    assert await told(doors) == {}, "not before its minute"
    minute[0] += 60
    await house.tally.tell(house.admissions.note)
    assert await told(doors) == expected
    minute[0] += 60
    await house.tally.tell(house.admissions.note)
    assert await told(doors) == expected, "what was told is not told again"
    counted = figures((await doors.http.get("/metrics")).text)
    assert counted["besluitbron_admission_refused_total", "(deur)", "token-invalid"] == 3


async def test_a_refusal_under_a_contract_has_an_event_of_its_own_and_is_not_counted(doors: Doors) -> None:
    agent, house = doors.job(), doors.house
    assert (await agent.negotiate()).status_code == 201
    assert (await agent.token("write")).status_code == 400
    assert (await agent.token()).status_code == 200
    assert (await agent.call("GET", "/privacy")).status_code == 403
    await house.tally.tell_last(house.admissions.note)
    assert await told(doors) == {}
    denied = [event.fields for event in await house.admissions.events() if event.kind == "deny"]
    assert [one["contract"] for one in denied] == [agent.contract["contract"]] * 2


async def test_a_flood_leaves_as_many_events_as_there_are_reasons(doors: Doors) -> None:
    """Attack 20: the same room whatever comes in, and no event less than what happened."""
    house, flood = doors.house, 150
    for number in range(flood):
        await doors.http.get(READ, headers={"Authorization": f"Bearer {number}"})
    assert len(house.tally.totals) == 2
    await house.tally.tell_last(house.admissions.note)
    counted = [event for event in await house.admissions.events() if "count" in event.fields]
    assert sorted(event.fields["reason"] for event in counted) == ["public-limit", "token-invalid"]
    assert sum((await told(doors)).values()) == flood


async def test_what_was_refused_while_the_store_was_away_is_told_when_it_is_back(doors: Doors, store: Valkey) -> None:
    """Attack 21."""
    agent, house = doors.job(), doors.house
    assert (await agent.negotiate()).status_code == 201
    assert (await agent.token()).status_code == 200
    store.kill()
    try:
        assert (await agent.call("GET", READ)).status_code == 503
        assert (await agent.negotiate()).status_code == 503
        await house.tally.tell_last(house.admissions.note)
    finally:
        store.start()
    await house.admissions.open(0.0)
    await house.tally.tell_last(house.admissions.note)
    assert await told(doors) == {
        ("deny", "(deur)", "admission-unavailable"): 1,
        ("deny", "(contract)", "admission-unavailable"): 1,
    }


@pytest.mark.usefixtures("database", "trusting")
async def test_a_process_that_ends_tells_what_it_counted_and_an_operator_finds_it(
    settings: Settings, platform: Platform, domain: Platform, store: Valkey
) -> None:
    settings.ADMISSION_FACTORY = "besluitbron.admission.open_admission"
    async with opened(settings, platform, domain) as doors:
        assert (await doors.http.get(READ, headers={"Authorization": "Bearer x"})).status_code == 401
        async with asyncio.timeout(BOUND), Upkeep(doors.house):
            while not await doors.house.admissions.is_open():
                await asyncio.sleep(0.01)
    async with Store(store.address) as again:
        doors.house.admissions._store = again
        assert await told(doors) == {("deny", "(deur)", "token-invalid"): 1}
        kept = await in_thread(events.last)  # its upkeep may have kept some already
        happened = await doors.house.admissions.events(kept)
    await in_thread(events.keep, happened, doors.house.now())
    page = await in_thread(_page_of_events)
    assert "(deur)" in page
    assert "count=1" in page


def _page_of_events() -> str:
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - of a database that is there by now

    assert AdmissionEvent.objects.filter(reason="token-invalid", operation="(deur)").exists()
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("beheer"))
    return client.get("/beheer/admission/admissionevent/?reden=token-invalid").content.decode()
