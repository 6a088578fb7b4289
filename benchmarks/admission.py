"""``python -m benchmarks.admission --json``: what contracts cost, whether budgets are exact, and what people notice.

Six parts, each under a minute on a machine at rest; ``--part`` measures one alone. How to read the figures:
``docs/naslag/cijfers.md``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from benchmarks.admission_decisions import accepted_after_revoke, decision_added, exact_quota, slots_free, sybil_share
from benchmarks.admission_people import people
from benchmarks.printing import command, load, printed

PARTS: Final[Mapping[str, Callable[[], Awaitable[dict[str, float]]]]] = {
    "decision": decision_added,
    "quota": exact_quota,
    "revoke": accepted_after_revoke,
    "slots": slots_free,
    "sybil": sybil_share,
    "people": people,
}


async def figures(parts: tuple[str, ...]) -> dict[str, float]:
    """The figures of these parts; ``load``: how many processes wanted to run on each core in the last minute."""
    found: dict[str, float] = {"load_before": load()}
    for part in parts:
        found |= await PARTS[part]()
    return found | {"load_after": load()}


def main() -> None:
    """Measure, and print."""
    parser = command("admission")
    parser.add_argument("--part", choices=tuple(PARTS), help="één onderdeel in plaats van alle zes")
    options = parser.parse_args()
    parts = (options.part,) if options.part else tuple(PARTS)
    printed(asyncio.run(figures(parts)), as_json=options.json)


if __name__ == "__main__":
    main()
