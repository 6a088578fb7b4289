"""OpenBesluitvorming as a connector: builds calls, awaits them, and puts together what the parsers read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from connectors.addresses import Addresses
from connectors.calls import Ask
from connectors.connector import Capabilities
from connectors.exceptions import ConnectorError
from connectors.openbesluitvorming import catalogue, checks, documents
from connectors.openbesluitvorming.ids import canonical
from connectors.openbesluitvorming.kinds import KINDS
from connectors.openbesluitvorming.merge import Reading, merged
from connectors.openbesluitvorming.organisations import shipped
from connectors.openbesluitvorming.parse import UNKNOWN_TOTAL, SearchPage, search_page
from connectors.openbesluitvorming.plan import Plan, plan
from connectors.openbesluitvorming.requests import PAGE_SIZE, entity_call, search_call, sources_call, status_call
from connectors.platforms import OPENBESLUITVORMING, Platform
from connectors.records import (
    BodyKind,
    Certainty,
    CheckResult,
    Document,
    Filter,
    Hit,
    Lists,
    LoadStatus,
    Note,
    NoteCode,
    Organisation,
    Query,
    SearchResult,
    Sort,
    Total,
)

_CAPABILITIES: Final = Capabilities(
    bodies=frozenset({BodyKind.GEMEENTE, BodyKind.PROVINCIE, BodyKind.WATERSCHAP, BodyKind.STADSDEEL}),
    kinds=KINDS,
    filters=frozenset({Filter.ORGANISATION, Filter.FROM, Filter.UNTIL, Filter.SORT, Filter.PAGE}),
    own_filters=frozenset({Filter.KIND}),
    sorts=frozenset(Sort),
    load_status=True,
)


class OpenBesluitvorming:
    """The connector. Holds nothing but where the addresses are."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses

    @property
    def platform(self) -> Platform:
        """OpenBesluitvorming."""
        return OPENBESLUITVORMING

    @property
    def capabilities(self) -> Capabilities:
        """Kinds are ours to filter: the platform knows four types. Everything else it does itself."""
        return _CAPABILITIES

    def organisations(self) -> tuple[Organisation, ...]:
        """The 331 bodies of the shipped list, ten of which ended in a merger."""
        return shipped()

    def canonical_id(self, text: str) -> str | None:
        """The id for an id, its percent-encoded form, or the address of its page."""
        return canonical(text)

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        """One page of hits: one call, one per organisation up to six, or up to three when kinds are ours to filter.

        When some organisations fail, the others stand and the failed are named; when all fail, the first failure is raised.
        """
        planned = plan(query)
        if not planned.asked:
            return merged(planned, [await self._read(planned, None, ask)])
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._read_or_failure(planned, body, ask)) for body in planned.asked]
        outcomes = [task.result() for task in tasks]
        readings = [outcome for outcome in outcomes if isinstance(outcome, Reading)]
        failures = [outcome for outcome in outcomes if isinstance(outcome, ConnectorError)]
        if not readings:
            raise failures[0]
        pairs = zip(planned.asked, outcomes, strict=True)
        return merged(
            planned, readings, tuple(body.name for body, outcome in pairs if not isinstance(outcome, Reading))
        )

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        """One item with its text. Raises ``GoneError`` when the platform has it no longer: also after it was withdrawn."""
        return documents.document(await ask(entity_call(upstream_id)), upstream_id, self._addresses)

    async def lists(self, ask: Ask) -> Lists:
        """The bodies that the platform names now."""
        return catalogue.lists(await ask(sources_call()))

    async def load_status(self, ask: Ask) -> LoadStatus:
        """The Laadstatus of all sources and suppliers."""
        return catalogue.load_status(await ask(status_call()))

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        """Three calls: the list of sources, a search that must find something, and its first hit with text."""
        return await checks.check(ask, self._addresses)

    async def _read_or_failure(self, planned: Plan, body: Organisation, ask: Ask) -> Reading | ConnectorError:
        try:
            return await self._read(planned, body.key_at(OPENBESLUITVORMING.key), ask)
        except ConnectorError as failure:
            return failure

    async def _read(self, planned: Plan, key: str | None, ask: Ask) -> Reading:
        """Our page of one organisation, or of all of them: as many pages of the platform as the plan says."""
        first = (planned.query.page - 1) * planned.pages + 1
        pages = [await self._page(planned, key, first, ask)]
        if not pages[0].rows and pages[0].total.value:
            return await self._without_rows(planned, key, pages[0], ask)
        while pages[-1].has_more and len(pages) < planned.pages:
            pages.append(await self._page(planned, key, first + len(pages), ask))
        return _reading(planned, pages, planned.keeps)

    async def _page(
        self, planned: Plan, key: str | None, upstream_page: int, ask: Ask, *, period: bool = True
    ) -> SearchPage:
        call = search_call(planned.query, upstream_page, key=key, entity_type=planned.entity_type, period=period)
        return search_page(await ask(call), self._addresses, offset=(upstream_page - 1) * PAGE_SIZE)

    async def _without_rows(self, planned: Plan, key: str | None, empty: SearchPage, ask: Ask) -> Reading:
        """What to make of a total without rows.

        On a later page it is the end of what can be reached (platform page, section 3.1). On the first it is a fault over
        there, seen with a period (field report 1): asked once more without it, and the period is applied by us.
        """
        query = planned.query
        if query.page > 1:
            return _reading(planned, [empty], planned.keeps)
        if not query.has_period:
            note = Note(NoteCode.TOTAL_WITHOUT_HITS)
            return Reading((), UNKNOWN_TOTAL, has_more=False, fetched_at=empty.fetched_at, notes=(note,))
        page = await self._page(planned, key, 1, ask, period=False)
        reading = _reading(planned, [page], lambda hit: planned.keeps(hit) and _in_period(query, hit))
        filters = [
            name.value
            for name, day in ((Filter.FROM, query.date_from), (Filter.UNTIL, query.date_until))
            if day is not None
        ]
        notes = (Note(NoteCode.TOTAL_WITHOUT_HITS), Note(NoteCode.FILTERED_BY_US, tuple(filters)))
        return replace(
            reading, total=Total(len(reading.hits), Certainty.AT_LEAST), has_more=False, notes=(*reading.notes, *notes)
        )


def _reading(planned: Plan, pages: list[SearchPage], keeps: Callable[[Hit], bool]) -> Reading:
    hits = tuple(hit for page in pages for hit in page.hits if keeps(hit))
    beyond = not pages[0].rows and _says_more(planned, pages[0].total.value or 0)
    return Reading(
        hits=hits,
        total=_total(planned, pages, len(hits)),
        has_more=pages[-1].has_more,
        fetched_at=min(page.fetched_at for page in pages),
        skipped=sum(page.skipped for page in pages),
        notes=(Note(NoteCode.BEYOND_REACH),) if beyond else (),
    )


def _says_more(planned: Plan, total: int) -> bool:
    """Whether a total on a later page without rows is worth a remark.

    Of several organisations the smaller ones simply end before the others: that is worth none.
    """
    passed = (planned.query.page - 1) * planned.pages * PAGE_SIZE
    return planned.query.page > 1 and total > (passed if len(planned.asked) > 1 else 0)


def _total(planned: Plan, pages: list[SearchPage], kept: int) -> Total:
    """The platform's total, or with a filter of ours the number that we saw: exact only when we saw all there is."""
    last = pages[-1]
    if not planned.filters:
        return last.total
    saw_all = planned.query.page == 1 and not last.has_more and sum(page.rows for page in pages) == last.total.value
    exact = saw_all and last.total.certainty is Certainty.EXACT
    return Total(kept, Certainty.EXACT if exact else Certainty.AT_LEAST)


def _in_period(query: Query, hit: Hit) -> bool:
    """Whether a hit lies in the asked period; one without a date is in none, as over there."""
    if hit.date is None:
        return False
    after_start = query.date_from is None or query.date_from <= hit.date.day
    return after_start and (query.date_until is None or hit.date.day <= query.date_until)
