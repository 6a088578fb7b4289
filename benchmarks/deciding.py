"""How long one decision takes: ours beside a plain GCRA script, alternately, by one client on the socket of one store."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Final

from redis.asyncio import Redis
from redis.commands.core import AsyncScript

from throttling.callers import Caller
from throttling.decisions import Decisions, Entry
from throttling.incoming import Asker, Incoming
from throttling.incoming_rules import DoorRules, IncomingRules, Rate
from throttling.limits import SlidingWindow
from throttling.rules import QueueRules
from throttling.store import Store

GCRA: Final = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local cost, units, seconds = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local pace = seconds / units
local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local next_arrival = arrival + cost * pace
if next_arrival - now > seconds then return { 0, string.format('%.17g', next_arrival - now - seconds) } end
redis.call('SET', KEYS[1], string.format('%.17g', next_arrival), 'PX', math.ceil((next_arrival - now) * 1000))
return { 1, '0' }
"""
"""What somebody would write: one number a key, the server's time, no queue and no order."""
_ROUNDS: Final = 12
_CALLS: Final = 150
_PLENTY: Final = SlidingWindow(units=1_000_000, seconds=60)


async def _times(decide: Callable[[int], Awaitable[object]], calls: int) -> list[float]:
    times = []
    for number in range(calls):
        began = time.perf_counter()
        await decide(number)
        times.append(time.perf_counter() - began)
    return times


def _queue(store: Store, name: str) -> Decisions:
    return Decisions(store, name, QueueRules(limit=_PLENTY, in_flight=None, most=0))


async def _beside_gcra(ours: Callable[[int], Awaitable[None]], address: str) -> tuple[float, float]:
    """Seconds of ours and of a plain GCRA script, both as p50 of runs that take turns."""
    client = Redis.from_url(address)
    script: AsyncScript = client.register_script(GCRA)

    async def plain(number: int) -> None:
        del number
        await script(keys=["meting:gcra"], args=[1, 1_000_000, 60])

    own: list[float] = []
    other: list[float] = []
    for _ in range(_ROUNDS):
        other += await _times(plain, _CALLS)
        own += await _times(ours, _CALLS)
    await client.aclose()
    return statistics.median(own), statistics.median(other)


async def decision_over_gcra(address: str) -> tuple[float, float]:
    """Ours over GCRA's and GCRA's own seconds, both as p50 of runs that take turns. Nobody waits in either."""
    async with Store(address) as store:
        queue = _queue(store, "meting/besluit")
        await queue.open("e", 0.0, [])
        await queue.permit(1e9)

        async def ours(number: int) -> None:
            await queue.enter(Entry(id=f"m{time.perf_counter_ns()}.{number}", process="p", session="s"))

        own, other = await _beside_gcra(ours, address)
    return own / other, other


async def three_limits_over_one_gcra(address: str) -> float:
    """The three limits of what comes in over one GCRA script, as p50 of runs that take turns. Everything passes in both."""
    plenty, connector = Rate(100_000), "mcp:unified"
    rules = IncomingRules(process=plenty, mcp=DoorRules(plenty, plenty))
    asker = Asker(Caller("adres:" + "0123456789abcdef" * 2))
    async with Store(address) as store, Incoming(store, rules) as incoming:

        async def ours(number: int) -> None:
            del number
            incoming.enter(connector)
            assert not (await incoming.admit(connector, asker)).refused_by

        own, other = await _beside_gcra(ours, address)
    return own / other


async def enter_1000_over_empty(address: str) -> float:
    """Entering and leaving a queue in which 1,000 sessions wait, over the same where nobody waits: both find no room."""
    async with Store(address) as store:
        medians = []
        for waiting in (0, 1000):
            rules = QueueRules(limit=SlidingWindow(units=1, seconds=6000), in_flight=None, most=0, lease=1e6)
            queue = Decisions(store, f"meting/rij{waiting}", rules)
            await queue.open("e", 0.0, [])
            await queue.permit(1e9)
            for number in range(1 + waiting):
                await queue.enter(Entry(id=f"k{number}", process="p", session=f"s{number}"))

            async def enter_and_leave(number: int, queue: Decisions = queue) -> None:
                await queue.enter(Entry(id=f"m{number}", process="p", session="nieuw"))
                await queue.leave(f"m{number}")

            medians.append(statistics.median(await _times(enter_and_leave, 300)))
    return medians[1] / medians[0]
