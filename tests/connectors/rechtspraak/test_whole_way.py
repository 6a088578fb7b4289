"""The connector against the stand-in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest
from starlette.testclient import TestClient

from connectors.rechtspraak.courts import shipped_courts
from connectors.rechtspraak.parse_website import parse_website
from connectors.rechtspraak.requests import WebsiteQuestion, website_search_call
from connectors.records import (
    Certainty,
    Filter,
    Kind,
    Note,
    NoteCode,
    Query,
    SearchText,
    Sort,
    TextState,
    Total,
)
from tests.connectors.rechtspraak.helpers import CORPUS, StandInAsk, connector, court, words

HR = "http://standaarden.overheid.nl/owms/terms/Hoge_Raad_der_Nederlanden"


@pytest.fixture(scope="module")
def ask() -> Iterator[StandInAsk]:
    asking = StandInAsk()
    with asking.client:
        yield asking


@pytest.fixture(scope="module")
def client(ask: StandInAsk) -> TestClient:
    return ask.client


@pytest.mark.anyio
@pytest.mark.parametrize("word", ["subsidie", "vergunning"])
async def test_a_question_finds_rulings_and_each_opens_with_its_text(ask: StandInAsk, word: str) -> None:
    result = await connector().search(words(word), ask)
    assert result.total.certainty is Certainty.EXACT
    assert len(result.hits) == result.total.value
    ids = {court.id for court in shipped_courts()}
    for hit in result.hits:
        assert hit.organisation_id in ids
        assert hit.snippet
        assert hit.date is not None
        document = await connector().document(hit.upstream_id, ask)
        assert (document.text_state, document.title) == (TextState.FULL, hit.title)
        assert document.dates[0] == hit.date
        assert word in " ".join(passage.text.lower() for passage in document.passages) + document.abstract.lower()


@pytest.mark.anyio
async def test_a_filtered_question_finds_what_a_full_reading_finds(ask: StandInAsk) -> None:
    query = words(
        "beroep", date_from=date(2000, 1, 1), date_until=date(2009, 12, 31), kinds=frozenset({Kind.UITSPRAAK})
    )
    found: list[str] = []
    for page in (1, 2):
        result = await connector().search(replace(query, page=page), ask)
        assert result.total.certainty is (Certainty.AT_LEAST if page == 1 else Certainty.UNKNOWN)
        found += [hit.upstream_id for hit in result.hits]
    assert result.has_more is False
    everything = [
        row
        for start in (0, 50, 100, 150)
        for row in parse_website(
            ask.send(website_search_call(WebsiteQuestion(term="beroep", size=50, start=start)))
        ).rows
    ]
    wanted = [row.ecli for row in everything if row.product == "uitspraak" and row.day and 2000 <= row.day.year <= 2009]
    assert sorted(found) == sorted(wanted)
    assert 0 < len(found) < len(everything)


@pytest.mark.anyio
async def test_filters_alone_page_through_all_decisions_of_a_court(ask: StandInAsk) -> None:
    hits: list[str] = []
    for page in (1, 2, 3):
        result = await connector().search(Query(organisations=(court("Hoge Raad"),), page=page, sort=Sort.NEWEST), ask)
        hits += [hit.upstream_id for hit in result.hits]
        assert result.ignored == (Filter.SORT,)
    assert len(hits) == len(set(hits)) == result.total.value == len(list((CORPUS / "content").glob("ECLI_NL_HR_*")))
    assert result.has_more is False


@pytest.mark.anyio
async def test_an_ecli_is_looked_up_and_an_unknown_one_finds_nothing(ask: StandInAsk) -> None:
    """Field report 30."""
    ecli = connector().canonical_id("ecli nl cbb 2022 1")
    found = await connector().search(Query(text=SearchText(ecli=ecli)), ask)
    assert [hit.upstream_id for hit in found.hits] == ["ECLI:NL:CBB:2022:1"]
    unknown = await connector().search(Query(text=SearchText(ecli="ECLI:NL:HR:2099:1")), ask)
    assert (unknown.hits, unknown.total) == ((), Total(0, Certainty.EXACT))
    assert unknown.notes == (Note(NoteCode.LOOKED_UP),)


@pytest.mark.anyio
async def test_the_check_is_content_and_the_lists_are_read(ask: StandInAsk) -> None:
    results = await connector().check(ask)
    assert [result.ok for result in results] == [True, True, True]
    lists = await connector().lists(ask)
    assert len(lists.organisations) == 260
