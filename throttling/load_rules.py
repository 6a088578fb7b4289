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


MOST_SLOTS: Final = 20
"""As many runs as a worker can have at once."""
MOST_OPEN: Final = 500
"""With more, each decision of the gate would cost the store some thousandths of a second."""


class BadLoadRulesError(ValueError):
    """Rules that cannot be kept; ``wrong`` says what, in Dutch for who set them."""

    def __init__(self, wrong: str) -> None:
        super().__init__(wrong)
        self.wrong = wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRules:
    """The rules of the gate. Times in seconds, thresholds as shares.

    ``shut_at``, ``open_at``: from where on a signal lets no run start beside the others, and from where on it does again.
    ``thresholds``: the same for signals that have their own; the slots reopen at once, so of those only the first counts.
    ``longest_wait``: how long an ask may wait. ``fresh``: how long a finished run answers who asks for the same.
    ``per_hour``: asks of one requester. ``lease``: how long a worker is trusted. ``deaths``: after how many it goes on no more.
    ``pace``: seconds a part of a run takes, before any was measured. ``smoothing``: after how long a change of what is measured
    has come through for the most part (L4). ``page_target``, ``write_target``: how long a page may take of our own time, and a
    write may wait for the one writer of SQLite: a share of 1 (L3). ``report_connections``: how many connections with a database
    server reports may hold, all processes together; the rest is reserved (L2). ``most_open``: how many asks may wait or be
    under way, of all requesters together. ``longest_run``: how long a worker may be at one run before that is ended.
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
    smoothing: float = 10.0
    page_target: float = 0.5
    write_target: float = 0.05
    report_connections: int = 3
    most_open: int = 200
    longest_run: float = 3600.0
    counts: frozenset[Signal] = frozenset(Signal)
    thresholds: tuple[tuple[Signal, float, float], ...] = ()

    def threshold(self, signal: Signal) -> tuple[float, float]:
        """From where on a signal is shut, and from where on it is open again."""
        own = (edges for name, *edges in self.thresholds if name is signal)
        shut_at, open_at = next(own, (self.shut_at, self.open_at))
        return shut_at, open_at

    @property
    def longest_minutes(self) -> int:
        """``longest_wait`` as people are told it: whole minutes, and never none."""
        return max(round(self.longest_wait / 60), 1)

    def check(self) -> None:
        """Raise ``BadLoadRulesError`` when these rules cannot be kept."""
        times = (
            self.longest_wait,
            self.longest_run,
            self.fresh,
            self.lease,
            self.pace,
            self.smoothing,
            self.page_target,
            self.write_target,
        )
        edges = [self.threshold(signal) for signal in Signal]
        wrong = {
            "er is minstens 1 plaats": self.slots < 1,
            f"er zijn hoogstens {MOST_SLOTS} plaatsen": self.slots > MOST_SLOTS,
            "een drempel ligt boven 0 en hoogstens op 1": not all(0 < edge <= 1 for pair in edges for edge in pair),
            "de drempel om te openen ligt niet boven die om te sluiten": any(
                open_at > shut_at for shut_at, open_at in edges
            ),
            "een tijd moet groter zijn dan 0": not all(0 < seconds < float("inf") for seconds in times),
            "een vrager moet minstens 1 keer per uur mogen vragen": self.per_hour < 1,
            "een aantal mag niet onder 0 liggen": self.deaths < 0,
            f"er staan 1 tot en met {MOST_OPEN} aanvragen open": not 1 <= self.most_open <= MOST_OPEN,
            "rapporten hebben minstens 1 verbinding met de database nodig": self.report_connections < 1,
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
            self.smoothing,
            self.most_open,
        )
        own = ",".join(f"{signal}:{shut_at!r}:{open_at!r}" for signal, shut_at, open_at in self.thresholds)
        return "|".join((*(repr(number) for number in numbers), ",".join(sorted(self.counts)) or "-", own or "-"))
