"""Filling and refreshing the kept lists: fetch, then replace as a whole; a failure leaves what is there and is noted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

import structlog
from django.db import DatabaseError, transaction

from connectors.connector import Connector
from connectors.exceptions import ConnectorError
from connectors.lists import ORGANISATIONS, Source, Trouble, organisation_rows, rows_of, trouble_of
from connectors.load_status import LoadStatus
from connectors.models import PlatformList, Writing
from connectors.moments import now
from connectors.platforms import PLATFORMS
from connectors.records import Lists
from connectors.upkeep import Fetched, House, fetch_lists, fetch_load_status

_T = TypeVar("_T")
log = structlog.get_logger(__name__)


def fill(make_house: Callable[[], House], version: str) -> tuple[str, ...]:
    """Write down what the project ships, where nothing stands yet or another version's. Gives the platforms it did that for.

    Quick when there is nothing to do: then the connectors are not even made.
    """
    needed = PlatformList.objects.need_filling((platform.key for platform in PLATFORMS), version)
    if not needed:
        return ()
    filled = [connector for connector in make_house().connectors if connector.platform.key in needed]
    for connector in filled:
        writing = Writing(version, now(), Source.SHIPPED, tried=False)
        rows = organisation_rows(connector.organisations())
        PlatformList.objects.replace(connector.platform.key, ORGANISATIONS, rows, writing)
    return tuple(connector.platform.key for connector in filled)


def refresh_lists(house: House, connector: Connector, version: str, *, by_hand: bool = False) -> Trouble | None:
    """Ask a platform for its lists. Gives why that failed, None when it went well or the platform is off."""
    if house.is_off(connector.platform):
        return None
    key = connector.platform.key
    found = _fetched(key, fetch_lists(house, connector))
    note = partial(PlatformList.objects.note_trouble, key)
    if not isinstance(found, Fetched):
        return _noted(key, note, found, version)
    source = Source.PLATFORM if found.asked else Source.SHIPPED
    writing = Writing(version, now(), source, by_hand=by_hand)
    return _kept(key, partial(_write, key, found.lists, writing), note, version)


def refresh_load_status(house: House, connector: Connector, version: str) -> Trouble | None:
    """Ask a platform for its Laadstatus. Gives why that failed, None when it went well, there is none, or it is off."""
    if house.is_off(connector.platform) or not connector.capabilities.load_status:
        return None
    key = connector.platform.key
    found = _fetched(key, fetch_load_status(house, connector))
    note = partial(PlatformList.objects.note_trouble, key, load_status=True)
    if not isinstance(found, LoadStatus):
        return _noted(key, note, found, version)
    replace = partial(PlatformList.objects.replace_load_status, key, found, Writing(version, now()))
    return _kept(key, replace, note, version)


def _write(key: str, lists: Lists, writing: Writing) -> None:
    """All lists of a platform in one go: what is interrupted halfway leaves those of before."""
    found = rows_of(lists)
    with transaction.atomic():
        for kind, rows in found.items():
            PlatformList.objects.replace(key, kind, rows, writing)
        PlatformList.objects.drop_others(key, found)
    log.info("lists_refreshed", platform=key, rows={kind: len(rows) for kind, rows in found.items()})


def _kept(
    key: str, write: Callable[[], None], note: Callable[[Trouble, Writing], None], version: str
) -> Trouble | None:
    """Write down what was fetched. What cannot be written is a failure of this platform alone: the next ones get their turn."""
    try:
        write()
    except Exception:  # a row that no database takes, or a database that is locked: noted, and the old list stays
        log.exception("refresh_not_kept", platform=key)
        return _noted(key, note, Trouble.BROKEN, version)
    return None


def _noted(key: str, note: Callable[[Trouble, Writing], None], why: Trouble, version: str) -> Trouble:
    """Note a failure where that is possible: a database that is locked is no reason to leave the other platforms."""
    try:
        note(why, Writing(version, now()))
    except DatabaseError:
        log.exception("trouble_not_noted", platform=key, trouble=why.value)
    return why


def _fetched(key: str, work: Coroutine[Any, Any, _T]) -> _T | Trouble:
    """What ``work`` fetched, in a loop of its own; a failure as its kind."""
    try:
        return asyncio.run(work)
    except ConnectorError as failure:
        trouble = trouble_of(failure)
        log.warning("refresh_failed", platform=key, trouble=trouble.value)
    except Exception:  # a fault of ours in one connector: noted like any other, and the old list stays
        trouble = Trouble.BROKEN
        log.exception("refresh_broken", platform=key)
    return trouble
