"""What the queues of the product are called, and where the limit of each comes from: one for each service of each platform."""

from __future__ import annotations

from django.conf import settings

from besluitbron.limits import queue_name, queue_rules
from connectors.platforms import PLATFORMS
from throttling.operating.queues import Queue


def queues() -> tuple[Queue, ...]:
    """All queues, in the order of the platforms."""
    rules = queue_rules(PLATFORMS, settings.OPTIONS.limits)
    return tuple(
        Queue(
            platform=platform.key,
            platform_name=platform.name,
            service=service.key,
            rules=rules[queue_name(platform, service)],
            origin=service.origin.value,
            source=service.source,
            told=service.told,
        )
        for platform in PLATFORMS
        for service in platform.services
    )
