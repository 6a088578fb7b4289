"""What an agent and an operator notice of a contract, one sentence each (choices A2-A5, A7-A9)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from admission.contracts import Budget, Contract, Loaded, Pool, PutAnswer, Stop, Tier
from admission.edge import Admissions, Ask, Reason
from admission.ledger import Ledger
from admission.operations import UNKNOWN
from tests.admission.asking import MOST, agreed, opened, order, search
from tests.support.valkey import PATIENCE, Valkey, private_valkey
from throttling.store import Store, StoreLostError
from throttling.work import Access

pytestmark = pytest.mark.anyio
NOW = 1_790_000_000.0


@pytest.fixture
async def store(valkey: Valkey) -> AsyncIterator[Store]:
    async with Store(valkey.address, PATIENCE) as found:
        yield found


async def reason(ledger: Admissions, ask: Ask) -> Reason | None:
    return (await ledger.decide(ask)).reason


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


async def test_the_id_of_a_contract_is_never_used_again(store: Store) -> None:
    """Attack 17 of the study."""
    ledger = await opened(store, agreed())
    await ledger.revoke(Stop.CONTRACT, "c")
    await ledger.revoke(Stop.CONTRACT, "vooruit")
    assert (await ledger.put(agreed())).answer is PutAnswer.THERE
    assert (await ledger.put(agreed("vooruit"))).answer is PutAnswer.THERE
    assert await reason(ledger, search("vooruit")) is Reason.CONTRACT_REVOKED


@pytest.mark.parametrize(
    ("what", "name", "stopped", "goes_on"),
    [
        (Stop.CONTRACT, "c", Reason.CONTRACT_REVOKED, None),
        (Stop.WORKLOAD, "w", Reason.CONTRACT_REVOKED, None),
        (Stop.ISSUER, "i", Reason.CONTRACT_REVOKED, None),
        (Stop.TOKEN, "t", Reason.TOKEN_INVALID, None),
    ],
)
async def test_what_is_revoked_stops_at_the_very_next_request_and_nothing_else_does(
    store: Store, what: Stop, name: str, stopped: Reason, goes_on: None
) -> None:
    """Choice A4."""
    ledger = await opened(store, agreed(workload="w", issuer="i"), agreed("d", workload="v", issuer="j"))
    assert await reason(ledger, search()) is None
    await ledger.revoke(what, name, seconds=300)
    assert await reason(ledger, search()) is stopped
    assert await reason(ledger, search("d", token="u")) is goes_on


async def test_a_workload_that_may_come_again_keeps_no_contract_of_before(store: Store) -> None:
    ledger = await opened(store, agreed())
    await ledger.revoke(Stop.WORKLOAD, agreed().workload)
    assert (await ledger.put(agreed("d"))).answer is PutAnswer.REVOKED
    await ledger.lift(Stop.WORKLOAD, agreed().workload)
    assert (await ledger.put(agreed("d"))).answer is PutAnswer.PUT
    assert [await reason(ledger, search(name)) for name in "cd"] == [Reason.CONTRACT_REVOKED, None]
    with pytest.raises(ValueError, match="contract"):
        await ledger.lift(Stop.CONTRACT, "c")


async def test_frozen_writes_stop_what_changes_state_and_nothing_else(store: Store) -> None:
    ledger = await opened(store, agreed())
    await ledger.revoke(Stop.WRITES)
    frozen = await ledger.decide(order())
    assert (frozen.reason, frozen.retryable, frozen.retry_after) == (Reason.ADMISSION_UNAVAILABLE, True, 300)
    assert await reason(ledger, search()) is None
    await ledger.lift(Stop.WRITES)
    assert await reason(ledger, order()) is None


async def test_a_call_that_goes_on_keeps_its_slot_and_hears_when_it_must_stop(store: Store) -> None:
    ledger = await opened(store, agreed(in_flight=1, seconds=80.0), now=NOW)
    lease = (await ledger.decide(search())).lease
    for later in (20, 40):
        ledger.frozen = NOW + later
        assert await ledger.renew([("c", lease), ("c", "onbekend")]) == ("", "lost")
    assert await reason(ledger, search()) is Reason.IN_FLIGHT_EXCEEDED
    ledger.frozen = NOW + 81
    assert await ledger.renew([("c", lease)]) == ("contract-expired",)
    assert await ledger.renew([]) == ()


async def test_open_calls_of_what_was_revoked_must_stop(store: Store) -> None:
    ledger = await opened(store, agreed())
    lease = (await ledger.decide(search())).lease
    await ledger.revoke(Stop.ISSUER, "bank.example")
    assert await ledger.renew([("c", lease)]) == ("contract-revoked",)


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


async def test_a_dry_run_lets_nothing_through_that_was_stopped(store: Store) -> None:
    ledger = await opened(store, agreed(), dry_runs=frozenset({"zoeken"}))
    proof = search(proof="p")
    assert [(await ledger.decide(one)).passes for one in (proof, search(proof="p"))] == [True, False]
    await ledger.revoke(Stop.CONTRACT, "c")
    assert not (await ledger.decide(search())).passes


async def test_what_the_edge_found_by_itself_is_told_where_nothing_worse_is_the_case(store: Store) -> None:
    ledger = await opened(store, agreed())
    barred = order(barred=Reason.APPROVAL_REQUIRED)
    assert await reason(ledger, barred) is Reason.APPROVAL_REQUIRED
    assert [event.fields["reason"] for event in await ledger.events() if event.kind == "deny"] == ["approval-required"]
    await ledger.revoke(Stop.CONTRACT, "c")
    assert await reason(ledger, barred) is Reason.CONTRACT_REVOKED


async def test_what_goes_on_hears_of_its_end(store: Store) -> None:
    """Choice A4: revoking a token or a contract ends what goes on under it, and nothing else."""
    ledger = await opened(store, agreed(), agreed("d"), now=NOW)
    calls = [("c", "t"), ("c", "u"), ("d", "v"), ("weg", "t")]
    assert await ledger.watch(calls) == ("", "", "", "contract-expired")
    await ledger.revoke(Stop.TOKEN, "t", seconds=300)
    await ledger.revoke(Stop.CONTRACT, "d")
    assert await ledger.watch(calls[:3]) == ("token-invalid", "", "contract-revoked")
    ledger.frozen = NOW + 3600
    assert await ledger.watch([("c", "u")]) == ("contract-expired",)


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


async def test_the_end_of_a_contract_is_one_event(store: Store) -> None:
    ledger = await opened(store, agreed(seconds=10.0), now=NOW)
    ledger.frozen = NOW + 10
    assert await reason(ledger, search()) is Reason.CONTRACT_EXPIRED
    assert [await ledger.expire(), await ledger.expire()] == [1, 0]
    assert [event.kind for event in await ledger.events()].count("expire") == 1


async def test_without_the_store_nothing_is_let_through_and_revoking_says_so() -> None:
    """Choice A9, attack 21 of the study. A dry run neither: it would leave no event."""
    with private_valkey() as server:
        async with Store(server.address, 0.5) as store:
            ledger = await opened(store, agreed(), dry_runs=frozenset({"zoeken"}))
            server.kill()
            for ask in (search(), order()):
                decision = await ledger.decide(ask)
                assert (decision.reason, decision.retry_after) == (Reason.ADMISSION_UNAVAILABLE, 5)
                assert decision.retryable
            assert not (await ledger.decide(order())).passes
            assert await ledger.renew([("c", "x")]) == ("admission-unavailable",)
            with pytest.raises(StoreLostError):
                await ledger.revoke(Stop.CONTRACT, "c")


class Babbling(Store):
    """A store that answers something else."""

    answer: object = b""

    async def run(self, *asked: Any, **how: Any) -> object:
        return self.answer


@pytest.mark.parametrize(
    "answer", [b"", b"x", b"1.0|", b"1.0|a|b", b"1.0||1|1|1", b"1.0|zomaar|1|1|1|1|1", b"\xff", 7, None]
)
async def test_a_store_that_answers_nonsense_lets_nothing_through(answer: object) -> None:
    store = Babbling("unix:///nergens")
    store.answer = answer
    ledger: Admissions = Ledger(store)
    assert await reason(ledger, search()) is Reason.ADMISSION_UNAVAILABLE
    assert not (await ledger.renew([("c", "een"), ("c", "twee")])).count("")
    with pytest.raises(StoreLostError):
        await ledger.put(agreed())
    with pytest.raises(StoreLostError):
        await ledger.expire()
    if answer != b"":
        with pytest.raises(StoreLostError):
            await ledger.events()


def loaded(contract: Contract, **other: Any) -> Loaded:
    given: dict[str, Any] = {"left": 90, "writes_left": 5, "margin": 20, "writes_margin": 1}
    return Loaded(contract=contract, **(given | other))


async def test_a_store_that_was_started_again_allows_nothing_until_contracts_are_loaded_with_a_margin() -> None:
    """Attack 21 of the study: also a store that kept its file may miss the last second of it, and a revocation in that."""
    with private_valkey(keeps=True) as server:
        async with Store(server.address, PATIENCE) as store:
            ledger = await opened(store, agreed(), agreed("d"), agreed("e"))
            for name in "cde":
                await ledger.decide(search(name, cost=30))
            server.kill()
            server.start()
            assert await reason(ledger, search()) is Reason.ADMISSION_UNAVAILABLE
            await ledger.load([loaded(agreed()), loaded(agreed("d"), revoked=True)])
            assert await ledger.open(60)
            standing = await ledger.look("c")
            assert standing is not None
            assert (standing.left, standing.writes_left) == (50, 4)
            assert [await reason(ledger, search(name)) for name in "cde"] == [
                None,
                Reason.CONTRACT_REVOKED,
                Reason.ADMISSION_UNAVAILABLE,
            ]
            assert await reason(ledger, order()) is Reason.ADMISSION_UNAVAILABLE


async def test_a_store_that_lost_everything_begins_at_the_checkpoint_less_a_margin_and_knows_what_was_revoked() -> None:
    with private_valkey() as server:
        async with Store(server.address, PATIENCE) as store:
            ledger = await opened(store, agreed(), agreed("d"))
            server.flush()
            assert await reason(ledger, search()) is Reason.ADMISSION_UNAVAILABLE
            assert (await ledger.put(agreed("e"))).answer is PutAnswer.CLOSED
            await ledger.revoke(Stop.CONTRACT, "d")  # while its row was read already
            await ledger.load([loaded(agreed()), loaded(agreed("d"))])
            await ledger.open(0)
            standing = await ledger.look("c")
            assert standing is not None
            assert standing.left == 70
            assert [await reason(ledger, search(name)) for name in "cd"] == [None, Reason.CONTRACT_REVOKED]


async def test_a_contract_ends_in_its_own_time_however_the_servers_clock_is_set(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attack 4 of the study: what another process set back gives nobody more time, as the callers know how much went by."""
    true = [1000.0]
    monkeypatch.setattr("admission.ledger.monotonic", lambda: true[0])
    ledger = await opened(store, agreed(seconds=60.0))
    before = await ledger.look("c")
    true[0] += 59
    late = await reason(ledger, search())
    true[0] += 2
    assert before is not None
    assert (late, await reason(ledger, search())) == (None, Reason.CONTRACT_EXPIRED)


async def test_a_budget_of_nothing_is_not_granted(store: Store) -> None:
    ledger = await opened(store)
    assert (await ledger.put(agreed(units=0))).answer is PutAnswer.SPENT
    assert (await ledger.put(agreed(in_flight=0))).answer is PutAnswer.SPENT
    assert (await ledger.put(agreed(units=MOST.units + 1))).granted.units == MOST.units


async def test_one_slow_answer_of_the_store_is_a_refusal_and_no_wait() -> None:
    """The store hangs: whoever asks hears within its patience that admission is not available."""
    with private_valkey() as server:
        async with Store(server.address, 0.2) as store, asyncio.timeout(30):
            ledger = await opened(store, agreed())
            redis = store._open()
            await redis.client_pause(20_000)
            assert await reason(ledger, search()) is Reason.ADMISSION_UNAVAILABLE
