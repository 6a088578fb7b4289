"""What is asked of the platform."""

from __future__ import annotations

import json
from datetime import date
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.calls import Call
from connectors.exceptions import NotSupportedError, OperatorError, Unsupported
from connectors.open_raadsinformatie.ids import item_id
from connectors.open_raadsinformatie.kinds import TYPES
from connectors.open_raadsinformatie.organisations import shipped
from connectors.open_raadsinformatie.plan import MOST_BODIES, plan
from connectors.open_raadsinformatie.requests import record_call, search_call
from connectors.records import Kind, NoteCode, Operator, Query, SearchText, Sort, Term
from tests.connectors.open_raadsinformatie.support import query

LONGEST_LINE = 4096


def asked(question: Query, aliases: tuple[str, ...] = ()) -> Any:
    return json.loads(search_call(question, TYPES, aliases, 0, 25).body or b"")


def keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


def test_every_word_must_be_somewhere_and_a_phrase_in_its_order() -> None:
    must = asked(query("warmtenet", "nieuwe wijk"))["query"]["bool"]["must"]
    assert [clause["multi_match"]["query"] for clause in must] == ["warmtenet", "nieuwe wijk"]
    assert must[0]["multi_match"]["operator"] == "and"
    assert must[1]["multi_match"]["type"] == "phrase"


def test_the_heavy_fields_stay_over_there() -> None:
    excluded = asked(query("x"))["_source"]["excludes"]
    assert {"text", "md_text", "text_pages"} <= set(excluded)


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4), st.booleans())
def test_whatever_the_words_are_they_stay_values(words: list[str], phrase: bool) -> None:
    """Field report 5: punctuation is a character like any other; nothing asked becomes a part of the query's own language."""
    plain = keys(asked(query("woord", "een zin")))
    question = Query(text=SearchText((Term(tuple(words), phrase=phrase),)))
    body = asked(question)
    assert keys(body) <= plain
    assert keys(body).isdisjoint({"query_string", "simple_query_string", "script", "regexp", "wildcard"})
    call = search_call(question, TYPES, (), 0, 25)
    assert not any(word in repr(call) for word in words if len(word) > 12)


def test_words_that_no_title_holds_are_no_condition_beside_others() -> None:
    assert [
        clause["multi_match"]["query"] for clause in asked(query("De", "stroet", "van"))["query"]["bool"]["must"]
    ] == ["stroet"]
    assert len(asked(query("de"))["query"]["bool"]["must"]) == 1


def test_organisations_are_named_in_the_path_by_alias() -> None:
    call = search_call(query("x"), TYPES, ("ori_ede", "ori_den_haag"), 0, 25)
    assert (call.method, call.path) == ("POST", "/v1/elastic/ori_ede,ori_den_haag/_search")
    assert dict(call.params) == {"ignore_unavailable": "true"}
    assert asked(query("x"), ("ori_ede",))["track_total_hits"] is True
    assert "track_total_hits" not in asked(query("x"))


def test_the_most_organisations_fit_in_the_first_line_of_a_request() -> None:
    longest = sorted((body.key_at("open-raadsinformatie") or "" for body in shipped()), key=len)[-MOST_BODIES:]
    call = search_call(query("x"), TYPES, tuple(longest), 0, 25)
    assert len(f"POST {call.path}?ignore_unavailable=true HTTP/1.1\r\n") < LONGEST_LINE


def test_a_period_is_asked_in_dutch_time_and_two_hours_wider_for_clocks_with_a_wrong_label() -> None:
    """Field reports 10 and 11."""
    filters = asked(query("x", date_from=date(2024, 1, 1), date_until=date(2024, 12, 31)))["query"]["bool"]["filter"]
    bounds = filters[1]["bool"]["should"][0]["range"]["last_discussed_at"]
    assert bounds == {"time_zone": "Europe/Amsterdam", "gte": "2024-01-01T00:00:00", "lt": "2025-01-01T02:00:00"}


def test_the_last_day_of_all_has_no_day_after_it() -> None:
    filters = asked(query("x", date_until=date.max))["query"]["bool"]["filter"]
    assert filters[1]["bool"]["should"][0]["range"]["last_discussed_at"] == {"time_zone": "Europe/Amsterdam"}


def test_nothing_is_ever_ordered_by_name() -> None:
    for sort in Sort:
        assert "name" not in json.dumps(asked(query("x", sort=sort))["sort"])


def test_by_date_registers_are_asked_beside_the_rest() -> None:
    assert plan(query("x", sort=Sort.NEWEST)).streams == (("MediaObject", "Meeting", "AgendaItem"), ("Report",))
    assert plan(query("x")).streams == (TYPES,)


@pytest.mark.parametrize(
    ("kinds", "types", "ours"),
    [
        (frozenset({Kind.VERGADERING}), ("Meeting",), False),
        (frozenset({Kind.MOTIE}), ("MediaObject", "Report"), True),
        (frozenset({Kind.AGENDA}), ("MediaObject", "AgendaItem", "Report"), True),
        (frozenset({Kind.VERGADERING, Kind.MOTIE}), ("MediaObject", "Meeting", "Report"), True),
    ],
)
def test_kinds_are_looked_for_in_the_types_that_may_hold_them(
    kinds: frozenset[Kind], types: tuple[str, ...], ours: bool
) -> None:
    planned = plan(query("x", kinds=kinds))
    assert planned.streams == (types,)
    assert bool(planned.own_kinds) is ours
    assert (NoteCode.FILTERED_BY_US in {note.code for note in planned.notes}) is ours


def test_a_question_that_cannot_be_answered_is_refused_before_any_call() -> None:
    """Field report 7."""
    with pytest.raises(OperatorError):
        plan(Query(text=SearchText((Term(("a",)),), frozenset({Operator.SLOP}))))
    for question, reason in (
        (query("x", kinds=frozenset({Kind.UITSPRAAK})), Unsupported.NO_SUCH_KIND),
        (query(), Unsupported.NEEDS_WORDS_OR_FILTER),
    ):
        with pytest.raises(NotSupportedError) as caught:
            plan(question)
        assert caught.value.reason is reason


@pytest.mark.parametrize("identifier", ["ori_ede:12", "ori_ede:notubiz:16600412:1"])
def test_a_record_is_asked_by_number_or_by_the_address_of_its_file(identifier: str) -> None:
    found = item_id(identifier)
    assert found is not None
    call: Call = record_call(found)
    assert unquote(call.path).startswith("/v1/elastic/ori_ede/_")
    if found.original:
        term = json.loads(call.body or b"")["query"]["bool"]["filter"][0]["term"]
        assert term == {"original_url": "https://api.notubiz.nl/document/16600412/1"}
