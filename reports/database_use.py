"""What the database takes of our time, over all connections of a process: signal (c) of rule L3, as far as we see it ourselves.

Each statement is timed where Django sends it (``connection.execute_wrappers``), also while it is under way: a statement that
hangs counts before it ends. Nothing of what it says is kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from django.db import InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from throttling.store import monotonic

_WRITES: Final = ("INSERT", "UPDATE", "DELETE", "REPLACE")
_BEGINS: Final = "BEGIN IMMEDIATE"
"""With which a transaction of ours waits for the writer of SQLite, before it does anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """What was seen between two looks, which lie ``over`` seconds apart.

    ``reports``, ``others``: seconds that statements took, of connections of reports and of all others; side by side they add
    up. ``waits``: for how many seconds each writer of SQLite waited, those that still do included. ``answers``: whether the
    database did what it was asked last; None when nobody asked it anything, or nothing has come of it yet.
    """

    over: float
    reports: float
    others: float
    waits: tuple[float, ...]
    answers: bool | None

    def waiting(self, target: float) -> float | None:
        """How long writers waited, as a share of their target; full where the last that was asked of the database failed.

        None when nobody wrote: then nothing says how long one would have waited.
        """
        mean = sum(self.waits) / len(self.waits) / target if self.waits else None
        return max(1.0, mean or 0.0) if self.answers is False else mean

    def busy(self, for_reports: int, for_others: int) -> float:
        """The seconds that statements took per second and per connection there may be: the larger of both kinds."""
        if self.over <= 0:
            return 0.0
        return max(self.reports / max(for_reports, 1), self.others / max(for_others, 1)) / self.over


@dataclass(slots=True)
class _Call:
    """A statement under way: since when, and until when its time was counted."""

    began: float
    counted: float
    of_reports: bool
    waits: bool


class DatabaseUse:
    """Counts what connections do. It may be asked from any thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._calls: dict[int, _Call] = {}
        self._seconds = {True: 0.0, False: 0.0}
        self._waits: list[float] = []
        self._answers: bool | None = None
        self._looked = clock()

    def __call__(self, execute: Callable[..., Any], sql: Any, parameters: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 - as Django calls it
        """Execute a statement, timed: a wrapper as Django wants it."""
        connection = context["connection"]
        with self.call(of_reports=is_of_reports(connection), waits=_waits(connection, sql)):
            return execute(sql, parameters, many, context)

    @contextmanager
    def call(self, *, of_reports: bool, waits: bool = False) -> Iterator[None]:
        """The database is asked something. ``waits``: it takes about as long as the writer of SQLite is taken."""
        now = self._clock()
        one = _Call(now, now, of_reports, waits)
        with self._guard:
            self._calls[id(one)] = one
        answers = True
        try:
            yield
        except (OperationalError, InterfaceError):
            answers = False
            raise
        finally:
            with self._guard:
                del self._calls[id(one)]
                self._count(one, ended := self._clock())
                self._answers = answers
                if waits:
                    self._waits.append(ended - one.began)

    def failed(self) -> None:
        """The database could not be reached, or not do what it was asked, where no statement tells of it."""
        with self._guard:
            self._answers = False

    def take(self) -> Used:
        """What was seen since the last look; the next begins."""
        with self._guard:
            now = self._clock()
            for one in self._calls.values():
                self._count(one, now)
            still = [now - one.began for one in self._calls.values() if one.waits]
            used = Used(
                over=now - self._looked,
                reports=self._seconds[True],
                others=self._seconds[False],
                waits=(*self._waits, *still),
                answers=self._answers,
            )
            self._seconds, self._waits = {True: 0.0, False: 0.0}, []
            self._answers, self._looked = None, now
            return used

    def _count(self, one: _Call, now: float) -> None:
        self._seconds[one.of_reports] += now - one.counted
        one.counted = now

    def follow(self, connection: BaseDatabaseWrapper, **_: Any) -> None:
        """Time what a connection does from now on."""
        if self not in connection.execute_wrappers:
            connection.execute_wrappers.insert(0, self)


USE: Final = DatabaseUse()
"""Of this process."""


def measure_connections() -> None:
    """Let ``USE`` see all connections that this process opens."""
    connection_created.connect(USE.follow, dispatch_uid=__name__)


def is_of_reports(connection: Any) -> bool:
    """Whether it holds a seat of reports (``besluitbron.postgres``)."""
    return bool(getattr(connection, "is_of_reports", False))


def _waits(connection: Any, sql: object) -> bool:
    """Whether a statement waits for the writer of SQLite: it begins a transaction that writes, or writes without one."""
    if connection.vendor != "sqlite" or not isinstance(sql, str):
        return False
    return sql.startswith(_BEGINS) or (not connection.in_atomic_block and sql.startswith(_WRITES))
