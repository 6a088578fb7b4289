"""Reports over real HTTP, with a desk in memory: asked for, waited for, read, kept, cancelled, and all that may go wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from lxml import html

from connectors.moments import now
from reports.exceptions import WishRefusedError
from reports.records import Reason, ReportStatus, Wish
from tests.product.conftest import Product
from tests.product.test_canary import CANARY, keys
from tests.product.test_english import names
from tests.product.test_logs import lines
from tests.support.english import dutch_left
from tests.support.pages import main_text, words_of
from tests.support.reports import DESKS, NOW, TOKEN, MemoryDesk, a_big_report, a_report, a_standing, ready
from tests.support.valkey import Valkey

__all__ = ["lines"]
pytestmark = pytest.mark.anyio
OWN = {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-origin"}
SEARCH = {"vraag": "warmtenet", "platform": "rechtspraak"}
PAGE = f"/rapporten/{TOKEN}"
STATES: dict[ReportStatus, dict[str, Any]] = {
    ReportStatus.REQUESTED: {},
    ReportStatus.WAITS: {"place": 3, "start_in": 290.0, "start_at": NOW + timedelta(seconds=290)},
    ReportStatus.BUSY: {"done": 4, "size": 12},
    ReportStatus.UNMANNED: {"done": 4, "size": 12},
    ReportStatus.REFUSED: {"reason": Reason.WAIT, "come_back_at": NOW + timedelta(minutes=20)},
    ReportStatus.FAILED: {"reason": Reason.NO_SOURCE},
    ReportStatus.CANCELLED: {},
}


@pytest.fixture
def desk(product: Product) -> MemoryDesk:
    return DESKS[-1]


def form_of(page: str, action: str = "/rapporten") -> dict[str, str]:
    """The fields of the form with this action."""
    (form,) = html.document_fromstring(page).xpath(f"//form[@action='{action}']")
    return {str(one.get("name")): str(one.get("value")) for one in form.xpath(".//input")}


async def asked_form(product: Product, prefix: str = "", **search: str) -> dict[str, str]:
    page = (await product.site.get(f"{prefix}/zoeken", params=search or SEARCH)).text
    return form_of(page, f"{prefix}/rapporten")


async def post(product: Product, fields: Any, address: str = "/rapporten", **headers: str) -> httpx.Response:
    return await product.site.post(address, data=fields, headers=headers or OWN)


async def test_a_report_is_asked_for_from_the_answers_with_one_press_and_its_page_is_shown(
    product: Product, desk: MemoryDesk
) -> None:
    """Rule L7: a requester is a key, and no address."""
    page = await product.site.get("/zoeken", params=SEARCH)
    assert "Er staan hooguit 500 treffers in" in main_text(page.text)
    answer = await post(product, form_of(page.text))
    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    ((target, requester),) = desk.asked
    assert target == "vraag=warmtenet&platform=rechtspraak"
    assert re.fullmatch(r"adres:[0-9a-f]+", requester)
    shown = await product.site.get(PAGE)
    assert (shown.status_code, "set-cookie" in shown.headers) == (200, False)
    assert "U bent nummer 3 in de rij." in main_text(shown.text)


async def test_what_was_understood_from_a_sentence_is_what_the_report_is_of(product: Product, desk: MemoryDesk) -> None:
    await post(product, await asked_form(product, vraag="Wat is er in Ede besloten over parkeren?"))
    assert desk.asked[0][0] == "vraag=parkeren&organisatie=gemeente-ede"


async def test_a_later_page_of_answers_asks_for_the_report_of_all_of_them(product: Product, desk: MemoryDesk) -> None:
    await post(product, await asked_form(product, vraag="besluit", platform="rechtspraak", pagina="2"))
    assert desk.asked[0][0] == "vraag=besluit&platform=rechtspraak"


@pytest.mark.parametrize("status", STATES)
async def test_every_state_says_how_it_stands_and_what_can_be_done(
    product: Product, desk: MemoryDesk, status: ReportStatus
) -> None:
    desk.put(a_standing(status, **STATES[status]))
    answer = await product.site.get(PAGE)
    tree, text = html.document_fromstring(answer.text), main_text(answer.text)
    (place,) = tree.xpath("//*[@id='stand']")
    assert (answer.status_code, place.get("data-staat")) == (200, status.value)
    assert [words_of(one) for one in tree.xpath("//*[@role='status']")] != [""]
    assert bool(tree.xpath("//form[contains(@action, '/annuleren')]")) is not status.is_final
    assert bool(tree.xpath("//a[contains(@href, 'ververs=aan')]")) is not status.is_final
    assert bool(tree.xpath("//script[contains(@src, 'rapport.js')]")) is not status.is_final
    assert ("Vraag dit rapport opnieuw aan" in text) is status.is_final
    assert not tree.xpath("//meta[@http-equiv='refresh']")


async def test_a_report_that_is_made_shows_its_parts_in_words_and_as_a_bar(product: Product, desk: MemoryDesk) -> None:
    desk.put(a_standing(ReportStatus.BUSY, done=4, size=12))
    (bar,) = html.document_fromstring((await product.site.get(PAGE)).text).xpath("//progress")
    assert (bar.get("max"), bar.get("value"), words_of(bar)) == ("12", "4", "Klaar: 4 van de 12 delen.")


async def test_without_scripts_the_page_refreshes_itself_when_its_reader_wants_that_and_no_longer_when_not(
    product: Product, desk: MemoryDesk
) -> None:
    """WCAG 2.2.1 and 2.2.2."""
    desk.put(a_standing())
    by_itself = (await product.site.get(f"{PAGE}?ververs=aan")).text
    tree = html.document_fromstring(by_itself)
    assert tree.xpath("//meta[@http-equiv='refresh']/@content") == ["30"]
    (stop,) = tree.xpath("//a[contains(., 'Stop met verversen')]/@href")
    assert (stop, tree.xpath("//script")) == (PAGE, [])
    desk.put(*ready())
    assert "http-equiv" not in (await product.site.get(f"{PAGE}?ververs=aan")).text


async def test_the_report_says_what_is_missing_before_what_is_in_it(product: Product, desk: MemoryDesk) -> None:
    desk.put(*ready())
    page = (await product.site.get(PAGE)).text
    heads = [words_of(one) for one in html.document_fromstring(page).xpath("//h2")]
    assert heads[:2] == ["Wat er niet in staat", "Wat er is gevraagd"]
    assert heads[-1] == "Bronnen van dit rapport"
    text = main_text(page)
    for words in (
        "Rechtspraak gaf geen antwoord.",
        "warmtenet",
        "5 stukken van 3 organisaties.",
        "ongeveer 1.200 resultaten",
    ):
        assert words in text
    assert "Stemming: aangenomen, 20 voor en 11 tegen." in text


async def test_a_report_that_cannot_be_read_any_more_has_failed_and_can_be_asked_for_again(
    product: Product, desk: MemoryDesk
) -> None:
    desk.put(a_standing(ReportStatus.READY))
    text = main_text((await product.site.get(PAGE)).text)
    assert "Het rapport is mislukt" in text
    assert "Vraag dit rapport opnieuw aan" in text
    assert (await product.site.get(f"{PAGE}.csv")).status_code == 404
    assert (await product.site.get(f"/api/v1{PAGE}")).json()["staat"] == "mislukt"


async def test_every_chart_of_a_report_has_its_numbers_beside_it_and_in_a_table(
    product: Product, desk: MemoryDesk
) -> None:
    desk.put(*ready())
    tree = html.document_fromstring((await product.site.get(PAGE)).text)
    pictures = tree.xpath("//figure[@class='balken']")
    assert len(pictures) == 2
    for picture in pictures:
        (table,) = picture.xpath("following-sibling::details[1]//table")
        rows = [[words_of(cell) for cell in row.xpath("./th|./td")] for row in table.xpath(".//tbody/tr")]
        said = [words_of(one) for one in picture.xpath(".//*[local-name()='text']")]
        assert rows
        assert all(name in said and f"{count} stuk" in " ".join(said) for name, count in rows)
        assert picture.xpath(".//*[local-name()='svg']/@aria-label")


async def test_the_largest_report_is_one_page_with_a_list_of_what_is_in_it(product: Product, desk: MemoryDesk) -> None:
    desk.put(*ready(a_big_report()))
    tree = html.document_fromstring((await product.site.get(PAGE)).text)
    assert len(tree.xpath("//ul[@class='treffers']/li")) == 500
    anchors = tree.xpath("//nav[@class='inhoudsopgave']//a/@href")
    assert len(anchors) == 51
    assert all(len(tree.xpath(f"//*[@id='{one[1:]}']")) == 1 for one in anchors)
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))


async def test_nothing_that_a_source_wrote_is_markup(product: Product, desk: MemoryDesk) -> None:
    """Eis 6.12."""
    report = a_report()
    hits = [entry.hit for body in report.overview.bodies for month in body.months for entry in month.entries]
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    spoiled = [replace(hit, title=evil, organisation=evil, snippet=evil, kind_at_source=evil) for hit in hits]
    desk.put(*ready(a_report(spoiled, [])))
    page = (await product.site.get(PAGE)).text
    assert "<img" not in page.partition("<main")[2]
    assert "alert(1)</script>" not in page


FORMS = {
    "csv": "text/csv; charset=utf-8; header=present",
    "json": "application/json; charset=utf-8",
    "ris": "application/x-research-info-systems; charset=utf-8",
    "pdf": "application/pdf",
}


@pytest.mark.parametrize("form", FORMS)
async def test_a_report_can_be_kept_in_every_form_that_its_page_links_to(
    product: Product, desk: MemoryDesk, form: str
) -> None:
    desk.put(*ready())
    tree = html.document_fromstring((await product.site.get(PAGE)).text)
    (address,) = tree.xpath(f"//nav[@class='uitvoer']//a[contains(@href, '.{form}')]/@href")
    answer = await product.site.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, FORMS[form])
    assert f'filename="rapport-besluitbron-2026-11-30.{form}"' in answer.headers["content-disposition"]
    assert answer.content.startswith(b"%PDF-") or "Voorstel warmtenet 1" in answer.text
    head = await product.site.head(address)
    assert (head.status_code, head.content) == (200, b"")


async def test_a_file_of_a_report_that_is_not_ready_says_so_in_words(product: Product, desk: MemoryDesk) -> None:
    desk.put(a_standing(place=2))
    early = await product.site.get(f"{PAGE}.csv")
    assert (early.status_code, early.headers["retry-after"]) == (503, "15")
    assert early.text.startswith("Er is geen bestand van dit rapport. U bent nummer 2 in de rij.")
    desk.put(a_standing(ReportStatus.CANCELLED))
    assert (await product.site.get(f"{PAGE}.pdf")).status_code == 404
    assert "14 dagen" in (await product.site.get(f"/rapporten/{'x' * 32}.pdf")).text


async def test_a_report_is_cancelled_with_one_press_and_cancelling_again_is_no_fault(
    product: Product, desk: MemoryDesk
) -> None:
    desk.put(a_standing())
    fields = form_of((await product.site.get(PAGE)).text, f"{PAGE}/annuleren")
    for _ in range(2):
        answer = await post(product, fields, f"{PAGE}/annuleren")
        assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert desk.cancelled == [TOKEN]
    assert "Dit rapport is geannuleerd" in main_text((await product.site.get(PAGE)).text)


async def test_the_address_of_a_report_is_kept_by_nobody_and_stands_in_no_index(
    product: Product, desk: MemoryDesk
) -> None:
    for standing, report in ((a_standing(), None), ready()):
        desk.put(standing, report)
        for address in (PAGE, f"/en{PAGE}", f"{PAGE}.csv", f"{PAGE}.pdf"):
            headers = (await product.site.get(address)).headers
            assert "no-store" in headers["cache-control"]
            assert headers["x-robots-tag"].startswith("noindex")
            assert headers["referrer-policy"] == "same-origin"
    page = (await product.site.get(PAGE)).text
    assert 'name="robots" content="noindex' in page
    assert TOKEN not in html.document_fromstring(page).xpath("string(//footer)")
    robots = (await product.site.get("/robots.txt")).text
    assert "Disallow: /rapporten/\n" in robots


async def test_every_page_of_reports_is_there_in_english(product: Product, desk: MemoryDesk) -> None:
    """Eis V10."""
    known = [*await names(product), "Voorstel warmtenet"]
    for status, more in STATES.items():
        desk.put(a_standing(status, wish=Wish("vraag=xyzzyq"), **more))
        assert dutch_left((await product.site.get(f"/en{PAGE}")).text, known) == []
        assert dutch_left((await product.site.get(f"/en{PAGE}?ververs=aan")).text, known) == []
    desk.put(*ready(a_report(target="vraag=xyzzyq")))
    page = (await product.site.get(f"/en{PAGE}")).text
    assert dutch_left(page, known) == []
    assert "What is not in it" in main_text(page)
    assert f'href="/en{PAGE}.csv"' in page
    assert (await product.site.get(f"/en{PAGE}.csv")).text == (await product.site.get(f"{PAGE}.csv")).text
    fields = await asked_form(product, "/en")
    answer = await post(product, fields, "/en/rapporten")
    assert answer.headers["location"] == f"/en{PAGE}"
    for wrong in (fields, fields | {"zoekvraag": ""}, fields | {"zoekvraag": "vraag=x&van=nu"}):
        told = await post(product, wrong, "/en/rapporten")
        assert told.status_code >= 400
        assert dutch_left(told.text, [*known, "nu"]) == []
    cross = await post(product, fields, "/en/rapporten", Origin="https://elders.example")
    assert dutch_left(cross.text, known) == []
    desk.put(a_standing())
    for address in (f"/en{PAGE}.csv", f"/en/rapporten/{'x' * 32}.pdf"):
        assert dutch_left(f"<p>{(await product.site.get(address)).text}</p>", known) == []
    for reason in Reason:
        desk.refuses = WishRefusedError(reason, now() + timedelta(days=1))
        told = await post(product, await asked_form(product, "/en"), "/en/rapporten")
        assert dutch_left(told.text, known) == []
    desk.closed = True
    assert dutch_left((await product.site.get(f"/en{PAGE}")).text, known) == []


async def test_no_address_of_a_report_and_no_question_stands_in_a_log_line_a_metric_or_a_key(
    product: Product, desk: MemoryDesk, lines: list[str], store: Valkey
) -> None:
    """Eis 6.5; Eis V13."""
    lines.clear()
    await post(product, await asked_form(product, vraag=CANARY, platform="rechtspraak"))
    wish = Wish(f"vraag={CANARY}")
    for standing in (a_standing(wish=wish), replace(ready()[0], wish=wish)):
        desk.put(standing, a_report(target=wish.target))
        for address in (PAGE, f"{PAGE}.csv", f"{PAGE}.pdf", f"/api/v1{PAGE}", f"{PAGE}/annuleren", f"{PAGE}x"):
            await product.site.get(address)
            await post(product, {"formulier": "x"}, address)
    desk.closed = True
    await product.site.get(PAGE)
    heard = "\n".join(lines) + (await product.site.get("/metrics")).text
    assert "request_answered" in heard
    assert [word for word in (TOKEN, CANARY) if word in heard] == []
    kept = b"".join(keys(store))
    assert b"eenmaal:" in kept
    assert [word for word in (TOKEN, CANARY) if word.encode() in kept] == []
