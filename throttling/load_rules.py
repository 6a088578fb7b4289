"""What heavy work that may wait keeps to: slots, thresholds, and for how long anything holds (design page on load, L1-L12)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Signal(StrEnum):
    """By what it is seen how busy it is (rule L3). Each is a share; 1 is full."""

    SLOTS = "plaatsen"
    """Runs under way, of the slots there are."""
    PROCESSOR = "processor"
    """The busy share of a machine's cores."""
    DATABASE = "database"
    """Time or connections of the database in use."""
    PAGE = "pagina"
    """Our own time for a page, against its target."""


MEASURED: Final = (Signal.PROCESSOR, Signal.DATABASE, Signal.PAGE)
"""What processes measure; the slots are counted exactly, where they are taken."""


class BadLoadRulesError(ValueError):
    """Rules that cannot be kept; ``wrong`` says what, in Dutch for who set them."""

    def __init__(self, wrong: str) -> None:
        super().__init__(wrong)
        self.wrong = wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRules:
    """The rules of the gate. Times in seconds, thresholds as shares.

    ``shut_at``, ``open_at``: from where on a signal lets no run start beside the others, and from where on it does again.
    ``longest_wait``: how long an ask may wait. ``fresh``: how long a finished run answers who asks for the same.
    ``per_hour``: asks of one requester. ``lease``: how long a worker is trusted. ``deaths``: after how many it goes on no more.
    ``pace``: seconds a part of a run takes, before any was measured.
    """

    slots: int = 5
    shut_at: float = 0.8
    open_at: float = 0.7
    longest_wait: float = 1800.0
    fresh: float = 3600.0
    per_hour: int = 5
    lease: float = 20.0
    deaths: int = 3
    pace: float = 1.0
    counts: frozenset[Signal] = frozenset(Signal)

    def check(self) -> None:
        """Raise ``BadLoadRulesError`` when these rules cannot be kept."""
        times = (self.longest_wait, self.fresh, self.lease, self.pace)
        wrong = {
            "er moet minstens 1 plaats zijn": self.slots < 1,
            "een drempel ligt boven 0 en hoogstens op 1": not (0 < self.open_at <= 1 and 0 < self.shut_at <= 1),
            "de drempel om te openen ligt niet boven die om te sluiten": self.open_at > self.shut_at,
            "een tijd moet groter zijn dan 0": not all(0 < seconds < float("inf") for seconds in times),
            "een vrager moet minstens 1 keer per uur mogen vragen": self.per_hour < 1,
            "een aantal mag niet onder 0 liggen": self.deaths < 0,
        }
        for what, holds in wrong.items():
            if holds:
                raise BadLoadRulesError(what)

    def text(self) -> str:
        """These rules as the scripts read them."""
        numbers = (
            self.slots,
            self.shut_at,
            self.open_at,
            self.longest_wait,
            self.fresh,
            self.per_hour,
            self.lease,
            self.deaths,
            self.pace,
        )
        return "|".join((*(repr(number) for number in numbers), ",".join(sorted(self.counts)) or "-"))
