"""OpenBesluitvorming as a connector: builds calls, awaits them, and puts together what the parsers read."""

from __future__ import annotations

import asyncio
import re
from http import HTTPStatus
from typing import Final

from connectors.addresses import Addresses
from connectors.calls import Ask
from connectors.connector import Capabilities
from connectors.exceptions import ConnectorError, NotSupportedError, RefusedError, Unsupported
from connectors.load_status import LoadStatus
from connectors.openbesluitvorming import catalogue, checks, documents
from connectors.openbesluitvorming.answers import KEY
from connectors.openbesluitvorming.ids import canonical, entity_id
from connectors.openbesluitvorming.kinds import KINDS
from connectors.openbesluitvorming.merge import Reading, merged
from connectors.openbesluitvorming.organisations import shipped
from connectors.openbesluitvorming.parse import search_page
from connectors.openbesluitvorming.plan import Plan, Stream, plan
from connectors.openbesluitvorming.requests import entity_call, search_call, sources_call, status_call
from connectors.openbesluitvorming.streams import StreamReader
from connectors.platforms import OPENBESLUITVORMING, Platform
from connectors.records import (
    BodyKind,
    CheckResult,
    Document,
    Filter,
    Lists,
    Organisation,
    Query,
    SearchResult,
    SearchText,
    Sort,
    Term,
)

_MOMENT: Final = 3.0
"""A document that is there is not kept waiting longer for the number of its pages."""
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
        """The 331 bodies of the platform's catalogue, ten of which ended in a merger, and what came of those."""
        return shipped()

    def canonical_id(self, text: str) -> str | None:
        """The id for an id, its percent-encoded form, or the address of its page."""
        return canonical(text)

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        """One page of hits, in at most six calls.

        When some organisations fail, the others stand and the failed are named; when all fail, the first failure is raised.
        An organisation that the platform turns out not to have is named as that.
        """
        planned = plan(query)
        reader = StreamReader(planned, ask, self._addresses)
        async with asyncio.TaskGroup() as group:
            tasks = [(stream.body, group.create_task(_or_failure(reader, stream))) for stream in planned.streams]
        outcomes: dict[Organisation | None, list[Reading | ConnectorError]] = {}
        for body, task in tasks:
            outcomes.setdefault(body, []).append(task.result())
        return _put_together(planned, outcomes)

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        """One item with its text. Raises ``GoneError`` when the platform has it no longer: also after it was withdrawn.

        When the platform breaks on it, what its search says of it, for one call more (field report 20). A file that may be
        longer than the platform read costs one call more too: only its search counts pages (field report 22). So does the file
        of a motion, for the outcome (field report 27).
        """
        try:
            found = (await ask(entity_call(upstream_id), documents.document, upstream_id, self._addresses)).value
            found = await self._counted(found, ask) if documents.may_be_cut(found) else found
            return await self._voted_on(found, ask)
        except RefusedError as refused:
            is_broken = refused.status == HTTPStatus.INTERNAL_SERVER_ERROR
            instead = await self._as_found(upstream_id, ask) if is_broken else None
            if instead is None:
                raise
            return instead

    async def _voted_on(self, found: Document, ask: Ask) -> Document:
        """The file of a motion with its outcome; any other as it was, and where the motion does not come in a moment."""
        motion = documents.motion_of(found)
        if motion is None:
            return found
        try:
            async with asyncio.timeout(_MOMENT):
                above = (await ask(entity_call(motion), documents.document, motion, self._addresses)).value
        except (ConnectorError, TimeoutError):
            return found
        return documents.with_outcome(found, above)

    async def _counted(self, found: Document, ask: Ask) -> Document:
        """The document with the number of its pages; as it was where its search does not find it, or not in a moment."""
        asked, words = entity_id(found.upstream_id), tuple(re.findall(r"[^\W_]+", found.title))
        if asked is None or not words:
            return found
        query = Query(text=SearchText((Term(words, phrase=len(words) > 1),)))
        try:
            async with asyncio.timeout(_MOMENT):
                page = (
                    await ask(search_call(query, key=asked.key, entity_type=asked.type), search_page, self._addresses)
                ).value
        except (ConnectorError, TimeoutError):
            return found
        hit = next((hit for hit in page.hits if hit.upstream_id == found.upstream_id), None)
        return documents.counted(found, hit) if hit else found

    async def _as_found(self, upstream_id: str, ask: Ask) -> Document | None:
        """An item as it stands among the newest of its body; None when it is not among those, or nobody can say."""
        asked = entity_id(upstream_id)
        if asked is None:
            return None
        call = search_call(Query(), key=asked.key, entity_type=asked.type)
        try:
            page = (await ask(call, search_page, self._addresses)).value
        except ConnectorError:
            return None
        hit = next((hit for hit in page.hits if hit.upstream_id == upstream_id), None)
        return documents.as_found(hit) if hit else None

    async def lists(self, ask: Ask) -> Lists:
        """The bodies that the platform names now."""
        return (await ask(sources_call(), catalogue.lists)).value

    async def load_status(self, ask: Ask) -> LoadStatus:
        """The Laadstatus of all sources and suppliers."""
        return (await ask(status_call(), catalogue.load_status)).value

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        """Three calls: the list of sources, a search that must find something, and its first hit with text."""
        return await checks.check(ask, self._addresses)


async def _or_failure(reader: StreamReader, stream: Stream) -> Reading | ConnectorError:
    try:
        return await reader.read(stream)
    except ConnectorError as failure:
        return failure


def _put_together(planned: Plan, outcomes: dict[Organisation | None, list[Reading | ConnectorError]]) -> SearchResult:
    """One result. Of an organisation of which one stream failed nothing is shown: it counts as failed."""
    readings: list[Reading] = []
    failed: list[str] = []
    unknown: list[str] = []
    failures: list[ConnectorError] = []
    for body, outcome in outcomes.items():
        failure = next((one for one in outcome if isinstance(one, ConnectorError)), None)
        if failure is None:
            readings += [one for one in outcome if isinstance(one, Reading)]
        elif body is not None and _is_unknown(failure):
            unknown.append(body.name)
        else:
            failures.append(failure)
            failed += [body.name] if body else []
    if not readings:
        raise failures[0] if failures else NotSupportedError(KEY, Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,))
    return merged(planned, readings, tuple(failed), tuple(unknown))


def _is_unknown(failure: ConnectorError) -> bool:
    """Whether the platform refused a call because it does not know the organisation (platform page, section 5)."""
    return isinstance(failure, RefusedError) and failure.code == "unknown_organization"
