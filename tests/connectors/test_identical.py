"""A hundred askers of the same thing make one call: through real turns and a real buffer, over two of everything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from connectors.breaker import Breaker
from connectors.calls import CallKind
from connectors.client import Client
from connectors.exceptions import ConnectorError, RefusedError
from connectors.moments import now
from tests.support.asking import as_is
from tests.support.breakers import MemoryBreaker
from tests.support.buffers import ONE, Buffers, Clock, caches_at
from tests.support.scripted import Gate, Handler, call_to, client_of, counted, scripted_platform
from tests.support.serving import BOUND
from tests.support.valkey import Valkey, private_valkey
from tests.throttling.queues import outgoing
from throttling.callers import Caller
from throttling.limits import SlidingWindow

pytestmark = pytest.mark.anyio
PLATFORM = scripted_platform(ONE)
CALL = call_to(PLATFORM)
WINDOW = SlidingWindow(units=600, seconds=60)


@pytest.fixture(scope="module")
def valkey() -> Iterator[Valkey]:
    with private_valkey() as server:
        yield server


@asynccontextmanager
async def clients(valkey: Valkey, handler: Handler, *breakers: Breaker) -> AsyncIterator[list[Client]]:
    """Several clients as in several processes: each with turns, a buffer and connections of its own."""
    buffers = Buffers(Clock(now()))
    with caches_at(valkey.path):
        from django.core.cache import caches  # noqa: PLC0415 - the settings are those of this test only now

        caches[ONE].clear()
        async with AsyncExitStack() as stack:
            yield [
                await stack.enter_async_context(
                    client_of(
                        {PLATFORM: handler},
                        turns=await stack.enter_async_context(
                            outgoing(f"{valkey.address}?db=15", f"{ONE}/api", WINDOW, in_flight=4)
                        ),
                        buffer=await stack.enter_async_context(buffers.of()),
                        breaker=breaker,
                    )
                )
                for breaker in breakers or (MemoryBreaker(failures=1000), MemoryBreaker(failures=1000))
            ]


class Platform:
    """Counts its calls; answers when the gate is open."""

    def __init__(self, *answers: Response) -> None:
        self.answers = list(answers)
        self.calls = 0
        self.gate = Gate()

    async def serve(self, request: Request) -> Response:
        del request
        self.calls += 1
        await self.gate.pass_through()
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def ask_hundred(made: list[Client]) -> list[int | str]:
    async def ask(number: int) -> int | str:
        bound = made[number % len(made)].bind(PLATFORM, Caller(session=f"sessie {number % 7}"))
        try:
            return (await bound(CALL, counted, PLATFORM.key)).value
        except ConnectorError as failure:
            return type(failure).__name__

    return await asyncio.gather(*(ask(number) for number in range(100)))


async def opened_when_all_wait(platform: Platform, made: list[Client]) -> list[int | str]:
    async with asyncio.timeout(BOUND * 3):
        asking = asyncio.get_running_loop().create_task(ask_hundred(made))
        await platform.gate.reached.wait()
        platform.gate.opened.set()
        return await asking


async def test_a_hundred_identical_questions_over_two_processes_make_one_call(valkey: Valkey) -> None:
    platform = Platform(JSONResponse({"hits": 3}))
    async with clients(valkey, platform.serve) as made:
        assert await opened_when_all_wait(platform, made) == [3] * 100
    assert platform.calls == 1


class HeldBreaker(MemoryBreaker):
    """Says nothing before its gate is open."""

    def __init__(self) -> None:
        super().__init__(failures=1000)
        self.gate = Gate()

    async def reopens_in(self, service: str) -> float | None:
        await self.gate.pass_through()
        return await super().reopens_in(service)


async def test_an_answer_that_came_between_the_look_in_the_buffer_and_the_turn_is_not_asked_for_again(
    valkey: Valkey,
) -> None:
    platform, held = Platform(JSONResponse({"hits": 3})), HeldBreaker()
    platform.gate.opened.set()
    async with clients(valkey, platform.serve, MemoryBreaker(failures=1000), held) as made, asyncio.timeout(BOUND * 3):
        asks = [one.bind(PLATFORM, Caller(session=f"sessie {number}")) for number, one in enumerate(made)]
        late = asyncio.get_running_loop().create_task(asks[1](CALL, counted, PLATFORM.key))
        await held.gate.reached.wait()
        assert (await asks[0](CALL, counted, PLATFORM.key)).value == 3
        await made[0].aclose()  # now it is kept, too, and over
        held.gate.opened.set()
        assert (await late).value == 3
    assert platform.calls == 1


async def test_a_failure_is_heard_by_all_who_wait_for_it(valkey: Valkey) -> None:
    platform = Platform(Response("stuk", 500))
    async with clients(valkey, platform.serve) as made:
        answers = await opened_when_all_wait(platform, made)
    assert set(answers) == {RefusedError.__name__}
    assert platform.calls < 50  # whoever comes later than the failure asks anew: it is not kept


async def test_when_the_one_that_calls_goes_away_another_takes_over(valkey: Valkey) -> None:
    platform = Platform(JSONResponse({"hits": 3}))
    async with clients(valkey, platform.serve) as made:
        first = asyncio.get_running_loop().create_task(
            made[0].bind(PLATFORM, Caller(session="eerste"))(CALL, counted, PLATFORM.key)
        )
        await asyncio.wait_for(platform.gate.reached.wait(), BOUND)
        second = asyncio.get_running_loop().create_task(
            made[1].bind(PLATFORM, Caller(session="tweede"))(CALL, counted, PLATFORM.key)
        )
        await made[0].aclose()
        await asyncio.gather(first, return_exceptions=True)
        platform.gate.opened.set()
        assert (await asyncio.wait_for(second, BOUND * 3)).value == 3
    assert first.cancelled()
    assert platform.calls == 2


async def test_an_asker_may_leave_at_any_moment_and_the_next_is_answered(valkey: Valkey) -> None:
    """Each leaves a step of the loop later than the one before; the buffer has nothing, and an answer to the same just came."""
    platform = Platform(JSONResponse({"hits": 3}))
    platform.gate.opened.set()
    async with clients(valkey, platform.serve, MemoryBreaker(failures=1000)) as (client,), asyncio.timeout(BOUND * 6):
        ask = client.bind(PLATFORM, Caller(session="een"))
        for steps in range(60):
            await ask(CALL, counted, PLATFORM.key)
            await client._tools.buffer.drop(CALL)
            leaving = asyncio.get_running_loop().create_task(ask(CALL, counted, PLATFORM.key))
            for _ in range(steps):
                await asyncio.sleep(0)
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
            await client._tools.buffer.drop(CALL)
        assert (await ask(CALL, counted, PLATFORM.key)).value == 3


async def test_a_text_a_week_old_is_checked_with_the_platform_and_stands(valkey: Valkey) -> None:
    conditions: list[str | None] = []

    async def handler(request: Request) -> Response:
        conditions.append(request.headers.get("if-none-match"))
        if request.headers.get("if-none-match") == '"1"':
            return Response(status_code=304)
        return Response("tekst", headers={"ETag": '"1"'})

    text = call_to(PLATFORM, "/stuk", kind=CallKind.DOCUMENT)
    async with clients(valkey, handler, MemoryBreaker(failures=1000)) as (client,):
        ask = client.bind(PLATFORM, Caller(session="een"), document="7")
        assert (await ask(text, as_is)).value.body == b"tekst"
        buffer = client._tools.buffer
        clock = buffer._clock  # type: ignore[attr-defined]
        replies = [await ask(text, as_is)]
        clock.pass_by(timedelta(days=8))
        replies += await asyncio.gather(*(ask(text, as_is) for _ in range(9)))
    assert {reply.value.body for reply in replies} == {b"tekst"}
    assert conditions[:2] == [None, '"1"']
