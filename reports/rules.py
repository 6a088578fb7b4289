"""The rules of the gate as operators set them: each change is kept whole, the newest holds, and every process follows it.

A process that cannot read the database keeps to what it knew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any, Final, Self

import structlog

from reports.apart import Apart, StorageLostError
from reports.models import LoadChange
from throttling.ending import Alongside
from throttling.load import LoadGate
from throttling.load_rules import BadLoadRulesError, LoadRules, Signal

log = structlog.get_logger(__name__)
EVERY: Final = 2.0
"""Seconds between two looks."""
_NAMES: Final = frozenset(field.name for field in fields(LoadRules))


def as_data(rules: LoadRules) -> dict[str, Any]:
    """Rules as they are kept."""
    return asdict(rules) | {"counts": sorted(rules.counts)}


def from_data(data: Mapping[str, Any]) -> LoadRules:
    """Rules as they were kept; what is missing is as usual. Raises ``BadLoadRulesError``."""
    known = {name: value for name, value in data.items() if name in _NAMES}
    try:
        if "counts" in known:
            known["counts"] = frozenset(map(Signal, known["counts"]))
        if "thresholds" in known:
            known["thresholds"] = tuple((Signal(name), shut, opens) for name, shut, opens in known["thresholds"])
        rules = LoadRules(**known)
        rules.check()
    except (TypeError, ValueError) as failure:
        if isinstance(failure, BadLoadRulesError):
            raise
        raise BadLoadRulesError(str(failure)) from failure
    return rules


def current() -> LoadRules:
    """The rules that hold: those of the newest change, else the usual ones. Asks the database."""
    newest = LoadChange.objects.first()
    if newest is None:
        return LoadRules()
    try:
        return from_data(newest.rules)
    except BadLoadRulesError as failure:
        log.warning("load_rules_unreadable", wrong=failure.wrong)
        return LoadRules()


def change(rules: LoadRules, by: str, at: datetime) -> LoadChange:
    """Set the rules, on behalf of the operator called ``by``. Raises ``BadLoadRulesError``."""
    rules.check()
    return LoadChange.objects.create(at=at, by=by, rules=as_data(rules))


class Following(Alongside):
    """Keeps a gate to the rules as they are set, for as long as its context lasts."""

    def __init__(self, gate: LoadGate, apart: Apart) -> None:
        self._gate = gate
        self._apart = apart

    async def __aenter__(self) -> Self:
        await self.look()
        return await super().__aenter__()

    async def look(self) -> None:
        """Look once."""
        try:
            self._gate.rules = await self._apart(current)
        except StorageLostError:
            return

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            await self.look()
