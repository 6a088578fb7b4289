"""``python -m benchmarks.federation --json``: how soon the answers page comes, what it weighs, and how many one process makes.

How to read the figures: ``docs/naslag/cijfers.md``. Takes two minutes; best on a machine that does nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks import federation_pages, federation_sections
from benchmarks.printing import load, measure
from benchmarks.site import running_site


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: rounds for each source, pairs of runs, and the seconds of each run."""

    rounds: int = 3
    pairs: int = 5
    seconds: float = 3.0


async def figures(size: Size) -> dict[str, float]:
    """All figures, by name; ``load`` is how many processes wanted to run on each core in the last minute, before and after."""
    before = load()
    async with running_site(**_RAISED) as site:
        found = {
            **await federation_sections.measured(site, size.rounds),
            **await federation_pages.weight(site),
            **await federation_pages.speed(site, size.pairs, size.seconds),
        }
    return found | {"load_before": before, "load_after": load()}


_RAISED = {
    "BESLUITBRON_PAGINA_RATE_LIMIT": "connector=100000, session=100000",
    "BESLUITBRON_MCP_RATE_LIMIT": "process=100000",
}
"""The limits on what comes in still count, but above what this machine can send. Those of the platforms are the usual ones."""


def main() -> None:
    """Measure, and print."""
    measure("federation", lambda: figures(Size()))


if __name__ == "__main__":
    main()
