"""How many lists of tools a second, ours over the bare SDK: the price of the shell, the sessions and the limits.

Eight connections ask one after another as fast as they are answered. Ours and the SDK's two take turns; a figure is the median
of the ratios of five such rounds, so that what else the machine does touches all.
"""

from __future__ import annotations

import asyncio
import json
import socket
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from benchmarks.mcp_apps import STORE
from benchmarks.prepared import FailuresLoggedError, failures, machine, prepared
from besluitbron.running.layout import PROJECT
from throttling.private_store import private_server

CONNECTIONS: Final = 8
PAIRS: Final = 5
APPLICATIONS: Final = ("ours", "bare", "prepared")
PEERS: Final = ("bare_sdk", "prepared_sdk")
"""What the figures call the others."""
SECONDS: Final = 2.0
_PATH: Final = "/mcp/unified/v1"
_AGAIN_SECONDS: Final = 0.05
_START_SECONDS: Final = 30.0
_MODERN: Final = "2026-07-28"
_OLDER: Final = "2025-11-25"


class Asker(asyncio.Protocol):
    """One connection that sends the same request again as soon as it was answered, until it is told to stop."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._unread = b""
        self._transport: asyncio.Transport | None = None
        self.answered = 0
        self.last = b""
        self.once = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Count a whole answer, and send the next request."""
        self._unread += data
        if not _is_whole(self._unread):
            return
        self.last, self._unread = self._unread, b""
        self.answered += 1
        if not self.once.done():
            self.once.set_result(None)
        if self._transport is not None:
            self._transport.write(self._request)

    def stop(self) -> None:
        """Send nothing more."""
        if self._transport is not None:
            self._transport.abort()
            self._transport = None


def _is_whole(data: bytes) -> bool:
    head, found, body = data.partition(b"\r\n\r\n")
    if not found:
        return False
    lines = head.lower().split(b"\r\n")
    length = next((line[15:] for line in lines if line.startswith(b"content-length:")), None)
    return body.endswith(b"0\r\n\r\n") if length is None else len(body) >= int(length)


def request(version: str, session: str = "") -> bytes:
    """A whole HTTP request for the list of tools."""
    params: dict[str, Any] = {}
    headers = {"mcp-protocol-version": version}
    if version == _MODERN:
        prefix = "io.modelcontextprotocol/"
        params["_meta"] = {f"{prefix}protocolVersion": version, f"{prefix}clientCapabilities": {}}
        headers["mcp-method"] = "tools/list"
    if session:
        headers["mcp-session-id"] = session
    return _http({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}, headers)


def _http(message: dict[str, Any], headers: dict[str, str]) -> bytes:
    body = json.dumps(message).encode()
    all_headers = {
        "host": "127.0.0.1:8000",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "content-length": str(len(body)),
        **headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in all_headers.items())
    return f"POST {_PATH} HTTP/1.1\r\n{lines}\r\n".encode() + body


async def session(port: int) -> str:
    """A session of an older revision; empty where the server gives none."""
    client = {"name": "benchmark", "version": "1"}
    params = {"protocolVersion": _OLDER, "capabilities": {}, "clientInfo": client}
    answer = await _once(port, _http({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}, {}))
    lines = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    found = next((line.partition(": ")[2] for line in lines if line.lower().startswith("mcp-session-id:")), "")
    told = {"mcp-protocol-version": _OLDER, **({"mcp-session-id": found} if found else {})}
    await _once(port, _http({"jsonrpc": "2.0", "method": "notifications/initialized"}, told))
    return found


async def _once(port: int, sent: bytes) -> bytes:
    asker = await asking(port, sent)
    async with asyncio.timeout(_START_SECONDS):
        await asker.once
    asker.stop()
    return asker.last


async def asking(port: int, sent: bytes) -> Asker:
    """One who asks this again and again, over a connection of its own."""
    return (await asyncio.get_running_loop().create_connection(lambda: Asker(sent), "127.0.0.1", port))[1]


async def rate(port: int, requests: list[bytes]) -> float:
    """Answers a second, over one connection for each of the requests. Raises ``AssertionError`` for a wrong answer."""
    askers = [await asking(port, sent) for sent in requests]
    found = await answers_a_second(askers, SECONDS)
    for asker in askers:
        assert b"200 OK" in asker.last[:20], asker.last[:200]
        assert b'"inputSchema"' in asker.last, asker.last[:400]
    return found


async def answers_a_second(askers: Sequence[Asker], seconds: float) -> float:
    """How many answers they get together in so long, from when each had one; then they stop. Raises ``TimeoutError``."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(_START_SECONDS):
        await asyncio.gather(*(asker.once for asker in askers))
    began, before = loop.time(), sum(asker.answered for asker in askers)
    await asyncio.sleep(seconds)
    async with asyncio.timeout(_START_SECONDS):
        while sum(asker.answered for asker in askers) == before:  # noqa: ASYNC110 - a machine too busy for one in that time
            await asyncio.sleep(_AGAIN_SECONDS)
    answered, took = sum(asker.answered for asker in askers) - before, loop.time() - began
    for asker in askers:
        asker.stop()
    return answered / took


@asynccontextmanager
async def serving(name: str, environment: Mapping[str, str]) -> AsyncIterator[int]:
    """The port of an application of ``mcp_apps`` in a process of its own. Raises ``FailuresLoggedError`` at the end."""
    with socket.socket() as listener, tempfile.TemporaryFile() as log:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        port = listener.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "benchmarks.mcp_apps", name, str(listener.fileno())),
            env={**machine(), **environment},
            cwd=PROJECT,
            pass_fds=(listener.fileno(),),
            stdout=log,
            stderr=log,
        )
        try:
            await _once(port, request(_MODERN))
            yield port
        finally:
            process.terminate()
            await process.wait()
        log.seek(0)
        if told := failures(log.read().decode("utf-8", "replace")):
            raise FailuresLoggedError(name, told)


async def over_bare_sdk() -> dict[str, float]:
    """``tools_list_over_bare_sdk`` and ``tools_list_over_prepared_sdk``, each also ``..._older``, with their rates.

    The bare SDK has its defaults, the prepared one the cheapest settings that it has: see ``mcp_apps``. Rates are lists a
    second (medians).
    """
    async with private_server() as listens, prepared() as made:
        environment = {**made, STORE: f"unix://{listens}"}
        async with AsyncExitStack() as stack:
            ports = [await stack.enter_async_context(serving(name, environment)) for name in APPLICATIONS]
            figures: dict[str, float] = {}
            for version, suffix in ((_MODERN, ""), (_OLDER, "_older")):
                figures |= {f"{name}{suffix}": figure for name, figure in (await _rounds(ports, version)).items()}
            return figures


async def _rounds(ports: Sequence[int], version: str) -> dict[str, float]:
    """The figures of one generation: all applications in turn, so often."""
    asked = {port: await _requests(port, version) for port in ports}
    for port, requests in asked.items():
        await rate(port, requests)
    rounds = [[await rate(port, asked[port]) for port in ports] for _ in range(PAIRS)]
    figures = {
        f"tools_list_over_{name}": round(statistics.median(rates[0] / rates[at] for rates in rounds), 2)
        for at, name in enumerate(PEERS, 1)
    }
    for name, rates in zip(("ours", *PEERS), zip(*rounds, strict=True), strict=True):
        figures[f"tools_list_per_second_{name}"] = round(statistics.median(rates), 1)
    return figures


async def _requests(port: int, version: str) -> list[bytes]:
    if version == _MODERN:
        return [request(version)] * CONNECTIONS
    return [request(version, await session(port)) for _ in range(CONNECTIONS)]


if __name__ == "__main__":
    sys.stdout.write(f"{json.dumps(asyncio.run(over_bare_sdk()), indent=2)}\n")
