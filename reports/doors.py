"""What the pages, files and API of reports work with, and do not open themselves: the composition root hands it down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from django.http import HttpRequest

from reports.exceptions import DeskClosedError
from reports.exports.pressing import Press
from reports.filed import Filed
from reports.records import Reason, Report, ReportStatus, Standing, Wish
from search.carried import opened

STATE: Final = "reports"
"""Under this name the shell puts a ``Reception`` in the state of each request."""


class ReportDesk(Protocol):
    """Where reports are asked for and fetched. Every method may raise ``DeskClosedError``."""

    async def ask(self, wish: Wish, requester: str) -> Standing:
        """Ask for a report; the same one where ``requester`` has asked for it already. Raises ``WishRefusedError``."""
        ...

    async def standing(self, token: str) -> Standing | None:
        """How it stands; None when no report has this token (any more)."""
        ...

    async def report(self, token: str) -> Report | None:
        """What it says; None unless it is ready."""
        ...

    async def file(self, token: str, form: str) -> Filed | None:
        """A file that was written with the report, as one with very many rows has; None where there is none."""
        ...

    async def cancel(self, token: str) -> Standing | None:
        """Nobody wants it any more. Cancelled again, or already done: how it stands, and no fault."""
        ...


class Spent(Protocol):
    """Remembers which forms were used (``throttling.once``)."""

    async def spend(self, name: str, seconds: int) -> bool:
        """Whether ``name`` is used for the first time. Raises ``StoreLostError``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a report may be, told to whoever wants one: the settings of now."""

    most_hits: int = 500
    most_texts: int = 200
    days: int = 14
    longest_wait: int = 30
    """Minutes."""
    per_hour: int = 5


@dataclass(frozen=True, slots=True)
class Reception:
    """All that is handed down."""

    desk: ReportDesk
    spent: Spent
    terms: Callable[[], Terms]
    press: Press

    async def fetch(self, token: str) -> tuple[Standing, Report | None] | None:
        """How a report stands, with the report when it is ready; None when there is none. Raises ``DeskClosedError``.

        One that was made and cannot be read any more has failed, as far as anybody can see.
        """
        standing = await self.desk.standing(token)
        return None if standing is None else await self._with_report(standing)

    async def ask(self, wish: Wish, requester: str) -> tuple[Standing, Report | None]:
        """Ask for a report; with its contents where ``requester`` asked for the same before and it is ready.

        What was taken on is so, also when the contents cannot be fetched just then: then it is told without them. Raises what
        ``ReportDesk.ask`` raises.
        """
        standing = await self.desk.ask(wish, requester)
        try:
            return await self._with_report(standing)
        except DeskClosedError:
            return standing, None

    async def _with_report(self, standing: Standing) -> tuple[Standing, Report | None]:
        if standing.status is not ReportStatus.READY:
            return standing, None
        found = await self.desk.report(standing.token)
        if found is None:
            return replace(standing, status=ReportStatus.FAILED, reason=Reason.BROKEN), None
        return standing, found


def reception_of(request: HttpRequest) -> Reception:
    """What the composition root handed down."""
    return opened(request, STATE, Reception)
