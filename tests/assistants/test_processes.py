"""Two processes behind one port: any of them serves any request, and one may die."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from assistants.sessions import HANDLE_KEY
from besluitbron.running.layout import PROJECT
from tests.support.assistants import BOTH, Mouth, events, older
from tests.support.serving import BOUND
from tests.support.valkey import Valkey

pytestmark = pytest.mark.anyio
_MOST_CONNECTIONS = 60
_START = BOUND * 6


@dataclass(frozen=True, slots=True)
class Side:
    """A connection that stays with one process."""

    process: int
    mouth: Mouth


@pytest.fixture(scope="module")
async def sides(valkey: Valkey, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Side, Side]]:
    """A connection to each of two processes that listen at one port, and that all tests here leave alive."""
    valkey.flush()
    async with two_processes(valkey, tmp_path_factory.mktemp("processen")) as found:
        yield found


@asynccontextmanager
async def two_processes(valkey: Valkey, folder: Path) -> AsyncIterator[tuple[Side, Side]]:
    async with AsyncExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        arguments = ("-m", "tests.support.mcp_process", valkey.address, str(folder), str(listener.fileno()))
        processes = [
            await asyncio.create_subprocess_exec(sys.executable, *arguments, cwd=PROJECT, pass_fds=(listener.fileno(),))
            for _ in range(2)
        ]
        try:
            yield await _two(stack, address)
        finally:
            for process in processes:
                if process.returncode is None:
                    process.terminate()
                await process.wait()


async def _two(stack: AsyncExitStack, address: str) -> tuple[Side, Side]:
    """Open connections until both processes have one."""
    found: dict[int, Side] = {}
    for _ in range(_MOST_CONNECTIONS):
        kept = httpx.Limits(keepalive_expiry=None)
        browser = await stack.enter_async_context(
            httpx.AsyncClient(base_url=address, timeout=_START, verify=False, limits=kept)
        )
        mouth = Mouth(browser)
        process = int((await mouth.call(BOTH, "wie", "a"))["content"][0]["text"].split()[0])
        found.setdefault(process, Side(process, mouth))
        if len(found) == 2:
            one, other = found.values()
            return one, other
        if len(found) == 1:  # a busy process leaves the next connection to the other
            await asyncio.sleep(0.1)
    raise AssertionError(found)


async def _who(side: Side, headers: dict[str, str]) -> tuple[int, str]:
    process, caller = (await side.mouth.call(headers, "wie", "a"))["content"][0]["text"].split()
    return int(process), caller


async def test_a_session_and_a_conversation_are_the_same_at_either(sides: tuple[Side, Side]) -> None:
    one, other = sides
    headers = await one.mouth.open()
    (first, caller), (second, same) = await _who(one, headers), await _who(other, headers)
    assert (first, second) == (one.process, other.process)
    assert caller == same
    assert caller.startswith("mcp:")
    call = {"name": "wie", "arguments": {"woord": "a"}}
    handle = (await one.mouth.modern("tools/call", call)).json()["result"]["_meta"][HANDLE_KEY]
    said = [
        (await side.mouth.modern("tools/call", call, meta={HANDLE_KEY: handle})).json()["result"]["content"][0]["text"]
        for side in sides
    ]
    assert said[0].split()[1] == said[1].split()[1] != caller
    assert (await other.mouth.browser.delete(other.mouth.endpoint, headers=headers)).status_code == 204
    assert (await one.mouth.older(headers, older("ping"))).status_code == 404


async def test_a_call_at_one_is_stopped_at_the_other(sides: tuple[Side, Side]) -> None:
    one, other = sides
    headers = await one.mouth.open()
    body = older("tools/call", {"name": "wacht", "arguments": {"woord": "a"}, "_meta": {"progressToken": 1}}, about=9)
    stop = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}
    async with one.mouth.browser.stream("POST", one.mouth.endpoint, json=body, headers=headers) as answer:
        text = ""
        async for part in answer.aiter_text():
            if not text:  # it has begun: it told its place
                assert (await other.mouth.older(headers, stop)).status_code == 202
            text += part
    assert events(text)[-1]["error"]["code"] == -32800


async def test_what_one_process_served_goes_on_when_it_dies(valkey: Valkey, tmp_path: Path) -> None:
    body = older("tools/call", {"name": "wacht", "arguments": {"woord": "a"}, "_meta": {"progressToken": 1}})

    async def killed_while_it_waits(one: Side, headers: dict[str, str]) -> None:
        async with one.mouth.browser.stream("POST", one.mouth.endpoint, json=body, headers=headers) as answer:
            async for _ in answer.aiter_text():
                os.kill(one.process, signal.SIGKILL)

    async with two_processes(valkey, tmp_path) as (one, other):
        headers = await one.mouth.open()
        with pytest.raises(httpx.HTTPError):
            await killed_while_it_waits(one, headers)
        process, caller = await _who(other, headers)
        assert process == other.process
        assert caller.startswith("mcp:")
