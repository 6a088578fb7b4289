"""Asking platforms for a report: a page of hits, or a document, as patiently as heavy work may be.

All reports together are one session with one call at a time in each queue (rule R13): whoever searches goes before them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import structlog

from connectors.exceptions import ClosedError, ConnectorError, GoneError, TakenDownError
from connectors.moments import now
from connectors.records import Hit, Query, Term
from reports.codec import HitsPart
from reports.overview import reading_of
from reports.records import Reading
from search import texts
from search.answers import PlatformAnswer, State
from search.federation import Federation, StillWaitingError, failed
from search.same import SameItem
from throttling.callers import Caller

log = structlog.get_logger(__name__)
REPORTS: Final = Caller(session="rapporten", one_at_a_time=True)
"""All reports together, at every platform."""
ATTEMPTS: Final = 3
_APART: Final = 5.0
_LONGEST: Final = 60.0
_MOST_IN_A_ROW: Final = 3
_GIVEN_UP: Final = "De bron gaf keer op keer geen antwoord."
Pause = Callable[[float], Awaitable[None]]


class Asking:
    """Asks for one report. ``pause`` waits so many seconds: a test's does not."""

    def __init__(self, federation: Federation, terms: tuple[Term, ...], pause: Pause = asyncio.sleep) -> None:
        self._federation = federation
        self._terms = terms
        self._pause = pause
        self._silent: dict[str, int] = {}

    async def page(self, platform: str, query: Query) -> HitsPart:
        """One page of hits of a platform; a failure is a page that says so."""
        for attempt in range(1, ATTEMPTS + 1):
            answer = await self._answer(platform, query)
            if answer.state.has_answered or answer.state is State.NOT_SUPPORTED or attempt == ATTEMPTS:
                break
            await self._pause(_wait(answer, attempt))
        return _page(answer)

    async def reading(self, item: SameItem[Hit]) -> Reading:
        """The text of one thing, of the first of its copies that can be read; a failure is a reading that says so."""
        found = Reading(hit=item.first.id, failure=_GIVEN_UP)
        for hit in item.things:
            if self._silent.get(hit.platform, 0) < _MOST_IN_A_ROW:
                found = await self._read(hit)
                if not found.failure:
                    break
        return found

    async def _answer(self, platform: str, query: Query) -> PlatformAnswer:
        """The last that a platform says; while our own turns cannot be used nobody asked it, so that is waited for."""
        while True:
            said = [answer async for answer in self._federation.ask(query, [platform], REPORTS)]
            answer = said[-1]  # each platform says something in the end
            if not (isinstance(answer.failure, ClosedError) and answer.failure.is_ours):
                return answer
            await self._pause(_APART)

    async def _read(self, hit: Hit) -> Reading:
        connector = self._federation.connector(hit.platform)
        assert connector is not None  # the hit is of one of ours
        said = ""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                document = await self._federation.document(connector, hit.upstream_id, REPORTS)
                self._silent[hit.platform] = 0
                return await asyncio.to_thread(reading_of, hit.id, document, self._terms)
            except (GoneError, TakenDownError) as failure:
                self._silent[hit.platform] = 0
                return Reading(hit=hit.id, failure=texts.no_document(failed(connector.platform, failure)))
            except StillWaitingError:
                answer = PlatformAnswer(platform=connector.platform, state=State.TOO_LATE)
            except ConnectorError as failure:
                answer = failed(connector.platform, failure)
            except Exception:  # a fault of ours in reading one document must not take the report away
                log.exception("report_reading_broken", platform=hit.platform)
                return Reading(
                    hit=hit.id, failure=texts.no_document(failed(connector.platform, ConnectorError(hit.platform)))
                )
            said = texts.no_document(answer)
            if attempt < ATTEMPTS:
                await self._pause(_wait(answer, attempt))
        self._silent[hit.platform] = self._silent.get(hit.platform, 0) + 1
        return Reading(hit=hit.id, failure=said)


def _wait(answer: PlatformAnswer, attempt: int) -> float:
    """Seconds until it makes sense to ask again."""
    if answer.retry_at is None:
        return _APART * attempt
    return min(max((answer.retry_at - now()).total_seconds(), 1.0), _LONGEST)


def _page(answer: PlatformAnswer) -> HitsPart:
    result = answer.result
    if result is None:
        alone = replace(answer, is_alone=True)
        said = (texts.state(alone, now()),)
        return HitsPart(failed=True, not_supported=answer.state is State.NOT_SUPPORTED, said=said)
    return HitsPart(
        hits=result.hits,
        total=result.total,
        fetched_at=result.fetched_at,
        has_more=result.has_more,
        notes=result.notes,
        ignored=result.ignored,
    )
