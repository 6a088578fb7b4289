"""What the edge has in one process: who decides, what goes on, what is counted, and who showed too much that proves nothing."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self

from admission.gatehouse import Gatehouse
from admission.leases import Leases
from admission.pacing import Pacing
from admission.proofs.remembered import Remembered
from admission.telling import Telling
from throttling.incoming_memory import Table
from throttling.incoming_rules import SECOND, Rate, whole_seconds
from throttling.store import monotonic

STATE: Final = "edge"
"""Where the shell leaves it in the state of each request."""
ATTEMPTS: Final = Rate(1, 1, 60)
"""So much that proves nothing is looked at from one place: sixty at once, then one a second (attack 20 of the study)."""


class Attempts:
    """Counts what proved nothing, by where it came from. Of a place that used up its room nothing more is looked at."""

    def __init__(self, rate: Rate = ATTEMPTS) -> None:
        self._rate = rate
        self._table = Table()

    def __bool__(self) -> bool:
        """Whether anything proved nothing, ever: until then nobody needs to be told apart."""
        return len(self._table) > 0

    def wait(self, source: str) -> int:
        """Whole seconds until something from there is looked at again; 0 for now."""
        wait = self._rate.wait(self._table.ahead(source, self._rate, _now()))
        return whole_seconds(wait) if wait > 0 else 0

    def failed(self, source: str) -> None:
        """Something from there proved nothing."""
        now = _now()
        self._table.put(source, self._table.ahead(source, self._rate, now) + self._rate.step, now)


class Doorkeeper:
    """The edge of this process, for as long as its context lasts."""

    def __init__(self, gatehouse: Gatehouse, leases: Leases | None = None, pacing: Pacing | None = None) -> None:
        self.gatehouse = gatehouse
        self.leases = leases or Leases(gatehouse.admissions)
        self.pacing = Pacing() if pacing is None else pacing
        self.telling = Telling(gatehouse.tally)
        self.tokens = Remembered(lambda: gatehouse.issuer)
        self.attempts = Attempts()

    async def __aenter__(self) -> Self:
        await self.leases.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.leases.__aexit__(kind, error, trace)
        self.telling.lines.write()


def doorkeeper(scope: Mapping[str, Any]) -> Doorkeeper:
    """That of the process that serves this ASGI scope."""
    found: Doorkeeper = scope["state"][STATE]
    return found


def _now() -> int:
    return int(monotonic() * SECOND)
