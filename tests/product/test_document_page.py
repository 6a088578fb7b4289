"""The page of one document: finding words in it, its votes, what belongs to it, and where else it stands."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from typing import NoReturn

import pytest
from lxml import html

from connectors.calls import Ask
from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.records import Document
from tests.product.conftest import Product
from tests.support.pages import main_text, words_of
from tests.support.serving import BOUND

pytestmark = pytest.mark.anyio


async def links(product: Product, platform: str, **question: str) -> list[str]:
    page = await product.site.get("/zoeken", params={"platform": platform, **question})
    found: list[str] = html.document_fromstring(page.text).xpath("//ol[@class='treffers']//h3/a/@href")
    assert found
    return found


async def opened(product: Product, address: str, **asked: str) -> html.HtmlElement:
    page = await product.site.get(address, params=asked or None)
    assert page.status_code == 200
    return html.document_fromstring(page.text)


async def test_words_are_found_without_scripts_marked_counted_and_linked_and_the_rest_is_folded(
    product: Product,
) -> None:
    """Eis Z14."""
    seen = 0
    for address in (await links(product, "rechtspraak", vraag="vergunning"))[:8]:
        tree = await opened(product, address, **{"in-stuk": "Vergunning"})
        there = tree.xpath("//section[@class='vondst']//li/a/@href")
        parts = tree.xpath("//section[@class='deel']")
        marked = [part for part in parts if part.xpath(".//mark")]
        assert all("vergunning" in mark.text_content().lower() for mark in tree.xpath("//mark"))
        count = int(re.findall(r"([\d.]+) keer gevonden", main_text(html.tostring(tree).decode()))[0].replace(".", ""))
        assert count == len(tree.xpath("//mark"))
        if len(parts) == 1 or len(marked) == len(parts):
            continue
        seen += 1
        assert there == [f"#{part.get('id')}" for part in marked]
        assert not tree.xpath("//details[@class='overgeslagen']//mark")
        folded = tree.xpath("//details[@class='overgeslagen']//section[@class='deel']")
        assert len(folded) + len(marked) == len(parts)
    assert seen


async def test_what_is_not_in_the_text_is_said_and_the_text_stands(product: Product) -> None:
    (address, *_) = await links(product, "rechtspraak", vraag="vergunning")
    tree = await opened(product, address, **{"in-stuk": "xylofoonkwartet"})
    assert "Niet gevonden in de tekst van dit stuk." in words_of(tree.xpath("//section[@class='vondst']")[0])
    assert tree.xpath("//section[@class='deel']")
    assert not tree.xpath("//details[@class='overgeslagen']")


@pytest.mark.parametrize("odd", ["<script>alert(1)</script>", '"', "\\", "x" * 5000, "\u202e", "&amp;", "amp"])
async def test_odd_words_to_find_are_harmless(product: Product, odd: str) -> None:
    """Field report 5."""
    (address, *_) = await links(product, "rechtspraak", vraag="vergunning")
    page = await product.site.get(address, params={"in-stuk": odd})
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert not re.search(r"&<mark>|<mark>amp</mark>;", page.text)


async def test_a_number_in_another_spelling_leads_on_with_the_words_to_find(product: Product) -> None:
    """Field report 30."""
    (address, *_) = await links(product, "rechtspraak", vraag="vergunning")
    answer = await product.site.get(address.lower(), params={"in-stuk": "een & ander"})
    assert answer.status_code == 302
    assert answer.headers["location"] == f"{address}?in-stuk=een+%26+ander"


async def test_every_link_within_a_page_leads_somewhere(product: Product) -> None:
    for platform in ("rechtspraak", "tweede-kamer", "openbesluitvorming"):
        (address, *_) = await links(product, platform, vraag="subsidie")
        tree = await opened(product, address, **{"in-stuk": "subsidie"})
        assert {link[1:] for link in tree.xpath("//a/@href[starts-with(., '#')]")} <= set(tree.xpath("//@id"))
        assert len(tree.xpath("//@id")) == len(set(tree.xpath("//@id")))


async def test_a_fault_of_ours_at_another_source_leaves_the_document_there(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field report 20."""
    (address, *_) = await links(product, "tweede-kamer", vraag="motie", soort="motie")

    async def broken(*_: object) -> NoReturn:
        raise RuntimeError

    monkeypatch.setattr("connectors.opentk.connector.OpenTK.document", broken)
    tree = await opened(product, address, elders="ja")
    assert "Geen antwoord van OpenTK" in words_of(tree.xpath("//section[@id='elders']")[0])
    assert tree.xpath("//section[@class='deel']")


async def test_every_part_has_its_number_as_a_link_to_itself(product: Product) -> None:
    """Field report 24: a page is cited, not a file. Eis Z14."""
    for address in (await links(product, "openbesluitvorming", vraag="subsidie"))[:6]:
        tree = await opened(product, address)
        parts = tree.xpath("//section[@class='deel']")
        if len(parts) > 1:
            break
    assert len(parts) > 1
    for part in parts:
        (link,) = part.xpath("./h2/a[@class='vast']")
        assert link.get("href") == f"#{part.get('id')}"
        assert link.text_content() == part.get("id").replace("-", " ").capitalize()


async def test_every_date_has_its_name_and_the_day_of_reading_is_there(product: Product) -> None:
    """Eis Z15."""
    (address, *_) = await links(product, "tweede-kamer", vraag="subsidie")
    tree = await opened(product, address)
    rows = {words_of(row.xpath("dt")[0]): row for row in tree.xpath("//dl[@class='feiten'][1]/div[dd/time]")}
    assert "Geraadpleegd op" in rows
    assert len(rows) > 1
    assert "" not in rows


async def test_a_vote_is_a_picture_with_words_and_a_table_with_the_same_numbers(product: Product) -> None:
    """Field reports 25, 26 and 27: with who voted otherwise, and where the numbers are from. Eis Z15."""
    (address, *_) = await links(product, "tweede-kamer", vraag="studentenwoningen")
    tree = await opened(product, address)
    (picture,) = tree.xpath("//figure[@class='stembeeld']/svg")
    (title,) = picture.xpath(".//title")
    assert picture.get("role") == "img"
    assert picture.get("aria-labelledby") == title.get("id")
    table = [
        [int(cell.text_content()) for cell in row.xpath("td")]
        for row in tree.xpath("//section[@class='stemming']//tbody/tr")
    ]
    names = [words_of(name) for name in tree.xpath("//section[@class='stemming']//tbody/tr/th")]
    assert [words_of(one) for one in picture.xpath("./text[not(@x) or @x='0']")] == names[
        : len(picture.xpath("./text")) // 2
    ]
    sides = [row[0] >= row[1] for row in table if any(row)]
    assert sides == sorted(sides, reverse=True)
    told = [int(number) for number in re.findall(r"\d+", title.text_content())]
    assert told == [sum(row[0] for row in table), sum(row[1] for row in table)]
    drawn = picture.xpath(".//rect[@class='voor']"), picture.xpath(".//rect[@class='tegen']")
    assert [len(one) for one in drawn] == [sum(1 for row in table if row[side]) for side in (0, 1)]
    assert "Zo telt Tweede Kamer de stemmen" in tree.text_content()


async def test_what_belongs_to_a_document_leads_to_a_page_that_opens(product: Product) -> None:
    """Eis Z15."""
    (address, *_) = await links(product, "tweede-kamer", vraag="motie", soort="motie")
    tree = await opened(product, address)
    related = tree.xpath("//section[@class='verwant']//dd/a/@href")
    assert related
    inside = [one for one in related if one.startswith("/document/")]
    assert (await product.site.get(inside[0])).status_code == 200


async def test_a_document_is_looked_for_at_another_source_only_when_asked(product: Product) -> None:
    (address, *_) = await links(product, "tweede-kamer", vraag="subsidie woningen")
    before = await product.counted("opentk")
    tree = await opened(product, address)
    assert (await product.counted("opentk"))["aanroepen"] == before["aanroepen"]
    (ask,) = tree.xpath("//section[@id='elders']//a/@href")
    assert ask.endswith("?elders=ja#elders")
    tree = await opened(product, ask)
    (section,) = tree.xpath("//section[@id='elders']")
    (copy,) = section.xpath(".//li/a[1]/@href")
    assert copy.startswith("/document/opentk/")
    assert (await product.site.get(copy)).status_code == 200
    assert "In titel, datum en organisatie zagen we geen verschil." in words_of(section)
    assert not section.xpath("./p[contains(@class, 'melding')]")


async def test_what_another_source_says_otherwise_of_a_document_is_shown_with_who_says_what(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field report 10: the same meeting an hour later at the other source, and under another title."""
    (address, *_) = await links(product, "open-raadsinformatie", vraag="raadsvergadering", soort="vergadering")
    at_source = OpenBesluitvorming.document

    async def hour_later(self: OpenBesluitvorming, upstream_id: str, ask: Ask) -> Document:
        given = await at_source(self, upstream_id, ask)
        dates = tuple(replace(one, at=one.at and one.at + timedelta(hours=1)) for one in given.dates)
        return replace(given, dates=dates, title="Een heel andere titel")

    monkeypatch.setattr(OpenBesluitvorming, "document", hour_later)
    tree = await opened(product, address, elders="ja")
    (section,) = tree.xpath("//section[@id='elders']")
    told = {words_of(one) for one in section.xpath("./p[@class='melding fout']")}
    (hour,) = [one for one in told if one.startswith("De bronnen noemen een andere tijd.")]
    clock = re.findall(r"(Open Raadsinformatie|OpenBesluitvorming): .*?(\d\d):(\d\d)", hour)
    assert [name for name, *_ in clock] == ["Open Raadsinformatie", "OpenBesluitvorming"]
    (_, here, minute), (_, there, other) = clock
    assert (int(there) - int(here), minute) == (1, other)
    (title,) = [one for one in told if one.startswith("De bronnen noemen een andere titel.")]
    assert "OpenBesluitvorming: Een heel andere titel" in title
    assert "geen verschil" not in words_of(section)


async def test_a_paper_of_a_council_is_found_at_the_other_source_of_councils(product: Product) -> None:
    """Field report 10."""
    addresses = await links(product, "open-raadsinformatie", vraag="subsidie dorpshuis")
    (address,) = [one for one in addresses if one.endswith("ori_weesp:1122811")]
    tree = await opened(product, address, elders="ja")
    (copy,) = tree.xpath("//section[@id='elders']//li/a[1]/@href")
    assert copy == "/document/openbesluitvorming/document:notubiz:gemeente:weesp:2900198"


async def test_a_document_is_there_while_another_source_is_still_asked_for_it(product: Product) -> None:
    (address, *_) = await links(product, "tweede-kamer", vraag="motie", soort="motie")
    await product.put("opentk", "traag", 60)
    arrived = ""
    async with (
        asyncio.timeout(BOUND),
        product.site.stream("GET", address, params={"elders": "ja"}) as answer,
    ):
        pieces = answer.aiter_text()
        while "U kunt deze pagina open laten staan" not in arrived:
            arrived += await anext(pieces)
    tree = html.document_fromstring(arrived)
    assert tree.xpath("//article[@class='stuk']//section[@class='deel']")
    (waits,) = tree.xpath("//article/following-sibling::p[@class='wacht'][@role='status']")
    assert "We kijken nu ook bij OpenTK" in words_of(waits)
    assert not tree.xpath("//section[@id='elders']")


async def test_a_source_that_does_not_answer_whether_it_has_a_document_is_named(product: Product) -> None:
    (address, *_) = await links(product, "tweede-kamer", vraag="motie", soort="motie")
    await product.put("opentk", "dood")
    tree = await opened(product, address, elders="ja")
    assert "Geen antwoord van OpenTK" in words_of(tree.xpath("//section[@id='elders']")[0])


async def test_a_meeting_that_its_source_breaks_on_is_shown_as_the_search_gave_it(product: Product) -> None:
    """Field report 20."""
    number = "meeting:notubiz:gemeente:dongen:1382886"
    text = main_text((await product.site.get(f"/document/openbesluitvorming/{number}")).text)
    said = "De bron kon dit stuk zelf niet geven. Hier staat alleen wat haar zoekfunctie ervan zegt."
    assert said in text
    assert "Gemeente Dongen" in text
    assert "23 april 2026" in text
    data = (await product.site.get(f"/api/v1/documenten/openbesluitvorming:{number}")).json()
    assert (data["opmerkingen"], data["tekst"]) == ([said], "geen")
