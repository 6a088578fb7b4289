"""The breaker: after repeated failures nobody calls a service, until one call tries it again."""

from __future__ import annotations

import asyncio

import pytest
from starlette.responses import JSONResponse, Response

from connectors.client import Client
from connectors.exceptions import (
    ConnectorError,
    UnreachableError,
)
from tests.support.asking import as_is
from tests.support.breakers import MemoryBreaker
from tests.support.journeys import CALL, PLATFORM, Server, Shelf, ask_of, busy
from tests.support.scripted import client_of, counted
from tests.support.turns import InstantTurns
from throttling.turns import Expected

pytestmark = pytest.mark.anyio


class Seconds:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_after_repeated_failures_nobody_calls_until_one_call_tries_again_with_a_turn_of_its_own() -> None:
    clock, turns = Seconds(), InstantTurns()
    server = Server(*[Response("stuk", 500)] * 4, JSONResponse({"hits": 1}))
    breaker = MemoryBreaker(failures=3, rest=30, clock=clock)

    async def ask(client: Client) -> int | str:
        try:
            return (await ask_of(client)(CALL, counted, PLATFORM.key)).value
        except UnreachableError as failure:
            return failure.kind
        except ConnectorError as failure:
            return type(failure).__name__

    async with client_of({PLATFORM: server}, turns=turns, breaker=breaker) as client:
        assert [await ask(client) for _ in range(5)] == ["RefusedError"] * 3 + ["rests"] * 2
        assert len(turns.given) == 3
        assert await breaker.reopens_in("gemaakt/api") == 30
        clock.now = 30
        assert [await ask(client), await ask(client)] == ["RefusedError", "rests"]
        clock.now = 60
        assert [await ask(client), await ask(client)] == [1, 1]
    assert await breaker.reopens_in("gemaakt/api") is None


class _Opened(MemoryBreaker):
    """Was closed when it was looked at, and has opened since."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def may_call(self, service: str) -> bool:
        self.asked += 1
        return False


async def test_a_call_that_waited_while_the_breaker_opened_gives_its_turn_back() -> None:
    turns, server = InstantTurns(waits=Expected(0.2, 1)), Server(Response("mag niet"))
    async with client_of({PLATFORM: server}, turns=turns, buffer=Shelf(), breaker=_Opened()) as client:
        with pytest.raises(UnreachableError):
            await ask_of(client)(CALL, as_is)
    assert turns.given[0].given_back
    assert server.requests == []


async def test_a_call_that_gets_its_turn_at_once_does_not_ask_again_whether_it_may_go() -> None:
    breaker, server = _Opened(), Server(Response("goed"))
    async with client_of({PLATFORM: server}, turns=InstantTurns(), buffer=Shelf(), breaker=breaker) as client:
        await ask_of(client)(CALL, as_is)
    assert (breaker.asked, len(server.requests)) == (0, 1)


async def test_the_turn_is_given_back_before_its_asker_hears_the_answer() -> None:
    """Or the next call of the same asker would wait behind its own sister."""

    class Late(MemoryBreaker):
        async def record(self, service: str, *, ok: bool) -> None:
            for _ in range(10):
                await asyncio.sleep(0)
            await super().record(service, ok=ok)

    turns = InstantTurns()
    async with client_of({PLATFORM: Server(Response("goed"))}, turns=turns, buffer=Shelf(), breaker=Late()) as client:
        await ask_of(client)(CALL, as_is)
        assert turns.given[0].left


async def test_what_a_platform_says_in_good_order_is_no_failure_for_the_breaker() -> None:
    breaker = MemoryBreaker(failures=1)
    for response in (Response("weg", 404), busy(503, "40"), Response("<html>")):
        async with client_of({PLATFORM: Server(response)}, turns=InstantTurns(), breaker=breaker) as client:
            with pytest.raises(ConnectorError):
                await ask_of(client)(CALL, counted, PLATFORM.key)
    assert await breaker.reopens_in("gemaakt/api") is None


async def test_one_trial_at_a_time_and_another_when_it_never_reports() -> None:
    clock = Seconds()
    breaker = MemoryBreaker(failures=1, rest=30, clock=clock)
    await breaker.record("p/s", ok=False)
    clock.now = 30
    assert [await breaker.may_call("p/s") for _ in range(3)] == [True, False, False]
    assert await breaker.may_call("p/other")
    clock.now = 60
    assert await breaker.may_call("p/s")
