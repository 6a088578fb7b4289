"""What kinds of work there are, and what each may cost others: declared once in each room, beside nothing else (rule L1).

``besluitbron.work`` has them all; a test fails on a route, task or tool that none of them names.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Load(StrEnum):
    """Whether work gives way when it is busy."""

    URGENT = "dringend"
    """Somebody is looking, or it keeps others going: it never waits for load."""
    DEFERRABLE = "uitstelbaar"
    """It may wait, visibly, and be refused."""


class Access(StrEnum):
    """What work does to what we hold."""

    READ = "lezen"
    WRITE = "schrijven"


class Door(StrEnum):
    """By which way work comes in."""

    ROUTE = "adres"
    TASK = "taak"
    TOOL = "gereedschap"


class Cost(StrEnum):
    """What work costs an asker with a budget, in units: one for each question to a platform that it may lead to."""

    ONE = "een"
    """One, also for what asks nobody: nothing is free, so that a budget ends."""
    PLATFORMS = "per bron"
    """One for each platform that is asked."""
    PARTS = "per deel"
    """One for each part of a report."""
    YEARS = "per bron met jaren"
    """One; but where the years that sources hold are asked for, two for each platform: the oldest paper and the newest."""


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work. ``name``: of the route, the Celery task, or the MCP tool. ``load``: no kind goes without saying.

    ``operation``: what it is called towards askers, who see one operation behind several routes and tools; empty for work that
    nobody is granted. ``prefixes``: where the addresses of a route begin. ``methods``: of a route that changes something, or
    does something else by another method; empty where it only reads. ``rows``: with more of them urgent work may wait too,
    and is not done while somebody looks on; None where it never is so large.
    """

    door: Door
    name: str
    load: Load
    access: Access = Access.READ
    operation: str = ""
    cost: Cost = Cost.ONE
    prefixes: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    rows: int | None = None

    def may_wait(self, rows: int = 0) -> bool:
        """Whether it gives way when it is busy, with so many rows (rule L1)."""
        return self.load is Load.DEFERRABLE or (self.rows is not None and rows > self.rows)


def works(  # noqa: PLR0913 - the fields of Work, which say what each is
    door: Door,
    *names: str,
    load: Load,
    access: Access = Access.READ,
    operation: str = "",
    cost: Cost = Cost.ONE,
    prefixes: tuple[str, ...] = (),
    methods: tuple[str, ...] = (),
    rows: int | None = None,
) -> tuple[Work, ...]:
    """Kinds of work of one sort."""
    return tuple(Work(door, name, load, access, operation, cost, prefixes, methods, rows) for name in names)
