"""The contract of a turn at a service: what whoever calls a platform may expect, and what it owes.

Every request that leaves for a platform takes its own turn (rule R11). Askers of exactly the same thing name the same flight:
one of them makes the call and is charged, the others hear how it ended.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from throttling.callers import Caller


@dataclass(frozen=True, slots=True)
class Expected:
    """When a waiting call will probably start: in how many ``seconds``, and as the how manieth of all who wait (from 1)."""

    seconds: float
    place: int = 1


OnWait = Callable[[Expected], None]
"""Told when a call has to wait, and again when it waits longer than it was told."""


class TurnRefusedError(Exception):
    """The queue of a service will not take this call (rule R14). ``retry_after`` is in seconds."""

    def __init__(self, service: str, retry_after: float) -> None:
        super().__init__(service, retry_after)
        self.service = service
        self.retry_after = retry_after


class TurnsClosedError(Exception):
    """No turn can be given at a service now: its state is unknown, or an operator switched it off (rule R12).

    ``retry_after`` is in seconds, None when nobody knows; ``text`` is what an operator wants visitors to read.
    """

    def __init__(self, service: str, retry_after: float | None = None, text: str = "") -> None:
        super().__init__(service, retry_after, text)
        self.service = service
        self.retry_after = retry_after
        self.text = text


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a shared call ended. ``failure`` is empty after an answer, else a short code that its asker understands."""

    failure: str = ""

    @property
    def answered(self) -> bool:
        """Whether there is an answer, which then is in the buffer."""
        return not self.failure


class Turn(Protocol):
    """A turn that was waited for. With ``outcome`` None exactly one request may leave inside its context."""

    @property
    def outcome(self) -> Outcome | None:
        """How another asker's call under the same flight ended; then nothing may be sent and nothing was charged."""
        ...

    @property
    def is_first(self) -> bool:
        """Whether it came at once and no answer to the same flight came in the seconds before.

        Then what the buffer had just before this turn was asked for is what it has now. Never so without a flight.
        """
        ...

    def answered(self, remaining: float | None) -> None:
        """The platform answered and says that ``remaining`` units are left (None: it says nothing)."""

    def refused(self, retry_after: float) -> None:
        """The platform itself said "over limit": nothing was charged over there, and it wants ``retry_after`` s of rest.

        The call keeps its old place: the same asker may enter again with this turn as ``Wanted.again``.
        """

    def not_sent(self) -> None:
        """The request never left: the charge is taken back."""

    async def share(self, outcome: Outcome) -> None:
        """Tell the other askers of this flight how it ended. Owed by whoever sent, after the context, in every case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a turn is wanted for: ``cost`` units at ``service`` (``platform/service``).

    ``flight`` is the digest of the call, the same for everybody who asks the same (never words of a question; empty: not
    shared). ``again`` is an earlier turn of this call that the platform refused: its old place comes back.
    """

    service: str
    cost: float = 1.0
    flight: str = ""
    again: Turn | None = None


class Turns(Protocol):
    """Turns at all services."""

    def turn(self, wanted: Wanted, caller: Caller, on_wait: OnWait) -> AbstractAsyncContextManager[Turn]:
        """Wait for a turn and hold it while the call is under way.

        Entering waits until the call may leave, or until another asker of the same flight has its answer. Leaving the
        context says that the answer is in. Cancelling while waiting gives the place up. Raises ``TurnRefusedError`` when
        the queue is too long and ``TurnsClosedError`` when no turn can be given.
        """
        ...
