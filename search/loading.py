"""The rows of a kept Laadstatus and the bodies that they are of: for the API, the tool for assistants and ``/status``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from connectors.load_status import LoadState
from connectors.records import Organisation
from search.held import state_of

Rows = list[tuple[LoadState, Organisation | None]]
"""Rows with the body that each is of; None where it was not looked up, or where the register has no such body."""
_OLDEST: Final = datetime.min.replace(tzinfo=UTC)


def rows_of(key: str, states: Iterable[LoadState], bodies: Sequence[Organisation]) -> Rows:
    """The rows of these bodies at the platform with this key; without bodies all, those not loaded for longest first."""
    known = tuple(states)
    if not bodies:
        return [(row, None) for row in sorted(known, key=lambda row: (row.last_success or _OLDEST, row.label))]
    pairs = ((state_of(known, body.key_at(key) or "", body), body) for body in bodies)
    return [(row, body) for row, body in pairs if row is not None]


def silent_for(rows: Rows, hours: int, at: datetime) -> Rows:
    """Those that were not loaded well in the ``hours`` before ``at``."""
    before = at - timedelta(hours=hours)
    return [(row, body) for row, body in rows if row.last_success is None or row.last_success < before]


def named(
    rows: Iterable[tuple[LoadState, Organisation | None]], key: str, everybody: Sequence[Organisation]
) -> Iterator[tuple[LoadState, Organisation | None]]:
    """The rows with their bodies: by the key of the platform, else by a whole name that one body has, as in ``state_of``."""
    by_key = {body.key_at(key): body for body in everybody}
    times = Counter(body.name for body in everybody)
    by_name = {body.name: body for body in everybody if times[body.name] == 1}
    return ((row, body or by_key.get(row.key) or by_name.get(row.label)) for row, body in rows)
