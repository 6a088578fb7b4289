"""The three limits on what comes in: the script beside a plain model, and what holds whatever anybody sends."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from tests.support.valkey import PATIENCE, Valkey
from tests.throttling.plain_incoming import PlainIncoming, Said
from throttling.callers import Caller, house
from throttling.incoming import Asker, Incoming, Opening, Verdict
from throttling.incoming_memory import Meter, Table
from throttling.incoming_rules import DoorRules, IncomingRules, Rate
from throttling.incoming_tally import PREFIX, last_hour, read_last_hour
from throttling.store import Script, Store, StoreLostError

pytestmark = pytest.mark.anyio

START = 1_790_000_000_000_000
_NUMBERS = itertools.count()
PLENTY = Rate(100_000)
rates = st.builds(Rate, st.integers(1, 40), st.integers(1, 40), st.integers(1, 8))


def fresh(name: str) -> str:
    """A name that no other test uses."""
    return f"{name}{next(_NUMBERS)}"


def rules(
    *, process: Rate = PLENTY, connector: Rate = PLENTY, session: Rate = PLENTY, opening: Rate = PLENTY
) -> IncomingRules:
    """Limits with plenty of room where a test says nothing."""
    door = DoorRules(connector, session)
    return IncomingRules(process=process, mcp=door, page=door, opening=opening)


@asynccontextmanager
async def opened(valkey: Valkey, wanted: IncomingRules, frozen: int | None = START) -> AsyncIterator[Incoming]:
    """The limits of one process."""
    async with Store(valkey.address, PATIENCE) as store, Incoming(store, wanted) as incoming:
        incoming.frozen = frozen
        yield incoming


async def ask(incoming: Incoming, connector: str, session: str = "s") -> Verdict:
    """One request, as the middleware asks it."""
    return incoming.enter(connector) or await incoming.admit(connector, Asker(Caller(session)))


def left(verdict: Verdict) -> dict[str, int]:
    return {name: int(r) for name, r in re.findall(r'"(\w+)";r=(\d+);t=\d+', verdict.standing.decode())}


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[int, list[tuple[int, int]]]]:
    """Moments, each some microseconds after the one before, with requests of some sessions at some connectors."""
    request = st.tuples(st.integers(0, 1), st.integers(0, 2))
    waits = st.one_of(st.just(0), st.integers(1, 3_000_000), st.sampled_from([25_000, 1_000_000, 90_000_000]))
    return draw(st.lists(st.tuples(waits, st.lists(request, min_size=1, max_size=6)), max_size=25))


async def compared(
    incoming: Incoming, model: PlainIncoming, history: Sequence[tuple[int, list[tuple[int, int]]]]
) -> None:
    """Play a history to both; the requests of one moment come in together."""
    mark, now = fresh("v"), START
    for wait, requests in history:
        now += wait
        incoming.frozen = now
        named = [(f"mcp:{mark}c{connector}", f"{mark}s{session}") for connector, session in requests]
        for connector, session in named:
            verdict = await ask(incoming, connector, session)
            said = model.admit(connector, session, now)
            assert (verdict.refused_by, verdict.retry_after) == (said.refused_by, said.retry_after)
            assert left(verdict) == (said.left if "process" not in said.refused_by else {"process": 0})


@given(history=histories(), process=rates, connector=rates, session=rates)
async def test_script_and_process_say_what_the_plain_model_says(
    valkey: Valkey, history: list[tuple[int, list[tuple[int, int]]]], process: Rate, connector: Rate, session: Rate
) -> None:
    wanted = rules(process=process, connector=connector, session=session)
    async with opened(valkey, wanted) as incoming:
        await compared(incoming, PlainIncoming(wanted), history)
        assert not incoming.strict


@given(history=histories(), process=rates, connector=rates, session=rates)
async def test_a_process_alone_says_what_the_model_says_of_stricter_limits(
    valkey: Valkey, history: list[tuple[int, list[tuple[int, int]]]], process: Rate, connector: Rate, session: Rate
) -> None:
    door = DoorRules(connector.stricter(), session.stricter())
    async with opened(valkey, rules(process=process, connector=connector, session=session)) as incoming:
        incoming.strict = True
        await compared(incoming, PlainIncoming(IncomingRules(process=process, mcp=door)), history)


@given(rate=st.builds(Rate, st.integers(1, 90), st.integers(1, 90), st.integers(1, 4)).filter(lambda r: r.step <= 6e7))
async def test_one_request_passes_at_the_moment_that_was_told_and_none_before(valkey: Valkey, rate: Rate) -> None:
    connector = fresh("mcp:")
    async with opened(valkey, rules(session=rate)) as incoming:
        for _ in range(rate.burst):
            assert not (await ask(incoming, connector, connector)).refused_by
        refused = await ask(incoming, connector, connector)
        assert refused.refused_by == ("session",)
        assert 1 <= refused.retry_after <= 60
        incoming.frozen = START + rate.step - 1
        assert (await ask(incoming, connector, connector)).refused_by
        incoming.frozen = START + max(rate.step, (refused.retry_after - 1) * 1_000_000 + 1)
        assert not (await ask(incoming, connector, connector)).refused_by
        incoming.frozen = START + refused.retry_after * 1_000_000 + rate.step
        assert not (await ask(incoming, connector, connector)).refused_by


@given(rate=rates.filter(lambda r: r.step <= 60_000_000), at=st.integers(0, 2**50))
def test_nobody_ever_waits_longer_than_a_minute_also_after_a_clock_was_set_back(rate: Rate, at: int) -> None:
    for one in (rate, rate.stricter()):
        assert one.wait(one.ahead(at, 0)) <= 60_000_000


async def test_a_clock_of_the_store_that_is_set_back_locks_nobody_out(valkey: Valkey) -> None:
    connector, rate = fresh("mcp:"), Rate(1, 1, 3)
    async with opened(valkey, rules(session=rate)) as incoming:
        for _ in range(4):
            refused = await ask(incoming, connector, connector)
        assert refused.retry_after == 1
        said = []
        for second in range(5):
            incoming.frozen = START - 86_400_000_000 + second * 1_000_000
            said.append((await ask(incoming, connector, connector)).retry_after)
        assert said[:2] == [1, 1]
        assert said[2:] == [0, 0, 0]


async def test_a_request_that_is_refused_is_charged_nowhere(valkey: Valkey) -> None:
    one, other = fresh("mcp:"), fresh("mcp:")
    few = Rate(2, 60, 2)
    async with opened(valkey, rules(process=Rate(50), connector=Rate(40, 1, 40), session=few)) as incoming:
        for _ in range(2):
            await ask(incoming, one, one)
        for _ in range(30):
            assert (await ask(incoming, one, one)).refused_by == ("session",)
        assert left(await ask(incoming, one, other)) == {"process": 47, "connector": 37, "session": 1}


async def test_a_request_refused_by_its_connector_is_not_charged_to_its_session(valkey: Valkey) -> None:
    full, free, session = fresh("mcp:"), fresh("mcp:"), fresh("s")
    async with opened(valkey, rules(connector=Rate(2, 60, 2), session=Rate(9, 60, 9))) as incoming:
        for _ in range(2):
            await ask(incoming, full, "another")
        for _ in range(5):
            assert (await ask(incoming, full, session)).refused_by == ("connector",)
        assert left(await ask(incoming, free, session))["session"] == 8


async def test_what_the_process_refuses_never_reaches_the_store(valkey: Valkey) -> None:
    async with opened(valkey, rules(process=Rate(1, 30, 1))) as incoming:
        assert incoming.enter("mcp:x") is None
        verdict = incoming.enter("mcp:x")
        assert verdict is not None
        assert (verdict.refused_by, verdict.retry_after) == (("process",), 30)
        assert verdict.standing == b'"process";r=0;t=30'
        assert verdict.policy == b'"process";q=1;w=30'
        assert incoming.tally.totals == {("mcp:x", "process"): 1}


@pytest.mark.parametrize("count", [1, 200])
async def test_of_many_at_once_in_two_processes_exactly_the_limit_passes(valkey: Valkey, count: int) -> None:
    connector = fresh("mcp:")
    wanted = rules(connector=Rate(1, 60, 100), session=PLENTY)
    async with opened(valkey, wanted) as one, opened(valkey, wanted) as other:
        rounds = [ask(process, connector, f"s{n % 7}") for n in range(count) for process in (one, other)]
        for _ in range(200 // count - 1):
            rounds += [ask(process, connector) for process in (one, other)]
        verdicts = await asyncio.gather(*rounds)
        assert len(verdicts) == 400 if count == 200 else len(verdicts) >= 400
        assert sum(not verdict.refused_by for verdict in verdicts) == 100


class CountingStore(Store):
    """A store that counts the scripts it is asked for."""

    scripts = 0

    async def run(self, name: str | Script, key: str, arguments: Sequence[str], within: float | None = None) -> object:
        self.scripts += 1
        return await super().run(name, key, arguments, within)


async def test_who_comes_at_once_is_decided_together(valkey: Valkey) -> None:
    async with CountingStore(valkey.address) as store, Incoming(store, rules()) as incoming:
        connector = fresh("mcp:")
        await asyncio.gather(*(ask(incoming, connector) for _ in range(50)))
        assert store.scripts <= 2
        await ask(incoming, connector)
        assert store.scripts <= 3


async def test_an_asker_who_goes_away_keeps_nobody_else_waiting(valkey: Valkey) -> None:
    connector = fresh("mcp:")
    async with opened(valkey, rules()) as incoming:
        loop = asyncio.get_running_loop()
        for leaves in (0, 1, 2):
            tasks = [loop.create_task(ask(incoming, connector)) for _ in range(4)]
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            tasks[leaves].cancel()
            async with asyncio.timeout(10):
                answers = await asyncio.gather(*tasks, return_exceptions=True)
            assert [isinstance(answer, Verdict) for answer in answers] == [n != leaves for n in range(4)]
        assert not incoming.strict


async def test_a_vendor_has_the_limit_that_its_operator_gave_it(valkey: Valkey) -> None:
    connector = fresh("mcp:")
    wanted = replace(rules(session=Rate(1, 60, 1), opening=Rate(1, 60, 1)), vendors={"groot": Rate(5, 60, 5)})
    async with opened(valkey, wanted) as incoming:
        for session, passes in (("aanbieder:groot", 5), ("aanbieder:ander", 1)):
            verdicts = [await ask(incoming, connector, session) for _ in range(7)]
            assert [not verdict.refused_by for verdict in verdicts] == [True] * passes + [False] * (7 - passes)
            openings = [await incoming.open_session(fresh("k"), 9, Caller(session)) for _ in range(7)]
            assert [opening.opened for opening in openings] == [True] * passes + [False] * (7 - passes)
        assert verdicts[0].policy.endswith(b'"session";q=1;w=60')
        assert (await ask(incoming, connector, "aanbieder:groot")).policy.endswith(b'"session";q=5;w=60')


async def test_a_reader_of_pages_and_a_program_at_one_address_do_not_share_a_limit(valkey: Valkey) -> None:
    visitor = fresh("adres:")
    async with opened(valkey, rules(session=Rate(1, 60, 1))) as incoming:
        for asker in (house(visitor), Caller(visitor), house(fresh("adres:"))):
            for refused in (False, True):
                incoming.enter("pagina")
                assert bool((await incoming.admit("pagina", Asker(asker))).refused_by) is refused


async def test_a_session_lives_from_use_to_use_and_a_dead_one_is_charged_to_its_address(valkey: Valkey) -> None:
    connector, key, address = fresh("mcp:"), fresh("k"), fresh("adres:")
    caller = Caller(fresh("mcp:"), heir_of=address)
    asker = Asker(caller, (key, 1800))
    client = Redis.from_url(valkey.address)
    async with opened(valkey, rules(session=Rate(3, 60, 3))) as incoming:
        assert await incoming.open_session(key, 60, caller) == Opening(opened=True)
        assert not (await incoming.admit(connector, asker)).gone
        assert 1790 < await client.ttl(f"{PREFIX}l:{key}") <= 1800
        await incoming.end_session(key)
        verdict = await incoming.admit(connector, asker)
        assert (verdict.gone, verdict.refused_by, left(verdict)["session"]) == (True, (), 2)
        assert left(await ask(incoming, connector, address))["session"] == 1
        assert left(await incoming.admit(connector, Asker(caller)))["session"] == 1
    await client.aclose()


async def test_opening_sessions_is_limited_by_address_and_a_refused_one_does_not_live(valkey: Valkey) -> None:
    address, connector = fresh("adres:"), fresh("mcp:")
    async with opened(valkey, rules(opening=Rate(1, 30, 2))) as incoming:
        keys = [fresh("k") for _ in range(3)]
        openings = [await incoming.open_session(key, 60, Caller(key, heir_of=address)) for key in keys]
        refused = Opening(opened=False, retry_after=30, policy=b'"opening";q=2;w=60', standing=b'"opening";r=0;t=30')
        assert openings == [Opening(opened=True), Opening(opened=True), refused]
        gone = [(await incoming.admit(connector, Asker(Caller("s"), (key, 60)))).gone for key in keys]
        assert gone == [False, False, True]
        incoming.frozen = START + 30_000_000
        assert (await incoming.open_session(keys[2], 60, Caller(keys[2], heir_of=address))).opened


async def test_whatever_stands_in_the_store_everybody_gets_an_answer(valkey: Valkey) -> None:
    client = Redis.from_url(valkey.address)
    for damage in (b"", b"onzin", b"1e300", b"-5", b"nan"):
        connector, session = fresh("mcp:"), fresh("s")
        await client.set(f"{PREFIX}c:{connector}", damage)
        await client.set(f"{PREFIX}s:{session}", damage)
        async with opened(valkey, rules(session=Rate(1, 1, 2), connector=Rate(1, 1, 2)), frozen=None) as incoming:
            verdict = await ask(incoming, connector, session)
            assert verdict.retry_after in {0, 1}
            assert not incoming.strict
    await client.aclose()


async def test_ten_thousand_addresses_leave_nothing_that_stays(valkey: Valkey) -> None:
    """No key without an end, and none that outlives what it owes."""
    client = Redis.from_url(valkey.address)
    connector, mark = fresh("mcp:"), fresh("veel")
    wanted = rules(session=Rate(20, 1, 60))
    async with opened(valkey, wanted, frozen=None) as incoming:
        for start in range(0, 10_000, 500):
            some = [ask(incoming, connector, f"{mark}{n}") for n in range(start, start + 500)]
            assert not any(verdict.refused_by for verdict in await asyncio.gather(*some))
        keys = [key async for key in client.scan_iter(f"{PREFIX}s:{mark}*", count=1000)]
        lives = [await client.pttl(key) for key in keys]
        assert all(life != -1 and life <= 3000 for life in lives)
        incoming.strict = True
        for n in range(20_000):
            await ask(incoming, connector, f"{mark}{n}")
        assert len(incoming.table) <= 10_000
        assert len(incoming.tally._keys) <= 5_000
    await client.aclose()


def test_a_table_that_is_full_of_debtors_lets_new_keys_share_one_limit() -> None:
    rate, table = Rate(1, 1, 2), Table(most=2)
    for key in "ab":
        table.put(key, rate.room, 0)
    table.put("c", rate.room, 0)
    assert table.ahead("d", rate, 0) == rate.room
    assert table.ahead("a", rate, 0) == rate.room
    assert len(table) <= 3
    assert table.ahead("e", rate, rate.room) == 0
    table.put("e", rate.step, rate.room)
    assert table.ahead("e", rate, rate.room) == rate.step


def test_a_meter_that_gets_back_what_was_not_used_gives_no_more_than_its_rate() -> None:
    meter = Meter(Rate(1, 1, 2))
    for now in (0, 5_000_000, 10_000_000):
        for _ in range(20):
            assert meter.take(now)
            meter.give_back()
        assert [meter.take(now) for _ in range(3)] == [True, True, False]


async def test_operators_read_the_last_hour_of_all_processes(valkey: Valkey) -> None:
    valkey.flush()
    connector, mark = fresh("mcp:"), fresh("druk")
    wanted = rules(session=Rate(3, 60, 3))
    async with opened(valkey, wanted) as one, opened(valkey, wanted) as other:
        for process in (one, other):
            for session in (f"adres:{mark}", f"adres:{mark}", f"mcp:{mark}"):
                await ask(process, connector, session)
        for process in (one, one, other):
            async with Store(valkey.address, PATIENCE) as store:
                await process.tally.tell(store)
    async with Store(valkey.address, PATIENCE) as store:
        seen = await last_hour(store)
    assert seen.of(connector, "passed") == 5
    assert seen.of(connector, "session") == 1
    assert seen.of(connector, "process") == 0
    busiest = {busy.key: busy.requests for busy in seen.busiest if mark in busy.key}
    assert busiest == {f"adres:{mark}": 4, f"mcp:{mark}": 2}


async def test_what_could_not_be_told_is_told_the_next_time(valkey: Valkey) -> None:
    connector = fresh("mcp:")
    async with (
        opened(valkey, rules()) as incoming,
        Store("unix:///nergens") as nowhere,
        Store(valkey.address, PATIENCE) as store,
    ):
        await ask(incoming, connector)
        with pytest.raises(StoreLostError):
            await incoming.tally.tell(nowhere)
        await incoming.tally.tell(store)
        assert (await last_hour(store)).of(connector, "passed") == 1


@pytest.mark.parametrize("answer", [None, [b"x"], [b"a|b", b"c", b""], [b"a|b", b""], 3])
def test_a_store_that_answers_nonsense_is_lost(answer: object) -> None:
    with pytest.raises(StoreLostError):
        read_last_hour(answer)


def test_the_model_itself_fills_and_empties() -> None:
    model = PlainIncoming(rules(session=Rate(1, 2, 2)))
    said = [model.admit("mcp:x", "s", START + at * 500_000) for at in range(5)]
    assert [one.refused_by for one in said] == [(), (), ("session",), ("session",), ()]
    assert said[2] == Said(("session",), 1, said[2].left)


class OddStore(Store):
    """A store that answers, but not what was asked, or breaks in a way nobody thought of."""

    answer: bytes | Exception | None = None

    async def run(self, name: str | Script, key: str, arguments: Sequence[str], within: float | None = None) -> object:
        del name, key, arguments, within
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("answer", [None, b"", b"1 2", b"1 2 3,1 2 3", b"1 2 x", b"\xff", RuntimeError("kapot")])
async def test_a_store_that_answers_something_odd_counts_as_lost_and_everybody_gets_an_answer(
    valkey: Valkey, answer: bytes | Exception | None
) -> None:
    async with OddStore(valkey.address) as store, Incoming(store, rules()) as incoming:
        store.answer = answer
        async with asyncio.timeout(10):
            verdicts = await asyncio.gather(*(ask(incoming, "mcp:x") for _ in range(3)))
        assert [(verdict.refused_by, verdict.strict) for verdict in verdicts] == [((), True)] * 3
