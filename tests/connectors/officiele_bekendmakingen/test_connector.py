"""The connector with answers given in turn: what it makes of them, and what it asks next."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from connectors.calls import Answer, Call
from connectors.exceptions import (
    ConnectorError,
    Defect,
    GoneError,
    NotAnAnswerError,
    NotSupportedError,
    OverLimitError,
    RefusedError,
    UnreachableError,
    WithdrawnError,
)
from connectors.officiele_bekendmakingen.deep import DaySearch
from connectors.officiele_bekendmakingen.elements import KEY
from connectors.officiele_bekendmakingen.requests import DEEPEST, Question
from connectors.records import Certainty, Kind, Note, NoteCode, Query, Sort, TextState, Total
from tests.connectors.officiele_bekendmakingen.helpers import Script, answer, connector, sample, words
from tests.support.asking import Asking

pytestmark = pytest.mark.anyio
HITS = "sru-search-hits.constructed.xml"


def hits(**changes: str) -> Answer:
    body = sample(HITS).decode()
    for old, new in changes.items():
        body = body.replace(f"<sru:{old}>{'1730' if old == 'numberOfRecords' else ''}", f"<sru:{old}>{new}", 1)
    return answer(body.encode())


def counted(total: int) -> Answer:
    body = sample("sru-search-count-only.constructed.xml").replace(b"103496", str(total).encode())
    return answer(body)


async def test_the_number_of_the_platform_is_an_estimate() -> None:
    """Field reports 3 and 4: the platform says itself that it estimates."""
    result = await connector().search(words("afval"), Script(hits()))
    assert result.total == Total(1730, Certainty.ESTIMATE)
    assert len(result.hits) == 6
    assert result.has_more
    assert result.notes == (Note(NoteCode.SHORT_PAGES),)


async def test_all_of_a_small_set_is_counted_exactly() -> None:
    result = await connector().search(words("afval"), Script(answer(sample("sru-search-single-id.constructed.xml"))))
    assert (result.total, result.has_more) == (Total(1, Certainty.EXACT), False)


async def test_nothing_found_is_certainly_nothing() -> None:
    result = await connector().search(words("xyzzy"), Script(answer(sample("sru-search-empty.constructed.xml"))))
    assert (result.hits, result.total, result.notes) == ((), Total(0, Certainty.EXACT), ())


async def test_a_number_without_records_is_the_platforms_fault_and_said() -> None:
    """Field report 1."""
    result = await connector().search(words("afval"), Script(counted(9933)))
    assert result.total == Total(None, Certainty.UNKNOWN)
    assert result.notes == (Note(NoteCode.TOTAL_WITHOUT_HITS, ("9933",)),)
    assert not result.has_more


async def test_a_page_behind_the_last_says_so_and_offers_no_next_one() -> None:
    """Field report 2."""
    result = await connector().search(words("afval", page=9), Script(counted(30)))
    assert (result.hits, result.has_more, result.notes) == ((), False, (Note(NoteCode.BEYOND_REACH),))
    assert result.total == Total(30, Certainty.ESTIMATE)


async def test_papers_of_another_kind_fall_out_and_the_number_is_a_lower_bound() -> None:
    result = await connector().search(words("begroting", kinds=frozenset({Kind.MOTIE})), Script(hits()))
    assert [hit.upstream_id for hit in result.hits] == ["kst-37020-IX-40"]
    assert result.total == Total(1, Certainty.AT_LEAST)
    assert result.notes[0].code is NoteCode.FILTERED_BY_US


async def test_a_period_that_ends_before_it_begins_makes_no_call() -> None:
    script = Script()
    result = await connector().search(words("afval", date_from=date(2024, 2, 1), date_until=date(2024, 1, 1)), script)
    assert (result.total, script.calls) == (Total(0, Certainty.EXACT), [])


@pytest.mark.parametrize(
    "failure", [UnreachableError("officiele-bekendmakingen", "x"), OverLimitError("officiele-bekendmakingen", 429, 3)]
)
async def test_a_failure_of_the_call_is_passed_on(failure: ConnectorError) -> None:
    with pytest.raises(type(failure)):
        await connector().search(words("afval"), Script(failure))


async def test_a_dropped_clause_is_a_failure_and_not_a_wider_answer() -> None:
    """Field report 33."""
    with pytest.raises(NotAnAnswerError) as caught:
        await connector().search(words("afval"), Script(answer(sample("sru-diagnostic-ignored-date.constructed.xml"))))
    assert (caught.value.defect, caught.value.where) == (Defect.DIAGNOSTICS, "SEARCH-IGNOREDQTEXT")


async def test_the_last_page_within_reach_offers_no_next_one() -> None:
    page = DEEPEST // 24
    result = await connector().search(words("afval", page=page), Script(hits(numberOfRecords="20000")))
    assert not result.has_more
    assert Note(NoteCode.BEYOND_REACH) in result.notes


async def test_a_deep_page_by_relevance_is_out_of_reach_without_a_call() -> None:
    script = Script()
    result = await connector().search(words("afval", page=417), script)
    assert (result.hits, result.has_more, script.calls) == ((), False, [])
    assert Note(NoteCode.BEYOND_REACH) in result.notes


class Calendar(Asking):
    """A platform with the same number of publications on each day of a period, and no place beyond 9,999."""

    def __init__(self, first: date, days: int, each: int) -> None:
        self.first = first
        self.days = days
        self.each = each
        self.calls: list[Call] = []

    async def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        params = dict(call.params)
        assert int(params["startRecord"]) + int(params["maximumRecords"]) - 1 <= DEEPEST
        low, high = self.first, self.first + timedelta(days=self.days - 1)
        for part in params["query"].split(" AND "):
            if part.startswith("dt.available>="):
                low = max(low, date.fromisoformat(part.split('"')[1]))
            if part.startswith("dt.available<="):
                high = min(high, date.fromisoformat(part.split('"')[1]))
        total = max((high - low).days + 1, 0) * self.each
        if params["maximumRecords"] == "0":
            return counted(total)
        self.total = total
        return hits(numberOfRecords=str(total))


@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
@pytest.mark.parametrize("page", [417, 1000, 40_000])
async def test_a_deep_page_in_order_of_day_is_reached_by_cutting_the_set(sort: Sort, page: int) -> None:
    platform = Calendar(date(2014, 1, 1), 4000, 300)
    result = await connector().search(words("besluit", sort=sort, page=page), platform)
    assert len(result.hits) == 6
    assert result.total == Total(1_200_000, Certainty.ESTIMATE)
    assert result.has_more
    # What was left off by the cut and the place in the rest are together the place that was asked for.
    start = int(dict(platform.calls[-1].params)["startRecord"])
    assert 1_200_000 - platform.total + start == (page - 1) * 24 + 1
    assert len(platform.calls) <= 18


async def test_a_day_with_more_than_can_be_reached_ends_the_search() -> None:
    platform = Calendar(date(2024, 1, 1), 2, 50_000)
    result = await connector().search(words("besluit", sort=Sort.NEWEST, page=1000), platform)
    assert (result.hits, result.has_more) == ((), False)
    assert Note(NoteCode.BEYOND_REACH) in result.notes


async def test_a_deep_page_behind_the_end_costs_one_count() -> None:
    platform = Calendar(date(2024, 1, 1), 10, 10)
    result = await connector().search(words("besluit", sort=Sort.NEWEST, page=1000), platform)
    assert (len(platform.calls), result.has_more) == (1, False)


def test_a_cut_keeps_to_the_asked_period() -> None:
    question = Question(date_from=date(2020, 1, 1), date_until=date(2020, 12, 31), sort=Sort.NEWEST)
    search = DaySearch(question, 20_000, 24, date(2026, 1, 1))
    day = search.day
    assert day is not None
    assert question.date_from is not None
    assert question.date_from <= day
    cut = search.told(day, 15_000)
    assert cut is not None
    assert (cut.question.date_from, cut.question.date_until, cut.start) == (date(2020, 1, 1), day, 5001)


RECORD = answer(sample("sru-search-single-id.constructed.xml"))
MISSING = answer(b"", 404)
PAGE = answer(b'<html><body><div id="broodtekst"><h1>Kop</h1><p>Tekst.</p></div></body></html>', 200, "text/html")
EDITION = answer(b"<officiele-publicatie><gemeenteblad><al>Uit XML.</al></gemeenteblad></officiele-publicatie>")
EMPTY = answer(sample("documents/empty-body.constructed.xml"))


async def test_a_document_is_its_record_and_the_text_of_its_xml() -> None:
    """Field report 23."""
    script = Script(RECORD, EDITION)
    document = await connector().document("gmb-2023-174296", script)
    assert [passage.text for passage in document.passages] == ["Uit XML."]
    assert (document.text_state, document.notes) == (TextState.FULL, ())
    assert [call.service for call in script.calls] == ["zoeken", "bestanden"]
    assert script.calls[1].path.endswith("/1/xml/gmb-2023-174296.xml")


@pytest.mark.parametrize("first", [EMPTY, MISSING, answer(b"<kapot", 200), answer(b"x", 500)])
async def test_where_the_xml_gives_no_text_the_html_is_read(first: Answer) -> None:
    document = await connector().document("gmb-2023-174296", Script(RECORD, first, PAGE))
    assert [(passage.heading, passage.text) for passage in document.passages] == [("Kop", "Tekst.")]


async def test_where_no_form_has_text_the_document_says_so() -> None:
    document = await connector().document("gmb-2023-174296", Script(RECORD, EMPTY, MISSING, MISSING))
    assert (document.passages, document.text_state) == ((), TextState.NONE)
    assert document.notes == (Note(NoteCode.WITHOUT_TEXT),)


async def test_a_form_that_could_not_be_read_is_never_called_without_text() -> None:
    with pytest.raises(RefusedError):
        await connector().document("gmb-2023-174296", Script(RECORD, answer(b"", 500), MISSING, MISSING))


async def test_after_too_much_no_further_file_is_asked() -> None:
    busy = answer(sample("http-503-throttled.constructed.html"), 503, "text/html")
    script = Script(RECORD, busy, PAGE)
    with pytest.raises(OverLimitError):
        await connector().document("gmb-2023-174296", script)
    assert len(script.calls) == 2


NOTHING = answer(sample("sru-search-empty.constructed.xml"))


@pytest.mark.parametrize("page", [answer(b"", 404), answer(b"<html><body>Welkom</body></html>", 200, "text/html")])
async def test_an_unknown_id_is_gone_whatever_stands_where_its_page_would_be(page: Answer) -> None:
    script = Script(NOTHING, page)
    with pytest.raises(GoneError) as failure:
        await connector().document("gmb-2024-1", script)
    assert not isinstance(failure.value, WithdrawnError)
    assert script.calls[1].path == "/frbr/officielepublicaties/gmb/2024/gmb-2024-1/1/html/gmb-2024-1.html"


async def test_of_an_id_that_does_not_say_where_its_page_is_no_page_is_asked() -> None:
    script = Script(NOTHING)
    with pytest.raises(GoneError):
        await connector().document("blg-1", script)
    assert len(script.calls) == 1


async def test_while_nobody_knows_whether_its_page_says_that_it_was_withdrawn_that_is_not_said() -> None:
    with pytest.raises(UnreachableError):
        await connector().document("gmb-2024-1", Script(NOTHING, UnreachableError(KEY, "reset")))


async def test_a_record_of_another_publication_says_nothing_of_the_one_asked_for() -> None:
    """Field report 43. It is not gone, which would be known for a day: nobody knows."""
    with pytest.raises(NotAnAnswerError):
        await connector().document("gmb-2023-174297", Script(RECORD))


async def test_a_count_without_a_record_does_not_say_that_a_publication_is_gone() -> None:
    """Field report 1."""
    promised = sample("sru-search-empty.constructed.xml").replace(b">0<", b">1<", 1)
    with pytest.raises(NotAnAnswerError):
        await connector().document("gmb-2024-1", Script(answer(promised)))


async def test_there_is_no_load_status_and_the_lists_make_no_call() -> None:
    script = Script()
    with pytest.raises(NotSupportedError):
        await connector().load_status(script)
    lists = await connector().lists(script)
    assert (len(lists.organisations), script.calls) == (488, [])


async def test_the_check_turns_failures_into_results() -> None:
    failures = [UnreachableError("officiele-bekendmakingen", "weg") for _ in range(4)]
    results = await connector().check(Script(*failures))
    assert [result.ok for result in results] == [False, False, False, False]
    assert results[0].seen == "niet bereikbaar (weg)"


async def test_the_check_notices_a_journal_that_is_not_filtered_and_a_period_that_is_not_applied() -> None:
    """Field reports 8 and 31."""
    explained = answer(sample("sru-explain.constructed.xml"))
    results = await connector().check(Script(explained, hits(), hits(), hits()))
    assert [result.ok for result in results] == [True, False, False, False]
    assert [("ook" in results[1].seen), ("nieuwste tot" in results[2].seen)] == [True, True]


async def test_a_query_without_words_needs_a_filter() -> None:
    with pytest.raises(NotSupportedError):
        await connector().search(Query(), Script())
