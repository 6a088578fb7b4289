"""How soon sections of the answers page come: the first after its own source, and the others beside one that is slow.

Every source is asked: for the first section each round has a question that nobody asked before; beside a slow source the same
question is asked twice, each time from an empty buffer. Stand-ins are told how long they take by
their control address; which one is the fastest, and which one is slow, changes every round.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import statistics
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

from benchmarks.question import FRESH, TARGET
from benchmarks.site import LOOPBACK, Site
from benchmarks.visiting import sections
from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Answer, Call, Reply
from connectors.connector import Connector
from connectors.exceptions import ConnectorError
from connectors.http import Http
from connectors.platforms import PLATFORMS
from connectors.records import Query
from connectors.registry import default_registry
from search.question import read_question

_T = TypeVar("_T")
_P = ParamSpec("_P")
_OTHERS_SECONDS: Final = 0.4
"""How long all but the fastest take."""
_APART: Final = 0.05
_FIRST_AFTER: Final = 0.15
_SLOW_SECONDS: Final = 2.0
_CONTROL_SECONDS: Final = 10.0


class Rounds:
    """Rounds at one site: what is asked of the page, and of a stand-in directly."""

    def __init__(self, site: Site, http: Http, connectors: Mapping[str, Connector]) -> None:
        self._site = site
        self._http = http
        self._connectors = connectors
        self._buffer = site.options.layout.buffer_socket
        self._fresh = iter(FRESH)

    async def first(self, fastest: str) -> tuple[float, float]:
        """Seconds until the first section, and those that the fastest stand-in takes by itself. As often as there are words."""
        word = next(self._fresh)
        takes = {key: 0.0 if key == fastest else _OTHERS_SECONDS for key in self._connectors}
        await self._behave(takes)
        alone = await self._alone(fastest, word)
        there = await self._page(f"/zoeken?vraag={word}")
        return min(there.values()), alone

    async def beside(self, slow: str, *, slow_first: bool) -> Mapping[str, float]:
        """How many seconds later each other section came beside a slow source than beside the same source when it was not."""
        takes = {key: _FIRST_AFTER + place * _APART for place, key in enumerate(self._connectors)}
        there: dict[bool, Mapping[str, float]] = {}
        for is_slow in (slow_first, not slow_first):
            await self._behave(takes | {slow: _SLOW_SECONDS if is_slow else takes[slow]})
            await _empty(self._buffer)
            there[is_slow] = await self._page(TARGET)
        return {key: there[True][key] - there[False][key] for key in takes if key != slow}

    async def _page(self, target: str) -> Mapping[str, float]:
        there = await sections(self._site.port, target)
        assert there.keys() == self._connectors.keys(), there
        return there

    async def _behave(self, takes: Mapping[str, float]) -> None:
        """Have each stand-in take so many seconds for each call."""
        await asyncio.to_thread(_tell, self._site.options.stand_ins_port, takes)

    async def _alone(self, key: str, word: str) -> float:
        """Seconds between sending the first of a search's calls directly and the end of the last answer."""
        loop = asyncio.get_running_loop()
        moments: list[float] = []

        async def ask(
            call: Call, parse: Callable[Concatenate[Answer, _P], _T], /, *args: _P.args, **kwargs: _P.kwargs
        ) -> Reply[_T]:
            moments.append(loop.time())
            answer = await self._http.send(call)
            moments.append(loop.time())
            return Reply(parse(answer, *args, **kwargs), answer.fetched_at)

        with suppress(ConnectorError):
            await self._connectors[key].search(Query(text=read_question(word).text), ask)
        return max(moments) - min(moments)


async def first_section(rounds: Rounds, times: int) -> dict[str, float]:
    """``first_section_ms_over_fastest_platform`` and what it is made of, medians of ``times`` rounds for each source."""
    keys = [platform.key for platform in PLATFORMS]
    found = [await rounds.first(key) for _ in range(times) for key in keys]
    return {
        "first_section_ms_over_fastest_platform": _ms(statistics.median(page - alone for page, alone in found)),
        "first_section_ms": _ms(statistics.median(page for page, _ in found)),
        "fastest_platform_ms": _ms(statistics.median(alone for _, alone in found)),
    }


async def slow_platform(rounds: Rounds, times: int) -> dict[str, float]:
    """``slow_platform_cost_ms``, the median over all pairs and sources, and ``…_worst``: of the source that suffers most."""
    keys = [platform.key for platform in PLATFORMS]
    found: dict[str, list[float]] = {key: [] for key in keys}
    for time in range(times):
        for place, slow in enumerate(keys):
            for key, later in (await rounds.beside(slow, slow_first=(time + place) % 2 == 0)).items():
                found[key].append(later)
    return {
        "slow_platform_cost_ms": _ms(statistics.median(one for later in found.values() for one in later)),
        "slow_platform_cost_ms_worst": _ms(max(statistics.median(later) for later in found.values())),
    }


async def measured(site: Site, times: int) -> dict[str, float]:
    """Both, at a site that runs."""
    where = Addresses(PlatformMode.STAND_INS, site.stand_ins, site.options.address)
    async with Http(PLATFORMS, where, "benchmark") as http:
        rounds = Rounds(site, http, {one.platform.key: one for one in default_registry(where)})
        await rounds.first(PLATFORMS[0].key)  # what is only made once is made now
        return await first_section(rounds, times) | await slow_platform(rounds, times)


async def _empty(buffer: Path) -> None:
    """Empty the buffer whose server listens at this socket."""
    reader, writer = await asyncio.open_unix_connection(buffer)
    writer.write(b"FLUSHALL\r\n")
    assert await reader.readline() == b"+OK\r\n"
    writer.close()


def _tell(port: int, takes: Mapping[str, float]) -> None:
    line = http.client.HTTPConnection(LOOPBACK, port, timeout=_CONTROL_SECONDS)
    for key, seconds in takes.items():
        asked = {"staat": "traag" if seconds else "goed", "seconden": seconds}
        line.request("POST", f"/_stand/{key}", json.dumps(asked).encode(), {"content-type": "application/json"})
        answer = line.getresponse()
        answer.read()
        assert answer.status == HTTPStatus.OK
    line.close()


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
