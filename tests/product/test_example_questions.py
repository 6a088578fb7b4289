"""Every question that we give as an example finds something in the trial: who tries it for the first time is not sent away."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import besluitbron
from assistants.onboarding import QUESTIONS
from search.views import EXAMPLES
from tests.product.conftest import Product

pytestmark = pytest.mark.anyio
DOCS = Path(besluitbron.__file__).parent.parent / "docs"
PAGES = ("naslag/zoeken.md", "naslag/assistent-gereedschap.md", "doen/assistent-aansluiten.md")
QUOTED = re.compile(r"“([^”]+)”|\"([A-Z][^\"\n]+\?)\"")
WITHOUT_MARK = (
    "parkeren in Ede",
    "toezeggingen over isolatie",
    "stikstof en bouwplannen, hoe zit dat",
    "subsidie Utrecht",
)
"""Examples in ``naslag/zoeken.md`` that are no sentence with a question mark."""
OF_A_PAPER = "Staat deze zin letterlijk in dat raadsvoorstel, en op welke bladzijde?"
"""What an assistant asks of a paper that is there, and of no source."""


def questions(page: str) -> list[str]:
    """The whole questions that a page gives as an example; not what our own page asks back ("Bedoelt u …")."""
    found = [one or other for one, other in QUOTED.findall((DOCS / page).read_text(encoding="utf-8"))]
    own = ("Bedoel", "Welke bronnen kan BesluitBron")
    return [" ".join(one.split()) for one in found if one.endswith("?") and "…" not in one and not one.startswith(own)]


IN_DOCS = [(page, question) for page in PAGES for question in questions(page)]


async def sources_that_find(product: Product, **asked: str) -> list[str]:
    answers = (await product.site.get("/zoeken.json", params=asked)).json()["bronnen"]
    return [one["platform"] for one in answers if one["totaal"]["waarde"]]


def test_the_pages_do_give_examples() -> None:
    assert {page for page, _ in IN_DOCS} == set(PAGES)
    text = (DOCS / PAGES[0]).read_text(encoding="utf-8")
    assert [one for one in WITHOUT_MARK if f"“{one}”" not in text] == []
    assert OF_A_PAPER in QUESTIONS


async def test_every_example_in_the_docs_and_on_our_pages_finds_something(product: Product) -> None:
    empty = [
        question
        for question in dict.fromkeys([*(one for _, one in IN_DOCS), *WITHOUT_MARK])
        if not await sources_that_find(product, vraag=question)
    ]
    assert empty == []


async def test_what_an_assistant_can_be_asked_is_found_at_more_than_one_source(product: Product) -> None:
    for question in QUESTIONS:
        if question != OF_A_PAPER:
            assert len(await sources_that_find(product, vraag=question)) > 1, question


async def test_every_example_of_the_front_page_finds_something(product: Product) -> None:
    for words, address in EXAMPLES:
        found = (await product.site.get(f"/zoeken.json?{address}")).json()["bronnen"]
        assert any(one["totaal"]["waarde"] for one in found), words
