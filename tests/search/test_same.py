"""The same thing on several platforms is one item that names them all; what only looks the same stays apart."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import UTC, date, datetime
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from connectors.addresses import Addresses, PlatformMode
from connectors.calls import Answer, Call
from connectors.council_papers import council_papers
from connectors.moments import AMSTERDAM
from connectors.officiele_bekendmakingen.standin import OfficieleBekendmakingenStandIn
from connectors.open_archivaris.standin import OpenArchivarisStandIn
from connectors.open_raadsinformatie.standin import OpenRaadsinformatieStandIn
from connectors.openbesluitvorming.standin import OpenBesluitvormingStandIn
from connectors.opentk.standin import OpenTKStandIn
from connectors.records import (
    DateMeaning,
    Hit,
    Kind,
    Moment,
    Organisation,
    Query,
    SearchText,
    Term,
)
from connectors.registry import default_registry
from connectors.sameness import supplier_key
from connectors.standins import StandIns
from connectors.tweede_kamer.standin import TweedeKamerStandIn
from search.same import Differs, together
from tests.support.asking import Asking
from tests.support.hits import NOW, groups, hit, meeting

PAGES = "http://127.0.0.1:2"
REGISTRY = {
    one.platform.key: one for one in default_registry(Addresses(PlatformMode.STAND_INS, "http://127.0.0.1:1", PAGES))
}
COUNCILS = ("open-raadsinformatie", "openbesluitvorming", "open-archivaris")
KAMER = ("tweede-kamer", "opentk", "officiele-bekendmakingen")


class _StandIns(Asking):
    """An ``ask`` that the stand-ins answer, without a socket."""

    def __init__(self) -> None:
        made = (
            OpenArchivarisStandIn,
            OpenRaadsinformatieStandIn,
            OpenBesluitvormingStandIn,
            OpenTKStandIn,
            TweedeKamerStandIn,
            OfficieleBekendmakingenStandIn,
        )
        self._client = TestClient(StandIns([stand_in(PAGES) for stand_in in made]), follow_redirects=False)

    async def answer(self, call: Call) -> Answer:
        query = f"?{urlencode(call.params)}" if call.params else ""
        path = f"/{call.platform}/{call.service}{call.path}{query}"
        response = self._client.request(call.method, path, content=call.body, headers=list(call.headers))
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(status=response.status_code, headers=headers, body=response.content, fetched_at=NOW)


ASK = _StandIns()


async def found(platform: str, *terms: str, body: str = "") -> tuple[Hit, ...]:
    connector = REGISTRY[platform]
    bodies: tuple[Organisation, ...] = tuple(one for one in connector.organisations() if one.id == body)
    text = SearchText(tuple(Term(tuple(term.split()), phrase=" " in term) for term in terms))
    return (await connector.search(Query(text=text, organisations=bodies), ASK)).hits


async def all_found(platforms: Iterable[str], *terms: str, body: str = "") -> list[Hit]:
    return [hit for platform in platforms for hit in await found(platform, *terms, body=body)]


def paper_of(one: Hit) -> str:
    """The made paper behind a hit of the council platforms: its original's own number, empty for what is no paper."""
    return next((key.rpartition(":")[2] for key in one.same_as if key.startswith("adres:")), "")


@pytest.mark.anyio
async def test_papers_that_three_stand_ins_have_become_one_item_each_and_no_other_paper_is_in_it() -> None:
    hits = await all_found(COUNCILS, "warmtenet")
    items = together(hits)
    shared = [item for item in items if item.is_shared]
    assert sum(item.platforms == COUNCILS for item in shared) >= 5
    for item in shared:
        assert len({paper for thing in item.things if (paper := paper_of(thing))}) <= 1
        assert len({thing.organisation_id for thing in item.things}) == 1
        assert item.disagreements == ()
    assert sorted(thing.id for item in items for thing in item.things) == sorted(one.id for one in hits)


@pytest.mark.anyio
async def test_a_motion_with_its_number_is_one_item_with_its_text_and_its_item_of_the_agenda() -> None:
    """No search answer says that they belong together; body, day and whole title do, and that there is one of each sort."""
    items = together(await all_found(COUNCILS, "warmtenet", body="gemeente-ede"))
    (item,) = [
        item for item in items if item.first.title.startswith("Motie M5 Aandacht voor de keuze van een warmtebron")
    ]
    sorts = {(thing.platform, thing.kind_at_source) for thing in item.things}
    assert {kind for _, kind in sorts} >= {"Motie", "Document", "AgendaItem", "MediaObject"}
    assert item.platforms == COUNCILS
    assert len({thing.title for thing in item.things}) == 1


@pytest.mark.anyio
async def test_a_meeting_is_one_item_although_one_platform_labels_its_clock_as_utc() -> None:
    """Field report 10: Zeewolde's 19:00 came as 19:00Z; both platforms name the same hour once that is read right."""
    hits = await all_found(COUNCILS[:2], "raadsvergadering", body="gemeente-zeewolde")
    meetings = [item for item in together(hits) if item.is_shared and item.first.kind is Kind.VERGADERING]
    assert meetings
    for item in meetings:
        assert item.platforms == COUNCILS[:2]
        assert item.disagreements == ()


@pytest.mark.anyio
async def test_a_paper_of_the_kamer_is_one_item_at_the_kamer_and_opentk() -> None:
    items = together(await all_found(KAMER, "energie"))
    shared = [item for item in items if item.is_shared]
    assert len(shared) >= 5
    assert all(len({thing.upstream_id for thing in item.things}) == 1 for item in shared)
    assert {item.first.kind for item in shared} >= {Kind.MOTIE, Kind.VERGADERING, Kind.TOEZEGGING}


@pytest.mark.anyio
async def test_an_opened_paper_of_the_kamer_is_the_same_as_its_official_publication() -> None:
    ids = ("2025D91003", "2025D91003", "kst-21501-33-1101")
    opened = [await REGISTRY[key].document(identifier, ASK) for key, identifier in zip(KAMER, ids, strict=True)]
    (item,) = together(opened)
    assert item.platforms == KAMER
    other = await REGISTRY[KAMER[2]].document("kst-21501-33-1102", ASK)
    assert [one.platforms for one in together([*opened, other])] == [KAMER, KAMER[2:]]


@pytest.mark.anyio
async def test_papers_of_one_name_at_two_councils_stay_apart() -> None:
    title = "Raadsvoorstel Parkeren rond Raadhuisplein"
    bodies = {paper.body.key for paper in council_papers().papers if paper.title == title}
    assert len(bodies) == 2
    hits = [one for one in await all_found(COUNCILS, "Parkeren", "Raadhuisplein") if one.title == title]
    assert len({one.organisation_id for one in hits}) == 2
    items = together(hits)
    assert len(items) == 2
    assert all(len({thing.organisation_id for thing in item.things}) == 1 for item in items)


def test_the_same_title_and_date_without_a_key_in_common_is_not_the_same() -> None:
    day = meeting(date(2026, 3, 12), 19)
    one = hit("a", "1", supplier_key("notubiz", "document", "gemeente-ede", "823"), date=day)
    other = hit("b", "2", supplier_key("notubiz", "document", "gemeente-ede", "1823"), date=day)
    elsewhere = hit("c", "3", supplier_key("notubiz", "document", "gemeente-epe", "823"), date=day)
    assert groups(together([one, other, elsewhere])) == [["a:1"], ["b:2"], ["c:3"]]


def test_groups_stand_where_their_first_came_and_hold_their_things_in_order_of_arrival() -> None:
    hits = [
        hit("a", "1"),
        hit("b", "2", "k"),
        hit("b", "3"),
        hit("a", "4", "m"),
        hit("c", "5", "k"),
        hit("c", "6", "m"),
    ]
    assert groups(together(hits)) == [["a:1"], ["b:2", "c:5"], ["b:3"], ["a:4", "c:6"]]


def test_keys_reach_over_a_third_platform() -> None:
    hits = [hit("a", "1", "k"), hit("b", "2", "m"), hit("c", "3", "m", "k")]
    (item,) = together(hits)
    assert item.platforms == ("a", "b", "c")


def test_what_one_platform_lists_twice_stays_listed_twice() -> None:
    hits = [hit("a", "1", "k"), hit("a", "2", "k")]
    assert groups(together(hits)) == [["a:1"], ["a:2"]]
    assert groups(together([*hits, hit("b", "3", "k")])) == [["a:1", "a:2", "b:3"]]


def test_an_address_that_one_platform_gives_for_different_papers_is_no_paper() -> None:
    """A page that lists papers would make one of them all."""
    page = "adres:raad.ede.nl/stukken"
    hits = [hit("a", "1", page), hit("a", "2", page), hit("b", "3", page)]
    assert groups(together(hits)) == [["a:1"], ["a:2"], ["b:3"]]
    numbered = [hit("a", "1", page, "n1"), hit("a", "2", page, "n2"), hit("b", "3", page, "n2")]
    assert groups(together(numbered)) == [["a:1"], ["a:2", "b:3"]]


def test_a_paper_that_a_platform_has_under_two_ids_is_still_the_same_elsewhere() -> None:
    file = "adres:raad.ede.nl/a.pdf"
    hits = [hit("a", "1", file, "n"), hit("a", "2", file, "n"), hit("b", "3", file)]
    assert groups(together(hits)) == [["a:1", "a:2", "b:3"]]


def test_an_hour_apart_on_one_day_is_a_warning_that_names_both() -> None:
    """Field report 10: the same agenda item at 19:30 here and at 20:30 there."""
    day = date(2026, 3, 12)
    one = hit("open-raadsinformatie", "1", "k", date=meeting(day, 19, 30))
    other = hit("openbesluitvorming", "2", "k", date=meeting(day, 20, 30))
    (item,) = together([one, other])
    (differs,) = item.disagreements
    assert differs.on is Differs.TIME
    assert differs.said[0][0] == "open-raadsinformatie"
    assert "Open Raadsinformatie: 12 maart 2026, 19.30" in differs.warning.replace(":30", ".30")
    assert "OpenBesluitvorming: 12 maart 2026, 20.30" in differs.warning.replace(":30", ".30")


def test_one_moment_with_two_offsets_is_no_disagreement() -> None:
    at = datetime(2026, 3, 12, 18, 30, tzinfo=UTC)
    one = hit("a", "1", "k", date=Moment(date(2026, 3, 12), DateMeaning.MEETING, at))
    other = hit("b", "2", "k", date=Moment(date(2026, 3, 12), DateMeaning.MEETING, at.astimezone(AMSTERDAM)))
    day_only = hit("c", "3", "k", date=Moment(date(2026, 3, 12), DateMeaning.MEETING))
    assert together([one, other, day_only])[0].disagreements == ()


def test_a_meeting_on_another_day_is_a_disagreement_and_dates_of_another_meaning_are_not() -> None:
    one = hit("a", "1", "k", date=meeting(date(2026, 3, 12), 19))
    other = hit("b", "2", "k", date=meeting(date(2026, 3, 13), 0, 30))
    made = hit("c", "3", "k", date=Moment(date(2026, 2, 1), DateMeaning.DOCUMENT))
    (item,) = together([one, other, made])
    assert [differs.on for differs in item.disagreements] == [Differs.DATE]
    assert [platform for platform, _ in item.disagreements[0].said] == ["a", "b"]


def test_a_paper_that_was_discussed_twice_may_have_the_date_of_either_meeting() -> None:
    one = hit("a", "1", "k", date=meeting(date(2026, 3, 12), 19, meaning=DateMeaning.MEETING_OR_MOTION))
    other = hit("b", "2", "k", date=meeting(date(2026, 4, 9), 19, meaning=DateMeaning.MEETING_OR_CHANGE))
    assert together([one, other])[0].disagreements == ()


def test_titles_differ_when_their_words_do_and_not_when_one_is_cut_off() -> None:
    long = "Raadsvoorstel Uitvoeringsplan warmtenet in de wijk Veldhuizen"
    same = [hit("a", "1", "k", title=long), hit("b", "2", "k", title=long.upper()), hit("c", "3", "k", title=long[:40])]
    assert together(same)[0].disagreements == ()
    (item,) = together([*same, hit("d", "4", "k", title=f"Gewijzigd {long}")])
    (differs,) = item.disagreements
    assert differs.on is Differs.TITLE
    assert len(differs.said) == 4


def test_a_paper_that_platforms_hold_under_different_councils_says_so() -> None:
    """One platform held papers of Aa en Hunze under Hunze en Aa's."""
    one = hit("a", "1", "k", organisation="Gemeente Aa en Hunze", organisation_id="gemeente-aa-en-hunze")
    other = hit("b", "2", "k", organisation="Waterschap Hunze en Aa's", organisation_id="waterschap-hunze-en-aas")
    unknown = hit("c", "3", "k", organisation="onbekend", organisation_id=None)
    (differs,) = together([one, other, unknown])[0].disagreements
    assert (differs.on, len(differs.said)) == (Differs.ORGANISATION, 2)
    assert differs.warning.endswith("Kijk bij de organisatie zelf wat klopt.")


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sets(st.sampled_from("klmnop"), max_size=3)), max_size=30))
def test_nothing_is_lost_made_up_or_put_out_of_order(made: list[tuple[str, set[str]]]) -> None:
    hits = [hit(platform, str(place), *sorted(keys)) for place, (platform, keys) in enumerate(made)]
    items = together(hits)
    places = [[int(thing.upstream_id) for thing in item.things] for item in items]
    assert sorted(place for group in places for place in group) == list(range(len(hits)))
    assert all(group == sorted(group) for group in places)
    assert [group[0] for group in places] == sorted(group[0] for group in places)
    assert all(item.is_shared == (len(item.platforms) > 1) for item in items)


def test_thousands_of_hits_in_one_long_chain_are_joined() -> None:
    hits = [hit("ab"[place % 2], str(place), f"k{place}", f"k{place + 1}") for place in range(5_000)]
    random.Random(7).shuffle(hits)
    assert len(together(hits)) == 1
