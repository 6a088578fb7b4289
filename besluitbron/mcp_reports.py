"""Reports for assistants (``assistants.changing.Reports``): two rooms that do not know each other, put together here."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from assistants.changing import ReportTold
from assistants.tool import ToolFailedError
from connectors.moments import now
from reports import door_words, page, words
from reports.api import again
from reports.door_words import Doing
from reports.doors import Reception
from reports.exceptions import DeskClosedError, WishRefusedError
from reports.records import Report, ReportStatus, Standing, Wish
from search.serialise import utc


@dataclass(frozen=True, slots=True)
class ReportsOverMcp:
    """What is at the reception, told as tools tell it."""

    reception: Reception

    async def ask(self, target: str, contract: str) -> ReportTold:
        """See ``Reports.ask``."""
        try:
            asked = await self.reception.ask(Wish(target), settings.CALLERS.contract(contract))
        except WishRefusedError as error:
            raise _refused(error) from None
        except DeskClosedError as error:
            raise _closed(error, Doing.ASK) from None
        return _told(*asked)

    async def standing(self, number: str) -> ReportTold | None:
        """See ``Reports.standing``."""
        try:
            found = await self.reception.fetch(number)
        except DeskClosedError as error:
            raise _unread(error) from None
        return None if found is None else _told(*found)

    async def cancel(self, number: str) -> ReportTold | None:
        """See ``Reports.cancel``."""
        done = False
        try:
            await self.reception.desk.cancel(number)
            done = True
            found = await self.reception.fetch(number)
        except DeskClosedError as error:
            raise _closed(error, Doing.CANCEL, done=done) from None
        return None if found is None else _told(*found)


def _told(standing: Standing, found: Report | None = None) -> ReportTold:
    waits = standing.status is ReportStatus.WAITS
    root = f"{settings.SITE_ADDRESS}{page.address(standing.token)}"
    return ReportTold(
        number=standing.token,
        state=standing.status.value,
        message=words.sentence(standing) if found is None else page.summary(found),
        page=root,
        place=standing.place if waits and standing.place else None,
        starts_at=utc(standing.start_at) if waits and standing.start_at else None,
        done=standing.done,
        size=standing.size,
        reason=standing.reason.value if standing.reason else None,
        come_back=utc(standing.come_back_at) if standing.come_back_at else None,
        kept_until=utc(standing.kept_until),
        again_in=again(standing),
        files={form: f"{root}.{form}" for form in page.forms(found.lacks)} if found else {},
    )


def _refused(error: WishRefusedError) -> ToolFailedError:
    at = now()
    wait = None if error.come_back_at is None else max((error.come_back_at - at).total_seconds(), 1.0)
    back = words.come_back(error.reason, error.come_back_at, at)
    return ToolFailedError(words.reason(error.reason), "Er is geen rapport aangevraagd.", back, wait)


def _closed(error: DeskClosedError, doing: Doing, *, done: bool = False) -> ToolFailedError:
    """``done``: what was wanted was done, and only how it stands is not known."""
    means = door_words.closed_means(doing, unsure=error.unsure or done)
    return ToolFailedError(door_words.closed(), *means, error.retry_after)


def _unread(error: DeskClosedError) -> ToolFailedError:
    kept, advice = "Een rapport dat er al was, blijft bewaard.", "Probeer het over een minuut opnieuw."
    return ToolFailedError(door_words.closed(), kept, advice, error.retry_after)
