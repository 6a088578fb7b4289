"""The connector for Rechtspraak: plans calls, reads answers. All knowledge of formats stands in the modules beside it."""

from __future__ import annotations

from typing import Final

from connectors import moments
from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Ask
from connectors.checking import tried
from connectors.connector import Capabilities
from connectors.exceptions import GoneError, NotSupportedError, Unsupported
from connectors.load_status import LoadStatus
from connectors.platforms import RECHTSPRAAK, Platform
from connectors.rechtspraak import checks
from connectors.rechtspraak.courts import organisation_of, shipped_courts
from connectors.rechtspraak.documents import document_of
from connectors.rechtspraak.ecli import parse_ecli, parse_ljn
from connectors.rechtspraak.parse_atom import parse_atom
from connectors.rechtspraak.parse_content import parse_content
from connectors.rechtspraak.parse_lists import COURTS, VALUE_LISTS, parse_court_list, parse_value_list
from connectors.rechtspraak.parse_website import parse_website
from connectors.rechtspraak.plan import KINDS, LookUp, NothingToFind, OpenDataSearch, WebsiteSearch, make_plan
from connectors.rechtspraak.requests import (
    WebsiteQuestion,
    content_call,
    open_data_search_call,
    value_list_call,
    website_search_call,
)
from connectors.rechtspraak.results import Reading, follow_up, looked_up, nothing, open_data_result, website_result
from connectors.records import (
    BodyKind,
    CheckResult,
    Document,
    Filter,
    Lists,
    Note,
    NoteCode,
    Organisation,
    Query,
    SearchResult,
    SearchText,
    Sort,
    Term,
)

CAPABILITIES: Final = Capabilities(
    bodies=frozenset({BodyKind.GERECHT}),
    kinds=KINDS,
    filters=frozenset({Filter.ORGANISATION, Filter.SORT, Filter.PAGE}),
    own_filters=frozenset({Filter.KIND, Filter.FROM, Filter.UNTIL}),
    sorts=frozenset(Sort),
)
"""Of a question with words. Without words, kinds and period are the platform's own filters, and no order can be asked for.

Phrases are sent in double quotes, which the website's search is assumed to honour; nothing we have read says so.
"""


class Rechtspraak:
    """Rulings of courts and opinions of the Parket. Fulfils ``connectors.connector.Connector``."""

    def __init__(self, addresses: Addresses) -> None:
        self.addresses = addresses

    @property
    def platform(self) -> Platform:
        """Rechtspraak."""
        return RECHTSPRAAK

    @property
    def capabilities(self) -> Capabilities:
        """What the website's search can do with words; see ``CAPABILITIES``."""
        return CAPABILITIES

    def organisations(self) -> tuple[Organisation, ...]:
        """The 260 courts of the shipped list, also those that are no more: their rulings are still there."""
        return shipped_courts()

    def canonical_id(self, text: str) -> str | None:
        """The ECLI for any spelling of it."""
        return parse_ecli(text)

    async def look_up(self, text: str, ask: Ask) -> tuple[str, ...]:
        """See ``connectors.connector.LooksUp``: the decision with an old LJN number, in which its ECLI ends; one search."""
        number = parse_ljn(text)
        if number is None:
            return ()
        found = await self.search(Query(text=SearchText((Term((number,)),))), ask)
        return tuple(hit.upstream_id for hit in found.hits if hit.upstream_id.endswith(f":{number}"))

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        """One page of hits: an ECLI is looked up, words go to the website's search, filters alone to Open Data."""
        plan = make_plan(query, moments.now().astimezone(moments.AMSTERDAM).date())
        match plan:
            case LookUp():
                return await _look_up(plan, ask)
            case WebsiteSearch():
                return await _search_website(plan, ask)
            case OpenDataSearch():
                page = await ask(open_data_search_call(plan.question), parse_atom, plan.question.size)
                return open_data_result(plan, page.value, page.fetched_at)
            case NothingToFind():
                return nothing(moments.now())

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        """One decision with its text. Raises ``GoneError`` when the platform does not know it.

        The stand-in holds few of the decisions that others point to: those links then lead to the platform itself.
        """
        ruling = await ask(content_call(upstream_id), parse_content, upstream_id)
        holds_all = self.addresses.mode is PlatformMode.LIVE
        return document_of(ruling.value, ruling.fetched_at, holds_all=holds_all)

    async def lists(self, ask: Ask) -> Lists:
        """The courts and three value lists, in four calls one after another."""
        courts = (await ask(value_list_call(COURTS), parse_court_list)).value
        values = [(name, (await ask(value_list_call(name), parse_value_list, name)).value) for name in VALUE_LISTS]
        return Lists(tuple(organisation_of(court) for court in courts), tuple(values))

    async def load_status(self, ask: Ask) -> LoadStatus:
        """The platform has none: ``NotSupportedError``."""
        del ask
        raise NotSupportedError(RECHTSPRAAK.key, Unsupported.NO_SUCH_FUNCTION)

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        """Three calls: a known ruling, the search by filter, the search by words."""
        return (
            await tried("Uitspraak ophalen", lambda: checks.check_content(ask)),
            await tried("Zoeken met filters (Open Data)", lambda: checks.check_open_data(ask)),
            await tried("Zoeken met woorden (website)", lambda: checks.check_website(ask)),
        )


async def _look_up(plan: LookUp, ask: Ask) -> SearchResult:
    try:
        ruling = await ask(content_call(plan.ecli, metadata_only=True), parse_content, plan.ecli)
    except GoneError:
        return nothing(moments.now(), (*plan.notes, Note(NoteCode.LOOKED_UP)), plan.ignored)
    return looked_up(plan, ruling.value, ruling.fetched_at)


async def _search_website(plan: WebsiteSearch, ask: Ask) -> SearchResult:
    readings: list[Reading] = []
    question: WebsiteQuestion | None = plan.question
    while question is not None:
        page = await ask(website_search_call(question), parse_website, question.size)
        readings.append(Reading(question, page.value, page.fetched_at))
        question = follow_up(plan, readings)
    return website_result(plan, tuple(readings))
