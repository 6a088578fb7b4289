"""Open Archivaris as a connector: off in live mode until an operator gives an address, because its API is not public."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from connectors.addresses import Addresses
from connectors.calls import Ask
from connectors.connector import Capabilities
from connectors.exceptions import NotSupportedError, SwitchedOffError, Unsupported
from connectors.load_status import LoadStatus
from connectors.open_archivaris import checks, documents, health
from connectors.open_archivaris.field_map import FieldMap, proposed
from connectors.open_archivaris.ids import canonical
from connectors.open_archivaris.items import Reader
from connectors.open_archivaris.organisations import KEY, Bodies
from connectors.open_archivaris.parse import search_page
from connectors.open_archivaris.plan import KINDS, plan
from connectors.open_archivaris.requests import SERVICE, document_call, health_call, search_call
from connectors.open_archivaris.results import lost_to_period, result
from connectors.platforms import OPEN_ARCHIVARIS, Platform
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

_BODIES: Final = frozenset({BodyKind.GEMEENTE, BodyKind.PROVINCIE, BodyKind.WATERSCHAP})
_PARAMETERS: Final = (
    (Filter.ORGANISATION, "bodies"),
    (Filter.FROM, "created_from"),
    (Filter.UNTIL, "created_to"),
)


class OpenArchivaris:
    """The connector. Holds where the addresses are and the field map: the proposed one unless an operator gave another."""

    def __init__(self, addresses: Addresses, fields: FieldMap | None = None) -> None:
        self._fields = fields or proposed()
        self._reader = Reader(self._fields, Bodies(self._fields))
        self._is_off = not addresses.base(OPEN_ARCHIVARIS, OPEN_ARCHIVARIS.service(SERVICE))
        self._capabilities = _capabilities(self._fields)

    @property
    def platform(self) -> Platform:
        """Open Archivaris."""
        return OPEN_ARCHIVARIS

    @property
    def capabilities(self) -> Capabilities:
        """Kinds are ours to filter: the platform has none. What else it does itself follows from the field map."""
        return self._capabilities

    def organisations(self) -> tuple[Organisation, ...]:
        """The bodies with a council or a general board that we know: which of them the platform holds is not public."""
        return self._reader.bodies.shipped

    def canonical_id(self, text: str) -> str | None:
        """The id for an id in any case, or its percent-encoded form."""
        return canonical(text, self._fields)

    async def search(self, query: Query, ask: Ask) -> SearchResult:
        """One page of hits, in one call; a second when a period gave a total without hits. Raises ``SwitchedOffError``."""
        self._require_address()
        planned = plan(query, self._fields)
        page = (await ask(search_call(self._fields, planned.wanted), search_page, self._reader)).value
        if not lost_to_period(planned, page):
            return result(planned, page)
        wider = replace(planned.wanted, created_from=None, created_to=None, page_size=self._fields.search.largest_page)
        page = (await ask(search_call(self._fields, wider), search_page, self._reader)).value
        return result(replace(planned, wanted=wider), page, without_period=True)

    async def document(self, upstream_id: str, ask: Ask) -> Document:
        """One document with its text by page. Raises ``GoneError`` and ``SwitchedOffError``."""
        self._require_address()
        call = document_call(self._fields, upstream_id)
        return (await ask(call, documents.document, upstream_id, self._reader)).value

    async def lists(self, ask: Ask) -> Lists:
        """The bodies that the platform names in its state. Raises ``SwitchedOffError``."""
        self._require_health()
        return (await ask(health_call(self._fields), health.lists, self._reader)).value

    async def load_status(self, ask: Ask) -> LoadStatus:
        """The last successful load of each body. Raises ``SwitchedOffError``."""
        self._require_health()
        return (await ask(health_call(self._fields), health.load_status, self._reader)).value

    async def check(self, ask: Ask) -> tuple[CheckResult, ...]:
        """A search, its first hit and the state against the field map; or, without an address, that the source is off."""
        return (checks.SWITCHED_OFF,) if self._is_off else await checks.check(ask, self._reader)

    def _require_address(self) -> None:
        if self._is_off:
            raise SwitchedOffError(KEY)

    def _require_health(self) -> None:
        self._require_address()
        if not self._capabilities.load_status:
            raise NotSupportedError(KEY, Unsupported.NO_SUCH_FUNCTION)


def _capabilities(fields: FieldMap) -> Capabilities:
    """What a platform with this map can do."""
    able = {name for name, parameter in _PARAMETERS if parameter in fields.search.parameters}
    pages = {Filter.PAGE} if fields.has_pages else set[Filter]()
    orders = {Filter.SORT} if len(fields.search.orders) > 1 else set[Filter]()
    return Capabilities(
        bodies=_BODIES,
        kinds=KINDS,
        filters=frozenset(able | pages | orders),
        own_filters=frozenset({Filter.KIND} | ({name for name, _ in _PARAMETERS} - able)),
        sorts=frozenset(fields.search.orders) | {Sort.RELEVANCE},
        phrases=fields.search.phrases,
        load_status=bool(fields.health.path),
    )
