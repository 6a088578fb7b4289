"""What is odd on purpose, over all stand-ins: one paper at three sources, what went away, what is long or empty."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, Final

import httpx
import pytest

from besluitbron.standins import make_application
from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Answer, Call
from connectors.connector import Connector
from connectors.council_papers import oddities
from connectors.exceptions import GoneError
from connectors.moments import now
from connectors.officiele_bekendmakingen.standin_notices import withdrawn
from connectors.opentk.standin_items import WITHDRAWN
from connectors.records import Document, Hit, Kind, NoteCode, Query, SearchText, Sort, Term, TextState
from connectors.registry import default_registry
from tests.support.asking import Asking

pytestmark = pytest.mark.anyio
PAGES: Final = "http://localhost:8000"
WHERE: Final = Addresses(PlatformMode.STAND_INS, "http://stand.test", PAGES)
BY_KEY: Final[dict[str, Connector]] = {connector.platform.key: connector for connector in default_registry(WHERE)}
COUNCILS: Final = ("open-raadsinformatie", "openbesluitvorming", "open-archivaris")
CHAMBER: Final = ("tweede-kamer", "opentk", "officiele-bekendmakingen")


class StandInAsk(Asking):
    """An ``ask`` that fresh stand-ins answer, in this process; it keeps what came."""

    def __init__(self) -> None:
        transport = httpx.ASGITransport(make_application(PAGES))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://stand.test", verify=False)
        self.answers: list[Answer] = []

    async def answer(self, call: Call) -> Answer:
        given = await self.client.request(
            call.method,
            f"/{call.platform}/{call.service}{call.path}",
            params=call.params,
            content=call.body,
            headers=dict(call.headers),
        )
        self.answers.append(
            Answer(status=given.status_code, headers=dict(given.headers), body=given.content, fetched_at=now())
        )
        return self.answers[-1]


@pytest.fixture
def ask() -> StandInAsk:
    return StandInAsk()


async def hits(ask: StandInAsk, key: str, *words: str, **filters: Any) -> tuple[Hit, ...]:
    text = SearchText(tuple(Term((word,)) for word in words))
    return (await BY_KEY[key].search(Query(text=text, **filters), ask)).hits


async def opened(ask: StandInAsk, hit: Hit) -> Document:
    return await BY_KEY[hit.platform].document(hit.upstream_id, ask)


async def titled(ask: StandInAsk, key: str, title: str) -> Hit:
    (hit,) = (hit for hit in await hits(ask, key, *title.split()) if hit.title == title)
    return hit


def text_of(document: Document) -> str:
    return " ".join(passage.text for passage in document.passages)


async def test_one_paper_of_a_council_stands_at_three_sources_with_one_original(ask: StandInAsk) -> None:
    found = [await titled(ask, key, "Raadsvoorstel Subsidie theater Soest") for key in COUNCILS]
    assert len({hit.original for hit in found}) == 1
    assert {(hit.organisation_id, hit.kind) for hit in found} == {("gemeente-soest", Kind.VOORSTEL)}
    texts = [text_of(await opened(ask, hit)) for hit in found]
    assert all("De raad wordt gevraagd" in text or "theater" in text for text in texts)
    assert len({hit.id for hit in found}) == len(COUNCILS)


async def test_one_paper_of_the_kamer_stands_at_three_sources_with_one_text(ask: StandInAsk) -> None:
    for key in CHAMBER:
        found = [(hit, await opened(ask, hit)) for hit in await hits(ask, key, "flexbonus")]
        ((hit, document),) = (pair for pair in found if "flexbonus" in text_of(pair[1]))
        assert (hit.kind, hit.organisation_id) == (Kind.MOTIE, "tweede-kamer")
        assert hit.date is not None
        assert hit.date.day == date(2025, 4, 24)
        assert "zonnepaneelbezitters" in text_of(document)
        assert document.text_state is TextState.FULL


async def test_what_was_withdrawn_or_is_secret_is_found_nowhere_and_opens_nowhere(ask: StandInAsk) -> None:
    """Field report 19. Eis Z11."""
    for title in ("Memo bij het voorstel", "Bijlage ramingen"):
        for key in COUNCILS:
            assert title not in {hit.title for hit in await hits(ask, key, *title.split())}, key
    gone = [
        ("openbesluitvorming", f"document:notubiz:gemeente:ermelo:{oddities.WITHDRAWN}"),
        ("openbesluitvorming", f"document:notubiz:gemeente:ermelo:{oddities.CLASSIFIED}"),
        ("officiele-bekendmakingen", withdrawn()),
        ("opentk", WITHDRAWN),
        ("tweede-kamer", WITHDRAWN),
    ]
    for key, identifier in gone:
        with pytest.raises(GoneError):
            await BY_KEY[key].document(identifier, ask)


async def test_of_a_report_of_908_pages_every_source_says_how_far_it_was_read(ask: StandInAsk) -> None:
    """Field report 22. OpenTK is the one that gives all of it. Eis Z11."""
    said: dict[str, object] = {}
    for key in COUNCILS:
        hit = await titled(ask, key, "Milieueffectrapport met bijlagen")
        document = await opened(ask, hit)
        facts = {detail.label: detail.value for detail in document.details}
        notes = [note.values for note in document.notes if note.code is NoteCode.PAGES_READ]
        said[key] = (hit.pages_searched, hit.pages_in_all, facts.get("Gelezen door de bron"), notes)
    assert said == {
        "open-raadsinformatie": (None, None, "de eerste 100 bladzijden; verder leest zij niet", []),
        "openbesluitvorming": (40, 908, None, [("40", "908")]),
        "open-archivaris": (40, 908, None, [("40", "908")]),
    }
    for key, identifier in (("tweede-kamer", "2025D90001"), ("officiele-bekendmakingen", "blg-9900003")):
        document = await BY_KEY[key].document(identifier, ask)
        assert document.text_state is TextState.PARTIAL
        assert [(note.code, note.values) for note in document.notes] == [(NoteCode.PAGES_READ_BY_US, ("40", "908"))]
    whole = await BY_KEY["opentk"].document("2025D90001", ask)
    assert (len(whole.passages), whole.text_state) == (908, TextState.FULL)


@pytest.mark.parametrize(
    ("key", "words", "code"),
    [
        ("open-raadsinformatie", ("presentatie", "havenvisie"), NoteCode.WITHOUT_TEXT),
        ("openbesluitvorming", ("presentatie", "havenvisie"), NoteCode.WITHOUT_TEXT),
        ("open-archivaris", ("presentatie", "havenvisie"), NoteCode.WITHOUT_TEXT),
        ("tweede-kamer", ("gescande", "brief"), NoteCode.NO_TEXT_LAYER),
        ("opentk", ("gescande", "brief"), NoteCode.NO_TEXT_LAYER),
        ("officiele-bekendmakingen", ("beslisnota", "windpark"), NoteCode.NO_TEXT_LAYER),
    ],
)
async def test_a_paper_without_text_says_so_at_every_source(
    ask: StandInAsk, key: str, words: tuple[str, ...], code: NoteCode
) -> None:
    """Field report 24. Eis Z11."""
    found = [hit for hit in await hits(ask, key, *words) if all(word in hit.title.lower() for word in words)]
    document = await opened(ask, found[0])
    assert (document.text_state, document.passages) == (TextState.NONE, ())
    assert [note.code for note in document.notes] == [code]


@pytest.mark.parametrize("key", COUNCILS)
async def test_a_municipality_that_merged_keeps_its_papers_at_every_source(ask: StandInAsk, key: str) -> None:
    """Field report 13."""
    for identifier in ("gemeente-weesp", "gemeente-boxmeer"):
        (body,) = (body for body in BY_KEY[key].organisations() if body.id == identifier)
        assert body.ended is not None
        found = await hits(ask, key, organisations=(body,), sort=Sort.NEWEST)
        assert found
        assert {hit.organisation_id for hit in found} == {identifier}
        assert all(hit.date is None or hit.date.day < body.ended for hit in found)


async def test_one_meeting_is_an_hour_apart_at_two_sources_and_shown_at_one_moment(ask: StandInAsk) -> None:
    """Field report 10."""
    written, shown = [], []
    for key, field in (("open-raadsinformatie", b'"start_date":'), ("openbesluitvorming", b'"sortDate":')):
        (body,) = (body for body in BY_KEY[key].organisations() if body.id == "gemeente-soest")
        asked = {"organisations": (body,), "kinds": frozenset({Kind.VERGADERING})}
        (hit,) = (hit for hit in await hits(ask, key, **asked) if hit.title.startswith("Gemeenteraad 21 februari 2012"))
        ask.answers.clear()
        at = (await opened(ask, hit)).dates[0].at
        assert at is not None
        shown.append(at)
        body_of_it = next(given.body for given in ask.answers if field in given.body)
        _, _, after = body_of_it.partition(field)
        written.append(datetime.fromisoformat(after.split(b'"')[1].decode()))
    assert shown[0] == shown[1]
    assert abs(written[0] - written[1]) == timedelta(hours=1)
