"""The breaker over all processes, on a real store."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.valkey import PATIENCE, Valkey, private_valkey
from tests.throttling.queues import fresh_service
from throttling.breaker import StoreBreaker
from throttling.store import Store

pytestmark = pytest.mark.anyio
BOUND = 20.0
FOREVER = 600.0


async def opened(breaker: StoreBreaker, service: str, failures: int = 3) -> None:
    for _ in range(failures):
        await breaker.record(service, ok=False)


async def test_repeated_failures_open_it_for_every_process(valkey: Valkey) -> None:
    service = fresh_service()
    async with Store(valkey.address, PATIENCE) as here, Store(valkey.address) as there:
        one, two = StoreBreaker(here, 3, FOREVER), StoreBreaker(there, 3, FOREVER)
        await opened(one, service, 2)
        assert await two.may_call(service)
        assert await two.reopens_in(service) is None
        await two.record(service, ok=False)
        assert not await one.may_call(service)
        assert 0 < (await one.reopens_in(service) or 0) <= FOREVER


async def test_an_answer_between_failures_begins_the_count_again(valkey: Valkey) -> None:
    service = fresh_service()
    async with Store(valkey.address, PATIENCE) as store:
        breaker = StoreBreaker(store, 3, FOREVER)
        await opened(breaker, service, 2)
        await breaker.record(service, ok=True)
        await opened(breaker, service, 2)
        assert await breaker.may_call(service)


async def test_after_the_rest_one_asker_tries_and_an_answer_closes_it(valkey: Valkey) -> None:
    service = fresh_service()
    async with Store(valkey.address, PATIENCE) as store:
        short, long = StoreBreaker(store, 3, 0.2), StoreBreaker(store, 3, FOREVER)
        await opened(short, service)
        async with asyncio.timeout(BOUND):
            while not await long.may_call(service):
                pass  # each look is a way to the store and back
        assert not await long.may_call(service)
        await long.record(service, ok=True)
        assert await long.may_call(service)
        assert await long.reopens_in(service) is None


async def test_a_trial_that_fails_opens_it_again(valkey: Valkey) -> None:
    service = fresh_service()
    async with Store(valkey.address, PATIENCE) as store:
        short, long = StoreBreaker(store, 3, 0.2), StoreBreaker(store, 3, FOREVER)
        await opened(short, service)
        async with asyncio.timeout(BOUND):
            while not await long.may_call(service):
                pass
        await long.record(service, ok=False)
        assert not await long.may_call(service)


async def test_an_operator_closes_it_by_hand(valkey: Valkey) -> None:
    service = fresh_service()
    async with Store(valkey.address, PATIENCE) as store:
        breaker = StoreBreaker(store, 3, FOREVER)
        await opened(breaker, service)
        await breaker.reset(service)
        assert await breaker.may_call(service)


async def test_without_the_store_it_stands_in_nobodys_way() -> None:
    with private_valkey() as server:
        async with Store(server.address) as store:
            breaker = StoreBreaker(store)
            server.kill()
            assert await breaker.may_call("bron/dienst")
            await breaker.record("bron/dienst", ok=False)
            assert await breaker.reopens_in("bron/dienst") is None
