"""What is asked: the calls, and how a question becomes one."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from connectors.exceptions import NotSupportedError, OperatorError, Unsupported
from connectors.open_archivaris.connector import OpenArchivaris
from connectors.open_archivaris.field_map import proposed, read_field_map
from connectors.open_archivaris.plan import KINDS, plan
from connectors.open_archivaris.requests import Wanted, document_call, query_words, search_call
from connectors.records import Certainty, Filter, Kind, Note, NoteCode, Operator, Query, SearchText, Sort, Term, Total
from tests.connectors.open_archivaris.support import (
    CONNECTOR,
    LIVE,
    PROPOSED,
    Script,
    body,
    page,
    query,
    row,
    words,
)

pytestmark = pytest.mark.anyio
MOST = proposed().search.most_bodies


def test_everything_that_the_proposal_can_ask_has_its_parameter() -> None:
    wanted = Wanted(
        words="warmtenet",
        bodies=("GM0228", "GM0344"),
        body_kinds=("gemeente",),
        created_from=date(2024, 1, 1),
        created_to=date(2024, 12, 31),
        min_pages=2,
        max_pages=900,
        page=3,
        page_size=10,
        order=Sort.OLDEST,
    )
    assert search_call(proposed(), wanted).params == (
        ("words", "warmtenet"),
        ("bodies", "GM0228"),
        ("bodies", "GM0344"),
        ("bodyKinds", "gemeente"),
        ("createdFrom", "2024-01-01"),
        ("createdTo", "2024-12-31"),
        ("minPages", "2"),
        ("maxPages", "900"),
        ("page", "3"),
        ("pageSize", "10"),
        ("order", "oldest"),
    )


def test_words_of_a_question_stand_in_parameters_only_and_not_in_the_repr() -> None:
    call = search_call(proposed(), Wanted(words="geheim"))
    assert "geheim" not in repr(call)
    assert call.queue == "open-archivaris/api"


def test_an_id_stays_one_segment_of_the_path() -> None:
    assert document_call(proposed(), "a/../b?c").path == "/documents/a%2F..%2Fb%3Fc"


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("14:30", "14 30"),
        ("kosten/baten", "kosten baten"),
        ("a+b", "a b"),
        ("pad\\", "pad"),
        ("coördinatie", "coördinatie"),
        ("coo\u0308rdinatie", "coördinatie"),
        ("OR", "or"),
        ('"', ""),
        ("snake_case", "snake case"),
        ("\U0001f525", ""),
    ],
)
def test_words_go_out_as_letters_and_digits(typed: str, sent: str) -> None:
    """Field report 5."""
    assert query_words(SearchText((Term((typed,)),)), phrases=False) == sent


def test_a_phrase_keeps_its_quotes_only_where_the_platform_knows_phrases() -> None:
    """Field report 6."""
    text = words("redelijke termijn")
    assert query_words(text, phrases=False) == "redelijke termijn"
    assert query_words(text, phrases=True) == '"redelijke termijn"'
    assert Note(NoteCode.WORDS_APART) in plan(query("redelijke termijn"), proposed()).notes
    knows = read_field_map(PROPOSED.replace("phrases = false", "phrases = true").replace('"any"', '"all"'))
    assert plan(query("redelijke termijn"), knows).notes == ()


def test_with_more_than_one_word_the_answer_says_that_any_is_enough() -> None:
    assert plan(query("warmtenet"), proposed()).notes == ()
    assert plan(query("warmtenet", "ede"), proposed()).notes == (Note(NoteCode.ANY_WORD, ("relevantie",)),)
    newest = plan(query("warmtenet", "ede", sort=Sort.NEWEST), proposed())
    assert newest.notes == (Note(NoteCode.ANY_WORD, ("nieuwste",)),)
    all_words = read_field_map(PROPOSED.replace('match = "any"', 'match = "all"'))
    assert plan(query("warmtenet", "ede"), all_words).notes == ()


async def test_with_more_than_one_word_only_what_shows_all_of_them_counts() -> None:
    """Field report 4."""
    both, half = row(1, title="Énergie en wonen", snippet="over de energie"), row(2, title="Wonen", snippet="niets")
    one = await CONNECTOR.search(query("wonen"), Script(page(both, half, total=278)))
    assert (one.total, one.partly) == (Total(278, Certainty.EXACT), 0)
    two = await CONNECTOR.search(query("Wonen", "energie"), Script(page(both, half, total=278)))
    assert (len(two.hits), two.total, two.partly) == (2, Total(1, Certainty.AT_LEAST), 1)
    short = row(1, title="Wonen in Weesp"), row(2, title="Wonen: motie van de SP")
    few = await CONNECTOR.search(query("wonen", "sp"), Script(page(*short, total=2)))
    assert [hit.partly for hit in few.hits] == [False, True]
    assert few.hits[0].title == "Wonen: motie van de SP"
    none = await CONNECTOR.search(query("x1", "y2"), Script(page(both, half, total=278)))
    assert (len(none.hits), none.total, none.partly) == (2, Total(0, Certainty.AT_LEAST), 2)


def test_organisations_are_asked_by_code_and_one_without_by_our_own_id() -> None:
    asked = plan(query("x", organisations=("gemeente-ede", "waterschap-aa-en-maas", "provincie-utrecht")), proposed())
    assert asked.wanted.bodies == ("GM0228", "waterschap-aa-en-maas", "PV26")
    assert not asked.filters


def test_more_organisations_than_fit_are_looked_for_by_us() -> None:
    many = CONNECTOR.organisations()[: MOST + 1]
    asked = plan(Query(text=words("x"), organisations=many), proposed())
    assert asked.wanted.bodies == ()
    assert asked.wanted.page_size == 100
    assert asked.notes == (Note(NoteCode.TOO_MANY_ORGANISATIONS, (str(MOST + 1), str(MOST))),)
    assert asked.own_bodies == {one.id for one in many}


def test_kinds_are_ours_to_choose_and_the_answer_says_so() -> None:
    asked = plan(query("x", kinds=frozenset({Kind.MOTIE})), proposed())
    assert asked.notes == (Note(NoteCode.FILTERED_BY_US, ("soort",)),)
    assert plan(query("x", kinds=KINDS), proposed()).notes == ()


def test_what_the_map_cannot_ask_we_choose_ourselves() -> None:
    bare = PROPOSED
    for line in ('bodies = "bodies"\n', 'created_from = "createdFrom"\n', 'created_to = "createdTo"\n'):
        bare = bare.replace(line, "", 1)
    fields = read_field_map(bare)
    asked = plan(query("x", organisations=("gemeente-ede",), date_from=date(2024, 1, 1)), fields)
    assert asked.notes == (Note(NoteCode.FILTERED_BY_US, ("organisatie", "van")),)
    assert OpenArchivaris(LIVE, fields).capabilities.own_filters == {
        Filter.KIND,
        Filter.ORGANISATION,
        Filter.FROM,
        Filter.UNTIL,
    }


async def test_our_own_choice_makes_the_total_at_least() -> None:
    rows = [row(1, title="Motie een"), row(2, title="Raadsbrief twee"), row(3, title="Motie drie")]
    found = await CONNECTOR.search(query("x", kinds=frozenset({Kind.MOTIE})), Script(page(*rows, total=300)))
    assert [hit.upstream_id for hit in found.hits] == ["oa-0001", "oa-0003"]
    assert (found.total.value, found.total.certainty) == (2, Certainty.AT_LEAST)


async def test_without_pages_in_the_map_nothing_beyond_the_first_is_promised() -> None:
    fields = read_field_map(PROPOSED.replace('page = "page"\n', "", 1))
    connector = OpenArchivaris(LIVE, fields)
    assert not (await connector.search(query("x"), Script(page(row(), total=300, after=2)))).has_more
    assert plan(query("x", number=2), fields).ignored == (Filter.PAGE,)
    assert Filter.PAGE not in connector.capabilities.filters


def test_an_order_that_the_map_lacks_is_said_to_be_ignored() -> None:
    fields = read_field_map(PROPOSED.replace('oudste = "oldest"\n', ""))
    assert plan(query("x", sort=Sort.OLDEST), fields).ignored == (Filter.SORT,)
    assert plan(query("x", sort=Sort.NEWEST), fields).ignored == ()


def test_without_words_newest_comes_first_and_the_answer_says_so() -> None:
    asked = plan(query(organisations=("gemeente-ede",)), proposed())
    assert (asked.wanted.order, asked.notes) == (Sort.NEWEST, (Note(NoteCode.SORTED_BY_DATE),))


def refused(asked: Query) -> NotSupportedError:
    script = Script()
    with pytest.raises(NotSupportedError) as failure:
        asyncio.run(CONNECTOR.search(asked, script))  # refused before any call
    assert script.calls == []
    return failure.value


def test_what_the_platform_can_never_hold_is_refused_before_any_call() -> None:
    """Field report 7 for the operator."""
    court = Query(
        text=words("x"), organisations=(body("gemeente-ede").__class__("gerecht-x", "X", body("gemeente-ede").kind),)
    )
    assert refused(court).reason is Unsupported.NO_SUCH_BODY
    assert refused(query("x", kinds=frozenset({Kind.UITSPRAAK}))).reason is Unsupported.NO_SUCH_KIND
    assert refused(query()).reason is Unsupported.NEEDS_WORDS_OR_FILTER
    operator = Query(text=SearchText((Term(("x",)),), frozenset({Operator.SLOP})))
    assert isinstance(refused(operator), OperatorError)
