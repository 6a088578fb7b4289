"""What operators see of the limits on what comes in: the limits, the refusals of the last hour, and who asks most."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from throttling.incoming_rules import CONNECTOR, OPENING, PROCESS, SESSION, IncomingRules, Rate, is_mcp
from throttling.incoming_tally import PASSED, LastHour, last_hour
from throttling.operating.reading import BOUND_SECONDS, NoStoreError
from throttling.operating.words import short_key
from throttling.store import Store, StoreLostError

LIMITS: Final = (PROCESS, CONNECTOR, SESSION, OPENING)
"""In this order the page shows them."""


@dataclass(frozen=True, slots=True)
class DoorView:
    """One way in, with its limits and what came of the requests of the last hour (None: not to be seen now)."""

    connector: str
    name: str
    together: str
    each: str
    passed: int | None
    refused: tuple[int | None, ...]

    @property
    def refused_at_all(self) -> bool:
        """Whether any limit refused."""
        return any(self.refused)


@dataclass(frozen=True, slots=True)
class BusyView:
    """Somebody who asked much: a short digest, and how often."""

    key: str
    requests: int


def look(address: str) -> LastHour:
    """What the store at ``address`` knows of the last hour, over a connection of its own. Raises ``NoStoreError``."""

    async def bounded() -> LastHour:
        async with asyncio.timeout(BOUND_SECONDS), Store(address) as store:
            return await last_hour(store)

    try:
        return asyncio.run(bounded())
    except (TimeoutError, StoreLostError) as failure:
        raise NoStoreError(type(failure).__name__) from failure


def doors(connectors: Iterable[str], rules: IncomingRules, seen: LastHour | None) -> Sequence[DoorView]:
    """All ways in."""
    return [
        DoorView(
            connector=connector,
            name=_name(connector),
            together=rate_words(rules.of(connector).connector),
            each=rate_words(rules.of(connector).session),
            passed=None if seen is None else seen.of(connector, PASSED),
            refused=tuple(None if seen is None else seen.of(connector, limit) for limit in LIMITS),
        )
        for connector in connectors
    ]


def busiest(seen: LastHour | None) -> Sequence[BusyView]:
    """Who asked most in the last hour, the busiest first."""
    found = () if seen is None else seen.busiest
    return [BusyView(_whose(busy.key), busy.requests) for busy in found]


def rate_words(rate: Rate) -> str:
    """A rate in words: "20 per seconde, 60 ineens"."""
    per = "per seconde" if rate.seconds == 1 else "per minuut" if rate.seconds == 60 else f"in {rate.seconds} seconden"  # noqa: PLR2004 - a minute
    return f"{rate.units} {per}, {rate.burst} ineens"


def _name(connector: str) -> str:
    if is_mcp(connector):
        return f"MCP: {connector.partition(':')[2]}"
    return {"pagina": "De pagina’s", "api": "De API", "beheer": "Het beheer"}.get(connector, connector)


def _whose(key: str) -> str:
    kind, _, rest = key.partition(":")
    return f"lezer, {short_key(rest)}" if kind == "pagina" else short_key(key)
