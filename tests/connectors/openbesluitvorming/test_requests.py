"""The calls, compared exactly."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.calls import CallKind
from connectors.openbesluitvorming.ids import EntityType
from connectors.openbesluitvorming.requests import entity_call, query_words, search_call, sources_call, status_call
from connectors.records import Query, SearchText, Sort, Term
from tests.connectors.openbesluitvorming.support import query


def test_a_search_sends_words_order_and_a_page_of_24_for_one_unit() -> None:
    call = search_call(query("warmtenet"))

    assert (call.method, call.path, call.kind, call.cost) == ("GET", "/api/search", CallKind.SEARCH, 1.0)
    assert call.queue == "openbesluitvorming/api"
    assert call.params == (("query", "warmtenet"), ("sort", "relevance"), ("offset", "0"), ("limit", "24"))
    assert (call.body, call.headers) == (None, ())


def test_a_search_sends_every_filter_that_the_platform_has() -> None:
    asked = query("warmtenet", date_from=date(2023, 1, 1), date_until=date(2023, 12, 31), sort=Sort.OLDEST)

    assert search_call(asked, 48, limit=13, key="den_bosch", entity_type=EntityType.MOTION).params == (
        ("query", "warmtenet"),
        ("organization", "den_bosch"),
        ("entityType", "Motion"),
        ("sort", "date_asc"),
        ("dateFrom", "2023-01-01"),
        ("dateTo", "2023-12-31"),
        ("offset", "48"),
        ("limit", "13"),
    )


def test_newest_first_is_the_platforms_date_desc() -> None:
    assert dict(search_call(query("water", sort=Sort.NEWEST)).params)["sort"] == "date_desc"


def test_without_words_relevance_has_no_meaning_and_the_newest_come_first() -> None:
    call = search_call(query(organisations=("gemeente-ede",)), key="ede")

    assert call.params == (("organization", "ede"), ("sort", "date_desc"), ("offset", "0"), ("limit", "24"))


@pytest.mark.parametrize(
    ("terms", "sent"),
    [
        ((Term(("windmolens",)), Term(("Ede",))), "windmolens ede"),
        ((Term(("bouw", "en", "wonen"), phrase=True), Term(("ede",))), '"bouw en wonen" ede'),
        ((Term(("14:30",)),), "14 30"),
        ((Term(("ECLI", "NL", "HR", "2024", "1"), phrase=True),), '"ecli nl hr 2024 1"'),
        ((Term(("kosten/baten",)), Term(("a+b\\",))), "kosten baten a b"),
        ((Term(('on"gelijk',), phrase=True),), '"on gelijk"'),
        ((Term(("coördinatie",)),), "coördinatie"),
        ((Term(("coo\u0308rdinatie",)),), "coördinatie"),
        ((Term(("OR",)), Term(("NOT",))), "or not"),
        ((Term(("title:geheim",)), Term(("veld_naam",))), "title geheim veld naam"),
        ((Term(("!?",)), Term(("\u202e\x00",)), Term(("\N{GRINNING FACE}",), phrase=True)), ""),
    ],
)
def test_words_go_out_without_what_older_generations_choke_on(terms: tuple[Term, ...], sent: str) -> None:
    """Field report 5."""
    assert query_words(SearchText(terms)) == sent


@given(st.lists(st.builds(Term, st.lists(st.text(), min_size=1).map(tuple), st.booleans())))
def test_nothing_but_letters_digits_blanks_and_paired_quotes_is_ever_sent(terms: list[Term]) -> None:
    sent = query_words(SearchText(tuple(terms)))

    assert sent.count('"') % 2 == 0
    assert not set("\\:/+-*?()[]{}^~!&|<>=,;\x00") & set(sent)
    assert sent == " ".join(sent.split())
    sent.encode()  # no halves of characters


def test_an_id_stays_one_segment_of_the_path() -> None:
    call = entity_call("document:notubiz:gemeente:ermelo:16678798")

    assert call.path == "/api/entities/document%3Anotubiz%3Agemeente%3Aermelo%3A16678798"
    assert (call.kind, call.params, call.cost) == (CallKind.DOCUMENT, (), 1.0)


def test_lists_and_status_are_calls_without_parameters() -> None:
    assert (sources_call().path, sources_call().kind, sources_call().params) == ("/api/sources", CallKind.LIST, ())
    assert (status_call().path, status_call().kind, status_call().params) == ("/api/status", CallKind.STATUS, ())


def test_a_call_does_not_show_the_words_of_a_question() -> None:
    assert "geheim" not in repr(search_call(Query(text=SearchText((Term(("geheim",)),))), 1))
