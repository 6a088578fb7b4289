"""The shipped list of bodies, and the corrections to the platform's labels."""

from __future__ import annotations

from datetime import date

import pytest

from connectors.openbesluitvorming.organisations import organisation, shipped
from connectors.records import BodyKind, Organisation
from tests.connectors.openbesluitvorming.support import body, sample


def test_the_shipped_list_holds_every_source_of_the_platform_once() -> None:
    successors = {"land_van_cuijk"}
    keys = [key for found in shipped() if (key := found.key_at("openbesluitvorming")) not in successors]
    sources = [source["key"] for source in sample("sources")["sources"] if not source.get("isAggregate")]

    assert sorted(filter(None, keys)) == sorted(sources)
    assert len(keys) == 331
    assert len({found.id for found in shipped()}) == 331 + len(successors)


def test_a_municipality_has_its_code_and_its_key() -> None:
    assert body("gemeente-ede") == Organisation(
        id="gemeente-ede",
        name="Gemeente Ede",
        kind=BodyKind.GEMEENTE,
        keys=(("openbesluitvorming", "ede"),),
        names=("Ede",),
        code="GM0228",
    )


@pytest.mark.parametrize(
    ("identifier", "name", "key"),
    [
        ("waterschap-aa-en-maas", "Waterschap Aa en Maas", "aa-en-maas"),
        ("waterschap-de-dommel", "Waterschap De Dommel", "de-dommel"),
        ("waterschap-hunze-en-aas", "Waterschap Hunze en Aa's", "hunze-en-aa"),
        ("provincie-noord-holland", "Provincie Noord-Holland", "noord-holland"),
        ("provincie-utrecht", "Provincie Utrecht", "provincie-utrecht"),
        ("gemeente-utrecht", "Gemeente Utrecht", "utrecht"),
        ("gemeente-s-hertogenbosch", "Gemeente 's-Hertogenbosch", "den_bosch"),
        ("gemeente-kaag-en-braassem", "Gemeente Kaag en Braassem", "kaag_en_brasssem"),
        ("gemeente-capelle-aan-den-ijssel", "Gemeente Capelle aan den IJssel", "capelle_ad_ijssel"),
    ],
)
def test_bodies_carry_their_official_names(identifier: str, name: str, key: str) -> None:
    """Field report 14."""
    assert body(identifier).name == name
    assert body(identifier).key_at("openbesluitvorming") == key


def test_a_body_can_be_asked_for_by_its_common_name() -> None:
    assert "Den Bosch" in body("gemeente-s-hertogenbosch").names
    assert "De Dommel" in body("waterschap-de-dommel").names
    assert "Bergen" in body("gemeente-bergen-l").names
    assert "Bergen" in body("gemeente-bergen-nh").names


def test_the_seven_districts_of_amsterdam_do_not_share_its_code() -> None:
    """Field report 13."""
    districts = [found for found in shipped() if found.kind is BodyKind.STADSDEEL]

    assert len(districts) == 7
    assert {found.code for found in districts} == {None}
    assert [found.id for found in shipped() if found.code == "GM0363"] == ["gemeente-amsterdam"]
    assert body("stadsdeel-amsterdam-nieuw-west").name == "Stadsdeel Amsterdam Nieuw-West"


def test_merged_municipalities_say_when_they_ended_and_what_became_of_them() -> None:
    """Field report 13: Weesp did not end with the year."""
    ended = {found.id: (found.ended, found.successor) for found in shipped() if found.ended}

    assert ended == {
        "gemeente-beemster": (date(2022, 1, 1), "gemeente-purmerend"),
        "gemeente-binnenmaas": (date(2019, 1, 1), "gemeente-hoeksche-waard"),
        "gemeente-boxmeer": (date(2022, 1, 1), "gemeente-land-van-cuijk"),
        "gemeente-brielle": (date(2023, 1, 1), "gemeente-voorne-aan-zee"),
        "gemeente-cuijk": (date(2022, 1, 1), "gemeente-land-van-cuijk"),
        "gemeente-grave": (date(2022, 1, 1), "gemeente-land-van-cuijk"),
        "gemeente-mill-en-sint-hubert": (date(2022, 1, 1), "gemeente-land-van-cuijk"),
        "gemeente-sint-anthonis": (date(2022, 1, 1), "gemeente-land-van-cuijk"),
        "gemeente-weesp": (date(2022, 3, 24), "gemeente-amsterdam"),
        "gemeente-westvoorne": (date(2023, 1, 1), "gemeente-voorne-aan-zee"),
    }


def test_what_came_of_a_merger_can_be_asked_for_itself() -> None:
    """Field report 13: Land van Cuijk was missing altogether."""
    known = {found.id: found for found in shipped()}

    assert {found.successor for found in shipped() if found.successor} <= set(known)
    assert known["gemeente-land-van-cuijk"] == Organisation(
        id="gemeente-land-van-cuijk",
        name="Gemeente Land van Cuijk",
        kind=BodyKind.GEMEENTE,
        keys=(("openbesluitvorming", "land_van_cuijk"),),
        names=("Land van Cuijk",),
        code="GM1982",
    )


def test_a_key_as_ids_spell_it_is_the_same_body_and_no_other() -> None:
    """In ids both the province and the municipality may be "groningen"."""
    assert organisation("provincie", "groningen", "Groningen") == body("provincie-groningen")
    assert organisation("gemeente", "groningen", "Groningen") == body("gemeente-groningen")
    assert organisation("waterschap", "limburg", "Limburg") == body("waterschap-limburg")


def test_a_body_that_came_later_is_made_from_its_label() -> None:
    assert organisation("waterschap", "drents_overijsselse_delta", "Drents Overijsselse Delta") == Organisation(
        id="waterschap-drents-overijsselse-delta",
        name="Waterschap Drents Overijsselse Delta",
        kind=BodyKind.WATERSCHAP,
        keys=(("openbesluitvorming", "drents_overijsselse_delta"),),
        names=("Drents Overijsselse Delta",),
    )


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Land Van Cuijk", "Gemeente Land van Cuijk"),
        ("Aa En Hunze", "Gemeente Aa en Hunze"),
        ("Hoek Aan De Zee", "Gemeente Hoek aan de Zee"),
        ("De Bilt", "Gemeente De Bilt"),
        ("Van Gogh", "Gemeente Van Gogh"),
    ],
)
def test_the_small_words_of_a_new_label_lose_their_capitals(label: str, name: str) -> None:
    found = organisation("gemeente", "nieuw", label)

    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(("body_type", "label"), [("verzameling", "Alle bronnen"), ("gemeente", "")])
def test_what_is_no_body_with_a_name_is_none(body_type: str, label: str) -> None:
    assert organisation(body_type, "onbekend", label) is None
