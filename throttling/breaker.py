"""The breaker of each service, over all processes: after repeated failures nobody waits for it, and one call tries it again.

It fulfils what the rooms above ask of a breaker. Without the store it lets every call go: then no turn is given either (R12).
"""

from __future__ import annotations

from typing import Final

from throttling.limits import FAILURES, REST_SECONDS
from throttling.store import Store, StoreLostError

PREFIX: Final = "zekering:"


class StoreBreaker:
    """Opens after ``failures`` in a row, for ``rest`` seconds; then one asker's call is the trial."""

    def __init__(self, store: Store, failures: int = FAILURES, rest: float = REST_SECONDS) -> None:
        self._store = store
        self._bounds = (str(failures), repr(float(rest)))

    async def may_call(self, service: str) -> bool:
        """Whether a call may go now. After the rest one asker may; if that never reports, another a rest later."""
        may, _ = await self._run(service, "may")
        return may

    async def record(self, service: str, *, ok: bool) -> None:
        """A call to ``service`` ended: it answered, whatever it said, or it failed."""
        await self._run(service, "ok" if ok else "failed")

    async def reopens_in(self, service: str) -> float | None:
        """Seconds until the next trial; None while the breaker is closed."""
        _, seconds = await self._run(service, "look")
        return seconds

    async def reset(self, service: str) -> None:
        """What an operator does who knows that it is well again."""
        await self._run(service, "reset")

    async def _run(self, service: str, act: str) -> tuple[bool, float | None]:
        try:
            may, seconds = await self._store.run("breaker", f"{PREFIX}{{{service}}}", (act, *self._bounds))
            return bool(may), float(seconds) if seconds else None
        except (StoreLostError, TypeError, ValueError):
            return True, None
