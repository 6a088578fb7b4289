"""Contracts survive their store: they come back with less and never with more, and what happened is kept (choices A4, A6)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from pytest_django import Settings

from admission import events
from admission.contracts import Stop
from admission.gatehouse import Gatehouse
from admission.models import EVENTS_FOR, AdmissionEvent, Agreement
from admission.stopping import stop
from admission.storage import Order
from admission.upkeep import Upkeep, keep_events, load, look_after
from tests.admission.asking import agreed, order, search
from tests.admission.test_stopping import given
from tests.support.admission import gatehouse_at
from tests.support.serving import BOUND
from tests.support.threads import in_thread
from tests.support.valkey import Valkey
from throttling.store import StoreLostError

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database")]


@pytest.fixture
async def house(valkey: Valkey, settings: Settings) -> AsyncIterator[Gatehouse]:
    async with gatehouse_at(valkey, settings) as one:
        yield one


async def used(house: Gatehouse, contract: str, times: int) -> None:
    for _ in range(times):
        decision = await house.admissions.decide(search(contract))
        assert decision.allowed
        await house.admissions.release(contract, decision.lease)


async def test_after_a_loss_of_the_store_all_comes_back_with_what_was_left_less_a_margin(
    house: Gatehouse, valkey: Valkey
) -> None:
    """Attack 21: the store loses all it had."""
    await given(house, agreed("c", units=100))
    await given(house, agreed("d", units=100))
    await used(house, "c", 30)
    await stop(house, Order(what=Stop.CONTRACT, name="d", by="a"))
    await keep_events(house)
    valkey.flush()
    assert (await house.admissions.decide(search("c"))).reason == "admission-unavailable"
    await Upkeep(house, quiet=60.0).once()
    standing = await house.admissions.look("c")
    assert standing is not None
    assert standing.left == 100 - 30 - 20 - 10
    assert (await house.admissions.decide(search("c"))).allowed
    assert (await house.admissions.decide(search("d"))).reason == "contract-revoked"
    assert (await house.admissions.decide(order("c"))).reason == "admission-unavailable"


async def test_a_stopped_workload_and_frozen_changes_are_so_before_anything_is_let_through(
    house: Gatehouse, valkey: Valkey
) -> None:
    """Attack 21, with attack 16: what was stopped is not forgotten with the store."""
    await given(house, agreed("c"))
    await stop(house, Order(what=Stop.WORKLOAD, name=agreed().workload, by="a"))
    await stop(house, Order(what=Stop.WRITES, by="a"))
    await stop(house, Order(what=Stop.TOKEN, name="t", by="a", seconds=300.0))
    valkey.flush()
    await load(house, 0.0)
    assert (await house.admissions.decide(search("c"))).reason == "contract-revoked"
    assert (await house.admissions.put(agreed("d"))).answer == "revoked"
    other = agreed("e", workload="spiffe://bank.example/other")
    await given(house, other)
    assert (await house.admissions.decide(search("e"))).reason == "token-invalid"
    assert (await house.admissions.decide(order("e", token="u"))).reason == "admission-unavailable"


async def test_an_order_that_was_not_heard_is_told_at_the_next_look(house: Gatehouse, valkey: Valkey) -> None:
    """Attack 16: the store is away as an operator revokes."""
    await given(house, agreed("c"))
    valkey.kill()
    try:
        with pytest.raises(StoreLostError):
            await stop(house, Order(what=Stop.CONTRACT, name="c", by="a"))
    finally:
        valkey.start()
    await Upkeep(house, quiet=0.0).once()
    assert (await house.admissions.decide(search("c"))).reason == "contract-revoked"


async def test_every_event_is_kept_once_whoever_keeps_it(house: Gatehouse) -> None:
    await given(house, agreed("c"))
    await used(house, "c", 3)
    assert (await house.admissions.decide(search("c", resource="/elders"))).reason == "out-of-scope"
    for _ in range(3):
        await look_after(house)
    rows = await in_thread(
        lambda: list(AdmissionEvent.objects.order_by("pk").values_list("kind", "reason", "operation"))
    )
    assert rows == [
        ("open", "", ""),
        ("negotiate", "", ""),
        *[("allow", "", "zoeken")] * 3,
        ("deny", "out-of-scope", "zoeken"),
    ]
    row = await in_thread(Agreement.objects.get)
    assert (row.left, row.writes_left, row.refused) == (97, 5, 1)


async def test_what_happened_is_kept_for_ninety_days(house: Gatehouse) -> None:
    await given(house, agreed("c"))
    await keep_events(house)
    await house.books(events.forget, house.now() + EVENTS_FOR - timedelta(minutes=1))
    assert await in_thread(AdmissionEvent.objects.count) == 2
    await house.books(events.forget, house.now() + EVENTS_FOR + timedelta(minutes=1))
    assert await in_thread(AdmissionEvent.objects.count) == 0


async def test_a_process_that_starts_opens_the_store_by_itself(house: Gatehouse, valkey: Valkey) -> None:
    await given(house, agreed("c"))
    valkey.flush()
    async with Upkeep(house, every=0.01, quiet=0.0), asyncio.timeout(BOUND):
        while (await house.admissions.decide(search("c"))).reason == "admission-unavailable":
            pass
    assert (await house.admissions.decide(search("c"))).allowed
