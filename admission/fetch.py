"""The only way to documents with keys of others: one address, one answer, in two seconds, and never anybody inside a network.

The name is resolved once, every address it has is looked at, and one of exactly those is dialled; TLS and its name are those of
the address that was asked for. Nothing is followed: no redirect, no proxy of the environment (attack 6 of the study).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final

import httpcore

from admission.targets import BadTargetError, Target, is_public

SECONDS: Final = 2.0
"""For everything: name, connection, TLS and answer together."""
PORT: Final = 443
MOST_ADDRESSES: Final = 8
_RESOLVERS: Final = 4
_JSON: Final = frozenset({b"application/json", b"application/jwk-set+json", b"application/jwks+json"})
Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""The network addresses of a name. Raises ``OSError``."""
Fetch = Callable[[str, int], Awaitable[bytes]]
"""The document at an address, of so many bytes at most. Raises ``FetchError``."""


class Failure(StrEnum):
    """Why there is no document: a closed list."""

    REFUSED = "refused"
    """It may not be asked: its name, or an address that its name has."""
    UNREACHABLE = "unreachable"
    LATE = "late"
    STATUS = "status"
    MEDIA = "media"
    SIZE = "size"
    WORKER = "worker"
    """Nobody of ours fetched it: that says nothing of the document."""


class FetchError(Exception):
    """There is no document. Nothing of what was sent is in it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.value)
        self.failure = failure


class SystemResolver:
    """Asks the resolver of the machine, in threads of its own: one that hangs keeps nobody else waiting."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=_RESOLVERS, thread_name_prefix="namen")

    async def __call__(self, host: str) -> Sequence[str]:
        """See ``Resolve``."""
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, _look_up, host)
        return tuple(dict.fromkeys(str(one[4][0]) for one in found))

    def close(self) -> None:
        """End the threads, without waiting for a resolver that hangs."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _look_up(host: str) -> list[Any]:
    return socket.getaddrinfo(host, PORT, type=socket.SOCK_STREAM)


class _Guarded(httpcore.AsyncNetworkBackend):
    """Opens connections to what a name has, when all of that may be dialled. No other way to the network is given."""

    def __init__(self, resolve: Resolve, dial: httpcore.AsyncNetworkBackend) -> None:
        self._resolve = resolve
        self._dial = dial

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the contract of the library
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to one of the addresses, each looked at before. Raises ``FetchError``."""
        del timeout, local_address, socket_options
        try:
            addresses = await self._resolve(host)
        except OSError as failure:
            raise FetchError(Failure.UNREACHABLE) from failure
        if port != PORT or not addresses or not all(map(is_public, addresses)):
            raise FetchError(Failure.REFUSED)
        for address in addresses[:MOST_ADDRESSES]:
            try:
                return await self._dial.connect_tcp(address, port)
            except httpcore.ConnectError:
                continue
        raise FetchError(Failure.UNREACHABLE)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the contract of the library
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Never."""
        del path, timeout, socket_options
        raise FetchError(Failure.REFUSED)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class Fetcher:
    """Fetches documents. ``trust``: whose certificates count; ``resolve`` and ``dial`` are replaced by tests.

    Nothing replaces what is looked at between the two.
    """

    def __init__(
        self,
        *,
        resolve: Resolve,
        trust: ssl.SSLContext | None = None,
        dial: httpcore.AsyncNetworkBackend | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self._trust = trust
        self._network = _Guarded(resolve, dial or httpcore.AnyIOBackend())
        self._seconds = seconds

    async def __call__(self, url: str, most: int) -> bytes:
        """The document at an address, of ``most`` bytes at most. Raises ``FetchError``."""
        try:
            target = Target.of(url)
        except BadTargetError as failure:
            raise FetchError(Failure.REFUSED) from failure
        try:
            async with asyncio.timeout(self._seconds):
                return await self._fetch(target, most)
        except TimeoutError as failure:
            raise FetchError(Failure.LATE) from failure
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError) as failure:
            raise FetchError(Failure.UNREACHABLE) from failure

    async def _fetch(self, target: Target, most: int) -> bytes:
        if self._trust is None:
            self._trust = await asyncio.to_thread(ssl.create_default_context)
        headers = [
            (b"Host", target.host.encode()),
            (b"Accept", b"application/json, application/jwk-set+json"),
            (b"Accept-Encoding", b"identity"),
            (b"Connection", b"close"),
        ]
        url = httpcore.URL(scheme=b"https", host=target.host.encode(), port=PORT, target=target.path.encode())
        async with (
            httpcore.AsyncConnectionPool(
                ssl_context=self._trust, max_connections=1, retries=0, network_backend=self._network
            ) as pool,
            pool.stream("GET", url, headers=headers) as answer,
        ):
            return await _body(answer, most)


async def _body(answer: httpcore.Response, most: int) -> bytes:
    """The body of an answer that is one: 200, JSON as it is, and not a byte more than ``most``."""
    if answer.status != HTTPStatus.OK:
        raise FetchError(Failure.STATUS)
    told = {name.lower(): value for name, value in answer.headers}
    media = told.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if (media not in _JSON and not media.endswith(b"+json")) or told.get(
        b"content-encoding", b"identity"
    ) != b"identity":
        raise FetchError(Failure.MEDIA)
    pieces, size = [], 0
    async for piece in answer.aiter_stream():
        size += len(piece)
        if size > most:
            raise FetchError(Failure.SIZE)
        pieces.append(piece)
    return b"".join(pieces)
