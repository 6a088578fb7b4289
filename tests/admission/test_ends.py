"""A contract ends by itself, or is stopped at the very next request, and stays so (choice A4)."""

from __future__ import annotations

import pytest

from admission.contracts import PutAnswer, Stop
from admission.edge import Reason
from tests.admission.asking import NOW, agreed, opened, order, reason, search
from throttling.store import Store

pytestmark = pytest.mark.anyio


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


async def test_a_dry_run_lets_nothing_through_that_was_stopped(store: Store) -> None:
    ledger = await opened(store, agreed(), dry_runs=frozenset({"zoeken"}))
    proof = search(proof="p")
    assert [(await ledger.decide(one)).passes for one in (proof, search(proof="p"))] == [True, False]
    await ledger.revoke(Stop.CONTRACT, "c")
    assert not (await ledger.decide(search())).passes


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


async def test_the_end_of_a_contract_is_one_event(store: Store) -> None:
    ledger = await opened(store, agreed(seconds=10.0), now=NOW)
    ledger.frozen = NOW + 10
    assert await reason(ledger, search()) is Reason.CONTRACT_EXPIRED
    assert [await ledger.expire(), await ledger.expire()] == [1, 0]
    assert [event.kind for event in await ledger.events()].count("expire") == 1


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
