"""What bodies are called, and the ids that are made from it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.names import display_name, own_name, register_id, slug
from connectors.records import BodyKind


@pytest.mark.parametrize(
    ("kind", "name", "identifier"),
    [
        (BodyKind.GEMEENTE, "Ede", "gemeente-ede"),
        (BodyKind.GEMEENTE, "Gemeente Ede", "gemeente-ede"),
        (BodyKind.GEMEENTE, "Súdwest-Fryslân", "gemeente-sudwest-fryslan"),
        (BodyKind.GEMEENTE, "'s-Hertogenbosch", "gemeente-s-hertogenbosch"),
        (BodyKind.GEMEENTE, "\u2019s-Hertogenbosch", "gemeente-s-hertogenbosch"),
        (BodyKind.GEMEENTE, "Bergen (NH.)", "gemeente-bergen-nh"),
        (BodyKind.PROVINCIE, "Noord-Holland", "provincie-noord-holland"),
        (BodyKind.WATERSCHAP, "De Dommel", "waterschap-de-dommel"),
        (BodyKind.WATERSCHAP, "Waterschap de Dommel", "waterschap-de-dommel"),
        (BodyKind.WATERSCHAP, "Hunze en Aa's", "waterschap-hunze-en-aas"),
        (BodyKind.WATERSCHAP, "Hoogheemraadschap van Delfland", "waterschap-delfland"),
        (BodyKind.WATERSCHAP, "Wetterskip Fryslân", "waterschap-fryslan"),
        (BodyKind.STADSDEEL, "Amsterdam Nieuw-West", "stadsdeel-amsterdam-nieuw-west"),
        (BodyKind.GERECHT, "Rechtbank Den Haag", "gerecht-rechtbank-den-haag"),
    ],
)
def test_an_id_is_the_same_for_every_spelling_of_a_name(kind: BodyKind, name: str, identifier: str) -> None:
    assert register_id(kind, name) == identifier


@pytest.mark.parametrize(
    ("kind", "name", "shown"),
    [
        (BodyKind.GEMEENTE, "Ede", "Gemeente Ede"),
        (BodyKind.GEMEENTE, "gemeente  Ede", "Gemeente Ede"),
        (BodyKind.PROVINCIE, "Noord-Holland", "Provincie Noord-Holland"),
        (BodyKind.WATERSCHAP, "De Dommel", "Waterschap De Dommel"),
        (BodyKind.WATERSCHAP, "Hoogheemraadschap van Delfland", "Hoogheemraadschap van Delfland"),
        (BodyKind.WATERSCHAP, "Wetterskip Fryslân", "Wetterskip Fryslân"),
        (BodyKind.GERECHT, "Hoge Raad", "Hoge Raad"),
    ],
)
def test_a_body_is_shown_with_its_kind_once(kind: BodyKind, name: str, shown: str) -> None:
    """Field report 14."""
    assert display_name(kind, name) == shown


def test_a_name_that_is_only_the_word_for_its_kind_stays_a_name() -> None:
    assert own_name(BodyKind.GEMEENTE, "Gemeente") == "Gemeente"
    assert register_id(BodyKind.GEMEENTE, "Gemeente") == "gemeente-gemeente"


def test_a_name_without_letters_makes_no_id() -> None:
    assert register_id(BodyKind.GEMEENTE, " … ") is None


@given(st.text())
def test_a_slug_is_fit_for_an_address_whatever_the_name(name: str) -> None:
    assert re.fullmatch(r"(?:[a-z0-9]+(?:-[a-z0-9]+)*)?", slug(name))


@given(st.sampled_from(BodyKind), st.text())
def test_the_name_that_is_shown_leads_to_the_same_id(kind: BodyKind, name: str) -> None:
    identifier = register_id(kind, name)

    assert identifier is None or register_id(kind, display_name(kind, name)) == identifier
