"""The queues of the product: one for each service of each platform, with the limit that ``connectors.platforms`` states."""

from __future__ import annotations

from connectors.platforms import PLATFORMS
from throttling.operating.queues import Queue
from throttling.rules import QueueRules


def queues() -> tuple[Queue, ...]:
    """All queues, in the order of the platforms."""
    return tuple(
        Queue(
            platform=platform.key,
            platform_name=platform.name,
            service=service.key,
            rules=QueueRules(limit=service.limit, in_flight=service.in_flight, deadline=platform.deadline),
            origin=service.origin.value,
            source=service.source,
            told=service.told,
        )
        for platform in PLATFORMS
        for service in platform.services
    )


def queue_rules() -> dict[str, QueueRules]:
    """The rules of each queue, by its name."""
    return {queue.name: queue.rules for queue in queues()}
