"""The exports of a search over real HTTP: the same hits in every form, and honest about what is missing."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, quote_plus

import pytest
from lxml import etree, html

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


async def test_a_feed_on_much_has_the_newest_of_every_source_on_top(product: Any) -> None:
    """Eis Z17 and 6.11: where there is more than a feed or a file holds, its date decides and no source is left out."""
    question = {"vraag": "subsidie", "sorteer": "nieuwste"}
    feed = etree.fromstring((await product.site.get("/zoeken.atom", params=question)).content)
    entries = feed.findall("a:entry", ATOM)
    moments = [entry.findtext("a:updated", "", ATOM) for entry in entries]
    assert moments == sorted(moments, key=datetime.fromisoformat, reverse=True)
    page = (await product.site.get("/zoeken.json", params=question)).json()
    newest = {
        source["platform"]: max(hit["datum"] for hit in source["treffers"] if hit["datum"])
        for source in page["bronnen"]
        if source["treffers"]
    }
    assert sum(len(source["treffers"]) for source in page["bronnen"]) > len(entries) > 50
    last = min(moments, key=datetime.fromisoformat)[:10]
    shown = {re.findall(r"^tag:[^:]*:([^:]+):", entry.findtext("a:id", "", ATOM))[0] for entry in entries}
    also = " ".join(entry.findtext("a:rights", "", ATOM) for entry in entries)
    names = {platform.key: platform.name for platform in PLATFORMS}
    for key, day in newest.items():
        assert day <= last or key in shown or names[key] in also, key
    assert "past niets bij uw vraag" not in (feed.findtext("a:subtitle", "", ATOM))


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
        "/zoeken.atom", params=QUESTION, headers={"If-None-Match": f'"x", {first.headers["etag"]}'}
    )
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["etag"].startswith('W/"')
    subtitle = etree.fromstring(first.content).findtext("a:subtitle", namespaces=ATOM)
    assert subtitle is not None
    assert "Opgehaald op " in subtitle
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


SENTENCE = {"vraag": "Wat is er besloten over het warmtenet Stationskwartier in Ede?", "platform": "openbesluitvorming"}
READ = "Zo lazen we uw vraag: we zoeken op “warmtenet Stationskwartier”, alleen bij Gemeente Ede, omdat u die noemde."


async def test_every_door_of_the_website_reads_a_sentence_alike(product: Any) -> None:
    """Field report 9. The same address gives the same papers, and each form says how the question was read."""
    page = await product.site.get("/zoeken", params=SENTENCE)
    (link,) = html.document_fromstring(page.text).xpath("//a[starts-with(@href, '/zoeken.json')]/@href")
    linked = (await product.site.get(link)).json()
    wanted = [hit["bronId"] for source in linked["bronnen"] for hit in source["treffers"]]
    got = {form: await product.site.get(f"/zoeken.{form}", params=SENTENCE) for form in ("csv", "ris", "json", "atom")}
    data = got["json"].json()
    assert [hit["bronId"] for source in data["bronnen"] for hit in source["treffers"]] == wanted != []
    assert sorted(re.findall(r"^SN  - (.*)\r$", got["ris"].text, re.MULTILINE)) == sorted(wanted)
    rows = list(csv.DictReader(io.StringIO(got["csv"].content.decode("utf-8-sig"), newline=""), delimiter=";"))
    assert [row["nummer bij de bron"] for row in rows if row["nummer bij de bron"]] == wanted
    feed = etree.fromstring(got["atom"].content)
    assert len(feed.findall("a:entry", ATOM)) == len(wanted)
    assert READ in page.text
    assert [row["melding"] for row in rows if not row["bron"]] == [READ]
    assert READ in data["opmerkingen"]
    assert f"N1  - {READ}" in got["ris"].text
    assert READ in (feed.findtext("a:subtitle", "", ATOM))


async def test_a_file_and_a_feed_keep_the_question_as_it_was_typed(product: Any) -> None:
    """A feed on "vorige week" is read anew each time, so its own address holds the sentence and no days."""
    data = (await product.site.get("/zoeken.json", params=SENTENCE)).json()
    assert data["vraag"] == SENTENCE["vraag"]
    assert parse_qs(data["zoekopdracht"].partition("?")[2])["vraag"] == [SENTENCE["vraag"]]
    feed = etree.fromstring((await product.site.get("/zoeken.atom", params=SENTENCE)).content)
    (own,) = feed.xpath("a:link[@rel='self']/@href", namespaces=ATOM)
    assert set(parse_qs(own.partition("?")[2])) == {"vraag", "platform"}


async def test_words_that_are_to_be_taken_literally_are_so_in_a_file_too(product: Any) -> None:
    data = (await product.site.get("/zoeken.json", params=SENTENCE | {"letterlijk": "ja"})).json()
    assert data["bronnen"][0]["treffers"] == []
    assert not any(one.startswith("Zo lazen we") for one in data["opmerkingen"])


async def test_the_address_that_browsers_get_for_a_feed_reads_a_sentence(product: Any) -> None:
    description = etree.fromstring((await product.site.get("/opensearch.xml")).content)
    (template,) = [url.get("template") for url in description if url.get("type") == "application/atom+xml"]
    assert template is not None
    address = template.replace("{searchTerms}", quote_plus(SENTENCE["vraag"])).removeprefix("http://localhost:8000")
    assert READ in (await product.site.get(address)).text


async def test_the_api_takes_words_literally_and_says_how_the_website_reads_them(product: Any) -> None:
    """Decision 0026."""
    found = (await product.site.get("/api/v1/_zoek", params=SENTENCE)).json()
    assert found["bronnen"][0]["treffers"] == []
    assert parse_qs(found["zoekopdracht"].partition("?")[2])["letterlijk"] == ["ja"]
    (said,) = [one for one in found["opmerkingen"] if one.startswith("De woorden zijn letterlijk genomen.")]
    read = (await product.site.get(f"/api/v1/_zoek?{said.rpartition(' ')[2]}")).json()
    assert read["bronnen"][0]["treffers"]
    assert not [one for one in read["opmerkingen"] if one.startswith("De woorden zijn letterlijk")]
