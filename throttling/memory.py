"""What outlives the store: until when grants were allowed, what sessions used, what an operator set.

The database keeps it (``throttling.models``). Times here are times of day in seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Used:
    """What a session used at a queue, in units, and how many seconds ago its last call was."""

    session: str
    units: float
    idle: float


@dataclass(frozen=True, slots=True)
class OperatorSettings:
    """What an operator set for a queue: a text for visitors while it is off, and a lower limit (None: the usual one)."""

    off: str = ""
    cap: float | None = None


class Memory(Protocol):
    """What a queue must know when the store forgot."""

    async def may_send_until(self, queue: str) -> float | None:
        """Until when grants may have been given; None on a fresh installation."""
        ...

    async def allow(self, queue: str, until: float) -> None:
        """Keep that grants may be given until then. After it returns a crash of everything does not forget it."""
        ...

    async def used(self, queue: str) -> Sequence[Used]:
        """Use that is younger than 30 minutes."""
        ...

    async def operator_settings(self, queue: str) -> OperatorSettings:
        """What an operator set."""
        ...


class ForgetfulMemory:
    """A memory for a process that has no database, such as a simulation: always a fresh installation."""

    async def may_send_until(self, queue: str) -> float | None:
        """Nothing was ever sent."""
        del queue
        return None

    async def allow(self, queue: str, until: float) -> None:
        """Forget it."""
        del queue, until

    async def used(self, queue: str) -> Sequence[Used]:
        """Nobody used anything."""
        del queue
        return ()

    async def operator_settings(self, queue: str) -> OperatorSettings:
        """Nobody set anything."""
        del queue
        return OperatorSettings()
