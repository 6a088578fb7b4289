"""Scenarios of ``manage.py simulate``, played inside a test on the shared store."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any

from tests.support.valkey import PATIENCE
from throttling.scenario import read_scenario
from throttling.simulation import Line, simulate
from throttling.store import Store

_NAMES = itertools.count()
WINDOW = {"kind": "window", "units": 60, "seconds": 60}
BUCKET = {"kind": "bucket", "units": 60, "seconds": 60}


def session(name: str, *calls: dict[str, Any], house: bool = False, used: float = 0) -> dict[str, Any]:
    """A session of a scenario."""
    return {"name": name, "house": house, "used": used, "calls": list(calls)}


def calls(count: int, at: float = 0.0, every: float = 0.0, **fields: Any) -> list[dict[str, Any]]:
    """Calls of a scenario, ``every`` seconds one."""
    return [{"at": at + number * every, **fields} for number in range(count)]


def scenario(limit: dict[str, Any], sessions: Sequence[dict[str, Any]], until: float) -> dict[str, Any]:
    """A scenario as somebody would write it."""
    return {"limit": limit, "sessions": list(sessions), "until": until}


async def play(address: str, limit: dict[str, Any], *sessions: dict[str, Any], until: float = 600.0) -> list[Line]:
    """The lines of a scenario."""
    wanted = read_scenario(json.dumps(scenario(limit, sessions, until)))
    async with Store(address, PATIENCE) as store:
        return [line async for line in simulate(wanted, store, f"gespeeld{next(_NAMES)}/dienst")]


def granted(lines: Sequence[Line], name: str) -> list[float]:
    """When the calls of a session were granted, in the order of its own list; those that were not are left out."""
    found = sorted((line for line in lines if line.session == name), key=lambda line: line.call)
    return [line.granted_at for line in found if line.granted_at is not None]


def waits(lines: Sequence[Line], name: str) -> list[float]:
    """How long the granted calls of a session waited."""
    return [line.granted_at - line.at for line in lines if line.session == name and line.granted_at is not None]
