"""The connector for the Tweede Kamer: plans calls, reads answers. All knowledge of formats stands in the modules beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from connectors import moments
from connectors.addresses import Addresses
from connectors.calls import Answer, Ask, Call
from connectors.checking import SKIPPED, Seen, tried
from connectors.connector import Capabilities
from connectors.exceptions import ConnectorError, GoneError, NotAnAnswerError, NotSupportedError, Unsupported
from connectors.load_status import LoadStatus
from connectors.platforms import TWEEDE_KAMER, Platform
from connectors.reading import slow
from connectors.records import (
    BodyKind,
    CheckResult,
    Document,
    Filter,
    Group,
    ListItem,
    Lists,
    Note,
    NoteCode,
    Organisation,
    Query,
    SearchResult,
    Sort,
    TextState,
)
from connectors.tweede_kamer import checks, results
from connectors.tweede_kamer.answers import KEY, one_row
from connectors.tweede_kamer.documents import Opened, opened, with_report, with_text
from connectors.tweede_kamer.hits import ORGANISATION, hit_page
from connectors.tweede_kamer.ids import canonical, key_of
from connectors.tweede_kamer.kinds import KINDS
from connectors.tweede_kamer.pages import Pages
from connectors.tweede_kamer.parties import group_page
from connectors.tweede_kamer.people import member_page
from connectors.tweede_kamer.plan import Stream, make_plan
from connectors.tweede_kamer.requests import (
    item_call,
    list_call,
    members_call,
    metadata_call,
    resource_call,
    search_call,
)
from connectors.tweede_kamer.sources import Form, Text, text_from
from connectors.tweede_kamer.versions import V5, Version
from connectors.tweede_kamer.vlos import report_passages

CAPABILITIES: Final = Capabilities(
    bodies=frozenset({BodyKind.PARLEMENT}),
    kinds=KINDS,
    filters=frozenset({Filter.ORGANISATION, Filter.KIND, Filter.FROM, Filter.UNTIL, Filter.SORT, Filter.PAGE}),
    sorts=frozenset({Sort.NEWEST, Sort.OLDEST}),
    full_text=False,
    groups=frozenset(Group),
)
"""Words are looked for in titles and subjects; there is no full text and no order by relevance."""
_MOST_LIST_CALLS: Final = 20


class ListPage(Protocol):
    """One page of a list: its items, and how many rows came, those that were left out among them."""

    @property
    def items(self) -> tuple[ListItem, ...]:
        """The items."""
        ...

    @property
    def given(self) -> int:
        """The number of rows."""
        ...


class TweedeKamer:
    """Papers, meetings, votes and commitments of the Tweede Kamer. Fulfils ``connectors.connector.Connector``.

    ``version`` says which version of the service is asked; the addresses of both are below the same host.
    """

    def __init__(self, addresses: Addresses, version: Version = V5) -> None:
        self._pages = Pages(addresses, version)
        self._version = version
        self._notes = (Note(NoteCode.OLD_VERSION, (version.name,)),) if version.is_old else ()

    @property
    def platform(self) -> Platform:
        """Tweede Kamer."""
        return TWEEDE_KAMER

    @property
    def capabilities(self) -> Capabilities:
        """See ``CAPABILITIES``."""
        return CAPABILITIES

    def organisations(self) -> tuple[Organisation, ...]:
        """The Kamer alone: everything here is its own, so a question for it is a question for all of it."""
        return (ORGANISATION,)

    def canonical_id(self, text: str) -> str | None:
        """The number of a document, case, activity or commitment, or an id by GUID, for any accepted spelling."""
        return canonical(text)

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        """One page of hits, in one call for each entity set; when one fails the others stand, and it is named."""
        plan = make_plan(query, self._notes, self._version.lead_committee)
        if not plan.streams:
            return results.nothing(plan, moments.now())
        async with asyncio.TaskGroup() as group:
            tasks = [(stream, group.create_task(self._stream(stream, ask))) for stream in plan.streams]
        return results.merged(plan, [(stream, task.result()) for stream, task in tasks])

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        """One item with its text. Raises ``GoneError`` when the platform does not have it, or has deleted it."""
        document = await self._document(upstream_id, ask)
        return replace(document, notes=(*document.notes, *self._notes))

    async def _document(self, upstream_id: str, ask: Ask) -> Document:
        key = key_of(upstream_id)
        if key is None:
            raise GoneError(KEY, upstream_id)
        row = await ask(item_call(self._version, key), one_row, upstream_id)
        found = opened(row.value, key.entity, upstream_id, self._pages, row.fetched_at)
        if found.reports:
            return await self._with_report(found, ask)
        if found.sources:
            return with_text(found.document, await self._text(found, ask))
        has_own = found.document.passages or found.document.notes
        return found.document if has_own else with_text(found.document, None)

    async def lists(self, ask: Ask) -> Lists:
        """Fracties and committees, those of the past as well, each with its days, and who is a member now and since when."""
        fracties = await self._whole(partial(list_call, self._version, "Fractie"), group_page, ask)
        committees = await self._whole(partial(list_call, self._version, "Commissie"), group_page, ask)
        members = await self._whole(partial(members_call, self._version), member_page, ask)
        return Lists(
            self.organisations(),
            (("fracties", fracties), ("commissies", committees), ("kamerleden", members)),
        )

    async def load_status(self, ask: Ask) -> LoadStatus:
        """The platform has none: ``NotSupportedError``."""
        del ask
        raise NotSupportedError(KEY, Unsupported.NO_SUCH_FUNCTION)

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        """The description of the service against our settings, a search that must find something, and its first hit."""
        found: list[str] = []

        async def version() -> Seen:
            missing = (await ask(metadata_call(self._version), checks.missing_fields, self._version)).value
            seen = f"{self._version.name}, de oude versie" if self._version.is_old else self._version.name
            return not missing, f"{seen}, ontbrekend: {', '.join(missing)}" if missing else seen

        async def search() -> Seen:
            result = await self.search(checks.CANARY, ask)
            found.extend(hit.upstream_id for hit in result.hits[:1])
            return bool(result.hits), f"{len(result.hits)} treffers"

        async def first_hit() -> Seen:
            if not found:
                return SKIPPED
            document = await self.document(found[0], ask)
            return document.text_state is not TextState.NONE, f"{found[0]}, tekst: {document.text_state.value}"

        return (
            await tried("Versie van de dienst", version),
            await tried("Zoeken", search),
            await tried("Document openen", first_hit),
        )

    async def _stream(self, stream: Stream, ask: Ask) -> results.Outcome:
        try:
            page = await ask(search_call(self._version, stream), hit_page, stream, self._pages)
        except ConnectorError as failure:
            return failure
        return page.value, page.fetched_at

    async def _text(self, found: Opened, ask: Ask) -> Text | None:
        """The text from the best place that has one. Reading a file takes long: it is done beside the event loop."""
        last: Text | None = None
        for source in found.sources:
            call = resource_call(self._version, source.entity, source.guid)
            parse = slow(text_from) if source.form is Form.FILE else text_from
            try:
                last = (await ask(call, parse, found.document.upstream_id, source.form)).value
            except (GoneError, NotAnAnswerError):
                continue
            if last.passages:
                return last
        return last

    async def _with_report(self, found: Opened, ask: Ask) -> Document:
        """With the newest report that is there: some are not (section 6)."""
        for report in found.reports:
            call = resource_call(self._version, "Verslag", report.guid)
            try:
                passages = (await ask(call, report_passages, found.document.upstream_id)).value
            except (GoneError, NotAnAnswerError):
                continue
            if passages:
                return with_report(found.document, report, passages)
        return with_text(found.document, None)

    async def _whole(
        self, call_from: Callable[[int], Call], parse: Callable[[Answer], ListPage], ask: Ask
    ) -> tuple[ListItem, ...]:
        """A list to its end, a page after another."""
        items: list[ListItem] = []
        skip = 0
        for _ in range(_MOST_LIST_CALLS):
            page = (await ask(call_from(skip), parse)).value
            items += page.items
            skip += page.given
            if page.given < self._version.most_rows:
                break
        return tuple(items)
