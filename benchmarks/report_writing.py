"""Something urgent that is written while reports are made or are not: a permit for turns, as the website keeps one."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from benchmarks.measured import enough

EVERY: Final = 0.1
_QUEUE: Final = "meting/schrijven"
"""Of nobody's platform, so that no real permit changes."""
_ROW: Final = """
INSERT OR IGNORE INTO throttling_platformstate
(queue, may_send_until, off, changed_by, refusals, epoch_seen, given_seen, refusals_seen) VALUES (?, 0, '', '', 0, '', 0, 0)
"""
_RAISE: Final = (
    "UPDATE throttling_platformstate SET may_send_until = max(coalesce(may_send_until, ?1), ?1) WHERE queue = ?2"
)
_READ: Final = "SELECT may_send_until FROM throttling_platformstate WHERE queue = ?"


def written(database: Path, times: int) -> list[float]:
    """Seconds that each of so many writes took, from asking for the one writer until it was kept on the disk.

    Each changes a row, as the website's does (``throttling.database``): at once durable. Raises ``NothingMeasuredError`` where
    another connection does not see afterwards that each of them was kept.
    """
    found = []
    with closing(sqlite3.connect(database, timeout=10, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(_ROW, [_QUEUE])
        before = _kept(database)
        for number in range(1, times + 1):
            began = time.perf_counter()
            changed = connection.execute(_RAISE, [before + number, _QUEUE]).rowcount
            found.append(time.perf_counter() - began)
            enough("rows changed by an urgent write", changed, 1)
            time.sleep(EVERY)  # noqa: TID251 - a pace, in a thread of a benchmark
    enough("urgent writes that were kept", _kept(database) - before, times)
    return found


def _kept(database: Path) -> float:
    """How far the row is, as somebody else reads it."""
    with closing(sqlite3.connect(database, timeout=10)) as connection:
        row = connection.execute(_READ, [_QUEUE]).fetchone()
    return float(row[0]) if row else 0.0
