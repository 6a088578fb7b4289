"""OpenBesluitvorming as a connector: builds calls, awaits them, and puts together what the parsers read."""

from __future__ import annotations

import asyncio
from typing import Final

from connectors.addresses import Addresses
from connectors.calls import Ask
from connectors.connector import Capabilities
from connectors.exceptions import ConnectorError, NotSupportedError, RefusedError, Unsupported
from connectors.openbesluitvorming import catalogue, checks, documents
from connectors.openbesluitvorming.answers import KEY
from connectors.openbesluitvorming.ids import canonical
from connectors.openbesluitvorming.kinds import KINDS
from connectors.openbesluitvorming.merge import Reading, merged
from connectors.openbesluitvorming.organisations import shipped
from connectors.openbesluitvorming.plan import Plan, Stream, plan
from connectors.openbesluitvorming.requests import entity_call, sources_call, status_call
from connectors.openbesluitvorming.streams import StreamReader
from connectors.platforms import OPENBESLUITVORMING, Platform
from connectors.records import (
    BodyKind,
    CheckResult,
    Document,
    Filter,
    Lists,
    LoadStatus,
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
        """One item with its text. Raises ``GoneError`` when the platform has it no longer: also after it was withdrawn."""
        return (await ask(entity_call(upstream_id), documents.document, upstream_id, self._addresses)).value

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
