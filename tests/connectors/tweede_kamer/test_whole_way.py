"""The connector against the stand-in, in both versions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from connectors.calls import Answer, Call
from connectors.exceptions import WithdrawnError
from connectors.records import Certainty, Kind, NoteCode, Query, Sort, TextState
from connectors.tweede_kamer.ids import canonical
from connectors.tweede_kamer.versions import V4, V5, Version
from tests.connectors.tweede_kamer.helpers import StandInAsk, connector, facts, words
from tests.support.asking import asking

pytestmark = pytest.mark.anyio
MEETING = "vergadering:462144d8-9742-4baa-bf07-4523b849e6eb"


@pytest.fixture(scope="module")
def ask() -> Iterator[StandInAsk]:
    asking = StandInAsk()
    with asking.client:
        yield asking


@pytest.mark.parametrize("version", [V5, V4], ids=lambda version: version.name)
@pytest.mark.parametrize("word", ["subsidie", "vergunning", "energie", "klimaat"])
async def test_a_question_finds_hits_and_each_opens(ask: StandInAsk, word: str, version: Version) -> None:
    """Field report 43."""
    held = connector(version)
    result = await held.search(words(word), ask)
    assert result.total.certainty is Certainty.EXACT
    assert result.total.value is not None
    assert result.total.value >= len(result.hits) >= 10
    assert all(word in f"{hit.title} {hit.snippet}".lower() for hit in result.hits)
    for hit in result.hits:
        document = await held.document(hit.upstream_id, ask)
        assert canonical(hit.upstream_id) == document.upstream_id == hit.upstream_id
        assert (document.title, document.kind, document.kind_at_source) == (hit.title, hit.kind, hit.kind_at_source)
        assert document.kind_at_source
        assert document.dates[0] == hit.date
        assert document.passages or document.notes
        for related in document.related:
            assert related.address or related.upstream_id
            if related.upstream_id is not None:
                opened = await held.document(related.upstream_id, ask)
                assert opened.upstream_id == related.upstream_id


async def test_both_versions_give_the_same_hits(ask: StandInAsk) -> None:
    """Field report 35."""
    query = words("motie", kinds=frozenset({Kind.MOTIE}), sort=Sort.NEWEST)
    one, other = [await connector(version).search(query, ask) for version in (V5, V4)]
    assert [hit.id for hit in one.hits] == [hit.id for hit in other.hits]
    assert one.total == other.total


@pytest.mark.parametrize(
    "kind",
    sorted(
        {
            Kind.MOTIE,
            Kind.BRIEF,
            Kind.VRAAG,
            Kind.ANTWOORD,
            Kind.AGENDA,
            Kind.DOCUMENT,
            Kind.WET,
            Kind.BESLUIT,
            Kind.VERSLAG,
            Kind.VERGADERING,
            Kind.TOEZEGGING,
        }
    ),
)
async def test_a_choice_of_kind_gives_hits_of_that_kind_only(ask: StandInAsk, kind: Kind) -> None:
    result = await connector().search(Query(kinds=frozenset({kind})), ask)
    assert result.hits
    assert {hit.kind for hit in result.hits} == {kind}


async def test_paging_gives_every_hit_once_in_the_asked_order(ask: StandInAsk) -> None:
    seen: list[str] = []
    days: list[date] = []
    for page in range(1, 100):
        query = words("motie", kinds=frozenset({Kind.MOTIE}), sort=Sort.OLDEST, page=page)
        result = await connector().search(query, ask)
        seen += [hit.id for hit in result.hits]
        days += [hit.date.day for hit in result.hits if hit.date]
        if not result.has_more:
            break
    assert len(seen) == len(set(seen)) == result.total.value
    assert days == sorted(days)


async def test_a_period_is_by_the_shown_day(ask: StandInAsk) -> None:
    """Field report 10."""
    day = date(2025, 10, 2)
    result = await connector().search(words("motie", date_from=day, date_until=day), ask)
    assert result.hits
    assert {hit.date.day for hit in result.hits if hit.date} == {day}
    before = await connector().search(words("motie", date_until=date(2025, 10, 1)), ask)
    assert all(hit.date and hit.date.day < day for hit in before.hits)


async def test_a_voted_motion_opens_with_its_votes(ask: StandInAsk) -> None:
    """Field report 27."""
    document = await connector().document("2022Z06955", ask)
    assert document.votes is not None
    assert (document.votes.result, document.votes.in_favour, document.votes.against) == ("verworpen", 24, 100)
    assert facts(document)["Niet deelgenomen"].count(";") == 25
    paper = next(related for related in document.related if related.relation == "Stuk")
    opened = await connector().document(paper.upstream_id or "", ask)
    assert opened.votes == document.votes


async def test_a_report_is_read_from_the_newest_edition_that_is_there(ask: StandInAsk) -> None:
    document = await connector().document(MEETING, ask)
    assert (document.text_state, document.kind) == (TextState.FULL, Kind.VERSLAG)
    assert facts(document)["Status van het verslag"] == "Ongecorrigeerd"
    assert len(document.passages) > 10


async def test_the_odd_documents_say_what_is_odd(ask: StandInAsk) -> None:
    """Field reports 22 and 24."""
    found = {
        number: await connector().document(number, ask)
        for number in ("2025D90001", "2025D90002", "2025D90003", "2025D90004")
    }
    assert [note.code for note in found["2025D90001"].notes] == [NoteCode.PAGES_READ_BY_US]
    assert [note.code for note in found["2025D90002"].notes] == [NoteCode.NO_TEXT_LAYER]
    assert found["2025D90003"].passages[0].heading.startswith("Dit bestand is gemaakt")
    assert [note.code for note in found["2025D90004"].notes] == [NoteCode.WITHOUT_TEXT]
    assert all(document.address.startswith("http://127.0.0.1:2/document/tweede-kamer/") for document in found.values())
    assert all(document.original is None for document in found.values())


async def test_what_was_deleted_is_gone_and_in_no_answer(ask: StandInAsk) -> None:
    """Field report 19."""
    with pytest.raises(WithdrawnError):
        await connector().document("document:00000000-0000-4000-8000-000000000105", ask)
    result = await connector().search(Query(sort=Sort.NEWEST), ask)
    assert all("0000000105" not in hit.upstream_id for hit in result.hits)
    assert NoteCode.ROWS_SKIPPED not in [note.code for note in result.notes]


async def test_the_check_is_content_and_the_lists_are_read(ask: StandInAsk) -> None:
    for version in (V5, V4):
        results = await connector(version).check(ask)
        assert [result.ok for result in results] == [True, True, True]

    async def moved(call: Call) -> Answer:
        """The address of v4 has become that of v5."""
        return ask.send(replace(call, path=call.path.replace(V4.path, V5.path)))

    assert (await connector(V4).check(asking(moved)))[0].ok is False
    lists = dict((await connector().lists(ask)).values)
    assert len(lists["fracties"]) == 11
    assert any(item.name.startswith("Democraten 66 (D66), sinds") for item in lists["fracties"])
    assert any(" tot " in item.name for item in lists["commissies"])
