"""One client sends one endpoint five times what it may; calm clients ask elsewhere. Real HTTP, the usual limits, one process.

Clients are told apart by what this machine, as a proxy, says of their addresses (RFC 5737's).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from benchmarks.incoming_sdk import request, serving
from benchmarks.mcp_apps import STORE
from benchmarks.prepared import prepared
from throttling.incoming_rules import IncomingRules, Rate
from throttling.private_store import private_server

SECONDS: Final = 6.0
_TIMES: Final = 5
_LINES: Final = 24
_PATIENCE: Final = 5.0
_CALM_PER_SECOND: Final = 4
_VERSION: Final = "2026-07-28"
_OTHERS: Final = ("rechtspraak", "tweede-kamer", "opentk", "openbesluitvorming", "officiele-bekendmakingen")
_FLOODER: Final = "192.0.2.66"


@dataclass(slots=True)
class Counted:
    """What became of the requests of some clients."""

    sent: int = 0
    codes: list[bytes] = field(default_factory=list)

    @property
    def passed(self) -> int:
        """How many were answered."""
        return sum(code == b"200" for code in self.codes)


class Line(asyncio.Protocol):
    """One connection: a request, its answer, the next request."""

    def __init__(self) -> None:
        self._unread = b""
        self._transport: asyncio.Transport | None = None
        self._code: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ready."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Read on until the answer is whole."""
        self._unread += data
        head, found, body = self._unread.partition(b"\r\n\r\n")
        lengths = [line[15:] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        if not found or (len(body) < int(lengths[0]) if lengths else not body.endswith(b"0\r\n\r\n")):
            return
        code, self._unread = self._unread[9:12], b""
        if self._code is not None and not self._code.done():
            self._code.set_result(code)

    async def ask(self, sent: bytes) -> bytes:
        """The status code of the answer; empty when none came in time."""
        assert self._transport is not None
        self._code = asyncio.get_running_loop().create_future()
        self._transport.write(sent)
        try:
            async with asyncio.timeout(_PATIENCE):
                return await self._code
        except TimeoutError:
            return b""

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()


async def _send(port: int, counted: Counted, requests: Iterable[bytes], per_second: float, delay: float) -> None:
    """Send these one after another, at this pace or slower."""
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(Line, "127.0.0.1", port)
    at = loop.time() + delay
    for sent in requests:
        await asyncio.sleep(at - loop.time())
        counted.sent += 1
        counted.codes.append(await line.ask(sent))
        at = max(at + 1 / per_second, loop.time())
    line.close()


def _request(endpoint: str, address: str) -> bytes:
    sent = request(_VERSION).replace(b"/mcp/unified/", f"/mcp/{endpoint}/".encode())
    return sent.replace(b"host:", f"x-forwarded-for: {address}\r\nhost:".encode(), 1)


async def _flood(port: int, addresses: list[str], calm: Counted) -> tuple[Counted, float]:
    """A flood from these addresses beside the calm clients; also how long it lasted, in seconds."""
    flood, loop = Counted(), asyncio.get_running_loop()
    per_line = IncomingRules().mcp.connector.units * _TIMES / _LINES
    count = round(per_line * SECONDS)
    began = loop.time()
    async with asyncio.TaskGroup() as tasks:
        for number in range(_LINES):
            requests = [_request("unified", addresses[(number + n) % len(addresses)]) for n in range(count)]
            tasks.create_task(_send(port, flood, requests, per_line, number / per_line / _LINES))
        for number, endpoint in enumerate(_OTHERS):
            requests = [_request(endpoint, f"198.51.100.{number + 1}")] * round(_CALM_PER_SECOND * SECONDS)
            tasks.create_task(_send(port, calm, requests, _CALM_PER_SECOND, 0.05 * number))
    return flood, loop.time() - began


def _over(counted: Counted, rate: Rate, seconds: float) -> int:
    """How many passed above what the rate allows in the time that there was."""
    return max(counted.passed - int(rate.burst + rate.units / rate.seconds * seconds), 0)


async def flooded() -> dict[str, float]:
    """``flood_share_lost_by_calm_client``, ``over_limit_passed``, and what they are made of."""
    rules = IncomingRules()
    async with (
        private_server() as listens,
        prepared(BESLUITBRON_PROXIES="127.0.0.1") as made,
        serving("limited", {**made, STORE: f"unix://{listens}"}) as port,
    ):
        calm = Counted()
        one, one_seconds = await _flood(port, [_FLOODER], calm)
        crowd = [f"203.0.113.{number}" for number in range(1, 101)]
        many, many_seconds = await _flood(port, crowd, calm)
    return {
        "flood_share_lost_by_calm_client": round(1 - calm.passed / calm.sent, 4),
        "over_limit_passed": _over(one, rules.mcp.session, one_seconds)
        + _over(many, rules.mcp.connector, many_seconds),
        "flood_sent_per_second": round(one.sent / one_seconds, 1),
        "flood_passed_per_second": round(one.passed / one_seconds, 1),
        "crowd_passed_per_second": round(many.passed / many_seconds, 1),
    }
