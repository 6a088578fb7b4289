"""A question put to the stand-in by the connector, to the document and back."""

from __future__ import annotations

from datetime import date

import pytest
from starlette.testclient import TestClient

from connectors.calls import Answer, Ask, Call
from connectors.council_papers import council_papers, oddities
from connectors.council_papers.originals import original_address
from connectors.open_archivaris.standin_items import Archive, identifier
from connectors.open_raadsinformatie.connector import OpenRaadsinformatie
from connectors.open_raadsinformatie.standin import OpenRaadsinformatieStandIn
from connectors.open_raadsinformatie.standin_records import alias_of
from connectors.open_raadsinformatie.standin_search import archive as other_archive
from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.openbesluitvorming.standin import OpenBesluitvormingStandIn
from connectors.openbesluitvorming.standin_entities import identifier as entity_identifier
from connectors.records import Certainty, Document, Filter, Kind, NoteCode, Sort, TextState
from connectors.standins import StandIn, StandIns
from tests.connectors.open_archivaris.support import CONNECTOR, FETCHED, PAGES, STAND_INS, asking, query
from tests.support.asking import asking as asking_by

pytestmark = pytest.mark.anyio
ASK = asking()
ARCHIVE = Archive(PAGES)


@pytest.mark.parametrize("word", ["subsidie", "energie", "klimaat", "warmtenet", "begroting", "Begroting"])
async def test_what_is_asked_most_is_found_and_opens_in_full_text(word: str) -> None:
    result = await CONNECTOR.search(query(word), ASK)
    assert result.total.certainty is Certainty.EXACT
    first = result.hits[0]
    found = await CONNECTOR.document(first.upstream_id, ASK)
    assert (found.title, found.text_state) == (first.title, TextState.FULL)
    whole = " ".join([found.title, *(passage.text for passage in found.passages)])
    assert word.lower() in whole.lower()
    assert found.address == first.address
    assert len(whole) > 1000


async def test_every_item_is_found_once_and_its_id_opens_it_in_every_spelling() -> None:
    """Field report 43."""
    seen: dict[str, str] = {}
    number, more = 1, True
    while more:
        result = await CONNECTOR.search(query("raad", sort=Sort.OLDEST, number=number), ASK)
        seen |= {hit.upstream_id: hit.title for hit in result.hits}
        number, more = number + 1, result.has_more
    assert len(seen) == result.total.value
    for upstream_id, kept in ARCHIVE.by_id.items():
        assert CONNECTOR.canonical_id(upstream_id.upper()) == upstream_id
        assert (await CONNECTOR.document(upstream_id, ASK)).title == kept.title


async def test_a_hit_tells_how_much_of_a_report_of_908_pages_was_searched() -> None:
    """Field report 22."""
    result = await CONNECTOR.search(query("Milieueffectrapport"), ASK)
    (hit,) = (hit for hit in result.hits if hit.pages_in_all == 908)
    assert hit.pages_searched == 40
    found = await CONNECTOR.document(hit.upstream_id, ASK)
    assert (found.text_state, len(found.passages)) == (TextState.PARTIAL, 40)
    assert [(note.code, note.values) for note in found.notes] == [(NoteCode.PAGES_READ, ("40", "908"))]


async def opened(native: str) -> Document:
    paper = next(paper for paper in council_papers().papers if paper.native == native)
    return await CONNECTOR.document(identifier(2012, paper), ASK)


async def test_the_odd_papers_are_read_as_what_they_are() -> None:
    """Field reports 12, 23 and 24."""
    assert (await opened(oddities.UNDATED)).dates == ()
    slides = await opened(oddities.OFFICE_FILE)
    assert [note.code for note in slides.notes] == [NoteCode.WITHOUT_TEXT]
    (scan,) = (kept.id for kept in ARCHIVE.by_id.values() if kept.texts and not any(kept.texts))
    found = await CONNECTOR.document(scan, ASK)
    assert (found.text_state, [note.code for note in found.notes]) == (TextState.NONE, [NoteCode.NO_TEXT_LAYER])
    assert (await opened(oddities.ESCAPED_TWICE)).title == "Notitie kosten & baten"


@pytest.mark.parametrize("year", [2014, 2018, 2022, 2024])
async def test_a_period_holds_what_is_dated_in_it_and_nothing_else(year: int) -> None:
    """Field reports 1 and 11."""
    wanted = {kept.id for kept in ARCHIVE.by_id.values() if kept.created and kept.created.year == year}
    found: set[str] = set()
    number, more = 1, True
    while more:
        asked = query(date_from=date(year, 1, 1), date_until=date(year, 12, 31), number=number)
        result = await CONNECTOR.search(asked, ASK)
        assert result.total.certainty is Certainty.EXACT
        found |= {hit.upstream_id for hit in result.hits}
        number, more = number + 1, result.has_more
    assert found == wanted != set()


@pytest.mark.parametrize("body", ["gemeente-boxmeer", "gemeente-weesp", "waterschap-aa-en-maas", "provincie-flevoland"])
async def test_every_hit_of_one_body_is_of_that_body(body: str) -> None:
    """Field reports 13 and 14."""
    result = await CONNECTOR.search(query(organisations=(body,)), ASK)
    assert {hit.organisation_id for hit in result.hits} == {body}
    assert result.total.value == sum(kept.code == CODES[body] for kept in ARCHIVE.by_id.values())


CODES = {body.id: body.key_at("open-archivaris") for body in CONNECTOR.organisations()}


async def test_motions_are_chosen_by_us_and_none_of_a_page_is_hidden() -> None:
    every = await CONNECTOR.search(query("motie", kinds=frozenset({Kind.MOTIE})), ASK)
    assert every.hits
    assert {hit.kind for hit in every.hits} == {Kind.MOTIE}
    assert every.total.certainty is Certainty.AT_LEAST


@pytest.mark.parametrize("word", ["14:30", "kosten/baten", "a+b", "pad\\", '"', "coördinatie", "*", "~10", "x" * 500])
async def test_ordinary_punctuation_crashes_nothing(word: str) -> None:
    """Field report 5."""
    assert (await CONNECTOR.search(query(word, organisations=("gemeente-ede",)), ASK)).total.value is not None


async def test_a_check_of_the_stand_in_is_green_and_its_state_names_every_body() -> None:
    assert [result.ok for result in await CONNECTOR.check(ASK)] == [True, True, True]
    status = await CONNECTOR.load_status(ASK)
    assert {one.label for one in status.organisations if one.last_success is None} == {"Gemeente Dongen"}
    assert len((await CONNECTOR.lists(ASK)).organisations) == len(status.organisations) == 30


def other_asking(stand_in: StandIn, prefix: str) -> Ask:
    served = TestClient(StandIns([stand_in]))

    async def respond(call: Call) -> Answer:
        found = served.request(
            call.method, f"{prefix}{call.path}", params=list(call.params), content=call.body, headers=dict(call.headers)
        )
        headers = {name.lower(): value for name, value in found.headers.items()}
        return Answer(status=found.status_code, headers=headers, body=found.content, fetched_at=FETCHED)

    return asking_by(respond)


async def test_one_document_stands_on_three_platforms_at_one_original_address() -> None:
    paper = next(
        paper
        for paper in council_papers().papers
        if paper.body.key == "ede"
        and identifier(2012, paper) in ARCHIVE.by_id
        and paper.date
        and paper.date.year < 2026
    )
    here = await CONNECTOR.document(identifier(2012, paper), ASK)
    there = await OpenBesluitvorming(STAND_INS).document(
        entity_identifier("document", paper.body, paper.native),
        other_asking(OpenBesluitvormingStandIn(PAGES), "/openbesluitvorming/api"),
    )
    number = other_archive(PAGES).number(paper.body, "file", paper.native)
    elsewhere = await OpenRaadsinformatie(STAND_INS).document(
        f"{alias_of(paper.body)}:{number}",
        other_asking(OpenRaadsinformatieStandIn(PAGES), "/open-raadsinformatie/zoeken"),
    )
    assert here.title == there.title == elsewhere.title == paper.title
    assert here.original == there.original == elsewhere.original == original_address(paper, PAGES)
    assert {here.organisation_id, there.organisation_id, elsewhere.organisation_id} == {"gemeente-ede"}


def test_most_papers_stand_on_all_three() -> None:
    originals = {kept.original for kept in ARCHIVE.by_id.values()}
    elsewhere = {
        stored.source["original_url"] for stored in other_archive(PAGES).records if "original_url" in stored.source
    }
    assert len(originals & elsewhere) > 100


def test_what_it_says_it_can_it_does() -> None:
    capabilities = CONNECTOR.capabilities
    assert capabilities.filters | capabilities.own_filters == frozenset(Filter)
    assert not capabilities.phrases
    assert capabilities.load_status
