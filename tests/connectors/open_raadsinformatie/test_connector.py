"""A question put to the connector, against a platform that answers by script."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from connectors.calls import Answer
from connectors.exceptions import (
    ConnectorError,
    Defect,
    GoneError,
    NotAnAnswerError,
    NotSupportedError,
    RefusedError,
    UnreachableError,
    Unsupported,
)
from connectors.open_raadsinformatie.answers import KEY
from connectors.open_raadsinformatie.connector import OpenRaadsinformatie
from connectors.open_raadsinformatie.organisations import shipped
from connectors.open_raadsinformatie.requests import WINDOW
from connectors.records import Certainty, Filter, Kind, NoteCode, Query, SearchResult, Sort, Total
from tests.connectors.open_raadsinformatie.support import (
    LIVE,
    Script,
    answer,
    good,
    listed_aliases,
    page,
    query,
    refusal,
    row,
    words,
)

pytestmark = pytest.mark.anyio
CONNECTOR = OpenRaadsinformatie(LIVE)
NOT_THERE = answer({"_index": "ori_ede_20250401000000", "_type": "_doc", "_id": "1", "found": False}, 404)


def codes(result: SearchResult) -> list[NoteCode]:
    return [note.code for note in result.notes]


def record(**fields: Any) -> dict[str, Any]:
    return {**row(**fields), "found": True}


async def test_no_index_of_an_asked_name_is_an_unknown_body_and_not_an_empty_answer() -> None:
    with pytest.raises(NotSupportedError) as caught:
        await CONNECTOR.search(
            query("x", organisations=("gemeente-ede",)), Script(good("search_unknown_index_ignored"))
        )
    assert (caught.value.reason, caught.value.filters) == (Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,))


async def test_no_index_at_all_is_no_answer() -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        await CONNECTOR.search(query("x"), Script(good("search_unknown_index_ignored")))
    assert (caught.value.defect, caught.value.where) == (Defect.ERROR_IN_200, "_shards.total")


async def test_an_empty_index_is_an_empty_answer() -> None:
    result = await CONNECTOR.search(query("x", organisations=("gemeente-ede",)), Script(good("search_empty")))
    assert (result.hits, result.total, result.notes) == ((), Total(0, Certainty.EXACT), ())


async def test_of_several_bodies_the_missing_one_is_named() -> None:
    asked = query("x", organisations=("gemeente-eindhoven", "gemeente-ede"))
    ask = Script(page(row(1, "ori_eindhoven_20250413114006")), good("aliases"))
    result = await CONNECTOR.search(asked, ask)
    assert [call.path for call in ask.calls] == [
        "/v1/elastic/ori_eindhoven,ori_ede/_search",
        "/v1/elastic/_aliases",
    ]
    assert [(note.code, note.values) for note in result.notes] == [(NoteCode.ORGANISATIONS_NOT_HERE, ("Gemeente Ede",))]


async def test_that_list_may_fail_without_taking_the_hits_with_it() -> None:
    ask = Script(page(row(1)), refusal("error_502_bad_gateway"))
    result = await CONNECTOR.search(query("x", organisations=("gemeente-eindhoven", "gemeente-ede")), ask)
    assert (len(result.hits), codes(result)) == (1, [NoteCode.ORGANISATIONS_NOT_HERE])


@pytest.mark.parametrize("reply", [page(row(1), total=5, shards=3, failed=1), page(row(1), total=5, late=True)])
async def test_a_part_that_was_not_searched_is_said_and_makes_the_total_at_least(reply: Answer) -> None:
    result = await CONNECTOR.search(query("x"), Script(reply))
    assert codes(result) == [NoteCode.INCOMPLETE]
    assert result.total == Total(5, Certainty.AT_LEAST)


@pytest.mark.parametrize(
    ("reply", "where"),
    [
        (page(shards=3, failed=1), "_shards.failed"),
        (page(late=True), "timed_out"),
        (page(row(1), shards=3, failed=3), "_shards.failed"),
    ],
)
async def test_nothing_found_in_a_part_is_a_failure(reply: Answer, where: str) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        await CONNECTOR.search(query("x"), Script(reply))
    assert (caught.value.defect, caught.value.where) == (Defect.ERROR_IN_200, where)


async def test_an_error_in_a_200_is_a_failure_with_its_name() -> None:
    reply = answer({"error": {"type": "search_phase_execution_exception"}, "status": 503})
    with pytest.raises(NotAnAnswerError) as caught:
        await CONNECTOR.search(query("x"), Script(reply))
    assert (caught.value.defect, caught.value.where) == (Defect.ERROR_IN_200, "search_phase_execution_exception")


@pytest.mark.parametrize(
    ("body", "defect"),
    [
        (b"", Defect.EMPTY),
        (b"<!DOCTYPE html><html></html>", Defect.HTML),
        (b'{"took": 1, "hits"', Defect.CUT_OFF),
        (b"[]", Defect.WRONG_SHAPE),
        (b'{"hits": {"hits": []}}', Defect.WRONG_SHAPE),
        (b'{"_shards": {"total": 1}, "hits": []}', Defect.WRONG_SHAPE),
    ],
)
async def test_a_body_that_is_no_answer_is_a_failure_with_its_name(body: bytes, defect: Defect) -> None:
    with pytest.raises(NotAnAnswerError) as caught:
        await CONNECTOR.search(query("x"), Script(answer(body)))
    assert caught.value.defect is defect


async def test_totals_that_stop_counting_are_at_least_that_much() -> None:
    result = await CONNECTOR.search(query("x"), Script(page(row(1), total=WINDOW, relation="gte", shards=331)))
    assert (result.total, result.has_more, codes(result)) == (Total(WINDOW, Certainty.AT_LEAST), True, [])


async def test_beyond_the_window_nothing_is_asked_but_how_much_there_is() -> None:
    ask = Script(page(total=WINDOW, relation="gte"))
    result = await CONNECTOR.search(query("x", number=401), ask)
    assert (ask.body()["from"], ask.body()["size"]) == (0, 0)
    assert (codes(result), result.has_more) == ([NoteCode.BEYOND_REACH], False)


async def test_the_last_page_of_the_window_says_that_it_is_the_last() -> None:
    rows = [row(number) for number in range(1, 26)]
    ask = Script(page(*rows, total=30_000))
    result = await CONNECTOR.search(query("x", number=400), ask)
    assert ask.body()["from"] + ask.body()["size"] == WINDOW
    assert (codes(result), result.has_more) == ([NoteCode.BEYOND_REACH], False)


async def test_an_empty_page_is_the_end_whatever_the_total_says() -> None:
    """Field report 2."""
    result = await CONNECTOR.search(query("x", number=2), Script(page(total=500)))
    assert not result.has_more


async def test_a_period_is_that_of_the_days_shown() -> None:
    """Field report 10: what a wrong label puts on another day falls out, and the total says what is left."""
    inside, outside = "2024-12-31T23:30:00+00:00", "2025-01-01T00:30:00+01:00"
    asked = query("x", date_from=date(2024, 12, 31), date_until=date(2024, 12, 31))
    rows = row(1, last_discussed_at=inside), row(2, last_discussed_at=outside), row(3)
    result = await CONNECTOR.search(asked, Script(page(*rows)))
    assert [hit.upstream_id for hit in result.hits] == ["ori_ede:1"]
    assert result.total == Total(1, Certainty.EXACT)
    more = await CONNECTOR.search(asked, Script(page(*rows, total=90)))
    assert more.total == Total(90, Certainty.ESTIMATE)


async def test_kinds_are_chosen_by_us_out_of_more_rows_and_the_answer_says_so() -> None:
    rows = row(1, name="Motie schone lucht"), row(2, name="Memo over motie"), row(3, name="Verslag")
    ask = Script(page(*rows, total=400))
    result = await CONNECTOR.search(query("x", kinds=frozenset({Kind.MOTIE})), ask)
    assert [hit.upstream_id for hit in result.hits] == ["ori_ede:1"]
    assert ask.body()["size"] == 100
    assert (result.total, codes(result), result.has_more) == (
        Total(1, Certainty.AT_LEAST),
        [NoteCode.FILTERED_BY_US],
        True,
    )


async def test_what_is_called_by_an_asked_kind_comes_in_front_and_nothing_is_left_out_for_it() -> None:
    ask = Script(page(total=0))
    await CONNECTOR.search(query("x", kinds=frozenset({Kind.TOEZEGGING})), ask)
    asked = ask.body()["query"]["bool"]
    assert [clause["match"] for clause in asked["should"][1:]] == [
        {"name": {"query": "toezegging toezeggingen", "boost": 20}},
        {"classification": {"query": "toezegging toezeggingen", "boost": 20}},
    ]
    assert "minimum_should_match" not in asked


async def test_meetings_alone_are_chosen_by_the_platform() -> None:
    result = await CONNECTOR.search(query("x", kinds=frozenset({Kind.VERGADERING})), Script(page(total=3)))
    assert (result.total, result.notes) == (Total(3, Certainty.EXACT), ())


async def test_too_many_bodies_are_one_question_over_all_and_chosen_by_us() -> None:
    many = tuple(body for body in shipped() if body.id != "gemeente-urk")[:61]
    ask = Script(page(row(1, "ori_aalsmeer_20250401000000"), row(2, "ori_urk_20250401000000"), total=900))
    result = await CONNECTOR.search(Query(text=words("x"), organisations=many), ask)
    assert ask.calls[0].path == "/v1/elastic/ori_*,osi_*,owi_*/_search"
    assert [hit.upstream_id for hit in result.hits] == ["ori_aalsmeer:1"]
    assert codes(result) == [NoteCode.TOO_MANY_ORGANISATIONS]
    assert result.total == Total(1, Certainty.AT_LEAST)


async def test_bodies_that_the_platform_never_had_are_named_and_alone_refused() -> None:
    other = next(body for body in shipped() if body.id == "gemeente-ede")
    foreign = type(other)(id="gemeente-land-van-cuijk", name="Gemeente Land van Cuijk", kind=other.kind)
    result = await CONNECTOR.search(Query(text=words("x"), organisations=(other, foreign)), Script(page(row(1))))
    assert [note.values for note in result.notes] == [("Gemeente Land van Cuijk",)]
    with pytest.raises(NotSupportedError):
        await CONNECTOR.search(Query(text=words("x"), organisations=(foreign,)), Script())


async def test_by_date_two_streams_are_put_in_one_order_with_the_undated_last() -> None:
    """Field report 12."""
    others = page(row(1, last_discussed_at="2026-05-01T00:00:00+02:00"), row(2), total=2)
    registers = page(
        row(3, **{"@type": "Report", "classification": "Moties", "start_date": "2026-05-02T00:00:00+00:00"})
    )
    result = await CONNECTOR.search(query("x", sort=Sort.NEWEST), Script(others, registers))
    assert [hit.upstream_id for hit in result.hits] == ["ori_ede:3", "ori_ede:1", "ori_ede:2"]
    assert result.total == Total(3, Certainty.EXACT)


async def test_when_one_stream_fails_the_question_fails_and_nothing_is_passed_off_as_whole() -> None:
    with pytest.raises(RefusedError):
        await CONNECTOR.search(query("x", sort=Sort.NEWEST), Script(page(row(1)), refusal("error_502_bad_gateway")))


async def test_one_file_under_one_address_is_one_hit() -> None:
    rows = (row(number, original_url="https://raad.example.nl/stuk.pdf") for number in (1, 2))
    result = await CONNECTOR.search(query("x"), Script(page(*rows)))
    assert [hit.upstream_id for hit in result.hits] == ["ori_ede:1"]
    assert result.total == Total(1, Certainty.EXACT)


async def test_rows_that_cannot_be_read_are_counted_and_the_others_shown() -> None:
    result = await CONNECTOR.search(query("x"), Script(page(row(1), "nee", row(2, "geen_index"))))
    assert [(note.code, note.values) for note in result.notes] == [(NoteCode.ROWS_SKIPPED, ("2",))]
    assert result.total == Total(3, Certainty.EXACT)


async def test_a_record_without_its_neighbours_stands() -> None:
    """Field report 20."""
    found = await CONNECTOR.document("ori_ede:1", Script(answer(record()), UnreachableError(KEY, "reset")))
    assert (found.title, found.related) == ("Stuk 1", ())


async def test_a_record_of_an_old_copy_without_an_alias_is_found_there() -> None:
    """After a change of supplier the history stays in a copy of the index (platform page, section 2)."""
    ask = Script(NOT_THERE, page(row(1)), page())
    found = await CONNECTOR.document("ori_ede:1", ask)
    assert ask.calls[1].path == "/v1/elastic/ori_ede_2*/_search"
    assert found.upstream_id == "ori_ede:1"


async def test_a_file_is_opened_by_its_address_whatever_its_number_is_now() -> None:
    """The platform's numbers may change when it reads an organisation again (platform page, section 3)."""
    file = row(
        987, original_url="https://api.notubiz.nl/document/16600412/1", text_pages=[{"text": "Tekst", "page_number": 3}]
    )
    ask = Script(page(file), page())
    found = await CONNECTOR.document("ori_ede:notubiz:16600412:1", ask)
    assert ask.calls[0].path == "/v1/elastic/ori_ede/_search"
    assert [(passage.number, passage.text) for passage in found.passages] == [(3, "Tekst")]
    assert found.upstream_id == "ori_ede:notubiz:16600412:1"
    assert ask.body(1)["query"]["bool"]["should"][2] == {"terms": {"is_referenced_by": ["987"]}}


async def test_letters_that_a_pdf_spaces_apart_are_put_together_where_that_is_certain() -> None:
    """Field report 23."""
    pages = [{"text": "V A N HET college. De T weede ronde, de tweede. M otie", "page_number": 1}]
    found = await CONNECTOR.document("ori_ede:1", Script(answer(record(text_pages=pages)), page()))
    assert found.passages[0].text == "VAN HET college. De Tweede ronde, de tweede. Motie"


async def test_what_is_nowhere_is_gone() -> None:
    with pytest.raises(GoneError):
        await CONNECTOR.document("ori_ede:1", Script(NOT_THERE, page()))
    with pytest.raises(GoneError):
        await CONNECTOR.document("ori_ede:notubiz:16600412:1", Script(page(), page(shards=0)))


async def test_another_record_than_was_asked_is_no_answer() -> None:
    with pytest.raises(NotAnAnswerError):
        await CONNECTOR.document("ori_ede:1", Script(answer({**row(2), "found": True})))


async def test_a_file_that_stops_at_a_hundred_pages_is_called_partial() -> None:
    """Field report 22."""
    pages = [{"text": f"Bladzijde {number}", "page_number": number} for number in range(1, 101)]
    found = await CONNECTOR.document("ori_ede:1", Script(answer(record(text_pages=pages)), page()))
    assert found.text_state.value == "deels"
    assert ("Gelezen door de bron", "de eerste 100 bladzijden; verder leest zij niet") in {
        (fact.label, fact.value) for fact in found.details
    }


async def test_text_that_only_ocr_found_is_shown() -> None:
    found = await CONNECTOR.document("ori_ede:1", Script(answer(record(md_text=["", "# Kop"], text=["", " "])), page()))
    assert [(passage.number, passage.text) for passage in found.passages] == [(2, "# Kop")]


async def test_the_load_status_goes_on_without_the_list_of_aliases() -> None:
    """Field report 16 and 17: freshness is derived from content, and what is missing is said."""
    ask = Script(refusal("error_502_bad_gateway"), good("load_status_per_index_aggregation"))
    states = {state.key: state for state in (await CONNECTOR.load_status(ask)).organisations}
    assert states["ori_eindhoven"].documents == 58_011
    assert states["ori_ede"].state == "niet aanwezig"


async def test_a_check_never_raises_and_names_what_it_saw() -> None:
    """Field report 31."""
    replies = [good(name) for name in ("cat_indices", "mapping_excerpt", "search_hits", "search_hits")]
    good_check = await CONNECTOR.check(Script(listed_aliases(), *replies))
    assert [found.ok for found in good_check] == [True, True, True, True, True]
    assert good_check[1].seen == "6 indexen, 1 zonder organisatie, 1098837 stukken en pagina's, 0 zoek"
    replies = [refusal("error_502_bad_gateway"), good("search_empty")]
    bad = await CONNECTOR.check(Script(*replies))
    assert [(found.ok, found.seen) for found in bad] == [
        (False, "geweigerd met status 502"),
        (False, "overgeslagen: de lijst van organisaties kwam niet"),
        (False, "overgeslagen: de lijst van organisaties kwam niet"),
        (False, "0 treffers van 0 (exact) in 1 indexen"),
        (False, "overgeslagen: de zoekvraag gaf geen treffer om te openen"),
    ]


async def test_every_failure_is_of_our_own_tree() -> None:
    for name in ("error_400_query_syntax", "error_403_forbidden_method_or_path", "error_429_stand_in_only"):
        with pytest.raises(ConnectorError):
            await CONNECTOR.search(query("x"), Script(refusal(name)))


async def test_a_long_agenda_costs_no_more_calls_than_a_short_one() -> None:
    """Field report 37: our own pages must fit what a platform bears."""
    items = [row(number, parent="7900100", position=number) | {"_id": str(number)} for number in range(1, 191)]
    for item in items:
        item["_source"]["@type"] = "AgendaItem"
    ask = Script(good("doc_meeting"), page(*items), page())
    document = await CONNECTOR.document("ori_eindhoven:7900100", ask)
    assert len(ask.calls) == 3
    assert len(document.passages) + len(document.related) >= 190
