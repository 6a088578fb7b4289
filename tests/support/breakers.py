"""A breaker without a store, for tests of what asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from throttling.limits import FAILURES, REST_SECONDS


@dataclass(slots=True)
class _Service:
    failures: int = 0
    trial_at: float | None = None


class MemoryBreaker:
    """A ``connectors.breaker.Breaker`` of this process alone.

    ``clock`` gives seconds of any steady count; the event loop's when left out.
    """

    def __init__(
        self, failures: int = FAILURES, rest: float = REST_SECONDS, clock: Callable[[], float] | None = None
    ) -> None:
        self._failures = failures
        self._rest = rest
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._services: dict[str, _Service] = {}

    async def may_call(self, service: str) -> bool:
        """See ``Breaker``. A trial that never reports gives its place to another after one more rest."""
        state = self._services.get(service)
        if state is None or state.trial_at is None:
            return True
        if self._clock() < state.trial_at:
            return False
        state.trial_at = self._clock() + self._rest
        return True

    async def record(self, service: str, *, ok: bool) -> None:
        """See ``Breaker``."""
        if ok:
            self._services.pop(service, None)
            return
        state = self._services.setdefault(service, _Service())
        state.failures += 1
        if state.failures >= self._failures:
            state.trial_at = self._clock() + self._rest

    async def reopens_in(self, service: str) -> float | None:
        """See ``Breaker``."""
        state = self._services.get(service)
        return None if state is None or state.trial_at is None else max(state.trial_at - self._clock(), 0.0)
