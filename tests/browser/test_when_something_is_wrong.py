"""What a person sees and can do next when a source, a document, a question or the site itself is not well."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page, expect
from pytest_django import Settings

from tests.browser.conftest import Late
from tests.browser.scenes import BY_NAME, staged
from tests.product.conftest import Product
from tests.product.test_document_waits import full_queues
from tests.support.browsing import a_reader

pytestmark = pytest.mark.anyio
ONLY_THERE = "%22redelijke+termijn%22"
"""Words that Rechtspraak has, and OpenTK has not."""


@pytest.mark.lang
async def test_a_late_source_comes_by_itself_and_the_page_says_so(late: Late) -> None:
    """Eis V2."""
    section = late.page.locator("section[data-bron=rechtspraak]")
    await expect(section).to_contain_text("heeft meer tijd nodig en wordt nog gevraagd")
    late.come()
    await expect(section).to_have_attribute("data-staat", "klaar")
    await expect(section).to_have_count(1)
    await expect(section.get_by_role("heading", level=3).first).to_be_visible()


@pytest.mark.lang
@pytest.mark.parametrize(
    ("late", "title", "says", "boxes"),
    [
        (ONLY_THERE, r"[1-9]\d* resulta", "gaven antwoord, ", 0),
        ("xyzzyplugh", r"\b0 resultaten", "gaven antwoord en vonden niets.", 1),
    ],
    indirect=["late"],
)
async def test_what_the_page_says_over_all_sources_follows_what_comes_late(
    late: Late, title: str, says: str, boxes: int
) -> None:
    """Eis V2, Eis Z13: nothing is said to be missing while a source is asked, and nothing that is no longer so stays."""
    page, status, box = late.page, late.page.get_by_role("status"), late.page.locator("section.niets")
    await expect(page).to_have_title(re.compile("nog 1 bron wordt gevraagd"))
    await expect(status).to_contain_text("Nog 1 bron wordt gevraagd: Rechtspraak.")
    await expect(box).to_contain_text("Deze bron wordt nog gevraagd: Rechtspraak.")
    await expect(box).not_to_contain_text("te laat")
    late.come()
    await expect(page).to_have_title(re.compile(f"– [^–]*{title}[^–]* – BesluitBron$"))
    await expect(status).to_contain_text(says)
    await expect(status).not_to_contain_text("wordt gevraagd")
    await expect(box).to_have_count(boxes)
    if boxes:
        await expect(box.get_by_role("heading", level=2)).to_have_text("Niets gevonden")
        await expect(box).to_contain_text(re.compile("Hier is echt gezocht: [^.]*Rechtspraak"))
        await expect(box).not_to_contain_text("niet gezocht")


@pytest.mark.lang
async def test_a_source_that_waits_says_when_its_turn_is_while_the_others_can_be_read(
    page: Page, product: Product
) -> None:
    """Eis P2."""
    async with full_queues() as queues:
        await page.goto("/zoeken?vraag=klimaat&platform=opentk&platform=rechtspraak", wait_until="commit")
        waiting = page.locator("section[data-bron=opentk][data-staat=gepland]")
        await expect(waiting).to_contain_text("U kunt deze pagina open laten staan")
        await expect(page.locator("section[data-bron=rechtspraak]")).to_be_visible()
        await expect(page.get_by_text("Geen resultaten bij OpenTK")).to_have_count(0)
        await queues.free()
        await expect(page.locator("section[data-bron=opentk][data-staat=klaar]")).to_be_visible()
    await expect(waiting).to_be_hidden()


@pytest.mark.lang
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bron-vol", ("Antwoorden", "te druk", "Vraag alleen")),
        ("niets-gevonden", ("Antwoorden", "Hier is echt gezocht", "Zoek bij")),
        ("vraag-klopt-niet", ("Uw vraag klopt nog niet", "We hebben nog niets gezocht", "Organisatie")),
        (
            "stuk-ingetrokken",
            ("Dit stuk kunnen we niet laten zien", "heeft dit stuk niet (meer)", "Naar de voorpagina"),
        ),
        (
            "stuk-bron-dood",
            ("Dit stuk kunnen we niet laten zien", "Probeer het over een paar minuten opnieuw", "Naar de voorpagina"),
        ),
        ("bestaat-niet", ("Deze pagina bestaat niet", "Controleer het adres", "Naar de voorpagina")),
        ("gaat-mis", ("Er ging bij ons iets mis", "Dat ligt niet aan u", "Naar de voorpagina")),
        ("te-druk", ("Het is hier nu te druk", "ververs dan deze pagina", "Naar de voorpagina")),
    ],
)
async def test_what_went_wrong_is_said_in_words_with_a_way_on(
    browser: Browser,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    words: tuple[str, str, str],
) -> None:
    heading, says, link = words
    async with (
        staged(BY_NAME[name], settings, monkeypatch) as stage,
        a_reader(browser, stage.site) as page,
    ):
        answer = await page.goto(stage.address)
        assert answer is not None
        assert answer.status == BY_NAME[name].status
        await expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
        await expect(page.get_by_role("main")).to_contain_text(says)
        await expect(page.get_by_role("main").get_by_role("link", name=link).first).to_be_visible()


async def test_a_fault_in_the_form_is_at_its_field_and_the_list_on_top_leads_there(page: Page) -> None:
    await page.goto("/zoeken?vraag=subsidie&van=2026-13-45&organisatie=nergenshuizen")
    top = page.get_by_role("alert")
    await expect(top).to_be_visible()
    await top.get_by_role("link", name="Van").click()
    field = page.get_by_label("Van", exact=True)
    await expect(field).to_have_value("2026-13-45")
    await expect(field).to_have_attribute("aria-invalid", "true")
    assert await field.evaluate("one => document.getElementById(one.getAttribute('aria-describedby')).textContent")
    await field.fill("2026-01-01")
    await page.get_by_label("Organisatie", exact=True).fill("")
    await page.get_by_role("button", name="Zoeken").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Antwoorden")
