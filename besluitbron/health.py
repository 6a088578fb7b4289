"""Whether this process lives, and whether everything it needs is there. Free of limits, and no question passes here."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from besluitbron.heartbeat import beat_age
from besluitbron.running.probes import RUN_HEADER
from reports.minutes import merged
from reports.signals import SEEN
from reports.watching import no_worker, unnamed_proxy
from throttling.store import Store

_BEAT_LATE: Final = timedelta(minutes=5)


@require_safe
async def alive(request: HttpRequest) -> HttpResponse:
    """The process answers. No input or output."""
    del request
    headers = {RUN_HEADER: settings.OPTIONS.run} if settings.OPTIONS.run else None
    return HttpResponse("leeft\n", content_type="text/plain; charset=utf-8", headers=headers)


@require_safe
async def ready(request: HttpRequest) -> JsonResponse:
    """Store, database with its migrations, and background; 503 when one is missing.

    Notes are for an operator, and no reason to send nobody here: that requests come by a proxy that nobody named, and that
    nobody makes the reports that are asked for (searching does without, rule L2).
    """
    scope: dict[str, Any] = getattr(request, "scope", {})
    store: Store = scope["state"]["store"]
    parts = {
        "toestand": await store.reachable(),
        "database": await sync_to_async(_database)(),
        "achtergrond": _background(),
    }
    status = HTTPStatus.OK if all(parts.values()) else HTTPStatus.SERVICE_UNAVAILABLE
    return JsonResponse({"klaar": all(parts.values()), "onderdelen": parts, "opmerkingen": _notes()}, status=status)


def _background() -> bool:
    """Whether the upkeep worker showed itself lately; a fresh installation has half a minute to begin."""
    age = beat_age()
    return age is None or age < _BEAT_LATE


def _notes() -> list[str]:
    """As this process last saw it."""
    latest = SEEN.latest
    found = (*unnamed_proxy(merged(SEEN.past)), *(no_worker(latest.overview, latest.silent) if latest else ()))
    return [alarm.words for alarm in found]


def _database() -> bool:
    try:
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return False
    finally:
        connection.close()
