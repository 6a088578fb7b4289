"""Open Raadsinformatie as a connector: builds calls, awaits them, and puts together what the parsers read."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

from connectors.addresses import Addresses
from connectors.calls import Answer, Ask, Reply
from connectors.connector import Capabilities
from connectors.exceptions import (
    ConnectorError,
    Defect,
    GoneError,
    NotAnAnswerError,
    NotSupportedError,
    Unsupported,
)
from connectors.load_status import LoadStatus
from connectors.open_raadsinformatie import catalogue, checks
from connectors.open_raadsinformatie.answers import KEY
from connectors.open_raadsinformatie.documents import Neighbours, Record, document, neighbours, record
from connectors.open_raadsinformatie.ids import ItemId, canonical, item_id
from connectors.open_raadsinformatie.kinds import AGENDA_ITEM, KINDS, MEETING
from connectors.open_raadsinformatie.lookups import ids_in, query_of, wanted
from connectors.open_raadsinformatie.organisations import shipped, sources
from connectors.open_raadsinformatie.parse import SearchPage, search_page
from connectors.open_raadsinformatie.plan import Plan, plan
from connectors.open_raadsinformatie.requests import (
    aliases_call,
    groups_call,
    look_up_call,
    old_copy_call,
    people_call,
    record_call,
    registers_call,
    related_call,
    search_call,
    status_call,
)
from connectors.open_raadsinformatie.results import result
from connectors.platforms import OPEN_RAADSINFORMATIE, Platform
from connectors.records import (
    BodyKind,
    CheckResult,
    Document,
    Filter,
    Lists,
    Organisation,
    Query,
    SearchResult,
    Sort,
)

_CAPABILITIES: Final = Capabilities(
    bodies=frozenset({BodyKind.GEMEENTE, BodyKind.PROVINCIE, BodyKind.WATERSCHAP, BodyKind.STADSDEEL}),
    kinds=KINDS,
    filters=frozenset({Filter.ORGANISATION, Filter.FROM, Filter.UNTIL, Filter.SORT, Filter.PAGE}),
    own_filters=frozenset({Filter.KIND}),
    sorts=frozenset(Sort),
    load_status=True,
)


class OpenRaadsinformatie:
    """The connector. Holds nothing but where the addresses are."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses

    @property
    def platform(self) -> Platform:
        """Open Raadsinformatie."""
        return OPEN_RAADSINFORMATIE

    @property
    def capabilities(self) -> Capabilities:
        """Kinds are ours to filter: the platform knows four types. Everything else it does itself."""
        return _CAPABILITIES

    def organisations(self) -> tuple[Organisation, ...]:
        """The 330 bodies of the platform's own configuration, merged ones among them with their history."""
        return shipped()

    def canonical_id(self, text: str) -> str | None:
        """The id for an id, or its percent-encoded form."""
        return canonical(text)

    async def look_up(self, text: str, ask: Ask) -> tuple[str, ...]:
        """See ``connectors.connector.LooksUp``: a record by its number alone, or by the address of its file, in one call."""
        found = wanted(text)
        return () if found is None else (await ask(look_up_call(query_of(found)), ids_in)).value

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        """One page of hits, in one call, or two by date, and one more when an asked organisation turns out to be missing."""
        planned = plan(query)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_outcome(self._page(planned, types, ask))) for types in planned.streams]
        pages = [page for task in tasks if isinstance(page := task.result(), SearchPage)]
        for task in tasks:
            if isinstance(failure := task.result(), ConnectorError):
                raise failure
        return result(planned, pages, await _missing(planned, pages[0], ask))

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        """One record with its text, in two calls, three for a meeting. Raises ``GoneError`` when it is not there any more."""
        asked = item_id(upstream_id)
        if asked is None:
            raise GoneError(KEY, upstream_id)
        got = await _record(asked, ask)
        around = await _around(got.value, ask)
        return await asyncio.to_thread(document, got, asked, around, self._addresses)

    async def lists(self, ask: Ask) -> Lists:
        """The organisations that exist now, their committees, parties and persons, and the names of the registers."""
        there = (await ask(aliases_call(), catalogue.aliases)).value
        persons = (await ask(people_call("Person"), catalogue.people)).value
        memberships = (await ask(people_call("Membership"), catalogue.people)).value
        values = (
            *(await ask(groups_call(), catalogue.groups)).value,
            *catalogue.listed_people(persons, memberships),
            *(await ask(registers_call(), catalogue.registers)).value,
        )
        return Lists(there.organisations(), values)

    async def load_status(self, ask: Ask) -> LoadStatus:
        """The Laadstatus as we derive it, in two calls; without the list of aliases it says what the counts alone say."""
        try:
            there = (await ask(aliases_call(), catalogue.aliases)).value
        except ConnectorError:
            there = None  # that list is known to fail now and then (platform page, section 9)
        return (await ask(status_call(), catalogue.load_status, there)).value

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        """Five calls: the organisations, the indices and their fields, a search that must find something, and its first hit."""
        return await checks.check(ask, self._addresses)

    async def _page(self, planned: Plan, types: tuple[str, ...], ask: Ask) -> SearchPage:
        start = planned.start if planned.room else 0  # beyond reach nothing is asked but how much there is
        call = search_call(planned.query, types, planned.aliases, start, planned.room)
        page = (await ask(call, _searched, self._addresses, by_name=bool(planned.aliases))).value
        if page.shards == 0:
            # A 200 without hits, because no index of these names exists: unknown here, not "no results".
            raise NotSupportedError(KEY, Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,))
        return page


def _searched(answer: Answer, addresses: Addresses, *, by_name: bool) -> SearchPage:
    """A page of hits. No index at all is no answer, unless it was asked ``by_name`` of indexes that may not exist."""
    page = search_page(answer, addresses)
    if page.shards == 0 and not by_name:
        raise NotAnAnswerError(KEY, Defect.ERROR_IN_200, "_shards.total")
    return page


async def _record(asked: ItemId, ask: Ask) -> Reply[Record]:
    try:
        return await ask(record_call(asked), record, asked)
    except GoneError:
        return await ask(old_copy_call(asked), record, asked)


async def _outcome(page: Coroutine[Any, Any, SearchPage]) -> SearchPage | ConnectorError:
    try:
        return await page
    except ConnectorError as failure:
        return failure


async def _missing(planned: Plan, page: SearchPage, ask: Ask) -> tuple[str, ...]:
    """The names of asked organisations that have no index, when fewer were searched than asked. Never fails."""
    if page.shards >= len(planned.aliases):
        return ()
    try:
        there = (await ask(aliases_call(), catalogue.aliases)).value.names
    except ConnectorError:
        return ("een van de gevraagde organisaties",)
    return tuple(sources()[alias].body.name for alias in planned.aliases if alias not in there and alias in sources())


async def _around(found: Record, ask: Ask) -> Neighbours:
    """What hangs together with a record. It is extra: when it cannot be had the record stands (field report 20)."""
    alias, number = found.item.alias, found.item.number
    try:
        first = (await ask(related_call(alias, found.mentions, found.parents, (number,)), neighbours)).value
        if found.item.record_type != MEETING:
            return first
        items = [one.number for one in first.items(AGENDA_ITEM)]
        papers = (await ask(related_call(alias, (), (), items), neighbours)).value if items else Neighbours()
    except ConnectorError:
        return Neighbours()
    return first.with_more(papers)
