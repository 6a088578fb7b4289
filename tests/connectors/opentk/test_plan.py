"""From a question to searches: every word quoted by us, what is expensive apart, and nothing promised that cannot be kept."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.exceptions import NotSupportedError, OperatorError, Unsupported
from connectors.kamer_body import kamer_at
from connectors.opentk.plan import make_plan
from connectors.opentk.requests import HEAVY, LIGHT, Sorts, search_call
from connectors.opentk.standin_index import Asked, Index
from connectors.opentk.words import fts_query, is_expensive
from connectors.records import BodyKind, Kind, Note, NoteCode, Operator, Organisation, Query, SearchText, Term
from search.question import read_question
from tests.connectors.opentk.helpers import FETCHED, words

TODAY = date(2026, 11, 1)
EMPTY_INDEX = Index.of([])


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("klimaat", '"klimaat"'),
        ("kosten/baten", '"kosten" "baten"'),
        ("a+b", '"a" "b"'),
        ("D'66", '"D 66"'),
        ('"raad van state"', '"raad van state"'),
        ("Fox-IT", '"Fox IT"'),
        ("14:30", '"14 30"'),
        ("near(a b)", '"near" "a" "b"'),
        ("and or not", '"and" "or" "not"'),
        ("onderwerp:motie", '"onderwerp motie"'),
        ("^motie", '"motie"'),
        ("R&D\\", '"R" "D"'),
        ('open "quote', '"open" "quote"'),
        ("coördinatie", '"coördinatie"'),
        ("snake_case", '"snake case"'),
        ("de De DE motie de", '"de" "motie"'),
        ("a " * 250, '"a"'),
    ],
)
def test_every_word_is_quoted_and_no_mark_gets_through(typed: str, query: str) -> None:
    """Field reports 5 and 7."""
    assert fts_query(read_question(typed).text) == query


@given(st.text(max_size=60))
def test_no_question_makes_a_query_that_does_not_parse(typed: str) -> None:
    """Field report 5."""
    query = fts_query(replace(read_question(typed).text, operators=frozenset()))
    if query:
        assert re.fullmatch(r'"[^"]+"(?: "[^"]+")*', query)
        assert EMPTY_INDEX.search(Asked(query, "alles", two_months=False, now=FETCHED)) == []


@given(st.lists(st.lists(st.text(max_size=12), min_size=1, max_size=3), max_size=4), st.booleans())
def test_whatever_words_come_the_query_parses_or_is_refused_before_a_call(
    terms: list[list[str]],
    is_phrase: bool,
) -> None:
    query = fts_query(SearchText(tuple(Term(tuple(term), phrase=is_phrase) for term in terms)))
    if query:
        assert EMPTY_INDEX.search(Asked(query, "alles", two_months=False, now=FETCHED)) == []


@pytest.mark.parametrize("query", [Query(), words("_"), words("—")])
def test_an_empty_question_is_never_sent(query: Query) -> None:
    with pytest.raises(NotSupportedError) as refused:
        make_plan(query, TODAY)
    assert refused.value.reason is Unsupported.NEEDS_WORDS_OR_FILTER


@pytest.mark.parametrize("operator", list(Operator))
def test_an_operator_is_refused_and_not_searched_for(operator: Operator) -> None:
    """Field report 7."""
    query = Query(text=SearchText((Term(("klimaat",)),), frozenset({operator})))
    with pytest.raises(OperatorError):
        make_plan(query, TODAY)


def test_what_is_foreign_is_refused_and_what_is_partly_so_is_said() -> None:
    ede = Organisation("gemeente-ede", "Ede", BodyKind.GEMEENTE)
    with pytest.raises(NotSupportedError):
        make_plan(words("klimaat", organisations=(ede,)), TODAY)
    with pytest.raises(NotSupportedError):
        make_plan(words("klimaat", kinds=frozenset({Kind.UITSPRAAK})), TODAY)
    both = make_plan(words("klimaat", organisations=(ede, kamer_at("opentk"))), TODAY)
    assert both.notes == (Note(NoteCode.ORGANISATIONS_NOT_HERE, ("Ede",)),)


@pytest.mark.parametrize(
    ("terms", "expensive"),
    [
        (("klimaat",), False),
        (("warmtenet", "Ede"), False),
        (("motie", "klimaat"), True),
        (("Kabinet",), True),
        (("raad van state",), True),
        (("a",), True),
        (("klimaat", "2024"), True),
        (tuple(f"woord{n}" for n in range(9)), True),
    ],
)
def test_what_the_platform_finds_expensive_goes_through_a_queue_of_one(
    terms: tuple[str, ...], *, expensive: bool
) -> None:
    """Field report 36."""
    plan = make_plan(words(*terms), TODAY)
    assert plan.search is not None
    assert is_expensive(words(*terms).text) is expensive
    assert search_call(plan.search).service == (HEAVY if expensive else LIGHT)


def test_two_months_are_asked_only_where_they_hold_the_whole_period_and_cost_little() -> None:
    def recent(start: date | None, word: str = "klimaat") -> bool:
        search = make_plan(words(word, date_from=start), TODAY).search
        assert search is not None
        return search.recent

    assert recent(TODAY - timedelta(days=58))
    assert not recent(TODAY - timedelta(days=59))
    assert not recent(None)
    assert not recent(TODAY, "motie")


def test_the_filters_after_the_cut_are_ours_and_activities_alone_are_asked_of_the_platform() -> None:
    """Field report 8."""
    motions = make_plan(words("klimaat", kinds=frozenset({Kind.MOTIE})), TODAY)
    assert motions.search is not None
    assert (motions.search.sorts, motions.questions, motions.kinds) == (Sorts.ALL, None, frozenset({Kind.MOTIE}))
    questions = make_plan(words("klimaat", kinds=frozenset({Kind.VRAAG, Kind.MOTIE})), TODAY)
    assert questions.search is not None
    assert questions.questions is not None
    assert (questions.search.sorts, questions.questions.sorts) == (Sorts.ALL, Sorts.QUESTIONS)
    debates = make_plan(words("klimaat", kinds=frozenset({Kind.VERGADERING})), TODAY)
    assert debates.search is not None
    assert (debates.search.sorts, debates.kinds) == (Sorts.ACTIVITIES, frozenset())
    dear = make_plan(words("kabinet", kinds=frozenset({Kind.VERGADERING})), TODAY)
    assert dear.search is not None
    assert (dear.search.sorts, dear.kinds) == (Sorts.ALL, frozenset({Kind.VERGADERING}))
    everything = make_plan(words("klimaat", kinds=frozenset(Kind)), TODAY)
    assert everything.kinds == frozenset()


def test_the_words_of_a_question_are_in_no_repr() -> None:
    """Field report 39."""
    plan = make_plan(words("geheimwoord"), TODAY)
    assert plan.search is not None
    assert "geheimwoord" not in repr(plan.search)
    assert "geheimwoord" not in repr(search_call(plan.search))
