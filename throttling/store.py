"""The connection to the store (Valkey or Redis): the one place that imports its client, and inside this room the clock.

Now it answers whether the store is there; the scripts of the turns come with the outgoing queue.
"""

from __future__ import annotations

from types import TracebackType
from typing import Final, Self

from redis.asyncio import Redis
from redis.exceptions import RedisError

_SECONDS: Final = 2.0


class Store:
    """A connection pool to the store at ``address`` (``unix://…`` or ``redis://…``). Opening it makes no connection yet."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._redis: Redis | None = None

    async def __aenter__(self) -> Self:
        self._redis = Redis.from_url(self._address, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._redis is not None:
            await self._redis.aclose()

    async def reachable(self) -> bool:
        """Whether the store answers."""
        if self._redis is None:
            return False
        try:
            await self._redis.ping()
        except (RedisError, OSError):
            return False
        return True
