"""Reading a stream: the pages of the platform that make one page of ours, and what to make of answers that do not add up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from connectors.addresses import Addresses
from connectors.calls import Ask
from connectors.openbesluitvorming.merge import Reading
from connectors.openbesluitvorming.parse import UNKNOWN_TOTAL, SearchPage, search_page
from connectors.openbesluitvorming.plan import Plan, Stream
from connectors.openbesluitvorming.requests import PAGE_SIZE, search_call
from connectors.records import Certainty, Note, NoteCode, Total


@dataclass(frozen=True, slots=True)
class _Window:
    """What was read of a stream. ``is_short``: the platform promised more rows of this window than it gave."""

    pages: tuple[SearchPage, ...]
    is_short: bool = False

    @property
    def last(self) -> SearchPage:
        return self.pages[-1]

    @property
    def rows(self) -> int:
        return sum(page.rows for page in self.pages)


@dataclass(frozen=True, slots=True)
class StreamReader:
    """Reads the streams of one plan; makes no more calls than the plan gives each."""

    plan: Plan
    ask: Ask
    addresses: Addresses

    async def read(self, stream: Stream) -> Reading:
        """Our page of ``stream``. Raises what the calls and the parser raise."""
        window = await self._window(stream)
        if not window.rows and window.last.total.value and not stream.is_edge and self.plan.query.page == 1:
            return await self._without_rows(stream, window.last)
        return self._reading(stream, window)

    async def _window(self, stream: Stream) -> _Window:
        """All rows from the start of our page to its end, as far as the calls go.

        Where the platform gives fewer rows than asked and has more, it is asked on from what it gave, never from where a full
        page would have ended (field report 2).
        """
        start = 0 if stream.is_edge else self.plan.start
        end = start + (PAGE_SIZE if stream.is_edge else self.plan.size)
        pages: list[SearchPage] = []
        at, is_short = start, False
        while not pages or (pages[-1].has_more and at < end and len(pages) < self.plan.calls):
            limit = min(PAGE_SIZE, end - at)
            page = await self._page(stream, at, limit)
            pages.append(page)
            at += page.rows
            is_short = is_short or (page.has_more and page.rows < limit)
        return _Window(tuple(pages), is_short=is_short and at < end)

    async def _page(self, stream: Stream, offset: int, limit: int = PAGE_SIZE) -> SearchPage:
        call = search_call(stream.query, offset, limit=limit, key=stream.key, entity_type=stream.entity_type)
        return (await self.ask(call, search_page, self.addresses, offset=offset)).value

    async def _without_rows(self, stream: Stream, empty: SearchPage) -> Reading:
        """What to make of a total without rows on the first page: a fault over there, seen with a period (field report 1).

        With a period, and while the calls allow it, asked once more without it; the period is applied by us all the same.
        """
        note = Note(NoteCode.TOTAL_WITHOUT_HITS)
        if not self.plan.query.has_period or self.plan.calls == 1:
            return Reading((), UNKNOWN_TOTAL, has_more=False, fetched_at=empty.fetched_at, notes=(note,))
        open_ended = replace(stream, query=replace(stream.query, date_from=None, date_until=None))
        reading = self._reading(stream, _Window((await self._page(open_ended, 0),)))
        return replace(
            reading,
            total=Total(len(reading.hits), Certainty.AT_LEAST),
            has_more=False,
            notes=(*reading.notes, note, Note(NoteCode.ASKED_WITHOUT_PERIOD)),
        )

    def _reading(self, stream: Stream, window: _Window) -> Reading:
        hits = tuple(hit for page in window.pages for hit in page.hits if self.plan.keeps(hit))
        notes = []
        if not window.pages[0].rows and self._is_beyond_reach(window.last):
            notes.append(Note(NoteCode.BEYOND_REACH))
        if window.is_short:
            notes.append(Note(NoteCode.SHORT_PAGES))
        return Reading(
            hits=hits,
            total=self._total(stream, window, len(hits)),
            has_more=window.last.has_more and not stream.is_edge,
            fetched_at=min(page.fetched_at for page in window.pages),
            skipped=sum(page.skipped for page in window.pages),
            notes=tuple(notes),
        )

    def _is_beyond_reach(self, page: SearchPage) -> bool:
        """Whether a later page without rows is worth a remark (platform page, section 3.1).

        Of several streams the smaller ones simply end before the others: that is worth none.
        """
        passed = self.plan.start if len(self.plan.streams) > 1 else 0
        return self.plan.query.page > 1 and (page.total.value or 0) > passed

    def _total(self, stream: Stream, window: _Window, kept: int) -> Total:
        """The platform's total, as far as it says something about ours; what was kept, when all there is was seen.

        With a period its number counts the hours around it as well, of which we cannot tell how many fall out on the pages
        that were not read: a few at most, so an estimate. With a filter of ours it says nothing: at least what was kept.
        """
        said = window.last.total
        if not (self.plan.filters or self.plan.query.has_period):
            return said
        # An edge has its latest rows first, so once one falls out the others would too.
        saw_the_edge = stream.is_edge and kept < window.rows
        began, ended = stream.is_edge or self.plan.start == 0, not window.last.has_more
        saw_all = began and ended and window.rows == said.value and said.certainty is Certainty.EXACT
        if saw_all or (saw_the_edge and not self.plan.filters):
            return Total(kept, Certainty.EXACT)
        if self.plan.filters or stream.is_edge:
            return Total(kept, Certainty.AT_LEAST)
        return UNKNOWN_TOTAL if said.value is None else Total(said.value, Certainty.ESTIMATE)
