"""A scenario for ``manage.py simulate``: who asks when, read from JSON with a clear word about what is wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from throttling.limits import Limit, SlidingWindow, TokenBucket
from throttling.rules import BadLimitError, QueueRules

_MOST_CALLS: Final = 100_000


class BadScenarioError(ValueError):
    """A scenario that cannot be played; the text is Dutch and names the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCall:
    """A call of a scenario: it comes ``at``, costs so many units, and its answer takes so many seconds."""

    session: str
    place: int
    at: float
    cost: float
    takes: float
    visitor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSession:
    """A session of a scenario, with the units that it used before."""

    name: str
    house: bool
    used: float
    calls: tuple[PlannedCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A limit, sessions, and until when to play."""

    limit: Limit
    sessions: tuple[PlannedSession, ...]
    until: float

    @property
    def rules(self) -> QueueRules:
        """The rules of the queue: no ledger of calls under way, no refusals (R14), nobody's process dies."""
        longest = max((call.takes for session in self.sessions for call in session.calls), default=0.0)
        return QueueRules(limit=self.limit, in_flight=None, deadline=max(20.0, longest + 1), lease=1e12, most=0)


def read_scenario(text: str) -> Scenario:
    """The scenario in ``text``. Raises ``BadScenarioError``."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as failure:
        message = f"Dit is geen JSON: {failure}"
        raise BadScenarioError(message) from failure
    _keys(data, "het scenario", {"limit", "sessions", "until"}, set())
    sessions = tuple(_session(row, number) for number, row in enumerate(_list(data["sessions"], "sessions")))
    names = [session.name for session in sessions]
    if len(set(names)) < len(names):
        message = "sessions: elke sessie heeft een eigen naam nodig."
        raise BadScenarioError(message)
    if sum(len(session.calls) for session in sessions) > _MOST_CALLS:
        message = f"sessions: een scenario heeft hoogstens {_MOST_CALLS} aanroepen."
        raise BadScenarioError(message)
    scenario = Scenario(limit=_limit(data["limit"]), sessions=sessions, until=_number(data["until"], "until"))
    try:
        scenario.rules.check("limit")
    except BadLimitError as failure:
        message = f"limit: {failure.wrong}."
        raise BadScenarioError(message) from failure
    return scenario


def _limit(row: Any) -> Limit:
    _keys(row, "limit", {"kind", "units", "seconds"}, set())
    units, seconds = _number(row["units"], "limit.units"), _number(row["seconds"], "limit.seconds")
    if not units or not seconds:
        message = "limit: units en seconds moeten groter zijn dan 0."
        raise BadScenarioError(message)
    match row["kind"]:
        case "bucket":
            return TokenBucket(capacity=units, per_second=units / seconds)
        case "window":
            return SlidingWindow(units=units, seconds=seconds)
    message = 'limit.kind: dit moet "bucket" of "window" zijn.'
    raise BadScenarioError(message)


def _session(row: Any, number: int) -> PlannedSession:
    where = f"sessions[{number}]"
    _keys(row, where, {"name", "calls"}, {"house", "used"})
    name, house = row["name"], row.get("house", False)
    if not isinstance(name, str) or not name or not isinstance(house, bool):
        message = f"{where}: name is een tekst, house is true of false."
        raise BadScenarioError(message)
    calls = tuple(
        _call(call, f"{where}.calls[{place}]", name, place, house)
        for place, call in enumerate(_list(row["calls"], f"{where}.calls"))
    )
    return PlannedSession(name=name, house=house, used=_number(row.get("used", 0), f"{where}.used"), calls=calls)


def _call(row: Any, where: str, session: str, place: int, house: bool) -> PlannedCall:  # noqa: FBT001 - JSON of anybody
    _keys(row, where, {"at"}, {"cost", "takes", "visitor"})
    visitor = row.get("visitor", "")
    if not isinstance(visitor, str):
        message = f"{where}.visitor: dit moet een tekst zijn."
        raise BadScenarioError(message)
    cost = _number(row.get("cost", 1.0), f"{where}.cost")
    if not cost:
        message = f"{where}.cost: dit moet groter zijn dan 0."
        raise BadScenarioError(message)
    return PlannedCall(
        session=session,
        place=place,
        at=_number(row["at"], f"{where}.at"),
        cost=cost,
        takes=_number(row.get("takes", 0.0), f"{where}.takes"),
        visitor=visitor if house else "",
    )


def _keys(row: Any, where: str, needed: set[str], allowed: set[str]) -> None:
    if not isinstance(row, Mapping):
        message = f"{where}: dit moet een object zijn."
        raise BadScenarioError(message)
    missing, foreign = sorted(needed - row.keys()), sorted(row.keys() - needed - allowed)
    if missing or foreign:
        what = [f"{name} ontbreekt" for name in missing] + [f"{name} is onbekend" for name in foreign]
        message = f"{where}: {', '.join(what)}."
        raise BadScenarioError(message)


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        message = f"{where}: dit moet een lijst zijn."
        raise BadScenarioError(message)
    return value


def _number(value: Any, where: str) -> float:
    wrong = isinstance(value, bool) or not isinstance(value, int | float)
    if wrong or not math.isfinite(value) or value < 0:
        message = f"{where}: dit moet een getal van 0 of meer zijn."
        raise BadScenarioError(message)
    return float(value)
