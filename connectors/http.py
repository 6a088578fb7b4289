"""The wire: the only importer of httpx. One transport per platform, one deadline per call, and a cap on what is read.

A transport knows no cookies: a platform cannot recognise one visitor in the call of another. It never repeats a call and never
follows a redirect by itself: each request that leaves takes its own turn (rule R11).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from types import MappingProxyType, TracebackType
from typing import Final, Self

import httpx

from connectors.addresses import Addresses
from connectors.calls import Answer, Call
from connectors.exceptions import Defect, NotAnAnswerError, TooSlowError, UnreachableError
from connectors.inflating import ENCODINGS, DamagedError, Inflater
from connectors.moments import now
from connectors.platforms import Platform

MAX_BODY_BYTES: Final = 20 * 1024 * 1024
_CONNECT_SECONDS: Final = 5.0
_MAX_CONNECTIONS: Final = 8


def user_agent(version: str, contact: str) -> str:
    """How we introduce ourselves: name, version and where the operator can be reached (empty: only stand-ins are asked)."""
    return f"BesluitBron/{version} (+{contact})" if contact else f"BesluitBron/{version} (proefmodus)"


class Http:
    """HTTP connections, a pool per platform, so that a platform that hangs takes no connection from another.

    Use as an async context manager inside the event loop that will send.
    """

    def __init__(self, platforms: Iterable[Platform], addresses: Addresses, agent: str) -> None:
        self._platforms = {platform.key: platform for platform in platforms}
        self._addresses = addresses
        self._usual = (("user-agent", agent), ("accept", "*/*"), ("accept-encoding", "gzip"))
        self._wires: dict[str, httpx.AsyncHTTPTransport] = {}

    async def __aenter__(self) -> Self:
        trusted = httpx.create_ssl_context(trust_env=False)  # one for all: reading the certificates takes longest
        for key in self._platforms:
            self._wires[key] = httpx.AsyncHTTPTransport(
                verify=trusted, limits=httpx.Limits(max_connections=_MAX_CONNECTIONS), trust_env=False
            )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for wire in self._wires.values():
            await wire.aclose()
        self._wires.clear()

    async def send(self, call: Call) -> Answer:
        """Send ``call`` and read its answer whole, within the platform's deadline.

        Raises ``UnreachableError``, ``TooSlowError``, or ``NotAnAnswerError`` for a body that is too large or damaged. Any
        status is an answer here.
        """
        platform = self._platforms[call.platform]
        try:
            async with asyncio.timeout(platform.deadline):
                return await self._exchange(call, platform)
        except TimeoutError:
            raise TooSlowError(platform.key, platform.deadline) from None
        except httpx.TimeoutException as error:
            if isinstance(error, httpx.ConnectTimeout):
                raise UnreachableError(platform.key, "connect") from None
            raise TooSlowError(platform.key, platform.deadline) from None
        except DamagedError:
            raise NotAnAnswerError(platform.key, Defect.CUT_OFF, "encoding") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError) as error:
            # Their texts may hold the address, and with it the words of a question: only the kind goes on.
            raise UnreachableError(platform.key, type(error).__name__) from None

    async def _exchange(self, call: Call, platform: Platform) -> Answer:
        own = {name.lower() for name, _ in call.headers}
        request = httpx.Request(
            call.method,
            self._addresses.base(platform, platform.service(call.service)) + call.path,
            params=list(call.params) or None,
            content=call.body,
            headers=[*((name, value) for name, value in self._usual if name not in own), *call.headers],
            extensions={"timeout": httpx.Timeout(platform.deadline, connect=_CONNECT_SECONDS).as_dict()},
        )
        response = await self._wires[platform.key].handle_async_request(request)
        try:
            body = await self._read(response, platform)
        finally:
            await response.aclose()
        return Answer(
            status=response.status_code,
            headers=MappingProxyType({name.lower(): value for name, value in response.headers.items()}),
            body=body,
            fetched_at=now(),
        )

    async def _read(self, response: httpx.Response, platform: Platform) -> bytes:
        encoding = response.headers.get("content-encoding", "").strip().lower()
        if encoding not in ENCODINGS:
            raise NotAnAnswerError(platform.key, Defect.WRONG_TYPE, "encoding")
        inflater = Inflater(encoding)
        parts: list[bytes] = []
        size = 0
        async for packed in response.aiter_raw():
            for part in inflater.feed(packed):
                size += len(part)
                if size > MAX_BODY_BYTES:
                    raise NotAnAnswerError(platform.key, Defect.TOO_LARGE)
                parts.append(part)
        inflater.finish()
        return b"".join(parts)
