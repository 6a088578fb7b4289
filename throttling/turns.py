"""The contract of a turn at a service: what whoever calls a platform may expect, and what it owes.

Every request that leaves for a platform takes its own turn (rule R11). The rules across processes are built with the
outgoing queue; ``process_turns`` keeps the limits of one process until then.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from throttling.callers import Caller

OnWait = Callable[[float], None]
"""Told once, when a call has to wait: seconds until it will probably start."""


class TurnRefusedError(Exception):
    """The queue of a service will not take this call. ``retry_after`` is in seconds."""

    def __init__(self, service: str, retry_after: float) -> None:
        super().__init__(service, retry_after)
        self.service = service
        self.retry_after = retry_after


class Turn(Protocol):
    """A granted turn. Inside it exactly one request may leave."""

    def refused(self, retry_after: float) -> None:
        """The platform itself said "over limit": nothing was charged over there, and it wants ``retry_after`` s of rest."""

    def not_sent(self) -> None:
        """The request never left: the charge is taken back."""


class Turns(Protocol):
    """Turns at all services."""

    def turn(self, service: str, caller: Caller, *, cost: float, on_wait: OnWait) -> AbstractAsyncContextManager[Turn]:
        """Wait for a turn at ``service`` (``platform/service``), hold it while the call is under way.

        Entering waits until the call may leave; leaving the context says that its answer is in. Cancelling while
        waiting gives the place up. Raises ``TurnRefusedError`` when the queue is too long.
        """
        ...
