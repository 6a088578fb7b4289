"""The breaker: after repeated failures nobody calls a service, until one call tries it again."""

from __future__ import annotations

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


async def test_a_call_that_waited_while_the_breaker_opened_gives_its_turn_back() -> None:
    class Opened(MemoryBreaker):
        async def may_call(self, service: str) -> bool:
            return False

    turns, server = InstantTurns(), Server(Response("mag niet"))
    async with client_of({PLATFORM: server}, turns=turns, buffer=Shelf(), breaker=Opened()) as client:
        with pytest.raises(UnreachableError):
            await ask_of(client)(CALL, as_is)
    assert turns.given[0].given_back
    assert server.requests == []


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
