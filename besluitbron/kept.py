"""What is kept in the database: lists, Laadstatus and years that were looked up (``search.kept.Kept``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, ParamSpec, TypeVar

import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections

from connectors.coverage import Coverage
from connectors.lists import LOAD_STATUS, Source
from connectors.load_status import LoadState
from connectors.models import BodyYears, CanaryAsked, ListRow, LoadRow, PlatformList
from connectors.records import ListItem
from search.kept import KeptCanary, KeptList, KeptStatus, KeptUnreadableError, KeptYears

log = structlog.get_logger(__name__)
_T = TypeVar("_T")
_P = ParamSpec("_P")
_BODY: Final = LoadRow.Group.BODY


class DatabaseKept:
    """Reads in a thread, so that nobody waits for a database in the event loop."""

    async def lists(self, platforms: Sequence[str]) -> tuple[KeptList, ...]:
        """See ``Kept.lists``."""
        return await _read(_lists, platforms)

    async def rows(self, platform: str, name: str) -> tuple[ListItem, ...]:
        """See ``Kept.rows``."""
        return await _read(_rows, platform, name)

    async def load_status(self, platforms: Sequence[str]) -> tuple[KeptStatus, ...]:
        """See ``Kept.load_status``."""
        return await _read(_load_status, platforms)

    async def years(self) -> tuple[KeptYears, ...]:
        """See ``Kept.years``."""
        return await _read(_years)

    async def canaries(self) -> tuple[KeptCanary, ...]:
        """See ``Kept.canaries``."""
        return await _read(_canaries)

    async def keep_years(self, years: Sequence[KeptYears]) -> None:
        """See ``Kept.keep_years``."""
        await _read(_keep_years, years)


async def _read(work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    return await sync_to_async(_closing, thread_sensitive=False)(work, *args, **kwargs)


def _closing(work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What ``work`` reads. Whatever goes wrong is one failure, and no connection is left to a thread that may not come back."""
    try:
        return work(*args, **kwargs)
    except Exception as failure:
        log.warning("kept_unreadable", failure=type(failure).__name__)
        raise KeptUnreadableError from failure
    finally:
        connections.close_all()


def _lists(platforms: Sequence[str]) -> tuple[KeptList, ...]:
    found = PlatformList.objects.filter(platform__in=platforms).exclude(kind=LOAD_STATUS)
    return tuple(
        KeptList(
            platform=one.platform,
            name=one.kind,
            number=one.number,
            from_platform=one.source == Source.PLATFORM,
            fetched_at=one.fetched_at if one.source == Source.PLATFORM else None,
            failure=one.failure_words,
        )
        for one in found
    )


def _rows(platform: str, name: str) -> tuple[ListItem, ...]:
    found = ListRow.objects.filter(list__platform=platform, list__kind=name).order_by("place")
    return tuple(
        ListItem(key, label, parent or None) for key, label, parent in found.values_list("key", "name", "parent")
    )


def _load_status(platforms: Sequence[str]) -> tuple[KeptStatus, ...]:
    found = PlatformList.objects.filter(platform__in=platforms, kind=LOAD_STATUS).prefetch_related("load_rows")
    return tuple(
        KeptStatus(
            platform=one.platform,
            generated_at=one.generated_at,
            fetched_at=one.fetched_at,
            organisations=tuple(_state(row) for row in one.load_rows.all() if row.group == _BODY),
            suppliers=tuple(_state(row) for row in one.load_rows.all() if row.group != _BODY),
            failure=one.failure_words,
        )
        for one in found
    )


def _years() -> tuple[KeptYears, ...]:
    found = BodyYears.objects.filter(mode=_mode())
    return tuple(
        KeptYears(platform=one.platform, body=one.body, first=one.first, last=one.last, on=one.on) for one in found
    )


def _canaries() -> tuple[KeptCanary, ...]:
    found = CanaryAsked.objects.filter(mode=_mode())
    return tuple(KeptCanary(platform=one.platform, at=one.at, found=one.found, trouble=one.trouble) for one in found)


def _keep_years(years: Sequence[KeptYears]) -> None:
    BodyYears.objects.bulk_create(
        [
            BodyYears(platform=one.platform, body=one.body, mode=_mode(), first=one.first, last=one.last, on=one.on)
            for one in years
        ],
        update_conflicts=True,
        unique_fields=("platform", "body", "mode"),
        update_fields=("first", "last", "on"),
    )


def _mode() -> str:
    return str(settings.PLATFORM_MODE.value)


def _state(row: LoadRow) -> LoadState:
    return LoadState(
        row.key,
        row.label,
        row.state,
        row.last_success,
        row.last_content,
        row.documents,
        Coverage.of_row(row.coverage),
    )
