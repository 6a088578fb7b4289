"""The connector against the stand-in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from connectors.exceptions import GoneError
from connectors.opentk.ids import canonical
from connectors.opentk.standin_items import WITHDRAWN
from connectors.records import Certainty, DateMeaning, Kind, Note, NoteCode, Sort, TextState, Total
from tests.connectors.opentk.helpers import StandInAsk, connector, facts, words

pytestmark = pytest.mark.anyio
REPORT = "verslag:462144d8-9742-4baa-bf07-4523b849e6eb"


@pytest.fixture(scope="module")
def ask() -> Iterator[StandInAsk]:
    asking = StandInAsk()
    with asking.client:
        yield asking


@pytest.mark.parametrize("word", ["subsidie", "vergunning", "energie", "klimaat"])
async def test_a_question_finds_hits_and_each_opens_with_what_is_related_to_it(ask: StandInAsk, word: str) -> None:
    """Field report 43."""
    held = connector()
    result = await held.search(words(word), ask)
    assert result.total.certainty is Certainty.EXACT
    assert result.total.value is not None
    assert result.total.value >= len(result.hits) >= 5
    with_text = 0
    for hit in result.hits:
        assert word in f"{hit.title} {hit.snippet}".lower()
        document = await held.document(hit.upstream_id, ask)
        assert canonical(hit.upstream_id) == document.upstream_id == hit.upstream_id
        assert document.kind_at_source
        assert document.passages or document.notes
        assert document.dates[0].day
        with_text += document.text_state is TextState.FULL
        for related in document.related:
            assert related.address or related.upstream_id
            if related.upstream_id is not None:
                opened = await held.document(related.upstream_id, ask)
                assert opened.upstream_id == related.upstream_id
    assert with_text >= 3


async def test_a_kind_that_follows_from_the_title_is_never_another_than_the_page_says(ask: StandInAsk) -> None:
    held = connector()
    result = await held.search(words("onderwijs"), ask)
    for hit in result.hits:
        document = await held.document(hit.upstream_id, ask)
        assert hit.kind in {document.kind, Kind.DOCUMENT}


async def test_paging_gives_every_hit_once_and_says_where_it_ends(ask: StandInAsk) -> None:
    """Field report 2."""
    seen: list[str] = []
    for page in range(1, 50):
        result = await connector().search(words("motie", page=page), ask)
        seen += [hit.id for hit in result.hits]
        assert result.total == Total(280, Certainty.AT_LEAST)
        if not result.has_more:
            break
    assert len(seen) == len(set(seen)) == 280
    assert result.notes[-1].code is NoteCode.BEYOND_REACH
    behind = await connector().search(words("motie", page=13), ask)
    assert (behind.hits, behind.total.certainty) == ((), Certainty.UNKNOWN)


@pytest.mark.parametrize(
    "kind", sorted({Kind.MOTIE, Kind.ANTWOORD, Kind.VRAAG, Kind.VERGADERING, Kind.DOCUMENT, Kind.AGENDA})
)
async def test_a_choice_of_kind_gives_hits_of_that_kind_only(ask: StandInAsk, kind: Kind) -> None:
    result = await connector().search(
        words("commissie" if kind is Kind.AGENDA else "vragen", kinds=frozenset({kind})), ask
    )
    assert result.hits
    assert {hit.kind for hit in result.hits} == {kind}
    assert Note(NoteCode.FILTERED_BY_US, ("soort",)) in result.notes


async def test_questions_are_found_although_their_titles_do_not_say_so(ask: StandInAsk) -> None:
    result = await connector().search(words("vervoerskosten", kinds=frozenset({Kind.VRAAG})), ask)
    assert len(result.hits) == 1
    document = await connector().document(result.hits[0].upstream_id, ask)
    assert (document.kind, document.kind_at_source) == (Kind.VRAAG, "Schriftelijke vragen")


async def test_a_period_is_by_the_shown_day(ask: StandInAsk) -> None:
    """Field report 10."""
    day = date(2025, 10, 2)
    result = await connector().search(words("energie", date_from=day, date_until=day, sort=Sort.NEWEST), ask)
    assert result.hits
    assert {hit.date.day for hit in result.hits if hit.date} == {day}
    assert result.total.certainty is Certainty.EXACT


async def test_a_roll_call_stands_with_the_motion_itself(ask: StandInAsk) -> None:
    """Field report 27."""
    case = await connector().document("2022Z06955", ask)
    assert case.votes is not None
    assert (case.votes.result, case.votes.in_favour, case.votes.against) == ("verworpen", 24, 100)
    assert facts(case)["Niet deelgenomen"].count(";") == 25
    paper = next(related for related in case.related if related.relation == "Stuk")
    opened = await connector().document(paper.upstream_id or "", ask)
    assert (opened.votes, opened.kind) == (case.votes, Kind.MOTIE)
    assert case.text_state is TextState.FULL


async def test_a_report_opens_with_the_words_that_were_spoken(ask: StandInAsk) -> None:
    document = await connector().document(REPORT, ask)
    assert (document.kind, document.text_state) == (Kind.VERSLAG, TextState.FULL)
    assert len(document.passages) == 7
    assert facts(document)["Status van het verslag"] == "Ongecorrigeerd"
    assert document.dates[0].meaning is DateMeaning.MEETING


async def test_the_odd_papers_say_what_is_odd(ask: StandInAsk) -> None:
    """Field reports 22 and 24."""
    long, scan, word, gone = [
        await connector().document(number, ask) for number in ("2025D90001", "2025D90002", "2025D90003", "2025D90004")
    ]
    assert (len(long.passages), long.passages[-1].number, long.passages[-1].is_page) == (908, 908, True)
    assert [note.code for note in scan.notes] == [NoteCode.NO_TEXT_LAYER]
    assert word.text_state is TextState.FULL
    assert [note.code for note in gone.notes] == [NoteCode.WITHOUT_TEXT]
    for document in (long, scan, word, gone):
        assert document.address.startswith("http://127.0.0.1:2/document/opentk/")
        assert document.original is None


async def test_what_was_withdrawn_is_in_no_answer(ask: StandInAsk) -> None:
    """Field report 19."""
    result = await connector().search(words("ingetrokken"), ask)
    assert WITHDRAWN not in {hit.upstream_id for hit in result.hits}
    with pytest.raises(GoneError):
        await connector().document(WITHDRAWN, ask)


@pytest.mark.parametrize(
    "upstream_id",
    [
        "2026D99999",
        "2026Z99999",
        "2026A99999",
        "TZ202601-001",
        "verslag:00000000-0000-4000-8000-000000000000",
        "oo:oep-99999999999999999999999999999999",
        "geschenk:9001:00000000-0000-4000-8000-000000000000",
        "geschenk:9002:00000000-0000-4000-8000-000000000000",
    ],
)
async def test_what_is_not_there_is_gone_also_where_the_platform_answers_200(ask: StandInAsk, upstream_id: str) -> None:
    """Field report 20."""
    with pytest.raises(GoneError):
        await connector().document(upstream_id, ask)


async def test_the_check_is_content_and_lists_and_status_are_read(ask: StandInAsk) -> None:
    results = await connector().check(ask)
    assert [(one.name, one.ok, one.seen) for one in results if not one.ok] == []
    lists = dict((await connector().lists(ask)).values)
    assert len(lists["fracties"]) >= 11
    assert any(item.name == "D66" for item in lists["fracties"])
    assert len(lists["kamerleden"]) == 22
    assert all(item.parent for item in lists["kamerleden"])
    assert any(item.name.endswith(", slapend") for item in lists["commissies"])
    assert any(item.identifier == "21501-33" for item in lists["kamerstukdossiers"])
    status = await connector().load_status(ask)
    assert [state.key for state in (*status.organisations, *status.suppliers)] == ["tkconv", "tkgetxml"]
