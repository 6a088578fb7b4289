"""A storm day in invented time: sixty reports within an hour by twenty, a huge one among them, and searches all the while."""

from __future__ import annotations

from typing import Final

from throttling.load import LoadGate
from throttling.load_rules import LoadRules
from throttling.load_simulation import storm
from throttling.load_stories import Machine, storm_day
from throttling.private_store import private_store

_HOUR: Final = 3600
_DAYS: Final = 3


async def foretold() -> dict[str, float]:
    """The figures: the share of foretold starts that came within a quarter or a minute, on the worst of some days.

    ``starts_foretold``: of how many starts at least. Raises ``StoreLostError``, and ``TooFewForetoldError`` where a day says
    nothing of what is foretold.
    """
    found = []
    async with private_store() as store:
        for seed in range(1, _DAYS + 1):
            gate = LoadGate(store, LoadRules(fresh=24.0 * _HOUR), f"meting{seed}")
            outcome = await storm(gate, storm_day(seed), until=2.0 * _HOUR, machine=Machine())
            assert (outcome.lost, outcome.twice) == (0, 0)
            found.append(outcome)
    return {
        # Whole: rounded, it could reach what it must reach.
        "estimate_within": min(one.estimate_within for one in found),
        "starts_foretold": min(len(one.judged) for one in found),
    }
