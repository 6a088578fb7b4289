"""What may be done once is done once, whichever process asks, and is forgotten in time; on a real store."""

from __future__ import annotations

import asyncio
import secrets

import pytest

from tests.support.valkey import PATIENCE, Valkey
from throttling.once import PREFIX, Once
from throttling.store import Store, StoreLostError

pytestmark = pytest.mark.anyio


async def test_of_many_who_try_at_once_in_two_processes_one_is_the_first(valkey: Valkey) -> None:
    name = secrets.token_hex(8)
    async with Store(valkey.address, PATIENCE) as here, Store(valkey.address) as there:
        tries = [Once(store).spend(name, 600) for store in (here, there) for _ in range(20)]
        assert sum(await asyncio.gather(*tries)) == 1
        assert await Once(here).spend(f"{name}x", 600)


async def test_what_was_done_is_forgotten_when_its_time_is_over(valkey: Valkey) -> None:
    name = secrets.token_hex(8)
    async with Store(valkey.address, PATIENCE) as store:
        once = Once(store)
        assert await once.spend(name, 1)
        async with asyncio.timeout(20):
            while not await once.spend(name, 1):
                await asyncio.sleep(0.05)


async def test_the_store_holds_no_name(valkey: Valkey) -> None:
    name = f"geheim{secrets.token_hex(8)}"
    async with Store(valkey.address, PATIENCE) as store:
        await Once(store).spend(name, 600)
        kept = [key.decode() async for key in store._open().scan_iter(f"{PREFIX}*", count=1000)]
    assert kept
    assert not [key for key in kept if name in key]


async def test_without_a_store_nobody_can_tell(valkey: Valkey) -> None:
    async with Store("unix:///nergens.sock") as store:
        with pytest.raises(StoreLostError):
            await Once(store).spend("x", 600)
