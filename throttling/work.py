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


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work. ``name``: of the route, the Celery task, or the MCP tool."""

    door: Door
    name: str
    load: Load = Load.URGENT
    access: Access = Access.READ


def works(door: Door, *names: str, load: Load = Load.URGENT, access: Access = Access.READ) -> tuple[Work, ...]:
    """Kinds of work of one sort."""
    return tuple(Work(door, name, load, access) for name in names)
