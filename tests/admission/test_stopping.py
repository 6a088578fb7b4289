"""What is stopped stays stopped: written down first, told to the store then, and told again if it did not hear (choice A4)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest
from pytest_django import Settings

from admission import storage
from admission.contracts import Budget, Contract, Stop
from admission.gatehouse import Gatehouse
from admission.models import Agreement, Approval, ApprovalState, Stopped
from admission.rules import Said
from admission.stopping import lift, stop
from admission.storage import Draft, Order
from admission.upkeep import keep_events
from tests.admission.asking import agreed, search
from tests.admission.test_approvals import CHANGE, asked
from tests.support.admission import gatehouse_at
from tests.support.threads import in_thread
from tests.support.valkey import Valkey
from throttling.store import StoreLostError

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database")]
SAID = Said(
    purpose="search",
    note="",
    owner="A",
    owner_contact="mailto:a@b.nl",
    expected_units=1,
    expected_writes=0,
    expected_note="",
)


@pytest.fixture
async def house(valkey: Valkey, settings: Settings) -> AsyncIterator[Gatehouse]:
    async with gatehouse_at(valkey, settings) as one:
        yield one


async def given(house: Gatehouse, contract: Contract) -> None:
    """A contract, as negotiating leaves it."""
    draft = Draft(
        contract=contract, handle=contract.id, client=contract.workload, jkt="k", key=contract.id, asked="w", said=SAID
    )
    await house.books(storage.begin, draft, house.now())
    put = await house.admissions.put(contract)
    await house.books(storage.settle, contract.id, put.granted)


@pytest.mark.parametrize(
    ("what", "name"), [(Stop.CONTRACT, "c"), (Stop.WORKLOAD, agreed().workload), (Stop.ISSUER, agreed().issuer)]
)
async def test_the_very_next_request_is_refused_and_the_database_knows_why(
    house: Gatehouse, what: Stop, name: str
) -> None:
    await given(house, agreed())
    assert (await house.admissions.decide(search())).allowed
    await stop(house, Order(what=what, name=name, by="beheerder", why="te druk"))
    assert (await house.admissions.decide(search())).reason == "contract-revoked"
    row, order = await in_thread(Agreement.objects.get), await in_thread(Stopped.objects.get)
    assert row.revoked_at
    assert (order.by, order.why) == ("beheerder", "te druk")
    assert order.applied_at


async def test_what_waits_for_an_operator_is_cancelled_with_its_contract(house: Gatehouse) -> None:
    await given(house, agreed())
    await in_thread(asked, replace(CHANGE, contract="c"), house.now())
    await stop(house, Order(what=Stop.CONTRACT, name="c", by="a"))
    assert (await in_thread(Approval.objects.get)).state == ApprovalState.CANCELLED


async def test_a_lifted_workload_may_come_again_and_its_old_contract_stays_revoked(house: Gatehouse) -> None:
    await given(house, agreed())
    await stop(house, Order(what=Stop.WORKLOAD, name=agreed().workload, by="a"))
    assert (await house.admissions.put(agreed("d"))).answer == "revoked"
    await lift(house, Stop.WORKLOAD, agreed().workload, by="b")
    assert (await house.admissions.put(agreed("d"))).answer == "put"
    assert (await house.admissions.decide(search())).reason == "contract-revoked"
    assert (await in_thread(Stopped.objects.get)).lifted_by == "b"


async def test_an_order_that_the_store_did_not_hear_is_kept_to_be_told_again(house: Gatehouse, valkey: Valkey) -> None:
    """Attack 16: a revocation that is lost on its way."""
    await given(house, agreed())
    valkey.kill()
    try:
        with pytest.raises(StoreLostError):
            await stop(house, Order(what=Stop.CONTRACT, name="c", by="a"))
    finally:
        valkey.start()
    unheard = await house.books(storage.orders, house.now(), unheard=True)
    assert [(order.what, order.name) for _, order in unheard] == [(Stop.CONTRACT, "c")]


async def test_a_contract_comes_back_with_less_than_it_had_and_a_revoked_one_comes_back_revoked(
    house: Gatehouse,
) -> None:
    await given(house, agreed("c", units=100))
    await given(house, agreed("d", units=100))
    assert (await house.admissions.decide(search("c", cost=10))).allowed
    await keep_events(house)
    await stop(house, Order(what=Stop.CONTRACT, name="d", by="a"))
    found = {one.contract.id: one for one in await house.books(storage.living, house.now())}
    assert (found["c"].left, found["c"].margin, found["c"].revoked) == (90, 30, False)
    assert found["d"].revoked
    assert found["c"].contract.budget == Budget(in_flight=5, units=100, writes=5)


async def test_a_contract_of_which_no_token_is_asked_lapses(house: Gatehouse) -> None:
    await given(house, agreed("c"))
    await given(house, agreed("d"))
    await house.books(storage.first_token, "d", house.now())
    assert await house.books(storage.lapsed, house.now()) == []
    assert await house.books(storage.lapsed, house.now() + timedelta(minutes=5)) == ["c"]
    assert await house.books(storage.lapsed, house.now() + timedelta(minutes=5)) == []
