"""A question put to the stand-in by the connector, to the document and back."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from connectors.council_papers import council_papers, oddities
from connectors.council_papers.bodies import Supplier
from connectors.open_raadsinformatie.standin import OpenRaadsinformatieStandIn
from connectors.open_raadsinformatie.standin_records import written
from connectors.open_raadsinformatie.standin_search import archive
from connectors.openbesluitvorming.standin_entities import sort_moment, stamp
from connectors.records import Certainty, Document, Filter, Kind, NoteCode, Sort, TextForm, TextState
from tests.connectors.open_raadsinformatie.support import CONNECTOR, PAGES, asking, query

pytestmark = pytest.mark.anyio
ASK = asking()


@pytest.mark.parametrize(
    "word", ["subsidie", "energie", "klimaat", "vergunning", "warmtenet", "begroting", "Begroting"]
)
async def test_what_is_asked_most_is_found_and_opens_in_full_text(word: str) -> None:
    result = await CONNECTOR.search(query(word), ASK)
    paper = next(hit for hit in result.hits if hit.kind_at_source == "MediaObject")
    found = await CONNECTOR.document(paper.upstream_id, ASK)
    assert (found.title, found.text_state) == (paper.title, TextState.FULL)
    whole = " ".join(passage.text for passage in found.passages) + found.title
    assert word.lower() in whole.lower()
    assert found.address == f"{PAGES}/document/open-raadsinformatie/{paper.upstream_id}"


async def test_every_hit_opens_and_so_does_everything_it_leads_to() -> None:
    result = await CONNECTOR.search(query("warmtenet", organisations=("gemeente-ede",)), ASK)
    assert len(result.hits) > 5
    for hit in result.hits:
        found = await CONNECTOR.document(hit.upstream_id, ASK)
        assert found.title == hit.title
        for link in found.related:
            assert link.upstream_id is not None
            assert (await CONNECTOR.document(link.upstream_id, ASK)).title == link.title


async def test_a_hit_opens_at_the_page_on_which_the_words_stand() -> None:
    result = await CONNECTOR.search(query("klimaat"), ASK)
    pages = [hit for hit in result.hits if hit.page]
    assert pages
    for hit in pages[:5]:
        found = await CONNECTOR.document(hit.upstream_id, ASK)
        text = next(passage.text for passage in found.passages if passage.number == hit.page)
        assert "klimaat" in text.lower()
        assert "klimaat" in hit.snippet.lower()
        assert "<em>" not in hit.snippet


async def test_one_meeting_is_an_hour_apart_in_the_two_platforms_and_begins_at_one_time_here() -> None:
    """Field report 10: the importer of iBabs labels Dutch clock time as UTC; we show the time on the clock."""
    meeting = next(
        m
        for m in council_papers().meetings
        if m.body.key == "soest" and m.body.supplier is Supplier.IBABS and m.start.month in {11, 12, 1, 2}
    )
    there, here = stamp(sort_moment(meeting) or meeting.start), written(meeting.body, meeting.start)
    assert int(here[11:13]) - int(there[11:13]) == 1
    identifier = f"ori_soest:{archive(PAGES).number(meeting.body, 'meeting', meeting.native)}"
    found = await CONNECTOR.document(identifier, ASK)
    assert found.dates[0].at == meeting.start


async def test_the_night_meeting_of_rotterdam_belongs_to_its_own_day() -> None:
    """Field report 10."""
    day = date(2024, 11, 8)
    for first, last, is_in in ((day, day, True), (day - timedelta(days=1), day - timedelta(days=1), False)):
        asked = query(
            organisations=("gemeente-rotterdam",), date_from=first, date_until=last, kinds=frozenset({Kind.VERGADERING})
        )
        result = await CONNECTOR.search(asked, ASK)
        assert any(hit.title.startswith("Voortzetting begrotingsraad") for hit in result.hits) is is_in


@pytest.mark.parametrize("year", [2016, 2020, 2024])
async def test_a_period_holds_what_is_dated_in_it_and_nothing_else(year: int) -> None:
    """Field report 1."""
    everything = await every_page(sort=Sort.OLDEST)
    asked = await every_page(sort=Sort.OLDEST, date_from=date(year, 1, 1), date_until=date(year, 12, 31))
    wanted = {hit for hit, day in everything.items() if day is not None and day.year == year}
    assert set(asked) == wanted
    assert wanted


async def every_page(
    sort: Sort, date_from: date | None = None, date_until: date | None = None
) -> dict[str, date | None]:
    found: dict[str, date | None] = {}
    for number in range(1, 60):
        result = await CONNECTOR.search(
            query("raad", number=number, sort=sort, date_from=date_from, date_until=date_until), ASK
        )
        found |= {hit.upstream_id: hit.date.day if hit.date else None for hit in result.hits}
        if not result.has_more:
            return found
    raise AssertionError


async def test_motions_are_found_in_registers_and_among_the_files() -> None:
    result = await CONNECTOR.search(query("motie", kinds=frozenset({Kind.MOTIE})), ASK)
    assert {hit.kind for hit in result.hits} == {Kind.MOTIE}
    assert {hit.kind_at_source for hit in result.hits} == {"Moties", "MediaObject"}


async def test_several_bodies_are_one_call_and_every_hit_is_of_one_of_them() -> None:
    asked = ("gemeente-ede", "provincie-overijssel", "waterschap-de-dommel")
    result = await CONNECTOR.search(query("subsidie", organisations=asked), ASK)
    assert {hit.organisation_id for hit in result.hits} <= set(asked)
    assert result.total.certainty is Certainty.EXACT


async def test_pages_beyond_reach_say_so() -> None:
    ask = asking(OpenRaadsinformatieStandIn(PAGES, counted=20))
    result = await CONNECTOR.search(query("raad"), ask)
    assert (result.total.value, result.total.certainty, result.has_more) == (20, Certainty.AT_LEAST, True)
    beyond = await CONNECTOR.search(query("raad", number=401), ask)
    assert [note.code for note in beyond.notes] == [NoteCode.BEYOND_REACH]


async def test_one_file_discussed_twice_is_one_hit() -> None:
    twice = next(paper for paper in council_papers().papers if len(paper.meetings) > 1)
    result = await CONNECTOR.search(query(*twice.title.split(), organisations=("gemeente-utrecht",)), ASK)
    assert len([hit for hit in result.hits if hit.title == twice.title and hit.kind_at_source == "MediaObject"]) == 1


async def opened(body: str, native: str) -> Document:
    paper = next(paper for paper in council_papers().papers if paper.native == native)
    return await CONNECTOR.document(f"{body}:{archive(PAGES).number(paper.body, 'file', native)}", ASK)


async def test_the_odd_papers_are_read_as_what_they_are() -> None:
    """Field reports 12, 22, 23 and 24."""
    undated = await opened("ori_baarn", oddities.UNDATED)
    assert undated.dates == ()
    large = await opened("ori_alkmaar", oddities.LARGE_REPORT)
    assert (large.text_state, len(large.passages)) == (TextState.PARTIAL, 100)
    scan = await opened("ori_alkmaar", oddities.SPACED_APART)
    assert {passage.form for passage in scan.passages} == {TextForm.MARKDOWN}
    slides = await opened("ori_texel", oddities.OFFICE_FILE)
    assert slides.text_state is TextState.NONE
    decoded = await opened("ori_ede", oddities.ESCAPED_TWICE)
    assert decoded.title == "Notitie kosten & baten"


@pytest.mark.parametrize(
    "word", ["14:30", "kosten/baten", "a+b", "\\", "(", '"', "[x", "coördinatie", "🏠", "*", "~10", "x" * 500]
)
async def test_ordinary_punctuation_crashes_nothing(word: str) -> None:
    """Field report 5."""
    assert (await CONNECTOR.search(query(word), ASK)).total.value is not None


async def test_lists_and_load_status_come_from_the_platform() -> None:
    lists = await CONNECTOR.lists(ASK)
    assert len(lists.organisations) == 330
    values = dict(lists.values)
    assert {item.name for item in values["registers"]} == {"Moties", "Amendementen"}
    assert "Commissie Voorbereiding" in {item.name for item in values["commissies"]}
    assert "Groen Geluid" in {item.name for item in values["fracties"]}
    persons = values["personen"]
    assert {item.name for item in persons} == {"Proefpersoon, Raadslid (Raadslid)", "Proefpersoon, Griffier (Griffier)"}
    assert 1 < len({item.parent for item in persons}) < len({item.parent for item in values["commissies"]})
    states = {state.key: state for state in (await CONNECTOR.load_status(ASK)).organisations}
    assert (states["ori_ede"].documents or 0) > 50
    assert states["ori_aalsmeer"].documents is None


async def test_a_check_of_the_stand_in_is_green() -> None:
    assert all(found.ok for found in await CONNECTOR.check(ASK))


def test_what_it_says_it_can_it_does() -> None:
    capabilities = CONNECTOR.capabilities
    assert capabilities.filters | capabilities.own_filters == frozenset(Filter)
    assert capabilities.load_status
