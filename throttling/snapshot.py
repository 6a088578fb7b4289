"""A queue as it is at one moment: what operators look at, and what estimates start from. Keys, never questions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

_STATES: Final = {"w": "wacht", "v": "onderweg", "l": "kwijt", "f": "volgt", "p": "geparkeerd"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionNow:
    """A session at a queue. ``used`` in thousandths; ``last``, ``t0`` on the ledgers' clock; ``waiting`` calls."""

    name: str
    tag: float
    used: int
    last: float
    g0: int
    t0: float
    age: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallNow:
    """A call at a queue. ``state`` is wacht, onderweg, kwijt, volgt or geparkeerd; ``granted_at`` None while it has no turn."""

    id: str
    session: str
    visitor: str
    cost: int
    state: str
    granted_at: float | None
    stride: float
    g0: int
    t0: float
    age: int
    lease: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One queue at ``now`` of the ledgers' clock. Units are thousandths, ``charges`` are (cost, until, call).

    ``answers_in``: seconds that answers took lately, from grant to answer; None before the first.
    """

    now: float
    virtual: float
    given: int
    slot: float
    blocked: float
    closed: float
    may_until: float
    tokens: float
    tokens_at: float
    travelling: int
    flying: int
    charged: int
    refusals: int
    ages: int
    off: str
    cap: int | None
    epoch: str
    answers_in: float | None
    sessions: tuple[SessionNow, ...]
    calls: tuple[CallNow, ...]
    charges: tuple[tuple[int, float, str], ...]
    visitors: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def waiting(self) -> int:
        """How many calls wait for a turn."""
        return sum(1 for call in self.calls if call.state == "wacht")


def read_snapshot(answer: Sequence[Any]) -> Snapshot:
    """The snapshot in what the script ``look`` answers. Raises ``ValueError`` and its kin on anything else."""
    state, *lists = json.loads(answer[1])
    # An empty table is written as an empty object over there.
    sessions, calls, charges, visitors, leases, rows = (found or [] for found in lists)
    until = {name: float(at) for name, at in leases}
    return Snapshot(
        now=state["now"],
        virtual=state["virtual"],
        given=state["given"],
        slot=state["slot"],
        blocked=state["blocked"],
        closed=state["closed"],
        may_until=state["may_until"],
        tokens=state["tokens"],
        tokens_at=state["tokens_at"],
        travelling=state["travelling"],
        flying=state["flying"],
        charged=state["charged"],
        refusals=state["refusals"],
        ages=state["ages"],
        off=state["off"],
        cap=state.get("cap"),
        epoch=state["epoch"],
        answers_in=state.get("answers_in"),
        sessions=tuple(_session(name, row) for name, row in sessions),
        calls=tuple(_call(name, row, until.get(name, 0.0)) for name, row in calls),
        charges=tuple(_charge(name, at) for name, at in zip(charges[::2], charges[1::2], strict=True)),
        visitors=tuple(visitors),
        rows=tuple((row[0], tuple(row[1:])) for row in rows),
    )


def _session(name: str, row: list[Any]) -> SessionNow:
    tag, used, last, g0, t0, age, waiting, *_ = row
    return SessionNow(name=name, tag=tag, used=used, last=last, g0=g0, t0=t0, age=age, waiting=waiting)


def _call(name: str, row: list[Any], lease: float) -> CallNow:
    session, visitor, cost, granted, stride, g0, t0, age, _process, _flight, _solo, state = row
    return CallNow(
        id=name,
        session=session,
        visitor=visitor,
        cost=cost,
        state=_STATES[state],
        granted_at=None if granted < 0 else granted,
        stride=stride,
        g0=g0,
        t0=t0,
        age=age,
        lease=lease,
    )


def _charge(name: str, at: float) -> tuple[int, float, str]:
    cost, _, call = name.partition(":")
    return int(cost), at, call
