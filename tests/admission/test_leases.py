"""What goes on under a contract keeps its slot, and hears of its end, whatever the store does (choice A4, attack 12)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from admission.contracts import Stop
from admission.edge import LEASE_SECONDS, Reason
from admission.leases import LOOK_SECONDS, RENEW_SECONDS, Held, Leases
from tests.admission.asking import agreed, opened, search
from tests.support.serving import BOUND
from throttling.store import Store, StoreLostError

pytestmark = pytest.mark.anyio
NOW = 1_790_000_000.0


@dataclass
class Told:
    """Admissions that say what a test wants, and remember what they were asked."""

    word: str = ""
    renewal: str = ""
    lost: bool = False
    watched: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    renewed: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    released: list[tuple[str, str, bool]] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self, calls: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        self.watched.append(tuple(calls))
        self.asked.set()
        if self.lost:
            raise StoreLostError
        return (self.word,) * len(calls)

    async def renew(self, leases: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        self.renewed.append(tuple(leases))
        return (self.renewal,) * len(leases)

    async def release(self, contract: str, lease: str, *, not_reached: bool = False) -> bool:
        self.released.append((contract, lease, not_reached))
        if self.lost:
            raise StoreLostError
        return not_reached


@pytest.fixture
def told() -> Told:
    return Told()


def looking(told: Told, **changed: float) -> Leases:
    given: Any = {"look": 0.005, "renew": 0.0, "lost": 3600.0, "most": 3600.0} | changed
    admissions: Any = told
    return Leases(admissions, **given)


async def reason(held: Held) -> Reason:
    async with asyncio.timeout(BOUND):
        return await held.stop


def test_a_stream_is_looked_at_twice_a_second_and_a_slot_renewed_three_times_in_its_life() -> None:
    assert LOOK_SECONDS <= 0.5
    assert RENEW_SECONDS * 3 <= LEASE_SECONDS


async def test_all_calls_of_a_contract_are_one_question(told: Told) -> None:
    async with looking(told) as leases:
        for number in range(50):
            leases.hold("c", f"l{number}", "t")
        leases.hold("d", "m", "u")
        await told.asked.wait()
        while not told.renewed:
            await asyncio.sleep(0.001)
    assert told.watched[0] == (("c", "t"), ("d", "u"))
    assert len(told.renewed[0]) == 51


async def test_nothing_is_asked_while_nothing_goes_on(told: Told) -> None:
    async with looking(told) as leases:
        held = leases.hold("c", "l", "t")
        held.reached = True
        await told.asked.wait()
        assert await leases.release(held)
        before = len(told.watched)
        for _ in range(20):
            await asyncio.sleep(0.005)
        assert len(told.watched) <= before + 1
    assert told.released == [("c", "l", False)]


async def test_what_is_over_twice_is_given_back_once_and_without_an_origin_with_its_units(told: Told) -> None:
    leases = looking(told)
    held = leases.hold("c", "l", "t")
    assert [await leases.release(held), await leases.release(held)] == [True, False]
    assert told.released == [("c", "l", True)]


@pytest.mark.parametrize("word", ["contract-revoked", "contract-expired", "token-invalid"])
async def test_what_was_stopped_ends_with_its_reason(told: Told, word: str) -> None:
    told.word = word
    async with looking(told) as leases:
        assert await reason(leases.hold("c", "l", "t")) == word


async def test_a_slot_that_is_somebody_elses_by_now_ends_its_call(told: Told) -> None:
    told.renewal = "lost"
    async with looking(told) as leases:
        assert await reason(leases.hold("c", "l", "t")) is Reason.ADMISSION_UNAVAILABLE


async def test_a_call_that_never_ends_loses_its_slot(told: Told) -> None:
    """Attack 12 of the study: a client that reads slowly."""
    async with looking(told, most=0.01) as leases:
        assert await reason(leases.hold("c", "l", "t")) is Reason.IN_FLIGHT_EXCEEDED


@pytest.mark.parametrize("word", ["", "admission-unavailable"], ids=["lost", "started again"])
async def test_without_the_store_a_call_goes_on_for_a_moment_and_then_ends(told: Told, word: str) -> None:
    """Attack 21 of the study."""
    told.lost, told.word = not word, word
    async with looking(told) as leases:
        held = leases.hold("c", "l", "t")
        while len(told.watched) < 5:
            await asyncio.sleep(0.001)
        assert not held.stop.done()
        await leases.release(held)
    async with looking(told, lost=0.02) as leases:
        assert await reason(leases.hold("c", "l", "t")) is Reason.ADMISSION_UNAVAILABLE


async def test_a_slot_is_kept_for_as_long_as_its_call_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a real store, in invented time: a call that takes three leases."""
    ledger = await opened(store, agreed(in_flight=1), now=NOW)
    renewed = asyncio.Event()
    renew = ledger.renew

    async def heard(leases: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        said = await renew(leases)
        renewed.set()
        return said

    monkeypatch.setattr(ledger, "renew", heard)
    async with Leases(ledger, look=0.005, renew=0.0) as leases:
        held = leases.hold("c", (await ledger.decide(search())).lease, "t")
        for step in range(1, 5):
            ledger.frozen = NOW + step * 0.8 * LEASE_SECONDS
            renewed.clear()
            for _ in range(2):  # the first may have been under way
                await asyncio.wait_for(renewed.wait(), BOUND)
                renewed.clear()
            assert (await ledger.decide(search())).reason is Reason.IN_FLIGHT_EXCEEDED
        await ledger.revoke(Stop.CONTRACT, "c")
        assert await reason(held) is Reason.CONTRACT_REVOKED
        await leases.release(held)
    standing = await ledger.look("c")
    assert standing is not None
    assert standing.in_flight == 0
