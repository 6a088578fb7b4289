"""A store that is gone, was started again, or talks nonsense lets nobody through (choice A9, attack 21)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from admission.contracts import Contract, Loaded, PutAnswer, Stop
from admission.edge import Admissions, Reason
from admission.ledger import Ledger
from tests.admission.asking import agreed, opened, order, reason, search
from tests.support.valkey import PATIENCE, private_valkey
from throttling.store import Store, StoreLostError

pytestmark = pytest.mark.anyio


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


async def test_one_slow_answer_of_the_store_is_a_refusal_and_no_wait() -> None:
    """The store hangs: whoever asks hears within its patience that admission is not available."""
    with private_valkey() as server:
        async with Store(server.address, 0.2) as store, asyncio.timeout(30):
            ledger = await opened(store, agreed())
            redis = store._open()
            await redis.client_pause(20_000)
            assert await reason(ledger, search()) is Reason.ADMISSION_UNAVAILABLE
