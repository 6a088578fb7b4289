"""The figures of the outgoing queue that need no clock: scenarios through the real scripts, in invented time."""

from __future__ import annotations

import json
import random
import statistics
from collections import Counter
from typing import Any, Final

from throttling.scenario import read_scenario
from throttling.simulation import Line, simulate
from throttling.store import Store

_UNITS: Final = 60
_SECONDS: Final = 60.0
_ANSWER: Final = 0.3
Session = dict[str, Any]


def _calls(count: int, at: float = 0.0, **fields: Any) -> list[dict[str, Any]]:
    return [{"at": at, "takes": _ANSWER, **fields} for _ in range(count)]


def _session(name: str, calls: list[dict[str, Any]], *, used: float = 0.0, house: bool = False) -> Session:
    return {"name": name, "calls": calls, "used": used, "house": house}


async def _play(store: Store, name: str, sessions: list[Session], until: float, kind: str = "window") -> list[Line]:
    limit = {"kind": kind, "units": _UNITS, "seconds": _SECONDS}
    scenario = read_scenario(json.dumps({"limit": limit, "sessions": sessions, "until": until}))
    return [line async for line in simulate(scenario, store, f"meting/{name}")]


def _waits(lines: list[Line], prefix: str) -> list[float]:
    return [x.granted_at - x.at for x in lines if x.session.startswith(prefix) and x.granted_at is not None]


async def newcomer_wait_over_minimum(store: Store) -> float:
    """The worst of six newcomers behind 200 calls, over the least that any rule could do at that moment."""
    worst = 0.0
    for number, at in enumerate((61.0, 66.6, 75.3, 90.2, 110.0, 130.8)):
        sessions = [_session("druk", _calls(200)), _session("nieuw", _calls(1, at))]
        lines = await _play(store, f"nieuw{number}", sessions, 300.0)
        ends = sorted(
            x.granted_at + _ANSWER + _SECONDS for x in lines if x.granted_at is not None and x.granted_at < at
        )
        standing = [end for end in ends if end > at]
        frees = standing[len(standing) - _UNITS] - at if len(standing) >= _UNITS else 0.0
        worst = max(worst, _waits(lines, "nieuw")[0] / max(_SECONDS / _UNITS, frees))
    return worst


async def newcomer_behind_heavy_median_s(store: Store) -> float:
    """The median wait of 20 newcomers behind five greedy sessions and one that used 6,000 units."""
    greedy = [_session(name, _calls(120)) for name in "vwxyz"]
    newcomers = [_session(f"nieuw{n}", _calls(1, 70.0 + 17.3 * n)) for n in range(20)]
    lines = await _play(store, "zwaar", [*greedy, _session("zwaar", _calls(120), used=6000.0), *newcomers], 600.0)
    return statistics.median(_waits(lines, "nieuw"))


async def second_visitor_s(store: Store) -> float:
    """How long a second visitor of the page waits behind 200 calls of another."""
    asked = [*_calls(200, visitor="x"), *_calls(1, 80.0, visitor="y")]
    lines = await _play(store, "pagina", [_session("pagina", asked, house=True)], 400.0)
    return next(x.granted_at - x.at for x in lines if x.call == len(asked) - 1 and x.granted_at is not None)


async def shares(store: Store) -> list[int]:
    """How 60 turns are shared by sessions that used 0, 60 and 120 of 60."""
    askers = [_session(name, _calls(80, 0.1), used=used) for name, used in (("a", 0), ("b", 60), ("c", 120))]
    lines = await _play(store, "delen", [_session("vol", _calls(60)), *askers], 300.0)
    found = Counter([x.session for x in lines if x.session != "vol"][:60])
    return [found[name] for name in "abc"]


async def throughput_over_bound(store: Store) -> float:
    """Turns in eight minutes of waiting, over what L·W/(W + mean answer time) allows."""
    chance = random.Random(7)  # noqa: S311 - the same load in every run
    asked = [{"at": 0.0, "takes": chance.uniform(0.1, 0.9)} for _ in range(700)]
    lines = await _play(store, "vaart", [_session("a", asked[:350]), _session("b", asked[350:])], 540.0)
    mean = statistics.mean(call["takes"] for call in asked)
    served = sum(1 for x in lines if x.granted_at is not None and x.granted_at >= _SECONDS)
    return served / 8 / (_UNITS * _SECONDS / (_SECONDS + mean))


async def worst_window_and_refusals(store: Store) -> tuple[float, int]:
    """The most units that a window of the platform holds, and how often a bucket of its own refuses, under steady load.

    Half an hour of six sessions; each request arrives somewhere between its grant and its answer.
    """
    chance = random.Random(11)  # noqa: S311 - the same load in every run
    sessions = [
        _session(f"s{n}", [{"at": chance.uniform(0, 1800), "takes": chance.uniform(0.1, 3)} for _ in range(400)])
        for n in range(6)
    ]
    windowed = await _play(store, "venster", sessions, 2400.0)
    bucketed = await _play(store, "emmer", sessions, 2400.0, kind="bucket")
    takes = {(s["name"], place): call["takes"] for s in sessions for place, call in enumerate(s["calls"])}

    def arrivals(lines: list[Line]) -> list[float]:
        granted = [(x, x.granted_at) for x in lines if x.granted_at is not None]
        return sorted(at + chance.uniform(0, takes[x.session, x.call]) for x, at in granted)

    seen = arrivals(windowed)
    worst = max(sum(1 for at in seen[n : n + 200] if at < first + _SECONDS - 1e-6) for n, first in enumerate(seen))
    return worst, _refusals(arrivals(bucketed))


def _refusals(arrivals: list[float]) -> int:
    tokens, last, refused = float(_UNITS), 0.0, 0
    for at in arrivals:
        tokens, last = min(tokens + (at - last) * _UNITS / _SECONDS, _UNITS), at
        if tokens < 1 - 1e-6:
            refused += 1
        else:
            tokens -= 1
    return refused
