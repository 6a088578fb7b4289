"""The connector against the stand-in."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from connectors.exceptions import WithdrawnError
from connectors.officiele_bekendmakingen.standin_items import items
from connectors.officiele_bekendmakingen.standin_notices import LARGE_PAGES, withdrawn
from connectors.records import (
    Certainty,
    Document,
    Kind,
    Note,
    NoteCode,
    Query,
    SearchResult,
    SearchText,
    Sort,
    Term,
    TextState,
    Total,
)
from tests.connectors.officiele_bekendmakingen.helpers import StandInAsk, body, connector, words

pytestmark = pytest.mark.anyio
PAGES = "http://127.0.0.1:2"


@pytest.fixture(scope="module")
def ask() -> StandInAsk:
    return StandInAsk()


async def everything(query: Query, ask: StandInAsk) -> list[SearchResult]:
    results = [await connector().search(query, ask)]
    while results[-1].has_more:
        results.append(await connector().search(replace(query, page=len(results) + 1), ask))
    return results


@pytest.mark.parametrize("word", ["subsidie", "vergunning", "energie", "klimaat"])
async def test_a_question_finds_publications_and_each_opens(ask: StandInAsk, word: str) -> None:
    result = await connector().search(words(word), ask)
    assert len(result.hits) >= 15
    for hit in result.hits:
        assert hit.kind_at_source
        assert hit.date is not None
        assert hit.snippet
        document = await connector().document(hit.upstream_id, ask)
        assert (document.title, document.kind, document.address) == (hit.title, hit.kind, hit.address)
        assert document.dates[0] == hit.date


async def test_every_item_round_trips_by_its_id_and_by_its_address(ask: StandInAsk) -> None:
    """Field report 43."""
    for item in items():
        assert connector().canonical_id(item.identifier) == item.identifier
        document: Document = await connector().document(item.identifier, ask)
        assert document.upstream_id == item.identifier
        assert connector().canonical_id(document.address.removeprefix(f"{PAGES}/document/officiele-bekendmakingen/"))
        if item.is_generated:
            assert document.address == f"{PAGES}/document/officiele-bekendmakingen/{item.identifier}"
        else:
            assert document.address == f"https://zoek.officielebekendmakingen.nl/{item.identifier}.html"
            assert document.original is not None
            assert document.original.startswith("https://repository.overheid.nl/frbr/officielepublicaties/")
        assert document.text_state is PDF_ONLY.get(item.identifier, TextState.FULL)


PDF_ONLY = {
    "blg-9900001": TextState.FULL,
    "blg-9900002": TextState.NONE,
    "blg-9900003": TextState.PARTIAL,
}


async def test_a_scan_says_that_it_has_no_text_layer(ask: StandInAsk) -> None:
    """Field report 24."""
    document = await connector().document("blg-9900002", ask)
    assert document.notes == (Note(NoteCode.NO_TEXT_LAYER),)


async def test_a_very_long_report_says_how_far_it_was_read(ask: StandInAsk) -> None:
    """Field report 22."""
    document = await connector().document("blg-9900003", ask)
    assert document.notes == (Note(NoteCode.PAGES_READ_BY_US, ("40", str(LARGE_PAGES))),)
    assert all(passage.is_page for passage in document.passages)


async def test_what_was_withdrawn_is_said_to_be(ask: StandInAsk) -> None:
    """Field report 19."""
    with pytest.raises(WithdrawnError):
        await connector().document(withdrawn(), ask)


async def test_filters_find_what_a_full_reading_finds(ask: StandInAsk) -> None:
    query = Query(
        organisations=(body("gemeente-ede"), body("waterschap-de-dommel"), body("gemeente-den-haag")),
        date_from=date(2014, 3, 1),
        date_until=date(2023, 1, 1),
        sort=Sort.OLDEST,
    )
    results = await everything(query, ask)
    hits = [hit for result in results for hit in result.hits]
    makers = {"Ede", "Waterschap De Dommel", "'s-Gravenhage"}
    wanted = [
        item.identifier
        for item in items()
        if item.values("dt.creator")[0] in makers and "2014-03-01" <= item.values("dt.available")[0] <= "2023-01-01"
    ]
    assert sorted(hit.upstream_id for hit in hits) == sorted(wanted)
    days = [hit.date.day for hit in hits if hit.date]
    assert days == sorted(days)
    assert {hit.organisation_id for hit in hits} == {body.id for body in query.organisations}
    assert results[0].total == Total(len(wanted), Certainty.EXACT)


@pytest.mark.parametrize("kind", sorted(connector().capabilities.kinds))
async def test_a_kind_finds_all_of_that_kind_and_nothing_else(ask: StandInAsk, kind: Kind) -> None:
    """Narrowing over there must not hide a hit whose kind we derive ourselves."""
    everywhere = [
        hit
        for result in await everything(Query(date_from=date(1900, 1, 1)), ask)
        for hit in result.hits
        if hit.kind is kind
    ]
    results = await everything(Query(kinds=frozenset({kind})), ask)
    found = [hit for result in results for hit in result.hits]
    assert {hit.upstream_id for hit in found} == {hit.upstream_id for hit in everywhere}
    assert len(found) == len({hit.upstream_id for hit in found})


async def test_the_whole_collection_can_be_paged_without_doubles(ask: StandInAsk) -> None:
    results = await everything(Query(date_from=date(1900, 1, 1)), ask)
    seen = [hit.upstream_id for result in results for hit in result.hits]
    assert sorted(seen) == sorted(item.identifier for item in items())


async def test_an_id_as_a_question_is_found(ask: StandInAsk) -> None:
    result = await connector().search(Query(text=SearchText((Term(("stb", "2018", "84"), phrase=True),))), ask)
    assert [hit.upstream_id for hit in result.hits] == ["stb-2018-84"]


async def test_a_title_that_was_escaped_twice_reads_as_it_was_meant(ask: StandInAsk) -> None:
    document = await connector().document("gmb-2015-9900009", ask)
    assert document.title == "Beleidsregel duurzame energie Utrecht 2015 & omgeving"


async def test_the_check_is_content(ask: StandInAsk) -> None:
    assert [result.ok for result in await connector().check(ask)] == [True, True, True, True]
