"""What people notice of agents: somebody searches five times a second while agents ask five times what they may, by turns."""

from __future__ import annotations

import asyncio
import base64
import statistics
from collections import Counter
from dataclasses import dataclass
from itertools import cycle
from typing import Final

from admission.contracts import Budget, PutAnswer
from admission.ledger import Ledger
from admission.proofs.addresses import PublicAddress
from admission.signing import Signing
from benchmarks.admission_agent import Agent, contract, plain
from benchmarks.incoming_flood import Line
from benchmarks.question import QUESTION, TARGET
from benchmarks.report_asking import searched
from benchmarks.site import LOOPBACK, Site, running_site
from besluitbron.running.secrets import admission_key
from connectors.platforms import PLATFORMS
from throttling.store import Store, wall

_PAIRS: Final = 5
_SECONDS: Final = 10.0
_EVERY: Final = 0.2
_AGENTS: Final = 12
_EACH: Final = 4
"""Requests that an agent has under way at once, as many as its contract allows."""
_PER_SECOND: Final = 300
"""Five times what all programs together may ask of the API."""
_SETTLE: Final = 0.5
_HOST: Final = "localhost"
_ASKED: Final = f"/api/v1/_zoek?vraag={QUESTION}&platform=rechtspraak"
_BAD: Final = b"GET /api/v1/platforms HTTP/1.1\r\nhost: localhost\r\nauthorization: DPoP a.b.c\r\ndpop: a.b.c\r\n\r\n"
_SETTINGS: Final = {"BESLUITBRON_PAGINA_RATE_LIMIT": "connector=100000, session=100000"}


@dataclass(frozen=True, slots=True)
class _Flood:
    """What came of what agents asked."""

    codes: Counter[bytes]


async def people() -> dict[str, float]:
    """``humans_p95_ratio``: the p95 of a search while agents flood, over that without them; the median of five pairs."""
    async with running_site(**_SETTINGS) as site:
        agents = await _agents(site)
        for _ in PLATFORMS:
            await searched(site.port, TARGET)
        off, on, flood = [], [], _Flood(Counter())
        for _ in range(_PAIRS):
            off.append(await _p95(site.port))
            flooding = [asyncio.create_task(_flooding(site.port, one, flood)) for one in agents * _EACH]
            await asyncio.sleep(_SETTLE)
            on.append(await _p95(site.port))
            for task in flooding:
                task.cancel()
            await asyncio.wait(flooding)
            await asyncio.sleep(_SETTLE)
    ratios = [with_agents / without for without, with_agents in zip(off, on, strict=True)]
    return {
        "humans_p95_ratio": round(statistics.median(ratios), 2),
        "humans_p95_ms": round(statistics.median(on) * 1000, 1),
        "humans_p95_ms_without_agents": round(statistics.median(off) * 1000, 1),
        "flood_per_second": round(sum(flood.codes.values()) / (_PAIRS * (_SECONDS + _SETTLE)), 1),
        **{f"flood_{code.decode() or 'lost'}": count for code, count in sorted(flood.codes.items())},
    }


async def _agents(site: Site) -> list[Agent]:
    """Agents with a contract each, put straight into the store of the product, and one that only shows rubbish."""
    layout = site.options.layout
    origin = PublicAddress.of(f"http://localhost:{site.port}").origin
    signing = Signing(base64.urlsafe_b64decode(admission_key(layout)), origin, wall)
    made = []
    async with Store(f"unix://{layout.state_socket}?db=0") as store:
        ledger = Ledger(store)
        for number in range(_AGENTS):
            agreed = contract(f"stroom{number}", Budget(in_flight=_EACH, units=1_000_000))
            while (await ledger.put(agreed)).answer is PutAnswer.CLOSED:  # noqa: ASYNC110 - its upkeep opens it
                await asyncio.sleep(_EVERY)
            made.append(Agent(agreed.id, origin, signing.issuer, _HOST))
    return made


async def _flooding(port: int, one: Agent, flood: _Flood) -> None:
    """Ask on and on: most under the contract, now and then with what proves nothing, or with nothing at all."""
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(Line, LOOPBACK, port)
    kinds = cycle((True, True, True, True, False))
    bad = cycle((_BAD, plain(_ASKED, _HOST)))
    at = loop.time()
    try:
        while True:
            await asyncio.sleep(at - loop.time())
            flood.codes[await line.ask(one.request(_ASKED) if next(kinds) else next(bad))] += 1
            at = max(at + _AGENTS * _EACH / _PER_SECOND, loop.time())
    finally:
        line.close()


async def _p95(port: int) -> float:
    """Search at a fixed rate, whatever answers; the seconds within which 95 of 100 were answered."""
    loop = asyncio.get_running_loop()
    began, tasks = loop.time(), []
    for number in range(round(_SECONDS / _EVERY)):
        await asyncio.sleep(max(began + number * _EVERY - loop.time(), 0))
        tasks.append(loop.create_task(searched(port, TARGET)))
    return statistics.quantiles(await asyncio.gather(*tasks), n=20, method="inclusive")[-1]
