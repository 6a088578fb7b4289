"""A circuit breaker per service: after repeated failures nobody waits for it, and now and then one call tries it again.

``closed``: calls go. ``open``: nobody calls until the rest is over. Then one call, with a turn of its own, is the trial: an
answer closes the breaker, another failure opens it again.
"""

from __future__ import annotations

from typing import Protocol


class Breaker(Protocol):
    """Whether a service (``platform/service``) may be called, over all processes that share its state."""

    async def may_call(self, service: str) -> bool:
        """Whether a call may leave now. After the rest this is true for one asker, whose call is the trial."""
        ...

    async def record(self, service: str, *, ok: bool) -> None:
        """A call to ``service`` ended: it answered, whatever it said, or it failed."""
        ...

    async def reopens_in(self, service: str) -> float | None:
        """Seconds until the next trial, 0 when it may begin; None while the breaker is closed."""
        ...
