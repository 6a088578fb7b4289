"""A question for one body at the page: every platform that knows it is asked, and the others say that they do not have it."""

from __future__ import annotations

import pytest

from connectors.addresses import Addresses, PlatformMode
from connectors.registry import default_registry
from search.organisations import Register
from tests.product.conftest import Product
from tests.support.pages import sections

pytestmark = pytest.mark.anyio
CONNECTORS = tuple(default_registry(Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", "http://127.0.0.1:2")))
REGISTER = Register.of(connector.organisations() for connector in CONNECTORS)


@pytest.mark.parametrize(
    ("typed", "identifier"),
    [
        ("gemeente-ede", "gemeente-ede"),
        ("Tweede Kamer", "tweede-kamer"),
        ("financien", "ministerie-financien"),
        ("Raad van State", "gerecht-raad-van-state"),
        ("Weesp", "gemeente-weesp"),
    ],
)
async def test_a_body_is_asked_of_the_platforms_that_know_it(product: Product, typed: str, identifier: str) -> None:
    body = REGISTER.by_id[identifier]
    page = await product.site.get("/zoeken", params={"vraag": "subsidie", "organisatie": typed})
    assert page.status_code == 200
    states = {section.platform: section.state for section in sections(page.text)}
    elsewhere = {key for key, state in states.items() if state == "niet-ondersteund"}
    assert states.keys() == {connector.platform.key for connector in CONNECTORS}
    assert elsewhere == {key for key in states if body.key_at(key) is None}
    assert {state for key, state in states.items() if key not in elsewhere} <= {"klaar", "leeg"}


async def test_every_hit_for_the_kamer_is_of_the_kamer(product: Product) -> None:
    page = await product.site.get("/zoeken", params={"vraag": "energie", "organisatie": "tweede-kamer"})
    found = {section.platform: section for section in sections(page.text)}
    for key in ("tweede-kamer", "officiele-bekendmakingen"):
        assert found[key].state == "klaar"
        assert found[key].text.count("Tweede Kamer") >= len(found[key].titles) > 0
