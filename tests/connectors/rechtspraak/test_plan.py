from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from connectors.exceptions import NotSupportedError, OperatorError, Unsupported
from connectors.rechtspraak.plan import LookUp, NothingToFind, OpenDataSearch, WebsiteSearch, make_plan, term_of
from connectors.rechtspraak.requests import DateClass, OpenDataKind, WebsiteSort
from connectors.records import BodyKind, Filter, Kind, Note, NoteCode, Operator, Organisation, Query, SearchText, Sort
from tests.connectors.rechtspraak.helpers import EDE, TODAY, court, words

HR = court("Hoge Raad")
AMSTERDAM = court("Rechtbank Amsterdam")
HR_KEY = "http://standaarden.overheid.nl/owms/terms/Hoge_Raad_der_Nederlanden"
AMSTERDAM_KEY = "http://standaarden.overheid.nl/owms/terms/Rechtbank_Amsterdam"


def _website(query: Query) -> WebsiteSearch:
    plan = make_plan(query, TODAY)
    assert isinstance(plan, WebsiteSearch)
    return plan


def _open_data(**filters: object) -> OpenDataSearch:
    plan = make_plan(Query(**filters), TODAY)  # type: ignore[arg-type]
    assert isinstance(plan, OpenDataSearch)
    return plan


def test_words_are_one_term_and_phrases_stand_in_double_quotes() -> None:
    assert term_of(words("warmtenet", "hoger beroep", "ede").text) == 'warmtenet "hoger beroep" ede'


def test_words_alone_are_one_question_to_the_website() -> None:
    plan = _website(words("warmtenet", page=3))
    assert (plan.question.start, plan.question.size, plan.end) == (48, 24, 72)
    assert plan.question.sort is WebsiteSort.RELEVANCE
    assert (plan.own, plan.notes) == ((), ())


@pytest.mark.parametrize(
    ("sort", "asked"),
    [
        (Sort.RELEVANCE, WebsiteSort.RELEVANCE),
        (Sort.NEWEST, WebsiteSort.NEWEST),
        (Sort.OLDEST, WebsiteSort.OLDEST),
    ],
)
def test_the_order_that_was_asked_is_the_order_that_is_sent(sort: Sort, asked: WebsiteSort) -> None:
    assert _website(words("a", sort=sort)).question.sort is asked


def test_courts_are_sent_by_their_identifiers() -> None:
    plan = _website(words("a", organisations=(HR, AMSTERDAM)))
    assert plan.question.courts == (HR_KEY, AMSTERDAM_KEY)
    assert plan.own == ()


def test_bodies_that_are_no_courts_are_left_out_by_name_when_a_court_was_asked_too() -> None:
    plan = _website(words("a", organisations=(EDE, HR)))
    assert plan.question.courts == (HR_KEY,)
    assert plan.notes == (Note(NoteCode.ORGANISATIONS_NOT_HERE, ("Gemeente Ede",)),)


@pytest.mark.parametrize("query", [words("a"), Query(), Query(text=SearchText(ecli="ECLI:NL:HR:2024:1"))])
def test_a_question_to_bodies_that_are_no_courts_is_refused(query: Query) -> None:
    unknown = Organisation(id="gerecht-maan", name="Maanhof", kind=BodyKind.GERECHT)
    for bodies in ((EDE,), (unknown,), (EDE, unknown)):
        with pytest.raises(NotSupportedError) as caught:
            make_plan(replace(query, organisations=bodies), TODAY)
        assert (caught.value.reason, caught.value.filters) == (Unsupported.NO_SUCH_BODY, (Filter.ORGANISATION,))


def test_kinds_that_courts_do_not_make_are_refused_and_mixed_ones_narrowed() -> None:
    with pytest.raises(NotSupportedError) as caught:
        make_plan(words("a", kinds=frozenset({Kind.MOTIE})), TODAY)
    assert (caught.value.reason, caught.value.filters) == (Unsupported.NO_SUCH_KIND, (Filter.KIND,))
    plan = _website(words("a", kinds=frozenset({Kind.MOTIE, Kind.CONCLUSIE})))
    assert (plan.kinds, plan.own) == (frozenset({Kind.CONCLUSIE}), (Filter.KIND,))
    assert plan.notes == (Note(NoteCode.FILTERED_BY_US, ("soort",)),)


def test_both_kinds_of_the_platform_are_no_filter() -> None:
    assert _website(words("a", kinds=frozenset({Kind.UITSPRAAK, Kind.CONCLUSIE}))).own == ()


@pytest.mark.parametrize("operator", list(Operator))
def test_operators_are_refused_before_any_call(operator: Operator) -> None:
    """Field report 7."""
    query = Query(text=replace(words("a").text, operators=frozenset({operator})))
    with pytest.raises(OperatorError) as caught:
        make_plan(query, TODAY)
    assert caught.value.operators == frozenset({operator})


@pytest.mark.parametrize(
    ("date_from", "date_until", "date_class"),
    [
        (date(2026, 1, 1), None, DateClass.THIS_YEAR),
        (date(2026, 2, 1), date(2026, 12, 31), DateClass.THIS_YEAR),
        (date(2025, 1, 1), date(2025, 12, 31), DateClass.LAST_YEAR),
        (date(2025, 6, 1), None, None),
        (date(2025, 6, 1), date(2026, 2, 1), None),
        (date(2024, 1, 1), date(2024, 12, 31), None),
        (None, date(2026, 2, 1), None),
        (date(2027, 1, 1), None, None),
    ],
)
def test_a_period_within_this_or_last_year_uses_the_platforms_class(
    date_from: date | None, date_until: date | None, date_class: DateClass | None
) -> None:
    plan = _website(words("a", date_from=date_from, date_until=date_until))
    assert plan.question.date_class is date_class
    assert (Note(NoteCode.SORTED_BY_DATE) in plan.notes) == (date_class is None)


@pytest.mark.parametrize(
    ("date_from", "date_until", "sort"),
    [
        (date(2015, 1, 1), None, WebsiteSort.NEWEST),
        (date(2020, 1, 1), date(2021, 1, 1), WebsiteSort.NEWEST),
        (None, date(2005, 1, 1), WebsiteSort.OLDEST),
        (date(2001, 1, 1), date(2005, 1, 1), WebsiteSort.OLDEST),
    ],
)
def test_without_a_class_the_order_by_date_that_meets_the_period_soonest_is_asked_and_said(
    date_from: date | None, date_until: date | None, sort: WebsiteSort
) -> None:
    plan = _website(words("a", date_from=date_from, date_until=date_until))
    assert plan.question.sort is sort
    assert plan.notes[-1] == Note(NoteCode.SORTED_BY_DATE)


def test_an_order_that_was_asked_is_not_changed_for_a_period() -> None:
    plan = _website(words("a", date_until=date(2005, 1, 1), sort=Sort.NEWEST))
    assert plan.question.sort is WebsiteSort.NEWEST
    assert plan.notes == (Note(NoteCode.FILTERED_BY_US, ("tot",)),)


def test_our_own_filters_read_a_hundred_results_for_one_page_of_ours_fifty_at_a_time() -> None:
    pages = [
        _website(words("a", kinds=frozenset({Kind.UITSPRAAK}), date_from=date(2010, 1, 1), page=page))
        for page in (1, 2)
    ]
    assert [(plan.question.start, plan.question.size, plan.end) for plan in pages] == [(0, 50, 100), (100, 50, 200)]
    assert pages[0].own == (Filter.KIND, Filter.FROM)
    assert pages[0].notes[0] == Note(NoteCode.FILTERED_BY_US, ("soort", "van"))


def test_an_ecli_is_looked_up_and_the_filters_beside_it_are_reported_as_ignored() -> None:
    query = Query(
        text=SearchText(ecli="ECLI:NL:HR:2024:1"),
        organisations=(HR,),
        kinds=frozenset({Kind.UITSPRAAK}),
        date_from=date(2020, 1, 1),
        date_until=date(2019, 1, 1),
        sort=Sort.OLDEST,
    )
    assert make_plan(query, TODAY) == LookUp(
        ecli="ECLI:NL:HR:2024:1",
        ignored=(Filter.ORGANISATION, Filter.KIND, Filter.FROM, Filter.UNTIL, Filter.SORT),
        page=1,
    )


@pytest.mark.parametrize(
    "query", [Query(), Query(kinds=frozenset({Kind.UITSPRAAK, Kind.CONCLUSIE})), Query(sort=Sort.NEWEST)]
)
def test_nothing_to_search_by_is_refused_because_everything_would_answer(query: Query) -> None:
    """Field report 8."""
    with pytest.raises(NotSupportedError) as caught:
        make_plan(query, TODAY)
    assert caught.value.reason is Unsupported.NEEDS_WORDS_OR_FILTER


@pytest.mark.parametrize(
    ("date_from", "date_until", "days"),
    [
        (date(2020, 5, 1), date(2020, 5, 1), (date(2020, 5, 1),)),
        (date(2020, 5, 1), date(2020, 6, 1), (date(2020, 5, 1), date(2020, 6, 1))),
        (date(2020, 5, 1), None, (date(2020, 5, 1), TODAY)),
        (None, date(2020, 6, 1), (date(1913, 1, 1), date(2020, 6, 1))),
        (TODAY, None, (TODAY,)),
        (date(2030, 1, 1), None, (date(2030, 1, 1),)),
        (None, date(1900, 1, 1), (date(1900, 1, 1),)),
        (None, None, ()),
    ],
)
def test_an_open_end_of_a_period_is_filled_in(
    date_from: date | None, date_until: date | None, days: tuple[date, ...]
) -> None:
    assert _open_data(organisations=(HR,), date_from=date_from, date_until=date_until).question.days == days


def test_filters_alone_go_to_open_data_with_courts_kind_and_offset() -> None:
    plan = _open_data(organisations=(HR, AMSTERDAM), kinds=frozenset({Kind.CONCLUSIE}), page=2)
    assert plan.question.courts == (HR_KEY, AMSTERDAM_KEY)
    assert (plan.question.kind, plan.question.start, plan.question.size) == (OpenDataKind.OPINION, 24, 24)
    assert (plan.ignored, plan.notes) == ((), ())
    assert _open_data(kinds=frozenset({Kind.UITSPRAAK})).question.kind is OpenDataKind.RULING


@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
def test_an_order_by_date_without_words_is_reported_as_ignored(sort: Sort) -> None:
    assert _open_data(organisations=(HR,), sort=sort).ignored == (Filter.SORT,)


@pytest.mark.parametrize("query", [words("a"), Query(), Query(organisations=(HR,))])
def test_a_period_that_ends_before_it_begins_holds_nothing(query: Query) -> None:
    reversed_period = replace(query, date_from=date(2020, 2, 1), date_until=date(2020, 1, 1))
    assert make_plan(reversed_period, TODAY) == NothingToFind()
