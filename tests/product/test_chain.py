"""From a motion to its vote, its meeting and its publication and back, by nothing but the links on the pages."""

from __future__ import annotations

import pytest
from lxml import html

from tests.product.conftest import Product
from tests.support.pages import words_of

pytestmark = pytest.mark.anyio


async def opened(product: Product, address: str) -> html.HtmlElement:
    page = await product.site.get(address)
    assert page.status_code == 200, address
    return html.document_fromstring(page.text)


def related(tree: html.HtmlElement, beginning: str) -> list[str]:
    """The links under the relations that begin so, in order."""
    found: list[str] = []
    relation = ""
    for one in tree.xpath("//section[@class='verwant']/dl/*"):
        relation = words_of(one) if one.tag == "dt" else relation
        found += one.xpath("a/@href") if one.tag == "dd" and relation.startswith(beginning) else []
    return found


def has_vote(tree: html.HtmlElement) -> bool:
    return bool(tree.xpath("//section[@class='stemming']//strong"))


async def hit(product: Product, **asked: str) -> str:
    page = html.document_fromstring((await product.site.get("/zoeken", params=asked)).text)
    return str(page.xpath("//ol[@class='treffers']//h3/a/@href")[0])


async def test_a_motion_of_a_council_leads_to_its_meeting_which_leads_back_and_shows_its_outcome(
    product: Product,
) -> None:
    """Eis Z15."""
    motion = await hit(product, vraag="jeugdzorgplan", platform="openbesluitvorming", soort="motie")
    tree = await opened(product, motion)
    assert has_vote(tree)
    (meeting,) = related(tree, "Vergadering")
    agenda = await opened(product, meeting)
    assert words_of(agenda.xpath("//article/h1")[0]).startswith("Gemeenteraad 22 maart 2016")
    assert motion in related(agenda, "Motie (aangenomen)")
    (proposal, *_) = related(agenda, "Stuk bij agendapunt 5")
    assert meeting in related(await opened(product, proposal), "Vergadering")


async def test_a_motion_of_the_kamer_leads_to_its_case_with_the_vote_and_the_case_back_to_the_motion(
    product: Product,
) -> None:
    """Eis Z15."""
    motion = "/document/tweede-kamer/2023D92057"
    tree = await opened(product, motion)
    (case,) = related(tree, "Zaak")
    voted = await opened(product, case)
    assert has_vote(tree)
    assert has_vote(voted)
    assert motion in related(voted, "Stuk")


async def test_a_motion_of_the_kamer_leads_to_its_publication_here_and_at_its_source(product: Product) -> None:
    """Eis Z15."""
    motion = await hit(product, vraag="flexbonus", platform="tweede-kamer")
    tree = await opened(product, motion)
    (address,) = related(tree, "Officiële publicatie")
    (ask, *_) = tree.xpath("//section[@id='elders']//a/@href")
    elsewhere = await opened(product, ask.partition("#")[0])
    (publication,) = elsewhere.xpath(
        "//section[@id='elders']//a/@href[starts-with(., '/document/officiele-bekendmakingen/')]"
    )
    answer = await product.site.get("/zoeken", params={"vraag": address})
    assert (answer.status_code, answer.headers["location"]) == (302, publication)
    published = await opened(product, publication)
    assert "flexbonus" in words_of(published.xpath("//article")[0])
