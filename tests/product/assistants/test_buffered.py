"""What came from the buffer is said, and the next part of a paper or a page costs its source nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import caches
from pytest_django import Settings

from besluitbron.caches import DATABASES
from connectors.buffering.rules import MEGABYTE, Rules
from tests.product.assistants.conftest import Assistant
from tests.support.buffers import caches_at
from tests.support.valkey import Valkey, private_valkey

pytestmark = [pytest.mark.anyio, pytest.mark.django_db(transaction=True)]
LONG = "rechtspraak:ECLI:NL:GHAMS:2013:2283"


@pytest.fixture(scope="module")
def valkey() -> Iterator[Valkey]:
    with private_valkey() as server:
        yield server


@pytest.fixture
def buffer(transactional_db: None, valkey: Valkey, settings: Settings) -> Iterator[None]:
    settings.BUFFER_RULES = Rules(version=settings.VERSION, shares=dict.fromkeys(DATABASES, 8 * MEGABYTE), patience=5.0)
    with caches_at(valkey.path):
        for platform in DATABASES:
            caches[platform].clear()
        yield


async def calls(assistant: Assistant, platform: str) -> float:
    answer = await assistant.control.get(f"/_stand/{platform}")
    counted: dict[str, float] = answer.json()
    return counted["aanroepen"]


async def test_what_was_fetched_before_is_said_to_come_from_the_buffer(buffer: None, assistant: Assistant) -> None:
    first = (await assistant.data("zoek", vraag="subsidie", platforms="rechtspraak"))["bronnen"][0]
    again = (await assistant.data("zoek", vraag="subsidie", platforms="rechtspraak"))["bronnen"][0]
    assert (first["uitBuffer"], again["uitBuffer"]) == (False, True)
    assert again["opgehaald"] == first["opgehaald"]
    assert {hit["uitBuffer"] for hit in again["treffers"]} == {True}


async def test_parts_and_checks_of_a_paper_that_was_read_cost_no_call(buffer: None, assistant: Assistant) -> None:
    first = await assistant.data("lees", id=LONG)
    made = await calls(assistant, "rechtspraak")
    second = await assistant.data("lees", **first["volgende"])
    await assistant.data("zoek_in_document", id=LONG, woorden="hof")
    await assistant.data("controleer_citaat", id=LONG, citaat="het hof")
    assert await calls(assistant, "rechtspraak") == made
    assert (first["stuk"]["uitBuffer"], second["stuk"]["uitBuffer"]) == (False, True)


async def test_the_rest_of_a_page_costs_no_call(buffer: None, assistant: Assistant) -> None:
    given = {"vraag": "subsidie", "platforms": ["open-raadsinformatie", "openbesluitvorming"]}
    first = await assistant.data("zoek", **given)
    made = await calls(assistant, "open-raadsinformatie")
    assert first["volgende"] == {"pagina": 1, "deel": 2}
    await assistant.data("zoek", **given, **first["volgende"])
    assert await calls(assistant, "open-raadsinformatie") == made
