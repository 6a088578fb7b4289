"""``python -m benchmarks.incoming --json``: what the incoming limits cost, and what they are good for.

How to read the figures: ``docs/naslag/cijfers.md``. Takes two minutes; best on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import Any

from benchmarks.deciding import three_limits_over_one_gcra
from benchmarks.incoming_flood import flooded
from benchmarks.incoming_sdk import over_bare_sdk
from throttling.private_store import private_server


async def figures() -> dict[str, Any]:
    """All figures, by name."""
    async with private_server() as listens:
        ratio = await three_limits_over_one_gcra(f"unix://{listens}")
    return {"three_limits_over_one_gcra": round(ratio, 2), **await flooded(), **await over_bare_sdk()}


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.incoming")
    parser.add_argument("--json", action="store_true", help="een regel JSON in plaats van een lijst")
    options = parser.parse_args()
    found = asyncio.run(figures())
    sys.stdout.write(json.dumps(found, indent=None if options.json else 2) + "\n")


if __name__ == "__main__":
    main()
