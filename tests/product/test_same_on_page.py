"""A document that two sources have is one result at the page, which names both and says where they differ."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from lxml import html
from lxml.html import HtmlElement

from connectors.platforms import OPEN_RAADSINFORMATIE, OPENBESLUITVORMING
from connectors.records import Certainty, DateMeaning, Hit, Kind, Moment, SearchResult, Total
from search.answers import PlatformAnswer, State
from search.spelling import fold
from tests.product.conftest import Product
from tests.support.answering import every_question_gets
from tests.support.pages import words_of

pytestmark = pytest.mark.anyio
AT = datetime(2026, 3, 12, 18, 30, tzinfo=UTC)
HIT = Hit(
    platform="open-raadsinformatie",
    upstream_id="ori_gemeente_zeewolde:1",
    title="Kazerne <script>alert(1)</script>",
    organisation="Gemeente Zeewolde",
    organisation_id="gemeente-zeewolde",
    kind=Kind.VOORSTEL,
    kind_at_source="voorstel",
    date=Moment(date(2026, 3, 12), DateMeaning.MEETING, AT),
    snippet="De kazerne &amp; het \u202ebos",
    address="https://ori.example/1",
    original=None,
    fetched_at=AT,
    pages_searched=40,
    pages_in_all=908,
    same_as=("raad:notubiz:document:gemeente-zeewolde:1",),
)
OTHER = replace(
    HIT,
    platform="openbesluitvorming",
    upstream_id="document:notubiz:gemeente:zeewolde:1",
    date=Moment(date(2026, 3, 12), DateMeaning.MEETING, AT.replace(hour=19)),
    address="https://obv.example/1",
)
ALONE = replace(OTHER, upstream_id="document:notubiz:gemeente:zeewolde:2", same_as=(), title="Iets anders")


@pytest.fixture
def two_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """First the one, then the other, which has the same document and one more."""

    answers = []
    for platform, hits in ((OPEN_RAADSINFORMATIE, (HIT,)), (OPENBESLUITVORMING, (OTHER, ALONE))):
        result = SearchResult(hits=hits, total=Total(len(hits), Certainty.EXACT), fetched_at=AT)
        answers.append(PlatformAnswer(platform=platform, state=State.READY, result=result))
    every_question_gets(tuple(answers), monkeypatch)


@pytest.mark.usefixtures("two_sources")
async def test_the_later_source_folds_its_copy_names_the_first_and_shows_where_they_differ(product: Product) -> None:
    """Field report 10: 19:30 at one source and 20:30 at the other. Eis Z9."""
    tree = html.document_fromstring((await product.site.get("/zoeken?vraag=kazerne")).text)
    first, later = tree.xpath("//section[@data-bron]")
    (anchor,) = first.xpath("./ol/li/@id")
    assert [words_of(title) for title in later.xpath("./ol/li/h3")] == ["Iets anders"]
    (copy,) = later.xpath("./details/ol/li")
    assert copy.xpath(f".//a[@href='#{anchor}']")[0].text_content() == "bij Open Raadsinformatie"
    (differs,) = later.xpath("./p[contains(@class, 'verschil')]")
    assert "19:30" in words_of(differs)
    assert "20:30" in words_of(differs)
    assert "Open Raadsinformatie: " in words_of(differs)
    (said,) = tree.xpath("//*[@role='status']")
    assert words_of(said).endswith("3 resultaten. 1 daarvan staat al bij een andere bron.")


@pytest.mark.usefixtures("two_sources")
async def test_what_a_source_sent_is_text_and_never_markup(product: Product) -> None:
    """Eis 6.12; Eis Z10."""
    page = (await product.site.get("/zoeken?vraag=kazerne")).text
    tree = html.document_fromstring(page)
    assert words_of(tree.xpath("//section[@data-bron]//h3")[0]) == "Kazerne <script>alert(1)</script>"
    assert "alert(1)" not in "".join(tree.xpath("//script/text()"))
    (mark,) = tree.xpath("//section[@data-bron='open-raadsinformatie']//mark")
    assert mark.text_content() == "kazerne"
    assert "&amp;amp;" in page


@pytest.mark.usefixtures("two_sources")
async def test_how_much_of_a_document_was_searched_stands_with_it(product: Product) -> None:
    """Field report 22."""
    tree = html.document_fromstring((await product.site.get("/zoeken?vraag=kazerne")).text)
    assert words_of(tree.xpath("//span[@class='dekking']")[0]) == "908 pagina's, 40 doorzocht"


@pytest.mark.parametrize(
    "asked", ["warmtenet", "parkeren&organisatie=gemeente-ede", "motie", "amendement", "energie", "woningbouw"]
)
async def test_over_the_bundled_collection_no_document_is_a_result_twice(product: Product, asked: str) -> None:
    """Eis Z9. What two sources have of one body, day and title stands open at one of them, and is folded at the other."""
    tree = html.document_fromstring((await product.site.get(f"/zoeken?vraag={asked}")).text)
    standing: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for open_hit in tree.xpath("//section[@data-bron]/ol/li"):
        standing[_told(open_hit)].add(open_hit.xpath("string(ancestor::section/@data-bron)"))
    assert standing
    assert {told: sources for told, sources in standing.items() if len(sources) > 1} == {}
    for copy in tree.xpath("//details[@class='dubbel']//li"):
        (first,) = copy.xpath("./p[@class='ook']/@data-eerst")
        (there,) = tree.xpath(f"//*[@id='{first}']")
        assert there.xpath("ancestor::section/@data-bron") != copy.xpath("ancestor::section/@data-bron")
        assert not there.xpath("ancestor::details")


@pytest.mark.parametrize("asked", ["warmtenet", "parkeren&organisatie=gemeente-ede"])
async def test_over_the_bundled_collection_what_several_sources_have_is_folded(product: Product, asked: str) -> None:
    """Eis Z9."""
    tree = html.document_fromstring((await product.site.get(f"/zoeken?vraag={asked}")).text)
    assert len(tree.xpath("//details[@class='dubbel']//li")) > 5


def _told(hit: HtmlElement) -> tuple[str, ...]:
    """The title, body and day of a hit as they stand on the page."""
    (title,) = hit.xpath("./h3")
    (body,) = hit.xpath(".//span[@class='organisatie']")
    days = hit.xpath(".//p[@class='kenmerken']//time")
    return fold(words_of(title)), words_of(body), words_of(days[0]).partition(",")[0] if days else ""
