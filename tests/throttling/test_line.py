"""The one connection that carries all scripts of a process: whoever asks gets its own answer, whatever becomes of others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from hashlib import sha1
from pathlib import Path

import pytest

from tests.support.valkey import Valkey
from throttling.line import connect
from throttling.store import Script, Store, StoreLostError

pytestmark = pytest.mark.anyio
BOUND = 30.0
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def made(text: str) -> Script:
    return Script(text, sha1(text.encode()).hexdigest())


ECHO = made("return ARGV[1]")
KEY = "{lijn}"


@asynccontextmanager
async def served(at: Path, serve: Serve) -> AsyncIterator[str]:
    """A store that answers as ``serve`` does."""
    writers: list[asyncio.StreamWriter] = []

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await serve(reader, writer)

    server = await asyncio.start_unix_server(one, str(at))
    async with server:
        yield f"unix://{at}"
        server.close()
        for writer in writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


async def test_each_of_many_at_once_gets_its_own_answer_over_one_connection(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        before: dict[str, int] = await store._open().info("stats")
        said = await asyncio.gather(*(store.run(ECHO, KEY, [str(number)]) for number in range(300)))
        after: dict[str, int] = await store._open().info("stats")
    assert said == [str(number).encode() for number in range(300)]
    assert after["total_connections_received"] - before["total_connections_received"] == 1


async def test_who_goes_away_leaves_the_answers_of_others_to_them(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        await store.run(ECHO, KEY, ["eerst"])
        asked = [asyncio.create_task(store.run(ECHO, KEY, [str(number)])) for number in range(30)]
        await asyncio.sleep(0)  # all have asked, and none has an answer
        for task in asked[::3]:
            task.cancel()
        said = await asyncio.gather(*asked, return_exceptions=True)
    assert [one for one in said if isinstance(one, bytes)] == [str(n).encode() for n in range(30) if n % 3]


async def test_a_fault_of_one_script_is_no_fault_of_the_next(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        said = await asyncio.gather(
            store.run(made("return redis.call('NIETS')"), KEY, []),
            store.run(ECHO, KEY, ["é\x00\r\n"]),
            return_exceptions=True,
        )
    assert isinstance(said[0], StoreLostError)
    assert said[1] == "é\x00\r\n".encode()


async def test_a_connection_that_says_nothing_is_not_asked_again(tmp_path: Path) -> None:
    """Who waits on it may still get an answer; who comes later takes another."""
    connections: list[asyncio.StreamWriter] = []

    async def first_is_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        while await reader.read(65_536):
            if len(connections) > 1:
                writer.write(b"$2\r\nja\r\n")

    async with asyncio.timeout(BOUND), served(tmp_path / "s", first_is_silent) as address, Store(address) as store:
        patient = asyncio.create_task(store.run(ECHO, KEY, [], within=BOUND))
        with pytest.raises(StoreLostError):
            await store.run(ECHO, KEY, [], within=0.05)
        assert await store.run(ECHO, KEY, []) == b"ja"
        connections[0].write(b"$4\r\nlaat\r\n" * 2)  # to whoever waits, and to who went
        assert await patient == b"laat"


@pytest.mark.parametrize("nonsense", [b"onzin\r\n", b"$2\r\nja\r\n$2\r\nja\r\n+te veel\r\n", b"*9999999999999\r\n"])
async def test_nonsense_ends_the_connection_and_the_next_is_a_new_one(tmp_path: Path, nonsense: bytes) -> None:
    seen = 0

    async def first_talks_nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal seen
        seen += 1
        is_first = seen == 1
        while await reader.read(65_536):
            writer.write(nonsense if is_first else b"$2\r\nja\r\n")

    async with asyncio.timeout(BOUND), served(tmp_path / "s", first_talks_nonsense) as address, Store(address) as store:
        said = await asyncio.gather(*(store.run(ECHO, KEY, []) for _ in range(2)), return_exceptions=True)
        assert all(one == b"ja" or isinstance(one, StoreLostError) for one in said)
        while await store.run(ECHO, KEY, []) != b"ja" or seen == 1:
            await asyncio.sleep(0)


async def test_who_waits_when_the_connection_is_lost_hears_so(tmp_path: Path) -> None:
    async def hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.close()

    async with asyncio.timeout(BOUND), served(tmp_path / "s", hangs_up) as address, Store(address) as store:
        said = await asyncio.gather(*(store.run(ECHO, KEY, []) for _ in range(5)), return_exceptions=True)
    assert all(isinstance(one, StoreLostError) for one in said)


async def test_a_store_that_is_closed_asks_nothing(valkey: Valkey) -> None:
    async with Store(valkey.address) as store:
        await store.run(ECHO, KEY, ["open"])
    with pytest.raises(StoreLostError):
        await store.run(ECHO, KEY, ["dicht"])


async def test_the_address_names_the_database(valkey: Valkey) -> None:
    one, other = await connect(f"{valkey.address}?db=1"), await connect(f"{valkey.address}?db=2")
    await one.ask("SET", KEY, "1")
    assert await other.ask("GET", KEY) is None
    assert await one.ask("GET", KEY) == b"1"
    await one.ask("DEL", KEY)
    one.abort()
    other.abort()
    await asyncio.sleep(0)


async def test_another_kind_of_address_is_refused() -> None:
    with pytest.raises(ValueError, match="unix://"):
        await connect("https://example.org")
