"""What an agent and an operator notice of a contract, one sentence each (choices A2-A5, A7-A9)."""

from __future__ import annotations

import pytest

from admission.contracts import Budget, Pool, PutAnswer, Stop, Tier
from admission.edge import Ask, Reason
from admission.operations import UNKNOWN
from tests.admission.asking import MOST, NOW, agreed, opened, order, reason, search
from throttling.store import Store
from throttling.work import Access

pytestmark = pytest.mark.anyio


async def test_a_request_within_its_contract_passes_and_says_what_is_left(store: Store) -> None:
    ledger = await opened(store, agreed(units=10, writes=2))
    decision = await ledger.decide(order(cost=4))
    assert decision.allowed
    assert (decision.left, decision.writes_left, decision.in_flight, decision.cap) == (6, 1, 1, 5)


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (search(operation=UNKNOWN, token_class=Access.WRITE), Reason.OUT_OF_SCOPE),
        (search(operation=UNKNOWN), Reason.CLASS_MISMATCH),
        (search(token_class=Access.WRITE), Reason.CLASS_MISMATCH),
        (order(token_class=Access.READ), Reason.CLASS_MISMATCH),
        (search(resource="/document/a"), Reason.OUT_OF_SCOPE),
        (search(resource="/zoekenx"), Reason.OUT_OF_SCOPE),
        (search(resource=""), Reason.OUT_OF_SCOPE),
        (search(resource="/zoeken/stroom"), None),
        (search(cost=101), Reason.QUOTA_EXHAUSTED),
        (search("nooit-gezien"), Reason.CONTRACT_EXPIRED),
    ],
)
async def test_what_lies_outside_the_contract_is_refused_with_its_reason(
    store: Store, ask: Ask, expected: Reason | None
) -> None:
    ledger = await opened(store, agreed())
    assert await reason(ledger, ask) is expected


@pytest.mark.parametrize("tier", [tier for tier in Tier if tier is not Tier.FEDERATED])
async def test_only_who_proves_a_running_job_may_change_state(store: Store, tier: Tier) -> None:
    """Choices A1 and A8."""
    ledger = await opened(store)
    put = await ledger.put(agreed(tier=tier))
    assert put.granted.writes == 0
    assert await reason(ledger, order()) is Reason.CLASS_MISMATCH
    assert await reason(ledger, search()) is None


async def test_a_proof_is_good_once_and_only_in_its_own_contract(store: Store) -> None:
    """Attack 1 of the study: one client's proof does not burn another's."""
    ledger = await opened(store, agreed(), agreed("d"))
    first = search(proof="p")
    assert await reason(ledger, first) is None
    assert await reason(ledger, search(proof="p")) is Reason.PROOF_INVALID
    assert await reason(ledger, search("d", proof="p")) is None


async def test_a_proof_is_remembered_as_long_as_it_can_be_used(store: Store) -> None:
    ledger = await opened(store, agreed(), now=NOW)
    await ledger.decide(search(proof="p"))
    ledger.frozen = NOW + 119
    assert await reason(ledger, search(proof="p")) is Reason.PROOF_INVALID
    ledger.frozen = NOW + 121
    assert await reason(ledger, search(proof="p")) is None


async def test_a_request_that_a_proxy_repeats_is_charged_once_and_leaves_one_event(store: Store) -> None:
    """Attack 11 of the study: double decrement by a retry."""
    ledger = await opened(store, agreed())
    ask = search(cost=3)
    first, second = await ledger.decide(ask), await ledger.decide(ask)
    assert first == second
    assert first.left == 97
    assert [event.kind for event in await ledger.events()] == ["open", "negotiate", "allow"]


async def test_units_come_back_once_and_only_where_the_origin_was_never_reached(store: Store) -> None:
    ledger = await opened(store, agreed())
    reached, missed = await ledger.decide(search(cost=3)), await ledger.decide(order(cost=2))
    assert not await ledger.release("c", reached.lease)
    assert await ledger.release("c", missed.lease, not_reached=True)
    assert not await ledger.release("c", missed.lease, not_reached=True)
    standing = await ledger.look("c")
    assert standing is not None
    assert (standing.left, standing.writes_left, standing.in_flight) == (97, 5, 0)


async def test_calls_at_once_are_counted_over_all_contracts_of_a_workload(store: Store) -> None:
    most = Budget(in_flight=3, units=1000, writes=0)
    ledger = await opened(store, *(agreed(name, most=most) for name in "cd"), agreed("e", workload="anders"))
    said = [await reason(ledger, search(name)) for name in "cdcde"]
    assert said == [None, None, None, Reason.IN_FLIGHT_EXCEEDED, None]


async def test_a_workload_has_three_contracts_at_most_and_no_more_in_all_than_its_tier(store: Store) -> None:
    """Choice A3. Giving one back and asking again gives no more."""
    most = Budget(in_flight=2, units=250, writes=1)
    ledger = await opened(store)
    granted = [(await ledger.put(agreed(name, units=100, writes=1, most=most))) for name in "cde"]
    assert [put.granted.units for put in granted] == [100, 100, 50]
    assert [put.granted.writes for put in granted] == [1, 0, 0]
    assert {put.granted.in_flight for put in granted} == {2}
    assert (await ledger.put(agreed("f", most=most))).answer is PutAnswer.MANY
    await ledger.revoke(Stop.CONTRACT, "c")
    assert (await ledger.put(agreed("f", most=most))).answer is PutAnswer.SPENT


async def test_many_keys_get_no_more_together_than_the_shared_pool(store: Store) -> None:
    """Attack 13 of the study. Of these keys each comes once: the first that do take all there is."""
    pool = Pool("alle-sleutels", 4, 30, 60)
    ledger = await opened(store, now=NOW)
    await ledger.put(agreed(tier=Tier.AD_HOC, pools=(pool,)))
    # Nobody knows what was used before the store was opened: all of it, then.
    assert await reason(ledger, search()) is Reason.PUBLIC_LIMIT
    ledger.frozen = NOW + 60
    allowed = 0
    for number in range(300):
        key = agreed(f"k{number}", workload=f"jkt:{number}", issuer="jkt", tier=Tier.AD_HOC, pools=(pool,))
        await ledger.put(key)
        decision = await ledger.decide(search(key.id))
        allowed += decision.allowed
        if decision.allowed:
            await ledger.release(key.id, decision.lease)
        else:
            assert (decision.reason, decision.retryable) == (Reason.PUBLIC_LIMIT, True)
            assert decision.retry_after == 2
    assert allowed == 30


async def test_a_dry_run_is_decided_written_and_let_through(store: Store) -> None:
    ledger = await opened(store, agreed(), dry_runs=frozenset({"zoeken", "rapport-aanvragen"}))
    decision = await ledger.decide(search(cost=101))
    assert (decision.allowed, decision.passes, decision.reason) == (False, True, Reason.QUOTA_EXHAUSTED)
    last = (await ledger.events())[-1]
    assert (last.kind, last.fields["reason"], last.fields["dry"]) == ("deny", "quota-exhausted", "1")
    assert not (await ledger.decide(order(cost=101))).passes


async def test_what_the_edge_found_by_itself_is_told_where_nothing_worse_is_the_case(store: Store) -> None:
    ledger = await opened(store, agreed())
    barred = order(barred=Reason.APPROVAL_REQUIRED)
    assert await reason(ledger, barred) is Reason.APPROVAL_REQUIRED
    assert [event.fields["reason"] for event in await ledger.events() if event.kind == "deny"] == ["approval-required"]
    await ledger.revoke(Stop.CONTRACT, "c")
    assert await reason(ledger, barred) is Reason.CONTRACT_REVOKED


async def test_an_event_says_all_but_what_was_looked_for(store: Store) -> None:
    """Choice A6. Of an address nothing is written: it may be what somebody looked for."""
    ledger = await opened(store, agreed(), node="n1")
    await ledger.decide(search(resource="/zoeken/geheim"))
    await ledger.decide(search(resource="/geheim"))
    await ledger.expire()
    events = await ledger.events()
    assert [event.kind for event in events] == ["open", "negotiate", "allow", "deny"]
    denied = events[-1].fields
    assert denied["reason"] == "out-of-scope"
    assert (denied["workload"], denied["op"], denied["node"]) == ("spiffe://bank.example/indexer", "zoeken", "n1")
    assert "geheim" not in str(events)
    assert await ledger.events(events[-2].id) == events[-1:]


async def test_a_budget_of_nothing_is_not_granted(store: Store) -> None:
    ledger = await opened(store)
    assert (await ledger.put(agreed(units=0))).answer is PutAnswer.SPENT
    assert (await ledger.put(agreed(in_flight=0))).answer is PutAnswer.SPENT
    assert (await ledger.put(agreed(units=MOST.units + 1))).granted.units == MOST.units
