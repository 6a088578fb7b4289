"""The database as the memory of the turns and as the bookkeeper's books: the one file of this room that asks it.

Everything runs in threads of its own, with a connection that is closed afterwards: whatever else a process does in threads
(reading documents, an admin page) cannot hold up a permit, and no broken connection is ever met again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db import DatabaseError, connection, connections, transaction
from django.db.models import Value
from django.db.models.functions import Coalesce, Greatest

from throttling.bookkeeping import Page, UnwritableError
from throttling.memory import OperatorSettings, Used
from throttling.models import HISTORY, IDLE, PlatformState, QueueMinute, SessionUsage
from throttling.own_threads import OwnThreads
from throttling.rules import THOUSAND
from throttling.store import wall

_BATCH: Final = 400
_COUNTERS: Final = ("refusals", "epoch_seen", "given_seen", "refusals_seen")
_COUNTED: Final = ("granted", "waiting", "refused", "foretold", "near", "predicted_seconds", "real_seconds")
_asked: Final = OwnThreads(2, "geheugen", connections.close_all)


class DatabaseMemory:
    """A ``Memory`` that the database keeps. ``clock`` gives seconds since 1970."""

    def __init__(self, clock: Callable[[], float] = wall) -> None:
        self._clock = clock

    async def may_send_until(self, queue: str) -> float | None:
        """Until when grants may have been given; None on a fresh installation."""
        return await _asked(_may_send_until, queue)

    async def allow(self, queue: str, until: float) -> None:
        """Keep that grants may be given until then; a later moment that another process wrote stands."""
        await _asked(_allow, queue, until)

    async def used(self, queue: str) -> Sequence[Used]:
        """Use that is younger than 30 minutes."""
        return await _asked(_used, queue, datetime.fromtimestamp(self._clock(), UTC))

    async def operator_settings(self, queue: str) -> OperatorSettings:
        """What an operator set."""
        return await _asked(_operator_settings, queue)


def _may_send_until(queue: str) -> float | None:
    return PlatformState.objects.filter(queue=queue).values_list("may_send_until", flat=True).first()


def _allow(queue: str, until: float) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            # In WAL mode the product's usual setting would lose the last writes with the power; this connection's may not be.
            cursor.execute("PRAGMA synchronous=FULL")
    if not _raise(queue, until):
        PlatformState.objects.bulk_create([PlatformState(queue=queue)], ignore_conflicts=True)
        _raise(queue, until)


def _raise(queue: str, until: float) -> int:
    later = Greatest(Coalesce("may_send_until", Value(until)), Value(until))
    return PlatformState.objects.filter(queue=queue).update(may_send_until=later)


def _used(queue: str, at: datetime) -> list[Used]:
    rows = SessionUsage.objects.filter(queue=queue, last_call__gt=at - IDLE)
    return [Used(row.session, float(row.units), max((at - row.last_call).total_seconds(), 0.0)) for row in rows]


def _operator_settings(queue: str) -> OperatorSettings:
    state = PlatformState.objects.filter(queue=queue).first()
    if state is None:
        return OperatorSettings()
    return OperatorSettings(off=state.off, cap=None if state.cap is None else float(state.cap))


class DatabaseBooks:
    """The bookkeeper's books. Several bookkeepers at once count nothing twice."""

    async def write(self, pages: Sequence[Page], at: datetime) -> None:
        """Write in one transaction. Raises ``UnwritableError``."""
        try:
            await _asked(_write, pages, at)
        except DatabaseError as failure:
            raise UnwritableError from failure


def _write(pages: Sequence[Page], at: datetime) -> None:
    with transaction.atomic():
        _write_uses(pages)
        _write_counts(pages, at)
        SessionUsage.objects.filter(last_call__lte=at - IDLE).delete()
        QueueMinute.objects.filter(minute__lt=_minute(at) - HISTORY).delete()


def _write_uses(pages: Sequence[Page]) -> None:
    rows = [
        SessionUsage(queue=page.queue, session=use.session, units=_units(use.used), last_call=use.last_call)
        for page in pages
        for use in page.uses
    ]
    if rows:
        SessionUsage.objects.bulk_create(
            rows,
            batch_size=_BATCH,
            update_conflicts=True,
            unique_fields=["queue", "session"],
            update_fields=["units", "last_call"],
        )


def _write_counts(pages: Sequence[Page], at: datetime) -> None:
    """Add what happened since the books were last kept, and remember how far that is."""
    states = _states([page.queue for page in pages])
    minutes = {row.queue: row for row in QueueMinute.objects.filter(minute=_minute(at))}
    moved: list[PlatformState] = []
    told: list[QueueMinute] = []
    for page in pages:
        state = states[page.queue]
        granted, refused = _since(state, page)
        if page.epoch != state.epoch_seen or granted or refused:
            moved.append(_moved_on(state, page, refused))
        if granted or refused or page.waiting or page.foretold:
            minute = minutes.get(page.queue) or QueueMinute(queue=page.queue, minute=_minute(at))
            told.append(_added(minute, page, granted, refused))
    PlatformState.objects.bulk_update(moved, _COUNTERS)
    QueueMinute.objects.bulk_update([minute for minute in told if minute.pk], _COUNTED)
    QueueMinute.objects.bulk_create([minute for minute in told if not minute.pk])


def _states(queues: Sequence[str]) -> dict[str, PlatformState]:
    rows = PlatformState.objects.select_for_update().filter(queue__in=queues)
    states = {state.queue: state for state in rows}
    if missing := [PlatformState(queue=queue) for queue in queues if queue not in states]:
        PlatformState.objects.bulk_create(missing, ignore_conflicts=True)
        states = {state.queue: state for state in rows.all()}
    return states


def _since(state: PlatformState, page: Page) -> tuple[int, int]:
    """Thousandths granted and refusals since the books were last kept; all of them when the queue began again meanwhile."""
    if page.epoch != state.epoch_seen:
        return page.given, page.refusals
    return max(page.given - state.given_seen, 0), max(page.refusals - state.refusals_seen, 0)


def _moved_on(state: PlatformState, page: Page, refused: int) -> PlatformState:
    again = page.epoch != state.epoch_seen
    state.refusals += refused
    state.given_seen = page.given if again else max(page.given, state.given_seen)
    state.refusals_seen = page.refusals if again else max(page.refusals, state.refusals_seen)
    state.epoch_seen = page.epoch
    return state


def _added(minute: QueueMinute, page: Page, granted: int, refused: int) -> QueueMinute:
    minute.granted += _units(granted)
    minute.waiting = max(minute.waiting, page.waiting)
    minute.refused += refused
    minute.foretold += len(page.foretold)
    minute.near += sum(one.is_near for one in page.foretold)
    minute.predicted_seconds += sum(one.predicted for one in page.foretold)
    minute.real_seconds += sum(one.real for one in page.foretold)
    return minute


def _minute(at: datetime) -> datetime:
    return at - timedelta(seconds=at.second, microseconds=at.microsecond)


def _units(thousandths: int) -> Decimal:
    return Decimal(thousandths) / THOUSAND
