"""Upkeep in the background: lists every week and after an upgrade, the Laadstatus every ten minutes, a canary every day.

One platform after another within a task; the same work twice at once is left to whoever came first.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from celery import shared_task
from django.conf import settings

from connectors import canaries, refreshing
from connectors.apps import open_house
from connectors.connector import Connector
from connectors.models import CanaryAsked, PlatformList
from connectors.moments import now
from connectors.upkeep import House

_UNDER_WAY: set[tuple[str, str]] = set()
_GUARD = threading.Lock()


@shared_task(ignore_result=True)
def refresh_lists(platform: str, *, by_hand: bool = False) -> None:
    """Refresh the lists of one platform. ``by_hand``: an operator asked for it."""
    house = open_house()
    for connector in _named(house, platform):
        with _alone("lists", platform) as free:
            if free:
                refreshing.refresh_lists(house, connector, settings.VERSION, by_hand=by_hand)


@shared_task(ignore_result=True)
def refresh_load_status(platform: str) -> None:
    """Refresh the Laadstatus of one platform; nothing where there is none."""
    house = open_house()
    for connector in _named(house, platform):
        with _alone("load_status", platform) as free:
            if free:
                refreshing.refresh_load_status(house, connector, settings.VERSION)


@shared_task(ignore_result=True)
def refresh_every_load_status() -> None:
    """Refresh the Laadstatus of all platforms that have one, one after another."""
    for connector in open_house().connectors:
        if connector.capabilities.load_status:
            refresh_load_status(connector.platform.key)


@shared_task(ignore_result=True)
def refresh_outdated() -> None:
    """Refresh what another version wrote down, what was never asked for, and what failed; sent at each start and each night."""
    house = open_house()
    outdated = PlatformList.objects.outdated(settings.VERSION)
    for connector in house.connectors:
        key = connector.platform.key
        if (key, False) in outdated:
            refresh_lists(key)
    known = set(PlatformList.objects.with_load_status())
    for connector in house.connectors:
        key = connector.platform.key
        if (key, True) in outdated or (connector.capabilities.load_status and key not in known):
            refresh_load_status(key)


@shared_task(ignore_result=True)
def ask_canary(platform: str) -> None:
    """Ask a platform the question that must always find something, unless it was asked lately or is off; keep what came."""
    house, mode = open_house(), str(settings.PLATFORM_MODE.value)
    for connector in _named(house, platform):
        with _alone("canary", platform) as free:
            if free and not house.is_off(connector.platform) and CanaryAsked.is_due(platform, mode, now()):
                CanaryAsked.keep(platform, mode, asyncio.run(canaries.ask_canary(house, connector)))


@shared_task(ignore_result=True)
def ask_missed_canaries() -> None:
    """Ask all platforms that were not asked lately, one after another; sent at each start, so that an hour missed is no gap."""
    for connector in open_house().connectors:
        ask_canary(connector.platform.key)


def _named(house: House, platform: str) -> list[Connector]:
    """The connector of a platform; none when there is none (any more)."""
    return [one for one in house.connectors if one.platform.key == platform]


@contextmanager
def _alone(work: str, platform: str) -> Iterator[bool]:
    """Whether nobody in this worker does the same work already: a button pressed ten times must not hold its threads."""
    name = (work, platform)
    with _GUARD:
        free = name not in _UNDER_WAY
        _UNDER_WAY.add(name)
    try:
        yield free
    finally:
        if free:
            with _GUARD:
                _UNDER_WAY.discard(name)
