"""``python -m benchmarks.incoming --json``: what the incoming limits cost, and what they are good for.

How to read the figures: ``docs/naslag/cijfers.md``. Takes two minutes; best on a machine that does nothing else.
"""

from __future__ import annotations

from typing import Any

from benchmarks.deciding import three_limits_over_one_gcra
from benchmarks.incoming_flood import flooded
from benchmarks.incoming_sdk import over_bare_sdk
from benchmarks.printing import measure
from throttling.private_store import private_server


async def figures() -> dict[str, Any]:
    """All figures, by name."""
    async with private_server() as listens:
        ratio = await three_limits_over_one_gcra(f"unix://{listens}")
    return {"three_limits_over_one_gcra": round(ratio, 2), **await flooded(), **await over_bare_sdk()}


def main() -> None:
    """Measure, and print."""
    measure("incoming", figures)


if __name__ == "__main__":
    main()
