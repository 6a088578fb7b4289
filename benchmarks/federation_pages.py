"""What the answers page weighs on the wire, and how many of them one process makes when all sources are in the buffer.

Beside it a Django view that renders the same templates from records in memory (``plain_view``), in a uvicorn with the same
options. Neither is asked to pack its pages, so that only what is behind them differs. They take turns.
"""

from __future__ import annotations

import re
import statistics
import sys
from functools import partial
from typing import Final

from benchmarks.question import TARGET
from benchmarks.site import LOOPBACK, Site, process, until
from benchmarks.visiting import fetched, rate, sections
from besluitbron.running.probes import answers_http, free_port
from connectors.platforms import PLATFORMS

_ASKERS: Final = 4
_LINKED: Final = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
_BROWSER: Final = "gzip, deflate, br, zstd"
_AS_THE_SITE: Final = ("--no-access-log", "--no-proxy-headers", "--lifespan", "on")


async def weight(site: Site) -> dict[str, float]:
    """``page_kb_compressed``: the page and every style, script and picture that it links, as a browser gets them (1,000 bytes).

    ``page_kb_plain`` is the same for who accepts nothing packed.
    """
    _, page = await fetched(site.port, TARGET, "")
    linked = sorted({found.decode() for found in _LINKED.findall(page)})
    sizes = {}
    for name, accepts in (("page_kb_compressed", _BROWSER), ("page_kb_plain", "")):
        parts = [(await fetched(site.port, target, accepts))[0] for target in (TARGET, *linked)]
        sizes[name] = round(sum(parts) / 1000, 1)
    return sizes


async def speed(site: Site, pairs: int, seconds: float) -> dict[str, float]:
    """``pages_per_second_buffered``: ours over the plain view's, the median of pairs, with both rates."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "benchmarks.plain_view:application", "--host", LOOPBACK]
    log = site.options.layout.logs / "plain.log"
    async with process([*command, "--port", str(port), *_AS_THE_SITE], site.environment, log):
        await until(partial(answers_http, port, TARGET), log)
        assert (await sections(site.port, TARGET)).keys() == {platform.key for platform in PLATFORMS}
        assert (await sections(port, TARGET)).keys() == {platform.key for platform in PLATFORMS}
        found = [
            (await rate(site.port, TARGET, _ASKERS, seconds), await rate(port, TARGET, _ASKERS, seconds))
            for _ in range(pairs)
        ]
    return {
        "pages_per_second_buffered": round(statistics.median(ours / plain for ours, plain in found), 2),
        "pages_per_second_ours": round(statistics.median(ours for ours, _ in found), 1),
        "pages_per_second_plain_view": round(statistics.median(plain for _, plain in found), 1),
    }
