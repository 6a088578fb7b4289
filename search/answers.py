"""What one platform answered to one question, as page, terminal, API and MCP print it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from connectors.exceptions import ConnectorError
from connectors.platforms import Platform
from connectors.records import Certainty, SearchResult, Total


class State(StrEnum):
    """The states of a source: one list for page, API, MCP and admin."""

    BUSY = "bezig"
    PLANNED = "gepland"
    READY = "klaar"
    EMPTY = "leeg"
    TOO_LATE = "te-laat"
    FAILED = "fout"
    REFUSED = "afgewezen"
    NOT_SUPPORTED = "niet-ondersteund"

    @property
    def is_final(self) -> bool:
        """Whether nothing more follows for this source."""
        return self not in {State.BUSY, State.PLANNED}

    @property
    def may_come(self) -> bool:
        """Whether an answer may follow after the page's time: a call still waits, or was sent and is read to its end."""
        return not self.is_final or self is State.TOO_LATE

    @property
    def has_answered(self) -> bool:
        """Whether the platform itself was asked and gave an answer."""
        return self in {State.READY, State.EMPTY}


UNKNOWN_TOTAL = Total(None, Certainty.UNKNOWN)


def state_of(result: SearchResult) -> State:
    """The state of a platform that gave this: what only looks like an answer is none."""
    return State.READY if result.fitting else State.EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformAnswer:
    """The state of one source at one moment.

    ``result`` is there exactly when the state is ``klaar`` or ``leeg``; ``failure`` when it is ``te-laat``, ``fout``,
    ``afgewezen`` or ``niet-ondersteund``; ``starts_at`` when a call waits for its turn, as the
    how manieth (``place``) of all who wait there. ``is_alone``: no other source was asked with it.
    """

    platform: Platform
    state: State
    result: SearchResult | None = None
    failure: ConnectorError | None = None
    starts_at: datetime | None = None
    place: int | None = None
    retry_at: datetime | None = None
    is_alone: bool = False

    @property
    def total(self) -> Total:
        """The total, unknown where there is no result."""
        return self.result.total if self.result else UNKNOWN_TOTAL

    @property
    def fitting(self) -> int:
        """How many hits of this page have what was asked: those with only a part of the words do not count."""
        return self.result.fitting if self.result else 0

    @property
    def while_it_may_come(self) -> PlatformAnswer:
        """This answer for a reader who still gets what comes: a source that was too late is still being asked."""
        return replace(self, state=State.BUSY, failure=None) if self.state is State.TOO_LATE else self
