from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.exceptions import NotSupportedError, OperatorError, Unsupported
from connectors.kamer_corpus.schema import schema
from connectors.kamer_words import kind_of
from connectors.records import (
    BodyKind,
    Filter,
    Kind,
    NoteCode,
    Operator,
    Organisation,
    Query,
    SearchText,
    Sort,
    Term,
)
from connectors.tweede_kamer.filters import MOST_NODES, contains, literal
from connectors.tweede_kamer.ids import Entity, key_of
from connectors.tweede_kamer.kinds import KINDS, condition_for
from connectors.tweede_kamer.plan import make_plan
from connectors.tweede_kamer.requests import item_call, search_call
from connectors.tweede_kamer.standin_filter import filter_test
from connectors.tweede_kamer.versions import V4, V5
from search.question import read_question
from tests.connectors.tweede_kamer.helpers import words


def test_words_with_signs_between_them_are_looked_for_as_they_are_written_too() -> None:
    """The service compares letter by letter: "staakt het vuren" is not in a title with hyphens."""
    text = SearchText(tuple(read_question('"staakt-het-vuren in Gaza"').text.terms))
    (stream,) = make_plan(Query(text=text, kinds=frozenset({Kind.BRIEF}))).streams
    for field in ("Onderwerp", "Titel"):
        for spelling in ("staakt het vuren in Gaza", "staakt-het-vuren in Gaza"):
            assert f"contains({field},'{spelling}')" in stream.condition.text


def test_words_are_looked_for_in_subject_and_title_and_deleted_rows_are_always_left_out() -> None:
    plan = make_plan(words("subsidie", "groene daken", kinds=frozenset({Kind.BRIEF}), sort=Sort.NEWEST))
    (stream,) = plan.streams
    assert stream.entity is Entity.DOCUMENT
    assert stream.condition.text == (
        "Verwijderd eq false and startswith(Soort,'Brief') and "
        "(contains(Onderwerp,'subsidie') or contains(Titel,'subsidie')) and "
        "(contains(Onderwerp,'groene daken') or contains(Titel,'groene daken'))"
    )
    call = search_call(V5, stream)
    assert (call.service, call.path) == ("odata", "/OData/v5/Document")
    assert dict(call.params) | {"$filter": ""} == {
        "$filter": "",
        "$orderby": "Datum desc,Id",
        "$top": "25",
        "$skip": "0",
        "$count": "true",
    }
    assert "subsidie" not in repr(call)
    assert search_call(V4, stream).path == "/OData/v4/2.0/Document"


def test_a_period_is_by_days_in_the_netherlands_with_literals_that_carry_no_zone() -> None:
    """Field report 11: a bare day is one in the Netherlands over there, a moment with ``Z`` is not."""
    query = words("klimaat", date_from=date(2026, 9, 1), date_until=date(2026, 9, 30), kinds=frozenset({Kind.MOTIE}))
    text = make_plan(query).streams[0].condition.text
    assert "Datum ge 2026-09-01 and Datum lt 2026-10-01" in text


def test_days_that_break_the_service_are_never_sent() -> None:
    query = words("klimaat", date_from=date(1, 1, 1), date_until=date(9999, 12, 31))
    assert all(
        "Datum ge" not in s.condition.text and "Datum lt" not in s.condition.text for s in make_plan(query).streams
    )
    assert make_plan(words("klimaat", date_until=date(1899, 1, 1))).streams == ()
    assert make_plan(words("klimaat", date_from=date(2026, 2, 1), date_until=date(2026, 1, 1))).streams == ()


def test_a_quote_in_a_word_is_doubled() -> None:
    assert literal("d'Hondt") == "'d''Hondt'"
    assert contains("Titel", "' or true").text == "contains(Titel,''' or true')"


@given(st.lists(st.text("abcdé'", min_size=1, max_size=12), max_size=40), st.sets(st.sampled_from(sorted(KINDS))))
def test_no_question_costs_more_nodes_than_the_service_allows(terms: list[str], kinds: set[Kind]) -> None:
    query = words(*terms, kinds=frozenset(kinds), date_from=date(2020, 1, 1), date_until=date(2021, 1, 1))
    try:
        plan = make_plan(query)
    except NotSupportedError:
        return
    for stream in plan.streams:
        assert stream.condition.nodes <= MOST_NODES
        filter_test(stream.condition.text, schema("v4/2.0")[stream.entity])  # the stand-in counts by itself
        sent = len(re.findall(r"contains\(", stream.condition.text)) // len(stream.searched)
        assert sent + len(stream.own) == len(set(terms))


def test_a_word_that_is_too_short_for_the_service_is_looked_for_by_us_and_never_sent_alone() -> None:
    (stream,) = make_plan(words("OV", "kaart", kinds=frozenset({Kind.MOTIE}))).streams
    assert ("'OV'" in stream.condition.text, stream.own) == (False, ("OV",))
    with pytest.raises(NotSupportedError) as caught:
        make_plan(words("OV"))
    assert caught.value.reason is Unsupported.NO_SUCH_FUNCTION


def test_what_the_platform_cannot_hold_is_refused_before_any_call() -> None:
    with pytest.raises(OperatorError):
        make_plan(Query(text=SearchText((Term(("a",)),), frozenset({Operator.OR}))))
    with pytest.raises(NotSupportedError) as caught:
        make_plan(words("klimaat", kinds=frozenset({Kind.UITSPRAAK})))
    assert (caught.value.reason, caught.value.filters) == (Unsupported.NO_SUCH_KIND, (Filter.KIND,))
    ede = Organisation("gemeente-ede", "Gemeente Ede", BodyKind.GEMEENTE)
    with pytest.raises(NotSupportedError) as caught:
        make_plan(words("klimaat", organisations=(ede,)))
    assert caught.value.reason is Unsupported.NO_SUCH_BODY


def test_an_answer_says_where_was_searched_and_how_it_is_ordered() -> None:
    assert [note.code for note in make_plan(words("klimaat")).notes] == [NoteCode.TITLES_ONLY, NoteCode.SORTED_BY_DATE]
    assert make_plan(Query(sort=Sort.OLDEST)).notes == ()


def test_a_choice_of_kinds_that_the_service_would_refuse_is_made_by_us_and_that_is_said() -> None:
    plan = make_plan(words("klimaat", kinds=frozenset({Kind.DOCUMENT}), sort=Sort.NEWEST))
    (stream,) = plan.streams
    assert ("Soort" in stream.condition.text, stream.own_kinds, stream.size) == (
        False,
        frozenset({Kind.DOCUMENT}),
        100,
    )
    assert [note.code for note in plan.notes] == [NoteCode.TITLES_ONLY, NoteCode.FILTERED_BY_US]


def test_a_page_that_would_cost_the_service_all_rows_before_it_is_out_of_reach() -> None:
    plan = make_plan(words("klimaat", page=10_000))
    assert (plan.streams, plan.notes[-1].code) == ((), NoteCode.BEYOND_REACH)


@pytest.mark.parametrize(
    ("soort", "kind"),
    [
        ("Motie", Kind.MOTIE),
        ("Motie (gewijzigd/nader)", Kind.MOTIE),
        ("Amendement (gewijzigd/nader/vervangend)", Kind.AMENDEMENT),
        ("Schriftelijke vragen", Kind.VRAAG),
        ("Antwoord schriftelijke vragen (nader)", Kind.ANTWOORD),
        ("Lijst van vragen", Kind.VRAAG),
        ("Lijst van vragen en antwoorden", Kind.ANTWOORD),
        ("Brief regering", Kind.BRIEF),
        ("Voorstel van wet (initiatiefvoorstel)", Kind.WET),
        ("Verslag van een commissiedebat", Kind.VERSLAG),
        ("Stenogram", Kind.VERSLAG),
        ("Convocatie commissieactiviteit", Kind.AGENDA),
        ("Besluitenlijst procedurevergadering", Kind.BESLUIT),
        ("Stemmingsuitslagen", Kind.STEMMING),
        ("Bijlage", Kind.DOCUMENT),
        ("", Kind.DOCUMENT),
    ],
)
def test_a_choice_of_kinds_finds_exactly_the_rows_that_are_shown_as_that_kind(soort: str, kind: Kind) -> None:
    assert kind_of(soort) is kind
    described = schema("v4/2.0")["Document"]
    for asked in KINDS - {Kind.TOEZEGGING, Kind.VERGADERING}:
        condition = condition_for(frozenset({asked}))
        assert condition is not None
        found = filter_test(condition.text, described)({"Soort": soort}) is True
        if asked is kind:
            assert found
        elif (asked, kind) != (Kind.VRAAG, Kind.ANTWOORD):
            assert not found


def test_an_item_is_asked_by_its_number_or_by_its_guid_with_deleted_rows_left_out_everywhere() -> None:
    key = key_of("2026D45064")
    assert key is not None
    params = dict(item_call(V5, key).params)
    assert params["$filter"] == "Nummer eq '2026D45064' and Verwijderd eq false"
    assert dict(item_call(V4, key).params)["$filter"].startswith("DocumentNummer eq '2026D45064'")
    assert params["$expand"].count("$filter=Verwijderd eq false") == 8
    by_guid = key_of("vergadering:462144d8-9742-4baa-bf07-4523b849e6eb")
    assert by_guid is not None
    assert item_call(V5, by_guid).path == "/OData/v5/Vergadering(462144d8-9742-4baa-bf07-4523b849e6eb)"


def test_an_ecli_is_looked_for_as_it_stands() -> None:
    (stream,) = make_plan(
        Query(text=SearchText(ecli="ECLI:NL:HR:2019:2006"), kinds=frozenset({Kind.TOEZEGGING}))
    ).streams
    assert "contains(Tekst,'ECLI:NL:HR:2019:2006')" in stream.condition.text


def test_a_stream_shows_no_words_in_a_log() -> None:
    (stream,) = make_plan(words("geheim", "OV", kinds=frozenset({Kind.TOEZEGGING}))).streams
    assert "geheim" not in repr(stream)
