"""Visitors of a page: one who notes when each section was there, some who ask again and again, and one who counts bytes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Final

from benchmarks.incoming_sdk import answers_a_second, asking
from benchmarks.site import LOOPBACK

_PATIENCE: Final = 30.0
_SECTION: Final = re.compile(
    rb'<section class="bron" data-bron="([a-z-]+)" data-staat="([a-z-]+)".*?</section>', re.DOTALL
)
_DONE: Final = b"klaar"
_BUSY: Final = frozenset({b"bezig", b"gepland"})
_END: Final = b"0\r\n\r\n"
_READ_BYTES: Final = 65_536


def request(target: str, accepts: str = "") -> bytes:
    """A whole HTTP request for a page. ``accepts``: in which forms it may be packed; empty for none."""
    packed = f"accept-encoding: {accepts}\r\n" if accepts else ""
    return f"GET {target} HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\n{packed}\r\n".encode()


async def sections(port: int, target: str) -> Mapping[str, float]:
    """After how many seconds each source's results were there whole, in order of arrival, asked over a new connection.

    Raises ``AssertionError`` for a source that gave no results, and ``TimeoutError``.
    """
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    loop = asyncio.get_running_loop()
    found: dict[str, float] = {}
    unread, ended, last = b"", False, 0
    try:
        async with asyncio.timeout(_PATIENCE):
            began = loop.time()
            writer.write(request(target))
            while not ended:
                data = await reader.read(_READ_BYTES)
                at, unread, last = loop.time() - began, unread[last:] + data, 0
                for section in _SECTION.finditer(unread):
                    last = section.end()
                    if section[2] not in _BUSY:
                        assert section[2] == _DONE, section[0][:200]
                        found[section[1].decode()] = at
                ended = not data or unread.endswith(_END)
    finally:
        writer.close()
    return found


async def fetched(port: int, target: str, accepts: str) -> tuple[int, bytes]:
    """How many bytes an answer is on the wire, its headers included, and the answer as it came."""
    asker = await asking(port, request(target, accepts))
    async with asyncio.timeout(_PATIENCE):
        await asker.once
    asker.stop()
    assert b" 200 " in asker.last[:20], asker.last[:200]
    return len(asker.last), asker.last


async def rate(port: int, target: str, askers: int, seconds: float) -> float:
    """Pages a second for so many who ask again as soon as they were answered. Raises ``AssertionError`` for a wrong answer."""
    visitors = [await asking(port, request(target)) for _ in range(askers)]
    found = await answers_a_second(visitors, seconds)
    for one in visitors:
        assert b" 200 " in one.last[:20], one.last[:200]
    return found
