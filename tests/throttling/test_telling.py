"""What those who wait are told: when they will start, and why they are sent away."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.serving import until
from tests.support.valkey import Valkey
from tests.throttling.queues import fresh_service, outgoing
from tests.throttling.test_outgoing import Asker, waits
from throttling import places
from throttling.callers import Caller
from throttling.limits import TokenBucket
from throttling.store import monotonic
from throttling.turns import TurnsClosedError, Wanted

pytestmark = pytest.mark.anyio
BUCKET = TokenBucket(capacity=2, per_second=0.1)


async def test_everybody_who_waits_is_told_when_also_when_many_come_at_one_moment(valkey: Valkey) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service, BUCKET) as turns:
        askers = [Asker(turns, Wanted(service=service), Caller(f"s{number % 3}")) for number in range(40)]
        await until(lambda: sum(asker.has_turn.is_set() for asker in askers) == 2)
        waiting = [asker for asker in askers if not asker.has_turn.is_set()]
        await until(lambda: all(asker.told for asker in waiting))
        assert max(asker.told[0] for asker in waiting) > 300
        for asker in askers:
            asker.task.cancel()
        await asyncio.gather(*(asker.task for asker in askers), return_exceptions=True)


async def test_who_waits_longer_than_it_was_told_hears_a_new_estimate(
    valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service, BUCKET, in_flight=1, lease=1.0) as turns:
        holds = Asker(turns, Wanted(service=service), Caller("a"))
        await holds.granted()
        waiting = Asker(turns, Wanted(service=service), Caller("b"))
        await waits(waiting)
        assert len(waiting.told) == 1
        monkeypatch.setattr(places, "monotonic", lambda: monotonic() + 3600)
        await until(lambda: len(waiting.told) > 1)
        await holds.end()
        await waiting.granted()
        await waiting.end()


async def test_who_waits_when_an_operator_switches_off_reads_the_operators_text(valkey: Valkey) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service, BUCKET, in_flight=1) as turns:
        holds = Asker(turns, Wanted(service=service), Caller("a"))
        await holds.granted()
        waiting = Asker(turns, Wanted(service=service), Caller("b"))
        await waits(waiting)
        assert await turns.operate(service, "off", "Tot drie uur | niet, ook niet een beetje.")
        with pytest.raises(TurnsClosedError) as closed:
            await waiting.granted()
        assert closed.value.text == "Tot drie uur | niet, ook niet een beetje."
        await holds.end()
