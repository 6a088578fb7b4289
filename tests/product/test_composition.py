"""How the product is put together: the numbers that the platforms and the pages were promised."""

from __future__ import annotations

from django.conf import settings

from connectors.http import MAX_BODY_BYTES
from connectors.platforms import PLATFORMS

EPOCH = 1_700_000_000.0


def test_pages_wait_eight_seconds_for_an_answer_and_sixty_in_all() -> None:
    assert (settings.PATIENCE_SECONDS, settings.PAGE_SECONDS) == (8.0, 60.0)


def test_at_most_twenty_megabytes_are_read() -> None:
    assert MAX_BODY_BYTES == 20 * 1024 * 1024


def test_every_platform_has_its_own_deadline() -> None:
    deadlines = {platform.key: platform.deadline for platform in PLATFORMS}
    assert deadlines == dict.fromkeys(deadlines, 20.0) | {"tweede-kamer": 60.0, "officiele-bekendmakingen": 90.0}
