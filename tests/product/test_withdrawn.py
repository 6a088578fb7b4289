"""What a source says it withdrew is told apart from a number of nothing, at every door."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from connectors.officiele_bekendmakingen.standin_notices import withdrawn
from tests.product.conftest import Product
from tests.support.pages import main_text
from throttling.problems import Kinds

pytestmark = pytest.mark.anyio
WITHDRAWN = [
    ("officiele-bekendmakingen", "Officiële Bekendmakingen", withdrawn()),
    ("tweede-kamer", "Tweede Kamer", "document:00000000-0000-4000-8000-000000000105"),
]
NOT_TOLD = [
    ("openbesluitvorming", "OpenBesluitvorming", "document:notubiz:gemeente:ermelo:9082003"),
    ("officiele-bekendmakingen", "Officiële Bekendmakingen", "gmb-2023-9900098"),
    ("tweede-kamer", "Tweede Kamer", "2025D99999"),
]


@pytest.mark.parametrize(("key", "name", "number"), WITHDRAWN)
async def test_what_a_source_withdrew_is_said_to_be_withdrawn_on_its_page(
    product: Product, key: str, name: str, number: str
) -> None:
    """Field report 19. Eis Z11."""
    page = await product.site.get(f"/document/{key}/{quote(number, safe=':')}")
    text = main_text(page.text)
    assert page.status_code == 410
    assert f"{name} heeft dit stuk ingetrokken. Het nummer klopt, maar de tekst is er niet meer." in text
    assert "Controleer het adres" not in text
    assert "kan het stuk nog staan" not in text


@pytest.mark.parametrize(("key", "name", "number"), WITHDRAWN)
async def test_programs_hear_that_it_was_withdrawn_as_a_kind_of_its_own(
    product: Product, key: str, name: str, number: str
) -> None:
    """Field report 19. Eis Z11."""
    answer = await product.site.get(f"/api/v1/documenten/{key}:{quote(number, safe=':')}")
    found = answer.json()
    assert (answer.status_code, found["type"].rpartition("/")[2]) == (410, Kinds.WITHDRAWN.value.slug)
    assert found["detail"] == f"{name} heeft dit stuk ingetrokken."
    assert found["retryable"] is False


@pytest.mark.parametrize(("key", "name", "number"), NOT_TOLD)
async def test_where_a_source_does_not_say_why_a_document_is_not_there_neither_do_we(
    product: Product, key: str, name: str, number: str
) -> None:
    """Eis Z11."""
    page = await product.site.get(f"/document/{key}/{quote(number, safe=':')}")
    assert page.status_code == 404
    assert f"{name} heeft dit stuk niet (meer)." in main_text(page.text)
    answer = await product.site.get(f"/api/v1/documenten/{key}:{quote(number, safe=':')}")
    assert answer.json()["type"].rpartition("/")[2] == Kinds.NOT_FOUND.value.slug


async def test_the_number_of_what_was_withdrawn_leads_to_the_page_that_says_so(product: Product) -> None:
    """Eis Z11."""
    page = await product.site.get("/zoeken", params={"vraag": withdrawn()})
    assert page.is_redirect
    assert "ingetrokken" in main_text((await product.site.get(page.headers["location"])).text)


async def test_in_english_it_is_withdrawn_too(product: Product) -> None:
    page = await product.site.get(f"/en/document/officiele-bekendmakingen/{withdrawn()}")
    assert "has withdrawn this document." in main_text(page.text)


@pytest.mark.usefixtures("buffer")
async def test_who_asks_again_hears_that_it_was_withdrawn_too_and_no_source_is_asked(product: Product) -> None:
    for path in (
        f"/document/officiele-bekendmakingen/{withdrawn()}",
        f"/api/v1/documenten/officiele-bekendmakingen:{withdrawn()}",
    ):
        for _ in range(2):
            assert "ingetrokken" in (await product.site.get(path)).text
    assert (await product.counted("officiele-bekendmakingen"))["aanroepen"] == 2
