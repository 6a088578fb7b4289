"""Members: names, seats and days."""

from __future__ import annotations

from datetime import date

import pytest

from connectors.records import ListItem
from connectors.tweede_kamer.people import Member, member, member_page, person_name
from tests.connectors.tweede_kamer.helpers import StandInAsk, answer, connector, sample_json

PERSON = {"Id": "p1", "Roepnaam": "Anna", "Tussenvoegsel": "van der", "Achternaam": "Berg"}
SEAT = {"Id": "z1", "Gewicht": 3, "Fractie": {"Id": "f1", "Afkorting": "ABC", "NaamNL": "Alle Burgers"}}


def test_a_recorded_person_is_known_by_a_name_and_by_nothing_else() -> None:
    assert person_name(sample_json("persoon_single.recorded.json")) == "Fleur Agema"


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (PERSON, "Anna van der Berg"),
        ({"Initialen": "A.B.", "Achternaam": "Berg"}, "A.B. Berg"),
        ({"Roepnaam": "Anna"}, ""),
        ({"Achternaam": 7}, ""),
        ({}, ""),
    ],
)
def test_a_name_is_made_of_what_there_is(row: dict[str, object], name: str) -> None:
    assert person_name(row) == name


def test_a_recorded_seat_is_held_from_its_first_day_to_its_last() -> None:
    """The days are those in the Netherlands: 2019-02-19T00:00:00+01:00 is no day earlier in UTC."""
    held = member(sample_json("fractiezetelpersoon_single.recorded.json"))
    assert held == Member(
        person_id="1456a009-770b-4820-8919-55287a5780a7",
        name="",
        role="Lid",
        first_day=date(2012, 9, 20),
        last_day=date(2019, 2, 19),
    )


def test_a_recorded_seat_names_its_fractie_and_its_place_on_the_list() -> None:
    seat = sample_json("fractiezetel_single.recorded.json")
    held = member({"Persoon_Id": "p1", "FractieZetel": seat})
    assert held is not None
    assert (held.party_id, held.party, held.weight) == ("65129918-f256-4975-9da4-488da34d6695", "", 37)


def test_the_members_of_a_fractie_are_read_from_its_seats() -> None:
    party = sample_json("fractie_members_expanded.constructed.json")
    (seat,) = party.pop("FractieZetel")
    (row,) = seat.pop("FractieZetelPersoon")
    held = member(row | {"FractieZetel": seat | {"Fractie": party}})
    assert held is not None
    assert (held.party, held.role, held.first_day, held.last_day) == (
        "Volt",
        "Fractievoorzitter",
        date(2021, 3, 31),
        None,
    )


def test_a_member_is_an_item_below_the_fractie_with_role_and_days_in_words() -> None:
    rows = [
        {"Persoon": PERSON, "FractieZetel": SEAT, "Functie": "Fractievoorzitter", "Van": "2023-12-06T00:00:00+01:00"},
        {"Persoon": PERSON, "Functie": "Lid", "Van": "2012-09-20T00:00:00+02:00", "TotEnMet": "2017-03-22T00:00:00Z"},
        {"Persoon": PERSON, "TotEnMet": "2017-03-22T00:00:00+01:00"},
        {"Persoon": {"Id": "p2"}, "FractieZetel": SEAT},
        {"Persoon": PERSON | {"Verwijderd": True}},
        {"Functie": "Lid"},
    ]
    page = member_page(answer({"value": rows}))
    assert page.given == 6
    assert page.items == (
        ListItem("p1", "Anna van der Berg, ABC, fractievoorzitter, sinds 06-12-2023", "f1"),
        ListItem("p1", "Anna van der Berg, 20-09-2012 tot en met 22-03-2017", None),
        ListItem("p1", "Anna van der Berg, tot en met 22-03-2017", None),
    )


@pytest.mark.anyio
async def test_the_list_of_members_holds_who_sits_now_and_for_which_fractie() -> None:
    ask = StandInAsk()
    lists = dict((await connector().lists(ask)).values)
    fracties = {item.identifier for item in lists["fracties"]}
    assert len(lists["kamerleden"]) == 2 * len(fracties)
    assert {item.parent for item in lists["kamerleden"]} == fracties
    assert all(", sinds 06-12-2023" in item.name for item in lists["kamerleden"])
    assert "TotEnMet eq null and Verwijderd eq false" in dict(ask.calls[-1].params)["$filter"]
