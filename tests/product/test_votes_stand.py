"""Who asks for votes alone hears at every door that they stand at the motions, and gets there with the same question."""

from __future__ import annotations

import pytest
from lxml import html

from connectors.records import Kind
from search.organisations import Register
from search.parameters import read_parameters
from search.votes_stand import of_motions
from tests.product.assistants.conftest import Assistant, assistant
from tests.product.conftest import Product
from tests.support.pages import main_text, words_of

__all__ = ["assistant"]
pytestmark = pytest.mark.anyio
SENTENCE = "Hoe er over een motie is gestemd, staat bij de motie zelf."
ASKED = {"vraag": "stikstof", "soort": "stemming", "van": "2019-01-01"}


async def test_the_page_leads_from_votes_to_the_motions_where_they_are(product: Product) -> None:
    page = (await product.site.get("/zoeken", params=ASKED)).text
    tree = html.document_fromstring(page)
    (link,) = tree.xpath("//p[contains(@class, 'aanbod')]/a[.='Zoek moties']/@href")
    assert link == "/zoeken?vraag=stikstof&soort=motie&van=2019-01-01"
    assert SENTENCE in main_text(page)
    (box,) = tree.xpath("//section[@class='niets']")
    assert "Kies de soort motie. Hoe er is gestemd, staat bij de motie zelf." in words_of(box)
    motions = html.document_fromstring((await product.site.get(link)).text)
    papers = motions.xpath("//section[@data-bron='tweede-kamer']//h3/a/@href")
    voted = [one for one in papers if "id='stemming'" in (await product.site.get(one)).text.replace('"', "'")]
    assert voted, "the votes do stand there"


async def test_the_api_says_where_votes_stand_with_the_address_that_finds_them(product: Product) -> None:
    said = (await product.site.get("/api/v1/_zoek", params=ASKED)).json()["opmerkingen"]
    (about,) = [one for one in said if one.startswith(SENTENCE)]
    address = about.rpartition(" ")[2].partition("localhost:8000")[2]
    assert address == "/api/v1/_zoek?vraag=stikstof&soort=motie&van=2019-01-01"
    found = (await product.site.get(address)).json()
    assert any(source["treffers"] for source in found["bronnen"])
    assert not any(SENTENCE in one for one in found["opmerkingen"])


async def test_an_assistant_hears_where_votes_stand(assistant: Assistant) -> None:
    told = await assistant.data("zoek", vraag="stikstof", soorten=["stemming"])
    assert f'{SENTENCE} Vraag hetzelfde met `soorten` = ["motie"] en `lees` het stuk.' in told["waarom"]
    motions = await assistant.data("zoek", vraag="stikstof", soorten=["motie"])
    assert not any(SENTENCE in one for one in motions["waarom"])


@pytest.mark.parametrize(
    ("kinds", "instead"),
    [
        ([], None),
        (["motie"], None),
        (["stemming", "motie"], None),
        (["stemming"], {Kind.MOTIE}),
        (["stemming", "besluit"], {Kind.MOTIE, Kind.BESLUIT}),
    ],
)
def test_motions_take_the_place_of_votes_only_where_they_were_not_asked_for(
    kinds: list[str], instead: set[Kind] | None
) -> None:
    asked = read_parameters({"vraag": ["x"], "soort": kinds, "pagina": ["2"]}, Register.of([]), max_characters=100)
    motions = of_motions(asked)
    assert (set(motions.query.kinds) if motions else None) == instead
    assert motions is None or motions.query.page == 1
