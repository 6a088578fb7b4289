"""From a question to CQL: safe whatever is in it, filters by the platform, and what is refused before any call."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.exceptions import NotSupportedError, OperatorError, Unsupported
from connectors.officiele_bekendmakingen.deep import DaySearch
from connectors.officiele_bekendmakingen.explain import ASKED
from connectors.officiele_bekendmakingen.journals import JOURNALS, KINDS
from connectors.officiele_bekendmakingen.organisations import maker_of, type_of
from connectors.officiele_bekendmakingen.plan import MOST_ORGANISATIONS, make_plan
from connectors.officiele_bekendmakingen.requests import Question, file_call, quoted, record_call, search_call
from connectors.officiele_bekendmakingen.standin_cql import parse
from connectors.records import Filter, Kind, Note, NoteCode, Operator, Query, SearchText, Sort, Term
from tests.connectors.officiele_bekendmakingen.helpers import COURT, body, connector, sample, words

AREA = "c.product-area==officielepublicaties"


def cql(query: Query) -> str:
    return make_plan(query).question.cql


def test_every_word_and_phrase_is_a_clause_of_its_own() -> None:
    """Field report 6: a phrase stays a phrase. Two bare words in one clause would be a syntax error."""
    assert cql(words("zorg", "veiligheid en zorg")) == (
        f'{AREA} AND cql.textAndIndexes="veiligheid en zorg" AND cql.textAndIndexes="zorg"'
    )


def test_an_organisation_is_asked_by_its_exact_name_and_its_kind() -> None:
    assert cql(Query(organisations=(body("gemeente-utrecht"),))) == (
        f'{AREA} AND ((dt.creator=="Utrecht" OR dt.creator=="Utrecht (Utr)") AND w.organisatietype=="gemeente")'
    )
    assert 'dt.creator=="Utrecht" AND w.organisatietype=="provincie"' in cql(
        Query(organisations=(body("provincie-utrecht"),))
    )


@pytest.mark.parametrize(
    ("identifier", "creator"),
    [
        ("gemeente-den-haag", "'s-Gravenhage"),
        ("gemeente-bergen-nh", "Bergen (NH)"),
        ("gemeente-hengelo", "Hengelo"),
        ("gemeente-s-hertogenbosch", "'s-Hertogenbosch"),
        ("provincie-fryslan", "Fryslân"),
    ],
)
def test_names_are_spelled_as_the_platform_spells_them(identifier: str, creator: str) -> None:
    assert f'dt.creator=="{creator}"' in cql(Query(organisations=(body(identifier),)))


def test_a_water_board_is_found_by_its_own_name_and_shown_with_its_kind() -> None:
    """Field report 14."""
    asked = cql(Query(organisations=(body("waterschap-de-dommel"),)))
    maker = '(dt.creator="Waterschap De Dommel" OR dt.creator=="De Dommel")'
    assert f'{maker} AND w.organisatietype=="waterschap"' in asked
    assert [type_of("", scheme) for scheme in ("OVERHEID.StatenGeneraal", "overheid:Gemeente", "")] == [
        "staten generaal",
        "gemeente",
        "",
    ]
    assert type_of("provincie", "OVERHEID.Gemeente") == "provincie"
    assert maker_of("De Dommel", "waterschap") == ("Waterschap De Dommel", "waterschap-de-dommel")
    assert maker_of("Waterschap De Dommel", "waterschap") == ("Waterschap De Dommel", "waterschap-de-dommel")


def test_old_and_present_spellings_of_a_municipality_are_one_body() -> None:
    """Field report 13."""
    assert maker_of("Den Haag", "gemeente")[1] == maker_of("'s-Gravenhage", "gemeente")[1] == "gemeente-den-haag"
    ended = body("gemeente-weesp")
    assert (ended.ended, ended.successor) == (date(2022, 3, 24), "gemeente-amsterdam")


@pytest.mark.parametrize(
    ("creator", "organisation_type", "name", "identifier"),
    [
        ("Ministerie van Financiën", "ministerie", "Ministerie van Financiën", "ministerie-financien"),
        ("Tweede Kamer der Staten-Generaal", "staten generaal", "Tweede Kamer", "tweede-kamer"),
        ("Verenigde Vergadering der Staten-Generaal", "staten generaal", "Staten-Generaal", "staten-generaal"),
        ("Raad van State", "hoog college van staat", "Raad van State", "gerecht-raad-van-state"),
        ("Regio Achterhoek", "regionaal samenwerkingsorgaan", "Regio Achterhoek", "overig-regio-achterhoek"),
        ("Rechtbank Den Haag", "rechterlijke macht", "Rechtbank Den Haag", "gerecht-rechtbank-den-haag"),
        ("Politie Twente", "politiekorps", "Politie Twente", None),
    ],
)
def test_the_maker_of_a_record_is_the_body_of_the_register(
    creator: str, organisation_type: str, name: str, identifier: str | None
) -> None:
    assert maker_of(creator, organisation_type) == (name, identifier)


def test_a_chamber_is_asked_by_all_its_spellings_and_an_agency_by_containment() -> None:
    assert (
        '(dt.creator=="Staten-Generaal" OR dt.creator=="Verenigde Vergadering der Staten-Generaal") '
        'AND w.organisatietype=="staten generaal"'
    ) in cql(Query(organisations=(body("staten-generaal"),)))
    assert '(dt.creator="Rijkswaterstaat" OR dt.creator=="Rijkswaterstaat")' in cql(
        Query(organisations=(body("overig-rijkswaterstaat"),))
    )


def test_a_period_is_by_day_of_publication_with_both_ends() -> None:
    query = words("energie", date_from=date(2024, 2, 29), date_until=date(2024, 12, 31))
    assert cql(query).endswith(' AND dt.available>="2024-02-29" AND dt.available<="2024-12-31"')


def test_a_period_that_ends_before_it_begins_asks_nothing() -> None:
    assert make_plan(words("energie", date_from=date(2024, 2, 1), date_until=date(2024, 1, 1))).is_empty


def test_the_platform_sorts_by_day_of_publication() -> None:
    call = search_call(make_plan(words("energie", sort=Sort.NEWEST)).question)
    assert dict(call.params)["query"].endswith(" sortBy dt.available/sort.descending")
    call = search_call(make_plan(words("energie", sort=Sort.OLDEST)).question)
    assert dict(call.params)["query"].endswith(" sortBy dt.available/sort.ascending")


def test_without_words_the_newest_come_first_and_the_answer_says_so() -> None:
    plan = make_plan(Query(organisations=(body("gemeente-ede"),)))
    assert plan.question.sort is Sort.NEWEST
    assert plan.notes == (Note(NoteCode.SORTED_BY_DATE),)


def test_a_kind_that_is_a_journal_is_filtered_by_the_platform() -> None:
    plan = make_plan(words("energie", kinds=frozenset({Kind.WET})))
    assert 'w.publicatienaam=="Staatsblad"' in plan.question.cql
    assert (plan.own_kinds, plan.notes) == (frozenset(), ())


def test_a_kind_of_parliamentary_paper_is_asked_by_its_word_and_looked_at_by_us() -> None:
    plan = make_plan(words("energie", kinds=frozenset({Kind.MOTIE})))
    assert 'w.publicatienaam=="Kamerstuk" AND cql.textAndIndexes="motie"' in plan.question.cql
    assert plan.own_kinds == {Kind.MOTIE}
    assert plan.notes == (Note(NoteCode.FILTERED_BY_US, (Filter.KIND.value,)),)


def test_all_kinds_together_narrow_nothing() -> None:
    assert cql(words("energie", kinds=KINDS)) == cql(words("energie"))


def test_an_id_typed_as_a_question_finds_that_publication() -> None:
    query = Query(text=SearchText((Term(("kst", "36600", "vii", "139"), phrase=True),)))
    assert cql(query) == (
        f'{AREA} AND (dt.identifier=="kst-36600-VII-139" OR (cql.textAndIndexes="kst 36600 vii 139"))'
    )


def test_an_ecli_is_looked_for_as_a_phrase() -> None:
    assert cql(Query(text=SearchText(ecli="ECLI:NL:HR:2024:1"))).endswith('cql.textAndIndexes="ECLI NL HR 2024 1"')


@pytest.mark.parametrize("operator", list(Operator))
def test_an_operator_is_refused_before_any_call(operator: Operator) -> None:
    """Field report 7. NOT with free text was seen to enlarge a set."""
    with pytest.raises(OperatorError):
        make_plan(Query(text=SearchText((Term(("a",)),), frozenset({operator}))))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(), Unsupported.NEEDS_WORDS_OR_FILTER),
        (Query(organisations=(COURT,)), Unsupported.NO_SUCH_BODY),
        (words("energie", kinds=frozenset({Kind.UITSPRAAK})), Unsupported.NO_SUCH_KIND),
    ],
)
def test_what_the_platform_cannot_answer_is_refused_before_any_call(query: Query, reason: Unsupported) -> None:
    with pytest.raises(NotSupportedError) as caught:
        make_plan(query)
    assert caught.value.reason is reason


def test_a_body_that_is_not_here_is_named_when_others_are() -> None:
    plan = make_plan(words("energie", organisations=(body("gemeente-ede"), COURT)))
    assert plan.notes == (Note(NoteCode.ORGANISATIONS_NOT_HERE, ("Hoge Raad",)),)


def test_very_many_organisations_are_one_question_looked_at_by_us() -> None:
    many = connector().organisations()[: MOST_ORGANISATIONS + 1]
    plan = make_plan(words("energie", organisations=many))
    assert "dt.creator" not in plan.question.cql
    assert plan.only == {organisation.id for organisation in many}
    assert plan.notes[0].code is NoteCode.TOO_MANY_ORGANISATIONS
    with pytest.raises(NotSupportedError):
        make_plan(Query(organisations=many))


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4), st.booleans())
def test_no_word_can_leave_its_clause(parts: list[str], phrase: bool) -> None:
    """Field report 5: braces, quotes, plus signs and backslashes break this service; none of them gets there."""
    query = Query(text=SearchText((Term(tuple(parts), phrase=phrase),)), date_from=date(2020, 1, 1))
    asked = cql(query)
    assert not set("{}+\\") & set(asked)
    assert asked.startswith(f"{AREA} AND ")
    assert not parse(asked).ignored
    inside = asked.split('"')[1::2]
    assert all(c.isalnum() or c in "-'().,/_ " or ord(c) > 127 for string in inside for c in string)


@given(st.text(max_size=60))
def test_a_quoted_text_is_one_string(text: str) -> None:
    string = quoted(text)
    assert string[0] == string[-1] == '"'
    assert '"' not in string[1:-1]


def test_a_call_shows_no_words_and_names_its_queue() -> None:
    """Field report 39."""
    call = search_call(make_plan(words("geheimwoord")).question, 25)
    assert "geheimwoord" not in repr(call)
    assert call.queue == "officiele-bekendmakingen/zoeken"
    assert dict(call.params) | {"query": ""} == {
        "operation": "searchRetrieve",
        "version": "2.0",
        "httpAccept": "application/xml",
        "query": "",
        "startRecord": "25",
        "maximumRecords": "24",
    }
    assert record_call("stb-2018-84").params[3] == ("query", f'{AREA} AND dt.identifier=="stb-2018-84"')
    assert file_call("/frbr/x").queue == "officiele-bekendmakingen/bestanden"


def test_every_index_that_is_asked_is_one_that_the_service_explains() -> None:
    explained = {".".join(pair) for pair in json.loads(sample("sru-explain.parsed.json"))["indices"]}
    asked = cql(
        words(
            "energie", kinds=frozenset({Kind.MOTIE}), organisations=(body("gemeente-ede"),), date_from=date(2024, 1, 1)
        )
    )
    named = set(re.findall(r"\b[a-z]+\.[a-zA-Z-]+", re.sub(r'"[^"]*"', "", asked)))
    assert named | {"dt.identifier"} == ASKED
    assert explained >= ASKED


def test_every_journal_of_the_value_list_is_known_with_its_areas() -> None:
    listed = json.loads(sample("value-lists.json"))["publicatienaam"]
    known = {journal.name: journal.areas for journal in JOURNALS}
    assert set(known) == set(listed)
    for name, areas in listed.items():
        assert set([areas] if isinstance(areas, str) else areas) <= set(known[name])


@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
@pytest.mark.parametrize("period", [(date.min, date.min), (date.max, date.max), (date.min, date.max)])
@pytest.mark.parametrize("count", [0, 50_000])
def test_a_cut_at_the_first_or_last_day_there_is_ends_without_one(
    sort: Sort, period: tuple[date, date], count: int
) -> None:
    """A source that counts as if no period was asked sends the search for a cut to the end of the calendar."""
    question = Question(date_from=period[0], date_until=period[1], sort=sort)
    search = DaySearch(question, wanted=20_000, size=50, today=date(2026, 12, 1))
    while (day := search.day) is not None:
        search.before(day)
        assert search.told(day, count) is None
