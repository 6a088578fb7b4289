"""The connector for OpenTK: plans calls, reads answers. All knowledge of formats stands in the modules beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from connectors import moments
from connectors.addresses import Addresses
from connectors.calls import Answer, Ask
from connectors.connector import Capabilities
from connectors.exceptions import ConnectorError, GoneError, NotAnAnswerError
from connectors.load_status import LoadStatus
from connectors.opentk import checks, lists, results
from connectors.opentk.activities import activity
from connectors.opentk.answers import KEY
from connectors.opentk.cases import case, with_votes
from connectors.opentk.documents import Opened, Place, with_text
from connectors.opentk.hits import ORGANISATION, found, ids_in
from connectors.opentk.ids import Key, Thing, canonical, key_of
from connectors.opentk.kinds import KINDS
from connectors.opentk.others import commitment, gift, open_document, report
from connectors.opentk.pages import Pages
from connectors.opentk.papers import paper
from connectors.opentk.plan import make_plan
from connectors.opentk.requests import list_call, open_file_call, page_call, search_call, status_call, text_call
from connectors.opentk.status import LAST_UPDATES, load_status
from connectors.opentk.texts import paper_text, with_file
from connectors.platforms import OPENTK, Platform
from connectors.reading import slow
from connectors.records import (
    BodyKind,
    CheckResult,
    Detail,
    Document,
    Filter,
    Lists,
    Organisation,
    Query,
    SearchResult,
    Sort,
)

CAPABILITIES: Final = Capabilities(
    bodies=frozenset({BodyKind.PARLEMENT}),
    kinds=KINDS,
    filters=frozenset({Filter.ORGANISATION}),
    own_filters=frozenset({Filter.KIND, Filter.FROM, Filter.UNTIL, Filter.SORT, Filter.PAGE}),
    sorts=frozenset(Sort),
    load_status=True,
)
"""The platform chooses by nothing that can be relied on: its own filters work after a cut at 280 hits."""
_READERS: Final = MappingProxyType[Thing, Callable[[Answer, Place], Opened]](
    {
        Thing.DOCUMENT: paper,
        Thing.CASE: case,
        Thing.ACTIVITY: activity,
        Thing.REPORT: report,
        Thing.COMMITMENT: commitment,
        Thing.OPEN: open_document,
        Thing.GIFT: gift,
    }
)


class OpenTK:
    """The full text of what the Tweede Kamer gives out. Fulfils ``connectors.connector.Connector``."""

    def __init__(self, addresses: Addresses) -> None:
        self._pages = Pages(addresses)

    @property
    def platform(self) -> Platform:
        """OpenTK."""
        return OPENTK

    @property
    def capabilities(self) -> Capabilities:
        """See ``CAPABILITIES``."""
        return CAPABILITIES

    def organisations(self) -> tuple[Organisation, ...]:
        """The Kamer alone: everything here is its own, so a question for it is a question for all of it."""
        return (ORGANISATION,)

    def canonical_id(self, text: str) -> str | None:
        """The number of a paper, case, activity or commitment, or another id of this platform, for any accepted spelling."""
        return canonical(text)

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        """One page of hits, of the 280 at most that one search gives; a choice of questions takes a second search."""
        plan = make_plan(query, moments.now().astimezone(moments.AMSTERDAM).date())
        if plan.search is None:
            return results.nothing(plan, moments.now())
        questions = frozenset[str]()
        if plan.questions is not None:
            questions = (await ask(search_call(plan.questions), ids_in)).value
        return results.page_of(plan, (await ask(search_call(plan.search), found, self._pages, questions)).value)

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        """One item with its text and its votes. Raises ``GoneError`` when the platform does not have it."""
        key = key_of(upstream_id)
        if key is None:
            raise GoneError(KEY, upstream_id)
        opened = (await ask(page_call(key), _opened, key, self._pages)).value
        document = opened.document
        if opened.paper:
            document = await _with_paper(document, opened.paper, ask)
        elif opened.file:
            document = await _with_file(document, opened.file, ask)
        elif key.thing is Thing.CASE:
            document = with_text(document, None)
        if opened.case is not None:
            document = replace(document, address=self._pages.of(key, opened.case.name))
            document = await _with_votes(document, opened.case, ask)
        return document

    async def lists(self, ask: Ask) -> Lists:
        """Committees, fracties, members, and the dossiers in which something happened lately."""
        committees = (await ask(list_call(lists.COMMITTEES), lists.committees)).value
        fracties, members = (await ask(list_call(lists.MEMBERS), lists.members)).value
        dossiers = (await ask(list_call(lists.DOSSIERS), lists.dossiers)).value
        return Lists(
            self.organisations(),
            (
                ("commissies", committees),
                ("fracties", fracties),
                ("kamerleden", members),
                ("kamerstukdossiers", dossiers),
            ),
        )

    async def load_status(self, ask: Ask) -> LoadStatus:
        """When the platform last fetched and processed what the Tweede Kamer gives out."""
        return (await ask(status_call(LAST_UPDATES), load_status)).value

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        """Whether it is up, one search, and its first hit as a document."""
        return await checks.check(ask, self)


def _opened(answer: Answer, key: Key, pages: Pages) -> Opened:
    return _READERS[key.thing](answer, Place(key, pages, answer.fetched_at))


async def _with_votes(document: Document, key: Key, ask: Ask) -> Document:
    """With the votes of its case. They are an addition: a paper is shown without them where they fail (field report 20)."""
    try:
        return (await ask(page_call(key), with_votes, document, key.upstream_id)).value
    except ConnectorError:
        missing = Detail("Stemming", "kon nu niet worden opgehaald")
        return replace(document, details=(*document.details, missing))


async def _with_paper(document: Document, number: str, ask: Ask) -> Document:
    """With the text of a paper. Where the platform has none, the document says so."""
    try:
        return (await ask(text_call(number), paper_text, document)).value
    except GoneError:
        return with_text(document, None)


async def _with_file(document: Document, name: str, ask: Ask) -> Document:
    """With the text of a file of open.overheid.nl, read beside the event loop: that takes long."""
    try:
        return (await ask(open_file_call(name), slow(with_file), document)).value
    except (GoneError, NotAnAnswerError):
        return with_text(document, None)
