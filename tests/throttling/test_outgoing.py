"""Turns as a process takes them: over a real store, with bounded waits and no sleeps."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack

import pytest

from tests.support.valkey import PATIENCE, Valkey, private_valkey
from tests.throttling.queues import KeptMemory, fresh_service, outgoing
from throttling.callers import Caller, house
from throttling.limits import SlidingWindow, TokenBucket
from throttling.memory import OperatorSettings, Used
from throttling.outgoing import Outgoing
from throttling.rules import BadLimitError, QueueRules
from throttling.store import Store
from throttling.turns import Expected, Outcome, Turn, TurnRefusedError, TurnsClosedError, Wanted

pytestmark = pytest.mark.anyio
BOUND = 20.0


class Asker:
    """Takes a turn in a task of its own, and holds it until told otherwise."""

    def __init__(self, turns: Outgoing, wanted: Wanted, caller: Caller) -> None:
        self.turn: Turn | None = None
        self.told: list[float] = []
        self.places: list[int] = []
        self.has_turn = asyncio.Event()
        self.waits = asyncio.Event()
        self.may_end = asyncio.Event()
        self.task = asyncio.get_running_loop().create_task(self._ask(turns, wanted, caller))

    async def _ask(self, turns: Outgoing, wanted: Wanted, caller: Caller) -> None:
        async with turns.turn(wanted, caller, self._wait) as turn:
            self.turn = turn
            self.has_turn.set()
            await self.may_end.wait()

    def _wait(self, expected: Expected) -> None:
        self.told.append(expected.seconds)
        self.places.append(expected.place)
        self.waits.set()

    async def granted(self) -> Turn:
        turn = asyncio.ensure_future(self.has_turn.wait())
        async with asyncio.timeout(BOUND):
            await asyncio.wait({turn, self.task}, return_when=asyncio.FIRST_COMPLETED)
        if not turn.done():
            turn.cancel()
            await asyncio.gather(turn, return_exceptions=True)
            self.task.result()
        assert self.turn is not None
        return self.turn

    async def end(self) -> None:
        self.may_end.set()
        async with asyncio.timeout(BOUND):
            await self.task


async def waits(asker: Asker) -> None:
    async with asyncio.timeout(BOUND):
        await asker.waits.wait()


async def first_with_a_turn(askers: list[Asker]) -> Asker:
    watched = [asyncio.ensure_future(asker.has_turn.wait()) for asker in askers]
    await asyncio.wait(watched, timeout=BOUND, return_when=asyncio.FIRST_COMPLETED)
    for task in watched:
        task.cancel()
    await asyncio.gather(*watched, return_exceptions=True)
    return next(asker for asker in askers if asker.has_turn.is_set())


async def test_a_call_passes_at_once_when_nobody_waits_and_there_is_room(valkey: Valkey) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service) as turns:
        asker = Asker(turns, Wanted(service=service), house("v"))
        await asker.granted()
        assert asker.told == []
        await asker.end()


async def test_a_call_that_waits_hears_when_and_gets_its_turn_by_the_answer_of_another(valkey: Valkey) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service, in_flight=1) as turns:
        first = Asker(turns, Wanted(service=service), house("v"))
        await first.granted()
        second = Asker(turns, Wanted(service=service), house("w"))
        await waits(second)
        assert not second.has_turn.is_set()
        await first.end()
        await second.granted()
        await second.end()


async def test_those_who_wait_hear_as_the_how_manieth_they_will_start(valkey: Valkey) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service, in_flight=1) as turns:
        first = Asker(turns, Wanted(service=service), house("v"))
        await first.granted()
        rest = []
        for visitor in "wxy":
            rest.append(Asker(turns, Wanted(service=service), house(visitor)))
            await waits(rest[-1])
        assert [asker.places for asker in rest] == [[1], [2], [3]]
        for asker in (first, *rest):
            await asker.granted()
            await asker.end()


async def test_turns_hold_over_two_processes(valkey: Valkey) -> None:
    service = fresh_service()
    async with (
        outgoing(valkey.address, service, in_flight=1) as one,
        outgoing(valkey.address, service, in_flight=1) as two,
    ):
        first = Asker(one, Wanted(service=service), house("v"))
        await first.granted()
        second = Asker(two, Wanted(service=service), house("w"))
        await waits(second)
        await first.end()
        await second.granted()
        await second.end()


async def test_who_stops_waiting_gives_its_place_up(valkey: Valkey) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service, in_flight=1) as turns:
        first = Asker(turns, Wanted(service=service), house("v"))
        await first.granted()
        second = Asker(turns, Wanted(service=service), house("w"))
        third = Asker(turns, Wanted(service=service), house("x"))
        await waits(second)
        await waits(third)
        second.task.cancel()
        await first.end()
        await third.granted()
        await third.end()
        assert (await turns.snapshot(service)).calls == ()


async def test_a_hundred_askers_of_the_same_make_one_call_and_all_hear_how_it_ended(valkey: Valkey) -> None:
    service = fresh_service()
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(outgoing(valkey.address, service)) for _ in range(2)]
        askers = [
            Asker(processes[n % 2], Wanted(service=service, flight="zelfde"), Caller(session=f"s{n}"))
            for n in range(100)
        ]
        leader = await first_with_a_turn(askers)
        async with asyncio.timeout(BOUND):
            while len((await processes[0].snapshot(service)).calls) < len(askers):
                pass
        turn = await leader.granted()
        assert turn.outcome is None
        await leader.end()
        await turn.share(Outcome())
        others = [asker for asker in askers if asker is not leader]
        turns = [await asker.granted() for asker in others]
        assert [other.outcome for other in turns] == [Outcome()] * 99
        for asker in others:
            await asker.end()
        snapshot = await processes[0].snapshot(service)
        assert snapshot.given == 1000
        assert sum(session.used for session in snapshot.sessions) == 1000


async def test_a_shared_failure_reaches_who_follows(valkey: Valkey) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service) as turns:
        leader = Asker(turns, Wanted(service=service, flight="f"), house("v"))
        turn = await leader.granted()
        follower = Asker(turns, Wanted(service=service, flight="f"), house("w"))
        await leader.end()
        await turn.share(Outcome("te-traag"))
        assert (await follower.granted()).outcome == Outcome("te-traag")
        await follower.end()


async def test_when_the_process_that_makes_a_shared_call_dies_another_takes_over(valkey: Valkey) -> None:
    service = fresh_service()
    lease = 0.6
    async with outgoing(valkey.address, service, lease=lease) as living:
        async with Store(valkey.address, PATIENCE) as store:
            rules = QueueRules(limit=SlidingWindow(60, 60), in_flight=100, lease=lease)
            dying = Outgoing(store, {service: rules}, KeptMemory())
            leader = Asker(dying, Wanted(service=service, flight="f"), house("v"))
            await leader.granted()
            follower = Asker(living, Wanted(service=service, flight="f"), house("w"))
            await asyncio.wait({follower.task}, timeout=0.05)
            await die(dying, leader)
        assert (await follower.granted()).outcome is None
        await follower.end()


async def die(process: Outgoing, asker: Asker) -> None:
    """Everything of a process ends without a word to the store, as a kill would."""
    for desk in process._desks.values():
        desk.decisions._store = Store("unix:///nergens")
        tasks = [task for task in (desk._listener, desk._looker, asker.task) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_refusal_by_the_platform_rests_the_queue_and_keeps_the_place(valkey: Valkey) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service, in_flight=1) as turns:
        asker = Asker(turns, Wanted(service=service), house("v"))
        turn = await asker.granted()
        turn.refused(0.2)
        await asker.end()
        again = Asker(turns, Wanted(service=service, again=turn), house("v"))
        behind = Asker(turns, Wanted(service=service), house("w"))
        await again.granted()
        assert not behind.has_turn.is_set()
        assert (await turns.snapshot(service)).refusals == 1
        await again.end()
        await behind.granted()
        await behind.end()


async def test_a_call_that_never_left_costs_nothing(valkey: Valkey) -> None:
    service = fresh_service()
    async with outgoing(valkey.address, service, SlidingWindow(units=1, seconds=600)) as turns:
        asker = Asker(turns, Wanted(service=service), Caller(session="s"))
        (await asker.granted()).not_sent()
        await asker.end()
        other = Asker(turns, Wanted(service=service), Caller(session="s"))
        await other.granted()
        await other.end()


async def test_a_queue_that_is_full_refuses_with_a_time(valkey: Valkey) -> None:
    """Rule R14."""
    service = fresh_service()
    async with outgoing(valkey.address, service, in_flight=1, most_of_session=2) as turns:
        first = Asker(turns, Wanted(service=service), Caller(session="s"))
        await first.granted()
        waiting = [Asker(turns, Wanted(service=service), Caller(session="s")) for _ in range(2)]
        for asker in waiting:
            await waits(asker)
        with pytest.raises(TurnRefusedError) as refused:
            await Asker(turns, Wanted(service=service), Caller(session="s")).granted()
        assert refused.value.retry_after > 0
        for asker in [first, *waiting]:
            await asker.granted()
            await asker.end()


async def test_a_wait_of_more_than_ten_minutes_is_refused_at_once(valkey: Valkey) -> None:
    """Rule R14."""
    service = fresh_service()
    async with outgoing(valkey.address, service, TokenBucket(capacity=1, per_second=1 / 900)) as turns:
        first = Asker(turns, Wanted(service=service), Caller(session="s"))
        await first.granted()
        with pytest.raises(TurnRefusedError) as refused:
            await Asker(turns, Wanted(service=service), Caller(session="t")).granted()
        assert refused.value.retry_after >= 600
        await first.end()


async def test_a_fresh_installation_starts_at_once_and_a_lost_state_stays_closed(valkey: Valkey) -> None:
    """Rule R12: what may have been sent before the loss must first be forgotten over there."""
    del valkey
    service, memory = fresh_service(), KeptMemory()
    with private_valkey() as server:
        async with outgoing(server.address, service, memory=memory) as turns:
            asker = Asker(turns, Wanted(service=service), house("v"))
            await asker.granted()
            await asker.end()
        server.kill()
        server.start()
        async with outgoing(server.address, service, memory=memory) as turns:
            with pytest.raises(TurnsClosedError) as closed:
                await Asker(turns, Wanted(service=service), house("v")).granted()
            assert closed.value.retry_after is not None
            assert 60 + 25 < closed.value.retry_after <= 30 + 60 + 25


async def test_use_comes_back_from_the_database_when_the_store_lost_it(valkey: Valkey) -> None:
    service = fresh_service()
    memory = KeptMemory(uses=[Used("zwaar", 120.0, 5.0)])
    async with outgoing(valkey.address, service, memory=memory) as turns:
        asker = Asker(turns, Wanted(service=service), Caller(session="zwaar"))
        await asker.granted()
        await asker.end()
        (session,) = (await turns.snapshot(service)).sessions
        assert session.used == 121_000


async def test_a_new_session_begins_with_the_use_of_its_address(valkey: Valkey) -> None:
    service = fresh_service()
    memory = KeptMemory(uses=[Used("adres", 30.0, 5.0)])
    async with outgoing(valkey.address, service, memory=memory) as turns:
        asker = Asker(turns, Wanted(service=service), Caller(session="nieuw", heir_of="adres"))
        await asker.granted()
        await asker.end()
        used = {session.name: session.used for session in (await turns.snapshot(service)).sessions}
        assert used["nieuw"] == 31_000


async def test_without_a_store_no_turn_is_given(valkey: Valkey) -> None:
    """Rule R12."""
    del valkey
    service = fresh_service()
    with private_valkey() as server:
        async with outgoing(server.address, service) as turns:
            server.kill()
            with pytest.raises(TurnsClosedError):
                await Asker(turns, Wanted(service=service), house("v")).granted()


async def test_a_service_that_is_switched_off_says_what_the_operator_wrote(valkey: Valkey) -> None:
    service = fresh_service()
    memory = KeptMemory(wanted=OperatorSettings(off="Onderhoud tot drie uur."))
    async with outgoing(valkey.address, service, memory=memory) as turns:
        with pytest.raises(TurnsClosedError) as closed:
            await Asker(turns, Wanted(service=service), house("v")).granted()
        assert closed.value.text == "Onderhoud tot drie uur."
        assert await turns.operate(service, "off", "")
        asker = Asker(turns, Wanted(service=service), house("v"))
        await asker.granted()
        await asker.end()


async def test_a_turn_that_was_slept_through_is_given_back_and_waited_for_again(
    valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = fresh_service()
    slept = [7.0]
    async with outgoing(valkey.address, service) as turns:
        (desk,) = turns._desks.values()
        real = desk.decisions.age
        monkeypatch.setattr(
            type(desk.decisions), "age", lambda _, at: real(at) + (slept.pop() if slept and at else 0.0)
        )
        asker = Asker(turns, Wanted(service=service), Caller(session="s"))
        await asker.granted()
        (session,) = (await turns.snapshot(service)).sessions
        assert session.used == 1000
        await asker.end()


async def test_own_maintenance_has_one_call_in_the_queue_at_a_time_and_goes_last(valkey: Valkey) -> None:
    """Rule R10."""
    service = fresh_service()
    async with outgoing(valkey.address, service, in_flight=1) as turns:
        first = Asker(turns, Wanted(service=service), house("v"))
        await first.granted()
        upkeep = [Asker(turns, Wanted(service=service), house()) for _ in range(3)]
        await waits(upkeep[0])
        visitor = Asker(turns, Wanted(service=service), house("w"))
        await waits(visitor)
        assert (await turns.snapshot(service)).waiting == 2
        await first.end()
        await visitor.granted()
        await visitor.end()
        for asker in upkeep:
            await asker.granted()
            await asker.end()


def test_a_limit_of_zero_is_refused_by_name_at_the_start() -> None:
    rules = QueueRules(limit=SlidingWindow(units=0, seconds=60), in_flight=1)
    with pytest.raises(BadLimitError) as bad:
        Outgoing(Store("unix:///nergens"), {"bron/dienst": rules}, KeptMemory())
    assert bad.value.service == "bron/dienst"


async def test_a_process_that_dies_while_it_waits_loses_its_place_after_its_lease(valkey: Valkey) -> None:
    service, lease = fresh_service(), 0.6
    async with outgoing(valkey.address, service, in_flight=1, lease=lease) as living:
        first = Asker(living, Wanted(service=service), house("v"))
        await first.granted()
        async with Store(valkey.address, PATIENCE) as store:
            rules = QueueRules(limit=SlidingWindow(60, 60), in_flight=1, lease=lease)
            dying = Outgoing(store, {service: rules}, KeptMemory())
            dead = Asker(dying, Wanted(service=service), house("w"))
            await waits(dead)
            await die(dying, dead)
        await first.end()
        last = Asker(living, Wanted(service=service), house("x"))
        began = time.monotonic()
        await last.granted()
        assert time.monotonic() - began < BOUND
        await last.end()
