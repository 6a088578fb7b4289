"""The connector and the stand-in over real HTTP, through the client: addresses, and each way in which it can go wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from connectors.addresses import Addresses, PlatformMode
from connectors.buffer import NoBuffer
from connectors.calls import Ask, Call, CallKind
from connectors.client import Client
from connectors.exceptions import ConnectorError, Defect, NotAnAnswerError, OverLimitError, UnreachableError
from connectors.filetext import file_text
from connectors.http import Http, user_agent
from connectors.journey import Tools
from connectors.officiele_bekendmakingen.connector import OfficieleBekendmakingen
from connectors.officiele_bekendmakingen.standin import OfficieleBekendmakingenStandIn
from connectors.platforms import OFFICIELE_BEKENDMAKINGEN
from connectors.standins import Condition, StandIns
from tests.connectors.officiele_bekendmakingen.helpers import words
from tests.support.asking import as_is
from tests.support.breakers import MemoryBreaker
from tests.support.first_come import FirstComeTurns
from tests.support.serving import served
from throttling.callers import house

pytestmark = pytest.mark.anyio
PAGES = "http://127.0.0.1:2"


@asynccontextmanager
async def asking(app: StandIns) -> AsyncIterator[tuple[OfficieleBekendmakingen, Ask]]:
    async with served(app) as root:
        addresses = Addresses(PlatformMode.STAND_INS, root, PAGES)
        async with Http([OFFICIELE_BEKENDMAKINGEN], addresses, user_agent("0", "https://example.org")) as http:
            client = Client(
                Tools(
                    http=http,
                    buffer=NoBuffer(),
                    turns=FirstComeTurns(),
                    breaker=MemoryBreaker(),
                    addresses=addresses,
                )
            )
            try:
                yield OfficieleBekendmakingen(addresses), client.bind(OFFICIELE_BEKENDMAKINGEN, house())
            finally:
                await client.aclose()


async def test_a_made_publication_leads_to_our_page_and_to_a_file_that_is_there() -> None:
    async with asking(StandIns([OfficieleBekendmakingenStandIn(PAGES)])) as (connector, ask):
        result = await connector.search(words("voortgangsrapportage", "onherroepelijk"), ask)
        hit = result.hits[0]
        assert hit.address == f"{PAGES}/document/officiele-bekendmakingen/{hit.upstream_id}"
        assert hit.original is not None
        path = hit.original.partition("/bestanden")[2]
        call = Call(platform=hit.platform, service="bestanden", path=path, kind=CallKind.DOCUMENT)
        assert file_text(hit.platform, (await ask(call, as_is)).value.body).passages
        assert (await connector.document(hit.upstream_id, ask)).passages


@pytest.mark.parametrize(
    ("condition", "failure", "defect"),
    [
        (Condition.DEAD, UnreachableError, None),
        (Condition.FULL, OverLimitError, None),
        (Condition.MAINTENANCE, NotAnAnswerError, Defect.MAINTENANCE),
        (Condition.NONSENSE, NotAnAnswerError, Defect.HTML),
    ],
)
async def test_each_bad_condition_has_a_failure_of_its_own(
    condition: Condition, failure: type[ConnectorError], defect: Defect | None
) -> None:
    """Field report 20: a failure is never "no results"."""
    app = StandIns([OfficieleBekendmakingenStandIn(PAGES)])
    async with asking(app) as (connector, ask):
        app._behaviours["officiele-bekendmakingen"].state.condition = condition
        with pytest.raises(failure) as caught:
            await connector.search(words("energie"), ask)
        assert getattr(caught.value, "defect", None) is defect
