"""A flood of calls at a stand-in, for people who want to see the queue: sessions of its own, the same turns, real requests.

It goes past the buffer and shares no call with anybody: each is one request with a turn of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Concatenate, Final, ParamSpec, TypeVar

from connectors.bodies import require_not_over_limit
from connectors.calls import Answer, Call, Reply
from connectors.connector import Connector
from connectors.exceptions import ConnectorError, OverLimitError
from connectors.http import Http
from connectors.journey import remaining
from connectors.records import Query, SearchText, Term
from throttling.callers import Caller
from throttling.turns import Expected, Turn, TurnRefusedError, Turns, TurnsClosedError, Wanted

_QUESTION: Final = Query(text=SearchText((Term(("water",)),)))
TELL_EVERY: Final = 2.0
_T = TypeVar("_T")
_P = ParamSpec("_P")


@dataclass(frozen=True, slots=True)
class Tools:
    """What a flood goes through."""

    connector: Connector
    turns: Turns
    http: Http


@dataclass(slots=True)
class Tally:
    """How a flood fares. ``refused`` by our queue, ``over_limit`` by the platform; ``text``: why it is switched off."""

    calls: int
    granted: int = 0
    answered: int = 0
    waiting: int = 0
    refused: int = 0
    over_limit: int = 0
    failed: int = 0
    closed: int = 0
    text: str = ""
    starts: dict[int, float] = field(default_factory=dict)

    def last_start(self, now: float) -> float | None:
        """Seconds until the last of those who wait will probably start, by what they were told; None until all were."""
        return max(max(self.starts.values()) - now, 0.0) if len(self.starts) >= self.waiting > 0 else None


async def first_call(connector: Connector) -> Call:
    """The first call of a search at this platform. It is not made."""
    made: list[Call] = []
    there = asyncio.Event()

    async def ask(
        call: Call, parse: Callable[Concatenate[Answer, _P], _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Reply[_T]:
        del parse, args, kwargs
        made.append(call)
        there.set()
        never: asyncio.Future[Reply[_T]] = asyncio.get_running_loop().create_future()
        return await never  # only the call is wanted

    search = asyncio.ensure_future(connector.search(_QUESTION, ask))
    search.add_done_callback(lambda _: there.set())
    await there.wait()
    if search.done():
        await search
    search.cancel()
    await asyncio.gather(search, return_exceptions=True)
    return made[0]


async def flood(
    tools: Tools, callers: Sequence[Caller], tally: Tally, tell: Callable[[], None], seconds: float
) -> None:
    """Make ``tally.calls`` calls for ``callers`` in turns, until all are done or ``seconds`` are over.

    ``tell`` is called every ``TELL_EVERY`` seconds, and at the end.
    Whoever still waits at the end, or when it is cancelled, gives its place up.
    """
    call = await first_call(tools.connector)
    tasks = {
        asyncio.ensure_future(_one(tools, call, callers[number % len(callers)], tally, number))
        for number in range(tally.calls)
    }
    loop = asyncio.get_running_loop()
    ends = loop.time() + seconds
    left: set[asyncio.Future[None]] = set(tasks)
    try:
        while left and loop.time() < ends:
            _, left = await asyncio.wait(left, timeout=min(TELL_EVERY, ends - loop.time()))
            tell()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks - left:
        task.result()


async def _one(tools: Tools, call: Call, caller: Caller, tally: Tally, number: int) -> None:
    """One request, counted whatever becomes of it."""

    def waits(expected: Expected) -> None:
        tally.starts[number] = asyncio.get_running_loop().time() + expected.seconds

    tally.waiting += 1
    try:
        async with tools.turns.turn(Wanted(service=call.queue, cost=call.cost), caller, waits) as turn:
            tally.waiting -= 1
            tally.granted += 1
            tally.starts.pop(number, None)
            await _send(tools, call, tally, turn)
    except TurnRefusedError:
        tally.waiting -= 1
        tally.refused += 1
    except TurnsClosedError as closed:
        tally.waiting -= 1
        tally.closed += 1
        tally.text = tally.text or closed.text
    finally:
        tally.starts.pop(number, None)


async def _send(tools: Tools, call: Call, tally: Tally, turn: Turn) -> None:
    try:
        answer = await tools.http.send(call)
        turn.answered(remaining(answer))
        require_not_over_limit(call.platform, answer)
        tally.answered += 1
    except OverLimitError as over:
        turn.refused(over.retry_after)
        tally.over_limit += 1
    except ConnectorError:
        tally.failed += 1
