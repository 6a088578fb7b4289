"""The connector with a platform that answers by script: which calls it makes, and what it makes of the answers."""

from __future__ import annotations

import pytest

from connectors.calls import Answer
from connectors.exceptions import (
    ConnectorError,
    NotAnAnswerError,
    NotSupportedError,
    OperatorError,
    RefusedError,
    UnreachableError,
    Unsupported,
)
from connectors.openbesluitvorming.connector import OpenBesluitvorming
from connectors.records import (
    BodyKind,
    Certainty,
    Filter,
    Kind,
    NoteCode,
    Operator,
    Organisation,
    Query,
    SearchText,
    Sort,
    Term,
    TextState,
    Total,
)
from tests.connectors.openbesluitvorming.support import (
    LIVE,
    SEVEN,
    Script,
    answer,
    full,
    good,
    natives,
    page,
    query,
    row,
    sample,
    words,
)

pytestmark = pytest.mark.anyio
CONNECTOR = OpenBesluitvorming(LIVE)
UNREACHABLE = UnreachableError("openbesluitvorming", "reset")
COURT = Organisation("gerecht-hoge-raad", "Hoge Raad", BodyKind.GERECHT, keys=(("rechtspraak", "HR"),))
ELSEWHERE = Organisation("gemeente-lopik", "Gemeente Lopik", BodyKind.GEMEENTE)


async def test_a_plain_question_is_one_call() -> None:
    ask = Script(good("search_hits"))

    result = await CONNECTOR.search(query("woningbouw"), ask)

    assert [call.params for call in ask.calls] == [
        (("query", "woningbouw"), ("sort", "relevance"), ("offset", "0"), ("limit", "24"))
    ]
    assert natives(result) == ["16678798", "1124979", "cc872c5d-ca9f-4d7b-828c-5816333910ff", "13165092"]
    assert (result.total, result.has_more) == (Total(4, Certainty.EXACT), False)
    assert (result.notes, result.ignored) == ((), ())


async def test_a_later_page_is_the_platforms_own_later_page() -> None:
    ask = Script(full(row(), total=100))

    result = await CONNECTOR.search(query("water", number=3), ask)

    assert (ask.params("offset"), ask.params("limit")) == (["48"], ["24"])
    assert result.has_more


async def test_an_estimate_stays_one() -> None:
    """Field report 3."""
    rows = sample("search_large_approximate")["results"]

    result = await CONNECTOR.search(query("woningbouw"), Script(full(*rows, total=146_000, approximate=True)))

    assert (result.total, result.has_more) == (Total(146_000, Certainty.ESTIMATE), True)


@pytest.mark.parametrize(
    ("kinds", "entity_type"),
    [
        ({Kind.VERGADERING}, "Meeting"),
        ({Kind.VERGADERING, Kind.UITSPRAAK}, "Meeting"),
    ],
)
async def test_kinds_that_are_a_type_over_there_are_for_the_platform(kinds: set[Kind], entity_type: str) -> None:
    ask = Script(full(row(), total=50))

    result = await CONNECTOR.search(query("water", kinds=frozenset(kinds)), ask)

    assert ask.params("entityType") == [entity_type]
    assert (result.total, result.notes) == (Total(50, Certainty.EXACT), ())


@pytest.mark.parametrize("operator", Operator)
async def test_an_operator_is_refused_before_any_call(operator: Operator) -> None:
    """Field report 7."""
    ask = Script()
    text = SearchText((Term(("a", "b"), phrase=True),), operators=frozenset({operator}))

    with pytest.raises(OperatorError) as failure:
        await CONNECTOR.search(Query(text=text), ask)

    assert failure.value.operators == {operator}
    assert ask.calls == []


@pytest.mark.parametrize(
    ("asked", "reason", "filters"),
    [
        (Query(), Unsupported.NEEDS_WORDS_OR_FILTER, ()),
        (Query(text=words("?!")), Unsupported.NEEDS_WORDS_OR_FILTER, ()),
        (query(kinds=frozenset({Kind.MOTIE})), Unsupported.NEEDS_WORDS_OR_FILTER, ()),
        (query(organisations=SEVEN), Unsupported.NEEDS_WORDS_OR_FILTER, (Filter.ORGANISATION,)),
        (query("x", kinds=frozenset({Kind.UITSPRAAK, Kind.WET})), Unsupported.NO_SUCH_KIND, (Filter.KIND,)),
        (Query(text=words("x"), organisations=(COURT,)), Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,)),
        (Query(text=words("x"), organisations=(ELSEWHERE, COURT)), Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,)),
    ],
)
async def test_what_the_platform_cannot_answer_is_not_asked(
    asked: Query, reason: Unsupported, filters: tuple[Filter, ...]
) -> None:
    ask = Script()

    with pytest.raises(NotSupportedError) as failure:
        await CONNECTOR.search(asked, ask)

    assert (failure.value.reason, failure.value.filters) == (reason, filters)
    assert ask.calls == []


async def test_a_document_is_one_call() -> None:
    ask = Script(good("entity_document_fulltext"))

    found = await CONNECTOR.document("document:notubiz:gemeente:ermelo:16678798", ask)

    assert [call.path for call in ask.calls] == ["/api/entities/document%3Anotubiz%3Agemeente%3Aermelo%3A16678798"]
    assert found.id == "openbesluitvorming:document:notubiz:gemeente:ermelo:16678798"


async def test_lists_and_status_are_one_call_each() -> None:
    ask = Script(good("sources"), good("status"))

    assert len((await CONNECTOR.lists(ask)).organisations) == 331
    assert len((await CONNECTOR.load_status(ask)).organisations) == 10
    assert [call.path for call in ask.calls] == ["/api/sources", "/api/status"]


async def test_a_check_of_a_healthy_platform_is_three_calls_that_are_as_expected() -> None:
    ask = Script(good("sources"), good("search_hits"), good("entity_document_fulltext"))

    results = await CONNECTOR.check(ask)

    assert [(result.name, result.ok, result.seen) for result in results] == [
        ("Bronnenlijst", True, "331 organisaties"),
        ("Zoeken", True, "4 treffers van 4 (exact)"),
        ("Document openen", True, "document:notubiz:gemeente:ermelo:16678798, tekst: volledig"),
    ]
    assert [call.cost for call in ask.calls] == [1.0, 1.0, 1.0]


async def test_a_check_tells_failures_and_raises_none() -> None:
    refused = RefusedError("openbesluitvorming", 500, "search_failed")

    results = await CONNECTOR.check(Script(UNREACHABLE, refused))

    assert [(result.ok, result.seen) for result in results] == [
        (False, "niet bereikbaar (reset)"),
        (False, "geweigerd met status 500 search_failed"),
        (False, "overgeslagen: de zoekvraag gaf geen treffer om te openen"),
    ]


async def test_a_check_is_not_content_with_a_search_that_finds_nothing() -> None:
    """Field report 31."""
    results = await CONNECTOR.check(Script(good("sources"), good("search_empty")))

    assert (results[1].ok, results[1].seen) == (False, "0 treffers van 0 (exact)")


async def test_a_check_is_not_content_with_rows_that_cannot_be_read() -> None:
    results = await CONNECTOR.check(Script(good("sources"), page(row(), {}), good("entity_meeting")))

    assert [result.ok for result in results] == [True, False, False]
    assert results[1].seen == "1 treffers van 2 (exact), 1 onleesbaar"
    assert results[2].seen == "geen antwoord: anders gebouwd dan verwacht (entityId)"


async def test_a_page_that_is_no_answer_is_never_an_empty_one() -> None:
    html = page()
    with pytest.raises(NotAnAnswerError):
        await CONNECTOR.search(
            query("water"), Script(type(html)(status=200, body=b"<html>", fetched_at=html.fetched_at))
        )


def test_the_connector_says_what_it_can_do() -> None:
    able = CONNECTOR.capabilities

    assert CONNECTOR.platform.key == "openbesluitvorming"
    assert len(CONNECTOR.organisations()) == 332
    assert able.operators == frozenset()
    assert able.filters | able.own_filters == frozenset(Filter)
    assert able.sorts == frozenset(Sort)
    assert able.load_status
    assert BodyKind.GERECHT not in able.bodies


async def test_a_long_agenda_costs_one_call() -> None:
    """Field report 37: no picture, no paper and no item is asked for one by one."""
    body = sample("entity_meeting")
    body["agenda"] = [{"title": f"Punt {number}", "number": f"{number}."} for number in range(1, 191)]
    ask = Script(answer(body))
    document = await CONNECTOR.document("meeting:notubiz:gemeente:alkmaar:1391001", ask)
    assert len(ask.calls) == 1
    assert any("Punt 190" in passage.heading + passage.text for passage in document.passages)


MEETING = "meeting:notubiz:gemeente:dongen:1382886"
BROKEN = answer({"error": "Interne fout"}, 500)
FOUND = row(entityId=MEETING, entityType="Meeting", entityTypeLabel="Vergadering", title="Gemeenteraad 23 april 2026")


async def test_an_item_that_the_platform_breaks_on_is_shown_as_its_search_gives_it() -> None:
    """Field report 20."""
    ask = Script(BROKEN, page(FOUND | {"entityId": f"{MEETING}1"}, FOUND))

    document = await CONNECTOR.document(MEETING, ask)

    assert (document.upstream_id, document.title) == (MEETING, "Gemeenteraad 23 april 2026")
    assert (document.text_state, document.passages) == (TextState.NONE, ())
    assert [note.code for note in document.notes] == [NoteCode.AS_FOUND]
    assert dict(ask.calls[1].params) | {"organization": "dongen", "entityType": "Meeting"} == dict(ask.calls[1].params)


@pytest.mark.parametrize("second", [page(), page(row(7)), BROKEN, UNREACHABLE])
async def test_what_the_search_does_not_give_either_fails_as_it_did(second: Answer | ConnectorError) -> None:
    with pytest.raises(RefusedError) as failure:
        await CONNECTOR.document(MEETING, Script(BROKEN, second))

    assert failure.value.status == 500


@pytest.mark.parametrize("status", [400, 403, 502, 503])
async def test_no_other_refusal_costs_a_second_call(status: int) -> None:
    ask = Script(answer({"error": "nee"}, status))

    with pytest.raises(RefusedError):
        await CONNECTOR.document(MEETING, ask)

    assert len(ask.calls) == 1
