"""One question over all sources: hits of enough of them, and what they found opens with its text."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from lxml import html

from besluitbron.composition import addresses
from besluitbron.standins import make_application
from besluitbron.warming import warm
from connectors.registry import default_registry
from tests.product.conftest import Product
from tests.support.pages import Section, sections, words_of

pytestmark = pytest.mark.anyio
PAGES = "http://localhost:8000"
CONNECTORS = tuple(default_registry(addresses()))
KEYS = frozenset(connector.platform.key for connector in CONNECTORS)


def text_of(page: str) -> str:
    """The text of the document on a page, without what stands around it."""
    parts = html.document_fromstring(page).xpath("//section[starts-with(@id, 'pagina-') or starts-with(@id, 'deel-')]")
    return " ".join(words_of(part) for part in parts)


@pytest.mark.parametrize(("word", "at_least"), [("subsidie", 7), ("energie", 6), ("klimaat", 6)])
async def test_one_question_finds_hits_at_enough_sources_and_a_document_of_each_opens_with_its_text(
    product: Product, word: str, at_least: int
) -> None:
    await warm(make_application(PAGES), CONNECTORS)  # as a start does: what is built once does not count as slow
    page = await product.site.get(f"/zoeken?{urlencode({'vraag': word})}")
    assert page.status_code == 200
    found = {section.platform: section for section in sections(page.text)}
    assert found.keys() == KEYS
    assert {section.state for section in found.values()} <= {"klaar", "leeg"}
    with_hits = {key: section for key, section in found.items() if section.titles}
    assert len(with_hits) >= at_least
    for key, section in with_hits.items():
        assert await opens_with_its_text(product, section, word), key


async def opens_with_its_text(product: Product, section: Section, word: str) -> bool:
    """Whether one of its first documents opens with a text of some length that holds the word.

    Of rows of the Tweede Kamer without a text of their own the collection holds files of a few lines, and says so in them.
    """
    for link in section.links[:15]:
        document = await product.site.get(link)
        assert document.status_code == 200, link
        text = text_of(document.text)
        if len(text) > 200 and word in text.lower():
            return True
    return False
