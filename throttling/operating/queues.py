"""Which queues there are, and what people call them. This room knows no platforms: the composition root hands the list down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from throttling.rules import QueueRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """One queue. ``platform`` and ``service`` are keys; ``origin``, ``source`` and ``told`` say where its limit comes from.

    ``told``: whether the holder knows that no limit is published.
    """

    platform: str
    platform_name: str
    service: str
    rules: QueueRules
    origin: str = ""
    source: str = ""
    told: str = ""

    @property
    def name(self) -> str:
        """What the store and the database call it."""
        return f"{self.platform}/{self.service}"

    @property
    def units_a_minute(self) -> float | None:
        """What the limit allows in a minute; None where only calls at once count."""
        return None if self.rules.limit is None else self.rules.units / self.rules.seconds * 60


def of_platform(queues: Iterable[Queue], platform: str) -> tuple[Queue, ...]:
    """The queues of one platform; empty when there is no such platform."""
    return tuple(queue for queue in queues if queue.platform == platform)
