"""Where pages begin and end, and what is said of totals: nothing is skipped in silence, and no number is claimed unseen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from connectors import moments
from connectors.calls import Answer
from connectors.rechtspraak import standin_website
from connectors.rechtspraak.results import MOST_CALLS
from connectors.records import Certainty, Kind, Note, NoteCode, Query, SearchResult, SearchText, Total
from tests.connectors.rechtspraak.helpers import FETCHED, Script, StandInAsk, answer, connector, sample, words

pytestmark = pytest.mark.anyio
RULINGS = frozenset({Kind.UITSPRAAK})
UNKNOWN = Total(None, Certainty.UNKNOWN)
PAST_END = sample("zoeken-page-past-end.recorded.xml")


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "now", lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))


@pytest.fixture
def ask() -> Iterator[StandInAsk]:
    asking = StandInAsk()
    with asking.client:
        yield asking


def _page(total: int, count: int, start: int = 0) -> Answer:
    rows = [
        {"TitelEmphasis": f"ECLI:NL:HR:2020:{number}", "GerechtelijkProductType": "uitspraak"}
        for number in range(start, start + count)
    ]
    body = json.dumps({"Results": rows, "ResultCount": total, "FacetCounts": {}}).encode()
    return Answer(status=200, headers={"content-type": "application/json"}, body=body, fetched_at=FETCHED)


def _asked(ask: Script | StandInAsk) -> list[tuple[int, int]]:
    bodies = [json.loads(call.body or b"") for call in ask.calls]
    return [(body["StartRow"], body["PageSize"]) for body in bodies]


async def test_a_total_without_hits_is_said_and_not_believed() -> None:
    """Field reports 1 and 2."""
    for query in (words("test"), words("test", kinds=RULINGS)):
        result = await connector().search(query, Script(_page(31, 0)))
        assert (result.hits, result.total, result.has_more) == ((), UNKNOWN, False)
        assert result.notes[-1] == Note(NoteCode.TOTAL_WITHOUT_HITS, ("31",))
    feed = await connector().search(Query(date_until=date(2020, 1, 1)), Script(answer(PAST_END)))
    assert (feed.hits, feed.total, feed.has_more) == ((), UNKNOWN, False)
    assert feed.notes == (Note(NoteCode.TOTAL_WITHOUT_HITS, ("3199182",)),)


async def test_a_page_past_the_end_says_that_it_goes_no_further_and_keeps_the_total() -> None:
    result = await connector().search(words("test", page=3), Script(_page(31, 0)))
    assert (result.hits, result.total, result.has_more) == ((), Total(31, Certainty.EXACT), False)
    assert result.notes == (Note(NoteCode.BEYOND_REACH),)
    filtered = await connector().search(words("test", kinds=RULINGS, page=3), Script(_page(31, 0)))
    assert (filtered.total, filtered.notes[-1]) == (UNKNOWN, Note(NoteCode.BEYOND_REACH))
    three = PAST_END.replace(b"3199182", b"3")
    feed = await connector().search(Query(date_until=date(2020, 1, 1), page=2), Script(answer(three)))
    assert (feed.total, feed.notes) == (Total(3, Certainty.EXACT), (Note(NoteCode.BEYOND_REACH),))


async def test_pages_that_end_before_their_total_say_so_and_the_total_is_not_believed() -> None:
    """Field report 2."""
    for ask, page, hits in (
        (Script(_page(143, 0)), 2, 0),
        (Script(_page(143, 20), _page(143, 0)), 1, 20),
    ):
        result = await connector().search(words("test", page=page), ask)
        assert (len(result.hits), result.total, result.has_more) == (hits, UNKNOWN, False)
        assert result.notes == (Note(NoteCode.BEYOND_REACH),)
    feed = await connector().search(Query(date_until=date(2020, 1, 1), page=2), Script(answer(PAST_END)))
    assert (feed.total, feed.notes) == (UNKNOWN, (Note(NoteCode.BEYOND_REACH),))


async def test_a_second_page_of_one_decision_lies_past_the_end() -> None:
    ask = Script(answer(sample("content/ECLI_NL_PHR_2011_BP5608.xml")))
    result = await connector().search(Query(text=SearchText(ecli="ECLI:NL:PHR:2011:BP5608"), page=2), ask)
    assert (result.hits, result.total) == ((), Total(1, Certainty.EXACT))
    assert result.notes == (Note(NoteCode.LOOKED_UP), Note(NoteCode.BEYOND_REACH))


async def test_no_results_are_none_also_with_a_filter_of_ours() -> None:
    for page in (1, 2):
        result = await connector().search(words("test", kinds=RULINGS, page=page), Script(_page(0, 0)))
        assert (result.total, result.notes) == (
            Total(0, Certainty.EXACT),
            (Note(NoteCode.FILTERED_BY_US, ("soort",)),),
        )


async def test_more_results_than_the_page_mean_more_pages() -> None:
    ask = Script(_page(25, 24))
    result = await connector().search(words("test"), ask)
    assert (len(result.hits), result.has_more, result.notes, _asked(ask)) == (24, True, (), [(0, 24)])


async def test_the_last_page_is_the_last() -> None:
    result = await connector().search(words("test", page=2), Script(_page(40, 16, 24)))
    assert (len(result.hits), result.has_more, result.notes) == (16, False, ())


async def test_a_page_that_comes_short_is_filled_from_where_it_ended() -> None:
    ask = Script(_page(143, 20), _page(143, 4, 20))
    result = await connector().search(words("test"), ask)
    assert _asked(ask) == [(0, 24), (20, 4)]
    assert (len(result.hits), result.has_more, result.notes) == (24, True, ())
    assert result.total == Total(143, Certainty.EXACT)


async def test_more_results_than_asked_for_are_left_to_the_next_page() -> None:
    first = await connector().search(words("test"), Script(_page(60, 60)))
    second = await connector().search(words("test", page=2), Script(_page(60, 36, 24)))
    shown = [hit.upstream_id for result in (first, second) for hit in result.hits]
    assert (len(shown), len(set(shown)), first.has_more) == (48, 48, True)


async def test_when_our_filters_cannot_be_given_all_they_ask_the_answer_says_that_pages_skip_results() -> None:
    ask = Script(*(_page(900, 20, 20 * n) for n in range(MOST_CALLS)))
    result = await connector().search(words("test", kinds=RULINGS), ask)
    assert _asked(ask) == [(0, 50), (20, 50), (40, 50)]
    assert (len(result.hits), result.has_more, result.total) == (60, True, Total(60, Certainty.AT_LEAST))
    assert result.notes[-1] == Note(NoteCode.SHORT_PAGES)


async def test_a_short_page_of_the_feed_is_said() -> None:
    result = await connector().search(
        Query(date_until=date(2020, 1, 1)), Script(answer(sample("zoeken-one.recorded.xml")))
    )
    assert (len(result.hits), result.has_more) == (1, True)
    assert result.notes == (Note(NoteCode.SHORT_PAGES),)


async def test_later_pages_with_a_filter_of_ours_claim_no_total() -> None:
    first = await connector().search(words("test", kinds=RULINGS), Script(_page(900, 50), _page(900, 50, 50)))
    second = await connector().search(words("test", kinds=RULINGS, page=2), Script(_page(150, 50, 100)))
    assert (first.total, second.total) == (Total(100, Certainty.AT_LEAST), UNKNOWN)
    assert second.has_more is False


async def test_a_filter_of_ours_over_everything_there_is_gives_an_exact_total() -> None:
    result = await connector().search(words("test", kinds=frozenset({Kind.CONCLUSIE})), Script(_page(7, 7)))
    assert result.total == Total(0, Certainty.EXACT)
    unreadable = _page(7, 7)
    body = unreadable.body.replace(b"ECLI:NL:HR:2020:3", b"")
    result = await connector().search(words("test", kinds=RULINGS), Script(replace(unreadable, body=body)))
    assert result.total == Total(6, Certainty.AT_LEAST)
    assert result.notes[-1] == Note(NoteCode.ROWS_SKIPPED, ("1",))


@pytest.mark.parametrize("cap", [8, 20, 24, 50])
async def test_all_results_are_met_whatever_a_platform_gives_at_a_time(
    ask: StandInAsk, monkeypatch: pytest.MonkeyPatch, cap: int
) -> None:
    monkeypatch.setattr(standin_website, "LARGEST_PAGE", cap)
    found: list[str] = []
    for page in range(1, 7):
        result = await connector().search(words("de", page=page), ask)
        found += [hit.upstream_id for hit in result.hits]
        assert result.notes == ()
    assert len(found) == len(set(found)) == result.total.value
    assert (result.total.certainty, result.has_more) == (Certainty.EXACT, False)


async def test_results_that_pages_skip_are_never_skipped_in_silence(
    ask: StandInAsk, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = [hit.upstream_id for page in (1, 2) for hit in (await _rulings(ask, page)).hits]
    monkeypatch.setattr(standin_website, "LARGEST_PAGE", 20)
    pages = [await _rulings(ask, page) for page in (1, 2)]
    assert 0 < sum(len(page.hits) for page in pages) < len(everything)
    assert [Note(NoteCode.SHORT_PAGES) in page.notes for page in pages] == [True, False]


async def _rulings(ask: StandInAsk, page: int) -> SearchResult:
    return await connector().search(words("de", kinds=RULINGS, page=page), ask)
