"""``python -m benchmarks.outgoing --json``: the figures of the outgoing queue beside what a user would pick instead.

How to read them: ``docs/naslag/cijfers.md``. ``--peers`` makes an environment for the others when there is none yet.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from benchmarks import deciding, scenarios
from benchmarks.environments import PEERS, python_of
from benchmarks.printing import command, printed
from throttling.private_store import private_server
from throttling.store import Store

_HOME: Final = Path(__file__).parent.parent / "var" / "benchmarks"
_PEER_SECONDS: Final = 180


async def figures() -> dict[str, Any]:
    """Our own figures, by name."""
    async with private_server() as listens:
        address = f"unix://{listens}"
        over, plain = await deciding.decision_over_gcra(address)
        thousand = await deciding.enter_1000_over_empty(address)
        async with Store(address) as store:
            worst, refusals = await scenarios.worst_window_and_refusals(store)
            return {
                "newcomer_wait_over_minimum": round(await scenarios.newcomer_wait_over_minimum(store), 3),
                "newcomer_behind_heavy_median_s": round(await scenarios.newcomer_behind_heavy_median_s(store), 2),
                "second_visitor_s": round(await scenarios.second_visitor_s(store), 2),
                "worst_window_units": worst,
                "refusals": refusals,
                "shares": await scenarios.shares(store),
                "decision_over_gcra": round(over, 2),
                "gcra_decision_p50_us": round(plain * 1e6, 1),
                "enter_1000_over_empty": round(thousand, 2),
                "throughput_over_bound": round(await scenarios.throughput_over_bound(store), 4),
            }


async def peers(*, install: bool) -> dict[str, Any] | None:
    """What the others do; None when there is no environment for them."""
    python: Path | None = _HOME / "limiters" / "bin" / "python"
    if install:
        python = python_of("limiters", _HOME)
    if python is None or not python.is_file():
        sys.stderr.write("Er is nog geen omgeving voor de anderen; --peers maakt haar.\n")
        return None
    async with private_server() as listens:
        command = [str(python), str(PEERS / "limiters_peer.py"), str(listens)]
        done = await asyncio.to_thread(
            subprocess.run,
            command,
            check=False,
            capture_output=True,
            timeout=_PEER_SECONDS,
        )
    if done.returncode:
        sys.stderr.write(f"De anderen eindigden met {done.returncode}:\n{done.stderr.decode()[-500:]}\n")
        return None
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure, and print."""
    parser = command("outgoing")
    parser.add_argument("--peers", action="store_true", help="maak een omgeving voor de anderen als die er niet is")
    options = parser.parse_args()
    found = {"besluitbron": asyncio.run(figures()), "others": asyncio.run(peers(install=options.peers))}
    printed(found, as_json=options.json)


if __name__ == "__main__":
    main()
