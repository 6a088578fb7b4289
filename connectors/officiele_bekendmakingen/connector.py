"""The connector for Officiële Bekendmakingen: plans calls, reads answers. The modules beside it know the formats."""

from __future__ import annotations

from typing import Final

from connectors import moments
from connectors.addresses import Addresses
from connectors.calls import Ask
from connectors.checking import tried
from connectors.connector import Capabilities
from connectors.exceptions import Defect, GoneError, NotAnAnswerError, NotSupportedError, RefusedError, Unsupported
from connectors.load_status import LoadStatus
from connectors.officiele_bekendmakingen import checks
from connectors.officiele_bekendmakingen.deep import MOST_COUNTS, DaySearch, Slice
from connectors.officiele_bekendmakingen.documents import document_of
from connectors.officiele_bekendmakingen.elements import KEY
from connectors.officiele_bekendmakingen.ids import canonical
from connectors.officiele_bekendmakingen.journals import JOURNALS, KINDS
from connectors.officiele_bekendmakingen.links import Links
from connectors.officiele_bekendmakingen.organisations import shipped
from connectors.officiele_bekendmakingen.parse_files import parse_html
from connectors.officiele_bekendmakingen.parse_search import Record, parse_search
from connectors.officiele_bekendmakingen.plan import Plan, make_plan
from connectors.officiele_bekendmakingen.reading_text import text_of
from connectors.officiele_bekendmakingen.requests import Question, page_call, record_call, search_call
from connectors.officiele_bekendmakingen.results import beyond_reach, nothing, result_of
from connectors.platforms import OFFICIELE_BEKENDMAKINGEN, Platform
from connectors.records import (
    BodyKind,
    Certainty,
    CheckResult,
    Document,
    Filter,
    ListItem,
    Lists,
    Organisation,
    Query,
    SearchResult,
    Sort,
    Total,
)

CAPABILITIES: Final = Capabilities(
    bodies=frozenset(BodyKind) - {BodyKind.STADSDEEL},
    kinds=KINDS,
    filters=frozenset({Filter.ORGANISATION, Filter.KIND, Filter.FROM, Filter.UNTIL, Filter.SORT, Filter.PAGE}),
    sorts=frozenset(Sort),
)
"""Kinds are journals, which the platform filters; of parliamentary papers alone we look at what they are, and say so then."""


class OfficieleBekendmakingen:
    """The journals and parliamentary papers. Fulfils ``connectors.connector.Connector``."""

    def __init__(self, addresses: Addresses) -> None:
        self._links = Links(addresses)

    @property
    def platform(self) -> Platform:
        """Officiële Bekendmakingen."""
        return OFFICIELE_BEKENDMAKINGEN

    @property
    def capabilities(self) -> Capabilities:
        """See ``CAPABILITIES``."""
        return CAPABILITIES

    def organisations(self) -> tuple[Organisation, ...]:
        """The bodies of the shipped list: municipalities, provinces, water boards, chambers, ministries and some others."""
        return shipped()

    def canonical_id(self, text: str) -> str | None:
        """The id for any spelling of it, or for the address of its page or files."""
        return canonical(text)

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        """One page of hits, in one call; a page beyond the 9,999th place costs more, because the set is cut by day."""
        plan = make_plan(query)
        if plan.is_empty:
            return nothing(moments.now(), plan)
        if plan.is_deep:
            return await self._deep(plan, ask)
        page = await ask(search_call(plan.question, plan.start, plan.size), parse_search)
        return result_of(plan, page.value, self._links, page.fetched_at)

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        """One publication with its text: its record, then its files until one holds text.

        Raises ``GoneError``, and ``WithdrawnError`` where its page says that it was withdrawn: the search forgets it.
        """
        page = await ask(record_call(upstream_id), parse_search)
        record: Record | None = next((item for item in page.value.records if item.identifier == upstream_id), None)
        if record is None and (page.value.received or page.value.total):
            raise NotAnAnswerError(KEY, Defect.WRONG_SHAPE, "record")
        if record is None:
            await self._say_withdrawn(upstream_id, ask)
            raise GoneError(KEY, upstream_id)
        passages, how = await text_of(record, ask)
        return document_of(record, passages, self._links, page.fetched_at, how)

    async def _say_withdrawn(self, upstream_id: str, ask: Ask) -> None:
        """Raise ``WithdrawnError`` when the page of a publication without a record says so. Any other answer says nothing."""
        call = page_call(upstream_id)
        if call is None:
            return
        try:
            await ask(call, parse_html, upstream_id)
        except (NotAnAnswerError, RefusedError):
            return

    async def lists(self, ask: Ask) -> Lists:
        """The platform gives no lists: the shipped organisations and journals, and no call."""
        del ask
        journals = tuple(ListItem(journal.areas[0], journal.name) for journal in JOURNALS)
        return Lists(shipped(), (("publicatienaam", journals),))

    async def load_status(self, ask: Ask) -> LoadStatus:
        """The platform has none: ``NotSupportedError``."""
        del ask
        raise NotSupportedError(KEY, Unsupported.NO_SUCH_FUNCTION)

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        """Five calls: the description of the service, a search, a period, a record and its text."""
        return (
            await tried("Zoekvelden", lambda: checks.check_indexes(ask)),
            await tried("Zoeken in een blad", lambda: checks.check_search(ask)),
            await tried("Zoeken met een periode", lambda: checks.check_period(ask)),
            await tried("Publicatie openen", lambda: checks.check_document(ask)),
        )

    async def _deep(self, plan: Plan, ask: Ask) -> SearchResult:
        """A page that lies too deep to be asked for: counted and cut by day. Only an order by day can be cut."""
        if plan.question.sort is Sort.RELEVANCE:
            return beyond_reach(moments.now(), plan)
        total = await _count(plan.question, ask)
        cut = await _cut(plan, ask) if plan.start <= total else None
        if cut is None:
            known = Total(total, Certainty.ESTIMATE) if not plan.filters else Total(None, Certainty.UNKNOWN)
            return beyond_reach(moments.now(), plan, known)
        page = await ask(search_call(cut.question, cut.start, plan.size), parse_search)
        return result_of(plan, page.value, self._links, page.fetched_at, total=total)


async def _count(question: Question, ask: Ask) -> int:
    return (await ask(search_call(question, size=0), parse_search)).value.total


async def _cut(plan: Plan, ask: Ask) -> Slice | None:
    today = moments.now().astimezone(moments.AMSTERDAM).date()
    search = DaySearch(plan.question, plan.start - 1, plan.size, today)
    for _ in range(MOST_COUNTS):
        day = search.day
        if day is None:
            return None
        cut = search.told(day, await _count(search.before(day), ask))
        if cut is not None:
            return cut
    return None
