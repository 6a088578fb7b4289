"""When nothing is found the page says where was really searched, what was ignored, which years there are and whom to ask."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from lxml import html

from connectors.exceptions import TooSlowError
from connectors.load_status import LoadState
from connectors.moments import now
from connectors.platforms import OPENBESLUITVORMING, RECHTSPRAAK
from connectors.records import Query
from search.answers import PlatformAnswer, State
from search.asking import Asking
from search.federation import Federation
from search.missing import nothing
from search.organisations import Register
from search.parameters import read_parameters
from search.statuses import Statuses
from search.summary import summary
from tests.product.conftest import Product
from tests.support.pages import main_text, words_of
from throttling.callers import Caller

pytestmark = pytest.mark.anyio
NOWHERE = "xyzzyplugh"


def box(page: str) -> html.HtmlElement:
    (found,) = html.document_fromstring(page).xpath("//section[@class='niets']")
    assert isinstance(found, html.HtmlElement)
    return found


async def test_the_page_names_who_searched_who_did_not_and_why(product: Product) -> None:
    """Eis Z12."""
    await product.put("rechtspraak", "dood")
    asked = {"vraag": NOWHERE, "platform": ["openbesluitvorming", "rechtspraak", "opentk"]}
    page = (await product.site.get("/zoeken", params=asked)).text
    (again,) = html.document_fromstring(page).xpath("//section[@data-bron='rechtspraak']//a/@href")
    assert again == f"/zoeken?vraag={NOWHERE}&platform=rechtspraak"
    text = words_of(box(page))
    assert "Hier is echt gezocht: " in text
    searched = text.partition("Hier is echt gezocht: ")[2].partition(".")[0]
    assert set(searched.split(", ")) == {"OpenBesluitvorming", "OpenTK"}
    assert "Hier is niet gezocht: Rechtspraak (geen antwoord)." in text
    assert "Probeer het later opnieuw: niet elke bron gaf antwoord." in text


async def test_the_page_leads_to_the_sources_own_search_with_the_same_words(product: Product) -> None:
    """Eis Z12."""
    page = await product.site.get("/zoeken", params={"vraag": NOWHERE})
    links = box(page.text).xpath(".//a[starts-with(@href, 'https://')]/@href")
    assert len(links) == 7
    (by_hand,) = [link for link in links if NOWHERE not in link]
    assert by_hand == "https://openarchivaris.nl"
    said = [words_of(item) for item in box(page.text).xpath(".//li[a]")]
    assert (
        "Van Open Archivaris kennen we geen adres dat uw woorden meeneemt. Zoek daar zelf: naar Open Archivaris."
        in said
    )


async def test_without_words_no_source_is_said_to_take_them_along(product: Product) -> None:
    """Eis Z12."""
    page = await product.site.get("/zoeken", params={"organisatie": "gemeente-ede", "tot": "1900-01-01"})
    assert "meeneemt" not in page.text


async def test_tips_are_about_what_was_asked_alone(product: Product) -> None:
    """Eis Z12."""
    asked = {"vraag": NOWHERE, "platform": "openbesluitvorming", "van": "2020-01-01"}
    text = words_of(box((await product.site.get("/zoeken", params=asked)).text))
    assert "Kies een langere periode." in text
    assert "Vraag alle bronnen." in text
    assert "Laat de organisatie weg." not in text
    assert "aanhalingstekens" not in text


async def test_whoever_misses_a_document_hears_whom_to_ask_and_no_address_is_made_up(product: Product) -> None:
    """Field report 21. Eis Z12."""
    asked = {"vraag": NOWHERE, "organisatie": ["gemeente-ede", "gemeente-boxmeer"], "platform": "open-archivaris"}
    text = main_text((await product.site.get("/zoeken", params=asked)).text)
    assert "Mist u een stuk van Gemeente Ede? Vraag ernaar bij de griffie van Gemeente Ede" in text
    assert "Mist u een stuk van Gemeente Boxmeer? Vraag ernaar bij de griffie van Gemeente Land van Cuijk" in text
    assert "Wij hebben geen adres" in text


async def test_the_years_that_a_source_holds_of_a_body_stand_above_the_answers(product: Product) -> None:
    """Field report 18. Eis Z12; Field report 42."""
    asked = {"vraag": "subsidie", "organisatie": "gemeente-rotterdam", "platform": "open-raadsinformatie"}
    page = (await product.site.get("/zoeken", params=asked)).text
    above = page.partition('<section class="bron"')[0]
    assert "Deze bron heeft stukken vanaf 2018." in above
    assert "niet bekend" in above


async def test_a_source_that_loaded_nothing_lately_is_named_with_the_body_it_is_late_with(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field reports 16 and 17. Eis Z12."""
    long_ago = datetime(2026, 2, 3, 12, tzinfo=UTC)
    rows: dict[str, tuple[LoadState, ...]] = {
        "openbesluitvorming": (LoadState("ede", "Gemeente Ede", "ok", last_success=long_ago),),
        "open-raadsinformatie": (LoadState("ede", "Gemeente Ede", "ok", last_success=now() - timedelta(hours=35)),),
    }

    async def known(_: Statuses) -> dict[str, tuple[LoadState, ...]]:
        return rows

    monkeypatch.setattr(Statuses, "rows", known)
    asked = {"vraag": "subsidie", "organisatie": "gemeente-ede", "platform": "openbesluitvorming"}
    text = main_text((await product.site.get("/zoeken", params=asked)).text)
    assert "OpenBesluitvorming laadde stukken van Gemeente Ede voor het laatst op 3 februari 2026." in text
    assert text.count("laadde stukken van") == 1
    assert "Voor het laatst geladen op 3 februari 2026." in text


@pytest.mark.parametrize(
    ("own", "other", "is_late"),
    [(10, 12, True), (10, 1, False), (61, 1, True), (3, 3, False)],
)
async def test_a_source_that_does_not_say_when_it_loaded_is_late_when_it_has_no_new_papers(
    product: Product, monkeypatch: pytest.MonkeyPatch, own: int, other: int, is_late: bool
) -> None:
    """Field report 17: of one body alone the newest paper may be old, of all bodies together not."""

    def row(key: str, days: int) -> LoadState:
        return LoadState(key, key, "geladen", last_content=now() - timedelta(days=days))

    async def known(_: Statuses) -> dict[str, tuple[LoadState, ...]]:
        return {"open-raadsinformatie": (row("ori_ede", own), row("ori_soest", other))}

    monkeypatch.setattr(Statuses, "rows", known)
    asked = {"vraag": "subsidie", "organisatie": "gemeente-ede", "platform": "openbesluitvorming"}
    text = main_text((await product.site.get("/zoeken", params=asked)).text)
    assert ("Het nieuwste stuk dat Open Raadsinformatie van Gemeente Ede heeft, is van " in text) is is_late


async def test_a_laadstatus_that_cannot_be_read_costs_the_page_nothing_else(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("besluitbron.kept.DatabaseKept.load_status", breaks)
    asked = {"vraag": "subsidie", "organisatie": "gemeente-ede", "platform": "openbesluitvorming"}
    page = await product.site.get("/zoeken", params=asked)
    assert "Mist u een stuk van Gemeente Ede?" in main_text(page.text)


async def test_a_page_with_results_shows_no_such_box(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "platform": "openbesluitvorming"})
    assert not html.document_fromstring(page.text).xpath("//section[@class='niets']")


def one_more_says(answer: PlatformAnswer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside those that are asked, one more source says this."""
    asking = Federation.asking

    @asynccontextmanager
    async def with_one_more(
        self: Federation, query: Query, keys: Iterable[str], caller: Caller
    ) -> AsyncIterator[Asking]:
        async with asking(self, query, keys, caller) as here:
            here.tell(answer)
            yield here

    monkeypatch.setattr(Federation, "asking", with_one_more)


async def test_while_a_source_waits_the_page_never_says_that_there_is_nothing(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eis Z13."""
    waits = PlatformAnswer(platform=RECHTSPRAAK, state=State.PLANNED, starts_at=now(), place=3)
    one_more_says(waits, monkeypatch)
    page = await product.site.get("/zoeken", params={"vraag": NOWHERE, "platform": "openbesluitvorming"})
    text = words_of(box(page.text))
    assert text.startswith("Nog niet elke bron gaf antwoord Deze bron wordt nog gevraagd: Rechtspraak.")
    said = words_of(html.document_fromstring(page.text).xpath("//p[@role='status']")[0])
    assert "vond nog niets. Nog 1 bron wordt gevraagd: Rechtspraak." in said
    assert "0 resultaten" not in said


@pytest.mark.parametrize("found", [True, False])
async def test_a_source_that_was_too_late_and_may_still_answer_is_still_being_asked(
    product: Product, monkeypatch: pytest.MonkeyPatch, found: bool
) -> None:
    """Eis Z13. The call goes on, and who has no script gets what came by loading the page again."""
    late = PlatformAnswer(platform=RECHTSPRAAK, state=State.TOO_LATE, failure=TooSlowError(RECHTSPRAAK.key, 8))
    one_more_says(late, monkeypatch)
    words = "subsidie" if found else NOWHERE
    page = (await product.site.get("/zoeken", params={"vraag": words, "platform": "openbesluitvorming"})).text
    (status,) = html.document_fromstring(page).xpath("//p[@role='status']")
    assert "Nog 1 bron wordt gevraagd: Rechtspraak. Daar kan nog iets te vinden zijn." in words_of(status)
    assert "Ververs dan de pagina." in words_of(status)
    assert status.get("data-titel") == f"{words} – nog 1 bron wordt gevraagd – BesluitBron"
    if not found:
        text = words_of(box(page))
        assert text.startswith("Nog niet elke bron gaf antwoord Deze bron wordt nog gevraagd: Rechtspraak.")
        assert "Hier is echt gezocht: OpenBesluitvorming." in text
        for claim in ("Niets gevonden", "niet gezocht", "te laat", "niet elke bron gaf antwoord."):
            assert claim not in text


def test_without_any_answer_the_box_claims_nothing() -> None:
    asked = read_parameters({"vraag": ["dijk"]}, Register.of([]), max_characters=100)
    waiting = PlatformAnswer(platform=RECHTSPRAAK, state=State.PLANNED)
    late = PlatformAnswer(platform=OPENBESLUITVORMING, state=State.TOO_LATE)
    assert nothing([], asked) is None
    view = nothing([late], asked)
    assert view is not None
    assert (view.heading, view.searched) == ("Niet gezocht", ())
    assert summary([waiting]).startswith("Er is nog geen antwoord. Nog 1 bron wordt gevraagd: Rechtspraak.")
    still = nothing([late.while_it_may_come], asked)
    assert still is not None
    assert (still.waiting, still.not_searched) == (("OpenBesluitvorming",), ())
