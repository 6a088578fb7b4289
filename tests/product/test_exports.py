"""The exports of a search over real HTTP: the same hits in every form, and honest about what is missing."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from lxml import etree

from connectors.platforms import PLATFORMS

pytestmark = pytest.mark.anyio
ATOM = {"a": "http://www.w3.org/2005/Atom"}
QUESTION = {"vraag": "warmtenet", "platform": "rechtspraak"}


async def test_every_form_of_one_search_holds_the_same_hits(product: Any) -> None:
    """Eis 6.11."""
    question = {"vraag": "warmtenet", "platform": ["rechtspraak", "tweede-kamer", "openbesluitvorming"]}
    got = {form: await product.site.get(f"/zoeken.{form}", params=question) for form in ("csv", "ris", "json", "atom")}
    assert {form: answer.status_code for form, answer in got.items()} == dict.fromkeys(got, 200)
    rows = csv.DictReader(io.StringIO(got["csv"].content.decode("utf-8-sig"), newline=""), delimiter=";")
    in_table = [row["nummer bij de bron"] for row in rows if row["nummer bij de bron"]]
    in_references = re.findall(r"^SN  - (.*)\r$", got["ris"].text, re.MULTILINE)
    in_data = [hit["bronId"] for source in got["json"].json()["bronnen"] for hit in source["treffers"]]
    assert 0 < len(in_table) < 100
    assert in_references == in_table
    assert sorted(in_data) == sorted(in_table)
    assert len(etree.fromstring(got["atom"].content).findall("a:entry", ATOM)) == len(in_table)
    assert 'filename="besluitbron-' in got["csv"].headers["content-disposition"]


async def test_a_source_that_failed_is_named_in_every_form(product: Any) -> None:
    """Eis Z18."""
    await product.put("rechtspraak", "dood")
    question = {"vraag": "subsidie", "platform": ["rechtspraak", "opentk"]}
    for form in ("csv", "ris", "json", "atom"):
        answer = await product.site.get(f"/zoeken.{form}", params=question)
        assert answer.status_code == 200
        assert "Rechtspraak" in answer.text
        assert "niet bereikbaar" in answer.text


async def test_when_no_source_answers_there_is_no_empty_file(product: Any) -> None:
    await product.put("rechtspraak", "dood")
    for form in ("csv", "ris", "json", "atom"):
        answer = await product.site.get(f"/zoeken.{form}", params=QUESTION)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "60")
        assert answer.text.startswith("Geen van de bronnen gaf antwoord.")


@pytest.mark.parametrize(
    ("parameters", "words"),
    [({"vraag": "x", "van": "gisteren"}, "gisteren"), ({}, "geen vraag in dit adres"), ({"vraag": "…"}, "vraag")],
)
async def test_a_question_that_cannot_be_asked_is_refused_in_words(product: Any, parameters: Any, words: str) -> None:
    for form in ("csv", "atom"):
        answer = await product.site.get(f"/zoeken.{form}", params=parameters)
        assert answer.status_code == 400
        assert words in answer.text


async def test_a_feed_that_did_not_change_is_not_sent_again(product: Any) -> None:
    """Eis Z17."""
    first = await product.site.get("/zoeken.atom", params=QUESTION)
    assert first.headers["content-type"] == "application/atom+xml; charset=utf-8"
    again = await product.site.get(
        "/zoeken.atom", params=QUESTION, headers={"If-None-Match": f'"x", W/{first.headers["etag"]}'}
    )
    assert (again.status_code, again.content) == (304, b"")
    other = await product.site.get("/zoeken.atom", params=QUESTION, headers={"If-None-Match": '"x"'})
    assert other.status_code == 200


async def test_the_page_links_to_every_form_and_browsers_can_add_the_search(product: Any) -> None:
    """Eis Z19."""
    page = await product.site.get("/zoeken", params=QUESTION)
    for form in ("csv", "ris", "json", "atom"):
        assert f'href="/zoeken.{form}?vraag=warmtenet&amp;platform=rechtspraak' in page.text
    assert 'rel="search"' in page.text
    description = await product.site.get("/opensearch.xml")
    root = etree.fromstring(description.content)
    (search,) = [url for url in root if url.get("type") == "text/html"]
    assert search.get("template") == "http://localhost:8000/zoeken?vraag={searchTerms}"


async def test_an_export_asks_as_its_reader_and_a_feed_as_the_house_without_a_visitor(
    product: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eis Z17."""
    from search.federation import Federation  # noqa: PLC0415 - only to listen

    heard = []
    real = Federation.ask

    def ask(self: Federation, query: Any, platforms: Any, caller: Any) -> Any:
        heard.append(caller)
        return real(self, query, platforms, caller)

    monkeypatch.setattr(Federation, "ask", ask)
    await product.site.get("/zoeken.csv", params=QUESTION)
    await product.site.get("/zoeken.atom", params=QUESTION)
    table, feed = heard[0], heard[-1]
    assert (table.is_house, bool(table.visitor), table.one_at_a_time) == (True, True, False)
    assert (feed.is_house, feed.visitor, feed.one_at_a_time) == (True, "", True)


async def test_json_of_all_sources_follows_the_words_of_the_architecture(product: Any) -> None:
    answer = await product.site.get("/zoeken.json", params={"vraag": "energie"})
    found = json.loads(answer.content)
    assert [source["platform"] for source in found["bronnen"]] == [platform.key for platform in PLATFORMS]
    assert {"staat", "melding", "totaal", "treffers", "volledig"} <= set(found["bronnen"][0])
