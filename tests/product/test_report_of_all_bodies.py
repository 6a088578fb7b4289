"""A report of bodies that were chosen one by one, three hundred and more: address, form, page and files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from lxml import html
from pypdf import PdfReader

from besluitbron.composition import addresses, registry
from connectors.records import Organisation
from reports.records import Wish
from search.lives import shipped_lives
from search.organisations import Register
from tests.product.conftest import Product
from tests.product.test_reports_page import PAGE, form_of, post
from tests.support.pages import main_text, words_of
from tests.support.reports import DESKS, MemoryDesk, a_report, a_standing, ready

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(product: Product) -> MemoryDesk:
    return DESKS[-1]


@pytest.fixture
def register() -> Register:
    return Register.of((one.organisations() for one in registry(addresses())), shipped_lives())


def now_there(register: Register) -> list[Organisation]:
    return [body for body in register.everybody() if body.ended is None]


def of_councils(register: Register) -> list[Organisation]:
    return [body for body in now_there(register) if body.key_at("openbesluitvorming")]


def query(bodies: Iterable[Organisation], **more: str) -> str:
    return urlencode([*more.items(), *(("organisatie", body.id) for body in bodies)])


async def ask(product: Product, target: str) -> Any:
    page = await product.site.get(f"/zoeken?{target}")
    assert page.status_code == 200, main_text(page.text)
    return await post(product, form_of(page.text))


async def test_all_bodies_chosen_one_by_one_are_a_question_to_everybody(
    product: Product, desk: MemoryDesk, register: Register
) -> None:
    """One question to a platform, and not one for each body (brief: a report over all of them)."""
    target = query(now_there(register), vraag="warmtenet")
    assert target.count("organisatie=") > 500
    assert (await ask(product, target)).status_code == 303
    ((asked, _),) = desk.asked
    assert asked == "vraag=warmtenet"


async def test_very_many_bodies_go_from_the_address_to_the_report_without_loss(
    product: Product, desk: MemoryDesk, register: Register
) -> None:
    chosen = of_councils(register)
    assert len(chosen) > 320
    assert (await ask(product, query(chosen, vraag="warmtenet", platform="rechtspraak"))).status_code == 303
    ((target, _),) = desk.asked
    assert parse_qs(target)["organisatie"] == [body.id for body in chosen]
    desk.put(a_standing(wish=Wish(target)))
    assert f"{len(chosen)} organisaties" in main_text((await product.site.get(PAGE)).text)
    desk.put(*ready(a_report(target=target)))
    answer = await product.site.get(PAGE)
    tree = html.document_fromstring(answer.text)
    facts = " ".join(words_of(one) for one in tree.xpath("//dl[@class='feiten']//dd"))
    assert all(body.name in facts for body in chosen)
    assert len(answer.content) < 400_000
    data = (await product.site.get(f"{PAGE}.json")).json()
    assert parse_qs(data["zoekopdracht"].partition("?")[2]) == parse_qs(target)
    assert (await product.site.get(f"/api/v1{PAGE}")).json()["zoekopdracht"] == data["zoekopdracht"]
    table = (await product.site.get(f"{PAGE}.csv")).content.decode("utf-8-sig")
    first, *others = [row["zoekopdracht"] for row in csv.DictReader(io.StringIO(table), delimiter=";")]
    assert parse_qs(first.partition("?")[2]) == parse_qs(target)
    assert len(others) > 3
    assert set(others) == {"te lang voor elke rij: staat in de eerste rij van het bestand"}


async def test_a_program_that_chooses_more_than_can_be_hears_what_it_can_do(
    product: Product, register: Register
) -> None:
    """The page takes hundreds; the API and MCP say how many they take and what else can be done."""
    answer = await product.site.get(f"/api/v1/_zoek?{query(of_councils(register)[:51], vraag='warmtenet')}")
    assert answer.status_code == 400
    assert "hooguit 50 kan. Vraag het in delen, of laat deze parameter weg om alles te vragen." in answer.text


async def test_the_paper_names_every_chosen_body_and_says_where_the_address_of_the_question_is(
    product: Product, desk: MemoryDesk, register: Register
) -> None:
    chosen = of_councils(register)
    target = query(chosen, vraag="warmtenet")
    desk.put(*ready(a_report(target=target)))
    paper = PdfReader(io.BytesIO((await product.site.get(f"{PAGE}.pdf")).content))
    text = " ".join(" ".join(page.extract_text() for page in paper.pages).split())
    assert chosen[0].name in text
    assert chosen[-1].name in text
    assert "Het adres van deze zoekvraag is te lang voor een link op papier." in text


async def test_the_page_of_answers_to_very_many_bodies_has_one_filter_for_them_that_goes_as_one(
    product: Product, register: Register
) -> None:
    target = query(of_councils(register), vraag="warmtenet", platform="rechtspraak")
    answer = await product.site.get(f"/zoeken?{target}")
    assert len(answer.content) < 400_000
    tree = html.document_fromstring(answer.text)
    without = [parse_qs(str(one).partition("?")[2]) for one in tree.xpath("//a[contains(., 'organisaties')]/@href")]
    assert {"vraag": ["warmtenet"], "platform": ["rechtspraak"]} in without


async def test_more_bodies_than_there_are_is_said_and_what_was_chosen_stays_chosen(
    product: Product, desk: MemoryDesk, register: Register
) -> None:
    bodies = (list(register.everybody()) * 2)[:901]
    target = query(bodies, vraag="warmtenet")
    page = await product.site.get(f"/zoeken?{target}")
    assert (page.status_code, "U koos 901 waarden. Kies er minder." in main_text(page.text)) == (400, True)
    boxes = html.document_fromstring(page.text).xpath("//input[@type='checkbox'][@name='organisatie'][@checked]/@value")
    assert set(boxes) == {body.id for body in bodies}
    told = await post(product, {"zoekvraag": target, "formulier": "x"})
    assert told.status_code == 400
    (back,) = html.document_fromstring(told.text).xpath("//a[contains(@href, '/zoeken?')]/@href")
    assert parse_qs(back.partition("?")[2]) == parse_qs(target)
    assert desk.asked == []
